import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten } from '../given-values.ts';
import { editDistance, nearest } from '../similar-names.ts';

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

/** Keywords of Npgsql and of MySqlConnector (Npgsql, "Connection String Parameters"; MySqlConnector, "Connection Options"). */
const KNOWN = [
  ...[
    'Host',
    'Server',
    'Port',
    'Database',
    'Username',
    'User ID',
    'Password',
    'Passfile',
    'SSL Mode',
    'SslMode',
    'Timeout',
    'Command Timeout',
  ],
  ...[
    'Pooling',
    'Minimum Pool Size',
    'Maximum Pool Size',
    'Application Name',
    'Search Path',
    'Keepalive',
    'Root Certificate',
    'Trust Server Certificate',
  ],
];

/** Corrects a typo in a connection string's keyword that Npgsql refuses. */
function misspeltKeyword(input: RuleInput, line: string): Correction[] {
  const word = /Couldn't set ([\w ]{2,40}?) \(Parameter/.exec(line)?.[1] ?? '';
  const place = input.place();
  const [to, ...others] = word === '' ? [] : nearest(word, KNOWN);
  const pattern = new RegExp(`(^|;)\\s*${word}\\s*=`, 'i');
  const [only, ...more] = place && to !== undefined ? givenIn(place).filter(({ value }) => pattern.test(value)) : [];
  if (
    !place ||
    to === undefined ||
    others.some((one) => editDistance(one.toLowerCase(), word) <= editDistance(to.toLowerCase(), word)) ||
    !only ||
    more.length > 0
  )
    return [];
  return [
    {
      title: `Write ${code(to)} for ${code(word)}`,
      changes: [rewritten(place, only, only.value.replace(pattern, `$1${to}=`), 'the driver calls it so')],
      confidence: 'likely',
      explanation: `The driver does not know ${code(word)}.`,
      mirrorable: true,
    },
  ];
}

/** Keywords of addresses for libpq and the drivers that read them so (PostgreSQL, "Parameter Key Words"). */
const OF_LIBPQ = [
  'host', 'hostaddr', 'port', 'dbname', 'user', 'password', 'passfile', 'connect_timeout', 'application_name', 'options', 'sslmode', 'sslrootcert',
  'sslcert', 'sslkey', 'sslpassword', 'target_session_attrs', 'search_path', 'TimeZone', 'keepalives', 'channel_binding', 'gssencmode',
]; // prettier-ignore
const NO_KEYWORD =
  /(?:unrecognized configuration parameter|invalid (?:URI query parameter|connection option|dsn key):?) ?\\?["']?([A-Za-z_]{2,40})\b/;

/** Corrects a typo in a keyword of an address for PostgreSQL: `ssl_mode` for `sslmode`. */
function keywordOfPostgres(input: RuleInput, line: string): Correction[] {
  const word = NO_KEYWORD.exec(line)?.[1] ?? '';
  const place = input.place();
  const bare = (one: string): string => one.toLowerCase().replaceAll('_', '');
  const same = OF_LIBPQ.find((one) => word !== '' && one !== word && bare(one) === bare(word));
  const to = same ?? (word.length > 3 && !OF_LIBPQ.includes(word) ? nearest(word, OF_LIBPQ)[0] : undefined);
  const pattern = new RegExp(`(^|[\\s?&])${word}=`);
  const [only, ...more] = place && to !== undefined ? givenIn(place).filter(({ value }) => pattern.test(value)) : [];
  if (!place || to === undefined || !only || more.length > 0) return [];
  return [
    {
      title: `Write ${code(to)} for ${code(word)}`,
      changes: [rewritten(place, only, only.value.replace(pattern, `$1${to}=`), 'the driver calls it so')],
      confidence: 'likely',
      explanation: `The driver does not know ${code(word)}, and sends it to the server.`,
      mirrorable: true,
    },
  ];
}

/** SQL Server's driver takes the port behind the server: `Server=mssql,1433`. */
function portBehindServer(input: RuleInput, line: string): Correction[] {
  if (!/Keyword not supported: 'port'/i.test(line)) return [];
  const place = input.place();
  const own = /(?:^|;)\s*port\s*=\s*(\d{2,5})\s*(?=;|$)/i;
  const server = /((?:^|;)\s*(?:server|data source|address|addr|network address)\s*=\s*)([^;,]+?)\s*(?=;|$)/i;
  const [only, ...more] = place ? givenIn(place).filter(({ value }) => own.test(value) && server.test(value)) : [];
  if (!place || !only || more.length > 0) return [];
  const port = own.exec(only.value)?.[1] ?? '';
  const to = only.value.replace(own, '').replace(server, `$1$2,${port}`);
  return [
    {
      title: `Write the port ${code(port)} behind the server`,
      changes: [rewritten(place, only, to, 'the driver takes the port behind a comma')],
      confidence: 'likely',
      explanation: 'The driver is that of SQL Server, which does not know `Port`.',
      mirrorable: true,
    },
  ];
}

/** Replaces a keyword of another driver with the one that this driver knows. */
export function knownKeyword(input: RuleInput, line: string): Correction[] {
  const slip = [...misspeltKeyword(input, line), ...portBehindServer(input, line), ...keywordOfPostgres(input, line)];
  if (slip.length > 0) return slip;
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
