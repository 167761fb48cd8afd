import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { largeReports } from '../../src/api/large-reports.ts';
import type { FailureReport } from '../../src/contract/failure.ts';
import { caseOfReport } from '../../src/diagnosis/case.ts';
import { secretsIn } from '../../src/failures/policy/secrets-in.ts';
import { reportMask } from '../../src/redact/report.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { loadManifest } from '../support/load/report.ts';
import { testApp } from '../support/worlds/app.ts';

const LINE = 'GET /orders 500 in 31 ms\n'.repeat(24_000);
const SECRET = 'password=hunter2-Xk29Lm';

const large = suite('large reports');
const reports = largeReports();
large.after(() => reports.stop());
const read = async (report: FailureReport) => {
  const answer = await reports.read(Buffer.from(JSON.stringify(report)));
  if (!('report' in answer)) throw new Error(JSON.stringify(answer));
  return answer;
};

large('the result of the thread is masked, and the diagnosis reads what was sent', async () => {
  const manifest = `${loadManifest('web-1', 'shop')}  hostname: x\n`.replace('value-of-setting-0-for-web-1', SECRET);
  const report = aFailureReport({ logs: LINE + SECRET, manifest, failure_message: `exit 1, ${SECRET}` });
  const { report: sent, read: known } = await read(report);
  const { masked, secrets } = known;
  assert.equal(sent, JSON.parse(JSON.stringify(report)));
  assert.equal(masked, reportMask()(sent));
  assert.not.match(JSON.stringify(masked), /hunter2/);
  assert.equal(known.manifest, caseOfReport(sent).manifest());
  assert.equal(secrets, secretsIn(caseOfReport(sent)));
  assert.ok(secrets.includes('hunter2-Xk29Lm'), secrets.join());
});

large('a report without a secret comes back once', async () => {
  const { report, read: known } = await read(aFailureReport({ logs: LINE }));
  assert.is(known.masked, report);
  assert.equal(known.secrets, []);
});

large('unknown fields are dropped, and so is a label that would change a prototype', async () => {
  const body = JSON.stringify({ ...aFailureReport({ labels: { app: 'web' } }), invented: 1 }).replace(
    '"app":"web"',
    '"app":"web","__proto__":"x"',
  );
  const answer = await reports.read(Buffer.from(body));
  if (!('report' in answer)) throw new Error(JSON.stringify(answer));
  assert.not.ok('invented' in answer.report);
  assert.equal(Object.entries(answer.report.labels ?? {}), [['app', 'web']]);
});

large('what is no report is told by its fields, what is no JSON as such', async () => {
  const answer = await reports.read(Buffer.from('{"namespace": 5}'));
  assert.ok('errors' in answer && answer.errors.length > 0, JSON.stringify(answer));
  assert.equal(await reports.read(Buffer.from('{')), { isBroken: true });
  const part = Buffer.from(`xx${JSON.stringify(aFailureReport())}`).subarray(2);
  assert.ok('report' in (await reports.read(part)), 'a part of a buffer');
});

large('above 64 KiB a body is read in a thread of its own, a smaller one is not', async () => {
  let threads = 0;
  const count = () => void threads++;
  process.on('worker', count);
  const it = await testApp();
  try {
    const post = (logs: string) =>
      it.send('service', { method: 'POST', url: '/api/pods/failed', payload: { pod_name: 'web-1', namespace: 'shop', logs } });
    assert.is((await post('x'.repeat(60_000))).statusCode, 200);
    assert.is(threads, 0);
    assert.is((await post('x'.repeat(70_000))).statusCode, 200);
    assert.is(threads, 1);
  } finally {
    process.off('worker', count);
    await it.close();
  }
});

large.run();
