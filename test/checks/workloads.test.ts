import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Around, Check, Subject } from '../../src/checks/check.ts';
import { aroundOf } from '../../src/checks/surroundings.ts';
import { WORKLOAD_CHECKS } from '../../src/checks/list.ts';
import { accountFinder, roleFinder } from '../../src/checks/roles/dangling.ts';
import { ROLE_POWERS } from '../../src/checks/roles/powers.ts';
import { isShipped } from '../../src/checks/roles/shipped.ts';
import { unusedRights } from '../../src/checks/roles/unused.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { binding, DIGEST, RBAC, role, rule } from '../support/builders/judged-objects.ts';

// What each check of pods looks at, and what it leaves alone.

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

const workloads = suite('checks of workloads');

const checkOf = (id: string): Check => WORKLOAD_CHECKS.find((check) => check.id === id)!;
const subject = (spec: Loose, more: Partial<Subject> = {}): Subject => ({
  template: { metadata: { labels: { app: 'web' } }, spec: { containers: [], ...spec } },
  kind: 'Deployment',
  namespace: 'shop',
  minor: 36,
  around: {},
  ...more,
});
/** `path problem` of each violation; `c` stands for the first container. */
const found = (id: string, one: Subject): string[] =>
  checkOf(id)
    .run(one)
    .map(({ path, about, problem }) => `${path.replace('spec.containers[0]', 'c')}: ${about ? `${about} ` : ''}${problem}`);
const c = (fields: Loose) => ({ containers: [{ name: 'a', ...fields }] });
const debug = (fields: Loose) => ({ ephemeralContainers: [{ name: 'a', ...fields }] });
const WINDOWS = { os: { name: 'windows' } };
const memory = { memory: '1Gi' };
const SERVING = { ports: [{ containerPort: 80 }] };
const folder = (path: unknown) => ({ volumes: [{ name: 'v', hostPath: { path } }] });

