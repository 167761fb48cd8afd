import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isAboutBase64,
  isRegion,
  isShortSchedule,
  isUnpadded,
  isZone,
  otherForm,
} from '../../../../src/diagnosis/corrections/settings/value-form.ts';

const test = suite('the form that a program wants for a value');

type Row = readonly [
  value: string,
  line: string,
  to: string | undefined,
  more?: { name?: string; why?: string; confidence?: 'likely' | 'guess' },
];
/** Each row: a value, the line that refuses it, the value that is wanted, and the name of the setting, if it matters. */
function forms(what: string, table: readonly Row[]): void {
  for (const [value, line, to, { name = 'A', why, confidence = 'likely' } = {}] of table)
    test(`${what}: ${value}, and ${line.slice(0, 80)}`, () => {
      const found = otherForm({ name, value, line });
      assert.is(found?.to, to);
      if (to !== undefined) assert.is(found?.confidence, confidence);
      if (why !== undefined) assert.is(found?.why, why);
    });
}

forms('a switch', [
  ...['yes', 'y', 'on', '1', 'enable', 'enabled', 'ja', 'si', 'oui', 'YES', 'True'].map((value): Row => [value, 'not a bool', 'true']),
  ...['no', 'n', 'off', '0', 'disable', 'disabled', 'nein', 'non', 'FALSE'].map((value): Row => [value, 'not a bool', 'false']),
  ...['boolean', 'ParseBool', 'true or false', 'TRUE and not FALSE'].map((line): Row => [
    'yes',
    line,
    'true',
    { why: 'the program wants `true` or `false`' },
  ]),
  ['yes', 'it is bad', undefined],
  ['true', 'not a bool', undefined],
  ['maybe', 'not a bool', undefined],
  ['true', "want 'yes' or 'no'", 'yes', { why: 'the program wants `yes` or `no`' }],
  ['false', 'want yes or no', 'no'],
  ['1', 'want on or off', 'on'],
  ['off', 'want on or off', undefined],
  ['yes', 'want enabled or disabled', 'enabled'],
  ['maybe', 'want on or off', undefined],
]);
const TIME = 'the program wants a time with its unit';
forms('a time', [
  ['30', 'time: missing unit in duration "30"', '30s', { why: TIME }],
  ['30', 'time.Duration', '30s'],
  ['30', 'time.ParseDuration', '30s'],
  ['30', 'not a duration', '30s'],
  ['3000', 'not a duration', '3000s'],
  ['999', 'not a duration', '999s', { name: 'TIMEOUT' }],
  ...['TIMEOUT', 'DELAY', 'BACKOFF', 'DEADLINE', 'WAIT'].map((name): Row => ['1000', 'not a duration', '1000ms', { name }]),
  ...['TIMEOUT', 'INTERVAL', 'PERIOD', 'DELAY', 'TTL', 'GRACE', 'BACKOFF', 'MAX_AGE_MAXAGE', 'MAX-AGE'].map((name): Row => [
    '30',
    'invalid x',
    '30s',
    { name, confidence: 'guess', why: TIME },
  ]),
  ['30', 'cannot parse', undefined],
  ['30', 'cannot parse', '30s', { name: 'TTL', confidence: 'guess' }],
  ['30', 'no unit', '30s', { name: 'TTL', confidence: 'guess' }],
  ['30', 'it is bad', undefined, { name: 'TTL' }],
]);
const SO = 'the program writes its durations so';
forms('a duration', [
  ['30s', "'30s' cannot be parsed to a Duration", 'PT30S', { why: SO }],
  ['5m', 'cannot be parsed to a Duration', 'PT5M'],
  ['30s', 'not a duration', undefined],
  ['PT1H30M', 'not a duration', '1h30m', { why: SO }],
  ['PT30S', 'it is bad', undefined],
  ['15 days', 'time: unknown unit', '360h', { why: SO }],
  ['2w', 'time.Duration', '336h'],
  ['1d', 'ParseDuration', '24h'],
  ['15 days', 'not a duration', '15d'],
  ['2 hours', 'time: unknown unit', '2h'],
  ['10 seconds', 'unknown unit', '10s'],
  ['10 seconds', 'it is bad', undefined],
  ['10 things', 'not a duration', undefined],
]);
forms('a size', [
  ['256Mi', 'must be a memory value', '256mb', { why: 'the program writes its sizes so' }],
  ['1G', 'must be a memory value', '1gb'],
  ['256MiB', 'must be a memory value', '256mb'],
  ['256Mi', 'it is bad', undefined],
  ['5Gi', 'unknown unit', '5GB', { why: 'the program does not know the unit without its `B`' }],
  ['5 k', 'the unit is not valid', '5KB'],
  ['5t', 'invalid unit', '5TB'],
  ['5GB', 'unknown unit', undefined],
]);
forms('letters that look like digits', [
  ['8O8O', 'invalid number', '8080', { why: 'a letter in it looks like a digit' }],
  ['5o', 'invalid', '50'],
  ['l0', 'not an int', '10'],
  ['I0', 'number', '10'],
  ['Oo', 'invalid number', undefined],
  ['8O8O', 'it is bad', undefined],
]);
forms('a number', [
  ['1,5', 'not a float', '1.5', { why: 'the program wants a point' }],
  ...['double', 'ParseFloat', 'decimal', 'float64'].map((line): Row => ['1,5', line, '1.5']),
  ['1,5', 'it is bad', undefined],
  ['x', 'not a float', undefined],
  ['1.5e+07', 'not an integer', '15000000', { why: 'the program wants digits alone' }],
  ['2e3', 'number', '2000'],
  ['1.55e1', 'number', undefined],
  ['1e30', 'number', undefined],
  ['2e3', 'it is bad', undefined],
  ['1,000,000', 'not a number', '1000000', { why: 'the program wants digits alone' }],
  ['1_000', 'Atoi', '1000'],
  ["1'000", 'ParseInt', '1000'],
  ['1 000', 'NumberFormat', '1000'],
  ['10,00', 'not a number', undefined],
  ['1,000', 'it is bad', undefined],
  ['1.5', 'usize', '2', { why: 'the program wants a whole number', confidence: 'guess' }],
  ...['isize', 'u16', 'i32', 'int', 'integer', 'ParseIntError'].map((line): Row => ['1.2', line, '2', { confidence: 'guess' }]),
  [':8080', 'not an integer', '8080', { why: 'the program wants a plain number' }],
  [':8080', 'it is bad', undefined],
  ['kafka-2', 'not a number', '2', { why: 'the program wants the number alone', confidence: 'guess' }],
  ['5k', 'digit expected', '5000', { why: 'the program wants digits alone', confidence: 'guess' }],
  ['5K', 'numeric', '5000', { confidence: 'guess' }],
  ['30 days', 'not a number', '30', { why: 'the program wants a plain number', confidence: 'guess' }],
  ['75%', 'parseInt', '75', { confidence: 'guess' }],
  ['80.0', 'parseInt', '80', { confidence: 'guess' }],
  ['80/tcp', 'int64', '80', { confidence: 'guess' }],
  ['80/udp', 'int', '80', { confidence: 'guess' }],
  ['80/x', 'int', undefined],
  ['75%', 'it is bad', undefined],
]);
forms('a time zone', [
  ['Europe/Berln', 'unknown time zone Europe/Berln', 'Europe/Berlin', { why: 'there is a time zone `Europe/Berlin`' }],
  ['Europe/Zürich', 'ZoneInfo Europe/Zürich', 'Europe/Zurich'],
  ['Europe/Berlin', 'ZoneRules Europe/Berlin', undefined],
  ['Europe/Berln', 'unknown time zone', undefined],
  ['Mars/Crater', 'unknown time zone Mars/Crater', undefined],
]);
const level = (name = 'LOG_LEVEL', why?: string, confidence: 'likely' | 'guess' = 'likely') => ({
  name,
  confidence,
  ...(why ? { why } : {}),
});
forms('a log level', [
  ['warning', 'unrecognized level: "warning"', 'warn', level(undefined, 'there is a level `warn`')],
  ['verbose', 'unrecognized level: verbose', 'debug', level()],
  ['trace', 'unrecognized level: trace', 'debug', level()],
  ['dpanik', 'unrecognized level: x', 'dpanic', level()],
  ['notice', 'not a valid logrus level', 'info', level()],
  ['trace', 'winston: unknown logger level', 'debug', level()],
  ['sily', 'unknown logger level', 'silly', level()],
  ['warn', 'Unknown level: warn', 'WARNING', level()],
  ['fatal', 'Unknown level: fatal', 'CRITICAL', level()],
  ['info', 'Unknown level: info', 'INFO', level(undefined, 'there is a level `INFO`')],
  ['none', 'No enum constant LogLevel.none', 'OFF', level()],
  ['silent', 'No enum constant LogLevel.silent', 'OFF', level()],
  ['finest', 'No enum constant LogLevel.finest', 'TRACE', level()],
  ['information', 'invalid level', 'info', level()],
  ['err', 'invalid level', 'error', level()],
  ['severe', 'invalid level', 'error', level()],
  ['critical', 'invalid level', 'fatal', level()],
  ['ERR', 'invalid level', 'ERROR', level()],
  ['debug', 'invalid level', 'DEBUG', level(undefined, 'there is a level `DEBUG`')],
  ['DEBUG', 'unknown level of x', 'debug', level()],
  ['blue', 'invalid level', 'info', level(undefined, 'every library has this level', 'guess')],
  ['BLUE', 'invalid level', 'INFO', level(undefined, undefined, 'guess')],
  ['warning', 'bad verbosity', 'WARNING', level('VERBOSITY')],
  ['err', 'severity is not valid', 'error', level('SEVERITY')],
  ['constructor', 'invalid level', 'info', level(undefined, undefined, 'guess')],
  ['err', 'invalid level', undefined, level('MODE')],
  ['err', 'it is bad', undefined, level()],
]);
for (const words of [
  'unknown',
  'invalid',
  'not a valid',
  'unrecognized',
  'unrecognised',
  'unsupported',
  'bad',
  'illegal',
  'no such',
  'wrong',
  'no enum constant',
])
  test(`a level that is refused: ${words}`, () =>
    assert.is(otherForm({ name: 'LEVEL', value: 'eror', line: `${words} level` })?.to, 'error'));
