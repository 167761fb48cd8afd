import type { Loose } from '../store/object.ts';
import { isMap, isSame } from '../store/object.ts';
import type { Schema } from '../kinds/schema.ts';
import { memberOf, resolve } from '../kinds/schema.ts';

/** A set of fields in the form of `metadata.managedFields[].fieldsV1`: `f:` members, `k:` items by key, `v:` items by value. */
export interface FieldSet {
  [step: string]: FieldSet;
}

/** The path to a field: the steps of a `FieldSet`. */
export type FieldPath = string[];

/** Fields as a set: ways by their text. */
export class Fields extends Map<string, FieldPath> {
  static of(paths: Iterable<FieldPath>): Fields {
    return new Fields([...paths].map((path) => [path.join('\n'), path]));
  }

  /** Reads `fieldsV1`. A step without members is a field; one with `.` is a field that contains other fields. */
  static read(set: FieldSet): Fields {
    const paths: FieldPath[] = [];
    const walk = (at: FieldSet, path: FieldPath): void => {
      const steps = Object.keys(at).filter((step) => step !== '.');
      if (path.length > 0 && (steps.length === 0 || at['.'])) paths.push(path);
      for (const step of steps) walk(at[step] as FieldSet, [...path, step]);
    };
    walk(set, []);
    return Fields.of(paths);
  }

  /** Writes `fieldsV1`. */
  written(): FieldSet {
    const root: FieldSet = {};
    const owned = new Set(this.keys());
    for (const path of this.values()) {
      let at = root;
      for (const [i, step] of path.entries()) {
        at[step] ??= {};
        at = at[step];
        const isLast = i === path.length - 1;
        if (!isLast && owned.has(path.slice(0, i + 1).join('\n'))) at['.'] = {};
      }
    }
    return root;
  }

  insert(path: FieldPath): void {
    this.set(path.join('\n'), path);
  }

  plus(...others: Fields[]): Fields {
    return new Fields([this, ...others].flatMap((fields) => [...fields]));
  }

  minus(other: Fields): Fields {
    return new Fields([...this].filter(([key]) => !other.has(key)));
  }

  /** Without the fields at or below one of these paths. */
  without(prefixes: FieldPath[]): Fields {
    const isBelow = (path: FieldPath) => prefixes.some((prefix) => prefix.every((step, i) => path[i] === step));
    return new Fields([...this].filter(([, path]) => !isBelow(path)));
  }
}

const keysOf = (schema: Schema | undefined): string[] | undefined =>
  schema?.['x-kubernetes-list-type'] === 'map' ? (schema['x-kubernetes-list-map-keys'] as string[]) : undefined;

/** The step that names an item of a list; undefined for a list that is a single value. */
function itemStep(schema: Schema | undefined, item: Loose): string | undefined {
  const keys = keysOf(schema);
  if (keys) {
    const given = keys.toSorted().map((key) => [key, item?.[key] ?? defaultOf(schema, key)]);
    return `k:${JSON.stringify(Object.fromEntries(given.filter(([, value]) => value !== undefined)))}`;
  }
  return schema?.['x-kubernetes-list-type'] === 'set' ? `v:${JSON.stringify(item)}` : undefined;
}

/** A key that may be omitted (`protocol` of a port) has its default value. */
const defaultOf = (schema: Schema | undefined, key: string): Loose => resolve(schema?.items)?.properties?.[key]?.default;

/** A member's schema, with the list markers beside its `$ref`. */
const schemaAt = (node: Schema | undefined, key: string): Schema | undefined =>
  (node?.properties?.[key] as Schema | undefined) ?? memberOf(node, key);

const isWhole = (node: Schema | undefined, value: Loose): boolean =>
  Array.isArray(value)
    ? !['map', 'set'].includes(node?.['x-kubernetes-list-type'])
    : !isMap(value) || node?.['x-kubernetes-map-type'] === 'atomic';

const isEmpty = (value: Loose): boolean => value === undefined || value === null || Object.keys(value).length === 0;

/** The fields that an applied configuration sets. */
export function fieldsOf(schema: Schema | undefined, value: Loose): Fields {
  const fields = new Fields();
  const walk = (at: Schema | undefined, here: Loose, path: FieldPath): void => {
    const node = resolve(at);
    if (isWhole(node, here)) return fields.insert(path);
    if (Array.isArray(here)) {
      for (const item of here) {
        const way = [...path, itemStep(node, item) as string];
        fields.insert(way);
        if (isMap(item)) walk(node?.items, item, way);
      }
      return;
    }
    for (const [key, child] of Object.entries(here as Record<string, Loose>)) {
      const way = [...path, `f:${key}`];
      walk(schemaAt(node, key), child, way);
      if (child === null || (isMap(child) && isEmpty(child)) || !node?.properties?.[key]) fields.insert(way);
    }
  };
  walk(schema, value, []);
  return fields;
}

