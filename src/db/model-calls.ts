import { type Kysely, sql } from 'kysely';
import type { ModelCost } from '../contract/model.ts';
import { BREAKER_FAILURES, breakerOpenUntil } from './model-circuit-breaker.ts';
import type { Database } from './schema.ts';

const HOUR_MS = 3_600_000;
/** The key of the advisory lock that makes permissions sequential. It may be any number that is not locked elsewhere. */
const LOCK = 7_240_117;
/** Outcomes that are not the provider's fault. */
const HARMLESS = ['answered', 'malformed', 'refused'];

/** How many calls are allowed, over all replicas. */
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
  /** What went wrong, for people. It never contains the request or the answer. */
  message: string | null;
}

export type ModelCallRepository = ReturnType<typeof modelCallRepository>;

/**
 * The ledger of model calls. The limits, the circuit breaker and the waits that providers ask for are computed from it, so that they apply
 * to all replicas and survive restarts.
 */
export function modelCallRepository(db: Kysely<Database>) {
  return {
    /**
     * Requests permission for a call. Returns the id of the call, or the reason to wait. A call whose process died counts as running until
     * `leaseMs` are over. After the circuit breaker was open for its time, one call at a time is allowed.
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

    /** The limits that would delay a call now, and the cost of the last hour. */
    async state(
      setup: string,
      limits: CallLimits,
      now: Date,
    ): Promise<{ held: HeldBack | undefined; calls: number; tokens: number; lastError: string | null }> {
      const found = await ledger(db, setup, now);
      return { held: heldBack(found, limits, now), calls: found.calls, tokens: found.tokens, lastError: found.last_error };
    },

    /** The cost of all stored calls, in total and by day (UTC), oldest first. A running call counts, without tokens. */
    async cost(): Promise<ModelCost> {
      const counted = sql`count(*)::int as calls,
        (count(*) filter (where outcome is not null and outcome <> 'answered'))::int as failed,
        coalesce(sum(input_tokens), 0)::float8 as input_tokens, coalesce(sum(output_tokens), 0)::float8 as output_tokens`;
      const { rows: days } = await sql<ModelCost['days'][number]>`
        select to_char(started_at at time zone 'UTC', 'YYYY-MM-DD') as day, ${counted} from model_calls group by 1 order by 1`.execute(db);
      const { rows } = await sql<Omit<ModelCost, 'days'>>`
        select ${counted}, to_char(min(started_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since from model_calls`.execute(
        db,
      );
      return { ...(rows[0] as Omit<ModelCost, 'days'>), days };
    },

    /** Deletes at most `limit` that began before `before`; returns how many. */
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
  /** How many of this configuration's newest finished calls failed in a row. */
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
  const { running, retry_at } = found;
  if (retry_at && retry_at > now) return { why: 'provider', until: retry_at };
  const openUntil = breakerOpenUntil(found, now);
  if (openUntil) return { why: 'breaker', until: openUntil };
  const freed = at(found.oldest ?? now, HOUR_MS);
  if (found.calls >= limits.callsPerHour) return { why: 'calls per hour', until: freed };
  if (found.tokens >= limits.tokensPerHour) return { why: 'tokens per hour', until: freed };
  return running >= limits.concurrent ? { why: 'concurrency', until: at(now, 2_000) } : undefined;
}
