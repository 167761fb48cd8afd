import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ReporterDeps, reporter } from '../../src/agent/send-reports.ts';
import { type Http, HttpError } from '../../src/http.ts';
import { createLog } from '../../src/log.ts';
import { aCrash, aFailureReport } from '../support/builders/report.ts';
import { until } from '../support/runner/wait.ts';

interface Told {
  url: string;
  token: string | undefined;
  date: string | undefined;
  body: {
    pod_name?: string;
    reason?: string;
    spooled?: number;
    dropped?: number;
    observed_at?: string;
    logs?: string;
    unsettled?: { pod_uid: string }[];
  };
}

/** An operator that gives these answers in order (a status, or `away`). After the last one it answers 200. */
function operator(...answers: (number | 'away')[]) {
  const told: Told[] = [];
  const http: Http = async (url, { headers, body } = {}) => {
    const answer = answers.shift() ?? 200;
    if (answer === 'away') throw new HttpError(url, 'ECONNREFUSED', 'no answer');
    told.push({ url, token: headers?.['x-service-token'], date: headers?.['date'], body: JSON.parse(body ?? '{}') });
    return { status: answer, headers: {}, body: JSON.stringify({ unknown: ['lost', 'uid-web-1'] }) };
  };
  return { told, http, answers };
}

const T0 = new Date('2026-05-01T10:00:00Z');
const instant = (seconds: number) => new Date(T0.getTime() + seconds * 1000).toISOString();

function reporting(http: Http, more: Partial<ReporterDeps> = {}) {
  const backoff = { firstMs: 2, maxMs: 10 };
  return reporter({
    http,
    now: () => T0,
    backendUrl: 'http://operator',
    serviceToken: 'secret',
    log: createLog({ level: 'silent' }),
    backoff,
    ...more,
  });
}

const gone = { pod_uid: 'u', pod_name: 'web-1', namespace: 'shop' };
const reports = suite('reporting');

reports('sends in order, with the token', async () => {
  const { told, http } = operator();
  const out = reporting(http);
  out.report(aFailureReport());
  out.gone(gone, { reason: 'deleted', seenAt: T0 });
  await until(() => told.length === 2, { what: 'both messages' });
  assert.equal(
    told.map(({ url, token, body }) => [url, token, body.reason]),
    [
      ['http://operator/api/pods/failed', 'secret', undefined],
      ['http://operator/api/pods/dismiss-deleted', 'secret', 'deleted'],
    ],
  );
  assert.equal(out.stats(), { spooled: 0, dropped: 0 });
  await out.stop();
});

for (const trouble of ['away', 500, 503, 429, 401] as const) {
  reports(`keeps what it cannot send (${trouble}) and sends it later`, async () => {
    const { told, http } = operator(trouble, trouble, trouble);
    const out = reporting(http);
    out.report(aFailureReport());
    await until(() => told.some(({ url }) => url.endsWith('failed')) && out.stats().spooled === 0, { what: 'the report' });
    await out.stop();
  });
}

reports('drops what the operator always refuses, and goes on', async () => {
  const { told, http } = operator(400);
  const out = reporting(http);
  out.report(aFailureReport());
  out.gone(gone, { reason: 'recovered', seenAt: T0 });
  await until(() => told.length === 2, { what: 'the second message' });
  assert.is(out.stats().spooled, 0);
  await out.stop();
});

reports('drops the oldest when the spool is full, and counts them', async () => {
  const { told, http, answers } = operator('away', 'away', 'away', 'away');
  const out = reporting(http, { limits: { items: 3, bytes: 1e6 }, backoff: { firstMs: 60, maxMs: 60 } });
  for (let pod = 1; pod <= 5; pod += 1) out.report(aFailureReport({ pod_name: `web-${pod}`, pod_uid: `u${pod}` }));
  assert.equal(out.stats(), { spooled: 3, dropped: 2 });
  answers.length = 0;
  await until(() => told.length === 3, { what: 'what was kept' });
  assert.equal(
    told.map(({ body }) => body.pod_name),
    ['web-3', 'web-4', 'web-5'],
  );
  await out.stop();
});

reports('drops the oldest when the spool is too large', async () => {
  const { http } = operator(...Array.from({ length: 9 }, () => 'away' as const));
  const out = reporting(http, { limits: { items: 100, bytes: 5_000 } });
  for (let pod = 1; pod <= 5; pod += 1) out.report(aFailureReport({ pod_uid: `u${pod}`, logs: 'x'.repeat(2_000) }));
  assert.ok(out.stats().spooled <= 2);
  assert.ok(out.stats().dropped >= 3);
  await out.stop(1);
});

