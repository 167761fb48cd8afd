import { readFileSync } from 'node:fs';
import type { FieldError } from '../api/errors.ts';
import { duplicate, invalidValue, notSupported, required, tooLong, tooMany, wrongType } from '../api/errors.ts';
import type { Loose } from '../store/object.ts';
import { isMap, isSame } from '../store/object.ts';

/** A node of an OpenAPI v3 schema, of `schemas.json` or of a CustomResourceDefinition. */
export type Schema = Record<string, Loose>;

let builtinSchemas: Record<string, Schema> | undefined;

/**
 * Kubernetes' own definitions as its API server publishes them (1.36, `/openapi/v3`), without descriptions. With them, the server detects
 * unknown fields and merges lists by their keys. They never change, so they are read once, when first needed.
 */
export function definitions(): Record<string, Schema> {
  builtinSchemas ??= JSON.parse(readFileSync(new URL('./schemas.json', import.meta.url), 'utf8')) as Record<string, Schema>;
  return builtinSchemas;
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** The node itself, or what it refers to. */
export function resolve(schema: Schema | string | undefined): Schema | undefined {
  const name = typeof schema === 'string' ? schema : schema?.['$ref'];
  return name ? definitions()[name] : (schema as Schema | undefined);
}

/** The schema of a member of a map node. */
export function memberOf(schema: Schema | undefined, key: string): Schema | undefined {
  const own = schema?.properties?.[key];
  return resolve(own ?? (isMap(schema?.additionalProperties) ? schema.additionalProperties : undefined));
}

/** The schema of a custom kind, with the fields that every object has (`apiVersion`, `kind`, `metadata`). */
export function withObjectFields(schema: Schema): Schema {
  const fields = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { $ref: META } };
  return { ...schema, type: 'object', properties: { ...schema.properties, ...fields } };
}

/**
 * Removes the fields that are not in the schema, and returns their paths (`spec.containers[0].foo`). Changes `value` in place. Nodes that
 * preserve unknown fields keep all fields. So do nodes without properties, because their data has no fixed fields.
 */
export function prune(schema: Schema | undefined, value: Loose, path = ''): string[] {
  const node = resolve(schema);
  if (!node || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, i) => prune(node.items, item, `${path}[${i}]`));
  const keepsUnknown = node['x-kubernetes-preserve-unknown-fields'] || node.additionalProperties || !node.properties;
  const unknown: string[] = [];
  for (const key of Object.keys(value)) {
    const at = path ? `${path}.${key}` : key;
    const member = node.properties?.[key] ?? (isMap(node.additionalProperties) ? node.additionalProperties : undefined);
    if (member) unknown.push(...prune(member, value[key], at));
    else if (!keepsUnknown) {
      delete value[key];
      unknown.push(at);
    }
  }
  return unknown;
}

/** Sets in place the defaults of the schema, and drops nulls that a default replaces or that mean "not set". */
export function applyDefaults(schema: Schema | undefined, value: Loose): void {
  const node = resolve(schema);
  if (Array.isArray(value)) for (const item of value) applyDefaults(node?.items, item);
  if (!node || !isMap(value)) return;
  for (const [key, child] of Object.entries((node.properties ?? {}) as Record<string, Schema>)) {
    const member = resolve(child);
    if (value[key] === null && !member?.nullable) delete value[key];
    const fallback = child.default ?? member?.default;
    if (value[key] === undefined && fallback !== undefined) value[key] = structuredClone(fallback);
    if (value[key] !== undefined) applyDefaults(member, value[key]);
  }
  if (isMap(node.additionalProperties)) for (const child of Object.values(value)) applyDefaults(node.additionalProperties, child);
}

const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
};

function typeError(node: Schema, value: Loose, path: string): FieldError | undefined {
  const actual = typeOf(value);
  if (node['x-kubernetes-int-or-string']) {
    if (actual === 'integer' || actual === 'string') return undefined;
    return wrongType(path, actual, `${path} in body must be of type integer,string: "${actual}"`);
  }
  if (!node.type || node.type === actual || (node.type === 'number' && actual === 'integer') || (node.nullable && value === null))
    return undefined;
  return wrongType(path, actual, `${path} in body must be of type ${node.type}: "${actual}"`);
}

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[-+]\d\d:\d\d)$/;

