import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { mountOf } from '../files/mounted-files.ts';
import { dropOption } from './argument.ts';
import type { Correction } from '../correction.ts';
import { givenIn } from '../given-values.ts';
import type { Meaning } from '../meaning.ts';
import { withoutVariable } from './remove-setting.ts';

/** A message that two variables must both be set, or neither. */
const PAIR =
  /\bset or unset ([A-Z][A-Z\d_]{2,60}) and ([A-Z][A-Z\d_]{2,60})\b|\b([A-Z][A-Z\d_]{2,60}) and ([A-Z][A-Z\d_]{2,60}) (?:must|should) (?:both )?be (?:set )?(?:together|both or neither)/;

/** Removes the variable that is set without its counterpart. */
export function pairedVariable(input: RuleInput, line: string): Correction[] {
  const both = (PAIR.exec(line) ?? []).slice(1).flatMap((name) => name ?? []);
  const names = (input.place()?.container?.env ?? []).map(({ name }) => name);
  const [alone, ...more] = both.filter((name) => names.includes(name));
  return alone === undefined || more.length > 0
    ? []
    : withoutVariable(input, alone).map((one) => ({
        ...one,
        confidence: 'guess',
        explanation: `The program wants both or none, and nothing says what the other one should be.`,
      }));
}

/** A message that the stored value differs from the variable's. */
const KEPT = /(?:does not|doesn't|did not) match the ([A-Z][A-Z\d]{1,40}_[A-Z\d_]{2,60}) (?:env|environment)\b/;

/** Removes a variable that contradicts what the program stored in its volume. */
export function contradictedVariable(input: RuleInput, line: string): Correction[] {
  const name = KEPT.exec(line)?.[1];
  return name === undefined
    ? []
    : withoutVariable(input, name).map((one) => ({
        ...one,
        confidence: 'guess',
        explanation: 'The program then goes on with what its volume has. Where the variable is right, the volume is the wrong one.',
      }));
}

/** An option or a variable, in quotes or without. */
const NAME = String.raw`['"\x60]?(-{1,2}[a-z][\w.-]{1,60}|[A-Z][A-Z\d]{0,40}_[A-Z\d_]{2,60}(?<!_))['"\x60]?`;

/** Messages that only one of two settings may be given. The third form is that of Python's `argparse`. */
const EXCLUSIVE: readonly RegExp[] = [
  new RegExp(String.raw`\b[Bb]oth ${NAME} and ${NAME} (?:are|were|is) (?:set|given|defined|specified|provided)\b.{0,20}\bexclusive`),
  new RegExp(String.raw`${NAME} and ${NAME} (?:are|is) (?:mutually )?exclusive`),
  new RegExp(String.raw`argument (?:-\w\/)?${NAME}: not allowed with argument (?:-\w\/)?${NAME}`),
  new RegExp(String.raw`(?:cannot|can't|can not|must not|may not) (?:set|use|specify|provide|define|have) both ${NAME} and ${NAME}`, 'i'),
  new RegExp(
    String.raw`${NAME} (?:and ${NAME} )?(?:cannot|can't|can not|must not|may not) be (?:set|used|specified|combined) (?:together|at the same time|with ${NAME})`,
  ),
];

const FITS = 'valid|allowed|supported|applicable|available|permitted';
/** Messages that a setting may not stand beside another one, or in the program's mode. The name is that of the setting that must go. */
const MISPLACED: readonly RegExp[] = [
  /\bsetting \[([a-z][\w.-]{2,80})\] is not allowed when \[[a-z][\w.-]{2,80}\] is set\b/,
  /\b(?:flags?|options?|arguments?)(?:\(s\))? (?:can ?not|can't|may not|must not) be used (?:in|with|when|while|for)\b.{0,60}?["'`](-{1,2}[a-z][\w.-]{1,60})/,
  new RegExp(String.raw`${NAME} (?:can ?not|can't|may not|must not) be (?:used|set|specified|given) (?:in|when|while|if|for)\b`),
  new RegExp(
    String.raw`${NAME} (?:flag |option )?(?:is (?:only (?:${FITS})|(?:${FITS}) only)|can only be (?:used|set|specified)) (?:in|when|with|for|if)\b`,
  ),
];

/**
 * What it means that a setting may not stand beside a value that the container has, if the container does not have that setting: then a file
 * has it. Undefined for other lines.
 */
export function forbiddenBeside(input: RuleInput, line: string): Meaning | undefined {
  const [, setting = '', other = '', value = ''] =
    /\bsetting \[([a-z][\w.-]{2,80})\] is not allowed when \[([a-z][\w.-]{2,80})\] is set to \[([^\]]{1,60})\]/.exec(line) ?? [];
  const place = input.place();
  const names = place ? givenIn(place).map(({ name }) => name.replace(/^-+/, '')) : [];
  if (setting === '' || !names.includes(other) || names.includes(setting)) return undefined;
  return {
    because: `two settings exclude each other: ${code(setting)} must not be set while ${code(other)} is ${code(value)}`,
    culprit: `${setting} beside ${other}=${value}`,
    advice: [
      `To keep ${code(`${other}=${value}`)}, take ${code(setting)} out of the configuration file of the program: the manifest does not set it. To keep ${code(setting)}, give ${code(other)} another value.`,
    ],
    whereToLook: `the configuration file of the program, mounted or in the image, and where ${code(other)} is set`,
  };
}

/** Removes a setting that the program does not take beside another one or in its mode. */
export function misplacedSetting(input: RuleInput, line: string): Correction[] {
  const name = MISPLACED.map((pattern) => pattern.exec(line)?.slice(1).find(Boolean)).find(Boolean);
  if (name === undefined) return [];
  const why = 'the program does not take it as it runs here';
  const explanation = 'The program names the setting with which it does not start. Where it is wanted, the other setting has to change.';
  const made = name.startsWith('-') ? dropOption(input.place(), name, { why, explanation }) : withoutVariable(input, name);
  return made.map((one) => ({ ...one, explanation }));
}

/**
 * Removes one of two settings that exclude each other. Of a value and its file, the value goes if a volume brings the file. Otherwise it is not
 * known which one was meant.
 */
export function exclusiveSettings(input: RuleInput, line: string): Correction[] {
  const place = input.place();
  const found = EXCLUSIVE.map((pattern) =>
    pattern
      .exec(line)
      ?.slice(1)
      .flatMap((name) => name ?? []),
  ).find((names) => names?.length === 2);
  const [first = '', second = ''] = found ?? [];
  if (!place || first === second) return [];
  const isFile = second.startsWith(first) && /^__?FILE$/.test(second.slice(first.length));
  const file = place.container?.env?.find(({ name }) => name === second)?.value;
  const isBrought = isFile && file !== undefined && mountOf(place, file) !== undefined;
  const gone = isBrought ? first : second;
  const why = `the program takes ${code(first)} or ${code(second)}`;
  const made = gone.startsWith('-') ? dropOption(place, gone, { why, explanation: '' }) : withoutVariable(input, gone);
  return made.map((one) => ({
    ...one,
    confidence: isFile ? 'likely' : 'guess',
    explanation: `The program takes ${code(first)} or ${code(second)}, but not both${isFile ? '.' : ': keep the one that is meant.'}`,
  }));
}
