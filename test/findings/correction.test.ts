import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Finding } from '../../src/contract/finding.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { findingObject, fixOf } from '../../src/findings/correction.ts';

// The correction of a finding, in the form in which a user applies it.

const test = suite('corrections of findings');

const fixFor = (live: object | null, fix: object[]) =>
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
  [
    'nor has one without pods',
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'web-1', namespace: 'shop', ownerReferences: [{ kind: 'Service', name: 'web', controller: true }] },
    },
    [{ path: 'addressType', to: 'IPv6' }],
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

const SERVICE = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop', uid: 'u' }, spec: { type: 'NodePort' } };
const CLOSED = { path: 'spec.type', from: 'NodePort', to: 'ClusterIP', why: 'No port of the node.' };

test('a correction has the changed manifest, the difference, and a reason for each change', () => {
  const fix = fixFor(SERVICE, [CLOSED]);
  assert.equal([fix.finding_id, fix.patch, fix.is_fallback], [1, [CLOSED], true]);
  assert.is(fix.explanation, 'Mend it.\n\n- `spec.type`: No port of the node.');
  assert.match(fix.fixed_manifest, /type: ClusterIP/);
  assert.not.match(fix.fixed_manifest, 'uid');
  assert.match(fix.diff, /-\s+type: NodePort\n\+\s+type: ClusterIP/);
});

test('changes that do not fit the object are left out; its manifest is shown as it is', () => {
  const fix = fixFor(SERVICE, [{ path: 'spec.type.deeper[0]', to: 1, why: '' }]);
  assert.equal([fix.patch, fix.diff, fix.command, fix.explanation], [[], '', '', 'Mend it.']);
  assert.match(fix.fixed_manifest, 'type: NodePort');
});

test('without the object there is neither a manifest nor a change', () => {
  const fix = fixFor(null, [CLOSED]);
  assert.equal([fix.fixed_manifest, fix.patch, fix.diff, fix.command], ['', [], '', '']);
});

test('what another scanner wrote as a fix counts only if it is a list of changes', () => {
  for (const odd of ['text', { path: 'spec.type' }, [null, 'x', { to: 1 }, { path: 7 }]])
    assert.equal(fixFor(SERVICE, odd as object[]).patch, []);
  const removed = { path: 'spec.type', from: null, to: null, why: '' };
  assert.equal(fixFor(SERVICE, [{ path: 'spec.type' }]).patch, [removed]);
});

test('the explanation is the remediation, or the message, or at least the name of the check', () => {
  const said = (over: object) =>
    fixOf(findingObject({ id: 1, check_name: 'any', message: '', remediation: '', details: {}, ...over } as unknown as Finding, null));
  assert.is(said({ remediation: 'Mend it.', message: 'Bad.' }).explanation, 'Mend it.');
  assert.is(said({ message: 'Bad.' }).explanation, 'Bad.');
  assert.is(said({}).explanation, 'The check any does not say how to correct it.');
});

test('a model’s explanation is used, and its changes only where the check has none', () => {
  const model = { explanation: 'It is open.', changes: [CLOSED] };
  const of = (details: object) =>
    findingObject({ id: 1, check_name: 'any', message: '', remediation: 'r', details } as unknown as Finding, SERVICE as KubeObject);
  const { patch, explanation, is_fallback } = fixOf(of({}), model);
  assert.equal([patch, explanation, is_fallback], [[CLOSED], 'It is open.\n\n- `spec.type`: No port of the node.', false]);
  const own = { ...CLOSED, to: 'ExternalName', why: 'mine' };
  assert.equal(fixOf(of({ fix: [own] }), model).patch, [own]);
});

test('secrets are masked in the manifest and in the difference', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'shop' }, data: { password: 'aHVudGVyMg==' } };
  const fix = fixFor(secret, [{ path: 'immutable', to: true, why: '' }]);
  assert.not.match(JSON.stringify(fix), 'aHVudGVyMg');
  assert.match(fix.diff, 'immutable: true');
});

test.run();
