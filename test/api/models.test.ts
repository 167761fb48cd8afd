import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { aModelAnswer, modelServer, type ModelServer, SAYS } from '../support/worlds/model-server.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';
import { testModels } from '../support/worlds/models.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { until } from '../support/runner/wait.ts';

const KEY = 'sk-ant-0123456789-abcdefgh-wxyz';
let it: TestApp;
let fake: ModelServer;
const models = suite('the model, over the API');
models.before(async () => {
  it = await testApp();
  fake = await modelServer(() => ({ body: SAYS.anthropic.said('{"ok":true}') }));
});
models.after(async () => {
  await fake.close();
  await it.close();
});
models.before.each(async () => {
  for (const table of ['model_config', 'model_calls', 'model_answers', 'model_work', 'failures', 'audit'] as const)
    await it.store.db.deleteFrom(table).execute();
  await it.deps.models.setups.remove();
  fake.asked.length = 0;
  fake.answer = () => ({ body: SAYS.anthropic.said('{"ok":true}') });
});

const good = (over: object = {}) => ({ provider: 'anthropic', api_key: KEY, model: 'claude-sonnet-4-5', base_url: fake.url, ...over });
const save = (payload: object) => it.send('admin', { method: 'POST', url: '/api/admin/llm/config', payload });
const tryIt = (payload: object) => it.send('admin', { method: 'POST', url: '/api/admin/llm/test', payload });
const status = async () => (await it.send('admin', { url: '/api/admin/llm/status' })).json();
const config = async () => (await it.send('read', { url: '/api/config' })).json();
const kept = async () => (await it.store.db.selectFrom('model_config').selectAll().executeTakeFirst())!;

const NONE = {
  configured: false,
  provider: null,
  model: null,
  base_url: null,
  api_key: null,
  source: null,
  updated_at: null,
  problem: null,
  available: false,
  held_back: null,
  held_until: null,
  calls_last_hour: 0,
  tokens_last_hour: 0,
  pending: 0,
  last_error: null,
  cost: { calls: 0, failed: 0, input_tokens: 0, output_tokens: 0, since: null, days: [] },
};

models('nobody configured any', async () => {
  assert.equal(await status(), NONE);
  const { ai_enabled, ai_provider, ai_model } = await config();
  assert.equal([ai_enabled, ai_provider, ai_model], [false, null, null]);
});

models('one is configured, shown masked, kept encrypted, and removed', async () => {
  const answer = await save(good());
  assert.is(answer.statusCode, 200, answer.body);
  const { updated_at, ...shown } = answer.json();
  assert.ok(Date.parse(updated_at) > 0);
  assert.equal(shown, {
    configured: true,
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    base_url: fake.url,
    api_key: '***wxyz',
    source: 'database',
    problem: null,
  });
  assert.is((await status()).available, true);
  const { ai_enabled, ai_provider, ai_model } = await config();
  assert.equal([ai_enabled, ai_provider, ai_model], [true, 'anthropic', 'claude-sonnet-4-5']);
  const row = JSON.stringify(await kept());
  for (const part of [KEY, KEY.slice(0, 12), KEY.slice(-8), Buffer.from(KEY).toString('base64')]) assert.not.ok(row.includes(part), row);
  const audited = JSON.stringify(await it.store.db.selectFrom('audit').selectAll().execute());
  assert.match(audited, 'model.configure');
  assert.not.match(audited, 'sk-ant');

  const removed = await it.send('admin', { method: 'DELETE', url: '/api/admin/llm/config' });
  assert.equal([removed.statusCode, removed.body], [204, '']);
  assert.equal(await status(), NONE);
  assert.is((await it.send('admin', { method: 'DELETE', url: '/api/admin/llm/config' })).statusCode, 204, 'twice is as good as once');
});

models('a masked key sent back leaves the key as it is', async () => {
  await save(good());
  for (const api_key of ['***wxyz', '***']) {
    const answer = await save(good({ api_key, model: 'another' }));
    assert.equal([answer.statusCode, answer.json().api_key, answer.json().model], [200, '***wxyz', 'another']);
    assert.is((await it.deps.models.setups.current())?.setup.apiKey, KEY);
  }
  assert.is((await tryIt(good({ api_key: '***wxyz' }))).json().success, true);
  assert.match(JSON.stringify(fake.asked[0]?.headers), KEY);
});

models('a kept key goes nowhere else', async () => {
  await save(good());
  for (const over of [{ base_url: `${fake.url}/elsewhere` }, { base_url: null }, { provider: 'gemini' }]) {
    for (const send of [save, tryIt]) {
      const answer = await send(good({ api_key: '***wxyz', ...over }));
      assert.equal(
        [answer.statusCode, answer.json().detail],
        [400, 'api_key is masked, and the kept one is for another provider or address: send the key itself'],
      );
    }
  }
  assert.is(fake.asked.length, 0);
  assert.is((await it.deps.models.setups.current())?.setup.baseUrl, fake.url);
});

