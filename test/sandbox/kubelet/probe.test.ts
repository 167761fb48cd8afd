import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { setImmediate as turn } from 'node:timers/promises';
import { Files } from '../../../src/sandbox/kubelet/files.ts';
import { hookMessage } from '../../../src/sandbox/kubelet/hooks.ts';
import type { Machine } from '../../../src/sandbox/kubelet/machine.ts';
import { ask, probeLoop } from '../../../src/sandbox/kubelet/probe.ts';
import { startFault } from '../../../src/sandbox/kubelet/process.ts';
import { startProbes } from '../../../src/sandbox/kubelet/start-probes.ts';
import { APPLET_PATHS } from '../../../src/sandbox/kubelet/shell/applets.ts';
import { steppedClock } from '../../../src/sandbox/sandbox.ts';
import type { Loose } from '../../../src/sandbox/store/object.ts';

const probes = suite('probes of the sandbox');

/** A machine that answers on port 80 with this status, and whose sleeps take a stepped clock's time. */
function aMachine(status = 200) {
  const clock = steppedClock(new Date('2030-01-01T00:00:00Z'));
  const asked: string[] = [];
  const machine = {
    files: new Files(APPLET_PATHS),
    environment: { PATH: '/bin' },
    workingDirectory: '/',
    uid: 0,
    now: () => clock.now(),
    sleep: (ms: number) => new Promise<void>((done) => clock.after(ms, done)),
    log: () => undefined,
    listeners: new Map([[80, (path: string) => ({ status: Number(asked.push(path)) && status, body: '' })]]),
  } as unknown as Machine;
  const pod = { spec: { containers: [{ name: 'app', ports: [{ name: 'http', containerPort: 80 }] }] } } as never;
  const target = { machine, machines: [machine], pod, podIP: '10.244.0.2' };
  return { clock, machine, target, asked };
}

for (const [status, isGood] of [
  [199, false],
  [200, true],
  [399, true],
  [400, false],
  [500, false],
] as const)
  probes(`HTTP status ${status} is ${isGood ? 'good' : 'bad'}`, async () =>
    assert.equal(await ask(aMachine(status).target, { httpGet: { port: 80 } }), {
      isGood,
      output: isGood ? '' : `HTTP probe failed with statuscode: ${status}`,
    }),
  );

for (const [what, handler, output] of [
  [
    'another port',
    { httpGet: { port: 81, path: 'health' } },
    'Get "http://10.244.0.2:81/health": dial tcp 10.244.0.2:81: connect: connection refused',
  ],
  [
    'another port, by TLS',
    { httpGet: { port: 81, scheme: 'HTTPS' } },
    'Get "https://10.244.0.2:81/": dial tcp 10.244.0.2:81: connect: connection refused',
  ],
  [
    'another host',
    { httpGet: { port: 80, host: '10.0.0.9' } },
    'Get "http://10.0.0.9:80/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
  ],
  ['the port that has the name', { httpGet: { port: 'http' } }, undefined],
  ['a port as text', { httpGet: { port: '80' } }, undefined],
  [
    'a name that no port has',
    { httpGet: { port: 'web' } },
    'Get "http://10.244.0.2:0/": dial tcp 10.244.0.2:0: connect: connection refused',
  ],
  ['loopback', { httpGet: { port: 80, host: '127.0.0.1' } }, undefined],
  ['localhost', { httpGet: { port: 80, host: 'localhost' } }, undefined],
  ['an open port', { tcpSocket: { port: 80 } }, undefined],
  ['a closed port', { tcpSocket: { port: 81 } }, 'dial tcp 10.244.0.2:81: connect: connection refused'],
  [
    'gRPC, which nothing here speaks',
    { grpc: { port: 80 } },
    'timeout: failed to connect service "10.244.0.2:80" within 1s: connection refused',
  ],
  ['a command that succeeds', { exec: { command: ['true'] } }, undefined],
  ['a command that fails', { exec: { command: ['sh', '-c', 'echo no; exit 3'] } }, 'no\n'],
] as const)
  probes(`asks ${what}`, async () => {
    const { isGood, output: said } = await ask(aMachine().target, handler);
    assert.equal([isGood, isGood ? undefined : said], [output === undefined, output]);
  });

probes('the path is asked as it is written', async () => {
  const { target, asked } = aMachine();
  await ask(target, { httpGet: { port: 80 } });
  await ask(target, { httpGet: { port: 80, path: '/a?b=c' } });
  assert.equal(asked, ['/', '/a?b=c']);
});

probes('a command may take its time-out, and no longer', async () => {
  const { target, clock } = aMachine();
  const late = ask(target, { exec: { command: ['sleep', '3'] }, timeoutSeconds: 2 });
  const timely = ask(target, { exec: { command: ['sleep', '1'] }, timeoutSeconds: 2 });
  await clock.advance(5000);
  assert.equal(await late, { isGood: false, output: 'command timed out: "sleep 3" timed out after 2s' });
  assert.is((await timely).isGood, true);
  const usual = ask(target, { exec: { command: ['sleep', '3'] } });
  await clock.advance(5000);
  assert.match((await usual).output, 'timed out after 1s');
});

probes('a hook that sleeps is good after that time', async () => {
  const { target, clock } = aMachine();
  let done = false;
  void ask(target, { sleep: { seconds: 3 } }).then(({ isGood }) => (done = isGood));
  await clock.advance(2999);
  assert.is(done, false);
  await clock.advance(1);
  assert.is(done, true);
});

