import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import Value from 'typebox/value';
import { judgeObject, type Found } from '../../src/checks/judge.ts';
import { checkById, CHECKS } from '../../src/checks/list.ts';
import { roleFinder } from '../../src/checks/roles/dangling.ts';
import type { Around } from '../../src/checks/check.ts';
import { ResourceFindings } from '../../src/contract/finding.ts';
import { applyChanges } from '../../src/crd/field-path.ts';
import { globMatches } from '../../src/crd/glob.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { app, AROUND, BAD, binding, CERTS, DIGEST, good, RBAC, role, rule, service, spec } from '../support/builders/judged-objects.ts';

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

const BOOTSTRAPPING = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };

/** Roles and bindings that look similar but give no such power (Kubernetes, "Using RBAC Authorization"). */
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
  ["the API server's own role", { ...role(rule('*', '*', '*')), metadata: { name: 'system:x', labels: BOOTSTRAPPING } }],
  [
    "the API server's own binding",
    { ...binding('x', { kind: 'Group', name: 'system:unauthenticated' }), metadata: { name: 'system:x', labels: BOOTSTRAPPING } },
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

checks('nothing of an ephemeral container is proposed to change: it cannot', () => {
  let found = 0;
  for (const [id, object] of BAD) {
    const template = (object as Loose).spec?.template?.spec;
    const [container] = template?.containers ?? [];
    if (!container) continue;
    const { template: calm } = good().spec;
    const ephemeralContainers = [{ ...container, name: 'debug' }];
    const debugged = { ...good(), spec: { template: { ...calm, spec: { ...calm.spec, ephemeralContainers } } } } as KubeObject;
    for (const { details } of judged(debugged)) {
      found += 1;
      assert.not(
        (details.fix ?? []).some(({ path }) => path.includes('ephemeralContainers')),
        `${id}: ${JSON.stringify(details.fix)}`,
      );
    }
  }
  assert.ok(found > 10, String(found));
});

const asks = (requests: object) => (one: Loose) =>
  Object.assign(one, { resources: { requests } }) && delete one.containers[0].resources.requests;
const NEAR: [what: string, object: KubeObject, id: string, isFound: boolean][] = [
  [
    'a load balancer for some addresses',
    service({ type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/8'] }),
    'load-balancer-sources',
    false,
  ],
  ['a load balancer with an empty list', service({ type: 'LoadBalancer', loadBalancerSourceRanges: [] }), 'load-balancer-sources', true],
  ['a service inside of the cluster', service({ type: 'ClusterIP' }), 'load-balancer-sources', false],
  ...['/', '/var', '/var/', '/var/lib', '/etc/kubernetes/pki', '/var/lib/kubelet'].map((path): [string, KubeObject, string, boolean] => [
    `the folder ${path}`,
    onNode(path),
    'node-folder',
    true,
  ]),
  ...['/variety', '/var/log', '/srv', '/etcetera'].map((path): [string, KubeObject, string, boolean] => [
    `the folder ${path}`,
    onNode(path),
    'node-folder',
    false,
  ]),
  ['requests of the whole pod', spec(asks({ cpu: '1', memory: '1Gi' })), 'resource-requests', false],
  ['half of the requests of the whole pod', spec(asks({ cpu: '1' })), 'resource-requests', true],
  ['no names of hosts', spec((one) => (one.hostAliases = [])), 'host-aliases', false],
  ['the network of the node, which no policy holds', spec((one) => (one.hostNetwork = true)), 'network-policy', false],
];
for (const [what, object, id, isFound] of NEAR)
  checks(`${what}: ${isFound ? '' : 'no '}${id}`, () => assert.is(ids(judged(object)).includes(id), isFound));

function onNode(path: string): KubeObject {
  return spec((one) => (one.volumes = [{ name: 'node', hostPath: { path } }]));
}

for (const [what, object] of HARMLESS) checks(`no power: ${what}`, () => assert.equal(ids(judged(object)), []));

checks('built-in roles are not judged, unless somebody changed them or only copied their label', () => {
  const everything = { ...role(rule('*', '*', '*')), metadata: { name: 'system:x', labels: BOOTSTRAPPING } };
  const by = (...managers: string[]) => ({
    ...everything,
    metadata: { ...everything.metadata, managedFields: managers.map((manager) => ({ manager })) },
  });
  assert.equal(ids(judged(by('kube-apiserver', 'clusterrole-aggregation-controller') as never)), []);
  assert.equal(ids(judged(by('kube-apiserver', 'kubectl-edit') as never)), ['role-everything']);
  assert.equal(ids(judged({ ...everything, metadata: { name: 'mine', labels: BOOTSTRAPPING } })), ['role-everything']);
  assert.equal(ids(judged({ ...everything, metadata: { name: 'system:x', labels: {} } })), ['role-everything']);
});

checks('unknown accounts and bindings do not count as missing', () => {
  const lost = binding('reader', { kind: 'ServiceAccount', name: 'gone', namespace: 'shop' });
  assert.equal(ids(judged(lost, {})), []);
  assert.equal(ids(judged(lost, { hasAccount: () => undefined })), []);
  assert.equal(ids(judged({ ...role(rule('', 'pods', 'get')), metadata: { name: 'unbound' } }, {})), []);
  assert.equal(ids(judged(binding('reader', { kind: 'User', name: 'gone' }), AROUND)), []);
});

checks('an aggregated role counts as a use of the roles that it aggregates', () => {
  const labels = { 'aggregate-to': 'admin' };
  const part = { ...role(rule('', 'pods', 'get')), metadata: { name: 'part', labels } };
  const whole = { ...role(), metadata: { name: 'whole' }, aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] } };
  const isBound = roleFinder({ clusterRoles: [part, whole] as never, bindings: [binding('whole')] as never });
  assert.equal([isBound(part), isBound(whole), isBound({ ...part, metadata: { name: 'part' } })], [true, true, false]);
  const named = { kind: 'Role', metadata: { name: 'whole', namespace: 'shop' } };
  assert.not(isBound(named), 'a Role of the same name is another one');
});

checks('every check has a bad object', () => {
  const known = new Set(BAD.map(([id]) => id));
  const missing = CHECKS.filter(({ id }) => !known.has(id) && id !== 'network-policy');
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

checks('automountServiceAccountToken: false of the account counts', () => {
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

checks('a finding has what the API stores and what Suppressions match', () => {
  const object = app((c) => {
    c.image = 'acme/web:1';
    c.securityContext.privileged = true;
    c.securityContext.capabilities.add = ['SYS_ADMIN'];
  });
  const { title, rationale, references, remediation } = checkById('privileged')!;
  const found = judged(object, { ...AROUND, trustedRegistries: [] });
  const path = 'spec.template.spec.containers[0].securityContext.privileged';
  assert.equal(found[0], {
    check_name: 'privileged',
    severity: 'critical',
    message: 'Container app is privileged.',
    remediation,
    details: {
      ...{ title, rationale, references },
      container: 'app',
      field_paths: [path],
      frameworks: { pod_security: 'baseline', nsa: ['Pod security enforcement'], cis: ['5.2.2'], mitre: ['T1611', 'T1610'] },
      fix: [{ path, from: true, to: false, why: 'Privileged container' }],
      images: ['acme/web:1', 'docker.io/acme/web:1'],
      labels: { app: 'web' },
    },
  });
  assert.equal(ids(found), ['privileged', 'capabilities', 'image-digest'], 'in the order of the checks');
  const [ofPod] = judged(spec((one) => (one.hostPID = true)));
  assert.equal([ofPod?.details.container, ofPod?.details.images, ofPod?.details.labels], [undefined, undefined, { app: 'web' }]);
  const [ofService] = judged(service({ type: 'NodePort' }));
  assert.equal([ofService?.details.container, ofService?.details.images, ofService?.details.labels], [undefined, undefined, undefined]);
});

checks('each container has its own finding with its own image; the first of two with one name counts', () => {
  const object = spec((one) => {
    const [first] = one.containers;
    const side = { ...first, name: 'side', image: `registry.example:5000/side:1${DIGEST}`, securityContext: { privileged: true } };
    one.containers.push(side, { ...side, image: 'other:1' });
  });
  const found = judged(object).filter(({ check_name }) => check_name === 'privileged');
  assert.equal(
    found.map(({ message, details }) => [message, details.field_paths.length, details.images]),
    [['Container side is privileged.', 2, [`registry.example:5000/side:1${DIGEST}`]]],
  );
});

checks('a long message is cut, and a sentence is said once', () => {
  const many = app((c) => (c.ports = Array.from({ length: 60 }, (_, index) => ({ containerPort: 80, hostPort: 1 + (index % 40) }))));
  const [found] = judged(many);
  assert.is(found?.message?.length, 1000);
  assert.match(found?.message ?? '', /^Container app takes port 1 of the node\. Container app takes port 2 of the node\. /);
  const [few] = judged(app((c) => (c.ports = [1, 2].map(() => ({ containerPort: 80, hostPort: 7 })))));
  assert.equal([few?.message, few?.details.field_paths.length], ['Container app takes port 7 of the node.', 2]);
});

checks('no change is proposed that the API server refuses: a privileged container always may gain privileges', () => {
  const object = app((c) => Object.assign(c.securityContext, { privileged: true, allowPrivilegeEscalation: true }));
  const escalating = judged(object).find(({ check_name }) => check_name === 'privilege-escalation');
  assert.is(escalating?.details.fix, undefined);
});

checks('at most five webhooks and policies that may refuse an object are named', () => {
  const may = Array.from({ length: 7 }, (_, index) => `ValidatingWebhookConfiguration w${index}`);
  const reviewed = () => ({ denies: new Map([['privileged', 'podmend-privileged']]), may });
  const found = judged(
    app((c) => Object.assign(c.securityContext, { privileged: true, readOnlyRootFilesystem: false })),
    { ...AROUND, reviewed },
  );
  assert.equal(
    found.map(({ check_name, details }) => [check_name, details.enforced_by, details.may_be_refused_by]),
    [
      ['privileged', 'the policy podmend-privileged', undefined],
      ['writable-root', undefined, may.slice(0, 5)],
    ],
  );
});

checks('what Pod Security of the namespace enforces is told, also of a control that a stricter one replaces', () => {
  const enforced = { level: 'restricted', minor: 36 } as const;
  const found = judged(
    app((c) => {
      c.securityContext.capabilities = { add: ['SYS_ADMIN'], drop: ['ALL'] };
      c.securityContext.readOnlyRootFilesystem = false;
    }),
    { ...AROUND, enforced },
  );
  assert.equal(
    found.map(({ check_name, details }) => [check_name, details.enforced_by]),
    [
      ['capabilities', 'Pod Security restricted of the namespace'],
      ['writable-root', undefined],
    ],
  );
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
