import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { below, detailOf, objectOf, read, retryAfterMs } from '../../../src/notifications/types/answers.ts';

const test = suite('answers of services');

const NOW = new Date('2026-05-01T10:00:00Z');
const DAY_MS = 86_400_000;

const REASONS: [status: number, reason: string | undefined][] = [
  [199, 'Refused'],
  [200, undefined],
  [299, undefined],
  [300, 'Redirected'],
  [399, 'Redirected'],
  [400, 'Refused'],
  [401, 'CredentialsRefused'],
  [403, 'CredentialsRefused'],
  [404, 'NoSuchChannel'],
  [408, 'Timeout'],
  [410, 'NoSuchChannel'],
  [413, 'TooLarge'],
  [422, 'Refused'],
  [429, 'RateLimited'],
  [499, 'Refused'],
  [500, 'ServiceError'],
  [503, 'ServiceError'],
];
for (const [status, reason] of REASONS)
  test(`status ${status} is ${reason ?? 'a delivery'}`, () => {
    const outcome = read({ status, headers: {}, body: 'no\nway' }, NOW);
    if (reason) assert.equal(outcome, { ok: false, reason, detail: `HTTP ${status} no way` });
    else assert.equal(outcome, { ok: true, state: 'delivered' });
  });

const WAITS: [value: string | undefined, ms: number | undefined][] = [
  [undefined, undefined],
  ['30', 30_000],
  [' 1.5 ', 1500],
  ['0', 0],
  ['86401', DAY_MS],
  ['Fri, 01 May 2026 10:01:00 GMT', 60_000],
  ['Fri, 01 May 2026 09:59:00 GMT', 0],
  ['Sun, 03 May 2026 10:00:00 GMT', DAY_MS],
  ['soon', undefined],
];
for (const [value, ms] of WAITS) test(`Retry-After of ${value} is ${ms} ms`, () => assert.is(retryAfterMs(value, NOW), ms));

test('a wait is part of the outcome', () => {
  const outcome = read({ status: 429, headers: { 'retry-after': '30' }, body: '' }, NOW);
  assert.is('retryAfterMs' in outcome && outcome.retryAfterMs, 30_000);
});

test('an answer is an object, or is none', () => {
  for (const body of ['[1]', 'null', '7', '"x"', 'no JSON', '']) assert.equal(objectOf(body), {}, body);
  assert.equal(objectOf('{"a":1}'), { a: 1 });
});

test('details are short, and paths have one slash', () => {
  assert.ok(detailOf(500, 'x'.repeat(1000)).length <= 300);
  assert.equal(
    ['http://a', 'http://a/', 'http://a//'].map((address) => below(address, 'b')),
    Array(3).fill('http://a/b'),
  );
});

test.run();
