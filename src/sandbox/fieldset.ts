import type { Loose } from './object.ts';
import { isMap, isSame } from './object.ts';
import type { Schema } from './schema.ts';
import { memberOf, resolve } from './schema.ts';

/** A set of fields in the form of `metadata.managedFields[].fieldsV1`: `f:` members, `k:` items by key, `v:` items by value. */
export interface FieldSet {
  [step: string]: FieldSet;
}

/** A way to one field: the steps of a `FieldSet`. */
export type FieldPath = string[];

/** What the server alone sets belongs to nobody. */
const SERVER_META = new Set(
  'name namespace uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds managedFields selfLink generateName'.split(
    ' ',
  ),
);

const keysOf = (schema: Schema | undefined): string[] | undefined =>
  schema?.['x-kubernetes-list-type'] === 'map' ? (schema['x-kubernetes-list-map-keys'] as string[]) : undefined;

const keyStep = (keys: string[], item: Loose): string =>
  `k:${JSON.stringify(Object.fromEntries(keys.toSorted().flatMap((key) => (item?.[key] === undefined ? [] : [[key, item[key]]]))))}`;

/** The step that names an item of a list, or undefined in a list that is one value as a whole. */
function itemStep(schema: Schema | undefined, item: Loose): string | undefined {
  const keys = keysOf(schema);
  if (keys) return keyStep(keys, item);
  return schema?.['x-kubernetes-list-type'] === 'set' ? `v:${JSON.stringify(item)}` : undefined;
}

/** The fields that a value sets. */
export function fieldsOf(schema: Schema | undefined, value: Loose, isRoot = true): FieldSet {
  const node = resolve(schema);
  const set: FieldSet = {};
  if (Array.isArray(value)) {
    for (const item of value) {
      const step = itemStep(node, item);
      if (step) set[step] = step.startsWith('k:') ? { '.': {}, ...fieldsOf(node?.items, item, false) } : {};
    }
    return set;
  }
  if (!isMap(value) || node?.['x-kubernetes-map-type'] === 'atomic') return set;
  for (const [key, child] of Object.entries(value)) {
    if (isRoot && (key === 'apiVersion' || key === 'kind')) continue;
    const fields = fieldsOf(schemaAt(node, key), child, false);
    if (isRoot && key === 'metadata') for (const name of SERVER_META) delete fields[`f:${name}`];
    if (!(isRoot && key === 'metadata' && Object.keys(fields).length === 0)) set[`f:${key}`] = fields;
  }
  return set;
}

/** A member's schema with the list marks that stand beside its `$ref`. */
function schemaAt(node: Schema | undefined, key: string): Schema | undefined {
  return (node?.properties?.[key] as Schema | undefined) ?? memberOf(node, key);
}

/** The ways to the fields of a set that have nothing below them, or that are set as such (`.`). */
export function* leaves(set: FieldSet, path: FieldPath = []): Generator<FieldPath> {
  const steps = Object.keys(set).filter((step) => step !== '.');
  if (path.length > 0 && (steps.length === 0 || set['.'])) yield path;
  for (const step of steps) yield* leaves(set[step] as FieldSet, [...path, step]);
}

/** Whether the set holds this field. */
export function has(set: FieldSet, path: FieldPath): boolean {
  let at: FieldSet | undefined = set;
  for (const step of path) at = at?.[step];
  return at !== undefined && (Object.keys(at).length === 0 || at['.'] !== undefined);
}

/** Adds a field in place. */
export function add(set: FieldSet, path: FieldPath): void {
  let at = set;
  for (const [i, step] of path.entries()) {
    const isEmptyLeaf = i > 0 && Object.keys(at).length === 0 && at !== set;
    if (isEmptyLeaf && path[i - 1]?.startsWith('k:')) at['.'] = {};
    at[step] ??= {};
    at = at[step];
  }
  if (path.at(-1)?.startsWith('k:')) at['.'] = {};
}

/** Takes a field out in place, with what becomes empty by it. */
export function drop(set: FieldSet, [step = '', ...rest]: FieldPath): void {
  const below = set[step];
  if (!below) return;
  if (rest.length === 0) delete below['.'];
  else drop(below, rest);
  if (Object.keys(below).length === 0) delete set[step];
}

/** The value a path leads to. */
export function valueAt(value: Loose, path: FieldPath): Loose {
  let at = value;
  for (const step of path) {
    if (at === undefined || at === null) return undefined;
    at = step.startsWith('f:') ? at[step.slice(2)] : findItem(at, step);
  }
  return at;
}

function findItem(list: Loose, step: string): Loose {
  if (!Array.isArray(list)) return undefined;
  const wanted = JSON.parse(step.slice(2));
  if (step.startsWith('v:')) return list.find((item) => isSame(item, wanted));
  return list.find((item) => Object.entries(wanted).every(([key, value]) => item?.[key] === value));
}

/** Removes in place what a path leads to, and maps that become empty by it. */
export function removeAt(value: Loose, path: FieldPath): void {
  const last = path.at(-1) as string;
  const parent = valueAt(value, path.slice(0, -1));
  if (parent === undefined || parent === null) return;
  if (last.startsWith('f:')) delete parent[last.slice(2)];
  else if (Array.isArray(parent)) {
    const item = findItem(parent, last);
    if (item !== undefined) parent.splice(parent.indexOf(item), 1);
  }
}

/** `.spec.containers[name="app"].image`, as messages about conflicts write it. */
export function pathText(path: FieldPath): string {
  return path
    .map((step) => {
      if (step.startsWith('f:')) return `.${step.slice(2)}`;
      if (step.startsWith('v:')) return `[=${step.slice(2)}]`;
      const keys = Object.entries(JSON.parse(step.slice(2)) as Record<string, unknown>);
      return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`;
    })
    .join('');
}

/** What applying `change` makes of `value`: maps are merged, lists by their keys or as sets, everything else replaced. */
export function mergeApplied(schema: Schema | undefined, value: Loose, change: Loose): Loose {
  const node = resolve(schema);
  if (Array.isArray(change)) return mergeList(node, Array.isArray(value) ? value : [], change);
  if (!isMap(change) || !isMap(value) || node?.['x-kubernetes-map-type'] === 'atomic') return change;
  const result: Record<string, Loose> = { ...value };
  for (const [key, child] of Object.entries(change)) result[key] = mergeApplied(schemaAt(node, key), value[key], child);
  return result;
}

function mergeList(node: Schema | undefined, value: Loose[], change: Loose[]): Loose[] {
  const first = change[0];
  if (first === undefined || itemStep(node, first) === undefined) return itemStep(node, first) === undefined ? change : value;
  const steps = value.map((item) => itemStep(node, item));
  const result = [...value];
  for (const item of change) {
    const at = steps.indexOf(itemStep(node, item));
    if (at < 0) result.push(item);
    else result[at] = mergeApplied(node?.items, result[at], item);
  }
  return result;
}
