import { ActionIcon, Badge, Button, Menu, Text, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AppStatus } from '../../contract/settings.ts';
import { ask } from '../live/ask.ts';
import { Down, Mark, Moon, Sun } from '../components/icons.tsx';
import type { Connection } from '../live/socket.ts';
import { usePerson } from '../components/current-user.ts';

const SAID: Record<Connection, [text: string, color: string, explained: string]> = {
  connecting: ['Connecting', 'gray', 'The live connection is opening'],
  live: ['Live', 'green', 'Changes appear by themselves'],
  lost: ['Reconnecting', 'yellow', 'The live connection is lost, so what you see may be out of date. Podmend tries again.'],
  refused: ['Ended', 'red', 'The session has ended'],
};

interface HeaderProps {
  connection: Connection;
  onLogOut(): Promise<void>;
}

/** The cluster, the live connection, and the user. */
export function Header({ connection, onLogOut }: HeaderProps) {
  const user = usePerson();
  const { data: config } = useQuery({ queryKey: ['config'], queryFn: ({ signal }) => ask<AppStatus>('/api/config', { signal }) });
  const [refusal, setRefusal] = useState('');
  const [text, color, explained] = SAID[connection];
  return (
    <header className="header">
      <Mark />
      <Text fw={650} component="span">
        Podmend
      </Text>
      {config && (
        <Text c="dimmed" size="sm" component="span" className="cluster" title="The cluster that Podmend watches">
          {config.cluster}
        </Text>
      )}
      <span className="grow" />
      {refusal && (
        <Text c="red" size="sm" role="alert">
          {refusal}
        </Text>
      )}
      <Badge color={color} variant="dot" size="lg" title={explained} role="status" className="connection">
        {text}
      </Badge>
      <ColorScheme />
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-md"
            rightSection={<Down size={14} />}
            className="who"
            aria-label={`Account of ${user.username}`}
          >
            {user.username}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {user.username}, role {user.role}
          </Menu.Label>
          <Menu.Item component="a" href="/docs">
            The API
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => void onLogOut().catch((error: Error) => setRefusal(error.message))}>Log out</Menu.Item>
          {config && <Menu.Label>Podmend {config.version}</Menu.Label>}
        </Menu.Dropdown>
      </Menu>
    </header>
  );
}

/** Light or dark colours; the system's setting until the user chooses. */
function ColorScheme() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const label = isDark ? 'Use light colours' : 'Use dark colours';
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <Sun /> : <Moon />}
    </ActionIcon>
  );
}
