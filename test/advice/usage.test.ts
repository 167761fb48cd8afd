import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { usageMemory } from '../../src/advice/observed/usage.ts';
import { memoryNearLimit } from '../../src/advice/detectors/memory-near-limit.ts';
import { NOTHING_OBSERVED } from '../../src/advice/detectors/observed.ts';
import { requestsFarFromUse } from '../../src/advice/detectors/requests-far-from-use.ts';
import { type Objects, viewOf } from '../../src/advice/detectors/view.ts';

// Answers of the metrics API over several passes, and the advice about them. Expected answers were written before the code.

const T0 = Date.parse('2026-05-01T00:30:00Z');
const at = (minutes: number): Date => new Date(T0 + minutes * 60_000);
const HOUR = 60;

/** What one pod uses in one pass. Undefined: there is no sample. */
interface Reading {
  cpu?: unknown;
  memory?: unknown;
  /** The time of the sample. Absent: now. */
  timestamp?: unknown;
}
interface World {
  requests?: Record<string, string>;
  limits?: Record<string, string>;
  /** Resources of the pod itself, not of its containers. */
  pod?: Record<string, Record<string, string>>;
  startedAt?: Date;
  autoscaled?: string;
  replicas?: number;
}

const podNamed = (name: string, { requests, limits, pod, startedAt = at(-600) }: World) => ({
  metadata: { name, labels: { app: 'web' }, creationTimestamp: startedAt.toISOString() },
  spec: { containers: [{ name: 'app', image: 'web:1', resources: { requests, limits } }], ...(pod && { resources: pod }) },
  status: {
    phase: 'Running',
    containerStatuses: [
      { name: 'app', image: 'web:1', ready: true, restartCount: 0, state: { running: { startedAt: startedAt.toISOString() } } },
    ],
  },
});

const viewWith = (world: World, pods: string[]) =>
  viewOf('shop', {
    Deployment: [
      {
        metadata: { name: 'web', namespace: 'shop' },
        spec: {
          replicas: world.replicas ?? 2,
          selector: { matchLabels: { app: 'web' } },
          template: { metadata: { labels: { app: 'web' } }, spec: podNamed('', world).spec },
        },
      },
    ],
    Pod: pods.map((name) => podNamed(name, world)),
    ...(world.autoscaled && {
      HorizontalPodAutoscaler: [
        {
          metadata: { name: 'web' },
          spec: {
            scaleTargetRef: { kind: 'Deployment', name: 'web' },
            maxReplicas: 9,
            metrics: [{ type: 'Resource', resource: { name: world.autoscaled, target: { type: 'Utilization', averageUtilization: 80 } } }],
          },
        },
      ],
    }),
  } as unknown as { [K in keyof Objects]?: Objects[K][] });

/** A PodMetrics object as metrics-server writes it. */
const metricsOf = (name: string, now: Date, reading: Reading) => ({
  metadata: { name, namespace: 'shop', creationTimestamp: now.toISOString() },
  timestamp: 'timestamp' in reading ? reading.timestamp : now.toISOString(),
  window: '15.2s',
  containers: [{ name: 'app', usage: { cpu: reading.cpu ?? '1m', memory: reading.memory ?? '1Mi' } }],
});

type Pass = [minutes: number, readings: (Reading | undefined)[], world?: World];

/** The advice after these passes. Each pass has one reading for each pod. */
function said(world: World, passes: Pass[]): string[] {
  const look = usageMemory();
  let answer: string[] = [];
  for (const [minutes, readings, changed] of passes) {
    const pods = readings.map((_, n) => `web-${n}`);
    const view = viewWith({ ...world, ...changed }, pods);
    const metrics = readings.flatMap((reading, n) => (reading ? [metricsOf(pods[n]!, at(minutes), reading)] : []));
    const usage = look(view, metrics as never, at(minutes));
    const seeing = { ...view, observed: { ...NOTHING_OBSERVED, usage } };
    answer = [memoryNearLimit, requestsFarFromUse].flatMap((detector) => detector.run(seeing, at(minutes)).map(({ summary }) => summary));
  }
  return answer;
}

const hourly = (hours: number, reading: Reading): Pass[] => Array.from({ length: hours }, (_, hour) => [hour * HOUR, [reading, reading]]);

