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
