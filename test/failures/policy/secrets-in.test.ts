import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { caseOfReport } from '../../../src/diagnosis/case.ts';
import { secretsIn } from '../../../src/failures/policy/secrets-in.ts';
import { aFailureReport } from '../../support/builders/report.ts';

const SECRET = 'Tr0ub4dor-and-3';
const text = `password=${SECRET}`;
const manifest = JSON.stringify({
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'app', env: [{ name: 'DB_PASSWORD', value: SECRET }] }] },
});

const places: [where: string, over: Parameters<typeof aFailureReport>[0]][] = [
  ['its message', { failure_message: text }],
  ['its log', { logs: text }],
  ['an event', { events: [{ type: 'Warning', reason: 'Failed', message: text }] }],
  ['a status', { container_statuses: [{ name: 'app', last_state: { state: 'terminated', message: text } }] }],
  ['a label', { labels: { password: SECRET } }],
  ['its manifest', { manifest }],
];
for (const [where, over] of places)
  test(`a secret in ${where} is found`, () => assert.ok(secretsIn(caseOfReport(aFailureReport(over), undefined)).includes(SECRET)));

test('a report without secrets has none', () => assert.equal(secretsIn(caseOfReport(aFailureReport(), undefined)), []));

test.run();
