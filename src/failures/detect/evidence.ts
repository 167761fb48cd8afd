import type { ContainerEvidence, EventEvidence } from '../../contract/failure.ts';
import type { ContainerState, CoreEvent, Pod } from '../../crd/kubernetes.ts';
import { containersOf } from '../../crd/containers.ts';
import { firstSeen, isOwnEvent, lastSeen } from './events.ts';

/** The container statuses of a report, in start order. Only statuses that a kubelet has written count. The image is the one in the spec. */
export function containerEvidence(pod: Pod): ContainerEvidence[] {
  return containersOf(pod).flatMap(({ spec, kind, status }) => {
    if (!status) return [];
    const last = flatten(status.lastState);
    return {
      name: spec.name,
      kind,
      image: spec.image ?? status.image,
      ready: status.ready,
      restart_count: status.restartCount,
      ...flatten(status.state),
      ...(last ? { last_state: last } : {}),
    };
  });
}

function flatten(state: ContainerState | undefined): Omit<ContainerEvidence, 'name'> | undefined {
  if (state?.waiting) return { state: 'waiting', ...given({ reason: state.waiting.reason, message: state.waiting.message }) };
  if (state?.running) return { state: 'running', ...given({ started_at: state.running.startedAt }) };
  const ended = state?.terminated;
  if (!ended) return undefined;
  return {
    state: 'terminated',
    exit_code: ended.exitCode,
    ...given({ reason: ended.reason, message: ended.message, started_at: ended.startedAt, finished_at: ended.finishedAt }),
    ...(ended.signal === undefined ? {} : { signal: ended.signal }),
  };
}

/** Leaves out what is absent or null, so that reports are short. */
function given<K extends string>(fields: Record<K, string | null | undefined>): Partial<Record<K, string>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as Partial<
    Record<K, string>
  >;
}

/** The events of a report, oldest first, without those that Podmend wrote itself. */
export function eventEvidence(events: CoreEvent[]): EventEvidence[] {
  return events
    .filter((event) => !isOwnEvent(event))
    .sort((a, b) => lastSeen(a) - lastSeen(b))
    .map((event) => ({
      type: event.type ?? null,
      reason: event.reason ?? null,
      message: event.message ?? null,
      count: event.series?.count ?? event.count ?? 1,
      first_timestamp: instant(firstSeen(event)),
      timestamp: instant(lastSeen(event)),
      source: event.reportingComponent || event.source?.component || null,
    }));
}

function instant(at: number): string | null {
  return at ? new Date(at).toISOString() : null;
}