const BAD: [sentence: string, body: object, detail: string][] = [
  ['nothing', {}, 'provider is required'],
  ['no such provider', { provider: 'other' }, 'provider must be one of anthropic, openai, openai-compatible, azure, gemini'],
  ['no model', { model: undefined }, 'model is required'],
  ['a blank model', { model: '  ' }, 'model must not be blank'],
  ['a model that no database holds', { model: 'm\u0000' }, 'model must be one line of printable characters'],
  ['a model of two lines', { model: 'a\nb' }, 'model must be one line of printable characters'],
  ['no key', { api_key: undefined }, 'api_key is required for anthropic'],
  ['a blank key', { api_key: '  ' }, 'api_key is required for anthropic'],
  ['a masked key, and none kept', { api_key: '***' }, 'api_key is masked, and no key is kept: send the key itself'],
  ['a key of two lines', { api_key: 'sk-1\nx: y' }, 'api_key must be printable characters without blanks'],
  ['no address where one is needed', { provider: 'azure', base_url: null }, 'base_url is required for azure'],
  ['no address of a server of one’s own', { provider: 'openai-compatible', base_url: '' }, 'base_url is required for openai-compatible'],
  ['an address that is none', { base_url: 'ollama' }, 'base_url must be an http or https address without credentials, query and fragment'],
  ['a file', { base_url: 'file:///etc/passwd' }, 'base_url must be an http or https address without credentials, query and fragment'],
  [
    'an address with a password',
    { base_url: 'https://a:b@c.example' },
    'base_url must be an http or https address without credentials, query and fragment',
  ],
  ['a number for a key', { api_key: 7 }, 'api_key must be string'],
];
for (const [sentence, over, detail] of BAD) {
  models(`${sentence} is refused: ${detail}`, async () => {
    const body = sentence === 'nothing' ? {} : good(over);
    for (const send of [save, tryIt]) {
      const answer = await send(body);
      assert.equal([answer.statusCode, answer.json()], [400, { detail }]);
    }
    assert.equal((await status()).configured, false);
  });
}

models('a key may have spaces around it, and a self-hosted server needs no key', async () => {
  assert.is((await save(good({ api_key: `  ${KEY}\n` }))).statusCode, 200);
  assert.is((await it.deps.models.setups.current())?.setup.apiKey, KEY);
  const own = await save(good({ provider: 'openai-compatible', api_key: undefined }));
  assert.equal([own.statusCode, own.json().api_key], [200, '']);
});

const TRIED: [sentence: string, answer: ModelServer['answer'], reason: string | null, message: string][] = [
  ['one that answers', () => ({ body: SAYS.anthropic.said('{"ok":true}') }), null, 'claude-sonnet-4-5 answers'],
  ['a wrong key', () => ({ status: 401, body: '{}' }), 'unauthorized', 'The provider refuses the key: 401'],
  [
    'an unknown model',
    () => ({ status: 404, body: SAYS.anthropic.error(404) }),
    'unknown-model',
    'The provider does not know the model, or the address is not its interface: 404 (not_found_error)',
  ],
  ['too many questions', () => ({ status: 429, body: '' }), 'rate-limited', 'The provider wants fewer questions: 429'],
  ['trouble', () => ({ status: 500, body: 'stack trace' }), 'server', 'The provider has trouble of its own: 500'],
  [
    'another form',
    () => ({ body: SAYS.anthropic.said('{"yes":1}') }),
    'malformed',
    'The model answers, but not in the form that it is asked for',
  ],
  ['a page', () => ({ body: '<html>' }), 'malformed', 'The answer is not one of this interface'],
  ['a refusal', () => ({ body: SAYS.anthropic.refuses }), 'refused', 'The model refuses to answer'],
];
for (const [sentence, answer, reason, message] of TRIED) {
  models(`a test of ${sentence} says so`, async () => {
    fake.answer = answer;
    const tried = await tryIt(good());
    assert.is(tried.statusCode, 200);
    const { duration_ms, ...said } = tried.json();
    assert.equal(said, { success: reason === null, reason, message });
    assert.ok(duration_ms >= 0);
    assert.is(fake.asked.length, 1);
    assert.equal(await status(), NONE, 'nothing is saved, nothing counted');
  });
}

models('a test of an address without a server, or of a forbidden address, says so', async () => {
  assert.is((await tryIt(good({ base_url: 'http://127.0.0.1:1' }))).json().reason, 'unreachable');
  assert.is((await tryIt(good({ base_url: fake.url.replace('http', 'https') }))).json().reason, 'tls');
  const guarded = (await tryIt(good({ base_url: 'http://169.254.169.254' }))).json();
  assert.is(guarded.reason, 'refused-address');
  assert.match(guarded.message, 'ALLOW_PRIVATE_ADDRESSES');
});

