import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createLog } from '../../src/log.ts';
import { type QuestionQueueDeps, questionQueue } from '../../src/models/queue.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const MODEL = { id: 'm', setup: { provider: 'openai' } };

/** Asks once about incident 1, whose record 10 began the task. Returns what became of the task. */
async function asked(
  outcome: object | Error,
  over: { attempts?: number; waiting?: number[]; namespace?: string; detail?: null; model?: null; task?: null } = {},
) {
  const said: unknown[][] = [];
  const note =
    (what: string, answer?: unknown) =>
    async (...given: unknown[]) => (said.push([what, ...given]), answer);
  const task = { incident_id: 1, failure_id: 10, attempts: over.attempts ?? 1 };
  const deps = {
    setups: { current: async () => (over.model === null ? undefined : MODEL) },
    work: {
      claim: note('claim', over.task === null ? undefined : task),
      unanswered: async () => over.waiting ?? [10, 11],
      drop: note('drop'),
      end: note('end'),
      postpone: note('postpone'),
    },
    failures: {
      detail: async (id: number) => (
        said.push(['detail', id]),
        over.detail === null ? undefined : { id, namespace: over.namespace ?? 'shop' }
      ),
    },
    hiddenNamespaces: ['hidden'],
    questions: { about: async () => ({ prompt: { fingerprint: 'f' } }) },
    ask: async () => {
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    delivery: { giveToIncident: note('give') },
    heldBack: (until: Date) => void said.push(['held', until]),
    ...{ holder: 'me', now: () => NOW, log: createLog({ level: 'silent' }) },
  } as unknown as QuestionQueueDeps;
  const queue = questionQueue(deps);
  const isAsked = await queue.askNext().catch((error: Error) => error.message);
  return {
    isAsked,
    said: said.filter(([what]) => what !== 'claim' && what !== 'detail'),
    claims: said.filter(([what]) => what === 'claim'),
    details: said.filter(([what]) => what === 'detail'),
    queue,
  };
}

test('an answer goes to the incident, which is then answered', async () => {
  const { isAsked, said, claims, details } = await asked({ kind: 'answered', answer: 'a' });
  assert.is(isAsked, true);
  assert.equal(claims, [['claim', { holder: 'me', now: NOW, until: later(300) }, undefined]]);
  assert.equal(details, [['detail', 10]]);
  assert.equal(said, [
    ['give', 1, 'a', MODEL],
    ['end', 1, 'me', { state: 'answered', fingerprint: 'f' }],
  ]);
});

test('the question is about the record of the task, or else about the first one that waits', async () => {
  assert.equal((await asked({ kind: 'answered', answer: 'a' }, { waiting: [12, 13] })).details, [['detail', 12]]);
  assert.equal((await asked({ kind: 'answered', answer: 'a' }, { waiting: [9, 10] })).details, [['detail', 10]]);
});

test('a record that is gone or hidden takes its incident out of the queue', async () => {
  for (const over of [{ detail: null }, { namespace: 'hidden' }] as const)
    assert.equal((await asked({ kind: 'answered', answer: 'a' }, over)).said, [['drop', 1, 'me']]);
});

test('without a model or a task nothing is asked', async () => {
  assert.is((await asked({}, { model: null })).isAsked, false);
  assert.is((await asked({}, { task: null })).isAsked, false);
});

const failed = (reason: string, retryAt?: Date) => ({ kind: 'failed', reason, message: 'no', retryAt });
const GIVEN_UP = ['end', 1, 'me', { state: 'given-up', fingerprint: null }];
const cases: [says: string, outcome: object, attempts: number, expected: unknown[][]][] = [
  [
    'a limit holds it back, which is no attempt',
    { kind: 'held', by: { until: later(60) } },
    1,
    [
      ['held', later(60)],
      ['postpone', 1, 'me', later(60), false],
    ],
  ],
  ['a failure is tried again after 15 seconds', failed('server'), 1, [['postpone', 1, 'me', later(15), true]]],
  ['then after a minute', failed('server'), 2, [['postpone', 1, 'me', later(60), true]]],
  ['then after four', failed('timeout'), 3, [['postpone', 1, 'me', later(240), true]]],
  ['when the provider asks for it, if that is later', failed('rate-limited', later(100)), 1, [['postpone', 1, 'me', later(100), true]]],
  ['and not sooner than it would', failed('rate-limited', later(1)), 1, [['postpone', 1, 'me', later(15), true]]],
  ['the fourth failure is not the last one', failed('server'), 4, [['postpone', 1, 'me', later(960), true]]],
  ['after five, it is given up', failed('server'), 5, [GIVEN_UP]],
  ['a refusal is final', failed('refused'), 1, [GIVEN_UP]],
  ['a wrong form is final', failed('malformed'), 1, [GIVEN_UP]],
];
for (const [says, outcome, attempts, expected] of cases)
  test(says, async () => assert.equal((await asked(outcome, { attempts })).said, expected));

test('an error of the database frees the incident soon', async () => {
  const { isAsked, said, queue } = await asked(new Error('away'));
  assert.equal([isAsked, said], ['away', [['postpone', 1, 'me', later(15), true]]]);
  await queue.underWay(1);
  assert.is(queue.underWay(1), undefined);
});

test('after a stop nothing is asked', async () => {
  const { queue } = await asked({ kind: 'answered', answer: 'a' });
  queue.stop();
  assert.is(await queue.askNext(), false);
});

test.run();
