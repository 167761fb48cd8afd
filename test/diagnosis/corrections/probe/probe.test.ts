import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose } from '../../../../src/diagnosis/diagnose.ts';
import { aCase, aPodManifest } from '../../../support/builders/cases.ts';

/** The changes and confidence of each correction. Paths start in the container. */
const corrections = (container: object, message: string, logs = '') =>
  diagnose(
    aCase({
      failure_reason: 'Unhealthy',
      status: { state: 'running' },
      events: [{ type: 'Warning', reason: 'Unhealthy', message }],
      logs,
      manifest: aPodManifest(container),
    }),
  ).corrections.map(({ changes, confidence }) => [changes[0]?.path.replace(/^.*\]\./, ''), changes[0]?.to, confidence]);

const http = (path: string, port: number | string = 8080) => ({ httpGet: { path, port } });
const status = (code: number) => `Readiness probe failed: HTTP probe failed with statuscode: ${code}`;
const REFUSED = 'Readiness probe failed: Get "http://10.1.2.3:8080/": dial tcp 10.1.2.3:8080: connect: connection refused';
const PATH = 'readinessProbe.httpGet.path';
const PORT = 'readinessProbe.httpGet.port';
const log = (line: string) => `==> app (current) <==\n${line}\n`;

const probe = suite('corrections of probes');
const CASES: [sentence: string, container: object, message: string, log: string, expected: unknown[][]][] = [
  ['a path that is not there', { readinessProbe: http('/health') }, status(404), '', [[PATH, '/', 'guess']]],
  ['a path that answers with an error', { readinessProbe: http('/health') }, status(500), '', [[PATH, '/', 'guess']]],
  ['the root is not replaced by itself', { readinessProbe: http('/') }, status(404), '', []],
  [
    'the path of another probe comes first',
    { readinessProbe: http('/health'), livenessProbe: http('/live') },
    status(404),
    '',
    [
      [PATH, '/live', 'likely'],
      [PATH, '/', 'guess'],
    ],
  ],
  ['the port that the log names', { readinessProbe: http('/') }, REFUSED, log('listening on :9090'), [[PORT, 9090, 'likely']]],
  ['not a port on the loopback', { readinessProbe: http('/') }, REFUSED, log('listening on 127.0.0.1:9090'), []],
  [
    'the port of the log comes before a declared one',
    { readinessProbe: http('/'), ports: [{ containerPort: 7070 }, { containerPort: 9090 }] },
    REFUSED,
    log('listening on :9090'),
    [
      [PORT, 9090, 'likely'],
      [PORT, 7070, 'likely'],
    ],
  ],
  [
    'a typo in the name of a port',
    { readinessProbe: http('/', 'htp'), ports: [{ name: 'http', containerPort: 8080 }] },
    'Readiness probe errored: couldn\'t find port "htp" in container',
    '',
    [
      [PORT, 'http', 'certain'],
      [PORT, 8080, 'likely'],
    ],
  ],
];
for (const [sentence, container, message, logs, expected] of CASES)
  probe(sentence, () => assert.equal(corrections(container, message, logs), expected));

const MISSING =
  'Readiness probe errored: rpc error: code = Unknown desc = failed to exec in container: OCI runtime exec failed: exec failed: unable to start container process: exec: "CLIENT": executable file not found in $PATH';
const CLIENTS: [sentence: string, command: string[], ports: number[], expected: unknown[] | undefined][] = [
  ['with a port that the container declares', ['pg_isready', '-h', '127.0.0.1', '-p', '6432'], [6432], [6432, 'likely']],
  ['with the usual port of its program', ['redis-cli', 'ping'], [6379], [6379, 'likely']],
  ['with the port behind the host', ['nc', '-z', 'localhost', '9092'], [8080, 9092], [9092, 'likely']],
  ['with an address', ['grpc_health_probe', '-addr=:50051'], [50051], [50051, 'likely']],
  ['with a port that may have no listener', ['pg_isready', '-p', '6432'], [8080], [8080, 'guess']],
  ['of another host', ['pg_isready', '-h', 'db', '-p', '5432'], [5432], [5432, 'guess']],
];
for (const [sentence, command, ports, expected] of CLIENTS)
  probe(`a client that the image lacks, ${sentence}`, () => {
    const container = { readinessProbe: { exec: { command } }, ports: ports.map((containerPort) => ({ containerPort })) };
    const [first] = corrections(container, MISSING.replace('CLIENT', command[0] ?? ''));
    assert.equal(first?.slice(1), [{ tcpSocket: { port: expected?.[0] } }, expected?.[1]]);
  });

