import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CORRECT_THE_CODE, exceptionMeaning, inTheCode } from '../../../../src/diagnosis/rules/signatures/in-the-code.ts';

const test = suite('what exceptions mean');

/** The kinds of exceptions: a piece of the advice, of where to look, and whether the code may be wrong. */
const KINDS: Record<string, [advice: string, where: string, inCode: boolean | undefined, lines: string[]]> = {
  'messages that propose something': [
    'Change the settings as the message above asks.',
    "the container's `args`",
    undefined,
    [
      ...['increasing', 'decreasing', 'reducing', 'raising', 'lowering', 'setting', 'using', 'passing'].map(
        (what) => `XError: try ${what} it`,
      ),
      'XError: Try setting it',
      ...['Please', 'please', 'You should', 'you must', 'you need to', 'You have to'].map((must) => `XError: ${must} set it`),
      ...[
        'provide',
        'specify',
        'pass',
        'configure',
        'increase',
        'decrease',
        'reduce',
        'enable',
        'disable',
        'check your',
        'check the',
        'check that',
      ].map((what) => `ConfigError: please ${what} it`),
    ],
  ],
  'exceptions about settings': [
    'Correct the setting that the message is about',
    "the container's `args`",
    undefined,
    [
      ...['Config', 'Configuration', 'Setting', 'Settings', 'Option', 'Options', 'OptionsValidation', 'Properties'].flatMap((kind) => [
        `${kind}Error: x`,
        `app.My${kind}Exception: x`,
      ]),
      ...[
        'ImproperlyConfigured',
        'MisconfiguredPlan',
        'InvalidConfig',
        'InvalidConfiguration',
        'InvalidSetting',
        'InvalidSettings',
        'InvalidOption',
        'InvalidOptions',
      ].map((kind) => `app.${kind}: x`),
      'App::ConfigError: x',
      'ConfigError: not a valid int',
    ],
  ],
  'exceptions about a value': [
    'Find the setting with this value',
    'which says what the program read',
    true,
    [
      "ValueError: invalid literal for int() with base 10: 'a'",
      "ValueError: could not convert string to float: 'a'",
      'java.lang.NumberFormatException: a',
      'XException: For input string: "a"',
      'FormatException: Input string was not in a correct format.',
      ...['int', 'float', 'bool', 'boolean', 'duration', 'number', 'integer', 'URL', 'UUID'].map(
        (kind) => `XError: a is not a valid ${kind}`,
      ),
      ...['boolean', 'duration', 'number', 'integer'].map((kind) => `XError: Invalid ${kind} value a`),
      'ParserError: not a valid int',
    ],
  ],
  'exceptions about data': [
    'The program cannot read what it gets',
    'the data that the program read last',
    undefined,
    [
      ...[
        'ParserError',
        'EmptyDataError',
        'JSONDecodeError',
        'UnicodeDecodeError',
        'BadZipFile',
        'MalformedInputException',
        'MalformedInput',
        'JsonParseException',
        'JsonMappingException',
        'MalformedCsvException',
        'CSVParseError',
        'CSV::MalformedCSVError',
        'ArrowInvalid',
        'UnidentifiedImageError',
        'XMLSyntaxError',
        'SAXParseException',
        'BadGzipFile',
      ].map((kind) => `${kind}: x`),
      'pandas.errors.ParserError: x',
      'XError: Expected 3 fields in line 2, saw 4',
      'XError: wrong number of fields',
      'XError: record on line 2: x',
    ],
  ],
  'all others': [
    CORRECT_THE_CODE,
    'what changed in the image',
    true,
    [
      'ValueError: bad plan',
      'XError: try again',
      'XError: retry setting it',
      'XError: please wait',
      'XError: please setup it',
      'x ConfigError: x',
      'ConfigErrors: x',
      'x ParserError: x',
      'ParserErrors: x',
      'XError: not a valid plan',
      'XError: invalid value',
      'XError: Expected fields in line 2',
    ],
  ],
};
for (const [kind, [advice, where, inCode, lines]] of Object.entries(KINDS))
  for (const line of lines)
    test(`${kind}: ${line}`, () => {
      const meaning = exceptionMeaning(line, 'culprit');
      assert.is(meaning.because, `the program ends with \`${line}\``);
      assert.is(meaning.culprit, 'culprit');
      assert.match(meaning.advice[0] ?? '', advice);
      assert.match(meaning.whereToLook, where);
      assert.is(meaning.inCode, inCode);
    });

test('a long line is cut', () => {
  const { because } = exceptionMeaning(`XError: ${'a'.repeat(500)}`, 'x');
  assert.ok(because.length > 200 && because.length < 240);
});

test('a bug of the program itself', () => {
  assert.equal(inTheCode('it fails', 'x'), {
    because: 'it fails',
    culprit: 'x',
    advice: ['The program itself has a bug. Correct the code, or go back to the last image that worked.'],
    inCode: true,
    whereToLook: 'the trace in the log, and what changed in the image since it last worked',
  });
});

test.run();
