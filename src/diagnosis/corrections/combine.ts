import type { Change } from '../../contract/failure.ts';
import type { Correction } from './correction.ts';

const RANKS: Record<Correction['confidence'], number> = { certain: 0, likely: 1, guess: 2 };

/** Compares the confidence of two corrections: negative if the first one is more certain. */
export function bySureness(a: Pick<Correction, 'confidence'>, b: Pick<Correction, 'confidence'>): number {
  return RANKS[a.confidence] - RANKS[b.confidence];
}

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

/** Where two of them change the same field, the later value counts. */
function changesOf(corrections: Correction[]): Change[] {
  const changes = new Map<string, Change>();
  for (const change of corrections.flatMap((correction) => correction.changes)) {
    const before = changes.get(change.path);
    changes.set(change.path, before ? { ...change, from: before.from } : change);
  }
  return [...changes.values()];
}
