import { isDeepStrictEqual } from 'node:util';
import { identities, IDENTITIES } from './json-patch.ts';
import { isMapping } from './mapping.ts';

/** A step to a field: a key, or a list entry by its identity. */
type Step = string | { is: string };

/** The smallest part in which two objects differ. Absent values are null. */
interface Part {
  steps: Step[];
  before: unknown;
  after: unknown;
  /** The new order of the list's entries, by identity. Absent if the order does not change. */
  order?: string[];
}

/**
 * A copy of `target` with the changes between `before` and `after`. `target` may have more or fewer fields than `before`, as a workload's
 * template does compared with a pod that admission has completed. Undefined when a change concerns an entry that `target` does not have.
 */
export function mergeDifference<T extends object>(target: T, before: object, after: object): T | undefined {
  const copy = structuredClone(target);
  const fits = partsOf([], before, after).every((part) => merge(copy, part));
  return fits ? copy : undefined;
}

function partsOf(steps: Step[], before: unknown, after: unknown): Part[] {
  if (isDeepStrictEqual(before ?? null, after ?? null)) return [];
  if (isMapping(before) && isMapping(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => partsOf([...steps, key], own(before, key), own(after, key)));
  }
  const [old, young] = [before, after].map((value) => (Array.isArray(value) ? identities(value) : undefined));
  if (!old || !young) return [{ steps, before: before ?? null, after: after ?? null }];
  const entries = [...new Set([...old, ...young])];
  const parts = entries.flatMap((is) =>
    partsOf([...steps, { is }], (before as unknown[])[old.indexOf(is)], (after as unknown[])[young.indexOf(is)]),
  );
  const isMoved = !isDeepStrictEqual(
    entries.filter((is) => young.includes(is)),
    young,
  );
  return isMoved ? [...parts, { steps, before: null, after: null, order: young }] : parts;
}

/** Whether the part could be changed. */
function merge(root: object, { steps, before, after, order }: Part): boolean {
  if (order) return setOrder(root, steps, order);
  let here: unknown = root;
  for (const [index, step] of steps.slice(0, -1).entries()) {
    const next = typeof step === 'string' ? own(here, step) : entryOf(here, step.is);
    if (next !== undefined && next !== null) {
      here = next;
      continue;
    }
    // A missing field needs no removal, and an entry is never created from one of its fields.
    if (after === null) return true;
    if (typeof step !== 'string' || !isMapping(here)) return false;
    here[step] = typeof steps[index + 1] === 'string' ? {} : [];
    here = here[step];
  }
  const last = steps.at(-1);
  if (last === undefined) return false;
  return typeof last === 'string' ? setField(here, last, { before, after }) : setEntry(here, last.is, after);
}

function setField(here: unknown, key: string, { before, after }: Pick<Part, 'before' | 'after'>): boolean {
  if (!isMapping(here)) return false;
  const current = own(here, key);
  if (after === null) delete here[key];
  else if (isDeepStrictEqual(current, after)) return true;
  else if (Array.isArray(current) && !isDeepStrictEqual(current, before) && [current, before, after].every(isOfWords)) return false;
  else if (Array.isArray(current) && Array.isArray(before) && Array.isArray(after) && !isDeepStrictEqual(current, before)) {
    const kept = current.filter((entry) => includes(after, entry) || !includes(before, entry));
    here[key] = [...kept, ...structuredClone(after.filter((entry) => !includes(before, entry)))];
  } else here[key] = structuredClone(after);
  return true;
}

/** Entries that both objects have are compared by their fields, so an entry as a whole is new or gone. */
function setEntry(here: unknown, is: string, after: unknown): boolean {
  if (!Array.isArray(here)) return false;
  const entry = entryOf(here, is);
  if (after === null) {
    if (entry !== undefined) here.splice(here.indexOf(entry), 1);
    return entry !== undefined;
  }
  if (entry === undefined) here.push(structuredClone(after));
  else here[here.indexOf(entry)] = structuredClone(after);
  return true;
}

/** Entries with other identities stay where they are. */
function setOrder(root: object, steps: Step[], order: string[]): boolean {
  const list = steps.reduce<unknown>((here, step) => (typeof step === 'string' ? own(here, step) : entryOf(here, step.is)), root);
  const names = Array.isArray(list) ? identities(list) : undefined;
  if (!Array.isArray(list) || !names) return false;
  const sorted = order.flatMap((is) => (names.includes(is) ? [list[names.indexOf(is)] as unknown] : []));
  for (const [index, is] of names.entries()) if (order.includes(is)) list[index] = sorted.shift();
  return true;
}

function entryOf(list: unknown, is: string): unknown {
  if (!Array.isArray(list)) return undefined;
  const names = identities(list);
  if (names) return (list as unknown[])[names.indexOf(is)];
  return (list as unknown[]).find((entry) => IDENTITIES.some((field) => own(entry, field) === is));
}

/** For instance a command and its arguments: their order counts, so two changes of one list cannot be merged. */
const isOfWords = (value: unknown): boolean => Array.isArray(value) && value.every((entry) => typeof entry !== 'object');

const includes = (list: unknown[], entry: unknown): boolean => list.some((other) => isDeepStrictEqual(other, entry));

function own(value: unknown, key: string): unknown {
  return isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