const LIMIT: World = { requests: { memory: '512Mi' }, limits: { memory: '512Mi' } };
const NEAR = (percent: number) => [`Deployment web: app (limit 512Mi) uses at least ${percent} % of its memory limit.`];
const full: Reading = { memory: '480Mi' };
const easy: Reading = { memory: '100Mi' };
const LARGE: World = { requests: { cpu: '2', memory: '4Gi' } };
const idle: Reading = { cpu: '50m', memory: '200Mi' };
const SMALL: World = { requests: { cpu: '100m', memory: '128Mi' } };
const busy: Reading = { cpu: '800m', memory: '900Mi' };
const FAR_LESS = [
  'Deployment web: app requests 2 cpu and used a quarter of it at the most and app requests 4Gi memory and used a quarter of it at the most.',
];
const FAR_MORE = [
  'Deployment web: app requests 100m cpu and uses twice as much or more on average and app requests 128Mi memory and uses twice as much or more on average.',
];

const CASES: Record<string, [World, Pass[], string[]]> = {
  'near the limit in two passes': [
    LIMIT,
    [
      [0, [full]],
      [HOUR, [full]],
    ],
    NEAR(90),
  ],
  'one of two pods': [
    LIMIT,
    [
      [0, [easy, full]],
      [HOUR, [easy, full]],
    ],
    NEAR(90),
  ],
  'exactly nine tenths': [
    LIMIT,
    [
      [0, [{ memory: '460.8Mi' }]],
      [HOUR, [{ memory: '460.8Mi' }]],
    ],
    NEAR(90),
  ],
  'a little less': [
    LIMIT,
    [
      [0, [{ memory: '460Mi' }]],
      [HOUR, [{ memory: '460Mi' }]],
    ],
    [],
  ],
  'one sample': [LIMIT, [[0, [full]]], []],
  'two samples of the same minute': [
    LIMIT,
    [
      [0, [full]],
      [1, [full]],
    ],
    [],
  ],
  'a peak that has passed': [
    LIMIT,
    [
      [0, [full]],
      [HOUR, [easy]],
    ],
    [],
  ],
  'a peak, calm, and a peak': [
    LIMIT,
    [
      [0, [full]],
      [HOUR, [easy]],
      [2 * HOUR, [full]],
    ],
    [],
  ],
  'near it, then a little below': [
    LIMIT,
    [
      [0, [full]],
      [HOUR, [full]],
      [2 * HOUR, [{ memory: '450Mi' }]],
    ],
    NEAR(85),
  ],
  'above it: the limit was lowered in place': [
    LIMIT,
    [
      [0, [{ memory: '600Mi' }]],
      [HOUR, [{ memory: '600Mi' }]],
    ],
    NEAR(100),
  ],
  'no sample in the last pass': [
    LIMIT,
    [
      [0, [full]],
      [HOUR, [full]],
      [2 * HOUR, [undefined]],
    ],
    NEAR(90),
  ],
  'no limit': [
    { requests: { memory: '512Mi' } },
    [
      [0, [full]],
      [HOUR, [full]],
    ],
    [],
  ],
  'a limit of zero': [
    { limits: { memory: '0' } },
    [
      [0, [full]],
      [HOUR, [full]],
    ],
    [],
  ],
  'an invalid limit': [
    { limits: { memory: 'lots' } },
    [
      [0, [full]],
      [HOUR, [full]],
    ],
    [],
  ],
  'a limit of the pod as a whole': [
    { pod: { limits: { memory: '512Mi' } } },
    [
      [0, [full]],
      [HOUR, [full]],
    ],
    ['Deployment web: the pod (limit 512Mi) uses at least 90 % of its memory limit.'],
  ],
  'the limit was raised between the passes': [
    LIMIT,
    [
      [0, [full]],
      [HOUR, [full], { limits: { memory: '530Mi' } }],
    ],
    [],
  ],
  'it started minutes ago': [
    { ...LIMIT, startedAt: at(HOUR - 9) },
    [
      [0, [full]],
      [HOUR, [full]],
    ],
    [],
  ],
  'quantities that are garbage': [
    LIMIT,
    [
      [0, [{ memory: 'much' }]],
      [HOUR, [{ memory: '-480Mi' }]],
    ],
    [],
  ],
  'neither a text nor a number': [
    LIMIT,
    [
      [0, [{ memory: {} }]],
      [HOUR, [{ memory: null, cpu: [] }]],
    ],
    [],
  ],
  'samples of an hour ago': [
    LIMIT,
    [
      [0, [{ ...full, timestamp: at(-60).toISOString() }]],
      [HOUR, [{ ...full, timestamp: at(0).toISOString() }]],
    ],
    [],
  ],
  'samples from the future': [
    LIMIT,
    [
      [0, [{ ...full, timestamp: at(60).toISOString() }]],
      [HOUR, [{ ...full, timestamp: at(180).toISOString() }]],
    ],
    [],
  ],
  'samples without a time': [
    LIMIT,
    [
      [0, [{ ...full, timestamp: 7 }]],
      [HOUR, [{ ...full, timestamp: 'now' }]],
    ],
    [],
  ],
  'the clock was set back between the passes': [
    LIMIT,
    [
      [HOUR, [full]],
      [0, [full]],
    ],
    [],
  ],

  'far less than requested, for a day': [LARGE, hourly(25, idle), FAR_LESS],
  'for eleven hours': [LARGE, hourly(12, idle), []],
  'for a day, in three samples': [
    LARGE,
    [
      [0, [idle]],
      [12 * HOUR, [idle]],
      [24 * HOUR, [idle]],
    ],
    [],
  ],
  'thirty samples of one hour': [LARGE, Array.from({ length: 30 }, (_, n): Pass => [n, [idle]]), []],
  'one busy hour of the day': [LARGE, [...hourly(25, idle), [25 * HOUR, [{ cpu: '1500m', memory: '3Gi' }]], [26 * HOUR, [idle]]], []],
  'one busy pod': [LARGE, hourly(25, idle).map(([minutes]): Pass => [minutes, [idle, { cpu: '1500m', memory: '3Gi' }]]), []],
  'a third of it': [LARGE, hourly(25, { cpu: '700m', memory: '1400Mi' }), []],
  'a tenth of very little': [{ requests: { cpu: '200m', memory: '128Mi' } }, hourly(25, { cpu: '5m', memory: '10Mi' }), []],
  'less, but an autoscaler uses the request': [
    { ...LARGE, autoscaled: 'cpu' },
    hourly(25, idle),
    ['Deployment web: app requests 4Gi memory and used a quarter of it at the most.'],
  ],
  'the request was changed in the day': [
    LARGE,
    [
      ...hourly(20, idle),
      ...hourly(30, idle)
        .slice(20)
        .map(([m, r]): Pass => [m, r, { requests: { cpu: '3', memory: '4Gi' } }]),
    ],
    [],
  ],
  'no requests': [{}, hourly(25, idle), []],
  'far more than requested, for a day': [SMALL, hourly(25, busy), FAR_MORE],
  'far more in one hour of the day': [SMALL, [...hourly(25, { cpu: '90m', memory: '120Mi' }), [25 * HOUR, [busy]]], []],
  'more, but not twice': [SMALL, hourly(25, { cpu: '180m', memory: '250Mi' }), []],
  'twice, but little': [SMALL, hourly(25, { cpu: '300m', memory: '300Mi' }), []],
  'scaled to zero': [{ ...SMALL, replicas: 0 }, hourly(25, busy), []],
};

