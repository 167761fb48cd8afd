import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CoreEvent, Pod } from '../../../src/crd/kubernetes.ts';
import type { MirrorPod, MirrorPodStatus } from '../../../src/crd/mirrorpod.ts';
import { decideMirrorPod, expiryOf, isKept, type Decision, type MirrorView, type CheckResult } from '../../../src/mirrors/policy/decide.ts';
import { statusOf, type MirrorState } from '../../../src/mirrors/policy/status.ts';
import { aMirrorPod, aMirrorsPod, at, atText, BORN } from '../../support/builders/mirror.ts';

const GONE = { kind: 'stalled', reason: 'SourceGone', message: 'It is gone.' } as const;
const test = suite('decide');

interface Given {
  mirror?: MirrorPod;
  pod?: Pod;
  seconds?: number;
  checked?: CheckResult;
}
function decide({ mirror = aMirrorPod(), pod, seconds = 5, checked }: Given): Decision {
  const now = at(seconds);
  const graces = { pendingSeconds: 120, unreadySeconds: 60 };
  const view: MirrorView = { mirror, now, expiresAt: expiryOf(mirror, 180), events: [], graces };
  return decideMirrorPod({ ...view, ...(checked ? { checked } : {}), ...(pod ? { pod } : {}) });
}
const described = (decision: Decision): string => {
  if (decision.do !== 'report' && decision.do !== 'end') return decision.do;
  const { state } = decision;
  const more = state.kind === 'judged' ? state.judgement.reason : 'reason' in state ? state.reason : '';
  return `${decision.do}${decision.do === 'end' ? (decision.keep ? ' and keep' : ' and remove') : ''}: ${[state.kind, more].filter(Boolean).join(' ')}`;
};

const ran: MirrorPodStatus = { podName: 'web-mirror-12345678', phase: 'Running' };
const judged: MirrorPodStatus = { ...ran, verdict: 'Fixed' };
const argo = { annotations: { 'argocd.argoproj.io/tracking-id': 'x' } };

const CASES: [what: string, given: Given, decision: string][] = [
  ['room for it, a source, a correction', { checked: { kind: 'ready' } }, 'create'],
  ['no source', { checked: GONE }, 'report: stalled SourceGone'],
  ['a limit', { checked: { kind: 'waiting', reason: 'LimitReached', message: 'm' } }, 'report: pending LimitReached'],
  ['too much power', { checked: { kind: 'refused', reason: 'MorePower', message: 'm' } }, 'report: refused MorePower'],
  ['a pod that just started', { pod: aMirrorsPod({ ready: false }), mirror: aMirrorPod({}, ran) }, 'report: running'],
  ['a pod of an earlier pass that the status does not know', { pod: aMirrorsPod() }, 'report: running'],
  ['a pod that was Ready for its whole window', { pod: aMirrorsPod(), seconds: 60 }, 'report: judged PodReady'],
  ['a pod after its verdict', { pod: aMirrorsPod(), seconds: 20, mirror: aMirrorPod({}, judged) }, 'report: standing'],
  [
    'a pod that is being removed',
    { pod: aMirrorsPod({}, { deletionTimestamp: BORN }), mirror: aMirrorPod({}, ran) },
    'report: judged PodGone',
  ],
  ['a pod that was removed before its verdict', { mirror: aMirrorPod({}, ran) }, 'report: judged PodGone'],
  ['a pod that was removed after its verdict', { mirror: aMirrorPod({}, judged) }, 'report: standing'],
  ['being deleted', { mirror: aMirrorPod({}, ran, { deletionTimestamp: BORN }), pod: aMirrorsPod() }, 'wait'],
  [
    'being deleted, held by somebody\u2019s finalizer, its time over',
    { mirror: aMirrorPod({}, judged, { deletionTimestamp: BORN }), pod: aMirrorsPod(), seconds: 120 },
    'end and keep: standing',
  ],
  [
    'its time over, not Ready',
    { mirror: aMirrorPod({}, ran), pod: aMirrorsPod({ ready: false }), seconds: 120 },
    'end and remove: judged NeverReady',
  ],
  ['its time over, its pod gone', { mirror: aMirrorPod({}, ran), seconds: 120 }, 'end and remove: judged NeverReady'],
  ['its time over, not judged', { mirror: aMirrorPod({}, ran), pod: aMirrorsPod(), seconds: 120 }, 'end and remove: judged PodReady'],
  ['its time over, judged', { mirror: aMirrorPod({}, judged), pod: aMirrorsPod(), seconds: 120 }, 'end and remove: standing'],
  ['its time over, never run', { seconds: 121 }, 'end and remove: standing'],
  ['its time over, refused', { seconds: 121, mirror: aMirrorPod({}, { phase: 'Rejected' }) }, 'end and remove: standing'],
  ['its time over, to be retained', { seconds: 121, mirror: aMirrorPod({ onExpiry: 'Retain' }, judged) }, 'end and keep: standing'],
  ['its time over, tracked by Git', { seconds: 121, mirror: aMirrorPod({}, judged, argo) }, 'end and keep: standing'],
  [
    'long over and kept',
    { seconds: 9999, mirror: aMirrorPod({ onExpiry: 'Retain' }, { ...judged, phase: 'Expired' }) },
    'end and keep: standing',
  ],
];
for (const [what, given, decision] of CASES) test(`${what}: ${decision}`, () => assert.is(described(decide(given)), decision));