reports('keeps only the newest of one occurrence', async () => {
  const { http } = operator(...Array.from({ length: 9 }, () => 'away' as const));
  const out = reporting(http);
  out.report(aFailureReport({ pod_uid: 'other' }));
  for (let repeat = 0; repeat < 5; repeat += 1) out.report(aFailureReport({ container_statuses: [aCrash(1)] }));
  out.report(aFailureReport({ container_statuses: [aCrash(2)] }));
  assert.is(out.stats().spooled, 3);
  await out.stop(1);
});

reports('a newer report of one occurrence takes the place of the older one and keeps its instant', async () => {
  const { told, http, answers } = operator('away', 'away');
  const out = reporting(http, { backoff: { firstMs: 60, maxMs: 60 } });
  out.report(aFailureReport({ pod_uid: 'other', pod_name: 'other' }));
  out.report(aFailureReport({ observed_at: instant(1), logs: 'old' }));
  out.report(aFailureReport({ pod_uid: 'third', pod_name: 'third', observed_at: instant(2) }));
  out.report(aFailureReport({ observed_at: instant(3), logs: 'new' }));
  answers.length = 0;
  await until(() => out.stats().spooled === 0, { what: 'an empty spool' });
  assert.equal(
    told.map(({ body }) => [body.pod_name, body.observed_at, body.logs]),
    [
      ['other', undefined, 'panic'],
      ['web-1', instant(1), 'new'],
      ['third', instant(2), 'panic'],
    ],
  );
  assert.is(told[0]?.date, T0.toUTCString());
  await out.stop();
});

reports('failing, recovering and failing again is three messages', async () => {
  const { told, http, answers } = operator('away', 'away');
  const out = reporting(http, { backoff: { firstMs: 60, maxMs: 60 } });
  out.report(aFailureReport({ pod_uid: 'other', pod_name: 'other' }));
  out.report(aFailureReport({ observed_at: instant(1) }));
  out.gone({ pod_uid: 'uid-web-1', pod_name: 'web-1', namespace: 'shop' }, { reason: 'recovered', seenAt: new Date(instant(2)) });
  out.report(aFailureReport({ observed_at: instant(3) }));
  answers.length = 0;
  await until(() => out.stats().spooled === 0, { what: 'an empty spool' });
  assert.equal(
    told.slice(1).map(({ body }) => [body.reason, body.observed_at]),
    [
      [undefined, instant(1)],
      ['recovered', instant(2)],
      [undefined, instant(3)],
    ],
  );
  await out.stop();
});

reports('a heartbeat keeps records open whose messages wait, and returns the failures that the operator does not know', async () => {
  const { told, http } = operator('away');
  const out = reporting(http, { backoff: { firstMs: 60, maxMs: 60 } });
  out.report(aFailureReport());
  assert.equal(await out.heartbeat('node-1', { version: '1', pods: 3, failing: [] }), ['lost'], 'uid-web-1 is still to be told');
  assert.equal(
    told[0]?.body.unsettled?.map(({ pod_uid }) => pod_uid),
    ['uid-web-1'],
  );
  await out.heartbeat('node-2', { version: '1', pods: 3, failing: [] });
  assert.equal(told[1]?.body.unsettled, [], 'it is of another node');
  await out.stop();
});

reports('a heartbeat overtakes the waiting messages and says how many there are', async () => {
  const { told, http } = operator('away');
  const out = reporting(http, { backoff: { firstMs: 200, maxMs: 200 } });
  out.report(aFailureReport());
  assert.ok(await out.heartbeat('node-1', { version: '1', pods: 3, failing: [] }));
  assert.is(told[0]?.url, 'http://operator/api/agents/node-1');
  assert.is(told[0]?.body.spooled, 1);
  await out.stop();
});

reports('a lost heartbeat does no harm', async () => {
  const { http } = operator('away', 500);
  const out = reporting(http);
  assert.not(await out.heartbeat('node-1', { version: '1', pods: 3, failing: [] }));
  assert.not(await out.heartbeat('node-1', { version: '1', pods: 3, failing: [] }));
  await out.stop();
});

reports('tries once more at the end', async () => {
  const { told, http } = operator('away');
  const out = reporting(http, { backoff: { firstMs: 60_000, maxMs: 60_000 } });
  out.report(aFailureReport());
  await until(() => out.stats().spooled === 1, { what: 'the first try' });
  await out.stop();
  assert.is(told.length, 1);
});

reports('says so when the operator refuses the service token', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const { told, http } = operator(401, 401, 200);
  const out = reporting(http, { log });
  await out.heartbeat('node-1', { version: '1', pods: 0, failing: [] } as never);
  out.report(aFailureReport());
  await until(() => told.length === 3, { what: 'the message to be sent again' });
  assert.equal(
    lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
    Array(2).fill('the operator refused our SERVICE_TOKEN'),
  );
});

reports.run();
