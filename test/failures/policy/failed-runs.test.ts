import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerEvidence } from '../../../src/contract/failure.ts';
import { longestRunIn } from '../../../src/failures/policy/failed-runs.ts';
import { atText } from '../../support/builders/mirror.ts';

const test = suite('runs before a failure');

const run = (from: number, to: number, exit_code = 1) => ({
  state: 'terminated',
  exit_code,
  started_at: atText(from),
  finished_at: atText(to),
});
const app = (over: Partial<ContainerEvidence>): ContainerEvidence => ({ name: 'app', kind: 'app', ...over });

test('reads the longest run out of a report', () => {
  assert.is(longestRunIn([app({ ...run(0, 5), last_state: run(10, 40) })]), 30);
  assert.is(longestRunIn([app({ kind: 'init', ...run(0, 300) })]), undefined);
  assert.is(longestRunIn([]), undefined);
});

test('counts an end with 0 only where the container is to run for ever', () => {
  assert.is(longestRunIn([app(run(0, 25, 0))]), 25);
  assert.is(longestRunIn([app(run(0, 25, 0))], 'OnFailure'), undefined);
  assert.is(longestRunIn([app({ ...run(0, 25, 0), kind: 'sidecar' })], 'OnFailure'), 25);
});

test.run();
