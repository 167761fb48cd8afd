import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EscalationPath, pathsIn } from '../../src/access/paths/paths.ts';
import { worldOf } from '../../src/access/paths/world.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { dumpManifest, loadManifest, loadManifests } from '../../src/crd/manifest.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { graphReader } from '../../src/kube/graph-reader.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { findKubectl, type Kubectl, kubectlFor } from '../support/cluster/kubectl.ts';
import { nodeKubeconfig, onNode } from '../support/cluster/on-node.ts';
import { until } from '../support/runner/wait.ts';
import { type Listener, listener } from './walked/listener.ts';
import { CERTS, generated, HOOKS, PLACES, PLANTS, type Plant, plantedCluster, pod, podSpec, RBAC, TOKEN } from './walked/plants.ts';

/**
 * Walks every path that is found for the planted accounts: takes each step as that identity, and checks that the last identity has
 * the claimed power. The search must report no near miss, and no path in 500 generated roles.
 */
const test = suite('escalation paths on a real cluster');
const kubeconfig = nodeKubeconfig;
/** An image that contains Node.js. The webhook server runs in it. */
const image = process.env['TEST_IMAGE'] ?? '';
const NS = `walks-${process.pid}`;
const LISTENING = `${NS}-listener`;
const SEED = 20_261_123;
const GENERATED = 500;
const AT_ONCE = 6;
const SOON = { timeoutMs: 90_000, everyMs: 300 };
let binary = '';
let folder = '';
let node = '';
let server: Listener | undefined;
let admin: Kubectl;
let paths: EscalationPath[] = [];
const open: Kubectl[] = [];

