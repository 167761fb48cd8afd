import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createLog } from '../../src/log.ts';
import { type CallDeps, caller } from '../../src/models/call.ts';
import { ModelError } from '../../src/models/providers/model.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const QUESTION = { system: 's', user: 'u', schema: {}, maxTokens: 1 };

async function called(answer: unknown, leave: object = { id: 5 }) {
  const [ledger, counted]: [unknown[][], string[]] = [[], []];
  const deps = {
    calls: {
      begin: async (...given: unknown[]) => (ledger.push(given), leave),
      end: async (...given: unknown[]) => void ledger.push(given),
    },
    limits: async () => 'limits',
    count: (provider: string, outcome: string) => void counted.push(`${provider} ${outcome}`),
    ...{ now: () => NOW, log: createLog({ level: 'silent' }) },
  } as unknown as CallDeps;
  const ask = async () => {
    if (answer instanceof Error) throw answer;
    return { value: answer, inputTokens: 11, outputTokens: 7 };
  };
  const model = { id: 'm', setup: { provider: 'openai' }, client: { ask } } as never;
  const read = (value: unknown) => (value === 'right' ? { answer: value } : { wrong: 'it is odd' });
  const outcome = await caller(deps)(model, QUESTION, read as never, AbortSignal.timeout(10_000));
  return { outcome, ledger, counted };
}

test('an answer is counted with its tokens', async () => {
  const { outcome, ledger, counted } = await called('right');
  assert.equal([outcome, counted], [{ answer: 'right' }, ['openai answered']]);
  assert.equal(ledger, [
    [{ setup: 'm', provider: 'openai' }, 'limits', NOW, 130_000],
    [5, { outcome: 'answered', inputTokens: 11, outputTokens: 7, retryAt: null, message: null }, NOW],
  ]);
});

test('an answer of the wrong form is told', async () => {
  const { outcome, ledger, counted } = await called('odd');
  assert.equal([outcome, counted], [{ wrong: 'it is odd' }, ['openai malformed']]);
  const message = 'The answer has the wrong form: it is odd';
  assert.equal(ledger[1], [5, { outcome: 'malformed', inputTokens: 11, outputTokens: 7, retryAt: null, message }, NOW]);
});

test('a limit holds the question back: nothing is asked', async () => {
  const held = { why: 'calls per hour', until: NOW };
  const { outcome, ledger, counted } = await called('right', held);
  assert.equal([outcome, ledger.length, counted], [{ kind: 'held', by: held }, 1, ['openai held-back']]);
});

test('a failure has its reason, its tokens, and when to come back', async () => {
  const retryAt = new Date(NOW.getTime() + 7_000);
  const error = new ModelError('rate-limited', 'slower', { retryAfterMs: 7_000, inputTokens: 3, outputTokens: 0 } as never);
  const { outcome, ledger, counted } = await called(error);
  assert.equal([outcome, counted], [{ kind: 'failed', reason: 'rate-limited', message: 'slower', retryAt }, ['openai rate-limited']]);
  const [, end] = ledger[1] as [number, Record<string, unknown>];
  assert.equal([end['outcome'], end['retryAt'], end['message']], ['rate-limited', retryAt, 'slower']);
  const plain = await called(new ModelError('server', 'trouble'));
  assert.equal(plain.ledger[1]?.[1], { outcome: 'server', retryAt: null, message: 'trouble', inputTokens: 0, outputTokens: 0 });
});

test('a fault of our own is a question that could not be asked', async () => {
  const { outcome, counted } = await called(new TypeError('x is undefined'));
  assert.equal(
    [outcome, counted],
    [{ kind: 'failed', reason: 'bad-request', message: 'The question could not be asked', retryAt: undefined }, ['openai bad-request']],
  );
});

test.run();
