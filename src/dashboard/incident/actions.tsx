import { Button, Group, Menu } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FailureRecord, FailureStatus } from '../../contract/failure.ts';
import { ask, type Question } from '../live/ask.ts';
import { Guarded, useReason } from '../components/guarded.tsx';
import { Down } from '../components/icons.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { STATUS_NAMES, StatusDot } from '../components/status.tsx';

const CHOICES: FailureStatus[] = ['new', 'investigating', 'resolved'];

interface ActionsProps {
  failure: FailureRecord;
  /** Called with the new status from the server. */
  changed(status: FailureStatus): void;
}

/** What people can do about a failure: set its status, ignore it, ask for a new explanation. */
export function Actions({ failure, changed }: ActionsProps) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: ([path, question]: [string, Question]) => ask<FailureRecord>(path, question),
    onSuccess: async ({ status }) => {
      changed(status);
      await Promise.all([
        client.invalidateQueries({ queryKey: ['failures'] }),
        client.invalidateQueries({ queryKey: ['failure', failure.id] }),
      ]);
    },
  });
  const reason = useReason('write');
  const { id, status } = failure;
  const isIgnored = status === 'ignored';
  return (
    <div>
      <Group gap="xs">
        <Menu position="bottom-start" width={190}>
          <Menu.Target>
            <Button
              variant="default"
              size="sm"
              leftSection={<StatusDot status={status} isNamed />}
              rightSection={<Down size={14} />}
              loading={change.isPending}
              disabled={reason !== undefined}
              title={reason}
            >
              {STATUS_NAMES[status]}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>Set the status</Menu.Label>
            {CHOICES.filter((choice) => choice !== status).map((choice) => (
              <Menu.Item
                key={choice}
                leftSection={<StatusDot status={choice} isNamed />}
                onClick={() => change.mutate([`/api/pods/${id}/status`, { method: 'PUT', body: { status: choice } }])}
              >
                {STATUS_NAMES[choice]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Guarded needs="write">
          <Button
            variant="default"
            size="sm"
            disabled={change.isPending}
            title={
              isIgnored
                ? 'Show this failure in the active list again'
                : 'Ignore this failure, and every pod of the workload that fails in the same way'
            }
            onClick={() =>
              change.mutate(
                isIgnored ? [`/api/pods/ignored/${id}/restore`, { method: 'PUT' }] : [`/api/pods/failed/${id}`, { method: 'DELETE' }],
              )
            }
          >
            {isIgnored ? 'Restore' : 'Dismiss'}
          </Button>
        </Guarded>
        <Guarded needs="write">
          <Button
            variant="default"
            size="sm"
            disabled={change.isPending}
            onClick={() => change.mutate([`/api/pods/failed/${id}/retry-solution`, { method: 'POST' }])}
          >
            Explain again
          </Button>
        </Guarded>
      </Group>
      <ErrorNotice error={change.error} />
    </div>
  );
}
