import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { writtenInstead } from '../replace-text.ts';
import { withoutVariable } from './remove-setting.ts';

/** A message that one word has been replaced by another. */
const REPLACED =
  /[`'"](?<old>[^`'"\n]{2,80})[`'"] (?:has been|was|is|are) (?:removed|deprecated|renamed|replaced|no longer \w{2,20})\b[^`'"\n]{0,60}\b(?:use|to|by|with|favou?r of) [`'"](?<young>[^`'"\n]{2,80})[`'"]/i;

/** A message with a word that is not accepted, and the only one that is. */
const ONLY =
  /[`'"](?<old>[^`'"\n]{2,80})[`'"][^\n]{0,120}\bonly (?:supported|allowed|valid|accepted|known|possible) [a-z]{2,20} (?:is|here is):? [`'"](?<young>[^`'"\n]{2,80})[`'"]/i;

/** Replaces a word with its successor that the program names. Of several words only those that differ change. */
export function replacedWord(input: RuleInput, line: string): Correction[] {
  const { old, young } = (REPLACED.exec(line) ?? ONLY.exec(line))?.groups ?? {};
  if (old === undefined || young === undefined) return [];
  const [before, after] = [old.split(/\s+/), young.split(/\s+/)];
  const differing = before.flatMap((word, index) => (word === after[index] ? [] : [index]));
  const [at, ...more] = differing;
  const [from, to] =
    before.length === after.length && at !== undefined && more.length === 0 ? [before[at] ?? '', after[at] ?? ''] : [old, young];
  if (from === '' || to === '') return [];
  return writtenInstead(input, { from, to }, { why: 'the program says so', explanation: `The program does not know ${code(from)}.` });
}

/** A message that forbids options. */
const FORBIDS =
  /\b(?:reserved|cannot be (?:specified|set|used|given)|can't be (?:specified|set|used)|must not be (?:specified|set|used)|(?:is|are) not allowed)\b/i;

/** Removes the only variable with the name of a forbidden option: `RUNNER_TAG_LIST` for `--tag-list`. */
export function forbiddenVariable(input: RuleInput, line: string): Correction[] {
  if (!FORBIDS.test(line)) return [];
  const options = (line.match(/(?<=[\s(,`'"])--[a-z][a-z\d-]{2,40}/g) ?? []).map((one) => one.slice(2).replaceAll('-', '_').toUpperCase());
  const names = (input.place()?.container?.env ?? []).map(({ name }) => name);
  const found = names.filter((name) => options.some((option) => option.includes('_') && (name === option || name.endsWith(`_${option}`))));
  return found.length === 1 ? withoutVariable(input, found[0] ?? '') : [];
}
