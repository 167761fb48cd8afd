import { code } from '../../rendering/quote.ts';
import type { Signature } from './signature.ts';

/** Configuration that cannot be parsed. Signatures that know more about a line come before these. */
export const syntaxSignatures: readonly Signature[] = [
  {
    id: 'yaml-syntax',
    headline: true,
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
    headline: true,
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
      'unknown keyword',
      'parsing [',
      "invalid command '",
    ],
    pattern:
      /^(?!.{0,900}KUBERNETES_MASTER).{0,900}?(?:\[emerg\]|FATAL CONFIG FILE ERROR|(?:AH\d{5}: )?Syntax error on line|Invalid command '|(?:invalid|bad|error (?:in|parsing|reading|loading)|failed to (?:load|parse|read)|parsing|could not (?:load|parse|read)) (?:the )?(?:config(?:uration)?|directive)|config(?:uration)? (?:file )?error|syntax error|toml: line|unknown keyword|parsing \[\/)(?<what>.{0,200})/i,
    explain: (_, __, line) => syntax('configuration', line),
  },
];

function syntax(kind: string, line: string): ReturnType<Signature['explain']> {
  const file = /(?<![\w/])(?:\/[\w.@+-]{1,80}){1,12}(?::\d{1,6})?/.exec(line)?.[0];
  return {
    because: `it cannot parse its ${kind}${file ? ` in ${code(file)}` : ''}`,
    culprit: line.slice(0, 200),
    advice: [
      `Correct the ${kind}${file ? ` in ${code(file)}` : ''} at the place that the log line names. The file usually comes from a mounted ConfigMap.`,
    ],
    inCode: file === undefined,
    whereToLook: 'the ConfigMap, Secret or image that contains the file',
  };
}
