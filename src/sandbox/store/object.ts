import type { ObjectMeta } from '../../crd/kubernetes.ts';

/**
 * A value whose shape is known only at run time, from a schema in `schemas.json` or in a CustomResourceDefinition, because the server stores
 * objects of every kind.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any;

/** Metadata as the server keeps it: the fields that the server sets are always there. */
export interface StoredMeta extends ObjectMeta {
  name: string;
  uid: string;
  resourceVersion: string;
  creationTimestamp: string;
  managedFields?: Loose[];
}

/** An object in the store. Never changed in place: work on a `structuredClone`. */
export interface Stored {
  apiVersion: string;
  kind: string;
  metadata: StoredMeta;
  [field: string]: Loose;
}

/** metav1.Time: RFC 3339 in UTC, whole seconds. */
export const timeText = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;

/** metav1.MicroTime: six digits after the second. */
export const microTimeText = (at: Date): string => `${at.toISOString().slice(0, 23)}000Z`;

/** `namespace/name`, or the bare name of an object without a namespace. */
export const keyOf = (object: { metadata: { namespace?: string; name: string } }): string =>
  object.metadata.namespace ? `${object.metadata.namespace}/${object.metadata.name}` : object.metadata.name;

/** Equality of JSON values; the order of keys does not count, `undefined` members do not exist. */
export function isSame(a: Loose, b: Loose): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a)) return a.length === b.length && a.every((item, i) => isSame(item, b[i]));
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => isSame(a[key], b[key]));
}

/** Whether the value is a JSON object (no list, not null). */
export const isMap = (value: unknown): value is Record<string, Loose> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
