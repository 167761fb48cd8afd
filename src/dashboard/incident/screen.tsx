import { Anchor, Code, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { MouseEvent, ReactNode } from 'react';
import type { ShownFailure } from '../../contract/failure.ts';
import { addressOf, type Place } from '../place.ts';
import { ask } from '../live/ask.ts';
import { Fix } from './fix.tsx';
import { Trials } from './trials.tsx';
import { Back } from '../components/icons.tsx';
import { Notice } from '../components/notice.tsx';
import { useCanWrite } from '../components/current-user.ts';
import { Ago } from '../components/ago.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Actions } from './actions.tsx';
import { Evidence } from './evidence.tsx';
import { Siblings } from './siblings.tsx';
import { Solution } from './solution.tsx';

interface FailureViewProps {
  id: number;
  place: Place;
  go(place: Place): void;
}

/** One failure: what fails and why, its corrections, the trials, and the evidence. */
export function FailureView({ id, place, go }: FailureViewProps) {
  const query = useQuery({ queryKey: ['failure', id], queryFn: ({ signal }) => ask<ShownFailure>(`/api/pods/failed/${id}`, { signal }) });
  const canWrite = useCanWrite();
  const client = useQueryClient();
  const back = { ...place, failure: null };
  const goBack = (event: MouseEvent): void => {
    event.preventDefault();
    go(back);
  };
  const failure = query.data;
  return (
    <Stack gap="lg" className="failure" aria-busy={query.isPending}>
      <Anchor href={addressOf(back)} onClick={goBack} className="back" size="sm">
        <Back size={16} /> All failures
      </Anchor>
      <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      {query.isPending && !query.error && <Skeleton height={180} role="img" aria-label="Loading the failure" />}
      {failure && (
        <>
          <Summary failure={failure} />
          {canWrite && <Actions failure={failure} changed={(status) => client.setQueryData(['failure', id], { ...failure, status })} />}
          <Siblings failure={failure} place={place} go={go} />
          {failure.hidden_by && (
            <Notice tone="plain" title={`Hidden by the Suppression ${failure.hidden_by.name}`}>
              {failure.hidden_by.reason} ({failure.hidden_by.why})
            </Notice>
          )}
          <Solution failure={failure} />
          <Fix failure={failure} />
          <Trials trials={failure.trials} />
          <Evidence failure={failure} />
        </>
      )}
    </Stack>
  );
}

function Summary({ failure }: { failure: ShownFailure }) {
  const { workload, container, node_name: node } = failure;
  const facts: [string, ReactNode][] = [
    ['Namespace', failure.namespace],
    ...(workload ? [[workload.kind, workload.name] as [string, string]] : []),
    ...(container ? [['Container', container] as [string, string]] : []),
    ...(node ? [['Node', node] as [string, string]] : []),
    ['First seen', <Ago key="first" at={failure.timestamp} />],
    ['Last seen', <Ago key="last" at={failure.last_seen} />],
    ['Seen', failure.occurrences === 1 ? 'once' : `${failure.occurrences} times`],
  ];
  return (
    <section aria-labelledby="failure-title">
      <Text className="reason">{failure.failure_reason}</Text>
      <Title order={2} id="failure-title" className="pod-name">
        {failure.pod_name}
      </Title>
      {failure.failure_message && (
        <Code block className="message">
          {failure.failure_message}
        </Code>
      )}
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
