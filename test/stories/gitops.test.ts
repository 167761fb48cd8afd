import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import type { MirrorPod } from '../../src/crd/mirrorpod.ts';
import { type ApiServer, apiServerAssets, startApiServer } from '../support/cluster/api-server.ts';
import { clusterUser } from '../support/cluster/user.ts';
import { type Installed, installPodmend } from '../support/worlds/installed.ts';
import { kstatusOf } from '../support/cluster/kstatus.ts';
import { until } from '../support/runner/wait.ts';

// What GitOps tools do to Podmend on a real API server: apply, apply again, apply in the wrong order, several managers, prune. There is no
// kubelet and no garbage collector. So mirror pods wait for a node, and only the operator removes things.

const CRDS = fileURLToPath(new URL('../../crds/', import.meta.url));
const NODE = '{apiVersion: v1, kind: Node, metadata: {name: node-1}}';
const SOURCE = `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec: {containers: [{name: app, image: 'web:11'}]}
`;
const mirror = (name: string, { ttl = 600, extra = '' } = {}) => `
apiVersion: podmend.dev/v1alpha1
kind: MirrorPod
metadata: {name: ${name}, namespace: shop${extra}}
spec:
  source: {name: web}
  ttlSeconds: ${ttl}
  onExpiry: Retain
  template: {spec: {containers: [{name: app, image: 'web:1'}]}}
`;
const SUPPRESSION = `
apiVersion: podmend.dev/v1alpha1
kind: Suppression
metadata: {name: known, namespace: shop}
spec: {reason: known and accepted, match: {pods: ['tax-*']}}
`;
const ALL = [mirror('try'), SUPPRESSION].join('---');
/** How often the test checks that nothing flaps. */
const PASSES = 5;

const test = suite('GitOps on a real API server');
let server: ApiServer;
let podmend: Installed;

test.before(async () => {
  server = await startApiServer();
  const admin = await clusterUser(server.kubeconfig);
  await admin.apply(NODE);
  await admin.close();
  podmend = await installPodmend(server.kubeconfig, { hasControllers: false });
  await podmend.kubectl.apply(SOURCE);
});
test.after(async () => {
  await podmend?.stop();
  await server?.close();
});

const read = async (kind: string, name: string) =>
  JSON.parse(await podmend.kubectl('get', kind, name, '-n', 'shop', '-o', 'json', '--show-managed-fields')) as MirrorPod;
interface Managed {
  manager: string;
  subresource?: string;
  fieldsV1: object;
}
const versionOf = ({ metadata }: KubeObject): string => `${metadata.uid} ${metadata.generation} ${metadata.resourceVersion}`;
const isDone = async (kind: string, name: string) => kstatusOf(await read(kind, name)) === 'Current';
const left = async () =>
  (await podmend.kubectl('get', 'pods,networkpolicies', '-n', 'shop', '-l', 'podmend.dev/mirror=true', '-o', 'name')).trim();
/** Waits until the MirrorPod is `Running`. Without a kubelet, it gets no further. */
const runs = (name: string) =>
  until(async () => ((await read('mirrorpod', name)).status?.phase === 'Running' ? read('mirrorpod', name) : undefined), {
    everyMs: 200,
    what: `MirrorPod ${name} to run`,
  });

test('definitions and objects in one go converge, also when the operator was there before the definitions', async () => {
  await podmend.kubectl('delete', '-f', CRDS);
  const operator = await podmend.startOperator();
  await operator.line(/the custom resources are not installed/);
  // Like GitOps tools: what fails because its kind is not served yet is applied again.
  await until(() => podmend.kubectl('apply', '-f', CRDS).then(() => podmend.kubectl.apply(ALL)), {
    everyMs: 500,
    what: 'everything to be applied',
  });
  await until(() => isDone('suppression', 'known'), { timeoutMs: 60_000, everyMs: 200, what: 'the Suppression to be done' });
  const { status } = await runs('try');
  assert.is(status?.observedGeneration, 1);
});

test('applied again, nothing changes', async () => {
  const before = [await read('mirrorpod', 'try'), await read('suppression', 'known')].map(versionOf);
  for (let pass = 0; pass < PASSES; pass++) {
    assert.match(await podmend.kubectl.apply(ALL), /mirrorpod.* unchanged\n.*suppression.* unchanged/);
    const again = [await read('mirrorpod', 'try'), await read('suppression', 'known')].map(versionOf);
    assert.equal(again, before);
  }
});

