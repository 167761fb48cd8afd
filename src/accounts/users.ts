import type { Role, UserRecord } from '../contract/auth.ts';
import type { AttemptLimit, AttemptRepository } from '../db/attempts.ts';
import type { ChangeOutcome, UserRepository, UserRow } from '../db/users.ts';
import type { SessionRepository } from '../db/sessions.ts';
import { storableText } from '../db/json.ts';
import { turns } from '../failures/turns.ts';
import { hashPassword, isPassword } from './password.ts';

/** Attempts from one address, right or wrong. What one address tries with one user is never more than this. */
const PER_ADDRESS: AttemptLimit = { limit: 5, windowSeconds: 30 };
/** Failures with one user from anywhere: guesses from many addresses at once. */
const PER_USER: AttemptLimit = { limit: 50, windowSeconds: 15 * 60 };

export interface LoginAttempt {
  username: string;
  password: string;
  address: string;
}

export interface AccountsDeps {
  users: UserRepository;
  attempts: AttemptRepository;
  sessions: Pick<SessionRepository, 'knows'>;
}

/** How a login ended. `limited` says nothing about the password: it was not looked at. */
export type LoginOutcome = { kind: 'welcome'; user: UserRecord } | { kind: 'refused' } | { kind: 'limited'; retryAfterSeconds: number };

/** How a change of a password by its owner ended. */
export type PasswordOutcome = { kind: 'changed'; user: UserRecord } | { kind: 'refused' } | { kind: 'limited'; retryAfterSeconds: number };

/** How a change of a user by an administrator ended. */
export type UserOutcome = { kind: 'changed'; user: UserRecord } | { kind: 'missing' } | { kind: 'last-admin' };

export type Accounts = ReturnType<typeof accounts>;

/** People's accounts: who there is and who may come in. */
export function accounts({ users, attempts, sessions }: AccountsDeps) {
  const create = async (insert: UserRepository['insert'], user: { username: string; password: string; role: Role }, now: Date) => {
    const { username, password, role } = user;
    const password_hash = await hashPassword(password);
    // Field by field: what else stands in a body must not become columns.
    const row = await insert({ username, role, password_hash, external_id: null, created_at: now });
    return row && toUser(row);
  };
  /** First visitors of this process take turns: all but one need no hash, which is dear. Those of other replicas meet in the database. */
  const inTurn = turns();

  return {
    /** Whether there is any user: signup is for the time before. */
    exist: (): Promise<boolean> => users.any(),

    /** Creates the first user, an administrator; undefined when there is a user already. Of several at once one succeeds. */
    signup: (user: { username: string; password: string }, now: Date): Promise<UserRecord | undefined> =>
      inTurn('signup', async () => ((await users.any()) ? undefined : create(users.insertFirst, { ...clean(user), role: 'admin' }, now))),

    /** Creates a further user; undefined when the name is taken. */
    add: (user: { username: string; password: string; role: Role }, now: Date): Promise<UserRecord | undefined> =>
      create(users.insert, clean(user), now),

    /** Everybody, oldest first. */
    list: async (): Promise<UserRecord[]> => (await users.list()).map(toUser),

    /** Sets role, password or both, and ends all sessions of the user. */
    async change(id: number, { role, password }: { role?: Role | undefined; password?: string | undefined }): Promise<UserOutcome> {
      const fields = { ...(role && { role }), ...(password !== undefined && { password_hash: await hashPassword(password) }) };
      return told(await users.change(id, fields));
    },

    /** Deletes a user with all sessions and tokens. */
    remove: async (id: number): Promise<UserOutcome> => told(await users.delete(id)),

    /** Sets a new password for who knows the present one, within the limits of a login, and ends all sessions of the user. */
    async changePassword(id: number, { current, password }: { current: string; password: string }, now: Date): Promise<PasswordOutcome> {
      const user = await users.byId(id);
      if (!user) return { kind: 'refused' };
      const key = `password:${id}`;
      const waitSeconds = await attempts.admit(key, PER_ADDRESS, now);
      if (waitSeconds > 0) return { kind: 'limited', retryAfterSeconds: waitSeconds };
      if (!(await isPassword(current, user.password_hash))) return { kind: 'refused' };
      await attempts.forgive(key, now);
      const outcome = await users.change(id, { password_hash: await hashPassword(password) });
      return outcome.kind === 'changed' ? { kind: 'changed', user: toUser(outcome.user) } : { kind: 'refused' };
    },

    /** Sets a new password and ends the user's sessions; false when there is no such user. For recovery from a shell. */
    async setPassword(username: string, password: string): Promise<boolean> {
      const user = await users.byUsername(storableText(username));
      return user !== undefined && (await users.change(user.id, { password_hash: await hashPassword(password) })).kind === 'changed';
    },

    /** Checks name and password within the limits. An unknown name takes as long as a wrong password. */
    async login(attempt: LoginAttempt, now: Date): Promise<LoginOutcome> {
      const { username, password, address } = clean(attempt);
      const key = `user:${username.toLowerCase()}`;
      const perAddress = await attempts.admit(`address:${address}`, PER_ADDRESS, now);
      if (perAddress > 0) return { kind: 'limited', retryAfterSeconds: perAddress };
      const user = await users.byUsername(username);
      const perUser = await attempts.admit(key, PER_USER, now);
      // Where the user has a session already the failures of strangers lock nobody out; guesses from there have the address's limit.
      if (perUser > 0 && !(user && (await sessions.knows(user.id, address, now)))) return { kind: 'limited', retryAfterSeconds: perUser };
      if (!(await isPassword(password, user?.password_hash ?? null)) || !user) return { kind: 'refused' };
      // Counted before it was looked at, so that guesses made at the same time count each other; now it was no failure.
      await attempts.forgive(key, now);
      return { kind: 'welcome', user: toUser(user) };
    },
  };
}

function clean<T extends { username: string }>(account: T): T {
  return { ...account, username: storableText(account.username) };
}

function told(outcome: ChangeOutcome): UserOutcome {
  return outcome.kind === 'changed' ? { kind: 'changed', user: toUser(outcome.user) } : outcome;
}

function toUser({ id, username, role, created_at }: UserRow): UserRecord {
  return { id, username, role, created_at: created_at.toISOString() };
}
