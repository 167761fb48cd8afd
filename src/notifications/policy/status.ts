import { instant, setCondition } from '../../crd/condition.ts';
import type { NotificationProvider, NotificationProviderStatus } from '../../crd/notificationprovider.ts';

export interface ProviderView {
  provider: NotificationProvider;
  /** Why nothing can be sent; undefined if it can. */
  trouble: { reason: string; message: string } | undefined;
  /** When a message last arrived, and the newest message's error, masked. */
  health: { deliveredAt: Date | null; error: string | null };
  now: Date;
}

/** The Ready condition of a provider without problems. */
export const SENDING = { reason: 'Sending', message: 'Messages are sent.' };
export const SUSPENDED = { reason: 'Suspended', message: 'It is suspended: nothing is sent.' };
const FIVE_MINUTES_MS = 5 * 60_000;

/** The status that a provider should have. Conditions that do not change keep their times. */
export function decideProvider({ provider, trouble, health, now }: ProviderView): NotificationProviderStatus {
  const { metadata, spec, status } = provider;
  const why = trouble ?? (spec.suspend ? SUSPENDED : SENDING);
  const stated = [{ type: 'Ready', status: trouble || spec.suspend ? 'False' : 'True', ...why } as const];
  const stalled = trouble ? [{ type: 'Stalled', status: 'True', ...trouble } as const] : [];
  const before = (status?.conditions ?? []).filter(({ type }) => type === 'Ready' || (type === 'Stalled' && trouble !== undefined));
  const conditions = [...stated, ...stalled].reduce((list, one) => setCondition(list, one, now, metadata.generation), before);
  return {
    observedGeneration: metadata.generation ?? 1,
    ...deliveryOf(health.deliveredAt, status?.lastDeliveryTime),
    ...(health.error === null ? {} : { lastError: health.error.slice(0, 1_000) }),
    conditions,
  };
}

/** Written at most every five minutes, because a busy provider would otherwise update its status all the time. */
function deliveryOf(deliveredAt: Date | null, written: string | undefined): Pick<NotificationProviderStatus, 'lastDeliveryTime'> {
  if (!deliveredAt) return written ? { lastDeliveryTime: written } : {};
  const isRecent = written !== undefined && deliveredAt.getTime() - Date.parse(written) < FIVE_MINUTES_MS;
  return { lastDeliveryTime: isRecent ? written : instant(deliveredAt) };
}
