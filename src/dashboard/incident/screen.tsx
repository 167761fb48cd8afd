import { Anchor, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { FailureDiagnosis } from '../../contract/diagnosis.ts';
import type { ShownFailure } from '../../contract/failure.ts';
import type { MirrorRecord } from '../../contract/mirror.ts';
import { useAddress } from '../components/address.ts';
import { copyText } from '../components/copy.tsx';
import { useCanWrite } from '../components/current-user.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { PageHead, useTitle } from '../components/page-head.tsx';
import { Prose } from '../components/prose.tsx';
import { ask, Refused } from '../live/request.ts';
import { useConfig } from '../live/config.ts';
import { ActionBar } from './action-bar.tsx';
import { Aside } from './side-column.tsx';
import { addressOfPlace, Below } from './evidence-tabs.tsx';
import { Cause } from './cause.tsx';
import { Corrections } from './corrections.tsx';
import { Head } from './head.tsx';
import classes from './incident.module.css';
import { PatchPanel } from './patch-panel.tsx';
import { Proof } from './proof.tsx';
import { headlineOf, offeredOf, preferred, stageOf, type Started } from './stage.ts';
import { Stage } from './stage-section.tsx';
import { isTtl, runsOnce, type Terms } from './mirror-terms.ts';
import { useTry } from './use-try.ts';

const ENDS_MS = 5_000;
/** So often a cluster that does not answer is asked again. */
const AWAY_MS = 5_000;
/** No message tells of a new alert. */
const ALERTS_MS = 30_000;

/** One incident, addressed by one of its records: why it fails, what corrects it, and the proof. */
export function Screen({ id }: { id: number }) {
  const query = useQuery({
    queryKey: ['failure', id],
    queryFn: ({ signal }) => ask<ShownFailure>(`/api/pods/failed/${id}`, { signal }),
    refetchInterval: ALERTS_MS,
  });
  const failure = query.data;
  const isGone = !failure && query.error instanceof Refused && query.error.status === 404;
  useTitle(failure ? `${failure.workload?.name ?? failure.pod_name}: ${failure.failure_reason}` : 'Incident');
  return (
    <article className={classes['incident']} aria-busy={query.isPending}>
      {isGone ? <Gone /> : <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && !query.error && <Skeleton height={240} role="img" aria-label="Loading the incident" />}
      {failure && <Known failure={failure} />}
    </article>
  );
}

/** Shown if a link in an old message leads to a record that retention has deleted since. */
function Gone() {
  return (
    <>
      <PageHead title="Incident not found" />
      <Text mb="sm">Podmend knows no incident at this address. It deletes incidents some time after they are resolved.</Text>
      <Anchor component={Link} to="/incidents">
        All incidents
      </Anchor>
    </>
  );
}

/** The diagnosis changes with the record: a late log, another occurrence, a verdict. The old one stays until the new one is loaded. */
function useDiagnosis({ id, solution, occurrences, status, trials }: ShownFailure) {
  const verdicts = trials.map(({ verdict }) => verdict ?? '').join();
  return useQuery({
    queryKey: ['diagnosis', id, solution, occurrences, status, verdicts],
    queryFn: ({ signal }) => ask<FailureDiagnosis>(`/api/pods/failed/${id}/diagnosis`, { signal }),
    placeholderData: (before) => before,
    // No message is sent when the cluster becomes reachable again.
    refetchInterval: ({ state }) => (state.data?.source === 'unknown' ? AWAY_MS : false),
  });
}

/** The mirrors of one record, newest first. */
function useMirrors(id: number) {
  const query = useQuery({
    queryKey: ['mirrors'],
    queryFn: ({ signal }) => ask<MirrorRecord[]>('/api/mirror/active', { signal }),
    // A mirror that ends while no operator leads sends no message, so a shown mirror is polled.
    refetchInterval: ({ state }) => (state.data?.some(({ pod_id }) => pod_id === id) ? ENDS_MS : false),
  });
  return { mirrors: query.data?.filter(({ pod_id }) => pod_id === id) ?? [], error: query.error };
}

function Known({ failure }: { failure: ShownFailure }) {
  const [, change] = useAddress();
  const answer = useDiagnosis(failure);
  const { mirrors, error: mirrorError } = useMirrors(failure.id);
  const diagnosis = answer.data;
  const [started, setStarted] = useState<Started>();
  const offered = diagnosis ? offeredOf(diagnosis, failure, { mirrors, started }) : [];
  const [title, setTitle] = useState<string>();
  const chosen = offered.find(({ correction }) => correction.title === title) ?? offered[preferred(offered)];
  const config = useConfig();
  const areMirrorsOn = config?.features['mirrors'] !== false;
  const terms = useTerms(failure, diagnosis, areMirrorsOn);
  const start = useTry(failure.id);
  const [patch, setPatch] = useState<{ isCopied: boolean | undefined }>();
  const stage = stageOf(chosen, mirrors, areMirrorsOn);
  const headline = headlineOf(failure, diagnosis, mirrors);
  const formats = chosen?.correction.formats ?? [];
  const getPatch = (): void => {
    const [first] = formats;
    setPatch({ isCopied: undefined });
    if (!first) return;
    copyText(first.text).then(
      () => setPatch((now) => now && { isCopied: true }),
      () => setPatch((now) => now && { isCopied: false }),
    );
  };
  const tryIt = (): void => {
    if (!chosen) return;
    // It stays selected when a verdict changes the order.
    const { correction } = chosen;
    setTitle(correction.title);
    const asked = { ttl_seconds: Number(terms.ttl), ...(terms.isAcknowledged && { acknowledge_side_effects: true }) };
    start.mutate(
      { correction, terms: asked },
      { onSuccess: ({ mirror_id: mirrorId }) => setStarted({ title: correction.title, mirrorId }) },
    );
  };
  return (
    <>
      <Head failure={failure} headline={headline} isExplained={diagnosis !== undefined} />
      <Announced mirrors={mirrors} />
      <div className={classes['columns']}>
        <div className={classes['stages']}>
          {diagnosis && <Cause failure={failure} diagnosis={diagnosis} look={(place) => change(addressOfPlace(place), 'push')} />}
          {!diagnosis && answer.error && <Told failure={failure} />}
          <ErrorNotice error={answer.error} onRetry={() => void answer.refetch()} />
          {answer.isPending && <Skeleton height={200} role="img" aria-label="Loading the corrections" />}
          {diagnosis && (
            <Corrections
              diagnosis={diagnosis}
              offered={offered}
              chosen={chosen}
              choose={(index) => setTitle(offered[index]?.correction.title)}
              terms={terms}
              stage={stage}
              getPatch={getPatch}
            />
          )}
          <Proof
            mirrors={mirrors}
            trials={failure.trials}
            namespace={failure.namespace}
            said={headline.verdict}
            canBeTried={chosen?.correction.mirrorable === true && areMirrorsOn}
          />
          <ErrorNotice error={mirrorError} />
          {diagnosis && failure.status !== 'resolved' && (
            <>
              <ErrorNotice error={start.error} />
              <ActionBar
                stage={stage}
                commands={diagnosis.commands}
                isClusterAway={diagnosis.source === 'unknown'}
                hindrance={hindranceOf(terms)}
                isStarting={start.isPending}
                tryIt={tryIt}
                getPatch={getPatch}
              />
            </>
          )}
        </div>
        <Below failure={failure} diagnosis={diagnosis} />
        <Aside failure={failure} diagnosis={diagnosis} />
      </div>
      {patch && chosen && (
        <PatchPanel
          formats={formats}
          note={chosen.correction.owner_patch?.note ?? ''}
          isCopied={patch.isCopied}
          close={() => setPatch(undefined)}
        />
      )}
    </>
  );
}

/** The stored explanation, shown when no current one is available. */
function Told({ failure }: { failure: ShownFailure }) {
  return (
    <Stage number={1} title="Cause">
      <Prose text={failure.solution ?? 'Podmend is making the explanation. It will appear here.'} />
    </Stage>
  );
}

function useTerms(failure: ShownFailure, diagnosis: FailureDiagnosis | undefined, areMirrorsOn: boolean): Terms {
  const canWrite = useCanWrite();
  const [ttl, setTtl] = useState<number | string>();
  const [isAcknowledged, acknowledge] = useState(false);
  const wanted = ttl ?? diagnosis?.preview.suggested_ttl_seconds ?? '';
  return {
    mayRun: canWrite && areMirrorsOn,
    ttl: wanted,
    setTtl,
    isTtlRight: isTtl(wanted),
    mustAcknowledge: runsOnce(failure.workload?.kind ?? failure.resource_kind),
    isAcknowledged,
    acknowledge,
  };
}

function hindranceOf({ isTtlRight, mustAcknowledge, isAcknowledged }: Terms): string | undefined {
  if (!isTtlRight) return 'Say for how long it may run.';
  return mustAcknowledge && !isAcknowledged ? 'Confirm first that its work may run a second time.' : undefined;
}

/** Announces new verdicts to screen readers, but none that existed when the screen opened. */
function Announced({ mirrors }: { mirrors: readonly MirrorRecord[] }) {
  const known = useRef<Map<string, string | null>>(undefined);
  const [said, say] = useState('');
  useEffect(() => {
    const before = known.current;
    known.current = new Map([...(before ?? []), ...mirrors.map(({ mirror_id, verdict }) => [mirror_id, verdict] as const)]);
    const fresh = mirrors.find(({ mirror_id, verdict }) => verdict !== null && before?.has(mirror_id) && before.get(mirror_id) !== verdict);
    if (fresh) say(`The mirror’s verdict: ${SPOKEN[fresh.verdict ?? ''] ?? fresh.verdict}`);
  }, [mirrors]);
  return <VisuallyHidden role="status">{said}</VisuallyHidden>;
}

const SPOKEN: Record<string, string> = { Fixed: 'Fixed', StillFailing: 'still failing', Inconclusive: 'inconclusive' };
