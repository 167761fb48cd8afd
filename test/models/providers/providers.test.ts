import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROVIDERS } from '../../../src/contract/model.ts';
import { httpClient } from '../../../src/http.ts';
import { CLIENTS } from '../../../src/models/providers/list.ts';
import { ModelError, type ModelSetup } from '../../../src/models/providers/model.ts';
import type { Question } from '../../../src/models/policy/question.ts';
import { ANSWER_SCHEMA } from '../../../src/models/policy/answer.ts';
import { aModelAnswer, type Answered, modelServer, type ModelServer, SAYS } from '../../support/worlds/model-server.ts';

// Variables that the libraries use by default.
for (const name of ['API_KEY', 'AUTH_TOKEN', 'BASE_URL', 'LOG'])
  process.env[`ANTHROPIC_${name}`] = 'http://127.0.0.1:1/from-the-environment';

const KEY = 'sk-test-key-0123456789';
const QUESTION: Question = { system: 'Be brief.', user: 'Why <fails> it?', schema: ANSWER_SCHEMA, maxTokens: 100 };
const http = httpClient({ timeoutMs: 300, maxBytes: 100_000 });

for (const provider of PROVIDERS) {
  const model = suite(`model ${provider}`);
  const says = SAYS[provider];
  let fake: ModelServer;
  model.before(async () => {
    fake = await modelServer(() => 'hang');
  });
  model.after(() => fake.close());
  model.before.each(() => void (fake.asked.length = 0));

  const setup = (over: Partial<ModelSetup> = {}): ModelSetup => ({ provider, model: 'the-model', apiKey: KEY, baseUrl: fake.url, ...over });
  const ask = (over: Partial<ModelSetup> = {}) => CLIENTS[provider](setup(over), http).ask(QUESTION);
  const failure = async (answered: Answered, over: Partial<ModelSetup> = {}): Promise<ModelError> => {
    fake.answer = () => answered;
    const error: unknown = await ask(over).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.instance(error, ModelError, String(error));
    const { message } = error as ModelError;
    for (const secret of [KEY, 'sk-leaked', 'fails']) assert.not.ok(message.includes(secret), message);
    return error as ModelError;
  };

  model('asks in its own way, with the key in a header and not in the address, and answers object and tokens', async () => {
    fake.answer = () => ({ body: says.said(aModelAnswer()) });
    const { value, inputTokens, outputTokens } = await ask();
    assert.equal(value, JSON.parse(aModelAnswer()));
    assert.equal([inputTokens, outputTokens], [11, 7]);
    const [asked] = fake.asked;
    assert.is(fake.asked.length, 1);
    assert.is(asked?.url, says.path);
    assert.match(String(asked?.headers[says.key]), KEY);
    for (const text of [QUESTION.system, QUESTION.user]) assert.ok(asked?.text.includes(JSON.stringify(text)));
  });

  model('what `request` shows is what is sent, to the letter', async () => {
    fake.answer = () => ({ body: says.said(aModelAnswer()) });
    await ask();
    const { url, body } = CLIENTS[provider](setup(), http).request(QUESTION);
    assert.is(url, fake.url + says.path);
    assert.equal(fake.asked[0]?.body, JSON.parse(JSON.stringify(body)));
    assert.not.match(JSON.stringify(body), KEY);
  });

  model('takes nothing from the environment', async () => {
    fake.answer = () => ({ body: says.said(aModelAnswer()) });
    await ask();
    assert.not.match(JSON.stringify(fake.asked[0]?.headers), 'from-the-environment');
  });

  model('a refusal', async () => {
    assert.is((await failure({ body: says.refuses })).reason, 'refused');
  });

  model('a wrong key', async () => {
    for (const status of [401, 403]) {
      const { reason, message } = await failure({ status, body: says.error(status) });
      assert.is(reason, 'unauthorized');
      assert.match(message, `refuses the key: ${status}`);
    }
  });

  model('a model that nobody knows', async () => {
    assert.is((await failure({ status: 404, body: says.error(404) })).reason, 'unknown-model');
    // Some providers answer with 400.
    for (const code of ['model_not_found', 'model_decommissioned', 'unknown_model'])
      assert.is((await failure({ status: 400, body: JSON.stringify({ error: { code } }) })).reason, 'unknown-model', code);
  });

  model('too many questions, and when to come back', async () => {
    const { reason, retryAfterMs } = await failure({ status: 429, headers: { 'retry-after': '7' }, body: says.error(429) });
    assert.equal([reason, retryAfterMs], ['rate-limited', 7000]);
    const later = await failure({ status: 429, headers: { 'retry-after': '999999999' }, body: '' });
    assert.is(later.retryAfterMs, 3_600_000);
    assert.is((await failure({ status: 429, headers: { 'retry-after': 'soon' }, body: '' })).retryAfterMs, undefined);
    assert.is(fake.asked.length, 3, 'and nobody asks again at once');
  });

  model('trouble of its own', async () => {
    for (const status of [500, 502, 503, 529]) assert.is((await failure({ status, body: says.error(status) })).reason, 'server');
    assert.is(fake.asked.length, 4, 'and nobody asks again at once');
  });

  model('a question that it does not take', async () => {
    assert.is((await failure({ status: 400, body: says.error(400) })).reason, 'bad-request');
    assert.match((await failure({ status: 302, headers: { location: `${fake.url}/elsewhere` }, body: '' })).message, 'redirect');
    assert.is(fake.asked.length, 2, 'the redirect is not followed');
  });

  model('no answer in time', async () => {
    const begun = performance.now();
    assert.is((await failure('hang')).reason, 'timeout');
    assert.ok(performance.now() - begun < 5_000);
  });

  model('given up by who asked', async () => {
    fake.answer = () => 'hang';
    const error = await CLIENTS[provider](setup(), httpClient({ timeoutMs: 60_000, maxBytes: 1000 }))
      .ask(QUESTION, AbortSignal.timeout(50))
      .catch((thrown: unknown) => thrown);
    assert.instance(error, ModelError);
    assert.is((error as ModelError).reason, 'timeout');
  });

  model('a broken line, and a cut answer', async () => {
    assert.ok(['unreachable', 'malformed'].includes((await failure('break')).reason));
    assert.is((await failure({ body: says.said(aModelAnswer()).slice(0, -20) })).reason, 'malformed');
    const { reason, tokens, message } = await failure({ body: says.cut });
    assert.equal([reason, tokens], ['malformed', { inputTokens: 11, outputTokens: 7 }]);
    assert.match(message, 'The answer was cut');
  });

  model('an answer of another interface', async () => {
    for (const body of ['', '[]', 'null', '{}', '"text"', '<html>', '{"choices":[]}', '{"content":"x"}', '{"candidates":null}'])
      assert.is((await failure({ body })).reason, 'malformed', body);
  });

  model('an answer without content says so, and what it cost', async () => {
    const empty = JSON.stringify({
      ...(JSON.parse(says.refuses) as object),
      stop_reason: 'end_turn',
      choices: [{ finish_reason: 'stop', message: { content: null } }],
      promptFeedback: {},
      usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7 },
    });
    const { reason, message, tokens } = await failure({ body: empty });
    assert.is(reason, 'malformed');
    assert.match(message, /^The answer (?:holds no object|is not one of this interface)$/);
    assert.equal(tokens, { inputTokens: 11, outputTokens: 7 });
  });

  model('an answer beyond all bounds', async () => {
    assert.is((await failure({ body: says.said(aModelAnswer({ explanation: 'x'.repeat(200_000) })) })).reason, 'malformed');
  });

  model('nobody there', async () => {
    const { reason, message } = await failure('hang', { baseUrl: 'http://127.0.0.1:1' });
    assert.is(reason, 'unreachable');
    assert.match(message, 'ECONNREFUSED');
  });

  model('no TLS where it is expected', async () => {
    const { reason } = await failure('hang', { baseUrl: fake.url.replace('http:', 'https:') });
    assert.is(reason, 'tls');
  });

  model('an address that may not be reached', async () => {
    const guarded = httpClient({ timeoutMs: 300, maxBytes: 1000, onlyPublicAnd: [] });
    for (const baseUrl of [fake.url, fake.url.replace('127.0.0.1', 'localhost'), 'http://169.254.169.254', 'http://[::ffff:10.0.0.1]']) {
      const error = await CLIENTS[provider](setup({ baseUrl }), guarded)
        .ask(QUESTION)
        .catch((thrown: unknown) => thrown);
      assert.is((error as ModelError).reason, 'refused-address', baseUrl);
    }
    assert.is(fake.asked.length, 0);
  });

  model.run();
}
