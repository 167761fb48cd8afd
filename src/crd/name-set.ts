/** The names in a text, separated by white space, as a set. */
export function nameSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(Boolean));
}
