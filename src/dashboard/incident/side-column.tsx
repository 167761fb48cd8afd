import { lazy, type ReactNode, Suspense } from 'react';
import type { FailureDiagnosis } from '../../contract/diagnosis.ts';
import type { ShownFailure } from '../../contract/failure.ts';
import { Ago } from '../components/ago.tsx';
import { Facts } from '../components/facts.tsx';
import { Line } from '../components/prose.tsx';
import { Sparkline } from '../components/sparkline.tsx';
import { Alerts } from './alerts.tsx';
import { Similar } from './history.tsx';
import classes from './incident.module.css';
import { Siblings } from './other-pods.tsx';
import { Suppression } from './suppression.tsx';
import { Told } from './sent-messages.tsx';

const Comments = lazy(async () => ({ default: (await import('./comments.tsx')).Comments }));

/** The column beside the stages: facts, comments, recent changes, similar failures, and the Suppression that hides it. */
export function Aside({ failure, diagnosis }: { failure: ShownFailure; diagnosis: FailureDiagnosis | undefined }) {
  return (
    <aside className={classes['aside']} aria-label="About this incident">
      <Known failure={failure} />
      <Suspense fallback={null}>
        <Comments key={failure.incident_id} incident={failure.incident_id} />
      </Suspense>
      {diagnosis?.changed && (
        <section aria-label="What changed">
          <h3>What changed</h3>
          <p>
            <Line text={diagnosis.changed.since} />
          </p>
          <ul className={classes['plain-list']}>
            {diagnosis.changed.lines.map((line) => (
              <li key={line}>
                <Line text={line} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <Alerts failure={failure} />
      <Told failure={failure} />
      <Siblings failure={failure} />
      <Similar failure={failure} />
      <Suppression failure={failure} />
    </aside>
  );
}

function Known({ failure }: { failure: ShownFailure }) {
  const { workload, container, node_name: node, longest_run_seconds: longest } = failure;
  const facts: [name: string, value: ReactNode][] = [
    ...(workload ? [[workload.kind, <bdi key="workload">{workload.name}</bdi>] as [string, ReactNode]] : []),
    ...(container ? [['Container', <bdi key="container">{container}</bdi>] as [string, ReactNode]] : []),
    ...(node ? [['Node', <bdi key="node">{node}</bdi>] as [string, ReactNode]] : []),
    ['First seen', <Ago key="first" at={failure.timestamp} />],
    ['Last seen', <Ago key="last" at={failure.last_seen} />],
    ['Seen', failure.occurrences === 1 ? 'once' : `${failure.occurrences} times`],
    ['Last 24 hours', <Sparkline key="spark" counts={failure.occurrences_24h} />],
    ...(longest === null ? [] : [['Longest run', `${longest} s`] as [string, ReactNode]]),
    ...(failure.resolved_at ? [['Resolved', <Ago key="resolved" at={failure.resolved_at} />] as [string, ReactNode]] : []),
  ];
  return <Facts facts={facts} />;
}
