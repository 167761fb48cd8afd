import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { FailureStatus } from '../../contract/failure.ts';
import type { Incident, IncidentListName } from '../../contract/incident.ts';
import { AssignMenu } from '../components/assign-menu.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Guarded, useReason } from '../components/guarded.tsx';
import { showDone } from '../components/undo.tsx';
import { assignAll, type Outcome, setStatus } from './change.ts';
import classes from './incidents.module.css';
import { Suppress } from './suppress.tsx';

/** The action on the incidents of each list: new status, verb on the button, and words for the result. */
const ACTIONS: Record<IncidentListName, [status: FailureStatus, verb: string, done: string][]> = {
  active: [
    ['investigating', 'Investigate', 'set to investigating'],
    ['new', 'Set to new', 'set to new'],
    ['resolved', 'Resolve', 'resolved'],
    ['ignored', 'Dismiss', 'dismissed'],
  ],
  ignored: [['new', 'Restore', 'restored']],
  suppressed: [],
  resolved: [['new', 'Open again', 'opened again']],
};

interface BulkProps {
  list: IncidentListName;
  incidents: readonly Incident[];
  clear(): void;
  /** Loads the list again. */
  reload(): Promise<void>;
  /** Whether the menu of assignees is open. */
  isAssigning: boolean;
  setAssigning(isAssigning: boolean): void;
}

/** The actions on selected incidents. */
export function Bulk({ list, incidents, clear, reload, isAssigning, setAssigning }: BulkProps) {
  const [isSuppressing, suppress] = useState(false);
  const finish =
    (done: string) =>
    async ({ changed, failed, error, undo }: Outcome) => {
      const what = changed === 1 ? 'One incident' : `${changed} incidents`;
      showDone({
        message: failed > 0 ? `${what} ${done}, ${failed} not` : `${what} ${done}`,
        error,
        ...(changed > 0 && { undo: async () => undo().finally(() => void reload()) }),
      });
      clear();
      await reload();
    };
  const change = useMutation({
    mutationFn: async ([status, done]: [FailureStatus, string]) => finish(done)(await setStatus(incidents, status)),
  });
  const assign = useMutation({
    mutationFn: async (username: string | null) =>
      finish(username === null ? 'unassigned' : `assigned to ${username}`)(await assignAll(incidents, username)),
  });
  const cannot = useReason('write');
  const [first] = incidents;
  const isOneAssignee = incidents.every(({ assignee }) => assignee === first?.assignee);
  const count = incidents.length;
  return (
    <section className={classes['bulk']} aria-label="Selected incidents">
      <span role="status" className={classes['selected']}>
        {count === 1 ? 'One selected' : `${count} selected`}
      </span>
      {ACTIONS[list].map(([status, verb, done]) => (
        <Guarded needs="write" key={status}>
          <Button size="compact-sm" variant="default" disabled={change.isPending} onClick={() => change.mutate([status, done])}>
            {verb}
          </Button>
        </Guarded>
      ))}
      <AssignMenu
        assignee={isOneAssignee ? first?.assignee : undefined}
        isOpen={isAssigning && cannot === undefined}
        open={setAssigning}
        assign={assign.mutate}
      >
        <Button size="compact-sm" variant="default" disabled={assign.isPending || cannot !== undefined} title={cannot}>
          Assign…
        </Button>
      </AssignMenu>
      {list !== 'suppressed' && list !== 'resolved' && (
        <Guarded needs="write">
          <Button size="compact-sm" variant="default" onClick={() => suppress(true)}>
            Suppress…
          </Button>
        </Guarded>
      )}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
        Clear
      </Button>
      <ErrorNotice error={change.error ?? assign.error} />
      {isSuppressing && (
        <Suppress
          incidents={incidents}
          onClose={() => suppress(false)}
          onDone={(outcome) => {
            suppress(false);
            void finish('suppressed')(outcome);
          }}
        />
      )}
    </section>
  );
}
