import { Button, Group, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ShownFailure } from '../../contract/failure.ts';
import type { SuppressionPreview, SuppressionRecord } from '../../contract/suppression.ts';
import { Ago } from '../components/ago.tsx';
import { useCanWrite } from '../components/current-user.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { useReason } from '../components/guarded.tsx';
import { HIDE_FOR, podsOf, SHORTEST_REASON, suppressionOf, USUAL_HIDE_FOR } from '../components/suppress.ts';
import { ask } from '../live/ask.ts';
import classes from './incident.module.css';

/** What hides this failure, with its ticket and its end; or a way to hide it, which says before what it would hide. */
export function Suppression({ failure }: { failure: ShownFailure }) {
  return (
    <section aria-label="Suppression">
      <h3>Suppression</h3>
      {failure.hidden_by ? <Hidden failure={failure} /> : <Hide failure={failure} />}
    </section>
  );
}

function Hidden({ failure: { hidden_by: by } }: { failure: ShownFailure }) {
  // The ticket is only in the list, which takes the role write.
  const mayRead = useCanWrite();
  const { data = [] } = useQuery({
    queryKey: ['suppressions'],
    queryFn: ({ signal }) => ask<SuppressionRecord[]>('/api/suppressions', { signal }),
    enabled: mayRead,
  });
  const ticket = data.find(({ name, namespace }) => name === by?.name && namespace === by.namespace)?.ticket;
  if (!by) return null;
  return (
    <>
      <p>
        Hidden by <bdi className={classes['mono']}>{by.name}</bdi>: {by.reason}
      </p>
      <p className={classes['small']}>
        {by.expires_at ? (
          <>
            ends <Ago at={by.expires_at} />
          </>
        ) : (
          'without an end'
        )}
        {ticket && (
          <>
            {' · '}
            {/^https?:\/\//.test(ticket) ? (
              <a href={ticket} target="_blank" rel="noreferrer">
                {ticket}
              </a>
            ) : (
              ticket
            )}
          </>
        )}
        {' · '}
        {by.why}
      </p>
    </>
  );
}

function Hide({ failure }: { failure: ShownFailure }) {
  const [isOpen, open] = useState(false);
  const reason = useReason('write');
  if (failure.status === 'resolved') return <p className={classes['small']}>Nothing hides it.</p>;
  if (!isOpen)
    return (
      <Button variant="default" size="compact-sm" disabled={reason !== undefined} title={reason} onClick={() => open(true)}>
        Suppress…
      </Button>
    );
  return <Form failure={failure} close={() => open(false)} />;
}

function Form({ failure, close }: { failure: ShownFailure; close(): void }) {
  const client = useQueryClient();
  const [why, setWhy] = useState('');
  const [ticket, setTicket] = useState('');
  const [seconds, setSeconds] = useState(USUAL_HIDE_FOR);
  const pods = podsOf(failure);
  const body = suppressionOf({ ...failure, reason: failure.failure_reason }, { why, ticket, seconds });
  const isReady = why.trim().length >= SHORTEST_REASON;
  const preview = useQuery({
    queryKey: ['suppression preview', failure.id],
    queryFn: ({ signal }) =>
      ask<SuppressionPreview>('/api/suppressions/preview', { method: 'POST', body: { ...body, reason: 'what it would hide' }, signal }),
    staleTime: 0,
  });
  const save = useMutation({
    mutationFn: () => ask<SuppressionRecord>('/api/suppressions', { method: 'POST', body }),
    onSuccess: async () => {
      close();
      await Promise.all(['failure', 'incidents', 'suppressions'].map((name) => client.invalidateQueries({ queryKey: [name] })));
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) save.mutate();
  };
  const hidden = preview.data?.newly_hidden;
  return (
    <form className={classes['suppress']} onSubmit={submit}>
      <TextInput
        size="xs"
        label="Why"
        required
        autoFocus
        maxLength={1024}
        value={why}
        onChange={(event) => setWhy(event.currentTarget.value)}
      />
      <TextInput size="xs" label="Ticket" maxLength={1024} value={ticket} onChange={(event) => setTicket(event.currentTarget.value)} />
      <Select
        size="xs"
        label="Hide for"
        data={HIDE_FOR}
        value={seconds}
        onChange={(value) => value && setSeconds(value)}
        allowDeselect={false}
      />
      <p className={classes['small']} role="status">
        {hidden !== undefined &&
          `Hides ${failure.failure_reason} of ${pods} in ${failure.namespace}: ${hidden === 1 ? 'one open failure' : `${hidden} open failures`} now.`}
      </p>
      <ErrorNotice error={preview.error ?? save.error} />
      <Group gap="xs">
        <Button type="submit" size="compact-sm" disabled={!isReady} loading={save.isPending}>
          Suppress
        </Button>
        <Button size="compact-sm" variant="default" onClick={close}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
