import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLUSTER_DETECTORS, DETECTORS } from '../../src/advice/detectors/list.ts';
import type { Advice, AdviceDetector } from '../../src/contract/advice.ts';
import { adviceRepository } from '../../src/db/advice.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';
import { anAdviceRow } from '../support/builders/advice.ts';
import { modelServer, SAYS } from '../support/worlds/model-server.ts';

let it: TestApp;
let explained = 0;
let model: string | undefined;
const test = suite('advice');
test.before(async () => {
  it = await testApp(({ explainAdvice }) => ({
    explainAdvice: async (one) => {
      explained++;
      return model ? { explanation: model, isFallback: false } : explainAdvice(one);
    },
  }));
});
test.before.each(async () => {
  for (const table of ['advice', 'advice_passes', 'audit'] as const) await it.store.db.deleteFrom(table).execute();
  it.messages.length = 0;
  explained = 0;
  model = undefined;
});
test.after(() => it.close());

const found = async (over = {}, namespace = 'shop', unreadable: string[] = []) => {
  const pass = { cluster: 'test', namespace, detectors: ['limit-far-above-request'], rows: [anAdviceRow(over)], unreadable };
  return (await adviceRepository(it.store.db).store(pass, it.deps.now()))[0]!;
};
const send = (who: 'read' | 'write', method: 'GET' | 'POST' | 'PUT', path: string) => it.send(who, { method, url: `/api/advice${path}` });
const list = async (query = '') => (await send('read', 'GET', `/findings${query}`)).json() as Advice[];

test('the list is a bare array of what is open, with an ETag', async () => {
  const one = await found();
  assert.equal(await list(), [one]);
  const { headers } = await send('read', 'GET', '/findings');
  const again = await it.send('read', { url: '/api/advice/findings', headers: { 'if-none-match': String(headers.etag) } });
  assert.is(again.statusCode, 304);
  await found({ evidence: { containers: ['app', 'db'] } });
  const changed = await it.send('read', { url: '/api/advice/findings', headers: { 'if-none-match': String(headers.etag) } });
  assert.is(changed.statusCode, 200);
  assert.equal([(await list('?severity=high')).length, (await list('?status=ignored')).length], [0, 0]);
});

test('ignored it leaves the list, restored it is back', async () => {
  const { id } = await found();
  assert.is((await send('write', 'PUT', `/findings/${id}/ignore`)).json().status, 'ignored');
  assert.equal([await list(), (await list('?status=ignored')).length], [[], 1]);
  assert.is((await send('write', 'PUT', `/findings/${id}/restore`)).json().status, 'open');
  assert.equal((await list()).length, 1);
  assert.equal(
    it.messages.map(({ type, data }) => [type, 'status' in data && data.status]),
    [
      ['advice_finding', 'ignored'],
      ['advice_finding', 'open'],
    ],
  );
  const audit = await it.deps.audit.list({ limit: 10 });
  assert.equal(
    audit.map(({ action, target }) => [action, target]),
    [
      ['advice.restore', 'Deployment/shop/web limit-far-above-request'],
      ['advice.ignore', 'Deployment/shop/web limit-far-above-request'],
    ],
  );
});

test('whoever ignores advice may say why, and it is told to others', async () => {
  const { id } = await found();
  const ignore = (payload?: object) =>
    it.send('write', { method: 'PUT', url: `/api/advice/findings/${id}/ignore`, ...(payload && { payload }) });
  assert.equal([(await ignore({ reason: 7 })).statusCode, (await ignore({ reason: 'x'.repeat(1025) })).statusCode], [400, 400]);
  const one = (await ignore({ reason: '  a queue needs one replica ' })).json() as Advice;
  assert.equal([one.status, one.ignored_reason, one.ignored_by], ['ignored', 'a queue needs one replica', 'the-write']);
  assert.ok(Date.parse(one.ignored_at ?? '') > 0);
  assert.equal(await list('?status=ignored'), [one]);
  const [row] = await it.deps.audit.list({ limit: 1 });
  assert.equal(row?.details, { id, reason: 'a queue needs one replica' });
  await send('write', 'PUT', `/findings/${id}/restore`);
  assert.is(((await ignore({ reason: ' ' })).json() as Advice).ignored_reason, null);
});

test('rules explain at once, or a model if one is configured; its explanation is stored', async () => {
  const { id } = await found();
  const explain = async () => (await send('write', 'POST', `/findings/${id}/explain`)).json() as Advice;
  const first = await explain();
  assert.is(first.is_fallback, true);
  assert.match(first.explanation ?? '', '### Why it matters');
  assert.is((await list())[0]?.explanation, first.explanation);
  model = 'A model says why.';
  assert.equal((({ explanation, is_fallback }) => [explanation, is_fallback])(await explain()), [model, false]);
  const asked = explained;
  assert.is((await explain()).explanation, model);
  assert.is(explained, asked, 'nobody pays twice');
});

