import { Button, NativeSelect, PasswordInput, Skeleton, Table, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ModelConfigBody, ModelConfigRecord, ModelStatus, ModelTest } from '../../contract/model.ts';
import { Ago } from '../components/ago.tsx';
import { ConfirmButton } from '../components/confirm.tsx';
import { useDraft } from '../components/draft.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Notice } from '../components/notice.tsx';
import { ask } from '../live/request.ts';
import classes from './admin.module.css';

type Provider = ModelConfigBody['provider'];
const PROVIDERS: { value: Provider; label: string }[] = [
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'openai', label: 'OpenAI' },
  { value: 'openai-compatible', label: 'A server with OpenAI’s interface' },
  { value: 'azure', label: 'Azure' },
  { value: 'gemini', label: 'Gemini' },
];
/** Providers without a default address. */
const NEEDS_ADDRESS: Provider[] = ['azure', 'openai-compatible'];

/** The language model: its configuration, state and cost, with a test. */
export function Model() {
  const { data, error, refetch } = useQuery({
    queryKey: ['model'],
    queryFn: ({ signal }) => ask<ModelStatus>('/api/admin/llm/status', { signal }),
    staleTime: 0,
  });
  return (
    <>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Skeleton height={240} />}
      {data && (
        <>
          <Now status={data} />
          <Form key={data.updated_at ?? 'none'} status={data} />
          <Cost status={data} />
        </>
      )}
    </>
  );
}

function Now({ status }: { status: ModelStatus }) {
  if (!status.configured && !status.problem)
    return (
      <Text>None is set up, and none is needed: the rules explain every failure. With one, explanations cover what no rule knows.</Text>
    );
  return (
    <dl className={classes['facts']}>
      <dt>Model</dt>
      <dd>
        <bdi>{status.model}</bdi> of {status.provider}
        {status.source === 'environment' && ', from the environment of the operator'}
      </dd>
      <dt>State</dt>
      <dd>
        <span className={classes['state']} data-state={status.available ? 'ok' : 'degraded'}>
          {status.problem ?? (status.available ? 'Is asked' : `Is not asked now: ${status.held_back}`)}
        </span>
        {status.held_until !== null && (
          <>
            , again <Ago at={status.held_until} />
          </>
        )}
      </dd>
      <dt>Last hour</dt>
      <dd>
        {status.calls_last_hour} questions, {numberOf(status.tokens_last_hour)} tokens
      </dd>
      <dt>Waiting</dt>
      <dd>{status.pending === 1 ? 'one incident' : `${status.pending} incidents`}</dd>
      {status.last_error !== null && (
        <>
          <dt>Last error</dt>
          <dd>{status.last_error}</dd>
        </>
      )}
    </dl>
  );
}

