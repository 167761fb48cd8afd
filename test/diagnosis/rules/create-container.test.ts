import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { create } from '../../../src/diagnosis/rules/create-container.ts';
import { hook } from '../../../src/diagnosis/rules/hook.ts';
import { anInput, type CaseParts } from '../../support/builders/cases.ts';
import { tells, type Told, told } from '../../support/builders/told-by-rule.ts';

const creates = suite('containers that cannot be created, and hooks that fail');

interface Pod extends CaseParts {
  app?: object;
  spec?: object;
}
const made = (message: string, { app = {}, spec = {}, ...more }: Pod = {}) =>
  create.answer(
    anInput(app, spec, {
      failure_reason: 'CreateContainerError',
      status: { state: 'waiting', reason: 'CreateContainerError', message },
      ...more,
    }),
  );

const NO_COMMAND = 'failed to generate spec: no command specified';
const SUB_PATH = 'failed to create subPath directory for volumeMount "data" of container "app"';
const FIELD = 'container side not found';
const VARIABLE = 'missing value for "POD_NAM"';
const SECCOMP = 'cannot load seccomp profile "/var/lib/kubelet/seccomp/web.json": no such file';
const MEANINGS: [message: string, because: string, advice: string, look: string][] = [
  [NO_COMMAND, 'neither the image nor the pod names a command to run (image `web:1`)', 'Set `command`', "the image's Dockerfile"],
  [
    'The container name "/k8s_app" is already in use by container 1',
    'the runtime still has an earlier container with this name',
    'This usually ends by itself',
    "the container runtime's log on the node, and its load",
  ],
  [SUB_PATH, 'a `subPath` cannot be prepared in its volume', 'Check that the folder or file', 'the `volumeMounts` with `subPath`'],
  [
    'lstat /dev/fuse: no such file or directory',
    'a device does not exist on the node',
    'Check the device and its plugin',
    'the device plugin of the node',
  ],
  [
    'services have not yet been read at least once, cannot construct envvars',
    'kubelet has not yet read the Services',
    'This ends by itself',
    "kubelet's log on the node",
  ],
  [
    FIELD,
    'a variable refers to the resources of a container that the pod does not have',
    'Correct `resourceFieldRef.containerName`',
    "the container's `env` with `resourceFieldRef`",
  ],
  [
    VARIABLE,
    'a `subPathExpr` names a variable that is not set',
    'Set the variable in the `env`',
    "the container's `env` and its `volumeMounts`",
  ],
  [SECCOMP, 'its seccomp profile is not on the node', 'Install the profile on every node', 'what installs the profiles'],
  [
    'it is Tuesday',
    'the runtime refuses it: `it is Tuesday`',
    'The message comes from the node',
    "the container runtime's log on the node",
  ],
];
for (const [message, because, advice, look] of MEANINGS)
  creates(message, () => {
    const answer = told(made(message))!;
    assert.is(answer.summary, `Container \`app\` cannot be created: ${because}.`);
    assert.ok(answer.advice[0]?.startsWith(advice), answer.advice[0]);
    assert.ok(answer.look?.startsWith(look), answer.look);
  });

