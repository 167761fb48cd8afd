import type { ExpressionBuilder, Kysely } from 'kysely';
import { StaleLeader } from './errors.ts';
import type { Database } from './schema.ts';

/** One term of a leader. The epochs of a Lease only increase, even if the same process leads again. */
export interface Term {
  epoch: number;
  /** The identity of the process in the Lease. */
  holder: string;
}

export type LeadershipRepository = ReturnType<typeof leadershipRepository>;

/** The named methods of a repository, which throw StaleLeader once another process leads. */
export type Fence = <R extends object, K extends keyof R & string>(make: (trx: Kysely<Database>) => R, methods: readonly K[]) => Pick<R, K>;

// oxlint-disable-next-line typescript/no-explicit-any
type Method = (...args: any[]) => Promise<unknown>;

/**
 * Fences the writes of the leader, which a Lease alone cannot do: a former leader cannot write, even if it has not noticed the change yet.
 * `name` is the name of the Lease with that of its cluster, so clusters that share a database must have different names (`CLUSTER_NAME`).
 */
export function leadershipRepository(db: Kysely<Database>, name: string) {
  /** Whether the term is the newest one claimed. It stays the newest until the transaction ends. */
  const holds = async (trx: Kysely<Database>, { epoch, holder }: Term): Promise<boolean> => {
    const own = trx
      .selectFrom('leadership')
      .select('epoch')
      .where('name', '=', name)
      .where('epoch', '=', epoch)
      .where('holder', '=', holder);
    // The shared lock lets other writes of this leader pass, and makes the next leader's claim wait.
    if ((await own.forShare().executeTakeFirst()) !== undefined) return true;
    // If a newer term was claimed during the wait for the lock, we now hold a shared lock on the newer row. A claim would need an exclusive
    // lock, and two processes that try this would wait for each other.
    const newest = await trx.selectFrom('leadership').select('epoch').where('name', '=', name).executeTakeFirst();
    return (newest?.epoch ?? 0) <= epoch && claim(trx, { epoch, holder });
  };
  const claim = async (trx: Kysely<Database>, term: Term): Promise<boolean> => {
    // The first two writes of a leader may claim its term at the same time. The second then finds it claimed already.
    const isBefore = ({ and, eb, or }: ExpressionBuilder<Database, 'leadership'>) =>
      or([
        eb('leadership.epoch', '<', term.epoch),
        and([eb('leadership.epoch', '=', term.epoch), eb('leadership.holder', '=', term.holder)]),
      ]);
    const claimed = await trx
      .insertInto('leadership')
      .values({ name, ...term })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(term).where(isBefore))
      .returning('epoch')
      .executeTakeFirst();
    return claimed !== undefined;
  };

  return {
    /** The newest claimed epoch; 0 if there is none. */
    async newest(): Promise<number> {
      const row = await db.selectFrom('leadership').select('epoch').where('name', '=', name).executeTakeFirst();
      return row?.epoch ?? 0;
    },

    /** Makes this the newest term, so that earlier terms cannot write any more. False if a newer term exists. A second claim changes nothing. */
    claim: (term: Term): Promise<boolean> => db.transaction().execute((trx) => holds(trx, term)),

    /**
     * Wraps methods of a repository for the leader of a term. Each call runs in a transaction that first checks the term. If the term is
     * over, it calls `stale` and throws StaleLeader. A term that could not be claimed while the database was away is claimed by its first write.
     */
    fenced<R extends object, K extends keyof R & string>(
      { stale, ...term }: Term & { stale(): void },
      make: (trx: Kysely<Database>) => R,
      methods: readonly K[],
    ): Pick<R, K> {
      const call =
        (method: K) =>
        (...args: unknown[]) =>
          db.transaction().execute(async (trx) => {
            if (await holds(trx, term)) return (make(trx)[method] as Method)(...args);
            stale();
            throw new StaleLeader(term.epoch);
          });
      return Object.fromEntries(methods.map((method) => [method, call(method)])) as Pick<R, K>;
    },
  };
}
