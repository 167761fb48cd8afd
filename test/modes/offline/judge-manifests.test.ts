import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { API_VERSION, MIRROR_LABEL, MIRROR_OF_LABEL, mirrorHash } from '../../../src/crd/mirrorpod.ts';
import { type ScanOptions, scanManifests } from '../../../src/modes/offline/judge-manifests.ts';
import type { ManifestObject } from '../../../src/modes/offline/read-manifests.ts';

const test = suite('judging manifests');

const options = (over: Partial<ScanOptions> = {}): ScanOptions => ({
  minor: Infinity,
  trustedRegistries: [],
  checks: new Set(['host-namespaces']),
  minSeverity: 'info',
  known: new Set(),
  operatorNamespace: 'podmend',
  now: new Date('2026-05-01T10:00:00Z'),
  ...over,
});
const manifest = (object: object, over: Partial<ManifestObject['source']> = {}): ManifestObject => ({
  object: object as KubeObject,
  source: { file: 'a.yaml', lines: [], firstLine: 1, ignored: new Set(), ...over },
});
const SPEC = { hostPID: true, containers: [{ name: 'app', image: 'web:1' }] };
const pod = (metadata: object): object => ({ apiVersion: 'v1', kind: 'Pod', metadata, spec: SPEC });
const workload = (kind: string, name: string, namespace = 'shop'): object => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace },
  spec: { template: { metadata: {}, spec: SPEC } },
});
const owned = (kind: string, name: string, over: object = {}): object =>
  pod({ name: 'x', namespace: 'shop', ownerReferences: [{ kind, name, controller: true, ...over }] });
/** What has findings, as `namespace/name`. */
const found = (objects: object[], over: Partial<ScanOptions> = {}): string[] =>
  scanManifests(
    objects.map((object) => manifest(object)),
    options(over),
  ).map(({ namespace, resource_name }) => `${namespace}/${resource_name}`);

const OWNERS: [what: string, objects: object[], names: string[]][] = [
  ['its workload is there: only that', [workload('ReplicaSet', 'web'), owned('ReplicaSet', 'web')], ['shop/web']],
  ['another workload is there: both', [workload('ReplicaSet', 'api'), owned('ReplicaSet', 'web')], ['shop/api', 'shop/x']],
  ['it is in another namespace: both', [workload('ReplicaSet', 'web', 'bank'), owned('ReplicaSet', 'web')], ['bank/web', 'shop/x']],
  [
    'its owner is no controller: both',
    [workload('ReplicaSet', 'web'), owned('ReplicaSet', 'web', { controller: false })],
    ['shop/web', 'shop/x'],
  ],
  [
    'its owner has no pod template: the pod',
    [{ apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name: 'web', namespace: 'shop' } }, owned('Thing', 'web')],
    ['shop/x'],
  ],
];
for (const [what, objects, names] of OWNERS) test(`a pod with an owner: ${what}`, () => assert.equal(found(objects), names));

test('a mirror of Podmend is not judged; a pod with its labels but without its owner is', () => {
  const labels = { [MIRROR_LABEL]: 'true', [MIRROR_OF_LABEL]: 'u' };
  const about = { name: `web-mirror-${mirrorHash('u')}`, namespace: 'shop', labels };
  const ownerReferences = [{ apiVersion: API_VERSION, kind: 'MirrorPod', name: 'm', uid: 'u', controller: true }];
  assert.equal(found([pod({ ...about, ownerReferences })]), []);
  assert.is(found([pod(about)]).length, 1);
  const other = workload('ReplicaSet', about.name) as { metadata: object };
  assert.is(found([{ ...other, metadata: { ...about, ownerReferences } }]).length, 1, 'a workload is no mirror');
});

const PLACES: [what: string, metadata: object, place: string][] = [
  ['a namespace and a name', { name: 'web', namespace: 'shop' }, 'shop/web'],
  ['no namespace', { name: 'web' }, 'default/web'],
  ['a prefix for names', { generateName: 'web-' }, 'default/web-'],
  ['nothing', {}, 'default/without a name'],
];
for (const [what, metadata, place] of PLACES) test(`a manifest with ${what}`, () => assert.equal(found([pod(metadata)]), [place]));

