import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerEvidence, EventEvidence } from '../../../src/contract/failure.ts';
import { briefEvidence } from '../../../src/failures/policy/brief.ts';
import { aCrash } from '../../support/builders/report.ts';

const events = (count: number, message = 'Back-off', more: Partial<EventEvidence> = {}): EventEvidence[] =>
  Array.from({ length: count }, (_, n) => ({ type: 'Warning', reason: `R${n}`, message, ...more }));
const statuses = (count: number, message = 'waits'): ContainerEvidence[] =>
  Array.from({ length: count }, (_, n) => ({ ...aCrash(1, `app-${n}`), message, last_state: { state: 'terminated', message } }));

test('what fits a list is shown whole', () => {
  for (const [few, some] of [
    [0, 0],
    [5, 3],
    [1, 10],
  ] as const) {
    assert.is(briefEvidence(events(few), statuses(some)), null);
  }
});

test('of many events the newest five are shown as they are', () => {
  const all = events(12);
  assert.equal(briefEvidence(all, statuses(1)), { events: all.slice(-5), container_statuses: statuses(1) });
});

test('long texts are shortened before statuses are left out', () => {
  const brief = briefEvidence(events(2, 'm'.repeat(4_000)), statuses(2, 's'.repeat(4_000)));
  assert.equal([brief?.events.length, brief?.container_statuses.length], [2, 2]);
  assert.match(brief?.events[0]?.message ?? '', /^m+…$/);
  assert.match(brief?.container_statuses[1]?.last_state?.message ?? '', /^s+…$/);
});

for (const [what, shown, held] of [
  ['many statuses', events(0), statuses(50)],
  ['long messages', events(100, 'x'.repeat(4_096)), statuses(50, 'y'.repeat(5_000))],
  ['characters that JSON writes with six', events(5, '\u0001'.repeat(1_000)), statuses(50, '\u0001'.repeat(1_000))],
  [
    'every field long',
    events(5, '字'.repeat(1_000), { source: '字'.repeat(80), timestamp: 'n'.repeat(253) }),
    statuses(8, '😀'.repeat(500)),
  ],
  ['names of 253 letters', events(1), statuses(50).map((status) => ({ ...status, name: '字'.repeat(253) }))],
] as const) {
  test(`${what}: never more than 8 KiB are shown, and something of both`, () => {
    const brief = briefEvidence([...shown], [...held]);
    assert.ok(brief && Buffer.byteLength(JSON.stringify(brief)) <= 8_192);
    assert.ok(brief.container_statuses.length > 0 && brief.events.length === Math.min(5, shown.length));
    assert.ok(JSON.stringify(brief).isWellFormed() && !JSON.stringify(brief).includes('\\ud83d'), 'no half of a character');
  });
}

test('evidence is shown whole exactly when its JSON fits a list', () => {
  for (const character of ['x', '"', '\\', '\u0001', 'é', '字', '😀', '\ud83d']) {
    for (let length = 500; length <= 2_000; length += 75) {
      const [shown, held] = [events(5, character.repeat(length)), statuses(2, character)];
      const isWhole = briefEvidence(shown, held) === null;
      const bytes = Buffer.byteLength(JSON.stringify({ events: shown, container_statuses: held }));
      assert.is(isWhole, bytes <= 8_192, `${length} × ${JSON.stringify(character)}: ${bytes} bytes`);
    }
  }
});

test('texts are cut no shorter than a list needs', () => {
  const lengths = (all: EventEvidence[]) => briefEvidence(all, [])?.events.map(({ message }) => message?.length);
  assert.equal(lengths(events(5, 'm'.repeat(2_000))), [1_024, 1_024, 1_024, 1_024, 1_024]);
  assert.equal(lengths(events(5, 'é'.repeat(2_000))), [256, 256, 256, 256, 256]);
});

test.run();
