import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CoreEvent } from '../../../src/crd/kubernetes.ts';
import { labelRun } from '../../../src/failures/detect/ended-run.ts';

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

test.run();
