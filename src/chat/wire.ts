import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import type { NotificationProvider } from '../crd/notificationprovider.ts';
import { chatTargetRepository } from '../db/chat-targets.ts';
import type { NotificationRepository } from '../db/notifications.ts';
import type { Storage } from '../db/storage.ts';
import type { Hub } from '../events.ts';
import type { PodLogs } from '../kube/pod-logs.ts';
import type { Cache } from '../kube/watch.ts';
import type { Logger } from '../log.ts';
import type { Mirrors } from '../mirrors/deploy.ts';
import type { Previewer } from '../mirrors/preview.ts';
import { clientsFor } from '../notifications/send.ts';
import type { Readiness } from '../notifications/target.ts';
import type { SuppressionList } from '../suppressions/list.ts';
import { alerts } from './alerts.ts';
import { may, mappedName, permissionOf, type Standing, standingOf } from './policy/role.ts';
import { type ChatProvider, chatProviders } from './providers.ts';
import { teller } from './send-message.ts';
import { chatWebhooks } from './webhooks.ts';
import { chatWork, type WorkDeps } from './worker.ts';

export interface ChatWiring {
  config: Pick<Config, 'podNamespace' | 'clusterName' | 'allowPrivateAddresses' | 'proxy' | 'hiddenNamespaces'>;
  storage: Pick<Storage, 'db' | 'alerts' | 'chatRequests' | 'failures' | 'trials' | 'users' | 'audit'>;
  /** Whether messages can be sent to a provider, with the values of its Secret. */
  readiness(provider: NotificationProvider): Promise<Readiness>;
  cache: Pick<Cache<NotificationProvider>, 'get' | 'list' | 'synced'>;
  /** The rows of notifications: the incidents of messages, and the outbox. */
  rows: NotificationRepository;
  /** Without `/` at its end. */
  baseUrl: string | null;
  mirrors: Pick<Mirrors, 'deploy' | 'requested' | 'status'>;
  previewer: Pick<Previewer, 'explain'>;
  suppressions: Pick<SuppressionList, 'add' | 'list'>;
  logs: Pick<PodLogs, 'read'>;
  hub: Pick<Hub, 'publish'>;
  /** The name of this process. */
  identity: string;
  now(): Date;
  log: Logger;
  pollMs?: number;
}

export type Replica = ReturnType<typeof wireChat>;

/** Wires the endpoints for chats and Alertmanager, and the workers behind them. */
export function wireChat(wiring: ChatWiring) {
  const { config, storage, readiness, cache, rows, baseUrl, mirrors, previewer, suppressions, logs, hub, now, log } = wiring;
  const { podNamespace: operatorNamespace, clusterName: cluster, allowPrivateAddresses: allowedRanges, hiddenNamespaces: hidden } = config;
  const providers = chatProviders({ cache, operatorNamespace, readiness, now });
  const userOf = async (name: string): Promise<Standing['user']> => {
    const user = await storage.users.byUsername(name);
    return user ? { id: user.id, username: user.username, role: user.role } : null;
  };
  const standing: WorkDeps['standing'] = async ({ provider }, person) => {
    const name = mappedName(provider.spec.chat, person.id);
    return standingOf(provider.spec.chat, person, name === undefined ? undefined : await userOf(name));
  };
  const able: WorkDeps['able'] = async ({ provider }: ChatProvider, action) => {
    const mapped = await Promise.all((provider.spec.chat?.users ?? []).slice(0, 50).map(({ user }) => userOf(user)));
    const those = mapped.filter((user) => user !== null && may({ user, role: user.role }, permissionOf(action)));
    return [...new Set(those.flatMap((user) => user?.username ?? []))];
  };
  const { chatRequests: requests } = storage;
  const work = chatWork({
    ...{
      failures: storage.failures,
      audit: storage.audit,
      mirrors,
      suppressions,
      logs,
      hub,
      now,
      log,
      providers,
      rows: requests,
      standing,
      able,
    },
    targets: chatTargetRepository(storage.db, { cluster, hidden }),
    incidents: rows.incidents,
    explain: previewer.explain,
    links: (record) => (baseUrl === null ? null : record === null ? `${baseUrl}/` : `${baseUrl}/failures/${record}`),
    tell: teller({ clientFor: clientsFor({ allowedRanges, proxy: config.proxy }), now }),
    trial: storage.trials.byMirror,
    mirror: mirrors.status,
    holder: `${wiring.identity}/${randomUUID()}`,
    ...(wiring.pollMs !== undefined && { pollMs: wiring.pollMs }),
  });
  return {
    chat: chatWebhooks({ providers, rows: requests, worker: work, now }),
    alerts: alerts({
      rows: storage.alerts,
      outbox: rows,
      providers: () => cache.list().filter(({ spec }) => spec.suspend !== true),
      here: { cluster, hiddenNamespaces: hidden },
      now,
    }),
    work,
  };
}
