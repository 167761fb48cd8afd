import { code, oneLine } from '../rendering/quote.ts';
import { kubectl } from '../rendering/commands.ts';
import { crash } from './crash.ts';
import { deadline } from './deadline.ts';
import { KILLED } from './ended-by-itself.ts';
import { outOfMemory } from './out-of-memory.ts';
import { evicted } from './evicted.ts';
import { start } from './start-container.ts';
import { factOf, type RuleInput, ruleInput, who } from '../facts/input.ts';
import { type DiagnosisRule, type RuleAnswer } from './rule.ts';

/** The Job gave up. The logs of its pods say why. Without them, the answer says where to find them. */
export const jobFailed: DiagnosisRule = {
  id: 'job-failed',
  reasons: ['BackoffLimitExceeded', 'PodFailurePolicy', 'FailedIndexes', 'MaxFailedIndexesExceeded'],
  answer(input) {
    const fact = factOf(input, 'job-failed');
    if (!fact && !jobFailed.reasons.includes(input.subject.reason)) return undefined;
    const inner = whyItsPodFailed(input);
    const pods = kubectl(input.subject, 'get', 'pods', '-l', `batch.kubernetes.io/job-name=${input.subject.pod_name}`);
    const logs = kubectl(
      input.subject,
      'logs',
      '-l',
      `batch.kubernetes.io/job-name=${input.subject.pod_name}`,
      '--all-containers',
      '--tail=50',
    );
    const [because, culprit] = causeOf(input.subject.reason, input.subject.message);
    const gaveUp = `${who(input, null)} gave up: ${because}`;
    return {
      summary: inner ? `${gaveUp}. ${inner.summary}` : `${gaveUp}.`,
      culprit: inner?.culprit ?? culprit,
      evidence: [...(fact ? [fact.evidence] : []), ...(inner?.evidence ?? [])],
      advice: [
        ...(inner?.advice ?? ['Read why its last pod failed. A higher `backoffLimit` only helps if the failure is random.']),
        'A failed Job stays failed. Correct the cause, then delete the Job and create it again.',
      ],
      commands: [pods, logs],
      corrections: inner?.corrections ?? [],
      noCorrection: inner?.noCorrection ?? {
        why: 'The limit only says how often to try. The logs of the pods say why they fail.',
        whereToLook: "the logs and statuses of the Job's pods",
      },
    };
  },
};

/** The answer about the pod whose statuses, events and logs are in the record. */
function whyItsPodFailed(job: RuleInput): RuleAnswer | undefined {
  const failed = job.subject.statuses.filter(
    ({ state, exit_code, last_state: last }) => (state === 'terminated' && exit_code !== 0) || last,
  );
  // Sidecars are killed when the others have ended.
  const byItself = failed.find(({ exit_code: ended }) => !KILLED.includes(ended ?? 0));
  const container = job.subject.container ?? (byItself ?? failed[0])?.name ?? null;
  // The facts are about the pod. The manifest is still that of the Job.
  const input = container === null ? job : ruleInput({ ...job.subject, container }, job.facts);
  if (factOf(input, 'deadline')) return deadline.answer(input);
  // The kubelet kills the containers of a pod that it evicts.
  if (factOf(input, 'evicted')) return evicted.answer(input);
  if (factOf(input, 'start')) return start.answer(input);
  const run = factOf(input, 'run');
  if (run?.reason === 'OOMKilled' || factOf(input, 'oom')) return outOfMemory.answer(input);
  return run || factOf(input, 'log') ? crash.answer(input) : undefined;
}

/** `because` completes "gave up: …". `culprit` applies unless a pod gives a better one. */
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
