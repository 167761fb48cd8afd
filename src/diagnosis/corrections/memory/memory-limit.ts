import { formatBytes, parseQuantity } from '../../../crd/quantity.ts';
import { code } from '../../rendering/quote.ts';
import { type ContainerPlace, factsOf, type RuleInput } from '../../facts/input.ts';
import { givenIn } from '../given-values.ts';
import { heapNeed } from './heap.ts';

const MI = 2 ** 20;
/** Hardly any runtime starts with less. */
const LEAST = 64 * MI;
/** What most runtimes need to start, with a usual program in them. */
const START = 256 * MI;
const ROUND = 32 * MI;

/** A memory limit, and why it should be enough. */
export interface MemoryNeed {
  bytes: number;
  why: string;
}

/**
 * The limit that a container needs, as far as it is known: from how long it ran until it was killed, from its heap settings, from earlier
 * limits and mirrors, and from what it uses now. The largest of these counts. `why` is used when nothing says more.
 */
export function memoryNeed(input: RuleInput, place: ContainerPlace, limit: number, why: string): MemoryNeed {
  const heap = place.container && heapNeed(place.container);
  // A heap above the limit explains the kill. How long the container ran then adds nothing.
  const isExplained = heap !== undefined && heap.bytes > limit;
  const needs = [
    isExplained ? { ...heap, bytes: rounded(heap.bytes) } : stepUp(input, place, limit, why),
    ...previousLimit(input, place, limit),
    ...triedLimit(input, place, limit),
    ...measuredUse(input, place),
    ...(heap ? [] : statedUse(place, limit)),
  ];
  const most = needs.reduce((largest, need) => (need.bytes > largest.bytes ? need : largest));
  return most.bytes < LEAST ? { bytes: LEAST, why: `${most.why}; less than 64Mi is little for any program` } : most;
}

/** The sooner a container is killed, the larger the share of the memory that it still lacks. */
const STEPS: readonly { below: number; factor: number; times: string }[] = [
  { below: 2.5, factor: 4, times: 'four times the limit' },
  { below: 60, factor: 3, times: 'three times the limit' },
  { below: 3600, factor: 2, times: 'twice the limit' },
  { below: Infinity, factor: 1.5, times: 'half as much again' },
];

function stepUp(input: RuleInput, { container }: ContainerPlace, limit: number, why: string): MemoryNeed {
  const run = factsOf(input, 'run').find(({ container: name, reason }) => name === container?.name && reason === 'OOMKilled');
  const seconds = run?.seconds ?? null;
  if (seconds === null) return { bytes: limit * 2, why };
  const { factor, times } = STEPS.find(({ below }) => seconds < below) as (typeof STEPS)[number];
  if (factor < 4) return { bytes: limit * factor, why: `it was killed after ${duration(seconds)} at this limit, therefore ${times}` };
  const killed = 'it was killed within 2 s of its start at this limit';
  if (limit * factor >= START) return { bytes: limit * factor, why: `${killed}, therefore ${times}` };
  return { bytes: START, why: `${killed}, so nothing tells how much it needs; most programs start with 256Mi` };
}

/** If the previous revision had a higher limit, going back to it is worth a try. If it had a lower one, raising it once was not enough. */
function previousLimit({ subject }: RuleInput, { container }: ContainerPlace, limit: number): MemoryNeed[] {
  const { previous, before = 0, serving = 0 } = subject.surroundings?.revisions ?? {};
  const old = [...(previous?.containers ?? []), ...(previous?.initContainers ?? [])].find(({ name }) => name === container?.name);
  const written = old?.resources?.limits?.memory;
  const bytes = parseQuantity(written);
  if (written === undefined || bytes === undefined || bytes === limit) return [];
  if (bytes > limit)
    return [{ bytes, why: `revision ${before} ${serving > 0 ? `has ${code(written)} and works` : `had ${code(written)}`}` }];
  return [{ bytes: limit * 3, why: `the limit was already raised from ${code(written)}, therefore three times the limit` }];
}

/** If mirrors were killed even with a higher limit: four times the highest limit tried. */
function triedLimit({ subject }: RuleInput, { path }: ContainerPlace, limit: number): MemoryNeed[] {
  // A mirror is a pod; the case's manifest may be a workload with the same container in its template.
  const field = `${path.replace(/^spec\.template\./, '')}.resources.limits.memory`;
  const tried = (subject.trials ?? [])
    .filter(({ verdict, reason_after }) => verdict === 'StillFailing' && reason_after === 'OOMKilled')
    .flatMap(({ changes }) => changes.filter((change) => change.path.replace(/^spec\.template\./, '') === field))
    .map(({ to }) => (typeof to === 'string' ? (parseQuantity(to) ?? 0) : 0));
  const highest = Math.max(limit, ...tried);
  if (highest === limit) return [];
  return [{ bytes: highest * 4, why: `a mirror with ${code(formatBytes(highest))} was killed too, therefore four times that` }];
}

/** Current use is not the peak, so this adds half. */
function measuredUse({ subject }: RuleInput, { container }: ContainerPlace): MemoryNeed[] {
  const use = subject.surroundings?.memoryUse?.find((one) => one.pod === subject.pod_name && one.container === container?.name);
  const bytes = parseQuantity(use?.memory);
  if (!use || bytes === undefined) return [];
  return [{ bytes: rounded(bytes * 1.5), why: `it uses ${code(use.memory)} now, and at its peak perhaps half as much again` }];
}

/** Settings for what a program keeps in its memory. */
const KEPT = /mem|cache|buffer|pool/i;
/** Settings for what lies on a disk. */
const ON_DISK = /disk|storage|retention|file|volume|log|upload/i;

/** A setting that lets the program keep more than the limit allows. A quarter is added for the program itself. */
function statedUse(place: ContainerPlace, limit: number): MemoryNeed[] {
  return givenIn(place).flatMap(({ name, value }) => {
    if (!KEPT.test(name) || ON_DISK.test(name)) return [];
    const [, number, unit = ''] = /^(\d{1,6}) ?(?:([mg])i?b?)?$/i.exec(value) ?? [];
    const isCounted = unit !== '' || /[_-](?:mb|mib|megabytes)$/i.test(name);
    const bytes = Number(number ?? 0) * MI * (unit.toLowerCase() === 'g' ? 1024 : 1);
    // A setting that is far larger means something else.
    if (!isCounted || bytes < limit * 0.6 || bytes > limit * 16) return [];
    return [{ bytes: rounded(bytes * 1.25 + ROUND), why: `${code(name)} lets it keep ${code(formatBytes(bytes))} in memory` }];
  });
}

/** The next amount that people write: steps of 32Mi, and from 2Gi on of half a gibibyte. */
function rounded(bytes: number): number {
  const step = bytes < 2048 * MI ? ROUND : 512 * MI;
  return Math.ceil(bytes / step) * step;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
