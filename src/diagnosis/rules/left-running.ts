import { asSidecar } from '../corrections/command/container-order.ts';
import type { Correction } from '../corrections/correction.ts';
import { who } from '../facts/input.ts';
import { code } from '../rendering/quote.ts';
import { describe, logs } from '../rendering/commands.ts';
import type { DiagnosisRule } from './rule.ts';

/** A helper of a Job's pod runs on after the others have done their work. */
export const leftRunning: DiagnosisRule = {
  id: 'left-running',
  reasons: ['NotReady'],
  answer(input) {
    const { subject } = input;
    const name = subject.container;
    if (subject.reason !== 'NotReady' || name === null) return undefined;
    const ended = subject.statuses.filter(({ kind, state }) => kind === 'app' && state === 'terminated').map((one) => code(one.name));
    const place = input.place(null);
    const corrections = place ? asSidecar(place, name).map((one): Correction => ({ ...one, confidence: 'likely' })) : [];
    return {
      summary: `${who(input)} runs on although ${ended.join(' and ')} ${ended.length > 1 ? 'have' : 'has'} done the work, so the Job never completes.`,
      culprit: `container ${name}: no sidecar`,
      evidence: [{ from: 'pod status', text: subject.message }],
      advice: [
        `Make ${code(name)} a sidecar: an init container with \`restartPolicy: Always\`, which kubelet ends after the others. Before Kubernetes 1.29, let the work end it.`,
      ],
      commands: [describe(subject), ...logs(subject)],
      corrections,
      noCorrection: {
        why: 'The container ends only when somebody ends it.',
        whereToLook: `what tells ${code(name)} that the work is done`,
      },
    };
  },
};
