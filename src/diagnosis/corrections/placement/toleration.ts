import { fieldPath } from '../../../crd/field-path.ts';
import type { Toleration } from '../../../crd/kubernetes.ts';
import { code } from '../../rendering/quote.ts';
import { change, appended } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { nearest } from '../similar-names.ts';
import { isSystemTaint } from './node-fit.ts';

/**
 * A toleration for a taint. It gives the pod more rights, so a mirror may not run it. None for taints that Kubernetes sets itself: they stand for
 * a problem of the node, or for the control plane.
 */
export function tolerate(input: RuleInput, taint: string): Correction[] {
  const place = input.place(null);
  const [key = '', value] = taint.split('=', 2);
  if (!place || key === '' || isSystemTaint(key)) return [];
  const typo = otherToleration(place, key, value);
  const effects = (input.subject.surroundings?.nodes ?? []).flatMap((node) =>
    node.taints.filter((own) => own.key === key).map((own) => own.effect),
  );
  const toleration = tolerationOf(key, value, effects[0]);
  return [
    ...typo,
    {
      title: `Tolerate ${code(taint)}`,
      changes: [
        appended(place, fieldPath(place.specPath, 'tolerations'), place.spec.tolerations, toleration, 'the nodes take no pods without it'),
      ],
      confidence: 'guess',
      explanation: 'Do this only when the pod belongs on these nodes: somebody set the taint to keep pods away.',
      mirrorable: false,
    },
  ];
}

/** The toleration for exactly this taint. */
export const tolerationOf = (key: string, value: string | undefined, effect: string | undefined): Toleration => ({
  key,
  operator: value ? 'Equal' : 'Exists',
  ...(value ? { value } : {}),
  ...(effect ? { effect } : {}),
});

/** A toleration that was meant for the taint: the same key with a similar value, or a similar key. */
function otherToleration(place: ContainerPlace, key: string, value: string | undefined): Correction[] {
  const tolerations = place.spec.tolerations ?? [];
  const index = tolerations.findIndex((own) =>
    own.key === key
      ? own.operator !== 'Exists' && nearest(own.value ?? '', [value ?? '']).length > 0
      : (own.operator === 'Exists' || own.value === (value ?? '')) && nearest(own.key ?? '', [key]).length > 0,
  );
  const own = tolerations[index];
  if (!own) return [];
  const [field, to] = own.key === key ? (['value', value ?? ''] as const) : (['key', key] as const);
  const taint = value ? `${key}=${value}` : key;
  return [
    {
      title: `Tolerate ${code(taint)}, not ${code(own.value ? `${own.key}=${own.value}` : (own.key ?? ''))}`,
      changes: [change(place, fieldPath(place.specPath, 'tolerations', index, field), to, `nodes have the taint ${code(taint)}`)],
      confidence: 'likely',
      explanation: 'The pod has a toleration with a typo. It was meant for these nodes.',
      // A mirror may not tolerate more than its source.
      mirrorable: false,
    },
  ];
}
