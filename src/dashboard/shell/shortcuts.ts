/** The keys that work on every screen or in lists, for the help. */
export const KEYS: readonly [keys: readonly string[], what: string][] = [
  [['Ctrl', 'K'], 'Go to a screen or an incident, or do something'],
  [['/'], 'Search'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['x'], 'Select the row, or not'],
  [['Enter'], 'Open the row'],
  [['a'], 'Assign the row, the selected rows, or the open incident'],
  [['t'], 'In an incident: to what comes next, then Enter'],
  [['←', '→', '↑', '↓'], 'Next node of a graph'],
  [['e'], 'Expand the folded node of a graph'],
  [['Esc'], 'Close, or select nothing'],
  [['?'], 'This help'],
];
