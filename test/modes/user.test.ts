import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { accounts } from '../../src/accounts/users.ts';
import { loginAttemptRepository } from '../../src/db/login-attempts.ts';
import { auditRepository } from '../../src/db/audit.ts';
import { openStore } from '../../src/db/connect.ts';
import { sessionRepository } from '../../src/db/sessions.ts';
import { userRepository } from '../../src/db/users.ts';
import { createLog } from '../../src/log.ts';
import { fillFolder } from '../support/database/store.ts';

const LAUNCHER = fileURLToPath(new URL('../../src/podmend.js', import.meta.url));
const user = suite('podmend user');
let folder = '';
user.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podmend-user-'));
  await fillFolder(folder);
});
user.after(() => rm(folder, { recursive: true }));

function run(args: string[], input: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...process.execArgv.filter((flag) => flag === '--liftoff-only'), LAUNCHER, 'user', ...args],
    {
      input,
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: folder, DATABASE_URL: '' },
    },
  );
  return { status, said: stdout + stderr };
}

user('adds a user once, sets a password, and both are in the audit log', async () => {
  assert.equal(run(['add', 'ada', '--role', 'admin'], 'correct horse\n'), { status: 0, said: 'created user ada with the role admin\n' });
  assert.equal(run(['add', 'ADA', '--role', 'read'], 'correct horse\n'), { status: 1, said: 'user ADA already exists\n' });
  assert.is(run(['password', 'ada'], 'another one').status, 0);
  assert.equal(run(['password', 'nobody'], 'another one\n'), { status: 1, said: 'there is no user nobody\n' });
  const store = await openStore({ dataDir: folder, databaseUrl: undefined, log: createLog({ level: 'silent' }) });
  const { db } = store;
  const { login } = accounts({ users: userRepository(db), attempts: loginAttemptRepository(db), sessions: sessionRepository(db) });
  assert.is((await login({ username: 'ada', password: 'another one', address: '' }, new Date())).kind, 'welcome');
  const actions = (await auditRepository(db).list({ limit: 9 })).map(({ action, username }) => `${username} ${action}`);
  assert.equal(actions, ['shell user.password', 'shell user.create']);
  await store.close();
});

const BAD: [string, string[], string, RegExp][] = [
  ['nothing', [], 'x', /^podmend: podmend user add NAME --role read\|write\|admin, or podmend user password NAME$/],
  ['no role', ['add', 'x'], 'long enough', /user add NAME --role/],
  ['an unknown role', ['add', 'x', '--role', 'root'], 'long enough', /user add NAME --role/],
  ['an unknown option', ['add', 'x', '--rule', 'read'], 'long enough', /user add NAME --role/],
  [
    'a name with an invisible character',
    ['add', 'ad\u200bmin', '--role', 'admin'],
    'long enough',
    /^podmend: username must be at most 128 visible/,
  ],
  ['a short password', ['password', 'x'], 'short\n', /^podmend: the password must have at least 8 characters$/],
  ['no password', ['password', 'x'], '', /^podmend: write the password as the first line of standard input$/],
];
for (const [what, args, input, words] of BAD) {
  user(`${what}: one clear line and 2`, () => {
    const { status, said } = run(args, input);
    assert.is(status, 2);
    assert.match(said.trim(), words);
  });
}

user.run();
