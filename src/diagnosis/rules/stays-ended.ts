import { fieldPath } from '../../crd/field-path.ts';
import { asInitContainer } from '../corrections/command/container-order.ts';
import type { Correction } from '../corrections/correction.ts';
import type { RunFact } from '../facts/status.ts';
import { code } from '../rendering/quote.ts';
import { logs } from '../rendering/commands.ts';
import { change } from '../corrections/change.ts';
import { type ContainerPlace, factOf, type RuleInput, who } from '../facts/input.ts';
import { type RuleAnswer } from './rule.ts';

/** What a server logs that ends because it lost something or was told to, and not because its work is done. */
const SHUTS_DOWN =
  /\b(?:shut(?:s|ting)?[- ]?down|clos(?:ed|ing)|disconnect(?:ed|ing)?|stopp(?:ed|ing)|connection lost|lost connection|idle|timed out|timeout|exiting|terminating)\b/i;
/** Names of work that is done once. */
const ONCE = /\b(?:init|migrat\w{0,5}|set-?up|seed\w{0,3}|copy|render\w{0,3}|download|fetch|wait\w{0,4}|bootstrap|warm-?up)\b/i;

/**
 * A container of a server's pod that ended with 0 and is not started again because of its own restart policy. The pod is never ready then.
 * Undefined for any other container.
 */
export function staysEnded(input: RuleInput, run: RunFact): RuleAnswer | undefined {
  const place = input.place();
  const policy = place && run.exitCode === 0 ? ownPolicy(place) : undefined;
  const status = input.subject.statuses.find(({ name }) => name === run.container);
  if (!place || !policy || status?.state !== 'terminated' || input.subject.workload?.kind === 'Job') return undefined;
  const last = factOf(input, 'last-line') ?? factOf(input, 'log');
  const isServer = last !== undefined && SHUTS_DOWN.test(last.line);
  const again = startedAgain(place, { name: run.container, policy, confidence: isServer ? 'likely' : 'guess' });
  const before = asInitContainer(place, run.container);
  return {
    summary: `${who(input)} ended with exit code 0, and its own \`restartPolicy: ${policy}\` does not start it again, so the pod is never ready.`,
    culprit: `restartPolicy ${policy} of container ${run.container}`,
    evidence: [run.evidence, ...(last ? [last.evidence] : [])],
    advice: [
      'A container beside the others of a server must keep running. Remove its `restartPolicy`, or run work that is done once as an init container.',
    ],
    commands: logs(input.subject),
    corrections: !isServer && ONCE.test(run.container) ? [...before, again] : [again, ...before],
  };
}

/** The policy by which a regular container is not always started again, in a pod whose other containers are. */
function ownPolicy({ path, specPath, spec, container }: ContainerPlace): string | undefined {
  const isRegular = path.startsWith(`${specPath}.containers[`) && (spec.restartPolicy ?? 'Always') === 'Always';
  return isRegular && container?.restartPolicy !== 'Always' ? container?.restartPolicy : undefined;
}

function startedAgain(
  place: ContainerPlace,
  { name, policy, confidence }: { name: string; policy: string; confidence: Correction['confidence'] },
): Correction {
  const hasRules = (place.container?.restartPolicyRules ?? []).length > 0;
  const why = `${code(policy)} does not start it again after exit code 0, and the pod is never ready then`;
  return {
    title: `Start ${code(name)} again whenever it ends`,
    changes: [change(place, fieldPath(place.path, 'restartPolicy'), hasRules ? 'Always' : null, why)],
    confidence,
    explanation: hasRules
      ? 'Rules of a container need a policy beside them.'
      : "Without a policy of its own the container has the pod's, which is `Always`.",
    mirrorable: true,
  };
}
