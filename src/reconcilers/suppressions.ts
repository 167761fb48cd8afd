import type { HiddenBy } from '../contract/suppression.ts';
import type { Suppression } from '../crd/suppression.ts';
import type { Hub } from '../events.ts';
import { explainHiding } from '../failures/hidden.ts';
import { type Hideable, type ResuppressDeps, resuppression, type Run } from '../failures/resuppress.ts';
import { findSuppression, type Subject, type TenantRules } from '../failures/suppress.ts';
import type { KubeClient } from '../kube/connect.ts';
import { controller, type Controller } from '../kube/controller.ts';
import { KINDS } from '../kube/kinds.ts';
import { podmendOperator } from '../kube/operator.ts';
import { type Cache, watchKind } from '../kube/watch.ts';
import type { Logger } from '../log.ts';
import { ALL_RECORDS, suppressionReconciler } from './suppression.ts';

export interface SuppressionsDeps extends Pick<ResuppressDeps, 'hid' | 'now'> {
  client: KubeClient;
  /** The name of a Suppression's namespace decides how far it reaches. */
  operatorNamespace: string;
  /** Whether tenants may hide grave findings, as it is set now. */
  tenantsHideHigh(): Promise<boolean>;
  /** Told after the records were held to the Suppressions: some may be shown again. */
  lifted(): void;
  hub: Hub;
  /** Empty = all. */
  watchNamespaces: string[];
  /** Never shown to anybody. */
  hiddenNamespaces: readonly string[];
  log: Logger;
}

/** What every replica knows of Suppressions, and what the leader does about them. */
export interface Suppressions {
  readonly cache: Cache<Suppression>;
  /** The name of the Suppression that hides the subject at `now`. */
  suppressionOf(subject: Subject, now: Date): string | undefined;
  /** Which Suppression hides the subject now, why that one, and which others would; null for none. */
  explain(subject: Subject): HiddenBy | null;
  rules(): TenantRules;
  /** A setting that decides has changed: it is read again, and what is led is held to it. */
  refresh(): void;
  /** Resolves when the Suppressions are known, or when stopped: wait for it with a deadline before taking reports. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Begins the passes, over these records; `client` is the leader's. */
  lead(client: KubeClient, hideable: Hideable): SuppressionPasses;
}

interface SuppressionPasses {
  /** No new passes; resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/** When a Suppression changes or expires, the open failures and findings are held to it. */
export function suppressionController(deps: SuppressionsDeps): Suppressions {
  const { client, operatorNamespace, watchNamespaces, hiddenNamespaces, hub, now, log } = deps;
  const namespaces = watchNamespaces.length > 0 ? [...new Set([...watchNamespaces, operatorNamespace])] : undefined;
  const cache = watchKind(client, KINDS.suppression, { namespaces, log, project: leanSuppression });
  // As last read: what is asked for every report cannot wait for the database.
  let rules: TenantRules = { operatorNamespace, tenantsHideHigh: false };
  const readRules = async () => (rules = { operatorNamespace, tenantsHideHigh: await deps.tenantsHideHigh() });
  let led: Controller | undefined;
  return {
    cache,
    suppressionOf: (subject, at) => findSuppression(subject, cache.list(), at, rules)?.metadata.name,
    explain: (subject) => explainHiding(subject, cache.list(), now(), rules),
    rules: () => rules,
    refresh() {
      void readRules().catch((error: unknown) => log.warn({ err: error }, 'the rule for tenants is read later'));
      led?.enqueue(ALL_RECORDS);
    },
    async start() {
      await Promise.all([cache.start(), readRules().catch(() => undefined)]);
    },
    stop: () => cache.stop(),
    lead(leading, hideable) {
      const operator = podmendOperator(leading, log);
      const hold = resuppression({ hideable, suppressions: () => cache.list(), rules: readRules, hid: deps.hid, now });
      const resuppress = async (): Promise<Run> => {
        const run = await hold();
        deps.lifted();
        return run;
      };
      const { writeStatus } = operator;
      const reconcile = suppressionReconciler({ cache, operatorNamespace, hiddenNamespaces, resuppress, writeStatus, hub, now });
      const passes = controller({ name: 'suppression', reconcile, log, now });
      passes.enqueue(ALL_RECORDS);
      led = passes;
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
