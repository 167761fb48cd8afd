import type { PodTemplate } from '../crd/kubernetes.ts';
import type { Source } from './source.ts';

/** What the source says about its failure. */
interface Complaint {
  failure_reason?: string | null;
  failure_message?: string | null;
}

const MESSAGES: [pattern: RegExp, what: string][] = [
  [/free ports/, 'its host port'],
  [/existing pods? anti-affinity/, 'the labels by which other pods keep away from it'],
  [/topology spread/, 'the labels by which its pods are spread'],
  [/exceeded quota|failed quota/, 'the room that a quota leaves'],
];

/**
 * The cause of the source's failure, where it lies in something that isolation takes away or changes: a mirror would do well
 * whatever its correction is, so that doing well proves nothing (DESIGN section 3, "Isolation must not fool the verdict").
 * undefined when a mirror can meet the cause.
 */
export function untriedCause({ pod }: Source, { failure_reason, failure_message }: Complaint, template?: PodTemplate): string | undefined {
  const conditions = pod?.status?.conditions ?? [];
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
  const text = [failure_message, scheduled?.status === 'False' ? scheduled.message : '', pod?.status?.message].join('\n');
  const told = MESSAGES.find(([pattern]) => pattern.test(text));
  if (told) return told[1];
  if (failure_reason === 'NodePorts' || pod?.status?.reason === 'NodePorts') return 'its host port';
  if (conditions.some(({ type, reason, status }) => type === 'Ready' && status === 'False' && reason === 'ReadinessGatesNotReady'))
    return 'its readiness gates';
  if (failure_reason === 'Preempted') return 'its priority';
  const isRefusedByNode = /^(?:OutOf\w+|NodeAffinity)$/.test(failure_reason ?? '');
  return isRefusedByNode && template?.spec.nodeName ? 'its choice of a node' : undefined;
}
