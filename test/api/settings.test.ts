import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { testApp, type TestApp } from '../support/worlds/app.ts';

let it: TestApp;
test.before(async () => {
  it = await testApp();
});
test.after(() => it.close());

const get = (key: string) => it.send('admin', { url: `/api/admin/settings/${key}` });
const set = (key: string, value: unknown) => it.send('admin', { method: 'POST', url: `/api/admin/settings/${key}`, payload: { value } });
const ttl = (seconds: unknown) => it.send('admin', { method: 'PUT', url: '/api/admin/settings/mirror-ttl', payload: { seconds } });

test('a setting that nobody set answers its default', async () => {
  assert.equal((await get('history_retention_minutes')).json(), { key: 'history_retention_minutes', value: '43200' });
  assert.equal((await get('ignored_retention_minutes')).json(), { key: 'ignored_retention_minutes', value: '43200' });
  assert.equal((await get('mirror-ttl')).json(), { seconds: 180 });
});

test('a setting keeps what is set, and 0 is a value', async () => {
  for (const value of ['0', '15', '43200']) {
    const answer = await set('history_retention_minutes', value);
    assert.is(answer.statusCode, 200);
    assert.equal(answer.json(), { key: 'history_retention_minutes', value });
    assert.equal((await get('history_retention_minutes')).json(), { key: 'history_retention_minutes', value });
  }
});

for (const key of ['unknown', 'constructor', '__proto__', 'MIRROR-TTL']) {
  test(`the key ${key} answers 404`, async () => {
    for (const answer of [await get(key), await set(key, '1')]) {
      assert.is(answer.statusCode, 404);
      assert.equal(answer.json(), { detail: 'Setting not found' });
    }
  });
}

for (const value of ['-1', '1.5', 'abc', '', ' 5', '1e3', '99999999999']) {
  test(`the retention ${JSON.stringify(value)} answers 400`, async () => {
    const answer = await set('ignored_retention_minutes', value);
    assert.is(answer.statusCode, 400);
    assert.equal(answer.json(), { detail: 'value must be a whole number of minutes from 0 to 52704000' });
  });
}

for (const [value, detail] of [
  [5, 'value must be string'],
  [null, 'value must be string'],
  [undefined, 'value is required'],
]) {
  test(`the value ${JSON.stringify(value)} answers 400 ${detail}`, async () => {
    const answer = await set('ignored_retention_minutes', value);
    assert.is(answer.statusCode, 400);
    assert.equal(answer.json(), { detail });
  });
}

for (const seconds of [30, 180, 3600]) {
  test(`a mirror TTL of ${seconds} s is taken, and shows everywhere`, async () => {
    assert.equal((await ttl(seconds)).json(), { seconds });
    assert.equal((await get('mirror-ttl')).json(), { seconds });
    assert.is((await it.send('read', { url: '/api/config' })).json().mirror_ttl_seconds, seconds);
  });
}

const WRONG: [unknown, string][] = [
  [29, 'seconds must be >= 30'],
  [3601, 'seconds must be <= 3600'],
  [60.5, 'seconds must be integer'],
  ['60', 'seconds must be integer'],
  [undefined, 'seconds is required'],
];
for (const [seconds, detail] of WRONG) {
  test(`a mirror TTL of ${JSON.stringify(seconds)} answers 400 ${detail}`, async () => {
    const answer = await ttl(seconds);
    assert.is(answer.statusCode, 400);
    assert.equal(answer.json(), { detail });
  });
}

test('the generic route holds the mirror TTL to the same range', async () => {
  for (const value of ['29', '3601', 'abc']) assert.is((await set('mirror-ttl', value)).statusCode, 400, value);
  assert.equal((await set('mirror-ttl', '240')).json(), { key: 'mirror-ttl', value: '240' });
  assert.equal((await get('mirror-ttl')).json(), { seconds: 240 });
});

test('the state of the application says what is built', async () => {
  await ttl(180);
  assert.equal((await it.send('read', { url: '/api/config' })).json(), {
    version: '0.0.0-test',
    cluster: 'test',
    ai_enabled: false,
    ai_provider: null,
    ai_model: null,
    mirror_ttl_seconds: 180,
    features: { mirrors: true },
  });
});

test('a changed setting is in the audit log, a refused one is not', async () => {
  await it.store.db.deleteFrom('audit').execute();
  await set('history_retention_minutes', '7');
  await set('history_retention_minutes', 'x');
  await ttl(60);
  const rows = await it.store.db.selectFrom('audit').select(['username', 'action', 'target', 'details']).orderBy('id').execute();
  assert.equal(rows, [
    { username: 'the-admin', action: 'setting.set', target: 'history_retention_minutes', details: { value: '7' } },
    { username: 'the-admin', action: 'setting.set', target: 'mirror-ttl', details: { value: '60' } },
  ]);
});

test('all settings are listed with what each may be', async () => {
  await set('model_concurrency', '7');
  const answer = await it.send('admin', { url: '/api/admin/settings' });
  const listed = answer.json() as { key: string; value: string; default: string; min: number; max: number; unit: string; about: string }[];
  assert.is(listed.length, 11);
  const { about, ...concurrency } = listed.find(({ key }) => key === 'model_concurrency')!;
  assert.equal(concurrency, { key: 'model_concurrency', value: '7', default: '4', min: 1, max: 64, unit: 'calls at once' });
  assert.match(about, /calls to the model/);
  for (const { key, value, min, max } of listed) assert.ok(Number(value) >= min && Number(value) <= max, key);
});

test.run();
