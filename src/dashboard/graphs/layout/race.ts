import type { Places, Shape } from './positions.ts';

/** After this time in milliseconds, the faster layout starts as well. ELK's layout is better. */
export const PATIENCE_MS = 500;

/** A running layout. `stop` ends its worker and must be called once. */
export interface Job {
  places: Promise<Places>;
  stop(): void;
}

export interface Layouts {
  elk(shape: Shape): Job;
  dagre(shape: Shape): Job;
  /** Resolves after so many milliseconds. */
  wait(ms: number): Promise<void>;
}

export interface Arranged {
  places: Places;
  by: 'elk' | 'dagre';
}

/**
 * ELK's layout, or dagre's if ELK takes too long or fails. The loser is stopped. Undefined when the signal aborts it. Rejects when both
 * fail.
 */
export async function arrange(shape: Shape, { elk, dagre, wait }: Layouts, signal: AbortSignal): Promise<Arranged | undefined> {
  const better = elk(shape);
  let faster: Job | undefined;
  const aborted = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
  try {
    const byElk = better.places.then((places): Arranged => ({ places, by: 'elk' }));
    const late = wait(PATIENCE_MS).then(() => undefined);
    const first = await Promise.race([aborted, byElk, late]).catch(() => undefined);
    if (first || signal.aborted) return first;
    faster = dagre(shape);
    return await Promise.race([aborted, Promise.any([byElk, faster.places.then((places): Arranged => ({ places, by: 'dagre' }))])]);
  } finally {
    better.stop();
    faster?.stop();
  }
}
