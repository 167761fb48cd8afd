import type { Change } from '../../contract/failure.ts';
import type { Correction } from './correction.ts';

const RANKS: Record<Correction['confidence'], number> = { certain: 0, likely: 1, guess: 2 };

/** Compares the confidence of two corrections: negative if the first one is more certain. */
export function bySureness(a: Pick<Correction, 'confidence'>, b: Pick<Correction, 'confidence'>): number {
  return RANKS[a.confidence] - RANKS[b.confidence];
}

/** The same correction, promised no longer. */
export const asGuess = (one: Correction): Correction => ({ ...one, confidence: 'guess' });

/** One correction that applies all of them in order. It is only as certain as the least certain of them. */
export function joined(first: Correction, ...others: Correction[]): Correction {
  if (others.length === 0) return first;
  const all = [first, ...others];
  const distinct = [...new Set(all.map(({ title }) => title))];
  const titles = distinct.map((title, index) => (index === 0 ? title : `${title[0]?.toLowerCase() ?? ''}${title.slice(1)}`));
  return {
    title: titles.length > 1 ? `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}` : (titles[0] ?? ''),
    changes: changesOf(all),
    confidence: all.reduce((least, one) => (bySureness(one, least) > 0 ? one : least)).confidence,
    explanation: [...new Set(all.map(({ explanation }) => explanation))].join(' '),
    mirrorable: all.every(({ mirrorable }) => mirrorable),
    ...(all.some(({ byModel }) => byModel) ? { byModel: true } : {}),
  };
}

/** Where two of them change the same field, the later value counts. Where two of them append to the same list, both are appended. */
function changesOf(corrections: Correction[]): Change[] {
  const changes = new Map<string, Change>();
  for (const made of corrections.flatMap((correction) => correction.changes)) {
    const change = behindOthers(made, changes);
    const before = changes.get(change.path);
    changes.set(change.path, before ? { ...change, from: before.from } : change);
  }
  return [...changes.values()];
}

const APPENDED = /^(.*)\[(\d+)\]$/;

/** An appended entry at the place where an earlier change appends the same one, else behind all others. A whole list is joined with another. */
function behindOthers(change: Change, earlier: ReadonlyMap<string, Change>): Change {
  const before = earlier.get(change.path);
  if (change.from !== null || (before && before.from !== null)) return change;
  if (Array.isArray(before?.to) && Array.isArray(change.to)) return { ...change, to: [...before.to, ...change.to] };
  const [, list, index] = APPENDED.exec(change.path) ?? [];
  if (list === undefined) return change;
  const others = [...earlier.values()].filter(({ path, from }) => from === null && APPENDED.exec(path)?.[1] === list);
  const same = others.find(({ to }) => nameOf(to) === nameOf(change.to));
  const free = Math.max(Number(index), ...others.map(({ path }) => Number(APPENDED.exec(path)?.[2]) + 1));
  return { ...change, path: same?.path ?? (before ? `${list}[${free}]` : change.path) };
}

/** What makes two entries of a list the same: their names, or all of them. */
function nameOf(entry: unknown): string {
  const named = entry as { name?: unknown } | null;
  return typeof named?.name === 'string' ? named.name : JSON.stringify(entry);
}