/** `[check, what, subject, what is found]` */
const CASES: [string, string, Subject, string[]][] = [
  ['image-tag', 'no tag', subject(c({ image: 'web' })), ['c.image: names no version of its image']],
  ['image-tag', 'latest', subject(c({ image: 'web:latest' })), ['c.image: runs the image version latest']],
  ['image-tag', 'a tag', subject(c({ image: 'web:1' })), []],
  ['image-tag', 'a digest', subject(c({ image: `web${DIGEST}` })), []],
  ['image-tag', 'latest with a digest', subject(c({ image: `web:latest${DIGEST}` })), []],
  ['image-tag', 'no image', subject(c({ image: '' })), []],
  [
    'image-tag',
    'an init container and an ephemeral one',
    subject({ initContainers: [{ name: 'i', image: 'a' }], ...debug({ image: 'b' }) }),
    ['spec.initContainers[0].image: names no version of its image', 'spec.ephemeralContainers[0].image: names no version of its image'],
  ],
  ['image-digest', 'a tag', subject(c({ image: 'web:1' })), ['c.image: names its image without a digest']],
  ['image-digest', 'a digest', subject(c({ image: `web${DIGEST}` })), []],
  ['memory-limit', 'none', subject(c({})), ['c.resources.limits.memory: has no memory limit']],
  ['memory-limit', 'only of cpu', subject(c({ resources: { limits: { cpu: '1' } } })), ['c.resources.limits.memory: has no memory limit']],
  ['memory-limit', 'a request', subject(c({ resources: { requests: memory } })), ['c.resources.limits.memory: has no memory limit']],
  ['memory-limit', 'one', subject(c({ resources: { limits: memory } })), []],
  ['memory-limit', 'one of the pod', subject({ ...c({}), resources: { limits: memory } }), []],
  [
    'memory-limit',
    'a request of the pod',
    subject({ ...c({}), resources: { requests: memory } }),
    ['c.resources.limits.memory: has no memory limit'],
  ],
  ['memory-limit', 'an ephemeral container', subject(debug({})), []],
  ['resource-requests', 'none', subject(c({})), ['c.resources.requests: requests no cpu and no memory']],
  ['resource-requests', 'one of two', subject(c({ resources: { requests: memory } })), ['c.resources.requests: requests no cpu']],
  ['resource-requests', 'limits, which count as requests', subject(c({ resources: { limits: { cpu: '1', ...memory } } })), []],
  [
    'resource-requests',
    'both of the pod, one as a limit',
    subject({ ...c({}), resources: { requests: { cpu: '1' }, limits: memory } }),
    [],
  ],
  ['resource-requests', 'an ephemeral container', subject(debug({})), []],
  ['writable-root', 'nothing said', subject(c({})), ['c.securityContext.readOnlyRootFilesystem: can write to its root file system']],
  [
    'writable-root',
    'false',
    subject(c({ securityContext: { readOnlyRootFilesystem: false } })),
    ['c.securityContext.readOnlyRootFilesystem: can write to its root file system'],
  ],
  ['writable-root', 'true', subject(c({ securityContext: { readOnlyRootFilesystem: true } })), []],
  ['writable-root', 'Windows', subject({ ...c({}), ...WINDOWS }), []],
  ['writable-root', 'an ephemeral container', subject(debug({})), []],
  ['readiness-probe', 'a port', subject(c(SERVING)), ['c.readinessProbe: serves a port and has no readiness probe']],
  ['readiness-probe', 'a probe', subject(c({ ...SERVING, readinessProbe: {} })), []],
  ['readiness-probe', 'no port', subject(c({ ports: [] })), []],
  ['readiness-probe', 'a sidecar', subject({ initContainers: [{ name: 'a', ...SERVING }] }), []],
  ...['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController'].map((kind): [string, string, Subject, string[]] => [
    'liveness-probe',
    kind,
    subject(c(SERVING), { kind }),
    ['c.livenessProbe: serves a port and has no liveness probe'],
  ]),
  ...['Job', 'CronJob', 'Pod'].map((kind): [string, string, Subject, string[]] => [
    'liveness-probe',
    kind,
    subject(c(SERVING), { kind }),
    [],
  ]),
  [
    'secret-as-env',
    'a variable',
    subject(
      c({
        env: [
          { name: 'A', value: 'x' },
          { name: 'B', valueFrom: { secretKeyRef: {} } },
        ],
      }),
    ),
    ['c.env[1].valueFrom.secretKeyRef: gets a Secret as its variable B'],
  ],
  [
    'secret-in-env',
    'a password',
    subject(c({ env: [{ name: 'DB_PASSWORD', value: 'tr0ub4dor&3x' }, { name: 'MODE', value: 'fast' }, { name: 'PASSWORD' }] })),
    ['c.env[0].value: has a secret in its variable DB_PASSWORD'],
  ],
  [
    'secret-in-env',
    'a value that is no text',
    subject(c({ env: [{ name: 'DB', value: { password: 'tr0ub4dor&3x' } }, { value: 'password=tr0ub4dor&3x' }] })),
    [],
  ],
  [
    'secret-in-arguments',
    'a password',
    subject(c({ command: ['run'], args: ['--password=tr0ub4dor&3x', '-v'] })),
    ['c.args[0]: has a secret in its args'],
  ],
  ['host-aliases', 'one', subject({ hostAliases: [{}] }), ['spec.hostAliases: names hosts past DNS']],
  ['host-aliases', 'no list', subject({ hostAliases: 'x' }), []],
  [
    'shared-processes',
    'true',
    subject({ shareProcessNamespace: true }),
    ['spec.shareProcessNamespace: lets its containers see the processes of each other'],
  ],
  ['shared-processes', 'false', subject({ shareProcessNamespace: false }), []],
  [
    'mount-propagation',
    'to the node',
    subject(c({ volumeMounts: [{ mountPath: '/a' }, { mountPath: '/b', mountPropagation: 'Bidirectional' }] })),
    ['c.volumeMounts[1].mountPropagation: shows the node what it mounts below /b'],
  ],
  ['mount-propagation', 'from the node', subject(c({ volumeMounts: [{ mountPath: '/b', mountPropagation: 'HostToContainer' }] })), []],
  ['default-namespace', 'default', subject({}, { namespace: 'default' }), ['metadata.namespace: runs in the namespace default']],
  ['default-namespace', 'none', subject({}, { namespace: '' }), []],
  ['token-automount', 'nothing said', subject({}), ['spec.automountServiceAccountToken: gets the token of service account default']],
  [
    'token-automount',
    'the old field',
    subject({ serviceAccount: 'old' }),
    ['spec.automountServiceAccountToken: gets the token of service account old'],
  ],
  ['token-automount', 'false', subject({ automountServiceAccountToken: false }), []],
  ['token-automount', 'a quiet account', subject({}, { around: { quietAccounts: new Set(['default']) } }), []],
  [
    'token-automount',
    'a quiet account, and a pod that wants it',
    subject({ automountServiceAccountToken: true }, { around: { quietAccounts: new Set(['default']) } }),
    ['spec.automountServiceAccountToken: gets the token of service account default'],
  ],
  [
    'token-automount',
    'another quiet account',
    subject({ serviceAccountName: 'web' }, { around: { quietAccounts: new Set(['default']) } }),
    ['spec.automountServiceAccountToken: gets the token of service account web'],
  ],
  ['default-account', 'with its token', subject({}), ['spec.serviceAccountName: uses the default service account, and gets its token']],
  ['default-account', 'without its token', subject({ automountServiceAccountToken: false }), []],
  ['default-account', 'another one', subject({ serviceAccountName: 'web' }), []],
  [
    'network-policy',
    'none that selects it',
    subject({}, { around: { policySelectors: [{ matchLabels: { app: 'db' } }] } }),
    ['metadata.labels: is selected by no NetworkPolicy'],
  ],
  ['network-policy', 'one that selects all', subject({}, { around: { policySelectors: [{}] } }), []],
  ['network-policy', 'on the network of the node', subject({ hostNetwork: true }, { around: { policySelectors: [] } }), []],
  ['network-policy', 'nobody knows', subject({}), []],
  [
    'untrusted-registry',
    'another',
    subject(c({ image: 'web' }), { around: { trustedRegistries: ['quay.io'] } }),
    ['c.image: runs an image from docker.io'],
  ],
  ['untrusted-registry', 'no list', subject(c({ image: 'web' }), { around: { trustedRegistries: [] } }), []],
  ...['docker', 'containerd', 'crio', 'cri-dockerd', 'podman', 'k3s', 'k3s/containerd', 'containerd/s'].map(
    (name): [string, string, Subject, string[]] => [
      'runtime-socket',
      name,
      subject(folder(`/run/${name}/x-1.sock`)),
      [`spec.volumes[0].hostPath.path: Volume v (/run/${name}/x-1.sock) reaches the container runtime of the node`],
    ],
  ),
  ['runtime-socket', 'another folder of sockets', subject(folder('/run/systemd/x.sock')), []],
  ['runtime-socket', 'no text', subject(folder(7)), []],
  ...[
    '/etc',
    '/proc',
    '/sys',
    '/dev',
    '/boot',
    '/root',
    '/home',
    '/usr',
    '/bin',
    '/sbin',
    '/lib',
    '/var/lib/kubelet',
    '/var/lib/docker',
    '/var/lib/containerd',
    '/var/lib/containers',
    '/var/lib/etcd',
    '/var/lib/rancher',
  ].flatMap((path): [string, string, Subject, string[]][] => [
    ['node-folder', path, subject(folder(path)), [`spec.volumes[0].hostPath.path: Volume v (${path}) is of the system`]],
    [
      'node-folder',
      `below ${path}`,
      subject(folder(`${path}/x/`)),
      [`spec.volumes[0].hostPath.path: Volume v (${path}/x) is of the system`],
    ],
    ['node-folder', `beside ${path}`, subject(folder(`${path}x`)), []],
  ]),
  ['node-folder', 'below /var/lib', subject(folder('/var/lib/mine')), []],
];
for (const [id, what, one, expected] of CASES) workloads(`${id}: ${what}`, () => assert.equal(found(id, one), expected));

