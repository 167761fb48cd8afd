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
