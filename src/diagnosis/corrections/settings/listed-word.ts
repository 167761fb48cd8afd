import type { RuleInput } from '../../facts/input.ts';
import { asGuess } from '../combine.ts';
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
  const words = list.match(/[\w.:-]{2,60}(?<![.:])/g) ?? [];
  const [near, ...more] = nearest(word, words);
  const longer = words.find((one) => word.length > 3 && new RegExp(`^${word.replaceAll(/\W/g, '.')}[_.:-]`).test(one));
  const to = more.length > 0 ? undefined : (near ?? longer);
  if (to === undefined) return [];
  const texts = { why: `the program has ${code(to)}`, explanation: `The program has no ${code(word)}.` };
  return writtenInstead(input, { from: word, to }, texts).map((one) => (near === undefined ? asGuess(one) : one));
}
