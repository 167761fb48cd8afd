import { type Kysely, sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failureRepository } from '../../../src/db/failures.ts';
import { reportRepository } from '../../../src/db/failure-reports.ts';
import { up } from '../../../src/db/migrations/011-brief-records.ts';
import { aReportRow } from '../../support/builders/report.ts';
import { readList } from '../../support/database/read-list.ts';
import { engines } from '../../support/database/store.ts';

for (const engine of engines('records from before they had a short form')) {
  const test = suite(`records from before they had a short form, on ${engine.name}`);

  test('lists show the newest five of their events, the record all of them', async () => {
    const { db, close } = await engine.open();
    const failures = failureRepository(db);
    const events = (count: number) => Array.from({ length: count }, (_, n) => ({ reason: `R${n}` }));
    const rows = [3, 5, 6, 40].map((count, n) => aReportRow({ identity: `uid-${n}`, pod_name: `web-${n}`, events: events(count) }));
    const ids = (await reportRepository(db).store(rows)).map((stored) => stored!.record.id);
    await sql`alter table failures drop column brief`.execute(db);
    await up(db as unknown as Kysely<unknown>);
    const shown = (await readList(failures.active)).map((record) => record.events);
    assert.equal(shown, [events(40).slice(-5), events(6).slice(-5), events(5), events(3)]);
    assert.equal((await failures.detail(ids[3]!))?.events, events(40));
    await close();
  });

  test.run();
}
