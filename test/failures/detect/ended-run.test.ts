import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CoreEvent } from '../../../src/crd/kubernetes.ts';
import { type EndedRun, labelRun } from '../../../src/failures/detect/ended-run.ts';

const event = (reason: string, lastTimestamp: string): CoreEvent => ({
  metadata: {},
  involvedObject: { kind: 'Pod' },
  reason,
  message: 'PostStartHook failed',
  lastTimestamp,
});

/** The label of a run from 10:00:00.4 to 10:00:30. Its post-start hook failed at `hookAt`. */
function labelled(hookAt: string): string {
  const events = [event('FailedPostStartHook', hookAt), event('Started', '2026-05-01T10:00:01Z'), event('Killing', '2026-05-01T10:00:30Z')];
  const ended = { exitCode: 1, reason: 'Error', startedAt: '2026-05-01T10:00:00.400Z', finishedAt: '2026-05-01T10:00:30Z' };
  return labelRun({ container: 'app', ended, events, restarts: false }).reason;
}

test('an event of the second in which the run began is about this run: events have whole seconds', () => {
  assert.is(labelled('2026-05-01T10:00:00Z'), 'PostStartHookError');
});

test('an event of a second before is about an earlier run', () => {
  assert.is(labelled('2026-05-01T09:59:59Z'), 'Error');
});

const at = (seconds: number) => `2026-05-01T10:00:${String(seconds).padStart(2, '0')}Z`;
const told = (reason: string, message: string, seconds: number, count = 1): CoreEvent => ({
  ...event(reason, at(seconds)),
  message,
  count,
});
/** A run from 10:00:10 to 10:00:40 with these events, and the event of its start. */
const run = (ended: Partial<EndedRun['ended']>, events: CoreEvent[] = [], restarts = true) => {
  const whole = { exitCode: 1, startedAt: at(10), finishedAt: at(40), ...ended };
  return labelRun({ container: 'app', ended: whole, events: [told('Started', 'Started container app', 10), ...events], restarts });
};
const PROBE = 'Liveness probe failed: HTTP probe failed with statuscode: 500';
const KILL = 'Container app failed liveness probe, will be restarted';

const labels: [says: string, given: ReturnType<typeof run>, reason: string, message: string][] = [
  ['an exit code', run({ exitCode: 3 }), 'CrashLoopBackOff', 'container app ended with exit code 3'],
  ['an exit that is not restarted', run({ exitCode: 3 }, [], false), 'Error', 'container app ended with exit code 3'],
  ['a signal', run({ exitCode: 137, signal: 9 }), 'CrashLoopBackOff', 'container app ended with signal 9'],
  ['a reason that says more', run({ reason: 'ContainerDied' }), 'CrashLoopBackOff', 'container app ended with exit code 1 (ContainerDied)'],
  ['reasons that say no more', run({ reason: 'Error' }), 'CrashLoopBackOff', 'container app ended with exit code 1'],
  ['an end without a failure', run({ exitCode: 0, reason: 'Completed' }), 'CrashLoopBackOff', 'container app ended with exit code 0'],
  ['its own last words', run({ message: ' no db\n' }), 'CrashLoopBackOff', 'container app ended with exit code 1: no db'],
  ['a process that never started', run({ exitCode: 128, reason: 'StartError', message: 'no such file' }), 'StartError', 'no such file'],
  ['one that cannot run', run({ reason: 'ContainerCannotRun' }), 'StartError', 'the container could not be started'],
  ['a runtime that says so', run({ exitCode: 128, message: 'OCI runtime create failed' }), 'StartError', 'OCI runtime create failed'],
  [
    'a program that quotes a runtime',
    run({ exitCode: 1, message: 'OCI runtime create failed' }),
    'CrashLoopBackOff',
    'container app ended with exit code 1: OCI runtime create failed',
  ],
  ['another use of 128', run({ exitCode: 128, message: 'bye' }), 'CrashLoopBackOff', 'container app ended with exit code 128: bye'],
  [
    'memory, by its reason',
    run({ exitCode: 137, reason: 'OOMKilled' }),
    'OOMKilled',
    'container app was killed for lack of memory (exit code 137 (OOMKilled))',
  ],
  [
    'memory, by its message',
    run({ exitCode: 137, message: 'Memory cgroup out of memory' }),
    'OOMKilled',
    'container app was killed for lack of memory (exit code 137: Memory cgroup out of memory)',
  ],
  [
    'memory, by an event',
    run({ exitCode: 137 }, [told('OOMKilling', 'x', 39)]),
    'OOMKilled',
    'container app was killed for lack of memory (exit code 137)',
  ],
  ['a hook', run({}, [told('FailedPostStartHook', 'hook failed', 12)]), 'PostStartHookError', 'hook failed'],
  ['a hook without a message', run({}, [told('FailedPostStartHook', '', 12)]), 'PostStartHookError', 'PostStartHook failed'],
  ['a probe, and the kill', run({ exitCode: 143 }, [told('Unhealthy', PROBE, 38), told('Killing', KILL, 39)]), 'Unhealthy', PROBE],
  ['a kill, whose probe was dropped', run({ exitCode: 143 }, [told('Killing', KILL, 39)]), 'Unhealthy', KILL],
  ['a probe before SIGKILL', run({ exitCode: 137 }, [told('Unhealthy', PROBE, 38)]), 'Unhealthy', PROBE],
  [
    'a probe before an exit of its own',
    run({ exitCode: 3 }, [told('Unhealthy', PROBE, 38)]),
    'CrashLoopBackOff',
    'container app ended with exit code 3',
  ],
  [
    'a readiness probe',
    run({ exitCode: 137 }, [told('Unhealthy', 'Readiness probe failed: x', 38)]),
    'CrashLoopBackOff',
    'container app ended with exit code 137',
  ],
  [
    'the words of a probe in another event',
    run({ exitCode: 137 }, [told('Warned', PROBE, 38)]),
    'CrashLoopBackOff',
    'container app ended with exit code 137',
  ],
  [
    'another reason to be killed',
    run({ exitCode: 143 }, [told('Killing', 'Stopping container app', 39)]),
    'CrashLoopBackOff',
    'container app ended with exit code 143',
  ],
  [
    'a probe of an earlier run',
    run({ exitCode: 137 }, [told('Unhealthy', PROBE, 5), told('Pulled', '', 40)]),
    'CrashLoopBackOff',
    'container app ended with exit code 137',
  ],
  ['its deadline', run({ reason: 'DeadlineExceeded', message: 'too long' }), 'DeadlineExceeded', 'too long'],
  ['its deadline, without words', run({ reason: 'DeadlineExceeded' }), 'DeadlineExceeded', 'the container ran past its deadline'],
];
for (const [says, given, reason, message] of labels)
  test(`a run ended by ${says}: ${reason}`, () => assert.equal([given.reason, given.message, given.container], [reason, message, 'app']));

test('if the kubelet has dropped the events of the run, those of earlier runs count', () => {
  const earlier = told('Unhealthy', PROBE, 5, 19);
  const events = (...more: CoreEvent[]) =>
    labelRun({
      container: 'app',
      ended: { exitCode: 137, startedAt: at(10), finishedAt: at(40) },
      events: [earlier, ...more],
      restarts: true,
    }).reason;
  assert.is(events(), 'Unhealthy', 'no event of the run');
  assert.is(events(told('Started', '', 10)), 'Unhealthy', 'twenty events, and none of the end');
  assert.is(events(told('Started', '', 10), told('Pulled', '', 40)), 'CrashLoopBackOff', 'events of the whole run');
});

test.run();
