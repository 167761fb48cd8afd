import type { WriteOptions } from '../api/api.ts';
import { ApiError, badRequest, invalidOptions, required } from '../api/errors.ts';
import type { FieldPath, FieldSet } from './fieldset.ts';
import { compareFields, type Comparison, Fields, fieldsOf, mergeApplied, pathText, removeAt, typeFault } from './fieldset.ts';
import type { Kind } from '../kinds/kinds.ts';
import { apiVersionOf } from '../kinds/kinds.ts';
import type { Loose, Stored } from '../store/object.ts';
import { isSame, timeText } from '../store/object.ts';
import type { Schema } from '../kinds/schema.ts';
import { resolve } from '../kinds/schema.ts';
import { shownAs } from '../table/served-version.ts';

/** An entry of `metadata.managedFields`: a manager and its fields. */
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

/** Fields that only the server sets have no manager. */
const SERVER_META =
  'name namespace uid resourceVersion generation creationTimestamp managedFields selfLink deletionTimestamp deletionGracePeriodSeconds'
    .split(' ')
    .map((field) => ['f:metadata', `f:${field}`]);

const schemaOf = (kind: Kind): Schema | undefined => resolve(kind.schema as Schema | string);

/** Fields that this kind of write cannot set have no manager either. */
function ownable(fields: Fields, { kind, options }: Write): Fields {
  const others = options.subresource === 'status' ? [['f:spec'], ...(kind.isCustom ? [['f:metadata']] : [['f:metadata', 'f:labels']])] : [];
  const status = kind.hasStatus && options.subresource !== 'status' ? [['f:status']] : [];
  const left = fields.without([['f:apiVersion'], ['f:kind'], ...SERVER_META, ...others, ...status]);
  // Go omits empty fields of an Event (`reportingComponent: ""`) here, although it shows them.
  for (const key of ['', 'f:metadata']) left.delete(key);
  return left;
}

const isOwn = (entry: Entry, { options }: Write, operation: Entry['operation']): boolean =>
  entry.manager === options.manager && entry.operation === operation && entry.subresource === options.subresource;

const newEntry = ({ kind, options, now }: Write, operation: Entry['operation'], fields: Fields): Entry => ({
  manager: options.manager ?? 'unknown',
  operation,
  apiVersion: apiVersionOf(kind),
  time: timeText(now),
  fieldsType: 'FieldsV1',
  fieldsV1: fields.written(),
  ...(options.subresource && { subresource: options.subresource }),
});

/** The entry with other fields, and with the present time if that changes it. */
function changed(entry: Entry, fields: Fields, now?: Date): Entry {
  const fieldsV1 = fields.written();
  return isSame(fieldsV1, entry.fieldsV1) ? entry : { ...entry, fieldsV1, ...(now && { time: timeText(now) }) };
}

const entriesOf = (object: Stored | undefined): Entry[] => (object?.metadata.managedFields ?? []) as Entry[];

/** The entries that own fields, in the server's order. */
const ordered = (entries: Entry[]): Entry[] =>
  entries
    .filter((entry) => Object.keys(entry.fieldsV1).length > 0)
    .toSorted((a, b) => {
      const key = (e: Entry) => `${e.operation}\n${e.time ?? ''}\n${e.manager}`;
      return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
    });

const NOTHING = { metadata: {} } as Stored;
const compare = (write: Write, old: Stored, next: Stored): Comparison => {
  const { added, modified, removed } = compareFields(
    schemaOf(write.kind),
    shownAs(write.kind, old),
    shownAs(write.kind, next),
    !write.kind.isCustom,
  );
  return { added: ownable(added, write), modified: ownable(modified, write), removed: ownable(removed, write) };
};

/** The fields that another manager keeps when fields were changed or removed. */
const keptBy = (entry: Entry, { added, modified, removed }: Comparison): Entry =>
  changed(entry, Fields.read(entry.fieldsV1).minus(added).minus(modified).minus(removed));

/** Records in `next`, in place, which fields this update set. Their earlier managers lose them. */
export function trackUpdate(write: Write, old: Stored | undefined, next: Stored): void {
  const given = next.metadata.managedFields as Entry[] | undefined;
  const isCleared = given !== undefined && given.length === 1 && Object.keys(given[0] as Entry).length === 0;
  if (isCleared) {
    delete next.metadata.managedFields;
    return;
  }
  const entries = entriesOf(given?.length ? next : old);
  // If an object has had no field managers since its creation, updates record none until the first apply.
  if (old && entries.length === 0) return;
  const comparison = compare(write, old ?? NOTHING, next);
  const own = entries.find((entry) => isOwn(entry, write, 'Update')) ?? newEntry(write, 'Update', new Fields());
  const mine = Fields.read(own.fieldsV1).minus(comparison.removed).plus(comparison.modified, comparison.added);
  const others = entries.filter((entry) => entry !== own).map((entry) => keptBy(entry, comparison));
  const all = ordered([...others, changed({ ...own, apiVersion: apiVersionOf(write.kind) }, mine, write.now)]);
  if (all.length > 0) next.metadata.managedFields = all;
  else delete next.metadata.managedFields;
}

