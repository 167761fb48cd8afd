import { suite } from 'uvu';
import { processSignatures } from '../../../../src/diagnosis/rules/signatures/processes.ts';
import { guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs say about processes');

const worker = (log: string, more: LogRow[3] = {}): LogRow => [log, log, 'its worker takes too long', { advice: 'take longer', ...more }];
const killed = (log: string, culprit = log): LogRow => [log, culprit, 'memory ran out', { where: 'the memory limit' }];
const unseen = (log: string, culprit: string): LogRow => [
  log,
  culprit,
  `it does not find the process \`${culprit}\``,
  { advice: 'Compare the name', corrections: [] },
];
const first = (log: string): LogRow => [
  log,
  log,
  'the first process of its container: `',
  { advice: 'something in the image starts the program', corrections: [] },
];
const limit = { container: { resources: { limits: { memory: '128Mi' } } } };

logRows(test, processSignatures, {
  'worker-timeout': [
    [
      '[CRITICAL] WORKER TIMEOUT (pid:17)',
      'WORKER TIMEOUT (pid:17)',
      'killed by its own master',
      {
        corrections: guess({ env: [{ name: 'GUNICORN_CMD_ARGS', value: '--timeout=120' }] }),
      },
    ],
    worker('worker=1 PID:99 timeout (61s > 60s), killing', { corrections: [] }),
    worker('HARAKIRI !!! worker 1 (pid: 9)', { corrections: [] }),
  ],
  'child-killed': [
    killed('Worker (pid:12) was sent SIGKILL! Perhaps out of memory?'),
    killed('SIGKILL, perhaps out of memory'),
    killed('child got signal SIGKILL'),
    killed('child received SIGKILL'),
    killed('ended with (SIGKILL)'),
    killed('process killed by SIGKILL'),
    killed('exit status: signal: killed'),
    killed('/run.sh: line 4:    12 Killed                  python train.py'),
    killed('Killed'),
    killed('ELIFECYCLE child ended by signal 9'),
    killed('worker 3 ended, exit code 137'),
    killed('build: exit status 137'),
    killed('Out of memory: Killed process 12 (java)'),
    killed('out of memory: kill 3'),
    killed('runtime: out of memory: cannot allocate 4194304-byte block', 'runtime: out of memory: cannot allocate 4194304-byte block'),
    killed("terminate called after throwing an instance of 'std::bad_alloc'"),
    killed('MemoryError'),
    killed('fork: Cannot allocate memory'),
    killed('Error: spawn ENOMEM', 'spawn ENOMEM'),
    killed('memory allocation of 1048576 bytes failed'),
    [
      'Killed',
      'Killed',
      'memory ran out: `Killed`',
      {
        ...limit,
        corrections: [
          ['likely', { 'resources.limits.memory': '256Mi' }],
          ['guess', { 'resources.limits.memory': '1Gi' }],
        ],
      },
    ],
  ],
  'process-unseen': [
    unseen('no process named nginx', 'nginx'),
    unseen('error: no process with the name nginx', 'nginx'),
    unseen('reload failed: no process matching nginx', 'nginx'),
    unseen('there is no process for nginx', 'nginx'),
    unseen('no process was named "nginx"', 'nginx'),
    unseen('cannot find process nginx', 'nginx'),
    unseen('could not find the process called nginx', 'nginx'),
    unseen("couldn't find any process of nginx", 'nginx'),
    unseen('unable to find running process for nginx', 'nginx'),
    unseen('did not find a process named nginx', 'nginx'),
    unseen('failed to find process `nginx`', 'nginx'),
    unseen("can't find process nginx", 'nginx'),
    unseen('pidof: no process found: nginx', 'nginx'),
    unseen('pkill: no processes found: nginx', 'nginx'),
    unseen('nginx: no process found', 'nginx'),
    unseen('reload: no process found: nginx', 'nginx'),
    unseen('nginx: no process killed', 'nginx'),
    unseen('killall: nginx: no process killed', 'nginx'),
    unseen('process nginx not found', 'nginx'),
    unseen('process "nginx" is not running', 'nginx'),
    unseen('process nginx is not there', 'nginx'),
    unseen('process nginx does not exist', 'nginx'),
    unseen("process 'nginx' doesn't exist", 'nginx'),
    [
      'no process named nginx',
      'nginx',
      'it does not see the process `nginx`, which container `proxy` runs',
      {
        advice: 'A container sees the processes of the others only where the pod shares them',
        spec: {
          containers: [
            { name: 'app', image: 'web:1' },
            { name: 'proxy', image: 'nginx:1' },
          ],
        },
        corrections: guess({ 'spec.shareProcessNamespace': true }),
      },
    ],
  ],
  'first-process': [
    first('s6-overlay-suexec: fatal: can only run as pid 1'),
    first('init must be run as PID1'),
    first('tini: has to run as process 1'),
    first('it needs to be started as pid=1'),
    first('supervisor should be executed as the init process'),
    first('not running as pid 1'),
    first('not PID 1'),
    first('init is not pid 1'),
    [
      'systemd: must be run as PID 1',
      'systemd: must be run as PID 1',
      'and the pod shares its processes',
      {
        spec: { shareProcessNamespace: true, hostPID: true },
        corrections: likely({ 'spec.shareProcessNamespace': null, 'spec.hostPID': null }),
      },
    ],
    [
      'systemd: must be run as PID 1',
      'systemd: must be run as PID 1',
      'first process of its container: `',
      {
        spec: { hostPID: true },
        corrections: likely({ 'spec.hostPID': null }),
        mirrorable: true,
      },
    ],
  ],
});
otherLogs(test, {
  'child-killed': ['mlock: lock memory: Cannot allocate memory', 'Connection Killed', 'signal 91', 'exit code 1370'],
  'process-unseen': ['process nginx does not exist yet', 'no process was found', 'no process is running'],
  'first-process': ['started with pid 12', 'process 15 is here'],
});

test.run();
