import { Button, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { ask } from '../live/request.ts';
import { Ago } from './ago.tsx';
import { ConfirmButton } from './confirm.tsx';
import { useDraft } from './draft.ts';
import { ErrorNotice } from './error-notice.tsx';
import classes from './exclusion-list.module.css';
import { Guarded } from './guarded.tsx';

/** Entries of one kind that the API stores as Suppressions. */
export interface ExclusionEntries {
  kind: 'namespace' | 'pod' | 'registry';
  path: string;
  field: 'namespace' | 'pod_name' | 'registry';
  title: string;
  about: string;
  add: string;
  example: string;
  end: string;
}

type Entry = { source: string; created_at: string } & Partial<Record<ExclusionEntries['field'], string>>;

/** The entries, with a form to add one and buttons to remove them. */
export function ExclusionList({ list }: { list: ExclusionEntries }) {
  const client = useQueryClient();
  const [{ entry }, type, clear] = useDraft(`exclude ${list.kind}`, { entry: '' });
  const key = ['suppressions', list.kind];
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: ({ signal }) => ask<Entry[]>(list.path, { signal }) });
  const changed = () => client.invalidateQueries({ queryKey: ['suppressions'] });
  const add = useMutation({
    mutationFn: () => ask<Entry>(list.path, { method: 'POST', body: { [list.field]: entry.trim() } }),
    onSuccess: async () => {
      clear();
      await changed();
    },
  });
  const remove = useMutation({
    mutationFn: (one: string) => ask<undefined>(`${list.path}/${encodeURIComponent(one)}`, { method: 'DELETE' }),
    onSuccess: changed,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <section aria-labelledby={`list-${list.kind}`}>
      <Title order={2} size="h3" id={`list-${list.kind}`}>
        {list.title}
      </Title>
      <Text size="sm" c="dimmed" mb={8}>
        {list.about}
      </Text>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data?.length === 0 && <Text size="sm">None.</Text>}
      {data?.map((one) => {
        const name = one[list.field] ?? '';
        const isManaged = one.source !== 'api' && one.source !== 'kubectl';
        return (
          <div key={name} className={classes['entry']}>
            <span>
              <bdi className="mono">{name}</bdi>{' '}
              <Text span size="xs" c="dimmed">
                {isManaged ? `managed by ${one.source}, ` : ''}
                <Ago at={one.created_at} />
              </Text>
            </span>
            <Guarded needs="write">
              <ConfirmButton
                sure={`${list.end}: ${name.slice(0, 24)}`}
                disabled={isManaged}
                title={isManaged ? `${one.source} owns it. Change it there.` : undefined}
                onConfirm={() => remove.mutate(name)}
              >
                {list.end}
              </ConfirmButton>
            </Guarded>
          </div>
        );
      })}
      <form className={classes['add']} onSubmit={submit}>
        <TextInput
          size="xs"
          aria-label={`${list.add}: ${list.field.replace('_', ' ')}`}
          placeholder={list.example}
          required
          maxLength={253}
          value={entry}
          onChange={(event) => type({ entry: event.currentTarget.value })}
        />
        <Guarded needs="write">
          <Button type="submit" size="xs" variant="default" loading={add.isPending}>
            {list.add}
          </Button>
        </Guarded>
      </form>
      <ErrorNotice error={add.error ?? remove.error} />
    </section>
  );
}
