import type { Container } from '../../../crd/kubernetes.ts';
import { parseQuantity } from '../../../crd/quantity.ts';
import { code } from '../../rendering/quote.ts';
import { textsOf } from '../container-texts.ts';

const MI = 2 ** 20;
const MAX_TEXT = 20_000;

/** The memory that a runtime needs for the heap in its settings, and which settings these are. */
export interface HeapNeed {
  bytes: number;
  why: string;
}

/** What `-Xmx`, `--max-old-space-size` or `GOMEMLIMIT` in the container's command, args or environment let the runtime use. */
export function heapNeed(container: Container): HeapNeed | undefined {
  const text = textsOf(container).join(' ').slice(0, MAX_TEXT);
  const goLimit = container.env?.find(({ name }) => name === 'GOMEMLIMIT')?.value;
  return javaHeap(text) ?? nodeHeap(text) ?? (typeof goLimit === 'string' ? goMemory(goLimit) : undefined);
}

/** The JVM also needs memory for classes, compiled code, threads and buffers: a third of the heap, and at least 256Mi. */
function javaHeap(text: string): HeapNeed | undefined {
  // If several settings set the heap, the JVM uses the last one.
  const found = [...text.matchAll(/(?:-Xmx|-XX:MaxHeapSize=)(\d{1,12})([kKmMgG]?)/g)].at(-1);
  if (!found) return undefined;
  const [setting, digits, unit = ''] = found;
  const factor = { k: 1024, m: MI, g: 1024 * MI, '': 1 }[unit.toLowerCase()] ?? 1;
  return withRest(Number(digits) * factor, 256 * MI, { who: 'the JVM', heap: setting, things: 'classes, threads and buffers' });
}

/** A fixed heap that leaves most of the memory limit unused: the setting, and the value that fits into three quarters of the limit. */
export function smallHeap(container: Container): { from: string; to: string } | undefined {
  const limit = parseQuantity(container.resources?.limits?.memory) ?? Infinity;
  const text = textsOf(container).join(' ').slice(0, MAX_TEXT);
  const java = [...text.matchAll(/(-Xmx)(\d{1,12})([kKmMgG]?)/g)].at(-1);
  const node = [...text.matchAll(/(--max[-_]old[-_]space[-_]size[= ])(\d{1,7})/g)].at(-1);
  const [from, setting, digits, unit] = java ?? node ?? [];
  if (from === undefined || digits === undefined) return undefined;
  const factor = java ? ({ k: 1024, m: MI, g: 1024 * MI, '': 1 }[(unit ?? '').toLowerCase()] ?? 1) : MI;
  const heap = Number(digits) * factor;
  // With a memory limit, the heap may use three quarters of it. Without a limit, the heap grows fourfold.
  const to = Math.floor((limit === Infinity ? heap * 4 : (limit * 3) / 4) / MI);
  return to * MI > heap * 1.2 ? { from, to: `${setting}${to}${java ? 'm' : ''}` } : undefined;
}

/** Node.js also needs memory outside the old space. A third of the old space's size is allowed for it, and at least 128Mi. */
function nodeHeap(text: string): HeapNeed | undefined {
  const found = [...text.matchAll(/--max[-_]old[-_]space[-_]size[= ](\d{1,7})/g)].at(-1);
  return found && withRest(Number(found[1]) * MI, 128 * MI, { who: 'Node', heap: found[0], things: 'its own memory and buffers' });
}

function withRest(bytes: number, least: number, { who, heap, things }: { who: string; heap: string; things: string }): HeapNeed {
  const more = bytes / 3 > least ? 'a third of that' : `${least / MI}Mi`;
  return { bytes: bytes + Math.max(bytes / 3, least), why: `besides its heap (${code(heap)}) ${who} needs about ${more} for ${things}` };
}

/** Near its soft limit, the Go runtime collects garbage more often, but it may exceed the limit. This allows a quarter more. */
function goMemory(value: string): HeapNeed | undefined {
  const found = /^(\d{1,15})(B|KiB|MiB|GiB|TiB)?$/.exec(value);
  if (!found) return undefined;
  const factor = { B: 1, KiB: 1024, MiB: MI, GiB: 1024 * MI, TiB: MI * MI }[found[2] ?? 'B'] ?? 1;
  const bytes = Number(found[1]) * factor * 1.25;
  return { bytes, why: `${code(`GOMEMLIMIT=${value}`)} is a soft limit: Go needs a quarter more` };
}
