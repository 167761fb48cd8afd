import type { Correction } from '../../corrections/correction.ts';
import { dropOption } from '../../corrections/settings/argument.ts';
import { code } from '../../rendering/quote.ts';
import { missingFile } from '../../corrections/files/missing-file.ts';
import { missingVariable, withPrefix } from '../../corrections/settings/variable.ts';
import { missingVariables } from '../../corrections/settings/several-variables.ts';
import { withoutVariable } from '../../corrections/settings/remove-setting.ts';
import { meantInstead } from '../../corrections/settings/suggested-word.ts';
import { refusedValue } from '../../corrections/settings/values.ts';
import { logSections } from '../../facts/log-sections.ts';
import { missingNames } from '../../facts/missing-names.ts';
import { invalidVariables, refusedByZod } from '../../facts/refused-variables.ts';
import type { RuleInput } from '../../facts/input.ts';
import { inTheCode } from './in-the-code.ts';
import { phraseIn, quotedLine } from '../../facts/phrase.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import type { Signature } from './signature.ts';

/** Whether the container itself gives the variable a value. */
function isGiven(input: RuleInput, name: string): boolean {
  const own = input.place()?.container?.env?.filter((one) => one.name === name) ?? [];
  return own.some(({ value, valueFrom }) => valueFrom !== undefined || !!value);
}

/** The first variable in the line that the container does not set. */
function unsetIn(input: RuleInput, name: string, line: string): string {
  if (!isGiven(input, name)) return name;
  return line.match(/\b[A-Z][A-Z0-9]{0,60}(?:_[A-Z0-9]{1,60}){1,8}\b/g)?.find((one) => !isGiven(input, one)) ?? name;
}

/** The variables that the log lists as missing together with this one, without those that the container sets. */
function listedWith(input: RuleInput, name: string): string[] {
  const env = input.place()?.container?.env ?? [];
  const listed = missingNames(input.subject).map((one) => (env.some((variable) => variable.name === one) ? one : one.toUpperCase()));
  return listed.includes(name) ? listed.filter((one) => !isGiven(input, one)) : [];
}

/** Explains that a variable is not set. The group `name` holds the variable's name. */
export const explainVariable: Signature['explain'] = ({ name: first = '' }, input, line) => {
  const name = unsetIn(input, first, line);
  const variable = input.place()?.container?.env?.find((one) => one.name === name);
  const field = variable?.valueFrom?.fieldRef?.fieldPath;
  const names = listedWith(input, name);
  const others = names.filter((one) => one !== name);
  if (others.length > 0) {
    const all = [name, ...others].map((one) => code(one)).join(', ');
    return {
      because: `the variables ${all} are not set`,
      culprit: withPrefix(input, name),
      advice: [`Set ${all} in the container's \`env\`, or load them with \`envFrom\` from the ConfigMap or Secret that has them.`],
      corrections: missingVariables(input, name, names),
      whereToLook: `where ${all} should come from: the container's \`env\` and \`envFrom\`, and the ConfigMaps and Secrets they name`,
    };
  }
  return {
    because: `the variable ${code(name)} is not set${field ? `: it takes its value from the field ${code(field)} of the pod` : ''}`,
    culprit: withPrefix(input, name),
    advice: [
      field
        ? `Give the pod the field ${code(field)}, or give ${code(name)} a value of its own.`
        : `Set ${code(name)} in the container's \`env\`, or load it with \`envFrom\` from the ConfigMap or Secret that has it.`,
    ],
    corrections: missingVariable(input, name),
    whereToLook: `where ${code(name)} should come from: the container's \`env\` and \`envFrom\`, and the ConfigMaps and Secrets they name`,
  };
};

