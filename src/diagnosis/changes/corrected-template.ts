import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../../crd/field-path.ts';
import { code, shellWord } from '../rendering/quote.ts';
import type { RuleAnswer } from '../rules/rule.ts';
import type { RuleInput } from '../facts/input.ts';

/** Controllers that leave a pod of an earlier revision which never was ready. A Deployment replaces it. */
const LEAVING = new Set(['StatefulSet', 'ReplicaSet']);

/**
 * The answer for a pod of an earlier revision, where the template of its controller has the first correction already: the pod must be deleted.
 * Any other answer stays as it is. Pure.
 */
export function correctedTemplate(input: RuleInput, answer: RuleAnswer): RuleAnswer {
  const { owner, pod_name: pod, namespace, resource_kind: kind } = input.subject;
  const [first] = answer.corrections ?? [];
  if (!owner || !first || kind !== 'Pod' || !LEAVING.has(owner.kind ?? '')) return answer;
  const isThere = first.changes.every(({ path, from, to, of }) => {
    const now = valueAt(owner, `spec.template.${path}`) ?? null;
    const isOther = of === undefined && !isDeepStrictEqual(now, from ?? null);
    // What somebody has written is better than a guess.
    return isOther && (first.confidence === 'guess' || isDeepStrictEqual(now, to));
  });
  if (first.changes.length === 0 || !isThere) return answer;
  const controller = `${owner.kind} ${code(owner.metadata.name ?? '')}`;
  return {
    ...answer,
    summary: `${answer.summary.replace(/\.$/, '')}. The template of the ${controller} is corrected already: the pod is of an earlier revision.`,
    advice: [`Delete the pod: the ${controller} makes it again as the template says now. It does not replace a pod that never was ready.`],
    commands: [`kubectl delete pod ${shellWord(pod)} -n ${shellWord(namespace)}`, ...(answer.commands ?? [])],
    corrections: [],
    noCorrection: {
      why: 'Only this pod is still of the earlier revision.',
      whereToLook: 'the pod after it was deleted',
    },
  };
}
