import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Container, PodSpec } from '../../../src/crd/kubernetes.ts';
import { observationWindow, type ContainerHistory, type SourceHistory } from '../../../src/mirrors/policy/observation-window.ts';

const test = suite('observation window');

const app = (over: Partial<Container> = {}): PodSpec => ({ containers: [{ name: 'app', image: 'web:1', ...over }] });
const ran = (longestRunSeconds = 0, container: Partial<ContainerHistory> = {}): SourceHistory => ({
  containers: [{ name: 'app', hasRun: true, ...container }],
  knownRuns: 1,
  endedRuns: 1,
  longestRunSeconds,
});
const neverRan: SourceHistory = { containers: [{ name: 'app', hasRun: false }], knownRuns: 0, endedRuns: 0, longestRunSeconds: 0 };
const limit = (memory: string): Partial<Container> => ({ resources: { limits: { memory } } });
const MI = 2 ** 20;
const killedAfter = (seconds: number, memoryLimit?: number): SourceHistory =>
  ran(seconds, { longestToMemoryKillSeconds: seconds, ...(memoryLimit ? { memoryLimit } : {}) });
const sidecar: PodSpec = {
  ...app(),
  initContainers: [{ name: 'proxy', image: 'web:1', restartPolicy: 'Always', livenessProbe: { periodSeconds: 20 } }],
};
const both: SourceHistory = {
  ...ran(),
  containers: [
    { name: 'app', hasRun: true },
    { name: 'proxy', hasRun: true },
  ],
};

const CASES: [what: string, seconds: number, parts: Parameters<typeof observationWindow>[0]][] = [
  ['a source that fails at once', 30, { spec: app(), history: ran(1) }],
  ['a source of which no container ever ran', 60, { spec: app(), history: neverRan }],
  ['a source of which nothing is known', 60, { spec: app(), history: { ...neverRan, containers: [] } }],
  ['a source that runs 25 s, the least is longer', 30, { spec: app(), history: ran(25) }],
  ['a source that runs 60 s', 72, { spec: app(), history: ran(60) }],
  ['a source that runs 900 s', 1080, { spec: app(), history: ran(900) }],
  ['a source that runs for an hour: 900 s count', 1080, { spec: app(), history: ran(3600) }],
  ['a mirror whose own run ended after 100 s', 120, { spec: app(), history: ran(1), ownRunSeconds: 100 }],
  ['a liveness probe with defaults: 0 + 3 × 10 + 1 + 10', 41, { spec: app({ livenessProbe: {} }), history: ran() }],
  [
    'a liveness probe: 5 + 4 × max(3, 6) + 6 + 10',
    45,
    { spec: app({ livenessProbe: { initialDelaySeconds: 5, failureThreshold: 4, periodSeconds: 3, timeoutSeconds: 6 } }), history: ran() },
  ],
  ['a startup probe: 0 + 30 × 10 + 1 + 10', 311, { spec: app({ startupProbe: { failureThreshold: 30 } }), history: ran() }],
  ['a readiness probe: 6 × 10, and no margin', 60, { spec: app({ readinessProbe: { failureThreshold: 6 } }), history: ran() }],
  ['the probe of a sidecar: 3 × 20 + 1 + 10', 71, { spec: sidecar, history: both }],
  [
    'the probe of an init container does not count',
    30,
    { spec: { ...app(), initContainers: [{ name: 'migrate', image: 'web:1', livenessProbe: { failureThreshold: 99 } }] }, history: ran() },
  ],
  ['killed for memory after 25 s, twice the limit: 1.2 × 25 × 2', 60, { spec: app(limit('64Mi')), history: killedAfter(25, 32 * MI) }],
  ['killed for memory after 25 s, no new limit: factor 1', 30, { spec: app(), history: killedAfter(25, 32 * MI) }],
  ['killed for memory after 50 s, no old limit: factor 1', 60, { spec: app(limit('64Mi')), history: killedAfter(50) }],
  ['killed for memory, a smaller limit: the run itself counts', 60, { spec: app(limit('16Mi')), history: killedAfter(50, 32 * MI) }],
  ['killed for memory after 1000 s is not cut to 900', 2400, { spec: app(limit('64Mi')), history: killedAfter(1000, 32 * MI) }],
];
for (const [what, seconds, parts] of CASES)
  test(`${what}: ${seconds} s`, () => {
    const window = observationWindow(parts);
    assert.is(window.seconds, seconds);
    assert.is(window.isTooLong, false);
    assert.match(window.reason, /^\S.*\.$/);
  });

test('is too long when no mirror may live so long', () => {
  const window = observationWindow({ spec: app(limit('128Mi')), history: killedAfter(1000, 32 * MI) });
  assert.is(window.seconds, 4800);
  assert.is(window.isTooLong, true);
});

test('is weak when a run was cut, or a memory limit is not known', () => {
  const weak = (parts: Parameters<typeof observationWindow>[0]) => observationWindow(parts).weakBecause.length > 0;
  assert.is(weak({ spec: app(), history: ran(900) }), false);
  assert.is(weak({ spec: app(), history: ran(901) }), true);
  assert.is(weak({ spec: app(limit('64Mi')), history: killedAfter(25, 32 * MI) }), false);
  assert.is(weak({ spec: app(limit('64Mi')), history: killedAfter(25) }), true);
  assert.is(weak({ spec: app(), history: killedAfter(25, 32 * MI) }), true);
});

test('says which rule gave its length', () => {
  assert.is(observationWindow({ spec: app(), history: neverRan }).reason, '60 s, because container app of the source never ran.');
  assert.is(
    observationWindow({ spec: app(limit('64Mi')), history: killedAfter(30, 32 * MI) }).reason,
    '1.2 times 2 times the longest time until container app of the source was killed for lack of memory (30 s).',
  );
});

test.run();
