import type { Config } from '../config.ts';
import type { NotificationProvider } from '../crd/notificationprovider.ts';
import { notificationRepository, type NotificationRepository } from '../db/notifications.ts';
import type { Storage } from '../db/storage.ts';
import type { Cluster } from '../kube/cluster.ts';
import type { Cache } from '../kube/watch.ts';
import { mailSender } from './mail.ts';
import { type Sender, sender } from './send.ts';
import { type NotificationSettings, notificationSettings } from './settings.ts';

export interface NotificationsWiring {
  config: Pick<Config, 'podNamespace' | 'hiddenNamespaces' | 'clusterName' | 'baseUrl' | 'allowPrivateAddresses' | 'proxy'>;
  storage: Pick<Storage, 'db'>;
  cluster: Cluster;
  now(): Date;
}

/** The parts that send messages and that administrators see. */
export interface NotificationParts {
  rows: NotificationRepository;
  send: Sender;
  /** The address without `/` at its end. */
  baseUrl: string | null;
  settings(cache: Cache<NotificationProvider>): NotificationSettings;
}

export function wireNotifications({ config, storage, cluster, now }: NotificationsWiring): NotificationParts {
  const { podNamespace: operatorNamespace, hiddenNamespaces, clusterName, allowPrivateAddresses: allowedRanges, proxy } = config;
  const rows = notificationRepository(storage.db, clusterName);
  const send = sender({ allowedRanges, proxy, sendMail: mailSender({ allowedRanges }) });
  const baseUrl = config.baseUrl?.replace(/\/+$/, '') ?? null;
  const { client } = cluster.interactive;
  const common = { client, rows, send, operatorNamespace, hiddenNamespaces, allowedRanges, cluster: clusterName, baseUrl, now };
  return { rows, send, baseUrl, settings: (cache) => notificationSettings({ ...common, cache }) };
}
