import type { Given } from '../given-values.ts';
import { isAboutBase64, isShortSchedule, isUnpadded, isZone } from './value-form.ts';

/**
 * Finds the setting of the manifest whose value a log line complains about. The line has the value in quotes, has both the setting's name and
 * the value, or refuses the value as a word; otherwise only one value fits the complaint. Undefined if none is found.
 */
export function namedValue(given: Given[], line: string): Given | undefined {
  return (
    given.find(
      ({ name, value }) =>
        // A single digit may be anything's, so the line has to name its setting.
        (isQuoted(line, value) && (!/^\d$/.test(value.trim()) || isNamedIn(name, line))) ||
        isQuoted(line, `${name}=${value}`) ||
        // Python's logging shows levels in capitals.
        (/level/i.test(name) && isQuoted(line, value.trim().toUpperCase())) ||
        (value.trim().length > 1 && hasBoth(line, name, value)) ||
        isZone(value.trim(), line),
    ) ??
    refusedWord(given, line) ??
    refusedName(given, line) ??
    almostNumber(given, line) ??
    refusedChoice(given, line) ??
    shortSchedule(given, line) ??
    unpadded(given, line)
  );
}

/** The text with JSON escapes, without the quotes around it. */
export const escapedText = (value: string): string => JSON.stringify(value).slice(1, -1);

function isQuoted(line: string, value: string): boolean {
  const forms = [value, value.trim(), escapedText(value)].filter((form) => form !== '');
  // After a path and a colon, the message describes the content of the file, not the path.
  if (value.startsWith('/') && [`'${value}': `, `"${value}": `].some((before) => line.includes(before))) return false;
  if (value.trim().length > 2 && [`(${value.trim()})`, `[${value.trim()}]`].some((bracketed) => line.includes(bracketed))) return true;
  return forms.some((form) => [`'${form}'`, `"${form}"`, `\`${form}\``, `\\"${form}\\"`].some((quoted) => line.includes(quoted)));
}

function hasBoth(line: string, name: string, value: string): boolean {
  const bare = name.replace(/^-+/, '');
  return (
    new RegExp(`(?<![\\w-])-{0,2}${bare.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`).test(line) && line.includes(value.trim())
  );
}

/** How programs report a value that they do not accept. */
const REFUSES =
  /\b(?:unknown|invalid|unsupported|unrecogni[sz]ed|illegal|bad|wrong|malformed|nonexistent|no (?:enum constant|such|suitable|valid)|(?:not|isn't) (?:supported|recogni[sz]ed|allowed|valid|an? valid|enabled|known)|cannot (?:load|parse|convert|interpret)|(?:could not|unable to|failed to) (?:load|parse|convert|interpret)|expected|must be|out of range|not an? (?:number|integer)|not (?:in|of) (?:the )?(?:correct|right|expected|valid|required) (?:format|form)|does(?:n't| not) match)\b/i;
/** How programs report a name that another system does not know. It counts only for a setting that the line also names. */
const LACKS = /\b(?:not found|does not exist|doesn't exist|not registered)\b/i;
/** An ordinary word or a short number may be in the line by chance, so it counts only if the line also names its setting. */
const PLAIN_WORD = /^(?:[a-z]{1,12}|\d{1,3})$/;

/**
 * The only value that occurs as a whole word in a line that refuses something: `5Gi` in `unknown unit Gi in 5Gi`. If several values occur, it is
 * the one whose setting the line names.
 */
function refusedWord(given: Given[], line: string): Given | undefined {
  const isRefusal = REFUSES.test(line);
  if (!isRefusal && !LACKS.test(line)) return undefined;
  const found = given.filter(({ name, value }) => {
    const word = value.trim();
    return (
      word.length > 1 &&
      isWord(line, word) &&
      ((isRefusal && (!PLAIN_WORD.test(word) || line.trimEnd().endsWith(`: ${word}`))) || isNamedIn(name, line))
    );
  });
  const [only, ...more] = found;
  return more.every(({ value }) => value === only?.value) ? only : found.find(({ name }) => isNamedIn(name, line));
}

/** How programs report a value that is not a number. */
const WANTS_NUMBER =
  /ParseIntError|ParseFloatError|InvalidDigit|invalid digit found|invalid float literal|valid integer|received nan|(?:must|should) be an? (?:number|integer)|not an? (?:number|integer)/;

/** A setting that the line names, whose value is not the number that the program wants. */
function refusedName(given: Given[], line: string): Given | undefined {
  return WANTS_NUMBER.test(line) ? given.find(({ name, value }) => name.length > 2 && /\D/.test(value) && isWord(line, name)) : undefined;
}

/** The only value that is a number but for the unit behind it, if the line names neither. */
function almostNumber(given: Given[], line: string): Given | undefined {
  const [only, ...more] = /ParseIntError|InvalidDigit|invalid digit found/.test(line)
    ? given.filter(({ value }) => /^\d{1,9}(?:[kKmMgG]i?[bB]?|ms|s|h)$/.test(value))
    : [];
  return more.length === 0 ? only : undefined;
}

/** How programs list the values that a setting may have. */
const WANTS_ONE_OF =
  /invalid filter directive|\b(?:(?:must|should|has to|needs to) be (?:one|any|either) of|is not (?:one of|in the (?:list|set)))\b/i;

/** A setting that the line names in full together with a list, which does not have its value. */
function refusedChoice(given: Given[], line: string): Given | undefined {
  return WANTS_ONE_OF.test(line)
    ? given.find(({ name, value }) => name.length > 2 && value.trim() !== '' && isWord(line, name) && !isWord(line, value.trim()))
    : undefined;
}

/** The only value that is a cron schedule with one field too few, if the line complains about the number of fields. */
function shortSchedule(given: Given[], line: string): Given | undefined {
  const [only, ...more] = given.filter(({ value }) => isShortSchedule(value, line));
  return more.length === 0 ? only : undefined;
}

/** The only value that is base64 without its padding, if the line complains about base64. */
function unpadded(given: Given[], line: string): Given | undefined {
  const [only, ...more] = isAboutBase64(line) ? given.filter(({ name, value }) => isUnpadded(name, value)) : [];
  return more.length === 0 ? only : undefined;
}

/** Whether the line contains a word of the setting's name with at least four letters: `level` for `LOG_LEVEL`. */
function isNamedIn(name: string, line: string): boolean {
  const words = new Set<string>(line.toLowerCase().match(/[a-z]{4,40}/g));
  return name
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => word.length > 3 && words.has(word));
}

function isWord(line: string, word: string): boolean {
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + word.length))
    if (!/[\w-]/.test(line[at - 1] ?? ' ') && !/[\w-]/.test(line[at + word.length] ?? ' ')) return true;
  return false;
}
