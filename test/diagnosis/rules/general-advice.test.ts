import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { generalAdvice } from '../../../src/diagnosis/rules/signatures/general-advice.ts';

const test = suite('advice for an error that only its words explain');

/** What the advice must speak of. */
const KNOWN: [line: string, advice: RegExp][] = [
  ['error: Dirty database version 12. Fix and force version.', /migration/],
  ['net/http: invalid header field value for "Authorization"', /line break/],
  ['ERROR TLS certificate /etc/tls/tls.crt has expired', /Renew the certificate/],
  ['ORA-12514: TNS:listener does not currently know of service requested', /listener/],
  ['pg_dump: error: aborting because of server version mismatch', /versions that do not fit/],
  ['error: backup requires a subcommand but one was not provided', /argument/],
  ['cp: missing file operand', /argument/],
  ['error: read tcp 10.0.0.4:41234->10.0.0.9:5432: connection reset by peer', /other side closed/],
  ['ERROR license key is not valid, shutting down', /license/],
  ['Assertion failed: (size > 0), function grow, file pool.c, line 88.', /bug/],
  ['fatal: no SESSION_STORE configured', /setting that it asks for/],
  ['fatal: there is no region EU-WEST-9', /Correct the name/],
  ['error: input file shard-2.csv not found', /Put the file/],
];

for (const [line, advice] of KNOWN) test(line, () => assert.match(generalAdvice(line, true), advice));

test('other errors are left to the reader', () => {
  for (const line of ['fatal: tariff table is empty', 'ERROR: could not finish the round', "sleep: invalid number '--verbos'"])
    assert.match(
      generalAdvice(line, false),
      /^Correct what this error names, in the settings of the container or in what the program calls\.$/,
    );
});

test('only an error with others behind it is called the first', () => {
  assert.match(generalAdvice('fatal: tariff table is empty', true), /It is the first error of the log/);
  assert.not.match(generalAdvice('fatal: tariff table is empty', false), /first error/);
});

test.run();
