import { ApiError, badRequest } from '../api/errors.ts';
import type { Loose } from '../store/object.ts';
import { isMap, isSame } from '../store/object.ts';
import type { Schema } from '../kinds/schema.ts';
import { memberOf, resolve } from '../kinds/schema.ts';

/** JSON merge patch (RFC 7386): maps merge, null removes, everything else replaces. */
export function mergePatch(target: Loose, patch: Loose): Loose {
  if (Array.isArray(patch)) return patch.map((item) => (isMap(item) ? mergePatch({}, item) : item));
  if (!isMap(patch)) return patch;
  const result: Record<string, Loose> = isMap(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}

interface Operation {
  op: string;
  path: string;
  from?: string;
  value?: Loose;
}

const refused = () => new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});

const pointer = (path: string): string[] =>
  path === ''
    ? []
    : path
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

function valueAt(document: Loose, path: string): Loose {
  return pointer(path).reduce<Loose>((at, key) => {
    if (typeof at !== 'object' || at === null || !(key in at)) throw refused();
    return at[key];
  }, document);
}

function change(document: Loose, path: string, act: (parent: Loose, key: string) => void): void {
  const keys = pointer(path);
  const last = keys.pop();
  if (last === undefined) throw refused();
  const parent = keys.reduce<Loose>((at, key) => at?.[key], document);
  if (typeof parent !== 'object' || parent === null) throw refused();
  act(parent, last);
}

function put(document: Loose, path: string, value: Loose): void {
  change(document, path, (parent, key) => {
    if (!Array.isArray(parent)) parent[key] = value;
    else {
      const index = key === '-' ? parent.length : Number(key);
      if (!Number.isInteger(index) || index < 0 || index > parent.length) throw refused();
      parent.splice(index, 0, value);
    }
  });
}

function remove(document: Loose, path: string): void {
  valueAt(document, path);
  change(document, path, (parent, key) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  });
}

/** JSON patch (RFC 6902) on a copy. Throws the server's 422 if an operation fails. */
export function jsonPatch(target: Loose, operations: Loose): Loose {
  if (!Array.isArray(operations))
    throw badRequest('error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp');
  let document = structuredClone(target);
  for (const { op, path, from = '', value } of operations as Operation[]) {
    if (op === 'test') {
      if (!isSame(valueAt(document, path), value)) throw refused();
    } else if (op === 'remove') remove(document, path);
    else if (op === 'add' && path === '') document = value;
    else if (op === 'add') put(document, path, value);
    else if (op === 'replace')
      change(document, path, (parent, key) => {
        if (Array.isArray(parent) && !(key in parent)) throw refused();
        parent[key] = value;
      });
    else if (op === 'copy' || op === 'move') {
      const moved = structuredClone(valueAt(document, from));
      if (op === 'move') remove(document, from);
      put(document, path, moved);
    } else throw refused();
  }
  return document;
}

/**
 * Strategic merge patch: as a merge patch, but lists whose schema says `merge` are merged by their key. Understands
 * `$patch: delete|replace`, `$deleteFromPrimitiveList/…`, `$retainKeys` and (by dropping it) `$setElementOrder/…`.
 */
export function strategicMerge(schema: Schema | undefined, target: Loose, patch: Loose): Loose {
  if (!isMap(patch)) return patch;
  const node = resolve(schema);
  const { $patch: directive, $retainKeys: retained, ...changes } = patch;
  if (directive === 'replace') return changes;
  const result: Record<string, Loose> = isMap(target) ? { ...target } : {};
  if (Array.isArray(retained)) for (const key of Object.keys(result)) if (!retained.includes(key)) delete result[key];
  for (const [key, value] of Object.entries(changes)) {
    if (key.startsWith('$setElementOrder/')) continue;
    const order = changes[`$setElementOrder/${key}`] as Loose[] | undefined;
    const removed = /^\$deleteFromPrimitiveList\/(.*)$/.exec(key)?.[1];
    if (removed !== undefined) result[removed] = ((result[removed] ?? []) as Loose[]).filter((item) => !(value as Loose[]).includes(item));
    else if (value === null) delete result[key];
    else if (isMap(value) && value.$patch === 'delete') delete result[key];
    else result[key] = mergeMember(node?.properties?.[key] ?? memberOf(node, key), result[key], { value, order });
  }
  return result;
}

function mergeMember(schema: Schema | undefined, target: Loose, { value, order }: { value: Loose; order: Loose[] | undefined }): Loose {
  if (!Array.isArray(value)) return strategicMerge(schema, target, value);
  const strategy = String(schema?.['x-kubernetes-patch-strategy'] ?? '');
  if (!strategy.split(',').includes('merge')) return value;
  const key = schema?.['x-kubernetes-patch-merge-key'] as string | undefined;
  const existing = (Array.isArray(target) ? target : []) as Loose[];
  if (!key) return [...value, ...existing.filter((item) => !value.includes(item))];
  if (value.some((item) => item?.$patch === 'replace')) return value.filter((item) => item?.$patch !== 'replace');
  const merged = mergeByKey(resolve(schema?.items), existing, value, key);
  const wanted = (order ?? value.filter((item) => !item.$patch)).map((item) => item?.[key]);
  return ordered(
    merged,
    wanted,
    existing.map((item) => item?.[key]),
    key,
  );
}

/** The items of the patch in its order. Items that only the server has keep their place between them; new items come before those. */
function ordered(items: Loose[], wanted: Loose[], before: Loose[], key: string): Loose[] {
  const inPatch = items.filter((item) => wanted.includes(item[key])).toSorted((a, b) => wanted.indexOf(a[key]) - wanted.indexOf(b[key]));
  const serverOnly = items.filter((item) => !wanted.includes(item[key]));
  const result: Loose[] = [];
  for (const item of inPatch) {
    const place = before.indexOf(item[key]);
    while (serverOnly.length > 0 && place >= 0 && before.indexOf(serverOnly[0][key]) < place) result.push(serverOnly.shift());
    result.push(item);
  }
  return [...result, ...serverOnly];
}

/** A map as Go prints it. */
const goMap = (map: Record<string, Loose>): string =>
  `map[${Object.keys(map)
    .sort()
    .map((key) => `${key}:${String(map[key])}`)
    .join(' ')}]`;

function mergeByKey(item: Schema | undefined, existing: Loose[], changes: Loose[], key: string): Loose[] {
  const result = [...existing];
  for (const changed of changes) {
    if (changed?.[key] === undefined) throw new ApiError(500, '', `map: ${goMap(changed)} does not contain declared merge key: ${key}`);
    const at = result.findIndex((one) => one?.[key] === changed[key]);
    if (changed.$patch === 'delete') {
      if (at >= 0) result.splice(at, 1);
    } else if (at >= 0) result[at] = strategicMerge(item, result[at], changed);
    else result.push(strategicMerge(item, {}, changed));
  }
  return result;
}
