import type { ReactNode } from 'react';
import classes from './tag.module.css';

/** A word about an object, such as a severity or a state. The colour adds no meaning. */
export function Tag({ tone = 'plain', children }: { tone?: 'plain' | 'good' | 'unsure' | 'bad'; children: ReactNode }) {
  return (
    <span className={classes['tag']} data-tone={tone}>
      {children}
    </span>
  );
}
