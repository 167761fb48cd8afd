import type { FailureHistory, PastFailure } from '../../../src/contract/failure-history.ts';
import type { Objects } from '../../../src/advice/detectors/view.ts';
import { aCrash, aCrashLoop, ago, aHistory, aRevision } from '../builders/past-failure.ts';

// What the detectors that look back must say. It was written before the detectors. Each time is one that Podmend stores about a failure.

type Given = { [K in keyof Objects]?: Objects[K][] };
interface Cases {
  /** A situation: its objects and history, the object of the finding, and what is said about it. */
  finds: Record<string, [objects: Given, history: FailureHistory, object: string, summary: string]>;
  /** Situations, with objects and history, in which the detectors must stay silent. */
  passes: Record<string, [objects: Given, history: FailureHistory | undefined]>;
}

type Kind = 'Deployment' | 'StatefulSet' | 'DaemonSet';
const container = (image: string) => ({ name: 'app', image });
/** A Deployment, or another object with a pod template. */
export const server = (name = 'web', image = 'web:2') => ({
  metadata: { name, namespace: 'shop' },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [container(image)] } },
  },
});
/** Pods of a server on these nodes, started `days` ago. */
export const podsOn = (nodes: string, { name = 'web', days = 20 } = {}): Objects['Pod'][] =>
  Array.from(nodes, (nodeName, index) => ({
    metadata: { name: `${name}-${index}`, namespace: 'shop', labels: { app: name }, creationTimestamp: ago(days).toISOString() },
    spec: { nodeName, containers: [container(`${name}:2`)] },
    status: { phase: 'Running', startTime: ago(days).toISOString() },
  }));
const one = (nodes = 'ab', kind: Kind = 'Deployment', image = 'web:2'): Given => ({ [kind]: [server('web', image)], Pod: podsOn(nodes) });
export const cron = (name: string, schedule: string, image = 'web:2') => ({
  metadata: { name, namespace: 'shop' },
  spec: { schedule, jobTemplate: { spec: { template: { spec: { containers: [container(image)] } } } } },
});
const scaler = {
  metadata: { name: 'scale', namespace: 'shop' },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 9 },
};
/** Crashes in May at these times: `28 03:10`. */
const inMay = (times: string[], over: Partial<PastFailure> = {}): PastFailure[] =>
  times.map((time) => aCrash(`2026-05-${time.replace(' ', 'T')}:00Z`, over));
/** `counts` has the number of crashes of each day: the oldest day first, yesterday last. They spread over the hours of their day. */
const perDay = (counts: number[], over: (index: number) => Partial<PastFailure> = () => ({})): PastFailure[] =>
  counts.flatMap((count, day) =>
    Array.from({ length: count }, (_, index) => aCrash(ago(counts.length - day - 0.5, 0.5 + (23 * index) / count), over(index))),
  );
/** Crashes of a different pod each, `hours` apart. The last one was two hours ago. */
const apart = (hours: number, count: number, over: Partial<PastFailure> = {}): PastFailure[] =>
  Array.from({ length: count }, (_, index) => {
    const pod = `uid-${index}`;
    return aCrash(ago(0, 2 + hours * (count - 1 - index)), { pod, pod_name: `web-${index}`, ...over });
  });
const NIGHTS = ['25 03:02', '26 03:10', '27 03:04', '28 03:08', '29 03:01'];
const ABOUT_THREE = 'Deployment web mostly fails about 03:00 UTC, on at least 4 days.';
const DAEMON = { kind: 'DaemonSet', pod: 'uid-1', pod_name: 'web-1' };
/** 24 Deployments of one pod on six nodes; `w0` to `w3` are on node a. */
const MANY: Given = (() => {
  const names = Array.from({ length: 24 }, (_, index) => `w${index}`);
  return {
    Deployment: names.map((name) => server(name)),
    Pod: names.flatMap((name, index) => podsOn('abcdef'[Math.floor(index / 4)] ?? '', { name })),
  };
})();
const failing = (name: string, at: Date, over: Partial<PastFailure> = {}) =>
  aCrash(at, { name, pod: `uid-${name}`, pod_name: name, ...over });
/** The history of a template whose image changed two days ago, after eight quiet days. */
const CHANGED = { revisions: [aRevision('web:1', 10, 2), aRevision('web:2', 2)] };
const LOOP = aCrashLoop(new Date(ago(2).getTime() + 120_000), 2, 60);

