import { code, oneLine } from '../quote.ts';
import { kubectl } from './commands.ts';
import { crash } from './crash.ts';
import { factOf, type Rule, who } from './rule.ts';

/** A Job that gave up: what its pods say counts; without their logs only where to find them. */
export const jobFailed: Rule = {
  id: 'job-failed',
  reasons: ['BackoffLimitExceeded', 'PodFailurePolicy', 'FailedIndexes', 'MaxFailedIndexesExceeded'],
  answer(scene) {
    const fact = factOf(scene, 'job-failed');
    if (!fact && !jobFailed.reasons.includes(scene.subject.reason)) return undefined;
    const inner = factOf(scene, 'run') || factOf(scene, 'log') ? crash.answer(scene) : undefined;
    const pods = kubectl(scene.subject, 'get', 'pods', '-l', `batch.kubernetes.io/job-name=${scene.subject.pod_name}`);
    const logs = kubectl(
      scene.subject,
      'logs',
      '-l',
      `batch.kubernetes.io/job-name=${scene.subject.pod_name}`,
      '--all-containers',
      '--tail=50',
    );
    const [because, culprit] = causeOf(scene.subject.reason, scene.subject.message);
    const gaveUp = `${who(scene, null)} gave up: ${because}`;
    return {
      summary: inner ? `${gaveUp}. ${inner.summary}` : `${gaveUp}.`,
      culprit: inner?.culprit ?? culprit,
      evidence: [...(fact ? [fact.evidence] : []), ...(inner?.evidence ?? [])],
      advice: [
        ...(inner?.advice ?? ['Read why its last pod failed; a higher `backoffLimit` only helps against chance.']),
        'A failed Job stays failed: delete it and make it anew after the cure.',
      ],
      commands: [pods, logs],
      corrections: inner?.corrections ?? [],
      noCure: inner?.noCure ?? {
        why: 'The limit only says how often to try; why the pods fail stands in their logs.',
        whereToLook: "the logs and statuses of the Job's pods",
      },
    };
  },
};

/** Completes "gave up:", and what is to blame as long as no pod says more. */
function causeOf(reason: string, message: string): [because: string, culprit: string] {
  if (reason === 'BackoffLimitExceeded') return ['its pods failed more often than `backoffLimit` allows', 'backoffLimit'];
  const said = oneLine(message, 200);
  const culprit = said && said !== reason ? `${reason}: ${said}` : reason;
  const causes: Record<string, string> = {
    PodFailurePolicy: 'its `podFailurePolicy` says that this failure is final',
    FailedIndexes: 'some of its indexes failed for good',
    MaxFailedIndexesExceeded: 'more of its indexes failed than `maxFailedIndexes` allows',
  };
  return [`${causes[reason] ?? code(reason)}${said && said !== reason ? ` (${code(said)})` : ''}`, culprit];
}