/** Returns what kubectl prints on stdout. Throws its stderr when it fails. */
async function say(kubectl: Kubectl, args: string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await kubectl(args, input);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** A kubectl with other credentials for the same cluster. */
async function as(credentials: object): Promise<Kubectl> {
  const config = loadManifest(readFileSync(kubeconfig, 'utf8')) as unknown as { users: { user: object }[] };
  for (const user of config.users) user.user = credentials;
  const kubectl = await kubectlFor(binary, dumpManifest(config as unknown as KubeObject));
  open.push(kubectl);
  return kubectl;
}

async function assertAll(kubectl: Kubectl, ...more: string[]): Promise<void> {
  // The authorizer may see a new binding a moment later.
  await until(async () => (await kubectl(['auth', 'can-i', '*', '*', '--all-namespaces', ...more])).stdout.trim() === 'yes', {
    ...SOON,
    what: 'the last identity to be allowed everything',
  });
}

const blocks = (yaml: string): string => loadManifests(yaml).map(dumpManifest).join('---\n');
const create = (eve: Kubectl, yaml: string): Promise<string> => say(eve, ['create', '-f', '-'], blocks(yaml));
const apply = (eve: Kubectl, yaml: string, ...more: string[]): Promise<string> =>
  say(eve, ['apply', '--server-side', '-f', '-', ...more], blocks(yaml));
/** Creates an object and retries while it is refused: admission and authorization may see a change a moment later. */
const createSoon = (eve: Kubectl, yaml: string): Promise<unknown> =>
  until(async () => (await eve(['create', '-f', '-'], blocks(yaml))).code === 0, { ...SOON, what: 'the object to be allowed' });
const withToken = async (token: string): Promise<void> => assertAll(await as({ token }));
const place = (suffix: keyof typeof PLACES): string => `${NS}${PLACES[suffix]}`;

/** Waits until the pod has a log, and returns it. */
const logOf = (eve: Kubectl, name: string, namespace: string, ...more: string[]): Promise<string> =>
  until(async () => (await eve(['logs', name, '-n', namespace, ...more])).stdout.trim(), { ...SOON, what: `the log of ${name}` });
/** Asserts that the pod's log is a token that may do everything. */
const assertLog = async (eve: Kubectl, name: string, namespace: string, ...more: string[]): Promise<void> =>
  withToken(await logOf(eve, name, namespace, ...more));

/** `echo` ends the line: while a container runs, the log shows only complete lines. */
const PRINT = `cat ${TOKEN}; echo; sleep 3600`;
const bindingFor = (name: string, role: string, subject: string): string =>
  `{apiVersion: ${RBAC}/v1, kind: ClusterRoleBinding, metadata: {name: ${name}}, roleRef: {apiGroup: ${RBAC}, kind: ClusterRole, name: ${role}}, subjects: [{kind: ServiceAccount, name: ${subject}, namespace: ${NS}}]}`;
const everythingIn = (name: string, labels = ''): string =>
  `{apiVersion: ${RBAC}/v1, kind: ClusterRole, metadata: {name: ${name}${labels}}, rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]}`;
const addEverything = (eve: Kubectl, ...role: string[]): Promise<string> =>
  say(eve, [
    'patch',
    ...role,
    '--type=json',
    '-p',
    JSON.stringify([{ op: 'add', path: '/rules/-', value: { apiGroups: ['*'], resources: ['*'], verbs: ['*'] } }]),
  ]);
const BOSS = `system:serviceaccount:${NS}:boss`;

/** A Secret of the type that the token controller fills with a token. */
const tokenSecret = (name: string): string =>
  `{apiVersion: v1, kind: Secret, metadata: {name: ${name}, namespace: ${NS}, annotations: {kubernetes.io/service-account.name: boss}}, type: kubernetes.io/service-account-token}`;
async function takeTokenSecret(eve: Kubectl, name: string, read = () => tokenIn(eve, name)): Promise<void> {
  await createSoon(eve, tokenSecret(name));
  await withToken(Buffer.from(await until(read, { ...SOON, what: 'the token in the Secret' }), 'base64').toString());
}
const tokenIn = (eve: Kubectl, name: string): Promise<string> =>
  say(eve, ['get', 'secret', name, '-n', NS, '-o', 'jsonpath={.data.token}']);

/** Creates a workload of this kind. Its pod prints the token of a stronger account. */
async function walkWorkload(eve: Kubectl, kind: string, apiVersion: string, more = ''): Promise<void> {
  const name = `mine-${kind.toLowerCase()}`;
  const selector = apiVersion === 'v1' ? `{app: ${name}}` : `{matchLabels: {app: ${name}}}`;
  const wanted = kind === 'Job' ? '' : `selector: ${selector}, `;
  const spec = kind === 'Job' ? podSpec(PRINT).replace('{', '{restartPolicy: Never, ') : podSpec(PRINT);
  await create(
    eve,
    `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: ${name}, namespace: ${NS}}, spec: {${wanted}${more}template: {metadata: {labels: {app: ${name}}}, spec: ${spec}}}}`,
  );
  await walkPodOf(eve, name);
}
async function walkPodOf(eve: Kubectl, app: string): Promise<void> {
  const found = await until(() => say(eve, ['get', 'pods', '-n', NS, '-l', `app=${app}`, '-o', 'name']), {
    ...SOON,
    what: `the pod of ${app}`,
  });
  await assertLog(eve, found.split('\n')[0] ?? '', NS);
}

/** A command that reads the token of pod `target` from the node's file system. Only root on the node can do that. */
const hostTokens = async (): Promise<string> => {
  const uid = await say(admin, ['get', 'pod', 'target', '-n', NS, '-o', 'jsonpath={.metadata.uid}']);
  return `cat /host/var/lib/kubelet/pods/${uid}/volumes/kubernetes.io~projected/*/token`;
};
async function walkPrivileged(eve: Kubectl, namespace: string): Promise<void> {
  const mounts = ', securityContext: {privileged: true}, volumeMounts: [{name: host, mountPath: /host}]';
  const spec = podSpec(`${await hostTokens()}; echo; sleep 3600`, 'default', mounts);
  await createSoon(eve, pod('mine', namespace, spec.replace('{', '{volumes: [{name: host, hostPath: {path: /}}], ')));
  await assertLog(eve, 'mine', namespace);
}

/** Creates a key and a CertificateSigningRequest. Returns a kubectl with the certificate when it is signed. */
async function signed(
  eve: Kubectl,
  { name, subject, kubelet = false, approve = true }: { name: string; subject: string; kubelet?: boolean; approve?: boolean },
): Promise<Kubectl> {
  const [key, request] = [join(folder, `${name}.key`), join(folder, `${name}.csr`)];
  execFileSync('openssl', ['req', '-new', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-subj', subject, '-out', request], {
    stdio: 'ignore',
  });
  const signerName = `kubernetes.io/kube-apiserver-client${kubelet ? '-kubelet' : ''}`;
  const usages = ['client auth', ...(kubelet ? ['digital signature'] : [])];
  const spec = { request: readFileSync(request).toString('base64'), signerName, expirationSeconds: 600, usages };
  const object = { apiVersion: `${CERTS}/v1`, kind: 'CertificateSigningRequest', metadata: { name }, spec };
  const how = name.endsWith('named') ? ['apply', '--server-side'] : ['create'];
  await say(eve, [...how, '-f', '-'], JSON.stringify(object));
  if (approve) await say(eve, ['certificate', 'approve', name]);
  const certificate = await until(() => say(eve, ['get', 'csr', name, '-o', 'jsonpath={.status.certificate}']), {
    ...SOON,
    what: `the certificate of ${name}`,
  });
  return as({ 'client-certificate-data': certificate, 'client-key-data': readFileSync(key).toString('base64') });
}

/** Asserts that the kubelet gets a token for the account of a pod on its node. */
async function walkNode(kubelet: Kubectl, ...more: string[]): Promise<void> {
  const uid = await say(admin, ['get', 'pod', 'target', '-n', NS, '-o', 'jsonpath={.metadata.uid}']);
  const bound = ['--bound-object-kind=Pod', '--bound-object-name=target', `--bound-object-uid=${uid}`];
  await withToken(await say(kubelet, ['create', 'token', 'boss', '-n', NS, ...bound, ...more]));
}
const NODE_SUBJECT = (): string => `/O=system:nodes/CN=system:node:${node}`;

type Walk = (eve: Kubectl) => Promise<void>;
const workload =
  (kind: string, apiVersion: string, more?: string): Walk =>
  (eve) =>
    walkWorkload(eve, kind, apiVersion, more);

/** Walks the longest path of each plant. That covers the shorter paths that it begins with. */
const WALKS: Record<string, Walk> = {
  async bind(eve) {
    await say(eve, ['create', 'clusterrolebinding', `${NS}-bound`, '--clusterrole=cluster-admin', `--serviceaccount=${NS}:bind`]);
    await assertAll(eve);
  },
  async 'bind-named'(eve) {
    await apply(eve, bindingFor(`${NS}-named`, 'cluster-admin', 'bind-named'));
    await assertAll(eve);
  },
  async 'bind-put'(eve) {
    const path = `/apis/${RBAC}/v1/clusterrolebindings/${NS}-put`;
    await say(
      eve,
      ['replace', '--raw', path, '-f', '-'],
      JSON.stringify(loadManifest(bindingFor(`${NS}-put`, 'cluster-admin', 'bind-put'))),
    );
    await assertAll(eve);
  },
  async 'bind-there'(eve) {
    const add = [{ op: 'add', path: '/subjects/-', value: { kind: 'ServiceAccount', name: 'bind-there', namespace: NS } }];
    await say(eve, ['patch', 'clusterrolebinding', `${NS}-there`, '--type=json', '-p', JSON.stringify(add)]);
    await assertAll(eve);
  },
  async 'bind-inside'(eve) {
    await say(eve, ['create', 'rolebinding', 'mine', '-n', NS, '--clusterrole=cluster-admin', `--serviceaccount=${NS}:bind-inside`]);
    await takeTokenSecret(eve, 'bound');
  },
  async 'bind-reader'(eve) {
    await say(eve, ['create', 'clusterrolebinding', `${NS}-reads`, `--clusterrole=${NS}-reader`, `--serviceaccount=${NS}:bind-reader`]);
    const found = await until(async () => (await eve(['get', 'secrets', '-A', '-o', 'name'])).stdout, { ...SOON, what: 'all Secrets' });
    assert.match(found, 'secret/known');
  },
  async escalate(eve) {
    await addEverything(eve, 'clusterrole', `${NS}-escalate`);
    await assertAll(eve);
  },
  async 'escalate-inside'(eve) {
    await addEverything(eve, 'role', 'escalate-inside', '-n', NS);
    await takeTokenSecret(eve, 'escalated');
  },
  async 'new-role'(eve) {
    await apply(eve, everythingIn(`${NS}-made`));
    await create(eve, bindingFor(`${NS}-made`, `${NS}-made`, 'new-role'));
    await assertAll(eve);
  },
  async 'missing-role'(eve) {
    await apply(eve, everythingIn(`${NS}-later`));
    await assertAll(eve);
  },
  async aggregate(eve) {
    await apply(eve, everythingIn(`${NS}-part`, `, labels: {part-of: ${NS}}`));
    await assertAll(eve);
  },
  impersonate: (eve) => assertAll(eve, '--as', BOSS),
  'impersonate-user': (eve) => assertAll(eve, '--as', `${NS}-root`),
  'impersonate-team': (eve) => assertAll(eve, '--as', `${NS}-nobody`, '--as-group', `${NS}-bosses`),
  'impersonate-masters': (eve) => assertAll(eve, '--as', `system:serviceaccount:${NS}:plain`, '--as-group', 'system:masters'),
  'impersonate-node': (eve) => walkNode(eve, '--as', `system:node:${node}`, '--as-group', 'system:nodes'),
  'impersonate-missing': (eve) => assertAll(eve, '--as', `system:serviceaccount:${place('gap')}:ghost`),
  token: async (eve) => withToken(await say(eve, ['create', 'token', 'boss', '-n', NS])),
  'token-secret': (eve) => takeTokenSecret(eve, 'read'),
  'token-secret-patch': (eve) => takeTokenSecret(eve, 'patched', () => apply(eve, tokenSecret('patched'), '-o', 'jsonpath={.data.token}')),
  'token-secret-delete': (eve) =>
    takeTokenSecret(eve, 'deleted', async () => {
      const answer = await say(eve, ['delete', '--raw', `/api/v1/namespaces/${NS}/secrets?dryRun=All`]);
      const { items } = JSON.parse(answer) as { items: { metadata: { name: string }; data?: { token?: string } }[] };
      return items.find(({ metadata }) => metadata.name === 'deleted')?.data?.token ?? '';
    }),
  async 'new-token'(eve) {
    await say(eve, ['create', 'serviceaccount', 'spook', '-n', place('gap')]);
    await withToken(await say(eve, ['create', 'token', 'spook', '-n', place('gap')]));
  },
  async 'new-account'(eve) {
    await say(eve, ['create', 'serviceaccount', 'wraith', '-n', place('gap')]);
    await create(eve, pod('mine', place('gap'), podSpec(PRINT, 'wraith')));
    await assertLog(eve, 'mine', place('gap'));
  },
  csr: async (eve) => assertAll(await signed(eve, { name: `${NS}-csr`, subject: `/CN=${BOSS}` })),
  'csr-named': async (eve) => assertAll(await signed(eve, { name: `${NS}-csr-named`, subject: `/O=${NS}-bosses/CN=anybody` })),
  'csr-node': async (eve) => walkNode(await signed(eve, { name: `${NS}-csr-node`, subject: NODE_SUBJECT(), kubelet: true })),
  'csr-join': async (eve) =>
    walkNode(await signed(eve, { name: `${NS}-csr-join`, subject: NODE_SUBJECT(), kubelet: true, approve: false })),
  exec: async (eve) => withToken(await say(eve, ['exec', 'target', '-n', NS, '--', 'cat', TOKEN])),
  'exec-node': async (eve) => withToken(await say(eve, ['exec', 'privileged', '-n', place('open'), '--', 'sh', '-c', await hostTokens()])),
  async ephemeral(eve) {
    const volume = await say(eve, ['get', 'pod', 'target', '-n', NS, '-o', 'jsonpath={.spec.volumes[?(@.projected)].name}']);
    const custom = join(folder, 'mounts.json');
    writeFileSync(custom, JSON.stringify({ volumeMounts: [{ name: volume, mountPath: '/token' }] }));
    const image = ['--image=busybox:1.35', '--profile=general', `--custom=${custom}`, '--container=mine'];
    await say(eve, ['debug', 'target', '-n', NS, ...image, '--', 'cat', '/token/token']);
    await assertLog(eve, 'target', NS, '-c', 'mine');
  },
  async image(eve) {
    const change = { spec: { containers: [{ name: 'app', image: 'busybox:1.35' }] } };
    await say(eve, ['patch', 'pod', 'image', '-n', NS, '-p', JSON.stringify(change)]);
    const token = await until(async () => /^ey\S+$/m.exec((await eve(['logs', 'image', '-n', NS])).stdout)?.[0], {
      ...SOON,
      what: 'the token in the log of the other image',
    });
    await withToken(token);
  },
  async kubelet(eve) {
    const path = `/api/v1/nodes/${node}/proxy/run/${NS}/target/app?cmd=cat%20${encodeURIComponent(TOKEN)}`;
    await withToken(await say(eve, ['create', '--raw', path, '-f', '-'], '{}'));
  },
  async pod(eve) {
    await create(eve, pod('mine', NS, podSpec(PRINT)));
    await assertLog(eve, 'mine', NS);
  },
  async 'pod-named'(eve) {
    await apply(eve, pod('named', NS, podSpec(PRINT)));
    await assertLog(eve, 'named', NS);
  },
  deployment: workload('Deployment', 'apps/v1'),
  async 'deployment-there'(eve) {
    const spec = { serviceAccountName: 'boss', containers: [{ name: 'app', command: ['sh', '-c', PRINT] }] };
    await say(eve, ['patch', 'deployment', 'there', '-n', NS, '-p', JSON.stringify({ spec: { replicas: 1, template: { spec } } })]);
    await walkPodOf(eve, 'there');
  },
  statefulset: workload('StatefulSet', 'apps/v1', 'serviceName: none, '),
  daemonset: workload('DaemonSet', 'apps/v1'),
  replicaset: workload('ReplicaSet', 'apps/v1'),
  controller: async (eve) => walkWorkload(eve, 'ReplicationController', 'v1'),
  job: workload('Job', 'batch/v1'),
  async 'pod-secrets'(eve) {
    const container = `{name: app, image: 'busybox:1.35', command: [cat, /known/key], volumeMounts: [{name: known, mountPath: /known}], securityContext: {allowPrivilegeEscalation: false, runAsNonRoot: true, runAsUser: 1000, capabilities: {drop: [ALL]}, seccompProfile: {type: RuntimeDefault}}}`;
    await create(
      eve,
      pod(
        'mine',
        place('restricted'),
        `{restartPolicy: Never, volumes: [{name: known, secret: {secretName: known}}], containers: [${container}]}`,
      ),
    );
    assert.is(await logOf(eve, 'mine', place('restricted')), 'known-secret');
  },
  async quota(eve) {
    const more = JSON.stringify({ status: { hard: { pods: '9' } } });
    await say(eve, ['patch', 'resourcequota', 'none', '-n', place('full'), '--subresource=status', '--type=merge', '-p', more]);
    await createSoon(eve, pod('mine', place('full'), podSpec(PRINT)));
    await assertLog(eve, 'mine', place('full'));
  },
  async 'quota-pod'(eve) {
    await say(eve, ['delete', 'pod', 'old', '-n', place('used')]);
    await createSoon(eve, pod('mine', place('used'), podSpec(PRINT)));
    await assertLog(eve, 'mine', place('used'));
  },
  async label(eve) {
    await say(eve, ['label', 'namespace', place('baseline'), 'pod-security.kubernetes.io/enforce-']);
    await walkPrivileged(eve, place('baseline'));
  },
  async 'label-status'(eve) {
    const change = JSON.stringify({ metadata: { labels: { 'pod-security.kubernetes.io/enforce': null } } });
    await say(eve, ['patch', 'namespace', place('status'), '--subresource=status', '--type=merge', '-p', change]);
    await walkPrivileged(eve, place('status'));
  },
  async 'label-finalize'(eve) {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: place('finalize') }, spec: { finalizers: ['kubernetes'] } };
    await say(eve, ['replace', '--raw', `/api/v1/namespaces/${place('finalize')}/finalize`, '-f', '-'], JSON.stringify(object));
    await walkPrivileged(eve, place('finalize'));
  },
  async volume(eve) {
    const [storageClassName, at] = [NS, place('baseline')];
    const claim = { accessModes: ['ReadWriteOnce'], storageClassName };
    const volume = { ...claim, capacity: { storage: '1Mi' }, hostPath: { path: '/' } };
    await say(
      eve,
      ['create', '-f', '-'],
      JSON.stringify({ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: NS }, spec: volume }),
    );
    const template = JSON.stringify({ spec: { ...claim, resources: { requests: { storage: '1Mi' } } } });
    const spec = podSpec(`${await hostTokens()}; echo; sleep 3600`, 'default', ', volumeMounts: [{name: host, mountPath: /host}]');
    await createSoon(
      eve,
      pod('claims', at, spec.replace('{', `{volumes: [{name: host, ephemeral: {volumeClaimTemplate: ${template}}}], `)),
    );
    await assertLog(eve, 'claims', at);
  },
};

