import type { NotificationProvider } from '../crd/notificationprovider.ts';
import type { NotificationRepository } from '../db/notifications.ts';
import type { Pass } from '../kube/controller.ts';
import { KINDS } from '../kube/kinds.ts';
import type { StatusWriter } from '../kube/operator.ts';
import { partsOf } from '../kube/store.ts';
import type { Cache } from '../kube/watch.ts';
import { decideProvider } from '../notifications/policy/status.ts';
import type { Readiness } from '../notifications/target.ts';

export interface NotificationProviderDeps {
  cache: Pick<Cache<NotificationProvider>, 'get' | 'list'>;
  readiness(provider: NotificationProvider): Promise<Readiness>;
  read: Pick<NotificationRepository, 'health'>;
  write: Pick<NotificationRepository, 'enlist' | 'delist' | 'retain' | 'deleteOld'>;
  writeStatus: StatusWriter;
  now(): Date;
}

/** A key that names no provider. Its pass removes providers that were deleted while nobody watched, and old history. */
export const ALL_PROVIDERS = '*';
/** A pass runs at this interval, because a Secret may change without a change of the provider. */
const AGAIN_MS = 60_000;
const SWEEP_MS = 3_600_000;
/** How long the history of deliveries is kept. */
const KEPT_MS = 30 * 86_400_000;

/** One pass over one provider: check whether messages can be sent to it, update the outbox, and write its status. */
export function notificationProviderReconciler(deps: NotificationProviderDeps): (key: string) => Promise<Pass> {
  const { cache, read, write, now } = deps;
  const forget = async (): Promise<Pass> => {
    const names = cache.list().map(({ metadata }) => metadata.name ?? '');
    await write.retain(names, now());
    await write.deleteOld(new Date(now().getTime() - KEPT_MS), 1_000);
    return { requeueAfterMs: SWEEP_MS };
  };
  return async (key) => {
    if (key === ALL_PROVIDERS) return forget();
    const { namespace, name } = partsOf(key);
    const provider = cache.get(namespace, name);
    if (!provider) return void (await forget());
    const readiness = await deps.readiness(provider);
    const trouble = 'target' in readiness ? undefined : readiness;
    // Messages that arise while the provider is not ready are sent once it is ready, unless they are older than a day by then.
    if (provider.spec.suspend) await write.delist(name);
    else await write.enlist(name, now());
    const status = decideProvider({ provider, trouble, health: await read.health(name), now: now() });
    await deps.writeStatus(KINDS.notificationProvider, provider, status);
    return { requeueAfterMs: AGAIN_MS };
  };
}
