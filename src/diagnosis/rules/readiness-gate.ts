import { fieldPath } from '../../crd/field-path.ts';
import { code } from '../rendering/quote.ts';
import { describe } from '../rendering/commands.ts';
import { change } from '../corrections/change.ts';
import { type DiagnosisRule } from './rule.ts';
import { who } from '../facts/input.ts';

/** All containers are ready, but something outside the pod has not yet set the condition of a readiness gate. */
export const readinessGate: DiagnosisRule = {
  id: 'readiness-gate',
  reasons: ['ReadinessGatesNotReady'],
  answer(input) {
    const place = input.place(null);
    const gates = place?.spec.readinessGates ?? [];
    const missing = gates.filter(({ conditionType }) => input.subject.message.includes(JSON.stringify(conditionType)));
    if (input.subject.reason !== 'ReadinessGatesNotReady') return undefined;
    const names = missing.map(({ conditionType }) => conditionType);
    const shown = names.map((name) => code(name)).join(', ');
    const kept = gates.filter((gate) => !missing.includes(gate));
    return {
      summary: `${who(input, null)} runs and its containers are ready, but the condition of its readiness gate ${shown} is not true.`,
      culprit: `readiness gate ${names.join(', ')}`.trim(),
      evidence: [{ from: 'pod status', text: input.subject.message }],
      advice: ['Look at what sets this condition: often the controller of a load balancer, which may not run here.'],
      commands: [describe(input.subject)],
      corrections:
        place && missing.length > 0
          ? [
              {
                title: `Remove the readiness gate ${shown}`,
                changes: [
                  change(
                    place,
                    fieldPath(place.specPath, 'readinessGates'),
                    kept.length > 0 ? kept : null,
                    'nothing makes this condition true',
                  ),
                ],
                confidence: 'guess',
                explanation: 'The pod is then ready when its containers are. Do this only if nothing here sets the condition.',
                mirrorable: true,
              },
            ]
          : [],
      noCorrection: {
        why: 'Something outside of the pod sets the condition.',
        whereToLook: 'the controller that the name of the condition names',
      },
    };
  },
};