/** Walks of paths through webhooks. They need a server that the API server can reach. */
const HOOK_WALKS: Record<string, (eve: Kubectl, server: Listener) => Promise<void>> = {
  async webhook(eve, server) {
    await create(eve, hooking('Validating', `${NS}-webhook`, server.byService('/service')));
    await hearsSecrets(server, '/service');
  },
  async 'webhook-named'(eve, server) {
    await apply(eve, hooking('Mutating', `${NS}-webhook-named`, server.byAddress('/address')));
    await hearsSecrets(server, '/address');
  },
  async 'webhook-there'(eve, server) {
    const kind = 'mutatingwebhookconfiguration';
    const resourceVersion = await say(eve, ['get', kind, `${NS}-there`, '-o', 'jsonpath={.metadata.resourceVersion}']);
    await say(eve, ['replace', '-f', '-'], hooking('Mutating', `${NS}-there`, server.byService('/there'), { resourceVersion }));
    await hearsSecrets(server, '/there');
  },
  async 'webhook-token'(eve, server) {
    await create(eve, hooking('Mutating', `${NS}-webhook-token`, server.byService('/token')));
    // The token controller may fill a Secret before the API server calls the webhook. Then the test creates another Secret.
    let made = 0;
    const token = await until(
      async () => {
        await create(eve, tokenSecret(`hooked-${made++}`));
        const all = await server.heard('/token');
        return all.find(({ metadata, data }) => metadata.name.startsWith('hooked-') && data?.['token'])?.data?.['token'];
      },
      { ...SOON, what: 'the webhook to hear a token' },
    );
    await withToken(Buffer.from(token, 'base64').toString());
  },
};

