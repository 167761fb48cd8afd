import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runsDailyIn } from '../../src/advice/detectors/cron-hours.ts';
import type { Detector } from '../../src/advice/detectors/detector.ts';
import { atLeast, chanceOfAtLeast, distinct, oddsOf, pastOf, shownTimes } from '../../src/advice/detectors/past.ts';
import { explanationOf } from '../../src/advice/detectors/explain.ts';
import { DETECTORS } from '../../src/advice/detectors/list.ts';
import type { CronJob } from '../../src/advice/detectors/objects.ts';
import { viewOf } from '../../src/advice/detectors/view.ts';
import type { PastFailure } from '../../src/contract/failure-history.ts';
import { aCrash, aCrashLoop, ago, aHistory, aRevision, LOOKED_AT } from '../support/builders/past-failure.ts';
import { type Random, random } from '../support/builders/random.ts';
import { cron, PAST_CASES, podsOn, server } from '../support/expected/past-failures.ts';

// What the detectors say that look back at stored failures, and similar histories that are coincidence or something else.

const detectorOf = (id: string): Detector => {
  const found = DETECTORS.find((one) => one.id === id);
  if (!found) throw new Error(`there is no detector ${id}`);
  return found;
};

const detectors = suite('detectors that look back');
for (const [id, { finds, passes }] of Object.entries(PAST_CASES)) {
  const run = (...[objects, history]: (typeof passes)[string]) => {
    return detectorOf(id).run({ ...viewOf('shop', objects), history }, LOOKED_AT);
  };
  for (const [situation, [objects, history, object, summary]] of Object.entries(finds)) {
    detectors(`${id}: ${situation}`, () => {
      const found = run(objects, history);
      assert.equal(
        found.map(({ kind, name, summary: said }) => [`${kind}/${name}`, said]),
        [[object, summary]],
      );
      const [{ evidence, change } = { evidence: {}, change: '' }] = found;
      const { title } = detectorOf(id);
      const text = explanationOf({ detector_id: id, title, summary, evidence, recommended_change: change });
      for (const part of [summary, '### Why it matters', '### What was seen', change]) assert.ok(text.includes(part), part);
      assert.equal(run(objects, undefined), [], 'without a history');
    });
  }
  for (const [situation, [objects, history]] of Object.entries(passes))
    detectors(`${id} says nothing: ${situation}`, () => assert.equal(run(objects, history), []));
}
/** What the first case of each detector shows as evidence. */
const EVIDENCE: Record<string, Record<string, unknown>> = {
  'failures-at-same-hour': {
    about_utc: '03:00',
    times: ['2026-05-25T03:02:00Z', '2026-05-26T03:10:00Z', '2026-05-27T03:04:00Z', '2026-05-28T03:08:00Z', '2026-05-29T03:01:00Z'],
    at_other_times: 0,
    by_chance: '1 in 60,000',
    reasons: ['OOMKilled'],
    nodes: ['a'],
    cron_jobs_then: [],
  },
  'restarts-growing': { container: 'app', restarts: [2, 4, 8, 16], days_each: 1, reasons: ['OOMKilled'], nodes: ['a'], last_pod: 'web-1' },
  'fails-on-one-node': {
    node: 'a',
    times: ['25T08', '25T22', '26T12', '27T02', '27T16', '28T06', '28T20', '29T10'].map((time) => `2026-05-${time}:00:00Z`),
    pods: Array.from({ length: 8 }, (_, index) => `web-${index}`),
    pods_elsewhere: 2,
    by_chance: '1 in 2,000',
    reasons: ['OOMKilled'],
  },
  'failing-since-image': {
    image: 'web:2',
    image_before: 'web:1',
    changed_at: '2026-05-27T12:00:00Z',
    first_failure: '2026-05-27T12:02:00Z',
    times: ['2026-05-27T12:02:00Z'],
    quiet_before: '8 days',
    by_chance: '1 in 5,000',
    pods: ['web-1'],
    nodes: ['a'],
    reasons: ['OOMKilled'],
  },
};
const CHANGES: Record<string, string> = {
  'failures-at-same-hour': 'Find out what happens at about 03:00 UTC: CronJobs of other namespaces',
  'restarts-growing': 'Its memory grows until it is killed, sooner each time.',
  'fails-on-one-node': 'Then delete the pods of Deployment web there, so that they start on other nodes. `kubectl describe node a`',
  'failing-since-image': 'Go back to `web:1`: `kubectl rollout undo -n shop deployment/web`, and find out what `web:2` does differently.',
};
for (const [id, { finds }] of Object.entries(PAST_CASES))
  detectors(`${id} shows what it saw, and what to do`, () => {
    const [[objects, history] = [{}, undefined]] = Object.values(finds);
    const [found] = detectorOf(id).run({ ...viewOf('shop', objects), history }, LOOKED_AT);
    assert.equal(found?.evidence, EVIDENCE[id]);
    assert.match(found?.change ?? '', CHANGES[id]!);
    assert.equal([found?.labels, found?.images], [{ app: 'web' }, ['web:2']]);
  });

