import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PodSpec } from '../../../src/crd/kubernetes.ts';
import { missingIn, referencesIn } from '../../../src/diagnosis/facts/references.ts';

const references = suite('what a pod names');

const SPEC: PodSpec = {
  initContainers: [{ name: 'init', envFrom: [{ secretRef: { name: 'keys' } }] }],
  containers: [
    {
      name: 'app',
      env: [
        { name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a' } } },
        { name: 'B', valueFrom: { configMapKeyRef: { name: 'settings', key: 'b', optional: true } } },
        { name: 'C', value: 'c' },
      ],
      volumeMounts: [{ name: 'files', mountPath: '/etc/x.conf', subPath: 'x.conf' }],
    },
  ],
  volumes: [
    { name: 'files', configMap: { name: 'files' } },
    { name: 'all', projected: { sources: [{ secret: { name: 'tls', items: [{ key: 'tls.crt', path: 'crt' }] } }] } },
  ],
} as PodSpec;

references('are found in variables, mounts and volumes of all containers', () =>
  assert.equal(
    referencesIn(SPEC, 'spec').map(({ what, name, key, keyPath, namePath }) => [what, name, key, keyPath ?? namePath]),
    [
      ['Secret', 'keys', null, 'spec.initContainers[0].envFrom[0].secretRef.name'],
      ['ConfigMap', 'settings', 'a', 'spec.containers[0].env[0].valueFrom.configMapKeyRef.key'],
      ['ConfigMap', 'settings', 'b', 'spec.containers[0].env[1].valueFrom.configMapKeyRef.key'],
      ['ConfigMap', 'files', 'x.conf', 'spec.containers[0].volumeMounts[0].subPath'],
      ['ConfigMap', 'files', null, 'spec.volumes[0].configMap.name'],
      ['Secret', 'tls', 'tls.crt', 'spec.volumes[1].projected.sources[0].secret.items[0].key'],
    ],
  ),
);

references('are missing only where the kind is known', () => {
  const all = referencesIn(SPEC, 'spec');
  assert.equal(missingIn(all), []);
  assert.equal(missingIn(all, { configMaps: [{ name: 'settings', keys: ['A'] }] }), [
    { what: 'ConfigMap', name: 'settings', key: 'a' },
    { what: 'ConfigMap', name: 'files', key: null },
  ]);
  assert.equal(
    missingIn(all, {
      secrets: [
        { name: 'keys', keys: [] },
        { name: 'tls', keys: [] },
      ],
    }),
    [],
  );
});

const of = (spec: object) => referencesIn(spec as PodSpec, 'spec.template.spec');
const C = 'spec.template.spec.containers[0]';
const V = 'spec.template.spec.volumes';
const inContainer = (container: object, volumes: object[] = []) => of({ containers: [{ name: 'app', ...container }], volumes });
references('of a variable', () => {
  const secret = { name: 'S', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: true } } };
  const map = { name: 'M', valueFrom: { configMapKeyRef: { name: 'm', key: 'k' } } };
  assert.equal(inContainer({ env: [{ name: 'X' }, secret, map] }), [
    {
      what: 'ConfigMap',
      name: 'm',
      key: 'k',
      optional: false,
      namePath: `${C}.env[2].valueFrom.configMapKeyRef.name`,
      keyPath: `${C}.env[2].valueFrom.configMapKeyRef.key`,
      optionalPath: `${C}.env[2].valueFrom.configMapKeyRef.optional`,
      volume: null,
    },
    {
      what: 'Secret',
      name: 's',
      key: 'k',
      optional: true,
      namePath: `${C}.env[1].valueFrom.secretKeyRef.name`,
      keyPath: `${C}.env[1].valueFrom.secretKeyRef.key`,
      optionalPath: `${C}.env[1].valueFrom.secretKeyRef.optional`,
      volume: null,
    },
  ]);
  assert.equal(inContainer({ envFrom: [{ configMapRef: {} }, { prefix: 'A_', configMapRef: { name: 'm', optional: true } }] }), [
    ...[
      ['', false, 0],
      ['m', true, 1],
    ].map(([name, optional, at]) => ({
      what: 'ConfigMap',
      name,
      key: null,
      optional,
      namePath: `${C}.envFrom[${at}].configMapRef.name`,
      keyPath: null,
      optionalPath: `${C}.envFrom[${at}].configMapRef.optional`,
      volume: null,
    })),
  ]);
  assert.is(inContainer({ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's' } } }] })[0]?.key, null, 'without a key');
});
references('of a volume', () => {
  const items = [
    { key: 'a', path: 'x' },
    { key: 'b', path: 'y' },
  ];
  const base = { what: 'Secret', name: 's', optional: true, volume: 'v' };
  assert.equal(
    of({
      containers: [],
      volumes: [
        { name: 'e', emptyDir: {} },
        { name: 'v', secret: { secretName: 's', optional: true, items } },
      ],
    }),
    [
      {
        ...base,
        key: 'a',
        namePath: `${V}[1].secret.secretName`,
        keyPath: `${V}[1].secret.items[0].key`,
        optionalPath: `${V}[1].secret.optional`,
      },
      {
        ...base,
        key: 'b',
        namePath: `${V}[1].secret.secretName`,
        keyPath: `${V}[1].secret.items[1].key`,
        optionalPath: `${V}[1].secret.optional`,
      },
    ],
  );
  const sources = [{ serviceAccountToken: { path: 't' } }, { secret: { name: 's' } }, { configMap: { name: 'm', optional: true } }];
  const projected = (at: number, field: string) => `${V}[0].projected.sources[${at}].${field}`;
  assert.equal(of({ containers: [], volumes: [{ name: 'v', projected: { sources } }] }), [
    {
      what: 'ConfigMap',
      name: 'm',
      key: null,
      optional: true,
      namePath: projected(2, 'configMap.name'),
      keyPath: null,
      optionalPath: projected(2, 'configMap.optional'),
      volume: 'v',
    },
    {
      what: 'Secret',
      name: 's',
      key: null,
      optional: false,
      namePath: projected(1, 'secret.name'),
      keyPath: null,
      optionalPath: projected(1, 'secret.optional'),
      volume: 'v',
    },
  ]);
  assert.is(of({ containers: [], volumes: [{ name: 'v', configMap: { name: 'm' } }] })[0]?.namePath, `${V}[0].configMap.name`);
});
references('of a file alone', () => {
  const file = (subPath: string | undefined, volume: object, name = 'v') =>
    inContainer(
      {
        volumeMounts: [
          { name: 'other', mountPath: '/o' },
          { name, mountPath: '/f', ...(subPath === undefined ? {} : { subPath }) },
        ],
      },
      [{ name: 'v', ...volume }],
    ).filter(({ keyPath }) => keyPath?.includes('subPath'));
  assert.equal(file('a', { secret: { secretName: 's', optional: true } }), [
    {
      what: 'Secret',
      name: 's',
      key: 'a',
      optional: true,
      namePath: '',
      keyPath: `${C}.volumeMounts[1].subPath`,
      optionalPath: null,
      volume: 'v',
    },
  ]);
  assert.equal(
    file('a', { configMap: { name: 'm' } }).map(({ what, name, optional }) => [what, name, optional]),
    [['ConfigMap', 'm', false]],
  );
  for (const [sentence, found] of [
    ['without a part', file(undefined, { configMap: { name: 'm' } })],
    ['with a folder', file('a/b', { configMap: { name: 'm' } })],
    ['of an unknown volume', file('a', { configMap: { name: 'm' } }, 'w')],
    ['of another volume', file('a', { emptyDir: {} })],
    ['of an object without a name', file('a', { configMap: {} })],
    ['of items', file('a', { configMap: { name: 'm', items: [{ key: 'k', path: 'a' }] } })],
  ] as const)
    assert.equal(found, [], sentence);
  assert.is(file('a', { configMap: { name: 'm', items: [] } }).length, 1, 'of an empty list of items');
});
references('that are missing', () => {
  const variable = (name: string | undefined, key: string | undefined, optional = false) => ({
    name: 'A',
    valueFrom: { configMapKeyRef: { name, key, optional } },
  });
  const missing = (keys: string[], ...variables: object[]) =>
    missingIn(inContainer({ env: variables }), {
      configMaps: [
        { name: 'other', keys: ['k'] },
        { name: 'm', keys },
      ],
    });
  assert.equal(missing([], variable('m', 'k'), variable('m', 'k'), variable('m', 'l')), [
    { what: 'ConfigMap', name: 'm', key: 'k' },
    { what: 'ConfigMap', name: 'm', key: 'l' },
  ]);
  assert.equal(missing(['k'], variable('m', 'k'), variable('x', 'k', true), variable(undefined, 'k'), variable('m', undefined)), []);
  assert.equal(missing(['k'], variable('x', 'k')), [{ what: 'ConfigMap', name: 'x', key: null }]);
  const secret = (keys: string[]) =>
    missingIn(inContainer({ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] }), {
      secrets: [{ name: 's', keys }],
    });
  assert.equal([secret([]), secret(['l'])], [[], [{ what: 'Secret', name: 's', key: 'k' }]]);
});

references.run();
