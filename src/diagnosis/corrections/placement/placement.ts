import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change, appended } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { nearest, nearestName } from '../similar-names.ts';
import { isSelected, isSystemTaint } from './node-fit.ts';

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
  const toleration = {
    key,
    operator: value ? 'Equal' : 'Exists',
    ...(value ? { value } : {}),
    ...(effects[0] ? { effect: effects[0] } : {}),
  };
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

/** A toleration that was meant for the taint: the same key with a similar value, or a similar key. */
function otherToleration(place: ContainerPlace, key: string, value: string | undefined): Correction[] {
  const tolerations = place.spec.tolerations ?? [];
  const index = tolerations.findIndex(
    (own) =>
      own.operator !== 'Exists' &&
      (own.key === key
        ? nearest(own.value ?? '', [value ?? '']).length > 0
        : own.value === (value ?? '') && nearest(own.key ?? '', [key]).length > 0),
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

/** An existing claim with a similar name. A mirror may not use a claim that the source does not name. */
export function otherClaim(input: RuleInput, claim: string): Correction[] {
  const place = input.place(null);
  const index = place?.spec.volumes?.findIndex((volume) => volume.persistentVolumeClaim?.claimName === claim) ?? -1;
  if (!place || index < 0) return [];
  return nearestName(
    claim,
    (input.subject.surroundings?.claims ?? []).map(({ name }) => name),
  )
    .slice(0, 2)
    .map((guess) => ({
      title: `Use the claim ${code(guess)}`,
      changes: [
        change(
          place,
          fieldPath(place.specPath, 'volumes', index, 'persistentVolumeClaim', 'claimName'),
          guess,
          `${code(claim)} looks like a typo of ${code(guess)}, which exists`,
        ),
      ],
      confidence: 'likely',
      explanation: 'The namespace has a claim with a similar name.',
      mirrorable: false,
    }));
}

/** Removes host ports, and names who holds them. A mirror never has any, so it cannot prove this. */
export function hostPorts(input: RuleInput): { because?: string; culprit: string; corrections: Correction[] } {
  const place = input.place(null);
  const found = (place?.spec.containers ?? []).flatMap((container, at) =>
    (container.ports ?? []).flatMap((port, index) => (port.hostPort ? [{ at, index, port: port.hostPort }] : [])),
  );
  const culprit = found.length > 0 ? `hostPort ${found.map(({ port }) => port).join(', ')}` : 'hostPort';
  if (!place || found.length === 0) return { culprit, corrections: [] };
  const holders = (input.subject.surroundings?.hostPorts ?? []).filter((held) => found.some(({ port }) => port === held.port));
  const shown = holders
    .slice(0, 3)
    .map(({ port, pod, node }) => `${code(pod)} has port ${code(port)}${node ? ` of node ${code(node)}` : ''}`);
  const changes = found.map(({ at, index, port }) =>
    change(place, fieldPath(place.specPath, 'containers', at, 'ports', index, 'hostPort'), null, `port ${code(port)} of the node is taken`),
  );
  // With `hostNetwork`, every port of the pod is a port of the node.
  const own = place.spec.hostNetwork
    ? [change(place, fieldPath(place.specPath, 'hostNetwork'), null, 'on the network of the node each port of the pod is one of the node')]
    : [];
  return {
    culprit,
    ...(shown.length > 0 ? { because: `its host port is taken: ${shown.join(', ')}` } : {}),
    corrections: [
      {
        title: own.length > 0 ? 'Leave the network of the node' : 'Remove the host port',
        changes: [...own, ...changes],
        confidence: 'likely',
        explanation: 'Let a Service give the pod its address.',
        mirrorable: false,
      },
    ],
  };
}

/** Makes the requirement a preference. A mirror has none of its source's labels, so it cannot prove this. */
export function podAffinity(input: RuleInput, kind: 'podAffinity' | 'podAntiAffinity'): Correction[] {
  const place = input.place(null);
  const required = place?.spec.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!place || !Array.isArray(required) || required.length === 0) return [];
  const base = fieldPath(place.specPath, 'affinity', kind);
  const preferred = required.map((podAffinityTerm: unknown) => ({ weight: 100, podAffinityTerm }));
  return [
    ...(kind === 'podAffinity' ? otherPods(input, place) : []),
    {
      title: 'Make the affinity a preference',
      changes: [
        change(place, fieldPath(base, 'requiredDuringSchedulingIgnoredDuringExecution'), null, 'no node can meet it'),
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

/** For an affinity to pods that are called otherwise: the one similar value with which a Service of the namespace selects its pods. */
function otherPods(input: RuleInput, place: ContainerPlace): Correction[] {
  const required = place.spec.affinity?.podAffinity?.['requiredDuringSchedulingIgnoredDuringExecution'];
  const terms = (required ?? []) as { labelSelector?: { matchLabels?: Record<string, string> } }[];
  const [term] = terms;
  const [label, ...more] = Object.entries(term?.labelSelector?.matchLabels ?? {});
  if (terms.length !== 1 || !label || more.length > 0) return [];
  const [key, value] = label;
  const served = (input.subject.surroundings?.services ?? []).flatMap(({ selector, selected }) =>
    selected?.pods === 0 ? [] : (selector?.[key] ?? []),
  );
  const [near, ...others] = served.includes(value) ? [] : nearestName(value, served);
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
          `a Service selects its pods by ${code(`${key}=${near}`)}`,
        ),
      ],
      confidence: 'likely',
      explanation: `No Service of the namespace selects pods by ${code(`${key}=${value}`)}.`,
      mirrorable: false,
    },
  ];
}

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
            'no node meets the constraint',
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
