import { type Alphabet, ALPHABETS, BITS } from './formats/format.ts';
import { type Counts, countKinds, kindOf } from './harmless-values.ts';

/** When windows overlap, characters are counted in stretches of this length. */
const STRETCH = 512;

/**
 * Answers questions about the characters of one text. Many tokens may seem to begin within one run of characters, so each character is
 * read only once, however many questions are asked. The work therefore grows only with the length of the text, whatever the text
 * contains. Ask questions in order, from the beginning of the text to its end.
 */
export interface Runs {
  /** Where the run that begins at `from` ends. The run contains only characters of the alphabet. The answer is at most `most`. */
  end(from: number, alphabet: Alphabet, most: number): number;
  /** How many characters of each kind are between `from` and `to`, which must be at most 160 characters apart. */
  counts(from: number, to: number): Counts;
}

interface Run {
  from: number;
  to: number;
}

export function runsOf(text: string): Runs {
  const runs = new Map<Alphabet, Run>();
  let sums: Sums | undefined;
  let readTo = -1;
  return {
    end(from, alphabet, most) {
      const run = runs.get(alphabet) ?? { from, to: from };
      if (run.from === run.to) runs.set(alphabet, run);
      if (from >= run.to || from < run.from) Object.assign(run, { from, to: from });
      const last = Math.min(most, text.length);
      const bits = ALPHABETS[alphabet];
      while (run.to < last && ((BITS[text.charCodeAt(run.to)] ?? 0) & bits) !== 0) run.to++;
      return Math.min(run.to, last);
    },
    counts(from, to) {
      const isOverlap = from < readTo;
      readTo = Math.max(readTo, to);
      if (!isOverlap) return countKinds(text, from, to);
      if (!sums || from < sums.from || to > sums.to) sums = sumsFrom(text, from, sums);
      return between(sums, from, to);
    },
  };
}

/** For each place in a stretch of the text: how many characters of each kind are between `from` and that place. */
interface Sums {
  from: number;
  to: number;
  /** Digits, capitals and small letters: ten bits each. */
  kinds: Uint32Array;
  /** How often the case changes from one letter to the next. A change counts for the later of the two letters. */
  turns: Uint16Array;
}

/** Computes the sums of a stretch. Reuses the arrays of the previous stretch. */
function sumsFrom(text: string, from: number, before: Sums | undefined): Sums {
  const kinds = before?.kinds ?? new Uint32Array(STRETCH + 1);
  const turns = before?.turns ?? new Uint16Array(STRETCH + 1);
  const length = Math.min(STRETCH, text.length - from);
  let last = 0;
  for (let index = 0; index < length; index++) {
    const kind = kindOf(text.charCodeAt(from + index));
    kinds[index + 1] = (kinds[index] ?? 0) + (kind === 0 ? 0 : 1 << (10 * (kind - 1)));
    turns[index + 1] = (turns[index] ?? 0) + (kind + last === 5 ? 1 : 0);
    last = kind;
  }
  return { from, to: from + length, kinds, turns };
}

function between({ from: begin, kinds, turns }: Sums, from: number, to: number): Counts {
  if (to <= from) return { digits: 0, uppers: 0, lowers: 0, signs: 0, turns: 0 };
  const found = (kinds[to - begin] ?? 0) - (kinds[from - begin] ?? 0);
  const [digits, uppers, lowers] = [found & 1023, (found >> 10) & 1023, (found >> 20) & 1023];
  return {
    ...{ digits, uppers, lowers },
    signs: to - from - digits - uppers - lowers,
    turns: (turns[to - begin] ?? 0) - (turns[from + 1 - begin] ?? 0),
  };
}
