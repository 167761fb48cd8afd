import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { crash } from '../../../src/diagnosis/rules/crash.ts';
import type { ContainerEvidence } from '../../../src/contract/failure.ts';
import { anInput, type CaseParts, crashed } from '../../support/builders/cases.ts';
import { tells, type Told, told } from '../../support/builders/told-by-rule.ts';

const crashes = suite('programs that end');

/** The answer for the container `app` that exited with this code and logged these lines. */
const ended = (exitCode: number, logs = '', { app = {}, spec = {}, ...more }: Pod = {}) =>
  crash.answer(anInput(app, spec, { status: crashed(exitCode), ...(logs ? { logs: `==> app (previous) <==\n${logs}\n` } : {}), ...more }));

interface Pod extends CaseParts {
  app?: object;
  spec?: object;
}

const CODES: [exitCode: number, meaning: string, advice: string][] = [
  [1, 'the program ended with a general error', 'The log of its last run says why'],
  [2, 'a shell command was used wrongly, or a Go program panicked', 'Check the arguments'],
  [42, 'the program ended with its own error code', 'Its documentation and the log'],
  [125, 'the container could not be run', 'Check the command and its options'],
  [126, 'the command exists but is not executable', 'Make the file executable'],
  [127, 'the shell did not find a command', 'Correct the name'],
  [128, 'the process could not be started, or it ended with an invalid code', "Read the runtime's message"],
  [129, 'it was ended by signal 1', 'The events of that time may show who sent it.'],
  [132, 'it was killed by SIGILL', 'Use a build for the processors of the nodes'],
  [134, 'it aborted itself (SIGABRT)', 'An assertion failed or the runtime gave up'],
  [135, 'it was killed by SIGBUS, often because `/dev/shm` (64 MiB) is full', 'Give it more shared memory'],
  [136, 'it was killed by SIGFPE, a division by zero', 'The program itself fails'],
  [137, 'it was killed (SIGKILL), most often from outside', 'Look for `OOMKilled`, `Unhealthy` or `Killing` among the events'],
  [139, 'it was killed by SIGSEGV', 'The program or a library has a bug'],
  [143, 'it was asked to end (SIGTERM)', 'Something stopped it: a probe, a deletion, a node that is drained'],
  [159, 'it was ended by signal 31', 'The events of that time may show who sent it.'],
  [160, 'the program ended with its own error code', 'Its documentation and the log'],
  [255, 'it ended with a code out of range', 'Its log says why'],
];
for (const [exitCode, meaning, advice] of CODES)
  crashes(`exit code ${exitCode}`, () => {
    const { summary, advice: lines } = told(ended(exitCode))!;
    assert.ok(summary.startsWith(`Container \`app\` keeps ending with exit code ${exitCode}: ${meaning}`), summary);
    assert.ok(lines[0]?.startsWith(advice), lines[0]);
  });

const ALSO = { name: 'proxy', kind: 'app' as const, ready: false };
const RUNNING = { ...ALSO, state: 'running' as const };
const OTHER = { ...ALSO, state: 'terminated' as const, exit_code: 3 };
const APP = { name: 'app', kind: 'app' as const, ready: false, restart_count: 1, ...crashed(0) };
const LIST = '  - DATABASE_URL is not set\n  - CACHE_URL is not set';
const typos = (...names: string[]) => ({ app: { env: names.map((name) => ({ name, value: 'x://y' })) } });
const two = (statuses: ContainerEvidence[]) => ({
  container_statuses: statuses,
  spec: {
    containers: [
      { name: 'app', image: 'web:1' },
      { name: 'proxy', image: 'proxy:1' },
    ],
  },
});
const SH = ['sh', '-c'];
const probes = { livenessProbe: { httpGet: { port: 80 } } };
const STARTUP = { httpGet: { port: 80 }, periodSeconds: 10, failureThreshold: 30 };
const TERM = 'Received SIGTERM, shutting down';