/** A webhook for all Secrets of this test's namespace only, so that the rest of the cluster is not disturbed. */
function hooking(kind: 'Validating' | 'Mutating', name: string, clientConfig: object, more = {}): string {
  const webhook = {
    name: 'all.example.org',
    clientConfig,
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['CREATE', 'UPDATE'] }],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': NS } },
    failurePolicy: 'Ignore',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  const metadata = { name, ...more };
  return JSON.stringify({ apiVersion: `${HOOKS}/v1`, kind: `${kind}WebhookConfiguration`, metadata, webhooks: [webhook] });
}

/** The administrator writes a Secret, as happens in every cluster. The API server sends its content to the webhook. */
async function hearsSecrets(server: Listener, path: string): Promise<void> {
  const name = `written${path.replace('/', '-')}`;
  const value = Buffer.from('known-secret').toString('base64');
  await until(
    async () => {
      await apply(admin, `{apiVersion: v1, kind: Secret, metadata: {name: ${name}, namespace: ${NS}}, data: {key: ${value}}}`);
      return (await server.heard(path)).some(({ metadata, data }) => metadata.name === name && data?.['key'] === value);
    },
    { ...SOON, what: `the webhook ${path} to hear a Secret` },
  );
}

async function plantGenerated(client: KubeClient): Promise<void> {
  const { roles, bindings } = generated(GENERATED, SEED);
  const inside = (object: object): KubeObject => {
    const { metadata } = object as KubeObject;
    return { ...object, metadata: { ...metadata, namespace: NS } };
  };
  const works = [
    ...roles.map((one) => () => client.create(KINDS.role, inside(one) as never)),
    ...bindings.map((one) => () => client.create(KINDS.roleBinding, inside(one) as never)),
  ];
  await inTurn(works, 8);
}

