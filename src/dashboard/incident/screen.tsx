import { Anchor, Code, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ShownFailure } from '../../contract/failure.ts';
import { ask } from '../live/ask.ts';
import { Fix } from './fix.tsx';
import { Trials } from './trials.tsx';
import { Back } from '../components/icons.tsx';
import { Notice } from '../components/notice.tsx';
import { Ago } from '../components/ago.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { useTitle } from '../components/page-head.tsx';
import { Actions } from './actions.tsx';
import { Evidence } from './evidence.tsx';
import { Siblings } from './siblings.tsx';
import { Solution } from './solution.tsx';

/** One failure: what fails and why, its corrections, the trials, and the evidence. */
export function Screen({ id }: { id: number }) {
  const query = useQuery({ queryKey: ['failure', id], queryFn: ({ signal }) => ask<ShownFailure>(`/api/pods/failed/${id}`, { signal }) });
  const client = useQueryClient();
  const failure = query.data;
  useTitle(failure?.pod_name ?? 'Incident');
  return (
    <Stack gap="lg" className="failure" aria-busy={query.isPending}>
      <Anchor component={Link} to="/incidents" className="back" size="sm">
        <Back size={16} /> All incidents
      </Anchor>
      <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      {query.isPending && !query.error && <Skeleton height={180} role="img" aria-label="Loading the failure" />}
      {failure && (
        <>
          <Summary failure={failure} />
          <Actions failure={failure} changed={(status) => client.setQueryData(['failure', id], { ...failure, status })} />
          <Siblings failure={failure} />
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
      <Title order={1} id="failure-title" className="pod-name">
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
