import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ShownFailure } from '../../contract/failure.ts';
import type { SuppressionPreview, SuppressionRecord } from '../../contract/suppression.ts';
import { Ago } from '../components/ago.tsx';
import { useCanWrite } from '../components/current-user.ts';
import { useHasDraft } from '../components/draft.ts';
import { useReason } from '../components/guarded.tsx';
import { countedFailures, SuppressForm } from '../components/suppress-form.tsx';
import { suppressionOf, type Written } from '../components/suppress.ts';
import { showDone } from '../components/undo.tsx';
import { ask } from '../live/request.ts';
import classes from './incident.module.css';

/** The Suppression that hides this failure, with ticket and end; or a form to hide it that shows in advance what would be hidden. */
export function Suppression({ failure }: { failure: ShownFailure }) {
  return (
    <section aria-label="Suppression">
      <h3>Suppression</h3>
      {failure.hidden_by ? <Hidden failure={failure} /> : <Hide failure={failure} />}
    </section>
  );
}

function Hidden({ failure: { hidden_by: by } }: { failure: ShownFailure }) {
  // The ticket is only in the list, which requires the role write.
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
  const draft = `suppress ${failure.id}`;
  const [isOpen, open] = useState(useHasDraft(draft));
  const reason = useReason('write');
  if (failure.status === 'resolved') return <p className={classes['small']}>Nothing hides it.</p>;
  if (!isOpen)
    return (
      <Button variant="default" size="compact-sm" disabled={reason !== undefined} title={reason} onClick={() => open(true)}>
        Suppress…
      </Button>
    );
  return <Form failure={failure} draft={draft} close={() => open(false)} />;
}

function Form({ failure, draft, close }: { failure: ShownFailure; draft: string; close(): void }) {
  const client = useQueryClient();
  const renew = () => Promise.all(['failure', 'incidents', 'suppressions'].map((name) => client.invalidateQueries({ queryKey: [name] })));
  const post = <T,>(path: string, written: Written, signal?: AbortSignal): Promise<T> =>
    ask<T>(path, { method: 'POST', body: suppressionOf(failure, written, new Date()), ...(signal && { signal }) });
  return (
    <SuppressForm
      draft={draft}
      count={async (written, signal) => (await post<SuppressionPreview>('/api/suppressions/preview', written, signal)).newly_hidden}
      counted={countedFailures}
      save={(written) => post<SuppressionRecord>('/api/suppressions', written)}
      onDone={({ name }) => {
        close();
        void renew();
        const undo = async (): Promise<void> => {
          await ask(`/api/suppressions/${encodeURIComponent(name)}`, { method: 'DELETE' });
          await renew();
        };
        showDone({ message: `${failure.workload?.name ?? failure.pod_name}: suppressed`, undo });
      }}
      close={close}
    />
  );
}