for (const words of ['unknown', 'invalid', 'not valid', 'not a valid one', 'unrecognized', 'unsupported', 'must be'])
  test(`a level that is ${words}`, () =>
    assert.is(otherForm({ name: 'LEVEL', value: 'eror', line: `level is ${words} here` })?.to, 'error'));
const MADE = 'the data was made with it';
forms('a name that a server had before', [
  ['new', "cluster name differs from the previous name 'old'", 'old', { why: MADE }],
  ['new', 'name differs from saved node name (old)', 'old'],
  ['new', 'differs from the stored id "old"', 'old'],
  ['new', "differs from existing name 'old'", 'old'],
  ['new', 'Saved cluster name old != configured name new', 'old'],
  ['new', 'Previous cluster name "old" differs', 'old'],
  ['new', 'stored name (old) does not match', 'old'],
  ['new', "existing name old doesn't match", 'old'],
  ['old', 'name differs from saved name (old)', undefined],
]);
forms('one of the values that a program offers', [
  ['debg', 'must be one of: debug, info, warn', 'debug', { why: 'the program takes `debug`, `info`, `warn`' }],
  ['postgresql', 'allowed values are postgres, mysql', 'postgres'],
  ['prod', 'must be one of development, production', 'production'],
  ['pd', 'expected production, test', 'production'],
  ['warning', 'expected one of info or warn', 'warn'],
  ['sasl', 'enabled mechanisms are [SCRAM-SHA-512]', 'SCRAM-SHA-512'],
  ['SCRAM-SHA-512', 'enabled mechanisms are [SCRAM-SHA-512]', undefined],
  ['postgresql', "invalid value: 'postgresql' (postgres, off)", 'postgres'],
  ['notice', 'must be one of: INFO, DEBUG', 'INFO'],
  ['NOTICE', 'must be one of: info, debug', 'info'],
  ['PD', 'expected production, test', 'production'],
  ['pd', 'expected PRODUCTION, TEST', 'PRODUCTION'],
  ['xyz', 'must be one of: debug, info', undefined],
  ['debug', 'must be one of: debug, info', undefined],
  ['in', 'must be one of: info, input', undefined],
  ['debg', 'expected debug', undefined],
  ['os', 'one of stdout and other, but got os', undefined],
  ...[
    ...[
      'one of',
      'choose from',
      'choices',
      'choices are',
      'allowed',
      'allowed values',
      'valid values',
      'valid options',
      'valid choices are',
    ],
    ...['valid levels', 'valid drivers', 'valid types', 'valid engines', 'valid backends', 'valid modes', 'valid names', 'valid formats'],
    ...['valid providers', 'supported', 'supported values are', 'expected', 'must be', 'should be'],
  ].map((words): Row => ['jsn', `${words} json, text`, 'json']),
  ...['enabled', 'available', 'supported', 'known', 'registered'].map((word): Row => [
    'jsn',
    `${word} formats: [x] ${word} formats are [json]`,
    'json',
  ]),
]);
forms('a value that exists', [
  ['org.postgresql.Drivr', 'cannot load driver class', 'org.postgresql.Driver', { why: '`org.postgresql.Driver` exists' }],
  ...[
    'com.mysql.cj.jdbc.Driver',
    'org.mariadb.jdbc.Driver',
    'com.microsoft.sqlserver.jdbc.SQLServerDriver',
    'oracle.jdbc.OracleDriver',
    'org.h2.Driver',
  ].map((value): Row => [`${value}x`, 'driver class', value]),
  ['org.h2.Driver', 'driver class', undefined],
  ['eu-centrl-1', 'dial s3.eu-centrl-1.amazonaws.com', 'eu-central-1'],
  ['eu-centrl-1', 'Invalid Region', 'eu-central-1'],
  ['eu-centrl-1', "region 'eu-centrl-1' is wrong", 'eu-central-1'],
  ...['postgresql', 'mysql2', 'trilogy', 'sqlite3'].map((value): Row => [`${value}x`, 'AdapterNotFound', value]),
  ['postgresqlx', "nonexistent 'postgresqlx' adapter", 'postgresql'],
  ...['postgresql', 'mysql', 'sqlite3', 'oracle'].map((value): Row => [
    `django.db.backends.${value}x`,
    'not an available database backend',
    `django.db.backends.${value}`,
  ]),
  ...['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'].map((value): Row => [`${value}x`, 'sslmode', value]),
  ...['pgsql', 'mysql', 'mariadb', 'sqlite', 'sqlsrv'].map((value): Row => [`${value}x`, 'Database connection [x] not configured', value]),
  ...['production', 'development', 'test', 'staging'].map((value): Row => [`${value}x`, 'not configured for the `x` environment', value]),
  ['prod', 'not configured for the `prod` environment', 'production'],
]);
forms('an address', [
  ['8080', 'Invalid url', 'http://+:8080', { name: 'ASPNETCORE_URLS', why: 'it is a URL: the scheme, all addresses and the port' }],
  [':8080', 'Invalid url', 'http://+:8080', { name: 'URL' }],
  ['8080', 'Invalid url', undefined],
  ['8080', 'it is bad', undefined, { name: 'URL' }],
  ['auth.example.com/x', 'not a valid URL', 'https://auth.example.com/x', { why: 'a URL begins with its scheme', confidence: 'guess' }],
  ['auth.example.com:8443', 'want an absolute URI', 'https://auth.example.com:8443', { confidence: 'guess' }],
  ['auth', 'not a valid URL', undefined],
  ['auth.example.com', 'it is bad', undefined],
]);
forms('a provider', [
  ...Object.entries({ postgresql: 'postgres', pg: 'postgres', pgsql: 'postgres', mariadb: 'mysql', sqlite: 'sqlite3', PG: 'postgres' }).map(
    ([value, to]): Row => [value, 'unknown database type', to, { why: `the program calls it \`${to}\`` }],
  ),
  ...Object.entries({ postgres: 'pgsql', postgresql: 'pgsql', pg: 'pgsql', mssql: 'sqlsrv', sqlserver: 'sqlsrv' }).map(
    ([value, to]): Row => [value, 'Database connection [x]', to],
  ),
  ...Object.entries({ route53: 'aws', amazon: 'aws', gcp: 'google', clouddns: 'google', 'google-cloud': 'google', azuredns: 'azure' }).map(
    ([value, to]): Row => [value, 'unknown dns provider', to],
  ),
  ['route53', 'coredns, x, rfc2136', 'aws'],
  ...Object.entries({ amazon: 'aws', eks: 'aws', ec2: 'aws', gcp: 'gce', google: 'gce', gke: 'gce', aks: 'azure' }).map(
    ([value, to]): Row => [value, 'unknown cloud provider', to],
  ),
  ['constructor', 'unknown cloud-provider', undefined],
  ['eks', 'it is bad', undefined],
]);
forms('a schedule', [
  [
    '*/5 * * *',
    'expected exactly 5 fields',
    '*/5 * * * *',
    { why: 'a schedule has five fields; the last one is the day of the week', confidence: 'guess' },
  ],
  ['0 2 * * MON', 'must have six fields', '0 0 2 * * MON', { why: 'the program wants the second first' }],
  ['0 0 2 * * *', 'want 5 fields', '0 2 * * *', { why: 'the program has no field for seconds' }],
  ['1 0 2 * * *', 'want 5 fields', undefined],
  ['0 2 * *', 'it is bad', undefined],
]);
forms('base64', [
  ['YWJjZA', 'illegal base64 data', 'YWJjZA==', { name: 'A_KEY', why: 'base64 is filled up to groups of four' }],
  ['YWJjZGU', 'Incorrect padding', 'YWJjZGU=', { name: 'SECRET' }],
  ['YWJj', 'base64', undefined, { name: 'A_KEY' }],
  ['YWJjZA', 'base64', undefined],
]);
forms('an algorithm', [
  ...['256', '384', '512'].map((bits): Row => [
    `RS${bits}`,
    'secretOrPrivateKey must be an asymmetric key when using RS256',
    `HS${bits}`,
    { why: 'the key is a plain secret, which signs both ways', confidence: 'guess' },
  ]),
  ['ES256', 'must be an asymmetric key when using', 'HS256', { confidence: 'guess' }],
  ['PS256', 'must be an asymmetric key when using', 'HS256', { confidence: 'guess' }],
  ['HS256', 'must be an asymmetric key when using', undefined],
]);

