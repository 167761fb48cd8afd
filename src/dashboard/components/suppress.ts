import type { SuppressionBody } from '../../contract/suppression.ts';
import { workloadMatch } from '../../contract/workload-match.ts';

const DAY = 86_400;

/** The durations for hiding: seconds as text → words. */
export const HIDE_FOR = [
  { value: String(DAY), label: 'A day' },
  { value: String(7 * DAY), label: 'A week' },
  { value: String(30 * DAY), label: '30 days' },
] as const;
export const USUAL_HIDE_FOR = String(7 * DAY);

/** The API refuses a shorter reason. */
export const SHORTEST_REASON = 3;

/** The form's content. `seconds` is one of `HIDE_FOR`. */
export interface Written {
  why: string;
  ticket: string;
  seconds: string;
}

/** The failing object: a pod with its labels and owner. A pod without an owner has none, or is its own. */
export interface Failing {
  namespace: string;
  workload: { kind: string; name: string } | null;
  pod_name: string;
  labels: Readonly<Record<string, string>>;
  failure_reason: string;
}

/** A Suppression with what somebody wrote. */
export function suppressionWith({ why, ticket, seconds }: Written, match: SuppressionBody['match']): SuppressionBody {
  return { reason: why.trim(), ...(ticket.trim() && { ticket: ticket.trim() }), ttl_seconds: Number(seconds), match };
}

/** A Suppression that hides exactly this: the workload's pods in its namespace that fail for its reason. */
export function suppressionOf(
  { namespace, workload, pod_name: pod, labels, failure_reason }: Failing,
  written: Written,
  now: Date,
): SuppressionBody {
  const { kind, name } = workload ?? { kind: 'Pod', name: pod };
  const match = workloadMatch({ namespace, kind, name, pod, labels }, { seconds: Number(written.seconds), now });
  return suppressionWith(written, { ...match, failure_reasons: [failure_reason] });
}
