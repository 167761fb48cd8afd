import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { isSelected } from './node-fit.ts';

/** Lets the scheduler spread the pods unevenly. A mirror has none of its source's labels, so it cannot prove this. */
export function spread(input: RuleInput): Correction[] {
  const place = input.place(null);
  const constraints = place?.spec.topologySpreadConstraints ?? [];
  if (!place || constraints.length === 0) return [];
  const changes = constraints.flatMap((constraint, index) =>
    constraint.whenUnsatisfiable === 'ScheduleAnyway'
      ? []
      : [
          change(
            place,
            fieldPath(place.specPath, 'topologySpreadConstraints', index, 'whenUnsatisfiable'),
            'ScheduleAnyway',
            `no node meets the constraint on ${code(String(constraint.topologyKey))}`,
          ),
          // The API server accepts `minDomains` only with `DoNotSchedule`.
          ...(constraint['minDomains'] === undefined
            ? []
            : [
                change(
                  place,
                  fieldPath(place.specPath, 'topologySpreadConstraints', index, 'minDomains'),
                  null,
                  'it goes with `DoNotSchedule` only',
                ),
              ]),
        ],
  );
  return [
    ...fewerDomains(input, place),
    {
      title: 'Allow an uneven spread',
      changes,
      confidence: 'likely',
      explanation: 'The pod then runs even where the spread is uneven.',
      mirrorable: false,
    },
  ];
}

/** Asks for as many zones as there are, where the constraint asks for more. Fewer zones count as zones without pods, so that none takes a second pod. */
function fewerDomains(input: RuleInput, place: ContainerPlace): Correction[] {
  const constraints = place.spec.topologySpreadConstraints ?? [];
  const nodes = (input.subject.surroundings?.nodes ?? []).filter((node) => isSelected(place.spec, node));
  const hard = constraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable !== 'ScheduleAnyway').length;
  return constraints.flatMap(({ topologyKey, minDomains }, index) => {
    const there = new Set(nodes.flatMap(({ labels }) => labels[String(topologyKey)] ?? [])).size;
    if (typeof minDomains !== 'number' || there === 0 || minDomains <= there) return [];
    const path = fieldPath(place.specPath, 'topologySpreadConstraints', index, 'minDomains');
    return [
      {
        title: `Spread over the ${there} that there are`,
        changes: [change(place, path, there, `no more values of ${code(String(topologyKey))} are there`)],
        confidence: hard === 1 ? ('likely' as const) : ('guess' as const),
        explanation: `The constraint wants ${minDomains} values of ${code(String(topologyKey))}, and the nodes have ${there}.`,
        mirrorable: false,
      },
    ];
  });
}
