import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BREAKER_FAILURES, breakerOpenUntil } from '../../src/db/model-circuit-breaker.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const after = (seconds: number): Date => new Date(T0.getTime() + seconds * 1000);

const ROWS: [what: string, failures: number, last: Date | null, running: number, until: Date | undefined][] = [
  ['no call yet', 0, null, 0, undefined],
  ['one failure too few', 4, after(-1), 3, undefined],
  ['enough failures', 5, after(-1), 0, after(59)],
  ['more failures, and calls under way', 9, T0, 3, after(60)],
  ['the last failure a minute ago', 5, after(-60), 0, undefined],
  ['the last failure nearly a minute ago', 5, after(-59), 0, after(1)],
  ['a call under way after the minute', 5, after(-60), 1, after(60)],
  ['failures whose time is unknown', 5, null, 0, undefined],
];
for (const [what, failures, last_failure, running, until] of ROWS)
  test(`${what}: ${until ? 'held back' : 'asked'}`, () => assert.equal(breakerOpenUntil({ failures, last_failure, running }, T0), until));

test('five failures open the circuit breaker', () => assert.is(BREAKER_FAILURES, 5));

test.run();
