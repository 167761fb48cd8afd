import { isDeepStrictEqual } from 'node:util';
import { isMapping } from './mapping.ts';

/** An operation of a JSON Patch (RFC 6902). */
export type PatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: string; value: unknown }
  | { op: 'remove'; path: string }
  | { op: 'move'; from: string; path: string };

/**
 * The JSON Patch that turns `before` into `after`. Entries of lists are found by their name or mount path. A `test` before the first change
 * below such an entry makes the server refuse the patch if the list has changed since. `mayTell` says whether an old value may appear in
 * such a test.
 */
export function jsonPatch(before: unknown, after: unknown, mayTell: (value: unknown) => boolean = () => true): PatchOperation[] {
  const operations: PatchOperation[] = [];
  for (const operation of compare('', before, after, mayTell)) {
    const isKnown = operation.op === 'test' && operations.some((other) => isDeepStrictEqual(other, operation));
    if (!isKnown) operations.push(operation);
  }
  return operations;
}

type MayTell = (value: unknown) => boolean;

function compare(path: string, before: unknown, after: unknown, mayTell: MayTell): PatchOperation[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isMapping(before) && isMapping(after)) return compareFields(path, before, after, mayTell);
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(path, before, after, mayTell);
  return [{ op: 'replace', path, value: after }];
}

function compareFields(path: string, before: Record<string, unknown>, after: Record<string, unknown>, mayTell: MayTell): PatchOperation[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key): PatchOperation[] => {
    const here = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!Object.hasOwn(after, key) || after[key] === undefined) return [{ op: 'remove', path: here }];
    if (!Object.hasOwn(before, key)) return [{ op: 'add', path: here, value: after[key] }];
    return compare(here, before[key], after[key], mayTell);
  });
}

/**
 * First, entries that stay are changed in place. Then others are removed. Last, entries are added or moved to their place. So each index is
 * exact.
 */
function compareLists(path: string, before: unknown[], after: unknown[], mayTell: MayTell): PatchOperation[] {
  const [old, young] = [identities(before), identities(after)];
  if (!old || !young) {
    if (before.length !== after.length) return [{ op: 'replace', path, value: after }];
    return before.flatMap((entry, index) => entryTest(`${path}/${index}`, entry, after[index], mayTell));
  }
  const changed = old.flatMap((identity, index) => {
    const to = young.indexOf(identity);
    return to < 0 ? [] : entryTest(`${path}/${index}`, before[index], after[to], mayTell);
  });
  const gone = old.flatMap((identity, index) => (young.includes(identity) ? [] : [index])).toReversed();
  const removed = gone.flatMap((index): PatchOperation[] => [
    ...testOf(`${path}/${index}`, before[index], mayTell),
    { op: 'remove', path: `${path}/${index}` },
  ]);
  const kept = old.filter((identity) => young.includes(identity));
  return [...changed, ...removed, ...placed(path, { kept, young }, after, mayTell)];
}

/**
 * Operations that add the new entries and move the others, so that the list ends up in the order of `after`. `young` holds the identities
 * of `after`; `kept` holds those that the old list had too.
 */
function placed(path: string, { kept, young }: { kept: string[]; young: string[] }, after: unknown[], mayTell: MayTell): PatchOperation[] {
  const list = [...kept];
  return young.flatMap((identity, index): PatchOperation[] => {
    const from = list.indexOf(identity);
    if (from === index) return [];
    if (from >= 0) list.splice(from, 1);
    list.splice(index, 0, identity);
    if (from < 0) return [{ op: 'add', path: index === list.length - 1 ? `${path}/-` : `${path}/${index}`, value: after[index] }];
    return [...testOf(`${path}/${from}`, after[index], mayTell), { op: 'move', from: `${path}/${from}`, path: `${path}/${index}` }];
  });
}

function entryTest(path: string, before: unknown, after: unknown, mayTell: MayTell): PatchOperation[] {
  const changes = compare(path, before, after, mayTell);
  return changes.length > 0 ? [...testOf(path, before, mayTell), ...changes] : [];
}

/** Tests an entry by its name if it has one, otherwise by its whole value. */
function testOf(path: string, entry: unknown, mayTell: MayTell): PatchOperation[] {
  const key = isMapping(entry) ? IDENTITIES.find((field) => typeof entry[field] === 'string') : undefined;
  if (key !== undefined) return [{ op: 'test', path: `${path}/${key}`, value: (entry as Record<string, unknown>)[key] }];
  return mayTell(entry) ? [{ op: 'test', path, value: entry }] : [];
}

/** The fields that identify entries of lists, in the order in which they are tried. */
export const IDENTITIES = ['mountPath', 'devicePath', 'name'] as const;

/**
 * The field that distinguishes the entries of a list, as its value for each entry: all entries have it, and no two have the same. Undefined
 * when there is none.
 */
export function identities(list: readonly unknown[]): string[] | undefined {
  if (!list.every(isMapping)) return undefined;
  for (const field of IDENTITIES) {
    const values = list.map((entry) => entry[field]);
    if (values.every((value) => typeof value === 'string') && new Set(values).size === values.length) return values as string[];
  }
  return undefined;
}
