import { hash, randomBytes } from 'node:crypto';
import type { Role, TokenRecord, UserRecord } from '../contract/auth.ts';
import { isWithin } from '../contract/permissions.ts';
import { Refusal } from '../contract/refusal.ts';
import { type SettingRepository, settingValue } from '../db/settings.ts';
import type { TokenRepository, TokenRow } from '../db/tokens.ts';
import { visibleName } from './visible-name.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Tokens of a user that have not expired: more are forgotten ones. */
export const MAX_TOKENS = 50;
/** How old the stored last use may get: a request must not always cost a write. */
const TOUCH_MS = 60 * 60_000;
/** The prefix shows people, and tools that search for leaked secrets, whose token it is. */
const PREFIX = 'podmend_';

export interface TokenWish {
  name: string;
  /** Absent: the owner's. */
  role?: Role | undefined;
  /** Absent: as long as a token may live. */
  expiresInDays?: number | undefined;
}

export type Tokens = ReturnType<typeof tokens>;

/** API tokens for people's scripts: random, kept as a digest, never above the role that their owner has now. `settings` say how long they live. */
export function tokens(rows: TokenRepository, settings: Pick<SettingRepository, 'get'>) {
  return {
    /** Undefined when the wished role is above the owner's. Throws Refusal for a bad name,
     * for a life that is too long, and for one token too many. `token` is not kept anywhere. */
    async make(owner: UserRecord, wish: TokenWish, now: Date): Promise<(TokenRecord & { token: string }) | undefined> {
      const role = wish.role ?? owner.role;
      if (!isWithin(role, owner.role)) return undefined;
      const maxDays = await settingValue(settings, 'api_token_max_days');
      const days = wish.expiresInDays ?? maxDays;
      if (days > maxDays) throw new Refusal('invalid', `expires_in_days must be at most ${maxDays}, unless an administrator allows more`);
      const token = PREFIX + randomBytes(32).toString('base64url');
      const made = {
        user_id: owner.id,
        name: visibleName('name', wish.name),
        digest: digestOf(token),
        role,
        created_at: now,
        expires_at: new Date(now.getTime() + days * DAY_MS),
        used_at: null,
      };
      const row = await rows.insertWithin(MAX_TOKENS, made, now);
      if (!row) throw new Refusal('conflict', `You have ${MAX_TOKENS} API tokens: revoke one first`);
      return { ...toRecord(row), token };
    },

    list: async (owner: UserRecord): Promise<TokenRecord[]> => (await rows.ofUser(owner.id)).map(toRecord),

    /** False when the owner has no such token. */
    revoke: (id: number, owner: UserRecord): Promise<boolean> => rows.delete(id, owner.id),

    /** The owner behind a token, with the lower of both roles. */
    async find(token: string, now: Date): Promise<{ id: number; user: UserRecord } | undefined> {
      if (!token.startsWith(PREFIX)) return undefined;
      const found = await rows.live(digestOf(token), now);
      if (!found) return undefined;
      const { id, used_at, role: most } = found.token;
      if (!used_at || now.getTime() - used_at.getTime() >= TOUCH_MS) await rows.touch(id, now);
      const { user } = found;
      const role = isWithin(most, user.role) ? most : user.role;
      return { id, user: { id: user.id, username: user.username, role, created_at: user.created_at.toISOString() } };
    },

    /** Those of the tokens that are revoked or expired. */
    async ended(ids: number[], now: Date): Promise<Set<number>> {
      const live = new Set(await rows.stillLive(ids, now));
      return new Set(ids.filter((id) => !live.has(id)));
    },
  };
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

function toRecord({ id, name, role, created_at, expires_at, used_at }: TokenRow): TokenRecord {
  return {
    id,
    name,
    role,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    last_used_at: used_at?.toISOString() ?? null,
  };
}