probe('a program with a space in its path stays one word when it has arguments', () => {
  const ofCommand = (command: string[]) =>
    corrections({ readinessProbe: { exec: { command } } }, MISSING.replace('CLIENT', command[0] ?? '')).filter(
      ([path]) => path === 'readinessProbe.exec.command',
    );
  assert.equal(ofCommand(['/my tools/check --fast']), [['readinessProbe.exec.command', ['/my', 'tools/check', '--fast'], 'likely']]);
  assert.equal(ofCommand(['/my tools/check', '--fast']), []);
});

probe('a readiness probe kills nothing, so it gets no more time to start', () =>
  assert.not.ok(corrections({ readinessProbe: http('/') }, REFUSED).some(([path]) => String(path).includes('startupProbe'))),
);
probe('a liveness probe that kills too early gets a startup probe with the same handler', () => {
  const message = REFUSED.replace('Readiness', 'Liveness');
  assert.equal(corrections({ livenessProbe: http('/') }, message), [
    ['startupProbe', { ...http('/'), periodSeconds: 10, failureThreshold: 30 }, 'likely'],
  ]);
});
const ended = (seconds: number) => ({
  ...{ state: 'running', restart_count: 2 },
  last_state: {
    ...{ state: 'terminated', reason: 'Error', exit_code: 137 },
    started_at: '2026-01-01T00:00:00Z',
    finished_at: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString(),
  },
});
// By default, a probe that never succeeds ends a container after at most 70 s: 3 failures, 10 s apart, and 30 s to terminate.
for (const [seconds, isOffered] of [
  [65, true],
  [75, false],
] as const)
  probe(`a container killed by its liveness probe after ${seconds} s ${isOffered ? 'may need' : 'needs no'} more time to start`, () => {
    const offered = diagnose(
      aCase({
        failure_reason: 'Unhealthy',
        status: ended(seconds),
        events: [{ type: 'Warning', reason: 'Unhealthy', message: REFUSED.replace('Readiness', 'Liveness') }],
        manifest: aPodManifest({ livenessProbe: http('/') }),
      }),
    ).corrections.some(({ changes }) => changes.some(({ path }) => path.endsWith('startupProbe')));
    assert.is(offered, isOffered);
  });
const reported = (exitCode: number, events: [reason: string, message: string][]) => {
  const last_state = { state: 'terminated', exit_code: exitCode, started_at: '2026-03-01T09:00:00Z', finished_at: '2026-03-01T09:00:01Z' };
  return diagnose(
    aCase({
      failure_reason: 'Unhealthy',
      status: { state: 'waiting', reason: 'CrashLoopBackOff', restart_count: 2, last_state },
      events: events.map(([reason, message]) => ({ type: 'Warning', reason, message })),
      logs: '==> app (previous) <==\nstarting\n',
      manifest: aPodManifest({ startupProbe: http('/', 8080) }),
    }),
  );
};
const STARTUP = REFUSED.replace('Readiness', 'Startup');

probe('a container that ended by itself does not start slowly', () => {
  const { summary, corrections: offered } = reported(3, [['Unhealthy', STARTUP]]);
  assert.match(summary, /ends? .*exit code 3|ending with exit code 3/);
  assert.equal(offered, []);
});

probe('a container that ended before the kubelet could give up was not killed by it', () => {
  const { corrections: offered } = reported(3, [
    ['Unhealthy', STARTUP],
    ['Killing', 'Container app failed startup probe, will be restarted'],
  ]);
  assert.equal(offered, []);
});

probe('a killed container starts slowly', () => {
  const [first] = reported(143, [['Unhealthy', STARTUP]]).corrections;
  assert.equal(first?.changes[0]?.path, 'spec.containers[0].startupProbe.failureThreshold');
});

probe.run();
