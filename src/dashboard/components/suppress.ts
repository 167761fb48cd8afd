import type { SuppressionBody } from '../../contract/suppression.ts';

const DAY = 86_400;

/** For how long something may be hidden: seconds as text → words. */
export const HIDE_FOR = [
  { value: String(DAY), label: 'A day' },
  { value: String(7 * DAY), label: 'A week' },
  { value: String(30 * DAY), label: '30 days' },
] as const;
export const USUAL_HIDE_FOR = String(7 * DAY);

/** The API refuses a shorter reason. */
export const SHORTEST_REASON = 3;

/** What somebody wrote. `seconds` is one of `HIDE_FOR`. */
export interface Written {
  why: string;
  ticket: string;
  seconds: string;
}

/** What fails: a pod and what owns it. A pod without an owner has none, or is its own. */
export interface Failing {
  namespace: string;
  workload: { kind: string; name: string } | null;
  pod_name: string;
  reason: string;
}

/** The names of the pods that are hidden with one of them, as a glob. */
export function podsOf({ workload, pod_name: pod }: Pick<Failing, 'workload' | 'pod_name'>): string {
  return workload && workload.kind !== 'Pod' ? `${workload.name}-*` : pod;
}

/** A Suppression that hides this and nothing else: its workload's pods, in its namespace, for its reason. */
export function suppressionOf(failing: Failing, { why, ticket, seconds }: Written): SuppressionBody {
  return {
    reason: why.trim(),
    ...(ticket.trim() && { ticket: ticket.trim() }),
    ttl_seconds: Number(seconds),
    match: { namespaces: [failing.namespace], pods: [podsOf(failing)], failure_reasons: [failing.reason] },
  };
}
