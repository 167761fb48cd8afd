import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ShownFailure } from '../../contract/failure.ts';
import type { Incident, IncidentPage } from '../../contract/incident.ts';
import { Ago } from '../components/ago.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Verdict } from '../components/verdict.tsx';
import { ask } from '../live/request.ts';
import classes from './incident.module.css';

const MOST = 50;
const MOST_SIMILAR = 6;

const page = (query: Record<string, string>) => `/api/incidents?${new URLSearchParams(query).toString()}`;
/** The name that an incident stands under. */
const nameOf = ({ workload, pod_name: pod }: Pick<ShownFailure, 'workload' | 'pod_name'>): string => workload?.name ?? pod;

/** Closed incidents of the same workload, newest first. */
export function History({ failure }: { failure: ShownFailure }) {
  const name = nameOf(failure);
  const query = useQuery({
    queryKey: ['history of', failure.namespace, name],
    queryFn: ({ signal }) =>
      ask<IncidentPage>(page({ list: 'resolved', namespace: failure.namespace, q: name, sort: 'last_seen', limit: String(MOST) }), {
        signal,
      }),
    staleTime: 0,
  });
  const earlier = query.data?.incidents.filter((one) => one.workload.name === name && one.id !== failure.incident_id);
  if (!earlier) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (earlier.length === 0) return <EmptyState title="Nothing of this workload failed before">As far as the records go back.</EmptyState>;
  return (
    <ol className={classes['history']} aria-label={`Earlier incidents of ${name}`}>
      {earlier.map((one) => (
        <Row key={one.id} incident={one} />
      ))}
    </ol>
  );
}

function Row({ incident }: { incident: Incident }) {
  return (
    <li>
      <Link to="/incidents/$id" params={{ id: String(incident.failure_id) }}>
        {incident.cause}
      </Link>
      <span className={classes['small']}>
        {incident.reason} · began <Ago at={incident.first_seen} />
        {incident.resolved_at && (
          <>
            , resolved <Ago at={incident.resolved_at} />
          </>
        )}
        {incident.verdict && (
          <>
            {' '}
            · <Verdict verdict={incident.verdict.verdict} />
          </>
        )}
      </span>
    </li>
  );
}

/** Other open incidents with the same reason, which the same correction may help. */
export function Similar({ failure }: { failure: ShownFailure }) {
  const { data } = useQuery({
    queryKey: ['similar to', failure.failure_reason],
    queryFn: ({ signal }) =>
      ask<IncidentPage>(page({ list: 'active', reason: failure.failure_reason, limit: String(MOST_SIMILAR) }), { signal }),
  });
  const others = data?.incidents.filter(({ id }) => id !== failure.incident_id) ?? [];
  if (others.length === 0) return null;
  return (
    <section aria-label="Similar incidents">
      <h3>Also {failure.failure_reason}</h3>
      <ul className={classes['plain-list']}>
        {others.slice(0, MOST_SIMILAR - 1).map((one) => (
          <li key={one.id}>
            <Link to="/incidents/$id" params={{ id: String(one.failure_id) }} title={one.cause}>
              {one.workload.name}
            </Link>{' '}
            <span className={classes['small']}>{one.namespace}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
