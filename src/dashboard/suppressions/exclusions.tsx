import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ExclusionEntries, ExclusionList } from '../components/exclusion-list.tsx';
import classes from './suppressions.module.css';

const LISTS: readonly ExclusionEntries[] = [
  {
    kind: 'namespace',
    path: '/api/admin/excluded-namespaces',
    field: 'namespace',
    title: 'Excluded namespaces',
    about: 'Nothing in them is shown.',
    add: 'Exclude',
    example: 'sandbox-*',
    end: 'Include again',
  },
  {
    kind: 'pod',
    path: '/api/admin/excluded-pods',
    field: 'pod_name',
    title: 'Excluded pods',
    about: 'Pods of these names are not shown, in any namespace.',
    add: 'Exclude',
    example: 'canary-*',
    end: 'Include again',
  },
];

/** Suppressions of a single shape as lists: excluded namespaces and pods. Registries are on the Security screen. */
export function ExclusionLists() {
  return (
    <>
      <div className={classes['entries']}>
        {LISTS.map((list) => (
          <ExclusionList key={list.kind} list={list} />
        ))}
      </div>
      <Text size="sm" mt="md">
        <Anchor component={Link} inherit underline="always" to="/security" search={{ registries: 'yes' } as never}>
          Trusted registries
        </Anchor>{' '}
        are under Security.
      </Text>
    </>
  );
}
