import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { SuppressionRecord } from '../../contract/suppression.ts';
import { useAddress } from '../components/address.ts';
import { useNow } from '../components/ago.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { useReason } from '../components/guarded.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Rows } from '../components/rows.tsx';
import { ask } from '../live/request.ts';
import { ExclusionLists } from './exclusions.tsx';
import { SHOWN, shownOf, type Shown } from './match.ts';
import { NewSuppression } from './new.tsx';
import { SuppressionRow } from './row.tsx';
import classes from './suppressions.module.css';

const NAMES: Record<Shown, string> = { all: 'All', active: 'In effect', unused: 'Unused', expiring: 'Ends soon', ended: 'No effect' };

/** The Suppressions: who hides which failures, why and until when. */
export function Screen() {
  const reason = useReason('write');
  if (reason !== undefined)
    return (
      <>
        <PageHead title="Suppressions" />
        <EmptyState title="Suppressions are not shown to your role">
          {reason.replace('This can be done by', 'They can be seen by')} A hidden failure says itself what hides it.
        </EmptyState>
      </>
    );
  return <Suppressions />;
}

function Suppressions() {
  const [{ show, add }, change] = useAddress();
  const now = useNow(20_000);
  const button = useRef<HTMLButtonElement>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['suppressions'],
    queryFn: ({ signal }) => ask<SuppressionRecord[]>('/api/suppressions', { signal }),
  });
  const shown = SHOWN.find((one) => one === show) ?? 'all';
  const rows = data && shownOf(data, shown, now);
  return (
    <>
      <PageHead title="Suppressions">
        <Button ref={button} size="xs" disabled={add !== undefined} onClick={() => change({ add: 'yes' })}>
          New Suppression
        </Button>
      </PageHead>
      {add !== undefined && (
        <NewSuppression
          onDone={() => {
            change({ add: undefined });
            // The form is gone in the next frame.
            requestAnimationFrame(() => button.current?.focus());
          }}
        />
      )}
      <section className={classes['section']} aria-label="All Suppressions">
        <div className={classes['head']}>
          <SegmentedControl
            size="xs"
            className={classes['choice'] ?? ''}
            aria-label="Which Suppressions"
            data={SHOWN.map((value) => ({ value, label: data ? `${NAMES[value]} ${shownOf(data, value, now).length}` : NAMES[value] }))}
            value={shown}
            onChange={(value) => change({ show: value === 'all' ? undefined : value })}
          />
        </div>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
        {!rows && !error && <Skeleton height={62} />}
        {rows?.length === 0 && (
          <EmptyState title={shown === 'all' ? 'Nothing is suppressed' : 'None of these'}>
            {shown === 'all' ? 'Every failure, finding and piece of advice is shown.' : 'Choose All to see the others.'}
          </EmptyState>
        )}
        {rows && rows.length > 0 && (
          <Rows label="Suppressions">
            {rows.map((one) => (
              <SuppressionRow key={`${one.namespace}/${one.name}`} one={one} />
            ))}
          </Rows>
        )}
      </section>
      <ExclusionLists />
    </>
  );
}
