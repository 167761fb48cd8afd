import { Center, Loader } from '@mantine/core';
import { router } from './routes.tsx';
import { Console } from './shell/console.tsx';
import { Unreachable } from './shell/fallback-screens.tsx';
import type { Session } from './shell/find-session.ts';
import { Login } from './shell/login.tsx';
import { useSession } from './shell/session.ts';

/** The whole page, beginning with the session `first`. Without a session it shows the login, or the signup of the first administrator. */
export function App({ first }: { first: Session }) {
  const [session, actions] = useSession(first);
  switch (session.kind) {
    case 'loading':
      return (
        <Center component="main" mih="100vh" aria-busy="true">
          <Loader aria-label="Loading" />
        </Center>
      );
    case 'unreachable':
      return <Unreachable detail={session.detail} onRetry={actions.load} />;
    case 'setup':
      return <Login isSetup onEnter={actions.enter} onOutdated={actions.load} />;
    case 'anonymous':
      return <Login notice={session.notice} onEnter={actions.enter} onOutdated={actions.load} />;
    case 'person':
      // A new key drops all loaded data, because the next person must not see it.
      return <Console key={session.user.id} user={session.user} router={router} onEnded={actions.ended} onLogOut={actions.logOut} />;
  }
}