/** Kubernetes, "Role Based Access Control Good Practices": `[check, group, resources, verbs]`; each resource with each verb counts. */
const POWERS: [string, string, string, string][] = [
  ['role-secrets', '', 'secrets', 'get list watch'],
  ['role-exec', '', 'pods/exec pods/attach', 'create'],
  ['role-ephemeral-containers', '', 'pods/ephemeralcontainers', 'update patch'],
  ['role-port-forward', '', 'pods/portforward', 'create get'],
  ['role-node-proxy', '', 'nodes/proxy', 'get create'],
  ['role-tokens', '', 'serviceaccounts/token', 'create'],
  ['role-impersonate', '', 'users serviceaccounts', 'impersonate'],
  ['role-webhooks', 'admissionregistration.k8s.io', 'mutatingwebhookconfigurations validatingwebhookconfigurations', 'create update patch'],
  ['role-volumes', '', 'persistentvolumes', 'create'],
];
const VERBS = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'bind',
  'escalate',
  'impersonate',
  'approve',
];
for (const [id, group, resources, verbs] of POWERS)
  workloads(`${id}: ${resources} with ${verbs}`, () => {
    const has = (one: Loose) => ROLE_POWERS.find((check) => check.id === id)!.look(role(one), {}).length > 0;
    for (const resource of resources.split(' ')) {
      assert.equal(
        VERBS.filter((verb) => has(rule(group, resource, verb))),
        VERBS.filter((verb) => verbs.split(' ').includes(verb)),
        resource,
      );
      assert.is(has(rule('other.example', resource, String(verbs.split(' ')[0]))), false, 'of another group');
    }
  });