function* stringErrors(node: Schema, value: string, path: string): Generator<FieldError> {
  // Unicode code points, as the API server counts.
  const length = Array.from(value).length;
  if (node.maxLength !== undefined && length > node.maxLength) yield tooLong(path, node.maxLength);
  if (node.minLength !== undefined && length < node.minLength)
    yield invalidValue(path, value, `${path} in body should be at least ${node.minLength} chars long`);
  if (node.pattern && !new RegExp(node.pattern, 'u').test(value))
    yield invalidValue(path, value, `${path} in body should match '${node.pattern}'`);
  if (node.format === 'date-time' && (!RFC3339.test(value) || Number.isNaN(Date.parse(value))))
    yield wrongType(path, value, `${path} in body must be of type date-time: ${JSON.stringify(value)}`);
}

function* numberErrors(node: Schema, value: number, path: string): Generator<FieldError> {
  if (node.minimum !== undefined && value < node.minimum)
    yield invalidValue(path, value, `${path} in body should be greater than or equal to ${node.minimum}`);
  if (node.maximum !== undefined && value > node.maximum)
    yield invalidValue(path, value, `${path} in body should be less than or equal to ${node.maximum}`);
}

function* listErrors(node: Schema, value: Loose[], path: string): Generator<FieldError> {
  if (node.maxItems !== undefined && value.length > node.maxItems) yield tooMany(path, value.length, node.maxItems);
  if (node.minItems !== undefined && value.length < node.minItems)
    yield invalidValue(path, value.length, `${path} in body should have at least ${node.minItems} items`);
  const keys = node['x-kubernetes-list-map-keys'] as string[] | undefined;
  const isSet = node['x-kubernetes-list-type'] === 'set';
  const identities = value.map((item) => (keys ? Object.fromEntries(keys.map((key) => [key, item?.[key]])) : item));
  for (const [i, identity] of identities.entries())
    if ((keys || isSet) && identities.slice(0, i).some((earlier) => isSame(earlier, identity))) yield duplicate(`${path}[${i}]`, identity);
  for (const [i, item] of value.entries()) yield* schemaErrors(node.items, item, `${path}[${i}]`);
}

function* mapErrors(node: Schema, value: Record<string, Loose>, path: string): Generator<FieldError> {
  const at = (key: string) => (path ? `${path}.${key}` : key);
  const size = Object.keys(value).length;
  if (node.maxProperties !== undefined && size > node.maxProperties) yield tooMany(path, size, node.maxProperties);
  if (node.minProperties !== undefined && size < node.minProperties)
    yield invalidValue(path, size, `${path} in body should have at least ${node.minProperties} properties`);
  for (const key of (node.required ?? []) as string[]) if (value[key] === undefined) yield required(at(key));
  for (const key of Object.keys(value).sort()) {
    const member = node.properties?.[key] ?? (isMap(node.additionalProperties) ? node.additionalProperties : undefined);
    if (member && !(path === '' && key === 'metadata')) yield* schemaErrors(member, value[key], at(key));
  }
}

/** The violations of a structural schema, in the words of the real validator. For CEL rules see `celErrors` in `cel.ts`. */
export function* schemaErrors(schema: Schema | undefined, value: Loose, path: string): Generator<FieldError> {
  const node = resolve(schema);
  if (!node || value === undefined) return;
  const wrong = typeError(node, value, path);
  if (wrong) yield wrong;
  if (node.enum && !(node.enum as Loose[]).includes(value)) yield notSupported(path, value, node.enum);
  if (wrong && node.type === 'integer' && typeof value === 'number')
    yield invalidValue('<nil>', '', `Checked value must be of type integer (default format) in ${path}`);
  if (wrong) return;
  if (typeof value === 'string') yield* stringErrors(node, value, path);
  if (typeof value === 'number') yield* numberErrors(node, value, path);
  if (Array.isArray(value)) yield* listErrors(node, value, path);
  if (isMap(value)) yield* mapErrors(node, value, path);
}
