import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerEvidence } from '../../../src/contract/failure.ts';
import type { ProbeFact } from '../../../src/diagnosis/facts/probe-failure.ts';
import { factOf } from '../../../src/diagnosis/facts/input.ts';
import { crash } from '../../../src/diagnosis/rules/crash.ts';
import { crashedNeighbour } from '../../../src/diagnosis/rules/crashed-neighbour.ts';
import { endedByItself, isStillCrashing } from '../../../src/diagnosis/rules/ended-by-itself.ts';
import { anInput, type CaseParts, crashed } from '../../support/builders/cases.ts';

const ends = suite('containers that end by themselves or because of a neighbour');

const APP: ContainerEvidence = { name: 'app', kind: 'app', state: 'running', ready: false };
const API: ContainerEvidence = { name: 'api', kind: 'app', ready: false, restart_count: 1, ...crashed(3) };
const status = (code: number): ProbeFact => ({
  kind: 'probe',
  probe: 'readiness',
  cause: 'status',
  status: code,
  port: 80,
  output: '',
  evidence: { from: 'event', text: 'x' },
});
const REFUSED = 'connect() failed (111: Connection refused) upstream: "http://127.0.0.1:8080/"';

const NEIGHBOURS: [sentence: string, statuses: ContainerEvidence[], code: number | undefined, log: string, is: boolean][] = [
  ['a gateway', [APP, API], 502, '', true],
  ['a gateway that is out of service', [APP, API], 503, '', true],
  ['a gateway that waits too long', [APP, API], 504, '', true],
  ['an error of its own', [APP, API], 500, '', false],
  ['a refused connection to its own address', [APP, API], undefined, REFUSED, true],
  ['the same in another order', [APP, API], undefined, 'dial tcp [::1]:8080: connect: connection refused', true],
  ['a refused connection to another address', [APP, API], undefined, 'dial tcp 10.0.0.9:8080: connect: connection refused', false],
  ['two containers crash', [APP, API, { ...API, name: 'b' }], 502, '', false],
  ['the container itself is down', [{ ...APP, state: 'waiting' }, API], 502, '', false],
  ['an init container', [APP, { ...API, kind: 'init' }], 502, '', false],
  ['a sidecar', [APP, { ...API, kind: 'sidecar' }], 502, '', true],
  ['a container that is ready', [APP, { ...API, ready: true }], 502, '', false],
  ['a container that was never started again', [APP, { ...API, restart_count: 0 }], 502, '', false],
  ['a container that waits for something else', [APP, { ...API, reason: 'ImagePullBackOff' }], 502, '', false],
  ['a container that ended with 0', [APP, { ...API, ...crashed(0) }], 502, '', false],
  ['a container that is down now', [APP, { ...API, state: 'terminated', exit_code: 1 }], 502, '', true],
  ['a container that is down now without an error', [APP, { ...API, state: 'terminated', exit_code: 0 }], 502, '', false],
];
for (const [sentence, container_statuses, code, log, is] of NEIGHBOURS)
  ends(`a neighbour: ${sentence}`, () => {
    const input = anInput(
      {},
      {},
      { failure_reason: 'Unhealthy', container_statuses, ...(log ? { logs: `==> app (current) <==\n${log}\n` } : {}) },
    );
    const answer = crashedNeighbour(input, code === undefined ? undefined : status(code));
    assert.is(answer !== undefined, is);
    if (answer) {
      const how = code === undefined ? '' : ` and answers with status \`${code}\``;
      assert.match(answer.summary, `Container \`app\` is not ready${how}, because it needs that one.`);
      assert.is(
        answer.evidence.some(({ text }) => text === 'x'),
        code !== undefined,
      );
    }
  });

const START = '2026-05-01T10:00:00Z';
const at = (seconds: number) => new Date(Date.parse(START) + seconds * 1000).toISOString();
const run = (seconds: number, more: object = {}) => ({
  last_state: { state: 'terminated' as const, reason: 'Error', exit_code: 3, started_at: START, finished_at: at(seconds), ...more },
});
const KILL = [{ reason: 'Killing', message: 'Container app failed liveness probe, will be restarted' }];
const probe = (livenessProbe: object) => ({ livenessProbe });
const BY_ITSELF: [sentence: string, container: object, parts: CaseParts, is: boolean][] = [
  ['an error', {}, { status: run(9) }, true],
  ['no error', {}, { status: run(9, { exit_code: 0 }) }, false],
  ['SIGKILL', {}, { status: run(9, { exit_code: 137 }) }, false],
  ['SIGTERM', {}, { status: run(9, { exit_code: 143 }) }, false],
  ['a signal', {}, { status: run(9, { signal: 9 }) }, false],
  ['no memory', {}, { status: run(9, { reason: 'OOMKilled' }) }, false],
  ['another container', {}, { container_statuses: [{ ...APP, name: 'b', ...run(9) }] }, false],
  [
    'killed, though it ended before a probe can have given up',
    probe({ initialDelaySeconds: 5, periodSeconds: 4, failureThreshold: 2 }),
    { status: run(8), events: KILL },
    true,
  ],
  [
    'killed, when a probe can have given up',
    probe({ initialDelaySeconds: 5, periodSeconds: 4, failureThreshold: 2 }),
    { status: run(9), events: KILL },
    false,
  ],
  ['killed, with the usual times of a probe', probe({}), { status: run(19), events: KILL }, true],
  ['killed, after the usual times of a probe', probe({}), { status: run(20), events: KILL }, false],
  ['killed by its startup probe', { startupProbe: { periodSeconds: 1 }, livenessProbe: {} }, { status: run(2), events: KILL }, false],
  ['killed, and the manifest has no probe', {}, { status: run(0), events: KILL }, false],
  [
    'another container was killed',
    {},
    { status: run(30), events: [{ reason: 'Killing', message: 'Container b failed liveness probe, will be restarted' }] },
    true,
  ],
];
for (const [sentence, container, parts, is] of BY_ITSELF)
  ends(`by itself: ${sentence}`, () => assert.is(endedByItself(anInput(container, {}, parts)) !== undefined, is));

const CRASHING: [sentence: string, status: object, newest: string | undefined, is: boolean][] = [
  ['it is down', { state: 'waiting' }, at(60), true],
  ['it runs as long as the last time, and a little more', { state: 'running', started_at: START }, at(15), true],
  ['it has survived what ended it', { state: 'running', started_at: START }, at(16), false],
  ['nobody knows since when it runs', { state: 'running' }, at(1), false],
  ['nobody knows how late it is', { state: 'running', started_at: START }, undefined, false],
];
for (const [sentence, status, newest, is] of CRASHING)
  ends(`still crashing: ${sentence}`, () => {
    const events = [
      { reason: 'x', message: 'x', timestamp: START },
      { reason: 'y', message: 'y', ...(newest ? { timestamp: newest } : {}) },
    ];
    const input = anInput({}, {}, { status: { ...run(10), ...status }, events: newest ? events : events.slice(1) });
    assert.is(isStillCrashing(input, factOf(input, 'run')!), is);
  });

ends('a log alone makes a crash', () => {
  const logs = '==> app (previous) <==\nFATAL: plan LITE unsupported\n';
  assert.is(crash.answer(anInput({}, {}, { failure_reason: 'OOMKilled', logs }))?.culprit, 'plan LITE unsupported');
});

ends.run();
