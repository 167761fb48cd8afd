import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { givenIn } from '../given-values.ts';

/** Words of other drivers, and the ones that SQL Server's driver knows (Microsoft, "SqlConnection.ConnectionString"). */
const KEYWORDS: Readonly<Record<string, string>> = {
  host: 'Server',
  hostname: 'Server',
  username: 'User ID',
  db: 'Database',
  dbname: 'Database',
  pass: 'Password',
  sslmode: 'Encrypt',
};

/** For a word of a connection string that the driver does not know: the one that it knows. */
export function knownKeyword(input: RuleInput, line: string): Correction[] {
  const word = /Keyword not supported: '([\w ]{2,40})'/.exec(line)?.[1]?.toLowerCase() ?? '';
  const to = Object.hasOwn(KEYWORDS, word) ? KEYWORDS[word] : undefined;
  const place = input.place();
  const pattern = new RegExp(`(^|;)\\s*${word}\\s*=`, 'i');
  const [only, ...more] = place && to !== undefined ? givenIn(place).filter(({ value }) => pattern.test(value)) : [];
  if (!place || to === undefined || !only?.path || more.length > 0) return [];
  return [
    {
      title: `Write ${code(to)} for ${code(word)}`,
      changes: [change(place, only.path, `${only.prefix}${only.value.replace(pattern, `$1${to}=`)}`, 'the driver calls it so')],
      confidence: 'likely',
      explanation: `The driver does not know ${code(word)}. It is that of SQL Server; for another database the program needs another driver.`,
      mirrorable: true,
    },
  ];
}
