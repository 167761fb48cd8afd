import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { optionsBeforeScript, withoutProgram } from '../../../../src/diagnosis/corrections/command/program-twice.ts';
import type { Correction } from '../../../../src/diagnosis/corrections/correction.ts';
import { differentPort } from '../../../../src/diagnosis/corrections/network/different-port.ts';
import { knownKeyword } from '../../../../src/diagnosis/corrections/settings/connection-keyword.ts';
import { opensModule } from '../../../../src/diagnosis/corrections/settings/java-opens.ts';
import { listedWord } from '../../../../src/diagnosis/corrections/settings/listed-word.ts';
import {
  contradictedVariable,
  exclusiveSettings,
  misplacedSetting,
  pairedVariable,
} from '../../../../src/diagnosis/corrections/settings/paired-variable.ts';
import { proposedOption, widerPermission } from '../../../../src/diagnosis/corrections/settings/proposed-option.ts';
import { forbiddenVariable, replacedWord } from '../../../../src/diagnosis/corrections/settings/replaced-word.ts';
import type { RuleInput } from '../../../../src/diagnosis/facts/input.ts';
import { ofExports, ofNeededValue, ofProposal, ofRemovedOption } from '../../../../src/diagnosis/rules/setting-behind/words.ts';
import { env, guess, likely, type Short } from '../../../support/builders/corrections.ts';
import { changesOf, explainedLine, type Fault } from '../../../support/builders/explained.ts';
import { bothOf, FAULTS, log } from './faults.ts';

const test = suite('words behind a line');

const proposal = (fault: Fault, culprit: string | null = 'it') =>
  changesOf(ofProposal(explainedLine(fault, 'other', { culprit })), { culprit });
const DONE = { advice: ['Change the settings as the message above asks.'] };
const OPEN = '--add-opens=java.base/java.lang=ALL-UNNAMED';

/** What a line proposes, what tells more before what tells less. */
const PROPOSALS: [find: (input: RuleInput, line: string) => Correction[], fault: Fault, expected: Short][] = [
  [withoutProgram, { says: 'unknown command', container: { image: 'amazon/aws-cli:2', args: ['aws', 's3'] } }, likely({ args: ['s3'] })],
  [
    optionsBeforeScript,
    { says: 'Requires read access to the folder', container: { args: ['run', 'main.ts', '--allow-read'] } },
    likely({ args: ['run', '--allow-read', 'main.ts'] }),
  ],
  [
    opensModule,
    { says: 'module java.base does not "opens java.lang" to unnamed module @1' },
    likely({ env: [{ name: 'JDK_JAVA_OPTIONS', value: OPEN }] }),
  ],
  [
    knownKeyword,
    { says: "Keyword not supported: 'host'.", container: env({ SQL: 'host=db;Database=x' }) },
    likely({ 'env[0].value': 'Server=db;Database=x' }),
  ],
  [
    differentPort,
    {
      says: '--console-address cannot be same as --address',
      container: { args: ['--address=:9000', '--console-address=:9000'], ports: [{ containerPort: 9000 }, { containerPort: 9001 }] },
    },
    likely({ 'args[1]': '--console-address=:9001' }),
  ],
  [pairedVariable, { says: 'set or unset A_ONE and A_TWO', container: env({ A_ONE: '1', C: 'x' }) }, guess({ 'env[0]': null })],
  [
    contradictedVariable,
    { says: 'it does not match the AB_ONE environment variable', container: env({ AB_ONE: '1', D: 'x' }) },
    guess({ 'env[0]': null }),
  ],
  [
    exclusiveSettings,
    { says: '--one and --two are mutually exclusive', container: { args: ['--one=1', '--two=2'] } },
    guess({ args: ['--one=1'] }),
  ],
  [
    misplacedSetting,
    { says: '--solo cannot be used when it runs here', container: { args: ['first', '--solo=1'] } },
    likely({ args: ['first'] }),
  ],
  [replacedWord, { says: "'old' was replaced by 'young'", container: { args: ['--x=old'] } }, likely({ 'args[0]': '--x=young' })],
  [
    listedWord,
    { says: "'kubernetesingres' is unknown. Known names are docker, kubernetesingress.", container: { args: ['--p=kubernetesingres'] } },
    likely({ 'args[0]': '--p=kubernetesingress' }),
  ],
  [
    forbiddenVariable,
    { says: 'options --tag-list are not allowed', container: env({ RUNNER_TAG_LIST: 'y', E: 'x' }) },
    likely({ 'env[0]': null }),
  ],
  [
    widerPermission,
    { says: 'Requires net access to "b:2"', container: { args: ['--allow-net=a:1'] } },
    likely({ 'args[0]': '--allow-net=a:1,b:2' }),
  ],
  [proposedOption, { says: 'pass --mode=single', container: { args: ['--mode=many'] } }, likely({ 'args[0]': '--mode=single' })],
];
for (const [index, [find, fault, expected]] of PROPOSALS.entries())
  test(`what a line proposes, before other proposals: ${find.name}`, () => {
    assert.equal(proposal(fault), { ...DONE, corrections: expected });
    for (const [other, second] of PROPOSALS.slice(index + 1)) {
      const both = explainedLine(bothOf(fault, second), 'other');
      const [first, later] = [find, other].map((one) => one(both.input, both.log.line)[0]);
      assert.ok(first && later, other.name);
      assert.equal(ofProposal(both).corrections, [first], other.name);
    }
  });

