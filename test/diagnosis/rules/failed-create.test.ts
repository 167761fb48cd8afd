import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { aCase, aPodManifest } from '../../support/builders/cases.ts';

/** The diagnosis of a ReplicaSet whose pods are refused with this message. They have one container. */
const refused = (message: string, container: object = {}) => cannotCreate(message, aPodManifest(container));
const cannotCreate = (message: string, template: object) =>
  diagnose(refusedCase(message, { kind: 'ReplicaSet', metadata: {}, spec: { template } }));
const refusedCase = (message: string, manifest: object) =>
  aCase({
    failure_reason: 'FailedCreate',
    resource_kind: 'ReplicaSet',
    events: [{ type: 'Warning', reason: 'FailedCreate', message: `Error creating: pods "web-x" is forbidden: ${message}` }],
    manifest,
  });
const changes = (...args: Parameters<typeof refused>) =>
  refused(...args).corrections.map((correction) => correction.changes.map(({ path, to }) => [path.replace(/^.*\]\./, ''), to]));
const quota = (used: string) => `exceeded quota: team, requested: requests.cpu=500m, used: requests.cpu=${used}, limited: requests.cpu=2`;
const cpu = (field: 'requests' | 'limits', amount: string) => ({ resources: { [field]: { cpu: amount } } });

const create = suite('pods that cannot be created');
const CASES: [sentence: string, message: string, container: object, expected: unknown[][][]][] = [
  ['a part of the quota is left', quota('1800m'), cpu('requests', '500m'), [[['resources.requests.cpu', '200m']]]],
  ['enough is left: the request is not the cause', quota('1'), cpu('requests', '500m'), []],
  ['nothing is left', quota('2'), cpu('requests', '500m'), []],
  [
    'the limit is above the maximum',
    'maximum cpu usage per Container is 1, but limit is 2',
    cpu('limits', '2'),
    [[['resources.limits.cpu', '1']]],
  ],
  [
    'there is no limit, and the range requires one',
    'maximum cpu usage per Container is 1.  No limit is specified',
    {},
    [[['resources.limits.cpu', '1']]],
  ],
  ['no field is outside the range', 'maximum cpu usage per Container is 1, but limit is 2', cpu('limits', '1'), []],
  [
    'the request is below the minimum',
    'minimum cpu usage per Container is 100m, but request is 10m',
    cpu('requests', '10m'),
    [[['resources.requests.cpu', '100m']]],
  ],
];
for (const [sentence, message, container, expected] of CASES) create(sentence, () => assert.equal(changes(message, container), expected));

const KYVERNO =
  'admission webhook "validate.kyverno.svc-fail" denied the request: \n\nresource Pod/shop/web-x was blocked due to the following policies \n\n';
