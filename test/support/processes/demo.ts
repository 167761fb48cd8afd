import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillFolder } from '../database/store.ts';
import { type Running, startMode } from './process.ts';

/** The token that agents and Alertmanager send to the demo. */
export const DEMO_SERVICE_TOKEN = 'the-service-token-of-a-demo-in-tests';

/** Starts `podmend demo` on any free port with a database that is migrated already, which saves seconds. `stop` removes that database. */
export async function startDemo(): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'podmend-demo-'));
  await fillFolder(folder);
  const demo = startMode('demo', { PORT: '0', DATA_DIR: folder, SERVICE_TOKEN: DEMO_SERVICE_TOKEN });
  return {
    ...demo,
    async stop(signal) {
      const code = await demo.stop(signal);
      await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
}
