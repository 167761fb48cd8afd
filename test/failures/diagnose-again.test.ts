import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureDetail, FailureRecord } from '../../src/contract/failure.ts';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { eventHub, internalBus, type ReportedLog } from '../../src/events.ts';
import { secondDiagnoses } from '../../src/failures/diagnose-again.ts';
import { renderDiagnosis } from '../../src/diagnosis/rendering/render.ts';
import { createLog } from '../../src/log.ts';
import type { Case, Surroundings } from '../../src/diagnosis/case.ts';
import type { Diagnosis } from '../../src/diagnosis/diagnose.ts';

const NOTHING: Diagnosis = {
  summary: 'something fails',
  evidence: [],
  culprit: null,
  advice: [],
  commands: [],
  corrections: [],
  noCorrection: null,
};

/** Second diagnoses over records in memory. The rules find a culprit only when they see a ConfigMap. */
function aBench(
  over: { details?: Partial<FailureDetail>[]; around?: () => Promise<Surroundings>; diagnose?: (subject: Case) => Diagnosis } = {},
) {
  const messages: SocketMessage[] = [];
  const looked: number[] = [];
  const hub = eventHub();
  hub.subscribe((message) => void messages.push(message));
  const { details = [{}], around = async () => ({ configMaps: [{ name: 'web', keys: [] }] }) } = over;
  const bus = internalBus();
  const diagnoses = secondDiagnoses({
    hub,
    bus,
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
            solution: renderDiagnosis(NOTHING),
            ...known,
          } as FailureDetail)
        );
      },
      improveFallback: async () => true,
    },
    surroundings: around,
    diagnose: over.diagnose ?? ((subject: Case) => (subject.surroundings?.configMaps ? { ...NOTHING, culprit: 'ConfigMap web' } : NOTHING)),
    log: createLog({ level: 'silent' }),
  });
  const stored = (id: number, { log = 'none', isNewSolution = true }: { log?: ReportedLog; isNewSolution?: boolean } = {}) =>
    void bus.emit('recordStored', { record: { id } as FailureRecord, log, isNewSolution });
  return { diagnoses, stored, messages, looked };
}

test('a better solution is stored and sent', async () => {
  const { diagnoses, stored, messages } = aBench();
  stored(1);
  await diagnoses.idle();
  assert.is(messages.length, 1);
  assert.is(messages[0]?.type, 'solution_updated');
  assert.match(JSON.stringify(messages[0]?.data), 'ConfigMap web');
});

test('a solution that is no better is not', async () => {
  const { diagnoses, stored, messages } = aBench({ around: async () => ({}) });
  stored(1);
  await diagnoses.idle();
  assert.equal(messages, []);
});

test('a second diagnosis replaces a better first one only when it names a culprit too', async () => {
  const first = { ...NOTHING, culprit: 'image web:1' };
  const correction = { title: 'Use web:2', changes: [], confidence: 'guess' as const, explanation: '', mirrorable: true };
  const rows: [second: Diagnosis, first: Diagnosis, taken: boolean][] = [
    [{ ...NOTHING, culprit: 'ConfigMap web' }, first, true],
    [{ ...NOTHING, corrections: [correction] }, first, false],
    [NOTHING, first, false],
    [{ ...NOTHING, corrections: [correction] }, NOTHING, true],
    [{ ...NOTHING, summary: 'else' }, NOTHING, false],
  ];
  for (const [second, before, isTaken] of rows) {
    const { diagnoses, stored, messages } = aBench({
      details: [{ solution: renderDiagnosis(before) }],
      diagnose: ({ surroundings }) => (surroundings ? second : before),
    });
    stored(1);
    await diagnoses.idle();
    assert.is(messages.length, isTaken ? 1 : 0, JSON.stringify([second, before]));
  }
});

test('a log that came late is a reason to answer anew, once', async () => {
  const { diagnoses, stored, messages, looked } = aBench({ details: [{ solution: 'made without the log' }], around: async () => ({}) });
  stored(1, { log: 'given', isNewSolution: false });
  stored(1, { log: 'due', isNewSolution: false });
  await diagnoses.idle();
  assert.equal(looked, []);
  for (const log of ['none', 'given', 'given'] as const) stored(1, { log, isNewSolution: false });
  await diagnoses.idle();
  assert.equal(looked, [1]);
  assert.equal(messages, [{ type: 'solution_updated', data: { id: 1, solution: renderDiagnosis(NOTHING) }, namespace: 'shop' }]);
});

test('records that are suppressed, solved by a model or gone are not diagnosed again', async () => {
  const { diagnoses, stored, messages, looked } = aBench({ details: [{ suppressed_by: 'quiet' }, { is_fallback: false }] });
  for (const id of [1, 2, 3]) stored(id);
  await diagnoses.idle();
  assert.equal(looked, [1, 2, 3]);
  assert.equal(messages, []);
});

test('when the cluster is away, that attempt fails, and the next one works', async () => {
  let calls = 0;
  const { diagnoses, stored, messages } = aBench({
    details: [{}, {}],
    around: async () => {
      if (calls++ === 0) throw new Error('away');
      return { configMaps: [] };
    },
  });
  stored(1);
  stored(2);
  await diagnoses.idle();
  assert.equal(
    messages.map(({ data }) => (data as { id: number }).id),
    [2],
  );
});

test('the queue is bounded, drops the oldest, and has each record once', async () => {
  const { diagnoses, stored, looked } = aBench({ details: [] });
  for (let id = 1; id <= 1500; id++) stored(id);
  stored(1500);
  await diagnoses.idle();
  assert.is(looked.length, 1000);
  assert.is(looked[0], 501);
});

test('stopped, it looks at nothing more', async () => {
  const { diagnoses, stored, looked } = aBench();
  stored(1);
  await diagnoses.stop();
  stored(2);
  await diagnoses.idle();
  assert.equal(looked, []);
});

test.run();
