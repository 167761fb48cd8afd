import { useEffect, useState } from 'react';
import type { Part } from '../visible-part.ts';
import { type Shape, shapeKey } from './positions.ts';
import { arrange, type Arranged } from './race.ts';
import { WORKERS } from './workers.ts';

export interface Arrangement extends Arranged {
  /** The `shapeKey` of the arranged graph, and its subject. */
  key: string;
  subject: string;
}

/** The latest layout, and whether a newer one is being computed. A change of status alone keeps the layout. */
export function usePlaces({ nodes, edges }: Part, ratio: number, subject: string) {
  const [made, setMade] = useState<Arrangement>();
  const [error, setError] = useState<Error | null>(null);
  const shape: Shape = { ids: nodes.map(({ id }) => id), edges: edges.map(({ source, target }) => ({ source, target })), ratio };
  const key = shapeKey(shape);
  useEffect(() => {
    const given = new AbortController();
    setError(null);
    arrange(shape, WORKERS, given.signal).then(
      (found) => found && setMade({ ...found, key, subject }),
      (failure: unknown) => setError(failure instanceof Error ? failure : new Error(String(failure))),
    );
    return () => given.abort();
    // The key contains everything about the shape that affects the layout.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
  return { made, isArranging: made?.key !== key && !error, error };
}
