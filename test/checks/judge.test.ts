import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import Value from 'typebox/value';
import { judgeObject, type Found } from '../../src/checks/judge.ts';
import { CHECKS } from '../../src/checks/list.ts';
import type { Around } from '../../src/checks/check.ts';
import { ResourceFindings } from '../../src/contract/finding.ts';
import { applyChanges } from '../../src/crd/field-path.ts';
import { globMatches } from '../../src/crd/glob.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

const DIGEST = `@sha256:${'a'.repeat(64)}`;
/** Knows everything that checks ask of the surroundings, and leaves nothing to find. */
const AROUND: Around = {
  trustedRegistries: ['registry.example:5000', '*.trusted.example'],
  policySelectors: [{}],
  quietAccounts: new Set(),
};

/** A Deployment in which no check finds anything. */
function good(): Loose {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          serviceAccountName: 'web',
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'app',
              image: `registry.example:5000/shop/web:1.2${DIGEST}`,
              ports: [{ containerPort: 80 }],
              readinessProbe: { httpGet: { port: 80 } },
              livenessProbe: { httpGet: { port: 80 } },
              env: [{ name: 'LOG_LEVEL', value: 'info' }],
              args: ['--port', '80'],
              resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        },
      },
    },
  };
}

const spec = (change: (spec: Loose) => void) => {
  const object = good();
  change(object.spec.template.spec);
  return object;
};
const app = (change: (container: Loose) => void) => spec(({ containers }) => change(containers[0]));
const service = (fields: object) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop' }, spec: fields });
const hostPath = (path: string) => spec((one) => (one.volumes = [{ name: 'v', hostPath: { path } }]));

const RBAC = 'rbac.authorization.k8s.io';
const CERTS = 'certificates.k8s.io';
const BOOTSTRAPPING = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
const rule = (group: string, resources: string, verbs: string) => ({
  apiGroups: [group],
  resources: resources.split(','),
  verbs: verbs.split(','),
});
const role = (...rules: object[]) => ({ apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name: 'x' }, rules });
const binding = (name: string, ...subjects: object[]) => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name: 'x' },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
  subjects,
});

