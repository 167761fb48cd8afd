import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findKubectl } from './kubectl.ts';
import { until } from '../runner/wait.ts';

/** `kubectl port-forward` to one pod or Service of a real cluster, until `close`. It ends on its own when the pod does. */
export async function portForward(
  kubeconfig: string,
  { namespace, target, port }: { namespace: string; target: string; port: number },
): Promise<{ url: string; close(): Promise<void> }> {
  const kubectl = await findKubectl();
  if ('missing' in kubectl) throw new Error(kubectl.missing);
  const args = ['--kubeconfig', kubeconfig, 'port-forward', '--address=127.0.0.1', '--namespace', namespace, target, `:${port}`];
  const child = spawn(kubectl.path, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const close = async () => {
    child.kill();
    await ended;
  };
  try {
    const [, own = ''] = await until(() => /Forwarding from 127\.0\.0\.1:(\d+)/.exec(output), {
      what: () => `kubectl port-forward: ${output}`,
    });
    return { url: `http://127.0.0.1:${own}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}
