import { Anchor, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Incident, Overview } from '../../contract/incident.ts';
import { Ago } from '../components/ago.tsx';
import { useScope } from '../components/address.ts';
import { Bars } from '../components/bars.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Check, Pending } from '../components/icons.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import { queryOf } from '../components/query-of.ts';
import { exactly } from '../components/times.ts';
import { Verdict } from '../components/verdict.tsx';
import { ask } from '../live/request.ts';
import classes from './overview.module.css';

/** The socket has no message for an agent that fell silent or an hour that passed. */
const REFRESH_MS = 30_000;
const HOUR = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** The first things that a person on call wants to know. */
export function Screen() {
  const wish = { namespace: useScope() };
  const { data, error, refetch } = useQuery({
    queryKey: ['overview', wish],
    queryFn: ({ signal }) => ask<Overview>(`/api/overview${queryOf(wish)}`, { signal }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <PageHead title="Overview" />
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data ? (
        <Shown overview={data} namespace={wish.namespace} />
      ) : (
        !error && <Skeleton height={320} role="img" aria-label="Loading the overview" />
      )}
    </>
  );
}

function Shown({ overview, namespace }: { overview: Overview; namespace: string | undefined }) {
  const { totals, agents, proven, proven_total, newest, worst, setup } = overview;
  const areMore = totals.active > newest.length;
  const others = newest.filter(({ id }) => !proven.some((one) => one.id === id));
  const isSetUp = setup.every(({ step, done }) => done || step === 'model' || step === 'people');
  return (
    <div className={classes['screen']}>
      <Figures overview={overview} />
      {agents.silent.length > 0 && <Silent silent={agents.silent} />}
      {totals.active === 0 ? (
        <EmptyState title={namespace === undefined ? 'Nothing fails.' : `Nothing fails in ${namespace}.`}>{watched(overview)}</EmptyState>
      ) : (
        <>
          {proven.length > 0 && (
            <Panel title="Proven, not yet taken" beside={proven_total > proven.length ? `${proven.length} of ${proven_total}` : undefined}>
              <Incidents incidents={proven} end={({ verdict }) => verdict && <Verdict verdict={verdict.verdict} />} />
            </Panel>
          )}
          {areMore && (
            <Panel title="Most restarts">
              <Incidents incidents={worst} end={({ restarts }) => counted(restarts, 'restart')} />
            </Panel>
          )}
          {others.length > 0 && (
            <Panel
              title={areMore ? 'Newest incidents' : proven.length > 0 ? 'Other open incidents' : 'Open incidents'}
              beside={
                <Anchor component={Link} to="/incidents" inherit>
                  {areMore ? `All ${totals.active.toLocaleString()} incidents` : 'All incidents'}
                </Anchor>
              }
            >
              <Incidents incidents={others} end={(incident) => <Since incident={incident} />} />
            </Panel>
          )}
        </>
      )}
      <Strip overview={overview} />
      {!isSetUp && <FirstSteps setup={setup} />}
    </div>
  );
}

/** A text for the time while nothing fails: how many pods and nodes are watched. */
function watched({ agents: { nodes, pods }, resolved_24h }: Overview): string {
  if (nodes === 0) return 'No agent reports, so Podmend sees only pods without a node. Install the agent on every node.';
  const ended = resolved_24h === 0 ? '' : ` ${counted(resolved_24h, 'incident')} ended in the last 24 hours.`;
  return `${counted(pods, 'pod')} on ${counted(nodes, 'node')} are watched. A failing pod appears here within seconds.${ended}`;
}

const counted = (count: number, what: string): string => `${count.toLocaleString()} ${what}${count === 1 ? '' : 's'}`;

function Figures({ overview: { totals, new_24h, proven_total, agents } }: { overview: Overview }) {
  return (
    <dl className={classes['figures']}>
      <Figure
        name="Open incidents"
        value={totals.active}
        tone={totals.active > 0 ? 'bad' : 'good'}
        says={hiddenOf(totals)}
        to="/incidents"
      />
      <Figure name="New in 24 hours" value={new_24h} says="" />
      <Figure name="Proven, not yet taken" value={proven_total} tone={proven_total > 0 ? 'good' : undefined} says="" />
      <Figure
        name="Nodes watched"
        value={agents.nodes}
        tone={agents.silent.length > 0 || agents.nodes === 0 ? 'bad' : undefined}
        says={agents.silent.length > 0 ? `${agents.silent.length} silent` : counted(agents.pods, 'pod')}
      />
    </dl>
  );
}

function hiddenOf({ ignored, suppressed }: Overview['totals']): string {
  const parts = [ignored > 0 && `${ignored} dismissed`, suppressed > 0 && `${suppressed} suppressed`];
  return parts.filter((part) => part !== false).join(', ');
}

interface FigureProps {
  name: string;
  value: number;
  says: string;
  tone?: 'bad' | 'good' | undefined;
  to?: string;
}

function Figure({ name, value, says, tone, to }: FigureProps) {
  const number = value.toLocaleString();
  return (
    <div className={classes['figure']} data-tone={tone}>
      <dt>{name}</dt>
      <dd>
        <span className={classes['number']}>{to ? <Link to={to}>{number}</Link> : number}</span>
        <span className={classes['says']}>{says}</span>
      </dd>
    </div>
  );
}

function Silent({ silent }: { silent: Overview['agents']['silent'] }) {
  const [first, ...rest] = silent;
  return (
    <Notice tone="unsure" title={silent.length === 1 ? 'An agent is silent' : `${silent.length} agents are silent`}>
      {first && (
        <>
          <bdi className="mono">{first.node}</bdi> was last heard of <Ago at={first.last_seen} />.{' '}
        </>
      )}
      {rest.length > 0 &&
        `Also: ${rest
          .slice(0, 10)
          .map(({ node }) => node)
          .join(', ')}${rest.length > 10 ? ' and others' : ''}. `}
      The operator watches these nodes itself, with less evidence. Check the agent&apos;s pod there.
    </Notice>
  );
}

const STEPS: Record<Overview['setup'][number]['step'], [title: string, how: string]> = {
  agent: ['An agent reports', 'It runs on each node; the installation brings it.'],
  failure: ['A failure was seen', 'As soon as a pod fails, it is listed under Incidents.'],
  mirror: ['A correction was tried on a mirror', 'Open an incident, choose a correction, then “Try it”.'],
  people: ['Others were invited', 'An administrator adds users with a role: read, write or admin.'],
  model: ['A language model is set up (optional)', 'The rules explain failures without one.'],
};

function FirstSteps({ setup }: { setup: Overview['setup'] }) {
  return (
    <Panel title="First steps" beside={`${setup.filter(({ done }) => done).length} of ${setup.length} done`}>
      <ol className={classes['steps']}>
        {setup.map(({ step, done }) => (
          <li key={step} data-done={done}>
            {done ? <Check size={16} /> : <Pending size={16} />}
            <div>
              <Text size="sm" fw={600}>
                {STEPS[step][0]}
                {done && <span className={classes['done']}> · done</span>}
              </Text>
              {!done && (
                <Text size="sm" c="dimmed">
                  {STEPS[step][1]}
                </Text>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Strip({ overview: { hours, new_24h, resolved_24h } }: { overview: Overview }) {
  const bars = hours.map(({ from, opened, resolved }) => ({
    key: from,
    title: `${opened} new, ${resolved} resolved in the hour from ${exactly(new Date(from))}`,
    up: opened,
    down: resolved,
  }));
  const says = `The last 24 hours by the hour: ${new_24h} new incidents, ${resolved_24h} resolved`;
  return (
    <Panel title="Last 24 hours" beside={`${new_24h} new, ${resolved_24h} resolved`}>
      <Bars bars={bars} says={says} />
      <div className={classes['ends']} aria-hidden="true">
        {hours[0] && <span title={exactly(new Date(hours[0].from))}>{HOUR.format(new Date(hours[0].from))}</span>}
        <span className={classes['legend']}>
          <span data-of="new">new</span> <span data-of="resolved">resolved</span>
        </span>
        <span>now</span>
      </div>
    </Panel>
  );
}

function Panel({ title, beside, children }: { title: string; beside?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes['panel']} aria-label={title}>
      <div className={classes['panel-head']}>
        <Title order={2} size="h3">
          {title}
        </Title>
        {beside && <span className={classes['says']}>{beside}</span>}
      </div>
      {children}
    </section>
  );
}

function Since({ incident: { first_seen: since, restarts } }: { incident: Incident }) {
  return (
    <>
      {restarts > 0 && `${counted(restarts, 'restart')} · `}
      <Ago at={since} isShort />
    </>
  );
}

interface IncidentsProps {
  incidents: Incident[];
  /** The content at the end of the line. */
  end(incident: Incident): ReactNode;
}

function Incidents({ incidents, end }: IncidentsProps) {
  return (
    <ul className={classes['list']}>
      {incidents.map((incident) => (
        <li key={incident.id}>
          <Link to="/incidents/$id" params={{ id: String(incident.failure_id) }} className={classes['row']}>
            <span className={classes['name']} title={`${incident.workload.kind} ${incident.workload.name} in ${incident.namespace}`}>
              <bdi>{incident.workload.name}</bdi>
              <span className={classes['says']}>
                {' '}
                <bdi>{incident.namespace}</bdi>
              </span>
            </span>
            <span className={classes['cause']} title={incident.cause}>
              <bdi>{incident.cause}</bdi>
            </span>
            <span className={classes['end']}>{end(incident)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
