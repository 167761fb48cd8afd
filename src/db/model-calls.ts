import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

const HOUR_MS = 3_600_000;
/** Any number will do as long as nobody else locks it: whoever asks for leave does so alone. */
const LOCK = 7_240_117;
/** So many failures in a row open the breaker, for as long as it takes to look again. */
const BREAKER_FAILURES = 5;
const BREAKER_MS = 60_000;
/** What says nothing about whether the next call would fare better. */
const HARMLESS = ['answered', 'malformed', 'refused'];

/** How many calls there may be, over all replicas. */
export interface CallLimits {
  concurrent: number;
  callsPerHour: number;
  tokensPerHour: number;
}

/** Why no call is made now, and when to ask again. */
export interface HeldBack {
  why: 'breaker' | 'provider' | 'concurrency' | 'calls per hour' | 'tokens per hour';
  until: Date;
}

/** How a call ended. */
export interface CallEnd {
  outcome: string;
  inputTokens: number;
  outputTokens: number;
  retryAt: Date | null;
  /** What went wrong, for people; never the request or the answer. */
  message: string | null;
}

export type ModelCallRepository = ReturnType<typeof modelCallRepository>;

/** The ledger of model calls: limits, breaker and the provider's own wishes are read from it, so that they hold over replicas and restarts. */
export function modelCallRepository(db: Kysely<Database>) {
  return {
    /**
     * Leave to make a call: its id, or what holds it back. A call whose process died counts as under way until `leaseMs` are over. Once
     * the breaker has been open for its time, one call at a time may try.
     */
    begin(
      { setup, provider }: { setup: string; provider: string },
      limits: CallLimits,
      now: Date,
      leaseMs: number,
    ): Promise<{ id: number } | HeldBack> {
      return db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
        const held = heldBack(await ledger(trx, setup, now), limits, now);
        if (held) return held;
        const row = { setup, provider, started_at: now, leased_until: new Date(now.getTime() + leaseMs) };
        const { id } = await trx.insertInto('model_calls').values(row).returning('id').executeTakeFirstOrThrow();
        return { id };
      });
    },

    async end(id: number, { outcome, inputTokens, outputTokens, retryAt, message }: CallEnd, now: Date): Promise<void> {
      const end = { ended_at: now, outcome, input_tokens: inputTokens, output_tokens: outputTokens, retry_at: retryAt, message };
      await db.updateTable('model_calls').set(end).where('id', '=', id).execute();
    },

    /** What would hold a call back now, and what the last hour cost. */
    async state(
      setup: string,
      limits: CallLimits,
      now: Date,
    ): Promise<{ held: HeldBack | undefined; calls: number; tokens: number; lastError: string | null }> {
      const found = await ledger(db, setup, now);
      return { held: heldBack(found, limits, now), calls: found.calls, tokens: found.tokens, lastError: found.last_error };
    },

    /** Deletes at most `limit` that began before `before`; answers how many. */
    async deleteOld(before: Date, limit: number): Promise<number> {
      const old = db.selectFrom('model_calls').select('id').where('started_at', '<', before).limit(limit);
      return Number((await db.deleteFrom('model_calls').where('id', 'in', old).executeTakeFirst()).numDeletedRows);
    },
  };
}

interface Ledger {
  calls: number;
  tokens: number;
  running: number;
  oldest: Date | null;
  /** Of the newest calls of this configuration that ended, how many in a row failed since the last that did not. */
  failures: number;
  last_failure: Date | null;
  retry_at: Date | null;
  last_error: string | null;
}

async function ledger(db: Kysely<Database>, setup: string, now: Date): Promise<Ledger> {
  const since = new Date(now.getTime() - HOUR_MS);
  const { rows } = await sql<Ledger>`
    with recent as materialized (select * from model_calls where started_at > ${since}::timestamptz),
    own as (select * from recent where setup = ${setup} and ended_at is not null order by ended_at desc, id desc limit ${BREAKER_FAILURES}),
    failed as (select * from own where outcome <> all(${HARMLESS}::text[])
      and ended_at > coalesce((select max(ended_at) from own where outcome = any(${HARMLESS}::text[])), '-infinity'))
    select count(*)::int as calls, coalesce(sum(input_tokens + output_tokens), 0)::int as tokens, min(started_at) as oldest,
      (count(*) filter (where ended_at is null and leased_until > ${now}::timestamptz))::int as running,
      (select count(*)::int from failed) as failures, (select max(ended_at) from failed) as last_failure,
      (select max(retry_at) from recent where setup = ${setup}) as retry_at,
      (select message from own order by ended_at desc, id desc limit 1) as last_error
    from recent`.execute(db);
  return rows[0] as Ledger;
}

function heldBack(found: Ledger, limits: CallLimits, now: Date): HeldBack | undefined {
  const at = (from: Date, ms: number): Date => new Date(from.getTime() + ms);
  const { running, failures, last_failure, retry_at } = found;
  if (retry_at && retry_at > now) return { why: 'provider', until: retry_at };
  if (failures >= BREAKER_FAILURES && last_failure) {
    const until = at(last_failure, BREAKER_MS);
    if (until > now) return { why: 'breaker', until };
    if (running > 0) return { why: 'breaker', until: at(now, BREAKER_MS) };
  }
  const freed = at(found.oldest ?? now, HOUR_MS);
  if (found.calls >= limits.callsPerHour) return { why: 'calls per hour', until: freed };
  if (found.tokens >= limits.tokensPerHour) return { why: 'tokens per hour', until: freed };
  return running >= limits.concurrent ? { why: 'concurrency', until: at(now, 2_000) } : undefined;
}
