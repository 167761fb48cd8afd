import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { GraphNamespaces } from '../../contract/graph.ts';
import { useAddress, useScope } from '../components/address.ts';
import { ask } from '../live/request.ts';
import classes from './frame.module.css';

/** The namespace that all screens are limited to. It is in the address. */
export function Scope() {
  const scope = useScope();
  const [, change] = useAddress();
  const [isWanted, want] = useState(false);
  const { data, error } = useQuery({
    queryKey: ['namespaces'],
    queryFn: ({ signal }) => ask<GraphNamespaces>('/api/diagram/namespaces', { signal }),
    enabled: isWanted,
    staleTime: 60_000,
  });
  const names = new Set([...(data?.namespaces ?? []), ...(scope === undefined ? [] : [scope])]);
  return (
    <Select
      size="xs"
      className={classes['scope']}
      aria-label="Namespace"
      placeholder="All namespaces"
      data={[...names].sort()}
      value={scope ?? null}
      onChange={(namespace) => change({ namespace: namespace ?? undefined }, 'push')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'All namespaces' }}
      limit={100}
      maxDropdownHeight={320}
      comboboxProps={{ width: 260, position: 'bottom-start' }}
      nothingFoundMessage={error ? error.message : 'No such namespace'}
      onFocus={() => want(true)}
    />
  );
}
