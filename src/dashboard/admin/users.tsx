import { Button, NativeSelect, Skeleton, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Role, UserRecord } from '../../contract/auth.ts';
import { Ago } from '../components/ago.tsx';
import { ConfirmButton } from '../components/confirm.tsx';
import { usePerson } from '../components/current-user.ts';
import { useDraft } from '../components/draft.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Row, Rows } from '../components/rows.tsx';
import { ask } from '../live/request.ts';
import classes from './admin.module.css';
import { ShownOnce } from './shown-once.tsx';
import { newPassword } from './new-password.ts';

const ROLES: { value: Role; label: string }[] = [
  { value: 'read', label: 'read: sees everything' },
  { value: 'write', label: 'write: also acts' },
  { value: 'admin', label: 'admin: also people and settings' },
];

/** The users with their roles, and a way to add one. */
export function Users() {
  const { data, error, refetch } = useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => ask<UserRecord[]>('/api/admin/users', { signal }),
  });
  const [told, tell] = useState<{ title: string; text: string } | null>(null);
  return (
    <>
      <Invite onInvited={tell} />
      {told && <ShownOnce {...told} />}
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Skeleton height={120} />}
      {data && (
        <Rows label="Users">
          {data.map((user) => (
            <User key={user.id} user={user} onPassword={tell} />
          ))}
        </Rows>
      )}
    </>
  );
}

type Tell = (told: { title: string; text: string }) => void;

/** The message to send to a new user. */
function letterOf(username: string, password: string): string {
  return `Podmend: ${location.origin}\nName: ${username}\nPassword: ${password}\nSet your own password under Admin, Your account.`;
}

function Invite({ onInvited }: { onInvited: Tell }) {
  const client = useQueryClient();
  const [draft, set, clear] = useDraft<{ username: string; role: Role }>('invite', { username: '', role: 'read' });
  const invite = useMutation({
    mutationFn: async () => {
      const password = newPassword();
      const { username } = await ask<UserRecord>('/api/admin/users', { method: 'POST', body: { ...draft, password } });
      return { title: `Send this to ${username}. It is not shown again.`, text: letterOf(username, password) };
    },
    onSuccess: async (told) => {
      clear();
      onInvited(told);
      await client.invalidateQueries({ queryKey: ['users'] });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    invite.mutate();
  };
  return (
    <form className={classes['form']} onSubmit={submit} aria-label="Invite somebody">
      <TextInput
        label="Invite"
        placeholder="Name to log in with"
        required
        maxLength={128}
        autoComplete="off"
        value={draft.username}
        onChange={(event) => {
          const username = event.currentTarget.value;
          set((now) => ({ ...now, username }));
        }}
      />
      <NativeSelect
        label="Role"
        data={ROLES}
        value={draft.role}
        onChange={(event) => {
          const role = event.currentTarget.value as Role;
          set((now) => ({ ...now, role }));
        }}
      />
      <Button type="submit" loading={invite.isPending}>
        Invite
      </Button>
      {invite.error && (
        <div className={classes['wide']}>
          <ErrorNotice error={invite.error} />
        </div>
      )}
    </form>
  );
}

function User({ user, onPassword }: { user: UserRecord; onPassword: Tell }) {
  const client = useQueryClient();
  const isSelf = usePerson().id === user.id;
  const changed = () => client.invalidateQueries({ queryKey: ['users'] });
  const change = useMutation({
    mutationFn: (role: Role) => ask<UserRecord>(`/api/admin/users/${user.id}`, { method: 'PATCH', body: { role } }),
    onSettled: changed,
  });
  const reset = useMutation({
    mutationFn: async () => {
      const password = newPassword();
      await ask<UserRecord>(`/api/admin/users/${user.id}`, { method: 'PATCH', body: { password } });
      onPassword({ title: `The new password of ${user.username}. It is not shown again.`, text: letterOf(user.username, password) });
    },
  });
  const remove = useMutation({
    mutationFn: () => ask<undefined>(`/api/admin/users/${user.id}`, { method: 'DELETE' }),
    onSuccess: changed,
  });
  const why = isSelf ? 'This is you: another administrator can do it.' : undefined;
  return (
    <Row
      title={<bdi>{user.username}</bdi>}
      meta={
        <>
          {isSelf && <span>you</span>}
          <span>
            added <Ago at={user.created_at} />
          </span>
        </>
      }
      end={
        <>
          <NativeSelect
            size="xs"
            aria-label={`Role of ${user.username}`}
            data={ROLES.map(({ value }) => value)}
            value={change.isPending ? change.variables : user.role}
            disabled={isSelf || change.isPending}
            title={why}
            onChange={(event) => change.mutate(event.currentTarget.value as Role)}
          />
          <ConfirmButton
            sure="Set a new one: sessions and tokens end"
            loading={reset.isPending}
            disabled={isSelf}
            title={isSelf ? 'Set your own under Your account.' : undefined}
            onConfirm={() => reset.mutate()}
          >
            New password
          </ConfirmButton>
          <ConfirmButton sure="Delete this user" loading={remove.isPending} disabled={isSelf} title={why} onConfirm={() => remove.mutate()}>
            Delete
          </ConfirmButton>
        </>
      }
    >
      <ErrorNotice error={change.error ?? reset.error ?? remove.error} />
      {change.isSuccess && (
        <Text size="sm" role="status">
          The role is {user.role} now. Open sessions have ended.
        </Text>
      )}
    </Row>
  );
}
