import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { livenessGuard } from '../../src/kube/liveness-guard.ts';

const guard = suite('the guard of calls against a dead peer');

type Probe = (signal: AbortSignal) => Promise<unknown>;
const answers: Probe = async () => undefined;
const breaks: Probe = () => Promise.reject(new Error('reset'));
const silent: Probe = (signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('no answer')), { once: true }));

/** The results of calls that start together, and how often the peer was probed. */
async function outcomesOf(
  probe: Probe,
  calls: ((over: Promise<string>) => Promise<string>)[],
): Promise<{ ends: string[]; probes: number }> {
  let probes = 0;
  const guarded = livenessGuard({
    probe: (signal) => {
      probes += 1;
      return probe(signal);
    },
    probeMs: 60,
    silent: () => new Error('given up'),
  });
  const { promise: over, resolve: end } = Promise.withResolvers<string>();
  const deadline = setTimeout(end, 5_000, 'no end');
  const ends = await Promise.all(calls.map((call) => guarded(call(over)).catch((error: Error) => error.message)));
  clearTimeout(deadline);
  end('no end');
  return { ends, probes };
}

/** A call that takes more than half a second triggers a probe. */
const CASES: [sentence: string, probe: Probe, call: (over: Promise<string>) => Promise<string>, end: string, isQuestioned: boolean][] = [
  ['a fast call is not questioned', silent, async () => 'done', 'done', false],
  ['a fast call that fails keeps its error', silent, () => Promise.reject(new Error('refused')), 'refused', false],
  ['a slow call of a peer that answers the probe goes on', answers, () => sleep(1_200, 'done'), 'done', true],
  ['an answer that arrives during the probe counts', silent, () => sleep(530, 'done'), 'done', true],
  ['a call of a silent peer is given up', silent, (over) => over, 'given up', true],
  ['a call of a peer that breaks the probe is given up', breaks, (over) => over, 'given up', true],
];
for (const [sentence, probe, call, end, isQuestioned] of CASES)
  guard(sentence, async () => {
    const { ends, probes } = await outcomesOf(probe, [call]);
    assert.equal([ends, probes > 0], [[end], isQuestioned]);
  });

guard('a pause of our own process does not make the peer silent', async () => {
  let isPausing = true;
  const pause = (): void => {
    for (const end = performance.now() + 150; performance.now() < end;);
    if (isPausing) setImmediate(pause);
  };
  const { promise: over, resolve: end } = Promise.withResolvers<string>();
  const guarded = livenessGuard({
    probe: async (signal) => {
      setImmediate(pause);
      // Like the bytes of an answer, it needs several turns of the event loop.
      for (let turn = 0; turn < 3; turn += 1) await sleep(1, undefined, { signal });
      isPausing = false;
      end('done');
    },
    probeMs: 250,
    silent: () => new Error('given up'),
  });
  const deadline = setTimeout(end, 30_000, 'no end');
  const outcome = await guarded(over).catch((error: Error) => error.message);
  isPausing = false;
  clearTimeout(deadline);
  assert.is(outcome, 'done');
});

guard('calls at the same time share a probe', async () => {
  const { ends, probes } = await outcomesOf(silent, [(over) => over, (over) => over]);
  assert.equal([ends, probes], [['given up', 'given up'], 1]);
});

guard.run();
