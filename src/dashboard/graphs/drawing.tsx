import { Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { GraphNode } from '../../contract/graph.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Canvas } from './canvas.tsx';
import classes from './graphs.module.css';
import type { Places } from './layout/positions.ts';
import { usePlaces } from './layout/use-positions.ts';
import type { Part } from './visible-part.ts';

interface DrawingProps {
  part: Part;
  chosen: string | undefined;
  found: ReadonlySet<string> | undefined;
  /** Another value shows the whole graph. */
  subject: string;
  onChoose(id: string): void;
  onExpand(node: GraphNode): void;
  /** Called with the layout when it is known. */
  onPlaces(places: Places): void;
}

/** The graph, laid out in a worker and drawn. */
export function Drawing({ part, onPlaces, subject, ...rest }: DrawingProps) {
  // The canvas is about as wide as the window; opening a panel moves nothing.
  const [ratio] = useState(() => Math.min(3, Math.max(0.4, (innerWidth - 260) / Math.max(200, innerHeight - 220))));
  const { made, isArranging, error } = usePlaces(part, ratio, subject);
  useEffect(() => {
    if (made) onPlaces(made.places);
  }, [made, onPlaces]);
  return (
    <div className={classes['drawing']} aria-busy={isArranging} data-layout={isArranging ? undefined : made?.by}>
      <ErrorNotice error={error} />
      {made && <Canvas part={part} places={made.places} subject={made.subject} {...rest} />}
      {isArranging && (
        <div className={classes['arranging']}>
          <Loader size="sm" aria-label="Arranging the graph" />
        </div>
      )}
    </div>
  );
}
