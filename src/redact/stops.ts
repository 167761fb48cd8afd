/** The characters at which a value ends. */
export interface Stops {
  ascii: Uint8Array;
  /** Whether the value also ends at blanks outside ASCII. */
  isWide: boolean;
}

const WIDE_BLANKS = new Set(
  '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
);
/** The ASCII blanks. */
export const BLANKS = '\t\n\v\f\r ';

/** Stops at these ASCII characters. A space stands for all blanks of Unicode. */
export function stopAt(characters: string): Stops {
  const ascii = new Uint8Array(128);
  for (const character of characters) ascii[character.charCodeAt(0)] = 1;
  return { ascii, isWide: characters.includes(' ') };
}

/** The place of the next stop; `most` when none comes before it. */
export function endAt(text: string, from: number, { stops, most }: { stops: Stops; most: number }): number {
  const { ascii, isWide } = stops;
  const last = Math.min(text.length, most);
  let end = from;
  while (end < last) {
    const code = text.charCodeAt(end);
    if (code < 128 ? ascii[code] === 1 : isWide && WIDE_BLANKS.has(text.charAt(end))) break;
    end++;
  }
  return Math.max(from, end);
}
