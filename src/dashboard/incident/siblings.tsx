import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FailureRecord } from '../../contract/failure.ts';
import type { Page } from '../live/apply.ts';

/** The other pods of the incident, as far as the list shows them. */
export function Siblings({ failure }: { failure: FailureRecord }) {
  const client = useQueryClient();
  const lists = client.getQueriesData<InfiniteData<Page>>({ queryKey: ['failures'] });
  const records = lists.flatMap(([, data]) => data?.pages.flatMap(({ body }) => body) ?? []);
  const others = new Map(
    records.filter((one) => one.incident_id === failure.incident_id && one.id !== failure.id).map((one) => [one.id, one]),
  );
  if (others.size === 0) return null;
  return (
    <section aria-label="Pods that fail in the same way" className="siblings">
      <Text size="sm" c="dimmed">
        Fails alike:
      </Text>
      {[...others.values()].map(({ id, pod_name }) => (
        <Link key={id} to="/incidents/$id" params={{ id: String(id) }}>
          {pod_name}
        </Link>
      ))}
    </section>
  );
}