test('a configured model explains once; when its explanation is outdated, the rules explain again', async () => {
  const fake = await modelServer(() => ({ body: SAYS.anthropic.said(JSON.stringify({ explanation: 'A model says why.' })) }));
  const { setups } = it.deps.models;
  await setups.save({ provider: 'anthropic', api_key: 'sk-test-0123456789abcdef', model: 'm', base_url: fake.url }, it.deps.now());
  try {
    const { id } = await found();
    const first = (await send('write', 'POST', `/findings/${id}/explain`)).json() as Advice;
    assert.is(first.is_fallback, false);
    assert.match(first.explanation ?? '', '### Why it matters\n\nA model says why.');
    await it.store.db.deleteFrom('model_answers').execute();
    assert.equal((await send('write', 'POST', `/findings/${id}/explain`)).json(), first);
    assert.equal([fake.asked.length, (await list())[0]], [1, first]);
    const changed = await found({ summary: 'Two containers of Deployment web without requests.' });
    assert.equal([changed.explanation, changed.is_fallback], [null, true]);
  } finally {
    await setups.remove();
    await fake.close();
  }
});

test('a reason that turns its direction, or has control characters, answers 400', async () => {
  const { id } = await found();
  const ignore = (reason: string) => it.send('write', { method: 'PUT', url: `/api/advice/findings/${id}/ignore`, payload: { reason } });
  const detail = 'reason must hold no control characters but line breaks and tabs, and none that turn its direction';
  for (const reason of ['later\0', '\u202eretal', 'a\u001b[2Jb']) {
    const answer = await ignore(reason);
    assert.equal([answer.statusCode, answer.json()], [400, { detail }]);
  }
  assert.equal((await list()).length, 1);
  assert.is((await ignore('later,\nby the team ❤️')).statusCode, 200);
});

test('missing and hidden advice answers 404; bad ids and queries 400', async () => {
  const { id } = await found({}, 'hidden');
  assert.equal(await list(), []);
  for (const [method, path] of [
    ['POST', 'explain'],
    ['PUT', 'ignore'],
    ['PUT', 'restore'],
  ] as const) {
    for (const one of [id, 999_999]) {
      const answer = await send('write', method, `/findings/${one}/${path}`);
      assert.equal([answer.statusCode, answer.json()], [404, { detail: 'Advice not found' }]);
    }
    for (const bad of ['0', '-1', '1.5', 'x', '9007199254740993'])
      assert.is((await send('write', method, `/findings/${bad}/${path}`)).statusCode, 400);
    assert.is((await send('read', method, `/findings/${id}/${path}`)).statusCode, 403);
  }
  assert.equal((await send('read', 'GET', '/findings?severity=bad')).json(), {
    detail: 'severity must be one of critical, high, medium, low, info',
  });
  assert.equal(it.messages, []);
});

test('what a Suppression hides is listed apart, and ignoring it tells nobody', async () => {
  const { id } = await found({ suppressed_by: 'quiet' });
  assert.equal([await list(), (await list('?status=suppressed')).map((one) => one.suppressed_by)], [[], ['quiet']]);
  assert.is((await send('write', 'PUT', `/findings/${id}/ignore`)).statusCode, 200);
  assert.equal(it.messages, []);
});

test('detectors say what they read, and are off without the right to read it', async () => {
  const detectors = async () => (await send('read', 'GET', '/detectors')).json() as AdviceDetector[];
  const all = await detectors();
  assert.equal([all.length, all.every(({ enabled }) => enabled)], [DETECTORS.length + CLUSTER_DETECTORS.length, true]);
  assert.equal(Object.keys(all[0]!), ['id', 'title', 'category', 'severity', 'enabled', 'requires', 'history_days']);
  await found({}, 'shop', ['HorizontalPodAutoscaler']);
  const off = (await detectors()).filter(({ enabled }) => !enabled);
  assert.ok(off.length > 0 && off.every(({ requires }) => requires.includes('HorizontalPodAutoscaler')));
});

test('cluster-scoped objects get advice, but not when only some namespaces are watched', async () => {
  const outside = await found({ detector_id: 'ca-bundle-expiring', resource_kind: 'APIService' }, 'cluster-wide');
  assert.equal(
    (await list('?namespace=cluster-wide')).map(({ id }) => id),
    [outside.id],
  );
  const narrow = await testApp(({ config }) => ({ config: { ...config, watchNamespaces: ['shop'] } }));
  try {
    const pass = { cluster: 'test', namespace: 'cluster-wide', detectors: [], rows: [anAdviceRow()], unreadable: [] };
    const [stored] = await adviceRepository(narrow.store.db).store(pass, narrow.deps.now());
    const get = async (url: string) => narrow.send('write', { url: `/api/advice${url}` });
    assert.equal((await get('/findings')).json(), []);
    const asked = ['explain', 'ignore', 'restore'].map((verb) =>
      narrow.send('write', { method: verb === 'explain' ? 'POST' : 'PUT', url: `/api/advice/findings/${stored!.id}/${verb}` }),
    );
    assert.equal(
      (await Promise.all(asked)).map(({ statusCode }) => statusCode),
      [404, 404, 404],
    );
    const off = ((await get('/detectors')).json() as AdviceDetector[]).filter(({ enabled }) => !enabled);
    assert.equal(
      off.map(({ id }) => id),
      CLUSTER_DETECTORS.map(({ id }) => id),
    );
  } finally {
    await narrow.close();
  }
});

test.run();