/** The 409 that lists the fields of other managers. */
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

/** Checks the body of an apply. Throws a 400, a 422, or a 500 for fields that its schema does not know. */
export function checkApplied({ kind, options }: Write, body: Loose, name: string): void {
  if (!options.manager) throw invalidOptions('PatchOptions', required('fieldManager', 'is required for apply patch'));
  if (body?.metadata?.managedFields?.length) throw badRequest('metadata.managedFields must be nil');
  if (body.apiVersion !== apiVersionOf(kind) || body.kind !== kind.kind) {
    const [group, version] = String(body.apiVersion ?? '').includes('/') ? body.apiVersion.split('/') : ['', body.apiVersion ?? ''];
    throw badRequest(`invalid object type: ${group}/${version}, Kind=${body.kind ?? ''}`);
  }
  const fault = typeFault(schemaOf(kind), body);
  if (fault)
    throw new ApiError(
      500,
      '',
      `failed to create typed patch object (${name}; ${kind.group}/${kind.version}, Kind=${kind.kind}): ${fault}`,
    );
}

/** Marks a new object as applied by the manager of this write. `checkApplied` has accepted the body. */
export function appliedNew(write: Write, object: Stored, body: Loose): Stored {
  const entry = newEntry(write, 'Apply', ownable(fieldsOf(schemaOf(write.kind), body), write));
  return { ...object, metadata: { ...object.metadata, managedFields: ordered([entry]) } };
}

/** The field managers of an object that has none: before its first apply, one manager owns everything. */
function earlierEntries(write: Write, old: Stored): Entry[] {
  const entries = entriesOf(old);
  if (entries.length > 0) return entries;
  const { subresource: _subresource, ...options } = write.options;
  const before = { ...write, options: { ...options, manager: 'before-first-apply' } };
  return [newEntry(before, 'Update', compare(before, NOTHING, old).added)];
}

/**
 * Server-side apply. The fields in `body` are merged into the object. Fields that this manager applied before and now leaves out are
 * removed, unless another manager has them too. A field that another manager has with another value is a 409, or is taken over with
 * `force`.
 */
export function applyPatch(write: Write, old: Stored, body: Loose): Stored {
  const schema = schemaOf(write.kind);
  const entries = earlierEntries(write, old);
  const own = entries.find((entry) => isOwn(entry, write, 'Apply'));
  const others = entries.filter((entry) => entry !== own);
  const wanted = ownable(fieldsOf(schema, body), write);
  const merged = mergeApplied(schema, structuredClone(old), body) as Stored;

  const held = Fields.of(others.flatMap((entry) => [...Fields.read(entry.fieldsV1).values()]));
  const forgotten = own ? [...Fields.read(own.fieldsV1).minus(wanted).minus(held).values()] : [];
  const isHeldBelow = (path: FieldPath) =>
    [...held.values(), ...wanted.values()].some((other) => path.every((step, i) => other[i] === step));
  for (const path of forgotten.toSorted((a, b) => a.length - b.length)) if (!isHeldBelow(path)) removeAt(merged, path);

  const comparison = compare(write, old, merged);
  const conflicts = others.flatMap((entry) => {
    const theirs = Fields.read(entry.fieldsV1);
    return [...comparison.modified, ...comparison.added].filter(([key]) => theirs.has(key)).map(([, path]) => ({ entry, path }));
  });
  if (conflicts.length > 0 && !write.options.force) throw conflictError(conflicts);

  const isUntouched = comparison.added.size + comparison.modified.size + comparison.removed.size === 0;
  // The real server updates the time of an apply only if the apply changed the object.
  const entry = { ...newEntry(write, 'Apply', wanted), time: isUntouched ? own?.time : timeText(write.now) } as Entry;
  if (!entry.time) delete entry.time;
  merged.metadata = { ...merged.metadata, managedFields: ordered([...others.map((other) => keptBy(other, comparison)), entry]) };
  const { resourceVersion } = body.metadata ?? {};
  merged.metadata.resourceVersion = resourceVersion ?? old.metadata.resourceVersion;
  return merged;
}
