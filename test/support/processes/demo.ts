import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillFolder } from '../database/store.ts';
import { type Running, startMode } from './process.ts';

/** The token that agents and Alertmanager send to the demo. */
export const DEMO_SERVICE_TOKEN = 'the-service-token-of-a-demo-in-tests';

/** A running demo. `kubeconfig` is the path of its cluster's kubeconfig. `stop` also removes what the demo stored. */
export interface DemoProcess extends Running {
  url: string;
  kubeconfig: string;
}

/** Starts `podmend demo` on any free port. Its database is migrated already, which saves seconds. */
export async function startDemo(): Promise<DemoProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'podmend-demo-'));
  await fillFolder(folder);
  const demo = startMode('demo', { PORT: '0', DATA_DIR: folder, SERVICE_TOKEN: DEMO_SERVICE_TOKEN });
  return {
    ...demo,
    ...(await addressesOf(demo)),
    async stop(signal) {
      const code = await demo.stop(signal);
      await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
}

/** The addresses that the demo prints when it listens. */
export async function addressesOf({ line }: Pick<Running, 'line'>): Promise<Pick<DemoProcess, 'url' | 'kubeconfig'>> {
  const [, url = ''] = await line(/^address: (\S+)$/m);
  const [, kubeconfig = ''] = await line(/^kubeconfig: (\S+)$/m);
  return { url, kubeconfig };
}
