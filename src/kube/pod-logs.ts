import { Refusal } from '../contract/refusal.ts';
import type { PodLog } from '../contract/log.ts';
import type { Pod } from '../crd/kubernetes.ts';
import type { KubeClient, LogOptions } from './client.ts';
import { isKubeError } from './errors.ts';
import { KINDS } from './kinds.ts';
import { linesOf } from './lines.ts';
import { maskText } from '../redact/text.ts';
import { containersOf } from '../crd/containers.ts';

export interface LogWish {
  namespace: string;
  pod_name: string;
  /** Default: the first failing container, or else the first container. */
  container?: string | undefined;
  /** The number of last lines. */
  tailLines: number;
}

/** A line of a stream. `at` is the time as the kubelet wrote it: RFC 3339 with nanoseconds. */
export interface LogLine {
  at: string;
  text: string;
}

/** The most bytes of one answer: 5000 lines of a kilobyte. */
const MOST_BYTES = 5 * 1024 * 1024;

export type PodLogs = ReturnType<typeof podLogs>;

/** Reads the logs of pods from the cluster, with their secrets masked. Throws Refusal or ClusterUnavailable. */
export function podLogs(client: Pick<KubeClient, 'read' | 'logs' | 'followLogs'>) {
  const find = async ({ namespace, pod_name, container }: LogWish) => {
    const pod = await refused(client.read(KINDS.pod, namespace, pod_name));
    if (!pod) throw new Refusal('missing', 'Pod not found');
    const containers = containersOf(pod).map(({ spec }) => spec.name);
    const chosen = container ?? firstFailing(pod) ?? containers[0] ?? '';
    if (!containers.includes(chosen)) throw new Refusal('invalid', `container must be one of ${containers.join(', ')}`);
    return { containers, container: chosen };
  };

  return {
    /** The last lines of the current container, or with `previous` of the one before its restart. */
    async read(wish: LogWish, previous: boolean): Promise<PodLog> {
      const { namespace, pod_name } = wish;
      const { containers, container } = await find(wish);
      const options: LogOptions = { container, tailLines: wish.tailLines, previous, limitBytes: MOST_BYTES };
      const logs = await client.logs(namespace, pod_name, options).catch((error: unknown) => {
        if (!isKubeError(error, 400)) throw refusal(error);
        if (previous) throw new Refusal('missing', `Container ${container} had no run before this one`);
        // The container has not started yet: the kubelet answers 400.
        return '';
      });
      return { pod_name, namespace, container, containers, logs: maskText(logs) };
    },

    /**
     * Streams the last lines and all new lines, until the container ends or `signal` aborts. With `after` (the time of an earlier line), only
     * later lines are returned. Lines are read no faster than the caller takes them.
     */
    async follow(wish: LogWish, { after, signal }: { after?: string | undefined; signal: AbortSignal }): Promise<AsyncGenerator<LogLine>> {
      const { container } = await find(wish);
      const since = after === undefined ? { tailLines: wish.tailLines } : { sinceTime: after };
      const stream = await refused(client.followLogs(wish.namespace, wish.pod_name, { container, ...since }, signal));
      return laterThan(after, linesIn(stream));
    },
  };
}

/** The first container, in start order, that waits for a restart, failed or is not ready. */
export function firstFailing(pod: Pod): string | undefined {
  return containersOf(pod).find(({ status, kind }) => {
    if (!status) return false;
    const ended = status.state?.terminated ?? (status.state?.waiting && status.lastState?.terminated);
    return (ended !== undefined && ended.exitCode !== 0) || (kind !== 'init' && status.state?.running !== undefined && !status.ready);
  })?.spec.name;
}

async function* linesIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<LogLine> {
  for await (const line of linesOf(stream)) {
    const [, at = '', text = line] = /^(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)) ?(.*)$/s.exec(line) ?? [];
    yield { at, text: maskText(text) };
  }
}

/** Leaves out lines up to `after`. `sinceTime` has whole seconds only, so the API server sends the lines of the last second again. */
async function* laterThan(after: string | undefined, lines: AsyncGenerator<LogLine>): AsyncGenerator<LogLine> {
  const bound = after && nanosecondsOf(after);
  for await (const line of lines) if (!bound || nanosecondsOf(line.at) > bound) yield line;
}

/** An instant with nine fraction digits, so that instants can be compared as text. */
function nanosecondsOf(at: string): string {
  const [, seconds = at, fraction = ''] = /^(.+?)(?:\.(\d+))?Z$/.exec(at) ?? [];
  return `${seconds}.${fraction.padEnd(9, '0')}`;
}

async function refused<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error: unknown) => {
    throw refusal(error);
  });
}

/** A refusal of the API server, explained to people who do not know which rights Podmend has. */
function refusal(error: unknown): unknown {
  if (isKubeError(error, 403)) return new Refusal('denied', 'Podmend may not read the logs of that namespace');
  if (isKubeError(error, 404)) return new Refusal('missing', 'Pod not found');
  return isKubeError(error, 400) ? new Refusal('missing', 'The container has not started yet') : error;
}
