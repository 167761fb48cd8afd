import type { CoreEvent, KubeObject } from '../../crd/kubernetes.ts';
import { millis } from './view.ts';

/** Whether Podmend itself wrote the event: such events are never evidence. */
export function isOwnEvent(event: CoreEvent): boolean {
  return [event.reportingComponent, event.source?.component].some((writer) => writer?.startsWith('podmend'));
}

/** When an event was last seen, in milliseconds; 0 when it does not say. Newer writers set only `series` and `eventTime`. */
export function lastSeen(event: CoreEvent): number {
  return Math.max(
    millis(event.series?.lastObservedTime) ?? 0,
    millis(event.lastTimestamp) ?? 0,
    millis(event.eventTime) ?? millis(event.firstTimestamp) ?? millis(event.metadata?.creationTimestamp) ?? 0,
  );
}

/** When an event was first seen, in milliseconds; 0 when it does not say. */
export function firstSeen(event: CoreEvent): number {
  return millis(event.firstTimestamp) ?? millis(event.eventTime) ?? millis(event.metadata?.creationTimestamp) ?? lastSeen(event);
}

/** The events about an object, oldest first, without Podmend's own. The uid excludes events of another object with the same name. */
export function eventsOf(object: KubeObject, events: CoreEvent[]): CoreEvent[] {
  return events.filter((event) => !isOwnEvent(event) && isAbout(object, event)).sort((a, b) => lastSeen(a) - lastSeen(b));
}

function isAbout({ kind, metadata }: KubeObject, { involvedObject: about }: CoreEvent): boolean {
  if (!about || (about.kind && kind && about.kind !== kind)) return false;
  if (about.uid && metadata.uid) return about.uid === metadata.uid;
  return about.name === metadata.name && (about.namespace ?? '') === (metadata.namespace ?? '');
}

/** The newest of an object's events that has one of the reasons. */
export function newest(events: CoreEvent[], ...reasons: string[]): CoreEvent | undefined {
  return events.findLast((event) => reasons.includes(event.reason ?? ''));
}
