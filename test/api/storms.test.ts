import { get, type IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureRecord } from '../../src/contract/failure.ts';
import { type TestApp, testApp } from '../support/worlds/app.ts';
import { aFindingReport } from '../support/builders/finding.ts';
import { longOr } from '../support/runner/long.ts';
import { manyFailures, manyFindings } from '../support/database/many-rows.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';
import { until } from '../support/runner/wait.ts';

/** The number of failures to page through. There are half as many findings. */
const RECORDS = longOr(100_000, 5_000);
const [SIGNUPS, PODS, REPORTERS] = [longOr(1_000, 200), longOr(1_000, 100), 8];
const LIST = 5_000;

for (const engine of engines('storms')) {
  const test = suite(`storms on ${engine.name}`);
  let it: TestApp;
  /** How many pages of rows a list has read from the database. */
  let pagesRead = 0;
  test.before(async () => {
    it = await testApp(
      ({ failures }) => ({
        failures: {
          ...failures,
          active: {
            ...failures.active,
            page: (page) => {
              pagesRead++;
              return failures.active.page(page);
            },
          },
        },
      }),
      engine.open,
    );
  });
  test.before.each(async () => {
    for (const table of ['failures', 'incidents', 'findings'] as const) await it.store.db.deleteFrom(table).execute();
    pagesRead = 0;
  });
  test.after(() => it.close());

  const report = (name: string) => ({ pod_name: name, pod_uid: name, workload: { kind: 'Deployment', name: `d-${name}` } });
  const send = (over: object) => it.send('service', { method: 'POST', url: '/api/pods/failed', payload: aFailureReport(over) });

  test(`${PODS} new pods, each reported by ${REPORTERS} at once, are ${PODS} records, and a pod’s reporters get the same one`, async () => {
    const pods = Array.from({ length: PODS }, (_, n) => `pod-${n}`);
    const answers = await Promise.all(pods.flatMap((pod) => Array.from({ length: REPORTERS }, () => send(report(pod)))));
    assert.equal([...new Set(answers.map(({ statusCode }) => statusCode))], [200]);
    const rows = await it.store.db.selectFrom('failures').select(['id', 'pod_name', 'occurrences']).execute();
    assert.is(rows.length, PODS);
    assert.equal([...new Set(rows.map(({ occurrences }) => occurrences))], [1], 'the same occurrence counts once');
    const idOf = new Map(rows.map(({ id, pod_name }) => [pod_name, id]));
    for (const answer of answers) assert.is(answer.json().id, idOf.get(answer.json().pod_name));
    assert.is(it.messages.filter(({ type }) => type === 'pod_failure').length >= PODS, true);
  });

  /** Follows `Link` from page to page. Calls `between` after each page. */
  const pageThrough = async (first: string, between: (page: number) => Promise<unknown>): Promise<number[]> => {
    const ids: number[] = [];
    for (let url: string | undefined = first, n = 0; url !== undefined; n++) {
      const answer = await it.send('admin', { url });
      assert.is(answer.statusCode, 200);
      ids.push(...answer.json<{ id: number }[]>().map(({ id }) => id));
      await between(n);
      url = /<([^>]+)>; rel="next"/.exec(String(answer.headers['link'] ?? ''))?.[1];
    }
    return ids;
  };

  test(`paging through ${RECORDS} failures shows each exactly once while others come and repeat`, async () => {
    await manyFailures(it.store.db, RECORDS);
    const before = await it.store.db.selectFrom('failures').select('id').orderBy('id', 'desc').execute();
    const shown = await pageThrough('/api/pods/failed?limit=100', (n) =>
      Promise.all([send(report(`new-${n}`)), send({ ...report(`many-${n * 90 + 1}`), cluster: 'test', container_statuses: [] })]),
    );
    assert.equal(
      shown,
      before.map(({ id }) => id),
      'each once, the newest first',
    );
    const { count } = it.store.db.fn;
    const [{ n } = { n: 0 }] = await it.store.db.selectFrom('failures').select(count('id').as('n')).execute();
    assert.ok(Number(n) > RECORDS, 'there were others meanwhile');
  });

  test(`paging through ${RECORDS / 2} findings shows each exactly once while others come`, async () => {
    await manyFindings(it.store.db, RECORDS / 2);
    const before = await it.store.db.selectFrom('findings').select('id').orderBy('id', 'desc').execute();
    const shown = await pageThrough('/api/security/findings?limit=100', (n) =>
      it.send('service', { method: 'POST', url: '/api/security/findings', payload: aFindingReport({ resource_name: `new-${n}` }) }),
    );
    assert.equal(
      shown,
      before.map(({ id }) => id),
    );
  });

  test(`the list of all ${LIST} is complete, and a client that stops reading stops the reads from the database`, async () => {
    await manyFailures(it.store.db, LIST);
    const whole = await it.send('admin', { url: '/api/pods/failed' });
    const ids = whole.json<FailureRecord[]>().map(({ id }) => id);
    assert.is(new Set(ids).size, LIST);
    const pagesOfAll = pagesRead;
    pagesRead = 0;
    const address = new URL('/api/pods/failed', await it.app.listen({ host: '127.0.0.1', port: 0 }));
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      get(address, { headers: { cookie: it.cookie('admin') } }, resolve).on('error', reject),
    );
    // The client does not read. When the socket buffers are full, the server must stop reading from the database.
    answer.pause();
    let seen = -1;
    await until(() => seen === (seen = pagesRead), { everyMs: 300, what: 'the reading to stop' });
    assert.ok(pagesRead < pagesOfAll, `${pagesRead} of ${pagesOfAll} pages were read for nobody`);
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += chunk;
    assert.equal(
      (JSON.parse(text) as FailureRecord[]).map(({ id }) => id),
      ids,
    );
    assert.is(pagesRead, pagesOfAll);
  });

  // This test must be the last one, because it ends all sessions.
  test(`of ${SIGNUPS} first visitors at once exactly one becomes the administrator, and the others get 409`, async () => {
    await it.store.db.deleteFrom('users').execute();
    const visitors = Array.from({ length: SIGNUPS }, (_, n) => ({ username: `visitor-${n}`, password: 'long enough' }));
    // Each visitor has a different address, because the number of attempts per address is limited.
    const answers = await Promise.all(
      visitors.map((payload, n) => it.send('nobody', { method: 'POST', url: '/api/auth/signup', payload, remoteAddress: `10.0.0.${n}` })),
    );
    const [winners, others] = [200, 409].map((status) => answers.filter(({ statusCode }) => statusCode === status));
    assert.equal([winners?.length, others?.length], [1, SIGNUPS - 1]);
    const users = await it.store.db.selectFrom('users').select(['username', 'role']).execute();
    assert.equal(users, [{ username: winners?.[0]?.json().username, role: 'admin' }]);
  });

  test.run();
}
