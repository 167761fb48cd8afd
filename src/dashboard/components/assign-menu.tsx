import { Loader, Menu, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { ask } from '../live/request.ts';
import classes from './assignee.module.css';
import { usePerson } from './current-user.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Check } from './icons.tsx';

/** With more users than this, the menu has a search field. */
const MANY = 8;
/** The menu lists at most this many users; the search finds the others. */
const SHOWN = 50;

interface AssignMenuProps {
  /** The assignee; null: nobody. Undefined: several incidents with different assignees. */
  assignee: string | null | undefined;
  isOpen: boolean;
  open(isOpen: boolean): void;
  assign(username: string | null): void;
  /** The button. */
  children: ReactElement;
}

/** A menu to choose an assignee: first oneself and nobody, then all other users. */
export function AssignMenu({ assignee, isOpen, open, assign, children }: AssignMenuProps) {
  return (
    <Menu position="bottom-start" width={240} opened={isOpen} onChange={open}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown mah={340} className={classes['list'] ?? ''}>
        {isOpen && <Users assignee={assignee} assign={assign} />}
      </Menu.Dropdown>
    </Menu>
  );
}

function Users({ assignee, assign }: Pick<AssignMenuProps, 'assignee' | 'assign'>) {
  const { username: me } = usePerson();
  const { data, error, refetch } = useQuery({
    queryKey: ['assignees'],
    queryFn: ({ signal }) => ask<string[]>('/api/incidents/assignees', { signal }),
  });
  const [typed, type] = useState('');
  const others = (data ?? []).filter((name) => name !== me);
  const matching = others.filter((name) => name.toLowerCase().includes(typed.trim().toLowerCase()));
  return (
    <>
      {others.length > MANY && (
        <TextInput
          size="xs"
          mb={4}
          aria-label="Search users"
          placeholder="Search users"
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
        />
      )}
      {assignee !== me && <Menu.Item onClick={() => assign(me)}>Assign to me</Menu.Item>}
      {assignee !== null && <Menu.Item onClick={() => assign(null)}>Unassign</Menu.Item>}
      <Menu.Divider />
      {!data && !error && <Loader size="xs" m={8} aria-label="Loading users" />}
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {matching.slice(0, SHOWN).map((name) => (
        <Menu.Item
          key={name}
          aria-current={name === assignee || undefined}
          rightSection={name === assignee && <Check size={14} />}
          onClick={() => assign(name)}
        >
          <bdi>{name}</bdi>
        </Menu.Item>
      ))}
      {matching.length > SHOWN && <Menu.Label>{matching.length - SHOWN} more users: search for them</Menu.Label>}
      {data && others.length === 0 && <Menu.Label>No other users yet</Menu.Label>}
    </>
  );
}
