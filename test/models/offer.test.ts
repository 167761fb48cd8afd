import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureRecord } from '../../src/contract/failure.ts';
import { createLog } from '../../src/log.ts';
import { holdBack, type OfferDeps, recordOffer } from '../../src/models/offer.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const RECORD = { id: 10, incident_id: 1, namespace: 'shop' } as FailureRecord;

/** Offers the record. Returns what happened, and the record after the wait, if it waits. */
async function offered(
  over: { model?: null; isHeld?: boolean; isFull?: boolean; isAsked?: boolean; isKnown?: boolean; namespace?: string } = {},
) {
  const said: unknown[][] = [];
  const note =
    (what: string, answer?: unknown) =>
    async (...given: unknown[]) => (said.push([what, ...given]), answer);
  const deps = {
    setups: { latest: () => (over.model === null ? undefined : {}) },
    hiddenNamespaces: ['hidden'],
    work: { offer: note('offer') },
    failures: { record: note('record', 'as it is now') },
    queue: { askNext: note('ask', over.isAsked ?? true), underWay: note('join') },
    workers: { wake: () => void said.push(['wake']) },
    delivery: { giveKnown: note('give', over.isKnown ?? false) },
    waiting: { wait: (id: number, work: () => Promise<void>) => (over.isFull ? undefined : (said.push(['wait', id]), work())) },
    hold: { isActive: () => over.isHeld ?? false },
    ...{ now: () => NOW, log: createLog({ level: 'silent' }) },
  } as unknown as OfferDeps;
  const record = { ...RECORD, namespace: over.namespace ?? 'shop' };
  const waited = recordOffer(deps)(record);
  const shown = await waited;
  // What is not waited for ends within this turn.
  await new Promise((resolve) => setImmediate(resolve));
  const textOf = (one: unknown) => (one === NOW ? ' now' : typeof one === 'number' ? ` ${one}` : '');
  return { shown, said: said.map(([what, ...given]) => String(what) + given.map(textOf).join('')) };
}

const cases: [says: string, over: Parameters<typeof offered>[0], said: string[], shown: unknown][] = [
  ['without a model', { model: null }, [], undefined],
  ['in a hidden namespace', { namespace: 'hidden' }, [], undefined],
  ['it waits for its question', {}, ['wait 10', 'offer 1 10 now', 'ask 1', 'record 10'], 'as it is now'],
  [
    'it joins a running question',
    { isAsked: false },
    ['wait 10', 'offer 1 10 now', 'ask 1', 'join 1', 'give', 'record 10'],
    'as it is now',
  ],
  ['while a limit holds back, it is asked later', { isHeld: true }, ['offer 1 10 now', 'give', 'wake'], undefined],
  ['while too many wait, it is asked later', { isFull: true }, ['offer 1 10 now', 'give', 'wake'], undefined],
  ['an answer that the incident has needs no question', { isFull: true, isKnown: true }, ['offer 1 10 now', 'give'], undefined],
];
for (const [says, over, said, shown] of cases)
  test(`a new record: ${says}`, async () => {
    const it = await offered(over);
    assert.equal([it.said, it.shown], [said, shown]);
  });

test('a limit holds back until the latest time that was said, or until an answer came', () => {
  let now = NOW;
  const hold = holdBack(() => now);
  assert.is(hold.isActive(), false);
  hold.extend(new Date(NOW.getTime() + 10));
  hold.extend(new Date(NOW.getTime() + 5));
  now = new Date(NOW.getTime() + 9);
  assert.is(hold.isActive(), true);
  now = new Date(NOW.getTime() + 10);
  assert.is(hold.isActive(), false);
  hold.extend(new Date(NOW.getTime() + 99));
  hold.clear();
  assert.is(hold.isActive(), false);
});

test.run();
