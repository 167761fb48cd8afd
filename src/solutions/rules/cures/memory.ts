import { fieldPath } from '../../fix/apply.ts';
import { formatBytes, parseQuantity } from '../../fix/quantity.ts';
import { code } from '../../quote.ts';
import type { RuleCorrection } from '../answer.ts';
import { change, type Place, type Scene } from '../rule.ts';

const MI = 2 ** 20;
/** Less than this no common runtime starts with. */
const LEAST = 64 * MI;

/** The memory limit of the failing container: what it is written as, and in bytes. Undefined when it has none of its own. */
export function memoryLimit(place: Place | undefined): { written: string; bytes: number } | undefined {
  const written = place?.container?.resources?.limits?.memory;
  const bytes = parseQuantity(written);
  return written === undefined || bytes === undefined ? undefined : { written: String(written), bytes };
}

/** A higher memory limit: what the heap settings ask for, else the double (at least 64Mi), then four times that. */
export function raiseMemory(scene: Scene, why: string): RuleCorrection[] {
  const place = scene.place();
  const limit = memoryLimit(place);
  if (!place || !limit) return [];
  const unit = unitSlip(limit.written, limit.bytes);
  const heap = heapBytes(place);
  const first = unit ?? Math.max(limit.bytes * 2, LEAST, heap ? Math.ceil((heap * 1.5) / MI) * MI : 0);
  const largest = largestNode(scene);
  const sizes = [first, Math.max(first * 4, 4 * LEAST)].filter((bytes) => bytes > limit.bytes && bytes <= largest);
  return sizes.map((bytes, index) =>
    raised(
      place,
      bytes,
      unit ? 'likely' : index === 0 ? 'likely' : 'guess',
      unit ? `${code(limit.written)} is a slip of its unit (\`m\` is a thousandth of a byte)` : why,
    ),
  );
}

function raised(place: Place, bytes: number, confidence: RuleCorrection['confidence'], why: string): RuleCorrection {
  const size = formatBytes(bytes);
  const path = fieldPath(place.path, 'resources', 'limits', 'memory');
  const request = place.container?.resources?.requests?.memory;
  // A request above its limit is refused, and one of a thousandth of a byte has the same slip as the limit.
  const slipped = request !== undefined && (parseQuantity(request) ?? 0) < 4 * MI && String(request).endsWith('m');
  const changes = [change(place, path, size, why)];
  if (slipped) changes.push(change(place, fieldPath(place.path, 'resources', 'requests', 'memory'), size, 'the same slip of the unit'));
  return {
    title: `Raise the memory limit to ${code(size)}`,
    changes,
    confidence,
    explanation: 'The kernel ends a container that passes its limit.',
    mirrorable: true,
  };
}

/** `128m` is an eighth of a byte: mebibytes were meant. Bytes of what was meant, undefined when the unit is right. */
function unitSlip(written: string, bytes: number): number | undefined {
  const slip = /^(\d{1,6})m$/.exec(written);
  if (slip) return Number(slip[1]) * MI;
  return /^\d{1,5}$/.test(written) && bytes < MI ? bytes * MI : undefined;
}

/** The heap that `-Xmx…` or `--max-old-space-size=…` in env, command or args asks for. */
function heapBytes(place: Place): number | undefined {
  const { env, command, args } = place.container ?? {};
  const words = [...(command ?? []), ...(args ?? []), ...(env ?? []).map(({ value }) => (typeof value === 'string' ? value : ''))]
    .join(' ')
    .slice(0, 20_000);
  const java = /-Xmx(\d{1,7})([kKmMgG])/.exec(words);
  if (java) return Number(java[1]) * (java[2]?.toLowerCase() === 'g' ? 1024 * MI : java[2]?.toLowerCase() === 'k' ? 1024 : MI);
  const node = /--max[-_]old[-_]space[-_]size[= ](\d{1,7})/.exec(words);
  return node ? Number(node[1]) * MI : undefined;
}

function largestNode(scene: Scene): number {
  const sizes = (scene.subject.surroundings?.nodes ?? []).map(({ allocatable }) => parseQuantity(allocatable.memory) ?? 0);
  return sizes.length > 0 ? Math.max(...sizes) : Infinity;
}
