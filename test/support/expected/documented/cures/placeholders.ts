import type { Container } from '../../../../../src/crd/kubernetes.ts';
import type { CureRow } from './cure.ts';
import { app, crash, guess, likely, map, secret, service } from './rows.ts';

const env = (...all: [name: string, value: string][]): Pick<Container, 'env'> => ({ env: all.map(([name, value]) => ({ name, value })) });
const added = (index: number, name: string, value: string): object => ({ [`${app}.env[${index}]`]: { name, value } });
const NGINX = (name: string): string =>
  `20-envsubst-on-templates.sh: Running envsubst on /etc/nginx/templates/default.conf.template to /etc/nginx/conf.d/default.conf\n/docker-entrypoint.sh: Configuration complete; ready for start up\n2026/01/02 10:00:02 [emerg] 1#1: unknown "${name}" variable\nnginx: [emerg] unknown "${name}" variable\n`;

/** Placeholders of a template or a configuration for which the container has no variable, and ports beside hosts. */
export const PLACEHOLDERS: Record<string, CureRow> = {
  'a template of nginx without the port of a Service': crash(
    NGINX('api_port'),
    env(['API_HOST', 'backend-api']),
    { culprit: /API_PORT/, best: added(1, 'API_PORT', '8000'), ...guess },
    [service('backend-api', 8000)],
  ),
  'a template of nginx whose variable has a slip': crash(NGINX('backend_url'), env(['BACKND_URL', 'http://backend:8080']), {
    culprit: /BACKEND_URL/,
    best: { [`${app}.env[0].name`]: 'BACKEND_URL' },
    ...likely,
  }),
  'a placeholder that stands where a host should': crash(
    'nginx: [emerg] host not found in upstream "${BACKEND_HOST}:8080" in /etc/nginx/conf.d/default.conf:3\n',
    {},
    {
      culprit: /BACKEND_HOST/,
      best: { [`${app}.env`]: [{ name: 'BACKEND_HOST', valueFrom: { configMapKeyRef: { name: 'web', key: 'BACKEND_HOST' } } }] },
      ...likely,
    },
    [map('web', 'BACKEND_HOST')],
  ),
  'a placeholder that Go cannot read as a host': crash(
    'error loading config: parse "http://${API_HOST}:8080/": invalid character "{" in host name\n',
    env(['API_HOTS', 'backend']),
    { culprit: /API_HOST/, best: { [`${app}.env[0].name`]: 'API_HOST' }, ...likely },
  ),
  'a variable of Logstash': crash(
    '[FATAL][logstash.runner] An unexpected error occurred! {:error=>#<LogStash::ConfigurationError: Cannot evaluate `${ES_PASSWORD}`. Replacement variable `ES_PASSWORD` is not defined in a Logstash secret store or an environment entry and there is no default value given.>}\n',
    {},
    {
      culprit: /ES_PASSWORD/,
      best: { [`${app}.env`]: [{ name: 'ES_PASSWORD', valueFrom: { secretKeyRef: { name: 'elastic', key: 'ES_PASSWORD' } } }] },
      ...likely,
    },
    [secret('elastic', 'ES_PASSWORD')],
  ),
  'a variable of Vector that nothing has': crash(
    'ERROR vector::cli: Configuration error. error=Missing environment variable in config. name = "LOKI_URL"\n',
    {},
    {
      culprit: /LOKI_URL/,
      best: null,
    },
  ),
  'a port that is not set, beside the host of a Service': crash(
    'Error: REDIS_PORT is not set\n',
    env(['REDIS_HOST', 'cache.default.svc.cluster.local']),
    { culprit: /REDIS_PORT/, best: added(1, 'REDIS_PORT', '6379'), ...guess },
    [service('cache', 6379)],
  ),
  // Nothing here says which value is right, or that one is missing.
  'a variable of nginx itself that does not exist': crash(
    NGINX('remote_adr'),
    env(['API_HOST', 'backend-api']),
    {
      culprit: /remote_adr/,
      best: null,
    },
    [service('backend-api', 8000)],
  ),
  'an unknown variable in a file that is no template': crash(
    '2026/01/02 10:00:02 [emerg] 1#1: unknown "api_port" variable\n',
    env(['API_HOST', 'backend-api']),
    { culprit: /^api_port/, best: null },
    [service('backend-api', 8000)],
  ),
  'a placeholder whose variable is set': crash(
    'Error: getaddrinfo ENOTFOUND ${DB_HOST}\n',
    env(['DB_HOST', 'postgres']),
    { culprit: /DB_HOST/, best: null, says: /does not replace|not replaced/ },
    [service('postgres', 5432)],
  ),
  'a host whose Service has two ports': crash(
    'Error: QUEUE_PORT is not set\n',
    env(['QUEUE_HOST', 'rabbit']),
    { culprit: /QUEUE_PORT/, best: null },
    [service('rabbit', 5672, 15672)],
  ),
  'the port on which the program itself listens': crash(
    'Error: PORT is not set\n',
    env(['HOST', 'shop']),
    { culprit: /PORT/, best: null },
    [service('shop', 80)],
  ),
  'a text of the program in which a variable stands': crash(
    'Error: Cannot find module `${name}`\n    at load (/app/index.js:3:9)\n',
    {},
    { culprit: /\$\{name\}|index\.js|module/i, best: null },
  ),
};