/** `[check, a bad object, the field that is wrong, what is found besides]` */
const BAD: [string, Loose, string, string[]?][] = [
  ['image-tag', app((c) => (c.image = 'registry.example:5000/web')), 'containers[0].image', ['image-digest']],
  ['image-tag', app((c) => (c.image = 'registry.example:5000/web:latest')), 'containers[0].image', ['image-digest']],
  ['image-digest', app((c) => (c.image = 'registry.example:5000/web:1')), 'containers[0].image'],
  ['untrusted-registry', app((c) => (c.image = `web:1${DIGEST}`)), 'containers[0].image'],
  ['resource-requests', app((c) => delete c.resources.requests), 'containers[0].resources.requests'],
  [
    'resource-requests',
    // What the pod requests for all its containers is no request of theirs while it names one resource of two.
    spec((one) => Object.assign(one, { resources: { requests: { memory: '1Gi' } } }) && delete one.containers[0].resources.requests),
    'containers[0].resources.requests',
  ],
  ['memory-limit', app((c) => delete c.resources.limits), 'containers[0].resources.limits.memory'],
  ['readiness-probe', app((c) => delete c.readinessProbe), 'containers[0].readinessProbe'],
  ['liveness-probe', app((c) => delete c.livenessProbe), 'containers[0].livenessProbe'],
  ['token-automount', spec((one) => delete one.automountServiceAccountToken), 'automountServiceAccountToken'],
  [
    'default-account',
    spec((one) => Object.assign(one, { serviceAccountName: '', automountServiceAccountToken: true })),
    'serviceAccountName',
    ['token-automount'],
  ],
  ['writable-root', app((c) => delete c.securityContext.readOnlyRootFilesystem), 'containers[0].securityContext.readOnlyRootFilesystem'],
  ['runtime-socket', hostPath('/var/run/docker.sock'), 'volumes[0].hostPath.path', ['host-path']],
  ['runtime-socket', hostPath('/run/containerd/containerd.sock'), 'volumes[0].hostPath.path', ['host-path']],
  ['runtime-socket', hostPath('/run/k3s/containerd/containerd.sock'), 'volumes[0].hostPath.path', ['host-path']],
  ['runtime-socket', hostPath('/var/run/crio/crio.sock'), 'volumes[0].hostPath.path', ['host-path']],
  ['runtime-socket', hostPath('/var/run'), 'volumes[0].hostPath.path', ['host-path']],
  ['node-folder', hostPath('/'), 'volumes[0].hostPath.path', ['host-path']],
  ['node-folder', hostPath('/etc/kubernetes/'), 'volumes[0].hostPath.path', ['host-path']],
  ['node-folder', hostPath('/opt/../proc'), 'volumes[0].hostPath.path', ['host-path']],
  ['node-folder', hostPath('/var/lib/kubelet/pods'), 'volumes[0].hostPath.path', ['host-path']],
  [
    'mount-propagation',
    app((c) => (c.volumeMounts = [{ name: 'v', mountPath: '/v', mountPropagation: 'Bidirectional' }])),
    'containers[0].volumeMounts[0].mountPropagation',
  ],
  ['secret-in-env', app((c) => c.env.push({ name: 'DB_PASSWORD', value: 'tr0ub4dor&3x' })), 'containers[0].env[1].value'],
  ['secret-in-arguments', app((c) => c.args.push('--password=tr0ub4dor&3x')), 'containers[0].args[2]'],
  ['secret-in-arguments', app((c) => (c.command = ['run', '--token', 'tr0ub4dor3xhj28dk2'])), 'containers[0].command[2]'],
  [
    'secret-as-env',
    app((c) => c.env.push({ name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } })),
    'containers[0].env[1].valueFrom.secretKeyRef',
  ],
  ['host-aliases', spec((one) => (one.hostAliases = [{ ip: '10.0.0.1', hostnames: ['bank.example'] }])), 'hostAliases'],
  ['shared-processes', spec((one) => (one.shareProcessNamespace = true)), 'shareProcessNamespace'],
  ['default-namespace', { ...good(), metadata: { name: 'web', namespace: 'default' } }, 'metadata.namespace'],
  ['host-namespaces', spec((one) => (one.hostPID = true)), 'hostPID'],
  ['privileged', app((c) => Object.assign(c.securityContext, { privileged: true })), 'containers[0].securityContext.privileged'],
  ['host-ports', app((c) => (c.ports[0].hostPort = 80)), 'containers[0].ports[0].hostPort'],
  ['seccomp', app((c) => (c.securityContext.seccompProfile = { type: 'Unconfined' })), 'containers[0].securityContext.seccompProfile.type'],
  ['volume-types', spec((one) => (one.volumes = [{ name: 'v', nfs: { server: 's', path: '/' } }])), 'volumes[0].nfs'],
  ['run-as-user', app((c) => (c.securityContext.runAsUser = 0)), 'containers[0].securityContext.runAsUser'],
  ['node-port', service({ type: 'NodePort', ports: [{ port: 80, nodePort: 30080 }], externalTrafficPolicy: 'Local' }), 'spec.type'],
  ['external-ips', service({ externalIPs: ['8.8.8.8'] }), 'spec.externalIPs'],
  ['load-balancer-sources', service({ type: 'LoadBalancer' }), 'spec.loadBalancerSourceRanges'],
  ['removed-api', { ...good(), apiVersion: 'apps/v1beta2' }, 'apiVersion'],
  ['removed-api', { apiVersion: 'batch/v1beta1', kind: 'CronJob', metadata: { name: 'x' } }, 'apiVersion'],
  ['removed-api', { apiVersion: 'networking.k8s.io/v1beta1', kind: 'Ingress', metadata: { name: 'x' } }, 'apiVersion'],
  ['role-everything', role(rule('*', '*', '*')), 'rules[0]'],
  ['role-wildcard', role(rule('', 'configmaps', '*')), 'rules[0].verbs'],
  ['role-wildcard', role(rule('example.org', '*', 'get')), 'rules[0].resources'],
  ['role-secrets', role(rule('', 'pods', 'get'), rule('', 'configmaps,secrets', 'list')), 'rules[1]'],
  ['role-exec', role(rule('', 'pods/exec', 'create,get')), 'rules[0]'],
  ['role-exec', role({ ...rule('', 'pods/attach', 'create'), resourceNames: ['web'] }), 'rules[0]'],
  ['role-ephemeral-containers', role(rule('', 'pods,pods/ephemeralcontainers', 'patch')), 'rules[0]'],
  ['role-port-forward', role(rule('', 'pods/portforward', 'create')), 'rules[0]'],
  ['role-node-proxy', role(rule('', 'nodes/proxy', 'get')), 'rules[0]'],
  ['role-tokens', role(rule('', 'serviceaccounts/token', 'create')), 'rules[0]'],
  ['role-escalate', role(rule(RBAC, 'roles', 'get,update,escalate')), 'rules[0]'],
  ['role-bind', role(rule(RBAC, 'rolebindings', 'create'), rule(RBAC, 'clusterroles', 'bind')), 'rules[1]'],
  ['role-impersonate', role(rule('', 'users', 'impersonate')), 'rules[0]'],
  [
    'role-certificates',
    role(rule(CERTS, 'certificatesigningrequests/approval', 'update'), {
      ...rule(CERTS, 'signers', 'approve'),
      resourceNames: ['kubernetes.io/kube-apiserver-client'],
    }),
    'rules[0]',
  ],
  ['role-webhooks', role(rule('admissionregistration.k8s.io', 'mutatingwebhookconfigurations', 'get,patch')), 'rules[0]'],
  ['role-volumes', role(rule('', 'persistentvolumes', 'create,get')), 'rules[0]'],
  ['admin-binding', binding('cluster-admin', { kind: 'User', name: 'ann' }, { kind: 'Group', name: 'system:masters' }), 'subjects[0]'],
  ['anonymous-binding', binding('reader', { kind: 'Group', name: 'system:unauthenticated' }), 'subjects[0]'],
  ['everybody-binding', binding('reader', { kind: 'User', name: 'ann' }, { kind: 'Group', name: 'system:authenticated' }), 'subjects[1]'],
  ['default-account-binding', binding('reader', { kind: 'ServiceAccount', name: 'default', namespace: 'shop' }), 'subjects[0]'],
];

