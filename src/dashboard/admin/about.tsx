import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { About as AboutRecord, PartState } from '../../contract/about.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Check, Cross, Pending, Question } from '../components/icons.tsx';
import { Line } from '../components/prose.tsx';
import { Row, Rows } from '../components/rows.tsx';
import { ask } from '../live/request.ts';
import classes from './admin.module.css';

const STATES: Record<PartState, [name: string, sign: typeof Check]> = {
  ok: ['Works', Check],
  degraded: ['Works in part', Question],
  down: ['Does not work', Cross],
  off: ['Not set up', Pending],
};
/** A part that was repaired appears as healthy without a reload. */
const AGAIN_MS = 15_000;

/** The version and the health of each part of the installation. */
export function About() {
  const { data, error, refetch } = useQuery({
    queryKey: ['about'],
    queryFn: ({ signal }) => ask<AboutRecord>('/api/about', { signal }),
    refetchInterval: AGAIN_MS,
    staleTime: 0,
  });
  return (
    <>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Skeleton height={200} />}
      {data && (
        <>
          <Text>
            Podmend {data.version}, cluster <bdi>{data.cluster}</bdi>
          </Text>
          <Rows label="Parts">
            {data.parts.map(({ id, name, state, says, mend }) => (
              <Row key={id} lead={<State state={state} />} title={name}>
                <Text size="sm">{says}</Text>
                {mend !== null && (
                  <Text size="sm" c="dimmed" mt={2}>
                    <Line text={mend} />
                  </Text>
                )}
              </Row>
            ))}
          </Rows>
          <Anchor href="/docs" size="sm">
            The API and its documentation
          </Anchor>
        </>
      )}
    </>
  );
}

function State({ state }: { state: PartState }) {
  const [name, Sign] = STATES[state];
  return (
    <span className={classes['state']} data-state={state}>
      <Sign size={14} />
      {name}
    </span>
  );
}