test('what is in no namespace is cluster-wide', () => {
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
  const kinds = ['ClusterRole', 'Role'].map((kind) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
    metadata: { name: 'all' },
    rules,
  }));
  const places = new Set(
    scanManifests(
      kinds.map((object) => manifest(object)),
      options({ checks: undefined }),
    ).map(({ resource_type, namespace }) => `${resource_type} ${namespace}`),
  );
  assert.equal([...places], ['ClusterRole cluster-wide', 'Role default']);
});

test('a finding has the file and the line of its field; without lines, the first line of its document', () => {
  const lines = ['kind: Pod', 'spec:', '  hostPID: true'];
  const at = (source: Partial<ManifestObject['source']>) => {
    const [finding] = scanManifests([manifest(pod({ name: 'x' }), source)], options());
    return `${finding?.file}:${finding?.line}`;
  };
  assert.is(at({ file: 'b.yaml', lines, firstLine: 10 }), 'b.yaml:12');
  assert.is(at({ file: 'b.yaml', lines: [], firstLine: 10 }), 'b.yaml:10');
});

test('what is shown: chosen checks whatever their severity, else from the least severity on; not what is known or ignored', () => {
  const names = (over: Partial<ScanOptions>, source: Partial<ManifestObject['source']> = {}) =>
    scanManifests([manifest(pod({ name: 'x' }), source)], options(over)).map(({ check_name }) => check_name);
  assert.equal(names({ minSeverity: 'critical' }), ['host-namespaces']);
  const all = scanManifests([manifest(pod({ name: 'x' }))], options({ checks: undefined }));
  const high = all.filter(({ severity }) => severity === 'critical' || severity === 'high').map(({ check_name }) => check_name);
  assert.equal(names({ checks: undefined, minSeverity: 'high' }), high);
  assert.ok(high.length < all.length && high.includes('host-namespaces'));
  assert.equal(names({}, { ignored: new Set(['host-namespaces']) }), []);
  assert.equal(names({ known: new Set(['Pod\ndefault\nx\nhost-namespaces\n']) }), []);
});

const suppression = (over: object): object => ({
  apiVersion: 'podmend.dev/v1alpha1',
  kind: 'Suppression',
  metadata: { name: 's', namespace: 'podmend' },
  spec: { reason: 'known', match: { checks: ['host-namespaces'] } },
  ...over,
});
const SUPPRESSIONS: [what: string, over: object, hides: boolean][] = [
  ['one of the operator’s namespace', {}, true],
  ['one that expired', { spec: { reason: 'k', match: { checks: ['host-namespaces'] }, expirationTime: '2026-05-01T09:00:00Z' } }, false],
  [
    'one that expires later',
    { spec: { reason: 'k', match: { checks: ['host-namespaces'] }, expirationTime: '2026-05-01T11:00:00Z' } },
    true,
  ],
  ['another product’s', { apiVersion: 'example.org/v1' }, false],
  ['one without a match', { spec: { reason: 'k' } }, false],
  ['one without a spec', { spec: undefined }, false],
  ['one of no version', { apiVersion: undefined }, false],
];
for (const [what, over, hides] of SUPPRESSIONS)
  test(`a Suppression in the files: ${what} ${hides ? 'hides' : 'does not hide'}`, () =>
    assert.equal(found([suppression(over), pod({ name: 'x', namespace: 'shop' })]), hides ? [] : ['shop/x']));

test('policies of a namespace count only if the files have some; another namespace without any has findings', () => {
  const policy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'n', namespace: 'shop' },
    spec: { podSelector: {} },
  };
  const pods = [pod({ name: 'a', namespace: 'shop' }), pod({ name: 'b', namespace: 'bank' })];
  const checks = { checks: new Set(['network-policy']) };
  assert.equal(found(pods, checks), []);
  assert.equal(found([...pods, policy], checks), ['bank/b']);
});

test('a missing account is found only where the files have all accounts of the namespace', () => {
  const checks = { checks: new Set(['missing-account']) };
  const bound = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'b', namespace: 'shop' },
    roleRef: { kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', name: 'gone', namespace: 'shop' }],
  };
  const account = (name: string, namespace: string) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
  assert.equal(found([bound], checks), []);
  assert.equal(found([bound, account('web', 'shop')], checks), []);
  assert.equal(found([bound, account('default', 'bank')], checks), []);
  assert.equal(found([bound, account('default', 'shop')], checks), ['shop/b']);
});

test.run();
