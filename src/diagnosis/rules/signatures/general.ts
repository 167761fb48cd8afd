import type { EnvVar } from '../../../crd/kubernetes.ts';
import { code } from '../../rendering/quote.ts';
import { exceptionMeaning } from './in-the-code.ts';
import { generalAdvice } from './general-advice.ts';
import { phraseIn } from '../../facts/phrase.ts';
import { configSource } from '../../facts/config-source.ts';
import { logBehind } from '../../facts/log-sections.ts';
import type { RuleInput } from '../../facts/input.ts';
import type { Signature } from './signature.ts';

/** How many characters after an error are searched for a mention of the configuration. */
const NEAR = 300;

/** Where the mounted configuration comes from, if the error or the lines behind it speak of a configuration. */
function ofItsFile(input: RuleInput, line: string): string {
  const near = line + logBehind(input.subject, line).slice(0, NEAR);
  return /config|\/etc\/|groupname/i.test(near) ? configSource(input, line) : '';
}

function fromWhere({ valueFrom }: EnvVar): string {
  const [what, ref] = valueFrom?.secretKeyRef ? ['Secret', valueFrom.secretKeyRef] : ['ConfigMap', valueFrom?.configMapKeyRef];
  return ref ? `, which has its value from the key ${code(ref.key)} of ${what} ${code(ref.name ?? '')}` : '';
}

/** What to do about the only name of a variable in the line. */
function ofSetting(input: RuleInput, line: string): string | undefined {
  const [name, ...more] = new Set(line.match(/(?<![\w/.-])[A-Z][A-Z\d]{1,40}(?:_[A-Z\d]{1,40}){1,6}(?![\w/.-])/g) ?? []);
  const container = input.place()?.container;
  if (name === undefined || more.length > 0 || !container) return undefined;
  const variable = container.env?.find((one) => one.name === name);
  if (variable) return `Correct the variable ${code(name)} of the container${fromWhere(variable)}.`;
  const isKnown = (container.envFrom ?? []).length === 0;
  return `Set the variable ${code(name)} as the message asks${isKnown ? ': nothing sets it for this container' : ''}.`;
}

/** Whether a further error stands behind the line in its log. */
const isFollowed = (input: RuleInput, line: string): boolean =>
  /\b(?:error|fatal|fail(?:ed|ure)|panic|exception)\b/i.test(logBehind(input.subject, line));

/** Lines that only say that something failed. */
export const generalSignatures: readonly Signature[] = [
  {
    id: 'python-exception',
    general: true,
    hints: ['error:', 'exception:', 'error [', 'improperlyconfigured:'],
    pattern: /^(?:[\w.]{1,100}\.)?(?<type>[A-Z]\w{1,80}(?:Error|Exception|Warning|Exit|Fault|Configured))(?:\b.{0,60}?): (?<what>.{1,300})/,
    explain: (_, __, line) => exceptionMeaning(line, phraseIn(line)),
  },
  {
    id: 'java-exception',
    general: true,
    hints: ['exception', 'error'],
    pattern: /(?:^|\s)(?<type>(?:[a-z]\w{0,40}\.){1,8}[A-Z]\w{1,80}(?:Exception|Error))/,
    explain: (_, __, line) => exceptionMeaning(line, phraseIn(line)),
  },
  {
    // Spring prints this around the real cause. Any more specific line is better.
    id: 'spring-start',
    general: true,
    hints: ['application run failed', 'application failed to start', 'error creating bean'],
    pattern: /Error creating bean with name '(?<bean>[^']{1,200})'|APPLICATION FAILED TO START|Application run failed/,
    explain: ({ bean }, _, line) => ({
      because: bean ? `Spring cannot create the bean ${code(bean)}` : 'the Spring application cannot start',
      culprit: bean ?? phraseIn(line),
      advice: [
        'The deepest `Caused by` of the trace names the cause. Settings come from variables (`A_B_C` for `a.b.c`) or a mounted file.',
      ],
      whereToLook: "the `Caused by` lines of the trace, the container's `env`, and the mounted configuration",
    }),
  },
  {
    id: 'first-error',
    general: true,
    hints: [
      'fatal',
      'panic',
      'error',
      'failed',
      'failure',
      'emerg',
      'err!',
      'err ',
      'err]',
      'cannot',
      'could not',
      'unable to',
      'exception',
      'critical',
      'invalid',
      "can't",
      'aborting',
      'alert:',
      'alert]',
      'denied',
      'not found',
      'missing',
      'unsupported',
      'not configured',
      'been configured',
      'been defined',
      '.go:',
      'refusing to',
    ],
    // glog and klog begin a line with the first letter of its level.
    pattern:
      /^F\d{4} \d{2}:\d{2}:\d{2}\.\d{1,6}\s|(?<!\b(?:no|0|zero|without|any|on|if) )(?<![\w/-])(?:FATAL|fatal|Fatal|PANIC|panic|ERROR|Error|error|ERR|CRITICAL|critical|Critical|EMERG|ALERT(?=[:\]])|FAILED|[Ff]ailed|failure|[Cc]annot|[Cc]ould not|[Uu]nable to|exception|Exception|[Ii]nvalid|[Cc]an't|[Aa]borting|[Rr]efusing to|[Dd]enied|not found|not (?:been )?configured|(?<!(?:[Cc]reat|[Aa]dd|[Ii]nstall|[Gg]enerat)(?:ed|ing) )[Mm]issing|[Uu]nsupported)(?![\w/.-]|[=:] ?(?:0|null|nil|none|false)\b)|\b(?:has not been (?:configured|defined)|\] not configured)\b/,
    explain: (_, input, line) => ({
      because: `it logs ${code(line, 200)}`,
      culprit: phraseIn(line),
      advice: [`${generalAdvice(line, isFollowed(input, line), ofSetting(input, line))} ${ofItsFile(input, line)}`.trim()],
      whereToLook: 'the log around this line, and what changed in the image or its configuration',
    }),
  },
];
