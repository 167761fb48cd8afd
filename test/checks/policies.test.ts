import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Environment } from '@marcbachmann/cel-js';
import { judgeObject } from '../../src/checks/judge.ts';
import { checkById, CHECKS } from '../../src/checks/list.ts';
import { celList, celText } from '../../src/checks/policies/cel.ts';
import { policiesOf, type Policy, policyOf } from '../../src/checks/policies/policies.ts';
import { app, AROUND, BAD, binding, CERTS, DIGEST, good, RBAC, role, rule, service, spec } from '../support/builders/judged-objects.ts';

// The policies, evaluated by the CEL evaluator of the sandbox. policies-server.test.ts asks a real API server.

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

const tests = suite('checks as policies');
const NEWEST = { minor: 36, trustedRegistries: AROUND.trustedRegistries ?? [] };
const cel = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });

/** CEL has its own integers. */
function celValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(celValue);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, celValue(one)]));
  return typeof value === 'number' ? BigInt(value) : value;
}

type Program = (context: Record<string, unknown>) => unknown;
const programs = new Map<string, Program>();
/** The value of an expression. Each is compiled once. */
function evaluate(expression: string, given: Record<string, unknown>): unknown {
  const program = programs.get(expression) ?? (cel.parse(expression) as unknown as Program);
  programs.set(expression, program);
  return program(given);
}

function ofCheck(id: string, options = NEWEST): Policy {
  const policy = policyOf(checkById(id)!, options);
  if ('none' in policy) throw new Error(policy.none);
  return policy;
}

/** Whether the policy lets the object pass. */
function passes(id: string, object: Loose, options = NEWEST): boolean {
  const { variables, validations } = ofCheck(id, options).policy.spec;
  const context = { object: celValue(object), variables: {} as Record<string, unknown> };
  for (const { name, expression } of variables) context.variables[name] = evaluate(expression, context);
  return evaluate(validations[0]!.expression, context) === true;
}

const asPod = ({ metadata, spec: { template } }: Loose): Loose => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...metadata, ...template.metadata },
  spec: template.spec,
});
const asCronJob = ({ metadata, spec: { template } }: Loose): Loose => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata,
  spec: { jobTemplate: { spec: { template } } },
});
const { policies, without } = policiesOf(CHECKS, NEWEST);
const ids = policies.map(({ policy }) => String(policy.metadata.labels?.['podmend.dev/check']));

/** The checks with a policy that have a finding; a control does not repeat the one that it replaces, but its policy does. */
const foundBy = (object: Loose): string[] => judgeObject(object, { minor: 36, around: AROUND }).map(({ check_name }) => check_name);
const isOf = (id: string, object: Loose): boolean => {
  const [{ resources } = { resources: [] }] = ofCheck(id).policy.spec.matchConstraints.resourceRules;
  return (
    ofCheck(id).policy.spec.matchConstraints.resourceRules.some((one) => one.resources.includes(`${object.kind.toLowerCase()}s`)) &&
    resources.length > 0
  );
};
/** The API server refuses paths with two dots, and versions that it does not serve. */
const isLawful = (object: Loose): boolean => !JSON.stringify(object).includes('..') && !/beta/.test(object.apiVersion);

tests('each policy refuses the bad objects of its check, in each kind of workload', () => {
  for (const [id, object] of BAD.filter(([one, bad]) => ids.includes(one) && isLawful(bad)))
    for (const shape of object.kind === 'Deployment' ? [object, asPod(object), asCronJob(object)] : [object])
      if (foundBy(shape).includes(id)) assert.is(passes(id, shape), false, `${id}: ${shape.kind}`);
});

tests('no policy refuses what no check finds', () => {
  for (const object of [
    good(),
    asPod(good()),
    asCronJob(good()),
    service({ type: 'ClusterIP' }),
    role(rule('', 'pods', 'get')),
    binding('reader', { kind: 'User', name: 'ann' }),
  ])
    for (const id of ids.filter((one) => isOf(one, object))) assert.is(passes(id, object), true, `${id}: ${object.kind}`);
});

