import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FailureRecord, FailureStatus, ShownFailure } from '../../contract/failure.ts';
import { useCopy } from '../components/copy.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { addressOfPod } from '../components/graph-address.ts';
import { Guarded, useReason } from '../components/guarded.tsx';
import { Check, Copy, Dots, Down } from '../components/icons.tsx';
import { STATUS_NAMES, StatusDot } from '../components/status.tsx';
import { ask, type Question } from '../live/request.ts';
import { Assignee } from './assignee.tsx';

const CHOICES: FailureStatus[] = ['new', 'investigating', 'resolved'];

const DISMISSED = {
  shown: { name: 'Dismiss', why: 'Ignore every pod of the workload that fails in the same way' },
  ignored: { name: 'Restore', why: 'Show it in the active list again' },
};

/** Actions on a failure other than its correction: change the status, ignore, explain again, copy a link. */
export function Actions({ failure }: { failure: ShownFailure }) {
  const client = useQueryClient();
  const { id, status } = failure;
  // The menu needs the button itself.
  const reason = useReason('write');
  const change = useMutation({
    mutationFn: ([path, question]: [string, Question]) => ask<FailureRecord>(path, question),
    onSuccess: async (record) => {
      client.setQueryData<ShownFailure>(['failure', id], (known) => known && { ...known, status: record.status });
      await Promise.all(['incidents', 'failure'].map((name) => client.invalidateQueries({ queryKey: [name] })));
    },
  });
  const mayChange = reason === undefined && !change.isPending;
  const isIgnored = status === 'ignored';
  const said = isIgnored ? 'ignored' : 'shown';
  const dismiss = (): void =>
    change.mutate(isIgnored ? [`/api/pods/ignored/${id}/restore`, { method: 'PUT' }] : [`/api/pods/failed/${id}`, { method: 'DELETE' }]);
  return (
    <div>
      <Group gap="xs">
        <Assignee failure={failure} />
        <Menu position="bottom-end" width={190}>
          <Menu.Target>
            <Button
              variant="default"
              size="compact-sm"
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
            size="compact-sm"
            visibleFrom="xs"
            disabled={change.isPending}
            title={DISMISSED[said].why}
            onClick={dismiss}
          >
            {DISMISSED[said].name}
          </Button>
        </Guarded>
        <Menu position="bottom-end" width={230}>
          <Menu.Target>
            <ActionIcon variant="default" size={26} aria-label="More actions">
              <Dots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {reason !== undefined && <Menu.Label>{reason}</Menu.Label>}
            <Menu.Item hiddenFrom="xs" disabled={!mayChange} onClick={dismiss}>
              {DISMISSED[said].name}
            </Menu.Item>
            <Menu.Item disabled={!mayChange} onClick={() => change.mutate([`/api/pods/failed/${id}/retry-solution`, { method: 'POST' }])}>
              Explain again
            </Menu.Item>
            <Menu.Item component={Link} to="/graphs" search={addressOfPod(failure) as never}>
              Show in graph
            </Menu.Item>
            <CopyLink />
          </Menu.Dropdown>
        </Menu>
      </Group>
      <ErrorNotice error={change.error} />
    </div>
  );
}

/** The menu stays open and shows that the action is done. */
function CopyLink() {
  const { said, copy } = useCopy(location.origin + location.pathname);
  return (
    <Menu.Item closeMenuOnClick={false} rightSection={said === 'Copied' ? <Check size={14} /> : <Copy size={14} />} onClick={copy}>
      <span aria-live="polite">{said || 'Copy link'}</span>
    </Menu.Item>
  );
}
