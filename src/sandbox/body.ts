import type { WriteOptions } from './api.ts';
import { decodeError } from './decode.ts';
import { ApiError, badRequest } from './errors.ts';
import { eventToCore } from './events.ts';
import type { Kind } from './kinds.ts';
import { apiVersionOf } from './kinds.ts';
import type { Loose, Stored } from './object.ts';
import { isMap } from './object.ts';
import type { Schema } from './schema.ts';
import { prune, resolve } from './schema.ts';

/** Gives the object the fields the kind knows, complains about others as the request wants it. */
export function shape(kind: Kind, object: Loose, options: WriteOptions, isPatch: boolean): void {
  const schema = resolve(kind.schema as Schema | string | undefined);
  const unknown = prune(schema, object);
  if (unknown.length === 0 || options.validation === 'Ignore' || options.isInternal) return;
  const complaints = unknown.map((path) => `unknown field "${path}"`);
  if (options.validation !== 'Strict') options.warnings?.push(...complaints);
  else if (isPatch)
    throw new ApiError(
      422,
      'Invalid',
      `${kind.group ? `${kind.kind}.${kind.group}` : kind.kind} "${object.metadata?.name ?? ''}" is invalid: patch: Invalid value: ${JSON.stringify(JSON.stringify(object))}: strict decoding error: ${complaints.join(', ')}`,
    );
  else
    throw badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: strict decoding error: ${complaints.join(', ')}`,
    );
}

function checkIdentity(kind: Kind, namespace: string | undefined, body: Loose): void {
  if (!isMap(body)) throw badRequest(`couldn't get version/kind; json parse error: json: cannot unmarshal into Go value of type struct`);
  body.apiVersion ??= apiVersionOf(kind);
  body.kind ??= kind.kind;
  if (body.kind !== kind.kind || body.apiVersion !== apiVersionOf(kind)) {
    const [given, wanted] = [body.apiVersion, apiVersionOf(kind)];
    throw badRequest(
      given === wanted
        ? `the kind in the data (${body.kind}) does not match the expected kind (${kind.kind})`
        : `the API version in the data (${given}) does not match the expected API version (${wanted})`,
    );
  }
  body.metadata ??= {};
  if (namespace !== undefined && body.metadata.namespace && body.metadata.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (namespace !== undefined) body.metadata.namespace = namespace;
  else delete body.metadata.namespace;
}

/** Drops nulls anywhere: for builtin kinds they mean "not set". */
function dropNulls(value: Loose): void {
  if (Array.isArray(value)) for (const item of value) dropNulls(item);
  else if (isMap(value))
    for (const key of Object.keys(value)) {
      if (value[key] === null) delete value[key];
      else dropNulls(value[key]);
    }
}

/** The object that a body means: of the right kind and place, with the fields that the kind knows and in their types. */
export function decode(
  { kind, namespace }: { kind: Kind; namespace: string | undefined },
  body: Loose,
  options: WriteOptions,
  isPatch = false,
): Stored {
  const object = structuredClone(body);
  checkIdentity(kind, namespace, object);
  shape(kind, object, options, isPatch);
  if (kind.isCustom) dropNulls(object.metadata);
  else {
    dropNulls(object);
    const wrong = decodeError(resolve(kind.schema as string), object);
    if (wrong) throw badRequest(`${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: json: ${wrong}`);
  }
  return kind.storage === 'events' ? eventToCore(object) : object;
}
