import { setImmediate as immediate } from 'node:timers/promises';
import type { Suppression } from '../crd/suppression.ts';
import type { Hiding, HidingRows, OpenSubject } from '../db/hiding.ts';
import { effectOf, findSuppression, type TenantRules } from './suppress.ts';

/** The records that Suppressions hide. */
export interface Hideable {
  failures: HidingRows;
  findings: HidingRows;
  /** Counted as findings. Absent where nobody gives any. */
  advice?: HidingRows;
}

export interface ResuppressDeps {
  hideable: Hideable;
  /** Told at the end of a run which findings it hid that were shown, the newest first; never told of none. */
  hid(findingIds: number[]): Promise<void>;
  /** All Suppressions, with an effect or without. */
  suppressions(): readonly Suppression[];
  rules(): Promise<TenantRules>;
  now(): Date;
}

/** How many records of each kind a Suppression hides; advice counts as findings. */
export type Matched = Record<'failures' | 'findings', number>;

/** What the records were held to. Keys are `<namespace>/<name>`. */
export interface Run {
  at: Date;
  /** Every Suppression as it was then: see `fingerprintOf`. */
  held: ReadonlyMap<string, string>;
  /** What each of them hides; absent means nothing. */
  matched: ReadonlyMap<string, Matched>;
}

/** Records that are looked at in one go: reports wait no longer than that takes, and each costs less the more there are. */
const PART = 1000;

/** What of a Suppression decides about records: another one of its name, another spec, or its time, make another fingerprint. */
export function fingerprintOf({ metadata, spec }: Suppression, isActive: boolean): string {
  return JSON.stringify([metadata.uid, spec, isActive]);
}

/**
 * Holds the open records to the Suppressions as they are when it begins, part by part, and answers what each of them hides. Calls that
 * come while it works share the next run, which begins after them. Throws DatabaseUnavailable; it may then simply be called again.
 */
export function resuppression(deps: ResuppressDeps): () => Promise<Run> {
  let running: Promise<Run> | undefined;
  let next: Promise<Run> | undefined;
  const begin = (): Promise<Run> => {
    running = resuppress(deps).finally(() => (running = undefined));
    return running;
  };
  return () => {
    if (!running) return begin();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}

async function resuppress({ hideable, suppressions, rules, hid, now }: ResuppressDeps): Promise<Run> {
  const tenancy = await rules();
  const at = now();
  const all = [...suppressions()];
  const active = all.filter((one) => effectOf(one, at, tenancy.operatorNamespace).active);
  const held = new Map(all.map((one) => [keyOf(one), fingerprintOf(one, false)]));
  for (const one of active) held.set(keyOf(one), fingerprintOf(one, true));
  const matched = new Map<string, Matched>();
  const decide = (kind: keyof Matched) => (subject: OpenSubject) => {
    const found = findSuppression(subject, active, at, tenancy);
    if (!found) return null;
    const counts = matched.get(keyOf(found)) ?? { failures: 0, findings: 0 };
    if (subject.isCounted) counts[kind]++;
    matched.set(keyOf(found), counts);
    return found.metadata.name ?? null;
  };
  await holdAll(hideable.failures, decide('failures'));
  const gone = await holdAll(hideable.findings, decide('findings'));
  if (hideable.advice) await holdAll(hideable.advice, decide('findings'));
  if (gone.length > 0) await hid(gone);
  return { at, held, matched };
}

/** Gives each record the name that hides it; answers those that were shown before, the newest first. */
async function holdAll(rows: HidingRows, nameFor: (subject: OpenSubject) => string | null): Promise<number[]> {
  const gone: number[] = [];
  // A record that is stored from here on is held to the Suppressions by the report itself.
  for await (const subjects of openSubjects(rows)) {
    const changes = subjects.flatMap((subject) => changeOf(subject, nameFor(subject)) ?? []);
    const changed = new Set(await rows.set(changes));
    const shown = subjects.filter(({ id, isCounted, suppressed_by }) => isCounted && suppressed_by === null && changed.has(id));
    gone.push(...shown.map(({ id }) => id));
  }
  return gone.sort((one, other) => other - one);
}

/** The records that Suppressions decide about, part by part, the newest part first. */
export async function* openSubjects<S>(rows: { openIds(): Promise<number[]>; subjects(ids: number[]): Promise<S[]> }): AsyncGenerator<S[]> {
  const ids = await rows.openIds();
  for (let from = 0; from < ids.length; from += PART) {
    yield await rows.subjects(ids.slice(from, from + PART));
    // The embedded database answers in the same turn of the event loop: without a pause nothing else would have one.
    await immediate();
  }
}

function changeOf({ id, failure_reason, severity, suppressed_by }: OpenSubject, name: string | null): Hiding | undefined {
  return name === suppressed_by ? undefined : { id, failure_reason, severity, suppressed_by, name };
}

function keyOf({ metadata }: Suppression): string {
  return `${metadata.namespace}/${metadata.name}`;
}
