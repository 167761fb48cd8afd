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

references.run();
