import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod } from '../../../src/crd/kubernetes.ts';
import type { MirrorEvidence, MirrorPodStatus } from '../../../src/crd/mirrorpod.ts';
import { evidenceFor, judgeViewOf, type MirrorSight, shownBy } from '../../../src/mirrors/policy/evidence.ts';
import type { Judgement, Opinion } from '../../../src/mirrors/policy/verdict.ts';
import { aMirrorPod, aMirrorsPod, at, atText } from '../../support/builders/mirror.ts';

const HISTORY = { containers: [{ name: 'app', hasRun: true }], knownRuns: 1, endedRuns: 1, longestRunSeconds: 3.6 };
const notes = (more: Record<string, string> = {}, history: object = HISTORY) => ({
  'podmend.dev/source-history': JSON.stringify(history),
  ...more,
});
const probe = { httpGet: { port: 80 } };
const pod = (app: object = {}, over: { spec?: object; annotations?: Record<string, string> } = {}): Pod => {
  const made = aMirrorsPod({}, { annotations: over.annotations ?? notes() });
  return { ...made, spec: { ...made.spec, containers: [{ name: 'app', image: 'web:1', ...app }], ...over.spec } } as Pod;
};
const sight = (over: Partial<MirrorSight> = {}): MirrorSight => ({
  ...{ mirror: aMirrorPod(), pod: pod(), events: [], now: at(20), expiresAt: at(120), graces: { pendingSeconds: 120, unreadySeconds: 60 } },
  ...over,
});
const made = (over: Partial<MirrorSight> = {}, opinion: Opinion = { isFinal: false }) =>
  evidenceFor(judgeViewOf(sight(over)), opinion, sight(over));
const fixed = (more: Partial<Judgement> = {}): Opinion => ({
  isFinal: false,
  judgement: { verdict: 'Fixed', reason: 'PodReady', message: 'm', ...more },
});

test('evidence has what was seen, for how long, and what is known of the source', () => {
  const { windowSeconds, strength, sourceRuns, longestSourceRunSeconds, probesAsked, readinessLost, restarts, terms } =
    made() as MirrorEvidence;
  assert.equal([windowSeconds, strength, sourceRuns, longestSourceRunSeconds, probesAsked], [30, 'Strong', 1, 4, []]);
  assert.equal(
    [readinessLost, restarts, terms?.restartPolicy, terms?.backoffLimit, terms?.hasProbes, terms?.replaced],
    [0, 0, 'Always', 6, false, []],
  );
});

const TRAFFIC = 'No traffic reached the mirror: what only requests bring about was not seen.';
const weaknesses: [says: string, over: Partial<MirrorSight>, expected: string[]][] = [
  ['a server without probes', {}, [TRAFFIC, 'No probe asks whether the containers work: Ready says only that they run.']],
  ['a server with a probe', { pod: pod({ livenessProbe: probe }) }, [TRAFFIC]],
  ['a job', { pod: pod({}, { spec: { restartPolicy: 'Never' } }) }, []],
  [
    'a source with runs that are not known',
    { pod: pod({ livenessProbe: probe }, { annotations: notes({}, { ...HISTORY, endedRuns: 3 }) }) },
    [TRAFFIC, 'Only 1 of 3 runs of the source are known: an earlier one may have been longer.'],
  ],
  [
    'a replaced volume',
    { pod: pod({ livenessProbe: probe }, { annotations: notes({ 'podmend.dev/replaced-volumes': 'a,b' }) }) },
    [TRAFFIC, 'An empty volume replaced a, b.'],
  ],
];
for (const [says, over, expected] of weaknesses)
  test(`what no verdict can prove: ${says}`, () => assert.equal(made(over)?.weaknesses, expected));

test('a source that never ran is told, and makes the window longer', () => {
  const unknown = { containers: [], knownRuns: 0, endedRuns: 0, longestRunSeconds: 0 };
  const { weaknesses: told, windowSeconds } = made({ pod: pod({}, { annotations: notes({}, unknown) }) }) as MirrorEvidence;
  assert.ok(told.includes('No container of the source ever ran, so nobody knows how long it would run before it fails.'));
  assert.is(windowSeconds, 60);
});

test('probes are named by kind and container', () => {
  assert.equal(made({ pod: pod({ startupProbe: probe, livenessProbe: probe, readinessProbe: probe }) })?.probesAsked, [
    'startup of app',
    'liveness of app',
    'readiness of app',
  ]);
});