test('wakes when time can change the answer, at the latest at its end', () => {
  const due = (decision: Decision) => (decision.do === 'report' ? decision.lookAgainAt : undefined);
  assert.equal(due(decide({ pod: aMirrorsPod(), seconds: 4 })), at(60));
  assert.equal(due(decide({ pod: aMirrorsPod(), seconds: 60 })), at(120));
  assert.equal(due(decide({ checked: GONE, seconds: 4 })), at(9));
  assert.equal(due(decide({ checked: GONE, seconds: 118 })), at(120));
  assert.equal(due(decide({ checked: { kind: 'refused', reason: 'MorePower', message: 'm' }, seconds: 4 })), at(120));
  assert.equal(due(decide({ checked: { kind: 'refused', reason: 'NoCorrection', message: 'm' }, seconds: 4 })), at(19));
});

test('its end is fixed when it is first seen and only moves earlier', () => {
  const rows: [what: string, mirror: MirrorPod, seconds: number][] = [
    ['its own TTL', aMirrorPod({ ttlSeconds: 60 }), 60],
    ['the setting', aMirrorPod({ ttlSeconds: undefined as never }), 180],
    [
      'the end in its status, whatever the setting says now',
      aMirrorPod({ ttlSeconds: undefined as never }, { expirationTime: atText(300) }),
      300,
    ],
    ['a TTL that shrank', aMirrorPod({ ttlSeconds: 60 }, { expirationTime: atText(120) }), 60],
    ['a TTL that grew', aMirrorPod({ ttlSeconds: 600 }, { expirationTime: atText(120) }), 120],
  ];
  for (const [what, mirror, seconds] of rows) {
    if (mirror.spec.ttlSeconds === undefined) delete mirror.spec.ttlSeconds;
    assert.equal(expiryOf(mirror, 180), at(seconds), what);
  }
});

test('keeps an object with onExpiry Retain, and one that Git would create again', () => {
  assert.is(isKept(aMirrorPod()), false);
  assert.is(isKept(aMirrorPod({ onExpiry: 'Retain' })), true);
  assert.is(isKept(aMirrorPod({}, undefined, argo)), true);
  assert.is(isKept(aMirrorPod({}, undefined, { labels: { 'app.kubernetes.io/managed-by': 'podmend' } })), false);
});

