import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ofKey, ofOddKey } from '../../../../src/diagnosis/rules/setting-behind/keys.ts';
import { CORRECT_THE_CODE } from '../../../../src/diagnosis/rules/signatures/in-the-code.ts';
import { explainedLine, type Sort } from '../../../support/builders/explained.ts';
import { FAULTS, fromSecret } from './faults.ts';

const test = suite('a key behind a line');

const key = (says: string, culprit: string | null = null) => ofKey(explainedLine({ ...FAULTS.ofKey, says }, 'other', { culprit }));
for (const words of [
  'invalid',
  'Incorrect',
  'malformed',
  'wrong',
  'bad',
  'unauthorized',
  'unauthorised',
  'not accepted',
  'not valid',
  'expired',
  'must be longer',
  'too short',
  'too long',
])
  test(`a value from a key is not taken: ${words}`, () =>
    assert.is(key(`API key: ${words}`)?.culprit, 'STRIPE_API_KEY (key k of Secret stripe)'));
test('a value from a key is not taken, as the culprit says', () => assert.ok(key('it is invalid', 'API key')));
test('a value from a key that nothing is said of', () => {
  assert.is(key('API key is missing'), undefined);
  assert.is(key('API key is too old'), undefined);
  assert.is(key('API key is invalidated'), undefined, 'another word');
  assert.is(key('it is invalid'), undefined, 'another value');
  assert.is(key('invalid API key', 'STRIPE_API_KEY from key k'), undefined, 'a culprit with its key');
});
test('a value from a key is no bug of the program', () => {
  const found = ofKey(explainedLine(FAULTS.ofKey, 'code', { advice: ['First.', `${CORRECT_THE_CODE} See it.`, 'Last.'], inCode: true }));
  assert.equal(found?.advice.slice(0, -1), ['First.', 'Last.']);
  assert.match(found?.advice.at(-1) ?? '', '`STRIPE_API_KEY` comes from');
  assert.is(found?.inCode, false);
});

const odd = (name: string, says: string, sort: Sort, culprit: string | null = null) => {
  const around = { surroundings: { secrets: [{ name: 'm', keys: ['x', name.toLowerCase().replaceAll('_', '-')] }] } };
  const found = ofOddKey(explainedLine({ says, container: { env: [fromSecret(name, 'm', 'x')] }, parts: around }, sort, { culprit }));
  return found?.corrections?.[0]?.confidence;
};
test('another key than the variable says, and how sure that is', () => {
  for (const sort of ['general', 'code', 'cloud'] as const) {
    assert.is(odd('MQ_PASSWORD', 'it failed', sort), 'guess', sort);
    assert.is(odd('MQ_PASSWORD', 'it is invalid', sort), 'likely', sort);
    assert.is(odd('MQ_PASSWORD', 'it failed', sort, 'no MQ_PASSWORD'), 'likely', sort);
  }
  for (const sort of ['login', 'credentials'] as const) assert.is(odd('MQ_PASSWORD', 'it failed', sort), 'likely', sort);
  assert.is(odd('MQ_PASSWORD', 'it failed', 'other', 'MQ_PASSWORD: bad'), 'likely', 'a line of any sort names it');
  assert.is(odd('MQ_PASSWORD', 'it is invalid', 'other', 'MQ_USER: bad'), undefined);
});
for (const name of [
  'MQ_PASSWORD',
  'MQ_PASS',
  'MQ_PWD',
  'MQ_USER',
  'MQ_TOKEN',
  'MQ_SECRET',
  'MQ_API_KEY',
  'MQ_AUTH',
  'MQ_URL',
  'MQ_URI',
  'MQ_DSN',
  'MQ_CONNECTION',
])
  test(`a program logs in with ${name}`, () => assert.is(odd(name, 'it failed', 'login'), 'likely'));
test('a program does not log in with the name of a queue', () => {
  assert.equal([odd('MQ_QUEUE', 'it failed', 'login'), odd('MQ_QUEUE', 'it failed', 'login', 'MQ_QUEUE')], [undefined, undefined]);
  assert.is(odd('MQ_QUEUE', 'it failed', 'general'), 'guess');
});

test.run();
