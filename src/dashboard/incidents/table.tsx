import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { IncidentSort } from '../../contract/incident.ts';
import { Down, Up } from '../components/icons.tsx';
import { useKeys } from '../components/keys.ts';
import type { Filters } from './filters.ts';
import classes from './incidents.module.css';
import { Row } from './row.tsx';
import type { Entry } from './use-incidents.ts';

/** A guess for rows that were not measured yet, in pixels. */
const ROW_HEIGHT = 58;
const OVERSCAN = 6;
/** More is loaded when so few rows are left below. */
const AHEAD = 40;

interface TableProps {
  entries: readonly Entry[];
  total: number;
  filters: Pick<Filters, 'sort' | 'order'>;
  onSort(sort: IncidentSort): void;
  selected: ReadonlySet<number>;
  select(id: number, isSelected: boolean, withRange: boolean): void;
  /** Which incident was opened from here last: coming back finds it focused. */
  opened: { get(): number | null; set(id: number): void };
  more(): void;
}

/** The incidents as rows of which only those in sight are in the document. */
export function Table({ entries, total, filters, onSort, selected, select, opened, more }: TableProps) {
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState(-1);
  useLayoutEffect(() => setTop(body.current?.offsetTop ?? 0), []);
  // Nothing here is memoised by a compiler, which is what this rule is about.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey: (index) => entries[index]?.incident.id ?? index,
    // The row that has the focus stays in the document: else the focus would be lost with it.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return active >= 0 && active < entries.length && !shown.includes(active) ? [...shown, active].sort((a, b) => a - b) : shown;
    },
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= entries.length - AHEAD) more();
  }, [last, entries.length, more]);

  const focus = useCallback(
    (index: number): void => {
      if (index < 0 || index >= entries.length) return;
      setActive(index);
      virtual.scrollToIndex(index, { align: 'auto' });
      // The row may be rendered only after the scrolling.
      let tries = 20;
      const take = (): void => {
        const link = body.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`);
        if (link) link.focus({ preventScroll: true });
        else if (--tries > 0) requestAnimationFrame(take);
      };
      requestAnimationFrame(take);
    },
    [entries.length, virtual],
  );
  const isFocused = (): boolean => body.current?.contains(document.activeElement) ?? false;
  const move = (by: number): void =>
    focus(active >= 0 && isFocused() ? Math.min(Math.max(active + by, 0), entries.length - 1) : Math.max(active, 0));
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    x: () => {
      const id = entries[active]?.incident.id;
      if (id !== undefined && isFocused()) select(id, !selected.has(id), false);
    },
  });
  // Whoever comes back from an incident goes on from its row.
  const returned = useRef(false);
  useEffect(() => {
    if (returned.current || entries.length === 0) return;
    returned.current = true;
    const index = entries.findIndex(({ incident }) => incident.id === opened.get());
    if (index >= 0 && (document.activeElement === document.body || document.activeElement?.id === 'content')) focus(index);
  }, [entries, focus, opened]);

  // The later the beginning, the lower the age.
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
          {head('name', 'Cause and workload')}
          <span role="columnheader" className={classes['verdict']}>
            Verdict
          </span>
          {head('pods', 'Pods')}
          {head('restarts', 'Restarts')}
          {head('first_seen', 'Age')}
        </div>
      </div>
      <div role="rowgroup" ref={body} className={classes['body']} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const entry = entries[index];
          if (!entry) return null;
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              role="row"
              aria-rowindex={index + 2}
              data-index={index}
              className={classes['slot']}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <Row
                {...entry}
                index={index}
                isSelected={selected.has(entry.incident.id)}
                select={select}
                focused={setActive}
                onOpen={opened.set}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}
