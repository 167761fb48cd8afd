import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ComponentProps, useState } from 'react';
import type { UserRecord } from '../../contract/auth.ts';
import { PersonContext } from '../components/current-user.ts';
import { Refused } from '../live/request.ts';
import { useLive } from '../live/use-live.ts';
import { LogOutContext } from './account.tsx';
import { LiveContext } from './live-state.tsx';

type Router = ComponentProps<typeof RouterProvider>['router'];

interface ConsoleProps {
  user: UserRecord;
  router: Router;
  onEnded(): void;
  onLogOut(): Promise<void>;
}

/** The screens of a session. Any answer that says the session has ended ends it here. */
export function Console({ user, router, onEnded, onLogOut }: ConsoleProps) {
  const [client] = useState(() => clientFor(onEnded));
  return (
    <PersonContext value={user}>
      <LogOutContext value={onLogOut}>
        <QueryClientProvider client={client}>
          <Connected router={router} onEnded={onEnded} />
        </QueryClientProvider>
      </LogOutContext>
    </PersonContext>
  );
}

function Connected({ router, onEnded }: Pick<ConsoleProps, 'router' | 'onEnded'>) {
  const live = useLive(onEnded);
  return (
    <LiveContext value={live}>
      <RouterProvider router={router} />
    </LiveContext>
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
        // The socket delivers changes; missed ones are loaded on reconnecting.
        staleTime: Number.POSITIVE_INFINITY,
        retry: (failures, error) => failures < 2 && !(error instanceof Refused && error.status > 0 && error.status < 500),
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}
