import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { POD_SECURITY_CHECKS } from '../../src/checks/pod-security/index.ts';
import { CHECKS, OBJECT_CHECKS, WORKLOAD_CHECKS } from '../../src/checks/list.ts';
import { policiesOf } from '../../src/checks/policies/policies.ts';
import { app, AROUND, BAD, DIGEST, good, spec } from '../support/builders/judged-objects.ts';
import { podFor, STEP_NAMES } from '../support/builders/pod-security.ts';
import { random } from '../support/builders/random.ts';
import { apiServerAssets, startApiServer } from '../support/cluster/api-server.ts';
import type { RestClient } from '../support/cluster/rest.ts';
import { longOr } from '../support/runner/long.ts';
import { until } from '../support/runner/wait.ts';
import { certifiedClient } from '../conformance/servers.ts';

// Installs the output of `podmend scan --as-vap` in a real API server. Each policy must decide as its check does.

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

const { policies } = policiesOf(CHECKS, { minor: Infinity, trustedRegistries: AROUND.trustedRegistries ?? [] });
const ids = policies.map(({ policy }) => String(policy.metadata.labels?.['podmend.dev/check']));
const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const PLURALS: Record<string, string> = {
  Pod: '/api/v1/namespaces/NS/pods',
  Service: '/api/v1/namespaces/NS/services',
  Deployment: '/apis/apps/v1/namespaces/NS/deployments',
  CronJob: '/apis/batch/v1/namespaces/NS/cronjobs',
  Role: '/apis/rbac.authorization.k8s.io/v1/namespaces/NS/roles',
  RoleBinding: '/apis/rbac.authorization.k8s.io/v1/namespaces/NS/rolebindings',
};
/** In this namespace each policy only warns. */
const WARNED = 'warned';
const denied = (id: string): string => `deny-${id}`;

const server = suite('policies in a real API server');
let client: RestClient;
let close: () => Promise<void>;

server.before(async () => {
  const api = await startApiServer();
  const certified = certifiedClient(api.kubeconfigText);
  client = certified.client;
  close = async () => {
    await certified.close();
    await api.close();
  };
  const made = async (path: string, body: Loose): Promise<void> => {
    const { status, body: answer } = await client.request('POST', path, body);
    assert.is(status, 201, JSON.stringify(answer));
  };
  const namespace = (name: string, labels = {}) => made('/api/v1/namespaces', { metadata: { name, labels } });
  await Promise.all([namespace(WARNED, { warns: 'yes' }), ...ids.map((id) => namespace(denied(id), { denies: id }))]);
  await Promise.all(
    policies.map(async ({ policy, binding }, index) => {
      const id = ids[index] as string;
      // Short messages, because the API server cuts the warnings of an answer when they are long in total.
      const [validation] = policy.spec.validations;
      await made(`${ADMISSION}/validatingadmissionpolicies`, {
        ...policy,
        spec: { ...policy.spec, validations: [{ ...validation, message: 'no' }] },
      });
      const bound = (name: string, actions: string[], label: object) => {
        const spec = structuredClone(binding.spec) as Loose;
        spec.matchResources.namespaceSelector.matchExpressions.push(label);
        return made(`${ADMISSION}/validatingadmissionpolicybindings`, {
          ...binding,
          metadata: { name },
          spec: { ...spec, validationActions: actions },
        });
      };
      await bound(id, ['Deny'], { key: 'denies', operator: 'In', values: [id] });
      await bound(`w-${id}`, ['Warn'], { key: 'warns', operator: 'Exists' });
    }),
  );
});
server.after(() => close?.());

/** Turns the object into a namespaced one that the API server accepts. */
function placed(object: Loose, namespace: string): Loose {
  const kind = object.kind.replace(/^Cluster/, '');
  const roleRef = object.roleRef && { roleRef: { ...object.roleRef, kind: 'ClusterRole' } };
  return { ...object, kind, metadata: { ...object.metadata, name: 'x', namespace }, ...roleRef };
}

const dryRun = (object: Loose) =>
  client.request('POST', `${PLURALS[object.kind]?.replace('NS', object.metadata.namespace)}?dryRun=All`, object);

/** The checks whose policies warn about the object, and the object with defaults. Undefined: the API server rejects it as invalid. */
async function warnedOf(object: Loose): Promise<{ found: string[]; stored: Loose } | undefined> {
  const { status, headers, body } = await dryRun(object);
  if (status !== 201) return undefined;
  const warnings = headers.get('warning') ?? '';
  return { found: [...warnings.matchAll(/AdmissionPolicy 'podmend-([a-z-]+)'/g)].map(([, id = '']) => id), stored: body };
}

