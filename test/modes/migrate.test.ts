import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../../src/config.ts';
import { lockFolder } from '../../src/db/folder-lock.ts';
import { createLog } from '../../src/log.ts';
import { runMigrate } from '../../src/modes/migrate.ts';
import { fillFolder } from '../support/database/store.ts';

const test = suite('podmend migrate');

let folder = '';
test.before(async () => void (folder = await mkdtemp(join(tmpdir(), 'podmend-migrate-'))));
test.after(() => rm(folder, { recursive: true }));

test('a schema that is up to date: nothing runs, it ends with 0, and leaves the database to others', async () => {
  const dataDir = join(folder, 'data');
  await fillFolder(dataDir);
  const lines: { msg: string; migrations?: string[] }[] = [];
  const log = createLog({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
  assert.is(await runMigrate({ env: {}, config: readConfig({ DATA_DIR: dataDir }, 'migrate'), log }), 0);
  const told = lines.filter(({ migrations }) => migrations !== undefined);
  assert.equal(
    told.map(({ msg, migrations }) => [msg, migrations]),
    [['schema is up to date', []]],
  );
  await (
    await lockFolder(dataDir)
  )();
});

test.run();