test('a schedule of one field less', () => {
  const of = (value: string, line = '5 fields') => isShortSchedule(value, line);
  assert.equal(
    ['*/5 * * *', '0 2 * JAN-MAR', ' 0,30 2 ? * ', '0 2 * *'].map((value) => of(value)),
    [true, true, true, true],
  );
  assert.equal(
    ['* * * * *', '* * *', 'every 5 m m', '0 2 * /'].map((value) => of(value)),
    [false, false, false, false],
  );
  assert.equal([of('* * * * *', '6 fields'), of('* * * *', 'missing field'), of('* * * *', 'bad')], [true, true, false]);
});
test('what may be base64', () => {
  assert.equal(['base64', 'BASE 64', 'Incorrect padding', 'base'].map(isAboutBase64), [true, true, true, false]);
  for (const name of ['KEY', 'SECRET', 'TOKEN', 'SALT', 'CERT', 'BASE64', 'B64']) assert.ok(isUnpadded(name, 'YWJjZA'), name);
  assert.equal(
    [
      isUnpadded('NAME', 'YWJjZA'),
      isUnpadded('KEY', 'YWJjZ'),
      isUnpadded('KEY', 'YWJj'),
      isUnpadded('KEY', 'YWJjZ!'),
      isUnpadded('KEY', 'YW'),
    ],
    [false, false, false, false, false],
  );
});
test('what may be a time zone', () =>
  assert.equal(
    [
      isZone('Europe/X', 'time zone Europe/X'),
      isZone('Europe/X', 'timezone'),
      isZone('Europe', 'time zone Europe'),
      isZone('a/b c', 'time zone a/b c'),
      isZone('a/b', 'at a/b'),
    ],
    [true, false, false, false, false],
  ));
