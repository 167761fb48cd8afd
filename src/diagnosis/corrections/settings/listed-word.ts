import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { writtenInstead } from '../replace-text.ts';
import { nearest } from '../similar-names.ts';

/** A message with an unknown word and the list of known ones. */
const LISTED =
  /[`'"](?<word>[\w.:-]{2,60})[`'"] (?:does not exist|doesn't exist|is (?:not (?:valid|known|defined|registered|supported)|unknown|invalid))\b.{0,40}?\b(?:[Vv]alid|[Aa]vailable|[Kk]nown|[Ss]upported|[Pp]ossible|[Rr]egistered|[Dd]efined) [a-z]{2,20} (?:are|is):? (?<list>.{2,300})/;

/** Replaces an unknown word in the arguments with the similar one from the list at the end of the line. */
export function listedWord(input: RuleInput, line: string): Correction[] {
  const { word = '', list = '' } = LISTED.exec(line)?.groups ?? {};
  const [near, ...more] = nearest(word, list.match(/[\w.:-]{2,60}(?<![.:])/g) ?? []);
  if (near === undefined || more.length > 0) return [];
  const why = `the program has ${code(near)}`;
  return writtenInstead(input, { from: word, to: near }, { why, explanation: `The program has no ${code(word)}.` });
}
