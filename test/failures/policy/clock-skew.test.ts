import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { observedAt } from '../../../src/failures/policy/clock-skew.ts';

const NOW = new Date('2026-05-01T10:00:00Z');
const at = (seconds: number): string => new Date(NOW.getTime() + seconds * 1000).toISOString();
const sent = (seconds: number): string => new Date(NOW.getTime() + seconds * 1000).toUTCString();
const observed = suite('when something was seen');

const CASES: Record<string, [told: string | undefined, sent: string | undefined, seconds: number]> = {
  'as it is told': [at(-300), sent(0), -300],
  'a clock with a small error is trusted, so that order is kept': [at(-50), sent(-40), -50],
  'never in the future': [at(20), sent(20), 0],
  'a clock that is an hour slow is corrected': [at(-3_610), sent(-3_600), -10],
  'a clock that is an hour fast is corrected': [at(3_500), sent(3_600), -100],
  'a sender without a Date header is trusted': [at(-3_610), undefined, -3_610],
  'an error of exactly a minute is trusted': [at(-70), sent(-60), -70],
  'an error of more than a minute is corrected': [at(-71), sent(-61), -10],
  'nothing told': [undefined, sent(0), 0],
  'nonsense told': ['yesterday', sent(0), 0],
  'nonsense for a date': [at(-5), 'now', -5],
};
for (const [sentence, [told, date, seconds]] of Object.entries(CASES)) {
  observed(sentence, () => assert.is(observedAt(told, date, NOW).toISOString(), at(seconds)));
}
observed('never before 1970', () =>
  assert.is(observedAt('1969-12-31T23:00:00Z', undefined, NOW).toISOString(), '1970-01-01T00:00:00.000Z'),
);
observed.run();
