import type { Suppression } from '../crd/suppression.ts';
import type { Hub } from '../events.ts';
import { fingerprintOf, type Matched, type Run } from '../failures/resuppress.ts';
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

/** A count for one Suppression counts for all: with many of them the records are read no more often than this. */
const SHARED_MS = 60_000;

/**
 * The key of no Suppression, to be enqueued at the start, for Suppressions that were removed while nobody watched, and when what else
 * decides has changed: its pass holds the records to what is there.
 */
export const ALL_RECORDS = '*';

export interface SuppressionDeps {
  cache: Pick<Cache<Suppression>, 'get' | 'list'>;
  operatorNamespace: string;
  /** Never shown to anybody. */
  hiddenNamespaces: readonly string[];
  /** Holds the records to the Suppressions as they are. */
  resuppress(): Promise<Run>;
  writeStatus: StatusWriter;
  hub: Hub;
  now(): Date;
}

/** What the records were last held to, for one Suppression, and what it hid then. */
interface Applied {
  fingerprint: string;
  at: number;
  matched: Matched;
}

/**
 * One pass over one Suppression: when it, or its effect, is not what the records were last held to, they are held to it; then sockets
 * are told, then the status is written. It wakes at the expiration, and every 5 minutes to count.
 */
export function suppressionReconciler(deps: SuppressionDeps): (key: string) => Promise<Pass> {
  const { cache, operatorNamespace, hiddenNamespaces, writeStatus, now } = deps;
  const applied = new Map<string, Applied>();
  const news = suppressionNews(deps.hub, { operatorNamespace, hiddenNamespaces });
  const record = (one: Suppression) => suppressionRecord(one, now(), operatorNamespace);
  let latest: Run | undefined;
  let hasBegun = false;

  const run = async (): Promise<Run> => {
    const done = await deps.resuppress();
    latest = done;
    return done;
  };
  /** Holds the records to a Suppression that changed, or whose count is due, unless a run that was made for another has done so. */
  const apply = async (key: string, fingerprint: string): Promise<Applied> => {
    const before = applied.get(key);
    const at = now().getTime();
    if (before?.fingerprint === fingerprint && isFresh(before.at, COUNT_MS, at)) return before;
    const isDone = latest?.held.get(key) === fingerprint && isFresh(latest.at.getTime(), SHARED_MS, at);
    const { matched } = isDone && latest ? latest : await run();
    const counted = { fingerprint, at, matched: matched.get(key) ?? { failures: 0, findings: 0 } };
    applied.set(key, counted);
    return counted;
  };
  /** Shows again what a Suppression hid that is no more. */
  const lift = async (key: string): Promise<void> => {
    if (key === ALL_RECORDS || !latest || latest.held.has(key)) await run();
    applied.delete(key);
    news.tell(key, undefined);
  };

  return async (key) => {
    if (!hasBegun) news.begin(cache.list().map(record));
    hasBegun = true;
    const { namespace, name } = partsOf(key);
    const suppression = cache.get(namespace, name);
    if (!suppression) return lift(key);
    const at = now();
    const effect = effectOf(suppression, at, operatorNamespace);
    const { matched, at: countedAt } = await apply(key, fingerprintOf(suppression, effect.active));
    const status = decideSuppression({ suppression, effect, matched, now: at });
    news.tell(key, suppressionRecord({ ...suppression, status }, at, operatorNamespace));
    await writeStatus(KINDS.suppression, suppression, status);
    const untilCount = countedAt + COUNT_MS - at.getTime();
    const untilExpiry = effect.active ? expiresAt(suppression.spec.expirationTime) - at.getTime() : Infinity;
    return { requeueAfterMs: Math.min(untilCount, untilExpiry) };
  };
}

/** What is from the future is from before the clock was set back. */
function isFresh(then: number, forMs: number, now: number): boolean {
  return now >= then && now - then < forMs;
}
