import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import { aCase, aPodManifest } from '../../support/builders/cases.ts';

/** The diagnosis of a ReplicaSet whose pods with one container are refused with that message. */
const refused = (message: string, container: object = {}) =>
  diagnose(
    aCase({
      failure_reason: 'FailedCreate',
      resource_kind: 'ReplicaSet',
      events: [{ type: 'Warning', reason: 'FailedCreate', message: `Error creating: pods "web-x" is forbidden: ${message}` }],
      manifest: { kind: 'ReplicaSet', metadata: {}, spec: { template: aPodManifest(container) } },
    }),
  );
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

create('a correction that ends every violation is certain, else it is likely', () => {
  const violates = (more: string) =>
    `violates PodSecurity "restricted:latest": runAsNonRoot != true (pod or container "app" must set it)${more}`;
  assert.is(refused(violates('')).corrections[0]?.confidence, 'likely', 'the image may not run as another user');
  const user = { securityContext: { runAsUser: 1000 } };
  assert.is(refused(violates(''), user).corrections[0]?.confidence, 'certain');
  const { corrections } = refused(violates(', unheardOf (container "app" must not do this)'), user);
  assert.is(corrections[0]?.confidence, 'guess');
});
create.run();
