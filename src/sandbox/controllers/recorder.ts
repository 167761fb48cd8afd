import { randomBytes } from 'node:crypto';
import type { Api } from '../api/api.ts';
import type { Loose, Stored } from '../store/object.ts';
import { microTimeText, timeText } from '../store/object.ts';

/** One thing to tell about an object. */
export interface EventNote {
  object: Stored;
  fieldPath?: string;
  type?: 'Normal' | 'Warning';
  reason: string;
  message: string;
  /** Only for events of events.k8s.io (`isSeries`). */
  action?: string;
}

/** When one object gets this many different messages of one kind within ten minutes, further ones are combined into one event. */
const MANY = 10;
const SIMILAR_MS = 600_000;

/** Writes the events of one component. A repeated event only increases the count. */
export interface Recorder {
  (note: EventNote): void;
}

/**
 * The events of one component. `host` is the node of a kubelet. `isSeries`: events as the newer API writes them (the scheduler's), with an
 * `eventTime` and no count. Events about deleted objects, or in terminating namespaces, are dropped.
 */
export function recorder(api: Api, component: string, { host, isSeries = false }: { host?: string; isSeries?: boolean } = {}): Recorder {
  const kind = api.registry.builtin('events');
  const known = new Map<string, { namespace: string; name: string }>();
  const similar = new Map<string, { messages: Set<string>; at: number }>();

  /** Whether there were so many similar messages lately that this one is combined with them. */
  function isOneOfMany({ object, type = 'Normal', reason, message }: EventNote, at: number): boolean {
    const key = [object.metadata.uid, type, reason].join('\n');
    const before = similar.get(key);
    const messages = before && at - before.at <= SIMILAR_MS ? before.messages : new Set<string>();
    if (similar.size > 2000) similar.clear();
    similar.set(key, { messages: messages.add(message), at });
    if (messages.size < MANY) return false;
    messages.delete(message);
    return true;
  }

  function body({ object, fieldPath, type = 'Normal', reason, message, action }: EventNote, now: Date): Loose {
    const { name, namespace = 'default', uid, resourceVersion } = object.metadata;
    const base = {
      metadata: { name: `${name}.18${randomBytes(7).toString('hex')}`, namespace },
      involvedObject: {
        kind: object.kind,
        apiVersion: object.apiVersion,
        name,
        ...(object.metadata.namespace && { namespace }),
        uid,
        resourceVersion,
        ...(fieldPath && { fieldPath }),
      },
      reason,
      message,
      type,
      reportingComponent: component,
    };
    if (isSeries)
      return {
        ...base,
        action,
        eventTime: microTimeText(now),
        firstTimestamp: null,
        lastTimestamp: null,
        reportingInstance: component,
        source: {},
      };
    const at = timeText(now);
    return {
      ...base,
      count: 1,
      eventTime: null,
      firstTimestamp: at,
      lastTimestamp: at,
      reportingInstance: host ?? '',
      source: { component, ...(host && { host }) },
    };
  }

  return (note) => {
    const { object, fieldPath = '', type = 'Normal', reason } = note;
    const now = api.clock.now();
    const isCombined = !isSeries && isOneOfMany(note, now.getTime());
    const message = isCombined ? `(combined from similar events): ${note.message}` : note.message;
    const key = [object.metadata.uid, fieldPath, type, reason, isCombined ? '' : message].join('\n');
    const earlier = known.get(key);
    const seen =
      earlier &&
      api.change(kind, { metadata: earlier }, '', (event) => {
        if (isSeries) event.series = { count: (event.series?.count ?? 1) + 1, lastObservedTime: microTimeText(now) };
        else Object.assign(event, { count: (event.count ?? 1) + 1, lastTimestamp: timeText(now), message });
      });
    if (seen) return;
    try {
      const { metadata } = api.create(kind, object.metadata.namespace ?? 'default', body({ ...note, message }, now), { isInternal: true });
      if (known.size > 2000) known.clear();
      known.set(key, { namespace: metadata.namespace ?? 'default', name: metadata.name });
    } catch {
      // The namespace is terminating, so nobody will read the event.
    }
  };
}
