import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Container, PodSpec } from '../../../src/crd/kubernetes.ts';
import { playLife, ranFor, type PodLife, type LifeEvent } from '../../support/builders/pod-life.ts';

const test = suite('verdict');

const spec = (app: Partial<Container> = {}, over: Partial<PodSpec> = {}): PodSpec => ({
  nodeName: 'node-1',
  containers: [{ name: 'app', image: 'web:1', ...app }],
  ...over,
});
const start: LifeEvent = { at: 0, does: 'start' };
const ends = (second: number, code = 1, reason?: string): LifeEvent => ({ at: second, does: 'end', code, ...(reason ? { reason } : {}) });
const starts = (second: number): LifeEvent => ({ at: second, does: 'start' });
const probed = spec({ readinessProbe: { periodSeconds: 5, failureThreshold: 2 } });
const neverRan = { containers: [{ name: 'app', hasRun: false }], knownRuns: 0, endedRuns: 0, longestRunSeconds: 0 };
const job = spec({}, { restartPolicy: 'Never' });
const retried = spec({}, { restartPolicy: 'OnFailure' });
const limited = (memory: string): PodSpec => spec({ resources: { limits: { memory } } });
const MI = 2 ** 20;
const oom = { ...ranFor(5), containers: [{ name: 'app', hasRun: true, longestToMemoryKillSeconds: 5, memoryLimit: 32 * MI }] };
const flapping = (readyFor: number, everySeconds: number, times: number): LifeEvent[] => [
  start,
  ...Array.from({ length: times }, (_, i): LifeEvent[] => [
    { at: i * everySeconds + 1, does: 'ready' },
    { at: i * everySeconds + 1 + readyFor, does: 'unready' },
  ]).flat(),
];
const inited = (over: Partial<PodSpec> = {}): PodSpec => spec({}, { initContainers: [{ name: 'migrate', image: 'web:1' }], ...over });
const sidecar = spec({}, { initContainers: [{ name: 'proxy', image: 'web:1', restartPolicy: 'Always' }] });
const both = ranFor(1, ['app', 'proxy']);
const pullFails = (second: number, message: string): LifeEvent => ({ at: second, does: 'pull-fails', message });
const SILENT = 'failed to do request: Head "https://registry.example/v2/": dial tcp 10.0.0.1:443: i/o timeout';

