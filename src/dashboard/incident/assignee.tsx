import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Assigned } from '../../contract/comment.ts';
import type { ShownFailure } from '../../contract/failure.ts';
import { AssignMenu } from '../components/assign-menu.tsx';
import { Avatar } from '../components/avatar.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { useReason } from '../components/guarded.tsx';
import { Down } from '../components/icons.tsx';
import { useKeys } from '../components/use-keys.ts';
import { ask } from '../live/request.ts';
import classes from './incident.module.css';

/** The assignee of the incident, with a menu to change it. The key `a` opens the menu. */
export function Assignee({ failure }: { failure: ShownFailure }) {
  const { assignee, incident_id: incident } = failure;
  const client = useQueryClient();
  const [isOpen, open] = useState(false);
  const reason = useReason('write');
  const assign = useMutation({
    mutationFn: (username: string | null) => ask<Assigned>(`/api/incidents/${incident}/assignee`, { method: 'PUT', body: { username } }),
    onSuccess: async (assigned) => {
      client.setQueriesData<ShownFailure>({ queryKey: ['failure'] }, (known) =>
        known?.incident_id === incident ? { ...known, ...assigned } : known,
      );
      await client.invalidateQueries({ queryKey: ['incidents'] });
    },
  });
  useKeys({ a: () => open(reason === undefined) });
  return (
    <>
      <AssignMenu assignee={assignee} isOpen={isOpen} open={open} assign={assign.mutate}>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<Avatar name={assignee} />}
          rightSection={<Down size={14} />}
          loading={assign.isPending}
          disabled={reason !== undefined}
          title={reason ?? 'Assignee'}
          aria-label={assignee === null ? 'Assign' : `Assigned to ${assignee}`}
          className={classes['assignee']}
        >
          <bdi className={classes['assignee-name']}>{assignee ?? 'Assign'}</bdi>
        </Button>
      </AssignMenu>
      <ErrorNotice error={assign.error} />
    </>
  );
}
