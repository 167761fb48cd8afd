import { randomInt } from 'node:crypto';
import type { ObjectRef, OwnEvent } from '../crd/kubernetes.ts';
import type { Logger } from '../log.ts';
import type { KubeClient } from './client.ts';
import { isKubeError } from './errors.ts';
import { KINDS } from './kinds.ts';

/** An event about an object. `reason` and `action` are CamelCase constants, `note` is a sentence without secrets. */
export interface EventNote {
  /** A function is called when the event is written; undefined means that the object is gone and no event is written. */
  regarding: ObjectRef | (() => Promise<ObjectRef | undefined>);
  related?: ObjectRef;
  type: 'Normal' | 'Warning';
  reason: string;
  action: string;
  note: string;
}

export interface EventRecorder {
  /** Writes the event later, in order. The caller does not wait and does not learn whether it worked. */
  record(note: EventNote): void;
  /** Resolves when everything recorded so far was written or given up. */
  idle(): Promise<void>;
}

/** The reporting controller in Podmend's own events. Podmend uses this name to exclude them from evidence. */
const CONTROLLER = 'podmend.dev/operator';
/** The same note within this time continues a series, as in Kubernetes' own recorder. */
const SERIES_MS = 6 * 60_000;
/** A series is written at most this often. Its second event is written immediately, so that people see the repetition. */
const REFRESH_MS = 60_000;
/** For how long Podmend writes no events to a namespace that is being deleted. */
const GOING_MS = 60_000;
const MAX_SERIES = 1_000;
const MAX_WAITING = 500;
/** The API server refuses longer notes. */
const MAX_NOTE = 1_024;

interface Series {
  name: string;
  count: number;
  seenAt: number;
  writtenAt: number;
}

/** `instance` identifies this process among the replicas. */
export interface RecorderDeps {
  client: Pick<KubeClient, 'create' | 'patch'>;
  instance: string;
  log: Logger;
  now(): Date;
}

/**
 * Writes events of `events.k8s.io/v1`, best effort: one after another, repeated ones as a series, none in a namespace that is being
 * removed. A lost event does no harm, because the status and the trials say the same.
 */
export function eventRecorder({ client, instance, log, now }: RecorderDeps): EventRecorder {
  const known = new Map<string, Series>();
  const going = new Map<string, number>();
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  let written = 0;
  /** The end of an event's name: nanoseconds in hex, as in Kubernetes' own recorder. kubectl sorts events of the same time by name. */
  const ending = (): string => (BigInt(now().getTime()) * 1_000_000n + BigInt((written++ % 1_000) * 1_000 + randomInt(1_000))).toString(16);

  /** Whether the note continued a series. */
  const repeat = async (key: string, namespace: string): Promise<boolean> => {
    const series = known.get(key);
    const at = now().getTime();
    if (!series || at - series.seenAt >= SERIES_MS) return false;
    series.count += 1;
    series.seenAt = at;
    if (series.count > 2 && at - series.writtenAt < REFRESH_MS) return true;
    series.writtenAt = at;
    const body = { series: { count: series.count, lastObservedTime: microTime(now()) } };
    try {
      await client.patch(KINDS.ownEvent, namespace, series.name, body, { type: 'merge' });
      return true;
    } catch (error) {
      // The API server deletes events after an hour, so the series starts again.
      if (!isKubeError(error, 404)) throw error;
      return false;
    }
  };
  const write = async ({ regarding: about, related, type, reason, action, note }: EventNote): Promise<void> => {
    const regarding = typeof about === 'function' ? await about() : about;
    if (!regarding) return;
    const { namespace, name, uid } = regarding;
    if ((going.get(namespace) ?? 0) > now().getTime()) return;
    const key = [uid, type, reason, action, note].join('\n');
    if (await repeat(key, namespace)) return;
    const event: OwnEvent = {
      metadata: { name: `${name.slice(0, 230)}.${ending()}`, namespace },
      eventTime: microTime(now()),
      reportingController: CONTROLLER,
      reportingInstance: instance,
      regarding,
      ...(related ? { related } : {}),
      type,
      reason,
      action,
      note: note.length <= MAX_NOTE ? note : `${note.slice(0, MAX_NOTE - 1)}…`,
    };
    await client.create(KINDS.ownEvent, event);
    if (known.size >= MAX_SERIES) known.clear();
    known.set(key, { name: event.metadata.name ?? '', count: 1, seenAt: now().getTime(), writtenAt: now().getTime() });
  };
  const attempt = async (note: EventNote): Promise<void> => {
    try {
      await write(note);
    } catch (error) {
      const namespace = typeof note.regarding === 'function' ? note.related?.namespace : note.regarding.namespace;
      if (isKubeError(error, 403) && /being terminated/.test(error.message) && namespace) going.set(namespace, now().getTime() + GOING_MS);
      else log.debug({ err: error, reason: note.reason }, 'event was not written');
    }
  };
  return {
    record(note) {
      if (waiting >= MAX_WAITING) return log.debug({ reason: note.reason }, 'event was dropped: too many wait');
      waiting += 1;
      last = last.then(() => attempt(note)).finally(() => (waiting -= 1));
    },
    idle: () => last,
  };
}

/** The time as a metav1.MicroTime, which has six fraction digits. */
const microTime = (at: Date): string => at.toISOString().replace('Z', '000Z');