/** The first obstacle to a set of fields: a field that the schema does not know, or a duplicate item; undefined if there is none. */
export function typeFault(schema: Schema | undefined, value: Loose, path: FieldPath = []): string | undefined {
  const node = resolve(schema);
  if (Array.isArray(value)) {
    const steps = isWhole(node, value) ? [] : value.map((item) => itemStep(node, item) as string);
    const twice = steps.find((step, i) => steps.indexOf(step) < i);
    if (twice) return `${pathText(path)}: duplicate entries for key ${pathText([twice])}`;
    return firstOf(value, (item, i) => typeFault(node?.items, item, [...path, steps[i] ?? '']));
  }
  if (!isMap(value)) return undefined;
  const isOpen = !node?.properties || node['x-kubernetes-preserve-unknown-fields'] || node.additionalProperties;
  return firstOf(Object.entries(value), ([key, child]) => {
    const way = [...path, `f:${key}`];
    const member = schemaAt(node, key);
    if (!member && !isOpen) return `${pathText(way)}: field not declared in schema`;
    return member && typeFault(member, child, way);
  });
}

function firstOf<T, R>(items: T[], look: (item: T, index: number) => R | undefined): R | undefined {
  for (const [i, item] of items.entries()) {
    const found = look(item, i);
    if (found) return found;
  }
  return undefined;
}

/** How two objects differ, field by field. */
export interface Comparison {
  added: Fields;
  modified: Fields;
  removed: Fields;
}

/**
 * Compares as the real server does. A new map or list counts as added itself. `isTyped`: Go's types always have their structs (the schema
 * gives them the default `{}`) and required members, and do not distinguish an empty text from an absent one.
 */
export function compareFields(schema: Schema | undefined, before: Loose, after: Loose, isTyped: boolean): Comparison {
  const result: Comparison = { added: new Fields(), modified: new Fields(), removed: new Fields() };

  const memberIn = (node: Schema | undefined, member: Schema | undefined, key: string, parent: Loose): Loose => {
    const value = parent?.[key];
    if (value !== undefined || !isTyped || parent === undefined) return value;
    if (isMap(member?.default)) return {};
    return (node?.required ?? []).includes(key) ? null : undefined;
  };
  /** The zero value of a Go type: a text or a time that is not set. */
  const isZero = (value: Loose): boolean => isTyped && (value === null || value === '');

  function walk(at: Schema | undefined, [old, now]: [Loose, Loose], path: FieldPath): void {
    const node = resolve(at);
    const shape = now ?? old;
    if (isWhole(node, shape) || (isEmpty(old) && isEmpty(now))) return leaf([old, now], path);
    if (Array.isArray(shape)) walkList(node, [old ?? [], now ?? []], path);
    else
      for (const key of new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])) {
        const member = schemaAt(node, key);
        if (old !== undefined && old?.[key] === undefined && isZero(now?.[key])) continue;
        walk(member, [memberIn(node, member, key, old), memberIn(node, member, key, now)], [...path, `f:${key}`]);
      }
    if (old === undefined) result.added.insert(path);
    else if (now === undefined) result.removed.insert(path);
  }

  function walkList(node: Schema | undefined, [old, now]: [Loose[], Loose[]], path: FieldPath): void {
    const named = (list: Loose[]) => new Map(list.map((item) => [itemStep(node, item) as string, item]));
    const [earlier, later] = [named(old), named(now)];
    for (const step of new Set([...earlier.keys(), ...later.keys()]))
      walk(node?.items, [earlier.get(step), later.get(step)], [...path, step]);
  }

  function leaf([old, now]: [Loose, Loose], path: FieldPath): void {
    if (old === undefined) result.added.insert(path);
    else if (now === undefined) result.removed.insert(path);
    else if (!isSame(old, now) && !(isEmpty(old) && isEmpty(now) && typeof now === 'object')) result.modified.insert(path);
  }

  walk(schema, [before, after], []);
  return result;
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

/** An item without the key has its default. */
function findItem(list: Loose, step: string): Loose {
  if (!Array.isArray(list)) return undefined;
  const wanted = JSON.parse(step.slice(2));
  if (step.startsWith('v:')) return list.find((item) => isSame(item, wanted));
  return list.find((item) =>
    Object.entries(wanted).every(([key, value]) => item?.[key] === value || (item?.[key] === undefined && key === 'protocol')),
  );
}

/** Removes in place what a path leads to. */
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

/** `.spec.containers[name="app"].image`, as in messages about conflicts. */
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

/** The result of applying `change` to `value`: maps are merged, lists by their keys or as sets, everything else is replaced. */
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
  if (first === undefined || itemStep(node, first) === undefined) return isWhole(node, change) ? change : value;
  const steps = value.map((item) => itemStep(node, item));
  const result = [...value];
  for (const item of change) {
    const at = steps.indexOf(itemStep(node, item));
    if (at < 0) result.push(item);
    else result[at] = mergeApplied(node?.items, result[at], item);
  }
  return result;
}