type Row = [sentence: string, answer: ReturnType<typeof create.answer>, expected: Partial<Told> | undefined];
const mounts = (...volumeMounts: object[]) => ({ app: { volumeMounts } });
const LOCAL = { securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'web.json' } } };
const ofSide = (containerName: string) => ({ name: 'CPU', valueFrom: { resourceFieldRef: { containerName, resource: 'limits.cpu' } } });
const expressed = (...names: string[]) => ({
  app: {
    env: names.map((name) => ({ name, value: 'x' })),
    volumeMounts: [
      { name: 'd', mountPath: '/o', subPathExpr: 'y' },
      { name: 'd', mountPath: '/d', subPathExpr: '$(POD_NAM)/$(POD_NAM)' },
    ],
  },
});
const ROWS: Row[] = [
  ['another message', made('', { failure_reason: 'Pending' }), undefined],
  [
    'no command',
    made(NO_COMMAND),
    {
      culprit: 'no command in image web:1',
      evidence: ['status of container app: failed to generate spec: no command specified'],
      commands: ['kubectl describe pod web -n shop'],
      corrections: [],
      why: 'The manifest could name a command, but nothing shows which program the image contains.',
    },
  ],
  [
    'no command of an image that only the status names',
    made(NO_COMMAND, {
      manifest: 'kind: [',
      status: { state: 'waiting', reason: 'CreateContainerError', message: NO_COMMAND, image: 'api:2' },
    }),
    {
      summary: 'Container `app` cannot be created: neither the image nor the pod names a command to run (image `api:2`).',
      culprit: 'no command in image api:2',
    },
  ],
  [
    'another cause',
    made('it is Tuesday'),
    {
      culprit: 'it is Tuesday',
      why: 'No field of the manifest is known to be wrong: the runtime refuses it.',
      corrections: [],
    },
  ],
  [
    'a user that the image lacks is explained elsewhere',
    made('runc create failed: unable to find user shop: no matching entries in passwd file'),
    undefined,
  ],
  ['a limit too low is explained elsewhere', made('runc create failed: container init was OOM-killed (memory limit too low?)'), undefined],
  [
    'part of a volume',
    made(
      SUB_PATH,
      mounts(
        { name: 'data', mountPath: '/a' },
        { name: 'x', mountPath: '/x', subPath: 'x' },
        { name: 'data', mountPath: '/d', subPath: 'd' },
      ),
    ),
    {
      culprit: 'data',
      corrections: [['guess', 'Mount the whole volume', { 'volumeMounts[2].subPath': null }]],
      why: 'No field of the manifest is known to be wrong: a `subPath` cannot be prepared in its volume.',
    },
  ],
  ['part of another volume', made(SUB_PATH, mounts({ name: 'x', mountPath: '/x', subPath: 'x' })), { corrections: [] }],
  [
    'the resources of another container',
    made(FIELD, { app: { env: [ofSide('other'), ofSide('side')] } }),
    {
      culprit: 'side',
      corrections: [['likely', "Use the container's own resource", { 'env[1].valueFrom.resourceFieldRef.containerName': null }]],
    },
  ],
  ['the resources of a container that nobody names', made(FIELD, { app: { env: [ofSide('other')] } }), { corrections: [] }],
  [
    'a mistyped variable',
    made(VARIABLE, expressed('OTHER', 'POD_NAME')),
    {
      culprit: 'POD_NAM',
      corrections: [['likely', 'Use the variable `POD_NAME`', { 'volumeMounts[1].subPathExpr': '$(POD_NAME)/$(POD_NAME)' }]],
    },
  ],
  ['a variable that resembles none', made(VARIABLE, expressed('OTHER')), { corrections: [] }],
  ['a variable that no mount names', made(VARIABLE, { app: { env: [{ name: 'POD_NAME', value: 'x' }] } }), { corrections: [] }],
  [
    'the host name',
    made('missing value for "HOSTNAME"', {
      app: {
        env: [
          { name: 'A', value: 'x' },
          { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        ],
        volumeMounts: [{ name: 'd', mountPath: '/d', subPathExpr: '$(HOSTNAME)' }],
      },
    }),
    {
      corrections: [['likely', 'Use the variable `POD`', { 'volumeMounts[0].subPathExpr': '$(POD)' }]],
    },
  ],
  [
    'a profile of the container',
    made(SECCOMP, { app: LOCAL, spec: LOCAL }),
    {
      culprit: '/var/lib/kubelet/seccomp/web.json',
      corrections: [
        [
          'guess',
          "Use the runtime's default seccomp profile",
          { 'securityContext.seccompProfile': { type: 'RuntimeDefault' } },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'a profile of the pod',
    made(SECCOMP, { spec: LOCAL }),
    {
      corrections: [
        [
          'guess',
          "Use the runtime's default seccomp profile",
          { 'spec.securityContext.seccompProfile': { type: 'RuntimeDefault' } },
          'no mirror',
        ],
      ],
    },
  ],
  ['no profile', made(SECCOMP, { app: { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } } }), { corrections: [] }],
];
for (const [sentence, answer, expected] of ROWS) creates(sentence, () => tells(answer, expected));

const hooked = (message: string, postStart: object | undefined, { app = {}, ...more }: Pod = {}) =>
  hook.answer(
    anInput(
      postStart ? { lifecycle: { postStart }, ...app } : app,
      {},
      {
        failure_reason: 'PostStartHookError',
        events: [{ reason: 'FailedPostStartHook', message }],
        ...more,
      },
    ),
  );
const exec = (...command: string[]) => ({ exec: { command } });
const FAILED = 'Exec lifecycle hook ([sh -c x]) for Container "app" failed - error: command exited with 2: , message: "no such\\nthing"';
const SILENT = 'PostStartHook failed';
const GET = { httpGet: { port: 81, path: '/warm' } };
const HANGS = { failure_message: 'container app was started, and its postStart hook has not ended', events: [] };
const log = (...lines: string[]) => ({ logs: `==> app (current) <==\n${lines.join('\n')}\n` });
const data = { app: { volumeMounts: [{ name: 'd', mountPath: '/var/lib/date/' }] } };
const NO_FOLDER = 'command exited with 1: , message: "sh: /var/lib/data/x: No such file or directory"';
const HOOKS: Row[] = [
  ['no hook failed', hooked('', undefined, { events: [], failure_reason: 'Pending' }), undefined],
  [
    'a command',
    hooked(FAILED, exec('sh', '-c', 'x')),
    {
      summary: 'Container `app` is killed because its postStart hook `sh -c x` fails with exit code 2: `no such thing`.',
      culprit: 'postStart hook: no such thing',
      evidence: [
        'event FailedPostStartHook: Exec lifecycle hook ([sh -c x]) for Container "app" failed - error: command exited with 2: , message: "no such\\nthing"',
      ],
      advice: [
        'Let the hook try again until it succeeds: it starts together with the program, which may not answer yet. If the pod does without its work, let it end with 0.',
      ],
      commands: ['kubectl describe pod web -n shop'],
      corrections: [['guess', 'Remove the postStart hook', { 'lifecycle.postStart': null }]],
      why: 'The hook itself must be corrected.',
      look: 'what the hook runs, and what it needs',
    },
  ],
  [
    'nothing is said',
    hooked(SILENT, exec('sh', '-c', 'x')),
    { summary: 'Container `app` is killed because its postStart hook `sh -c x` fails.', culprit: 'postStart hook: sh -c x' },
  ],
  [
    'nothing is known of the hook',
    hooked(SILENT, undefined),
    { summary: 'Container `app` is killed because its postStart hook fails.', culprit: 'postStart hook', corrections: [] },
  ],
  [
    'the message with an output',
    hooked('', exec('x'), {
      events: [
        { reason: 'FailedPostStartHook', message: FAILED },
        { reason: 'FailedPostStartHook', message: SILENT },
      ],
    }),
    {
      evidence: [
        'event FailedPostStartHook: Exec lifecycle hook ([sh -c x]) for Container "app" failed - error: command exited with 2: , message: "no such\\nthing"',
      ],
    },
  ],
  [
    'a hook before the end',
    hooked('', exec('x'), { failure_reason: 'Failed', events: [{ reason: 'FailedPreStopHook', message: FAILED }] }),
    undefined,
  ],
  [
    'a request',
    hooked(SILENT, GET),
    {
      summary: 'Container `app` is killed because its postStart hook `GET /warm :81` fails.',
      culprit: 'postStart hook: GET /warm :81',
    },
  ],
  [
    'a request at another port',
    hooked(SILENT, GET, log('listening on :9090')),
    {
      corrections: [
        ['likely', 'Use port `9090` for the hook', { 'lifecycle.postStart.httpGet.port': 9090 }],
        ['guess', 'Remove the postStart hook', { 'lifecycle.postStart': null }],
      ],
    },
  ],
  [
    'a request at a port at which somebody listens',
    hooked(SILENT, GET, log('listening on :9090', 'listening on :81')),
    {
      corrections: [['guess', 'Remove the postStart hook', { 'lifecycle.postStart': null }]],
    },
  ],
  [
    'a request, and it listens on loopback',
    hooked(SILENT, GET, log('listening on 127.0.0.1:9090')),
    {
      corrections: [['guess', 'Remove the postStart hook', { 'lifecycle.postStart': null }]],
    },
  ],
  [
    'a hook that does not end',
    hooked('', exec('sh', '-c', 'x'), HANGS),
    {
      summary: 'Container `app` was started, but its postStart hook `sh -c x` has not ended, so it does not count as running.',
      culprit: 'postStart hook: sh -c x',
      evidence: ['status and events: container app was started, and its postStart hook has not ended'],
      advice: [
        'Find out what the hook waits for. Kubernetes sets no time limit for a hook: let it give up, or do its work in the program.',
      ],
      commands: ['kubectl describe pod web -n shop'],
      corrections: [['guess', 'Remove the postStart hook', { 'lifecycle.postStart': null }]],
      why: 'The hook itself must be corrected.',
      look: 'what the hook runs, and what it waits for',
    },
  ],
  [
    'a hook that failed after it had not ended',
    hooked('', exec('x'), { ...HANGS, events: [{ reason: 'FailedPostStartHook', message: FAILED }] }),
    { culprit: 'postStart hook: no such thing' },
  ],
  [
    'a hook that does not end and is not known',
    hooked('', undefined, HANGS),
    {
      summary: 'Container `app` was started, but its postStart hook has not ended, so it does not count as running.',
      culprit: 'postStart hook',
      corrections: [],
    },
  ],
  [
    'a folder beside a mounted one',
    hooked(NO_FOLDER, exec('sh', '-c', 'touch /var/lib/data/x /var/lib/data/y'), data),
    {
      corrections: [
        ['likely', 'Use `/var/lib/date/x` in the hook', { 'lifecycle.postStart.exec.command[2]': 'touch /var/lib/date/x /var/lib/date/y' }],
        ['guess', 'Remove the postStart hook', { 'lifecycle.postStart': null }],
      ],
    },
  ],
  [
    'a mounted folder',
    hooked(NO_FOLDER, exec('sh', '-c', 'touch /var/lib/date/x'), data),
    {
      corrections: [['guess', 'Remove the postStart hook', { 'lifecycle.postStart': null }]],
    },
  ],
  [
    'another output',
    hooked(FAILED, exec('sh', '-c', 'touch /var/lib/data/x'), data),
    {
      corrections: [['guess', 'Remove the postStart hook', { 'lifecycle.postStart': null }]],
    },
  ],
  [
    'two folders beside mounted ones',
    hooked(NO_FOLDER, exec('sh', '-c', 'cp /var/lib/data/x /var/log/shops/x'), {
      app: { volumeMounts: [...data.app.volumeMounts, { name: 'l', mountPath: '/var/log/shop' }] },
    }),
    {
      corrections: [['guess', 'Remove the postStart hook', { 'lifecycle.postStart': null }]],
    },
  ],
];
for (const [sentence, answer, expected] of HOOKS) creates(`a hook: ${sentence}`, () => tells(answer, expected));

creates.run();
