import { Button } from '@mantine/core';
import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import type { TestResult } from '../../contract/notification.ts';
import { reasonText } from '../components/delivery-words.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Notice } from '../components/notice.tsx';
import { ask } from '../live/request.ts';
import classes from './notifications.module.css';

type Test = UseMutationResult<TestResult, Error, void>;

/** Sends a real message to test a provider as it is saved. */
export function useTest(provider: string): Test {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => ask<TestResult>(`/api/admin/notifications/${encodeURIComponent(provider)}/test`, { method: 'POST' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['providers'] }),
  });
}

export function TestButton({ test }: { test: Test }) {
  return (
    <Button variant="default" size="compact-sm" loading={test.isPending} title="Sends a real message" onClick={() => test.mutate()}>
      Test
    </Button>
  );
}

/** The service's answer to the test message. */
export function TestSaid({ test: { data, error } }: { test: Test }) {
  if (error) return <ErrorNotice error={error} />;
  if (!data) return null;
  if (data.delivered)
    return (
      <Notice tone="plain" role="status" title="The test message was sent">
        {data.detail}
      </Notice>
    );
  return (
    <Notice tone="bad" role="alert" title={`The test message was not sent: ${reasonText(data.reason ?? '')}`}>
      <span className={classes['reason']}>{data.reason}</span> <bdi>{data.detail}</bdi>
    </Notice>
  );
}