test('a manager of the spec, one of a label and the operator do not fight', async () => {
  const asGit = (yaml: string) => podmend.kubectl('apply', '--server-side', '--field-manager=gitops', '-f', yaml);
  const folder = await mkdtemp(join(tmpdir(), 'podmend-gitops-'));
  try {
    const [wanted, label] = [join(folder, 'wanted.yaml'), join(folder, 'label.yaml')];
    await writeFile(wanted, mirror('shared'));
    await writeFile(
      label,
      'apiVersion: podmend.dev/v1alpha1\nkind: MirrorPod\nmetadata: {name: shared, namespace: shop, labels: {team: payments}}\n',
    );
    const asTeam = () => podmend.kubectl('apply', '--server-side', '--field-manager=team', '-f', label);
    await asGit(wanted);
    await asTeam();
    const first = await runs('shared');
    const { spec } = first;
    let version = '';
    for (let pass = 0; pass < PASSES; pass++) {
      // Neither manager gets a conflict. kubectl would report one as an error.
      await asGit(wanted);
      await asTeam();
      // Makes the operator look at the MirrorPod again.
      await podmend.kubectl('annotate', 'mirrorpod', 'shared', '-n', 'shop', '--overwrite', `podmend.dev/requestedAt=${pass}`);
      const heard = await until(
        async () => {
          const now = await read('mirrorpod', 'shared');
          return now.status?.lastHandledReconcileAt === String(pass) ? now : undefined;
        },
        { what: 'the operator to look again' },
      );
      assert.equal(heard.spec, spec);
      assert.equal([heard.metadata.generation, heard.metadata.labels], [1, { team: 'payments' }]);
      version = versionOf(heard);
    }
    await asGit(wanted);
    await asTeam();
    const last = await read('mirrorpod', 'shared');
    assert.is(versionOf(last), version, 'nobody had anything left to write');
    const ours = (last.metadata.managedFields as Managed[]).filter(({ manager }) => manager === 'podmend');
    assert.equal(
      ours.map(({ subresource, fieldsV1 }) => [subresource, Object.keys(fieldsV1)]),
      [['status', ['f:status']]],
      'the operator owns the status and nothing else',
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a pruned object is gone, with everything that it created', async () => {
  assert.match(await left(), /pod\//);
  await podmend.kubectl('delete', 'mirrorpod', 'try', 'shared', '-n', 'shop', '--timeout=10s');
  await podmend.kubectl('delete', 'suppression', 'known', '-n', 'shop', '--timeout=10s');
  await until(async () => (await left()) === '', { everyMs: 200, what: 'pods and policies to be gone' });
});

test('an object that a tool tracks stays after its time and never runs again; deleted and applied anew it is a new one', async () => {
  const tracked = mirror('tracked', {
    ttl: 30,
    extra: ', annotations: {argocd.argoproj.io/tracking-id: "shop:podmend.dev/MirrorPod:shop/tracked"}',
  }).replace('  onExpiry: Retain\n', '');
  await podmend.kubectl.apply(tracked);
  const { metadata } = await runs('tracked');
  const phase = async () => (await read('mirrorpod', 'tracked')).status?.phase;
  await until(async () => (await phase()) === 'Expired', { everyMs: 250, what: 'its time to be over' });
  await until(async () => (await left()) === '', { what: 'its pod to be gone' });
  const expired = versionOf(await read('mirrorpod', 'tracked'));
  assert.match(await podmend.kubectl.apply(tracked), /unchanged/);
  await podmend.kubectl('annotate', 'mirrorpod', 'tracked', '-n', 'shop', 'note=seen');
  // If a later object runs, the operator has seen the annotation before.
  await podmend.kubectl.apply(mirror('later'));
  await runs('later');
  const kept = await read('mirrorpod', 'tracked');
  assert.equal([kept.metadata.uid, kept.status?.phase], [metadata.uid, 'Expired']);
  assert.is.not(versionOf(kept), expired, 'the note is the only change');
  assert.is((await left()).split('\n').length, 2, 'of the later one alone');
  await podmend.kubectl('delete', 'mirrorpod', 'tracked', 'later', '-n', 'shop', '--timeout=10s');
  await podmend.kubectl.apply(tracked);
  assert.is.not((await runs('tracked')).metadata.uid, metadata.uid);
});

if (apiServerAssets()) test.run();
else console.log('SKIP GitOps on a real API server: KUBEBUILDER_ASSETS is not set');
