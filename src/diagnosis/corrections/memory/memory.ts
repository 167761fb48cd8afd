import { fieldPath } from '../../../crd/field-path.ts';
import { formatBytes, parseQuantity } from '../../../crd/quantity.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { memoryNeed } from './memory-limit.ts';

const MI = 2 ** 20;
/** The second limit that is offered is this many times the first, and at least 256Mi. */
const SECOND = 4;

/**
 * The memory limit that holds for the failing container: its own or, without one, that of the pod as a whole. As it is
 * written, and in bytes. Undefined when there is none.
 */
export function memoryLimit(place: ContainerPlace | undefined): { written: string; bytes: number; isOfPod: boolean } | undefined {
  const own = place?.container?.resources?.limits?.memory;
  const written = own ?? place?.spec.resources?.limits?.memory;
  const bytes = parseQuantity(written);
  return written === undefined || bytes === undefined ? undefined : { written: String(written), bytes, isOfPod: own === undefined };
}

/**
 * Two higher memory limits: what the container needs, as far as that is known, and four times as much. `why` explains the first one if
 * there is no better reason.
 */
export function raiseMemory(input: RuleInput, why: string): Correction[] {
  const place = input.place();
  const limit = memoryLimit(place);
  if (!place || !limit) return [];
  const unit = meantBytes(limit.written, limit.bytes);
  const need = unit
    ? { bytes: unit, why: `${code(limit.written)} has a typo in its unit (\`m\` is a thousandth of a byte)` }
    : memoryNeed(input, place, limit.bytes, why);
  const largest = largestNode(input);
  const first = Math.min(need.bytes, largest);
  const reason = need.bytes > largest ? `${need.why}, but no node has more than this` : need.why;
  const second = Math.max(need.bytes * SECOND, 256 * MI);
  return [
    // A limit only slightly higher than the one that was exceeded is not worth a try.
    ...(first >= limit.bytes * 1.25 ? [raised(place, first, 'likely', reason)] : []),
    ...(second <= largest ? [raised(place, second, unit ? 'likely' : 'guess', `more, if ${formatBytes(first)} is not enough`)] : []),
  ];
}

function raised(place: ContainerPlace, bytes: number, confidence: Correction['confidence'], why: string): Correction {
  const size = formatBytes(bytes);
  const isOfPod = memoryLimit(place)?.isOfPod === true;
  const path = fieldPath(isOfPod ? place.specPath : place.path, 'resources', 'limits', 'memory');
  const whole = isOfPod ? undefined : parseQuantity(place.spec.resources?.limits?.memory);
  const request = place.container?.resources?.requests?.memory;
  // The API server refuses a request above its limit. A request of a thousandth of a byte has the same typo as the limit.
  const hasTypo = request !== undefined && (parseQuantity(request) ?? 0) < 4 * MI && String(request).endsWith('m');
  const changes = [change(place, path, size, why)];
  if (whole !== undefined && whole < bytes)
    changes.push(
      change(place, fieldPath(place.specPath, 'resources', 'limits', 'memory'), size, 'no container may have more than the pod'),
    );
  if (hasTypo) changes.push(change(place, fieldPath(place.path, 'resources', 'requests', 'memory'), size, 'the same typo in the unit'));
  return {
    title: `Raise the memory limit ${isOfPod ? 'of the pod ' : ''}to ${code(size)}`,
    changes,
    confidence,
    explanation: isOfPod
      ? 'The limit holds for all containers of the pod together.'
      : 'The kernel kills a container that uses more than its limit.',
    mirrorable: true,
  };
}

/** `128m` is an eighth of a byte; mebibytes were meant. The bytes that were meant, undefined when the unit is right. */
function meantBytes(written: string, bytes: number): number | undefined {
  const typo = /^(\d{1,6})m$/.exec(written);
  if (typo) return Number(typo[1]) * MI;
  return /^\d{1,5}$/.test(written) && bytes < MI ? bytes * MI : undefined;
}

function largestNode(input: RuleInput): number {
  const sizes = (input.subject.surroundings?.nodes ?? []).map(({ allocatable }) => parseQuantity(allocatable.memory) ?? 0);
  return sizes.length > 0 ? Math.max(...sizes) : Infinity;
}
