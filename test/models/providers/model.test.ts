import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { errorOf } from '../../../src/models/providers/model.ts';

// What a status other than 200 means, whichever provider answers it. Nothing of the answer is repeated except the kind of its error.

const test = suite('errors of providers');

const KEY = 'The provider refuses the key: ';
const NO_MODEL = 'The provider does not know the model: ';
const TROUBLE = 'The provider has trouble of its own: ';
const NOT_TAKEN = 'The provider does not take the question: ';
const REDIRECT = (status: number): string =>
  `The address answers with a redirect (${status}), which is not followed: name where it leads to`;
const of = (error: object): string => JSON.stringify({ error });

for (const [status, body, reason, message] of [
  [401, of({ code: 'invalid_api_key', type: 'auth' }), 'unauthorized', `${KEY}401 (invalid_api_key)`],
  [403, of({ type: 'permission_error', status: 'DENIED' }), 'unauthorized', `${KEY}403 (permission_error)`],
  [400, of({ message: 'API key not valid', status: 'INVALID_ARGUMENT' }), 'unauthorized', `${KEY}400 (INVALID_ARGUMENT)`],
  [400, of({ message: 'api_key_invalid', code: 400 }), 'unauthorized', `${KEY}400`],
  [...([404, '', 'unknown-model'] as const), 'The provider does not know the model, or the address is not its interface: 404'],
  [400, of({ code: 'model_not_found' }), 'unknown-model', `${NO_MODEL}400 (model_not_found)`],
  [400, of({ message: 'the model does not exist' }), 'unknown-model', `${NO_MODEL}400`],
  [429, of({ type: 'rate_limit_error' }), 'rate-limited', 'The provider wants fewer questions: 429 (rate_limit_error)'],
  [500, '', 'server', `${TROUBLE}500`],
  [529, of({ type: 'overloaded_error' }), 'server', `${TROUBLE}529 (overloaded_error)`],
  [300, '', 'bad-request', REDIRECT(300)],
  [399, '', 'bad-request', REDIRECT(399)],
  [299, '', 'bad-request', `${NOT_TAKEN}299`],
  [499, '', 'bad-request', `${NOT_TAKEN}499`],
  [400, of({ code: 'a secret sentence', type: 'x'.repeat(61) }), 'bad-request', `${NOT_TAKEN}400`],
  [400, of({ code: 'ab', type: 'x'.repeat(60) }), 'bad-request', `${NOT_TAKEN}400 (${'x'.repeat(60)})`],
  [400, of({ type: 'odd1' }), 'bad-request', `${NOT_TAKEN}400`],
  [400, '{"error": "broken"}', 'bad-request', `${NOT_TAKEN}400`],
  [400, '<h1>no JSON</h1>', 'bad-request', `${NOT_TAKEN}400`],
] as [number, string, string, string][])
  test(`${status} ${body || 'without a body'} is ${reason}`, () => {
    const error = errorOf(status, {}, body);
    assert.equal([error.reason, error.message], [reason, message]);
  });

for (const [text, ms] of [
  [undefined, undefined],
  ['0', 0],
  ['1.5', 1_500],
  ['3600', 3_600_000],
  ['3601', 3_600_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', undefined],
] as [string | undefined, number | undefined][])
  test(`Retry-After ${text ?? 'that is absent'} is ${ms === undefined ? 'no time' : `${ms} ms`}`, () => {
    const headers: Record<string, string> = text === undefined ? {} : { 'retry-after': text };
    for (const status of [429, 503]) assert.is(errorOf(status, headers, '').retryAfterMs, ms);
    assert.is(errorOf(400, headers, '').retryAfterMs, undefined);
  });

test.run();