/** The verdicts in order, as `<second> <verdict>/<reason>`. */
const CASES: [what: string, life: PodLife, verdicts: string[]][] = [
  // Fixed
  ['Ready for the least window', { scenes: [start] }, ['30 Fixed/PodReady']],
  ['a source that never ran asks for 60 s', { scenes: [start], history: neverRan }, ['60 Fixed/PodReady']],
  ['1.2 times the longest run of the source', { scenes: [start], history: ranFor(60) }, ['72 Fixed/PodReady']],
  [
    'Ready only after 70 s, which the clock alone does not hold against it',
    { spec: probed, scenes: [start, { at: 70, does: 'ready' }], ttlSeconds: 300 },
    ['100 Fixed/PodReady'],
  ],
  ['one end restarts the window', { scenes: [start, ends(10), starts(11)] }, ['41 Fixed/PodReady']],
  ['its run counts among the runs', { scenes: [start, ends(50, 1), starts(51)], history: ranFor(60) }, ['123 Fixed/PodReady']],
  [
    'a job-like mirror that ended with 0',
    { spec: job, scenes: [start, ends(20, 0), { at: 20, does: 'succeed' }] },
    ['20 Fixed/PodCompleted'],
  ],
  [
    'a job-like mirror that ended with 0 the second time',
    { spec: retried, scenes: [start, ends(5), starts(15), ends(25, 0), { at: 25, does: 'succeed' }] },
    ['25 Fixed/PodCompleted'],
  ],
  [
    'a job-like mirror with probes that still runs at its end',
    { spec: { ...probed, restartPolicy: 'Never' }, scenes: [start, { at: 5, does: 'ready' }] },
    ['180 Fixed/PodReady'],
  ],
  [
    'a slow init container',
    {
      spec: inited(),
      scenes: [{ at: 0, container: 'migrate', does: 'start' }, { at: 90, container: 'migrate', does: 'end', code: 0 }, starts(91)],
    },
    ['121 Fixed/PodReady'],
  ],

  // StillFailing
  ['ends twice', { scenes: [start, ends(5), starts(6), ends(10)] }, ['10 StillFailing/CrashLoopBackOff']],
  [
    'ends twice with 0 although it should run',
    { scenes: [start, ends(25, 0), starts(26), ends(51, 0)] },
    ['51 StillFailing/CrashLoopBackOff'],
  ],
  [
    'killed for memory twice',
    { spec: limited('64Mi'), history: oom, scenes: [start, ends(20, 137, 'OOMKilled'), starts(21), ends(40, 137, 'OOMKilled')] },
    ['40 StillFailing/OOMKilled'],
  ],
  [
    'a sidecar that ends every 20 s',
    {
      spec: sidecar,
      history: both,
      scenes: [
        start,
        { at: 0, container: 'proxy', does: 'start' },
        { at: 20, container: 'proxy', does: 'end' },
        { at: 21, container: 'proxy', does: 'start' },
        { at: 41, container: 'proxy', does: 'end' },
      ],
    },
    ['41 StillFailing/CrashLoopBackOff'],
  ],
  [
    'an init container that ends with 1 twice',
    {
      spec: inited(),
      scenes: [
        { at: 0, container: 'migrate', does: 'start' },
        { at: 2, container: 'migrate', does: 'end' },
        { at: 3, container: 'migrate', does: 'start' },
        { at: 5, container: 'migrate', does: 'end' },
      ],
    },
    ['5 StillFailing/CrashLoopBackOff'],
  ],
  ['an image that does not exist', { scenes: [pullFails(1, 'docker.io/library/web:11: not found')] }, ['1 StillFailing/ImagePullBackOff']],
  ['a malformed image', { scenes: [{ at: 1, does: 'wait', reason: 'InvalidImageName' }] }, ['1 StillFailing/InvalidImageName']],
  [
    'a missing ConfigMap',
    { scenes: [{ at: 1, does: 'wait', reason: 'CreateContainerConfigError', message: 'configmap "settings" not found' }] },
    ['1 StillFailing/CreateContainerConfigError'],
  ],
  [
    'an impossible placement',
    {
      scenes: [{ at: 0, does: 'unschedulable', message: "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector." }],
    },
    ['45 StillFailing/Unschedulable'],
  ],
  [
    'a pull error that may pass, three times',
    { scenes: [pullFails(5, SILENT), pullFails(20, SILENT), pullFails(50, SILENT)] },
    ['50 StillFailing/ImagePullBackOff'],
  ],
  ['Ready 20 of every 50 s: lost for the third time', { spec: probed, scenes: flapping(20, 50, 4) }, ['121 StillFailing/Unhealthy']],
  ['job-like under Never, ended with 1', { spec: job, scenes: [start, ends(3), { at: 3, does: 'fail' }] }, ['3 StillFailing/Error']],
  [
    'job-like under OnFailure, more often than the limit of its Job',
    { spec: retried, terms: { backoffLimit: 1 }, scenes: [start, ends(3), starts(5), ends(8)] },
    ['8 StillFailing/CrashLoopBackOff'],
  ],
  [
    'ended once and did not hold its window afterwards',
    { scenes: [start, ends(165), starts(166)], history: ranFor(140) },
    ['180 StillFailing/CrashLoopBackOff'],
  ],
  [
    'readiness lost and not regained',
    { spec: probed, scenes: [start, { at: 5, does: 'ready' }, { at: 20, does: 'unready' }] },
    ['180 StillFailing/Unhealthy'],
  ],
  [
    'never Ready, like its source',
    { scenes: [{ at: 5, does: 'wait', reason: 'ImagePullBackOff', message: SILENT }], terms: { reasonBefore: 'ImagePullBackOff' } },
    ['180 StillFailing/ImagePullBackOff'],
  ],

  // Inconclusive
  [
    'never Ready, unlike its source',
    { spec: probed, scenes: [start], terms: { reasonBefore: 'OOMKilled' } },
    ['180 Inconclusive/NeverReady'],
  ],
  ['Ready too late for its window', { spec: probed, scenes: [start, { at: 160, does: 'ready' }] }, ['180 Inconclusive/TimeTooShort']],
  ['ended by its deadline before its window was held', { scenes: [start, { at: 20, does: 'deadline' }] }, ['20 Inconclusive/TimeTooShort']],
  ['removed by somebody', { scenes: [start, { at: 20, does: 'delete' }] }, ['20 Inconclusive/PodGone']],
  ['a volume that had to be replaced', { scenes: [start], terms: { replaced: ['data'] } }, ['30 Inconclusive/VolumeReplaced']],
  [
    'a cause that a mirror does not have',
    { scenes: [start], terms: { strippedCause: 'its host port' } },
    ['30 Inconclusive/CauseNotTried'],
  ],
  [
    'one that fails without the cause of its source',
    { scenes: [start, ends(5), starts(6), ends(9)], terms: { strippedCause: 'its host port' } },
    ['9 StillFailing/CrashLoopBackOff'],
  ],
  ['a job that still runs', { spec: job, scenes: [start] }, ['180 Inconclusive/TimeTooShort']],
  [
    'a window longer than a TTL may be',
    {
      spec: limited('128Mi'),
      history: { ...ranFor(1000), containers: [{ name: 'app', hasRun: true, longestToMemoryKillSeconds: 1000, memoryLimit: 32 * MI }] },
      scenes: [start],
    },
    ['180 Inconclusive/WindowTooLong'],
  ],
  [
    'evicted for the need of the node',
    { scenes: [start, { at: 20, does: 'evicted', message: 'The node was low on resource: memory.' }] },
    ['20 Inconclusive/NotComparable'],
  ],
  [
    'evicted for what it wrote',
    {
      scenes: [start, { at: 20, does: 'evicted', message: 'Pod ephemeral local storage usage exceeds the total limit of containers 1Mi.' }],
    },
    ['20 StillFailing/Evicted'],
  ],
  [
    'no room for a second copy',
    { scenes: [{ at: 0, does: 'unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' }] },
    ['45 Inconclusive/NotComparable'],
  ],

  // Revisions
  [
    'killed for memory after its window',
    { scenes: [start, ends(40, 137, 'OOMKilled')] },
    ['30 Fixed/PodReady', '40 StillFailing/Regressed'],
  ],
  ['a regression stays, whatever follows', { scenes: [start, ends(40), starts(41)] }, ['30 Fixed/PodReady', '40 StillFailing/Regressed']],
  [
    'readiness lost twice after its window',
    {
      spec: probed,
      scenes: [start, { at: 1, does: 'ready' }, { at: 50, does: 'unready' }, { at: 55, does: 'ready' }, { at: 90, does: 'unready' }],
    },
    ['31 Fixed/PodReady', '90 StillFailing/Regressed'],
  ],
  [
    'readiness lost for longer than a threshold of 10 s after its window',
    { spec: probed, scenes: [start, { at: 1, does: 'ready' }, { at: 50, does: 'unready' }] },
    ['31 Fixed/PodReady', '60.001 StillFailing/Regressed'],
  ],
  [
    'readiness lost once after its window, and held again',
    { spec: probed, scenes: [start, { at: 1, does: 'ready' }, { at: 50, does: 'unready' }, { at: 55, does: 'ready' }] },
    ['31 Fixed/PodReady'],
  ],
  [
    'readiness lost once shortly before the end',
    { spec: probed, scenes: [start, { at: 1, does: 'ready' }, { at: 160, does: 'unready' }, { at: 165, does: 'ready' }] },
    ['31 Fixed/PodReady', '180 Inconclusive/TimeTooShort'],
  ],
  [
    'readiness lost at the end and not regained',
    { spec: probed, scenes: [start, { at: 1, does: 'ready' }, { at: 175, does: 'unready' }] },
    ['31 Fixed/PodReady', '180 StillFailing/Regressed'],
  ],
  [
    'a registry that was silent for 75 s',
    { history: neverRan, scenes: [pullFails(20, SILENT), pullFails(45, SILENT), pullFails(75, SILENT), starts(76)] },
    ['75 StillFailing/ImagePullBackOff', '136 Fixed/Recovered'],
  ],
  [
    'ends twice and then holds a new window',
    { scenes: [start, ends(5), starts(6), ends(10), starts(20)] },
    ['10 StillFailing/CrashLoopBackOff', '50 Fixed/Recovered'],
  ],
  [
    'recovers and regresses',
    { scenes: [start, ends(5), starts(6), ends(10), starts(20), ends(90)] },
    ['10 StillFailing/CrashLoopBackOff', '50 Fixed/Recovered', '90 StillFailing/Regressed'],
  ],
  ['the deadline at its end changes nothing', { scenes: [start, { at: 179, does: 'deadline' }] }, ['30 Fixed/PodReady']],
  [
    'what it does while it is being removed changes nothing',
    { scenes: [start, { at: 100, does: 'delete' }, ends(100, 143)] },
    ['30 Fixed/PodReady'],
  ],
];
for (const [what, life, verdicts] of CASES)
  test(`${what}: ${verdicts.join(', ')}`, () => {
    const { verdicts: shown, isFinal } = playLife(life);
    assert.equal(
      shown.map(({ at, verdict, reason }) => `${at} ${verdict}/${reason}`),
      verdicts,
    );
    assert.is(isFinal, true);
  });

