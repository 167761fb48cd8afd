import type { Container } from '../../crd/kubernetes.ts';
import { fieldPath } from '../../crd/field-path.ts';
import { nearest } from './nearest.ts';
import { candidates } from './node-fit.ts';
import { formatResource, parseQuantity } from '../../crd/quantity.ts';
import { code } from '../rendering/quote.ts';
import type { Correction } from './correction.ts';
import { change, type ContainerPlace, type RuleInput } from '../rules/rule.ts';

/** A request above this for one container is more likely a typo in the unit. */
const CORES_OF_A_TYPO = 64;
const BYTES_OF_A_TYPO = 256 * 2 ** 30;

/** A pod's largest request for a resource, as written, and how much the largest node has. */
interface LargestRequest {
  written: string | null;
  most: string | null;
}

/** Lowers a request that no node can meet. An extended resource that no node has is renamed or removed. */
export function fitRequests(input: RuleInput, resource: string, room?: number): { asked: LargestRequest; corrections: Correction[] } {
  const place = input.place(null);
  const greedy = place && greediest(place, resource);
  const nodes = input.subject.surroundings?.nodes ?? [];
  const sizes = (place ? candidates(place.spec, nodes) : nodes).map(({ allocatable }) => parseQuantity(allocatable[resource]) ?? 0);
  const most = room ?? (sizes.length > 0 ? Math.max(...sizes) : undefined);
  const asked: LargestRequest = {
    written: greedy ? greedy.written : null,
    most: most === undefined ? null : formatResource(resource, most),
  };
  if (!place || !greedy) return { asked, corrections: [] };
  const isExtended = resource.includes('/');
  return { asked, corrections: isExtended ? otherResource(input, place, greedy, resource) : lowered(place, greedy, resource, most) };
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
  const half = fits ?? amount / 2;
  const targets: NewRequest[] = [
    ...(typo === undefined ? [] : [{ to: typo, why: `${code(written)} looks like a typo in the unit`, confidence: 'likely' as const }]),
    ...(half > 0
      ? [
          {
            to: half,
            why:
              most !== undefined && amount > most
                ? `no node has more than ${code(formatResource(resource, most))}`
                : 'a smaller request fits more nodes',
            confidence: most !== undefined && amount > most ? ('likely' as const) : ('guess' as const),
          },
        ]
      : []),
  ];
  return targets.map((target) => requestOf(place, greedy, resource, target));
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
  // Without a request the limit counts as one. The limit stays, because a request may be lower than its limit.
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
