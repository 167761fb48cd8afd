import { Select, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { GraphNamespaces, RoleListing } from '../../contract/graph.ts';
import { useAddress } from '../components/address.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Notice } from '../components/notice.tsx';
import { ask } from '../live/request.ts';
import classes from './graphs.module.css';
import { StatusSign } from './status-sign.tsx';

/** How soon a newly failing namespace is shown. */
const REFRESH_MS = 30_000;

/** Open incidents by namespace. A Map, because a namespace may be called like a property of all objects. */
const failingIn = (data: GraphNamespaces | undefined): Map<string, number> => new Map(Object.entries(data?.failing ?? {}));

/** Namespaces with most failures first, the others in the API's order. */
function worstFirst(namespaces: readonly string[], failing: ReadonlyMap<string, number>): string[] {
  return namespaces.toSorted((a, b) => (failing.get(b) ?? 0) - (failing.get(a) ?? 0));
}

/** Lets a person choose a namespace when the top bar selects all. */
export function ChooseNamespace() {
  const [, change] = useAddress();
  const { data, error, refetch } = useQuery({
    queryKey: ['namespaces'],
    queryFn: ({ signal }) => ask<GraphNamespaces>('/api/diagram/namespaces', { signal }),
    refetchInterval: REFRESH_MS,
  });
  const failing = failingIn(data);
  return (
    <section aria-label="Namespaces">
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Skeleton height={160} />}
      {data?.namespaces.length === 0 && <EmptyState title="No namespace can be drawn">This cluster shows none to Podmend.</EmptyState>}
      {data && data.namespaces.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mb="xs">
            A graph shows one namespace. Choose one, here or in the bar above.
          </Text>
          <ul className={classes['namespaces']}>
            {worstFirst(data.namespaces, failing).map((namespace) => (
              <li key={namespace}>
                <button type="button" className={classes['namespace']} onClick={() => change({ namespace }, 'push')}>
                  <bdi>{namespace}</bdi>
                  {failing.has(namespace) && (
                    <span className={classes['state']} data-status="failing">
                      <StatusSign status="failing" /> {failing.get(namespace)?.toLocaleString()} failing
                    </span>
                  )}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Lets a person choose the role of the access graph. The scope limits Roles; ClusterRoles have no namespace. */
export function ChooseRole({ namespace, role }: { namespace: string | undefined; role: string | undefined }) {
  const [, change] = useAddress();
  const { data, error, refetch } = useQuery({
    queryKey: ['roles'],
    queryFn: ({ signal }) => ask<RoleListing>('/api/diagram/roles', { signal }),
  });
  const roles = (data?.roles ?? []).filter((one) => namespace === undefined || one.namespace === namespace);
  const options = [
    {
      group: 'Roles',
      items: roles.map((one) => ({
        value: `Role/${one.namespace}/${one.name}`,
        label: namespace === undefined ? `${one.namespace}/${one.name}` : one.name,
      })),
    },
    {
      group: 'ClusterRoles',
      items: (data?.cluster_roles ?? []).map(({ name }) => ({ value: `ClusterRole/cluster-wide/${name}`, label: name })),
    },
  ].filter(({ items }) => items.length > 0);
  return (
    <>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data?.missing_rights && <Notice tone="unsure">Podmend may not {data.missing_rights.join(', ')}: the list lacks something.</Notice>}
      {!data && !error && <Skeleton height={30} width={320} />}
      {data && options.length === 0 && (
        <EmptyState title="There are no roles here">
          {namespace === undefined ? 'This cluster has neither Roles nor ClusterRoles.' : 'Choose another namespace in the bar above.'}
        </EmptyState>
      )}
      {data && options.length > 0 && (
        <Select
          size="xs"
          w={{ base: '100%', xs: 340 }}
          mb="sm"
          label="Role"
          placeholder="Choose a role"
          data={options}
          value={role ?? null}
          onChange={(value) =>
            change({ role: value ?? undefined, node: undefined, near: undefined, expand: undefined, fold: undefined }, 'push')
          }
          searchable
          limit={200}
          maxDropdownHeight={320}
          nothingFoundMessage="No such role"
        />
      )}
    </>
  );
}
