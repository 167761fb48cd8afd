import type { Loose, Stored } from '../store/object.ts';
import { keyOf } from '../store/object.ts';

/** What identifies a resource in a message: `deployments.apps`, `pods`. */
export interface ResourceName {
  group: string;
  plural: string;
  kind: string;
}

/** An error about one field, in the form of apimachinery's `field.Error`. `text` does not contain the field's name. */
export interface FieldError {
  field: string;
  reason: string;
  text: string;
}

/** An unsuccessful answer. `status()` is the `Status` object that the real API server sends for the same mistake. */
export class ApiError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: Record<string, Loose> | undefined;

  constructor(code: number, reason: string, message: string, details?: Record<string, Loose>) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  status(): Record<string, Loose> {
    const { code, reason, message, details } = this;
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason && { reason }),
      ...(details && { details }),
      code,
    };
  }
}

const qualified = (group: string, name: string) => (group ? `${name}.${group}` : name);
const named = (r: ResourceName, name: string, kind = r.plural) => ({ name, ...(r.group && { group: r.group }), kind });

export const notFound = (r: ResourceName, name: string): ApiError =>
  new ApiError(404, 'NotFound', `${qualified(r.group, r.plural)} "${name}" not found`, named(r, name));

export const alreadyExists = (r: ResourceName, name: string): ApiError =>
  new ApiError(409, 'AlreadyExists', `${qualified(r.group, r.plural)} "${name}" already exists`, named(r, name));

export const conflict = (r: ResourceName, name: string, why?: string): ApiError =>
  new ApiError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(r.group, r.plural)} "${name}": ${why ?? 'the object has been modified; please apply your changes to the latest version and try again'}`,
    named(r, name),
  );

export const forbidden = (r: ResourceName, name: string, why: string, causes?: Loose[]): ApiError =>
  new ApiError(403, 'Forbidden', `${qualified(r.group, r.plural)} ${name ? `"${name}" ` : ''}is forbidden: ${why}`, {
    ...named(r, name),
    ...(causes && { causes }),
  });

export function invalid(r: ResourceName, name: string | undefined, errors: FieldError[]): ApiError {
  const texts = [...new Set(errors.map((e) => `${e.field}: ${e.text}`))];
  const text = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const causes = errors.map((e) => ({ reason: e.reason, message: e.text, field: e.field }));
  return new ApiError(422, 'Invalid', `${qualified(r.group, r.kind)} "${name ?? ''}" is invalid: ${text}`, {
    ...(name && { name }),
    ...(r.group && { group: r.group }),
    ...(r.kind && { kind: r.kind }),
    causes,
  });
}

/** The error of a storage that is asked to replace another object than the one it holds. */
export const differentObject = (r: ResourceName, { metadata }: Stored, uid: string): ApiError => {
  const key = `/registry/${/\.k8s\.io$|^[a-z]*$/.test(r.group) ? '' : `${r.group}/`}${r.plural}/${keyOf({ metadata })}`;
  return conflict(
    r,
    metadata.name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`,
  );
};

/** The error for contradictory options (`DeleteOptions`) in a query or body. */
export const invalidOptions = (kind: string, ...errors: FieldError[]): ApiError =>
  invalid({ group: 'meta.k8s.io', plural: '', kind }, undefined, errors);

export const badRequest = (message: string): ApiError => new ApiError(400, 'BadRequest', message);

export const unknownPath = (): ApiError => new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});

export const notAllowed = (): ApiError =>
  new ApiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

export const unsupportedVerb = (r: ResourceName, verb: string): ApiError =>
  new ApiError(405, 'MethodNotAllowed', `${verb} is not supported on resources of kind "${qualified(r.group, r.plural)}"`, {
    ...(r.group && { group: r.group }),
    kind: r.plural,
  });

export const unsupportedMedia = (wanted: string[]): ApiError =>
  new ApiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${wanted.join(', ')}`,
  );

export const notAcceptable = (): ApiError =>
  new ApiError(
    406,
    'NotAcceptable',
    '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    {},
  );

export const expired = (message: string): ApiError => new ApiError(410, 'Expired', message);

const shown = (value: unknown): string => (value === undefined || value === null ? 'null' : JSON.stringify(value));

/** `field.Required`. */
export const required = (field: string, detail = ''): FieldError => ({
  field,
  reason: 'FieldValueRequired',
  text: `Required value${detail && `: ${detail}`}`,
});
/** `field.Invalid`. */
export const invalidValue = (field: string, value: unknown, detail: string): FieldError => ({
  field,
  reason: 'FieldValueInvalid',
  text: `Invalid value: ${shown(value)}: ${detail}`,
});
/** `field.TypeInvalid`. */
export const wrongType = (field: string, value: unknown, detail: string): FieldError => ({
  field,
  reason: 'FieldValueTypeInvalid',
  text: `Invalid value: ${shown(value)}: ${detail}`,
});
/** `field.NotSupported`. */
export const notSupported = (field: string, value: unknown, supported: string[]): FieldError => ({
  field,
  reason: 'FieldValueNotSupported',
  text: `Unsupported value: ${shown(value)}: supported values: ${supported.map((s) => JSON.stringify(s)).join(', ')}`,
});
/** `field.NotFound`. */
export const missingReference = (field: string, value: unknown): FieldError => ({
  field,
  reason: 'FieldValueNotFound',
  text: `Not found: ${shown(value)}`,
});
/** `field.Duplicate`. */
export const duplicate = (field: string, value: unknown): FieldError => ({
  field,
  reason: 'FieldValueDuplicate',
  text: `Duplicate value: ${shown(value)}`,
});
/** `field.Forbidden`. */
export const forbiddenField = (field: string, detail: string): FieldError => ({
  field,
  reason: 'FieldValueForbidden',
  text: `Forbidden: ${detail}`,
});
/** `field.TooLong`. */
export const tooLong = (field: string, max: number): FieldError => ({
  field,
  reason: 'FieldValueTooLong',
  text: `Too long: may not be more than ${max} bytes`,
});
/** `field.TooMany`. */
export const tooMany = (field: string, actual: number, max: number): FieldError => ({
  field,
  reason: 'FieldValueTooMany',
  text: `Too many: ${actual}: must have at most ${max} items`,
});
