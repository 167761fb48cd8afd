import type { Given } from '../given-values.ts';
import { nearest } from '../similar-names.ts';

/** How programs report a name that is missing from a list. */
const LACKING =
  /(?:could ?n[o']t|can ?not|can't|did not|didn't|failed to|unable to) (?:find|locate)|\bnot (?:found|listed|present|part of|defined|configured|contained|known|registered|among|one of|a member)\b|\b(?:is )?(?:not|isn't) in\b|\bunknown\b|\bno such\b|must be (?:one of|in|among|listed|part of|a member)|(?:does not|doesn't) (?:contain|include|exist|belong)/i;

/**
 * For a line that says that a value is missing from a list: the most similar entry of the list, which another variable or option of the container
 * holds. For `etcd0` beside `etcd-0=http://etcd-0:2380`, this is `etcd-0`. Undefined unless exactly one entry is the most similar.
 */
export function entryMeant(
  given: readonly Given[],
  { name, value, line }: { name: string; value: string; line: string },
): { to: string; list: string } | undefined {
  if (!LACKING.test(line)) return undefined;
  const found = given
    .filter((one) => one.name !== name && (isNamed(one.name, line) || areOfOneProgram(one.name, name)))
    .flatMap((one) => {
      const entries = entriesOf(one.value);
      // A value that is in the list is refused for a different reason.
      const near = entries.includes(value) ? [] : nearest(value, entries).filter((entry) => isOtherSpelling(entry, value));
      return near.length === 1 && near[0] !== undefined ? [{ to: near[0], list: one.name }] : [];
    });
  return new Set(found.map(({ to }) => to)).size === 1 ? found[0] : undefined;
}

/** Entries with different numbers are different members. */
const isOtherSpelling = (entry: string, value: string): boolean => digitsOf(entry) === digitsOf(value);
const digitsOf = (text: string): string => text.replaceAll(/\D+/g, ' ').trim();

/** The names in a list. A name may be followed by its own address or value. */
function entriesOf(value: string): string[] {
  const parts = value.slice(0, 2000).split(/[,;\s]+/);
  const isList = parts.length > 1 || /[=@]|:\/\//.test(value);
  return isList ? parts.flatMap((part) => /^[\w.-]{2,63}(?=[=@:]|$)/.exec(part)?.[0] ?? []) : [];
}

/** Whether the line names a variable or option in words: `initial cluster` for `ETCD_INITIAL_CLUSTER` and `--initial-cluster`. */
function isNamed(name: string, line: string): boolean {
  const words = wordsOf(name);
  const text = ` ${wordsOf(line).join(' ')} `;
  return [words, words.slice(1)].some((some) => some.length > 0 && some.join('').length > 3 && text.includes(` ${some.join(' ')} `));
}

/** Whether both variables begin with the same word, as the variables of one program do. */
const areOfOneProgram = (a: string, b: string): boolean => !a.startsWith('-') && a.includes('_') && wordsOf(a)[0] === wordsOf(b)[0];
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z\d]+/g) ?? [];
