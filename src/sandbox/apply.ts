import type { WriteOptions } from './api.ts';
import { ApiError, badRequest } from './errors.ts';
import type { FieldPath, FieldSet } from './fieldset.ts';
import { add, drop, fieldsOf, has, leaves, mergeApplied, pathText, removeAt, valueAt } from './fieldset.ts';
import type { Kind } from './kinds.ts';
import { apiVersionOf } from './kinds.ts';
import type { Loose, Stored } from './object.ts';
import { isSame, timeText } from './object.ts';
import type { Schema } from './schema.ts';
import { resolve } from './schema.ts';

/** Who set which fields: an entry of `metadata.managedFields`. */
interface Entry {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  time?: string;
  fieldsType: 'FieldsV1';
  fieldsV1: FieldSet;
  subresource?: string;
}

/** A write as managed fields see it. */
interface Write {
  kind: Kind;
  options: WriteOptions;
  now: Date;
}

const schemaOf = (kind: Kind): Schema | undefined => resolve(kind.schema as Schema | string);

const isOwn = (entry: Entry, { options }: Write, operation: Entry['operation']): boolean =>
  entry.manager === options.manager && entry.operation === operation && entry.subresource === options.subresource;

const newEntry = ({ kind, options, now }: Write, operation: Entry['operation'], fieldsV1: FieldSet): Entry => ({
  manager: options.manager ?? 'unknown',
  operation,
  apiVersion: apiVersionOf(kind),
  time: timeText(now),
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...(options.subresource && { subresource: options.subresource }),
});

const entriesOf = (object: Stored | undefined): Entry[] => structuredClone(object?.metadata.managedFields ?? []) as Entry[];
const isUsed = (entry: Entry): boolean => Object.keys(entry.fieldsV1).length > 0;

/** Notes in place, in `next`, that this update set the fields it changed; whoever held them before holds them no more. */
export function trackUpdate(write: Write, old: Stored | undefined, next: Stored): void {
  const schema = schemaOf(write.kind);
  const entries = entriesOf(next.metadata.managedFields?.length ? next : old);
  const [before, after] = [old ? fieldsOf(schema, old) : {}, fieldsOf(schema, next)];
  const changed = [...leaves(after)].filter((path) => !isSame(valueAt(old, path), valueAt(next, path)));
  const gone = [...leaves(before)].filter((path) => valueAt(next, path) === undefined);
  const own = entries.find((entry) => isOwn(entry, write, 'Update')) ?? newEntry(write, 'Update', {});
  for (const entry of entries) for (const path of entry === own ? gone : [...changed, ...gone]) drop(entry.fieldsV1, path);
  for (const path of changed) add(own.fieldsV1, path);
  if (changed.length > 0) own.time = timeText(write.now);
  const kept = entries.includes(own) ? entries : [...entries, own];
  next.metadata.managedFields = kept.filter(isUsed);
}

/** The 409 that lists which fields others hold. */
function conflictError(conflicts: { entry: Entry; path: FieldPath }[]): ApiError {
  const holder = ({ entry }: { entry: Entry }) =>
    `"${entry.manager}"${entry.subresource ? ` with subresource "${entry.subresource}"` : ''}${entry.operation === 'Update' ? ` using ${entry.apiVersion}` : ''}`;
  const holders = [...new Set(conflicts.map(holder))].sort((a, b) => a.localeCompare(b));
  const parts = holders.map((name) => {
    const paths = conflicts.filter((c) => holder(c) === name).map((c) => pathText(c.path));
    return paths.length === 1
      ? `conflict with ${name}: ${paths[0]}`
      : `conflicts with ${name}:\n${paths.map((path) => `- ${path}`).join('\n')}`;
  });
  const count = `${conflicts.length} conflict${conflicts.length === 1 ? '' : 's'}`;
  const text = parts.length === 1 ? parts[0] : parts.join('\n');
  const causes = conflicts.map((c) => ({ reason: 'FieldManagerConflict', message: `conflict with ${holder(c)}`, field: pathText(c.path) }));
  return new ApiError(409, 'Conflict', `Apply failed with ${count}: ${text}`, { causes });
}

/** Checks what an apply must carry. Throws a 400. */
function checkApplied({ kind, options }: Write, body: Loose): void {
  if (!options.manager)
    throw badRequest('PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch');
  if (body?.metadata?.managedFields?.length) throw badRequest('metadata.managedFields must be nil');
  if (!body?.apiVersion || !body?.kind)
    throw badRequest(
      `invalid object type: /, Kind=${body?.kind ?? ''} for ${apiVersionOf(kind)}, Kind=${kind.kind}: Object 'Kind' is missing`,
    );
}

/** Marks a new object as applied by the manager of the write. */
export function appliedNew(write: Write, object: Stored, body: Loose): Stored {
  checkApplied(write, body);
  const entry = newEntry(write, 'Apply', fieldsOf(schemaOf(write.kind), body));
  return { ...object, metadata: { ...object.metadata, managedFields: [entry] } };
}

/**
 * Server-side apply: what `body` says is merged in; what this manager applied before and no longer says goes, unless another
 * holds it too; a field that another holds with another value is a 409, or taken over with `force`.
 */
export function applyPatch(write: Write, old: Stored, body: Loose): Stored {
  checkApplied(write, body);
  const schema = schemaOf(write.kind);
  const entries = entriesOf(old);
  const own = entries.find((entry) => isOwn(entry, write, 'Apply'));
  const others = entries.filter((entry) => entry !== own);
  const wanted = fieldsOf(schema, body);
  const conflicts = others.flatMap((entry) =>
    [...leaves(wanted)]
      .filter((path) => !path.at(-1)?.startsWith('k:') && has(entry.fieldsV1, path) && !isSame(valueAt(old, path), valueAt(body, path)))
      .map((path) => ({ entry, path })),
  );
  if (conflicts.length > 0 && !write.options.force) throw conflictError(conflicts);
  for (const { entry, path } of conflicts) drop(entry.fieldsV1, path);

  const merged = mergeApplied(schema, structuredClone(old), body) as Stored;
  const forgotten = own
    ? [...leaves(own.fieldsV1)].filter((path) => !has(wanted, path) && !others.some((entry) => has(entry.fieldsV1, path)))
    : [];
  for (const path of forgotten.reverse()) if (valueAt(body, path) === undefined) removeAt(merged, path);
  const entry = newEntry(write, 'Apply', wanted);
  if (own && isSame(own.fieldsV1, wanted) && own.time && isSame({ ...merged, metadata: 0 }, { ...old, metadata: 0 })) entry.time = own.time;
  merged.metadata = { ...merged.metadata, managedFields: [...others.filter(isUsed), entry] };
  const { resourceVersion } = body.metadata ?? {};
  merged.metadata.resourceVersion = resourceVersion ?? old.metadata.resourceVersion;
  return merged;
}