/** Runs the works with at most `atOnce` at the same time. */
async function inTurn(works: (() => Promise<unknown>)[], atOnce: number): Promise<void> {
  const left = works.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const work of left) await work();
    }),
  );
}

const told = ({ target, steps }: EscalationPath): string =>
  `${target.kind}${target.kind === 'secrets' ? ` ${target.namespace}` : ''}: ${steps.map(({ way }) => way).join(' > ')}`;
const expectedOf = ({ expected }: Plant): string[] =>
  expected.map((one) => (one.includes(':') ? one.replaceAll('BASE', NS) : `cluster-admin: ${one}`)).toSorted();
/** Whether the plant's path is walked. Paths through webhooks need `TEST_IMAGE` for their server. */
const isWalked = (name: string, { expected }: Plant): boolean => expected.length > 0 && (image !== '' || !(name in HOOK_WALKS));
const homeOf = ({ home }: Plant): string => (home ? place(home) : NS);
/** The result of each walk, by name. Several walks run at once; each test waits for its own. */
const walks = new Map<string, Promise<void>>();

async function walk(name: string, plant: Plant): Promise<void> {
  const eve = await as({ token: await say(admin, ['create', 'token', name, '-n', homeOf(plant)]) });
  assert.is((await eve(['auth', 'can-i', '*', '*', '--all-namespaces'])).stdout.trim().split(' ')[0], 'no');
  await WALKS[name]?.(eve);
  if (server) await HOOK_WALKS[name]?.(eve, server);
}

