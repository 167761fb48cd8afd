import { suite } from 'uvu';
import { fileRightsSignatures } from '../../../../src/diagnosis/rules/signatures/file-rights.ts';
import { env, guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs say about the rights on files');

const readOnly = (log: string, file = '', more: LogRow[3] = {}): LogRow => [
  log,
  file ? `${file} (read-only file system)` : log,
  `it cannot write${file ? ` \`${file}\`` : ''}: the file system is read-only`,
  { advice: 'Mount an `emptyDir`', where: '`readOnlyRootFilesystem`', ...more },
];
const empty = (mountPath: string, name: string) =>
  likely({ 'spec.volumes': [{ name, emptyDir: {} }], volumeMounts: [{ name, mountPath }] });
const unrun = (log: string, program: string, more: LogRow[3] = {}): LogRow => [
  log,
  program,
  `\`${program}\` is not executable`,
  { advice: 'Make the file executable', where: "the file's mode", corrections: [], ...more },
];
const open = (log: string, file: string, more: LogRow[3] = {}): LogRow => [
  log,
  file ? `permissions of ${file}` : 'permissions of a secret file',
  `not only its owner may read ${file ? `\`${file}\`` : 'a file that must be secret'}`,
  { advice: 'the mode 0400', where: "the container's user", corrections: [], ...more },
];
const writable = (log: string, file: string, more: LogRow[3] = {}): LogRow => [
  log,
  file ? `permissions of ${file}` : 'permissions of the configuration',
  `others than its owner may write ${file ? `\`${file}\`` : 'its configuration'}`,
  { advice: 'the mode 0644 or less', where: 'the `defaultMode`', corrections: [], ...more },
];
const quoted = (because: string, advice: string, where: string) => {
  return (log: string, more: LogRow[3] = {}): LogRow => [log, log, `${because}: \`${log}\``, { advice, where, corrections: [], ...more }];
};
const escalation = quoted('it is not allowed to gain the rights of another user', 'without `sudo` or `su`', '`allowPrivilegeEscalation`');
const asRoot = (log: string): LogRow => [
  log,
  log,
  `it refuses to run as root: \`${log}\``,
  { advice: 'an ordinary user', where: 'the user of the image', corrections: likely({ 'securityContext.runAsUser': 1000 }) },
];
const lock = (log: string, more: LogRow[3] = {}): LogRow => [
  log,
  'locked memory (capability IPC_LOCK)',
  `it is not allowed to lock its memory: \`${log}\``,
  { advice: 'Switch locking off', where: '`securityContext.capabilities`', ...more },
];
const carried = (program: string, more: LogRow[3] = {}, log = `exec ${program}: operation not permitted`): LogRow => [
  log,
  `capabilities of ${program}`,
  `the kernel does not start \`${program}\`: its file carries a capability`,
  { advice: '`getcap`', where: 'the file in the image', corrections: [], ...more },
];
const denied = (log: string, file: string | null = '/data/x', more: LogRow[3] = {}): LogRow => [
  log,
  file === null ? log : `${file} (permission denied)`,
  `its user is not allowed to access ${file === null ? 'a file it needs' : `\`${file}\``}`,
  { where: 'the owner and mode', ...more },
];
const mounted = (mountPath: string, volume: object, mount: object = {}, container: object = {}, spec: object = {}) => ({
  container: { volumeMounts: [{ name: 'data', mountPath, ...mount }], ...container },
  spec: { volumes: [{ name: 'data', ...volume }], ...spec },
});
const CLAIM = { persistentVolumeClaim: { claimName: 'data' } };
const SECRET = { secret: { secretName: 'keys' } };
const DROPPED = { securityContext: { capabilities: { drop: ['ALL'] } } };
const added = (name: string) => guess({ 'securityContext.capabilities.add': [name] });

logRows(test, fileRightsSignatures, {
  'read-only-file-system': [
    readOnly('open /data/x: read-only file system', '/data/x', { corrections: empty('/data', 'writable-data') }),
    readOnly('mkdir /data/x: Read-only file system', '/data/x', { corrections: empty('/data/x', 'writable-data-x') }),
    readOnly('EROFS, write', '', {}),
    readOnly('java.nio.file.ReadOnlyFileSystemException', '', { corrections: [] }),
    readOnly('the read-only filesystem, error', ''),
    [
      'java.nio.file.ReadOnlyFileSystemException\n\tat x (/app/main.js)\nINFO wrote /data/y',
      'java.nio.file.ReadOnlyFileSystemException',
      'it cannot write: the file system is read-only',
    ],
    [
      '0: cannot write /data/x\n1: Read-only file system (os error 30)',
      '/data/x (read-only file system)',
      'it cannot write `/data/x`',
      { corrections: empty('/data', 'writable-data') },
    ],
    ["EROFS, can't bind socket\nsocket: /data/x.sock", '/data/x.sock (read-only file system)', 'it cannot write `/data/x.sock`'],
    [
      'open /data/x: read-only file system',
      '/data/x (volume data is read-only)',
      'it cannot write `/data/x`: volume `data` is read-only',
      {
        ...mounted('/data', { nfs: { server: 's', path: '/', readOnly: true } }),
        advice: 'Use the volume for writing',
        corrections: likely({ 'spec.volumes[0].nfs.readOnly': null }),
      },
    ],
    readOnly('open /data/x: read-only file system', '/data/x', {
      ...mounted('/claim', CLAIM, {}, env({ DATA: '/data/x' })),
      corrections: [
        ['likely', { 'env[0].value': '/claim' }],
        [
          'likely',
          { 'spec.volumes[1]': { name: 'writable-data', emptyDir: {} }, 'volumeMounts[1]': { name: 'writable-data', mountPath: '/data' } },
        ],
      ],
    }),
    readOnly('mkdir /.cache: read-only file system', '/.cache', {
      ...mounted('/tmp', { emptyDir: {} }),
      corrections: [
        ['likely', { env: [{ name: 'HOME', value: '/tmp' }] }],
        [
          'likely',
          {
            'spec.volumes[1]': { name: 'writable--cache', emptyDir: {} },
            'volumeMounts[1]': { name: 'writable--cache', mountPath: '/.cache' },
          },
        ],
      ],
    }),
    readOnly("mkdir 'data': Read-only file system", '', {
      ...mounted('/work', { emptyDir: {} }),
      corrections: guess({ workingDir: '/work' }),
    }),
    readOnly('open /app/tmp/pids/server.pid: read-only file system', '/app/tmp/pids/server.pid', {
      container: { command: ['rails', 's'] },
      corrections: [...likely({ 'command[2]': '--pid=/dev/null' }), ...empty('/app/tmp/pids', 'writable-app-tmp-pids')],
    }),
    readOnly('open /etc/app/x.yml: read-only file system', '/etc/app/x.yml', {
      ...mounted('/etc/app', { configMap: { name: 'web' } }),
      corrections: guess({
        'spec.volumes[1]': { name: 'data-copy', emptyDir: {} },
        'spec.initContainers': [
          {
            name: 'copy-data',
            image: 'web:1',
            command: ['sh', '-c', 'cp -rL /original/. /etc/app/'],
            volumeMounts: [
              { name: 'data', mountPath: '/original' },
              { name: 'data-copy', mountPath: '/etc/app' },
            ],
          },
        ],
        'volumeMounts[0].name': 'data-copy',
      }),
    }),
  ],
  'program-not-executable': [
    ...[
      'sh: /app/run: Permission denied',
      '/bin/bash: line 3: /app/run: Permission denied',
      'dash: 3: /app/run: permission denied',
      'ash: /app/run: cannot execute: required file not found',
      'zsh: /app/run: cannot execute binary file',
      'run.sh: 3: exec: /app/run: Permission denied',
      'docker-entrypoint: /app/run: Permission denied',
      '/entrypoint.sh: line 3: /app/run: Permission denied',
    ].map((log) => unrun(log, '/app/run')),
    unrun('exec: sh /app/run: Permission denied', '/app/run'),
    unrun('sh: ./run: Permission denied', './run'),
    unrun('sh: run: Permission denied', 'run'),
    unrun('sh: /app/run.sh: Permission denied', '/app/run.sh', {
      container: { command: ['/app/run.sh'] },
      corrections: [...likely({ command: ['sh', '/app/run.sh'] }), ...guess({ command: null })],
    }),
  ],
  'file-writable-by-others': [
    writable('config file ("/etc/filebeat.yml") can only be writable by the owner', '/etc/filebeat.yml', {
      ...mounted('/etc', SECRET),
      corrections: likely({ 'spec.volumes[0].secret.defaultMode': 0o644 }),
    }),
    writable("'/etc/a.cnf' is world-writable", '/etc/a.cnf'),
    writable('(/etc/a.cnf) is group writable', '/etc/a.cnf'),
    writable('the file must only be writable by the owner: /etc/a.cnf', '/etc/a.cnf'),
    writable('can only be writable by the owner', ''),
    writable('/etc/a.cnf: group-writable', '/etc/a.cnf'),
    writable('/etc/a.cnf is world writable', '/etc/a.cnf'),
    writable('/etc/a.cnf: is writable by others', '/etc/a.cnf'),
    writable('its file is world-writable', ''),
    writable('Warning, an error: group writable', ''),
  ],
  'file-too-open': [
    open('WARNING: UNPROTECTED PRIVATE KEY FILE!'.slice(9), ''),
    open("Permissions 0644 for '/keys/id' are too open.", '/keys/id', {
      ...mounted('/keys', SECRET),
      corrections: likely({ 'spec.volumes[0].secret.defaultMode': 0o400 }),
    }),
    open('permissions on /keys/id are too permissive', '/keys/id'),
    open('Permissions of "/keys/id" are too open', '/keys/id'),
    open('bad permissions: ignore key: /keys/id', '/keys/id'),
    open("bad permissions: '/keys/id'", '/keys/id'),
    open('bad permissions', ''),
    open('private key file "/keys/id" has group or world access', '/keys/id'),
    open('/keys/id has insecure permissions', '/keys/id'),
    open('file "/keys/id" has too permissive mode', '/keys/id'),
    open('/data/.erlang.cookie must be accessible by owner only', '/data/.erlang.cookie'),
    open('key /keys/id has permissions -rw-r--r--, exceeds -rw-------', '/keys/id'),
    open('the mode is too open', ''),
    open('the mode is too permissive', ''),
    open('insecure permissions', ''),
    open('the mode is too open', '/keys', {
      ...mounted('/keys', SECRET),
      corrections: likely({ 'spec.volumes[0].secret.defaultMode': 0o400 }),
    }),
    open('the mode is too open', '', {
      container: { volumeMounts: ['a', 'b'].map((name) => ({ name, mountPath: `/${name}` })) },
      spec: { volumes: ['a', 'b'].map((name) => ({ name, secret: { secretName: name } })) },
    }),
    open('the mode is too open', '', mounted('/keys', { emptyDir: {} })),
  ],
  'no-new-privileges': [
    escalation('sudo: The "no new privileges" flag is set'),
    escalation('no_new_privs is set'),
    escalation('sudo: effective uid is not 0, is sudo installed setuid root?'),
    escalation('sudo: /usr/bin/sudo must be owned by uid 0 and have the setuid bit set'),
    escalation('fusermount3: must be set-user-id'),
    escalation('su: must be owned by uid 0 and have the set-user-id bit'),
    escalation('effective uid is not 0'),
    escalation('ping: must be setuid root', {
      container: { securityContext: { allowPrivilegeEscalation: false } },
      corrections: guess({ 'securityContext.allowPrivilegeEscalation': null }),
    }),
    escalation("sudo: is on a file system with the 'nosuid' option"),
  ],
  'not-as-root': [
    ...[
      'can not run elasticsearch as root',
      'cannot be run as root',
      "can't start as root",
      'must not be run as root',
      'may not execute as the root user',
      'refusing to run as root',
      'refuses to start as root',
      'refuse running as "root"',
      "cannot be run as 'root'",
      'may not execute as the root account',
      'it is not allowed running as root',
      'it is not allowed to run as root',
      'running is not permitted, never run as root',
      'not be permitted to run as root',
      'not supported to run as root',
      'not possible to run as root',
      'not supposed to be executed as root',
      'not intended to be run as root',
      'not meant to run as root',
      'never run the server as root',
      'read how to run as root',
      '"root" execution of the PostgreSQL server is not permitted.',
      'root user is not allowed',
      'the root user is not permitted',
      'root user is not supported',
      'The user of the process (root) does not match',
      'Running a worker with superuser privileges',
    ].map((log) => asRoot(log)),
  ],
  'memory-lock': [
    ...[
      'lock memory: cannot allocate',
      'locking memory is not permitted',
      'mlock: denied',
      'mlockall: fail',
      'mlock2 is unable',
      'mlock not available',
      'memory: mlock, not locked',
      'failed to lock memory',
      'unable to mlock',
      'cannot lock memory',
      'could not mlockall',
    ].map((log) => lock(log)),
    lock('cannot lock memory', {
      container: DROPPED,
      corrections: likely({ 'securityContext.capabilities.add': ['IPC_LOCK'] }),
    }),
    lock('cannot lock memory', {
      container: { securityContext: { ...DROPPED.securityContext, runAsUser: 5 } },
      corrections: guess({ 'securityContext.capabilities.add': ['IPC_LOCK'] }),
    }),
    lock('cannot lock memory', {
      container: DROPPED,
      spec: { securityContext: { runAsUser: 5 } },
      corrections: guess({ 'securityContext.capabilities.add': ['IPC_LOCK'] }),
    }),
  ],
  'program-file-capability': [
    carried('/bin/x', {
      container: DROPPED,
      corrections: added('NET_BIND_SERVICE'),
      why: 'the file `/bin/x` carries a capability',
      mirrorable: false,
    }),
    carried(
      '/bin/x',
      { container: { securityContext: { capabilities: { drop: ['all'] } } }, corrections: added('NET_BIND_SERVICE') },
      'exec: "/bin/x": Operation not permitted',
    ),
    carried('/bin/vault', { container: DROPPED, corrections: added('IPC_LOCK') }),
    carried('/bin/ping', { container: DROPPED, corrections: added('NET_RAW') }, "exec '/bin/ping': operation not permitted"),
    carried('/bin/x', { container: { securityContext: { capabilities: { drop: ['NET_RAW'] } } } }),
    carried('/bin/x', {
      container: { securityContext: { capabilities: { drop: ['ALL'], add: ['CHOWN'] } } },
      corrections: guess({ 'securityContext.capabilities.add[1]': 'NET_BIND_SERVICE' }),
    }),
    carried('/bin/x', { container: { securityContext: { capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } } } }),
    carried('/bin/x'),
  ],
  'permission-denied': [
    denied('open /data/x: permission denied', undefined, { corrections: empty('/data', 'writable-data') }),
    denied("cannot create '/data/x': Permission denied"),
    denied("Error: EACCES, open '/data/x'"),
    denied("{ code: 'eacces', path: '/data/x' }"),
    denied("PermissionError: [Errno 13] '/data/x'"),
    denied('java.nio.file.AccessDeniedException: /data/x'),
    ['chown /data/x: operation not permitted', 'chown of /data/x', 'is not allowed to change the owner of `/data/x`'],
    denied("Error: EPERM, unlink '/data/x'"),
    denied('eperm: /data/x'),
    denied('System.UnauthorizedAccessException: no /data/x'),
    denied('The folder /data/x is not writable'),
    denied('/data/x not writable'),
    denied("Access to the path '/data/x' is denied."),
    denied("access to the path '/data/x' is denied."),
    denied('it is a read-only directory: /data/x'),
    denied('you must be root', null),
    denied('/data/x must be present and writable'),
    denied("/data/x doesn't exist and couldn't be created"),
    denied('Permission denied', null),
    [
      'sqlservr: Error: The system directory [/.system] could not be created. Permission denied',
      '/var/opt/mssql (permission denied)',
      '`/var/opt/mssql`',
    ],
    ['file_put_contents(/data/x):\nPermission denied', '/data/x (permission denied)', '`/data/x`'],
    ['cannot open (\nPermission denied', 'Permission denied', 'a file it needs'],
    ['open /data/x\nfailed: permission denied', '/data/x (permission denied)', '`/data/x`'],
    ['npm error path /data/x\nPermission denied', 'Permission denied', 'a file it needs'],
    ['open /data/x\nPermission denied', 'Permission denied', 'a file it needs'],
    [
      'npm error path /data/x\nnpm error syscall mkdir\nnpm error Permission denied',
      '/data/x (permission denied)',
      '`/data/x`',
      { corrections: empty('/data/x', 'writable-data-x') },
    ],
    [
      'open /data/x: permission denied',
      '/data/x (permission denied)',
      'user `1000` is not allowed to access `/data/x`',
      { container: { securityContext: { runAsUser: 1000 } }, spec: { securityContext: { runAsUser: 5 } } },
    ],
    [
      'open /data/x: permission denied',
      '/data/x (permission denied)',
      'user `5` is not allowed to access `/data/x`',
      {
        ...mounted('/data', CLAIM, {}, {}, { securityContext: { runAsUser: 5 } }),
        corrections: likely({ 'spec.securityContext.fsGroup': 5 }),
      },
    ],
    ...['mkdir', 'directory', 'folder', 'location ', 'data path'].map((word) =>
      denied(`${word} /data/x: permission denied`, undefined, { corrections: empty('/data/x', 'writable-data-x') }),
    ),
    [
      'Permission denied',
      'Permission denied',
      'user `5` is not allowed to access a file it needs',
      {
        ...mounted('/claim', CLAIM, {}, {}, { securityContext: { runAsUser: 5 } }),
        corrections: guess({ 'spec.securityContext.fsGroup': 5 }),
      },
    ],
    denied('Permission denied', null, { ...mounted('/claim', CLAIM, { readOnly: true }), corrections: [] }),
    denied('Permission denied', null, { ...mounted('/claim', { emptyDir: {} }), corrections: [] }),
    [
      'Permission denied',
      'port 80 (PORT)',
      'its user may hardly open port `80`, and the line names no file: `Permission denied`',
      {
        container: { ...env({ PORT: '80' }), securityContext: { runAsUser: 5 } },
        advice: 'a port above 1023',
        where: 'where `PORT` is set',
        corrections: likely({ 'spec.securityContext.sysctls': [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }] }),
      },
    ],
    [
      'chown /data/x: operation not permitted',
      'capability CHOWN for /data/x',
      'it lacks the capability `CHOWN`: `chown /data/x',
      {
        container: DROPPED,
        advice: 'and no other',
        where: '`securityContext.capabilities`',
        corrections: likely({ 'securityContext.capabilities.add': ['CHOWN'] }),
      },
    ],
    [
      'chown: operation not permitted',
      'capability CAP_CHOWN',
      'it lacks the capability `CAP_CHOWN`, which must be written without `CAP_`: `chown',
      {
        container: { securityContext: { capabilities: { add: ['CAP_CHOWN'] } } },
        corrections: likely({ 'securityContext.capabilities.add[0]': 'CHOWN' }),
      },
    ],
    denied('mkdir /.cache: permission denied', '/.cache', {
      corrections: [...likely({ env: [{ name: 'HOME', value: '/tmp' }] }), ...empty('/.cache', 'writable--cache')],
    }),
    denied('Permission denied', null, { container: env({ PORT: '8080' }) }),
    [
      'you must be root to do it',
      'you must be root to do it',
      'user `5` is not allowed to access a file it needs',
      { container: { securityContext: { runAsUser: 5 } }, corrections: guess({ 'securityContext.runAsUser': null }) },
    ],
  ],
});
otherLogs(test, {
  'file-too-open': ['the port is open, error', 'has permissions it needs, error'],
  'not-as-root': ['cannot be run as root filesystem'.replace('filesystem', 'on this filesystem'), 'cannot run as rooted x'],
  'program-not-executable': ['push: /app/run: Permission denied'],
  'permission-denied': ['S3: AccessDenied', 'peacces', 'superepermit'],
});

test.run();
