import type { WriteOptions } from './api.ts';
import { badRequest } from './errors.ts';
import type { Kind } from './kinds.ts';
import type { Loose, Stored } from './object.ts';
import { strategicMerge } from './patch.ts';
import { resolve } from './schema.ts';

export function trackUpdate(_kind: Kind, _old: Stored | undefined, _next: Stored, _options: WriteOptions, _now: Date): void {}

export function applyPatch(
  kind: Kind,
  old: Stored | undefined,
  fresh: Stored | undefined,
  body: Loose,
  options: WriteOptions,
  _now: Date,
): Stored {
  if (!options.manager)
    throw badRequest('PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch');
  if (fresh) return fresh;
  return strategicMerge(resolve(kind.schema as string), old, body);
}
