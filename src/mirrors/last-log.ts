import { setTimeout as sleep } from 'node:timers/promises';
import { remember } from '../async/cache.ts';
import type { KeptLog } from '../contract/log.ts';
import { containersOf } from '../crd/containers.ts';
import type { Pod } from '../crd/kubernetes.ts';
import type { TrialRepository } from '../db/trials.ts';
import type { KubeClient } from '../kube/client.ts';
import { isKubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import { firstFailing } from '../kube/pod-logs.ts';
import type { Logger } from '../log.ts';
import { maskText } from '../redact/text.ts';
import { boundLog } from './policy/kept-log.ts';

export interface LastLogDeps {
  client: Pick<KubeClient, 'read' | 'logs'>;
  trials: Pick<TrialRepository, 'keepLog'>;
  now(): Date;
  log: Logger;
  /** `READ_MS` by default. */
  readMs?: number;
}

export interface LastLogs {
  /**
   * Stores the end of the log of a mirror whose pod will be removed. Call it before the removal. It never fails, and takes no longer
   * than `READ_MS`. A second call within a minute changes nothing.
   */
  keep(mirrorId: string, pod: { namespace: string; name: string }): Promise<void>;
}

/** The removal of a mirror waits at most this long for its log. */
export const READ_MS = 2_000;
const REMEMBERED = { ttlMs: 60_000, most: 1_000 };

/** Stores the logs of a mirror's containers before its pod is removed. */
export function lastLogs({ client, trials, now, log, readMs = READ_MS }: LastLogDeps): LastLogs {
  const keep = async (mirrorId: string, namespace: string, name: string): Promise<void> => {
    const pod = await client.read(KINDS.pod, namespace, name);
    const last = pod && (await lastLogOf(client, pod));
    if (last) await trials.keepLog(mirrorId, name, boundLog(last));
  };
  const once = remember(
    async (key) => {
      const [mirrorId = '', namespace = '', name = ''] = key.split('/');
      const kept = keep(mirrorId, namespace, name).catch((error: unknown) =>
        log.warn({ err: error, namespace, pod: name }, 'the log of a mirror is not kept'),
      );
      await Promise.race([kept, sleep(readMs, undefined, { ref: false })]);
    },
    { ...REMEMBERED, now },
  );
  return { keep: (mirrorId, { namespace, name }) => once(`${mirrorId}/${namespace}/${name}`) };
}

/** The last lines of all containers; undefined when none could be read. */
async function lastLogOf(client: Pick<KubeClient, 'logs'>, pod: Pod): Promise<KeptLog | undefined> {
  const all = containersOf(pod);
  const containers = await Promise.all(
    all.map(async ({ spec: { name }, status }) => ({
      name,
      current: await runOf(client, pod, { container: name, previous: false }),
      previous: status?.restartCount ? await runOf(client, pod, { container: name, previous: true }) : null,
    })),
  );
  if (containers.every(({ current, previous }) => current === null && previous === null)) return undefined;
  return { container: firstFailing(pod) ?? pod.spec.containers[0]?.name ?? '', containers };
}

/** Numbers of lines to request, tried in this order. If the answer is too long, its end is cut off, so fewer lines are requested. */
const LINES = [1_000, 100, 10];
const LIMIT_BYTES = 256 * 1024;

async function runOf(
  client: Pick<KubeClient, 'logs'>,
  { metadata }: Pod,
  run: { container: string; previous: boolean },
): Promise<string | null> {
  let text = '';
  try {
    for (const tailLines of LINES) {
      text = await client.logs(metadata.namespace ?? '', metadata.name ?? '', { ...run, tailLines, limitBytes: LIMIT_BYTES });
      if (Buffer.byteLength(text) < LIMIT_BYTES) break;
    }
  } catch (error) {
    // The container has not started, or there was no run before.
    if (isKubeError(error, 400)) return null;
    throw error;
  }
  return text.startsWith('unable to retrieve container logs') ? null : maskText(text);
}
