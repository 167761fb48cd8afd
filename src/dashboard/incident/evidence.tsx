import { Badge, Paper, Table, Tabs, Text, Title } from '@mantine/core';
import type { ContainerEvidence, EventEvidence, ShownFailure } from '../../contract/failure.ts';
import { Ago } from '../components/ago.tsx';

/** The evidence of a failure. */
export function Evidence({ failure }: { failure: ShownFailure }) {
  const { events, container_statuses: containers, logs, manifest } = failure;
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="evidence-title">
      <Title order={2} id="evidence-title" mb="xs">
        Evidence
      </Title>
      <Tabs defaultValue="events" keepMounted={false} classNames={{ tab: 'tab' }}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="events">Events ({events.length})</Tabs.Tab>
          <Tabs.Tab value="containers">Containers ({containers.length})</Tabs.Tab>
          <Tabs.Tab value="logs">Log</Tabs.Tab>
          <Tabs.Tab value="manifest">Manifest</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="events">
          <Events events={events} />
        </Tabs.Panel>
        <Tabs.Panel value="containers">
          <Containers containers={containers} />
        </Tabs.Panel>
        <Tabs.Panel value="logs">
          <Long text={logs} label="Log of the failing container" nothing="No log was reported." />
        </Tabs.Panel>
        <Tabs.Panel value="manifest">
          <Long text={manifest} label="Manifest of the pod, secrets masked" nothing="No manifest was reported." />
        </Tabs.Panel>
      </Tabs>
    </Paper>
  );
}

function Events({ events }: { events: EventEvidence[] }) {
  if (events.length === 0) return <Nothing text="No events were reported." />;
  return (
    <ol className="events">
      {events.toReversed().map((event, index) => (
        <li key={`${event.timestamp}-${event.reason}-${String(index)}`} data-type={event.type}>
          <span className="event-reason">{event.reason}</span>
          <span className="event-time">
            {event.timestamp && <Ago at={event.timestamp} />}
            {(event.count ?? 1) > 1 && ` · ${event.count} times`}
          </span>
          <span className="event-message">{event.message}</span>
        </li>
      ))}
    </ol>
  );
}

function Containers({ containers }: { containers: ContainerEvidence[] }) {
  if (containers.length === 0) return <Nothing text="No container has started yet." />;
  return (
    <div className="wide" tabIndex={0} role="region" aria-label="Container statuses">
      <Table verticalSpacing={6} aria-label="Container statuses">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Container</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Restarts</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>Image</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {containers.map((container) => (
            <Table.Tr key={container.name}>
              <Table.Td>
                {container.name}
                {container.kind && container.kind !== 'app' && (
                  <Badge ml={6} size="sm" variant="default">
                    {container.kind}
                  </Badge>
                )}
              </Table.Td>
              <Table.Td>{stateOf(container)}</Table.Td>
              <Table.Td>{container.restart_count ?? 0}</Table.Td>
              <Table.Td>{container.last_state ? stateOf(container.last_state) : ''}</Table.Td>
              <Table.Td className="mono">{container.image}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function stateOf({ state, reason, exit_code: code, signal }: NonNullable<ContainerEvidence['last_state']>): string {
  const parts = [reason, code !== null && code !== undefined && `exit code ${code}`, signal && `signal ${signal}`]
    .filter(Boolean)
    .join(', ');
  return parts ? `${state ?? 'unknown'}: ${parts}` : (state ?? 'unknown');
}

function Long({ text, label, nothing }: { text: string | null; label: string; nothing: string }) {
  if (!text) return <Nothing text={nothing} />;
  return (
    <pre className="long" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
}

function Nothing({ text }: { text: string }) {
  return (
    <Text c="dimmed" size="sm">
      {text}
    </Text>
  );
}
