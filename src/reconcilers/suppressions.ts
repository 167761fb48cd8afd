import type { Suppression } from '../crd/suppression.ts';
import type { Hub } from '../events.ts';
import { resuppression, type ResuppressDeps } from '../failures/resuppress.ts';
import { findSuppression, type Subject } from '../failures/suppress.ts';
import type { KubeClient } from '../kube/connect.ts';
import { controller } from '../kube/controller.ts';
import { KINDS } from '../kube/kinds.ts';
import { podmendOperator } from '../kube/operator.ts';
import { type Cache, watchKind } from '../kube/watch.ts';
import type { Logger } from '../log.ts';
import { ALL_RECORDS, suppressionReconciler } from './suppression.ts';

export interface SuppressionsDeps extends Omit<ResuppressDeps, 'suppressions' | 'failures'> {
  client: KubeClient;
  hub: Hub;
  /** Empty = all. */
  watchNamespaces: string[];
  log: Logger;
}

/** What every replica knows of Suppressions, and what the leader does about them. */
export interface Suppressions {
  readonly cache: Cache<Suppression>;
  /** The name of the Suppression that hides the subject at `now`. */
  suppressionOf(subject: Subject, now: Date): string | undefined;
  /** Resolves when the Suppressions are known, or when stopped: wait for it with a deadline before taking reports. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Begins the passes, over these records. */
  lead(failures: ResuppressDeps['failures']): SuppressionPasses;
}

interface SuppressionPasses {
  /** No new passes; resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/** When a Suppression changes or expires, the open records are held to it. */
export function suppressionController(deps: SuppressionsDeps): Suppressions {
  const { client, operatorNamespace, watchNamespaces, hub, now, log } = deps;
  const namespaces = watchNamespaces.length > 0 ? [...new Set([...watchNamespaces, operatorNamespace])] : undefined;
  const cache = watchKind(client, KINDS.suppression, { namespaces, log, project: leanSuppression });
  return {
    cache,
    suppressionOf: (subject, at) => findSuppression(subject, cache.list(), at, operatorNamespace)?.metadata.name,
    start: () => cache.start(),
    stop: () => cache.stop(),
    lead(failures) {
      const operator = podmendOperator(client, log);
      const resuppress = resuppression({ ...deps, failures, suppressions: () => cache.list() });
      const { writeStatus } = operator;
      const reconcile = suppressionReconciler({ cache, operatorNamespace, resuppress, writeStatus, hub, now });
      const passes = controller({ name: 'suppression', reconcile, log, now });
      passes.enqueue(ALL_RECORDS);
      void operator.when(KINDS.suppression, borrowed(cache), passes).start();
      return { stop: () => operator.drain() };
    },
  };
}

/** The passes end before the cache, which others read. */
const borrowed = (cache: Cache<Suppression>): Cache<Suppression> => ({ ...cache, synced: cache.synced, stop: async () => undefined });

/** Everything but the copy of itself that kubectl leaves in an annotation. */
function leanSuppression(suppression: Suppression): Suppression {
  delete suppression.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'];
  return suppression;
}
