import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Finding } from '../../contract/finding.ts';
import type { SuppressionBody, SuppressionPreview, SuppressionRecord } from '../../contract/suppression.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Guarded } from '../components/guarded.tsx';
import { HIDE_FOR, SHORTEST_REASON, USUAL_HIDE_FOR } from '../components/suppress.ts';
import { showDone } from '../components/undo.tsx';
import { ask } from '../live/ask.ts';
import { titleOf } from './facts.ts';
import classes from './security.module.css';
import { reachesOf } from './suppress.ts';
import { useTakenFindings } from './use-findings.ts';

/** What a person did to findings, for the list. */
export interface Acted {
  /** They leave what is shown, or come back to it. */
  done(ids: readonly number[], isDone: boolean): void;
}

interface ActionsProps extends Acted {
  /** The findings of the row: one for each container. */
  findings: readonly [Finding, ...Finding[]];
  onSuppress(): void;
}

const dismissed = ({ id }: Finding): Promise<Finding> => ask<Finding>(`/api/security/findings/${id}`, { method: 'DELETE' });
const restored = ({ id }: Finding): Promise<Finding> => ask<Finding>(`/api/security/findings/${id}/restore`, { method: 'PUT' });

/** Dismisses the findings of a row, or restores them; with a way back. */
export function Actions({ findings, done, onSuppress }: ActionsProps) {
  const taken = useTakenFindings();
  const [first] = findings;
  const ids = findings.map(({ id }) => id);
  const change = useMutation({
    mutationFn: async (isDismissal: boolean) => {
      const [to, back] = isDismissal ? [dismissed, restored] : [restored, dismissed];
      await Promise.all(findings.map(to));
      done(ids, true);
      const undo = async (): Promise<void> => {
        await Promise.all(findings.map(back));
        done(ids, false);
        await taken();
      };
      const what = findings.length === 1 ? titleOf(first) : `${titleOf(first)} on ${findings.length} containers`;
      showDone({ message: `${what}: ${isDismissal ? 'dismissed' : 'restored'}`, undo });
    },
    onSettled: taken,
  });
  const ofAll = findings.length === 1 ? '' : ` all ${findings.length}`;
  return (
    <>
      <div className={classes['actions']}>
        {first.status === 'dismissed' ? (
          <Guarded needs="write">
            <Button size="compact-sm" variant="default" loading={change.isPending} onClick={() => change.mutate(false)}>
              {`Restore${ofAll}`}
            </Button>
          </Guarded>
        ) : (
          first.status !== 'resolved' && (
            <>
              <Guarded needs="write">
                <Button size="compact-sm" variant="default" loading={change.isPending} onClick={() => change.mutate(true)}>
                  {`Dismiss${ofAll}`}
                </Button>
              </Guarded>
              {first.suppressed_by === null && (
                <Guarded needs="write">
                  <Button size="compact-sm" variant="default" onClick={onSuppress}>
                    Suppress…
                  </Button>
                </Guarded>
              )}
            </>
          )
        )}
      </div>
      <ErrorNotice error={change.error} />
    </>
  );
}

/** Hides a check for some time, with a reason. Says before what it would hide. */
export function SuppressForm({ finding, close }: { finding: Finding; close(): void }) {
  const taken = useTakenFindings();
  const reaches = reachesOf(finding);
  const [chosen, choose] = useState(0);
  const [why, setWhy] = useState('');
  const [ticket, setTicket] = useState('');
  const [seconds, setSeconds] = useState<string>(USUAL_HIDE_FOR);
  const match = reaches[chosen]?.match ?? {};
  const bodyOf = (reason: string): SuppressionBody => ({
    reason,
    ...(ticket.trim() && { ticket: ticket.trim() }),
    ttl_seconds: Number(seconds),
    match,
  });
  const preview = useQuery({
    queryKey: ['suppressions preview', 'finding', match],
    queryFn: ({ signal }) =>
      ask<SuppressionPreview>('/api/suppressions/preview', { method: 'POST', body: bodyOf('What it would hide'), signal }),
    staleTime: 0,
  });
  const save = useMutation({
    mutationFn: async () => {
      const { name } = await ask<SuppressionRecord>('/api/suppressions', { method: 'POST', body: bodyOf(why.trim()) });
      showDone({
        message: `${titleOf(finding)}: suppressed`,
        undo: async () => {
          await ask(`/api/suppressions/${encodeURIComponent(name)}`, { method: 'DELETE' });
          await taken();
        },
      });
    },
    onSuccess: async () => {
      close();
      await taken();
    },
  });
  const isReady = why.trim().length >= SHORTEST_REASON;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) save.mutate();
  };
  const hidden = preview.data?.newly_hidden_findings;
  return (
    <Stack component="form" gap="xs" className={classes['suppress'] ?? ''} aria-label="Suppress" onSubmit={submit}>
      <NativeSelect
        size="xs"
        label="What"
        data={reaches.map(({ label }, index) => ({ value: String(index), label }))}
        value={String(chosen)}
        onChange={(event) => choose(Number(event.currentTarget.value))}
      />
      <TextInput
        size="xs"
        label="Why"
        description="For people who read it later"
        required
        autoFocus
        maxLength={1024}
        value={why}
        onChange={(event) => setWhy(event.currentTarget.value)}
      />
      <div className={classes['two']}>
        <TextInput size="xs" label="Ticket" maxLength={1024} value={ticket} onChange={(event) => setTicket(event.currentTarget.value)} />
        <NativeSelect
          size="xs"
          label="Hide for"
          data={HIDE_FOR}
          value={seconds}
          onChange={(event) => setSeconds(event.currentTarget.value)}
        />
      </div>
      <Text size="sm" c="dimmed" role="status">
        {hidden === undefined
          ? 'Counting what it would hide…'
          : `Hides ${hidden === 1 ? 'one finding' : `${hidden.toLocaleString('en')} findings`} now, and those of the same kind that come.`}
      </Text>
      <ErrorNotice error={preview.error ?? save.error} />
      <Group gap="xs">
        <Button type="submit" size="xs" disabled={!isReady} loading={save.isPending}>
          Suppress
        </Button>
        <Button size="xs" variant="default" onClick={close}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
}