test('what a line proposes: an option that is not there yet is named', () => {
  const named = (culprit: string | null, says = 'pass --accept-license') =>
    ofProposal(explainedLine({ says, container: { args: ['serve', '--mode=many'] } }, 'other', { culprit })).culprit;
  assert.is(named('the licence'), 'the licence (--accept-license)');
  assert.is(named(null, 'pass --accept-license'), 'pass --accept-license', 'the message of the line names it');
  assert.is(named('no --accept-license'), 'no --accept-license', 'unless it is named already');
  assert.is(named('the mode', 'pass --mode=single'), 'the mode', 'an option with another value is there');
  assert.is(named('the kind', 'pass --kind=single'), 'the kind (--kind)', 'without its value');
});

const LABELS = { labels: { app: 'kafka' }, surroundings: { services: [{ name: 'kafka', ports: [9092], selector: { app: 'kafka' } }] } };
const ADVERTISES: Fault = {
  says: 'advertised.listeners cannot use the nonroutable meta-address 0.0.0.0',
  container: env({ KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://0.0.0.0:9092' }),
  parts: LABELS,
};
const ITS_IP: Fault = { says: 'no private IP address found', container: { image: 'prom/alertmanager:1', args: ['x'] } };
const MEMBER: Fault = {
  says: `couldn't find local name "kv" in the initial cluster configuration`,
  container: { args: ['--initial-cluster=default=http://kv:2380'] },
};
const LACKS: Fault = {
  says: 'deadline exceeded',
  container: { args: ['curl http://prices:8080/v1'] },
  parts: { surroundings: { services: [{ name: 'prices', ports: [80] }] } },
};
const ADVERTISED = likely({ 'env[0].value': 'PLAINTEXT://kafka:9092' });
const POD_IP = { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } };
const OWN_IP = likely({ env: [POD_IP], 'args[1]': '--cluster.advertise-address=$(POD_IP):9094' });
const OWN_MEMBER = likely({ 'args[0]': '--initial-cluster=kv=http://kv:2380' });
const ACCEPTS: Fault = { says: 'pass --accept-license', container: { args: ['x'] } };
test('an address that the program should give keeps culprit and advice, and comes first', () => {
  assert.equal(proposal(ADVERTISES), { corrections: ADVERTISED });
  assert.equal(proposal(ITS_IP), { corrections: OWN_IP });
  assert.equal(
    proposal(bothOf(ADVERTISES, ITS_IP))?.['corrections'],
    [...ADVERTISED, ...likely({ 'env[1]': POD_IP, 'args[1]': '--cluster.advertise-address=$(POD_IP):9094' })],
    'both are offered',
  );
  for (const second of [MEMBER, ACCEPTS, LACKS]) assert.equal(proposal(bothOf(ADVERTISES, second)), { corrections: ADVERTISED });
});
test('the list of members is named, and comes before other proposals', () => {
  assert.equal(proposal(MEMBER), { culprit: 'initial-cluster: it', corrections: OWN_MEMBER });
  assert.equal(proposal(bothOf(MEMBER, ACCEPTS)), { culprit: 'initial-cluster: it', corrections: OWN_MEMBER });
});
test('a Service without the port that the container calls comes last, is named, and keeps the advice', () => {
  assert.equal(proposal(LACKS), { culprit: 'it: prices:8080', corrections: likely({ 'args[0]': 'curl http://prices:80/v1' }) });
  assert.equal(proposal(bothOf(ACCEPTS, LACKS))?.['advice'], DONE.advice);
  assert.equal(proposal({ says: 'it failed' }), { corrections: [] });
});

/** Values that a program needs, the most telling first. */
const NEEDS: [fault: Fault, culprit: string, expected: Short][] = [
  [
    { says: 'it ends', container: { args: ['-c', 'x'] }, parts: log('jetstream cluster requires `server_name` to be set') },
    '--server_name',
    likely({
      env: [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
      'args[2]': '--server_name=$(POD_NAME)',
    }),
  ],
  [FAULTS.ofNeededValue, 'KONG_DATABASE', likely({ 'env[1]': { name: 'KONG_DATABASE', value: 'off' } })],
  [
    { says: 'leaseDuration must be greater than renewDeadline', container: env({ LEASE_DURATION: '15s', RENEW_DEADLINE: '20s' }) },
    'RENEW_DEADLINE',
    likely({ 'env[1].value': '10s' }),
  ],
  [
    {
      says: 'services "shop-ap" not found',
      container: { args: ['--of=shop-ap'] },
      parts: { surroundings: { services: [{ name: 'shop-api' }] } },
    },
    'shop-ap',
    likely({ 'args[0]': '--of=shop-api' }),
  ],
  [
    { says: 'GatewaySupport is enabled but the CRD is missing', container: { args: ['--gates=A=true,GatewaySupport=true'] } },
    'GatewaySupport',
    guess({ 'args[0]': '--gates=A=true' }),
  ],
];
for (const [index, [fault, culprit, corrections]] of NEEDS.entries())
  test(`a value that the program needs: ${culprit}`, () => {
    const of = (one: Fault) => changesOf(ofNeededValue(explainedLine(one, 'other', { culprit: 'it' })), { culprit: 'it' });
    assert.equal(of(fault), { culprit: `${culprit}: ${fault.says}`, corrections });
    for (const [second] of NEEDS.slice(index + 1)) assert.match(String(of(bothOf(fault, second))?.['culprit']), `${culprit}: `);
  });

test('several variables to export are all named', () =>
  assert.is(
    ofExports(explainedLine({ says: 'it failed', parts: log('export LC_ALL=C\nexport LANG=C') }))?.culprit,
    'LC_ALL, LANG: it failed',
  ));
test('a long line about a removed option is cut', () => {
  const text = `flag experimental http3 was removed ${'x'.repeat(300)}`;
  const found = ofRemovedOption(explainedLine({ says: 'it failed', container: { args: ['--experimental.http3'] }, parts: log(text) }));
  assert.is(found?.because, `this version no longer has the option \`--experimental.http3\`: \`${text.slice(0, 159)}…\``);
});

test.run();