/** A setting in a schema (`ZodError`, pydantic). Its name is above or below the line that reports it missing. */
const NAMES_AROUND: readonly RegExp[] = [
  /["']?path["']?: ?\[\s{0,20}["']([A-Za-z_]\w{0,80})["']\s{0,20}\]/,
  /(?:^|\n)([A-Za-z_]\w{0,80})\r?\n\s{1,10}[Ff]ield required/,
];

function nameAround(input: RuleInput): string {
  const texts = logSections(input.subject).map(({ text }) => text.slice(0, 20_000));
  return texts.flatMap((text) => NAMES_AROUND.flatMap((pattern) => pattern.exec(text)?.[1] ?? []))[0] ?? '';
}

/** The container's first variable that the log calls deprecated. Images print one line for each such variable. */
function deprecatedOne(input: RuleInput): string | undefined {
  const names = (input.place()?.container?.env ?? []).map(({ name }) => name);
  const text = logSections(input.subject)[0]?.text.slice(0, 20_000) ?? '';
  return [...text.matchAll(/\b([A-Z][A-Z\d_]{2,80}) is set but deprecated/g)]
    .map(([, name = '']) => name)
    .find((name) => names.includes(name));
}

/** For a variable that the program reads itself and that an option only repeats: removes the option. */
function withoutShadow(input: RuleInput, name: string): Correction[] {
  const place = input.place();
  const option = (place?.container?.args ?? []).flatMap((word) => /^(--?[\w.-]{1,60})=\$\((\w{1,80})\)$/.exec(word) ?? []);
  return option[2] === name && option[1] !== undefined
    ? dropOption(place, option[1], {
        why: `the program reads ${code(name)} itself`,
        explanation: 'Other options refer to the variable, so it stays.',
      })
    : [];
}

function notWanted(input: RuleInput, name: string, line: string): Meaning {
  const shadowing = /shadowed/.test(line) ? withoutShadow(input, name) : [];
  const corrections = shadowing.length > 0 ? shadowing : [...meantInstead(input, name), ...withoutVariable(input, name)];
  return {
    because: `the program does not take the variable ${code(name)}: ${quotedLine(line)}`,
    culprit: name,
    advice: [`Remove ${code(name)}, or use what the program has in its place.`],
    corrections,
    whereToLook: "the container's `env` and `envFrom`, and the release notes of the program",
  };
}

/** The variables of the container that come from a key of a Secret. */
function secretsIn(input: RuleInput): { name: string; secret: string; key: string }[] {
  return (input.place()?.container?.env ?? []).flatMap(({ name, valueFrom }) => {
    const { name: secret = '', key } = valueFrom?.secretKeyRef ?? {};
    return key === undefined ? [] : [{ name, secret, key }];
  });
}

/** The command that shows each character of a Secret's value. */
const shownValue = ({ secret, key }: { secret: string; key: string }, namespace: string): string =>
  `\`kubectl get secret ${secret} -n ${namespace} -o jsonpath="{.data['${key.replaceAll('.', String.raw`\.`)}']}" | base64 -d | od -c\``;

/** Settings that are missing or that the program does not know. */
export const environmentSignatures: readonly Signature[] = [
  {
    // Signatures of variables that must not be set come before those of variables that must be.
    id: 'variable-unwanted',
    hints: ['deprecated', 'not be set', 'not be used', "can't be ", 'is shadowed', 'unknown setting', 'unset ', 'remove '],
    pattern:
      /\b(?<a>[A-Z][A-Z0-9]{1,60}(?:_[A-Z0-9]{1,60}){1,8})\b.{0,20}(?:is set but deprecated|(?:(?:must|should|can) ?not|can't) be (?:set|used)\b|is shadowed)|is shadowed by corresponding command-line flag.{0,300}"environment-variable":"(?<d>[A-Z][A-Z0-9_]{1,60})"|unknown setting \[(?<b>[\w.-]{2,120})\]|(?:^\s{0,20}|\b(?:[Ee]ither|[Pp]lease|[Mm]ust|[Ss]hould|[Tt]o) )(?:[Uu]nset|[Rr]emove) (?:the )?(?:environment )?(?:variable )?\$?(?<c>[A-Z][A-Z0-9]{1,60}(?:_[A-Z0-9]{1,60}){1,8})\b/,
    explain: ({ a, b, c, d }, input, line) => notWanted(input, deprecatedOne(input) ?? a ?? b ?? c ?? d ?? '', line),
  },
  {
    id: 'schema-missing',
    hints: ['field required', 'zoderror', 'invalid environment variables', 'missing value for field'],
    pattern:
      /^\s{1,10}[Ff]ield required\b|\bZodError\b|\bInvalid environment variables\b|\bmissing value for field (?<field>[a-z_]\w{1,80})/,
    explain: ({ field }, input, line) => {
      const issues = [...refusedByZod(input.subject), ...invalidVariables(input.subject)];
      const refused = issues.flatMap((issue) => refusedValue(input, issue) ?? [])[0];
      if (refused) return refused;
      const name = field ?? (nameAround(input) || (missingNames(input.subject)[0] ?? ''));
      if (name === '') return inTheCode(`it does not take its settings: ${quotedLine(line)}`, phraseIn(line));
      const [upper, env] = [name.toUpperCase(), input.place()?.container?.env ?? []];
      const known = env.some((one) => one.name === name) ? name : upper;
      return { ...explainVariable({ name: known }, input, ''), culprit: name };
    },
  },
  {
    id: 'variables-together',
    hints: ['are required', 'all required', 'both required', 'be set'],
    pattern:
      /\b(?<name>[A-Z][A-Z0-9]{0,60}(?:_[A-Z0-9]{1,60}){1,8})\b['"`]?(?:,? (?:and )?['"`]?[A-Z][A-Z0-9_]{2,80}['"`]?){1,6} (?:(?:environment )?(?:options|variables|settings|parameters|values) )?(?:are (?:all |both )?required|must (?:all |both )?be set|(?:have|need) to be set)/,
    explain: explainVariable,
  },
  {
    id: 'variable-missing',
    hints: [
      'not set',
      'unset',
      'undefined',
      'required',
      'missing',
      'must be ',
      'must not be ',
      'not been ',
      'not present',
      'unbound variable',
      'not defined',
      'not found',
      'is empty',
      'not provided',
      'not specified',
      'variable reference',
      'could not expand value',
    ],
    pattern:
      /(?:variable reference for '|[Cc]ould not expand value )(?<reference>[A-Za-z]\w{1,80})|(?:^|[\s'"`:$])\{?(?<name>(?!KUBERNETES_MASTER\b)[A-Z][A-Z0-9]{0,60}(?:_[A-Z0-9]{1,60}){1,8})\}?['"`]?:? (?:env(?:ironment)? var(?:iable)? |variable |setting |option )?(?:is |was |are |has |must |parameter )?(?:(?:null or )?not set|unset|undefined|required|missing|not (?:been )?(?:defined|found|provided|specified|present)|empty|(?:be (?:set|defined|provided|specified|present)|not be (?:empty|blank|null|undefined|unset))|unbound variable)/,
    explain: ({ name, reference }, input, line) => explainVariable({ name: name ?? reference ?? '' }, input, line),
  },
  {
    // The names follow, one in each line: dotenv-safe, start scripts.
    id: 'variables-below',
    hints: ['variables', 'settings'],
    pattern:
      /\b(?:env(?:ironment)? )?(?:variables|settings)\b.{0,120}\b(?:missing|required|not (?:set|present|defined|found|provided))\b[^:]{0,60}:\s*$|\b(?:[Mm]issing|[Rr]equired)\b.{0,40}\b(?:env(?:ironment)? )?variables\b[^:]{0,60}:\s*$/,
    explain: (_, input, line) => {
      const [name] = missingNames(input.subject);
      return name === undefined
        ? inTheCode(`it does not take its settings: ${quotedLine(line)}`, phraseIn(line))
        : explainVariable({ name }, input, '');
    },
  },
  {
    id: 'variable-wanted',
    hints: [
      'env var',
      'missing required',
      'please set',
      'you must set',
      'must define',
      'required env',
      'required variable',
      'environ',
      "missing '",
      "['required",
      '["required',
      "[ 'required",
      'received undefined',
      'env[',
    ],
    pattern:
      /(?:missing|required?|undefined|set|define|specify|provide|(?<!not )expected|not found|not present|no|lookup|fetch)\b.{0,60}?[\s'"`:=[($]\{?(?<name>(?!KUBERNETES_MASTER\b)[A-Z][A-Z0-9]{0,60}(?:_[A-Z0-9]{1,60}){1,8})\b(?!['"`]? to (?:\w{1,8} ){0,2}writable )|\bENV\[['"](?<own>[A-Z]\w{1,80})['"]\]|\b[A-Z][A-Z0-9]{0,60}(?:_[A-Z0-9]{1,60}){1,8}['"]?: ?\[ ?['"](?:Required|Invalid input: expected \w{1,20}, received undefined)/i,
    explain: (groups, input, line) =>
      explainVariable(
        { name: /\b(?!KUBERNETES_MASTER\b)[A-Z][A-Z0-9]{1,60}(?:_[A-Z0-9]{1,60}){1,8}/.exec(line)?.[0] ?? groups.name ?? groups.own ?? '' },
        input,
        line,
      ),
  },
  {
    id: 'variable-short',
    hints: ['is not set', 'is not defined', 'is required', 'must be set', 'is missing', 'env'],
    pattern:
      /(?:\b(?:env(?:ironment)?(?: var(?:iable)?)?|variable) ['"`$]?(?<name>[A-Z]{3,40})\b|\b(?<other>(?!(?:ERROR|FATAL|WARN|INFO|CRITICAL|PANIC|DEBUG)\b)[A-Z]{3,40})['"`]? (?:env(?:ironment)? var(?:iable)? )?(?:is (?:not (?:set|defined)|required|missing)|must be set))\b(?! an? )/,
    explain: ({ name, other }, input, line) => explainVariable({ name: name ?? other ?? '' }, input, line),
  },
  {
    // .NET reads `A:B` from the variable `A__B`.
    id: 'setting-missing',
    hints: ['configur', 'section', 'setting', 'connection string', 'connectionstring', '__'],
    pattern:
      /^(?=.{0,900}(?:[Mm]issing|not (?:been )?(?:found|set|configured|provided|specified|defined|exist|initialized)|does not|required|null|empty)).{0,600}?(?:(?:[Cc]onfigur\w{1,10}|[Ss]ection|[Ss]etting|[Oo]ption|[Kk]ey|[Vv]alue|[Vv]ariable|appsettings)\b.{0,60}?["'`](?<name>[A-Za-z]\w{0,60}(?:(?::|__)\w{1,60}){1,6})["'`]|variable (?<variable>[A-Za-z]\w{0,60}__\w{1,60})|(?:[Cc]onnection string|ConnectionString)\b.{0,60}?["'`](?<connection>[A-Za-z]\w{0,60})["'`])/,
    explain: ({ name, variable, connection }, input) => {
      const setting = name ?? variable ?? connection ?? '';
      return {
        ...explainVariable({ name: connection ? `ConnectionStrings:${connection}` : setting }, input, ''),
        because: `the setting ${code(setting)} has no value`,
        culprit: setting,
      };
    },
  },
  {
    id: 'variable-key-error',
    hints: ['keyerror:'],
    pattern: /KeyError: (?:key not found: )?['"]?(?<name>[A-Z][A-Z0-9_]{2,80})(?:['"]|$)/,
    explain: explainVariable,
  },
  {
    id: 'variable-unbound',
    hints: ['parameter not set', 'parameter null', 'unbound variable', 'sh:', 'entrypoint'],
    // For `${NAME:?why}`, the shell prints the name and then any words. When a shell reports on a program, other words follow.
    pattern:
      /: \$?\{?(?<name>[A-Za-z_][A-Za-z0-9_]{0,80})\}?: (?:unbound variable|parameter (?:null or )?not set)|^(?:\S{0,200}\/)?(?:(?:ba|da|a|z)?sh|[\w.-]{1,80}\.sh|[\w-]{0,40}entrypoint[\w.-]{0,40}): (?:(?:line )?\d{1,6}: )?(?<own>[A-Z][A-Z0-9_]{1,80}): (?!.{0,40}(?:not found|[Pp]ermission denied|No such file|[Ii]s a directory|cannot execute|inaccessible|not executable|[Rr]ead-?only)).{1,300}/,
    explain: ({ name, own }, input, line) => explainVariable({ name: name ?? own ?? '' }, input, line),
  },
  {
    id: 'header-value',
    hints: ['header', 'unexpected char 0x0'],
    pattern:
      /[Ii]nvalid (?:character|value) in header(?: content)? \[?["'](?<a>[\w-]{1,60})|invalid header field value(?: "[^"]{0,200}")? for(?: key)? "?(?<b>[\w-]{1,60})|(?:Invalid (?:return character|leading whitespace)|Illegal header value|[Ii]llegal character(?:\(s\))? in (?:message )?header value|header value contains (?:invalid|illegal)|[Ii]nvalid header value)|Unexpected char 0x0[ad] at \d{1,5} in (?<c>[\w-]{1,60}) (?:value|header)/,
    explain: ({ a, b, c }, input) => {
      const header = a ?? b ?? c;
      const [only, ...more] = secretsIn(input);
      const name = more.length === 0 ? only : undefined;
      return {
        because: `the value of ${header ? `the header ${code(header)}` : 'a header'} has a character that no header may have, most often a line break at its end${name ? ` (${code(name.name)} comes from the key ${code(name.key)} of Secret ${code(name.secret)})` : ''}`,
        culprit: name ? `${name.name} from key ${name.key} of Secret ${name.secret}` : (header ?? 'header value'),
        advice: [
          `See whether the value ends with a line break (${name ? shownValue(name, input.subject.namespace) : '`kubectl get secret NAME -o jsonpath=… | base64 -d | od -c`'}). Write it without one: \`--from-literal\`, or \`printf %s\` in place of \`echo\`. Then restart the pods.`,
        ],
        elsewhere: 'The value itself is wrong, and the manifest only names where it comes from.',
        whereToLook: 'the Secret or file from which the program takes its token, and how somebody made it',
      };
    },
  },
  {
    id: 'licence-missing',
    hints: ['license', 'licence'],
    pattern:
      /\b(?:invalid|expired|missing|not a valid|could not (?:find|load|verify)|no) (?:[a-z]{1,20} )?licen[sc]e|licen[sc]e (?:key |file )?(?:has |is |was )?(?:expired|invalid|missing|not found|required)/i,
    explain: (_, input, line) => ({
      corrections: missingFile(input, /(?<![\w/.])(?:\/[\w.@+-]{1,120}){2,16}/.exec(line)?.[0] ?? ''),
      because: 'its licence is missing or no longer valid',
      culprit: 'licence',
      advice: ['Renew the licence, or put the right one into the Secret that the container reads.'],
      whereToLook: 'the Secret or file with the licence, and its expiry date',
    }),
  },
];
