/** Something that the palette can do. */
export interface Command {
  id: string;
  /** What people read and search for. */
  name: string;
  /** Stands behind the name: where an incident is, the key that does the same. */
  hint?: string;
  run(): void;
}

/** The commands whose name or hint has every typed word, in their order. */
export function matching(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ name, hint = '' }) => words.every((word) => `${name} ${hint}`.toLowerCase().includes(word)));
}

/** The keys that work on every screen or on a list, for the help. */
export const KEYS: readonly [keys: readonly string[], what: string][] = [
  [['Ctrl', 'K'], 'Go to a screen or an incident, or do something'],
  [['/'], 'Search'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['x'], 'Select the row, or not'],
  [['Enter'], 'Open the row'],
  [['t'], 'In an incident: to what comes next, then Enter'],
  [['←', '→', '↑', '↓'], 'Next node of a graph'],
  [['e'], 'Expand the folded node of a graph'],
  [['Esc'], 'Close, or select nothing'],
  [['?'], 'This help'],
];