export const PAST_CASES: Record<string, Cases> = {
  'failures-at-same-hour': {
    finds: {
      'every night at three': [one(), aHistory(inMay(NIGHTS)), 'Deployment/web', ABOUT_THREE],
      'around midnight': [
        one(),
        aHistory(inMay(['24 23:50', '26 00:10', '26 23:55', '28 00:05', '29 00:00'])),
        'Deployment/web',
        'Deployment web mostly fails about 00:00 UTC, on at least 4 days.',
      ],
      'four Sundays': [
        one(),
        aHistory(inMay(['03 04:20', '10 04:35', '17 04:25', '24 04:31'])),
        'Deployment/web',
        'Deployment web mostly fails about 04:30 UTC, on at least 4 days.',
      ],
      'most times, not all': [
        one(),
        aHistory(inMay([...NIGHTS, '22 03:05', '23 03:00', '24 03:03', '21 17:00', '27 11:20'])),
        'Deployment/web',
        'Deployment web mostly fails about 03:00 UTC, on at least 8 days.',
      ],
      'three replicas at once, each night': [
        { ...one(), CronJob: [cron('backup', '0 3 * * *')] },
        aHistory(['uid-1', 'uid-2', 'uid-3'].flatMap((pod) => inMay(NIGHTS, { pod }))),
        'Deployment/web',
        ABOUT_THREE,
      ],
      'one record that stays open': [
        one(),
        aHistory([
          aCrash('2026-05-25T03:02:00Z', { ends: inMay(NIGHTS).map(({ first_at }) => first_at), occurrences: 5, last_at: ago(0, 8) }),
        ]),
        'Deployment/web',
        ABOUT_THREE,
      ],
    },
    passes: {
      'three nights': [one(), aHistory(inMay(NIGHTS.slice(2)))],
      'every eight hours': [one(), aHistory(apart(8, 42))],
      'every hour': [one(), aHistory(apart(1, 200))],
      'a crash loop for five days': [one(), aHistory([aCrashLoop(ago(5), 5, 5)])],
      'a crash loop of which only the last runs are known': [
        one(),
        aHistory(inMay(NIGHTS, { is_whole: false, ends: [ago(0, 1)], last_at: ago(0, 1) })),
      ],
      'five of eight times': [one(), aHistory(inMay([...NIGHTS, '21 17:00', '22 07:10', '23 21:30']))],
      'half of the times': [one(), aHistory(inMay([...NIGHTS.slice(1), '20 11:00', '21 17:00', '22 07:10', '23 21:30']))],
      'over for twelve days': [one(), aHistory(inMay(['13 03:02', '14 03:10', '15 03:04', '16 03:08', '17 03:01']))],
      'a CronJob that runs at that hour': [
        { CronJob: [cron('nightly', '0 3 * * *')] },
        aHistory(inMay(NIGHTS, { kind: 'CronJob', name: 'nightly' })),
      ],
      'many pods in one night': [one(), aHistory([...inMay(['28 03:02', '28 03:05', '28 03:20', '28 03:40', '29 03:10'])])],
      'any hour': [one(), aHistory(inMay(['23 05:00', '24 11:30', '25 18:00', '26 01:10', '27 22:00', '28 14:00']))],
      'a clock that is ahead': [one(), aHistory(inMay(['30 03:02', '31 03:10']).concat(inMay(['29 13:00', '29 14:00', '29 19:00'])))],
      'a workload that is gone': [{}, aHistory(inMay(NIGHTS))],
      'scaled to zero': [{ Deployment: [{ ...server(), spec: { ...server().spec, replicas: 0 } }] }, aHistory(inMay(NIGHTS))],
    },
  },
  'restarts-growing': {
    finds: {
      'twice as many each day': [
        one(),
        aHistory(perDay([2, 4, 8, 16])),
        'Deployment/web',
        'Container app of Deployment web restarts more and more often: at least 16 times in the last full day.',
      ],
      'slowly, over twelve days': [
        one(),
        aHistory(perDay([0, 1, 0, 1, 1, 1, 2, 3, 3, 6, 7, 7])),
        'Deployment/web',
        'Container app of Deployment web restarts more and more often: at least 16 times in the last 3 full days.',
      ],
      'slower still, over four weeks': [
        one(),
        aHistory(perDay([0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 1, 2, 1, 1, 1, 3, 2, 4, 3, 2, 3, 3]), {
          since: ago(30),
          revisions: [aRevision('web:2', 30)],
        }),
        'Deployment/web',
        'Container app of Deployment web restarts more and more often: at least 16 times in the last 7 full days.',
      ],
      'two replicas': [
        one(),
        aHistory(perDay([2, 4, 8, 16], (index) => ({ pod: `uid-${index % 2}` }))),
        'Deployment/web',
        'Container app of Deployment web restarts more and more often: at least 16 times in the last full day.',
      ],
    },
    passes: {
      steady: [one(), aHistory(perDay([6, 6, 6, 6]))],
      'growing by one, which chance does as well': [one(), aHistory(perDay([1, 2, 3, 4]))],
      falling: [one(), aHistory(perDay([16, 8, 4, 2]))],
      'up and down': [one(), aHistory(perDay([4, 2, 20, 16]))],
      'a crash loop since yesterday': [one(), aHistory([aCrashLoop(ago(1.4), 0.2, 5)])],
      'a crash loop since yesterday, after two crashes': [one(), aHistory([...perDay([0, 1, 1, 0]), aCrashLoop(ago(1.4), 0.2, 5)])],
      'more replicas, not more restarts of each': [one(), aHistory(perDay([1, 4, 8, 16], (index) => ({ pod: `uid-${index}` })))],
      'an autoscaler changes how many pods there are': [{ ...one(), HorizontalPodAutoscaler: [scaler] }, aHistory(perDay([2, 4, 8, 16]))],
      'runs before these are not known': [one(), aHistory(perDay([2, 4, 8, 16], () => ({ is_whole: false, first_at: ago(4.4) })))],
      'watched for three days': [one(), aHistory(perDay([2, 4, 8, 16]), { revisions: [aRevision('web:2', 3)] })],
      'kept for three days': [one(), aHistory(perDay([2, 4, 8, 16]), { since: ago(3) })],
      'two containers, each steady': [one(), aHistory([...perDay([3, 3, 3, 3]), ...perDay([0, 0, 6, 6], () => ({ container: 'b' }))])],
      'pulls that fail are no restarts': [one(), aHistory(perDay([2, 4, 8, 16], () => ({ family: 'image', ends: [] })))],
    },
  },
  'fails-on-one-node': {
    finds: {
      'eight times on one of three nodes': [
        one('abc'),
        aHistory(apart(14, 8)),
        'Deployment/web',
        'Deployment web has failed at least 8 times on node a, and nowhere else.',
      ],
      'five times on one of six nodes': [
        one('abcdef'),
        aHistory(apart(20, 5)),
        'Deployment/web',
        'Deployment web has failed at least 4 times on node a, and nowhere else.',
      ],
      'one pod of a DaemonSet': [
        one('abcdefghij', 'DaemonSet'),
        aHistory(apart(10, 6, DAEMON), { revisions: [aRevision('web:2', 9, 0, { kind: 'DaemonSet' })] }),
        'DaemonSet/web',
        'DaemonSet web has failed at least 4 times on node a, and nowhere else.',
      ],
      'four workloads of one node': [
        MANY,
        aHistory([failing('w0', ago(1)), failing('w1', ago(1)), failing('w2', ago(0, 5)), failing('w3', ago(0, 5))], {
          revisions: Array.from({ length: 24 }, (_, index) => aRevision('x', 9, 0, { name: `w${index}` })),
        }),
        'Node/a',
        '4 workloads of this namespace fail on node a, and nowhere else: w0, w1, w2 and w3.',
      ],
    },
    passes: {
      'there is one node': [one('aaa'), aHistory(apart(14, 8))],
      'most of its pods are there': [one('aaaab'), aHistory(apart(14, 8))],
      'elsewhere too': [one('abc'), aHistory([...apart(14, 8), aCrash(ago(3), { node: 'b' })])],
      'three times': [one('abc'), aHistory(apart(14, 3))],
      'one sick pod': [one('abc'), aHistory(apart(14, 8, { pod: 'uid-1', pod_name: 'web-1' }))],
      'the first pod of a StatefulSet': [
        one('abc', 'StatefulSet'),
        aHistory(apart(14, 8, { kind: 'StatefulSet', pod_name: 'web-0' }), {
          revisions: [aRevision('web:2', 9, 0, { kind: 'StatefulSet' })],
        }),
      ],
      'at once, when the node began anew': [one('abc'), aHistory(apart(0.01, 8))],
      'its other pods came after the failures': [
        { Deployment: [server()], Pod: [...podsOn('a'), ...podsOn('bc', { days: 0.05 })] },
        aHistory(apart(14, 8)),
      ],
      'over for more than two days': [one('abc'), aHistory(apart(14, 8).map((past) => shifted(past, 2.5)))],
      'nothing runs on that node any more': [one('bcd'), aHistory(apart(14, 8))],
      'pods without a node': [one('abc'), aHistory(apart(14, 8, { node: null }))],
      'four workloads, once': [
        MANY,
        aHistory(
          ['w0', 'w1', 'w2', 'w3'].map((name) => failing(name, ago(1))),
          { revisions: Array.from({ length: 24 }, (_, index) => aRevision('x', 9, 0, { name: `w${index}` })) },
        ),
      ],
      'four workloads, and a fifth on another node': [
        MANY,
        aHistory(
          [
            ...[failing('w0', ago(1)), failing('w1', ago(1)), failing('w2', ago(0, 5)), failing('w3', ago(0, 5))],
            failing('w9', ago(0, 9), { node: 'c' }),
          ],
          { revisions: Array.from({ length: 24 }, (_, index) => aRevision('x', 9, 0, { name: `w${index}` })) },
        ),
      ],
    },
  },
  'failing-since-image': {
    finds: {
      'a crash loop at once': [one(), aHistory([LOOP], CHANGED), 'Deployment/web', 'Deployment web fails since its image became web:2.'],
      'again and again, hours after': [
        one(),
        aHistory(
          [24, 17, 11, 3].map((hours) => aCrash(ago(0, hours))),
          { revisions: [aRevision('web:1', 15, 1.2), aRevision('web:2', 1.2)] },
        ),
        'Deployment/web',
        'Deployment web fails since its image became web:2.',
      ],
      'three pods that do not become ready': [
        one(),
        aHistory(
          ['uid-1', 'uid-2', 'uid-3'].map((pod) =>
            aCrash(new Date(ago(2).getTime() + 200_000), { pod, family: 'unready', reason: 'Unhealthy', ends: [], last_at: ago(0, 1) }),
          ),
          CHANGED,
        ),
        'Deployment/web',
        'Deployment web fails since its image became web:2.',
      ],
      'every run of a CronJob': [
        { CronJob: [cron('nightly', '0 * * * *')] },
        aHistory(apart(3, 8, { kind: 'CronJob', name: 'nightly' }), {
          revisions: [
            aRevision('web:1', 15, 1, { kind: 'CronJob', name: 'nightly' }),
            aRevision('web:2', 1, 0, { kind: 'CronJob', name: 'nightly' }),
          ],
        }),
        'CronJob/nightly',
        'CronJob nightly fails since its image became web:2.',
      ],
    },
    passes: {
      'it failed before as well': [one(), aHistory([aCrash(ago(5), { images: ['web:1'] }), LOOP], CHANGED)],
      'no image before is known': [one(), aHistory([LOOP], { revisions: [aRevision('web:2', 2)] })],
      'one crash while it started': [one(), aHistory([aCrash(new Date(ago(2).getTime() + 120_000))], CHANGED)],
      'back to the image before': [
        one('ab', 'Deployment', 'web:1'),
        aHistory([LOOP], { revisions: [...CHANGED.revisions.slice(0, 1), aRevision('web:2', 2, 1), aRevision('web:1', 1)] }),
      ],
      'days after the change': [
        one(),
        aHistory([aCrash(ago(0, 5)), aCrash(ago(0, 2))], { revisions: [aRevision('web:1', 10, 5), aRevision('web:2', 5)] }),
      ],
      'another workload failed just before': [
        { ...one(), Deployment: [server(), server('db')] },
        aHistory([LOOP, aCrash(new Date(ago(2).getTime() - 60_000), { name: 'db', pod: 'uid-9' })], CHANGED),
      ],
      'pods of the old image fail too': [one(), aHistory([LOOP, aCrash(ago(1), { images: ['web:1'] })], CHANGED)],
      'well again for four days': [
        one(),
        aHistory([aCrashLoop(new Date(ago(6).getTime() + 120_000), 1, 60)], {
          revisions: [aRevision('web:1', 20, 6), aRevision('web:2', 6)],
        }),
      ],
      'the image cannot be pulled, which it says itself': [
        one(),
        aHistory([{ ...LOOP, family: 'image', reason: 'ErrImagePull' }], CHANGED),
      ],
      'Podmend was away when it changed': [one(), aHistory([LOOP], { revisions: [aRevision('web:1', 10, 4), aRevision('web:2', 2)] })],
      'the cluster runs other images than the template names': [one(), aHistory([{ ...LOOP, images: ['proxy/web:2'] }], CHANGED)],
      'changed every few minutes': [
        one(),
        aHistory([LOOP], {
          revisions: [
            ...Array.from({ length: 19 }, (_, index) => aRevision(`web:0.${index}`, 10 - (index * 8) / 19, 10 - ((index + 1) * 8) / 19)),
            aRevision('web:2', 2),
          ],
        }),
      ],
      'quiet for two hours before': [one(), aHistory([LOOP], { revisions: [aRevision('web:1', 2.08, 2), aRevision('web:2', 2)] })],
    },
  },
};

function shifted(past: PastFailure, days: number): PastFailure {
  const earlier = (at: Date) => new Date(at.getTime() - days * 86_400_000);
  return { ...past, first_at: earlier(past.first_at), last_at: earlier(past.last_at), ends: past.ends.map(earlier) };
}
