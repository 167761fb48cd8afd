import type { RuleInput } from '../../facts/input.ts';
import { foundInLogs, logBehind } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { type Given, givenIn, rewritten } from '../given-values.ts';

/** How programs name the length that they want, in characters, bytes or bits. */
const LENGTHS: readonly (readonly [pattern: RegExp, charactersEach: number])[] = [
  [/\bmust be (?:[\d, ]{1,20} or )?(\d{1,3}) (?:bytes|characters|chars)\b/i, 1],
  [/(?:\b(?:at least|minimum(?: length)?(?: of| is)?|minimal)|>=) ?:? ?(\d{1,3}) ?(?:bytes|characters|chars|letters)\b/i, 1],
  [/\blength (?:must be|should be|is) (?:at least|>=|greater than or equal to) ?(\d{1,3})\b/i, 1],
  [/\brequired bits\b[^\d]{0,60}\d{0,3}[^\d]{0,10}?: (\d{2,4})\b/i, 1 / 8],
  [/\b(?:at least|minimum(?: of)?) (\d{2,4}) bits\b/i, 1 / 8],
];
/** A complaint with what follows it, further down in the log. */
const TOO_SHORT = /((?:secret|key|password|token)\b.{0,80} (?:(?:is|are) too short|length (?:should|must) be)[^]{0,400})/i;
/** Names of settings that hold a secret. */
const SECRET = /SECRET|PASS(?:WORD|WD)?|(?:^|_|-)KEY|TOKEN|SALT|PEPPER/i;
/** Longer ones are keys that only their own tool makes. */
const MAX_LENGTH = 128;
/** How far behind the line the length may stand. */
const MAX_BEHIND = 400;

/** The only secret that the manifest gives in plain text and that is shorter than the program wants, and a placeholder of that length. */
export function longerSecret(input: RuleInput, line: string): { name: string; wanted: number; correction: Correction } | undefined {
  const place = input.place();
  const secrets = place ? givenIn(place).filter((one) => SECRET.test(one.name) && isPlain(one)) : [];
  // Most manifests have none, and then the log need not be read.
  if (!place || secrets.length === 0) return undefined;
  const near = `${line}\n${logBehind(input.subject, line).slice(0, MAX_BEHIND)}`;
  const text = lengthIn(near) === undefined ? foundInLogs(input.subject, TOO_SHORT) : near;
  const wanted = lengthIn(text);
  if (wanted === undefined || !/secret|key|password|token|length|salt/i.test(text)) return undefined;
  const short = secrets.filter(({ value }) => Buffer.byteLength(value) < wanted);
  const said = short.filter(({ name, value }) => text.includes(name) || text.includes(value));
  const [only, ...more] = said.length > 0 ? said : short;
  if (!only || more.length > 0) return undefined;
  return {
    name: only.name,
    wanted,
    correction: {
      title: `Give ${code(only.name)} a value of ${wanted} characters`,
      changes: [rewritten(place, only, placeholder(wanted), `the program wants at least ${wanted} characters`)],
      confidence: 'guess',
      explanation:
        'The value is a placeholder: it shows on a mirror whether anything else fails. Then put a value of your own into a Secret (`openssl rand -base64 48`), because only you can choose it.',
      mirrorable: true,
    },
  };
}

function lengthIn(text: string): number | undefined {
  for (const [pattern, each] of LENGTHS) {
    const length = Number(pattern.exec(text)?.[1] ?? 0) * each;
    if (length >= 2 && length <= MAX_LENGTH) return Math.ceil(length);
  }
  return undefined;
}

/** Whether the value is a secret itself and not the place of one. */
const isPlain = ({ value }: Given): boolean => !/^\/|:\/\/|\$\(/.test(value);

/** A value that everybody sees through. */
const placeholder = (length: number): string => 'replace-me-with-a-value-of-your-own-'.repeat(Math.ceil(length / 36)).slice(0, length);
