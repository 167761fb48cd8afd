import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles.ts';
import { App } from './app.tsx';
import { theme } from './theme.ts';

// Written into the page by the server. Styles that the component library adds need it (Content-Security-Policy).
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <App />
    </MantineProvider>
  </StrictMode>,
);
