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

test.run();
