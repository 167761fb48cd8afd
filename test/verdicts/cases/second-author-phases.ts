import { asks, pod, sh, type VerdictCase } from '../case.ts';

// Starts, pulls, jobs, probes and troubles around them. Their author did not write the rules of the verdict.

const RUNS = 'while true; do sleep 1; done';
const crash = sh('sleep 5; exit 1');
const STATE = { volumeMounts: [{ name: 'state', mountPath: '/state' }] };
const KEPT = { volumes: [{ name: 'state', emptyDir: {} }] };
const never = { restartPolicy: 'Never' } as const;
const onFailure = { restartPolicy: 'OnFailure' } as const;
const postStart = (script: string): object => ({ lifecycle: { postStart: { exec: { command: ['sh', '-c', script] } } } });

export const CASES: VerdictCase[] = [
  {
    name: 'a postStart hook that failed passes',
    class: 'hooks',
    truth: 'Fixed',
    why: 'The hook was the only fault.',
    source: pod(sh(RUNS, postStart('exit 1'))),
    corrected: pod(sh(RUNS, postStart('true'))),
  },
  {
    name: 'a postStart hook fails in another way',
    class: 'hooks',
    truth: 'StillFailing',
    why: 'The kubelet kills the container each time its hook fails.',
    source: pod(sh(RUNS, postStart('exit 1'))),
    corrected: pod(sh(RUNS, postStart('sleep 2; exit 7'))),
  },
  {
    name: 'a postStart hook takes 20 s and passes',
    class: 'hooks',
    truth: 'Fixed',
    why: 'A slow hook delays the start and nothing else.',
    source: pod(crash),
    corrected: pod(sh(RUNS, postStart('sleep 20'))),
  },
  {
    name: 'a startup probe passes after 50 s',
    needsLongMirror: true,
    class: 'starts',
    truth: 'Fixed',
    why: 'The start is slow and within its budget of 100 s.',
    source: pod(crash),
    corrected: pod(sh(`sleep 50; touch /tmp/up; ${RUNS}`, { startupProbe: asks('test -e /tmp/up', { failureThreshold: 20 }) })),
  },
  {
    name: 'a startup probe gives up before the server is there',
    class: 'starts',
    truth: 'StillFailing',
    why: 'The server needs 40 s and the probe allows 25 s.',
    source: pod(crash),
    corrected: pod(sh(`sleep 40; touch /tmp/up; ${RUNS}`, { startupProbe: asks('test -e /tmp/up', { failureThreshold: 5 }) })),
  },
  {
    name: 'a server looks for its settings after 45 s and ends',
    class: 'starts',
    truth: 'StillFailing',
    why: 'The missing setting is only met later.',
    source: pod(crash),
    corrected: pod(sh('sleep 45; exit 2')),
  },
  {
    name: 'the image needs 75 s to be pulled',
    class: 'pulls',
    truth: 'Fixed',
    why: 'A slow registry is no failure, and the server runs on.',
    source: pod(crash),
    corrected: pod(sh(RUNS)),
    pulls: [{ seconds: 75 }],
    on: 'sandbox',
  },
  {
    name: 'two pulls fail and the third succeeds',
    class: 'pulls',
    truth: 'Fixed',
    why: 'The registry was away for a moment.',
    source: pod(crash),
    corrected: pod(sh(RUNS)),
    pulls: [
      { seconds: 2, error: 'failed to do request: dial tcp: i/o timeout' },
      { seconds: 2, error: 'failed to do request: dial tcp: i/o timeout' },
      { seconds: 2 },
    ],
    on: 'sandbox',
  },
  {
    name: 'a tag that does not exist is replaced by another one that does not',
    class: 'pulls',
    truth: 'StillFailing',
    why: 'Neither tag is in the registry.',
    source: pod(sh(RUNS, { image: 'busybox:no-such-tag' })),
    corrected: pod(sh(RUNS, { image: 'busybox:nor-this-one' })),
  },
  {
    name: 'a tag that does not exist is replaced by the right one',
    class: 'pulls',
    truth: 'Fixed',
    why: 'The image is there and the server runs on.',
    source: pod(sh(RUNS, { image: 'busybox:no-such-tag' })),
    corrected: pod(sh(RUNS)),
  },
  {
    name: 'the right tag crashes 40 s after its first start ever',
    class: 'pulls',
    truth: 'StillFailing',
    why: 'The image was one fault and the program has another.',
    source: pod(sh('sleep 40; exit 1', { image: 'busybox:no-such-tag' })),
    corrected: pod(sh('sleep 40; exit 1')),
  },
  {
    name: 'an init container needs 60 s',
    needsLongMirror: true,
    class: 'init',
    truth: 'Fixed',
    why: 'A long preparation is no failure.',
    source: pod(crash),
    corrected: pod(sh(RUNS), { initContainers: [sh('sleep 60', { name: 'prepare' })] }),
  },
  {
    name: 'an init container fails each time',
    class: 'init',
    truth: 'StillFailing',
    why: 'The server is never started.',
    source: pod(sh(RUNS), { initContainers: [sh('sleep 2; exit 1', { name: 'prepare' })] }),
    corrected: pod(sh(RUNS), { initContainers: [sh('sleep 6; exit 1', { name: 'prepare' })] }),
  },
  {
    name: 'an init container fails once and then passes',
    class: 'init',
    truth: 'Fixed',
    why: 'The second attempt prepares everything.',
    source: pod(sh(RUNS), { initContainers: [sh('exit 1', { name: 'prepare' })] }),
    corrected: pod(sh(RUNS, STATE), {
      ...KEPT,
      initContainers: [sh('test -e /state/once || { touch /state/once; exit 1; }', { name: 'prepare', ...STATE })],
    }),
  },
  {
    name: 'two init containers pass and the server crashes',
    class: 'init',
    truth: 'StillFailing',
    why: 'The preparation only delays the crash.',
    source: pod(crash),
    corrected: pod(crash, { initContainers: [sh('sleep 20', { name: 'one' }), sh('sleep 20', { name: 'two' })] }),
  },
  {
    name: 'work under Never ends with 0 after 10 s',
    class: 'jobs',
    truth: 'Fixed',
    why: 'The work is done.',
    source: pod(sh('sleep 3; exit 1'), never),
    corrected: pod(sh('sleep 10'), never),
  },
  {
    name: 'work under Never fails after 60 s instead of 3 s',
    class: 'jobs',
    truth: 'StillFailing',
    why: 'The work fails, only later.',
    source: pod(sh('sleep 3; exit 1'), never),
    corrected: pod(sh('sleep 60; exit 3'), never),
  },
  {
    name: 'work under OnFailure succeeds at its third attempt',
    class: 'jobs',
    truth: 'Fixed',
    why: 'It ends with 0 within the usual six retries.',
    source: pod(sh('sleep 3; exit 1'), onFailure),
    corrected: pod(
      sh('test -e /state/two && exit 0; test -e /state/one && { touch /state/two; exit 1; }; touch /state/one; exit 1', STATE),
      { ...KEPT, ...onFailure },
    ),
  },
  {
    name: 'work needs longer than its mirror may live',
    class: 'jobs',
    truth: 'Inconclusive',
    why: 'The mirror ends before the work does.',
    source: pod(sh('sleep 3; exit 1'), never),
    corrected: pod(sh('sleep 90'), never),
    ttlSeconds: 60,
  },
  {
    name: 'work ends with 0 at once',
    class: 'jobs',
    truth: 'Fixed',
    why: 'Nothing was left to do.',
    source: pod(sh('exit 1'), never),
    corrected: pod(sh('exit 0'), never),
  },
  {
    name: 'a liveness probe passes for 29 s and then never',
    class: 'probes',
    truth: 'StillFailing',
    why: 'The kubelet kills the container each time.',
    source: pod(crash),
    corrected: pod(
      sh(`touch /tmp/alive; sleep 29; rm /tmp/alive; ${RUNS}`, { livenessProbe: asks('test -e /tmp/alive', { failureThreshold: 1 }) }),
    ),
  },
  {
    name: 'a liveness probe stops passing after 60 s',
    needsLongMirror: true,
    class: 'probes',
    truth: 'StillFailing',
    why: 'The kubelet kills the container some 90 s after its start.',
    source: pod(crash),
    corrected: pod(
      sh(`touch /tmp/alive; sleep 60; rm /tmp/alive; ${RUNS}`, { livenessProbe: asks('test -e /tmp/alive', { periodSeconds: 10 }) }),
    ),
  },
  {
    name: 'a liveness probe fails now and then and never three times in a row',
    class: 'probes',
    truth: 'Fixed',
    why: 'The threshold is never reached and nothing is killed.',
    source: pod(crash),
    corrected: pod(
      sh('while true; do touch /tmp/alive; sleep 16; rm /tmp/alive; sleep 4; done', {
        livenessProbe: asks('test -e /tmp/alive', { failureThreshold: 3 }),
      }),
    ),
  },
  {
    name: 'a liveness probe that asked the wrong file asks the right one',
    class: 'probes',
    truth: 'Fixed',
    why: 'The server was well, only its probe was wrong.',
    source: pod(sh(`touch /tmp/alive; ${RUNS}`, { livenessProbe: asks('test -e /tmp/wrong', { failureThreshold: 2 }) })),
    corrected: pod(sh(`touch /tmp/alive; ${RUNS}`, { livenessProbe: asks('test -e /tmp/alive', { failureThreshold: 2 }) })),
    sourceSeconds: 30,
  },
  {
    name: 'memory grows by 1 MB a second under twice the limit',
    class: 'memory',
    truth: 'StillFailing',
    why: 'A leak reaches every limit.',
    source: pod(leaking('32Mi')),
    corrected: pod(leaking('64Mi')),
    sourceSeconds: 60,
    on: 'node',
  },
  {
    name: 'memory grows to 20 MB and stays there under 128 MiB',
    class: 'memory',
    truth: 'Fixed',
    why: 'What the program needs fits under the new limit.',
    source: pod(settling('32Mi')),
    corrected: pod(settling('128Mi')),
    sourceSeconds: 30,
    on: 'node',
  },
  {
    name: 'the clock jumps a minute ahead before a late crash',
    class: 'clock',
    truth: 'StillFailing',
    why: 'The crash at 45 s comes whatever the clock says.',
    source: pod(crash),
    corrected: pod(sh('sleep 45; exit 1')),
    jump: { atSeconds: 10, bySeconds: 60 },
    on: 'sandbox',
  },
  {
    name: 'the clock jumps half a minute back under a good server',
    class: 'clock',
    truth: 'Fixed',
    why: 'The server never ends.',
    source: pod(crash),
    corrected: pod(sh(RUNS)),
    jump: { atSeconds: 20, bySeconds: -30 },
    on: 'sandbox',
  },
  {
    name: 'the operator is away while a server crashes twice',
    class: 'load',
    truth: 'StillFailing',
    why: 'The restarts stand in the status when it is back.',
    source: pod(crash),
    corrected: pod(sh('sleep 20; exit 1')),
    away: { fromSeconds: 10, toSeconds: 90 },
    on: 'sandbox',
  },
  {
    name: 'the operator is away while a good server starts',
    class: 'load',
    truth: 'Fixed',
    why: 'The server runs on while nobody looks.',
    source: pod(crash),
    corrected: pod(sh(RUNS)),
    away: { fromSeconds: 5, toSeconds: 80 },
    on: 'sandbox',
  },
];

/** Allocates 1 MB more each second. */
function leaking(memory: string) {
  return sh('x=; while true; do x=$x$(head -c 1000000 /dev/zero | tr "\\0" a); sleep 1; done', { resources: { limits: { memory } } });
}

/** Allocates 20 MB and no more. The shell needs up to three times as much while it reads. */
function settling(memory: string) {
  return sh(`x=$(head -c 20000000 /dev/zero | tr "\\0" a); ${RUNS}`, { resources: { limits: { memory } } });
}
