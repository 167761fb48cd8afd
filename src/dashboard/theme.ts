import { Badge, createTheme } from '@mantine/core';

/** A dense theme. Colours have enough contrast on white and on black. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  components: { Badge: Badge.extend({ defaultProps: { tt: 'none', fw: 600 } }) },
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1.25rem' }, h3: { fontSize: '1rem' } } },
});
