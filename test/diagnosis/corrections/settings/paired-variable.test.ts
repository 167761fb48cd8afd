import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  contradictedVariable,
  exclusiveSettings,
  misplacedSetting,
  pairedVariable,
} from '../../../../src/diagnosis/corrections/settings/paired-variable.ts';
import { anInput } from '../../../support/builders/cases.ts';
import { correctionRows, env, guess, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('settings that do not go together');
const rows = correctionRows(test);

const args = (...words: string[]) => ({ args: words });
const ONE = env({ X: '1', A_ONE: '1' });
for (const line of [
  'set or unset A_ONE and A_TWO',
  'set or unset A_TWO and A_ONE',
  'A_ONE and A_TWO must be set together',
  'A_ONE and A_TWO should be together',
  'A_TWO and A_ONE must both be set together',
  'A_TWO and A_ONE should be both or neither',
])
  rows('a variable without its counterpart', {
    [line]: [pairedVariable(anInput(ONE), line), guess({ 'env[1]': null })],
    [`${line}, both set`]: [pairedVariable(anInput(env({ A_ONE: '1', A_TWO: '2' })), line), []],
  });
rows('a variable without its counterpart, in doubt', {
  'neither set': [pairedVariable(anInput(env({ X: '1' })), 'set or unset A_ONE and A_TWO'), []],
  'no pair': [pairedVariable(anInput(ONE), 'A_ONE must be set'), []],
  'no manifest': [pairedVariable(anInput({}, {}, { manifest: 'x' }), 'set or unset A_ONE and A_TWO'), []],
});
const AB_ONE = env({ X: '1', AB_ONE: '1' });
const KEPT = 'the stored value does not match the AB_ONE environment variable';
rows('a variable that what is stored contradicts', {
  goes: [contradictedVariable(anInput(AB_ONE), KEPT), guess({ 'env[1]': null })],
  'in other words': [contradictedVariable(anInput(AB_ONE), "it doesn't match the AB_ONE env"), guess({ 'env[1]': null })],
  'in the past': [contradictedVariable(anInput(AB_ONE), 'it did not match the AB_ONE env'), guess({ 'env[1]': null })],
  'that is not set': [contradictedVariable(anInput(env({ X: '1' })), KEPT), []],
  'that is of no environment': [contradictedVariable(anInput(AB_ONE), 'it does not match the AB_ONE file'), []],
});
test('why a variable goes', () => {
  assert.equal(inWords(pairedVariable(anInput(ONE), 'set or unset A_ONE and A_TWO')[0]).slice(0, 2), [
    'Remove the variable `A_ONE`',
    'The program wants both or none, and nothing says what the other one should be.',
  ]);
  assert.equal(inWords(contradictedVariable(anInput(AB_ONE), KEPT)[0]).slice(0, 2), [
    'Remove the variable `AB_ONE`',
    'The program then goes on with what its volume has. Where the variable is right, the volume is the wrong one.',
  ]);
});

const misplaced = (line: string, container: object = args('--one', '--two=2')) => misplacedSetting(anInput(container), line);
const WITHOUT_ONE = likely({ args: ['--two=2'] });
for (const line of [
  'flags cannot be used with "--one"',
  'option can not be used in this mode: "--one"',
  'argument(s) must not be used while leading: "--one"',
  'flag may not be used when x: `--one`',
  'options can\'t be used for reading: "--one"',
  '--one cannot be used in standalone mode',
  "'--one' can't be set when it leads",
  '--one may not be specified while it leads',
  '--one must not be given for it',
  '--one can not be used if it leads',
  '--one is only valid in cluster mode',
  '--one flag is only allowed when it leads',
  '--one option is supported only with it',
  '--one is applicable only for it',
  '--one is only available if it leads',
  '--one is permitted only when it leads',
  '--one can only be used with it',
  '--one can only be set when it leads',
  '--one can only be specified if it leads',
])
  rows('a setting in the wrong place', { [line]: [misplaced(line), WITHOUT_ONE] });
rows('a setting in the wrong place', {
  'of Elasticsearch': [
    misplaced('setting [node.name] is not allowed when [discovery.type] is set', env({ X: '1', 'node.name': '2' })),
    likely({ 'env[1]': null }),
  ],
  'that is a variable': [misplaced('A_ONE cannot be set when A_TWO is', ONE), likely({ 'env[1]': null })],
  'that the container does not give': [misplaced('--three cannot be used in it'), []],
  'in another line': [misplaced('--one was used in it'), []],
});
test('why a setting in the wrong place goes', () => {
  const explanation = 'The program names the setting with which it does not start. Where it is wanted, the other setting has to change.';
  assert.equal(inWords(misplaced('--one cannot be used in it')[0]), [
    'Remove the option `--one`',
    explanation,
    'the program does not take it as it runs here',
  ]);
  assert.is(misplaced('A_ONE cannot be set when A_TWO is', ONE)[0]?.explanation, explanation);
});

const exclusive = (line: string, container: object = args('--one=1', '--two=2')) => exclusiveSettings(anInput(container), line);
for (const line of [
  'both --one and --two are set, which are exclusive',
  'Both --one and --two were given but are exclusive',
  'both --one and --two is defined but exclusive',
  'both "--one" and "--two" are specified; they are exclusive',
  "both '--one' and '--two' are provided: exclusive",
  '--one and --two are exclusive',
  '--one and --two is mutually exclusive',
  'argument --one: not allowed with argument -t/--two',
  'cannot set both --one and --two',
  "can't use both --one and --two",
  'can not provide both --one and --two',
  'must not define both --one and --two',
  'may not have both --one and --two',
  'Cannot specify both `--one` and `--two`',
  '--one and --two cannot be set together',
  "--one and --two can't be used at the same time",
  '--one and --two must not be specified together',
  '--one can not be combined with --two',
])
  rows('settings that exclude each other', { [line]: [exclusive(line), guess({ args: ['--one=1'] })] });
const FILES = { ...env({ A_PW: '1', A_PW_FILE: '/s/p' }), volumeMounts: [{ name: 's', mountPath: '/s' }] };
const BOTH = (one: string, two: string) => `${one} and ${two} are exclusive`;
rows('settings that exclude each other', {
  'two variables': [exclusive(BOTH('A_ONE', 'A_TWO'), env({ A_ONE: '1', A_TWO: '2' })), guess({ 'env[1]': null })],
  'a value and its file that a volume brings': [exclusive(BOTH('A_PW', 'A_PW_FILE'), FILES), likely({ 'env[0]': null })],
  'a value and its file that nothing brings': [
    exclusive(BOTH('A_PW', 'A_PW_FILE'), env({ A_PW: '1', A_PW_FILE: '/s/p' })),
    likely({ 'env[1]': null }),
  ],
  'a value and its file, with two underscores': [
    exclusive(BOTH('A_PW', 'A_PW__FILE'), { ...env({ A_PW: '1', A_PW__FILE: '/s/p' }), volumeMounts: [{ name: 's', mountPath: '/s' }] }),
    likely({ 'env[0]': null }),
  ],
  'a value and the file of another one': [
    exclusive(BOTH('B_PW', 'A_PW_FILE'), { ...env({ B_PW: '1', A_PW_FILE: '/s/p' }), volumeMounts: [{ name: 's', mountPath: '/s' }] }),
    guess({ 'env[1]': null }),
  ],
  'a value and the folder of its file': [
    exclusive(BOTH('A_PW', 'A_PW_FILES'), { ...env({ A_PW: '1', A_PW_FILES: '/s/p' }), volumeMounts: [{ name: 's', mountPath: '/s' }] }),
    guess({ 'env[1]': null }),
  ],
  'a file whose path comes from elsewhere': [
    exclusive(BOTH('A_PW', 'A_PW_FILE'), {
      env: [
        { name: 'A_PW', value: '1' },
        { name: 'A_PW_FILE', valueFrom: {} },
      ],
      volumeMounts: FILES.volumeMounts,
    }),
    likely({ 'env[1]': null }),
  ],
  'of which the container does not give the second': [exclusive(BOTH('--one', '--three')), []],
});
test('why one of two settings goes', () => {
  assert.equal(inWords(exclusive(BOTH('--one', '--two'))[0]), [
    'Remove the option `--two=2`',
    'The program takes `--one` or `--two`, but not both: keep the one that is meant.',
    'the program takes `--one` or `--two`',
  ]);
  assert.is(exclusive(BOTH('A_PW', 'A_PW_FILE'), FILES)[0]?.explanation, 'The program takes `A_PW` or `A_PW_FILE`, but not both.');
  assert.equal(exclusiveSettings(anInput({}, {}, { manifest: 'x' }), BOTH('--one', '--two')), []);
});

test.run();
