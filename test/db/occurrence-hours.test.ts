import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { hourlyCounts } from '../../src/db/occurrence-hours.ts';
import { aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';

const at = (time: string): Date => new Date(`2026-05-02T${time}Z`);

for (const engine of engines('occurrences by hour')) {
  const store = await engine.open();
  const { db } = store;
  const reports = reportRepository(db);
  const failures = failureRepository(db);
  const hoursOf = async (incident: number, now: Date) => {
    const { id } = await db.selectFrom('failures').select('id').where('incident_id', '=', incident).executeTakeFirstOrThrow();
    return hourlyCounts((await failures.page(id, now))?.hours ?? null);
  };
  let runs = 0;
  const failed = async (time: string, over: Partial<ReturnType<typeof aReportRow>> = {}): Promise<number> => {
    const [stored] = await reports.store([aReportRow({ now: at(time).toISOString(), occurrence_key: `app|${++runs}|${time}`, ...over })]);
    return stored!.record.incident_id;
  };
  /** The hours with occurrences: how many hours ago, and the count. */
  const counted = async (incident: number, time: string): Promise<[number, number][]> => {
    const counts = await hoursOf(incident, at(time));
    assert.is(counts.length, 24);
    return counts.flatMap((count, index): [number, number][] => (count > 0 ? [[23 - index, count]] : []));
  };

  const test = suite(`occurrences by hour on ${engine.name}`);
  test.before.each(async () => {
    for (const table of ['failures', 'incidents'] as const) await db.deleteFrom(table).execute();
  });
  test.after(() => store.close());

  test('each occurrence counts in its hour, and a resend counts nowhere', async () => {
    const incident = await failed('10:00:00');
    assert.equal(await counted(incident, '10:30:00'), [[0, 1]]);
    await failed('10:59:59');
    await failed('11:00:00');
    await failed('11:30:00', { occurrence_key: `app|${runs}|11:00:00` });
    await failed('14:00:00');
    assert.equal(await counted(incident, '14:10:00'), [
      [4, 2],
      [3, 1],
      [0, 1],
    ]);
  });

  test('a late report counts in its own hour', async () => {
    const incident = await failed('10:00:00');
    await failed('08:20:00');
    await failed('08:40:00');
    assert.equal(await counted(incident, '10:00:00'), [
      [2, 2],
      [0, 1],
    ]);
  });

  test('counts in any order of hours are the same as of a plain count', async () => {
    const hours = [5, 5, 3, 4, 9, 1, 8, 8, 7, 3, 9, 0, 2, 2, 9];
    let incident = 0;
    for (const hour of hours) incident = await failed(`0${hour}:10:00`);
    const expected = [...new Set(hours)]
      .toSorted((one, other) => one - other)
      .map((hour): [number, number] => [9 - hour, hours.filter((other) => other === hour).length]);
    assert.equal(await counted(incident, '09:20:00'), expected);
    const { occurrence_counts } = await db.selectFrom('failures').select('occurrence_counts').executeTakeFirstOrThrow();
    assert.is(occurrence_counts.length, 10, 'no longer than the oldest hour needs');
  });

  test('a jump of 23 hours keeps the first hour, one of 24 forgets it, and what is older than a day counts nowhere', async () => {
    const first = new Date(at('10:00:00').getTime() - 23 * 3_600_000).toISOString();
    const older = new Date(at('10:00:00').getTime() - 24 * 3_600_000).toISOString();
    const incident = await failed('10:00:00', { now: first });
    await failed('10:00:00');
    assert.equal(await counted(incident, '10:00:00'), [
      [23, 1],
      [0, 1],
    ]);
    await failed('10:00:00', { now: older });
    assert.equal(await counted(incident, '10:00:00'), [
      [23, 1],
      [0, 1],
    ]);
    await failed('11:00:00');
    assert.equal(await counted(incident, '11:00:00'), [
      [1, 1],
      [0, 1],
    ]);
    const { occurrence_counts } = await db.selectFrom('failures').select('occurrence_counts').executeTakeFirstOrThrow();
    assert.equal(occurrence_counts, [1, 1, ...Array<number>(22).fill(0)]);
  });

  test('after a day an hour is forgotten, and more than a day later all of them', async () => {
    const incident = await failed('00:10:00');
    await failed('12:00:00');
    const next = (time: string): Date => new Date(at(time).getTime() + 24 * 3_600_000);
    const shown = (now: Date) => hoursOf(incident, now);
    assert.equal((await shown(at('23:59:00'))).at(0), 1);
    assert.is((await shown(next('00:00:00'))).indexOf(1), 11, 'only the second is left');
    assert.not((await shown(next('12:00:00'))).includes(1));
  });

  test('all pods of the incident count, also those that are gone', async () => {
    const incident = await failed('10:00:00');
    const other = { identity: 'uid-web-2', pod_uid: 'uid-web-2', pod_name: 'web-2' };
    assert.is(await failed('10:05:00', other), incident);
    await db
      .updateTable('failures')
      .set({ closed_at: at('10:06:00'), status: 'resolved' })
      .where('pod_name', '=', 'web-2')
      .execute();
    assert.equal(await counted(incident, '10:10:00'), [[0, 2]]);
  });

  test('records of earlier versions begin to count with their next occurrence', async () => {
    const incident = await failed('10:00:00');
    await db.updateTable('failures').set({ occurrence_hour: null, occurrence_counts: [] }).execute();
    assert.equal(await counted(incident, '10:10:00'), []);
    await failed('10:20:00');
    assert.equal(await counted(incident, '10:30:00'), [[0, 1]]);
  });

  test.run();
}
