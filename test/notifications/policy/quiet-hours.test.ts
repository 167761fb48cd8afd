import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { QuietHours } from '../../../src/crd/notificationprovider.ts';
import { quietUntil } from '../../../src/notifications/policy/quiet-hours.ts';

const quiet = suite('quiet hours');
const night: QuietHours = { from: '22:00', to: '08:00', timeZone: 'Europe/Berlin' };
const weekend: QuietHours = { days: ['Sat', 'Sun'], from: '00:00', to: '00:00', timeZone: 'UTC' };

// Berlin is UTC+1 in winter and UTC+2 in summer. Clocks go forward on 2026-03-29 at 02:00 and back on 2026-10-25 at 03:00.
const CASES: [says: string, hours: QuietHours[], now: string, until: string | null][] = [
  ['no hours are never quiet', [], '2026-01-10T23:00:00Z', null],
  ['before the first minute', [night], '2026-01-10T20:59:59Z', null],
  ['at the first minute', [night], '2026-01-10T21:00:00Z', '2026-01-11T07:00:00Z'],
  ['after midnight', [night], '2026-01-11T03:30:12Z', '2026-01-11T07:00:00Z'],
  ['at the last minute it is over', [night], '2026-01-11T07:00:00Z', null],
  ['in summer time', [night], '2026-07-10T20:30:00Z', '2026-07-11T06:00:00Z'],
  ['the night in which clocks go forward ends at 8 all the same', [night], '2026-03-28T22:00:00Z', '2026-03-29T06:00:00Z'],
  ['the night in which clocks go back ends at 8 all the same', [night], '2026-10-24T21:00:00Z', '2026-10-25T07:00:00Z'],
  ['within a day', [{ from: '12:00', to: '13:00', timeZone: 'UTC' }], '2026-01-10T12:15:00Z', '2026-01-10T13:00:00Z'],
  ['within a day, before it', [{ from: '12:00', to: '13:00', timeZone: 'UTC' }], '2026-01-10T11:59:59Z', null],
  ['within a day, at its end', [{ from: '12:00', to: '13:00', timeZone: 'UTC' }], '2026-01-10T13:00:00Z', null],
  ['within a day, on another day', [{ days: ['Sun'], from: '12:00', to: '13:00', timeZone: 'UTC' }], '2026-01-10T12:15:00Z', null],
  ['the morning of the day on which it begins', [{ ...night, days: ['Sat'] }], '2026-01-10T03:00:00Z', null],
  ['the evening of the day on which it begins', [{ ...night, days: ['Sat'] }], '2026-01-10T22:00:00Z', '2026-01-11T07:00:00Z'],
  ['a day on which it does not begin', [{ ...night, days: ['Mon'] }], '2026-01-10T22:00:00Z', null],
  ['the morning after a day on which it began', [{ ...night, days: ['Fri'] }], '2026-01-10T03:00:00Z', '2026-01-10T07:00:00Z'],
  ['two whole days are one time', [weekend], '2026-01-10T05:00:00Z', '2026-01-12T00:00:00Z'],
  [
    'times that follow each other are one',
    [night, { from: '08:00', to: '09:30', timeZone: 'Europe/Berlin' }],
    '2026-01-10T23:00:00Z',
    '2026-01-11T08:30:00Z',
  ],
  ['a zone with half an hour', [{ from: '22:00', to: '06:00', timeZone: 'Asia/Kolkata' }], '2026-01-10T17:00:00Z', '2026-01-11T00:30:00Z'],
  ['a zone that nobody knows is never quiet', [{ ...night, timeZone: 'Mars/Olympus' }], '2026-01-10T23:00:00Z', null],
];
for (const [says, hours, now, until] of CASES) {
  quiet(says, () => {
    assert.is(quietUntil(hours, new Date(now))?.toISOString() ?? null, until === null ? null : new Date(until).toISOString());
  });
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
for (const [number, day] of DAYS.entries())
  quiet(`hours of ${day} are on that day alone`, () => {
    // 2026-01-04 is a Sunday.
    const noons = DAYS.map((_, at) =>
      quietUntil([{ days: [day], from: '12:00', to: '13:00', timeZone: 'UTC' }], new Date(Date.UTC(2026, 0, 4 + at, 12))),
    );
    assert.equal(
      noons.map((until) => until !== null),
      DAYS.map((_, at) => at === number),
    );
  });

quiet('hours without an end do not hang', () => {
  const always: QuietHours = { from: '00:00', to: '00:00', timeZone: 'UTC' };
  assert.ok((quietUntil([always], new Date('2026-01-10T00:00:00Z'))?.getTime() ?? 0) > Date.parse('2026-02-01T00:00:00Z'));
});

quiet.run();
