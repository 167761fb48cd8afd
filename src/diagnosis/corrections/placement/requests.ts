import type { Container } from '../../../crd/kubernetes.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { nearest } from '../similar-names.ts';
import { candidates, freeOf, type NodeAround, nodesWithout } from './node-fit.ts';
import type { Change } from '../../../contract/failure.ts';
import { formatResource, parseQuantity } from '../../../crd/quantity.ts';
import { requestsOf } from '../../../crd/requests.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';

/** A request above this for one container is more likely a typo in the unit. */
const CORES_OF_A_TYPO = 64;
const GI = 2 ** 30;
const BYTES_OF_A_TYPO = 256 * GI;

/**
 * A pod's largest request for a resource, as written, and how much the roomiest node has. That is its free capacity if its pods are known,
 * otherwise its whole capacity.
 */
interface LargestRequest {
  /** The sum over all containers, if several request it. */
  total: string | null;
  written: string | null;
  most: string | null;
  isFree: boolean;
}

/** Lowers a request that no node can meet. An extended resource that no node has is renamed or removed. */
export function fitRequests(input: RuleInput, resource: string, room?: number): { asked: LargestRequest; corrections: Correction[] } {
  const place = input.place(null);
  const greedy = place && greediest(place, resource);
  const nodes = nodesWithout(input);
  const most = room ?? roomiest(place ? candidates(place.spec, nodes) : nodes, resource);
  const total = place ? (requestsOf(place.spec).get(resource) ?? 0) : 0;
  const asked: LargestRequest = {
    total: greedy && total > greedy.amount ? formatResource(resource, total) : null,
    written: greedy ? greedy.written : null,
    most: most === undefined ? null : textOf(resource, most),
    isFree: room !== undefined || nodes.some(({ used }) => used !== undefined),
  };
  if (!place || !greedy) return { asked, corrections: [] };
  if (resource.includes('/') || resource.startsWith('hugepages-'))
    return { asked, corrections: otherResource(input, place, greedy, resource) };
  // No container alone is too large, but together they are.
  const isShared = most !== undefined && total > most && greedy.amount <= most;
  return {
    asked,
    corrections: [...(isShared ? sharedRequests(place, resource, most / 2) : []), ...lowered(place, greedy, resource, most)],
  };
}

/** What the roomiest of the nodes that have the resource has; undefined when none has it. */
function roomiest(nodes: NodeAround[], resource: string): number | undefined {
  const rooms = nodes.filter(({ allocatable }) => allocatable[resource] !== undefined).map((node) => freeOf(node, resource));
  return rooms.length > 0 ? Math.max(...rooms) : undefined;
}

const textOf = (resource: string, amount: number): string => (amount > 0 ? formatResource(resource, amount) : '0');

/** For several containers that ask for too much together. */
function sharedRequests(place: ContainerPlace, resource: string, to: number): Correction[] {
  const changes = scaled(place, { field: 'requests', resource, to });
  if (changes.length < 2) return [];
  return [
    {
      title: `Request ${code(textOf(resource, to))} of ${code(resource)} in all`,
      changes,
      confidence: 'likely',
      explanation: 'The scheduler only counts requests. The limits stay as they are.',
      mirrorable: true,
    },
  ];
}

interface Share {
  field: 'limits' | 'requests';
  resource: string;
  /** What all containers ask for together. */
  to: number;
}

/** Lowers what the containers of the pod ask for, each by the same share, and what single init containers ask for. A request never stays above its limit. */
export function scaled(place: ContainerPlace, share: Share): Change[] {
  return [...scaledContainers(place, share), ...loweredInits(place, share)];
}

/** What a container asks for, 0 if nothing. A limit without a request counts as a request. */
function amountOf(resources: Container['resources'], { field, resource }: Pick<Share, 'field' | 'resource'>): number {
  return parseQuantity(resources?.[field]?.[resource] ?? (field === 'requests' ? resources?.limits?.[resource] : undefined)) ?? 0;
}

/** Lowers each init container that asks for more than the pod may have: it runs alone, so the largest of them counts (Kubernetes, "Init Containers": Resource sharing). */
function loweredInits(place: ContainerPlace, { field, resource, to }: Share): Change[] {
  if (to <= 0) return [];
  return (place.spec.initContainers ?? []).flatMap(({ resources, restartPolicy }, index) => {
    const asked = amountOf(resources, { field, resource });
    if (restartPolicy === 'Always' || asked <= to) return [];
    const path = (one: string) => fieldPath(place.specPath, 'initContainers', index, 'resources', one, resource);
    const less = formatResource(resource, to);
    const isAbove = field === 'limits' && (parseQuantity(resources?.requests?.[resource]) ?? 0) > to;
    return [
      change(place, path(field), less, `the pod may ask for ${code(less)}`),
      ...(isAbove ? [change(place, path('requests'), less, 'a request may not be above its limit')] : []),
    ];
  });
}

function scaledContainers(place: ContainerPlace, { field, resource, to }: Share): Change[] {
  const total = place.spec.containers.reduce((sum, { resources }) => sum + amountOf(resources, { field, resource }), 0);
  if (total <= to || to <= 0) return [];
  return place.spec.containers.flatMap(({ resources }, index) => {
    const amount = amountOf(resources, { field, resource });
    if (amount <= 0) return [];
    const less = formatResource(resource, (amount * to) / total);
    const path = (one: string) => fieldPath(place.specPath, 'containers', index, 'resources', one, resource);
    const request = parseQuantity(resources?.requests?.[resource]);
    const why = `all containers together may ask for ${code(formatResource(resource, to))}`;
    return [
      change(place, path(field), less, why),
      ...(field === 'limits' && request !== undefined && request > (parseQuantity(less) ?? 0)
        ? [change(place, path('requests'), less, 'a request may not be above its limit')]
        : []),
    ];
  });
}

