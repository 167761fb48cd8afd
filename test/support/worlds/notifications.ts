import type { AddressInfo } from 'node:net';
import type { AppDeps } from '../../../src/api/deps.ts';
import { notificationRepository } from '../../../src/db/notifications.ts';
import { connect, type KubeClient } from '../../../src/kube/client.ts';
import { createLog } from '../../../src/log.ts';
import { sender } from '../../../src/notifications/send.ts';
import { notificationSettings } from '../../../src/notifications/settings.ts';
import { notificationController } from '../../../src/reconcilers/notificationprovider-controller.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { aNamespace, installDefinitions } from '../cluster/clusters.ts';
import { memoryStore } from '../database/store.ts';
import { DASHBOARD } from '../network/browser.ts';
import { type TestApp, testApp } from './app.ts';

/** An app with the dashboard, with real providers in a sandbox. It sends over plain HTTP on loopback. */
export interface NotificationWorld extends TestApp {
  url: string;
  client: KubeClient;
}

const RANGES = ['127.0.0.0/8'];

export async function notificationWorld(): Promise<NotificationWorld> {
  const [sandbox, store] = await Promise.all([startSandbox(), memoryStore()]);
  const client = connect({ kubeconfigText: sandbox.kubeconfig });
  await installDefinitions(client);
  await aNamespace(client, 'podmend');
  const rows = notificationRepository(store.db, 'test');
  const send = sender({ allowedRanges: RANGES, sendMail: async () => ({ ok: true, state: 'accepted' }), timeoutMs: 5_000 });
  const where = { operatorNamespace: 'podmend', allowedRanges: RANGES, cluster: 'test', baseUrl: 'https://podmend.example' };
  const begun: { stop(): Promise<void> }[] = [];
  const app = await testApp(
    ({ hub, now, config }: AppDeps) => {
      const log = createLog({ level: 'silent' });
      const notifications = notificationController({ ...where, client, hiddenNamespaces: [], rows, send, hub, now, log });
      void notifications.start();
      // There is one leader, so no write needs a fence.
      begun.push(notifications.lead({ client, fence: (make) => make(store.db), isCurrent: () => true }), notifications);
      return {
        dashboard: DASHBOARD,
        config: { ...config, baseUrl: undefined },
        notifications: notificationSettings({ ...where, hiddenNamespaces: [], client, cache: notifications.cache, rows, send, now }),
      };
    },
    async () => store,
  );
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    ...app,
    client,
    url: `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`,
    async close() {
      for (const part of begun) await part.stop();
      await app.close();
      client.close();
      await sandbox.close();
    },
  };
}
