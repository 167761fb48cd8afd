import { Anchor, Text, Title, VisuallyHidden } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { UserRecord } from '../../contract/auth.ts';
import { usePlace } from '../address.ts';
import { Refused } from '../live/ask.ts';
import { FailureView } from '../incident/screen.tsx';
import { FailureList } from '../incidents/screen.tsx';
import { Header } from './header.tsx';
import { useLive } from '../live/use-live.ts';
import { PersonContext } from '../components/current-user.ts';

interface ConsoleProps {
  user: UserRecord;
  onEnded(): void;
  onLogOut(): Promise<void>;
}

/** The screen with a session. Any answer that the session has ended ends it here too. */
export function Console({ user, onEnded, onLogOut }: ConsoleProps) {
  const [client] = useState(() => clientFor(onEnded));
  return (
    <PersonContext value={user}>
      <QueryClientProvider client={client}>
        <Screen onEnded={onEnded} onLogOut={onLogOut} />
      </QueryClientProvider>
    </PersonContext>
  );
}

function Screen({ onEnded, onLogOut }: Omit<ConsoleProps, 'user'>) {
  const connection = useLive(onEnded);
  const [place, go] = usePlace();
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a small screen the failure replaces the list: without this the focus would stay on an element that is gone.
    const isListGone = document.activeElement?.checkVisibility() === false || document.activeElement === document.body;
    if (place.failure !== null && isListGone) pane.current?.focus();
  }, [place.failure]);
  return (
    <div className="frame">
      <Anchor className="skip" href="#content">
        Skip to the failure
      </Anchor>
      <Header connection={connection} onLogOut={onLogOut} />
      <main className="panes" data-open={place.failure !== null || undefined}>
        <VisuallyHidden component="h1">Failing pods</VisuallyHidden>
        <nav className="list-pane" aria-label="Failures">
          <FailureList place={place} go={go} />
        </nav>
        <section key={place.failure} ref={pane} className="detail-pane" id="content" tabIndex={-1} aria-label="The failure">
          {place.failure === null ? (
            <div className="choose">
              <Title order={2}>Choose a failure</Title>
              <Text c="dimmed">to see why it fails and what cures it.</Text>
            </div>
          ) : (
            <FailureView key={place.failure} id={place.failure} place={place} go={go} />
          )}
        </section>
      </main>
    </div>
  );
}

function clientFor(ended: () => void): QueryClient {
  const onError = (error: Error): void => {
    if (error instanceof Refused && error.status === 401) ended();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // The socket sends the changes. Changes that it missed are loaded when it is connected again.
        staleTime: Number.POSITIVE_INFINITY,
        retry: (failures, error) => failures < 2 && !(error instanceof Refused && error.status > 0 && error.status < 500),
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}
