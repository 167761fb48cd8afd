import { hash } from 'node:crypto';
import { mapping } from '../../checks/containers.ts';
import type { KubeObject } from '../../crd/kubernetes.ts';
import type { ConfigSource } from '../detectors/objects.ts';

/** Contains the whole object as somebody applied it, including values of Secrets. It is never read. */
const APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const DATA = ['f:data', 'f:binaryData', 'f:stringData'];

type Fields = Record<string, unknown>;

/** A ConfigMap with a digest in place of each value. */
export function configMapSource(object: KubeObject): ConfigSource {
  const { data, binaryData, immutable } = object as { data?: unknown; binaryData?: unknown; immutable?: unknown };
  const values = Object.entries({ ...mapping<Fields>(data), ...mapping<Fields>(binaryData) });
  const digests = Object.fromEntries(values.map(([key, value]) => [key, digestOf(value)]));
  return { ...described(object), source: 'ConfigMap', keys: Object.keys(digests), digests, ...(immutable === true && { immutable }) };
}

/** A Secret, known only by its metadata. The names of its keys come from its managed fields. */
export function secretSource(object: KubeObject): ConfigSource {
  const keys = managedBy(object).flatMap(({ fields }) => keysIn(fields));
  return { ...described(object), source: 'Secret', keys: [...new Set(keys)] };
}

function described({ metadata }: KubeObject): Omit<ConfigSource, 'source' | 'keys'> {
  const { name, namespace, uid, labels, annotations, ownerReferences, finalizers } = metadata;
  const { [APPLIED]: _, ...others } = annotations ?? {};
  const entries = managedBy({ metadata }).filter(({ fields }) => DATA.some((field) => field in fields));
  const dataAt = Math.max(...entries.map(({ at }) => at));
  const last = entries.filter(({ at }) => at === dataAt);
  return {
    metadata: { ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }), ...(uid !== undefined && { uid }) },
    described: digestOf([labels ?? {}, others, ownerReferences ?? [], finalizers ?? []]),
    ...(Number.isFinite(dataAt) && { dataAt, isDataAlone: last.every(({ fields }) => isDataAlone(fields)) }),
  };
}

/** Which manager owns which fields, with the time of their last change. Entries of another shape are left out. */
function managedBy({ metadata }: KubeObject): { at: number; fields: Fields }[] {
  const entries: unknown = metadata.managedFields;
  return (Array.isArray(entries) ? entries : []).flatMap((entry: unknown) => {
    const { time, fieldsV1, subresource } = mapping<{ time: string; fieldsV1: unknown; subresource: string }>(entry);
    const at = Date.parse(typeof time === 'string' ? time : '');
    return Number.isNaN(at) || subresource ? [] : [{ at, fields: mapping<Fields>(fieldsV1) }];
  });
}

function keysIn(fields: Fields): string[] {
  return DATA.flatMap((field) => Object.keys(mapping<Fields>(fields[field]))).flatMap((key) =>
    key.startsWith('f:') ? [key.slice(2)] : [],
  );
}

/** Whether a change by this manager is a change of data: it owns no labels and no annotations. */
function isDataAlone(fields: Fields): boolean {
  const { 'f:annotations': annotations, ...others } = mapping<Fields>(fields['f:metadata']);
  return (
    Object.keys(others).length === 0 && Object.keys(mapping<Fields>(annotations)).every((key) => key === '.' || key === `f:${APPLIED}`)
  );
}

const digestOf = (value: unknown): string => hash('sha1', JSON.stringify(value) ?? '', 'base64url');
