import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { selectsPods } from '../../facts/service.ts';
import { nearestName } from '../similar-names.ts';

/** Makes the requirement a preference. A mirror has none of its source's labels, so it cannot prove this. */
export function podAffinity(input: RuleInput, kind: 'podAffinity' | 'podAntiAffinity'): Correction[] {
  const place = input.place(null);
  const required = place?.spec.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!place || !Array.isArray(required) || required.length === 0) return [];
  const base = fieldPath(place.specPath, 'affinity', kind);
  const preferred = required.map((podAffinityTerm: unknown) => ({ weight: 100, podAffinityTerm }));
  return [
    ...(kind === 'podAffinity' ? [...ownNamespace(input, place), ...otherPods(input, place)] : []),
    {
      title: kind === 'podAffinity' ? 'Make the affinity a preference' : 'Make the anti-affinity a preference',
      changes: [
        change(
          place,
          fieldPath(base, 'requiredDuringSchedulingIgnoredDuringExecution'),
          null,
          kind === 'podAffinity' ? 'no node runs such pods' : 'such pods run on every node that fits',
        ),
        change(
          place,
          fieldPath(base, 'preferredDuringSchedulingIgnoredDuringExecution'),
          preferred,
          'the scheduler then meets it where it can',
        ),
      ],
      confidence: 'likely',
      explanation: 'The pod then runs even where the preference cannot be met.',
      mirrorable: false,
    },
  ];
}

/** For an affinity to pods of other namespaces, whose labels a Service of the own namespace selects: looks in the own namespace. */
function ownNamespace({ subject }: RuleInput, place: ContainerPlace): Correction[] {
  const required = place.spec.affinity?.podAffinity?.['requiredDuringSchedulingIgnoredDuringExecution'];
  const [term, ...more] = (required ?? []) as { labelSelector?: { matchLabels?: Record<string, string> }; namespaces?: string[] }[];
  const labels = term?.labelSelector?.matchLabels ?? {};
  const isElsewhere = (term?.namespaces?.length ?? 0) > 0 && !term?.namespaces?.includes(subject.namespace);
  const isHere = (subject.surroundings?.services ?? []).some((one) => one.selected?.pods !== 0 && selectsPods(one, labels));
  if (!isElsewhere || !isHere || more.length > 0) return [];
  const path = fieldPath(place.specPath, 'affinity', 'podAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 0, 'namespaces');
  return [
    {
      title: "Look in the pod's own namespace",
      changes: [change(place, path, null, 'a Service of this namespace selects such pods')],
      confidence: 'likely',
      explanation: `The affinity looks in ${term?.namespaces?.map((one) => code(one)).join(', ')} only.`,
      mirrorable: false,
    },
  ];
}

/** The first word of a name of several: `session` of `session-redis`. */
const firstWord = (name: string): string => /^([^-_.]{3,40})[-_.]./.exec(name)?.[1] ?? name;

/** For an affinity to pods that are called otherwise: the one similar value with which a Service of the namespace selects its pods, or that other pods have. */
function otherPods(input: RuleInput, place: ContainerPlace): Correction[] {
  const required = place.spec.affinity?.podAffinity?.['requiredDuringSchedulingIgnoredDuringExecution'];
  const terms = (required ?? []) as { labelSelector?: { matchLabels?: Record<string, string> } }[];
  const [term] = terms;
  const [label, ...more] = Object.entries(term?.labelSelector?.matchLabels ?? {});
  if (terms.length !== 1 || !label || more.length > 0) return [];
  const [key, value] = label;
  const { services = [], podLabels = [] } = input.subject.surroundings ?? {};
  const served = services.flatMap(({ selector, selected }) => (selected?.pods === 0 ? [] : (selector?.[key] ?? [])));
  const there = [...new Set([...served, ...podLabels.flatMap((labels) => labels[key] ?? [])])];
  const own = input.subject.labels?.[key];
  const alike = there.filter((one) => one !== own && firstWord(one) === firstWord(value));
  const nearest = nearestName(value, there);
  const [near, ...others] = there.includes(value) ? [] : nearest.length > 0 ? nearest : alike;
  if (near === undefined || others.length > 0) return [];
  const base = fieldPath(place.specPath, 'affinity', 'podAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 0);
  return [
    {
      title: `Look for pods with ${code(`${key}=${near}`)}`,
      changes: [
        change(
          place,
          fieldPath(base, 'labelSelector', 'matchLabels', key),
          near,
          served.includes(near)
            ? `a Service selects its pods by ${code(`${key}=${near}`)}`
            : `there are pods with ${code(`${key}=${near}`)}`,
        ),
      ],
      confidence: 'likely',
      explanation: `No Service of the namespace selects pods by ${code(`${key}=${value}`)}.`,
      mirrorable: false,
    },
  ];
}
