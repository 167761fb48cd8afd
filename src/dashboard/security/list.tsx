import { useCallback, useEffect, useRef } from 'react';
import type { Severity } from '../../contract/finding.ts';
import { Ago } from '../components/ago.tsx';
import { Down } from '../components/icons.tsx';
import { showTitleBelow } from '../components/row-title.ts';
import { useKeys } from '../components/use-keys.ts';
import { Tag } from '../components/tag.tsx';
import { useVirtualRows } from '../components/virtual-rows.ts';
import { SEVERITIES, SEVERITY_NAMES, TONES } from '../components/severity.ts';
import { factsOf, titleOf } from './facts.ts';
import { isNews } from './filters.ts';
import type { GroupLine, KubeLine, Line, RowLine } from './group.ts';
import classes from './security.module.css';

/** The estimated height of unmeasured lines, in pixels. */
const LINE_HEIGHT = 40;

interface ListProps {
  lines: readonly Line[];
  by: 'workload' | 'check';
  since: number | null;
  /** The finding that is open in the panel. */
  open: number | undefined;
  onOpen(id: number): void;
  onToggle(line: GroupLine | KubeLine): void;
  /** Receives the function that restores the focus to a finding's row. */
  returning(focus: (id: number) => void): void;
}

/** Groups and their findings; only visible ones are in the document. */
export function List({ lines, by, since, open, onOpen, onToggle, returning }: ListProps) {
  const body = useRef<HTMLDivElement>(null);
  const keyOf = useCallback((index: number) => lines[index]?.key ?? index, [lines]);
  const rows = useVirtualRows(body, { count: lines.length, rowHeight: LINE_HEIGHT, keyOf });
  const { items, focus, move, setActive } = rows;
  useKeys({ j: () => move(1), k: () => move(-1) });
  useEffect(() =>
    returning((id) => focus(lines.findIndex((line) => line.kind === 'row' && line.entries.some(({ finding }) => finding.id === id)))),
  );
  return (
    <div ref={body} role="list" aria-label="Findings" className={classes['list']} style={{ height: rows.height }}>
      {items.map((item) => {
        const line = lines[item.index];
        if (!line) return null;
        return (
          <div
            key={rows.elementOf(item)}
            ref={rows.measure}
            role="listitem"
            data-index={item.index}
            className={classes['slot']}
            style={{ transform: `translateY(${rows.startOf(item)}px)` }}
          >
            {line.kind === 'row' ? (
              <FindingRow
                line={line}
                by={by}
                since={since}
                onFocus={() => setActive(item.index)}
                isOpen={line.entries.some(({ finding }) => finding.id === open)}
                onOpen={onOpen}
              />
            ) : (
              <Head line={line} onToggle={onToggle} onFocus={() => setActive(item.index)} />
            )}
          </div>
        );
      })}
    </div>
  );
}

interface HeadProps {
  line: GroupLine | KubeLine;
  onToggle(line: GroupLine | KubeLine): void;
  onFocus(): void;
}

function Head({ line, onToggle, onFocus }: HeadProps) {
  return (
    <button
      type="button"
      className={line.kind === 'kube' ? `${classes['group']} ${classes['kube']}` : classes['group']}
      aria-expanded={line.isOpen}
      onFocus={onFocus}
      onClick={() => onToggle(line)}
    >
      <span className={classes['twist']} data-open={line.isOpen || undefined}>
        <Down size={13} />
      </span>
      {line.kind === 'kube' ? (
        <span>
          {line.size === 1 ? 'One finding' : `${line.size.toLocaleString('en')} findings`} in <span className="mono">kube-*</span>, which
          whoever runs the cluster owns
        </span>
      ) : (
        <>
          <span className={classes['group-name']}>
            {line.what && <span className={classes['quiet']}>{line.what} </span>}
            <bdi>{line.name}</bdi>
          </span>
          <bdi className={classes['where']}>{line.where}</bdi>
          <Counts counts={line.counts} />
        </>
      )}
    </button>
  );
}

/** The number of findings by severity, without zeros. */
function Counts({ counts }: { counts: Record<Severity, number> }) {
  return (
    <span className={classes['counts']}>
      {SEVERITIES.filter((one) => counts[one] > 0).map((one) => (
        <span key={one} className={classes['tally']} data-severity={one}>
          {counts[one]} <span className={classes['tally-name']}>{SEVERITY_NAMES[one].toLowerCase()}</span>
          <abbr className={classes['tally-letter']} aria-hidden="true">
            {SEVERITY_NAMES[one].slice(0, 1)}
          </abbr>
        </span>
      ))}
    </span>
  );
}

interface RowProps {
  line: RowLine;
  by: 'workload' | 'check';
  since: number | null;
  isOpen: boolean;
  onOpen(id: number): void;
  onFocus(): void;
}

function FindingRow({ line: { entries, severity }, by, since, isOpen, onOpen, onFocus }: RowProps) {
  const [{ finding }] = entries;
  const isGone = entries.every(({ state }) => state === 'gone');
  const containers = entries.flatMap(({ finding: one }) => factsOf(one).container ?? []);
  const name = by === 'check' ? `${finding.resource_type} ${finding.resource_name}` : titleOf(finding);
  return (
    <div className={classes['row']} data-open={isOpen || undefined} data-gone={isGone || undefined}>
      <span className={classes['lead']}>
        <Tag tone={TONES[severity]}>{SEVERITY_NAMES[severity]}</Tag>
      </span>
      <span className={classes['what']}>
        <button
          type="button"
          className={classes['title']}
          aria-current={isOpen || undefined}
          onFocus={onFocus}
          onClick={() => onOpen(finding.id)}
          onPointerMove={(event) => showTitleBelow(event)}
        >
          <bdi>{name}</bdi>
        </button>
        <span className={classes['facts']}>
          {by === 'check' && <bdi>{finding.namespace}</bdi>}
          {containers.length > 0 && <bdi>{containers.length > 2 ? `${containers.length} containers` : containers.join(', ')}</bdi>}
        </span>
      </span>
      <span className={classes['marks']}>
        {isGone && <span className={classes['quiet']}>No longer in this list</span>}
        {finding.status === 'reopened' && <Tag tone="unsure">Reopened</Tag>}
        {since !== null && entries.some(({ finding: one }) => isNews(one, since)) && <Tag tone="good">New</Tag>}
        {'enforced_by' in finding.details && <Tag>Enforced</Tag>}
      </span>
      <span className={classes['age']}>
        <Ago at={finding.first_seen} isShort />
      </span>
    </div>
  );
}
