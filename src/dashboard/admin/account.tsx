import { Button, Checkbox, NativeSelect, NumberInput, PasswordInput, Skeleton, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { MadeToken, Role, TokenRecord, UserRecord } from '../../contract/auth.ts';
import { Ago } from '../components/ago.tsx';
import { ConfirmButton } from '../components/confirm.tsx';
import { usePerson } from '../components/current-user.ts';
import { useDraft } from '../components/draft.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Row, Rows } from '../components/rows.tsx';
import { ask } from '../live/request.ts';
import classes from './admin.module.css';
import { ShownOnce } from './shown-once.tsx';

const BELOW: Record<Role, Role[]> = { read: ['read'], write: ['read', 'write'], admin: ['read', 'write', 'admin'] };

/** Your own API tokens and password. */
export function Account() {
  const { username, role } = usePerson();
  return (
    <>
      <Text>
        You are <bdi>{username}</bdi>, role {role}.
      </Text>
      <section aria-labelledby="tokens">
        <Title order={2} id="tokens" mb="xs">
          API tokens
        </Title>
        <Tokens role={role} />
      </section>
      <section aria-labelledby="password">
        <Title order={2} id="password" mb="xs">
          Password
        </Title>
        <Password />
      </section>
    </>
  );
}

function Tokens({ role }: { role: Role }) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => ask<TokenRecord[]>('/api/tokens', { signal }),
  });
  const [draft, set, clear] = useDraft<{ name: string; role: Role; days: number | '' }>('token', { name: '', role: 'read', days: '' });
  const make = useMutation({
    mutationFn: () => {
      const { days, ...rest } = draft;
      return ask<MadeToken>('/api/tokens', { method: 'POST', body: { ...rest, ...(days !== '' && { expires_in_days: days }) } });
    },
    onSuccess: async () => {
      clear();
      await client.invalidateQueries({ queryKey: ['tokens'] });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <div className={classes['panel']}>
      <form className={classes['form']} onSubmit={submit} aria-label="New API token">
        <TextInput
          label="What it is for"
          required
          maxLength={128}
          value={draft.name}
          onChange={(event) => {
            const name = event.currentTarget.value;
            set((now) => ({ ...now, name }));
          }}
        />
        <NativeSelect
          label="Role"
          data={BELOW[role]}
          value={draft.role}
          onChange={(event) => {
            const chosen = event.currentTarget.value as Role;
            set((now) => ({ ...now, role: chosen }));
          }}
        />
        <NumberInput
          label="Days"
          placeholder="as long as allowed"
          min={1}
          max={3650}
          allowDecimal={false}
          value={draft.days}
          onChange={(days) => set((now) => ({ ...now, days: typeof days === 'number' ? days : '' }))}
        />
        <Button type="submit" loading={make.isPending}>
          Make a token
        </Button>
        {make.error && (
          <div className={classes['wide']}>
            <ErrorNotice error={make.error} />
          </div>
        )}
      </form>
      {make.data && <ShownOnce title={`The token ${make.data.name}. It is not shown again.`} text={make.data.token} />}
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Skeleton height={60} />}
      {data?.length === 0 && (
        <EmptyState title="You have no API token">A script sends it in the header Authorization, after the word Bearer.</EmptyState>
      )}
      {data && data.length > 0 && (
        <Rows label="API tokens">
          {data.map((token) => (
            <Token key={token.id} token={token} />
          ))}
        </Rows>
      )}
    </div>
  );
}

function Token({ token }: { token: TokenRecord }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => ask<undefined>(`/api/tokens/${token.id}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  });
  return (
    <Row
      title={<bdi>{token.name}</bdi>}
      meta={
        <>
          <span>role {token.role}</span>
          <span>
            made <Ago at={token.created_at} />
          </span>
          {token.expires_at !== null && (
            <span>
              ends <Ago at={token.expires_at} />
            </span>
          )}
          <span>{token.last_used_at === null ? 'never used' : <Used at={token.last_used_at} />}</span>
        </>
      }
      end={
        <ConfirmButton sure="Revoke it now" loading={revoke.isPending} onConfirm={() => revoke.mutate()}>
          Revoke
        </ConfirmButton>
      }
    >
      <ErrorNotice error={revoke.error} />
    </Row>
  );
}

function Used({ at }: { at: string }) {
  return (
    <>
      used <Ago at={at} />
    </>
  );
}

function Password() {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [keep, setKeep] = useState(false);
  const change = useMutation({
    mutationFn: () =>
      ask<UserRecord>('/api/auth/password', { method: 'POST', body: { current_password: current, password, keep_tokens: keep } }),
    // The session now has a new cookie, but the live connection still uses the old one.
    onSuccess: () => location.reload(),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form className={classes['form']} onSubmit={submit} aria-label="New password">
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        required
        value={current}
        onChange={(event) => setCurrent(event.currentTarget.value)}
      />
      <PasswordInput
        label="New password"
        autoComplete="new-password"
        required
        minLength={8}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Checkbox label="Keep my API tokens" checked={keep} onChange={(event) => setKeep(event.currentTarget.checked)} />
      <Button type="submit" variant="default" loading={change.isPending}>
        Set the password
      </Button>
      <div className={classes['wide']}>
        <ErrorNotice error={change.error} />
        <Text size="sm" c="dimmed">
          Your other sessions end, and this page loads again.
        </Text>
      </div>
    </form>
  );
}
