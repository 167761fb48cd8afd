import { useCallback, useEffect, useRef } from 'react';
import type { IncidentSort } from '../../contract/incident.ts';
import { Down, Up } from '../components/icons.tsx';
import { useKeys } from '../components/use-keys.ts';
import { useVirtualRows } from '../components/virtual-rows.ts';
import type { Filters } from './filters.ts';
import classes from './incidents.module.css';
import { Row } from './row.tsx';
import type { Entry } from './use-incidents.ts';

/** The estimated height of unmeasured rows, in pixels. */
const ROW_HEIGHT = 66;
/** More is loaded when fewer rows than this remain below. */
const AHEAD = 40;

interface TableProps {
  entries: readonly Entry[];
  total: number;
  filters: Pick<Filters, 'sort' | 'order'>;
  onSort(sort: IncidentSort): void;
  selected: ReadonlySet<number>;
  select(id: number, isSelected: boolean, withRange: boolean): void;
  /** The incident that was last opened from here. It gets the focus when the person returns. */
  opened: { get(): number | null; set(id: number): void };
  more(): void;
  /** Opens the menu of assignees for this incident, or for the selected ones. */
  assign(id: number): void;
}

/** The incidents as rows; only visible ones are in the document. */
export function Table({ entries, total, filters, onSort, selected, select, opened, more, assign }: TableProps) {
  const body = useRef<HTMLDivElement>(null);
  const keyOf = useCallback((index: number) => entries[index]?.incident.id ?? index, [entries]);
  const rows = useVirtualRows(body, { count: entries.length, rowHeight: ROW_HEIGHT, keyOf });
  const { items, focus, move, active, isFocused } = rows;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= entries.length - AHEAD) more();
  }, [last, entries.length, more]);

  useKeys({
    j: () => move(1),
    k: () => move(-1),
    x: () => {
      const id = entries[active]?.incident.id;
      if (id !== undefined && isFocused()) select(id, !selected.has(id), false);
    },
    a: () => {
      const id = entries[active]?.incident.id;
      if (id !== undefined && (isFocused() || selected.size > 0)) assign(id);
    },
  });
  // Restores the focus to the incident's row when a person returns.
  const returned = useRef(false);
  useEffect(() => {
    if (returned.current || entries.length === 0) return;
    returned.current = true;
    const index = entries.findIndex(({ incident }) => incident.id === opened.get());
    if (index >= 0 && (document.activeElement === document.body || document.activeElement?.id === 'content')) focus(index);
  }, [entries, focus, opened]);

  // A later start means a lower age.
  const rises = (sort: IncidentSort): boolean => (filters.order === 'asc') !== (sort === 'first_seen');
  const head = (sort: IncidentSort, name: string) => (
    <span
      role="columnheader"
      className={classes[sort]}
      aria-sort={filters.sort !== sort ? undefined : rises(sort) ? 'ascending' : 'descending'}
    >
      <button type="button" className={classes['sort']} onClick={() => onSort(sort)}>
        {name}
        {filters.sort === sort && (rises(sort) ? <Up size={12} /> : <Down size={12} />)}
      </button>
    </span>
  );
  return (
    <div role="table" aria-label="Incidents" aria-rowcount={total + 1}>
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className={`${classes['line']} ${classes['header']}`}>
          <span role="columnheader" className={classes['choice']}>
            <span className={classes['unseen']}>Selected</span>
          </span>
          <span role="columnheader" className={classes['status']}>
            <span className={classes['unseen']}>Status</span>
          </span>
          {head('name', 'Workload and cause')}
          <span role="columnheader" className={classes['spark']}>
            24 hours
          </span>
          <span role="columnheader" className={classes['assignee']}>
            <span className={classes['assignee-head']}>Assignee</span>
          </span>
          <span role="columnheader" className={classes['verdict']}>
            Verdict
          </span>
          {head('pods', 'Pods')}
          {head('restarts', 'Restarts')}
          {head('first_seen', 'Age')}
        </div>
      </div>
      <div role="rowgroup" ref={body} className={classes['body']} style={{ height: rows.height }}>
        {items.map((item) => {
          const { index } = item;
          const entry = entries[index];
          if (!entry) return null;
          return (
            <div
              key={rows.elementOf(item)}
              ref={rows.measure}
              role="row"
              aria-rowindex={index + 2}
              data-index={index}
              className={classes['slot']}
              style={{ transform: `translateY(${rows.startOf(item)}px)` }}
            >
              <Row
                {...entry}
                index={index}
                isSelected={selected.has(entry.incident.id)}
                select={select}
                focused={rows.setActive}
                onOpen={opened.set}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}
