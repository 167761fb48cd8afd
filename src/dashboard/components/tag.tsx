import type { ReactNode } from 'react';
import classes from './tag.module.css';

/** A word about a thing: a severity, a state. The colour says nothing that the word does not. */
export function Tag({ tone = 'plain', children }: { tone?: 'plain' | 'good' | 'unsure' | 'bad'; children: ReactNode }) {
  return (
    <span className={classes['tag']} data-tone={tone}>
      {children}
    </span>
  );
}