/** Whether a change lowers memory to less than half of what the author set: the program may need it. */
export function isMuchLessMemory({ path, from, to }: Change): boolean {
  const [was, is] = [parseQuantity(from as string | undefined), parseQuantity(to as string | undefined)];
  return path.endsWith('.memory') && was !== undefined && is !== undefined && is * 2 < was;
}

interface RequestingContainer {
  path: string;
  container: Container;
  written: string;
  amount: number;
}

/** The container with the largest request. A limit without a request counts as a request. */
function greediest(place: ContainerPlace, resource: string): RequestingContainer | undefined {
  const lists = ['containers', 'initContainers'] as const;
  const asking = lists.flatMap((list) =>
    (place.spec[list] ?? []).flatMap((container, index): RequestingContainer[] => {
      const written = container.resources?.requests?.[resource] ?? container.resources?.limits?.[resource];
      const amount = parseQuantity(written);
      return written === undefined || amount === undefined
        ? []
        : [{ path: fieldPath(place.specPath, list, index, 'resources'), container, written: String(written), amount }];
    }),
  );
  // A request for the pod as a whole replaces those of its containers.
  const { resources } = place.spec;
  const whole = resources?.requests?.[resource] ?? resources?.limits?.[resource];
  const amount = parseQuantity(whole);
  if (resources && whole !== undefined && amount !== undefined)
    return { path: fieldPath(place.specPath, 'resources'), container: { name: '', resources }, written: String(whole), amount };
  return asking.toSorted((a, b) => b.amount - a.amount)[0];
}

interface NewRequest {
  to: number;
  why: string;
  confidence: Correction['confidence'];
}

function lowered(place: ContainerPlace, greedy: RequestingContainer, resource: string, most: number | undefined): Correction[] {
  const { amount, written } = greedy;
  const fits = most === undefined ? undefined : Math.min(amount / 2, most / 2);
  const typo = unitTypo(resource, amount, most);
  const half = rounded(resource, fits ?? amount / 2);
  const targets: NewRequest[] = [
    ...(typo === undefined ? [] : [{ to: typo, why: `${code(written)} looks like a typo in the unit`, confidence: 'likely' as const }]),
    ...(half > 0
      ? [
          {
            to: half,
            why:
              most !== undefined && amount > most
                ? `no node has more than ${code(textOf(resource, most))} free, and half of it leaves room for others`
                : 'a smaller request fits more nodes',
            confidence: most !== undefined && amount > most ? ('likely' as const) : ('guess' as const),
          },
        ]
      : []),
  ];
  return targets.map((target) => requestOf(place, greedy, resource, target));
}

/** Whole gibibytes where it is several: the exact half of a node is no amount that people write. */
function rounded(resource: string, amount: number): number {
  return resource === 'memory' && amount >= 2 * GI ? Math.floor(amount / GI) * GI : amount;
}

/** `500` cores probably mean `500m`, and `512Gi` means `512Mi`: the thousandth is plausible, the number as written is not. */
function unitTypo(resource: string, amount: number, most: number | undefined): number | undefined {
  if (resource === 'cpu' && Number.isInteger(amount) && amount >= (most === undefined ? CORES_OF_A_TYPO : Math.max(most, 16)))
    return amount / 1000;
  const isBytes = resource === 'memory' || resource === 'ephemeral-storage';
  return isBytes && amount >= (most ?? BYTES_OF_A_TYPO) && amount >= 2 ** 30 * 64 ? amount / 1024 : undefined;
}

function requestOf(
  place: ContainerPlace,
  { path, container }: RequestingContainer,
  resource: string,
  { to: amount, why, confidence }: NewRequest,
): Correction {
  const to = formatResource(resource, amount);
  const limit = parseQuantity(container.resources?.limits?.[resource]);
  const hasRequest = container.resources?.requests?.[resource] !== undefined;
  const changes = [change(place, fieldPath(path, 'requests', resource), to, why)];
  // Without a request, the limit counts as the request. The limit stays, because a request may be lower than its limit.
  const explanation =
    limit !== undefined && !hasRequest
      ? 'Without a request the limit counts as one.'
      : 'The scheduler only counts requests. The limits stay as they are.';
  return { title: `Request ${code(to)} of ${code(resource)}`, changes, confidence, explanation, mirrorable: true };
}

function otherResource(input: RuleInput, place: ContainerPlace, { path, container }: RequestingContainer, resource: string): Correction[] {
  const offered = (input.subject.surroundings?.nodes ?? []).flatMap(({ allocatable }) =>
    Object.keys(allocatable).filter((name) => name.includes('/')),
  );
  const fields = (['limits', 'requests'] as const).filter((field) => container.resources?.[field]?.[resource] !== undefined);
  const renamed = nearest(resource, offered)
    .slice(0, 1)
    .map((guess): Correction => ({
      title: `Request ${code(guess)}`,
      changes: fields.flatMap((field) => [
        change(place, fieldPath(path, field, resource), null, `no node offers ${code(resource)}`),
        change(place, fieldPath(path, field, guess), container.resources?.[field]?.[resource], `nodes offer ${code(guess)}`),
      ]),
      confidence: 'likely',
      explanation: `${code(resource)} looks like a typo of ${code(guess)}.`,
      mirrorable: true,
    }));
  const without: Correction = {
    title: `Remove the request for ${code(resource)}`,
    changes: fields.map((field) => change(place, fieldPath(path, field, resource), null, 'no node has it free')),
    confidence: 'guess',
    explanation: 'The pod then fits a node. A mirror shows whether the program can work without the device.',
    mirrorable: true,
  };
  return [...renamed, without];
}