/** The control of baseline that a control of restricted replaces finds nothing of its own. */
const REPLACED: Record<string, string> = {
  'volume-types': 'host-path',
  'seccomp-restricted': 'seccomp',
  'capabilities-restricted': 'capabilities',
  'proc-mount-restricted': 'proc-mount',
};
tests('on a bad object, each policy decides as its check', () => {
  for (const [, object] of BAD.filter(([, bad]) => isLawful(bad))) {
    const found = foundBy(object);
    for (const id of ids.filter((one) => isOf(one, object) && !(REPLACED[one] && found.includes(REPLACED[one]))))
      assert.is(passes(id, object), !found.includes(id), `${id}: ${JSON.stringify(object.spec ?? object.rules ?? object.subjects)}`);
  }
});

const context = (fields: Loose) => app((c) => Object.assign(c.securityContext, fields));
const podContext = (fields: Loose) => spec((one) => Object.assign(one.securityContext, fields));
const ephemeral = (fields: Loose) =>
  spec((one) => (one.ephemeralContainers = [{ ...good().spec.template.spec.containers[0], name: 'debug', ...fields }]));
const windows = (change: (one: Loose) => void) => spec((one) => Object.assign(one, { os: { name: 'windows' } }) && change(one));
const ownUsers = (change: (one: Loose) => void) => spec((one) => Object.assign(one, { hostUsers: false }) && change(one));
const node = (path: string) => spec((one) => (one.volumes = [{ name: 'v', hostPath: { path } }]));
const annotated = (value: string) => {
  const object = good();
  object.spec.template.metadata.annotations = { 'container.apparmor.security.beta.kubernetes.io/app': value };
  return object;
};
/** `[check, what, object, whether it passes]` */
const NEAR: [string, string, Loose, boolean][] = [
  ['privileged', 'an ephemeral container', ephemeral({ securityContext: { privileged: true } }), false],
  ['host-process', 'in the pod', podContext({ windowsOptions: { hostProcess: true } }), false],
  ...['hostNetwork', 'hostPID', 'hostIPC'].map((field): [string, string, Loose, boolean] => [
    'host-namespaces',
    field,
    spec((one) => (one[field] = true)),
    false,
  ]),
  ['capabilities', 'of the runtime', context({ capabilities: { add: ['CHOWN'] } }), true],
  ['host-ports', 'port 0', app((c) => (c.ports[0].hostPort = 0)), true],
  ...['livenessProbe', 'readinessProbe', 'startupProbe'].map((field): [string, string, Loose, boolean] => [
    'host-probes',
    field,
    app((c) => (c[field] = { tcpSocket: { port: 1, host: 'x' } })),
    false,
  ]),
  ...['postStart', 'preStop'].map((hook): [string, string, Loose, boolean] => [
    'host-probes',
    hook,
    app((c) => (c.lifecycle = { [hook]: { httpGet: { port: 1, host: 'x' } } })),
    false,
  ]),
  ['app-armor', 'a profile of the node', context({ appArmorProfile: { type: 'Localhost' } }), true],
  ['app-armor', 'in the pod', podContext({ appArmorProfile: { type: 'Unconfined' } }), false],
  ['app-armor', 'unconfined by annotation', annotated('unconfined'), false],
  ...['', 'runtime/default', 'localhost/x'].map((value): [string, string, Loose, boolean] => [
    'app-armor',
    `annotation "${value}"`,
    annotated(value),
    true,
  ]),
  ['se-linux', 'a type of containers', context({ seLinuxOptions: { type: 'container_t' } }), true],
  ['se-linux', 'a user', context({ seLinuxOptions: { user: 'u' } }), false],
  ['se-linux', 'a role of the pod', podContext({ seLinuxOptions: { role: 'r' } }), false],
  ['proc-mount', 'in a user namespace of its own', ownUsers((one) => (one.containers[0].securityContext.procMount = 'Unmasked')), true],
  [
    'proc-mount-restricted',
    'in a user namespace of its own',
    ownUsers((one) => (one.containers[0].securityContext.procMount = 'Unmasked')),
    false,
  ],
  ['seccomp', 'of the pod', podContext({ seccompProfile: { type: 'Unconfined' } }), false],
  [
    'seccomp-restricted',
    'of each container',
    spec((one) => delete one.securityContext.seccompProfile && (one.containers[0].securityContext.seccompProfile = { type: 'Localhost' })),
    true,
  ],
  ['seccomp-restricted', 'none on Windows', windows((one) => delete one.securityContext.seccompProfile), true],
  ['sysctls', 'a safe one', podContext({ sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }] }), true],
  ['volume-types', 'a volume without a source', spec((one) => (one.volumes = [{ name: 'v' }])), true],
  ['volume-types', 'a claim', spec((one) => (one.volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }])), true],
  ['privilege-escalation', 'on Windows', windows((one) => delete one.containers[0].securityContext.allowPrivilegeEscalation), true],
  [
    'run-as-non-root',
    'the container says it',
    spec((one) => delete one.securityContext.runAsNonRoot && (one.containers[0].securityContext.runAsNonRoot = true)),
    true,
  ],
  [
    'run-as-non-root',
    'the pod says no, the container yes',
    spec((one) => {
      one.securityContext.runAsNonRoot = false;
      one.containers[0].securityContext.runAsNonRoot = true;
    }),
    false,
  ],
  ['run-as-non-root', 'the container says no', context({ runAsNonRoot: false }), false],
  ['run-as-non-root', 'in a user namespace of its own', ownUsers((one) => delete one.securityContext.runAsNonRoot), true],
  ['run-as-user', 'user 0 of the pod', podContext({ runAsUser: 0 }), false],
  ['run-as-user', 'user 0 in a user namespace of its own', ownUsers((one) => (one.containers[0].securityContext.runAsUser = 0)), true],
  ['capabilities-restricted', 'the one that may be added', context({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }), true],
  ['capabilities-restricted', 'on Windows', windows((one) => delete one.containers[0].securityContext.capabilities), true],
  ...['/run/docker.sock', '/var/run', '/run/', '/var//run/./docker.sock', '/run/containerd/s/x.sock'].map(
    (path): [string, string, Loose, boolean] => ['runtime-socket', path, node(path), false],
  ),
  ...['/running', '/var/lib/x.sock', '/opt/run/docker.sock'].map((path): [string, string, Loose, boolean] => [
    'runtime-socket',
    path,
    node(path),
    true,
  ]),
  ...[
    '/',
    '//',
    '/./',
    '/var',
    '/var/',
    '/var/lib',
    '/var//lib/',
    '/etc',
    '/etc/',
    '/etc/x',
    '/./etc/x',
    '/var/lib/kubelet/pods',
    '/usr/bin',
  ].map((path): [string, string, Loose, boolean] => ['node-folder', path, node(path), false]),
  ...['/variety', '/var/log', '/var/library', '/etcetera', '/srv/etc', '/opt'].map((path): [string, string, Loose, boolean] => [
    'node-folder',
    path,
    node(path),
    true,
  ]),
  ...['registry.example:5000/a:1', `a.trusted.example/x${DIGEST}`].map((image): [string, string, Loose, boolean] => [
    'untrusted-registry',
    image,
    app((c) => (c.image = image)),
    true,
  ]),
  ...[
    'registry.example/a:1',
    'registry.example:5000.evil.com/a',
    'evil.com/registry.example:5000/a',
    'trusted.example/x',
    'web',
    'web:1',
    'a/web:1',
    'index.docker.io/library/web',
  ].map((image): [string, string, Loose, boolean] => ['untrusted-registry', image, app((c) => (c.image = image)), false]),
  ...['a:1', 'x:5000/a:1', `a${DIGEST}`].map((image): [string, string, Loose, boolean] => [
    'image-tag',
    image,
    app((c) => (c.image = image)),
    true,
  ]),
  ...['a', 'a:latest', 'x:5000/a', 'x:5000/a:latest'].map((image): [string, string, Loose, boolean] => [
    'image-tag',
    image,
    app((c) => (c.image = image)),
    false,
  ]),
  ['image-tag', 'of an ephemeral container', ephemeral({ image: 'a' }), false],
  [
    'memory-limit',
    'of the whole pod',
    spec((one) => Object.assign(one, { resources: { limits: { memory: '1Gi' } } }) && delete one.containers[0].resources.limits),
    true,
  ],
  ['memory-limit', 'of no ephemeral container', ephemeral({ resources: {} }), true],
  ['writable-root', 'on Windows', windows((one) => delete one.containers[0].securityContext.readOnlyRootFilesystem), true],
  [
    'resource-requests',
    'of the whole pod',
    spec((one) => Object.assign(one, { resources: { requests: { cpu: '1', memory: '1Gi' } } }) && delete one.containers[0].resources),
    true,
  ],
  ['resource-requests', 'limits alone', app((c) => (c.resources = { limits: { cpu: '1', memory: '1Gi' } })), true],
  ['resource-requests', 'one of two', app((c) => (c.resources = { requests: { cpu: '1' } })), false],
  ['readiness-probe', 'a container without ports', app((c) => delete c.ports && delete c.readinessProbe), true],
  ['readiness-probe', 'a Job', { ...app((c) => delete c.readinessProbe), kind: 'Job' }, true],
  ['readiness-probe', 'a StatefulSet', { ...app((c) => delete c.readinessProbe), kind: 'StatefulSet' }, false],
  ['default-namespace', 'another', good(), true],
  ['external-ips', 'an empty list', service({ externalIPs: [] }), true],
  ['load-balancer-sources', 'with sources', service({ type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/8'] }), true],
  ['load-balancer-sources', 'another type', service({ type: 'ClusterIP' }), true],
  ['role-secrets', 'one by its name', role({ ...rule('', 'secrets', 'get'), resourceNames: ['mine'] }), true],
  ['role-secrets', 'of another group', role(rule('example.org', 'secrets', 'get')), true],
  ['role-secrets', 'everything is another check', role(rule('*', '*', '*')), true],
  ['role-secrets', 'all resources', role(rule('', '*', 'get')), false],
  ['role-exec', 'all subresources of that name', role(rule('', '*/exec', 'create')), false],
  ['role-exec', 'by its name', role({ ...rule('', 'pods/exec', 'create'), resourceNames: ['web'] }), false],
  ['role-escalate', 'without a role to write', role(rule(RBAC, 'roles', 'escalate')), true],
  [
    'role-bind',
    'of named roles',
    role(rule(RBAC, 'rolebindings', 'create'), { ...rule(RBAC, 'clusterroles', 'bind'), resourceNames: ['view'] }),
    true,
  ],
  ['role-certificates', 'without a signer', role(rule(CERTS, 'certificatesigningrequests/approval', 'update')), true],
  ['role-everything', 'of named objects', role({ ...rule('*', '*', '*'), resourceNames: ['x'] }), true],
  ['admin-binding', 'only the masters', binding('cluster-admin', { kind: 'Group', name: 'system:masters' }), true],
  ['anonymous-binding', 'the user', binding('reader', { kind: 'User', name: 'system:anonymous' }), false],
  ['everybody-binding', 'a user of that name', binding('reader', { kind: 'User', name: 'system:authenticated' }), true],
  ['everybody-binding', 'all accounts', binding('reader', { kind: 'Group', name: 'system:serviceaccounts' }), false],
  ['default-account-binding', 'another account', binding('reader', { kind: 'ServiceAccount', name: 'mine', namespace: 'shop' }), true],
];
for (const [id, what, object, expected] of NEAR)
  tests(`${id} ${expected ? 'lets pass' : 'refuses'}: ${what}`, () => assert.is(passes(id, object), expected));

tests('the rules of a version: types of SELinux, sysctls and user namespaces', () => {
  const engine = context({ seLinuxOptions: { type: 'container_engine_t' } });
  const buffers = podContext({ sysctls: [{ name: 'net.ipv4.tcp_rmem', value: '1' }] });
  const root = ownUsers((one) => (one.containers[0].securityContext.runAsUser = 0));
  const at = (minor: number) => ({ ...NEWEST, minor });
  assert.equal(
    [30, 31].map((minor) => passes('se-linux', engine, at(minor))),
    [false, true],
  );
  assert.equal(
    [31, 32].map((minor) => passes('sysctls', buffers, at(minor))),
    [false, true],
  );
  assert.equal(
    [34, 35].map((minor) => passes('run-as-user', root, at(minor))),
    [false, true],
  );
});

tests('an entry for Docker Hub means all its spellings', () => {
  const hub = { minor: 36, trustedRegistries: ['docker.io/library'] };
  for (const [image, expected] of [
    ['web:1', true],
    ['docker.io/library/web', true],
    ['index.docker.io/library/web', true],
    ['registry-1.docker.io/library/web', true],
    ['acme/web', false],
    ['localhost/library/web', false],
    ['docker.io/library2/web', false],
  ] as const)
    assert.is(
      passes(
        'untrusted-registry',
        app((c) => (c.image = image)),
        hub,
      ),
      expected,
      image,
    );
});

tests('an entry may name one repository, or a host without its other ports', () => {
  const entries = { minor: 36, trustedRegistries: ['quay.io/web', '*.trusted.example'] };
  for (const [image, expected] of [
    ['quay.io/web:1', true],
    ['quay.io/web', true],
    [`quay.io/web${DIGEST}`, true],
    ['quay.io/web/more:1', true],
    ['quay.io/webs:1', false],
    ['a.trusted.example/x:1', true],
    ['a.trusted.example:5000/x:1', false],
  ] as const) {
    const object = app((c) => (c.image = image));
    assert.is(passes('untrusted-registry', object, entries), expected, image);
    const found = judgeObject(object, { minor: 36, around: { ...AROUND, trustedRegistries: entries.trustedRegistries } });
    assert.is(!found.some(({ check_name }) => check_name === 'untrusted-registry'), expected, `${image} by the check`);
  }
});

const WHY: Record<string, string> = {
  'secret-in-env': 'what looks like a secret is decided by rules that CEL cannot express',
  'secret-in-arguments': 'what looks like a secret is decided by rules that CEL cannot express',
  'network-policy': 'it depends on NetworkPolicies, which a policy cannot read',
  'token-automount': 'it depends on the service account, which a policy cannot read',
  'default-account': 'it depends on the service account, which a policy cannot read',
  'removed-api': 'the API server refuses such versions itself',
  'missing-account': 'it depends on service accounts, which a policy cannot read',
  'unbound-role': 'it depends on bindings, which a policy cannot read',
  'unused-rights': 'it depends on an audit log',
};
tests('every check has a policy, or a reason why there is none', () => {
  assert.equal(Object.fromEntries(without.map(({ id, why }) => [id, why])), WHY);
  assert.equal([...ids, ...Object.keys(WHY)].sort(), CHECKS.map(({ id }) => id).sort());
  const none = (id: string, options: Partial<typeof NEWEST>) => policyOf(checkById(id)!, { ...NEWEST, ...options });
  assert.equal(none('host-probes', { minor: 33 }), { none: 'Pod Security has this control from v1.34 on' });
  assert.ok('policy' in none('host-probes', { minor: 34 }));
  assert.equal(none('untrusted-registry', { trustedRegistries: [] }), { none: 'no trusted registry is named (--trusted-registry)' });
});

const CHANGED = (field: string) =>
  `request.operation == 'CREATE' || dyn(object).?${field}.orValue(null) != dyn(oldObject).?${field}.orValue(null)`;
const resourcesOf = (id: string) =>
  ofCheck(id).policy.spec.matchConstraints.resourceRules.map(({ apiGroups, resources }) => `${apiGroups.join()}: ${resources.join(' ')}`);
tests('which objects a policy examines, and when', () => {
  const rules = ids.flatMap((id) => ofCheck(id).policy.spec.matchConstraints.resourceRules);
  assert.ok(rules.every(({ apiVersions, operations }) => apiVersions.join() === 'v1' && operations.join() === 'CREATE,UPDATE'));
  const workloads = [
    ': pods pods/ephemeralcontainers replicationcontrollers',
    'apps: deployments statefulsets daemonsets replicasets',
    'batch: jobs cronjobs',
  ];
  for (const id of ['privileged', 'image-tag']) assert.equal(resourcesOf(id), workloads);
  assert.equal(resourcesOf('node-port'), [': services']);
  assert.equal(resourcesOf('role-secrets'), [`${RBAC}: roles clusterroles`]);
  assert.equal(resourcesOf('admin-binding'), [`${RBAC}: rolebindings clusterrolebindings`]);
  const conditions = (id: string) => ofCheck(id).policy.spec.matchConditions;
  assert.equal(conditions('node-port'), [{ name: 'created-or-changed', expression: CHANGED('spec') }]);
  for (const [id, field] of [
    ['role-secrets', 'rules'],
    ['admin-binding', 'subjects'],
  ] as const) {
    const [when, who] = conditions(id);
    assert.equal([when?.expression, who?.name], [CHANGED(field), 'not-by-the-cluster-itself']);
    const isBy = (username: string) => evaluate(who!.expression, { request: { userInfo: { username } } });
    assert.equal(['system:apiserver', 'system:serviceaccount:kube-system:clusterrole-aggregation-controller', 'ann'].map(isBy), [
      false,
      false,
      true,
    ]);
  }
});

tests('what runs can still be labelled and scaled, but not changed otherwise', () => {
  const [{ expression } = { expression: '' }] = ofCheck('privileged').policy.spec.matchConditions;
  const isExamined = (object: Loose, oldObject: Loose, operation = 'UPDATE') =>
    evaluate(expression, celValue({ object, oldObject, request: { operation } }) as Record<string, unknown>);
  const scaled = { ...good(), spec: { ...good().spec, replicas: 3 } };
  const other = app((c) => (c.image = 'x'));
  for (const shape of [(one: Loose) => one, asPod, asCronJob]) {
    assert.equal([isExamined(shape(scaled), shape(good())), isExamined(shape(other), shape(good()))], [false, true]);
    assert.is(isExamined(shape(good()), shape(good()), 'CREATE'), true);
  }
});

tests('a policy is named, labelled, bound with Deny, and leaves the namespaces of the system alone', () => {
  const { policy, binding: bound } = ofCheck('host-path');
  const { title, remediation } = checkById('host-path')!;
  const metadata = { name: 'podmend-host-path', labels: { 'app.kubernetes.io/name': 'podmend', 'podmend.dev/check': 'host-path' } };
  assert.equal(
    [policy.apiVersion, policy.kind, policy.metadata],
    ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', metadata],
  );
  assert.is(policy.spec.failurePolicy, 'Fail');
  assert.equal(
    policy.spec.validations.map(({ message, reason }) => [message, reason]),
    [[`${title} (check host-path). ${remediation}`, 'Forbidden']],
  );
  assert.equal(
    policy.spec.variables.map(({ name }) => name),
    ['template', 'spec', 'volumes'],
    'each after those that it uses, and no other',
  );
  assert.equal(bound, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata,
    spec: {
      policyName: 'podmend-host-path',
      validationActions: ['Deny'],
      matchResources: {
        namespaceSelector: {
          matchExpressions: [
            { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system', 'kube-public', 'kube-node-lease'] },
          ],
        },
      },
    },
  });
});

tests('text as CEL writes it', () => {
  assert.equal(['a', '\\d', "it's", 'é', 'a\nb'].map(celText), ["'a'", "r'\\d'", '"it\'s"', '"é"', '"a\\nb"']);
  assert.is(celList(['a', '\\d']), "['a', r'\\d']");
});

tests.run();
