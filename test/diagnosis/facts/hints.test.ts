import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hintFilter } from '../../../src/diagnosis/facts/hints.ts';
import { SIGNATURES } from '../../../src/diagnosis/rules/signatures/list.ts';

const HINTS = SIGNATURES.flatMap((signature) => signature.hints);

test('no hint that is in a text is ever denied', () => {
  for (const hint of HINTS) assert.ok(hintFilter(`2026-05-01 error: ${hint}: ünd so weiter 日本`)(hint), hint);
});

test('nearly every hint that is not there is denied', () => {
  const mayHold = hintFilter('2026-05-01t10:00:00z info server listening on port 8080, three workers started\n'.repeat(30));
  assert.ok(HINTS.filter(mayHold).length < HINTS.length / 10, HINTS.filter(mayHold).join());
});

test('texts and hints too short to tell are left to the search', () => {
  assert.is(hintFilter('')('ab'), true);
  assert.is(hintFilter('ab')('abc'), false);
});

test.run();