const judgement = (verdict: 'Fixed' | 'StillFailing' | 'Inconclusive') => ({ verdict, reason: 'Because', message: 'm' });
const STATES: [state: MirrorState, phase: string, verdict: string | undefined, conditions: Record<string, string>][] = [
  [{ kind: 'pending', reason: 'R', message: 'm' }, 'Pending', undefined, { Ready: 'False', Reconciling: 'True', Stalled: 'False' }],
  [{ kind: 'stalled', reason: 'R', message: 'm' }, 'Pending', undefined, { Ready: 'False', Reconciling: 'False', Stalled: 'True' }],
  [
    { kind: 'refused', reason: 'R', message: 'm' },
    'Rejected',
    undefined,
    { Validated: 'False', Ready: 'False', Reconciling: 'False', Stalled: 'True' },
  ],
  [
    { kind: 'running' },
    'Running',
    undefined,
    { Validated: 'True', PodCreated: 'True', Ready: 'False', Reconciling: 'True', Stalled: 'False', Final: 'False' },
  ],
  [
    { kind: 'judged', judgement: judgement('Fixed'), completed: false },
    'Running',
    'Fixed',
    { Validated: 'True', PodCreated: 'True', Fixed: 'True', Ready: 'True', Reconciling: 'False', Stalled: 'False', Final: 'False' },
  ],
  [
    { kind: 'judged', judgement: judgement('Fixed'), completed: true },
    'Succeeded',
    'Fixed',
    { Validated: 'True', PodCreated: 'True', Fixed: 'True', Ready: 'True', Reconciling: 'False', Stalled: 'False', Final: 'False' },
  ],
  [
    { kind: 'judged', judgement: judgement('StillFailing'), completed: false },
    'Failed',
    'StillFailing',
    { Validated: 'True', PodCreated: 'True', Fixed: 'False', Ready: 'True', Reconciling: 'False', Stalled: 'False', Final: 'False' },
  ],
  [
    { kind: 'judged', judgement: judgement('Inconclusive'), completed: false },
    'Failed',
    'Inconclusive',
    { Validated: 'True', PodCreated: 'True', Fixed: 'Unknown', Ready: 'True', Reconciling: 'False', Stalled: 'False', Final: 'False' },
  ],
  [{ kind: 'expired' }, 'Expired', undefined, { Ready: 'False', Reconciling: 'False', Stalled: 'True', Final: 'True' }],
];
for (const [state, phase, verdict, conditions] of STATES)
  test(`status: ${phase}${verdict ? `, ${verdict}` : ''}`, () => {
    const hasPod = state.kind === 'running' || state.kind === 'judged';
    const status = statusOf(aMirrorPod(), state, { expiresAt: at(120), ...(hasPod ? { podName: 'p' } : {}) }, at(5));
    assert.equal([status.phase, status.verdict], [phase, verdict]);
    assert.equal(Object.fromEntries((status.conditions ?? []).map((one) => [one.type, one.status])), conditions);
    const again = statusOf(aMirrorPod({}, status), state, { expiresAt: at(120) }, at(60));
    assert.equal(again, status, 'a second pass says the same');
  });

test('when its time is over, verdict and conditions stay', () => {
  for (const state of [
    { kind: 'judged', judgement: judgement('Fixed'), completed: false },
    { kind: 'refused', reason: 'R', message: 'm' },
  ] as const) {
    const before = statusOf(aMirrorPod(), state, { expiresAt: at(120) }, at(5));
    const after = statusOf(aMirrorPod({}, before), { kind: 'expired' }, { expiresAt: at(120) }, at(121));
    const stood = ({ conditions = [] }: MirrorPodStatus) => conditions.filter(({ type }) => type !== 'Final');
    assert.equal([after.phase, after.verdict, stood(after)], ['Expired', before.verdict, stood(before)]);
    assert.is(after.conditions?.find(({ type }) => type === 'Final')?.status, 'True');
    assert.equal(statusOf(aMirrorPod({}, after), { kind: 'expired' }, { expiresAt: at(120) }, at(130)), after);
  }
});