/** Roles and bindings that look alike and give no such power (Kubernetes, "Using RBAC Authorization"). */
const HARMLESS: [what: string, object: Loose][] = [
  ['escalate without a role to write', role(rule(RBAC, 'roles', 'get,escalate'))],
  ['bind without a binding to write', role(rule(RBAC, 'clusterroles', 'bind'))],
  ['bind of named roles', role(rule(RBAC, 'rolebindings', 'create'), { ...rule(RBAC, 'clusterroles', 'bind'), resourceNames: ['view'] })],
  ['one Secret by its name', role({ ...rule('', 'secrets', 'get'), resourceNames: ['mine'] })],
  ['Secrets that are only written', role(rule('', 'secrets', 'create,update,delete'))],
  ['Secrets of another API group', role(rule('example.org', 'secrets', 'get'))],
  ['a token of one account', role({ ...rule('', 'serviceaccounts/token', 'create'), resourceNames: ['mine'] })],
  ['exec that is only read of', role(rule('', 'pods,pods/log,pods/status', 'get'))],
  ['approval without a signer', role(rule(CERTS, 'certificatesigningrequests/approval', 'update'))],
  ['a named user', role({ ...rule('', 'users', 'impersonate'), resourceNames: ['ann'] })],
  ["the API server's own role", { ...role(rule('*', '*', '*')), metadata: { name: 'x', labels: BOOTSTRAPPING } }],
  [
    "the API server's own binding",
    { ...binding('x', { kind: 'Group', name: 'system:unauthenticated' }), metadata: { name: 'x', labels: BOOTSTRAPPING } },
  ],
  ['a role without rules', { ...role(), rules: null }],
  ['a binding without subjects', { ...binding('cluster-admin'), subjects: null }],
  ['nonsense', { ...role(), rules: [null, 'x', { verbs: 'get' }, { verbs: [1], resources: ['secrets'], apiGroups: [''] }] }],
];