test.before(async () => {
  const found = await findKubectl();
  if ('missing' in found) throw new Error(found.missing);
  binary = found.path;
  folder = mkdtempSync(join(tmpdir(), 'podmend-walks-'));
  admin = await kubectlFor(binary, readFileSync(kubeconfig, 'utf8'));
  node = await say(admin, ['get', 'nodes', '-o', 'jsonpath={.items[0].metadata.name}']);
  const client = connect({ kubeconfig });
  await create(admin, plantedCluster({ base: NS, node }));
  await plantGenerated(client);
  if (image) server = await listener(admin, LISTENING, { image, folder });
  for (const [name, at] of [
    ['target', NS],
    ['quiet', NS],
    ['audience', NS],
    ['image', NS],
    ['privileged', place('open')],
    ['old', place('used')],
  ] as const)
    await say(admin, ['wait', '--for=condition=Ready', `pod/${name}`, '-n', at, '--timeout=90s']);
  for (const [at, used] of [
    [place('full'), 'pods":"0'],
    [place('used'), 'pods":"1'],
    [place('counted'), 'secrets":"0'],
  ] as const)
    await until(
      async () => (await say(admin, ['get', 'resourcequota', 'none', '-n', at, '-o', 'jsonpath={.status.used}'])).includes(used),
      {
        ...SOON,
        what: `the quota of ${at} to count`,
      },
    );
  const graces = { pendingSeconds: 1, unreadySeconds: 1 };
  const reader = graphReader({ client, watchNamespaces: [], graces, now: () => new Date() });
  const [access, around] = await Promise.all([reader.access(), reader.around()]);
  assert.equal([...access.missingRights, ...around.missingRights], []);
  const isOurs = (name: string, namespace: string | undefined): boolean => namespace?.startsWith(NS) || name.startsWith('generated-');
  paths = pathsIn(worldOf(around.objects, true, access.objects), ({ name, namespace }) => isOurs(name, namespace) && name !== 'boss');
  client.close();
});
test.after(async () => {
  await Promise.allSettled(walks.values());
  const names = [...Object.keys(PLANTS), 'bound', 'strong', 'named', 'put', 'made', 'there', 'later', 'reads', 'reader', 'sum', 'part'].map(
    (one) => `${NS}-${one}`,
  );
  const gone = (kind: string, ...list: string[]): Promise<unknown> =>
    admin?.(['delete', kind, '--ignore-not-found', '--wait=false', ...list]);
  await gone('clusterrolebinding', ...names);
  await gone('clusterrole', ...names);
  await gone('csr', ...names.filter((name) => name.includes('csr')));
  await gone('validatingwebhookconfiguration', ...names);
  await gone('mutatingwebhookconfiguration', ...names);
  await gone('namespace', NS, LISTENING, ...Object.values(PLACES).map((suffix) => `${NS}${suffix}`));
  await gone('persistentvolume', NS);
  await Promise.all([admin, ...open].map((kubectl) => kubectl?.close()));
  if (folder) rmSync(folder, { recursive: true });
});

