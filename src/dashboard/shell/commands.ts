/** Something that the palette can do. */
export interface Command {
  id: string;
  /** The text that people read and search for. */
  name: string;
  /** Shown after the name: an incident's namespace, or the equivalent key. */
  hint?: string;
  run(): void;
}

/** The commands whose name or hint contains every typed word, in order. */
export function matching(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ name, hint = '' }) => words.every((word) => `${name} ${hint}`.toLowerCase().includes(word)));
}
