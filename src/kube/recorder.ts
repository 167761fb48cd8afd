import { randomInt } from 'node:crypto';
import type { ObjectRef, OwnEvent } from '../crd/kubernetes.ts';
import type { Logger } from '../log.ts';
import type { KubeClient } from './connect.ts';
import { isKubeError } from './errors.ts';
import { KINDS } from './kinds.ts';

/** One thing to tell about an object. `reason` and `action` are CamelCase constants, `note` a sentence that holds no secret. */
export interface EventNote {
  /** A function is asked when the event is written; undefined then means that there is nothing to tell it about. */
  regarding: ObjectRef | (() => Promise<ObjectRef | undefined>);
  related?: ObjectRef;
  type: 'Normal' | 'Warning';
  reason: string;
  action: string;
  note: string;
}

export interface EventRecorder {
  /** Writes in its own time, after what was recorded before; nobody learns whether it worked, and no pass waits for it. */
  record(note: EventNote): void;
  /** Resolves when everything recorded so far was written or given up. */
  idle(): Promise<void>;
}

/** Who writes: by this name events are known as Podmend's own, and never taken for evidence. */
const CONTROLLER = 'podmend.dev/operator';
/** The same note within this time of the last is the same series, as in Kubernetes' own recorder. */
const SERIES_MS = 6 * 60_000;
/** A series that goes on is written at most this often; its second event at once, so that people see that it repeats. */
const REFRESH_MS = 60_000;
/** How long a namespace that is going away is left alone. */
const GOING_MS = 60_000;
const MAX_SERIES = 1_000;
const MAX_WAITING = 500;
/** The API server takes no longer note. */
const MAX_NOTE = 1_024;

interface Series {
  name: string;
  count: number;
  seenAt: number;
  writtenAt: number;
}

/** `instance` names this process among its replicas. */
export interface RecorderDeps {
  client: Pick<KubeClient, 'create' | 'patch'>;
  instance: string;
  log: Logger;
  now(): Date;
}

/**
 * Events of `events.k8s.io/v1`, best effort: one after another, folded into a series when repeated, none where a namespace is
 * being removed. Losing one harms nobody, because status and trials say the same.
 */
export function eventRecorder({ client, instance, log, now }: RecorderDeps): EventRecorder {
  const known = new Map<string, Series>();
  const going = new Map<string, number>();
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  let written = 0;
  /** Nanoseconds in hex, as Kubernetes' own recorder ends names: kubectl shows events of one instant in the order of their names. */
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
      // Events live for an hour; the series begins anew.
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

/** metav1.MicroTime. */
const microTime = (at: Date): string => at.toISOString().replace('Z', '000Z');
