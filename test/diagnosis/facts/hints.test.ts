import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hintFilter } from '../../../src/diagnosis/facts/hints.ts';
import { SIGNATURES } from '../../../src/diagnosis/rules/signatures/list.ts';

const HINTS = SIGNATURES.flatMap((signature) => signature.hints);

const mayHold = hintFilter(HINTS);

test('no hint that is in a text is ever left out', () => {
  for (const [index, hint] of HINTS.entries()) assert.ok(mayHold(`2026-05-01 error: ${hint}: ünd so weiter 日本`).includes(index), hint);
});

test('nearly every hint that is not there is left out', () => {
  const found = mayHold('2026-05-01t10:00:00z info server listening on port 8080, three workers started\n'.repeat(30));
  assert.ok(found.length < HINTS.length / 10, found.map((index) => HINTS[index]).join());
});

test('a text does not answer for the one before', () => {
  const one = hintFilter(['refused']);
  assert.equal([one('connection refused'), one('served'), one('refused')], [[0], [], [0]]);
});

test('texts and hints that are too short are left to the full search', () => {
  assert.equal(hintFilter(['ab', 'abc'])(''), [0]);
  assert.equal(hintFilter(['abc'])('ab'), []);
});

test('a hint is left out if the text lacks any of its groups of three letters', () => {
  const of = (text: string, ...hints: string[]) => hintFilter(hints)(text);
  assert.equal(of('refuted', 'refused'), [], 'the last groups');
  assert.equal(of('reused', 'refused'), [], 'the first groups');
  assert.equal(of('refsed fused ref', 'refused'), [], 'a group in the middle');
  assert.equal(of('a denied b', 'zz', 'refused', 'denied', 'x', 'nie'), [0, 2, 3, 4], 'the others keep their order');
  assert.equal(of('den', 'den'), [0], 'a text as long as its hint');
  assert.equal(of('xxden', 'den'), [0], 'at the end of a text');
  assert.equal(of('', ''), [0]);
});

test('few groups of letters are taken for others', () => {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(97 + at));
  const words = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
  const mayBe = hintFilter(words);
  for (const text of ['cannot', 'denied', 'exit 1', 'refused'])
    assert.ok(mayBe(text).length < 5 * text.length, `${text}: ${mayBe(text).length}`);
});

test.run();
