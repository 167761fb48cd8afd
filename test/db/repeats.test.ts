import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failureRepository } from '../../src/db/failures.ts';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { type Repeat, repeatNoter } from '../../src/db/repeats.ts';
import { aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const minutes = (count: number): string => new Date(T0.getTime() + count * 60_000).toISOString();

for (const engine of engines('repeated reports')) {
  const store = await engine.open();
  const { db } = store;
  const note = repeatNoter(db);
  const test = suite(`repeated reports on ${engine.name}`);
  test.before.each(async () => {
    for (const table of ['failures', 'incidents'] as const) await db.deleteFrom(table).execute();
  });
  test.after(() => store.close());

  const stored = async (name: string, over: Parameters<typeof aReportRow>[0] = {}): Promise<number> => {
    const [one] = await reportRepository(db).store([
      aReportRow({ identity: name, pod_uid: name, pod_name: name, now: minutes(5), ...over }),
    ]);
    return one!.record.id;
  };
  const again = (repeats: number, over: Partial<Repeat> = {}): Repeat => ({
    ...{ repeats, family: 'crash', failure_reason: 'CrashLoopBackOff', occurrence_key: 'app|1|' },
    ...{ now: minutes(9), suppressed_by: null, announced_at: null, ...over },
  });
  const times = async (id: number) => {
    const row = await db
      .selectFrom('failures')
      .select(['timestamp', 'last_seen', 'announced_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return [row.timestamp, row.last_seen, row.announced_at].map((at) => (at === null ? null : (at.getTime() - T0.getTime()) / 60_000));
  };

  test('a record is seen again, at the latest and the earliest time that anybody saw it', async () => {
    const id = await stored('web-1');
    assert.equal(await times(id), [5, 5, null]);
    await note([again(id)]);
    assert.equal(await times(id), [5, 9, null]);
    await note([again(id, { now: minutes(2), announced_at: minutes(3) })]);
    assert.equal(await times(id), [2, 9, 3]);
    await note([again(id)]);
    assert.equal(await times(id), [2, 9, 3], 'what is not said stays');
  });

  test('the records are returned by their ids as lists show them, with what hides them now', async () => {
    const [one, other] = [await stored('web-1'), await stored('web-2')];
    const noted = await note([again(one, { suppressed_by: 'quiet' }), again(other), again(other + 1000)]);
    assert.equal(new Set(noted.keys()), new Set([one, other]));
    for (const [id, record] of noted) assert.equal(record, await failureRepository(db).record(id));
    assert.equal([noted.get(one)?.suppressed_by, noted.get(other)?.suppressed_by], ['quiet', null]);
    assert.equal(await note([]), new Map());
  });

  test('a report that says anything new is no repeat', async () => {
    const id = await stored('web-1');
    const due = await stored('web-2', { logs: 'log not available yet: it is being read' });
    const closed = await stored('web-3');
    await failureRepository(db).close([closed], new Date(minutes(5)));
    const NEWS: [what: string, repeat: Repeat][] = [
      ['another family', again(id, { family: 'image' })],
      ['another reason', again(id, { failure_reason: 'OOMKilled' })],
      ['another occurrence', again(id, { occurrence_key: 'app|2|' })],
      ['a log that was due', again(due)],
      ['a record that is closed', again(closed)],
    ];
    for (const [what, repeat] of NEWS) {
      assert.is((await note([repeat])).size, 0, what);
      assert.is((await times(repeat.repeats))[1], 5, what);
    }
  });

  test('a record without a log is repeated like any other', async () => {
    const id = await stored('web-1', { logs: null });
    assert.is((await note([again(id)])).size, 1);
  });

  test.run();
}
