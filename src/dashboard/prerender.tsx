import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { SCREENS } from './screens.ts';
import { Shell } from './shell/shell.tsx';
import { theme } from './theme.ts';

/** The frame as HTML for `deploy/dashboard.ts`, with the styles that the theme adds at run time. */
export const shellHtml = (): string =>
  renderToStaticMarkup(
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <Shell screens={SCREENS} />
    </MantineProvider>,
  );