/** At which second what happened, with answers in turn (the last one repeats). */
async function timeline(probe: Loose, answers: boolean[], seconds: number): Promise<string[]> {
  const { target, clock, machine } = aMachine();
  const seen: string[] = [];
  const start = clock.now().getTime();
  const say = (what: string) => seen.push(`${(clock.now().getTime() - start) / 1000} ${what}`);
  let turnOf = 0;
  machine.listeners.set(80, () => ({ status: answers[Math.min(turnOf++, answers.length - 1)] ? 200 : 500, body: '' }));
  void probeLoop({
    target,
    probe: { httpGet: { port: 80 }, ...probe },
    isWanted: () => true,
    onFailure: () => say('failure'),
    onVerdict: (isGood) => say(isGood ? 'good' : 'bad'),
  });
  await clock.advance(seconds * 1000);
  return seen;
}
const [Y, N] = [true, false];
for (const [what, probe, answers, seconds, expected] of [
  ['the first good answer counts at once', {}, [Y], 5, ['0 good']],
  ['it is asked every ten seconds', {}, [Y], 25, ['0 good', '10 good', '20 good']],
  ['three bad answers count', {}, [N], 25, ['0 failure', '10 failure', '20 failure', '20 bad']],
  ['it waits before the first question', { initialDelaySeconds: 7, periodSeconds: 5 }, [Y], 13, ['7 good', '12 good']],
  ['one bad answer counts if one is enough', { failureThreshold: 1 }, [N], 5, ['0 failure', '0 bad']],
  [
    'a good answer between begins the count anew',
    { failureThreshold: 2, periodSeconds: 1 },
    [N, Y, N, N],
    3,
    ['0 failure', '1 good', '2 failure', '3 failure', '3 bad'],
  ],
  ['several good answers in turn may be needed', { successThreshold: 2, periodSeconds: 1 }, [Y, N, Y, Y], 3, ['1 failure', '3 good']],
] as const)
  probes(what, async () => assert.equal(await timeline(probe, [...answers], seconds), expected));

/** What a container with these probes is told, with probes of `web` that always answer so. */
async function started(spec: Loose, status: number): Promise<string[]> {
  const { target, clock } = aMachine(status);
  const seen: string[] = [];
  let isRunning = true;
  startProbes({
    spec: { name: 'app', ...spec },
    target,
    isRunning: () => isRunning,
    onFailure: (message) => seen.push(message),
    onStarted: () => seen.push('started'),
    onReady: (isReady) => seen.push(isReady ? 'ready' : 'unready'),
    onDead: (message, grace) => seen.push(`${message} ${grace}`),
  });
  await turn();
  const first = [...seen];
  await clock.advance(25_000);
  isRunning = false;
  const count = seen.length;
  await clock.advance(60_000);
  assert.is(seen.length, count, 'nothing is asked after the run');
  return first.length > 0 && seen.length === first.length ? first : seen;
}
const WEB = { httpGet: { port: 80 } };
const BAD = 'probe failed: HTTP probe failed with statuscode: 500';
probes('a container without a startup probe is asked at once', async () => {
  assert.equal(await started({ readinessProbe: { ...WEB, periodSeconds: 60 } }, 200), ['ready']);
  assert.equal(await started({ readinessProbe: { ...WEB, failureThreshold: 1, periodSeconds: 60 } }, 500), [`Readiness ${BAD}`, 'unready']);
  assert.equal(await started({ livenessProbe: { ...WEB, failureThreshold: 1, terminationGracePeriodSeconds: 5 } }, 500), [
    `Liveness ${BAD}`,
    'Container app failed liveness probe, will be restarted 5',
  ]);
  assert.equal(await started({ livenessProbe: WEB }, 200), []);
});

probes('the other probes wait for the startup probe', async () => {
  const spec = { startupProbe: WEB, readinessProbe: { ...WEB, periodSeconds: 60 } };
  assert.equal(await started(spec, 200), ['started', 'ready']);
  assert.equal(await started({ ...spec, startupProbe: { ...WEB, failureThreshold: 2 } }, 500), [
    `Startup ${BAD}`,
    `Startup ${BAD}`,
    'Container app failed startup probe, will be restarted undefined',
  ]);
});

probes('the message of a hook that failed', () => {
  assert.is(
    hookMessage({ exec: { command: ['sh', '-c', 'no'] } }, { isGood: false, output: 'a "b"\n' }, 'Container "app"'),
    'Exec lifecycle hook ([sh -c no]) for Container "app" failed - error: command \'sh -c no\' exited with 1: a "b"\n, message: "a \\"b\\"\\n"',
  );
  assert.is(
    hookMessage({ httpGet: { path: '/x' } }, { isGood: false, output: 'refused' }, 'Container "app"'),
    'Http lifecycle hook (/x) for Container "app" failed - error: refused, message: ""',
  );
});

const files = new Files(['/bin/sh', '/opt/run']);
files.write('/opt-text', 'x', { uid: 0 });
for (const [argv, path, fault] of [
  [['sh'], '/bin', undefined],
  [['sh'], '/usr/bin:/bin', undefined],
  [['sh'], '/usr/bin', 'exec: "sh": executable file not found in $PATH'],
  [['/bin/sh'], '', undefined],
  [['/bin/../bin/sh'], '', undefined],
  [['/nothing'], '/bin', 'exec: "/nothing": stat /nothing: no such file or directory'],
  [['/bin'], '/bin', 'exec: "/bin": is a directory'],
  [['/opt-text'], '/bin', 'exec: "/opt-text": permission denied'],
  [['/opt/run', 'x'], '/bin', undefined],
] as const)
  probes(`the program ${argv[0]} with PATH ${path || 'empty'} ${fault ? 'does not start' : 'starts'}`, () =>
    assert.is(startFault(files, [...argv], path), fault),
  );

probes.run();
