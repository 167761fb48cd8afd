import { randomBytes } from 'node:crypto';
import type { Loose } from '../store/object.ts';
import type { PodContext } from './context.ts';
import { ConfigFault, checkUser, environmentOf, expandReferences } from './environment.ts';
import type { Image } from './images.ts';

/** What the container will run, and with which environment. */
export interface RunCommand {
  environment: Record<string, string>;
  argv: string[];
}

/** Determines what the container will run, or why the kubelet cannot create it. */
export function planRun(
  { api, pod }: Pick<PodContext, 'api' | 'pod'>,
  spec: Loose,
  image: Image,
): RunCommand | { reason: string; message: string } {
  try {
    const environment = environmentOf(api, pod(), spec, image.environment);
    checkUser(pod(), spec);
    const words = ((spec.command ?? image.entrypoint) as string[]).concat(spec.args ?? (spec.command ? [] : image.command));
    if (words.length > 0) return { environment, argv: words.map((word) => expandReferences(word, environment)) };
    const id = randomBytes(32).toString('hex');
    return {
      reason: 'CreateContainerError',
      message: `failed to generate container "${id}" spec: failed to generate spec: no command specified`,
    };
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    return { reason: 'CreateContainerConfigError', message: error.message };
  }
}
