import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { About } from '../../contract/about.ts';
import { Ago } from '../components/ago.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Guarded } from '../components/guarded.tsx';
import { Notice } from '../components/notice.tsx';
import { Line } from '../components/prose.tsx';
import { ask } from '../live/request.ts';
import type { Rescan as State } from '../live/rescan.ts';
import classes from './security.module.css';

/** How often the scanner's state is read, so that a starting scanner appears without a reload. */
const AGAIN_MS = 15_000;

/** The scanner as a part of the installation; undefined while unknown. */
export function useScanner() {
  const { data, isPending } = useQuery({
    queryKey: ['about'],
    queryFn: ({ signal }) => ask<About>('/api/about', { signal }),
    refetchInterval: AGAIN_MS,
    staleTime: 0,
  });
  return { scanner: data?.parts.find(({ id }) => id === 'scanner'), isPending };
}

/** Requests a full pass of the scanner and shows its progress. */
export function Rescan() {
  // Written by messages only.
  const { data: state } = useQuery<State | null>({ queryKey: ['rescan'], queryFn: () => null, enabled: false });
  const rescan = useMutation({ mutationFn: () => ask<object>('/api/security/rescan', { method: 'POST', body: {} }) });
  const isGoingOn = state?.status === 'requested' || state?.status === 'started';
  return (
    <>
      <span role="status" className={classes['rescan']} data-status={state?.status}>
        {state && <Told state={state} />}
      </span>
      <Guarded needs="write">
        <Button size="compact-sm" variant="default" loading={rescan.isPending || isGoingOn} onClick={() => rescan.mutate()}>
          Rescan
        </Button>
      </Guarded>
      {rescan.error && (
        <div className={classes['refused']}>
          <ErrorNotice error={rescan.error} />
        </div>
      )}
    </>
  );
}

function Told({ state: { status, reason, at, changes } }: { state: State }) {
  const changed = changes === 0 ? 'nothing changed' : changes === 1 ? 'one change' : `${changes.toLocaleString('en')} changes`;
  switch (status) {
    case 'requested':
      return <>Waiting for the scanner…</>;
    case 'started':
      return <>Scanning… {changes > 0 && changed}</>;
    case 'completed':
      return (
        <>
          Scanned <Ago at={at.toISOString()} />, {changed}
        </>
      );
    case 'failed':
      return <>The scan failed{reason && `: ${reason}`}</>;
  }
}

/** Shown when no scanner keeps the findings up to date. */
export function NoScanner() {
  const { scanner } = useScanner();
  if (!scanner || scanner.state === 'ok') return null;
  return (
    <div className={classes['notice']}>
      <Notice tone="unsure" role="status" title="No scanner is there">
        {scanner.says} {scanner.mend !== null && <Line text={scanner.mend} />}
      </Notice>
    </div>
  );
}