function Form({ status }: { status: ModelStatus }) {
  const client = useQueryClient();
  const [draft, set, clear] = useDraft('model', {
    provider: (status.provider ?? 'anthropic') as Provider,
    model: status.model ?? '',
    base_url: status.base_url ?? '',
  });
  // A key is never kept as a draft; it exists only in this form.
  const [key, setKey] = useState(status.api_key ?? '');
  const body: ModelConfigBody = {
    provider: draft.provider,
    model: draft.model.trim(),
    base_url: draft.base_url.trim() || null,
    ...(key !== '' && { api_key: key }),
  };
  const changed = async (): Promise<void> => {
    clear();
    await Promise.all([client.invalidateQueries({ queryKey: ['model'] }), client.invalidateQueries({ queryKey: ['config'] })]);
  };
  const test = useMutation({ mutationFn: () => ask<ModelTest>('/api/admin/llm/test', { method: 'POST', body }) });
  const save = useMutation({
    mutationFn: () => ask<ModelConfigRecord>('/api/admin/llm/config', { method: 'POST', body }),
    onSuccess: changed,
  });
  const remove = useMutation({ mutationFn: () => ask<undefined>('/api/admin/llm/config', { method: 'DELETE' }), onSuccess: changed });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    test.mutate();
  };
  return (
    <form className={classes['form']} onSubmit={submit} aria-label="Language model">
      <NativeSelect
        label="Provider"
        data={PROVIDERS}
        value={draft.provider}
        onChange={(event) => {
          const provider = event.currentTarget.value as Provider;
          set((now) => ({ ...now, provider }));
        }}
      />
      <TextInput
        label={draft.provider === 'azure' ? 'Deployment' : 'Model'}
        required
        maxLength={256}
        value={draft.model}
        onChange={(event) => {
          const model = event.currentTarget.value;
          set((now) => ({ ...now, model }));
        }}
      />
      <TextInput
        label="Address"
        placeholder={NEEDS_ADDRESS.includes(draft.provider) ? 'https://…' : 'the provider’s own'}
        required={NEEDS_ADDRESS.includes(draft.provider)}
        maxLength={2048}
        value={draft.base_url}
        onChange={(event) => {
          const base_url = event.currentTarget.value;
          set((now) => ({ ...now, base_url }));
        }}
      />
      <PasswordInput
        label="Key"
        autoComplete="off"
        required={draft.provider !== 'openai-compatible'}
        maxLength={8192}
        value={key}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <div className={classes['buttons']}>
        <Button type="submit" loading={test.isPending}>
          Test
        </Button>
        <Button variant="default" disabled={body.model === ''} loading={save.isPending} onClick={() => save.mutate()}>
          Save
        </Button>
        {status.source === 'database' && (
          <ConfirmButton size="sm" sure="Remove it: the rules explain" loading={remove.isPending} onConfirm={() => remove.mutate()}>
            Remove
          </ConfirmButton>
        )}
      </div>
      <div className={classes['wide']}>
        {test.data && (
          <Notice tone={test.data.success ? 'plain' : 'bad'} role="status" title={test.data.success ? 'It works' : 'It does not work'}>
            {test.data.message} ({(test.data.duration_ms / 1000).toFixed(1)} s{test.data.reason !== null && `, ${test.data.reason}`})
          </Notice>
        )}
        <ErrorNotice error={test.error ?? save.error ?? remove.error} />
      </div>
    </form>
  );
}

function Cost({ status: { cost } }: { status: ModelStatus }) {
  if (cost.calls === 0) return <Text c="dimmed">It was asked nothing in the last seven days, so it cost nothing.</Text>;
  return (
    <section aria-labelledby="cost">
      <Title order={2} id="cost" mb="xs">
        Cost of the last seven days
      </Title>
      <div className={classes['scroll']} tabIndex={0} role="region" aria-label="Cost by day">
        <Table className={classes['table'] ?? ''} verticalSpacing={5}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Day (UTC)</Table.Th>
              <Table.Th ta="right">Questions</Table.Th>
              <Table.Th ta="right">Without an answer</Table.Th>
              <Table.Th ta="right">Tokens sent</Table.Th>
              <Table.Th ta="right">Tokens received</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {[...cost.days].reverse().map((day) => (
              <CostRow key={day.day} name={day.day} cost={day} />
            ))}
            <CostRow name="All" cost={cost} />
          </Table.Tbody>
        </Table>
      </div>
      <Text size="sm" c="dimmed">
        Your provider’s price list says what a token costs.
      </Text>
    </section>
  );
}

function CostRow({ name, cost }: { name: string; cost: Omit<ModelStatus['cost'], 'days' | 'since'> }) {
  return (
    <Table.Tr>
      <Table.Td>{name}</Table.Td>
      <Table.Td ta="right">{numberOf(cost.calls)}</Table.Td>
      <Table.Td ta="right">{numberOf(cost.failed)}</Table.Td>
      <Table.Td ta="right">{numberOf(cost.input_tokens)}</Table.Td>
      <Table.Td ta="right">{numberOf(cost.output_tokens)}</Table.Td>
    </Table.Tr>
  );
}

const numberOf = (value: number): string => new Intl.NumberFormat().format(value);
