import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerEvidence } from '../../../src/contract/failure.ts';
import type { PodSpec } from '../../../src/crd/kubernetes.ts';
import { sourceHistory } from '../../../src/mirrors/policy/source-history.ts';
import { atText } from '../../support/builders/mirror.ts';

const test = suite('history of a source');

const spec: PodSpec = { containers: [{ name: 'app', image: 'web:1', resources: { limits: { memory: '32Mi' } } }] };
const run = (from: number, to: number, exit_code = 1, reason = 'Error') => ({
  state: 'terminated',
  exit_code,
  reason,
  started_at: atText(from),
  finished_at: atText(to),
});
const app = (over: Partial<ContainerEvidence>): ContainerEvidence => ({ name: 'app', kind: 'app', ...over });

test('takes the longest of both states and of the record', () => {
  const live = [app({ restart_count: 4, ...run(100, 110), last_state: run(0, 42) })];
  assert.is(sourceHistory({ spec, live }).longestRunSeconds, 42);
  assert.is(sourceHistory({ spec, live, record: { longest_run_seconds: 70 } }).longestRunSeconds, 70);
});

test('counts a run once, although record and live pod both report it', () => {
  const statuses = [app({ restart_count: 4, state: 'waiting', last_state: run(0, 42) })];
  const { knownRuns, endedRuns } = sourceHistory({ spec, live: statuses, record: { container_statuses: statuses } });
  assert.equal([knownRuns, endedRuns], [1, 5]);
});

test('counts an end with 0 where the container is to run for ever, and only there', () => {
  const live = [app({ restart_count: 1, state: 'running', started_at: atText(30), last_state: run(0, 25, 0, 'Completed') })];
  assert.is(sourceHistory({ spec, live }).longestRunSeconds, 25);
  assert.is(sourceHistory({ spec: { ...spec, restartPolicy: 'OnFailure' }, live }).longestRunSeconds, 0);
});

test('leaves out init containers and what never started', () => {
  const live = [
    app({ name: 'migrate', kind: 'init', ...run(0, 300) }),
    app({ state: 'terminated', exit_code: 128, started_at: '1970-01-01T00:00:00Z', finished_at: atText(5) }),
  ];
  const history = sourceHistory({ spec: { ...spec, initContainers: [{ name: 'migrate', image: 'web:1' }] }, live });
  assert.is(history.longestRunSeconds, 0);
  assert.equal(history.containers, [{ name: 'app', hasRun: false, memoryLimit: 32 * 2 ** 20 }]);
});

test('a running container counts as having run, also if it never ended', () => {
  const [container] = sourceHistory({ spec, live: [app({ state: 'running', started_at: atText(0) })] }).containers;
  assert.is(container?.hasRun, true);
});

test('without a count of restarts, only the end that a status shows counts', () => {
  const ended = (status: Partial<ContainerEvidence>) => sourceHistory({ spec, live: [app(status)] }).endedRuns;
  assert.equal([ended(run(0, 42)), ended({ state: 'waiting', last_state: run(0, 42) })], [1, 1]);
  assert.equal([ended({ state: 'running', started_at: atText(0) }), ended({ state: 'waiting' })], [0, 0]);
});

test('reports the longest time until a kill for memory', () => {
  const live = [app({ restart_count: 2, ...run(100, 110, 137, 'OOMKilled'), last_state: run(0, 42) })];
  assert.is(sourceHistory({ spec, live }).containers[0]?.longestToMemoryKillSeconds, 10);
  const record = { container: 'app', failure_reason: 'OOMKilled', longest_run_seconds: 55, occurrences: 7 };
  const known = sourceHistory({ spec, live, record });
  assert.is(known.containers[0]?.longestToMemoryKillSeconds, 55);
  assert.is(known.knownRuns, 7);
});

test('a kill for memory that the record tells of is that of its container only', () => {
  const two: PodSpec = { containers: [...spec.containers, { name: 'proxy', image: 'proxy:1' }] };
  const record = { container: 'proxy', failure_reason: 'OOMKilled', longest_run_seconds: 55 };
  const { containers } = sourceHistory({ spec: two, record });
  assert.equal(
    containers.map(({ name, hasRun, longestToMemoryKillSeconds }) => [name, hasRun, longestToMemoryKillSeconds]),
    [
      ['app', false, undefined],
      ['proxy', true, 55],
    ],
  );
});

test('a record without runs knows of none', () => {
  const none = sourceHistory({ spec, record: { container: 'app', failure_reason: 'OOMKilled', occurrences: 7 } });
  assert.equal([none.knownRuns, none.endedRuns, none.longestRunSeconds, none.containers[0]?.hasRun], [0, 0, 0, false]);
  assert.is(none.containers[0]?.longestToMemoryKillSeconds, undefined);
  assert.is(sourceHistory({ spec, record: { longest_run_seconds: 5 } }).knownRuns, 1);
});

test.run();