test('a revised verdict takes the place of the old one and is kept as a revision', () => {
  const fixed = statusOf(
    aMirrorPod(),
    { kind: 'judged', judgement: judgement('Fixed'), completed: false },
    { expiresAt: at(120), podName: 'p' },
    at(5),
  );
  const regressed = { verdict: 'StillFailing', reason: 'Regressed', message: 'm', failure: 'OOMKilled' } as const;
  const revised = statusOf(
    aMirrorPod({}, fixed),
    { kind: 'judged', judgement: regressed, completed: false },
    { expiresAt: at(120) },
    at(40),
  );
  assert.equal([revised.verdict, revised.phase], ['StillFailing', 'Failed']);
  const condition = (type: string) => revised.conditions?.find((one) => one.type === type);
  assert.equal([condition('Fixed')?.status, condition('Fixed')?.reason, condition('Ready')?.status], ['False', 'Regressed', 'True']);
  assert.equal(revised.revisions, [
    { time: '2026-05-01T10:00:40Z', from: 'Fixed', verdict: 'StillFailing', reason: 'Regressed', message: 'm', failure: 'OOMKilled' },
  ]);
});

test('the same verdict is kept as a revision when its reason is another one, and only then', () => {
  const first = { verdict: 'StillFailing', reason: 'OOMKilled', message: 'm' } as const;
  const judged = (before: MirrorPodStatus | undefined, one: typeof first | (Omit<typeof first, 'reason'> & { reason: 'Error' })) =>
    statusOf(aMirrorPod({}, before), { kind: 'judged', judgement: one, completed: false }, { expiresAt: at(120), podName: 'p' }, at(40));
  const failing = judged(undefined, first);
  assert.is(judged(failing, first).revisions, undefined);
  assert.equal(judged(failing, { ...first, reason: 'Error' }).revisions, [
    { time: '2026-05-01T10:00:40Z', from: 'StillFailing', verdict: 'StillFailing', reason: 'Error', message: 'm' },
  ]);
});

test('what a webhook could not try is Unknown, and stays so', () => {
  const first = statusOf(aMirrorPod(), { kind: 'running' }, { expiresAt: at(120), podName: 'p', validationUnknown: true }, at(5));
  const later = statusOf(aMirrorPod({}, first), { kind: 'running' }, { expiresAt: at(120), podName: 'p' }, at(6));
  assert.is(later.conditions?.find(({ type }) => type === 'Validated')?.status, 'Unknown');
});

const CAUSES: [what: string, annotations: Record<string, string>, pod: Partial<Pod['status']> & { ready?: boolean }, reason: string][] = [
  ['the same failure', { 'podmend.dev/reason-before': 'Unhealthy' }, { ready: false }, 'StillFailing Unhealthy'],
  ['a volume that was replaced', { 'podmend.dev/replaced-volumes': 'data' }, {}, 'Inconclusive VolumeReplaced'],
  ['a cause that was not tried', { 'podmend.dev/untried-cause': 'its host port' }, {}, 'Inconclusive CauseNotTried'],
];
for (const [what, annotations, status, expected] of CAUSES)
  test(`${what} is known when the pod is removed before the last look`, () => {
    const graces = { pendingSeconds: 120, unreadySeconds: 60 };
    const pod = aMirrorsPod(status, { annotations });
    pod.spec.containers[0] = { name: 'app', image: 'web:1', readinessProbe: { periodSeconds: 1 } };
    const seen = { expiresAt: at(120), graces, events: status.ready === false ? [unready(pod)] : [] };
    const first = decideMirrorPod({ ...seen, mirror: aMirrorPod({}, ran), pod, now: at(10) });
    assert.ok(first.do === 'report' && first.evidence);
    const mirror = aMirrorPod({}, { ...ran, evidence: first.evidence });
    for (const last of [decideMirrorPod({ ...seen, mirror, pod, now: at(120) }), decideMirrorPod({ ...seen, mirror, now: at(120) })]) {
      assert.ok(last.do === 'end' && last.state.kind === 'judged', JSON.stringify(last));
      assert.is(`${last.state.judgement.verdict} ${last.state.judgement.reason}`, expected);
    }
  });

const unready = ({ metadata }: Pod): CoreEvent => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'unready', namespace: 'shop' },
  type: 'Warning',
  reason: 'Unhealthy',
  message: 'Readiness probe failed: connection refused',
  involvedObject: { kind: 'Pod', namespace: 'shop', name: metadata.name ?? '', uid: metadata.uid ?? '', fieldPath: 'spec.containers{app}' },
  firstTimestamp: atText(5),
  lastTimestamp: atText(9),
  count: 4,
});

test.run();
