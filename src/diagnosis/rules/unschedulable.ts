import type { SchedulingReason } from '../facts/scheduling.ts';
import { describe } from './commands.ts';
import { type DiagnosisRule, factOf, who } from './rule.ts';
import { explainReason } from './unschedulable/reasons.ts';

/** The scheduler finds no node. Its message counts the nodes by reason; each reason is explained. */
export const unschedulable: DiagnosisRule = {
  id: 'unschedulable',
  reasons: ['Unschedulable', 'SchedulerError', 'Pending'],
  answer(input) {
    const fact = factOf(input, 'unschedulable');
    if (!fact || fact.reasons.length === 0) return undefined;
    // What a change of the pod can end, for most nodes, comes first: nearly every message mentions the taints of the control plane.
    const reasons = fact.reasons.toSorted((a, b) => weight(b) - weight(a) || b.nodes - a.nodes);
    const explained = reasons.map((reason) => ({ ...explainReason(input, reason), count: countOf(reason, fact.total) }));
    return {
      summary: `${who(input, null)} fits on no node: ${explained.map(({ because, count }) => because + count).join('; ')}.`,
      culprit: explained[0]?.culprit ?? null,
      evidence: [fact.evidence],
      advice: [...new Set(explained.map(({ advice }) => advice))],
      commands: [describe(input.subject), ...new Set(explained.flatMap(({ commands }) => commands))],
      corrections: explained.flatMap(({ corrections }) => corrections),
      noCorrection: {
        why: 'Something outside the pod is missing. No field of its manifest provides it.',
        whereToLook: [...new Set(explained.map(({ whereToLook }) => whereToLook))].join('; '),
      },
    };
  },
};

function weight({ cause, subject }: SchedulingReason): number {
  if (cause === 'taint') return /^node\.kubernetes\.io|control-plane|master/.test(subject ?? '') ? 0 : 2;
  return cause === 'cordoned' || cause === 'other' ? 1 : 3;
}

function countOf({ nodes }: SchedulingReason, total: number): string {
  return nodes > 0 && total > 0 ? ` (${nodes} of ${total} nodes)` : '';
}
