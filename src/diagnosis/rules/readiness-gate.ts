import { fieldPath } from '../../crd/field-path.ts';
import { code } from '../rendering/quote.ts';
import { describe } from '../rendering/commands.ts';
import { change } from '../corrections/change.ts';
import { type DiagnosisRule } from './rule.ts';
import { who } from '../facts/input.ts';

/** The controllers that set well-known conditions (AWS Load Balancer Controller, "Pod readiness gate"; GKE, "Container-native load balancing"). */
const SETTERS: readonly (readonly [condition: RegExp, controller: string])[] = [
  [/^target-health\.elbv2\.k8s\.aws\//, 'the AWS Load Balancer Controller'],
  [/^cloud\.google\.com\/load-balancer-neg-ready$/, 'the NEG controller of GKE'],
];

function setterOf(names: string[]): string {
  const found = SETTERS.find(([condition]) => names.some((name) => condition.test(name)));
  return found?.[1] ?? 'the controller that sets this condition (often that of a load balancer)';
}

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
      summary: `${who(input, null)} is not ready, although its containers are: ${
        /does not exist/.test(input.subject.message)
          ? `nobody has set the condition of its readiness gate ${shown}`
          : `the condition of its readiness gate ${shown} is not true`
      }.`,
      culprit: `readiness gate ${names.join(', ')}`.trim(),
      evidence: [{ from: 'pod status', text: input.subject.message }],
      advice: [`See whether ${setterOf(names)} runs in this cluster, and what it says about the pod.`],
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
                    'its containers alone then decide whether the pod is ready',
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
