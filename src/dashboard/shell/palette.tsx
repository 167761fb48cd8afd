import { Kbd, TextInput, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, use, useId, useState } from 'react';
import type { IncidentPage } from '../../contract/incident.ts';
import { Dialog } from '../components/dialog.tsx';
import { ask } from '../live/request.ts';
import { LogOutContext } from './account.tsx';
import { type Command, matching } from './commands.ts';
import { KEYS } from './shortcuts.ts';
import classes from './palette.module.css';
import type { ScreenEntry } from './rail.tsx';

const TYPING_MS = 200;
const INCIDENTS = 8;

interface PaletteProps {
  screens: readonly ScreenEntry[];
  onClose(): void;
  onHelp(): void;
}

/** Opens a screen or an incident, or runs a command, by name. */
export function Palette({ screens, onClose, onHelp }: PaletteProps) {
  const navigate = useNavigate();
  const logOut = use(LogOutContext);
  const { setColorScheme } = useMantineColorScheme();
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed.trim(), TYPING_MS);
  const [chosen, choose] = useState(0);
  const id = useId();
  const { data } = useQuery({
    queryKey: ['incidents', 'palette', wanted],
    queryFn: ({ signal }) =>
      ask<IncidentPage>(`/api/incidents?${new URLSearchParams({ q: wanted, limit: String(INCIDENTS) }).toString()}`, { signal }),
    enabled: wanted !== '',
  });
  const found: Command[] = (typed.trim() === '' ? [] : (data?.incidents ?? [])).map(({ failure_id, workload, namespace, cause }) => ({
    id: `incident-${failure_id}`,
    name: `${workload.name}: ${cause}`,
    hint: namespace,
    run: () => void navigate({ to: '/incidents/$id', params: { id: String(failure_id) } }),
  }));
  const fixed: Command[] = [
    ...screens.map(({ path, name }) => ({ id: path, name, hint: 'Screen', run: () => void navigate({ to: path }) })),
    ...screens.flatMap(({ path, name: screen, places = [] }) =>
      places.map(({ name, search }) => ({
        id: `${path} ${name}`,
        name,
        hint: screen,
        run: () => void navigate({ to: path, search: search as never }),
      })),
    ),
    { id: 'light', name: 'Light colours', run: () => setColorScheme('light') },
    { id: 'dark', name: 'Dark colours', run: () => setColorScheme('dark') },
    { id: 'auto', name: 'Colours as the system', run: () => setColorScheme('auto') },
    { id: 'help', name: 'Keyboard shortcuts', hint: '?', run: onHelp },
    { id: 'api', name: 'The API', hint: '/docs', run: () => location.assign('/docs') },
    { id: 'logout', name: 'Log out', run: () => void logOut().catch(() => location.reload()) },
  ];
  const commands = [...matching(fixed, typed), ...found];
  const at = Math.min(chosen, commands.length - 1);
  const run = (command: Command | undefined): void => {
    if (!command) return;
    onClose();
    command.run();
  };
  const pressed = (event: KeyboardEvent): void => {
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: commands.length - 1 };
    const next = moves[event.key];
    if (next !== undefined && commands.length > 0) {
      event.preventDefault();
      choose((next + commands.length) % commands.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      run(commands[at]);
    }
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label="Go to a screen or an incident, or do something"
        aria-expanded={commands.length > 0}
        aria-controls={id}
        aria-activedescendant={commands[at] ? `${id}-${at}` : undefined}
        autoComplete="off"
        maxLength={200}
        placeholder="Screen, workload, cause"
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          choose(0);
        }}
        onKeyDown={pressed}
      />
      {commands.length > 0 ? (
        <div role="listbox" id={id} aria-label="What was found" className={classes['found']}>
          {commands.map((command, index) => (
            <button
              type="button"
              key={command.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              tabIndex={-1}
              className={classes['command']}
              onClick={() => run(command)}
            >
              <bdi className={classes['name']}>{command.name}</bdi>
              {command.hint && <bdi className={classes['hint']}>{command.hint}</bdi>}
            </button>
          ))}
        </div>
      ) : (
        <p role="status" className={classes['hint']}>
          Nothing of that name
        </p>
      )}
    </Dialog>
  );
}

/** The keys and what they do. */
export function KeyHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={classes['keys']}>
        {KEYS.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