const GATEKEEPER = 'admission webhook "validation.gatekeeper.sh" denied the request: ';
const image = 'web:latest';
const ports = [{ containerPort: 80 }];
const POLICIES: [sentence: string, message: string, container: object, expected: Record<string, unknown>][] = [
  [
    'two labels that a list names',
    `${GATEKEEPER}[pods-must-have-owner] you must provide labels: {"owner", "tier"}`,
    {},
    { 'spec.template.metadata.labels.owner': 'shop', 'spec.template.metadata.labels.tier': 'shop' },
  ],
  [
    'a label in the path of a rule',
    `${KYVERNO}require-labels:\n  check: 'validation error: The label is required. rule check failed at path /metadata/labels/app.kubernetes.io/name/'`,
    {},
    { 'spec.template.metadata.labels["app.kubernetes.io/name"]': 'shop' },
  ],
  [
    'requests and limits',
    `${KYVERNO}require-requests-limits:\n  validate: 'validation error: CPU and memory resource requests and limits are required. rule validate failed at path /spec/containers/0/resources/limits/'`,
    { resources: { limits: { cpu: '1' } } },
    { 'requests.cpu': '1', 'requests.memory': '128Mi', 'limits.memory': '256Mi' },
  ],
  [
    'limits of everything',
    `${GATEKEEPER}[must-have-limits] container <app> has no resource limits`,
    {},
    { 'limits.cpu': '500m', 'limits.memory': '256Mi' },
  ],
  [
    'a limit that is too high',
    `${GATEKEEPER}container <app> cpu limit <3> is higher than the maximum allowed of <1>`,
    { resources: { limits: { cpu: '3' } } },
    { 'limits.cpu': '1' },
  ],
  [
    'probes',
    `${GATEKEEPER}Container <app> in your <Pod> <web-x> has no <readinessProbe>`,
    { ports },
    { readinessProbe: { tcpSocket: { port: 80 }, periodSeconds: 10 } },
  ],
  [
    'privileges',
    `${GATEKEEPER}[psp] Privilege escalation container is not allowed: app`,
    {},
    { 'securityContext.allowPrivilegeEscalation': false },
  ],
  [
    'two policies at once',
    `${GATEKEEPER}[a] you must provide labels: {"owner"}\n[b] only read-only root filesystem container is allowed: app`,
    {},
    { 'spec.template.metadata.labels.owner': 'shop', 'securityContext.readOnlyRootFilesystem': true },
  ],
  [
    'an image for which no other tag is known',
    `${GATEKEEPER}container <app> uses a disallowed tag <web:latest>; disallowed tags are ["latest"]`,
    { image },
    {},
  ],
];
for (const [sentence, message, container, expected] of POLICIES)
  create(`a policy names ${sentence}`, () => {
    const { culprit, corrections } = refused(message, container);
    const [first] = corrections;
    const made = (first?.changes ?? []).map(({ path, to }) => [path.replace(/^.*containers\[\d\]\.(?:resources\.)?/, ''), to]);
    assert.equal(Object.fromEntries(made), expected);
    assert.match(culprit ?? '', /^webhook validat.{10,}: \S/);
  });

create('a correction that ends every violation is likely at best', () => {
  const violates = (more: string) =>
    `violates PodSecurity "restricted:latest": runAsNonRoot != true (pod or container "app" must set it)${more}`;
  assert.is(refused(violates('')).corrections[0]?.confidence, 'likely');
  const user = { securityContext: { runAsUser: 1000 } };
  assert.is(refused(violates(''), user).corrections[0]?.confidence, 'likely');
  const { corrections } = refused(violates(', unheardOf (container "app" must not do this)'), user);
  assert.is(corrections[0]?.confidence, 'guess');
});

const add = (...names: string[]) => ({ capabilities: { add: names } });
const NET = ['NET_ADMIN', 'NET_RAW'];
const RIGHTS: [sentence: string, level: string, violation: string, spec: object, expected: string][] = [
  [
    'capabilities of an init container',
    'baseline',
    'non-default capabilities (container "setup" must not include "NET_ADMIN", "NET_RAW" in securityContext.capabilities.add)',
    { initContainers: [{ name: 'setup', image: 'web:1', securityContext: add(...NET) }] },
    'guess',
  ],
  [
    'a capability of a program that is root',
    'baseline',
    'non-default capabilities (container "app" must not include "SYS_TIME" in securityContext.capabilities.add)',
    { containers: [{ name: 'app', image: 'web:1', securityContext: add('SYS_TIME') }] },
    'guess',
  ],
  [
    'a capability that does nothing for an ordinary user',
    'baseline',
    'non-default capabilities (container "app" must not include "SYS_TIME" in securityContext.capabilities.add)',
    { containers: [{ name: 'app', image: 'web:1', securityContext: { runAsUser: 7, ...add('SYS_TIME') } }] },
    'likely',
  ],
  [
    'a privileged container',
    'baseline',
    'privileged (container "app" must not set securityContext.privileged=true)',
    { containers: [{ name: 'app', image: 'web:1', securityContext: { privileged: true } }] },
    'guess',
  ],
  ['the host network', 'baseline', 'host namespaces (hostNetwork=true)', { hostNetwork: true }, 'guess'],
  [
    'a folder of the node',
    'baseline',
    'hostPath volumes (volume "logs")',
    { volumes: [{ name: 'logs', hostPath: { path: '/var/log' } }] },
    'guess',
  ],
  [
    'a port of the node',
    'baseline',
    'hostPort (container "app" uses hostPort 8080)',
    { containers: [{ name: 'app', image: 'web:1', ports: [{ containerPort: 8080, hostPort: 8080 }] }] },
    'likely',
  ],
  ['root by its number', 'restricted', 'runAsUser=0 (pod must not set runAsUser=0)', { securityContext: { runAsUser: 0 } }, 'guess'],
  [
    'a command that only root runs',
    'restricted',
    'runAsNonRoot != true (pod or container "app" must set securityContext.runAsNonRoot=true)',
    { containers: [{ name: 'app', image: 'tools:1', command: ['sh', '-c', 'chown -R app /data && exec app'] }] },
    'guess',
  ],
  [
    'an image that begins as root',
    'restricted',
    'runAsNonRoot != true (pod or container "app" must set securityContext.runAsNonRoot=true)',
    { containers: [{ name: 'app', image: 'docker.io/library/nginx:1.27' }] },
    'guess',
  ],
  [
    'an image of another name',
    'restricted',
    'runAsNonRoot != true (pod or container "app" must set securityContext.runAsNonRoot=true)',
    { containers: [{ name: 'app', image: 'nginxinc/nginx-unprivileged:1.27' }] },
    'likely',
  ],
];
for (const [sentence, level, violation, spec, expected] of RIGHTS)
  create(`taking ${sentence} away is no more than ${expected}`, () => {
    const { corrections } = cannotCreate(`violates PodSecurity "${level}:latest": ${violation}`, aPodManifest({}, spec));
    assert.is(corrections[0]?.confidence, expected);
  });