detectors('chances, and how they are told', () => {
  for (const [chance, told] of [
    [1, '1 in 1'],
    [0.3, '1 in 3'],
    [0.001, '1 in 1,000'],
    [1 / 1999, '1 in 1,000'],
    [1 / 65_000, '1 in 60,000'],
    [1e-9, '1 in 1,000,000,000'],
    [1e-30, '1 in 1,000,000,000'],
    [0, '1 in 1,000,000,000'],
  ] as const)
    assert.is(oddsOf(chance), told, String(chance));
  const near = (one: number, other: number) => assert.ok(Math.abs(one - other) < 1e-12, `${one} is not ${other}`);
  near(chanceOfAtLeast(0, 5, 0.5), 1);
  near(chanceOfAtLeast(1, 2, 0.5), 0.75);
  near(chanceOfAtLeast(2, 2, 0.5), 0.25);
  near(chanceOfAtLeast(3, 4, 0.1), 4 * 0.001 * 0.9 + 0.0001);
});

detectors('failures count from the first look on; a workload must have been watched for some days', () => {
  const { servers } = viewOf('shop', { Deployment: [server()] });
  const history = (failures: PastFailure[], days: number) => aHistory(failures, { revisions: [aRevision('web:2', days, 0)] });
  const known = (failures: PastFailure[], days = 3) =>
    pastOf({ history: history(failures, days) }, servers, { days: 2, now: LOOKED_AT }).map((past) => past.failures.length);
  const since = history([], 3).revisions[0]!.since;
  assert.equal(known([aCrash(since, { last_at: since })]), [1], 'exactly at the first look');
  assert.equal(known([aCrash(new Date(since.getTime() - 2), { last_at: new Date(since.getTime() - 1) })]), []);
  assert.equal(known([aCrash(LOOKED_AT)]), [1]);
  assert.equal(known([aCrash(new Date(LOOKED_AT.getTime() + 1))]), [], 'the future');
  assert.equal([known([aCrash(LOOKED_AT)], 2), known([aCrash(LOOKED_AT)], 1.99)], [[1], []]);
});

detectors('numbers and times of sentences change seldom', () => {
  assert.equal([0, 1, 2, 3, 4, 7, 8, 1000].map(atLeast), [1, 1, 2, 2, 4, 4, 8, 512]);
  const times = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2026, 4, 1 + index, 0, 0, 0, 500)));
  assert.equal(
    [shownTimes(times).length, shownTimes(times)[0], shownTimes(times)[9]],
    [10, '2026-05-03T00:00:00Z', '2026-05-12T00:00:00Z'],
  );
  assert.equal(distinct(['b', 'a', 'b']), ['a', 'b']);
});

