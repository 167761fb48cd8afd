import { TIME_UNITS } from './duration.ts';
import type { Confidence } from '../../../contract/mirror.ts';
import { code } from '../../rendering/quote.ts';
import { isSubsequence, nearest, nearestName } from '../similar-names.ts';
import { isSameStage } from '../synonyms.ts';

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

/** The forms that are tried, the most telling first. */
const FORMS: readonly ((refused: Refused) => OtherForm | undefined)[] = [
  asSwitch,
  asMemory,
  asSize,
  asDuration,
  asTime,
  asTyped,
  asNumeral,
  asNumber,
  asZone,
  asLevel,
  asBefore,
  asAllowed,
  asKnown,
  asListenAddress,
  asUrl,
  asProvider,
  asSchedule,
  asPadded,
  asTimeOfName,
  asDigits,
  asSymmetric,
  asInterface,
  asPattern,
];

/** The value in the form that the program wants (`true` for `yes`, `30s` for `30`), or the allowed value that was meant. Pure. */
export function otherForm(refused: Refused): OtherForm | undefined {
  for (const form of FORMS) {
    const found = form(refused);
    if (found) return found;
  }
  return undefined;
}

/** The pattern that a line wants: `not in correct format (regular expression): [0-9]+[KMG]?`, `must match pattern ^[a-z-]+$`. */
const PATTERN =
  /(?:regular expression|reg(?:ex|ular) pattern|match(?:es)?(?: the)?(?: (?:pattern|regexp?))?)\)?:? ['"`/]?(?<pattern>[\^[(\\][\w\\^$.*+?()[\]{}|:, -]{2,80})/i;

/** The value in the form of the pattern that the program names, if a small change brings it there. */
function asPattern({ value, line }: Refused): OtherForm | undefined {
  const pattern = safePattern(PATTERN.exec(line)?.groups?.['pattern'] ?? '');
  if (!pattern || value.length > 60 || pattern.test(value)) return undefined;
  const forms = [
    value.trim(),
    value.replace(/^(['"])(.*)\1$/, '$2'),
    value.replace(/^(\d+) ?([KMGT])i?B?$/i, '$1$2'),
    value.toLowerCase(),
    value.toUpperCase(),
    value.replaceAll('_', '-'),
    value.replaceAll('-', '_'),
    value.toLowerCase().replaceAll('_', '-'),
  ];
  const to = forms.find((one) => one !== value && pattern.test(one));
  return to === undefined ? undefined : { to, why: 'it then has the form that the program names', confidence: 'likely' };
}

/** What may make a pattern slow on a hostile line: repeated groups, look-around, references. */
const SLOW = /\)[*+{]|\(\?(?!:)|\\[1-9k]/;
/** A pattern with so many open repetitions tries a text of 60 characters at most some hundred thousand times. */
const MAX_REPEATED = 3;

/** The pattern as a whole; undefined where it may take long, because the line comes from outside. */
function safePattern(text: string): RegExp | undefined {
  const bare = text.replace(/['"`/.,;]+$/, '');
  if (bare === '' || SLOW.test(bare) || (bare.match(/[*+]|\{\d*,/g) ?? []).length > MAX_REPEATED) return undefined;
  try {
    return new RegExp(`^(?:${bare.replace(/^\^/, '').replace(/\$$/, '')})$`);
  } catch {
    return undefined;
  }
}

/** A network interface that the pod does not have. Container runtimes name the pod's own one `eth0` (Kubernetes, `DefaultNetworkInterfaceName`). */
function asInterface({ value, line }: Refused): OtherForm | undefined {
  const isOne = /^(?:eth|ens|eno|enp|em|bond|wlan)\w{1,12}$/.test(value) && value !== 'eth0';
  const isMissing =
    /can't find device|no such (?:network )?(?:interface|device)|(?:device|interface)\b.{0,60}\b(?:not found|does not exist|not exist|unknown)|IP for interface/i;
  return isOne && isMissing.test(line) ? { to: 'eth0', why: 'it is the network interface of a pod', confidence: 'likely' } : undefined;
}

const YES = /^(?:yes|y|on|true|1|enabled?|ja|si|oui)$/i;
const NO = /^(?:no|n|off|false|0|disabled?|nein|non)$/i;
/** Pairs of words by which programs name the two states of a switch. */
const SWITCHES: readonly (readonly [line: RegExp, yes: string, no: string])[] = [
  [/['"`]?\byes\b['"`]? or ['"`]?no\b/i, 'yes', 'no'],
  [/['"`]?\bon\b['"`]? or ['"`]?off\b/i, 'on', 'off'],
  [/['"`]?\benabled\b['"`]? or ['"`]?disabled\b/i, 'enabled', 'disabled'],
];

function asSwitch({ value, line }: Refused): OtherForm | undefined {
  const [, yes, no] = SWITCHES.find(([pattern]) => pattern.test(line)) ?? [];
  const to = YES.test(value) ? yes : NO.test(value) ? no : undefined;
  if (to !== undefined && yes !== undefined)
    return to === value ? undefined : { to, why: `the program wants ${code(yes)} or ${code(no ?? '')}`, confidence: 'likely' };
  const isSwitch = /\bbool(?:ean)?\b|ParseBool|\btrue\b.{0,20}\bfalse\b/i.test(line);
  if (!isSwitch || (!YES.test(value) && !NO.test(value)) || /^(?:true|false)$/.test(value)) return undefined;
  return { to: String(YES.test(value)), why: 'the program wants `true` or `false`', confidence: 'likely' };
}

function asTime({ name, value, line }: Refused): OtherForm | undefined {
  if (!/^\d{1,9}$/.test(value)) return undefined;
  const why = 'the program wants a time with its unit';
  // Nobody waits for an hour: such a number was meant as milliseconds.
  const unit = Number(value) >= 1000 && /timeout|delay|backoff|deadline|wait/i.test(name) ? 'ms' : 's';
  if (/missing unit in duration|time\.Duration|time\.ParseDuration|\bduration\b/i.test(line))
    return { to: `${value}${unit}`, why, confidence: 'likely' };
  const isTime = /timeout|interval|period|delay|ttl|grace|backoff|max-?age/i.test(name) && /\bparse\b|invalid|unit/i.test(line);
  return isTime ? { to: `${value}${unit}`, why, confidence: 'guess' } : undefined;
}

/** `PT30S` for Java's `Duration.parse` (ISO 8601), and `30s` for a program that does not take the former. */
function isoDuration(value: string, line: string): string | undefined {
  const [, digits, unit] = /^(\d{1,9})([smh])$/i.exec(value) ?? [];
  if (digits !== undefined && unit !== undefined)
    return /cannot be parsed to a Duration/.test(line) ? `PT${digits}${unit.toUpperCase()}` : undefined;
  const [, time = ''] = /duration/i.test(line) ? (/^PT((?:\d{1,9}[HMS]){1,3})$/.exec(value) ?? []) : [];
  return time === '' ? undefined : time.toLowerCase();
}

/** A duration whose unit is a word (`15 days`), or one that Go does not have: its largest unit is the hour (Go, package time). */
function asDuration({ value, line }: Refused): OtherForm | undefined {
  const iso = isoDuration(value, line);
  if (iso !== undefined) return { to: iso, why: 'the program writes its durations so', confidence: 'likely' };
  const [, digits = '', unit = ''] = /^(\d{1,9}) ?([a-z]{1,12})$/i.exec(value) ?? [];
  const [, short, seconds] = TIME_UNITS.find(([pattern]) => pattern.test(unit)) ?? [];
  if (short === undefined || seconds === undefined || !/duration|unknown unit/i.test(line)) return undefined;
  const isGo = /time: |ParseDuration|time\.Duration/.test(line);
  const to = isGo && seconds > 3600 ? `${(Number(digits) * seconds) / 3600}h` : `${digits}${short}`;
  return to === value ? undefined : { to, why: 'the program writes its durations so', confidence: 'likely' };
}

/** Programs that know `KB`, `MB` and `GB` refuse the units of Kubernetes. */
function asSize({ value, line }: Refused): OtherForm | undefined {
  const [, digits, letter] = /^(\d{1,12}) ?([KMGT])i?$/i.exec(value) ?? [];
  if (digits === undefined || letter === undefined || !/unknown unit|unit.{0,20}(?:invalid|not valid)|invalid.{0,20}\bunit/i.test(line))
    return undefined;
  return { to: `${digits}${letter.toUpperCase()}B`, why: 'the program does not know the unit without its `B`', confidence: 'likely' };
}

/** A port where a .NET program wants the address on which it listens (Microsoft, "Configure endpoints for the Kestrel web server"). */
function asListenAddress({ name, value, line }: Refused): OtherForm | undefined {
  if (!/URLS?$/i.test(name) || !/^:?\d{2,5}$/.test(value) || !/invalid url/i.test(line)) return undefined;
  return { to: `http://+:${value.replace(':', '')}`, why: 'it is a URL: the scheme, all addresses and the port', confidence: 'likely' };
}

/** A host where a program wants a URL. */
function asUrl({ value, line }: Refused): OtherForm | undefined {
  const isHost = /^(?:[a-z\d-]{1,63}\.){1,6}[a-z]{2,24}(?::\d{2,5})?(?:\/\S{0,100})?$/i.test(value);
  if (!isHost || !/\b(?:in)?valid UR[IL]\b|\babsolute UR[IL]\b/i.test(line)) return undefined;
  return { to: `https://${value}`, why: 'a URL begins with its scheme', confidence: 'guess' };
}

/** Names of providers that people write, and those that the programs take. Source: the flags of cluster-autoscaler and external-dns. */
const PROVIDERS: readonly (readonly [line: RegExp, names: Readonly<Record<string, string>>])[] = [
  // Grafana, "Configure Grafana": database.
  [/unknown database type/i, { postgresql: 'postgres', pg: 'postgres', pgsql: 'postgres', mariadb: 'mysql', sqlite: 'sqlite3' }],
  // Metabase, "Environment variables": MB_DB_TYPE.
  [/application database type/i, { postgresql: 'postgres', pg: 'postgres', mariadb: 'mysql' }],
  // Laravel: config/database.php.
  [/Database connection \[/, { postgres: 'pgsql', postgresql: 'pgsql', pg: 'pgsql', mssql: 'sqlsrv', sqlserver: 'sqlsrv' }],
  [
    /dns provider|\b(?:coredns|alibabacloud)\b.{0,400}\brfc2136\b/i,
    { route53: 'aws', amazon: 'aws', gcp: 'google', clouddns: 'google', 'google-cloud': 'google', azuredns: 'azure' },
  ],
  [/cloud[- ]?provider/i, { amazon: 'aws', eks: 'aws', ec2: 'aws', gcp: 'gce', google: 'gce', gke: 'gce', aks: 'azure' }],
];

function asProvider({ value, line }: Refused): OtherForm | undefined {
  const names = PROVIDERS.find(([pattern]) => pattern.test(line))?.[1] ?? {};
  const low = value.toLowerCase();
  const to = Object.hasOwn(names, low) ? names[low] : undefined;
  return to === undefined ? undefined : { to, why: `the program calls it ${code(to)}`, confidence: 'likely' };
}

/** Whether a value is a cron schedule with one field less than the line demands: five, or six where seconds come first (Spring, Quartz). */
export function isShortSchedule(value: string, line: string): boolean {
  const fields = value.trim().split(/\s+/);
  return (
    fields.length === fieldsWanted(line) - 1 &&
    fields.every((field) => /^(?:[*?]|[\d*][\d*,/-]{0,19}|(?:[A-Z]{3}[,-]?){1,12})$/i.test(field))
  );
}

const fieldsWanted = (line: string): number => (/\b(?:6|six) fields\b/i.test(line) ? 6 : /\bfields?\b/i.test(line) ? 5 : 0);

function asSchedule({ value, line }: Refused): OtherForm | undefined {
  const [first = '', ...rest] = value.trim().split(/\s+/);
  if (rest.length === 5 && first === '0' && /\b(?:5|five) fields\b/i.test(line))
    return { to: rest.join(' '), why: 'the program has no field for seconds', confidence: 'likely' };
  if (!isShortSchedule(value, line)) return undefined;
  if (fieldsWanted(line) === 6) return { to: `0 ${value.trim()}`, why: 'the program wants the second first', confidence: 'likely' };
  return { to: `${value.trim()} *`, why: 'a schedule has five fields; the last one is the day of the week', confidence: 'guess' };
}

/** Whether a line says that a text is not base64. */
export const isAboutBase64 = (line: string): boolean => /base ?64|Incorrect padding/i.test(line);

/** Whether a value is base64 without its padding (RFC 4648, section 4). */
export const isUnpadded = (name: string, value: string): boolean =>
  /key|secret|token|salt|cert|base64|b64/i.test(name) && value.length % 4 > 1 && /^[A-Za-z\d+/_-]{4,}$/.test(value);

function asPadded({ name, value, line }: Refused): OtherForm | undefined {
  if (!isAboutBase64(line) || !isUnpadded(name, value)) return undefined;
  return { to: value.padEnd(Math.ceil(value.length / 4) * 4, '='), why: 'base64 is filled up to groups of four', confidence: 'likely' };
}

/** Redis writes `256mb`. */
function asMemory({ value, line }: Refused): OtherForm | undefined {
  const [, size] = /must be a memory value/.test(line) ? (/^(\d{1,12}[kmgt])(?:i?b?s?|[ei]gs?|[ei]ga(?:bytes?)?)$/i.exec(value) ?? []) : [];
  return size === undefined ? undefined : { to: `${size.toLowerCase()}b`, why: 'the program writes its sizes so', confidence: 'likely' };
}

/** Numbers with a decimal comma, or with commas between the thousands. */
function asNumber({ value, line }: Refused): OtherForm | undefined {
  const isFraction = /\bfloat|\bdouble\b|ParseFloat|\bdecimal\b/i.test(line);
  if (isFraction && /^\d{1,12},\d{1,12}$/.test(value))
    return { to: value.replace(',', '.'), why: 'the program wants a point', confidence: 'likely' };
  // Helm renders large numbers of a values file this way.
  const whole = /^\d(?:\.\d{1,17})?e\+?\d{1,2}$/i.test(value) && isAboutNumbers(line) ? Number(value) : NaN;
  if (Number.isSafeInteger(whole)) return { to: String(whole), why: 'the program wants digits alone', confidence: 'likely' };
  const isGrouped = /^\d{1,3}(?:[,_' ]\d{3}){1,4}$/.test(value) && isAboutNumbers(line);
  return isGrouped ? { to: value.replaceAll(/\D/g, ''), why: 'the program wants digits alone', confidence: 'likely' } : undefined;
}

const isAboutNumbers = (line: string): boolean =>
  /\bint(?:eger)?\d{0,2}\b|\bnumber\b|numeric|Atoi|ParseInt|NumberFormat|parseInt|\bdigit/i.test(line);

const NUMERALS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const TENS: Readonly<Record<string, number>> = {
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  eighty: 80,
  hundred: 100,
};

/** A number as a word. */
function asNumeral({ value, line }: Refused): OtherForm | undefined {
  const word = value.toLowerCase();
  const number = Object.hasOwn(TENS, word) ? TENS[word] : NUMERALS.indexOf(word);
  return number === undefined || number < 0 || !(isAboutNumbers(line) || /\bnan\b|\bport\b|invalid argument/i.test(line))
    ? undefined
    : { to: String(number), why: 'the program wants digits', confidence: 'likely' };
}

/** Letters that look like digits. */
const LOOKALIKES: Readonly<Record<string, string>> = { O: '0', o: '0', l: '1', I: '1' };

function asTyped({ value, line }: Refused): OtherForm | undefined {
  if (!/^(?=.*\d)\d*[OolI][\dOolI]*$/.test(value) || !/invalid|number|int/i.test(line)) return undefined;
  const to = value.replaceAll(/[OolI]/g, (letter) => LOOKALIKES[letter] ?? letter);
  return { to, why: 'a letter in it looks like a digit', confidence: 'likely' };
}

const MILLIS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
/** The unit that the name of a setting says. */
const UNIT_OF_NAME: readonly (readonly [name: RegExp, unit: string])[] = [
  [/(?:^|[_-])(?:ms|milli(?:second)?s)$/i, 'ms'],
  [/(?:^|[_-])(?:s|secs?|seconds?)$/i, 's'],
  [/(?:^|[_-])(?:mins?|minutes?)$/i, 'm'],
];

/** `30` for `TIMEOUT_SECS=30s`, and 30000 for `TIMEOUT_MS`: the name says which unit the plain number has. */
function asTimeOfName({ name, value, line }: Refused): OtherForm | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,9})(ms|s|m|h)$/.exec(value) ?? [];
  const own = UNIT_OF_NAME.find(([pattern]) => pattern.test(name))?.[1];
  const to = own === undefined || digits === '' ? NaN : (Number(digits) * (MILLIS[unit] ?? NaN)) / (MILLIS[own] ?? NaN);
  return Number.isSafeInteger(to) && isAboutNumbers(line)
    ? { to: String(to), why: 'the program wants a plain number, whose unit the name says', confidence: 'likely' }
    : undefined;
}

function asDigits({ value, line }: Refused): OtherForm | undefined {
  if (/^\d{1,6}\.\d{1,6}$/.test(value) && /\b(?:[ui]size|[ui]\d{1,2}|int(?:eger)?|ParseIntError)\b/.test(line))
    return { to: String(Math.ceil(Number(value))), why: 'the program wants a whole number', confidence: 'guess' };
  const port = /^:(\d{2,5})$/.exec(value)?.[1];
  if (port !== undefined && isAboutNumbers(line)) return { to: port, why: 'the program wants a plain number', confidence: 'likely' };
  // The name of a replica, where its number is wanted.
  const ordinal = /^[a-z][a-z\d-]{0,60}-(\d{1,3})$/.exec(value)?.[1];
  if (ordinal !== undefined && isAboutNumbers(line)) return { to: ordinal, why: 'the program wants the number alone', confidence: 'guess' };
  const thousands = /^(\d{1,6})k$/i.exec(value)?.[1];
  if (thousands !== undefined && isAboutNumbers(line))
    return { to: `${thousands}000`, why: 'the program wants digits alone', confidence: 'guess' };
  const digits = /^(\d{1,12})(?:\s?[A-Za-z%]{1,8}|\.0{1,6}|\/(?:tcp|udp))$/.exec(value)?.[1];
  return isAboutNumbers(line) && digits !== undefined
    ? { to: digits, why: 'the program wants a plain number', confidence: 'guess' }
    : undefined;
}

/** An algorithm with a key of two halves, where the program has one secret (RFC 7518, section 3.1). */
function asSymmetric({ value, line }: Refused): OtherForm | undefined {
  const bits = /must be an asymmetric key when using/i.test(line) ? /^[REP]S(256|384|512)$/.exec(value)?.[1] : undefined;
  return bits === undefined ? undefined : { to: `HS${bits}`, why: 'the key is a plain secret, which signs both ways', confidence: 'guess' };
}

const ZONE_LINE = /time ?zone|ZoneInfo|ZoneRules/i;

/** Whether the line is about a time zone and the value may be one. */
export function isZone(value: string, line: string): boolean {
  return value.includes('/') && /^[\p{L}\d_+/-]{3,60}$/u.test(value) && ZONE_LINE.test(line) && line.includes(value);
}

function asZone({ value, line }: Refused): OtherForm | undefined {
  if (!isZone(value, line)) return undefined;
  const zones = Intl.supportedValuesOf('timeZone');
  const plain = value.normalize('NFD').replaceAll(/\p{M}/gu, '');
  const [near] = zones.includes(value) ? [] : zones.includes(plain) ? [plain] : nearest(plain, zones);
  return near === undefined ? undefined : { to: near, why: `there is a time zone ${code(near)}`, confidence: 'likely' };
}

/** How a server reports that its data was created under a different name than the one it has now. */
const BEFORE =
  /differs from (?:the )?(?:previous|saved|stored|existing) [\w ]{1,40}?['"(](?<a>[\w.-]{1,80})|(?:[Ss]aved|[Pp]revious|[Ss]tored|[Ee]xisting) [\w ]{1,40}? ['"(]?(?<b>[\w.-]{1,80})['")]? (?:!=|differs|does not match|doesn't match)/;

/** Replaces the server's current name with the name under which its data was created. */
function asBefore({ value, line }: Refused): OtherForm | undefined {
  const { a, b } = BEFORE.exec(line)?.groups ?? {};
  const to = a ?? b;
  return to === undefined || to === value ? undefined : { to, why: 'the data was made with it', confidence: 'likely' };
}

function asAllowed({ value, line }: Refused): OtherForm | undefined {
  const has = hasIn(line);
  const allowed = (has.length > 0 ? has : allowedIn(line)).filter((word) => word !== value);
  const same = SAME_LEVEL.get(value.toLowerCase()) ?? [];
  const [near] =
    has.length === 1
      ? allowed
      : [
          ...nearestName(value, allowed),
          ...abbreviated(value, allowed),
          ...allowed.filter((word) => isSameStage(word, value)),
          ...same.flatMap((level) => allowed.find((word) => word.toLowerCase() === level) ?? []),
        ];
  if (near === undefined) return undefined;
  return { to: near, why: `the program takes ${allowed.map((one) => code(one)).join(', ')}`, confidence: 'likely' };
}

/** The only word that starts with the value, that starts it, or that contains its letters in order after the same first letter. */
function abbreviated(value: string, words: readonly string[]): string[] {
  const wanted = value.toLowerCase();
  if (wanted.length < 2) return [];
  const begun = words.filter((word) => word.toLowerCase().startsWith(wanted) || (word.length > 2 && wanted.startsWith(word.toLowerCase())));
  const within = begun.length > 0 ? begun : words.filter((word) => isSubsequence(wanted, word.toLowerCase()));
  return within.length === 1 ? within : [];
}

const OFFERS =
  /\b(?:one of|choose from|choices(?: are)?|allowed(?: values)?(?: are)?|valid (?:values|options|choices|levels|drivers|types|engines|backends|modes|names|formats|providers)(?: are)?|supported(?: values)?(?: are)?|expected|(?:must|should) be)\b[^\w'"]{0,10}(.{3,300})/i;
/** How a server lists what it has enabled. The list may have a single entry: `enabled mechanisms are [SCRAM-SHA-512]`. */
const HAS = /\b(?:enabled|available|supported|known|registered) \w{2,20} (?:are|is):? ?\[([^\]]{2,300})\]/i;
/** Words that belong to the sentence around the values and are not values themselves. */
const NO_VALUES = new Set(['or', 'and', 'one', 'of', 'values', 'value', 'are', 'but', 'was', 'got', 'received']);

const hasIn = (line: string): string[] => HAS.exec(line)?.[1]?.match(/[\w.+-]{2,60}/g) ?? [];

/** A list in brackets behind the refused value: `invalid value: 'postgresql' (postgres, off)`. */
const IN_BRACKETS = /\binvalid value:? ['"`][^'"`]{1,60}['"`] \(((?:[\w.+-]{2,40}, ){1,20}[\w.+-]{2,40})\)/i;

/** A sentence about a kind of value, which names no values: `should be a valid integer, unable to parse string as an integer`. */
const KIND_OF_VALUE = /^(?:an?|the|valid|in|at|of|less|greater|between)\b/i;

/** The values that a line offers: `must be one of: debug, info, warn`. Where some are in quotation marks, all are. */
function allowedIn(line: string): string[] {
  // Pydantic repeats the value and its type behind the sentence.
  const list = (IN_BRACKETS.exec(line) ?? OFFERS.exec(line))?.[1]?.split(/ \[type=/)[0] ?? '';
  const quoted = [...list.matchAll(/(['"`])([\w.+-]{1,60})\1/g)].flatMap(([, , word = '']) => word);
  const isList = /[,|/[({]| or /.test(list) && !KIND_OF_VALUE.test(list);
  const words = quoted.length > 1 ? quoted : !isList ? [] : (list.match(/[\w.+-]{1,59}[\w+-]/g) ?? []);
  return words.length > 1 ? words.filter((word) => !NO_VALUES.has(word)) : [];
}

/** The regions of AWS in 2026 (AWS, "AWS Regions"). */
const REGIONS = [
  ...['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'ca-west-1', 'mx-central-1', 'sa-east-1'],
  ...['eu-central-1', 'eu-central-2', 'eu-north-1', 'eu-south-1', 'eu-south-2', 'eu-west-1', 'eu-west-2', 'eu-west-3'],
  ...['af-south-1', 'il-central-1', 'me-central-1', 'me-south-1', 'ap-east-1', 'ap-east-2', 'ap-south-1', 'ap-south-2'],
  ...['ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3', 'ap-southeast-1', 'ap-southeast-2', 'ap-southeast-3'],
  ...['ap-southeast-4', 'ap-southeast-5', 'ap-southeast-6', 'ap-southeast-7', 'us-gov-east-1', 'us-gov-west-1'],
];

export const isRegion = (value: string): boolean => REGIONS.includes(value);

/** Allowed values of settings, by the message about an unknown one. */
const KNOWN: readonly (readonly [line: RegExp, values: readonly string[]])[] = [
  [
    /driver class/i,
    [
      'org.postgresql.Driver',
      'com.mysql.cj.jdbc.Driver',
      'org.mariadb.jdbc.Driver',
      'com.microsoft.sqlserver.jdbc.SQLServerDriver',
      'oracle.jdbc.OracleDriver',
      'org.h2.Driver',
    ],
  ],
  [/\.amazonaws\.com|[Ii]nvalid ?[Rr]egion|\bregion ['"`][\w-]{2,30}['"`] is (?:wrong|invalid|not valid|unknown)/, REGIONS],
  // Elasticsearch, "Discovery and cluster formation settings".
  [/[Uu]nknown discovery type/, ['single-node', 'multi-node']],
  // Ruby on Rails: ActiveRecord.
  [/AdapterNotFound|nonexistent '[^']{1,60}' adapter/, ['postgresql', 'mysql2', 'trilogy', 'sqlite3']],
  // Django: the built-in backends of its databases.
  [
    /available database backend/,
    ['django.db.backends.postgresql', 'django.db.backends.mysql', 'django.db.backends.sqlite3', 'django.db.backends.oracle'],
  ],
  // PostgreSQL, "Database Connection Control Functions".
  [/sslmode/, ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']],
  // Laravel: config/database.php.
  [/Database connection \[[\w-]{1,40}\] not configured/, ['pgsql', 'mysql', 'mariadb', 'sqlite', 'sqlsrv']],
  [/not configured for the [`'"][\w-]{1,40}[`'"] environment/, ['production', 'development', 'test', 'staging']],
];

function asKnown({ value, line }: Refused): OtherForm | undefined {
  const values = KNOWN.find(([pattern]) => pattern.test(line))?.[1] ?? [];
  const [near] = values.includes(value) ? [] : [...nearest(value, values), ...abbreviated(value, values)];
  return near === undefined ? undefined : { to: near, why: `${code(near)} exists`, confidence: 'likely' };
}

/** The level names of a library, and what its line looks like. The last ones are those that all libraries have. */
const LEVELS: readonly (readonly [line: RegExp, levels: readonly string[]])[] = [
  // Go: zap, which has no `warning`.
  [/unrecognized level/, ['debug', 'info', 'warn', 'error', 'dpanic', 'panic', 'fatal']],
  [/logrus/, ['trace', 'debug', 'info', 'warning', 'warn', 'error', 'fatal', 'panic']],
  // Node: winston with its npm levels.
  [/winston|logger level/, ['error', 'warn', 'info', 'http', 'verbose', 'debug', 'silly']],
  // Python: logging.
  [/Unknown level/, ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL']],
  // Rust: env_logger.
  [/RUST_LOG/, ['off', 'error', 'warn', 'info', 'debug', 'trace']],
  // Node: pino.
  [/must be included in custom levels/, ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']],
  // Java: Spring Boot and Logback.
  [/LogLevel\./, ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL', 'OFF']],
  [/./, ['trace', 'debug', 'info', 'warn', 'warning', 'error', 'fatal']],
];
/** What people mean by a level that a library does not have, in the order of preference. */
const SAME_LEVEL: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    warning: ['warn'],
    warn: ['warning'],
    verbose: ['debug', 'trace'],
    finest: ['trace', 'debug'],
    trace: ['debug', 'silly'],
    notice: ['info'],
    information: ['info'],
    err: ['error'],
    severe: ['error'],
    critical: ['fatal', 'error'],
    fatal: ['critical', 'error'],
    none: ['off'],
    silent: ['off'],
  }),
);

const REFUSED_LEVEL =
  /must be included in custom levels|invalid filter directive|(?:unknown|invalid|not a valid|unrecogni[sz]ed|unsupported|bad|illegal|no such|wrong|no enum constant).{0,60}(?:level|verbosity|severity)|(?:level|verbosity|severity).{0,60}(?:unknown|invalid|not (?:a )?valid|unrecogni[sz]ed|unsupported|must be)/i;

/** A log level, in the words of the library that refuses it. */
function asLevel({ name, value, line }: Refused): OtherForm | undefined {
  if (!/level|verbosity|severity|^RUST_LOG$/i.test(name) || !REFUSED_LEVEL.test(line) || allowedIn(line).length > 1) return undefined;
  const levels = LEVELS.find(([pattern]) => pattern.test(line))?.[1] ?? [];
  const spelled = (low: string | undefined) => levels.find((level) => level.toLowerCase() === low);
  const low = value.toLowerCase();
  const own = spelled(low);
  // If the value is a level of the library, its case is wrong.
  if (own !== undefined) return own === value ? otherCase(value) : { to: own, why: `there is a level ${code(own)}`, confidence: 'likely' };
  const near =
    SAME_LEVEL.get(low)?.find(spelled) ??
    nearest(
      low,
      levels.map((level) => level.toLowerCase()),
    )[0];
  const level = spelled(near ?? 'info') ?? 'info';
  const to = value === value.toUpperCase() ? level.toUpperCase() : level;
  const why = near === undefined ? 'every library has this level' : `there is a level ${code(to)}`;
  return { to, why, confidence: near === undefined ? 'guess' : 'likely' };
}

/** A level of an unknown library that is written in the other case. */
function otherCase(value: string): OtherForm {
  const to = value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase();
  return { to, why: `there is a level ${code(to)}`, confidence: 'likely' };
}
