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
    const gaveUp = `${who(scene, null)} gave up: its pods failed more often than \`backoffLimit\` allows`;
    return {
      summary: inner ? `${gaveUp}. ${inner.summary}` : `${gaveUp}.`,
      culprit: inner?.culprit ?? 'backoffLimit',
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
