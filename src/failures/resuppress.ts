import { setImmediate as immediate } from 'node:timers/promises';
import type { Suppression } from '../crd/suppression.ts';
import type { Hiding, HidingRepository, OpenSubject } from '../db/hiding.ts';
import { effectOf, findSuppression, type TenantRules } from './suppress.ts';

export interface ResuppressDeps {
  hiding: Pick<HidingRepository, 'openIds' | 'subjects' | 'set'>;
  /** All Suppressions, with an effect or without. */
  suppressions(): readonly Suppression[];
  rules(): Promise<TenantRules>;
  now(): Date;
}

/** What the records were held to. Keys are `<namespace>/<name>`. */
export interface Run {
  at: Date;
  /** Every Suppression as it was then: see `fingerprintOf`. */
  held: ReadonlyMap<string, string>;
  /** How many open records each of them hides; absent means none. */
  matched: ReadonlyMap<string, number>;
}

/** Records that are looked at in one go: reports wait no longer than that takes. */
const PART = 250;

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

async function resuppress({ hiding, suppressions, rules, now }: ResuppressDeps): Promise<Run> {
  const tenancy = await rules();
  const at = now();
  const all = [...suppressions()];
  const active = all.filter((one) => effectOf(one, at, tenancy.operatorNamespace).active);
  const held = new Map(all.map((one) => [keyOf(one), fingerprintOf(one, false)]));
  for (const one of active) held.set(keyOf(one), fingerprintOf(one, true));
  const matched = new Map<string, number>();
  // A record that is stored from here on is held to the Suppressions by the report itself.
  const ids = await hiding.openIds();
  for (let from = 0; from < ids.length; from += PART) {
    const changes: Hiding[] = [];
    for (const subject of await hiding.subjects(ids.slice(from, from + PART))) {
      const found = findSuppression(subject, active, at, tenancy);
      if (found) matched.set(keyOf(found), (matched.get(keyOf(found)) ?? 0) + 1);
      const name = found?.metadata.name ?? null;
      if (name !== subject.suppressed_by) changes.push(changeOf(subject, name));
    }
    await hiding.set(changes);
    // The embedded database answers in the same turn of the event loop: without a pause nothing else would have one.
    await immediate();
  }
  return { at, held, matched };
}

function changeOf({ id, failure_reason, suppressed_by }: OpenSubject, name: string | null): Hiding {
  return { id, failure_reason, suppressed_by, name };
}

function keyOf({ metadata }: Suppression): string {
  return `${metadata.namespace}/${metadata.name}`;
}