const SIZE = 'value 20Mi not in correct format (regular expression): [0-9]+[KkMmGg]?';
forms('a pattern', [
  ['20Mi', SIZE, '20M', { why: 'it then has the form that the program names' }],
  ['20 MiB', SIZE, '20M'],
  ['"20"', SIZE, '20'],
  [' 20M', SIZE, '20M'],
  ['20M', SIZE, undefined],
  ['much', SIZE, undefined],
  ['Orders-API', 'name must match pattern ^[a-z-]+$', 'orders-api'],
  ['orders_api', 'name must match the regex ^[a-z-]{2,30}$.', 'orders-api'],
  ['Orders_Api', 'does not match: `^[a-z-]+$`', 'orders-api'],
  ['Orders_Api', 'does not match pattern: `^[a-z-]+$`', 'orders-api'],
  ['orders-api', 'must match pattern "^[A-Z_]+$"', undefined],
  ['orders-api', 'must match pattern "^[a-z_]+$"', 'orders_api'],
  ['debug', 'must match pattern ^[A-Z]+$', 'DEBUG'],
  // Patterns of a hostile line: none of them may run.
  ['A'.repeat(60), 'must match pattern ^(a|aa)+b$', undefined],
  ['A'.repeat(60), 'must match pattern ^(a*)*b$', undefined],
  ['A'.repeat(60), 'must match pattern ^[a]*[a]*[a]*[a]*[a]*[a]*[a]*b$', undefined],
  ['A'.repeat(60), 'must match pattern ^[a]{1,}[a]{1,}[a]{1,}[a]{1,}[a]{1,}b$', undefined],
  ['A'.repeat(60), String.raw`must match pattern ^(a)\1\1\1$`, undefined],
  ['A'.repeat(60), 'must match pattern ^(?=a)a$', undefined],
  ['A'.repeat(60), 'must match pattern ^[a', undefined],
  ['A'.repeat(61), 'must match pattern ^[a]+$', undefined],
]);

for (const region of [
  ...['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'ca-west-1', 'mx-central-1', 'sa-east-1', 'eu-central-1'],
  ...['eu-central-2', 'eu-north-1', 'eu-south-1', 'eu-south-2', 'eu-west-1', 'eu-west-2', 'eu-west-3', 'af-south-1', 'il-central-1'],
  ...['me-central-1', 'me-south-1', 'ap-east-1', 'ap-east-2', 'ap-south-1', 'ap-south-2', 'ap-northeast-1', 'ap-northeast-2'],
  ...['ap-northeast-3', 'ap-southeast-1', 'ap-southeast-2', 'ap-southeast-3', 'ap-southeast-4', 'ap-southeast-5', 'ap-southeast-6'],
  ...['ap-southeast-7', 'us-gov-east-1', 'us-gov-west-1'],
])
  test(`${region} is a region`, () => assert.equal([isRegion(region), isRegion(`${region}0`)], [true, false]));

test.run();
