import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MirrorPodStatus } from '../../../src/crd/mirrorpod.ts';
import { eventsBetween } from '../../../src/mirrors/policy/events.ts';
import { statusOf, type MirrorState } from '../../../src/mirrors/policy/status.ts';
import { aMirrorPod, at } from '../../support/builders/mirror.ts';

const test = suite('events');

const pod = { podName: 'web-mirror-12345678', templateHash: 'h' };
const status = (state: MirrorState, before: MirrorPodStatus = {}, expires = 120): MirrorPodStatus => {
  const made = state.kind === 'running' || state.kind === 'judged';
  return statusOf(aMirrorPod({}, before), state, { expiresAt: at(expires), ...(made ? pod : {}) }, at(5));
};
const judged = (verdict: 'Fixed' | 'StillFailing' | 'Inconclusive'): MirrorState => ({
  kind: 'judged',
  judgement: { verdict, reason: 'Because', message: 'The mirror says so.' },
  completed: false,
});
const waits = (reason: string): MirrorState => ({ kind: 'pending', reason, message: 'It waits.' });
const running = status({ kind: 'running' });
const fixed = status(judged('Fixed'), running);
const rejected = status({ kind: 'refused', reason: 'MorePower', message: 'spec.hostNetwork' });

/** What happened, the status before, the status after, the events. `*` marks an event that also goes to the source. */
const CASES: [what: string, before: MirrorPodStatus, after: MirrorPodStatus, told: string[]][] = [
  ['a new MirrorPod that only waits for its pod', {}, status(waits('Creating')), []],
  ['a limit', {}, status(waits('LimitReached')), ['Normal MirrorWaiting: It waits.']],
  ['the same limit again', status(waits('LimitReached')), status(waits('LimitReached'), status(waits('LimitReached'))), []],
  ['a namespace that is being removed', {}, status(waits('NamespaceTerminating')), []],
  [
    'a pod was made',
    status(waits('LimitReached')),
    running,
    ['Normal MirrorCreated*: Mirror pod web-mirror-12345678 tries the correction (Given, 0 changes) until 2026-05-01T10:02:00Z.'],
  ],
  ['a pod that runs on', running, status({ kind: 'running' }, running), []],
  ['Fixed', running, fixed, ['Normal MirrorFixed*: The mirror says so. Ready for 12 s, 1 restart.']],
  [
    'StillFailing',
    running,
    status(judged('StillFailing'), running),
    ['Warning MirrorStillFailing*: The mirror says so. Ready for 12 s, 1 restart.'],
  ],
  [
    'Inconclusive',
    running,
    status(judged('Inconclusive'), running),
    ['Warning MirrorInconclusive*: The mirror says so. Ready for 12 s, 1 restart.'],
  ],
  ['a verdict that stands', fixed, status({ kind: 'standing' }, fixed), []],
  ['no source', {}, status({ kind: 'stalled', reason: 'SourceGone', message: 'It is gone.' }), ['Warning MirrorStalled: It is gone.']],
  ['more power', {}, rejected, ['Warning MirrorRejected: MorePower: spec.hostNetwork']],
  [
    'a shorter TTL',
    running,
    status({ kind: 'running' }, running, 60),
    ['Normal MirrorShortened: The mirror now ends at 2026-05-01T10:01:00Z.'],
  ],
  [
    'its time over',
    fixed,
    status({ kind: 'expired' }, fixed),
    ['Normal MirrorExpired: The time is over: the mirror pod is removed, and the verdict is Fixed.'],
  ],
  [
    'its time over, never run',
    rejected,
    status({ kind: 'expired' }, rejected),
    ['Normal MirrorExpired: The time is over: no mirror pod was made.'],
  ],
  ['long over', status({ kind: 'expired' }, fixed), status({ kind: 'expired' }, status({ kind: 'expired' }, fixed)), []],
];
for (const [what, before, after, told] of CASES)
  test(`${what}: ${told.length === 0 ? 'no event' : told.join()}`, () => {
    const events = eventsBetween(before, after, { message: '', restarts: 1, ready_seconds: 12 });
    assert.equal(
      events.map(({ type, reason, ofSource, note }) => `${type} ${reason}${ofSource ? '*' : ''}: ${note}`),
      told,
    );
  });

test('a changed template makes one event, and none when it is as before again', () => {
  const template = { spec: { containers: [{ name: 'app', image: 'web:2' }] } };
  const mirror = aMirrorPod({ template }, fixed);
  const changed = statusOf(mirror, { kind: 'standing' }, { expiresAt: at(120) }, at(30));
  assert.equal(
    eventsBetween(fixed, changed).map(({ reason }) => reason),
    ['MirrorTemplateChanged'],
  );
  const word = (one: MirrorPodStatus) => (one.conditions ?? []).map(({ type, status: state, reason }) => `${type} ${state} ${reason}`);
  assert.ok(word(changed).includes('Stalled True TemplateChanged') && word(changed).includes('Ready False TemplateChanged'));
  assert.ok(word(changed).includes('Fixed True Because'), 'what ran was judged, and that stays');
  assert.is(changed.verdict, 'Fixed');
  const again = statusOf(aMirrorPod({ template }, changed), { kind: 'standing' }, { expiresAt: at(120) }, at(31));
  assert.equal(again, changed);
  const back = statusOf(aMirrorPod({}, changed), { kind: 'standing' }, { expiresAt: at(120) }, at(40));
  assert.equal(word(back).sort(), word(fixed).sort());
});

test('a verdict that is revised is told as what happened, with the figures of that moment', () => {
  const revised = (verdict: 'Fixed' | 'StillFailing', reason: string) => {
    const conditions = [
      {
        type: 'Fixed',
        status: verdict === 'Fixed' ? ('True' as const) : ('False' as const),
        reason,
        message: 'It changed.',
        lastTransitionTime: '',
      },
    ];
    const after = { ...fixed, verdict, conditions, revisions: [{}] } as unknown as MirrorPodStatus;
    return eventsBetween(fixed, after, { message: '', restarts: 2, ready_seconds: 0 }).map(
      (one) => `${one.type} ${one.reason}${one.ofSource ? '*' : ''} ${one.action}: ${one.note}`,
    );
  };
  assert.equal(revised('StillFailing', 'Regressed'), ['Warning MirrorRegressed* Judge: It changed. Ready for 0 s, 2 restarts.']);
  assert.equal(revised('Fixed', 'Recovered'), ['Normal MirrorRecovered* Judge: It changed. Ready for 0 s, 2 restarts.']);
  assert.equal(revised('StillFailing', 'Because'), ['Warning MirrorStillFailing* Judge: It changed. Ready for 0 s, 2 restarts.']);
});

test('a requested pass is acknowledged, and stays acknowledged', () => {
  const wished = aMirrorPod({}, fixed, { annotations: { 'podmend.dev/requestedAt': 'today' } });
  const heard = statusOf(wished, { kind: 'standing' }, { expiresAt: at(120) }, at(30));
  assert.is(heard.lastHandledReconcileAt, 'today');
  assert.is(statusOf(aMirrorPod({}, heard), { kind: 'standing' }, { expiresAt: at(120) }, at(31)).lastHandledReconcileAt, 'today');
  assert.equal(eventsBetween(fixed, heard), []);
});

test.run();
