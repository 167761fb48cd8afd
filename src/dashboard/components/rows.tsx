import type { ReactNode } from 'react';
import classes from './rows.module.css';

/** A list with one row per entry. `label` is its name for screen readers. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes['rows']} aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  /** The first column: a verdict or a state. */
  lead?: ReactNode;
  title: ReactNode;
  /** Facts, one element each; absent ones are skipped. */
  meta?: ReactNode;
  /** Controls. */
  end?: ReactNode;
  /** Content below the row, over the whole width: details, errors. */
  children?: ReactNode;
}

/** One row: title, facts and buttons. */
export function Row({ lead, title, meta, end, children }: RowProps) {
  return (
    <li className={lead === undefined ? classes['row'] : `${classes['row']} ${classes['with-lead']}`}>
      {lead !== undefined && <div className={classes['lead']}>{lead}</div>}
      <div className={classes['what']}>
        <div className={classes['title']}>{title}</div>
        {meta && <div className={classes['meta']}>{meta}</div>}
      </div>
      {end && <div className={classes['end']}>{end}</div>}
      {children && <div className={classes['more']}>{children}</div>}
    </li>
  );
}
