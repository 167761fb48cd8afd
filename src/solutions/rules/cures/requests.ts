import type { Container } from '../../../crd/kubernetes.ts';
import { fieldPath } from '../../fix/apply.ts';
import { nearest } from '../../fix/nearest.ts';
import { formatResource, parseQuantity } from '../../fix/quantity.ts';
import { code } from '../../quote.ts';
import type { RuleCorrection } from '../answer.ts';
import { change, type Place, type Scene } from '../rule.ts';

/** More than this on one container is rather a slip of the unit than a wish. */
const CORES_OF_A_SLIP = 64;
const BYTES_OF_A_SLIP = 256 * 2 ** 30;

/** What the pod asks for of a resource: as written by the container that asks for most, and the largest node's. */
interface Asked {
  written: string | null;
  most: string | null;
}

/** Lowers a request that no node can meet; an extended resource that no node has is corrected or left out. */
export function fitRequests(scene: Scene, resource: string, room?: number): { asked: Asked; corrections: RuleCorrection[] } {
  const place = scene.place(null);
  const greedy = place && greediest(place, resource);
  const nodes = scene.subject.surroundings?.nodes ?? [];
  const sizes = nodes.map(({ allocatable }) => parseQuantity(allocatable[resource]) ?? 0);
  const most = room ?? (sizes.length > 0 ? Math.max(...sizes) : undefined);
  const asked: Asked = { written: greedy ? greedy.written : null, most: most === undefined ? null : formatResource(resource, most) };
  if (!place || !greedy) return { asked, corrections: [] };
  const isExtended = resource.includes('/');
  return { asked, corrections: isExtended ? otherResource(scene, place, greedy, resource) : lowered(place, greedy, resource, most) };
}

interface Greedy {
  path: string;
  container: Container;
  written: string;
  amount: number;
}

/** The container that asks for most of it. A limit without a request counts as one. */
function greediest(place: Place, resource: string): Greedy | undefined {
  const lists = ['containers', 'initContainers'] as const;
  const asking = lists.flatMap((list) =>
    (place.spec[list] ?? []).flatMap((container, index): Greedy[] => {
      const written = container.resources?.requests?.[resource] ?? container.resources?.limits?.[resource];
      const amount = parseQuantity(written);
      return written === undefined || amount === undefined
        ? []
        : [{ path: fieldPath(place.specPath, list, index, 'resources'), container, written: String(written), amount }];
    }),
  );
  return asking.toSorted((a, b) => b.amount - a.amount)[0];
}

interface Target {
  to: number;
  why: string;
  confidence: RuleCorrection['confidence'];
}

function lowered(place: Place, greedy: Greedy, resource: string, most: number | undefined): RuleCorrection[] {
  const { amount, written } = greedy;
  const fits = most === undefined ? undefined : Math.min(amount / 2, most / 2);
  const slip = unitSlip(resource, amount, most);
  const half = fits ?? amount / 2;
  const targets: Target[] = [
    ...(slip === undefined ? [] : [{ to: slip, why: `${code(written)} looks like a slip of the unit`, confidence: 'likely' as const }]),
    ...(half > 0
      ? [
          {
            to: half,
            why:
              most !== undefined && amount > most
                ? `no node has more than ${code(formatResource(resource, most))}`
                : 'a smaller request finds room more easily',
            confidence: most !== undefined && amount > most ? ('likely' as const) : ('guess' as const),
          },
        ]
      : []),
  ];
  return targets.map((target) => requestOf(place, greedy, resource, target));
}

/** `500` cores are `500m`, `512Gi` is `512Mi`: a thousandth is plausible when the whole is not. */
function unitSlip(resource: string, amount: number, most: number | undefined): number | undefined {
  if (resource === 'cpu' && Number.isInteger(amount) && amount >= (most === undefined ? CORES_OF_A_SLIP : Math.max(most, 16)))
    return amount / 1000;
  const isBytes = resource === 'memory' || resource === 'ephemeral-storage';
  return isBytes && amount >= (most ?? BYTES_OF_A_SLIP) && amount >= 2 ** 30 * 64 ? amount / 1024 : undefined;
}

function requestOf(place: Place, { path, container }: Greedy, resource: string, { to: amount, why, confidence }: Target): RuleCorrection {
  const to = formatResource(resource, amount);
  const limit = parseQuantity(container.resources?.limits?.[resource]);
  const hasRequest = container.resources?.requests?.[resource] !== undefined;
  const changes = [change(place, fieldPath(path, 'requests', resource), to, why)];
  // Without a request the limit is one; it stays, since a request may be below its limit.
  const explanation =
    limit !== undefined && !hasRequest
      ? 'Without a request of its own the limit counts as one.'
      : 'The scheduler counts requests only; limits stay as they are.';
  return { title: `Ask for ${code(to)} of ${code(resource)}`, changes, confidence, explanation, mirrorable: true };
}

function otherResource(scene: Scene, place: Place, { path, container }: Greedy, resource: string): RuleCorrection[] {
  const offered = (scene.subject.surroundings?.nodes ?? []).flatMap(({ allocatable }) =>
    Object.keys(allocatable).filter((name) => name.includes('/')),
  );
  const fields = (['limits', 'requests'] as const).filter((field) => container.resources?.[field]?.[resource] !== undefined);
  const renamed = nearest(resource, offered)
    .slice(0, 1)
    .map((guess): RuleCorrection => ({
      title: `Ask for ${code(guess)}`,
      changes: fields.flatMap((field) => [
        change(place, fieldPath(path, field, resource), null, `no node offers ${code(resource)}`),
        change(place, fieldPath(path, field, guess), container.resources?.[field]?.[resource], `nodes offer ${code(guess)}`),
      ]),
      confidence: 'likely',
      explanation: `${code(resource)} looks like a slip of ${code(guess)}.`,
      mirrorable: true,
    }));
  const without: RuleCorrection = {
    title: `Do without ${code(resource)}`,
    changes: fields.map((field) => change(place, fieldPath(path, field, resource), null, 'no node has it free')),
    confidence: 'guess',
    explanation: 'The pod finds a node; whether the program can work without the device, a mirror shows.',
    mirrorable: true,
  };
  return [...renamed, without];
}