models('it is for administrators alone', async () => {
  for (const who of ['nobody', 'read', 'write', 'service'] as const) {
    const expected = who === 'nobody' || who === 'service' ? 401 : 403;
    const answers = [
      await it.send(who, { url: '/api/admin/llm/status' }),
      await it.send(who, { method: 'POST', url: '/api/admin/llm/config', payload: good() }),
      await it.send(who, { method: 'POST', url: '/api/admin/llm/test', payload: good() }),
      await it.send(who, { method: 'DELETE', url: '/api/admin/llm/config' }),
      await it.send(who, { url: '/api/pods/failed/1/prompt' }),
    ];
    assert.equal(
      answers.map(({ statusCode }) => statusCode),
      answers.map(() => expected),
    );
  }
  assert.is(fake.asked.length, 0);
});

models('settings in the database take precedence over the environment, until they are removed', async () => {
  const environment = { provider: 'gemini' as const, model: 'gemini-flash', apiKey: 'key-of-the-environment', baseUrl: null };
  const { setups } = testModels({ store: it.store, environment });
  const { provider, source, api_key } = await setups.record();
  assert.equal([provider, source, api_key], ['gemini', 'environment', '***ment']);
  await setups.save({ provider: 'anthropic', api_key: KEY, model: 'claude' }, new Date());
  assert.equal([(await setups.record()).provider, (await setups.record()).source], ['anthropic', 'database']);
  await setups.remove();
  assert.is((await setups.record()).source, 'environment');
  const masked = await setups.save({ provider: 'gemini', api_key: '***ment', model: 'gemini-pro' }, new Date());
  assert.equal([masked.source, (await setups.current())?.setup.apiKey], ['database', 'key-of-the-environment']);
});

models('another replica uses the change two seconds later', async () => {
  const { setups } = testModels({ store: it.store });
  assert.is(await setups.current(), undefined);
  await save(good());
  await until(() => setups.current(), { everyMs: 50, what: 'the other replica to know' });
});

models('a key that was sealed with an old ENCRYPTION_KEY is read, and sealed anew; without that one it is said to be lost', async () => {
  const old = testModels({ store: it.store, encryptionKeys: ['the-old-key-of-the-tests'] });
  await old.setups.save({ provider: 'anthropic', api_key: KEY, model: 'claude' }, new Date());
  const lost = await testModels({ store: it.store, encryptionKeys: ['the-new-key-of-the-tests'] }).setups.record();
  assert.equal([lost.configured, lost.provider, lost.api_key], [false, 'anthropic', null]);
  assert.match(lost.problem ?? '', 'ENCRYPTION_KEY');
  const rotating = testModels({ store: it.store, encryptionKeys: ['the-new-key-of-the-tests', 'the-old-key-of-the-tests'] });
  assert.is((await rotating.setups.current())?.setup.apiKey, KEY);
  const after = testModels({ store: it.store, encryptionKeys: ['the-new-key-of-the-tests'] });
  assert.is((await after.setups.current())?.setup.apiKey, KEY);
});

models('a report, a retry, the prompt and the metrics, from end to end', async () => {
  await save(good());
  fake.answer = () => ({ body: SAYS.anthropic.said(aModelAnswer()) });
  const reported = await it.send('service', { method: 'POST', url: '/api/pods/failed', payload: aFailureReport() });
  assert.is(reported.statusCode, 200);
  const { id, solution, is_fallback } = reported.json();
  assert.is(is_fallback, false);
  assert.match(solution, 'The model says why.');

  const shown = await it.send('admin', { url: `/api/pods/failed/${id}/prompt` });
  assert.is(shown.statusCode, 200, shown.body);
  assert.equal(shown.json().body, fake.asked[0]?.body);
  assert.not.match(shown.body, 'sk-ant');
  assert.is((await it.send('admin', { url: '/api/pods/failed/999999/prompt' })).statusCode, 404);

  fake.answer = () => ({ body: SAYS.anthropic.said(aModelAnswer({ explanation: 'Better so.' })) });
  it.messages.length = 0;
  const again = await it.send('write', { method: 'POST', url: `/api/pods/failed/${id}/retry-solution` });
  assert.match(again.json().solution, 'Better so.');
  assert.equal(
    it.messages.map(({ type, data }) => [type, (data as { solution: string }).solution]),
    [['solution_updated', again.json().solution]],
  );
  assert.match(
    (await it.send('nobody', { url: '/metrics' })).body,
    /^podmend_model_calls_total\{provider="anthropic",outcome="answered"\} 2$/m,
  );
});

models.run();
