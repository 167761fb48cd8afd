import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureDetail } from '../../src/contract/failure.ts';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { eventHub } from '../../src/events.ts';
import { LOG_DUE } from '../../src/contract/failure.ts';
import { enrichment } from '../../src/failures/enrich.ts';
import { renderSolution } from '../../src/solutions/render.ts';
import { createLog } from '../../src/log.ts';
import type { Case, Surroundings } from '../../src/solutions/case.ts';
import type { Diagnosis } from '../../src/solutions/diagnose.ts';

const NOTHING: Diagnosis = {
  summary: 'something fails',
  evidence: [],
  culprit: null,
  advice: [],
  commands: [],
  corrections: [],
  noCure: null,
};

/** An enrichment over records in memory; the rules know a culprit once they see a ConfigMap. */
function aBench(over: { details?: Partial<FailureDetail>[]; around?: () => Promise<Surroundings> } = {}) {
  const messages: SocketMessage[] = [];
  const looked: number[] = [];
  const hub = eventHub();
  hub.subscribe((message) => void messages.push(message));
  const { details = [{}], around = async () => ({ configMaps: [{ name: 'web', keys: [] }] }) } = over;
  const enrich = enrichment({
    hub,
    failures: {
      detail: async (id) => {
        looked.push(id);
        const known = details[id - 1];
        return (
          known &&
          ({
            id,
            pod_name: 'web',
            namespace: 'shop',
            suppressed_by: null,
            is_fallback: true,
            solution: renderSolution(NOTHING),
            ...known,
          } as FailureDetail)
        );
      },
      improveFallback: async () => true,
    },
    surroundings: around,
    diagnose: (subject: Case) => (subject.surroundings?.configMaps ? { ...NOTHING, culprit: 'ConfigMap web' } : NOTHING),
    log: createLog({ level: 'silent' }),
  });
  return { enrich, messages, looked };
}

test('an answer that got better is stored and told', async () => {
  const { enrich, messages } = aBench();
  enrich.offer(1);
  await enrich.idle();
  assert.is(messages.length, 1);
  assert.is(messages[0]?.type, 'solution_updated');
  assert.match(JSON.stringify(messages[0]?.data), 'ConfigMap web');
});

test('an answer that is no better is not', async () => {
  const { enrich, messages } = aBench({ around: async () => ({}) });
  enrich.offer(1);
  await enrich.idle();
  assert.equal(messages, []);
});

test('a log that came late is a reason to answer anew, once', async () => {
  const { enrich, messages, looked } = aBench({ details: [{ solution: 'made without the log' }], around: async () => ({}) });
  enrich.heard(1, 'panic: told at once');
  enrich.heard(1, `${LOG_DUE}: the container is being restarted`);
  await enrich.idle();
  assert.equal(looked, []);
  for (const logs of [null, 'panic: it came', 'panic: it came']) enrich.heard(1, logs);
  await enrich.idle();
  assert.equal(looked, [1]);
  assert.equal(messages, [{ type: 'solution_updated', data: { id: 1, solution: renderSolution(NOTHING) }, namespace: 'shop' }]);
});

test('what is hidden, answered by a model, or gone is left alone', async () => {
  const { enrich, messages, looked } = aBench({ details: [{ suppressed_by: 'quiet' }, { is_fallback: false }] });
  for (const id of [1, 2, 3]) enrich.offer(id);
  await enrich.idle();
  assert.equal(looked, [1, 2, 3]);
  assert.equal(messages, []);
});

test('a cluster that is away costs that look, not the next', async () => {
  let calls = 0;
  const { enrich, messages } = aBench({
    details: [{}, {}],
    around: async () => {
      if (calls++ === 0) throw new Error('away');
      return { configMaps: [] };
    },
  });
  enrich.offer(1);
  enrich.offer(2);
  await enrich.idle();
  assert.equal(
    messages.map(({ data }) => (data as { id: number }).id),
    [2],
  );
});

test('the queue is bounded, the oldest give way, and a record waits once', async () => {
  const { enrich, looked } = aBench({ details: [] });
  for (let id = 1; id <= 1500; id++) enrich.offer(id);
  enrich.offer(1500);
  await enrich.idle();
  assert.is(looked.length, 1000);
  assert.is(looked[0], 501);
});

test('stopped, it looks at nothing more', async () => {
  const { enrich, looked } = aBench();
  enrich.offer(1);
  await enrich.stop();
  enrich.offer(2);
  await enrich.idle();
  assert.equal(looked, []);
});

test.run();
