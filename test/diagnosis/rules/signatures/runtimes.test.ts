import { suite } from 'uvu';
import { otherRuntimeSignatures } from '../../../../src/diagnosis/rules/signatures/other-runtimes.ts';
import { env, guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs say about Erlang, .NET, Go, Rust, C++, Ruby, PHP and migrations');

const INVARIANT = 'DOTNET_SYSTEM_GLOBALIZATION_INVARIANT';
const icu = (log: string): LogRow => [
  log,
  `ICU: ${log}`,
  'the image has no ICU library',
  {
    advice: 'Install `libicu`',
    where: "the image's packages",
    mirrorable: true,
    corrections: likely({ env: [{ name: INVARIANT, value: '1' }] }),
  },
];
const invariant = (log: string, own: string | undefined, more: LogRow[3] = {}): LogRow => [
  log,
  `${INVARIANT}: ${log}`,
  'the image runs .NET without languages',
  { advice: 'Install `libicu`', corrections: [], ...(own === undefined ? {} : { container: env({ [INVARIANT]: own }) }), ...more },
];
const ascii = (log: string, own: Record<string, string> | undefined): LogRow => [
  log,
  `locale: ${log}`,
  'it takes text for ASCII that has other letters',
  {
    container: own ? env(own) : {},
    advice: 'Give the container a locale with UTF-8',
    mirrorable: true,
    where: '`LC_ALL` and `LANG`',
    corrections: own ? likely({ 'env[0].value': 'C.UTF-8' }) : guess({ env: [{ name: 'LC_ALL', value: 'C.UTF-8' }] }),
  },
];
const SHORT = "Can't set short node name!";
const LONG = "Can't set long node name!";
const distribution = (log: string, node: string, to: string | undefined): LogRow => [
  `${log}\nPlease check your configuration`,
  `RELEASE_DISTRIBUTION: ${log}`,
  log === SHORT ? 'the name of its Erlang node is long, and the release wants a short one' : 'is short, and the release wants a long one',
  {
    container: env({ RELEASE_NODE: node }),
    advice: 'Fit `RELEASE_DISTRIBUTION`',
    where: '`RELEASE_NODE`',
    inCode: to === undefined,
    ...(to === undefined ? {} : { mirrorable: true, why: log === SHORT ? 'has dots, as an IP has' : 'has none' }),
    corrections: to === undefined ? [] : likely({ 'env[1]': { name: 'RELEASE_DISTRIBUTION', value: to } }),
  },
];
const bug = (log: string, culprit: string, because: string): LogRow => [
  log,
  culprit,
  because,
  { advice: 'The program itself has a bug', inCode: true },
];
const rustBug = (message: string): LogRow =>
  bug(`thread 'main' panicked at src/main.rs:4:5:\n${message}`, message, `the program panics: ${message.includes('`') ? '``' : '`'}`);
const rust = (log: string, message: string): LogRow => [
  log,
  message,
  'the program panics: `',
  { advice: 'Correct what this message names', where: 'the log around this line', inCode: false },
];
const crash = (log: string, what: string): LogRow => bug(log, what, `it crashes: \`${what}\``);
const SHARED = guess({
  'spec.volumes': [{ name: 'shared-memory', emptyDir: { medium: 'Memory', sizeLimit: '256Mi' } }],
  volumeMounts: [{ name: 'shared-memory', mountPath: '/dev/shm' }],
});
const bus = (log: string, what: string): LogRow => [
  log,
  `/dev/shm: ${what}`,
  'most often because its shared memory is full',
  { advice: 'Give it more shared memory', where: 'how much shared memory', corrections: SHARED },
];
const gem = (log: string, name: string, because = `\`${name}\``): LogRow => [
  log,
  name,
  `the Ruby library ${because} is not in the image`,
  { advice: 'Add it to the Gemfile', where: 'Gemfile' },
];
const absent = (log: string, name: string): LogRow => [
  log,
  name,
  `\`${name}\` is not in the image`,
  { advice: 'Use the runtime image', where: '*.runtimeconfig.json' },
];
const processor = (log: string, culprit: string, because: string, more: LogRow[3] = {}): LogRow => [
  log,
  culprit,
  because,
  { advice: 'Build the image for the architecture', where: "the image's platforms", corrections: [], ...more },
];
const failed = (log: string, culprit: string, advice: string): LogRow => [
  log,
  culprit,
  'a database migration fails: `',
  { advice, where: 'the table of applied migrations' },
];
const differs = (log: string, culprit: string, advice: string): LogRow => [
  log,
  culprit,
  'the database and the program are at different migrations: `',
  { advice, where: 'the table of applied migrations' },
];
const CHECKSUM = 'A migration was changed after it was applied';
const PENDING = 'Run the migrations of this release';
const OTHER = 'The database has another version';
const PLAIN = 'Correct the migration that fails';

logRows(test, otherRuntimeSignatures, {
  'erlang-node-name': [
    distribution(SHORT, 'shop@10.0.0.1', 'name'),
    distribution(SHORT, 'shop@$(POD_IP)', 'name'),
    distribution(SHORT, 'shop', undefined),
    distribution(LONG, 'shop@web', 'sname'),
    distribution(LONG, 'shop@web.shop', undefined),
    distribution(LONG, 'shop@$(HOST)', undefined),
  ],
  'dotnet-icu': [
    icu("Process terminated. Couldn't find a valid ICU package installed on the system."),
    icu('no ICU: use the globalization-invariant mode'),
    invariant('Only the invariant culture is supported in globalization-invariant mode.', 'true', {
      mirrorable: true,
      corrections: likely({ 'env[0].value': 'false' }),
    }),
    invariant('only the invariant culture is supported', '1', { corrections: likely({ 'env[0].value': 'false' }) }),
    invariant('Globalization Invariant Mode is not supported', 'false'),
    invariant('globalization-invariant mode', 'false'),
    invariant('globalization-invariant mode', undefined),
  ],
  'text-ascii': [
    ascii("UnicodeDecodeError: 'ascii' codec can't decode byte 0xc3 in position 1", undefined),
    ascii("UnicodeEncodeError: 'ascii' codec can't encode character", { LANG: 'C' }),
    ascii('ArgumentError: invalid byte sequence in US-ASCII', { LC_ALL: 'POSIX' }),
    ascii('"\\xC3" from ASCII-8BIT to US-ASCII', { LC_CTYPE: 'C' }),
    ascii('U+00E9 from UTF-8 to US-ASCII', { LANG: 'C' }),
  ],
  'go-panic': [
    bug(
      'panic: runtime error: index out of range [5]',
      'panic: runtime error: index out of range [5]',
      'the program panics: `runtime error',
    ),
    bug('2026/01/02 10:00:00 panic: no rows', 'panic: no rows', 'the program panics: `no rows`'),
    bug('fatal error: concurrent map writes', 'panic: concurrent map writes', 'the program panics: `concurrent map writes`'),
  ],
  'rust-panic': [
    rust("thread 'main' panicked at 'no config file', src/main.rs:4:5", 'no config file'),
    rust("thread 'main' panicked at src/main.rs:4:5:\nno config file", 'no config file'),
    rust("thread 'main' panicked at src/main.rs:4:5:\ncalled `Result::unwrap()` on an `Err` value: NoFile", 'NoFile'),
    rust("thread 'main' panicked at src/main.rs:4:5:\ncalled `Result::expect()` on an `Err` value: NoFile", 'NoFile'),
    bug("thread 'main' panicked at src/main.rs:4:5:", 'src/main.rs:4:5:', 'the program panics at `src/main.rs:4:5:`'),
    ...[
      'called `Option::unwrap()` on a `None` value',
      'called `Result::unwrap_err()` on an `Ok` value: 1',
      'index out of bounds: the len is 3 but the index is 9',
      'range start index 5 out of range for slice of length 3',
      'range end index 5 out of range for slice of length 3',
      'slice index starts at 5 but ends at 3',
      'byte index 1 is not a char boundary',
      'entered unreachable code: x',
      'internal error: entered unreachable code',
      'not yet implemented',
      ['not', 'implemented: x'].join(' '),
      'attempt to add with overflow',
      'assertion failed: x > 0',
      'already borrowed: BorrowMutError',
      'already mutably borrowed: BorrowError',
      'capacity overflow',
      'mid > len',
      'removal index (is 3) should be < len (is 3)',
      'insertion index (is 4) should be <= len (is 3)',
      'explicit panic',
      'unreachable',
      'no entry found for key',
      'cannot start a runtime from within a runtime',
      'cannot access a Thread Local Storage value during or after destruction',
      'there is no reactor running, must be called from the context of a Tokio 1.x runtime',
    ].map(rustBug),
  ],
  'segmentation-fault': [
    crash('Segmentation fault (core dumped)', 'Segmentation fault'),
    crash('caught segmentation fault', 'segmentation fault'),
    crash('[signal SIGSEGV: segmentation violation]', 'SIGSEGV'),
    crash('Illegal instruction', 'Illegal instruction'),
    crash('illegal instruction (core dumped)', 'illegal instruction'),
    crash('free(): double free detected in tcache 2', 'double free'),
    crash('Aborted (core dumped)', 'core dumped'),
    bus('Bus error (core dumped)', 'Bus error'),
    bus('killed by signal: bus error', 'bus error'),
  ],
  'cpp-terminate': [
    bug('  what():  bad port', 'what():  bad port', 'the program gives up: `bad port`'),
    bug(
      'libc++abi: terminating due to uncaught exception of type int',
      'libc++abi: terminating due to uncaught exception of type int',
      'gives up: `uncaught exception of type int`',
    ),
    bug(
      'libc++abi: terminating with uncaught exception',
      'libc++abi: terminating with uncaught exception',
      'gives up: `uncaught exception`',
    ),
    bug("app: main.c:3: main: Assertion `x > 0' failed.", "app: main.c:3: main: Assertion `x > 0' failed.", 'gives up: `x > 0`'),
    bug(
      'terminate called without an active exception',
      'terminate called without an active exception',
      'gives up: `without an active exception`',
    ),
  ],
  'dotnet-runtime': [
    [
      'Failed to create CoreCLR, HRESULT: 0x80004005',
      '/tmp (readOnlyRootFilesystem)',
      'cannot make its files in `/tmp`',
      {
        container: { securityContext: { readOnlyRootFilesystem: true } },
        advice: 'Mount an `emptyDir` at `/tmp`',
        where: '`readOnlyRootFilesystem`',
        corrections: likely({
          'spec.volumes': [{ name: 'writable-tmp', emptyDir: {} }],
          volumeMounts: [{ name: 'writable-tmp', mountPath: '/tmp' }],
        }),
      },
    ],
    [
      'Failed to create CoreCLR, HRESULT: 0x80004005',
      'Failed to create CoreCLR, HRESULT: 0x80004005',
      'the runtime of .NET cannot start',
      { corrections: [] },
    ],
  ],
  'wrong-architecture': [
    processor('exec /app/server: exec format error', '/app/server: exec format error', '`/app/server` is built for another processor'),
    processor('exec user process caused: exec format error', 'exec format error', 'the program is built for another processor'),
    processor('exec user process caused: "/app/server": exec format error', '/app/server: exec format error', '`/app/server` is built'),
    processor('/app/server: cannot execute binary file: Exec format error', 'exec format error', 'the program is built'),
    processor('exec /app/server: exec format error', '/app/server: exec format error', 'is built for another processor', {
      container: { image: 'web:1-arm64' },
      corrections: guess({ image: 'web:1-amd64' }),
    }),
    processor(
      'exec /scripts/run.sh: exec format error',
      '/scripts/run.sh: exec format error',
      '`/scripts/run.sh` comes from a volume and lacks its first line',
      {
        container: { command: ['/scripts/run.sh'], volumeMounts: [{ name: 's', mountPath: '/scripts' }] },
        spec: { volumes: [{ name: 's', configMap: { name: 's' } }] },
        advice: 'Write `#!/bin/sh`',
        corrections: likely({ command: ['sh', '/scripts/run.sh'] }),
      },
    ),
    processor('exec /run.sh: exec format error', '/run.sh: exec format error', '`/run.sh` comes from a volume', {
      container: { volumeMounts: [{ name: 's', mountPath: '/run.sh', subPath: 'run.sh' }] },
      advice: 'Write `#!/bin/sh`',
    }),
    processor('exec /scripts2/run: exec format error', '/scripts2/run: exec format error', 'is built for another processor', {
      container: { volumeMounts: [{ name: 's', mountPath: '/scripts' }] },
    }),
  ],
  'ruby-gem': [
    gem('/usr/lib/ruby/x.rb:85: cannot load such file -- rails (LoadError)', 'rails'),
    gem('LoadError: cannot load such file -- nokogiri/nokogiri', 'nokogiri/nokogiri'),
    gem("Could not find gem 'puma (~> 6)' in locally installed gems.", 'puma'),
    gem('Could not find rake-13.0.6 in locally installed gems (Bundler::GemNotFound)', 'rake-13.0.6'),
    gem('Bundler::GemNotFound', 'gem', '` `'),
  ],
  'php-fatal': [
    bug(
      'PHP Fatal error:  Uncaught Error: Class "X" not found',
      'Uncaught Error: Class "X" not found',
      'PHP ends with `Uncaught Error: Class',
    ),
    bug('PHP Parse error:  syntax problem in /a.php on line 3', 'syntax problem in /a.php on line 3', 'PHP ends with `syntax problem'),
  ],
  'dotnet-unhandled': [
    bug(
      'Unhandled exception. System.Exception: bad plan',
      'System.Exception: bad plan',
      'an exception is not caught: `System.Exception: bad plan`',
    ),
    absent("System.IO.FileLoadException: Could not load file or assembly 'Shop.Core, Version=1.0.0.0'. x", 'Shop.Core'),
    absent(
      "You must install or update .NET to run this application.\nFramework: 'Microsoft.NETCore.App', version '8.0.0' (x64)",
      'Microsoft.NETCore.App',
    ),
  ],
  'migration-failed': [
    differs(
      'Migrations are pending. To resolve this issue, run: bin/rails db:migrate',
      'Migrations are pending. To resolve this issue, run: bin/rails db:migrate',
      PENDING,
    ),
    differs('3 pending migrations found', '3 pending migrations found', PENDING),
    differs('a migration is pending: 20240101_users', 'a migration is pending: 20240101_users', PENDING),
    differs("Can't locate revision identified by 'a1b2c3'", 'revision a1b2c3', OTHER),
    differs('cannot find revision a1', 'cannot find revision a1', OTHER),
    failed("Could not locate revision identified by 'a1b2c3'", 'revision a1b2c3', OTHER),
    differs('schema version 12 does not match the expected 14', 'schema version 12 does not match the expected 14', OTHER),
    differs('schema version 15 is newer than 14', 'schema version 15 is newer than 14', OTHER),
    differs('schema version 15 is older than 16', 'schema version 15 is older than 16', OTHER),
    differs('schema version is 15, expected 16', 'schema version is 15, expected 16', OTHER),
    failed('Migration V2__add.sql failed', 'Migration V2__add.sql', PLAIN),
    failed('migration 0003_users could not be applied', 'migration 0003_users', PLAIN),
    failed('ERROR: failed to migrate', 'failed to migrate', PLAIN),
    failed('unable to run migrations', 'unable to run migrations', PLAIN),
    failed('could not apply migration: 0003', 'migration 0003', PLAIN),
    differs('error: running migrations', 'running migrations', PLAIN),
    differs('ERROR: checksum mismatch for migration version 3', 'migration version 3 (checksum)', CHECKSUM),
    failed('Validation failed: checksum mismatch for migration version 3', 'migration version 3 (checksum)', CHECKSUM),
    differs(
      'Found non-empty schema(s) "public" but no schema history table.',
      'schema public',
      'The database has tables, and no list of migrations',
    ),
    differs(
      'liquibase: 1 changesets check sum\n          db/changelog/001.xml::1::app was: 9:a but is now: 9:b',
      'db/changelog/001.xml',
      CHECKSUM,
    ),
    differs(
      'InconsistentMigrationHistory: Migration admin.0001_initial is applied before its dependency shop.0001 on database',
      'Migration admin.0001_initial',
      OTHER,
    ),
    differs('migration 20240101 was previously applied but is missing in the resolved migrations', 'migration 20240101', CHECKSUM),
    differs('migration 20240101 was previously applied but has been modified', 'migration 20240101', CHECKSUM),
    failed(
      'Error: P3009 migrate found failed migrations; unable to migrate.\nThe `20240101_users` migration started at x failed',
      '20240101_users',
      PLAIN,
    ),
  ],
});
otherLogs(test, {
  'go-panic': ['panic: (*logrus.Entry) 0xc0001'],
  'migration-failed': ['Validate failed: Migrations have failed validation', 'failed, all later migrations cancelled'],
});

test.run();
