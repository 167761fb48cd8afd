import { setImmediate as immediate } from 'node:timers/promises';
import { nextFlight } from '../async/single-flight.ts';
import type { Suppression } from '../crd/suppression.ts';
import { isHiddenSubject, type OpenSubject, type SuppressibleRows } from '../db/suppressible.ts';
import type { InternalBus } from '../events.ts';
import { recheckRecords } from './recheck.ts';
import { effectOf, findSuppression, type TenantRules } from './policy/match.ts';
import type { MatchCounts } from './policy/status.ts';

/** The records that Suppressions hide. */
export interface Suppressible {
  failures: SuppressibleRows;
  findings: SuppressibleRows;
  /** The advice, counted together with the findings. Absent in a process without advice. */
  advice?: SuppressibleRows;
}

export interface ApplyDeps {
  suppressible: Suppressible;
  bus: Pick<InternalBus, 'emit'>;
  /** All Suppressions, whether they have an effect or not. */
  suppressions(): readonly Suppression[];
  rules(): Promise<TenantRules>;
  /** Records in these namespaces are suppressed but not counted, because a count would reveal them. */
  hiddenNamespaces: readonly string[];
  now(): Date;
}

/** The Suppressions that were applied to the open records. Keys are `<namespace>/<name>`. */
export interface AppliedSuppressions {
  at: Date;
  /** The `fingerprintOf` of each Suppression at that time. */
  fingerprints: ReadonlyMap<string, string>;
  /** How many records each of them hides; absent means none. */
  matched: ReadonlyMap<string, MatchCounts>;
}

/** How many records one statement reads. Larger parts cost less for each record, but reports wait longer for their turn. */
const PART = 1000;

/** Identifies the state of a Suppression that decides about records: it changes with the object, its spec, and whether it has an effect. */
export function fingerprintOf({ metadata, spec }: Suppression, isActive: boolean): string {
  return JSON.stringify([metadata.uid, spec, isActive]);
}

/**
 * Applies the present Suppressions to the open records, part by part. Calls during a run share the next run. Throws DatabaseUnavailable; it
 * can then be called again.
 */
export function suppressionApplier(deps: ApplyDeps): () => Promise<AppliedSuppressions> {
  return nextFlight(() => applySuppressions(deps));
}

async function applySuppressions({
  suppressible,
  suppressions,
  rules,
  hiddenNamespaces,
  bus,
  now,
}: ApplyDeps): Promise<AppliedSuppressions> {
  const tenancy = await rules();
  const at = now();
  const all = [...suppressions()];
  const active = all.filter((one) => effectOf(one, at, tenancy.operatorNamespace).active);
  const fingerprints = new Map(all.map((one) => [keyOf(one), fingerprintOf(one, false)]));
  for (const one of active) fingerprints.set(keyOf(one), fingerprintOf(one, true));
  const matched = new Map<string, MatchCounts>();
  const decide = (kind: keyof MatchCounts) => (subject: OpenSubject) => {
    const found = findSuppression(subject, active, at, tenancy);
    if (!found) return null;
    const counts = matched.get(keyOf(found)) ?? { failures: 0, findings: 0 };
    if (subject.isCounted && !isHiddenSubject(subject, hiddenNamespaces)) counts[kind]++;
    matched.set(keyOf(found), counts);
    return found.metadata.name ?? null;
  };
  await applyTo(suppressible.failures, decide('failures'));
  const gone = await applyTo(suppressible.findings, decide('findings'));
  if (suppressible.advice) await applyTo(suppressible.advice, decide('findings'));
  if (gone.length > 0) await bus.emit('findingsSuppressed', { ids: gone });
  void bus.emit('recordsUnsuppressed', {});
  return { at, fingerprints, matched };
}

/** Stores which Suppression hides each record. Returns the records that were visible before, the newest first. */
async function applyTo(rows: SuppressibleRows, nameFor: (subject: OpenSubject) => string | null): Promise<number[]> {
  const gone: number[] = [];
  // From here on, a record is checked again by the code that stores it.
  for await (const subjects of openSubjects(rows)) {
    const changed = await recheckRecords(subjects, nameFor, rows);
    const hidden = changed.filter(({ record, isStored }) => isStored && record.isCounted && record.suppressed_by === null);
    gone.push(...hidden.map(({ record }) => record.id));
  }
  return gone.sort((one, other) => other - one);
}

/** The records that Suppressions decide about, part by part, the newest part first. */
export async function* openSubjects<S>(rows: { openIds(): Promise<number[]>; subjects(ids: number[]): Promise<S[]> }): AsyncGenerator<S[]> {
  const ids = await rows.openIds();
  for (let from = 0; from < ids.length; from += PART) {
    yield await rows.subjects(ids.slice(from, from + PART));
    // The embedded database answers within one turn of the event loop. Without this pause, timers and requests would wait until the end of
    // the list.
    await immediate();
  }
}

function keyOf({ metadata }: Suppression): string {
  return `${metadata.namespace}/${metadata.name}`;
}
