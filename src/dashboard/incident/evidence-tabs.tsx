import { Badge, Table, Tabs, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { EvidencePlace, FailureDiagnosis } from '../../contract/diagnosis.ts';
import type { ContainerEvidence, EventEvidence, ShownFailure } from '../../contract/failure.ts';
import { type Search, useAddress } from '../components/address.ts';
import { Ago } from '../components/ago.tsx';
import { usePerson } from '../components/current-user.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { History } from './history.tsx';
import classes from './incident.module.css';
import { LogView } from '../components/log-view.tsx';
import { Manifest } from './manifest.tsx';
import { showPlace } from './show-place.ts';

const Prompt = lazy(async () => ({ default: (await import('./prompt.tsx')).Prompt }));

/** In which tab a place is. */
const TABS: Record<EvidencePlace['in'], string> = { log: 'logs', events: 'events', containers: 'containers', manifest: 'manifest' };

/** The address of a place. It adds a history entry, so that Back returns. */
export function addressOfPlace({ in: part, index }: EvidencePlace): Search {
  return { tab: TABS[part], at: String(index) };
}

interface BelowProps {
  failure: ShownFailure;
  diagnosis: FailureDiagnosis | undefined;
}

/** The evidence behind the diagnosis, and other facts. */
export function Below({ failure, diagnosis }: BelowProps) {
  const [search, change] = useAddress();
  const { role } = usePerson();
  const { events, container_statuses: containers } = failure;
  const at = /^\d{1,7}$/.test(search['at'] ?? '') ? Number(search['at']) : undefined;
  const names = ['events', 'logs', 'containers', 'manifest', 'history', ...(role === 'admin' ? ['prompt'] : [])];
  const tab = names.find((name) => name === search['tab']) ?? 'events';
  return (
    <section className={classes['below']} aria-label="Evidence and history">
      <Tabs
        value={tab}
        onChange={(value) => change({ tab: value ?? 'events', at: undefined })}
        keepMounted={false}
        classNames={{ list: classes['tabs'] ?? '', tab: classes['tab'] ?? '' }}
      >
        <Tabs.List mb="sm">
          <Tabs.Tab value="events">Events ({events.length})</Tabs.Tab>
          <Tabs.Tab value="logs">Logs</Tabs.Tab>
          <Tabs.Tab value="containers">Containers ({containers.length})</Tabs.Tab>
          <Tabs.Tab value="manifest">Manifest</Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
          {role === 'admin' && <Tabs.Tab value="prompt">Prompt</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="events">
          <Events events={events} at={at} />
        </Tabs.Panel>
        <Tabs.Panel value="logs">
          <LogView
            key={at}
            namespace={failure.namespace}
            pod={failure.pod_name}
            reported={failure.logs}
            containers={containers.map(({ name }) => name)}
            container={failure.container}
            at={at}
          />
        </Tabs.Panel>
        <Tabs.Panel value="containers">
          <Containers containers={containers} message={failure.failure_message} at={at} />
        </Tabs.Panel>
        <Tabs.Panel value="manifest">
          <Manifest failure={failure} diagnosis={diagnosis} at={at} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <History failure={failure} />
        </Tabs.Panel>
        {role === 'admin' && (
          <Tabs.Panel value="prompt">
            <Suspense fallback={null}>
              <Prompt id={failure.id} />
            </Suspense>
          </Tabs.Panel>
        )}
      </Tabs>
    </section>
  );
}

function Events({ events, at }: { events: EventEvidence[]; at: number | undefined }) {
  if (events.length === 0) return <EmptyState title="No events were reported" />;
  const numbered = events.map((event, index) => ({ event, index })).toReversed();
  return (
    <ol className={classes['events']} aria-label="Events, the newest first">
      {numbered.map(({ event, index }) => (
        <li
          key={index}
          data-type={event.type}
          data-at={index === at || undefined}
          tabIndex={index === at ? -1 : undefined}
          ref={index === at ? showPlace : undefined}
        >
          <span className={classes['event-reason']}>{event.reason}</span>
          <span className={classes['event-time']}>
            {event.timestamp && <Ago at={event.timestamp} />}
            {(event.count ?? 1) > 1 && ` · ${event.count} times`}
            {(event.count ?? 1) > 1 && event.first_timestamp && (
              <>
                , first <Ago at={event.first_timestamp} />
              </>
            )}
            {event.source && ` · ${event.source}`}
          </span>
          <bdi className={classes['event-message']}>{event.message}</bdi>
        </li>
      ))}
    </ol>
  );
}

interface ContainersProps {
  containers: ContainerEvidence[];
  /** The failure message from the report. */
  message: string;
  at: number | undefined;
}

function Containers({ containers, message, at }: ContainersProps) {
  if (containers.length === 0) return <EmptyState title="No container has started yet" />;
  return (
    <div className={classes['wide']} tabIndex={0} role="region" aria-label="Container statuses">
      {message && (
        <Text component="bdi" size="sm" display="block" className={classes['state-message']}>
          {message}
        </Text>
      )}
      <Table className="stacked" verticalSpacing={6} aria-label="Container statuses">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Container</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Restarts</Table.Th>
            <Table.Th>Run before</Table.Th>
            <Table.Th>Image</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {containers.map((container, index) => (
            <Table.Tr
              key={container.name}
              data-at={index === at || undefined}
              tabIndex={index === at ? -1 : undefined}
              ref={index === at ? showPlace : undefined}
            >
              <Table.Td fw={600} data-whole>
                {container.name}
                {container.kind && container.kind !== 'app' && (
                  <Badge ml={6} size="sm" variant="default">
                    {container.kind}
                  </Badge>
                )}
              </Table.Td>
              <Table.Td>
                <State state={container} />
              </Table.Td>
              <Table.Td data-label="restarts">{container.restart_count ?? 0}</Table.Td>
              <Table.Td data-label="run before" data-whole>
                {container.last_state && <State state={container.last_state} />}
              </Table.Td>
              <Table.Td className={classes['mono']} data-whole>
                {container.image}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function State({ state }: { state: NonNullable<ContainerEvidence['last_state']> }) {
  const { exit_code: code, signal, message } = state;
  const parts = [state.reason, typeof code === 'number' && `exit code ${code}`, signal && `signal ${signal}`].filter(Boolean).join(', ');
  return (
    <>
      {parts ? `${state.state ?? 'unknown'}: ${parts}` : (state.state ?? 'unknown')}
      {message && (
        <Text component="bdi" size="xs" c="dimmed" display="block" className={classes['state-message']}>
          {message}
        </Text>
      )}
    </>
  );
}
