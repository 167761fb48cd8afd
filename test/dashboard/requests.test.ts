import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureStatus } from '../../src/contract/failure.ts';
import type { Incident } from '../../src/contract/incident.ts';
import { assignAll, forEach, setStatus } from '../../src/dashboard/incidents/change.ts';
import { dropEarly, sendEarly } from '../../src/dashboard/live/early.ts';
import { ask, askPage, askText, Refused } from '../../src/dashboard/live/request.ts';
import { findSession } from '../../src/dashboard/shell/find-session.ts';
import { anIncident } from '../support/builders/answers.ts';

// What the dashboard sends to the API, and what it makes of the answers, without a browser.

const test = suite('requests of the dashboard');

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  /** Text is sent as it is. */
  body?: unknown;
}
interface Sent {
  line: string;
  type: string | undefined;
  accept: string | undefined;
}

const fetchAnywhere = globalThis.fetch;
let server: Server;
let base = '';
let answers: Record<string, Answer> = {};
let sent: Sent[] = [];

test.before(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const line = `${request.method} ${request.url}`;
      sent.push({ line: line + (text && ` ${text}`), type: request.headers['content-type'], accept: request.headers.accept });
      const { status = 200, headers = {}, body } = answers[line] ?? {};
      response.writeHead(status, headers);
      response.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // A browser adds the server of the page.
  globalThis.fetch = (path, init) => fetchAnywhere(base + (path as string), init);
});
test.before.each(() => {
  [answers, sent] = [{}, []];
  dropEarly();
});
test.after(() => {
  globalThis.fetch = fetchAnywhere;
  server.closeAllConnections();
  server.close();
});

const lines = (): string[] => sent.map(({ line }) => line);
const refusal = async (asked: Promise<unknown>): Promise<Refused> => {
  const error = await asked.then(
    () => assert.unreachable(),
    (refused: unknown) => refused,
  );
  assert.instance(error, Refused);
  return error as Refused;
};

test('a body is sent as JSON, and a request without one has no type', async () => {
  answers = { 'GET /a': { body: { a: 1 } } };
  assert.equal(await ask('/a'), { a: 1 });
  assert.is(await ask('/a', { method: 'PUT', body: { b: 2 } }), undefined, 'an empty answer');
  assert.equal(
    sent.map(({ line, type }) => [line, type]),
    [
      ['GET /a', undefined],
      ['PUT /a {"b":2}', 'application/json'],
    ],
  );
  assert.ok(sent.every(({ accept }) => accept === 'application/json'));
});

test('a page names the next one, or there is none', async () => {
  answers = {
    'GET /first': { headers: { link: '</last?x=1>; rel="next"' }, body: [1] },
    'GET /last?x=1': { headers: { link: '</first>; rel="prev"' }, body: [2] },
  };
  assert.equal(await askPage('/first'), { body: [1], next: '/last?x=1' });
  assert.equal(await askPage('/last?x=1'), { body: [2], next: null });
});

test('a text is taken as it is', async () => {
  answers = { 'GET /manifest': { body: 'kind: Pod\n' } };
  assert.is(await askText('/manifest'), 'kind: Pod\n');
});

for (const [sentence, answer, status, message] of [
  ['the server says why', { status: 409, body: { detail: 'not now' } }, 409, 'not now'],
  ['the server says why in no words', { status: 409, body: { detail: [1] } }, 409, 'The server answered 409'],
  ['something before the server answers', { status: 502, body: '<h1>Bad gateway</h1>' }, 502, 'The server answered 502'],
] as [string, Answer, number, string][])
  test(`a refusal: ${sentence}`, async () => {
    answers = { 'GET /a': answer };
    const refused = await refusal(ask('/a'));
    assert.equal([refused.name, refused.status, refused.message, refused.againAt], ['Refused', status, message, null]);
  });

test('a refusal tells when to ask again only if the server gave seconds', async () => {
  const before = Date.now();
  answers = {
    'GET /in': { status: 429, headers: { 'retry-after': '3600' } },
    'GET /at': { status: 429, headers: { 'retry-after': 'soon' } },
  };
  const { againAt } = await refusal(ask('/in'));
  assert.ok(againAt !== null && againAt >= before + 3_600_000);
  assert.is((await refusal(ask('/at'))).againAt, null);
});

test('no answer is a refusal without a status, and a cancelled request is none', async () => {
  const away = globalThis.fetch;
  globalThis.fetch = (_, init) => (init?.signal?.throwIfAborted(), Promise.reject(new TypeError('fetch failed')));
  try {
    const refused = await refusal(ask('/a'));
    assert.equal([refused.status, refused.message], [0, 'Podmend does not answer. Check your connection.']);
  } finally {
    globalThis.fetch = away;
  }
  const error = await ask('/a', { signal: AbortSignal.abort(new Error('cancelled')) }).catch((reason: unknown) => reason);
  assert.not.instance(error, Refused);
});

test('an answer that was requested early is used once, and only for reading', async () => {
  answers = { 'GET /a': { body: 1 }, 'GET /b': { body: 2 }, 'POST /a': { body: 3 } };
  sendEarly(['/a', '/b']);
  assert.equal([await ask('/a', { method: 'POST' }), await ask('/a'), await ask('/a')], [3, 1, 1]);
  assert.equal(lines().sort(), ['GET /a', 'GET /a', 'GET /b', 'POST /a']);
  dropEarly();
  assert.is(await ask('/b'), 2);
  assert.is(lines().filter((line) => line === 'GET /b').length, 2, 'a forgotten answer is requested again');
});

