import { code } from '../../rendering/quote.ts';
import { DO_AS_ASKED, type Meaning } from '../../corrections/meaning.ts';

/** What to do about a bug in the program itself. */
export const CORRECT_THE_CODE = 'The program itself has a bug. Correct the code, or go back to the last image that worked.';

/** The meaning of a line that shows a bug in the program itself. */
export const inTheCode = (what: string, culprit: string): Meaning => ({
  because: what,
  culprit,
  advice: [CORRECT_THE_CODE],
  inCode: true,
  whereToLook: 'the trace in the log, and what changed in the image since it last worked',
});

/** Exceptions about data that a program reads: files, tables and messages from others. */
const INPUT =
  /^(?:[\w.]{1,100}\.)?(?:ParserError|EmptyDataError|JSONDecodeError|UnicodeDecodeError|BadZipFile|MalformedInputException|MalformedInput|JsonParseException|JsonMappingException|MalformedCsvException|CSVParseError|CSV::MalformedCSVError|ArrowInvalid|UnidentifiedImageError|XMLSyntaxError|SAXParseException|BadGzipFile)\b|\bExpected \d{1,5} fields in line \d|\bwrong number of fields\b|\brecord on line \d{1,9}\b/;

/** Exceptions about a text that should be a number or another kind of value. */
const VALUE =
  /\binvalid literal for int\(\)|\bcould not convert string to float\b|\bNumberFormatException\b|\bFor input string: |\bInput string was not in a correct format\b|\bnot a valid (?:int|float|bool|boolean|duration|number|integer|URL|UUID)\b|\binvalid (?:boolean|duration|number|integer) value\b/i;

/** Exceptions that programs throw for settings which they refuse. */
const SETTINGS =
  /^(?:[\w.:]{1,100}[.:])?\w{0,60}(?:Config(?:uration)?|Settings?|Option|Options|OptionsValidation|Properties)(?:Error|Exception)\b|^(?:[\w.:]{1,100}[.:])?(?:ImproperlyConfigured|Misconfigur\w{1,20}|Invalid(?:Config|Configuration|Setting|Settings|Option|Options))\b/;

/** Messages that propose something which whoever runs the program can do. */
const PROPOSES =
  /\b(?:[Tt]ry (?:increasing|decreasing|reducing|raising|lowering|setting|using|passing)|(?:[Pp]lease|[Yy]ou (?:should|must|need to|have to)) (?:set|provide|specify|pass|configure|increase|decrease|reduce|enable|disable|check (?:your|the|that)))\b/;

/** The meaning of an exception that ends the program: of data that it cannot read, or else of a bug in the program itself. */
export function exceptionMeaning(line: string, culprit: string): Meaning {
  const what = `the program ends with ${code(line, 200)}`;
  if (PROPOSES.test(line))
    return {
      because: what,
      culprit,
      advice: [DO_AS_ASKED],
      whereToLook: "the container's `args`, variables and mounted configuration, and the lines of the log around this one",
    };
  if (SETTINGS.test(line))
    return {
      because: what,
      culprit,
      advice: ["Correct the setting that the message is about: in the container's `args`, a variable, or the mounted configuration."],
      whereToLook: "the container's `args`, variables and mounted configuration, and the lines of the log around this one",
    };
  if (VALUE.test(line))
    return {
      because: what,
      culprit,
      advice: [
        'Find the setting with this value, which the program cannot use, and correct it: in a variable, in the ConfigMap or Secret behind it, or in a mounted file.',
      ],
      inCode: true,
      whereToLook:
        'the trace in the log, which says what the program read, and the values of the ConfigMaps and Secrets that the container uses',
    };
  if (!INPUT.test(line)) return inTheCode(what, culprit);
  return {
    because: what,
    culprit,
    advice: [
      'The program cannot read what it gets: a file, a table or the answer of a server. Correct these data, or let the program skip what is broken.',
    ],
    whereToLook: 'the data that the program read last, and the lines of the log before this one, which may name them',
  };
}