const ROWS: [sentence: string, answer: ReturnType<typeof crash.answer>, expected: Partial<Told> | undefined][] = [
  // Who crashed.
  [
    'no log',
    ended(1),
    {
      summary: 'Container `app` keeps ending with exit code 1: the program ended with a general error.',
      culprit: 'exit code 1',
      evidence: ['status of container app: terminated: Error, exit code 1, restarted 3 times'],
      advice: [
        'The log of its last run says why. The first error there is usually the cause.',
        'No line of its log is known. If it logs nothing, run it by hand (`kubectl debug`, or `command: [sleep, "3600"]`) and see what it does.',
      ],
      commands: ['kubectl logs web -c app --previous --tail=100 -n shop'],
      corrections: [],
      why: 'The program itself ends, and nothing points at a field of the manifest.',
      look: 'the log around its end, and what changed in the image or its configuration since it last worked',
      isOpen: true,
    },
  ],
  [
    'no run and no log, but the reason is a crash loop',
    crash.answer(anInput()),
    {
      summary: 'Container `app` keeps ending.',
      culprit: null,
      evidence: [],
      advice: [
        'Read the log of the last run.',
        'No line of its log is known. If it logs nothing, run it by hand (`kubectl debug`, or `command: [sleep, "3600"]`) and see what it does.',
      ],
    },
  ],
  [
    'no run and no log, but the reason is an error',
    crash.answer(anInput({}, {}, { failure_reason: 'Error' })),
    { summary: 'Container `app` ended.' },
  ],
  ['no run and no log, and another reason', crash.answer(anInput({}, {}, { failure_reason: 'OOMKilled' })), undefined],
  [
    'an error without a restart',
    ended(1, '', { failure_reason: 'Error', status: { state: 'terminated', exit_code: 1, restart_count: 0 } }),
    {
      summary: 'Container `app` ended with exit code 1: the program ended with a general error.',
      evidence: ['status of container app: terminated: Error, exit code 1'],
    },
  ],
  [
    'an error after restarts',
    ended(1, '', { failure_reason: 'Error', status: { state: 'terminated', exit_code: 1, restart_count: 1 } }),
    {
      summary: 'Container `app` keeps ending with exit code 1: the program ended with a general error.',
      evidence: ['status of container app: terminated: Error, exit code 1, restarted 1 time'],
    },
  ],
  [
    'another container',
    ended(1, '', { failure_reason: 'Error', container_statuses: [OTHER] }),
    { summary: 'Container `app` ended.', culprit: null },
  ],
  [
    'no container is named: the one that failed',
    ended(1, '', { container: null, container_statuses: [APP, OTHER] }),
    {
      summary: 'The pod `web` keeps ending with exit code 3: the program ended with its own error code.',
      culprit: 'exit code 3',
    },
  ],
  ['a workload', ended(1, '', { resource_kind: 'Deployment' }), { commands: [] }],
  // What the log says.
  [
    'a line of the log',
    ended(1, 'FATAL: plan LITE unsupported'),
    {
      summary: 'Container `app` keeps ending with exit code 1, because it logs `FATAL: plan LITE unsupported`.',
      culprit: 'plan LITE unsupported',
      evidence: [
        'log of app (previous): FATAL: plan LITE unsupported',
        'status of container app: terminated: Error, exit code 1, restarted 3 times',
      ],
      advice: [
        'Look for what this error names: in the variables and arguments of the container, in its mounted files, or at the server that it calls.',
      ],
      commands: ['kubectl logs web -c app --previous --tail=100 -n shop'],
      corrections: [],
      why: 'The cause lies outside of what the manifest shows: it logs `FATAL: plan LITE unsupported`.',
      look: 'the log around this line, and what changed in the image or its configuration',
      isOpen: true,
    },
  ],
  [
    'a line that names a variable',
    ended(1, 'Error: A_B is not set'),
    {
      summary: 'Container `app` keeps ending with exit code 1, because the variable `A_B` is not set.',
      culprit: 'A_B',
      advice: ["Set `A_B` in the container's `env`, or load it with `envFrom` from the ConfigMap or Secret that has it."],
      corrections: [],
      look: "where `A_B` should come from: the container's `env` and `envFrom`, and the ConfigMaps and Secrets they name",
    },
  ],
  [
    'a log without a cause',
    ended(3, 'starting\nbye'),
    {
      summary: 'Container `app` keeps ending with exit code 3: the program ended with its own error code; its last log line is `bye`.',
      culprit: 'bye',
      evidence: ['log of app (previous), last line: bye', 'status of container app: terminated: Error, exit code 3, restarted 3 times'],
      advice: ['Its documentation and the log of its last run say what the code means.'],
      corrections: [],
    },
  ],
  [
    'an index of a Job',
    ended(1, 'FATAL: plan LITE unsupported', { labels: { 'batch.kubernetes.io/job-completion-index': '4' } }),
    { culprit: 'plan LITE unsupported (index 4 of the Job)' },
  ],
  [
    'an open end',
    ended(1, 'dial tcp 10.0.0.9:5432: connect: connection refused'),
    {
      culprit: '10.0.0.9:5432',
      why: 'The cause lies outside of what the manifest shows: nothing answers at `10.0.0.9:5432`.',
      look: "`10.0.0.9:5432`: its pods, its Service's port and endpoints, and the variable that names it",
      isOpen: true,
    },
  ],
  // Exit code 0.
  [
    'an end without an error',
    ended(0),
    {
      summary: 'Container `app` ends by itself with exit code 0 and is started again and again.',
      culprit: 'exit code 0',
      evidence: ['status of container app: terminated: Error, exit code 0, restarted 3 times'],
      advice: [
        'A container of a Deployment must not end. Start the program in the foreground, or run it as a Job.',
        'For Kubernetes a server that goes into the background has ended. Use its foreground option (`nginx -g "daemon off;"`, `--nodaemon`).',
      ],
      commands: ['kubectl logs web -c app --previous --tail=100 -n shop'],
      corrections: [['likely', 'Restart it only when it fails', { 'spec.restartPolicy': 'OnFailure' }]],
      why: 'The program ends as it is meant to. Only its author knows what should run instead.',
      look: "the image's entrypoint, and whether this work should be a Job",
      isOpen: true,
    },
  ],
  [
    'an end with 0 and an error',
    ended(0, 'FATAL: plan LITE unsupported'),
    {
      summary: 'Container `app` keeps ending with exit code 0, because it logs `FATAL: plan LITE unsupported`.',
      culprit: 'plan LITE unsupported',
    },
  ],
  [
    'an end with 0 and a line that is no error',
    ended(0, 'copied, 3 files missing'),
    {
      summary: 'Container `app` ends by itself with exit code 0 and is started again and again.',
      culprit: 'exit code 0',
      evidence: [
        'status of container app: terminated: Error, exit code 0, restarted 3 times',
        'log of app (previous): copied, 3 files missing',
      ],
    },
  ],
  [
    'an end with 0 and a warning',
    ended(0, 'WARN: connection refused at redis:6379'),
    { summary: 'Container `app` ends by itself with exit code 0 and is started again and again.', culprit: 'exit code 0' },
  ],
  [
    'an end with 0 and an error of a server in the background',
    ended(0, 'FATAL: plan LITE unsupported', { app: { args: ['--daemonize'] } }),
    {
      summary:
        'Container `app` ends by itself with exit code 0 and is started again and again: `--daemonize` runs it in the background, and the container ends with its first process.',
      culprit: 'option --daemonize',
    },
  ],
  [
    'an end with 0 and a cause that is no general one',
    ended(0, 'A_B is not set'),
    { summary: 'Container `app` keeps ending with exit code 0, because the variable `A_B` is not set.', culprit: 'A_B' },
  ],
  [
    'a server in the background',
    ended(0, '', { app: { command: ['web', '--daemon=yes'] } }),
    {
      summary:
        'Container `app` ends by itself with exit code 0 and is started again and again: `--daemon=yes` runs it in the background, and the container ends with its first process.',
      culprit: 'option --daemon=yes',
      corrections: [
        ['likely', 'Remove the option `--daemon=yes`', { command: ['web'] }],
        ['guess', "Run the image's own entrypoint", { command: null }],
      ],
    },
  ],
  [
    'a shell without a terminal',
    ended(0, '', { app: { command: ['/bin/bash'] } }),
    {
      summary: 'Container `app` ends by itself with exit code 0 and is started again and again: a shell without a terminal ends at once.',
      culprit: 'command /bin/bash',
      corrections: [
        ['guess', 'Let it wait', { command: ['sleep', 'infinity'] }],
        ['guess', "Run the image's own entrypoint", { command: null }],
      ],
    },
  ],
  [
    'a shell with a script',
    ended(0, '', { app: { command: [...SH, 'date; date'] } }),
    {
      summary: 'Container `app` ends by itself with exit code 0 and is started again and again.',
      culprit: 'exit code 0',
      corrections: [['likely', 'Restart it only when it fails', { 'spec.restartPolicy': 'OnFailure' }]],
    },
  ],
  [
    'a script of several words',
    ended(0, '', { app: { command: [...SH, 'sleep', '3600'] } }),
    {
      summary:
        'Container `app` ends by itself with exit code 0 and is started again and again: `-c` takes only `sleep` as its script, and not the words behind it.',
      culprit: 'command sh -c sleep',
      corrections: [
        ['likely', 'Give the shell its whole script as one word', { command: ['sh', '-c', 'sleep 3600'] }],
        ['guess', "Run the image's own entrypoint", { command: null }],
      ],
    },
  ],
  [
    'a script of several words among the arguments',
    ended(0, '', { app: { command: SH, args: ['sleep', '3600'] } }),
    {
      summary:
        'Container `app` ends by itself with exit code 0 and is started again and again: `-c` takes only `sleep` as its script, and not the words behind it.',
      culprit: 'command sh -c sleep',
      corrections: [
        ['likely', 'Give the shell its whole script as one word', { args: ['sleep 3600'] }],
        ['guess', "Run the image's own entrypoint", { command: null, args: null }],
      ],
    },
  ],
  ['a script with an argument', ended(0, '', { app: { command: [...SH, 'echo $0', 'x'] } }), { culprit: 'exit code 0' }],
  ['no shell', ended(0, '', { app: { command: ['run', '-c', 'sleep', '3600'] } }), { culprit: 'exit code 0' }],
  ['another option of the shell', ended(0, '', { app: { command: ['sh', '-x', 'sleep', '3600'] } }), { culprit: 'exit code 0' }],
  ['a pod of a workload', ended(0, '', { workload: { kind: 'Deployment', name: 'web' } }), { corrections: [] }],
  [
    'a workload itself',
    crash.answer(
      anInput(
        {},
        {},
        {
          status: crashed(0),
          manifest: { kind: 'Deployment', metadata: {}, spec: { template: { spec: { containers: [{ name: 'app', image: 'web:1' }] } } } },
        },
      ),
    ),
    { corrections: [] },
  ],
  [
    'beside a server',
    ended(0, '', two([APP, RUNNING])),
    {
      corrections: [
        ['likely', 'Restart it only when it fails', { 'spec.restartPolicy': 'OnFailure' }],
        [
          'guess',
          'Run `app` before the others',
          {
            'spec.containers': [{ name: 'proxy', image: 'proxy:1' }],
            'spec.initContainers': [{ name: 'app', image: 'web:1' }],
          },
        ],
      ],
    },
  ],
  [
    'beside a server that does not run',
    ended(0, '', two([APP, { ...ALSO, state: 'waiting' }])),
    {
      corrections: [['likely', 'Restart it only when it fails', { 'spec.restartPolicy': 'OnFailure' }]],
    },
  ],
  [
    'beside a sidecar',
    ended(0, '', two([APP, { ...RUNNING, kind: 'sidecar' }])),
    {
      corrections: [['likely', 'Restart it only when it fails', { 'spec.restartPolicy': 'OnFailure' }]],
    },
  ],
  [
    'a sidecar',
    ended(0, '', {
      container: 'copy',
      spec: { initContainers: [{ name: 'copy', image: 'web:1', restartPolicy: 'Always' }] },
      container_statuses: [{ ...APP, name: 'copy', kind: 'sidecar' }],
    }),
    {
      summary: 'Sidecar `copy` ends by itself with exit code 0 and is started again and again.',
      corrections: [
        ['likely', 'Restart it only when it fails', { 'spec.restartPolicy': 'OnFailure' }],
        ['likely', 'Let it run once, before the others', { 'spec.initContainers[0].restartPolicy': null }],
      ],
    },
  ],
  [
    'an init container',
    ended(0, '', {
      container: 'copy',
      spec: { initContainers: [{ name: 'copy', image: 'web:1' }] },
      container_statuses: [{ ...APP, name: 'copy', kind: 'init' }],
    }),
    {
      summary: 'Init container `copy` ends by itself with exit code 0 and is started again and again.',
      corrections: [['likely', 'Restart it only when it fails', { 'spec.restartPolicy': 'OnFailure' }]],
    },
  ],
  [
    'asked to end',
    ended(0, TERM, { app: probes }),
    {
      summary: 'Container `app` was asked to end (`SIGTERM`) and is started again and again, most often because its liveness probe failed.',
      culprit: 'livenessProbe: SIGTERM',
      evidence: [
        'status of container app: terminated: Error, exit code 0, restarted 3 times',
        'log of app (previous), last line: Received SIGTERM, shutting down',
      ],
      advice: ['Look for `Unhealthy` and `Killing` among the events, and at how long the program takes to start.'],
      commands: ['kubectl logs web -c app --previous --tail=100 -n shop'],
      corrections: [['guess', 'Give it time to start with a startup probe', { startupProbe: STARTUP }]],
      why: 'Only the events say why it was asked to end.',
      look: "the pod's events, and its liveness probe",
      isOpen: true,
    },
  ],
  [
    'asked to end, by its exit code',
    ended(143, 'still starting', { app: probes }),
    {
      summary:
        'Container `app` was asked to end (exit code 143) and is started again and again, most often because its liveness probe failed.',
      culprit: 'livenessProbe: exit code 143',
      corrections: [['guess', 'Give it time to start with a startup probe', { startupProbe: STARTUP }]],
    },
  ],
  ['the same exit code without a probe', ended(143, 'still starting'), { culprit: 'still starting', corrections: [] }],
  [
    'asked to end, on loopback',
    ended(0, `listening on 127.0.0.1:8080\n${TERM}`, { app: { ...probes, args: ['--bind=127.0.0.1:8080'] } }),
    {
      summary:
        'Container `app` was asked to end (`SIGTERM`) and is started again and again: it listens on loopback only, where its liveness probe cannot reach it.',
      culprit: '127.0.0.1: listens on loopback only',
      advice: ['Let it listen on all addresses of the pod.'],
      corrections: [['likely', 'Listen on all addresses', { 'args[0]': '--bind=0.0.0.0:8080' }]],
    },
  ],
  [
    'asked to end, without a probe',
    ended(0, TERM),
    { summary: 'Container `app` ends by itself with exit code 0 and is started again and again.', culprit: 'exit code 0' },
  ],
  // The last line.
  [
    'a proposal of an option',
    ended(3, 'Run with --level=full for this', { app: { args: ['--level=LITE', '--color'] } }),
    {
      summary: 'Container `app` keeps ending with exit code 3, because the program ends with `Run with --level=full for this`.',
      culprit: 'Run with --level=full for this',
      advice: ['Change the settings as the message above asks.'],
      corrections: [['likely', 'Set `--level=full`', { 'args[0]': '--level=full' }]],
      look: "the container's `args`",
    },
  ],
  [
    'a proposal of a value',
    ended(3, 'Accept with LICENSE=yes', { app: { env: [{ name: 'LICENSE', value: 'no' }] } }),
    {
      summary:
        'Container `app` keeps ending with exit code 3, because the program does not take `no` as `LICENSE`, and proposes `Accept with LICENSE=yes`.',
      culprit: 'LICENSE=no: Accept with LICENSE=yes',
      advice: ['Change the settings as the message above asks.'],
      corrections: [['likely', 'Set `LICENSE` to `yes`', { 'env[0].value': 'yes' }]],
      look: "the container's `env`",
    },
  ],
  [
    'nothing is known of the command',
    ended(127, 'bye', { app: { command: ['serve'], args: ['x'] } }),
    {
      corrections: [['guess', "Run the image's own entrypoint", { command: null, args: null }]],
    },
  ],
  [
    'a command that may not be executed',
    ended(126, '', { app: { command: ['serve'] } }),
    {
      corrections: [['guess', "Run the image's own entrypoint", { command: null }]],
    },
  ],
  ['an error with a command', ended(1, '', { app: { command: ['serve'] } }), { corrections: [] }],
  [
    'no shared memory',
    ended(135),
    {
      corrections: [
        [
          'guess',
          'Give it more shared memory',
          {
            'spec.volumes': [{ name: 'shared-memory', emptyDir: { medium: 'Memory', sizeLimit: '256Mi' } }],
            volumeMounts: [{ name: 'shared-memory', mountPath: '/dev/shm' }],
          },
        ],
      ],
    },
  ],
  // Lists of faults.
  [
    'a list of faults that are all answered',
    ended(1, LIST, typos('DATABSE_URL', 'CAHCE_URL')),
    {
      culprit: 'DATABASE_URL',
      corrections: [
        [
          'likely',
          'Rename `DATABSE_URL` to `DATABASE_URL` and rename `CAHCE_URL` to `CACHE_URL`',
          { 'env[0].name': 'DATABASE_URL', 'env[1].name': 'CACHE_URL' },
        ],
      ],
    },
  ],
  [
    'a list of faults that are answered in part',
    ended(1, LIST, typos('DATABSE_URL')),
    {
      culprit: 'DATABASE_URL',
      corrections: [['guess', 'Rename `DATABSE_URL` to `DATABASE_URL`', { 'env[0].name': 'DATABASE_URL' }]],
    },
  ],
  [
    'a list of faults of which one is repeated',
    ended(1, '  - DATABASE_URL is not set\n  - DATABASE_URL is not set', typos('DATABSE_URL')),
    {
      corrections: [['likely', 'Rename `DATABSE_URL` to `DATABASE_URL`', { 'env[0].name': 'DATABASE_URL' }]],
    },
  ],
  [
    'a list with a line that is no fault',
    ended(1, '  - DATABASE_URL is not set\n  - see the manual', typos('DATABSE_URL')),
    {
      corrections: [['likely', 'Rename `DATABSE_URL` to `DATABASE_URL`', { 'env[0].name': 'DATABASE_URL' }]],
    },
  ],
  // How the cause is named.
  ['a name in the line', ended(1, 'ERROR: too many open files'), { culprit: 'too many open files' }],
  ['a name that is not in the line', ended(1, 'accept: too many open files (EMFILE)'), { culprit: 'too many open files' }],
  [
    'a made-up name',
    ended(1, 'FATAL: password authentication failed for user "shop"'),
    { culprit: 'login of shop: password authentication failed for user "shop"' },
  ],
  [
    'a variable that is not in the line',
    ended(1, 'Error: Database is uninitialized and superuser password is not specified'),
    { culprit: 'POSTGRES_PASSWORD (Database is uninitialized and superuser password is not specified)' },
  ],
  ['a line that only begins a list', ended(1, 'FATAL: password authentication failed for user "shop" ['), { culprit: 'login of shop' }],
  ['a setting that the line names otherwise', ended(1, 'error: locale "de_XX" unknown'), { culprit: 'locale "de_XX" unknown' }],
];
for (const [sentence, answer, expected] of ROWS) crashes(sentence, () => tells(answer, expected));

crashes('a correction of one fault names the others', () => {
  const [first] = ended(1, LIST, typos('DATABSE_URL'))?.corrections ?? [];
  assert.ok(first?.explanation.endsWith(' The log also says: `CACHE_URL is not set`.'), first?.explanation);
});

crashes.run();
