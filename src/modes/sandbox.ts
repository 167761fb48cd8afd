import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../sandbox/sandbox.ts';
import type { Service } from './mode.ts';

/** Writes a kubeconfig into a new temporary folder; `remove` deletes both. */
export async function writeKubeconfig(text: string): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'podmend-'));
  const path = join(folder, 'kubeconfig');
  await writeFile(path, text, { mode: 0o600 });
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** `podmend sandbox`: the embedded Kubernetes API alone. Its state is lost when it ends. */
export const runSandbox: Service = async ({ config, env }) => {
  // The default port belongs to the facade, so a sandbox takes any free port unless PORT is set.
  const sandbox = await startSandbox({ host: config.host, port: env['PORT'] ? config.port : 0 });
  const kubeconfig = await writeKubeconfig(sandbox.kubeconfig);
  process.stdout.write(`sandbox: ${sandbox.url}\nkubeconfig: ${kubeconfig.path}\n`);
  return {
    async stop() {
      await sandbox.close();
      await kubeconfig.remove();
    },
  };
};
