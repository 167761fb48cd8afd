import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { router } from './routes.tsx';
import type { Session } from './shell/find-session.ts';
import { theme } from './theme.ts';

/** Renders the dashboard into `root`, in place of the frame that the page shows until then. */
export async function draw(root: HTMLElement, found: Promise<Session>): Promise<void> {
  // Written into the page by the server. Styles that the component library adds need it (Content-Security-Policy).
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
  const first = await found;
  // The frame is replaced once, together with its screen, so that nothing moves twice.
  if (first.kind === 'person') await router.load();
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <App first={first} />
      </MantineProvider>
    </StrictMode>,
  );
}
