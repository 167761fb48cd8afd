import type { KubeObject } from '../crd/kubernetes.ts';
import { dumpManifest } from '../crd/manifest.ts';
import { maskManifest } from '../redact/manifest.ts';
import { type IsHidden, withoutHiddenNames } from './hidden-names.ts';

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
 * A live object as YAML with sorted keys, as in `kubectl get -o yaml`. Secret-looking values are masked, and it names no hidden namespace.
 * Undefined for an object that belongs to one.
 */
export function showManifest(object: KubeObject, isHidden: IsHidden): string | undefined {
  const shown = withoutHiddenNames(object, isHidden);
  return shown && dumpManifest(sorted(maskManifest(shown)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([key, content]) => [key, sorted(content)]));
}
