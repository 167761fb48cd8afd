import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { start } from '../../../src/diagnosis/rules/start-container.ts';
import { anInput, type CaseParts } from '../../support/builders/cases.ts';
import { tells, type Told, told } from '../../support/builders/told-by-rule.ts';

const starts = suite('containers that cannot be started');

const RUNC =
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ';
const parts = (message: string, more: CaseParts = {}): CaseParts => ({
  failure_reason: 'RunContainerError',
  status: { state: 'waiting', reason: 'RunContainerError', message: RUNC + message },
  ...more,
});
const answered = (message: string, container: object = {}, spec: object = {}, more: CaseParts = {}) =>
  start.answer(anInput(container, spec, parts(message, more)));

type Row = [sentence: string, message: string, container: object, spec: object, expected: Partial<Told> | undefined, more?: CaseParts];

const missing = (program: string) => `exec: "${program}": executable file not found in $PATH: unknown`;
const mounted = (mountPath: string, more: object = {}) => ({ volumeMounts: [{ name: 'conf', mountPath, ...more }] });
const CONF = { volumes: [{ name: 'conf', configMap: { name: 'shop' } }] };
const keys = (...names: string[]): CaseParts => ({ surroundings: { configMaps: [{ name: 'shop', keys: names }] } });
const atRootfs = (path: string) =>
  `error mounting "/var/lib/kubelet/pods/u/volume-subpaths/conf/app/0" to rootfs at "${path}": mount: not a directory: unknown`;
const VICE_VERSA = 'Are you trying to mount a directory onto a file (or vice-versa)? Check if the specified host path exists';
const caps = (capabilities: object) => ({ securityContext: { capabilities } });
const memory = (limit: string) => ({ resources: { limits: { memory: limit } } });
const TOO_LOW = 'container init was OOM-killed (memory limit too low?)';

