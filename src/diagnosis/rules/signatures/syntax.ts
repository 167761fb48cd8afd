import { givenIn, rewritten, setTo } from '../../corrections/given-values.ts';
import { nearFolder } from '../../corrections/files/near-folder.ts';
import { missingFile } from '../../corrections/files/missing-file.ts';
import { knownOption } from '../../corrections/settings/known-option.ts';
import { refusedValue } from '../../corrections/settings/values.ts';
import { foundInLogs } from '../../facts/log-sections.ts';
import { explainOption, MISSING_OPTION } from './missing-settings.ts';
import { asJsonList } from '../../corrections/settings/json-list.ts';
import { largerEdition } from '../../corrections/images/larger-edition.ts';
import { code } from '../../rendering/quote.ts';
import { configSource, offeredName } from '../../facts/config-source.ts';
import { dropOption } from '../../corrections/settings/argument.ts';
import type { Correction } from '../../corrections/correction.ts';
import { editDistance, nearest } from '../../corrections/similar-names.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { change } from '../../corrections/change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import { otherContext } from '../../corrections/files/nginx-context.ts';
import { unfilledTemplate } from './placeholders.ts';
import { phraseIn, placeIn, quotedLine } from '../../facts/phrase.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import type { Signature } from './signature.ts';

/** pydantic reads lists and objects as JSON. */
const FIELD_OF_SETTINGS = /error parsing value for field "(?<field>\w{1,80})" from source "EnvSettingsSource"/;

/** A string in a setting's JSON where the program expects a number or a boolean. */
function typeInJson(input: RuleInput, line: string): Meaning | undefined {
  const field = /cannot unmarshal string into Go (?:struct field [\w.]{0,80}?\.?)(\w{1,60}) of type (?:bool|u?int\d{0,2}|float\d{2})/.exec(
    line,
  )?.[1];
  const place = input.place();
  const pattern = new RegExp(`("${field ?? ''}"\\s*:\\s*)"(true|false|-?\\d{1,15}(?:\\.\\d{1,9})?)"`);
  const [only, ...more] = place && field !== undefined ? givenIn(place).filter(({ value }) => pattern.test(value)) : [];
  if (!place || field === undefined || !only || more.length > 0) return undefined;
  const to = only.value.replace(pattern, '$1$2');
  return {
    because: `${code(field)} in ${code(only.name)} is a text, and the program wants none: ${quotedLine(line)}`,
    culprit: `${field} in ${only.name}`,
    advice: [`Write the value of ${code(field)} without quotes.`],
    corrections: [
      {
        title: `Write ${code(field)} without quotes`,
        changes: [rewritten(place, only, to, 'in quotes it is a text')],
        confidence: 'likely',
        explanation: 'The program reads this field as a number or a switch.',
        mirrorable: true,
      },
    ],
    whereToLook: "the container's variables",
  };
}

function fieldNotJson(input: RuleInput, field: string, line: string): Meaning {
  const found = asJsonList(input, field);
  return {
    because: `the program reads ${code(found?.name ?? field)} as JSON, and it is none: ${quotedLine(line)}`,
    culprit: found ? `${found.name}=${found.value}` : field,
    advice: [`Write ${code(found?.name ?? field)} as JSON: \`["a","b"]\`.`],
    corrections: found?.corrections ?? [],
    whereToLook: "the container's variables",
  };
}

