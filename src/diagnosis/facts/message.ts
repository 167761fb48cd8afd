import type { ContainerEvidence, EventEvidence } from '../../contract/failure.ts';
import type { Case } from '../case.ts';

/** A line of evidence and its source. */
export interface Quote {
  from: string;
  text: string;
}

/** A text that Kubernetes wrote about the case. */
export interface Message extends Quote {
  /** The reason that comes with the text, such as `FailedMount`; empty when there is none. */
  reason: string;
  /** The container that it is about; null if it is about the pod or does not say. */
  container: string | null;
}

/** Longer texts are cut. Kubelet's events have at most 1 KiB. */
const MAX_TEXT = 2048;
/** A report may contain a thousand events; the newest different ones are enough. */
const MAX_EVENTS = 60;

/**
 * Messages of Kubernetes, the most relevant first: the failing container's status, the report's message, events (newest first), other
 * containers.
 */
export function gatherMessages(subject: Case): Message[] {
  const own = subject.statuses.filter((status) => status.name === subject.container);
  const others = subject.statuses.filter((status) => status.name !== subject.container);
  return [
    ...own.flatMap(statusMessages),
    ...message('pod status', subject.reason, subject.message, subject.container),
    ...eventMessages(subject.events),
    ...others.flatMap(statusMessages),
  ];
}

function statusMessages(status: ContainerEvidence): Message[] {
  const { name, last_state: last } = status;
  return [
    ...message(`status of container ${name}`, status.reason, status.message, name),
    ...(last ? message(`last run of container ${name}`, last.reason, last.message, name) : []),
  ];
}

function eventMessages(events: EventEvidence[]): Message[] {
  const seen = new Set<string>();
  const messages: Message[] = [];
  for (let index = events.length - 1; index >= 0 && messages.length < MAX_EVENTS; index--) {
    const event = events[index] as EventEvidence;
    const key = `${event.reason}\n${event.message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const times = event.count && event.count > 1 ? ` (${event.count} times)` : '';
    messages.push(...message(`event ${event.reason ?? 'without a reason'}${times}`, event.reason, event.message, null));
  }
  return messages;
}

function message(from: string, reason: string | null | undefined, text: string | null | undefined, container: string | null): Message[] {
  if (!text && !reason) return [];
  return [{ from, reason: reason ?? '', text: (text ?? '').slice(0, MAX_TEXT), container }];
}
