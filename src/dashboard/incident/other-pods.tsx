import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FailureRecord } from '../../contract/failure.ts';
import { ask } from '../live/request.ts';
import classes from './incident.module.css';

/** The maximum number of pods listed. */
const MOST = 100;
const SHOWN = 8;

/** The incident's other failing pods. */
export function Siblings({ failure }: { failure: FailureRecord }) {
  const query = new URLSearchParams({ namespace: failure.namespace, reason: failure.failure_reason, limit: String(MOST) }).toString();
  const { data = [] } = useQuery({
    queryKey: ['siblings', failure.id, failure.namespace, failure.failure_reason],
    queryFn: ({ signal }) => ask<FailureRecord[]>(`/api/pods/failed?${query}`, { signal }),
  });
  const others = data.filter(({ incident_id, id }) => incident_id === failure.incident_id && id !== failure.id);
  if (others.length === 0) return null;
  return (
    <section aria-label="Pods that fail in the same way">
      <h3>{others.length === 1 ? 'Another pod fails alike' : `${others.length} other pods fail alike`}</h3>
      <ul className={classes['plain-list']}>
        {others.slice(0, SHOWN).map(({ id, pod_name: pod }) => (
          <li key={id}>
            <Link to="/incidents/$id" params={{ id: String(id) }} className={classes['mono'] ?? ''}>
              {pod}
            </Link>
          </li>
        ))}
      </ul>
      {others.length > SHOWN && <p className={classes['small']}>and {others.length - SHOWN} more</p>}
    </section>
  );
}