/** The checks that have a finding for the object. */
function foundBy(object: Loose): string[] {
  const template = { Pod: object, CronJob: object.spec?.jobTemplate?.spec.template }[object.kind as string] ?? object.spec?.template;
  const subject = { template, kind: object.kind, namespace: object.metadata.namespace, minor: Infinity, around: AROUND };
  const found = [
    ...(template ? [...POD_SECURITY_CHECKS, ...WORKLOAD_CHECKS].filter((check) => check.run(subject).length > 0) : []),
    ...OBJECT_CHECKS.filter(
      ({ kinds, look }) => kinds?.some((kind) => kind.replace(/^Cluster/, '') === object.kind) && look(object, AROUND).length > 0,
    ),
  ];
  return found.map(({ id }) => id).filter((id) => ids.includes(id));
}

const without = (one: Loose, ...fields: string[]): Loose =>
  Object.fromEntries(Object.entries(one).filter(([key]) => !fields.includes(key)));

/** Bad objects in the simplest form that an API server accepts. */
const LAWFUL: [id: string, object: Loose][] = [
  [
    'host-process',
    spec((one) => {
      Object.assign(one, { os: { name: 'windows' }, hostNetwork: true, securityContext: { windowsOptions: { hostProcess: true } } });
      one.securityContext.windowsOptions.runAsUserName = 'x';
      delete one.containers[0].securityContext;
    }),
  ],
  ['privileged', app((c) => (c.securityContext = { ...without(c.securityContext, 'allowPrivilegeEscalation'), privileged: true }))],
  [
    'proc-mount-restricted',
    spec((one) => Object.assign(one, { hostUsers: false }) && (one.containers[0].securityContext.procMount = 'Unmasked')),
  ],
  [
    'mount-propagation',
    spec((one) => {
      one.volumes = [{ name: 'v', emptyDir: {} }];
      const [c] = one.containers;
      c.securityContext = { ...without(c.securityContext, 'allowPrivilegeEscalation'), privileged: true };
      c.volumeMounts = [{ name: 'v', mountPath: '/v', mountPropagation: 'Bidirectional' }];
    }),
  ],
];

/** An API server accepts an unmasked /proc only in a user namespace. This check finds nothing there. */
const NEVER = ['proc-mount'];

const templateKinds = (object: Loose): Loose[] => {
  if (object.kind !== 'Deployment') return [object];
  const { metadata, spec } = object.spec.template;
  const often = { ...spec, restartPolicy: 'Never' };
  const cron = { schedule: '* * * * *', jobTemplate: { spec: { template: { metadata, spec: often } } } };
  return [
    object,
    { apiVersion: 'v1', kind: 'Pod', metadata: { ...object.metadata, ...metadata }, spec },
    { apiVersion: 'batch/v1', kind: 'CronJob', metadata: object.metadata, spec: cron },
  ];
};

server('all policies are active, and none refuses a good workload', async () => {
  const worst = placed(good(), WARNED);
  const { spec } = worst.spec.template;
  Object.assign(spec, { hostPID: true, hostAliases: [{ ip: '10.0.0.1', hostnames: ['x.example'] }] });
  const isReady = async () => (await warnedOf(worst))?.found.length === 2;
  await until(isReady, { what: 'the policies to be in force', timeoutMs: 120_000, everyMs: 200 });
  for (const object of templateKinds(good())) {
    assert.equal((await warnedOf(placed(object, WARNED)))?.found, [], object.kind);
    for (const id of ids) assert.is((await dryRun(placed(object, denied(id)))).status, 201, `${id} on ${object.kind}`);
  }
});

server('each policy refuses the bad objects of its check, in each kind of workload', async () => {
  const seen = new Set<string>();
  for (const [id, object] of [...BAD, ...LAWFUL]) {
    if (!ids.includes(id) || id === 'default-namespace') continue;
    for (const one of templateKinds(object)) {
      // Some checks judge only some kinds of workloads.
      if (!foundBy(placed(one, WARNED)).includes(id)) continue;
      const { status, body } = await dryRun(placed(one, denied(id)));
      // 422 without a policy: the object is invalid, because of a field that this kind cannot have or a path.
      if (status === 422 && !/podmend-/.test(body.message)) continue;
      assert.match(String(body.message), `ValidatingAdmissionPolicy 'podmend-${id}'`, `${id} on ${one.kind}: ${status}`);
      seen.add(`${id} ${one.kind}`);
      const warned = await warnedOf(placed(one, WARNED));
      assert.ok(warned, id);
      assert.equal(warned.found.sort(), foundBy(warned.stored).sort(), `${id} on ${one.kind}`);
    }
  }
  const missing = ids.filter(
    (id) => id !== 'default-namespace' && !NEVER.includes(id) && ![...seen].some((one) => one.startsWith(`${id} `)),
  );
  assert.equal(missing, []);
});

