import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testConnection } from '../../src/models/connection-test.ts';
import { type ModelClient, ModelError, type Reply } from '../../src/models/providers/model.ts';

const connection = suite('test of a connection to a model');

const clientThat = (ask: () => Reply): ModelClient => ({
  request: () => ({ url: 'https://model.example', body: {} }),
  ask: async () => ask(),
});
const answers = (value: unknown) => clientThat(() => ({ value, inputTokens: 1, outputTokens: 1 }));
const fails = (error: Error) =>
  clientThat(() => {
    throw error;
  });
const OTHER_FORM = 'The model answers, but not in the form that it is asked for';

const CASES: [sentence: string, client: ModelClient, success: boolean, message: string, reason: string | null][] = [
  ['a model that answers', answers({ ok: true }), true, 'the-model answers', null],
  ['a model that answers in another form', answers({ yes: 1 }), false, OTHER_FORM, 'malformed'],
  ['a provider that refuses the key', fails(new ModelError('unauthorized', 'refused')), false, 'refused', 'unauthorized'],
  ['a question that cannot be built', fails(new TypeError('bad header')), false, 'The question could not be asked', 'bad-request'],
];
for (const [sentence, client, ...expected] of CASES)
  connection(sentence, async () => {
    const { success, message, reason, duration_ms } = await testConnection(client, 'the-model');
    assert.equal([success, message, reason], expected);
    assert.ok(Number.isInteger(duration_ms));
  });

connection.run();