/** Configuration that cannot be parsed. More specific signatures come before these. */
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
    explain: (_, input, line) => syntax('YAML', line, input),
  },
  {
    id: 'json-syntax',
    headline: true,
    hints: ['json', 'unexpected token'],
    pattern:
      /(?:SyntaxError: .{0,60}(?:JSON|Unexpected token)|JSONDecodeError|invalid character .{1,10} (?:looking for|after)|JsonParseException|json: cannot unmarshal|(?:failed|error|unable|cannot).{0,40}(?:pars(?:e|ed|ing)|decod\w{1,3}|unmarshal\w{0,4})\b.{0,40}json)/i,
    explain: (_, input, line) => {
      const field = foundInLogs(input.subject, FIELD_OF_SETTINGS);
      return field === '' ? (typeInJson(input, line) ?? syntax('JSON', line, input)) : fieldNotJson(input, field, line);
    },
  },
  {
    id: 'field-not-json',
    hints: ['error parsing value for field'],
    pattern: FIELD_OF_SETTINGS,
    explain: ({ field = '' }, input, line) => fieldNotJson(input, field, line),
  },
  {
    id: 'script-syntax',
    hints: ['syntax error'],
    pattern: /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|a|k|z)?sh: (?:-c: )?(?:line )?(?:\d{1,6}: )?[Ss]yntax error\b(?<what>.{0,160})/,
    explain: (_, input, line) => ofScript(input, line) ?? syntax('script', line, input),
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
      'failed to load the config',
      'failed to parse config',
      'failed to parse the config',
      'not parse config',
      'not parse the config',
      'config file error',
      'configuration file error',
      'toml:',
      'unknown keyword',
      'parsing [',
      "invalid command '",
      'no such field',
      'not found in type',
      'field not found, node',
      'adapting config',
      'unknown directive',
      'tried to set ',
      'setting "',
      'tried to instance',
      'unknown type: "',
      'which is not configured',
      'unknown output plugin',
      'unknown input plugin',
      'unknown filter plugin',
      'unknown parser plugin',
      'unknown formatter plugin',
      'unknown entry',
      'invalid config key',
      'provisioning error',
      'unrecognized directive: ',
      'unsupported config option',
    ],
    pattern:
      /^(?!.{0,900}(?:KUBERNETES_MASTER|Failed to load config value of type|[Ii]nvalid config, exiting))(?!Error loading config:$).{0,900}?(?:\[emerg\]|FATAL CONFIG FILE ERROR|(?:AH\d{5}: )?Syntax error on line|Invalid command '|(?:invalid|bad|error (?:in|parsing|reading|loading)|failed to (?:load|parse)|parsing|could not parse) (?:the )?(?:config(?:uration)?|directive)|config(?:uration)? (?:file )?error|syntax error(?! compiling| macroexpanding)|toml: line|unknown keyword|parsing \[\/|no such field: |field [\w.-]{1,100} not found in type|field not found, node: |adapting config using|[Uu]nknown (?:directive|(?:output|input|filter|parser|formatter) plugin|entry) ['"]|tried to set \S{1,100}, but there is no|[Ss]etting "[\w.-]{1,100}" (?:doesn't exist|hasn't been)|tried to instance a plugin|unknown type: "|which is not configured|invalid config key|provisioning error|unrecognized directive: |unsupported config option)(?<what>.{0,200})/i,
    explain: (_, input, line) => syntax('configuration', line, input),
  },
];

/** Explains an error in a script that the manifest itself contains, after `-c`. */
function ofScript(input: RuleInput, line: string): Meaning | undefined {
  const place = input.place();
  const words = (['command', 'args'] as const).flatMap((field) =>
    (place?.container?.[field] ?? []).map((word, index) => ({ word, path: fieldPath(place?.path ?? '', field, index) })),
  );
  const shell = words.findIndex(({ word }) => /^-\w{0,3}c$/.test(word));
  const script = words[shell + 1];
  if (shell < 0 || !script) return undefined;
  // Folded YAML joins all lines, so `done`, `fi` and `esac` follow the previous command without a separator.
  const isFolded = !script.word.trim().includes('\n') && /[^;&|\s]\s+(?:done|fi|esac)\b/.test(script.word);
  return {
    because: `the shell cannot read the script in ${code(script.path)}`,
    culprit: `${script.path}: ${phraseIn(line)}`,
    advice: [
      isFolded
        ? `The lines of the script have become one. In YAML write it behind \`|\`, which keeps line breaks, and not behind \`>\`; in one line, \`done\` and \`fi\` need a \`;\` before them.`
        : 'Correct the script at the place that the shell names; quotes, `do` and `then` need their ends.',
    ],
    whereToLook: `the script in ${code(script.path)}`,
  };
}

