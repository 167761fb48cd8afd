import { Badge, Combobox, createTheme, Menu, Popover } from '@mantine/core';

/** A dense theme. Colours have enough contrast on white and on black. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  components: {
    Badge: Badge.extend({ defaultProps: { tt: 'none', fw: 600 } }),
    // Menus and lists stay in the landmark of their button; at the end of the page they would be in none. The first item takes the focus, because the
    // placeholder for it has a role that a menu must not contain.
    Menu: Menu.extend({ defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } }),
    Combobox: Combobox.extend({ defaultProps: { withinPortal: false } }),
    Popover: Popover.extend({ defaultProps: { withinPortal: false } }),
  },
  // Buttons, choices and labels are frequent. If all of them were bold, nothing would stand out.
  fontWeights: { medium: '500' },
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1.0625rem' }, h3: { fontSize: '1rem' } } },
});