const checks = suite('checks');
const judged = (object: KubeObject, around: Around = AROUND): Found[] => judgeObject(object, { minor: 36, around });
const ids = (found: Found[]): string[] => found.map(({ check_name }) => check_name);

checks('a good workload has no finding, in each kind of workload', () => {
  assert.equal(judged(good()), []);
  const { template } = good().spec;
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop', ...template.metadata }, spec: template.spec };
  const cron = { ...good(), apiVersion: 'batch/v1', kind: 'CronJob', spec: { jobTemplate: { spec: { template } } } };
  const others = ['StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'].map((kind) => ({ ...good(), kind }));
  for (const object of [pod, cron, ...others, service({ type: 'ClusterIP' })]) assert.equal(judged(object), [], object.kind);
});

for (const [id, object, path, besides = []] of BAD)
  checks(`${id} finds ${path} of ${object.kind}`, () => {
    const found = judged(object);
    assert.equal(ids(found).sort(), [id, ...besides].sort());
    const one = found.find(({ check_name }) => check_name === id) as Found;
    const full = object.kind === 'Deployment' && !/^(metadata\.namespace|apiVersion)$/.test(path) ? `spec.template.spec.${path}` : path;
    assert.equal(one.details.field_paths, [full]);
    assert.match(one.message ?? '', /^[A-Z].*\.$/s);
    assert.ok(Value.Check(ResourceFindings, { findings: found }), 'the API takes it');
  });

checks('a fix makes its check pass and no other one fail', () => {
  let fixes = 0;
  for (const [id, object] of BAD) {
    const found = judged(object);
    const fix = found.find(({ check_name }) => check_name === id)?.details.fix;
    if (!fix) continue;
    fixes += 1;
    const after = ids(judged(applyChanges(object, fix)));
    assert.not(after.includes(id), id);
    assert.equal(
      after.filter((other) => !ids(found).includes(other)),
      [],
      id,
    );
  }
  assert.ok(fixes >= 12, String(fixes));
});

for (const [what, object] of HARMLESS) checks(`no power: ${what}`, () => assert.equal(ids(judged(object)), []));

checks('every check beyond the Pod Security Standards has a bad object', () => {
  const known = new Set(BAD.map(([id]) => id));
  const missing = CHECKS.filter((check) => !('control' in check) && !known.has(check.id) && check.id !== 'network-policy');
  assert.equal(
    missing.map(({ id }) => id),
    [],
  );
});

