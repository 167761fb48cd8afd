import type { Suppression } from '../crd/suppression.ts';
import type { Hub } from '../events.ts';
import type { Matched } from '../failures/resuppress.ts';
import { effectOf, expiresAt } from '../failures/suppress.ts';
import { suppressionRecord } from '../failures/suppression-record.ts';
import type { Pass } from '../kube/controller.ts';
import { KINDS } from '../kube/kinds.ts';
import type { StatusWriter } from '../kube/operator.ts';
import { partsOf } from '../kube/store.ts';
import type { Cache } from '../kube/watch.ts';
import { suppressionNews } from './suppression-news.ts';
import { decideSuppression } from './suppression-status.ts';

/** Numbers in status change at most this often (DESIGN section 3). */
const COUNT_MS = 5 * 60_000;

/**
 * The key of no Suppression, to be enqueued once at the start: its pass holds the records to what is there, for Suppressions that
 * were removed while nobody watched.
 */
export const ALL_RECORDS = '*';

export interface SuppressionDeps {
  cache: Pick<Cache<Suppression>, 'get' | 'list'>;
  operatorNamespace: string;
  /** Holds the records to the Suppressions as they are. */
  resuppress(): Promise<Matched>;
  writeStatus: StatusWriter;
  hub: Hub;
  now(): Date;
}

/** What the records were last held to, for one Suppression, and what it hid then. */
interface Applied {
  fingerprint: string;
  at: number;
  matched: number;
}

/**
 * One pass over one Suppression: when it, or its effect, is not what the records were last held to, they are held to it; then sockets
 * are told, then the status is written. It wakes at the expiration, and every 5 minutes to count.
 */
export function suppressionReconciler(deps: SuppressionDeps): (key: string) => Promise<Pass> {
  const { cache, operatorNamespace, resuppress, writeStatus, now } = deps;
  const applied = new Map<string, Applied>();
  const news = suppressionNews(deps.hub, operatorNamespace);
  const record = (one: Suppression) => suppressionRecord(one, now(), operatorNamespace);
  let hasBegun = false;

  /** Holds the records to a Suppression that changed, or whose count is due. */
  const apply = async (key: string, fingerprint: string): Promise<Applied> => {
    const before = applied.get(key);
    const at = now().getTime();
    // A count from the future is from before the clock was set back.
    if (before?.fingerprint === fingerprint && at >= before.at && at - before.at < COUNT_MS) return before;
    const latest = { fingerprint, at, matched: (await resuppress()).get(key) ?? 0 };
    applied.set(key, latest);
    return latest;
  };

  return async (key) => {
    if (!hasBegun) news.begin(cache.list().map(record));
    hasBegun = true;
    const { namespace, name } = partsOf(key);
    const suppression = cache.get(namespace, name);
    if (!suppression) {
      await resuppress();
      applied.delete(key);
      news.tell(key, undefined);
      return undefined;
    }
    const at = now();
    const effect = effectOf(suppression, at, operatorNamespace);
    const { matched, at: countedAt } = await apply(key, JSON.stringify([suppression.metadata.uid, suppression.spec, effect.active]));
    news.tell(key, suppressionRecord(suppression, at, operatorNamespace));
    await writeStatus(KINDS.suppression, suppression, decideSuppression({ suppression, effect, matched, now: at }));
    const untilCount = countedAt + COUNT_MS - at.getTime();
    const untilExpiry = effect.active ? expiresAt(suppression.spec.expirationTime) - at.getTime() : Infinity;
    return { requeueAfterMs: Math.min(untilCount, untilExpiry) };
  };
}
