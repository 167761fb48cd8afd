import type { Confidence } from '../../../contract/mirror.ts';
import { code } from '../../rendering/quote.ts';
import { nearest, nearestName } from '../similar-names.ts';

/** The form that a program wants for a value. */
interface OtherForm {
  to: string;
  why: string;
  confidence: Confidence;
}

/** A value that a program refused: its setting, and the line that says so. */
interface Refused {
  name: string;
  value: string;
  line: string;
}

/** The value in the form that the program wants (`true` for `yes`, `30s` for `30`), or the allowed value that was meant. Pure. */
export function otherForm(refused: Refused): OtherForm | undefined {
  return (
    asSwitch(refused) ??
    asMemory(refused) ??
    asTime(refused) ??
    asNumber(refused) ??
    asZone(refused) ??
    asAllowed(refused) ??
    asLevel(refused) ??
    asDigits(refused)
  );
}

const YES = /^(?:yes|y|on|enabled?|ja|si|oui)$/i;
const NO = /^(?:no|n|off|disabled?|nein|non)$/i;

function asSwitch({ value, line }: Refused): OtherForm | undefined {
  const isSwitch = /\bbool(?:ean)?\b|ParseBool|\btrue\b.{0,20}\bfalse\b/i.test(line);
  if (!isSwitch || (!YES.test(value) && !NO.test(value))) return undefined;
  return { to: String(YES.test(value)), why: 'the program wants `true` or `false`', confidence: 'likely' };
}

function asTime({ name, value, line }: Refused): OtherForm | undefined {
  if (!/^\d{1,9}$/.test(value)) return undefined;
  const why = 'the program wants a time with its unit';
  if (/missing unit in duration|time\.Duration|time\.ParseDuration|\bduration\b/i.test(line))
    return { to: `${value}s`, why, confidence: 'likely' };
  const isTime = /timeout|interval|period|delay|ttl|grace|backoff|max-?age/i.test(name) && /\bparse\b|invalid|unit/i.test(line);
  return isTime ? { to: `${value}s`, why, confidence: 'guess' } : undefined;
}

/** Redis writes `256mb`. */
function asMemory({ value, line }: Refused): OtherForm | undefined {
  const [, size] = /must be a memory value/.test(line) ? (/^(\d{1,12}[kmgt])i?b?$/i.exec(value) ?? []) : [];
  return size === undefined ? undefined : { to: `${size.toLowerCase()}b`, why: 'the program writes its sizes so', confidence: 'likely' };
}

/** Numbers with a decimal comma, or with commas between the thousands. */
function asNumber({ value, line }: Refused): OtherForm | undefined {
  const isFraction = /\bfloat|\bdouble\b|ParseFloat|\bdecimal\b/i.test(line);
  if (isFraction && /^\d{1,12},\d{1,12}$/.test(value))
    return { to: value.replace(',', '.'), why: 'the program wants a point', confidence: 'likely' };
  const isGrouped = /^\d{1,3}(?:[,_' ]\d{3}){1,4}$/.test(value) && isAboutNumbers(line);
  return isGrouped ? { to: value.replaceAll(/\D/g, ''), why: 'the program wants digits alone', confidence: 'likely' } : undefined;
}

const isAboutNumbers = (line: string): boolean =>
  /\bint(?:eger)?\d{0,2}\b|\bnumber\b|numeric|Atoi|ParseInt|NumberFormat|parseInt|\bdigit/i.test(line);

function asDigits({ value, line }: Refused): OtherForm | undefined {
  const digits = /^(\d{1,12})(?:\s?[A-Za-z%]{1,8}|\.0{1,6}|\/(?:tcp|udp))$/.exec(value)?.[1];
  return isAboutNumbers(line) && digits !== undefined
    ? { to: digits, why: 'the program wants a plain number', confidence: 'guess' }
    : undefined;
}

const ZONE_LINE = /time ?zone|ZoneInfo|ZoneRules/i;

/** Whether the line is about a time zone and the value may be one. */
export function isZone(value: string, line: string): boolean {
  return value.includes('/') && /^[\w+/-]{3,60}$/.test(value) && ZONE_LINE.test(line) && line.includes(value);
}

function asZone({ value, line }: Refused): OtherForm | undefined {
  if (!isZone(value, line)) return undefined;
  const zones = Intl.supportedValuesOf('timeZone');
  const [near] = zones.includes(value) ? [] : nearest(value, zones);
  return near === undefined ? undefined : { to: near, why: `there is a time zone ${code(near)}`, confidence: 'likely' };
}

function asAllowed({ value, line }: Refused): OtherForm | undefined {
  const allowed = allowedIn(line).filter((word) => word !== value);
  const [near] = [...nearestName(value, allowed), ...abbreviated(value, allowed)];
  if (near === undefined) return undefined;
  return { to: near, why: `the program takes ${allowed.map((one) => code(one)).join(', ')}`, confidence: 'likely' };
}

/** The only word that starts with the value, that starts it, or that contains its letters in order after the same first letter. */
function abbreviated(value: string, words: string[]): string[] {
  const wanted = value.toLowerCase();
  if (wanted.length < 2) return [];
  const begun = words.filter((word) => word.toLowerCase().startsWith(wanted) || (word.length > 2 && wanted.startsWith(word.toLowerCase())));
  const within = begun.length > 0 ? begun : words.filter((word) => hasLetters(word.toLowerCase(), wanted));
  return within.length === 1 ? within : [];
}

function hasLetters(word: string, letters: string): boolean {
  let at = 0;
  for (const letter of word) if (letter === letters[at]) at += 1;
  return at === letters.length && word[0] === letters[0];
}

/** The values that a line offers: `must be one of: debug, info, warn`. */
function allowedIn(line: string): string[] {
  const list =
    /\b(?:one of|choose from|choices(?: are)?|allowed(?: values)?(?: are)?|valid (?:values|options|choices|levels)(?: are)?|supported(?: values)?(?: are)?|expected|(?:must|should) be)\b[^\w'"]{0,10}(.{3,300})/i.exec(
      line,
    )?.[1];
  const words = list?.match(/[\w.+-]{2,60}/g) ?? [];
  return words.length > 1
    ? words.filter((word) => !['or', 'and', 'one', 'of', 'values', 'but', 'was', 'got', 'received'].includes(word))
    : [];
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'warning', 'error', 'fatal'];

const REFUSED_LEVEL =
  /(?:unknown|invalid|not a valid|unrecogni[sz]ed|unsupported|bad|illegal|no such|wrong).{0,40}(?:level|verbosity|severity)|(?:level|verbosity|severity).{0,60}(?:unknown|invalid|not (?:a )?valid|unrecogni[sz]ed|unsupported|must be)/i;

/** A log level. All libraries use the same names. */
function asLevel({ name, value, line }: Refused): OtherForm | undefined {
  if (!/level|verbosity|severity/i.test(name) || !REFUSED_LEVEL.test(line)) return undefined;
  const low = value.toLowerCase();
  const isLoud = /Unknown level/.test(line) || (value === value.toUpperCase() && !LEVELS.includes(low));
  const [near] = LEVELS.includes(low) ? [low] : nearest(low, LEVELS);
  const level = near ?? 'info';
  // If the value already is a level, its case is wrong.
  const to = isLoud || (value === low && LEVELS.includes(low)) ? level.toUpperCase() : level;
  const why = near === undefined ? 'every library has this level' : `there is a level ${code(to)}`;
  return to === value ? undefined : { to, why, confidence: near === undefined ? 'guess' : 'likely' };
}
