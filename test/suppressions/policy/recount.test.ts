import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideRecords, type RecordsDecision, type RecordsView } from '../../../src/suppressions/policy/recount.ts';

const now = new Date('2026-06-01T12:00:00Z');
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
const seen = (fingerprint: string, seconds: number) => ({ fingerprint, at: ago(seconds) });

const cases: [says: string, view: Partial<RecordsView>, expected: RecordsDecision][] = [
  ['a new one, before anything was applied', {}, 'apply'],
  ['a new one, although all others are applied', { applied: { at: ago(1), fingerprint: undefined } }, 'apply'],
  ['one that is applied and counted', { counted: seen('a', 299), applied: seen('a', 299) }, 'keep'],
  ['one whose count is five minutes old', { counted: seen('a', 300), applied: seen('a', 300) }, 'apply'],
  ['one whose count is due, while another one’s count is fresh', { counted: seen('a', 300), applied: seen('a', 59) }, 'count'],
  ['one whose count is due, while another one’s is a minute old', { counted: seen('a', 300), applied: seen('a', 60) }, 'apply'],
  ['one that changed since it was applied', { counted: seen('before', 1), applied: seen('before', 1) }, 'apply'],
  ['one that changed, and was applied so for another', { counted: seen('before', 1), applied: seen('a', 1) }, 'count'],
  ['a count of the future: the clock was set back', { counted: seen('a', -3600), applied: seen('a', -3600) }, 'apply'],
  ['one that is gone, and was applied', { fingerprint: undefined, applied: seen('a', 1) }, 'apply'],
  [
    'one that is gone, and came after all were applied',
    { fingerprint: undefined, applied: { at: ago(1), fingerprint: undefined } },
    'keep',
  ],
  ['one that is gone, before anything was applied', { fingerprint: undefined }, 'apply'],
];
for (const [says, view, expected] of cases)
  test(`${says}: ${expected}`, () => {
    assert.is(decideRecords({ fingerprint: 'a', counted: undefined, applied: undefined, now, ...view }), expected);
  });

test.run();
