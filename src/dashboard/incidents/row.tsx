import { Checkbox, CheckIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { Ago } from '../components/ago.tsx';
import { Avatar } from '../components/avatar.tsx';
import { countText } from '../components/count-text.ts';
import { showTitleBelow } from '../components/row-title.ts';
import { Sparkline } from '../components/sparkline.tsx';
import { STATUS_NAMES, StatusDot } from '../components/status.tsx';
import { Verdict } from '../components/verdict.tsx';
import classes from './incidents.module.css';
import type { Entry } from './use-incidents.ts';

interface RowProps extends Entry {
  /** Its place in the list. */
  index: number;
  isSelected: boolean;
  select(id: number, isSelected: boolean, withRange: boolean): void;
  /** Called with the row's index when it gets the focus. */
  focused(index: number): void;
  onOpen(id: number): void;
}

/** One incident: its workload, its cause in one sentence, and distinguishing facts. The whole row is a link. */
export const Row = memo(function Row({ incident, isGone, index, isSelected, select, focused, onOpen }: RowProps) {
  const { id, cause, reason, namespace, workload, pods, restarts, first_seen: since, verdict, trying, status } = incident;
  return (
    <div
      className={`incident ${classes['line']} ${classes['row']}`}
      data-gone={isGone || undefined}
      data-selected={isSelected || undefined}
    >
      <span role="cell" className={classes['choice']}>
        <Choice label={`Select ${workload.name}`} isSelected={isSelected} select={(isNow, withRange) => select(id, isNow, withRange)} />
      </span>
      <span role="cell" className={classes['status']}>
        <StatusDot status={status} />
      </span>
      <span role="cell" className={classes['what']}>
        <span className={classes['where']}>
          <bdi className={classes['workload']} title={`${workload.kind} ${workload.name}`}>
            {workload.name}
          </bdi>
          <bdi className={classes['namespace']} title={`Namespace ${namespace}`}>
            {namespace}
          </bdi>
          <span className={classes['reason']}>{reason}</span>
        </span>
        <Link
          to="/incidents/$id"
          params={{ id: String(incident.failure_id) }}
          className={classes['cause']}
          title={cause}
          onFocus={() => focused(index)}
          onClick={() => onOpen(id)}
          onPointerMove={(event) => showTitleBelow(event, cause)}
        >
          <bdi>{cause}</bdi>
        </Link>
      </span>
      <span role="cell" className={classes['spark']}>
        <Sparkline counts={incident.occurrences_24h} />
      </span>
      <span role="cell" className={classes['assignee']}>
        <Avatar name={incident.assignee} />
        <bdi className={classes['person']} aria-hidden="true">
          {incident.assignee}
        </bdi>
      </span>
      <span role="cell" className={classes['verdict']}>
        {isGone ? (
          <span className={classes['quiet']}>No longer in this list</span>
        ) : verdict ? (
          <span title={verdict.verdict === 'Fixed' && !verdict.taken ? 'Proven, and not applied yet' : undefined}>
            <Verdict verdict={verdict.verdict} />
          </span>
        ) : trying ? (
          <span className={classes['quiet']}>On a mirror now</span>
        ) : status === 'investigating' ? (
          <span className={classes['quiet']}>{STATUS_NAMES[status]}</span>
        ) : null}
      </span>
      <span role="cell" className={classes['pods']} data-usual={pods === 1 || undefined}>
        <Count of={pods} one="pod" many="pods" />
      </span>
      <span role="cell" className={classes['restarts']} data-usual={restarts === 0 || undefined}>
        <Count of={restarts} one="restart" many="restarts" />
      </span>
      <span role="cell" className={classes['age']}>
        <Ago at={since} isShort />
      </span>
    </div>
  );
});

interface ChoiceProps {
  label: string;
  isSelected: boolean;
  /** Called with the new choice, and whether Shift was held. */
  select(isSelected: boolean, withRange: boolean): void;
}

/** The library's checkbox as plain elements with its classes. Its components would make scrolling slow. */
function Choice({ label, isSelected, select }: ChoiceProps) {
  const { inner, input, icon } = Checkbox.classes;
  return (
    <div className={`${inner} ${classes['check']}`}>
      <input
        type="checkbox"
        className={`mantine-focus-auto ${input}`}
        aria-label={label}
        checked={isSelected}
        onChange={(event) => select(event.currentTarget.checked, (event.nativeEvent as MouseEvent).shiftKey)}
      />
      <CheckIcon className={icon} />
    </div>
  );
}

/** A number with its unit, which only narrow screens and screen readers need. */
function Count({ of, one, many }: { of: number; one: string; many: string }) {
  return (
    <>
      {countText(of)} <span className={classes['unit']}>{of === 1 ? one : many}</span>
    </>
  );
}
