/** A table of which groups of three letters a text has, folded to this many bits. */
const BITS = 14;

/**
 * Answers whether a text may hold a hint: false is certain, true is worth a search. Hundreds of hints are looked for in every log, and nearly
 * all are not there: one pass over the log, then a few look-ups a hint, instead of one pass each.
 */
export function hintFilter(text: string): (hint: string) => boolean {
  const seen = new Uint8Array(1 << BITS);
  for (let at = 2; at < text.length; at++) seen[groupAt(text, at)] = 1;
  return (hint) => {
    for (let at = 2; at < hint.length; at++) if (seen[groupAt(hint, at)] === 0) return false;
    return true;
  };
}

/** The number of the three letters that end at `at`. */
function groupAt(text: string, at: number): number {
  const letters = (text.charCodeAt(at - 2) * 961 + text.charCodeAt(at - 1) * 31 + text.charCodeAt(at)) | 0;
  return (letters ^ (letters >>> BITS)) & ((1 << BITS) - 1);
}
