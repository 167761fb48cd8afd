import { code } from '../../rendering/quote.ts';
import { dropOption, otherOption } from '../../corrections/argument.ts';
import { missingVariable } from '../../corrections/environment.ts';
import type { Signature } from './signature.ts';

const explainVariable: Signature['explain'] = ({ name = '' }, input) => ({
  because: `the variable ${code(name)} is not set`,
  culprit: name,
  advice: [`Set ${code(name)} in the container's \`env\`, or load it with \`envFrom\` from the ConfigMap or Secret that has it.`],
  corrections: missingVariable(input, name),
  whereToLook: `where ${code(name)} should come from: the container's \`env\` and \`envFrom\`, and the ConfigMaps and Secrets they name`,
});

/** Settings that are missing or that the program does not know. */
export const environmentSignatures: readonly Signature[] = [
  {
    id: 'variable-missing',
    hints: [
      'not set',
      'unset',
      'undefined',
      'required',
      'missing',
      'must be ',
      'must not be empty',
      'must specify',
      'not defined',
      'not found',
      'is empty',
      'not provided',
      'must be defined',
      'not specified',
    ],
    pattern:
      /(?:\b(?:env(?:ironment)?|config(?:uration)?)\b.{0,30}?[ '"`:$]|^|[\s'"`:$])\$?\{?(?<name>[A-Z][A-Z0-9]{0,60}(?:_[A-Z0-9]{1,60}){1,8})\}?['"`]?:? (?:environment variable |env(?:ironment)? var(?:iable)? |variable |setting |option )?(?:is |was |are |has |must |parameter )?(?:not set|unset|undefined|required|missing|not (?:been )?(?:defined|found|provided|specified|present)|empty|(?:not )?be (?:set|defined|provided|specified|empty|blank|present)|unbound variable|parameter not set)/,
    explain: explainVariable,
  },
  {
    id: 'variable-wanted',
    hints: [
      'environment variable',
      'env var',
      'missing required',
      'please set',
      'you must set',
      'must define',
      'required key',
      'required env',
      'required variable',
      'environ',
    ],
    pattern:
      /(?:missing|required?|undefined|unset|set|define|specify|provide|expected|not found|no|lookup)\b.{0,60}?[\s'"`:=[($]\$?\{?(?<name>[A-Z][A-Z0-9]{0,60}(?:_[A-Z0-9]{1,60}){1,8})\b/i,
    explain: (groups, input, line) =>
      explainVariable({ name: /[A-Z][A-Z0-9]{1,60}(?:_[A-Z0-9]{1,60}){1,8}/.exec(line)?.[0] ?? groups.name ?? '' }, input, line),
  },
  {
    id: 'variable-short',
    hints: ['is not set', 'is not defined', 'is required', 'must be set', 'is missing', 'env'],
    pattern:
      /(?:\b(?:env(?:ironment)?(?: var(?:iable)?)?|variable) ['"`$]?(?<name>[A-Z]{3,40})\b|\$?(?<other>(?!ERROR|FATAL|WARN|INFO|CRITICAL|PANIC|DEBUG)[A-Z]{3,40})['"`]? (?:env(?:ironment)? var(?:iable)? )?(?:is|must be|was) (?:not (?:set|defined)|required|missing|set))\b/,
    explain: ({ name, other }, input, line) => explainVariable({ name: name ?? other ?? '' }, input, line),
  },
  {
    id: 'variable-key-error',
    hints: ['keyerror:', 'key error'],
    pattern: /KeyError: ['"]?(?<name>[A-Z][A-Z0-9_]{2,80})(?:['"]|$)/,
    explain: explainVariable,
  },
  {
    id: 'variable-unbound',
    hints: ['parameter not set', 'unbound variable'],
    pattern: /: (?:line )?\d{0,6}:? ?\$?\{?(?<name>[A-Za-z_][A-Za-z0-9_]{0,80})\}?: (?:unbound variable|parameter not set)/,
    explain: explainVariable,
  },
  {
    id: 'option-unknown',
    hints: [
      'unknown flag',
      'unknown option',
      'unrecognized option',
      'unrecognized argument',
      'flag provided but not defined',
      'unknown shorthand flag',
      'invalid option',
      'bad option',
      'no such option',
      'unexpected argument',
      'illegal option',
      'unknown argument',
      'unknown command line',
      'unrecognised option',
      'unknown parameter',
      'unrecognized vm option',
    ],
    pattern:
      /(?:unknown (?:flag|option|shorthand flag|argument|parameter|command line flag)|unrecogni[sz]ed (?:VM )?(?:option|argument)s?|flag provided but not defined|invalid option|bad option|no such option|unexpected argument|illegal option)(?: --|: ?| ?)['"`]?(?<option>-{0,2}[A-Za-z0-9+:][\w.+:-]{0,80})/i,
    explain: ({ option = '' }, input) => ({
      because: `the program does not know the option ${code(option)}`,
      culprit: option,
      advice: ['Compare `args` with the options of this version of the program. Options change between versions.'],
      corrections: [...otherOption(input, option), ...dropOption(input.place(), option)],
      whereToLook:
        "the container's `command` and `args`, its option variables (`JAVA_OPTS`, `NODE_OPTIONS`), and the program's release notes",
    }),
  },
  {
    id: 'licence-missing',
    hints: ['license', 'licence'],
    pattern:
      /(?:invalid|expired|missing|no valid|not a valid|could not (?:find|load|verify)|no) (?:[a-z]{1,20} )?licen[sc]e(?: key| file)?|licen[sc]e (?:key |file )?(?:has |is |was )?(?:expired|invalid|missing|not found|required)/i,
    explain: () => ({
      because: 'its licence is missing or no longer valid',
      culprit: 'licence',
      advice: ['Renew the licence, or put the right one into the Secret that the container reads.'],
      whereToLook: 'the Secret or file with the licence, and its expiry date',
    }),
  },
];
