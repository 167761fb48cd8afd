import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './incident.module.css';

interface StageProps {
  number: number;
  title: string;
  /** Content at the end of the title's line. */
  beside?: ReactNode;
  /** The progress of the stage, shown as the colour of its number. */
  tone?: 'good' | 'bad' | 'unsure' | 'plain' | undefined;
  children: ReactNode;
}

/** One of the three stages: cause, correction, proof. */
export function Stage({ number, title, beside, tone = 'plain', children }: StageProps) {
  const id = `stage-${number}`;
  return (
    <section className={classes['stage']} aria-labelledby={id} data-tone={tone}>
      <header className={classes['stage-head']}>
        <span className={classes['number']} aria-hidden="true">
          {number}
        </span>
        <Title order={2} id={id} size="h3">
          {title}
        </Title>
        <span className={classes['beside']}>{beside}</span>
      </header>
      <div className={classes['stage-body']}>{children}</div>
    </section>
  );
}
