import type { SuppressionRecord } from '../contract/suppression.ts';
import type { Suppression } from '../crd/suppression.ts';
import type { Pass } from '../kube/controller.ts';
import { isKubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import type { StatusWriter } from '../kube/operator.ts';
import { partsOf } from '../kube/store.ts';
import type { Cache } from '../kube/watch.ts';
import type { SuppressionAnnouncer } from '../suppressions/announce.ts';
import { type AppliedSuppressions, fingerprintOf } from '../suppressions/apply.ts';
import { type Effect, effectOf, expiresAt } from '../suppressions/policy/match.ts';
import { suppressionRecord } from '../suppressions/policy/suppression-record.ts';
import { COUNT_MS, decideRecords, type RecordsView } from '../suppressions/policy/recount.ts';
import { decideSuppression, type MatchCounts } from '../suppressions/policy/status.ts';

/**
 * A key that names no Suppression. Its pass applies all Suppressions. It runs at the start, because some may have been removed while nobody
 * watched, and whenever a relevant setting has changed.
 */
export const ALL_RECORDS = '*';

export interface SuppressionDeps {
  cache: Pick<Cache<Suppression>, 'get' | 'list'>;
  operatorNamespace: string;
  /** Applies the current Suppressions to the stored records. */
  applySuppressions(): Promise<AppliedSuppressions>;
  writeStatus: StatusWriter;
  /** One announcer for the whole process, which knows what an earlier leader announced. */
  announcer: SuppressionAnnouncer;
  now(): Date;
}

/** The input of a pass. `found` is undefined if the Suppression is gone. */
interface Observed {
  found: { suppression: Suppression; effect: Effect } | undefined;
  view: RecordsView & { counted: Count | undefined };
}

/** The number of records that a Suppression hid at the last count. */
interface Count {
  fingerprint: string;
  at: Date;
  matched: MatchCounts;
}

/** The Suppressions whose present form a leader has announced. A leader announces a Suppression before it writes its status. */
export function announcedBefore({
  cache,
  operatorNamespace,
  now,
}: Pick<SuppressionDeps, 'cache' | 'operatorNamespace' | 'now'>): SuppressionRecord[] {
  const judged = cache.list().filter(({ metadata, status }) => status?.observedGeneration === metadata.generation);
  return judged.map((one) => suppressionRecord(one, now(), operatorNamespace));
}

/**
 * One pass over one Suppression: apply it to the stored records if it or its effect has changed, notify the sockets, and write its status.
 * It runs again at the expiration, and every 5 minutes to count.
 */
export function suppressionReconciler(deps: SuppressionDeps): (key: string) => Promise<Pass> {
  const { cache, operatorNamespace, announcer, writeStatus, now } = deps;
  const counts = new Map<string, Count>();
  let applied: AppliedSuppressions | undefined;

  const find = (key: string): Suppression | undefined => {
    const { namespace, name } = partsOf(key);
    return cache.get(namespace, name);
  };
  const observe = (key: string): Observed => {
    const suppression = find(key);
    const at = now();
    const found = suppression && { suppression, effect: effectOf(suppression, at, operatorNamespace) };
    const fingerprint = found && fingerprintOf(found.suppression, found.effect.active);
    const last = applied && { at: applied.at, fingerprint: applied.fingerprints.get(key) };
    return { found, view: { fingerprint, counted: counts.get(key), applied: last, now: at } };
  };
  const countAnew = (key: string, { fingerprint = '', now: at }: RecordsView): Count => {
    const count = { fingerprint, at, matched: applied?.matched.get(key) ?? { failures: 0, findings: 0 } };
    counts.set(key, count);
    return count;
  };
  const forget = (key: string): void => {
    counts.delete(key);
    announcer.announce(key, undefined);
  };
  const report = async (
    key: string,
    { found, count, at }: { found: NonNullable<Observed['found']>; count: Count; at: Date },
  ): Promise<Pass> => {
    const { suppression, effect } = found;
    const status = decideSuppression({ suppression, effect, matched: count.matched, now: at });
    announcer.announce(key, suppressionRecord({ ...suppression, status }, at, operatorNamespace));
    try {
      await writeStatus(KINDS.suppression, suppression, status);
    } catch (error) {
      // The Suppression was deleted after it was read. The deletion will start another pass, so there is nothing to retry.
      if (isKubeError(error, 404)) return forget(key);
      throw error;
    }
    const expiryAt = effect.active ? expiresAt(suppression.spec.expirationTime) : Infinity;
    return { requeueAfterMs: Math.min(count.at.getTime() + COUNT_MS, expiryAt) - at.getTime() };
  };

  return async (key) => {
    announcer.begin(announcedBefore(deps));
    if (key === ALL_RECORDS) for (const one of announcer.keys()) if (!find(one)) announcer.announce(one, undefined);
    const { found, view } = observe(key);
    const decision = key === ALL_RECORDS ? 'apply' : decideRecords(view);
    if (decision === 'apply') applied = await deps.applySuppressions();
    if (!found) return forget(key);
    const count = decision === 'keep' && view.counted ? view.counted : countAnew(key, view);
    return report(key, { found, count, at: view.now });
  };
}
