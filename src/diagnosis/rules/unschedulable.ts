import { oldPodsFirst } from '../changes/old-pods-first.ts';
import type { SchedulingCause, SchedulingReason } from '../facts/scheduling.ts';
import { code } from '../rendering/quote.ts';
import { describe } from '../rendering/commands.ts';
import type { Correction } from '../corrections/correction.ts';
import { joined } from '../corrections/combine.ts';
import { onlyNodes } from '../corrections/placement/only-nodes.ts';
import { isSelected, isSystemTaint } from '../corrections/placement/node-fit.ts';
import { type DiagnosisRule } from './rule.ts';
import { factOf, type RuleInput, who } from '../facts/input.ts';
import { explainReason } from './unschedulable/reasons.ts';

/** The scheduler finds no node. Its message counts the nodes by reason; each reason is explained. */
export const unschedulable: DiagnosisRule = {
  id: 'unschedulable',
  reasons: ['Unschedulable', 'SchedulerError', 'Pending'],
  answer(input) {
    const fact = factOf(input, 'unschedulable');
    if (!fact || fact.reasons.length === 0) return undefined;
    // Reasons that a change to the pod can remove come first, those for most nodes before others. Nearly every message mentions the taints
    // of the control plane.
    const reasons = fact.reasons.toSorted((a, b) => weight(input, b) - weight(input, a) || b.nodes - a.nodes);
    const explained = reasons.map((reason) => ({ ...explainReason(input, reason), reason, count: countOf(reason, fact.total) }));
    const only = onlyNodes(input);
    const because = [...(only ? [only.because] : []), ...explained.map((one) => one.because + one.count)];
    return {
      summary: `${placed(input)} cannot be scheduled: ${because.join('; ')}.`,
      culprit: only?.culprit ?? explained[0]?.culprit ?? null,
      evidence: [fact.evidence],
      advice: [...new Set(explained.map(({ advice }) => advice))],
      commands: [describe(input.subject), ...new Set(explained.flatMap(({ commands }) => commands))],
      corrections: [...(isHeld(reasons) ? oldPodsFirst(input) : []), ...(only?.corrections ?? []), ...together(explained, fact.total)],
      noCorrection: {
        why: 'What is missing lies outside the pod: no field of its manifest provides it.',
        whereToLook: [...new Set(explained.map(({ whereToLook }) => whereToLook))].join('; '),
      },
    };
  },
};

/** The scheduler places pods, not controllers. */
function placed(input: RuleInput): string {
  const { resource_kind: kind, pod_name: name } = input.subject;
  return kind === 'Pod' ? who(input, null) : `The pod of the ${kind} ${code(name)}`;
}

function weight(input: RuleInput, { cause, subject }: SchedulingReason): number {
  if (cause === 'taint') return isSystemTaint(subject ?? '') ? 0 : 2;
  // If some node has the labels, the nodes without them matter less.
  const { nodes = [] } = input.subject.surroundings ?? {};
  const spec = cause === 'node-selection' && nodes.length > 0 ? input.place(null)?.spec : undefined;
  if (spec && nodes.some((node) => isSelected(spec, node))) return 1;
  return cause === 'cordoned' || cause === 'other' ? 1 : 3;
}

/** Causes that a pod of the workload's older revision may be responsible for. */
const HELD: readonly SchedulingCause[] = ['resource', 'too-many-pods', 'host-port', 'anti-affinity', 'claim-other'];

/** Whether every remaining reason is one that an older pod may be responsible for. */
function isHeld(reasons: SchedulingReason[]): boolean {
  const others = reasons.filter(({ cause, subject }) => !(cause === 'taint' && isSystemTaint(subject ?? '')) && cause !== 'cordoned');
  return others.length > 0 && others.every(({ cause }) => HELD.includes(cause));
}

interface Explained {
  reason: SchedulingReason;
  corrections: Correction[];
}

/**
 * The corrections for all reasons. Resources that are short on the same nodes are corrected together, because correcting one alone would
 * not help.
 */
function together(explained: Explained[], total: number): Correction[] {
  const short = explained.filter(({ reason }) => reason.cause === 'resource');
  const nodes = short.reduce((sum, { reason }) => sum + (reason.nodes || total), 0);
  const correctable = short.filter(({ corrections }) => corrections.length > 0);
  const all = explained.flatMap(({ corrections }) => corrections);
  if (correctable.length < 2 || (total > 0 && nodes <= total)) return all;
  const alternatives = correctable.flatMap(({ corrections }, which) =>
    corrections.slice(which === 0 ? 0 : 1).map((correction) => {
      const [first, ...rest] = correctable.map((one, index) => (index === which ? correction : (one.corrections[0] as Correction)));
      return joined(first as Correction, ...rest);
    }),
  );
  return [...alternatives, ...explained.filter(({ reason }) => reason.cause !== 'resource').flatMap(({ corrections }) => corrections)];
}

function countOf({ nodes }: SchedulingReason, total: number): string {
  return nodes > 0 && total > 1 ? ` (${nodes} of ${total} nodes)` : '';
}
