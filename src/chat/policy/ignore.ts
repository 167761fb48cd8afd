import type { SuppressionBody } from '../../contract/suppression.ts';
import type { IncidentView } from '../../notifications/policy/view.ts';
import type { ChatPerson } from './role.ts';

/** Labels that differ among the pods of a workload, or that its next version changes. */
const CHANGING =
  /^(pod-template-(hash|generation)|controller-(revision-hash|uid)|version|app\.kubernetes\.io\/version|helm\.sh\/chart|(apps|statefulset)\.kubernetes\.io\/.*|batch\.kubernetes\.io\/(controller-uid|job-completion-index|cronjob-scheduled-timestamp))$/;
const JOB_NAME = /^(batch\.kubernetes\.io\/)?job-name$/;
/** A job of a CronJob is named after the minute in which it was due; so many of these begin with the same digits. */
const MINUTES_ALIKE = 10_000;
/** A Suppression takes no more. */
const MOST_LABELS = 32;

export interface Ignoring {
  days: number;
  person: ChatPerson;
  chat: string;
  /** Of all its open records. */
  reasons: string[];
  now: Date;
}

/**
 * The Suppression that hides an incident: the pods of its workload, present and to come, with its reasons. By its name alone, `web` would
 * take the pods of `web-api` too; but no two workloads select pods with the same labels.
 */
export function ignoreBody(incident: IncidentView, { days, person, chat, reasons, now }: Ignoring): SuppressionBody {
  const labels = lastingLabels(incident);
  const isLabelled = Object.keys(labels).length > 0;
  return {
    reason: `Ignored for ${days} d from ${chat} by ${person.name}: ${incident.reason} of ${incident.owner}`.slice(0, 1_024),
    owner: `${person.name} (${chat} ${person.id})`.slice(0, 253),
    ttl_seconds: days * 86_400,
    match: {
      namespaces: [incident.namespace],
      pods: podsOf(incident, isLabelled, { days, now }),
      failure_reasons: [...new Set([incident.reason, ...reasons])].sort().slice(0, 64),
      ...(isLabelled && { label_selector: { match_labels: labels } }),
    },
  };
}

/** The labels that all pods of the workload have. Each pod of a CronJob has another job's name. */
function lastingLabels({ owner, labels }: IncidentView): Record<string, string> {
  const lasts = (label: string): boolean => (JOB_NAME.test(label) ? owner.startsWith('Job/') : !CHANGING.test(label));
  return Object.fromEntries(
    Object.entries(labels)
      .filter(([label]) => lasts(label))
      .slice(0, MOST_LABELS),
  );
}

/** Globs of the names that its pods have or will have in that time. The record of a controller has the name of the controller. */
function podsOf({ owner, pod }: IncidentView, isLabelled: boolean, { days, now }: Pick<Ignoring, 'days' | 'now'>): string[] {
  const [kind = '', name = ''] = owner.split('/');
  if (kind === 'Pod') return [name];
  if (kind === 'CronJob') {
    const minute = now.getTime() / 60_000;
    const first = Math.floor(minute / MINUTES_ALIKE);
    const last = Math.floor((minute + days * 1_440) / MINUTES_ALIKE);
    return [...new Set([name, pod, ...Array.from({ length: last - first + 1 }, (_, n) => `${name}-${first + n}*`)])];
  }
  if (isLabelled) return [name, `${name}-*`];
  // Without labels only those that its name and this pod's have in common: the pods of the same ReplicaSet.
  const set = pod.startsWith(`${name}-`) && /^[a-z0-9]+-(?=[a-z0-9]{5}$)/.exec(pod.slice(name.length + 1))?.[0];
  return [...new Set([name, pod, ...(kind === 'Deployment' && set ? [`${name}-${set}*`] : [])])];
}
