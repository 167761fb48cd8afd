import { Button, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { createContext, use, useState } from 'react';
import { usePerson } from '../components/current-user.ts';
import { Down, Person } from '../components/icons.tsx';
import classes from './frame.module.css';

/** Ends the session. */
export const LogOutContext = createContext<() => Promise<void>>(async () => {});

const SCHEMES = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['auto', 'As the system'],
] as const;

/** The logged-in user, the colour scheme, and logging out. */
export function Account({ version }: { version: string | undefined }) {
  const user = usePerson();
  const logOut = use(LogOutContext);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [refusal, setRefusal] = useState('');
  return (
    <>
      {refusal && (
        <span role="alert" className={classes['refusal']}>
          {refusal}
        </span>
      )}
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button
            fw={500}
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<Person size={17} />}
            rightSection={<Down size={14} />}
            className={classes['account']}
            aria-label={`Account of ${user.username}`}
          >
            <bdi>{user.username}</bdi>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <bdi>{user.username}</bdi>, role {user.role}
          </Menu.Label>
          <Menu.Divider />
          <Menu.Label>Colours</Menu.Label>
          <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
            {SCHEMES.map(([value, name]) => (
              <Menu.RadioItem key={value} value={value}>
                {name}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item component="a" href="/docs">
            The API
          </Menu.Item>
          <Menu.Item onClick={() => void logOut().catch((error: Error) => setRefusal(error.message))}>Log out</Menu.Item>
          {version && <Menu.Label>Podmend {version}</Menu.Label>}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
