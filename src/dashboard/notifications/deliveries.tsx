import { SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Delivery } from '../../contract/notification.ts';
import { useAddress } from '../components/address.ts';
import { Ago } from '../components/ago.tsx';
import { DeliveryState, SendAgain, WhyNot } from '../components/delivery.tsx';
import { eventName } from '../components/delivery-words.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Row, Rows } from '../components/rows.tsx';
import { ask } from '../live/request.ts';
import classes from './notifications.module.css';

const AGAIN_MS = 5_000;
const SHOWN: { value: string; label: string; has(delivery: Delivery): boolean }[] = [
  { value: 'all', label: 'All', has: () => true },
  { value: 'waiting', label: 'Waiting', has: ({ state }) => state === 'pending' },
  { value: 'dead', label: 'Not sent', has: ({ state }) => state === 'dead' },
];

/** The newest messages of a provider with their states. */
export function Deliveries({ provider }: { provider: string }) {
  const [{ show }, change] = useAddress();
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries', provider],
    queryFn: ({ signal }) => ask<Delivery[]>(`/api/admin/notifications/${encodeURIComponent(provider)}/deliveries`, { signal }),
    refetchInterval: AGAIN_MS,
    staleTime: 0,
  });
  const shown = SHOWN.find(({ value }) => value === show) ?? SHOWN[0];
  const rows = data?.filter((delivery) => shown?.has(delivery));
  return (
    <>
      <SegmentedControl
        size="xs"
        mb="sm"
        aria-label="Which messages"
        data={SHOWN.map(({ value, label, has }) => ({ value, label: data ? `${label} ${data.filter(has).length}` : label }))}
        value={shown?.value ?? 'all'}
        onChange={(value) => change({ show: value === 'all' ? undefined : value })}
      />
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!rows && !error && <Skeleton height={62} />}
      {rows?.length === 0 && (
        <EmptyState title={data?.length === 0 ? 'Nothing was sent yet' : 'None of these'}>
          {data?.length === 0 ? 'Test messages are not kept here.' : 'Choose All to see the others.'}
        </EmptyState>
      )}
      {rows && rows.length > 0 && (
        <Rows label="Messages">
          {rows.map((delivery) => (
            <Row
              key={delivery.id}
              lead={<DeliveryState delivery={delivery} />}
              title={<bdi>{delivery.title}</bdi>}
              meta={
                <>
                  <span>{eventName(delivery.event)}</span>
                  <Ago at={delivery.created_at} />
                  {delivery.attempts > 1 && <span>{delivery.attempts} tries</span>}
                </>
              }
              end={<SendAgain delivery={{ provider, ...delivery }} />}
            >
              {delivery.reason !== null && (
                <p className={classes['trouble']}>
                  <WhyNot delivery={{ provider, ...delivery }} />
                </p>
              )}
            </Row>
          ))}
        </Rows>
      )}
    </>
  );
}
