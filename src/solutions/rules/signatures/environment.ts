import { code } from '../../quote.ts';
import { dropOption } from '../cures/argument.ts';
import { missingVariable } from '../cures/environment.ts';
import type { Signature } from './signature.ts';

const explainVariable: Signature['explain'] = ({ name = '' }, scene) => ({
  because: `the variable ${code(name)} is not set`,
  culprit: name,
  advice: [`Set ${code(name)} in the container's \`env\`, or bring it with \`envFrom\` from the ConfigMap or Secret that has it.`],
  corrections: missingVariable(scene, name),
  whereToLook: `where ${code(name)} should come from: the container's \`env\` and \`envFrom\`, and the ConfigMaps and Secrets they name`,
});

/** Settings that are missing or that the program does not understand. */
export const environmentSignatures: readonly Signature[] = [
  {
    id: 'variable-missing',
    hints: [
      'not set',
      'unset',
      'undefined',
      'required',
      'missing',
      'must be set',
      'must specify',
      'not defined',
      'not found',
      'is empty',
      'not provided',
      'must be defined',
      'not specified',
    ],
    pattern:
      /(?:\b(?:env(?:ironment)?|config(?:uration)?)\b.{0,30}?[ '"`:$]|^|[\s'"`:$])\$?\{?(?<name>[A-Z][A-Z0-9]{0,60}(?:_[A-Z0-9]{1,60}){1,8})\}?['"`]?:? (?:environment variable |env(?:ironment)? var(?:iable)? |variable )?(?:is |was |are |has |must |parameter )?(?:not set|unset|undefined|required|missing|not (?:been )?(?:defined|found|provided|specified|present)|empty|be (?:set|defined|provided|specified)|unbound variable|parameter not set)/,
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
    explain: (groups, scene, line) =>
      explainVariable({ name: /[A-Z][A-Z0-9]{1,60}(?:_[A-Z0-9]{1,60}){1,8}/.exec(line)?.[0] ?? groups.name ?? '' }, scene, line),
  },
  {
    id: 'variable-key-error',
    hints: ['keyerror:', 'key error'],
    pattern: /KeyError: ['"](?<name>[A-Z][A-Z0-9_]{2,80})['"]/,
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
    explain: ({ option = '' }, scene) => ({
      because: `the program does not know the option ${code(option)}`,
      culprit: option,
      advice: ['Compare `args` with the options of this version of the program; options come and go between versions.'],
      corrections: dropOption(scene.place(), option),
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
      whereToLook: 'the Secret or file that holds the licence, and its expiry',
    }),
  },
  {
    id: 'yaml-syntax',
    hints: [
      'yaml:',
      'yaml.scanner',
      'yaml.parser',
      'error parsing yaml',
      'yamlexception',
      'mapping values are not allowed',
      'error converting yaml',
    ],
    pattern:
      /(?:yaml: (?:line \d{1,6}|unmarshal|did not find|mapping|found|control)|yaml\.(?:scanner|parser)|YAMLException|mapping values are not allowed|parsing YAML|converting YAML)(?<what>.{0,160})/i,
    explain: (_, __, line) => syntax('YAML', line),
  },
  {
    id: 'json-syntax',
    hints: ['json', 'unexpected token'],
    pattern:
      /(?:SyntaxError: .{0,60}(?:JSON|Unexpected token)|JSONDecodeError|invalid character .{1,10} (?:looking for|after)|JsonParseException|json: cannot unmarshal|(?:failed|error|unable|cannot).{0,40}(?:pars|decod|unmarshal)\w{0,4}.{0,40}json)/i,
    explain: (_, __, line) => syntax('JSON', line),
  },
  {
    id: 'config-syntax',
    hints: [
      '[emerg]',
      'syntax error',
      'fatal config file error',
      'invalid configuration',
      'config error',
      'configuration error',
      'error in config',
      'bad directive',
      'error parsing config',
      'parsing config',
      'invalid config',
      'error reading config',
      'error loading config',
      'failed to load config',
      'toml:',
      "invalid command '",
    ],
    pattern:
      /(?:\[emerg\]|FATAL CONFIG FILE ERROR|(?:AH\d{5}: )?Syntax error on line|Invalid command '|(?:invalid|bad|error (?:in|parsing|reading|loading)|failed to (?:load|parse|read)|parsing|could not (?:load|parse|read)) (?:the )?(?:config(?:uration)?|directive)|config(?:uration)? (?:file )?error|syntax error|toml: )(?<what>.{0,200})/i,
    explain: (_, __, line) => syntax('configuration', line),
  },
];

function syntax(kind: string, line: string): ReturnType<Signature['explain']> {
  const file = /(?:\/[\w.@+-]{1,80}){1,12}(?::\d{1,6})?/.exec(line)?.[0];
  return {
    because: `its ${kind} cannot be read${file ? `: ${code(file)}` : ''}`,
    culprit: file ?? line.slice(0, 200),
    advice: [
      `Correct the ${kind} where the line says${file ? ` (${code(file)})` : ''}; it usually comes from a ConfigMap that is mounted there.`,
    ],
    whereToLook: 'the ConfigMap, Secret or image that brings the file',
  };
}
