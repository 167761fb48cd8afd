import type { SuppressibleRows, SuppressionChange } from '../db/suppressible.ts';

/** The values that the database compares before it changes a row: a row that has changed since stays as it is. */
type StoredRecord = Omit<SuppressionChange, 'name'>;

/** A stored record whose Suppression is no longer the one in its row. */
export interface Resuppressed<R> {
  record: R;
  /** The Suppression that hides the record now; null if none does. */
  name: string | null;
  /** False if somebody else changed the record in between. They checked the Suppressions too. */
  isStored: boolean;
}

/**
 * Looks at stored records again, and stores by which Suppression each is hidden now. Suppressions come and go while records are on their
 * way to the database. Such a change is applied to the records that are there, and misses those that come. Returns the records that it
 * found another name for, in the order given.
 */
export async function recheckRecords<R extends StoredRecord>(
  records: readonly R[],
  nameFor: (record: R, index: number) => string | null,
  rows: Pick<SuppressibleRows, 'set'>,
): Promise<Resuppressed<R>[]> {
  const found = records.flatMap((record, index) => {
    const name = nameFor(record, index);
    return name === record.suppressed_by ? [] : [{ record, name }];
  });
  if (found.length === 0) return [];
  const changes = found.map(({ record: { id, failure_reason, severity, suppressed_by }, name }) => ({
    ...{ id, failure_reason, severity, suppressed_by },
    name,
  }));
  const stored = new Set(await rows.set(changes));
  return found.map((one) => ({ ...one, isStored: stored.has(one.record.id) }));
}