/** By schedule: whether it can explain failures at about 03:00 UTC. */
const SCHEDULES: Record<string, boolean> = {
  '0 3 * * *': true,
  '15 2 * * *': true,
  '30 3 * * 1-5': true,
  '5 2-4 1 * *': true,
  '0 3,15 * * *': true,
  '0 3,9,15,21 * * *': true,
  '0 3-13/5 * * *': true,
  '0 4-14/5 * * *': false,
  '0 3,9,12,15,21 * * *': false,
  '0 */6 * * *': false,
  '55 1 * * *': false,
  '31 3 * * *': false,
  '0 4 * * *': false,
  '*/5 * * * *': false,
  '0 * * * *': false,
  '@daily': false,
  '0 3 * *': false,
  'x 3 * * *': false,
  '0 99 * * *': false,
  '': false,
};
for (const [schedule, expected] of Object.entries(SCHEDULES))
  detectors(`schedule "${schedule}" ${expected ? 'is' : 'is not'} about 03:00`, () => {
    const { spec } = cron('nightly', schedule);
    assert.is(runsDailyIn({ metadata: {}, spec } as CronJob, '03:00'), expected);
    const others = [{ suspend: true }, { timeZone: 'Europe/Berlin' }].map(
      (over) => ({ metadata: {}, spec: { ...spec, ...over } }) as CronJob,
    );
    assert.not.ok(others.some((job) => runsDailyIn(job, '03:00')));
  });

detectors('a schedule just before midnight is about midnight', () => {
  const isAbout = (schedule: string) => runsDailyIn({ metadata: {}, spec: cron('late', schedule).spec } as CronJob, '00:00');
  assert.equal(['50 23 * * *', '10 0 * * *', '0 12 * * *'].map(isAbout), [true, true, false]);
});

detectors('the CronJob that runs at that hour is named', () => {
  const job = [cron('backup', '0 3 * * *'), cron('report', '0 9 * * *')];
  const [objects, history] = PAST_CASES['failures-at-same-hour']!.finds['every night at three']!;
  const [found] = detectorOf('failures-at-same-hour').run({ ...viewOf('shop', { ...objects, CronJob: job }), history }, LOOKED_AT);
  assert.equal(found?.evidence['cron_jobs_then'], ['backup']);
  assert.match(found?.change ?? '', 'CronJob backup');
});

// Failures at random: they do not depend on hour, node, image or earlier failures.
const [WORLDS, MOST_FALSE] = [4_000, 2];

/** A Deployment of up to eight pods on up to six nodes, with up to six rollouts. Its pods crash at a constant rate, sometimes in a loop. */
function worldOfChance({ next, integer, chance, pick }: Random) {
  const nodes = Array.from('abcdef').slice(0, 2 + integer(5));
  const pods = podsOn(Array.from({ length: 2 + integer(7) }, () => pick(nodes)).join(''));
  const began = Array.from({ length: 1 + integer(6) }, () => 28 * next()).toSorted((one, other) => other - one);
  const revisions = began.map((days, index) => aRevision(`web:${index}`, index === 0 ? 28 : days, began[index + 1] ?? 0));
  const failures: PastFailure[] = [];
  const perDay = 0.1 + 2 * next() ** 2;
  for (let days = 28 + Math.log(1 - next()) / perDay; days > 0; days += Math.log(1 - next()) / perDay) {
    const [at, index] = [ago(days), integer(pods.length)];
    const images = revisions.findLast(({ since }) => since <= at)?.images ?? [];
    const of = { pod: `uid-${index}`, pod_name: `web-${index}`, node: pods[index]?.spec.nodeName ?? null, images };
    failures.push(chance(0.1) ? aCrashLoop(at, Math.min(days, next()), 5, of) : aCrash(at, of));
  }
  const web = server('web', revisions.at(-1)?.images[0]);
  return { ...viewOf('shop', { Deployment: [web], Pod: pods }), history: aHistory(failures, { revisions }) };
}

detectors(`for ${WORLDS} workloads that fail at random, almost no advice is given`, () => {
  const dice = random(17);
  const said = new Map(Object.keys(PAST_CASES).map((id) => [id, 0]));
  for (let n = 0; n < WORLDS; n++) {
    const view = worldOfChance(dice);
    for (const id of said.keys()) said.set(id, (said.get(id) ?? 0) + detectorOf(id).run(view, LOOKED_AT).length);
  }
  for (const [id, count] of said) assert.ok(count <= MOST_FALSE, `${id}: ${count}`);
});

detectors.run();
