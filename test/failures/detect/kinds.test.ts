import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod } from '../../../src/crd/kubernetes.ts';
import { detectFailure, examine, podHealth } from '../../../src/failures/detect/detect.ts';
import {
  crashed,
  detectedIn,
  ended,
  initContainer,
  KIND_ROWS,
  LIVE,
  PAST,
  running,
  unscheduled,
  waiting,
} from '../../support/expected/kinds.ts';
import { aPod, after, anEvent } from '../../support/builders/pod.ts';

const kinds = suite('kinds of failure');
for (const [sentence, row] of Object.entries(KIND_ROWS)) {
  const { is } = row;
  kinds(`${sentence}: ${is === 'no failure' ? is : is[0]}`, () => {
    const failure = detectedIn(row);
    if (is === 'no failure') return assert.is(failure, undefined);
    assert.equal(failure && [failure.reason, failure.family, ...(failure.container ? [failure.container] : [])], is);
  });
}

kinds("Podmend's own events are no evidence", () => {
  for (const writer of [{ reportingComponent: 'podmend' }, { source: { component: 'podmend' } }]) {
    const event = anEvent('Unhealthy', 'Readiness probe failed: x', 5, writer);
    assert.is(detectFailure({ pod: aPod({ app: running(0) }), events: [event], now: new Date(after(60)), graces: PAST }), undefined);
  }
});

kinds('events of another pod of the same name are no evidence', () => {
  const event = anEvent('Unhealthy', 'Readiness probe failed: x', 5, {
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'app', uid: 'uid-0' },
  });
  assert.is(detectFailure({ pod: aPod({ app: running(0) }), events: [event], now: new Date(after(60)), graces: PAST }), undefined);
});

kinds('the cause of a pull error is taken from the event when the status does not tell it', () => {
  const events = [anEvent('Failed', 'Failed to pull image "web:9": not found', 5), anEvent('Failed', 'Error: ImagePullBackOff', 6)];
  const pod = aPod(waiting('ImagePullBackOff', 'Back-off pulling image "web:9"'));
  assert.is(detectFailure({ pod, events, now: new Date(after(9)), graces: PAST })?.message, 'Failed to pull image "web:9": not found');
});

kinds('the next time at which the answer may change without an event is known', () => {
  const at = (pod: Pod, seconds: number) =>
    examine({ pod, events: [], now: new Date(after(seconds)), graces: LIVE }).lookAgainAt?.toISOString();
  assert.is(at(unscheduled(), 60), new Date(after(120)).toISOString());
  assert.is(at(unscheduled(), 130), undefined);
  assert.is(at(aPod(initContainer({ running: { startedAt: after(1) } })), 60), new Date(after(121)).toISOString());
  assert.is(at(aPod(), 60), undefined);
});

kinds('a pod has recovered when it has been Ready without a restart for long enough, or is done', () => {
  const health = (pod: Pod, seconds: number) =>
    podHealth({ pod, events: [], now: new Date(after(seconds)), graces: LIVE, recoverySeconds: 600 });
  const restarted = aPod({
    app: { ready: true, restartCount: 1, state: { running: { startedAt: after(100) } }, lastState: { terminated: ended(1) } },
  });
  assert.is(health(restarted, 650), 'unsettled');
  assert.is(health(restarted, 700), 'recovered');
  assert.is(health(aPod(crashed(1)), 60), 'failing');
  assert.is(health(aPod({ status: { phase: 'Succeeded' } }), 1), 'recovered');
  assert.is(health(aPod({ app: running(0) }), 30), 'unsettled');
});

kinds.run();
