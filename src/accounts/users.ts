import type { Role, UserRecord } from '../contract/auth.ts';
import type { LoginAttemptRepository } from '../db/login-attempts.ts';
import type { ChangeOutcome, UserRepository, UserRow } from '../db/users.ts';
import type { SessionRepository } from '../db/sessions.ts';
import { keyedMutex } from '../async/keyed-mutex.ts';
import { PER_ADDRESS, PER_NOTE, PER_USER } from './login-limits.ts';
import { hashPassword, isPassword } from './password.ts';
import { storedName, visibleName } from './visible-name.ts';

export interface LoginAttempt {
  username: string;
  password: string;
  address: string;
}

/** What an administrator sets of a user. */
export interface UserWish {
  role?: Role | undefined;
  password?: string | undefined;
  keepTokens?: boolean | undefined;
}

/** What people set of their own. */
export interface PasswordWish {
  current: string;
  password: string;
  keepTokens?: boolean | undefined;
}

export interface AccountsDeps {
  users: UserRepository;
  attempts: LoginAttemptRepository;
  sessions: Pick<SessionRepository, 'knows'>;
}

/** The result of a login. `limited` says nothing about the password: it was not checked. */
export type LoginOutcome = { kind: 'welcome'; user: UserRecord } | { kind: 'refused' } | { kind: 'limited'; retryAfterSeconds: number };

/** How a change of a password by its owner ended. */
export type PasswordOutcome = { kind: 'changed'; user: UserRecord } | { kind: 'refused' } | { kind: 'limited'; retryAfterSeconds: number };

/** How a change of a user by an administrator ended. */
export type UserOutcome = { kind: 'changed'; user: UserRecord } | { kind: 'missing' } | { kind: 'last-admin' };

export type Accounts = ReturnType<typeof accounts>;

/** The accounts of people: users, logins and passwords. */
export function accounts({ users, attempts, sessions }: AccountsDeps) {
  const create = async (insert: UserRepository['insert'], user: { username: string; password: string; role: Role }, now: Date) => {
    const { password, role } = user;
    const username = visibleName('username', user.username);
    const password_hash = await hashPassword(password);
    // Field by field: other fields of a body must not become columns.
    const row = await insert({ username, role, password_hash, external_id: null, created_at: now });
    return row && toUser(row);
  };
  /** First signups run one after another: only one needs the hash, which is slow. Signups on other replicas meet in the database. */
  const exclusively = keyedMutex();

  return {
    /** Whether any user exists: signup is only possible before. */
    exist: (): Promise<boolean> => users.any(),

    /** Creates the first user, an administrator; undefined when there is a user already. Of several at once one succeeds. Throws Refusal for a bad name. */
    signup: (user: { username: string; password: string }, now: Date): Promise<UserRecord | undefined> =>
      exclusively('signup', async () => ((await users.any()) ? undefined : create(users.insertFirst, { ...user, role: 'admin' }, now))),

    /** Counts an attempt at the first signup from that address. Returns 0, or the number of seconds for which the address is limited. */
    admitSignup: (address: string, now: Date): Promise<number> => attempts.admit(`signup:${address}`, PER_ADDRESS, now),

    /** Whether the audit log should say now that this address is limited: the first time in a while. */
    isNewLimit: async (address: string, now: Date): Promise<boolean> => (await attempts.admit(`limited:${address}`, PER_NOTE, now)) === 0,

    /** Creates a further user; undefined when the name is taken. Throws Refusal for a bad name. */
    add: (user: { username: string; password: string; role: Role }, now: Date): Promise<UserRecord | undefined> =>
      create(users.insert, user, now),

    /** Everybody, oldest first. */
    list: async (): Promise<UserRecord[]> => (await users.list()).map(toUser),

    /** Sets role, password or both, and ends all sessions of the user; a new password ends the API tokens too, unless they are kept. */
    async change(id: number, { role, password, keepTokens = false }: UserWish): Promise<UserOutcome> {
      const fields = { ...(role && { role }), ...(password !== undefined && { password_hash: await hashPassword(password) }) };
      return outcomeOf(await users.change(id, fields, { endTokens: password !== undefined && !keepTokens }));
    },

    /** Deletes a user with all sessions and tokens. */
    remove: async (id: number): Promise<UserOutcome> => outcomeOf(await users.delete(id)),

    /**
     * Changes a password if the current one is right, within the limits of a login. Ends all sessions of the user, and the API tokens
     * unless they are kept.
     */
    async changePassword(id: number, { current, password, keepTokens = false }: PasswordWish, now: Date): Promise<PasswordOutcome> {
      const user = await users.byId(id);
      if (!user) return { kind: 'refused' };
      const key = `password:${id}`;
      const waitSeconds = await attempts.admit(key, PER_ADDRESS, now);
      if (waitSeconds > 0) return { kind: 'limited', retryAfterSeconds: waitSeconds };
      if (!(await isPassword(current, user.password_hash))) return { kind: 'refused' };
      await attempts.forgive(key, now);
      const outcome = await users.change(id, { password_hash: await hashPassword(password) }, { endTokens: !keepTokens });
      return outcome.kind === 'changed' ? { kind: 'changed', user: toUser(outcome.user) } : { kind: 'refused' };
    },

    /** Sets a new password and ends the user's sessions and API tokens; false when there is no such user. For recovery from a shell. */
    async setPassword(username: string, password: string): Promise<boolean> {
      const name = storedName(username);
      const user = name === undefined ? undefined : await users.byUsername(name);
      if (!user) return false;
      return (await users.change(user.id, { password_hash: await hashPassword(password) }, { endTokens: true })).kind === 'changed';
    },

    /** Checks the name and password, subject to the rate limits. An unknown name takes as long to refuse as a wrong password. */
    async login(attempt: LoginAttempt, now: Date): Promise<LoginOutcome> {
      const { username, password, address } = attempt;
      const perAddress = await attempts.admit(`address:${address}`, PER_ADDRESS, now);
      if (perAddress > 0) return { kind: 'limited', retryAfterSeconds: perAddress };
      const name = storedName(username);
      if (name === undefined) {
        await isPassword(password, null);
        return { kind: 'refused' };
      }
      const key = `user:${name.toLowerCase()}`;
      const user = await users.byUsername(name);
      const perUser = await attempts.admit(key, PER_USER, now);
      // From an address where the user has a session, the failures of others do not lock the user out. The limit of the address still holds.
      if (perUser > 0 && !(user && (await sessions.knows(user.id, address, now)))) return { kind: 'limited', retryAfterSeconds: perUser };
      if (!(await isPassword(password, user?.password_hash ?? null)) || !user) return { kind: 'refused' };
      // It was counted before the password was checked, so that parallel guesses count. Now it turns out to be no failure.
      await attempts.forgive(key, now);
      return { kind: 'welcome', user: toUser(user) };
    },
  };
}

function outcomeOf(outcome: ChangeOutcome): UserOutcome {
  return outcome.kind === 'changed' ? { kind: 'changed', user: toUser(outcome.user) } : outcome;
}

function toUser({ id, username, role, created_at }: UserRow): UserRecord {
  return { id, username, role, created_at: created_at.toISOString() };
}