workloads('rights that have an effect only together', () => {
  const has = (id: string, ...rules: Loose[]) => ROLE_POWERS.find((check) => check.id === id)!.look(role(...rules), {}).length > 0;
  for (const written of ['roles', 'clusterroles'])
    for (const verb of ['create', 'update', 'patch']) {
      assert.ok(has('role-escalate', rule(RBAC, 'clusterroles', 'escalate'), rule(RBAC, written, verb)));
      assert.ok(has('role-bind', rule(RBAC, 'roles', 'bind'), rule(RBAC, written.replace('roles', 'rolebindings'), verb)));
    }
  assert.not(has('role-escalate', rule(RBAC, 'clusterroles', 'escalate'), rule(RBAC, 'roles', 'get')));
  assert.not(has('role-bind', rule(RBAC, 'roles', 'bind'), rule(RBAC, 'rolebindings', 'delete')));
  const approval = (verb: string) => rule('certificates.k8s.io', 'certificatesigningrequests/approval', verb);
  for (const verb of ['update', 'patch'])
    assert.ok(has('role-certificates', approval(verb), rule('certificates.k8s.io', 'signers', 'approve')));
  assert.not(has('role-certificates', approval('get'), rule('certificates.k8s.io', 'signers', 'approve')));
});

workloads('what Kubernetes ships itself', () => {
  const shipped = (name: string, label = 'rbac-defaults', managers?: (string | undefined)[]) =>
    isShipped({
      metadata: {
        name,
        labels: { 'kubernetes.io/bootstrapping': label },
        ...(managers && { managedFields: managers.map((manager) => ({ manager })) }),
      },
    } as KubeObject);
  assert.equal(
    ['system:x', 'cluster-admin', 'admin', 'edit', 'view', 'viewer', 'my-admin', 'xsystem:'].map((name) => shipped(name)),
    [true, true, true, true, true, false, false, false],
  );
  assert.equal([shipped('view', 'other'), isShipped({ metadata: { name: 'view' } })], [false, false]);
  assert.equal(
    [
      ['kube-apiserver'],
      ['clusterrole-aggregation-controller'],
      ['kube-controller-manager'],
      ['kube-apiserver', 'kubectl'],
      [undefined],
      [],
    ].map((managers) => shipped('view', 'rbac-defaults', managers)),
    [true, true, true, false, false, true],
  );
});

workloads('an account exists, does not, or nobody knows', () => {
  const exists = accountFinder([{ metadata: { namespace: 'shop', name: 'web' } }], (namespace) => namespace === 'shop');
  assert.equal(
    [exists('shop', 'web'), exists('shop', 'gone'), exists('other', 'web'), exists('other', 'default')],
    [true, false, undefined, true],
  );
});

