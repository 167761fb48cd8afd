import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Finding } from '../../src/contract/finding.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { findingObject, fixOf } from '../../src/findings/correction.ts';

// The correction of a finding, in the form in which a user applies it.

const test = suite('corrections of findings');

const fixFor = (live: object, fix: object[]) =>
  fixOf(
    findingObject(
      { id: 1, check_name: 'any', message: '', remediation: 'Mend it.', details: { fix } } as unknown as Finding,
      live as KubeObject,
    ),
  );
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image: 'web:1' }] } };

for (const [sentence, live, fix, command] of [
  [
    'a workload is patched itself, not its pods',
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' }, spec: { template } },
    [{ path: 'spec.template.spec.hostNetwork', to: false }],
    `kubectl patch deployment web -n shop --type=json -p '[{"op":"add","path":"/spec/template/spec/hostNetwork","value":false}]'`,
  ],
  [
    'an object without pods is patched as it is',
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop' }, spec: { type: 'NodePort' } },
    [{ path: 'spec.type', from: 'NodePort', to: 'ClusterIP' }],
    `kubectl patch service web -n shop --type=json -p '[{"op":"replace","path":"/spec/type","value":"ClusterIP"}]'`,
  ],
  [
    'a cluster-scoped object has no namespace, and its name stays one word of the shell',
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'all users' },
      subjects: [{ kind: 'Group', name: 'x' }],
    },
    [{ path: 'subjects', to: null }],
    `kubectl patch clusterrolebinding 'all users' --type=json -p '[{"op":"remove","path":"/subjects"}]'`,
  ],
  [
    'an object with a controller has no command: the controller would change it back',
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web-1', namespace: 'shop', ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true }] },
      spec: { template },
    },
    [{ path: 'spec.template.spec.hostNetwork', to: false }],
    '',
  ],
  ['without a change there is no command', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: {} }, [], ''],
] as [string, object, object[], string][])
  test(sentence, () => assert.is(fixFor(live, fix).command, command));

test('a pod cannot be changed, so the correction recreates it and says so', () => {
  const { command, note } = fixFor({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop' }, spec: template.spec }, [
    { path: 'spec.hostNetwork', to: false },
  ]);
  assert.match(command, /^kubectl replace --force -f - /);
  assert.match(note, /Nothing makes this pod again/);
});

test.run();