/** The word that a program does not know in its configuration. */
const WORDS: readonly RegExp[] = [
  /no such field: ['"]([\w.-]{1,100})/,
  /field ([\w.-]{1,100}) not found in type/,
  /field not found, node: ([\w.-]{1,100})/,
  />>> ['"]([\w.-]{1,100})/,
  /tried to set ([\w.-]{1,100}), but there is no/,
  /[Ss]etting "([\w.-]{1,100})" (?:doesn't exist|hasn't been registered)/,
  /plugin name that doesn't exist: '([\w.-]{1,100})'/,
  /section '([\w.-]{1,100})' tried to instance/,
  /unknown type: "([\w./-]{1,100})"/,
  /references ((?:exporter|processor|receiver|connector|extension) "[\w./-]{1,100}") which is not configured/,
  /[Ii]nvalid command '([\w.-]{1,100})'/,
  /(?:unknown|unrecogni[sz]ed|invalid config(?:uration)?|unexpected|undefined|unsupported) (?:\w{1,20} )?(?:directive|keyword|key|field|setting|entry|variable|parameter|option|property|plugin|variant|element|section|block type|argument|attribute)s?:? ['"`[]?([\w./@-]{1,100})/i,
  /unknown ['"`]([\w.-]{1,100})['"`] variable/,
];

const FILE = /(?<![\w/])(?:\/[\w.@+-]{1,80}){1,12}(?::\d{1,6})?/;

/** What a complaint about a configuration means if it is about a host, a missing option, an unfilled template or a refused value. */
function moreThanSyntax(line: string, input: RuleInput): ReturnType<Signature['explain']> | undefined {
  const host = /sentinel monitor \S{1,80} ([\w.-]{1,200}) \d{2,5}/.exec(line)?.[1];
  if (host !== undefined && line.includes("Can't resolve")) return unresolved(host);
  const option = MISSING_OPTION.exec(line)?.groups?.['option'];
  if (option !== undefined) return explainOption(input, option, line);
  return unfilledTemplate(input, line) ?? refusedSetting(input, line);
}

function syntax(kind: string, line: string, input: RuleInput): ReturnType<Signature['explain']> {
  const other = moreThanSyntax(line, input);
  if (other) return other;
  if (kind === 'JSON' && /token '?<|character '<'/.test(line)) return notJson(input, line);
  const word = WORDS.flatMap((pattern) => pattern.exec(line)?.[1]?.replaceAll('"', '') ?? [])[0];
  const file = placeIn(line) || FILE.exec(line)?.[0];
  const where = `its ${kind}${file ? ` in ${code(file)}` : ''}`;
  const larger = /unknown type: "/.test(line) ? largerEdition(input) : [];
  // If the line names no file, an option may contain the word.
  const mayBeOption = kind === 'configuration' && file === undefined && word !== undefined;
  return {
    because: word ? `${where} has ${code(word)}, which the program does not know` : `it cannot parse ${where}: ${quotedLine(line)}`,
    culprit: word
      ? `${word}${file ? ` in ${file}` : ''}${larger.length > 0 ? ` (image ${input.place()?.container?.image ?? ''})` : ''}`
      : phraseIn(line),
    corrections: [...otherContext(input, line), ...(mayBeOption ? optionWith(input, word) : []), ...larger],
    advice: [
      [
        `Correct ${where.replace(/^its/, 'the')} at the place that the log line names.`,
        ...offer(input, line, word),
        configSource(input, line) ||
          (input.place()
            ? 'As far as the manifest shows, no volume brings the file: it is part of the image.'
            : 'The file usually comes from a mounted ConfigMap.'),
      ].join(' '),
    ],
    inCode: file === undefined,
    whereToLook: 'the ConfigMap, Secret or image that contains the file',
  };
}

/** A page in place of JSON: a login, an error of a proxy, or the start page of an application. */
function notJson(input: RuleInput, line: string): ReturnType<Signature['explain']> {
  return {
    because: 'it reads JSON and gets text that begins with `<`, most often an HTML page',
    culprit: phraseIn(line),
    corrections: [],
    advice: [
      `See in the log before this line what it reads. A URL that answers with HTML leads to another server or path than meant, or wants a login. ${configSource(input, line)}`.trim(),
    ],
    inCode: true,
    whereToLook: 'the variables and arguments with addresses, and the answer to `curl` from inside the pod',
  };
}

/** Redis shows the setting that it refuses, and says behind it why. The word itself is unknown only for a `Bad directive`. */
const OF_REDIS = />>> '(?<name>[\w-]{2,60}) "?(?<value>[^"']{1,300}?)"?' (?<why>(?!Bad directive).{3,200})$/;

function refusedSetting(input: RuleInput, line: string): ReturnType<Signature['explain']> | undefined {
  const { name = '', value = '', why = '' } = OF_REDIS.exec(line)?.groups ?? {};
  if (name === '') return undefined;
  if (/No such file or directory/.test(why))
    return {
      because: `${code(value)} does not exist (setting ${code(name)})`,
      culprit: `${value} (${name})`,
      advice: ['Mount a volume there, or name a folder that exists.'],
      corrections: [...inVolume(input, value), ...nearFolder(input, value), ...missingFile(input, value)].slice(0, 1),
      whereToLook: `where ${code(name)} is set, and the mounts of the container`,
    };
  return refusedValue(input, { name: `--${name}`, line: `${name}: invalid value "${value}": ${why}` });
}

/** The mounted folder itself, in place of a folder in it that nobody makes. */
function inVolume(input: RuleInput, folder: string): Correction[] {
  const place = input.place();
  const mount = place?.container?.volumeMounts?.find(({ mountPath }) => folder.startsWith(`${mountPath.replace(/\/$/, '')}/`));
  const given = place && givenIn(place).find(({ value }) => value === folder);
  if (!place || !mount || !given) return [];
  const why = `volume ${code(mount.name)} is mounted there, and nobody makes the folder in it`;
  return [setTo(place, given, mount.mountPath, { why, explanation: `The program does not make ${code(folder)} itself.` })];
}

/** The name that the log suggests for the word that the program does not know. */
function offer(input: RuleInput, line: string, word: string | undefined): string[] {
  const offered = word === undefined ? undefined : offeredName(input, line, word);
  return offered === undefined ? [] : [`The log offers ${code(offered)} for ${code(word ?? '')}.`];
}

function unresolved(host: string): ReturnType<Signature['explain']> {
  return {
    because: `the name ${code(host)} in its configuration is not known to the cluster's DNS`,
    culprit: host,
    advice: ['Check the spelling, and that the pod of this name is there: a headless Service gives names to ready pods only.'],
    whereToLook: 'the ConfigMap with the file, the Services and the pods that it names',
  };
}

/** The providers of Traefik 3 (Traefik, "Providers Overview"). */
const PROVIDERS = [
  ...['docker', 'swarm', 'ecs', 'nomad', 'consulcatalog', 'kubernetescrd', 'kubernetesingress', 'kubernetesgateway'],
  ...['consul', 'etcd', 'redis', 'zookeeper', 'http', 'file', 'plugin', 'kubernetesingressnginx'],
];

/** Parts of the options of Traefik 3, below entry points and resolvers of certificates (Traefik, "Static Configuration: CLI"). */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  entrypoints: [
    ...['address', 'allowacmebypass', 'asdefault', 'forwardedheaders', 'insecure', 'trustedips', 'http', 'encodequerysemicolons'],
    ...['maxheaderbytes', 'middlewares', 'redirections', 'entrypoint', 'permanent', 'priority', 'scheme', 'tls', 'certresolver', 'domains'],
    ...['main', 'sans', 'options', 'http2', 'maxconcurrentstreams', 'http3', 'advertisedport', 'observability', 'accesslogs', 'metrics'],
    ...['tracing', 'proxyprotocol', 'reuseport', 'transport', 'keepalivemaxrequests', 'keepalivemaxtime', 'lifecycle', 'gracetimeout'],
    ...['requestacceptgracetimeout', 'respondingtimeouts', 'idletimeout', 'readtimeout', 'writetimeout', 'udp', 'timeout'],
  ],
  certificatesresolvers: [
    ...['acme', 'caserver', 'certificatesduration', 'dnschallenge', 'delaybeforecheck', 'disablepropagationcheck', 'provider', 'resolvers'],
    ...['eab', 'hmacencoded', 'kid', 'email', 'httpchallenge', 'entrypoint', 'keytype', 'preferredchain', 'storage', 'tlschallenge'],
  ],
};

/** Corrects a typo in a part of an option of Traefik. */
function asPart(place: ContainerPlace | undefined, option: string, word: string): Correction[] {
  const [section = '', , ...parts] = option.replace(/^-+/, '').split('=', 1)[0]?.toLowerCase().split('.') ?? [];
  if (!parts.includes(word.toLowerCase())) return [];
  return asKnownWord(place, { option, word, known: PARTS[section] ?? [], what: 'option' });
}

/** Corrects a typo in the name of a Traefik provider in an option. */
function asProvider(place: ContainerPlace | undefined, option: string, word: string): Correction[] {
  return asKnownWord(place, { option, word, known: option.includes('providers.') ? PROVIDERS : [], what: 'provider' });
}

function asKnownWord(
  place: ContainerPlace | undefined,
  { option, word, known, what }: { option: string; word: string; known: readonly string[]; what: string },
): Correction[] {
  const [near, next] = nearest(word, known);
  const distance = (to: string): number => editDistance(word.toLowerCase(), to);
  const isClear = near !== undefined && (next === undefined || distance(near) < distance(next));
  const list = place?.container?.args?.includes(option) ? 'args' : 'command';
  const index = place?.container?.[list]?.indexOf(option) ?? -1;
  if (!place || !isClear || index < 0) return [];
  return [
    {
      title: `Write ${code(near)}`,
      changes: [change(place, fieldPath(place.path, list, index), option.replace(word, near), `Traefik has the ${what} ${code(near)}`)],
      confidence: 'likely',
      explanation: `Traefik has no ${what} ${code(word)}.`,
      mirrorable: true,
    },
  ];
}

/** The option with a word that the program does not know as one of its parts: `--api.dashbord` for `dashbord`. */
function optionWith(input: RuleInput, word: string): Correction[] {
  const place = input.place();
  const { command = [], args = [] } = place?.container ?? {};
  const nameOf = (one: string): string => one.replace(/^-+/, '').split('=', 1)[0] ?? '';
  const all = [...command, ...args].filter((one) => one.startsWith('-') && nameOf(one).split('.').includes(word));
  const begun = all.filter((one) => nameOf(one).startsWith(word));
  const [only, ...more] = begun.length > 0 ? begun : all;
  if (only === undefined || more.length > 0) return [];
  const spelled = asItsSibling(input, only, word);
  if (spelled.length > 0) return spelled;
  const known = [...asProvider(place, only, word), ...asPart(place, only, word), ...knownOption(input, word)];
  return known.length > 0 ? known : dropOption(place, only);
}

/** The first words of Traefik's options (Traefik, "Static Configuration: CLI"). */
const OF_TRAEFIK = [
  ...['entrypoints', 'providers', 'certificatesresolvers', 'api', 'ping', 'log', 'accesslog', 'metrics', 'tracing', 'global'],
  ...['serverstransport', 'tcpserverstransport', 'experimental', 'hostresolver', 'spiffe', 'core'],
];
const imageOf = (place: ContainerPlace | undefined): string => `${place?.container?.image ?? ''} ${place?.container?.name ?? ''}`;

/** The option with the word as another option of the container spells it at the same place: `--entrypoints.web` beside `--entrypoints.tls`. */
function asItsSibling(input: RuleInput, option: string, word: string): Correction[] {
  const place = input.place();
  const partsOf = (one: string): string[] => one.replace(/^-+/, '').split('=', 1)[0]?.split('.') ?? [];
  const own = partsOf(option);
  const at = own.indexOf(word);
  const fields = (['args', 'command'] as const).flatMap((field) =>
    (place?.container?.[field] ?? []).map((one, index) => ({ one, field, index })),
  );
  const options = fields.filter(({ one }) => one.startsWith('-') && one !== option).map(({ one }) => partsOf(one));
  const siblings = options.filter(
    (parts) =>
      parts.length > at &&
      (parts.slice(0, at).join('.') === own.slice(0, at).join('.') || (at > 1 && parts.length === own.length && parts[0] === own[0])),
  );
  const [near, ...others] = nearest(word, [
    ...siblings.flatMap((parts) => parts[at] ?? []),
    ...(at === 0 && /traefik/i.test(imageOf(place)) ? OF_TRAEFIK : []),
  ]).filter((one) => one.startsWith(word.slice(0, 2)));
  const found = fields.find(({ one }) => one === option);
  if (!place || !found || near === undefined || others.length > 0) return [];
  const renamed = own.map((part, index) => (index === at ? near : part)).join('.');
  // The same option is there twice, so one must go.
  if (options.some((parts) => parts.join('.') === renamed)) return [];
  const to = option.replace(own.join('.'), () => renamed);
  return [
    {
      title: `Write ${code(near)} in place of ${code(word)}`,
      changes: [
        change(place, fieldPath(place.path, found.field, found.index), to, `another option of the container spells it ${code(near)}`),
      ],
      confidence: 'likely',
      explanation: `The program does not know ${code(word)}.`,
      mirrorable: true,
    },
  ];
}
