import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '../database/database.ts';
import { spreadingProxy } from '../network/spreading-proxy.ts';
import { addressesOf, DEMO_SERVICE_TOKEN, type DemoProcess } from './demo.ts';
import { startMode } from './process.ts';

/** The demo's short grace times, for both replicas. */
const GRACES = { PENDING_GRACE_SECONDS: '3', UNREADY_GRACE_SECONDS: '5', RECOVERY_SECONDS: '20' };

/** The demo on PostgreSQL, with a second operator beside it. `url` is a proxy that spreads requests and sockets over both. */
export async function startReplicatedDemo(server: string): Promise<DemoProcess> {
  const codes: (number | null)[] = [];
  await using begun = new AsyncDisposableStack();
  const folder = begun.adopt(await mkdtemp(join(tmpdir(), 'podmend-replicas-')), (path) => rm(path, { recursive: true, force: true }));
  const { url: databaseUrl } = begun.adopt(await createDatabase(server), ({ drop }) => drop());
  const env = { PORT: '0', HOST: '127.0.0.1', DATABASE_URL: databaseUrl, DATA_DIR: folder, SERVICE_TOKEN: DEMO_SERVICE_TOKEN, ...GRACES };
  const demo = begun.adopt(startMode('demo', env), async ({ stop }) => void codes.push(await stop()));
  const { url: first, kubeconfig } = await addressesOf(demo);
  const other = begun.adopt(
    startMode('operator', { ...env, KUBECONFIG: kubeconfig, LOG_LEVEL: 'info' }),
    async ({ stop }) => void codes.push(await stop()),
  );
  const [, second = ''] = await other.line(/"url":"(http:[^"]+)"/);
  const proxy = begun.adopt(await spreadingProxy([first, second]), ({ close }) => close());
  const running = begun.move();
  return {
    ...demo,
    url: proxy.url,
    kubeconfig,
    output: () => `${demo.output()}\n${other.output()}`,
    async stop() {
      await running.disposeAsync();
      return codes.every((code) => code === 0) ? 0 : 1;
    },
  };
}