checks('ids are unique, and each check says what people need', () => {
  assert.is(new Set(CHECKS.map(({ id }) => id)).size, CHECKS.length);
  for (const { id, title, rationale, remediation, references, frameworks } of CHECKS) {
    assert.match(id, /^[a-z][a-z-]+[a-z]$/);
    for (const text of [title, rationale, remediation]) assert.match(text, /^[A-Z`]/, id);
    for (const text of [rationale, remediation]) assert.match(text, /[.]$/, id);
    assert.ok(references.length > 0 && references.every((one) => one.startsWith('https://')), id);
    assert.ok(Object.keys(frameworks).length > 0, id);
  }
});

checks('a trusted registry is a registry, not a text', () => {
  const rows: [image: string, isTrusted: boolean][] = [
    ['registry.example:5000/a/b:1', true],
    ['registry.example/a:1', false],
    ['registry.example:5000.evil.com/a:1', false],
    ['evil.com/registry.example:5000/a:1', false],
    ['a.trusted.example/x', true],
    ['a.trusted.example.evil.com/x', false],
    ['evil.com/a.trusted.example/x', false],
    ['trusted.example/x', false],
    ['web', false],
    ['docker.io/library/web', false],
  ];
  for (const [image, isTrusted] of rows)
    assert.is(!ids(judged(app((c) => (c.image = image)))).includes('untrusted-registry'), isTrusted, image);
  const hub: Around = { ...AROUND, trustedRegistries: ['docker.io/library'] };
  for (const [image, isTrusted] of [
    ['web:1', true],
    ['docker.io/library/web:1', true],
    ['index.docker.io/library/web:1', true],
    ['acme/web:1', false],
  ] as const)
    assert.is(
      !ids(
        judged(
          app((c) => (c.image = image)),
          hub,
        ),
      ).includes('untrusted-registry'),
      isTrusted,
      image,
    );
  assert.not(
    ids(
      judged(
        app((c) => (c.image = 'web')),
        {},
      ),
    ).includes('untrusted-registry'),
    'without a list nothing is said',
  );
});

checks('an untrusted image is named so that a Suppression for its registry matches', () => {
  const [one] = judged(app((c) => (c.image = `web:1${DIGEST}`)));
  assert.ok((one?.details.images ?? []).some((image) => globMatches('docker.io/*', image)));
});

checks('a NetworkPolicy must select the pod', () => {
  const find = (policySelectors: Around['policySelectors']) => ids(judged(good(), policySelectors ? { ...AROUND, policySelectors } : {}));
  assert.equal(find([]), ['network-policy']);
  assert.equal(find([{ matchLabels: { app: 'other' } }]), ['network-policy']);
  assert.equal(find([{ matchLabels: { app: 'web' } }]), []);
  assert.equal(find(undefined), []);
});

checks('an account that mounts no token is believed', () => {
  const object = spec((one) => delete one.automountServiceAccountToken);
  assert.equal(ids(judged(object, { ...AROUND, quietAccounts: new Set(['web']) })), []);
});

checks('one finding a check and container, with all its fields', () => {
  const found = judged(
    app((c) => c.env.push({ name: 'A_PASSWORD', value: 'tr0ub4dor&3x' }, { name: 'B_PASSWORD', value: 'tr0ub4dor&3y' })),
  );
  assert.equal(ids(found), ['secret-in-env']);
  assert.is(found[0]?.details.field_paths.length, 2);
  assert.is(found[0]?.details.container, 'app');
});

checks('the value of a secret is nowhere in a finding', () => {
  const secret = 'tr0ub4dor3xhj28dk2';
  const object = app((c) => {
    c.env.push({ name: 'DB_PASSWORD', value: secret });
    c.args = [`--password=${secret}`];
    c.command = ['sh', '-c', `login --token ${secret}`];
  });
  const text = JSON.stringify(judged(object));
  assert.match(text, 'secret-in-env');
  assert.not.match(text, secret);
});

checks('a control of restricted does not repeat what baseline says', () => {
  const found = judged(app((c) => (c.securityContext.capabilities = { add: ['SYS_ADMIN'], drop: ['ALL'] })));
  assert.equal(ids(found), ['capabilities']);
});

checks('any object is judged without an error', () => {
  const junk: unknown[] = [null, undefined, 0, 'x', true, [], {}, [null], { containers: [null, 'x', {}] }];
  for (const kind of ['Pod', 'Deployment', 'CronJob', 'Service', 'Nothing', 7])
    for (const value of junk)
      for (const object of [
        { kind, metadata: value, spec: value },
        {
          kind,
          metadata: { annotations: value, labels: value, name: value },
          spec: { template: value, jobTemplate: value, containers: value },
        },
        { kind, spec: { template: { metadata: value, spec: value } }, apiVersion: value },
        {
          kind,
          spec: { template: { spec: { containers: [{ env: value, args: value, image: value, resources: value, volumeMounts: value }] } } },
        },
      ])
        judgeObject(object as never, { minor: Infinity, around: AROUND });
});

checks.run();
