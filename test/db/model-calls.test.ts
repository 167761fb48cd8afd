import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CallLimits, modelCallRepository } from '../../src/db/model-calls.ts';
import { engines } from '../support/database/store.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const after = (seconds: number): Date => new Date(T0.getTime() + seconds * 1000);
const MANY: CallLimits = { concurrent: 10, callsPerHour: 1_000, tokensPerHour: 1_000_000 };
const LEASE_MS = 120_000;
const SETUP = { setup: 'a', provider: 'anthropic' };

for (const engine of engines('model calls')) {
  const store = await engine.open();
  const { db } = store;
  const calls = modelCallRepository(db);
  const test = suite(`model calls on ${engine.name}`);
  test.before.each(async () => void (await db.deleteFrom('model_calls').execute()));
  test.after(() => store.close());

  const begin = (now: Date, limits = MANY, setup = SETUP) => calls.begin(setup, limits, now, LEASE_MS);
  const begun = async (now: Date): Promise<number> => {
    const call = await begin(now);
    assert.ok('id' in call, JSON.stringify(call));
    return call.id;
  };
  const end = (id: number, outcome: string, now: Date, tokens = 0) =>
    calls.end(id, { outcome, inputTokens: tokens, outputTokens: 0, retryAt: null, message: null }, now);
  const fails = async (count: number, now: Date): Promise<void> => {
    for (let index = 0; index < count; index++) await end(await begun(now), 'failed', now);
  };

  test('four failures in a row let calls through, the fifth opens the circuit breaker for a minute', async () => {
    await fails(4, T0);
    await fails(1, after(1));
    assert.equal(await begin(after(2)), { why: 'breaker', until: after(61) });
    assert.equal(await begin(after(60.999)), { why: 'breaker', until: after(61) });
  });

  test('a half-open circuit breaker lets one call through, of many that ask at once', async () => {
    await fails(5, T0);
    const asked = await Promise.all(Array.from({ length: 6 }, () => begin(after(60))));
    const [through, ...more] = asked.filter((one) => 'id' in one);
    assert.ok(through && more.length === 0, `${asked.filter((one) => 'id' in one).length} calls`);
    for (const held of asked.filter((one) => one !== through)) assert.equal(held, { why: 'breaker', until: after(120) });
    assert.equal(await begin(after(70)), { why: 'breaker', until: after(130) }, 'as long as that call is under way');
  });

  test('when that call fails, the circuit breaker is open for another minute', async () => {
    await fails(5, T0);
    await end(await begun(after(60)), 'failed', after(65));
    assert.equal(await begin(after(124)), { why: 'breaker', until: after(125) });
    await begun(after(125));
  });

  test('when that call is answered, the circuit breaker is closed', async () => {
    await fails(5, T0);
    await end(await begun(after(60)), 'answered', after(65));
    await Promise.all([begun(after(66)), begun(after(66))]);
  });

  test('a call whose process died counts as under way until its lease ends', async () => {
    await fails(5, T0);
    await begun(after(60));
    assert.ok('why' in (await begin(after(179))));
    await begun(after(180));
  });

  test('another configuration has a circuit breaker of its own', async () => {
    await fails(5, T0);
    assert.ok('id' in (await begin(after(1), MANY, { setup: 'b', provider: 'anthropic' })));
  });

  test('a provider that names an instant is asked again at that instant, and not before', async () => {
    const told = { outcome: 'failed', inputTokens: 0, outputTokens: 0, retryAt: after(30), message: null };
    await calls.end(await begun(T0), told, after(1));
    assert.equal(await begin(after(29.999)), { why: 'provider', until: after(30) });
    await begun(after(30));
  });

  for (const [what, limits, why] of [
    ['calls at once', { ...MANY, concurrent: 1 }, { why: 'concurrency', until: after(2) }],
    ['calls of an hour', { ...MANY, callsPerHour: 1 }, { why: 'calls per hour', until: after(3600) }],
  ] as const)
    test(`the limit of ${what} holds back the next one`, async () => {
      assert.ok('id' in (await begin(T0, limits)));
      assert.equal(await begin(T0, limits), why);
    });

  test('the limit of tokens of an hour holds back the next call until the first is an hour old', async () => {
    const limits = { ...MANY, tokensPerHour: 100 };
    await end(await begun(T0), 'answered', T0, 99);
    await end(await begun(after(10)), 'answered', after(10), 1);
    assert.equal(await begin(after(20), limits), { why: 'tokens per hour', until: after(3600) });
    assert.ok('id' in (await begin(after(3601), limits)));
  });

  test('what calls cost is counted by day, also those that failed or are under way', async () => {
    const nothing = { calls: 0, failed: 0, input_tokens: 0, output_tokens: 0 };
    assert.equal(await calls.cost(), { ...nothing, since: null, days: [] });
    const day = 24 * 3600;
    for (const [seconds, outcome, inputTokens, outputTokens] of [
      [0, 'answered', 1_000, 200],
      [60, 'failed', 0, 0],
      [day, 'answered', 900_000, 5],
    ] as const)
      await calls.end(await begun(after(seconds)), { outcome, inputTokens, outputTokens, retryAt: null, message: null }, after(seconds));
    await begun(after(day + 1));
    assert.equal(await calls.cost(), {
      ...{ calls: 4, failed: 1, input_tokens: 901_000, output_tokens: 205 },
      since: T0.toISOString(),
      days: [
        { day: '2026-05-01', calls: 2, failed: 1, input_tokens: 1_000, output_tokens: 200 },
        { day: '2026-05-02', calls: 2, failed: 0, input_tokens: 900_000, output_tokens: 5 },
      ],
    });
  });

  test.run();
}
