/** The table of three-letter groups has 2 to this power entries. */
const BITS = 14;

/**
 * Answers whether a text may contain a hint: false is certain, true needs a search. Every log is searched for hundreds of hints, and nearly all
 * are absent. So one pass over the log fills a table, and a hint needs a few look-ups instead of a pass of its own.
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
