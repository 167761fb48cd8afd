import { suite } from 'uvu';
import { limitSignatures } from '../../../../src/diagnosis/rules/signatures/limits-of-the-node.ts';
import { modelServerSignatures } from '../../../../src/diagnosis/rules/signatures/model-servers.ts';
import { nodeSignatures } from '../../../../src/diagnosis/rules/signatures/of-the-node.ts';
import { guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs say about limits, cards and the node');

const FULL: [string, object] = ['the volume it writes to is full', { advice: 'Free space', where: 'usage of the volume' }];
const SHARED = { advice: 'more shared memory', where: '/dev/shm' };
const MORE_SHARED = guess({
  'spec.volumes': [{ name: 'shared-memory', emptyDir: { medium: 'Memory', sizeLimit: '256Mi' } }],
  volumeMounts: [{ name: 'shared-memory', mountPath: '/dev/shm' }],
});
const volume = (mountPath: string, emptyDir: object) => ({
  container: { volumeMounts: [{ name: 'data', mountPath }] },
  spec: { volumes: [{ name: 'data', emptyDir }] },
});
const ofDisk = (log: string, culprit = 'no space left on device'): LogRow => [log, culprit, ...FULL];
const files = (log: string): LogRow => [log, 'too many open files', 'no file handles', { advice: 'Look for a leak', where: '/proc/1/fd' }];
const threads = (log: string): LogRow => [
  log,
  'limit of threads and processes',
  'no more threads or processes',
  { advice: 'Start fewer', where: 'pids.max' },
];
const kernel = (log: string, culprit: string, because: string): LogRow => [
  log,
  culprit,
  because,
  { advice: 'The pod cannot set it', where: '`sysctl` on the node' },
];
const lock = (log: string, culprit = log): LogRow => [
  log,
  culprit,
  'another instance holds what it needs',
  { advice: 'Two pods must not share', where: 'mount the same volume', corrections: [] },
];

logRows(test, limitSignatures, {
  'no-space': [
    ofDisk('write /data/wal/0001: no space left on device', '/data/wal/0001'),
    ofDisk('OSError: [Errno 28] No space left on device'),
    ofDisk('fatal: write failed, errno=28'),
    ofDisk("Error: ENOSPC, write '/cache/a.tmp'", '/cache/a.tmp'),
    ofDisk('cp: error writing: Disk quota exceeded'),
    ofDisk('java.io.IOException: Disk full'),
    ofDisk('SQLITE_FULL: database or disk is full'),
    [
      'write /data/wal/0001: no space left on device',
      '/data/wal/0001',
      '(`/data/wal/0001`)',
      { ...volume('/data', { sizeLimit: '1Gi' }), corrections: likely({ 'spec.volumes[0].emptyDir.sizeLimit': '4Gi' }) },
    ],
    [
      'could not resize shared memory segment "/PostgreSQL.1" to 8388608 bytes: No space left on device',
      'shared memory (/dev/shm)',
      'its shared memory is full',
      { ...SHARED, corrections: [['likely', MORE_SHARED[0]![1]]] },
    ],
    [
      'shm_open: /dev/shm/torch_1: No space left on device',
      'shared memory (/dev/shm)',
      '64 MiB',
      {
        ...SHARED,
        ...volume('/dev/shm', { medium: 'Memory', sizeLimit: '64Mi' }),
        corrections: likely({ 'spec.volumes[0].emptyDir.sizeLimit': '256Mi' }),
      },
    ],
    ['unable to write to file </dev/shm/x>: No space left on device (28)', 'shared memory (/dev/shm)', 'shared memory', SHARED],
    ['shmget(): No space left on device', 'shared memory (/dev/shm)', 'shared memory', SHARED],
    ['shm_open failed: ENOSPC', 'shared memory (/dev/shm)', 'shared memory', SHARED],
  ],
  'too-many-files': [
    files('accept tcp [::]:8080: accept4: too many open files'),
    files("OSError: [Errno 24] Unable to open 'a.log'"),
    files('accept() failed (errno: 23)'),
    files("Error: EMFILE, open 'a.log'"),
    files('Error: ENFILE: file table overflow'),
    files('java.net.SocketException: Too many open files'),
  ],
  'too-many-processes': [
    threads('java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached'),
    threads('OutOfMemoryError: unable to create new native thread'),
    threads('pthread_create failed: out of threads'),
    threads('pthread_create() returned EAGAIN'),
    threads('pthread_create: unavailable'),
    threads("RuntimeError: can't start new thread"),
    threads('runtime: failed to create new OS thread (have 12 already)'),
    threads('sh: fork: Resource temporarily unavailable'),
    threads('clone: resource temporarily unavailable'),
    threads('Error: spawn node EAGAIN'),
    threads('cannot fork: errno 11'),
    threads('Thread creation refused: errno=11'),
    threads('cannot make thread: EAGAIN'),
  ],
  'kernel-setting': [
    kernel(
      'bootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]',
      'vm.max_map_count',
      '`vm.max_map_count` of its node is too low (`65530`)',
    ),
    kernel('fatal: vm.max_map_count is too low', 'vm.max_map_count', '`vm.max_map_count` of its node is too low'),
    kernel('WARNING overcommit! vm.overcommit_memory must be 1', 'vm.overcommit_memory', '`vm.overcommit_memory`'),
    kernel('net.core.somaxconn is 128, it should be 512', 'net.core.somaxconn', '(`128`)'),
    kernel('fs.inotify.max_user_instances =128 : increase it', 'fs.inotify.max_user_instances', '(`128`)'),
    kernel('max virtual memory areas: see max_map_count', 'max virtual memory areas: see max_map_count', 'a kernel parameter of its node'),
    kernel('no more inotify watches', 'no more inotify watches', '`no more inotify watches`'),
    kernel('failed to create: user limit on inotify instances', 'failed to create: user limit on inotify instances', 'a kernel parameter'),
    kernel(
      "Error: ENOSPC: System limit for number of file watchers reached, watch '/app/src'",
      'fs.inotify.max_user_watches',
      '`fs.inotify.max_user_watches` of its node is too low',
    ),
  ],
  'already-running': [
    lock('store: database in use by another process'),
    lock('A server is already running. Check /app/tmp/pids/server.pid.'),
    lock('failed to obtain node locks, tried [/usr/share/elasticsearch/data]'),
    lock('Unable to obtain lock on the data directory'),
    lock('could not acquire lock on the data'),
    lock('unable to acquire the lock of the leader'),
    lock('unable to acquire a lock'),
    lock('giving up to obtain the lock'),
    lock('cannot obtain a lock'),
    lock('could not lock config'),
    lock('failed to lock data directory'),
    lock('sqlite3.OperationalError: database is locked', 'OperationalError: database is locked'),
    lock('another instance of mongod has the data'),
    lock('LOCK: Resource temporarily unavailable'),
    lock('E: Could not get it, locked by 11 (Resource temporarily unavailable)'),
    lock('IO error: While lock file: /data/LOCK: no'),
    lock('lock held by current process'),
    lock('the store is already locked'),
    [
      'FATAL:  lock file "postmaster.pid" already exists',
      'lock file "postmaster.pid" already exists',
      'another instance holds `postmaster.pid`',
      {},
    ],
    ['pid file /run/app.pid exists', 'pid file /run/app.pid exists', 'holds `/run/app.pid`', {}],
    [
      'A server is already running. Check /app/tmp/pids/server.pid.',
      'A server is already running. Check /app/tmp/pids/server.pid.',
      'or one that was killed left its lock',
      { container: { args: ['rails', 'server'] }, corrections: likely({ 'args[2]': '--pid=/dev/null' }) },
    ],
    [
      'pid file /app/tmp/server.pid already exists',
      'pid file /app/tmp/server.pid already exists',
      'holds `/app/tmp/server.pid`',
      { container: { command: ['rails', 's'] }, corrections: likely({ 'command[2]': '--pid=/dev/null' }) },
    ],
    [
      'database is locked',
      'database is locked',
      'holds what it needs',
      {
        container: { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
        spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'db' } }] },
        owner: { kind: 'Deployment', spec: { replicas: 2 } },
        corrections: guess({ 'spec.replicas': 1 }),
      },
    ],
  ],
});
otherLogs(test, {
  'no-space': ['error: errno 128', "Error: ENOSPC: System limit for number of file watchers reached, watch '/app'"],
  'too-many-files': ['failed: errno 240', 'error: errno 25'],
  'too-many-processes': ['read: resource temporarily unavailable', 'fork failed: errno 110'],
  'already-running': ['cannot lock memory: ENOMEM', 'failed to lock memory'],
});

