import { code } from '../../rendering/quote.ts';
import { type ContainerPlace } from '../../facts/input.ts';
import { type Given, givenIn, setTo } from '../given-values.ts';
import type { Meaning } from '../meaning.ts';

/** Messages such as `Expected A, but read B`. */
const DIFFERENT: readonly RegExp[] = [
  /\b[Ee]xpected:? ["'`]?(?<wanted>[\w.:-]{4,100}?)["'`]?[,;]? (?:but |and |instead )?(?:read|found|got|have|actual(?:ly)?|received|was)(?: is| was)?:? ["'`]?(?<stored>[\w.:-]{4,100}?)["'`]?(?=[\s,;)]|\.?$|\. )/,
  /\b(?:[Ff]ound|[Gg]ot|[Rr]ead|[Ss]tored|[Ee]xisting):? ["'`]?(?<stored>[\w.:-]{4,100}?)["'`]?[,;]? (?:but |and |while )?(?:we |it |the configuration )?(?:expected|wanted|configured|requested)(?: is| was)?:? ["'`]?(?<wanted>[\w.:-]{4,100}?)["'`]?(?=[\s,;)]|\.?$|\. )/,
];
/** The name of a setting, its value, and the one with which the data were made (MySQL, "Identifier Case Sensitivity"). */
const OF_DATA =
  /\bDifferent (?<name>[a-z][a-z_]{3,60}) settings for server \('(?<wanted>[\w.-]{1,60})'\) and data dictionary \('(?<stored>[\w.-]{1,60})'\)/;
const FILE = /(?<![\w/:.])(?:\/[\w@+-][\w.@+-]{0,80}){1,12}(?<!\.)/;
/** Names of values for protection. If such a value differs, the data must not be trusted. */
const GUARDS = /SHA\d|SUM|DIGEST|HASH|SIGN|PASS|TOKEN|SECRET|KEY|NONCE|CERT|FINGERPRINT/i;

/**
 * Gives a variable or option the value in the stored data, if they differ: the id of a cluster, the name of a realm. The data stay, so the setting
 * changes.
 */
export function storedValue(place: ContainerPlace, line: string): Meaning | undefined {
  const made = OF_DATA.exec(line)?.groups;
  if (made) {
    const named = givenIn(place).find(({ name }) => name.replace(/^-+/, '').replaceAll('-', '_') === made['name']);
    return named && asStored(place, named, made['stored'] ?? '', '');
  }
  for (const pattern of DIFFERENT) {
    const { wanted = '', stored = '' } = pattern.exec(line)?.groups ?? {};
    const [only, ...more] = givenIn(place).filter(({ value }) => value === wanted);
    if (!only || more.length > 0 || stored === wanted || GUARDS.test(only.name) || !isAlike(wanted, stored)) continue;
    return asStored(place, only, stored, FILE.exec(line)?.[0] ?? '');
  }
  return undefined;
}

/** The meaning of a value other than the one with which the data were made. */
function asStored(place: ContainerPlace, given: Given, stored: string, file: string): Meaning {
  const { name, value } = given;
  return {
    because: `${code(name)} is ${code(value)}, and the program finds ${code(stored)}${file && ` in ${code(file)}`}`,
    culprit: `${name}=${value}`,
    advice: [`Give ${code(name)} the value that the data have, or give the program the data that belong to its value.`],
    corrections: [
      setTo(place, given, stored, {
        why: 'the program finds this value',
        confidence: 'guess',
        explanation: `The program expects ${code(value)}. Look first whether these are the right data.`,
      }),
    ],
    whereToLook: `where ${code(name)} is set, and the volume with the data`,
  };
}

/** Whether both can be given names, and not words of the sentence, such as a type's name or a common number. */
function isAlike(wanted: string, stored: string): boolean {
  return [wanted, stored].every((text) => text.length >= 6 && /[\d_-]/.test(text) && /[A-Za-z]/.test(text));
}
