import { Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AgentRecord } from '../../contract/agent.ts';
import { Ago } from '../components/ago.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { ask } from '../live/request.ts';
import classes from './admin.module.css';

const AGAIN_MS = 15_000;

/** The agents, one per node, silent ones first. */
export function Agents() {
  const { data, error, refetch } = useQuery({
    queryKey: ['agents'],
    queryFn: ({ signal }) => ask<AgentRecord[]>('/api/agents', { signal }),
    refetchInterval: AGAIN_MS,
    staleTime: 0,
  });
  const agents = data?.toSorted((one, other) => Number(one.live) - Number(other.live) || one.node.localeCompare(other.node));
  return (
    <>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!agents && !error && <Skeleton height={120} />}
      {agents?.length === 0 && (
        <EmptyState title="No agent was heard yet">Install the DaemonSet podmend-agent: it watches the pods of each node.</EmptyState>
      )}
      {agents && agents.length > 0 && (
        <div className={classes['scroll']} tabIndex={0} role="region" aria-label="Agents">
          <Table className={`stacked ${classes['table']}`} verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Node</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>Last heard</Table.Th>
                <Table.Th ta="right">Pods</Table.Th>
                <Table.Th ta="right">Failing</Table.Th>
                <Table.Th ta="right">Reports waiting</Table.Th>
                <Table.Th ta="right">Reports lost</Table.Th>
                <Table.Th>Version</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {agents.map((agent) => (
                <Table.Tr key={agent.node}>
                  <Table.Td fw={600} data-whole>
                    <bdi>{agent.node}</bdi>
                  </Table.Td>
                  <Table.Td>
                    <span className={classes['state']} data-state={agent.live ? 'ok' : 'down'}>
                      {agent.live ? 'Reports' : 'Silent'}
                    </span>
                  </Table.Td>
                  <Table.Td data-label="heard">
                    <Ago at={agent.last_seen} />
                  </Table.Td>
                  <Table.Td ta="right" data-label="pods">
                    {agent.pods}
                  </Table.Td>
                  <Table.Td ta="right" data-label="failing">
                    {agent.failing}
                  </Table.Td>
                  <Table.Td ta="right" data-label="reports waiting">
                    {agent.spooled}
                  </Table.Td>
                  <Table.Td ta="right" data-label="lost">
                    {agent.dropped}
                  </Table.Td>
                  <Table.Td data-label="version">{agent.version}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      <Text size="sm" c="dimmed">
        The operator watches the node of a silent agent itself, more slowly.
      </Text>
    </>
  );
}
