import { setImmediate as immediate } from 'node:timers/promises';
import { nextFlight } from '../async/single-flight.ts';
import type { Suppression } from '../crd/suppression.ts';
import type { OpenSubject, SuppressibleRows } from '../db/suppressible.ts';
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
  /** All Suppressions, with an effect or without. */
  suppressions(): readonly Suppression[];
  rules(): Promise<TenantRules>;
  /** Records in them are suppressed, and not counted: a count would tell of them. */
  hiddenNamespaces: readonly string[];
  now(): Date;
}

/** The Suppressions that were applied to the open records. Keys are `<namespace>/<name>`. */
export interface AppliedSuppressions {
  at: Date;
  /** Every Suppression as it was then, by its `fingerprintOf`. */
  fingerprints: ReadonlyMap<string, string>;
  /** How many records each of them hides; absent means none. */
  matched: ReadonlyMap<string, MatchCounts>;
}

/** Records that are looked at in one statement: the more there are, the less each costs, and the longer reports wait for their turn. */
const PART = 1000;

/** Stands for all of a Suppression that decides about records: it changes with the object, its spec, and whether it has an effect. */
export function fingerprintOf({ metadata, spec }: Suppression, isActive: boolean): string {
  return JSON.stringify([metadata.uid, spec, isActive]);
}

/**
 * Applies the Suppressions, as they are when it begins, to the open records, part by part. Calls that come while it works share the next
 * run. Throws DatabaseUnavailable; it can then be called again.
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
    if (subject.isCounted && !hiddenNamespaces.includes(subject.namespace)) counts[kind]++;
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

/** Stores for each record which Suppression hides it; returns those that were shown before, the newest first. */
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
