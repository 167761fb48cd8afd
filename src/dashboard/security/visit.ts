/** A person's visits: `since` is the highest id of the previous visit, or null; `seen` is the highest id of this one. */
export interface Visit {
  since: number | null;
  seen: number;
  /** The last moment of this visit, in milliseconds since 1970. */
  at: number;
}

/** A person who returns within this time continues the same visit. */
const AWAY_MS = 30 * 60_000;

/** The visit that begins or goes on now. */
export function visitAt(stored: Visit | undefined, nowMs: number): Visit {
  if (!stored) return { since: null, seen: 0, at: nowMs };
  const isAnother = nowMs - stored.at > AWAY_MS || nowMs < stored.at;
  return { since: isAnother ? stored.seen : stored.since, seen: stored.seen, at: nowMs };
}

/** The visit after these ids were shown. */
export function seeing(visit: Visit, ids: readonly number[], nowMs: number): Visit {
  return { ...visit, seen: ids.reduce((most, id) => Math.max(most, id), visit.seen), at: nowMs };
}

/** The stored visit; undefined if unreadable. */
export function storedVisit(text: string | null): Visit | undefined {
  try {
    const { since, seen, at } = JSON.parse(text ?? '') as Record<string, unknown>;
    const isRight = (since === null || Number.isSafeInteger(since)) && Number.isSafeInteger(seen) && Number.isFinite(at);
    return isRight ? { since: since as number | null, seen: seen as number, at: at as number } : undefined;
  } catch {
    return undefined;
  }
}
