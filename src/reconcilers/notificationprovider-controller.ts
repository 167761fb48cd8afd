import type { NotificationProvider } from '../crd/notificationprovider.ts';
import type { Fence } from '../db/leadership.ts';
import { type NotificationRepository, notificationsOf } from '../db/notifications.ts';
import type { Hub } from '../events.ts';
import type { KubeClient } from '../kube/client.ts';
import { controller } from '../kube/controller.ts';
import { KINDS } from '../kube/kinds.ts';
import { podmendOperator } from '../kube/operator.ts';
import { type Cache, watchKind } from '../kube/watch.ts';
import type { Logger } from '../log.ts';
import { startOutbox } from '../notifications/outbox.ts';
import type { Sender } from '../notifications/send.ts';
import { readTarget } from '../notifications/target.ts';
import { ALL_PROVIDERS, notificationProviderReconciler } from './notificationprovider.ts';

export interface NotificationsDeps {
  client: KubeClient;
  operatorNamespace: string;
  cluster: string;
  baseUrl: string | null;
  hiddenNamespaces: readonly string[];
  allowedRanges: readonly string[];
  rows: NotificationRepository;
  send: Sender;
  hub: Pick<Hub, 'subscribe'>;
  now(): Date;
  log: Logger;
}

/** The cache of providers, which every replica has, and the work of the leader. */
export interface Notifications {
  readonly cache: Cache<NotificationProvider>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Starts the passes and the outbox. `client` and `fence` belong to the leader's term. */
  lead(term: { client: KubeClient; fence: Fence; isCurrent(): boolean }): { stop(): Promise<void> };
}

/** The controller of providers, and the worker of the outbox. */
export function notificationController(deps: NotificationsDeps): Notifications {
  const { client, operatorNamespace, cluster, allowedRanges, rows, hub, now, log } = deps;
  const cache = watchKind(client, KINDS.notificationProvider, { namespace: operatorNamespace, log, project: projected });
  return {
    cache,
    start: () => cache.start(),
    stop: () => cache.stop(),
    lead({ client: leading, fence, isCurrent }) {
      const operator = podmendOperator(leading, log);
      const write = fence(notificationsOf(cluster), ['apply', 'begin', 'finish', 'enlist', 'delist', 'retain', 'deleteOld']);
      const readiness = (provider: NotificationProvider) => readTarget(provider, { client: leading, operatorNamespace, allowedRanges });
      const { writeStatus } = operator;
      const reconcile = notificationProviderReconciler({ cache, readiness, read: rows, write, writeStatus, now });
      const passes = controller({ name: 'notificationprovider', log, now, reconcile });
      passes.enqueue(ALL_PROVIDERS);
      void operator.when(KINDS.notificationProvider, borrowed(cache), passes).start();
      const active = () => cache.list().filter(({ spec }) => spec.suspend !== true);
      const outbox = startOutbox({
        ...deps,
        ...{ read: rows, write, readiness, isCurrent },
        providers: active,
        provider: (name) => active().find(({ metadata }) => metadata.name === name),
      });
      const unsubscribe = hub.subscribe(() => outbox.wake());
      return {
        async stop() {
          unsubscribe();
          await Promise.all([operator.drain(), outbox.stop()]);
        },
      };
    },
  };
}

/** The cache without its `stop`: draining the passes must not stop it, because the API reads it while another replica leads. */
const borrowed = (cache: Cache<NotificationProvider>): Cache<NotificationProvider> => ({
  ...cache,
  synced: cache.synced,
  stop: async () => undefined,
});

function projected(provider: NotificationProvider): NotificationProvider {
  delete provider.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'];
  return provider;
}
