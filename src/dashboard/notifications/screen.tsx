import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { NotificationSetting } from '../../contract/notification.ts';
import { useAddress } from '../components/address.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { useReason } from '../components/guarded.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Rows } from '../components/rows.tsx';
import { ask } from '../live/request.ts';
import { EditProvider } from './edit.tsx';
import { Provider } from './provider.tsx';
import { ProviderRow } from './row.tsx';

const AGAIN_MS = 15_000;

/** The providers: who gets messages about failures, and whether each message arrived. */
export function Screen() {
  const reason = useReason('admin');
  if (reason !== undefined)
    return (
      <>
        <PageHead title="Notifications" />
        <EmptyState title="Providers are for administrators">
          {reason.replace('This can be done by', 'They can be seen by')} An incident says itself who was told about it.
        </EmptyState>
      </>
    );
  return <Providers />;
}

function Providers() {
  const [{ provider, add }, change] = useAddress();
  useFocusOn(`${provider} ${add}`);
  const { data, error, refetch } = useQuery({
    queryKey: ['providers'],
    queryFn: ({ signal }) => ask<NotificationSetting[]>('/api/admin/notifications', { signal }),
    refetchInterval: AGAIN_MS,
  });
  const failed = <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (add !== undefined)
    return (
      <>
        <PageHead title="New provider" />
        {data || error ? <EditProvider before={undefined} names={data?.map((one) => one.provider) ?? []} /> : <Skeleton height={240} />}
      </>
    );
  const chosen = data?.find((one) => one.provider === provider);
  if (provider !== undefined && chosen) return <Provider key={provider} setting={chosen} />;
  return (
    <>
      <PageHead title="Notifications">
        <Button size="xs" onClick={() => change({ add: 'yes', provider: undefined }, 'push')}>
          New provider
        </Button>
      </PageHead>
      {failed}
      {!data && !error && <Skeleton height={62} />}
      {data && provider !== undefined && <EmptyState title={`There is no provider ${provider}`}>Somebody may have removed it.</EmptyState>}
      {data?.length === 0 && (
        <EmptyState title="No provider yet">
          A provider tells people of failures: a chat, an on-call service, e-mail or a webhook.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <Rows label="Providers">
          {data.map((one) => (
            <ProviderRow key={one.provider} setting={one} />
          ))}
        </Rows>
      )}
    </>
  );
}

/** The focused element disappears when another provider is shown, so the focus moves to the start of the screen. */
function useFocusOn(shown: string): void {
  const before = useRef(shown);
  useEffect(() => {
    if (before.current !== shown) document.getElementById('content')?.focus({ preventScroll: true });
    before.current = shown;
  }, [shown]);
}
