import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { generalAdvice } from '../../../src/diagnosis/rules/signatures/general-advice.ts';

const test = suite('advice for an error that only its words explain');

/** What the advice must speak of. */
const KNOWN: [advice: RegExp, ...lines: string[]][] = [
  [
    /tell the migration tool which version/,
    'error: Dirty database version 12. Fix and force version.',
    'the dirty version 5',
    'a dirty state of the schema',
  ],
  [
    /line break/,
    'net/http: invalid header field value for "Authorization"',
    'Invalid header value',
    'invalid header character in X',
    'invalid header field character in X',
  ],
  [
    /Renew the certificate/,
    'ERROR TLS certificate /etc/tls/tls.crt has expired',
    'the cert is expired',
    'tls: expired',
    'x509: not yet valid',
    'a.crt is not valid',
    'a.pem expired',
    'certificate has expired',
  ],
  [/listener/, 'ORA-12514: no service', 'TNS:no listener', 'TNS-12541'],
  [
    /versions that do not fit/,
    'pg_dump: error: aborting because of server version mismatch',
    'unsupported version',
    'unsupported server version',
    'unsupported client version',
    'unsupported protocol version 3',
    'the version is not compatible',
    'the versions are incompatible',
    'the version is too old',
    'versions are too new',
  ],
  [
    /the argument that it asks for/,
    'error: backup requires a subcommand but one was not provided',
    'error: no sub-command',
    'cp: missing file operand',
    'missing argument',
    'missing the required options',
    'missing flag',
    'missing parameter x',
    'error: requires at least 1 arg(s)',
    'accepts nothing, required exactly one argument',
    'require an argument',
    'requires a argument',
    'requires 2 arguments',
  ],
  [
    /other side closed/,
    'error: read tcp 10.0.0.4:41234->10.0.0.9:5432: connection reset by peer',
    'write: broken pipe',
    'unexpected EOF',
    'the connection closed',
    'the connection was closed',
    'upstream closed',
    'server closed the connection',
  ],
  [/license/, 'ERROR license key is not valid, shutting down', 'the licence of it'],
  [/bug/, 'Assertion failed: (size > 0), function grow, file pool.c, line 88.', 'assert in x.c failed'],
  [/CoreDNS/, '[FATAL] plugin/loop: Loop (127.0.0.1:5 -> :53) detected for zone "."'],
  [
    /setting that it asks for/,
    'fatal: no SESSION_STORE configured',
    'no plan given',
    'no plan of it provided',
    'no plan specified',
    'no plan defined',
    'no plan is set',
    'the plan is not configured',
    'not provided: plan',
    'plan not specified',
  ],
  [
    /Correct the name/,
    'fatal: there is no region EU-WEST-9',
    ...['zone', 'profile', 'environment', 'plan', 'tenant', 'locale', 'queue', 'topic', 'bucket', 'index'].map((what) => `no such ${what}`),
    ...['region', 'zone', 'profile', 'environment', 'plan', 'tenant', 'locale'].map((what) => `unknown ${what} x`),
  ],
  [/Put the file/, 'error: input file shard-2.csv not found', 'the file a is missing', 'file a does not exist'],
];

for (const [advice, ...lines] of KNOWN) for (const line of lines) test(line, () => assert.match(generalAdvice(line, true), advice));

test('other errors are left to the reader', () => {
  for (const line of [
    'fatal: tariff table is empty',
    'ERROR: could not finish the round',
    "sleep: invalid number '--verbos'",
    'the dirty plan',
    'invalid headers',
    'a version of it',
    'EOF',
    'licensed to x',
    'asserted',
    'nothing configured',
    'unknown queue',
    'profile not found',
  ])
    assert.match(
      generalAdvice(line, false),
      /^Look for what this error names: in the variables and arguments of the container, in its mounted files, or at the server that it calls\.$/,
    );
});

test('only an error with others behind it is called the first', () => {
  assert.match(generalAdvice('fatal: tariff table is empty', true), /It is the first error of the log/);
  assert.not.match(generalAdvice('fatal: tariff table is empty', false), /first error/);
});

test.run();
