import type { Container } from '../../../../../src/crd/kubernetes.ts';
import { one, runs, waits } from '../documented.ts';
import type { CureRow } from './cure.ts';
import { app, crash, guess, likely, service } from './rows.ts';

const env = (...all: [name: string, value: string][]): Pick<Container, 'env'> => ({ env: all.map(([name, value]) => ({ name, value })) });
const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
const UNKNOWN = (host: string): string => `could not translate host name "${host}" to address: Name or service not known\n`;

/** A probe whose path references a variable. */
const asked = (path: string, spec: Partial<Container>, is: object): CureRow => ({
  object: one('shop', runs(), { readinessProbe: { httpGet: { path, port: 8080 } }, ...spec }),
  events: [['Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 404']],
  is: { reason: 'Unhealthy', culprit: /readiness probe GET/, ...is } as CureRow['is'],
});
const probed = (path: string) => ({ [`${app}.readinessProbe.httpGet.path`]: path });

/** A container that cannot be created, because its folder is named with a variable that it lacks. */
const folder = (name: string, spec: Partial<Container>, best: object | null): CureRow => ({
  object: one(
    'shop',
    waits('CreateContainerConfigError', `failed to expand subPathExpr: missing value for "${name}"`),
    {
      volumeMounts: [{ name: 'logs', mountPath: '/logs', subPathExpr: `$(${name})` }],
      ...spec,
    },
    { volumes: [{ name: 'logs', emptyDir: {} }] },
  ),
  is: { reason: 'CreateContainerConfigError', culprit: new RegExp(name), best, ...(best ? likely : {}) } as CureRow['is'],
});

/** References to variables, variables that the pod itself can give, and variables that are set twice. */
export const VARIABLE_REFERENCES: Record<string, CureRow> = {
  'a reference with one dollar too many': crash(
    'level=ERROR msg="cannot reach upstream" err="Get \\"$(UPSTREAM_URL)/healthz\\": unsupported protocol scheme \\"\\""\n',
    { args: ['--upstream=$$(UPSTREAM_URL)'], ...env(['UPSTREAM_URL', 'http://billing:8080']) },
    { culprit: /UPSTREAM_URL/, best: { [`${app}.args[0]`]: '--upstream=$(UPSTREAM_URL)' }, ...likely },
    [service('billing', 8080)],
  ),
  'the same in a variable': crash('Error: invalid address $(HOST):5432\n', env(['HOST', 'db'], ['DSN', 'postgres://$$(HOST):5432/shop']), {
    culprit: /HOST/,
    best: { [`${app}.env[1].value`]: 'postgres://$(HOST):5432/shop' },
    ...likely,
  }),
  'two dollars before a variable that the container lacks': crash(
    'Error: invalid address $(HOST):5432\n',
    { args: ['--db=$$(HOST):5432'] },
    { culprit: /HOST/, best: null },
  ),
  'the path of a probe with a reference': asked('/$(BASE_PATH)/healthz', env(['BASE_PATH', 'shop']), {
    best: probed('/shop/healthz'),
    ...likely,
  }),
  'the path of a probe with a variable of a shell': asked('${BASE}/healthz', env(['BASE', '/shop']), {
    best: probed('/shop/healthz'),
    ...likely,
  }),
  'the path of a probe with a variable that nobody sets': asked('/$(BASE_PATH)/healthz', {}, { best: probed('/'), ...guess }),
  'the path of a probe with a variable from elsewhere': asked(
    '/$(BASE_PATH)/healthz',
    { env: [{ name: 'BASE_PATH', valueFrom: { configMapKeyRef: { name: 'shop', key: 'base' } } }] },
    { best: probed('/'), ...guess },
  ),
  'a folder named after the pod': folder('POD_NAME', env(['LOG_DIR', '/logs']), { [`${app}.env[1]`]: field('POD_NAME', 'metadata.name') }),
  'a folder named after the node': folder('NODE_NAME', {}, { [`${app}.env`]: [field('NODE_NAME', 'spec.nodeName')] }),
  'a folder named after something else': folder('TENANT', env(['LOG_DIR', '/logs']), null),
  'a program that wants the namespace of its pod': crash(
    'Error: POD_NAMESPACE is not set\n',
    {},
    { culprit: /POD_NAMESPACE/, best: { [`${app}.env`]: [field('POD_NAMESPACE', 'metadata.namespace')] }, ...likely },
  ),
  'a program that wants the name of something': crash('Error: CLUSTER_NAME is not set\n', {}, { culprit: /CLUSTER_NAME/, best: null }),
  'a host that is set twice': crash(
    UNKNOWN('legacy-db'),
    env(['LOG', 'info'], ['DB_HOST', 'orders-postgres'], ['DB_PORT', '5432'], ['DB_HOST', 'legacy-db']),
    { culprit: /legacy-db/, best: { [`${app}.env[3].value`]: 'orders-postgres' }, ...likely, says: /twice/ },
    [service('orders-postgres', 5432)],
  ),
  'a host that is set twice, and both are nowhere': crash(
    UNKNOWN('legacy-db'),
    env(['DB_HOST', 'older-db'], ['DB_HOST', 'legacy-db']),
    { culprit: /legacy-db/, best: null },
    [service('web', 80)],
  ),
  'a script of npm whose name was cut': crash(
    'npm error Missing script: "start:prod"\nnpm error\nnpm error Did you mean this?\nnpm error   npm run start:production # run the "start:production" package script\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run\n',
    { args: ['run', 'start:prod'] },
    { culprit: /start:prod/, best: { [`${app}.args[1]`]: 'start:production' }, ...likely },
  ),
  'a command of Go that is called otherwise': crash(
    'Error: unknown command "listen" for "shop"\n\nDid you mean this?\n\tserve\n',
    { args: ['listen'] },
    { culprit: /listen/, best: { [`${app}.args[0]`]: 'serve' }, ...likely },
  ),
};
