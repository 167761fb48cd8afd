import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { setCondition } from '../../src/crd/condition.ts';
import type { Condition } from '../../src/crd/kubernetes.ts';

const early = new Date('2026-01-01T00:00:00.500Z');
const later = new Date('2026-01-01T00:01:00.000Z');
const ready = { type: 'Ready', status: 'False', reason: 'Waiting', message: 'It waits.' } as const;
const before: Condition[] = [{ ...ready, lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: 1 }];

test('a new condition begins now, in whole seconds', () => {
  assert.equal(setCondition([], ready, early, 1), before);
});

const cases: { says: string; change: Partial<Condition>; generation: number; time: string }[] = [
  { says: 'the same again changes nothing', change: {}, generation: 1, time: '2026-01-01T00:00:00Z' },
  { says: 'another reason keeps the time', change: { reason: 'Slow' }, generation: 1, time: '2026-01-01T00:00:00Z' },
  { says: 'another generation keeps the time', change: {}, generation: 2, time: '2026-01-01T00:00:00Z' },
  { says: 'another status moves the time', change: { status: 'True' }, generation: 1, time: '2026-01-01T00:01:00Z' },
];
for (const { says, change, generation, time } of cases)
  test(says, () => {
    const [next] = setCondition(before, { ...ready, ...change }, later, generation);
    assert.equal(next, { ...ready, ...change, lastTransitionTime: time, observedGeneration: generation });
  });

test('an unchanged condition is the same object, and the others stay in their places', () => {
  const two = setCondition(before, { ...ready, type: 'Fixed' }, later);
  assert.equal(
    two.map(({ type }) => type),
    ['Ready', 'Fixed'],
  );
  assert.is(setCondition(two, ready, later, 1)[0], before[0]);
  assert.is(before.length, 1);
});

test.run();