workloads('a role is bound by its kind, namespace and name; only ClusterRoles are collected', () => {
  const labels = { collect: 'me' };
  const clusterRoles = [{ metadata: { name: 'all' }, aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] } }];
  const bindings = [
    { metadata: { name: 'b', namespace: 'shop' }, roleRef: { kind: 'Role', name: 'reader' } },
    { metadata: { name: 'b' }, roleRef: { kind: 'ClusterRole', name: 'viewer' } },
  ];
  const isBound = roleFinder({ clusterRoles, bindings } as never);
  const one = (kind: string, name: string, namespace?: string, more: Loose = {}) =>
    isBound({ kind, metadata: { name, ...(namespace && { namespace }), ...more } });
  assert.equal([one('Role', 'reader', 'shop'), one('Role', 'reader', 'other'), one('ClusterRole', 'reader')], [true, false, false]);
  assert.equal([one('ClusterRole', 'viewer'), one('Role', 'viewer', 'shop')], [true, false]);
  assert.equal([one('ClusterRole', 'part', undefined, { labels }), one('Role', 'part', 'shop', { labels })], [true, false]);
});

workloads('rights that no request used, at most twelve by name', () => {
  const rights = (count: number) => Array.from({ length: count }, (_, index) => `get r${index}`);
  const said = (used: string[], unused: string[]) =>
    unusedRights
      .look(binding('reader', { kind: 'User', name: 'ann' }), { usage: { span: 'May', of: () => ({ used, unused }) } })
      .map(({ problem }) => problem);
  assert.equal(said(['get a'], []), []);
  assert.equal(said([], ['get a']), ['was not used from May: no request in the log needed ClusterRole reader']);
  assert.equal(said(['get a'], ['get b', 'get c']), [
    'gives 2 of 3 rights of ClusterRole reader that no request used from May: get b, get c. Used were: get a',
  ]);
  const many = said(rights(13), rights(12))[0] ?? '';
  assert.ok(many.includes(`May: ${rights(12).join(', ')}. Used were: ${rights(12).join(', ')} and 1 more`), many);
  assert.equal(unusedRights.look(binding('reader'), {}), []);
});

workloads('what is around a workload, by its namespace', () => {
  const account = (namespace: string, name: string, quiet: boolean) =>
    ({ metadata: { namespace, name }, automountServiceAccountToken: !quiet }) as KubeObject;
  const policy = (namespace: string, podSelector: Loose) => ({ metadata: { namespace, name: 'p' }, spec: { podSelector } }) as KubeObject;
  const surroundings = {
    policies: [policy('shop', { matchLabels: { app: 'web' } }), policy('shop', {}), policy('other', {})],
    accounts: [account('shop', 'a', true), account('shop', 'b', false), account('other', 'c', true)],
    trustedRegistries: ['quay.io'],
    namespaces: [
      {
        metadata: {
          name: 'shop',
          labels: { 'pod-security.kubernetes.io/enforce': 'baseline', 'pod-security.kubernetes.io/enforce-version': 'v1.30' },
        },
      },
      { metadata: { name: 'other' } },
    ],
  };
  const around = aroundOf(surroundings);
  const { policySelectors, quietAccounts, trustedRegistries, enforced, ...rest } = around('shop');
  assert.equal(
    [policySelectors, [...quietAccounts!], trustedRegistries, enforced],
    [[{ matchLabels: { app: 'web' } }, {}], ['a'], ['quay.io'], { level: 'baseline', minor: 30 }],
  );
  assert.equal(rest, {}, 'nothing is said of what is not known');
  assert.equal([around('other').enforced, around('empty').policySelectors], [undefined, []]);
  assert.is(around('shop'), around('shop'), 'made once');
  assert.is(aroundOf({ ...surroundings, policies: undefined })('shop').policySelectors, undefined);
  const usage: Around['usage'] = { span: 'May', of: () => undefined };
  const known = aroundOf({ ...surroundings, accountsKnownIn: () => true, rbac: { clusterRoles: [], bindings: [] }, usage })('shop');
  assert.equal(
    [known.hasAccount?.('shop', 'a'), known.hasAccount?.('shop', 'gone'), known.isBound?.(role()), known.usage],
    [true, false, false, usage],
  );
});

workloads.run();
