import type { Case } from '../case.ts';
import { code, shellWord } from '../rendering/quote.ts';
import type { Diagnosis } from '../diagnosis.ts';

/** The answer when no rule knows the failure: the pod's own message, and where to look. */
export function generic(subject: Case): Diagnosis {
  const warning = subject.events.findLast((event) => event.type === 'Warning' && event.message);
  const message = subject.message || warning?.message;
  const where = `-n ${shellWord(subject.namespace)}`;
  return {
    summary: `The ${subject.resource_kind.toLowerCase()} ${code(subject.pod_name)} fails with ${code(subject.reason)}${message ? `: ${code(message)}` : ''}.`,
    evidence: message ? [`status: ${message}`] : [],
    culprit: message || null,
    advice: ['Read the events and the logs of the last run. The first error in them is usually the cause.'],
    commands: [
      `kubectl describe ${shellWord(subject.resource_kind.toLowerCase())} ${shellWord(subject.pod_name)} ${where}`,
      ...(subject.resource_kind === 'Pod' ? [`kubectl logs ${shellWord(subject.pod_name)} ${where} --all-containers --tail=100`] : []),
    ],
    corrections: [],
    noCorrection: {
      why: 'The report does not say enough to name a field that is wrong.',
      whereToLook: 'the events of the pod and of its node, and the logs of the containers',
      isOpen: true,
    },
  };
}
