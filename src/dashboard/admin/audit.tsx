import { Button, NativeSelect, Skeleton, Table, TextInput } from '@mantine/core';
import type { AuditRecord } from '../../contract/auth.ts';
import { useAddress } from '../components/address.ts';
import { Ago } from '../components/ago.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { usePages } from '../components/pages.ts';
import { queryOf } from '../components/query-of.ts';
import { SearchField } from '../components/search.tsx';
import classes from './admin.module.css';

/** The first words of actions. */
const AREAS = [
  ...['advice', 'auth', 'excluded-namespace', 'excluded-pod', 'failure', 'finding', 'mirror', 'model', 'notification'],
  ...['scan', 'setting', 'suppression', 'token', 'trusted-registry', 'user'],
];

/** The audit log: who did what, when, and from which address. */
export function Audit() {
  const [{ who, action, q, since, until }, change] = useAddress();
  const wish = { username: who, action, q, from: since && startOf(since), to: until && endOf(until) };
  const { rows, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePages<AuditRecord>(
    ['audit', wish],
    `/api/admin/audit${queryOf(wish)}`,
  );
  return (
    <>
      <div className={`${classes['form']} ${classes['narrowed']}`}>
        <SearchField label="Who" maxLength={128} value={who} onSearch={(text) => change({ who: text })} />
        <NativeSelect
          size="xs"
          label="What about"
          data={[{ value: '', label: 'Everything' }, ...AREAS]}
          value={action ?? ''}
          onChange={(event) => change({ action: event.currentTarget.value })}
        />
        <SearchField label="Search" placeholder="Target, name, address" value={q} onSearch={(text) => change({ q: text })} />
        <TextInput
          size="xs"
          type="date"
          label="From"
          defaultValue={since ?? ''}
          onChange={(event) => change({ since: event.currentTarget.value })}
        />
        <TextInput
          size="xs"
          type="date"
          label="To"
          defaultValue={until ?? ''}
          onChange={(event) => change({ until: event.currentTarget.value })}
        />
      </div>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!rows && !error && <Skeleton height={240} />}
      {rows?.length === 0 && <EmptyState title="Nothing here matches">Change what is shown above.</EmptyState>}
      {rows && rows.length > 0 && (
        <div className={classes['scroll']} tabIndex={0} role="region" aria-label="Audit log">
          <Table className={`stacked ${classes['table']}`} verticalSpacing={5}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>When</Table.Th>
                <Table.Th>Who</Table.Th>
                <Table.Th>What</Table.Th>
                <Table.Th>To what</Table.Th>
                <Table.Th>From</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.id}>
                  <Table.Td className={classes['when'] ?? ''}>
                    <Ago at={row.at} />
                  </Table.Td>
                  <Table.Td>
                    <bdi>{row.username || 'nobody'}</bdi>
                  </Table.Td>
                  <Table.Td className="mono">{row.action}</Table.Td>
                  <Table.Td className={classes['target'] ?? ''} data-whole>
                    <bdi>{row.target}</bdi>
                    {Object.keys(row.details).length > 0 && (
                      <div className={`mono ${classes['details']}`}>{JSON.stringify(row.details)}</div>
                    )}
                  </Table.Td>
                  <Table.Td data-label="from">{row.address}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {hasNextPage && (
        <Button variant="default" size="xs" w="fit-content" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}

/** The start of a day in the browser's time zone; undefined for invalid text. */
function startOf(day: string): string | undefined {
  const date = new Date(`${day}T00:00:00`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** The beginning of the day after it. */
function endOf(day: string): string | undefined {
  const date = new Date(`${day}T00:00:00`);
  if (Number.isNaN(date.getTime())) return undefined;
  date.setDate(date.getDate() + 1);
  return date.toISOString();
}