test('names the TTL that would be enough', () => {
  const { judgement } = playLife({ spec: probed, scenes: [start, { at: 160, does: 'ready' }] }).last;
  assert.match(judgement.message, /A mirror with a TTL of 230 s would do\.$/);
});

test('says what the source showed, and what the mirror shows', () => {
  const message = (reasonBefore?: string) =>
    playLife({
      scenes: [start, ends(5, 137, 'OOMKilled'), starts(6), ends(9, 137, 'OOMKilled')],
      terms: reasonBefore ? { reasonBefore } : {},
    }).last.judgement.message;
  assert.is(message('OOMKilled'), 'The mirror fails as before: OOMKilled in container app.');
  assert.is(message('ImagePullBackOff'), 'The mirror no longer shows ImagePullBackOff, but fails: OOMKilled in container app.');
  assert.is(message(), 'The mirror fails: OOMKilled in container app.');
});

test('counts runs that nobody saw, by the restart count', () => {
  const scenes: LifeEvent[] = [start, ends(5), starts(6), ends(10), starts(20)];
  const { verdicts, timeline } = playLife({ scenes, missed: (second) => second > 1 && second < 25 });
  assert.is(timeline.containers[0]?.ended, 2);
  assert.equal(
    verdicts.map(({ at, verdict }) => [at, verdict]),
    [
      [25, 'StillFailing'],
      [50, 'Fixed'],
    ],
  );
});

test('notices a loss of readiness that nobody saw', () => {
  const scenes: LifeEvent[] = [start, { at: 1, does: 'ready' }, { at: 10, does: 'unready' }, { at: 15, does: 'ready' }];
  const { verdicts, timeline } = playLife({ spec: probed, scenes, missed: (second) => second > 5 && second < 20 });
  assert.is(timeline.readinessLost, 1);
  assert.is(verdicts[0]?.at, 45);
});

test('a clock that jumps ahead does not shorten the window', () => {
  const clock = (second: number): number => (second >= 10 ? second + 60 : second);
  assert.is(playLife({ scenes: [start, ends(25), starts(26), ends(50)], clock, jumpsAt: 10 }).verdicts[0]?.verdict, 'StillFailing');
});

test('a node whose clock is behind does not shorten the window', () => {
  const clock = (second: number): number => second + 100;
  const { verdicts } = playLife({ spec: probed, scenes: [start, { at: 10, does: 'ready' }], clock, ttlSeconds: 300 });
  assert.is(verdicts[0]?.at, 40);
});

test.run();