const noCard = (log: string): LogRow => [
  log,
  log,
  `it cannot use a graphics card: \`${log}`,
  { advice: 'Request a card', where: 'CUDA version' },
];
const fullCard = (log: string): LogRow => [
  log,
  log,
  'the memory of its graphics card is full',
  { advice: 'smaller batch', where: '`nvidia-smi` on the node' },
];
const length = (log: string, n: number): LogRow => [
  log,
  `max_model_len: ${log}`,
  `fits into the memory of the card (\`${n}\`)`,
  {
    advice: `Set \`--max-model-len\` to \`${n}\` at most, or`,
    corrections: likely({ args: [`--max-model-len=${n}`] }),
    mirrorable: true,
  },
];
const needs = (log: string): LogRow => [
  log,
  log,
  'more rights on its node',
  {
    advice: 'privileged container',
    corrections: guess({ 'securityContext.privileged': true }),
    mirrorable: false,
  },
];
const tool = (name: string, what: string, log = `nsenter: failed to execute ${name}: No such file or directory`): LogRow => [
  log,
  name.replace(/.*\//, ''),
  `its node has no program \`${name.replace(/.*\//, '')}\``,
  { advice: `Install ${what} on every node`, where: 'packages of the node', elsewhere: 'missing on the node' },
];

logRows(test, [...modelServerSignatures, ...nodeSignatures], {
  gpu: [
    fullCard('CUDA out of memory. Tried to allocate 2.00 GiB'),
    noCard('HIP error: invalid device function'),
    fullCard('HIP out of memory. Tried to allocate 2.00 GiB'),
    fullCard('cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY'),
    noCard('CUDA driver version is insufficient for CUDA runtime version'),
    noCard('no CUDA-capable device is detected'),
    noCard('CUDA error: invalid device ordinal'),
    noCard('Found no NVIDIA driver on your system'),
    noCard('could not load NVML library'),
    noCard("couldn't open libnvidia-ml.so.1"),
    noCard('failed to initialize NVML: Unknown Error'),
    noCard('Unable to load libcuda.so from nvidia'),
    noCard('no GPU available for ROCm'),
    noCard('no GPUs found, needs nvidia'),
    noCard('no GPU detected'),
  ],
  'model-length': [
    [
      'stored in KV cache (18496)',
      'max_model_len: stored in KV cache (18496)',
      'the memory of the card',
      { parts: { manifest: '' }, corrections: [] },
    ],
    length("The model's max seq len (32768) is larger than what can be stored in KV cache (18496).", 18_496),
    length('To serve at least one request, the estimated maximum model length is 9000.', 9000),
    [
      'ValueError: User-specified max_model_len (8192) is greater than the derived max_model_len (max_position_embeddings=4096 or model_max_length=None in config.json).',
      'max_model_len: User-specified max_model_len (8192) is greater than the derived max_model_len (max_position_embeddings=4096 or model_max_length=None in config.json).'.slice(
        0,
        175,
      ),
      'the model knows no context longer than `4096`',
      {
        advice: 'Set `--max-model-len` to `4096` at most.',
        container: { args: ['--max-model-len', '8192'] },
        corrections: likely({ 'args[1]': '4096' }),
      },
    ],
  ],
  processor: [
    [
      'WARNING: MongoDB 5.0+ requires a CPU with AVX support, and your current system does not appear to have that!',
      'processor without AVX',
      'the processor of its node has no `AVX`, or the virtual machine does not show it',
      {
        container: { image: 'mongo:7.0.5' },
        corrections: guess({ image: 'mongo:4.4' }),
        advice: 'Run it on nodes whose processors have `AVX`',
        where: 'the processors of the nodes',
        elsewhere: 'The processor of the node decides this.',
      },
    ],
    [
      'Fatal glibc error: CPU does not support x86-64-v2',
      'processor without x86-64-v2',
      'has no `x86-64-v2`',
      { container: { image: 'mongo-express:1' }, corrections: [] },
    ],
  ],
  'needs-privileged': [
    [
      'mount: permission denied (are you root?)',
      'mount: permission denied (are you root?)',
      'more rights on its node',
      {
        container: { securityContext: { privileged: true } },
        corrections: [],
      },
    ],
    ['dockerd requires privileged mode', 'dockerd requires privileged mode', 'more rights', { parts: { manifest: '' }, corrections: [] }],
    needs('dockerd requires privileged mode'),
    needs('require a privileged container'),
    needs('this needs to be privileged'),
    needs('must be run with --privileged'),
    needs('must started as privileged container'),
    needs('should be run as a privileged pod'),
    needs('run it with --privileged'),
    needs('run the container in privileged mode'),
    needs('please run me as privileged'),
  ],
  'tool-of-node': [
    tool('iscsiadm', '`open-iscsi` (`iscsi-initiator-utils`)'),
    tool('mount.nfs', '`nfs-common` (`nfs-utils`)'),
    tool('mount.cifs', '`cifs-utils`'),
    tool('smbclient', '`cifs-utils`'),
    tool('/sbin/cryptsetup', '`cryptsetup`'),
    tool('multipathd', '`multipath-tools`'),
    tool('rbd', '`ceph-common`'),
    tool('ceph-fuse', '`ceph-common`'),
    tool('iptables-save', '`iptables` or `nftables`'),
    tool('ip6tables', '`iptables` or `nftables`'),
    tool('nft', '`iptables` or `nftables`'),
    tool('zpool', 'what brings `zpool`'),
    tool('zfs', 'what brings `zfs`', "nsenter: can't execute 'zfs': No such file or directory"),
    tool('zfs', 'what brings `zfs`', 'nsenter: cannot execute zfs: No such file or directory'),
    tool('zfs', 'what brings `zfs`', 'nsenter: exec failed: zfs: No such file or directory'),
    tool('zfs', 'what brings `zfs`', "chroot: can't execute 'zfs': No such file or directory"),
    tool('zfs', 'what brings `zfs`', 'chroot: failed to run command ‘zfs’: No such file or directory'),
  ],
});
otherLogs(test, {
  'needs-privileged': [
    'binding needs privileged ports',
    'it requires privileged TCP ports',
    'error: mount: permission denied (are you root?)',
  ],
  gpu: ['CUDA version 12.4 is there'],
});

test.run();