create('the fields that Pod Security forbids are named', () => {
  const culpritOf = (violation: string) => refused(`violates PodSecurity "baseline:latest": ${violation}`).culprit;
  assert.is(culpritOf(RIGHTS[0]?.[2] ?? ''), 'Pod Security baseline: non-default capabilities (NET_ADMIN, NET_RAW of setup)');
  assert.is(
    culpritOf('hostPath volumes (volumes "logs", "data"), hostPort (container "app" uses hostPorts 80, 443)'),
    'Pod Security baseline: hostPath volumes (logs, data), hostPort (80, 443 of app)',
  );
  assert.is(culpritOf('seccompProfile (pod or container "app" must set it to "RuntimeDefault")'), 'Pod Security baseline: seccompProfile');
});

create('a LimitRange holds for init containers', () => {
  const memory = (amount: string) => ({ requests: { memory: '64Mi' }, limits: { memory: amount } });
  const of = (migrate: string, app: string) =>
    cannotCreate(
      'maximum memory usage per Container is 512Mi, but limit is 1Gi',
      aPodManifest({ resources: memory(app) }, { initContainers: [{ name: 'migrate', image: 'web:1', resources: memory(migrate) }] }),
    );
  const { culprit, corrections, summary } = of('1Gi', '256Mi');
  assert.is(culprit, 'memory 1Gi (maximum 512Mi) of migrate');
  assert.match(summary, '`migrate` has `1Gi`');
  assert.equal(
    corrections.map(({ confidence, changes: made }) => [confidence, made.map(({ path, to }) => [path, to])]),
    [['likely', [['spec.template.spec.initContainers[0].resources.limits.memory', '512Mi']]]],
  );
  assert.is(of('4Gi', '256Mi').corrections[0]?.confidence, 'guess', 'it gets an eighth');
  assert.equal(of('1Gi', '1Gi').corrections[0]?.changes.length, 2);
  assert.is(
    refused('minimum cpu usage per Container is 100m, but request is 10m', cpu('requests', '10m')).corrections[0]?.confidence,
    'certain',
    'a program is given more',
  );
});

create('a quota that allows no more pods keeps the existing ones', () => {
  const message =
    'exceeded quota: team, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=2, limited: persistentvolumeclaims=2';
  const of = (replicas: number, status: object) => {
    const parts = { kind: 'StatefulSet', metadata: { name: 'web' }, spec: { replicas, template: aPodManifest() }, status };
    const { corrections } = diagnose({ ...refusedCase(message, parts), owner: parts as KubeObject });
    return corrections.map(({ confidence, changes: made }) => [confidence, made.map(({ path, to, of: whose }) => [path, to, whose])]);
  };
  assert.equal(of(3, { replicas: 2, updatedReplicas: 2 }), [['guess', [['spec.replicas', 2, 'owner']]]]);
  assert.equal(of(3, { replicas: 2, updatedReplicas: 1 }), [], 'an update is under way');
  assert.equal(of(3, {}), [], 'there is none');
});
create.run();
