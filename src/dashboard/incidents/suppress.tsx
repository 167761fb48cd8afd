import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Incident } from '../../contract/incident.ts';
import type { SuppressionBody, SuppressionPreview, SuppressionRecord } from '../../contract/suppression.ts';
import { Dialog } from '../components/dialog.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { HIDE_FOR, SHORTEST_REASON, suppressionOf, USUAL_HIDE_FOR } from '../components/suppress.ts';
import { ask } from '../live/ask.ts';
import { forEach, type Outcome } from './change.ts';

interface SuppressProps {
  incidents: readonly Incident[];
  onClose(): void;
  onDone(outcome: Outcome): void;
}

/** Hides incidents for some time: a Suppression for each. Says before what they would hide. */
export function Suppress({ incidents, onClose, onDone }: SuppressProps) {
  const [why, setWhy] = useState('');
  const [ticket, setTicket] = useState('');
  const [seconds, setSeconds] = useState(USUAL_HIDE_FOR);
  const bodyOf = (incident: Incident, why: string): SuppressionBody => suppressionOf(incident, { why, ticket, seconds });
  const preview = useQuery({
    queryKey: ['suppressions preview', ...incidents.map(({ id }) => id)],
    queryFn: async ({ signal }) => {
      const answers = await Promise.all(
        incidents.map((one) =>
          ask<SuppressionPreview>('/api/suppressions/preview', { method: 'POST', body: bodyOf(one, 'What it would hide'), signal }),
        ),
      );
      return answers.reduce((sum, { newly_hidden: hidden }) => sum + hidden, 0);
    },
    staleTime: 0,
  });
  const save = useMutation({
    mutationFn: async (): Promise<Outcome> => {
      const names: string[] = [];
      const outcome = await forEach(incidents, async (one) => {
        const { name } = await ask<SuppressionRecord>('/api/suppressions', { method: 'POST', body: bodyOf(one, why) });
        names.push(name);
      });
      if (names.length === 0 && outcome.error) throw outcome.error;
      const undo = async (): Promise<void> => {
        const { error } = await forEach(names, async (name) => ask(`/api/suppressions/${encodeURIComponent(name)}`, { method: 'DELETE' }));
        if (error) throw error;
      };
      return { ...outcome, undo };
    },
    onSuccess: onDone,
  });
  const isReady = why.trim().length >= SHORTEST_REASON;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) save.mutate();
  };
  const hidden = preview.data;
  return (
    <Dialog title={incidents.length === 1 ? 'Suppress an incident' : `Suppress ${incidents.length} incidents`} onClose={onClose}>
      <Stack component="form" gap="sm" onSubmit={submit}>
        <TextInput
          label="Why"
          description="For people who read it later"
          required
          data-autofocus
          maxLength={1024}
          value={why}
          onChange={(event) => setWhy(event.currentTarget.value)}
        />
        <TextInput label="Ticket" maxLength={1024} value={ticket} onChange={(event) => setTicket(event.currentTarget.value)} />
        <NativeSelect label="Hide for" data={HIDE_FOR} value={seconds} onChange={(event) => setSeconds(event.currentTarget.value)} />
        <Text size="sm" c="dimmed" role="status">
          {hidden === undefined
            ? 'Counting what it would hide…'
            : `Hides ${hidden === 1 ? 'one open failure' : `${hidden} open failures`} now, and those of the same kind that come.`}
        </Text>
        <ErrorNotice error={preview.error ?? save.error} />
        <Group gap="xs">
          <Button type="submit" disabled={!isReady} loading={save.isPending}>
            Suppress
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
