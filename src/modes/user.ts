import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { accounts } from '../accounts/users.ts';
import { processEnvironment, readConfig } from '../config.ts';
import { ROLES, type Role } from '../contract/auth.ts';
import { loginAttemptRepository } from '../db/login-attempts.ts';
import { auditRepository } from '../db/audit.ts';
import { openStore } from '../db/connect.ts';
import { PASSWORD_LENGTH } from '../contract/password-length.ts';
import { migrate } from '../db/migrate.ts';
import { sessionRepository } from '../db/sessions.ts';
import { userRepository } from '../db/users.ts';
import { createLog } from '../log.ts';
import { Refusal } from '../contract/refusal.ts';
import { type Command, type Io, UsageError } from './mode.ts';

const USAGE = 'podmend user add NAME --role read|write|admin, or podmend user password NAME';

/**
 * `podmend user add NAME --role ROLE` and `podmend user password NAME`: account recovery for whoever can reach the database from a shell.
 * The password is the first line of standard input. Returns 0, or 1 when the name is taken or unknown; throws UsageError for a wrong
 * command line.
 */
export const runUser: Command = async (argv, io) => {
  const wish = readArguments(argv);
  const { databaseUrl, dataDir } = readConfig(processEnvironment(), 'user');
  const password = await readPassword(io);
  const store = await openStore({ databaseUrl, dataDir, log: createLog({ level: 'warn' }) });
  try {
    const { db } = store;
    await migrate(db);
    const people = accounts({ users: userRepository(db), attempts: loginAttemptRepository(db), sessions: sessionRepository(db) });
    const outcome = await carryOut(wish, password, people);
    const by = { userId: null, username: 'shell', address: '' };
    if (outcome.isDone) await auditRepository(db).insert({ ...by, action: outcome.action, target: wish.name }, new Date());
    io.stdout.write(`${outcome.text}\n`);
    return outcome.isDone ? 0 : 1;
  } finally {
    await store.close();
  }
};

type Wish = { name: string; do: 'add'; role: Role } | { name: string; do: 'password' };

function readArguments(argv: string[]): Wish {
  const { positionals, values } = parse(argv);
  const [verb, name, ...more] = positionals;
  if (!name?.trim() || more.length > 0) throw new UsageError(USAGE);
  if (verb === 'password' && values.role === undefined) return { name, do: 'password' };
  const role = ROLES.find((one) => one === values.role);
  if (verb !== 'add' || !role) throw new UsageError(USAGE);
  return { name, do: 'add', role };
}

function parse(argv: string[]) {
  try {
    return parseArgs({ args: argv, options: { role: { type: 'string' } }, allowPositionals: true });
  } catch {
    throw new UsageError(USAGE);
  }
}

async function readPassword({ stdin, stderr }: Io): Promise<string> {
  const terminal = 'isTTY' in stdin && stdin.isTTY === true;
  if (terminal) stderr.write('password (at least 8 characters, not shown): ');
  // The interface echoes typed text to its output, so the output is discarded.
  const lines = createInterface({ input: stdin, output: new Writable({ write: (_chunk, _encoding, done) => done() }), terminal });
  try {
    for await (const line of lines) {
      if (line.length < PASSWORD_LENGTH.min) throw new UsageError(`the password must have at least ${PASSWORD_LENGTH.min} characters`);
      return line;
    }
    throw new UsageError('write the password as the first line of standard input');
  } finally {
    lines.close();
  }
}

async function carryOut(wish: Wish, password: string, { add, setPassword }: ReturnType<typeof accounts>) {
  if (wish.do === 'password') {
    const isDone = await setPassword(wish.name, password);
    const text = isDone ? `${wish.name} has a new password, and all sessions and API tokens have ended` : `there is no user ${wish.name}`;
    return { isDone, text, action: 'user.password' };
  }
  const user = await add({ username: wish.name, password, role: wish.role }, new Date()).catch((error: unknown) => {
    throw error instanceof Refusal ? new UsageError(error.message) : error;
  });
  return {
    isDone: user !== undefined,
    text: user ? `created user ${user.username} with the role ${user.role}` : `user ${wish.name} already exists`,
    action: 'user.create',
  };
}