for (const [sentence, given, expected] of [
  ['nobody has an account', { 'GET /api/auth/status': { body: { setup_required: true, authenticated: false } } }, { kind: 'setup' }],
  ['nobody is logged in', { 'GET /api/auth/status': { body: { setup_required: false, authenticated: false } } }, { kind: 'anonymous' }],
  [
    'somebody is logged in',
    {
      'GET /api/auth/status': { body: { setup_required: false, authenticated: true } },
      'GET /api/auth/me': { body: { username: 'eve' } },
    },
    { kind: 'person', user: { username: 'eve' } },
  ],
  [
    'the server is away',
    { 'GET /api/auth/status': { status: 503, body: { detail: 'no database' } } },
    { kind: 'unreachable', detail: 'no database' },
  ],
] as [string, Record<string, Answer>, object][])
  test(`the session when ${sentence}`, async () => {
    answers = given;
    assert.equal(await findSession(), expected);
  });

const record = (id: number, status: FailureStatus, incident = 11) => ({ id, status, incident_id: incident });
const put = (id: number, status: FailureStatus): string => `PUT /api/pods/${id}/status {"status":"${status}"}`;

for (const [sentence, incident, wanted, back] of [
  ['an incident of one pod', { pods: 1 }, 'resolved', 'new'],
  ['an ignored record ignores the whole incident', { pods: 3, status: 'investigating' }, 'ignored', 'investigating'],
  ['an investigated record makes the incident investigated', { pods: 3 }, 'investigating', 'new'],
] as [string, Partial<Incident>, FailureStatus, FailureStatus][])
  test(`the status is set on one record: ${sentence}`, async () => {
    const { undo, ...outcome } = await setStatus([anIncident(incident)], wanted);
    assert.equal(outcome, { changed: 1, failed: 0, error: null });
    await undo();
    assert.equal(lines(), [put(101, wanted), put(101, back)]);
  });

for (const [list, path] of [
  ['active', 'failed'],
  ['ignored', 'ignored'],
  ['suppressed', 'suppressed'],
  ['resolved', 'history'],
] as const)
  test(`the status of several pods is set on every record of the incident, which are in the list ${path}`, async () => {
    const [first, second] = [`GET /api/pods/${path}?namespace=shop&limit=500`, `GET /api/pods/${path}?before=2`];
    answers = {
      [first]: { headers: { link: `<${second.slice(4)}>; rel="next"` }, body: [record(3, 'new'), record(4, 'new', 12)] },
      [second]: { body: [record(1, 'investigating')] },
    };
    const { undo, ...outcome } = await setStatus([anIncident({ pods: 2, list })], 'resolved');
    assert.equal(outcome, { changed: 1, failed: 0, error: null });
    assert.equal(lines(), [first, second, put(3, 'resolved'), put(1, 'resolved')]);
    sent = [];
    await undo();
    assert.equal(lines().sort(), [put(1, 'investigating'), put(3, 'new')]);
  });

test('incidents that the server refuses keep their status, also when the others are undone', async () => {
  answers = { 'PUT /api/pods/1/status': { status: 409, body: { detail: 'gone' } } };
  const { undo, ...outcome } = await setStatus([anIncident({ failure_id: 1 }), anIncident({ failure_id: 2 })], 'ignored');
  assert.equal([outcome.changed, outcome.failed, outcome.error?.message], [1, 1, 'gone']);
  sent = [];
  await undo();
  assert.equal(lines(), [put(2, 'new')]);
});

test('incidents are assigned, and given back to whom they had', async () => {
  const all = [anIncident({ id: 1, assignee: 'ada' }), anIncident({ id: 2 }), anIncident({ id: 3 })];
  const assign = (id: number, username: string | null): string => `PUT /api/incidents/${id}/assignee ${JSON.stringify({ username })}`;
  answers = { 'PUT /api/incidents/3/assignee': { status: 404, body: { detail: 'gone' } } };
  const { undo, ...outcome } = await assignAll(all, 'eve');
  assert.equal([outcome.changed, outcome.failed, outcome.error?.message], [2, 1, 'gone']);
  assert.equal(lines().sort(), [assign(1, 'eve'), assign(2, 'eve'), assign(3, 'eve')]);
  sent = [];
  await undo();
  assert.equal(lines().sort(), [assign(1, 'ada'), assign(2, null)]);
});

test('an undo that the server refuses says so', async () => {
  const [status, assignment] = [await setStatus([anIncident()], 'ignored'), await assignAll([anIncident()], null)];
  answers = {
    'PUT /api/pods/101/status': { status: 409, body: { detail: 'no status' } },
    'PUT /api/incidents/11/assignee': { status: 409, body: { detail: 'no assignee' } },
  };
  assert.equal([(await refusal(status.undo())).message, (await refusal(assignment.undo())).message], ['no status', 'no assignee']);
});

test('four changes run at a time, and the others wait', async () => {
  let [running, most] = [0, 0];
  const outcome = await forEach([1, 2, 3, 4, 5, 6, 7, 8, 9], async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
  });
  assert.equal([outcome, most], [{ changed: 9, failed: 0, error: null }, 4]);
});

test.run();
