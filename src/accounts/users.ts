import type { Role, UserRecord } from '../contract/auth.ts';
import type { AttemptLimit, AttemptRepository } from '../db/attempts.ts';
import type { UserRepository, UserRow } from '../db/users.ts';
import { storableText } from '../db/json.ts';
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

/** How a login ended. `limited` says nothing about the password: it was not looked at. */
export type LoginOutcome = { kind: 'welcome'; user: UserRecord } | { kind: 'refused' } | { kind: 'limited'; retryAfterSeconds: number };

export type Accounts = ReturnType<typeof accounts>;

/** People's accounts: who there is and who may come in. */
export function accounts({ users, attempts }: { users: UserRepository; attempts: AttemptRepository }) {
  const create = async (insert: UserRepository['insert'], user: { username: string; password: string; role: Role }, now: Date) => {
    const { password, ...account } = user;
    const password_hash = await hashPassword(password);
    const row = await insert({ ...account, password_hash, external_id: null, created_at: now });
    return row && toUser(row);
  };

  return {
    /** Whether there is any user: signup is for the time before. */
    exist: (): Promise<boolean> => users.any(),

    /** Creates the first user, an administrator; undefined when there is a user already. Of several at once one succeeds. */
    async signup(user: { username: string; password: string }, now: Date): Promise<UserRecord | undefined> {
      if (await users.any()) return undefined;
      return create(users.insertFirst, { ...clean(user), role: 'admin' }, now);
    },

    /** Creates a further user; undefined when the name is taken. */
    add: (user: { username: string; password: string; role: Role }, now: Date): Promise<UserRecord | undefined> =>
      create(users.insert, clean(user), now),

    /** Sets a new password and ends the user's sessions; false when there is no such user. */
    async setPassword(username: string, password: string): Promise<boolean> {
      return users.setPassword(storableText(username), await hashPassword(password));
    },

    /** Checks name and password within the limits. An unknown name takes as long as a wrong password. */
    async login(attempt: LoginAttempt, now: Date): Promise<LoginOutcome> {
      const { username, password, address } = clean(attempt);
      const key = `user:${username.toLowerCase()}`;
      const waitSeconds = (await attempts.admit(`address:${address}`, PER_ADDRESS, now)) || (await attempts.admit(key, PER_USER, now));
      if (waitSeconds > 0) return { kind: 'limited', retryAfterSeconds: waitSeconds };
      const user = await users.byUsername(username);
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

function toUser({ id, username, role, created_at }: UserRow): UserRecord {
  return { id, username, role, created_at: created_at.toISOString() };
}