const ROWS: Row[] = [
  [
    'a program that the image lacks',
    missing('serve'),
    { command: ['serve'] },
    {},
    {
      summary: 'Container `app` cannot start: `serve` is not in the image.',
      culprit: 'serve',
      evidence: [
        'status of container app: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "serve": executable file not found in $PATH: unknown',
      ],
      advice: ['Correct `command`, or use an image that has `serve`.'],
      commands: ['kubectl describe pod web -n shop'],
      why: 'No known change of the manifest would start the program.',
      look: "the image's contents and its entrypoint",
      corrections: [['guess', "Run the image's own entrypoint", { command: null }]],
    },
  ],
  [
    'a program among the arguments',
    missing('serve'),
    { args: ['serve'] },
    {},
    { advice: ['Correct `args`, or use an image that has `serve`.'] },
  ],
  [
    'a program of the image',
    missing('serve'),
    {},
    {},
    { advice: ["Correct the image's entrypoint, or use an image that has `serve`."], corrections: [] },
  ],
  [
    'a program in the working folder of the image',
    'exec: "./serve": stat ./serve: no such file or directory',
    { command: ['./serve'] },
    {},
    {
      summary: 'Container `app` cannot start: `./serve` is not in its working folder, which is the one of the image.',
      culprit: './serve',
    },
  ],
  [
    'a program in a working folder',
    'exec: "../serve": stat ../serve: no such file or directory',
    { command: ['../serve'], workingDir: '/srv' },
    {},
    { summary: 'Container `app` cannot start: `../serve` is not in its working folder `/srv`.' },
  ],
  [
    'a program with an empty name',
    'exec: "": executable file not found in $PATH',
    { command: ['', 'serve'] },
    {},
    {
      summary: 'Container `app` cannot start: the name of its program is empty.',
      culprit: 'command ""',
      advice: ['Correct `command`: its first word is the program.'],
      look: "the container's `command` and `args`",
      corrections: [['guess', "Run the image's own entrypoint", { command: null }]],
    },
  ],
  [
    'arguments in the place of the command',
    missing('--port=80'),
    { command: ['--port=80'] },
    {},
    {
      summary: 'Container `app` cannot start: `command` is `--port=80`, which replaces the program of the image and is none.',
      culprit: 'command --port=80',
      advice: ['Give the words as `args`: the program of the image then gets them.'],
      look: "the container's `command` and `args`",
      corrections: [
        ['likely', 'Move `command` to `args`', { command: null, args: ['--port=80'] }],
        ['guess', "Run the image's own entrypoint", { command: null }],
      ],
    },
  ],
  [
    'a volume that hides the program',
    missing('/app/serve'),
    { command: ['/app/serve'], ...mounted('/app') },
    CONF,
    {
      summary:
        'Container `app` cannot start: `/app/serve` is not there: volume `conf` is mounted at `/app` and hides what the image has in that folder.',
      culprit: 'volume conf at /app',
      advice: ['Mount the volume at another folder, or only its files with `subPath`.'],
      look: "the container's `volumeMounts` and the folders of the image",
      corrections: [['guess', "Run the image's own entrypoint", { command: null }]],
    },
  ],
  [
    'a volume of one file that hides the program',
    missing('/app/serve'),
    { command: ['/app/serve'], ...mounted('/app') },
    CONF,
    {
      corrections: [
        ['likely', 'Mount only the file `a.conf`', { 'volumeMounts[0].mountPath': '/app/a.conf', 'volumeMounts[0].subPath': 'a.conf' }],
        ['guess', 'Mount only the file `a.conf`', { 'volumeMounts[0].mountPath': '/app/a.conf', 'volumeMounts[0].subPath': 'a.conf' }],
        ['guess', "Run the image's own entrypoint", { command: null }],
      ],
    },
    keys('a.conf'),
  ],
  [
    'a script that may not be executed',
    'exec: "/opt/run.sh": permission denied: unknown',
    { command: ['/opt/run.sh'] },
    {},
    {
      summary: 'Container `app` cannot start: `/opt/run.sh` is not executable.',
      culprit: '/opt/run.sh',
      advice: ['Make the file executable (`chmod +x` in the image), or run it with its interpreter.'],
      look: "the file's mode in the image or volume",
      corrections: [
        ['likely', 'Run it with `sh`', { command: ['sh', '/opt/run.sh'] }],
        ['guess', "Run the image's own entrypoint", { command: null }],
      ],
    },
  ],
  [
    'a program for another processor',
    'exec /opt/serve: exec format error',
    { command: ['/opt/serve'] },
    {},
    {
      summary:
        "Container `app` cannot start: `/opt/serve` is built for another processor than the node's, or is a script without its first line `#!`.",
      culprit: '/opt/serve',
      advice: ['Build the image for the platform of the nodes, or begin the script with `#!/bin/sh`.'],
      look: "the image's platforms and `kubectl get nodes -L kubernetes.io/arch`",
      corrections: [],
    },
  ],
  [
    'a script without its first line',
    'exec /opt/run.py: exec format error',
    { command: ['/opt/run.py'] },
    {},
    {
      corrections: [['likely', 'Run it with `python3`', { command: ['python3', '/opt/run.py'] }]],
    },
  ],
  [
    'such a program of the image',
    'exec format error',
    {},
    {},
    {
      summary:
        "Container `app` cannot start: the program is built for another processor than the node's, or is a script without its first line `#!`.",
      culprit: 'exec format error',
    },
  ],
  [
    'a working directory',
    'chdir to cwd ("/srv/app") set in config.json failed: no such file or directory',
    { workingDir: '/srv/app' },
    {},
    {
      summary: 'Container `app` cannot start: its working directory `/srv/app` does not exist, or its user cannot enter it.',
      culprit: '/srv/app',
      advice: ['Correct `workingDir`, or create the folder in the image.'],
      look: 'the folders of the image',
      corrections: [['likely', "Start in the image's own working directory", { workingDir: null }]],
    },
  ],
  [
    'a working directory of the image',
    'chdir to cwd ("/srv/app") set in config.json failed: no such file or directory',
    {},
    {},
    { culprit: '/srv/app', corrections: [] },
  ],
  [
    'a folder at the path of the termination message',
    atRootfs('/var/log'),
    { terminationMessagePath: '/var/log' },
    {},
    {
      summary: 'Container `app` cannot start: its termination message goes to `/var/log`, which is a folder of the image.',
      culprit: 'terminationMessagePath /var/log',
      advice: ['Use the path of a file that the image does not have as a folder, or none: the default is `/dev/termination-log`.'],
      look: "the container's `terminationMessagePath`",
      corrections: [['likely', 'Use the usual path for the termination message', { terminationMessagePath: null }]],
    },
  ],
  [
    'the usual path of the termination message',
    atRootfs('/dev/termination-log'),
    { terminationMessagePath: '/dev/termination-log' },
    {},
    { culprit: '/dev/termination-log' },
  ],
  ['a termination message elsewhere', atRootfs('/etc/app'), { terminationMessagePath: '/var/log' }, {}, { culprit: '/etc/app' }],
  [
    'a file at a folder of the image',
    atRootfs('/etc/app'),
    mounted('/etc/app/', { subPath: 'in/app.conf' }),
    CONF,
    {
      summary: 'Container `app` cannot start: the file `in/app.conf` of a volume is mounted at `/etc/app`, which is a folder of the image.',
      culprit: '/etc/app',
      advice: ['With `subPath` the `mountPath` is the path of the file, not of its folder.'],
      look: "the container's `volumeMounts`",
      corrections: [['likely', 'Mount the file at `/etc/app/app.conf`', { 'volumeMounts[0].mountPath': '/etc/app/app.conf' }]],
    },
  ],
  [
    'a file of a folder that has its name',
    atRootfs('/etc/app.conf'),
    mounted('/etc/app.conf', { subPath: 'app.conf' }),
    CONF,
    {
      summary: 'Container `app` cannot start: a volume is mounted at `/etc/app.conf` where the image has a file (or the other way round).',
      culprit: '/etc/app.conf',
      advice: ['Mount one file of a volume with `subPath`, or mount the volume at a folder.'],
      look: "the container's `volumeMounts` and what the image has there",
      corrections: [],
    },
    keys('app.conf'),
  ],
  [
    'a file in a folder of its own',
    atRootfs('/etc/app/key'),
    mounted('/etc/app/key', { subPath: 'key' }),
    CONF,
    {
      summary: 'Container `app` cannot start: a volume is mounted at `/etc/app/key` where the image has a file (or the other way round).',
    },
    keys('key'),
  ],
  [
    'a file with an ending',
    atRootfs('/etc/app.d'),
    mounted('/etc/app.d', { subPath: 'key' }),
    CONF,
    {
      summary: 'Container `app` cannot start: a volume is mounted at `/etc/app.d` where the image has a file (or the other way round).',
    },
    keys('key'),
  ],
  [
    'the mount of the message among several',
    atRootfs('/etc/app'),
    {
      volumeMounts: [
        { name: 'conf', mountPath: '/etc/app' },
        { name: 'conf', mountPath: '/opt', subPath: 'opt.conf' },
        { name: 'conf', mountPath: '/etc/app', subPath: 'app.conf' },
      ],
    },
    CONF,
    {
      corrections: [['likely', 'Mount the file at `/etc/app/app.conf`', { 'volumeMounts[2].mountPath': '/etc/app/app.conf' }]],
    },
  ],
  [
    'another message about a sub-path',
    'error mounting "/x" to rootfs at "/etc/app": mount: not a directory',
    mounted('/etc/app', { subPath: 'app.conf' }),
    CONF,
    {
      summary: 'Container `app` cannot start: a volume is mounted at `/etc/app` where the image has a file (or the other way round).',
    },
  ],
  [
    'a key that the ConfigMap lacks',
    atRootfs('/etc/app.conf'),
    mounted('/etc/app.conf', { subPath: 'app.conf' }),
    CONF,
    {
      summary: 'Container `app` cannot start: ConfigMap `shop` has no key `app.conf`, which is mounted at `/etc/app.conf`.',
      culprit: 'key app.conf in ConfigMap shop',
      advice: ['Correct the `subPath`, or add the key `app.conf`. ConfigMap `shop` has the keys `apps.conf`, `other`.'],
      look: 'the keys of ConfigMap `shop`',
      corrections: [['likely', 'Use the key `apps.conf`', { 'volumeMounts[0].subPath': 'apps.conf' }]],
    },
    keys('apps.conf', 'other'),
  ],
  [
    'a key of a ConfigMap without keys',
    atRootfs('/etc/app.conf'),
    mounted('/etc/app.conf', { subPath: 'app.conf' }),
    CONF,
    { advice: ['Correct the `subPath`, or add the key `app.conf`.'] },
    keys(),
  ],
  [
    'a key that is mounted elsewhere',
    atRootfs('/etc/x.conf'),
    mounted('/etc/app.conf', { subPath: 'app.conf' }),
    CONF,
    { culprit: '/etc/x.conf' },
    keys('other'),
  ],
  [
    'a missing key with a message that names no path',
    VICE_VERSA,
    mounted('/etc/app.conf', { subPath: 'app.conf' }),
    CONF,
    { culprit: 'key app.conf in ConfigMap shop' },
    keys('other'),
  ],
  [
    'a key of another volume',
    VICE_VERSA,
    { volumeMounts: [{ name: 'other', mountPath: '/o', subPath: 'app.conf' }] },
    {
      volumes: [
        { name: 'conf', configMap: { name: 'shop', items: [{ key: 'gone', path: 'app.conf' }] } },
        { name: 'other', emptyDir: {} },
      ],
    },
    { culprit: 'a volume is mounted where the image has a file (or the other way round)' },
    keys('app.conf'),
  ],
  [
    'a volume at a file',
    atRootfs('/etc/app.conf'),
    {
      volumeMounts: [
        { name: 'tmp', mountPath: '/etc/app.conf' },
        { name: 'conf', mountPath: '/etc/app.conf' },
      ],
    },
    { volumes: [{ name: 'tmp', emptyDir: {} }, ...CONF.volumes] },
    {
      summary: 'Container `app` cannot start: a volume is mounted at `/etc/app.conf` where the image has a file (or the other way round).',
      culprit: '/etc/app.conf',
      advice: ['Mount one file of a volume with `subPath`, or mount the volume at a folder.'],
      look: "the container's `volumeMounts` and what the image has there",
      corrections: [['likely', 'Mount only the file `app.conf`', { 'volumeMounts[1].subPath': 'app.conf' }]],
    },
  ],
  [
    'a volume somewhere at a file',
    VICE_VERSA,
    {
      volumeMounts: [
        { name: 'conf', mountPath: '/etc' },
        { name: 'conf', mountPath: '/app.yml' },
      ],
    },
    CONF,
    {
      summary: 'Container `app` cannot start: a volume is mounted where the image has a file (or the other way round).',
      culprit: 'a volume is mounted where the image has a file (or the other way round)',
      corrections: [['likely', 'Mount only the file `app.yml`', { 'volumeMounts[1].subPath': 'app.yml' }]],
    },
  ],
  [
    'a volume at a longer path in the image',
    atRootfs('/run/rootfs/etc/app.conf'),
    mounted('/etc/app.conf'),
    CONF,
    {
      corrections: [['likely', 'Mount only the file `app.conf`', { 'volumeMounts[0].subPath': 'app.conf' }]],
    },
  ],
  ['a volume at another path', atRootfs('/etc/other.conf'), mounted('/etc/app.conf'), CONF, { corrections: [] }],
  [
    'a memory limit below what a process needs',
    TOO_LOW,
    memory('1Mi'),
    {},
    {
      summary: 'Container `app` cannot start: its memory limit `1Mi` is too low to start any process.',
      culprit: 'memory limit 1Mi',
      advice: ['Raise the memory limit above what volumes in memory hold and the program needs.'],
      look: 'the memory limit',
      corrections: [
        ['likely', 'Raise the memory limit to `64Mi`', { 'resources.limits.memory': '64Mi' }],
        ['guess', 'Raise the memory limit to `256Mi`', { 'resources.limits.memory': '256Mi' }],
      ],
    },
  ],
  [
    'a memory limit in thousandths',
    TOO_LOW,
    memory('512m'),
    {},
    {
      summary: 'Container `app` cannot start: its memory limit `512m` is too low to start any process.',
      culprit: 'memory limit 512m',
      advice: ['Raise the memory limit. `m` means a thousandth; `Mi` was probably meant.'],
    },
  ],
  [
    'a memory limit that files in memory use',
    TOO_LOW,
    memory('64Mi'),
    {
      volumes: [
        { name: 'disk', emptyDir: {} },
        { name: 'ram', emptyDir: { medium: 'Memory' } },
      ],
    },
    {
      summary:
        'Container `app` cannot start: its memory limit `64Mi` is used up before it starts; the files in volume `ram`, which is in memory, count too.',
      advice: ['Raise the memory limit above what volumes in memory hold and the program needs.'],
    },
  ],
  ['no memory limit', TOO_LOW, {}, {}, { culprit: 'memory limit', corrections: [] }],
  [
    'a user that the image lacks',
    'unable to find user shop: no matching entries in passwd file',
    {},
    {},
    {
      summary: 'Container `app` cannot start: the image has no user `shop`.',
      culprit: 'user shop',
      advice: ['Give the user as a number (`runAsUser`), or create it in the image.'],
      look: "the image's `USER` and `/etc/passwd`",
      corrections: [['guess', 'Run as user 1000', { 'securityContext.runAsUser': 1000 }]],
    },
  ],
  [
    'a user of the image',
    'no matching entries in passwd file',
    { command: ['serve'] },
    {},
    {
      summary: 'Container `app` cannot start: the image `web:1` names a user that it does not have.',
      culprit: 'user of image web:1',
    },
  ],
  [
    'a capability that does not exist',
    'unknown capability: "CAP_NET_ADMN"',
    caps({ add: ['CHOWN', 'NET_ADMN'], drop: ['net_admn'] }),
    {},
    {
      summary: 'Container `app` cannot start: there is no capability `NET_ADMN`.',
      culprit: 'capability NET_ADMN',
      advice: ['Correct the name in `securityContext.capabilities`; it stands there without `CAP_`.'],
      look: "the container's `securityContext.capabilities`",
      corrections: [
        [
          'likely',
          'Name the capability `NET_ADMIN`',
          { 'securityContext.capabilities.add[1]': 'NET_ADMIN', 'securityContext.capabilities.drop[0]': 'NET_ADMIN' },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'a capability that the container does not name',
    'unknown capability: "CAP_NET_ADMN"',
    caps({ add: ['CHOWN'] }),
    {},
    { corrections: [] },
  ],
  ['a capability that resembles none', 'unknown capability: "CAP_XYZZYQ"', caps({ add: ['XYZZYQ'] }), {}, { corrections: [] }],
  [
    'another failure',
    'no such device: unknown',
    { command: ['serve'] },
    {},
    {
      summary: 'Container `app` cannot start: the container runtime cannot start its process: `no such device`.',
      culprit: 'no such device',
      advice: ['Correct what the message names, or run another command in the container and look at its files.'],
      look: "the container runtime's log on the node",
      corrections: [['guess', "Run the image's own entrypoint", { command: null }]],
    },
  ],
  [
    'another failure of an init container',
    missing('x'),
    {},
    {},
    undefined,
    {
      container: 'other',
      status: { name: 'app', state: 'waiting', reason: 'RunContainerError', message: RUNC + missing('x') },
      failure_reason: 'Pending',
    },
  ],
];
for (const [sentence, message, container, spec, expected, more] of ROWS)
  starts(sentence, () => tells(answered(message, container, spec, more), expected));

starts('a message that names the cause comes before one that does not', () => {
  const status = { state: 'waiting' as const, reason: 'RunContainerError', message: 'it failed' };
  const events = [{ type: 'Warning', reason: 'Failed', message: `Error: ${RUNC}${missing('serve')}` }];
  assert.is(told(start.answer(anInput({}, {}, { failure_reason: 'RunContainerError', status, events })))?.culprit, 'serve');
});

const CAPABILITIES =
  'AUDIT_WRITE BPF CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID IPC_LOCK IPC_OWNER KILL LEASE MKNOD NET_ADMIN NET_BIND_SERVICE NET_BROADCAST NET_RAW PERFMON SETFCAP SETGID SETPCAP SETUID SYS_ADMIN SYS_BOOT SYS_CHROOT SYS_MODULE SYS_NICE SYS_PACCT SYS_PTRACE SYS_RAWIO SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG SYSLOG WAKE_ALARM ALL';
starts('a capability that was mistyped, for each one', () => {
  for (const name of CAPABILITIES.split(' ')) {
    const wrong = `${name}${name.at(-1)}`;
    const { corrections } = told(answered(`unknown capability: "CAP_${wrong}"`, caps({ add: [wrong] })))!;
    assert.equal(
      corrections,
      [['likely', `Name the capability \`${name}\``, { 'securityContext.capabilities.add[0]': name }, 'no mirror']],
      name,
    );
  }
});

starts.run();