server('on generated pods the policies say what the checks say', async () => {
  const chosen = random(3);
  const wrong: string[] = [];
  let judged = 0;
  for (let round = 0; round < longOr(40, 3); round += 1)
    for (const name of STEP_NAMES) {
      const { pod, did } = podFor(name, chosen);
      const base = good().spec.template.spec.containers[0];
      for (const container of [...pod.spec.containers, ...pod.spec.initContainers]) {
        Object.assign(container, { resources: base.resources, image: chosen.pick([base.image, base.image, `web:1${DIGEST}`, 'a/b']) });
        if (pod.spec.os?.name !== 'windows') container.securityContext.readOnlyRootFilesystem = chosen.chance(0.8);
      }
      const warned = await warnedOf({ ...pod, metadata: { ...pod.metadata, name: 'x', namespace: WARNED } });
      if (!warned) continue;
      judged += 1;
      const [theirs, ours] = [warned.found.sort().join(), foundBy(warned.stored).sort().join()];
      if (theirs !== ours) wrong.push(`${did.join(', ')}\nserver ${theirs}\nchecks ${ours}\n${JSON.stringify(warned.stored.spec)}`);
    }
  assert.equal(wrong.slice(0, 3), [], `${wrong.length} of ${judged}`);
  assert.ok(judged > STEP_NAMES.length, String(judged));
});

server('different spellings of the same path or image', async () => {
  const rows: [change: (spec: Loose) => void, id: string, isBad: boolean][] = [
    ...['/etc', '//etc', '/./etc/', '/etc/./x', '/', '/.', '/var/', '/var//lib', '/var/lib/kubelet/pods'].map(
      hostFolder('node-folder', true),
    ),
    ...['/etcd', '/var/log', '/opt/etc', '/var/lib/other', '/data'].map(hostFolder('node-folder', false)),
    ...['/run/docker.sock', '/var//run/docker.sock', '/var/run/', '/run/./k3s/containerd/containerd.sock'].map(
      hostFolder('runtime-socket', true),
    ),
    ...['/run/other/x', '/var/running', '/opt/run/docker.sock'].map(hostFolder('runtime-socket', false)),
    ...[
      'registry.example:5000.evil.com/a:1',
      'registry.example/a:1',
      'evil.com/registry.example:5000/a',
      'a.trusted.example.evil.com/x',
      'trusted.example/x',
      'web',
      'index.docker.io/library/web:1',
    ].map(image('untrusted-registry', true)),
    ...['registry.example:5000/a/b:1', 'a.trusted.example/x', `a.trusted.example/x/y${DIGEST}`].map(image('untrusted-registry', false)),
    ...['registry.example:5000/a', 'a:latest', 'x:5000/a:latest'].map(image('image-tag', true)),
    ...['x:5000/a:1', `a${DIGEST}`, 'a:1'].map(image('image-tag', false)),
  ];
  for (const [change, id, isBad] of rows) {
    const object = placed(good(), WARNED);
    change(object.spec.template.spec);
    const warned = await warnedOf(object);
    assert.ok(warned, JSON.stringify(object.spec.template.spec));
    assert.is(warned.found.includes(id), isBad, JSON.stringify(object.spec.template.spec));
    assert.equal(warned.found.sort(), foundBy(warned.stored).sort());
  }
});

function hostFolder(id: string, isBad: boolean) {
  return (path: string): [(spec: Loose) => void, string, boolean] => [
    (spec) => (spec.volumes = [{ name: 'v', hostPath: { path } }]),
    id,
    isBad,
  ];
}

function image(id: string, isBad: boolean) {
  return (name: string): [(spec: Loose) => void, string, boolean] => [(spec) => (spec.containers[0].image = name), id, isBad];
}

server('existing objects keep running, and can be labelled and scaled, but not changed otherwise', async () => {
  const id = 'host-namespaces';
  const namespace = 'before';
  await client.request('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  const object = placed(good(), namespace);
  object.spec.template.spec.hostPID = true;
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  assert.is((await client.request('POST', path, object)).status, 201);
  await client.request(
    'PATCH',
    `/api/v1/namespaces/${namespace}`,
    { metadata: { labels: { denies: id } } },
    'application/merge-patch+json',
  );
  const patched = (body: Loose) => client.request('PATCH', `${path}/x?dryRun=All`, body, 'application/merge-patch+json');
  const hostile = { spec: { template: { spec: { hostIPC: true } } } };
  await until(async () => (await patched(hostile)).status === 403, { what: 'the policy to hold in the namespace', timeoutMs: 60_000 });
  assert.is((await patched({ metadata: { labels: { a: 'b' } }, spec: { replicas: 3 } })).status, 200);
  assert.is((await patched({ spec: { template: { spec: { hostPID: null } } } })).status, 200);
});

server('the cluster itself is left alone', async () => {
  await client.request('POST', '/api/v1/namespaces', { metadata: { name: 'kube-system' } });
  const labels = { metadata: { labels: { denies: 'host-namespaces', warns: 'yes' } } };
  await client.request('PATCH', '/api/v1/namespaces/kube-system', labels, 'application/merge-patch+json');
  const object = placed(good(), 'kube-system');
  object.spec.template.spec.hostPID = true;
  const { status, headers } = await dryRun(object);
  assert.equal([status, headers.get('warning')], [201, null]);
});

if (apiServerAssets()) server.run();
else console.log('SKIP policies in a real API server: KUBEBUILDER_ASSETS is not set');
