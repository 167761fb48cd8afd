/** The initials of a user name: first letters of the first and the last word, or the first two letters of one word. `ada.lovelace` is AL, `bob` BO. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._@-]+/u).filter(Boolean);
  const [first = '', ...others] = words.map((word) => Array.from(word));
  const last = others.at(-1);
  return [first[0], last ? last[0] : first[1]].join('').toUpperCase();
}
