import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { endsOf, foldLook } from '../../../src/mirrors/policy/timeline.ts';
import { after, anEvent, aPod } from '../../support/builders/pod.ts';

/** A pod whose only container was killed after 59 s. The kubelet has not written the phase yet. */
const killed = (readyReason: string) => {
  const terminated = { exitCode: 137, reason: 'Error', startedAt: after(0), finishedAt: after(59), containerID: 'containerd://1' };
  const pod = aPod();
  return {
    ...pod,
    status: {
      phase: 'Running',
      startTime: after(0),
      conditions: [{ type: 'Ready', status: 'False', reason: readyReason, lastTransitionTime: after(59) }],
      containerStatuses: [
        { name: pod.spec.containers[0]?.name ?? '', image: 'web:1', ready: false, restartCount: 0, state: { terminated } },
      ],
    },
  } as typeof pod;
};

for (const [what, readyReason, ends] of [
  ['a kill at the deadline does not count, although no look saw the container run meanwhile', 'PodFailed', 0],
  ['a kill of a pod that goes on counts', 'ContainersNotReady', 1],
] as const)
  test(what, () => {
    const look = { pod: killed(readyReason), events: [], now: new Date(after(59)), expiresAt: new Date(after(60)) };
    assert.is(endsOf(foldLook(undefined, look)), ends);
  });

/** A running pod that is Ready or not. */
const running = (isReady: boolean, restartCount = 0) => {
  const pod = aPod();
  const status = isReady ? 'True' : 'False';
  return {
    ...pod,
    spec: { containers: [{ ...pod.spec.containers[0], name: 'app', readinessProbe: { httpGet: { path: '/', port: 80 } } }] },
    status: {
      phase: 'Running',
      startTime: after(0),
      conditions: [
        { type: 'PodScheduled', status: 'True', lastTransitionTime: after(0) },
        { type: 'Ready', status, lastTransitionTime: after(1) },
      ],
      containerStatuses: [
        { name: 'app', image: 'web:1', ready: isReady, started: true, restartCount, state: { running: { startedAt: after(1) } } },
      ],
    },
  } as typeof pod;
};
const probeFailed = anEvent('Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503', 20);

for (const [what, last, failure] of [
  ['a readiness probe that failed is remembered when its events stop', running(false), 'Unhealthy'],
  ['a pod that became Ready shows no failure', running(true), undefined],
  ['another run of the container shows no failure of the one before', running(false, 1), undefined],
] as const)
  test(what, () => {
    const until = { expiresAt: new Date(after(200)) };
    const first = foldLook(undefined, { pod: running(false), events: [probeFailed], now: new Date(after(25)), ...until });
    assert.is(first.failure?.reason, 'Unhealthy');
    assert.is(foldLook(first, { pod: last, events: [], now: new Date(after(120)), ...until }).failure?.reason, failure);
  });

test.run();
