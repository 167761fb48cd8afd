import type { ReactNode } from 'react';
import classes from './rows.module.css';

/** A list of things, one row each. `label` names it for those who cannot see where it stands. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes['rows']} aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  /** Stands first, in a column of its own: a verdict, a state. */
  lead?: ReactNode;
  title: ReactNode;
  /** Facts, each an element of its own; those that are absent are left out. */
  meta?: ReactNode;
  /** Controls. */
  end?: ReactNode;
  /** Stands below, over the whole width: what is open, errors. */
  children?: ReactNode;
}

/** One row: its name, facts about it, and its buttons. */
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
