import type { WriteOptions } from './api.ts';
import { decodeError } from './decode.ts';
import type { ApiError } from './errors.ts';
import { badRequest, invalid, invalidValue } from './errors.ts';
import { eventToCore } from '../store/events.ts';
import type { Kind } from '../kinds/kinds.ts';
import { apiVersionOf } from '../kinds/kinds.ts';
import type { Loose, Stored } from '../store/object.ts';
import { isMap } from '../store/object.ts';
import type { Schema } from '../kinds/schema.ts';
import { prune, resolve } from '../kinds/schema.ts';

/** Keeps the fields that the kind knows, and reports the others as the request wants. */
export function shape(kind: Kind, object: Loose, options: WriteOptions, isPatch: boolean): void {
  const schema = resolve(kind.schema as Schema | string | undefined);
  const unknown = prune(schema, object);
  if (unknown.length === 0 || options.validation === 'Ignore' || options.isInternal) return;
  const complaints = unknown.map((path) => `unknown field "${path}"`);
  if (options.validation !== 'Strict') options.warnings?.push(...complaints);
  else if (isPatch)
    throw invalid({ group: '', plural: '', kind: '' }, undefined, [
      invalidValue('patch', JSON.stringify(object), `strict decoding error: ${complaints.join(', ')}`),
    ]);
  else
    throw badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: strict decoding error: ${complaints.join(', ')}`,
    );
}

/** The error for a body of another kind than its path, in the words for builtin and for custom kinds. */
function misplaced(kind: Kind, { apiVersion, kind: given, metadata }: Loose): ApiError {
  const wanted = apiVersionOf(kind);
  const isOther = apiVersion !== wanted;
  if (kind.isCustom)
    return isOther
      ? badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${wanted})`)
      : invalid({ ...kind, kind: given }, metadata?.name, [invalidValue('kind', given, `must be ${kind.kind}`)]);
  const version = String(apiVersion).split('/').at(-1);
  const why = isOther
    ? `no kind "${given}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`
    : `converting (${version}.${given}) to (core.${kind.kind}): unknown conversion`;
  return badRequest(`${given} in version "${version}" cannot be handled as a ${kind.kind}: ${why}`);
}

function checkIdentity(kind: Kind, namespace: string | undefined, body: Loose): void {
  if (!isMap(body)) throw badRequest(`couldn't get version/kind; json parse error: json: cannot unmarshal into Go value of type struct`);
  body.apiVersion ??= apiVersionOf(kind);
  body.kind ??= kind.kind;
  if (body.kind !== kind.kind || body.apiVersion !== apiVersionOf(kind)) throw misplaced(kind, body);
  body.metadata ??= {};
  if (namespace !== undefined && body.metadata.namespace && body.metadata.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (namespace !== undefined) body.metadata.namespace = namespace;
  else delete body.metadata.namespace;
}

/** Drops nulls everywhere: for builtin kinds they mean "not set". */
function dropNulls(value: Loose): void {
  if (Array.isArray(value)) for (const item of value) dropNulls(item);
  else if (isMap(value))
    for (const key of Object.keys(value)) {
      if (value[key] === null) delete value[key];
      else dropNulls(value[key]);
    }
}

/** An empty list, or an empty map whose keys the user chooses. */
function isEmptyFree(schema: Schema, value: Loose): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isMap(value) && Object.keys(value).length === 0 && isMap(resolve(schema)?.additionalProperties);
}

/**
 * Drops in place the empty lists and maps of a builtin kind that Go leaves out (`omitempty`), except required ones. Empty structs stay,
 * because they are pointers with a meaning (`emptyDir: {}`) or always present.
 */
function dropEmpty(schema: Schema | undefined, value: Loose): void {
  const node = resolve(schema);
  if (Array.isArray(value)) for (const item of value) dropEmpty(node?.items, item);
  if (!isMap(value)) return;
  for (const [key, child] of Object.entries(value)) {
    const own = node?.properties?.[key] as Schema | undefined;
    if (own && isEmptyFree(own, child) && !(node?.required ?? []).includes(key)) delete value[key];
    else dropEmpty(own ?? node?.additionalProperties, child);
  }
}

const undecoded = (kind: Kind, why: string): ApiError =>
  badRequest(`${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${why}`);

/** The object in a body: of the right kind and place, with the fields that the kind knows, in their types. */
export function decode(
  { kind, namespace }: { kind: Kind; namespace: string | undefined },
  body: Loose,
  options: WriteOptions,
  isPatch = false,
): Stored {
  const object = structuredClone(body);
  const misfit = !isPatch && isMap(object) && object.metadata !== undefined && !isMap(object.metadata);
  if (misfit) throw undecoded(kind, decodeError(resolve(kind.schema as string), { metadata: object.metadata }, '', kind.kind) ?? '');
  checkIdentity(kind, namespace, object);
  shape(kind, object, options, isPatch);
  if (kind.isCustom) dropNulls(object.metadata);
  else {
    dropNulls(object);
    dropEmpty(kind.schema as Schema, object);
    if (kind.storage === 'events' && kind.group === '') object.involvedObject ??= {};
    const wrong = decodeError(resolve(kind.schema as string), object, '', kind.kind);
    if (!wrong) return kind.storage === 'events' ? eventToCore(object) : object;
    if (!isPatch) throw undecoded(kind, wrong);
    throw invalid({ group: '', plural: '', kind: '' }, undefined, [invalidValue('patch', JSON.stringify(body), wrong)]);
  }
  return kind.storage === 'events' ? eventToCore(object) : object;
}