test('the verdict may be weak for a reason of its own, and stays weak while it stands', () => {
  const weak = made({}, fixed({ weakBecause: 'It still ran.' })) as MirrorEvidence;
  assert.equal([weak.strength, weak.weaknesses[0]], ['Weak', 'It still ran.']);
  const standing = { verdict: 'Fixed', evidence: weak } as unknown as MirrorPodStatus;
  assert.is(made({ mirror: aMirrorPod({}, standing) })?.strength, 'Weak');
  assert.is(
    made({ mirror: aMirrorPod({}, { evidence: weak } as MirrorPodStatus) })?.strength,
    'Strong',
    'without a verdict, nothing stands',
  );
  assert.is(made({ mirror: aMirrorPod({}, standing) }, fixed())?.strength, 'Strong', 'a new verdict decides anew');
});

test('the counts at the verdict are kept from then on', () => {
  const before = made({}, fixed()) as MirrorEvidence;
  assert.equal([before.endedAtVerdict, before.readinessLostAtVerdict], [0, 0]);
  const later = { ...before, readinessLost: 1, endedAtVerdict: 4, readinessLostAtVerdict: 0 };
  const kept = made({ mirror: aMirrorPod({}, { verdict: 'Fixed', evidence: later } as unknown as MirrorPodStatus) }) as MirrorEvidence;
  assert.equal([kept.endedAtVerdict, kept.readinessLostAtVerdict], [4, 0]);
  assert.equal([made()?.endedAtVerdict, made()?.readinessLostAtVerdict], [undefined, undefined]);
});

test('without the pod, the stored evidence stays', () => {
  const evidence = made() as MirrorEvidence;
  const mirror = aMirrorPod({}, { evidence } as MirrorPodStatus);
  const { pod: _, ...gone } = sight({ mirror });
  assert.is(evidenceFor(judgeViewOf(gone), { isFinal: true }, gone), evidence);
  assert.equal([judgeViewOf(gone).window.seconds, judgeViewOf(gone).window.reason], [evidence.windowSeconds, evidence.windowReason]);
});

test('terms come from the pod and its notes', () => {
  const annotations = notes({
    'podmend.dev/reason-before': 'OOMKilled',
    'podmend.dev/backoff-limit': '2',
    'podmend.dev/untried-cause': 'its node',
  });
  const { terms } = judgeViewOf(sight({ pod: pod({ readinessProbe: probe }, { annotations, spec: { restartPolicy: 'OnFailure' } }) }));
  assert.equal(
    [terms.reasonBefore, terms.backoffLimit, terms.strippedCause, terms.jobLike, terms.hasProbes],
    ['OOMKilled', 2, 'its node', true, true],
  );
  assert.equal([terms.ttlSeconds, terms.startedAt], [120, at(0)]);
});

test('a deadline of the pod’s own is earlier than the end of the mirror by more than five seconds', () => {
  const own = (activeDeadlineSeconds: number) =>
    judgeViewOf(sight({ pod: pod({}, { spec: { activeDeadlineSeconds } }) })).terms.hasOwnDeadline;
  assert.equal([own(114), own(115), own(120)], [true, false, false]);
  assert.is(judgeViewOf(sight()).terms.hasOwnDeadline, false);
});

test('the state at a verdict is told with its failure, its restarts and how long it was Ready', () => {
  const view = judgeViewOf(sight());
  assert.equal(shownBy(view), { message: '', restarts: 0, ready_seconds: 20 });
  assert.equal(shownBy({ ...view, timeline: { ...view.timeline, readySince: atText(30), restarts: 2 } }), {
    message: '',
    restarts: 2,
    ready_seconds: 0,
  });
  const { readySince: _, ...never } = view.timeline;
  assert.is(shownBy({ ...view, timeline: never }).ready_seconds, 0);
  const waiting = aMirrorsPod({
    ready: false,
    containerStatuses: [
      {
        name: 'app',
        ready: false,
        restartCount: 0,
        image: 'web:1',
        state: { waiting: { reason: 'CreateContainerConfigError', message: 'password=hunter2' } },
      },
    ],
  });
  assert.is(shownBy({ ...view, pod: waiting }).message, 'password=***');
});

test.run();
