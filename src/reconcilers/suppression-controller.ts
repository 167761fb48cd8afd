import type { SuppressedBy } from '../contract/suppression.ts';
import type { SettingKey } from '../contract/settings.ts';
import type { Suppression } from '../crd/suppression.ts';
import type { SettingRepository } from '../db/settings.ts';
import type { Hub, InternalBus } from '../events.ts';
import { explainSuppression } from '../suppressions/policy/explain.ts';
import { suppressionAnnouncer } from '../suppressions/announce.ts';
import { type Suppressible, suppressionApplier } from '../suppressions/apply.ts';
import { findSuppression, type TenantRules } from '../suppressions/policy/match.ts';
import type { Subject } from '../crd/suppression-subject.ts';
import type { KubeClient } from '../kube/client.ts';
import { controller, type Controller } from '../kube/controller.ts';
import { KINDS } from '../kube/kinds.ts';
import { podmendOperator } from '../kube/operator.ts';
import { type Cache, watchKind } from '../kube/watch.ts';
import type { Logger } from '../log.ts';
import { ALL_RECORDS, announcedBefore, suppressionReconciler } from './suppression.ts';

/** The setting that allows tenants to hide findings of high severity. */
const TENANTS_HIDE_HIGH = 'tenant_suppressions_hide_high' satisfies SettingKey;

export interface SuppressionsDeps {
  client: KubeClient;
  /** A Suppression in this namespace reaches every namespace; any other reaches only its own. */
  operatorNamespace: string;
  settings: Pick<SettingRepository, 'get'>;
  hub: Hub;
  bus: InternalBus;
  /** Empty = all. */
  watchNamespaces: string[];
  /** Nothing from these namespaces is ever shown. */
  hiddenNamespaces: readonly string[];
  now(): Date;
  log: Logger;
}

/** The cache of Suppressions, which every replica has, and the work of the leader. */
export interface Suppressions {
  readonly cache: Cache<Suppression>;
  /** The name of the Suppression that hides the subject at `now`. */
  suppressionOf(subject: Subject, now: Date): string | undefined;
  /** The Suppression that hides the subject now, why it applies, and the others that would hide it too; null if there is none. */
  explain(subject: Subject): SuppressedBy | null;
  rules(): TenantRules;
  /** Resolves when the Suppressions are known, or when stopped. Wait for this, with a deadline, before accepting reports. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Call this when the process becomes the leader. Starts the passes that suppress records among `suppressible`. `client` is the leader's. */
  lead(client: KubeClient, suppressible: Suppressible): SuppressionPasses;
}

interface SuppressionPasses {
  /** Starts no new passes. Resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/** The controller of Suppressions: its passes run when a Suppression changes or expires, and when the setting about tenants changes. */
export function suppressionController(deps: SuppressionsDeps): Suppressions {
  const { client, operatorNamespace, watchNamespaces, hiddenNamespaces, hub, bus, now, log } = deps;
  const namespaces = watchNamespaces.length > 0 ? [...new Set([...watchNamespaces, operatorNamespace])] : undefined;
  const cache = watchKind(client, KINDS.suppression, { namespaces, log, project: projectSuppression });
  // The last value that was read. Every report needs it and cannot wait for the database.
  let rules: TenantRules = { operatorNamespace, tenantsHideHigh: false };
  const readRules = async () => (rules = { operatorNamespace, tenantsHideHigh: (await deps.settings.get(TENANTS_HIDE_HIGH)) === '1' });
  /** The passes, while this process leads. */
  let passes: Controller | undefined;
  const announcer = suppressionAnnouncer(hub, { operatorNamespace, hiddenNamespaces });
  // Remember announcements of the present leader, so that this process, if it leads next, announces only the missing ones.
  const unsubscribeHub = hub.subscribe((message) => {
    if (!passes) announcer.heard(message);
  });
  const unsubscribe = bus.on('settingChanged', ({ key }) => {
    if (key !== TENANTS_HIDE_HIGH) return;
    void readRules().catch((error: unknown) => log.warn({ err: error }, 'the rule for tenants is read later'));
    passes?.enqueue(ALL_RECORDS);
  });
  return {
    cache,
    suppressionOf: (subject, at) => findSuppression(subject, cache.list(), at, rules)?.metadata.name,
    explain: (subject) => explainSuppression(subject, cache.list(), now(), rules),
    rules: () => rules,
    async start() {
      await Promise.all([cache.start(), readRules().catch(() => undefined)]);
      announcer.begin(announcedBefore({ cache, operatorNamespace, now }));
    },
    async stop() {
      unsubscribe();
      unsubscribeHub();
      await cache.stop();
    },
    lead(leading, suppressible) {
      const operator = podmendOperator(leading, log);
      const applySuppressions = suppressionApplier({
        suppressible,
        suppressions: () => cache.list(),
        rules: readRules,
        hiddenNamespaces,
        bus,
        now,
      });
      const { writeStatus } = operator;
      const reconcile = suppressionReconciler({ cache, operatorNamespace, announcer, applySuppressions, writeStatus, now });
      const ours = controller({ name: 'suppression', log, now, reconcile });
      passes = ours;
      ours.enqueue(ALL_RECORDS);
      void operator.when(KINDS.suppression, borrowed(cache), ours).start();
      return {
        async stop() {
          await operator.drain();
          if (passes === ours) passes = undefined;
        },
      };
    },
  };
}

/** The cache without its `stop`: draining the passes must not stop it, because others read it while another replica leads. */
const borrowed = (cache: Cache<Suppression>): Cache<Suppression> => ({ ...cache, synced: cache.synced, stop: async () => undefined });

/** Removes the copy of the object that kubectl keeps in an annotation. */
function projectSuppression(suppression: Suppression): Suppression {
  delete suppression.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'];
  return suppression;
}