const usage = suite('use of CPU and memory');
for (const [situation, [world, passes, expected]] of Object.entries(CASES))
  usage(situation, () => assert.equal(said(world, passes), expected));

usage('the advice stays the same while the use moves a little', () => {
  const told = (hours: number) => {
    const look = usageMemory();
    let last: unknown;
    for (let hour = 0; hour < hours; hour++) {
      const view = viewWith(LARGE, ['web-0']);
      const use = look(
        view,
        [metricsOf('web-0', at(hour * HOUR), { cpu: '50m', memory: `${200 + (hour % 2)}Mi` })] as never,
        at(hour * HOUR),
      );
      last = requestsFarFromUse.run({ ...view, observed: { ...NOTHING_OBSERVED, usage: use } }, at(hour * HOUR));
    }
    return JSON.stringify(last);
  };
  assert.ok(told(26).includes('at_least_hours'));
  assert.is(told(26), told(27));
});

usage('the memory is bounded, and a workload is forgotten when it is gone', () => {
  const look = usageMemory(2);
  const seen = (namespace: string, pods: string[], minutes = 0) =>
    look({ ...viewWith(LIMIT, pods), namespace }, pods.map((name) => metricsOf(name, at(minutes), full)) as never, at(minutes)).length;
  assert.equal([seen('a', ['x']), seen('b', ['x']), seen('c', ['x'])], [1, 1, 0]);
  // Namespace `a` still exists, but its workload is gone.
  look(viewOf('a', {}), [], at(1));
  assert.is(seen('c', ['x'], 2), 1);
  // No pass has looked at `b` for a day, so it is forgotten.
  assert.equal([seen('c', ['x'], 25 * HOUR), seen('d', ['x'], 25 * HOUR)], [1, 1]);
});

usage.run();
