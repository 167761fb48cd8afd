import type { SuppressionMatchBody } from './suppression.ts';

// The pods of a workload, as a Suppression names them: chats and the dashboard hide the same.

/** Labels that differ among the pods of a workload, or that its next revision changes. */
const CHANGING =
  /^(pod-template-(hash|generation)|controller-(revision-hash|uid)|version|app\.kubernetes\.io\/version|helm\.sh\/chart|(apps|statefulset)\.kubernetes\.io\/.*|batch\.kubernetes\.io\/(controller-uid|job-completion-index|cronjob-scheduled-timestamp))$/;
const JOB_NAME = /^(batch\.kubernetes\.io\/)?job-name$/;
/** The name of a CronJob's Job ends in the minute for which it was scheduled. This many consecutive minutes begin with the same digits. */
const MINUTES_ALIKE = 10_000;
/** A Suppression takes no more. */
const MOST_LABELS = 32;

/** A workload and one of its pods. A pod without an owner is its own workload, of the kind `Pod`. */
export interface FailingWorkload {
  namespace: string;
  kind: string;
  name: string;
  pod: string;
  /** Of the pod. */
  labels: Readonly<Record<string, string>>;
}

/**
 * Matches the present pods of a workload, those of the next `seconds`, and no others. The name alone is not enough, because `web` would
 * match the pods of `web-api`. But no two workloads select pods with the same labels.
 */
export function workloadMatch(
  workload: FailingWorkload,
  { seconds, now }: { seconds: number; now: Date },
): Required<Pick<SuppressionMatchBody, 'namespaces' | 'pods'>> & Pick<SuppressionMatchBody, 'label_selector'> {
  const labels = lastingLabels(workload.labels, workload.kind);
  const isLabelled = Object.keys(labels).length > 0;
  return {
    namespaces: [workload.namespace],
    pods: podsOf(workload, isLabelled, [now.getTime(), now.getTime() + seconds * 1_000]),
    ...(isLabelled && { label_selector: { match_labels: labels } }),
  };
}

/**
 * The labels that all pods of a workload of that kind have, also after its next revision. Each pod of a CronJob has the name of another
 * Job.
 */
export function lastingLabels(labels: Readonly<Record<string, string>>, kind: string): Record<string, string> {
  const lasts = (label: string): boolean => (JOB_NAME.test(label) ? kind === 'Job' : !CHANGING.test(label));
  return Object.fromEntries(
    Object.entries(labels)
      .filter(([label]) => lasts(label))
      .slice(0, MOST_LABELS),
  );
}

/** Globs of the names that its pods have or will have in that time. A record about a controller has the name of the controller. */
function podsOf({ kind, name, pod }: FailingWorkload, isLabelled: boolean, [from, to]: readonly [number, number]): string[] {
  if (kind === 'Pod') return [name];
  if (kind === 'CronJob') {
    const [first, last] = [from, to].map((at) => Math.floor(at / 60_000 / MINUTES_ALIKE)) as [number, number];
    return [...new Set([name, pod, ...Array.from({ length: last - first + 1 }, (_, n) => `${name}-${first + n}*`)])];
  }
  if (isLabelled) return [name, `${name}-*`];
  // Without labels, only the pods of the same ReplicaSet match, by the common part of their names.
  const set = pod.startsWith(`${name}-`) && /^[a-z0-9]+-(?=[a-z0-9]{5}$)/.exec(pod.slice(name.length + 1))?.[0];
  return [...new Set([name, pod, ...(kind === 'Deployment' && set ? [`${name}-${set}*`] : [])])];
}
