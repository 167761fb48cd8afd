import type { KubeObject } from '../crd/kubernetes.ts';
import { dumpManifest } from '../crd/manifest.ts';
import { listOf } from '../crd/pod-template.ts';
import { maskManifest } from '../redact/manifest.ts';
import type { RbacBinding } from '../access/objects.ts';
import { isOfNamespace } from './access.ts';

/**
 * Whether the word means Secrets: in upper or lower case, singular or plural, alone or with a group or version (`v1/Secret`,
 * `secrets.v1.`).
 */
export function isSecretKind(kind: string): boolean {
  const parts = kind
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return parts.some((part) => part === 'secret' || part === 'secrets');
}

/**
 * A live object as YAML with sorted keys, as in `kubectl get -o yaml`. Secret-looking values are masked, and subjects of hidden namespaces
 * are left out. Undefined for an object that belongs to a hidden namespace as a whole, such as the volume of one of its claims.
 */
export function showManifest(object: KubeObject, isHidden: (namespace: string) => boolean): string | undefined {
  const { namespace } = object.metadata;
  const claim = (object as { spec?: { claimRef?: { namespace?: string } } }).spec?.claimRef?.namespace;
  if ([namespace, claim].some((one) => one !== undefined && isHidden(one))) return undefined;
  const { subjects } = object as Partial<RbacBinding>;
  const shown = subjects ? { ...object, subjects: listOf(subjects).filter((one) => !isOfNamespace(one, isHidden)) } : object;
  return dumpManifest(sorted(maskManifest(shown)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([key, content]) => [key, sorted(content)]));
}