test('each planted path is found, and no near miss and no generated role gives a path', () => {
  const found = Map.groupBy(paths, ({ subject }) => subject.name);
  const all = [...found].map(([name, list]) => [name, list.map(told).toSorted()] as const);
  const expected = Object.entries(PLANTS).flatMap(([name, plant]) =>
    plant.expected.length > 0 ? [[name, expectedOf(plant)] as const] : [],
  );
  assert.equal(Object.fromEntries(all), Object.fromEntries(expected));
  const plants = Object.values(PLANTS);
  assert.ok(plants.filter((one) => one.expected.length > 0).length >= 40);
  assert.ok(plants.filter((one) => one.expected.length === 0).length >= 40);
});

test('the walks begin', () => {
  const queue: (() => Promise<unknown>)[] = [];
  for (const [name, plant] of Object.entries(PLANTS)) {
    if (!isWalked(name, plant)) continue;
    const { promise, resolve } = Promise.withResolvers<Promise<void>>();
    walks.set(
      name,
      promise.then((result) => result),
    );
    queue.push(() => {
      const done = walk(name, plant);
      resolve(done);
      return done.catch(() => undefined);
    });
  }
  // Each walk's own test reports its error. This handler only prevents an unhandled rejection.
  for (const one of walks.values()) one.catch(() => undefined);
  void inTurn(queue, AT_ONCE);
  const known = [...Object.keys(WALKS), ...(image ? Object.keys(HOOK_WALKS) : [])];
  assert.equal(known.toSorted(), [...walks.keys()].toSorted());
});

for (const [name, plant] of Object.entries(PLANTS))
  if (isWalked(name, plant)) test(`${name}: the path is walked, and its end holds what is claimed`, () => walks.get(name));

onNode('escalation paths on a real cluster', () => {
  if (!image) console.log('SKIP escalation paths by webhooks: TEST_IMAGE is not set');
  test.run();
});
