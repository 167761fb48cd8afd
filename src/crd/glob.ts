/**
 * Whether a text matches a glob: `*` stands for any text, slashes included; every other character stands for itself. Time grows with the
 * length of the text and never exponentially, whatever the glob is.
 */
export function globMatches(glob: string, text: string): boolean {
  const [first = '', ...parts] = glob.split('*');
  const last = parts.pop();
  if (last === undefined) return glob === text;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= text.length - last.length;
}
