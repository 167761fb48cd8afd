import { Button, SegmentedControl, Skeleton, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { MirrorRecord, MirrorUse, PastMirror } from '../../contract/mirror.ts';
import { useAddress, useScope } from '../components/address.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import { usePages } from '../components/pages.ts';
import { queryOf } from '../components/query-of.ts';
import { Rows } from '../components/rows.tsx';
import { SearchField } from '../components/search.tsx';
import { ask } from '../live/request.ts';
import { PastRow } from './past.tsx';
import classes from './mirrors.module.css';
import { RunningMirror } from './running.tsx';

const VERDICTS = [
  { value: '', label: 'All' },
  { value: 'Fixed', label: 'Fixed' },
  { value: 'StillFailing', label: 'Still failing' },
  { value: 'Inconclusive', label: 'Inconclusive' },
];

/** The running mirrors, and the results of earlier ones. */
export function Screen() {
  const use = useQuery({ queryKey: ['mirror-limits'], queryFn: ({ signal }) => ask<MirrorUse>('/api/mirror/limits', { signal }) });
  return (
    <>
      <PageHead title="Mirrors" />
      <Use use={use.data} />
      <Running isOn={use.data?.enabled ?? true} />
      <Past areMirrorsOn={use.data?.enabled ?? true} />
    </>
  );
}

/** The number of live mirrors and the limit. */
function Use({ use }: { use: MirrorUse | undefined }) {
  const scope = useScope();
  if (!use) return <Skeleton height={20} width={260} mb="md" />;
  const here = use.namespaces.filter(({ namespace }) => scope === undefined || namespace === scope);
  return (
    <p className={classes['use']} aria-label="Limits">
      <span>
        <b>
          {use.live} of {use.limit}
        </b>{' '}
        in all
      </span>
      {here.map(({ namespace, live }) => (
        <span key={namespace}>
          <b>
            {live} of {use.limit_per_namespace}
          </b>{' '}
          in <bdi>{namespace}</bdi>
        </span>
      ))}
      <span>
        at most {use.limit_per_namespace} in a namespace, {use.limit_per_incident} for an incident
      </span>
    </p>
  );
}

function Running({ isOn }: { isOn: boolean }) {
  const scope = useScope();
  const { data, error, refetch } = useQuery({
    queryKey: ['mirrors'],
    queryFn: ({ signal }) => ask<MirrorRecord[]>('/api/mirror/active', { signal }),
  });
  const mirrors = data?.filter(({ namespace }) => scope === undefined || namespace === scope);
  return (
    <section className={classes['section']} aria-labelledby="running">
      <Title order={2} id="running" mb="xs">
        Running
      </Title>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!mirrors && !error && <Skeleton height={62} />}
      {mirrors?.length === 0 && (
        <EmptyState title={isOn ? 'No mirror runs' : 'Mirrors are switched off'}>
          {isOn
            ? 'Open an incident and try its correction: the mirror appears here.'
            : 'Whoever installs Podmend can set MIRRORS_ENABLED=true.'}
        </EmptyState>
      )}
      {mirrors && mirrors.length > 0 && (
        <Rows label="Mirrors that run">
          {mirrors.map((mirror) => (
            <RunningMirror key={mirror.mirror_id} mirror={mirror} />
          ))}
        </Rows>
      )}
    </section>
  );
}

function Past({ areMirrorsOn }: { areMirrorsOn: boolean }) {
  const namespace = useScope();
  const [{ verdict, q }, change] = useAddress();
  const wish = { namespace, verdict, q };
  const { rows, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePages<PastMirror>(
    ['past-mirrors', wish],
    `/api/mirror/past${queryOf(wish)}`,
  );
  const isNarrowed = [verdict, q, namespace].some(Boolean);
  return (
    <section className={classes['section']} aria-labelledby="past">
      <div className={classes['head']}>
        <Title order={2} id="past">
          Past
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="Verdict"
          data={VERDICTS}
          value={verdict ?? ''}
          onChange={(value) => change({ verdict: value })}
        />
        <SearchField
          className={classes['search'] ?? ''}
          aria-label="Search past mirrors"
          placeholder="Pod, namespace, reason"
          value={q}
          onSearch={(text) => change({ q: text })}
        />
      </div>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!rows && !error && <Skeleton height={62} />}
      {rows?.length === 0 && (
        <EmptyState title={isNarrowed ? 'Nothing here matches' : 'No mirror has ended yet'}>
          {isNarrowed
            ? 'Change what is shown, or the namespace in the bar above.'
            : 'What mirrors prove is kept here for as long as the failure is.'}
        </EmptyState>
      )}
      {rows && rows.length > 0 && (
        <Stack gap="sm">
          <Rows label="Mirrors that are over">
            {rows.map((mirror) => (
              <PastRow key={mirror.mirror_id} mirror={mirror} areMirrorsOn={areMirrorsOn} />
            ))}
          </Rows>
          {hasNextPage && (
            <Button variant="default" size="xs" w="fit-content" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Show more
            </Button>
          )}
        </Stack>
      )}
    </section>
  );
}
