import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readAdmission } from '../../../src/diagnosis/facts/admission.ts';
import { readConfig } from '../../../src/diagnosis/facts/config.ts';
import { readImage } from '../../../src/diagnosis/facts/image.ts';
import { readListening } from '../../../src/diagnosis/facts/listening.ts';
import type { Message } from '../../../src/diagnosis/facts/message.ts';
import { readNode } from '../../../src/diagnosis/facts/node.ts';
import { readPodField } from '../../../src/diagnosis/facts/pod-field.ts';
import { readProbe } from '../../../src/diagnosis/facts/probe-failure.ts';
import { serverStateIn } from '../../../src/diagnosis/facts/probe-output.ts';
import { readScheduling } from '../../../src/diagnosis/facts/scheduling.ts';
import { isSetUp, serversOf } from '../../../src/diagnosis/facts/servers.ts';
import { selectsPods } from '../../../src/diagnosis/facts/service.ts';
import { settingsOf } from '../../../src/diagnosis/facts/settings-around.ts';
import { readStart } from '../../../src/diagnosis/facts/start.ts';
import { readStatuses } from '../../../src/diagnosis/facts/status.ts';
import { readVolume } from '../../../src/diagnosis/facts/volume.ts';
import { refusedByZod } from '../../../src/diagnosis/facts/refused-variables.ts';
import { aCase } from '../../support/builders/cases.ts';

const test = suite('what messages say');

const message = (text: string, reason = '', container: string | null = 'app'): Message => ({ from: 'event X', text, reason, container });
/** The facts of a message, without its quote. */
const facts = (read: (one: Message) => object[], text: string, reason = ''): object[] =>
  read(message(text, reason)).map(({ evidence: _, ...fact }: { evidence?: unknown }) => fact);
/** What the fact of each message is about. Each row: a message, the cause, and what else it says. */
function causes(
  what: string,
  read: (one: Message) => object[],
  reason: string,
  rows: readonly (readonly [text: string, cause: string | undefined, more?: object])[],
): void {
  for (const [text, cause, more = {}] of rows)
    test(`${what}: ${text.slice(0, 90)}`, () => {
      const [first] = facts(read, text, reason) as Record<string, unknown>[];
      assert.is(first?.['cause'] as string | undefined, cause);
      for (const [field, value] of Object.entries(more)) assert.equal(first?.[field], value, field);
    });
}

const PULL = 'Failed to pull image "web:1": ';
causes('a pull', readImage, 'Failed', [
  ...[
    'signature validation failed',
    'A signature was required',
    'SignatureValidationFailed',
    'no signature exists',
    'no valid signatures found',
    'Source image rejected',
  ].map((text) => [`${PULL}${text}`, 'signature'] as const),
  ...['toomanyrequests: x', 'Too Many Requests', 'rate limit', 'status 429'].map((text) => [`${PULL}${text}`, 'rate-limited'] as const),
  ...['no space left on device', 'disk quota exceeded'].map((text) => [`${PULL}${text}`, 'disk-full'] as const),
  ...[
    'no match for platform in manifest',
    'no matching manifest for linux',
    'no matching manifest for platform',
    'no image found in manifest list for',
    'no image found in image index for',
  ].map((text) => [`${PULL}${text}`, 'platform'] as const),
  [`${PULL}http: server gave HTTP response to HTTPS client`, 'http-registry'],
  ...['x509: bad', 'tls: handshake', 'certificate has expired', 'certificate signed by unknown', 'SSL_ERROR_X'].map(
    (text) => [`${PULL}${text}`, 'tls'] as const,
  ),
  ...['proxyconnect tcp', '407 Proxy Authentication'].map((text) => [`${PULL}${text}`, 'proxy'] as const),
  ...['no such host', 'server misbehaving', 'name resolution', 'Name or service not known', 'lookup a.io on 10.0.0.1'].map(
    (text) => [`${PULL}${text}`, 'unknown-host'] as const,
  ),
  ...[
    '401 Unauthorized',
    'no basic auth credentials',
    'unauthorized: x',
    'UNAUTHORIZED',
    'authentication required',
    'invalid username/password',
    'incorrect username or password',
    'failed to authorize',
    'failed to fetch anonymous token',
    'failed to fetch oauth token',
  ].map((text) => [`${PULL}${text}`, 'unauthorized'] as const),
  ...[
    'pull access denied',
    'requested access to the resource is denied',
    'insufficient_scope',
    '403 Forbidden',
    'denied: x',
    'DENIED',
    'permission "a.b" denied',
    "may require 'docker login'",
    'may require authorization',
  ].map((text) => [`${PULL}${text}`, 'denied'] as const),
  ...[
    'x: not found',
    'manifest unknown',
    'MANIFEST_UNKNOWN',
    'NAME_UNKNOWN',
    'code = NotFound',
    '404 Not Found',
    'reading manifest 1 in a/b: x',
    'name unknown',
    'repository does not exist',
    'could not find image',
  ].map((text) => [`${PULL}${text}`, 'not-found'] as const),
  ...[
    'failed to extract layer',
    'failed to verify',
    'invalid checksum',
    'unexpected commit digest',
    'archive/tar',
    'unsupported media type',
    'mediaType',
  ].map((text) => [`${PULL}${text}, unexpected EOF`, 'corrupt'] as const),
  ...[
    'i/o timeout',
    'connection refused',
    'network is unreachable',
    'no route to host',
    'deadline exceeded',
    'context canceled',
    'TLS handshake timeout',
    'connection reset',
    'EOF',
    'Client.Timeout',
    'connection timed out',
  ].map((text) => [`${PULL}${text}`, 'unreachable'] as const),
  ...['500 Internal', '502 Bad', '503 Service', '504 Gateway', 'unexpected status code 503', 'unexpected status from HEAD: 502'].map(
    (text) => [`${PULL}${text}`, 'server-error'] as const,
  ),
  [`${PULL}something else`, 'unknown', { image: 'web:1', detail: null, container: 'app' }],
  [`${PULL}lookup reg.io: no such host`, 'unknown-host', { detail: 'reg.io' }],
  [`${PULL}dial tcp 10.0.0.1:443: i/o timeout`, 'unreachable', { detail: '10.0.0.1:443' }],
  [`${PULL}Head "https://reg.io/v2/": EOF`, 'unreachable', { detail: 'reg.io' }],
  ['pulling image "a:2": rpc error', 'unknown', { image: 'a:2' }],
  ['failed to pull and unpack image "a:2": x', 'unknown', { image: 'a:2' }],
  ['failed to resolve reference "a:2": x', 'unknown', { image: 'a:2' }],
  ['failed to resolve image: a:2: x ', 'unknown', { image: 'a:2' }],
  ['initializing source docker://a:2: x ', 'unknown', { image: 'a:2' }],
  ['RegistryUnavailable', 'unknown'],
  ['Back-off: ImagePullBackOff', 'unknown'],
  ['PullImage failed', 'unknown'],
  ['it failed', undefined],
]);
test('other messages about images', () => {
  for (const text of [
    'couldn\'t parse image name "A:1": x',
    'Failed to apply default image tag "A:1": invalid reference format',
    'failed to parse image reference "A:1": invalid reference format',
  ])
    assert.equal(facts(readImage, text), [{ kind: 'image-name', image: 'A:1' }], text);
  assert.equal(facts(readImage, 'couldn\'t parse image reference "A:1": x', 'InvalidImageName'), [{ kind: 'image-name', image: 'A:1' }]);
  assert.equal(facts(readImage, 'apply default image tag "A:1"', 'InspectFailed'), [{ kind: 'image-name', image: 'A:1' }]);
  assert.equal(facts(readImage, 'apply default image tag "A:1"', 'InvalidImageName'), [{ kind: 'image-name', image: 'A:1' }]);
  assert.equal(facts(readImage, 'apply default image tag "A:1"', 'Other'), []);
  assert.equal(facts(readImage, 'Container image "a:1" is not present with pull policy of Never'), [{ kind: 'never-pull', image: 'a:1' }]);
  assert.equal(facts(readImage, 'Unable to retrieve some image pull secrets (a, b); x'), [{ kind: 'pull-secret', names: ['a', 'b'] }]);
  assert.equal(readImage(message('', 'ErrImagePull'))[0]?.evidence, { from: 'event X', text: 'ErrImagePull' });
});

test('configuration that is missing', () => {
  const missing = (what: string, name: string, key: string | null = null, volume: string | null = null) => [
    { kind: 'missing', what, name, key, volume },
  ];
  for (const [text, expected] of [
    ["couldn't find key port in ConfigMap shop/conf", missing('ConfigMap', 'conf', 'port')],
    ["couldn't find key user in Secret login, x", missing('Secret', 'login', 'user')],
    ['configmap "conf" not found', missing('ConfigMap', 'conf')],
    ['secrets "login" not found', missing('Secret', 'login')],
    ['MountVolume.SetUp failed for volume "v" : Secret "login" not found', missing('Secret', 'login', null, 'v')],
    ['MountVolume.SetUp failed for volume "v" : references non-existent config key: a.yml', missing('ConfigMap', '', 'a.yml', 'v')],
    ['for volume "v" : references non-existent secret key: tls.crt', missing('Secret', '', 'tls.crt', 'v')],
    ['something "conf" not found', []],
  ] as const)
    assert.equal(facts(readConfig, text), expected, text);
});
causes('a user that must not be root', readConfig, 'Failed', [
  ['container has runAsNonRoot and image will run as root', 'image', { user: null }],
  ['container has runAsNonRoot and image has non-numeric user (nginx), x', 'named-user', { user: 'nginx' }],
  ["container's runAsUser breaks non-root policy", 'pod'],
]);
causes('a container that is not created', readConfig, 'CreateContainerError', [
  ...['no command specified', 'No command specified', 'no command or entrypoint'].map((text) => [text, 'no-command'] as const),
  ...[
    'is reserved for "0123456789ab"',
    'name "x" is already in use',
    'name "x" is reserved',
    'The container name /x is already in use',
  ].map((text) => [text, 'name-in-use'] as const),
  ['missing value for "a.b"', 'variable', { detail: 'a.b' }],
  ['failed to prepare subPath for volumeMount "v"', 'sub-path', { detail: 'v' }],
  ['failed to create subPath directory for volumeMount "w"', 'sub-path', { detail: 'w' }],
  ['subPath is bad', 'sub-path', { detail: null }],
  ...['no such device', 'lstat /dev/x', 'stat /dev/x', 'device plugin', 'CDI device'].map((text) => [text, 'device'] as const),
  ['services have not yet been read at least once', 'services'],
  ['container side not found', 'field', { detail: 'side' }],
  ['seccomp profile "p.json"', 'seccomp', { detail: 'p.json' }],
  ['unable to load local profile "p.json"', 'seccomp', { detail: 'p.json' }],
  ['open /var/lib/kubelet/seccomp/p.json: no such file', 'seccomp', { detail: '/var/lib/kubelet/seccomp/p.json' }],
  ...[
    'mkdir x',
    'failed to mkdir',
    'failed to stat',
    'failed to mount',
    'invalid mount',
    'error mounting',
    'read-only file system',
    'not a shared mount',
  ].map((text) => [text, 'mount'] as const),
  ['the flux', 'other', { detail: null }],
]);
test('a container that is not created, by the reason', () => {
  const of = (text: string, reason: string) => (facts(readConfig, text, reason)[0] as { cause?: string } | undefined)?.cause;
  for (const reason of ['CreateContainerConfigError', 'CreateContainerError', 'PreCreateHookError'])
    assert.is(of('the flux', reason), 'other', reason);
  assert.equal([of('the flux', 'Failed'), of('the flux', 'Other'), of('', 'CreateContainerError')], [undefined, undefined, undefined]);
  for (const text of ['failed to generate container x: mkdir y', 'failed to create containerd container: mkdir y'])
    assert.is(of(text, 'Failed'), 'mount', text);
  assert.is(of('failed to generate container x: the flux', 'Failed'), undefined);
  assert.is(of('no command specified', 'Failed'), 'no-command');
});

causes('a start', readStart, 'RunContainerError', [
  ...[
    'container init was OOM-killed',
    'memory limit 100 too low',
    'cannot set memory limit',
    'limit should be above',
    'memory.max: device or resource busy',
    'minimum memory limit',
  ].map((text) => [text, 'memory'] as const),
  ['chdir to cwd ("/x") set in config', 'working-dir', { subject: '/x' }],
  ['working directory: "/x"', 'working-dir', { subject: '/x' }],
  ['chdir: /x: no', 'working-dir', { subject: '/x' }],
  ['container init: mkdir /x: not a directory', 'working-dir', { subject: '/x' }],
  ['container init: mkdir /x: file exists', 'working-dir'],
  ['container init: mkdir /x: permission denied', 'working-dir'],
  ['container init: mkdir /x: read-only file system', 'working-dir'],
  ['unknown capability "CAP_X"', 'capability', { subject: 'X' }],
  ['Are you trying to mount a directory onto a file (or vice-versa)?', 'mount-type', { subject: null }],
  ['error mounting "/a" to rootfs at "/b": not a directory', 'mount-type', { subject: '/b' }],
  ['unable to find user web: x', 'user', { subject: 'web' }],
  ['find gid for group web: x', 'user', { subject: 'web' }],
  ['no users found', 'user'],
  ['no matching entries in passwd file', 'user'],
  ['exec /x: exec format error', 'exec-format', { subject: '/x' }],
  ['exec: "/x": permission denied', 'not-executable', { subject: '/x' }],
  ['exec: "/x": stat /x: permission denied', 'not-executable', { subject: '/x' }],
  ['exec container process `/x`: Permission denied', 'not-executable', { subject: '/x' }],
  ['open executable: Permission denied', 'not-executable', { subject: null }],
  ['exec: "x": executable file not found in $PATH', 'not-found', { subject: 'x' }],
  ['exec: "/x": stat /x: no such file or directory', 'not-found', { subject: '/x' }],
  ['exec: "/x/y": not a directory', 'not-found', { subject: '/x/y' }],
  ['exec container process `/x`: No such file', 'not-found', { subject: '/x' }],
  ['executable file `x` not found', 'not-found', { subject: 'x' }],
  ['exec /x: no such file or directory', 'not-found', { subject: '/x' }],
  ['executable file not found in $PATH', 'not-found', { subject: null }],
]);
test('a start, by the reason or the runtime', () => {
  const of = (text: string, reason: string) => (facts(readStart, text, reason)[0] as { cause?: string } | undefined)?.cause;
  for (const reason of ['RunContainerError', 'StartError', 'ContainerCannotRun']) assert.is(of('the flux', reason), 'other', reason);
  assert.equal([of('the flux', 'CreateContainerError'), of('the flux', 'PostStartHookError')], [undefined, undefined]);
  for (const runtime of [
    'OCI runtime',
    'runc create',
    'crun:',
    'containerd task',
    'unable to start container process',
    'starting container process',
  ])
    assert.is(of(`${runtime} exec format error`, 'Failed'), 'exec-format', runtime);
  assert.equal(
    [
      of('crun: exec format error', 'Unhealthy'),
      of('crun: exec format error', 'FailedPreStopHook'),
      of('crun: exec format error', 'FailedCreatePodSandBox'),
    ],
    [undefined, undefined, undefined],
  );
});

causes('a field of the pod', readPodField, 'Failed', [
  ['environment variable key "A" not found in file "/f"', 'file-key', { subject: 'A', of: '/f' }],
  ["couldn't parse env file", 'file-format', { subject: null, of: null }],
  ['failed to parse environment file', 'file-format'],
  ['failed to parse env file', 'file-format'],
  ['volume "v" requested recursive read-only mode', 'recursive-read-only', { subject: 'v' }],
  ['path "/a" is mounted on "/b" but it is not a shared mount', 'propagation', { subject: '/b' }],
  ['path "/a" is mounted on "/b" but it is not a shared or slave mount', 'propagation'],
  ['apparmor profile not found p', 'apparmor', { subject: 'p' }],
  ['AppArmor profile is not loaded: "p"', 'apparmor', { subject: 'p' }],
  ['apparmor is not supported', 'apparmor', { subject: null }],
  ['apparmor failed to apply profile', 'apparmor'],
  ['apply apparmor profile', 'apparmor'],
  ...[
    'write /proc/1/attr/keycreate',
    'failed to set process label',
    'failed to set the file label',
    'failed to set mount label',
    'selinux label',
    'setexeccon',
  ].map((text) => [text, 'selinux'] as const),
  ['MOUNT_ATTR_IDMAP on /v: x', 'mapped-users', { subject: '/v' }],
  ['idmap mounts are not supported', 'mapped-users'],
  ['id-mapped mount is not supported', 'mapped-users'],
  ['image volume subpath "a/b"', 'image-folder', { subject: 'a/b' }],
  ['clustertrustbundles.certificates.k8s.io "ca" not found', 'trust-bundle', { subject: 'ca' }],
  ['clustertrustbundle "ca" does not exist', 'trust-bundle', { subject: 'ca' }],
  ['matched zero ClusterTrustBundles', 'trust-bundle', { subject: null }],
  ...['was denied', 'was permanently denied', 'was failed', 'has failed', 'is denied'].map(
    (text) => [`pod certificate request "x" ${text}`, 'pod-certificate'] as const,
  ),
  ...[
    'git volumes have been disabled',
    'gitRepo volumes are disabled',
    'git Repo volume is disabled',
    'gitRepo volume plugin is disabled',
  ].map((text) => [text, 'git'] as const),
  ['volume mode "Ephemeral" not supported by driver d', 'inline-volume', { subject: 'd' }],
  ['failed to fetch token: serviceaccounts "a" not found', 'token-account', { subject: 'a' }],
  ['DRA driver d is not registered', 'device-driver', { subject: 'd' }],
  ['DRA plugin d is not registered', 'device-driver', { subject: 'd' }],
  ['failed to prepare dynamic resources', 'device-driver', { subject: null }],
  ['the flux', undefined],
]);

const READY = 'Readiness probe failed: ';
causes('a probe', readProbe, 'Unhealthy', [
  [`${READY}HTTP probe failed with statuscode: 503`, 'status', { status: 503, probe: 'readiness' }],
  ...['server gave HTTP response to HTTPS client', 'first record does not look like a TLS handshake'].map(
    (text) => [`${READY}${text}`, 'to-https'] as const,
  ),
  ...[
    'malformed HTTP response',
    'malformed HTTP status code',
    'transport connection broken: malformed',
    'HTTP request to an HTTPS server',
  ].map((text) => [`${READY}${text}`, 'to-http'] as const),
  ...['port web not found', "couldn't find port", 'invalid port number', 'strconv.Atoi', 'strconv.ParseInt'].map(
    (text) => [`${READY}${text}`, 'port-name'] as const,
  ),
  ...['connection refused', 'ECONNREFUSED', 'failed to connect service'].map((text) => [`${READY}${text}`, 'refused'] as const),
  ...['executable file not found', 'OCI runtime exec failed', 'exec failed: x', 'errored: x not found'].map(
    (text) => [`${READY}${text}`, 'exec-missing'] as const,
  ),
  ...['command timed out', 'timeout', 'deadline exceeded', 'DeadlineExceeded', 'Client.Timeout'].map(
    (text) => [`${READY}${text}`, 'timeout'] as const,
  ),
  [`${READY}no such host`, 'dns'],
  ...['rpc error', 'service unhealthy', 'NOT_SERVING', 'does not implement the grpc health protocol', 'unknown service'].map(
    (text) => [`${READY}${text}`, text === 'service unhealthy' ? 'grpc' : 'grpc'] as const,
  ),
  [`${READY}cat: x`, 'exec', { output: 'cat: x', port: null, status: null }],
  [`${READY}Get "http://10.0.0.1:8080/": x`, 'other', { port: 8080 }],
  [`${READY}dial tcp [fd00::1]:81: x`, 'other', { port: 81 }],
  [`${READY}Post x`, 'other'],
  ['Liveness probe errored: x', 'exec', { probe: 'liveness', output: 'x' }],
  ['Startup probe warning: x', 'exec', { probe: 'startup' }],
  ['Readiness probe errored and resulted in unknown state: x', 'exec', { output: 'x' }],
  [`${READY}x; exit code 1 at 10:00, running again since 10:01`, 'exec', { output: 'x' }],
  [`${READY}x; ended, running again`, 'exec', { output: 'x' }],
]);
test('kills and hooks', () => {
  assert.equal(facts(readProbe, 'Container app failed liveness probe, will be restarted'), [
    { kind: 'probe-kill', probe: 'liveness', container: 'app' },
  ]);
  assert.equal(facts(readProbe, 'Container app failed startup probe, will be restarted'), [
    { kind: 'probe-kill', probe: 'startup', container: 'app' },
  ]);
  for (const word of ['unhealthy', 'liveness'])
    assert.equal(facts(readProbe, `Killing container with id docker://app: ${word}`), [
      { kind: 'probe-kill', probe: 'liveness', container: null },
    ]);
  const hook = (reason: string, text = 'command exited with 3: , message: "a\\nb"') => facts(readProbe, text, reason);
  assert.equal(hook('FailedPostStartHook'), [{ kind: 'hook', hook: 'postStart', exitCode: 3, output: 'a b' }]);
  assert.equal(
    [hook('PostStartHookError', ''), hook('FailedPreStopHook', 'x')],
    [
      [{ kind: 'hook', hook: 'postStart', exitCode: null, output: null }],
      [{ kind: 'hook', hook: 'preStop', exitCode: null, output: null }],
    ],
  );
  assert.equal(hook('Other'), []);
});
for (const [kind, lines] of [
  [
    'starting',
    [
      'LOADING Redis is loading the dataset',
      'the database system is starting up',
      'the server is in recovery mode',
      'not yet accepting connections',
      '/tmp:5432 - rejecting connections',
      ...['node', 'server', 'broker', 'cluster', 'app', 'application', 'service', 'instance', 'engine', 'system', 'it'].map(
        (one) => `${one} is starting`,
      ),
      ...['still booting', 'currently loading', 'initializing', 'warming up', 'recovering'].map((one) => `error: server is ${one}`),
      ...['starting', 'booting', 'loading', 'initialising', 'warming', 'recovering', 'restoring'].map((one) => `still ${one}`),
      'starting up',
      'warming up',
      'status: starting',
      'state: "loading"',
      'phase = initializing',
      'mode recovering',
      'booting',
    ],
  ],
  [
    'unready',
    [
      'sealed: true',
      'Vault is sealed',
      'no leader',
      'no cluster leader',
      'lost quorum',
      'without quorum',
      'loss of quorum',
      'do not have quorum',
      'CLUSTERDOWN',
      'MASTERDOWN',
      'cluster_state:fail',
      'NotYetInitialized',
      ...['ready', 'healthy', 'serving', 'synced', 'in sync', 'initialized', 'joined', 'bootstrapped', 'unsealed'].map(
        (one) => `it is not yet ${one}`,
      ),
      'unhealthy',
      'degraded',
      'waiting for x',
      'waiting on x',
      'waiting until x',
      'wsrep_local_state_comment Joined, not synced',
      'state: joining',
      'status donor',
      'mode: desynced',
      'is currently syncing',
      'is joining',
      '1 of 3 voters',
      '2 out of 3 replicas',
      '0 of 1 nodes',
    ],
  ],
  [
    undefined,
    [
      'Get http://x: not ready',
      'Head x not ready',
      'Post x not ready',
      'dial x not ready',
      'HTTP probe not ready',
      'OCI runtime not ready',
      'rpc error not ready',
      'service unhealthy',
      'failed to connect service not ready',
      'timeout: not ready',
      'command x not ready',
      'error: still starting',
      'failed while starting up',
      'ok',
      '1 of 3',
    ],
  ],
] as const)
  for (const line of lines)
    test(`the output of a probe's command is ${kind ?? 'no state'}: ${line}`, () => assert.equal(serverStateIn(line)?.kind, kind));
test('the line of a state is shown', () => {
  assert.equal(serverStateIn('x\n  it   is not ready \nstill starting'), { kind: 'starting', line: 'still starting' });
  assert.equal(serverStateIn('x\n  it   is not ready '), { kind: 'unready', line: 'it is not ready' });
  assert.is(serverStateIn(`${'x\n'.repeat(40)}not ready`), undefined);
});

const NODES = '0/3 nodes are available: 3 ';
causes('a pod that fits no node', (one) => readScheduling(one).flatMap(({ reasons }) => reasons), 'FailedScheduling', [
  [`${NODES}Too many pods.`, 'too-many-pods', { nodes: 3 }],
  [`${NODES}Insufficient pods.`, 'too-many-pods'],
  [`${NODES}Insufficient cpu.`, 'resource', { subject: 'cpu', text: '3 Insufficient cpu' }],
  [`${NODES}node(s) had untolerated taint {a: b}.`, 'taint', { subject: 'a=b' }],
  [`${NODES}node(s) had taint {a=b:NoSchedule}, that the pod didn't tolerate.`, 'taint', { subject: 'a=b' }],
  [`${NODES}node(s) had untolerated taint(s) {a}.`, 'taint', { subject: 'a' }],
  [`${NODES}node(s) had untolerated taint.`, 'taint', { subject: null }],
  ['persistentvolumeclaim "c" not found', 'claim-missing', { subject: 'c', nodes: 0 }],
  ...[
    'pod has unbound immediate PersistentVolumeClaims',
    'unbound PersistentVolumeClaims',
    "didn't find available persistent volumes",
    'no available persistent volume',
    'no matching volume',
  ].map((text) => [`${NODES}${text}.`, 'claim-unbound'] as const),
  ['persistentvolumeclaim "c" is being deleted', 'claim-deleted', { subject: 'c' }],
  ['waiting for ephemeral volume controller to create the persistentvolumeclaim "c"', 'claim-ephemeral', { subject: 'c' }],
  ['PVC shop/c was not created for pod web', 'claim-ephemeral', { subject: 'c' }],
  ['persistentvolumeclaim "c" is odd', 'claim-other', { subject: 'c' }],
  ...['storageclass x', 'PersistentVolumeClaim x', 'did not have enough free storage'].map(
    (text) => [`${NODES}${text}.`, 'claim-other'] as const,
  ),
  ...[
    "node(s) didn't match Pod's node affinity/selector",
    'node selector',
    "didn't match Pod's node affinity",
    'NodeAffinity',
    'plugin(s) [NodeAffinity]',
  ].map((text) => [`${NODES}${text}.`, 'node-selection'] as const),
  ...['volume node affinity conflict', "PersistentVolume's node affinity", 'no available volume zone', 'volume zone'].map(
    (text) => [`${NODES}${text}.`, text.includes("PersistentVolume's") ? 'volume-node' : 'volume-node'] as const,
  ),
  [`${NODES}exceed max volume count.`, 'volume-count'],
  [`${NODES}didn't have free ports.`, 'host-port'],
  [`${NODES}didn't have free host ports.`, 'host-port'],
  [`${NODES}pod anti-affinity rules.`, 'anti-affinity'],
  [`${NODES}pod affinity rules.`, 'pod-affinity'],
  [`${NODES}pod topology spread constraints.`, 'topology-spread'],
  [`${NODES}were unschedulable.`, 'cordoned'],
  [`${NODES}didn't match the requested node name.`, 'node-name'],
  [`${NODES}requested hostname.`, 'node-name'],
  ['device class gpu does not exist', 'device-claim', { subject: 'gpu' }],
  ['resourceclaim "r" x', 'device-claim', { subject: 'r' }],
  [`${NODES}cannot allocate all claims.`, 'device-claim', { subject: null }],
  ['no scheduler named s has looked at it', 'scheduler', { subject: 's' }],
  [`${NODES}the flux.`, 'other', { subject: null, nodes: 3 }],
  ['no nodes available to schedule pods', 'no-nodes', { nodes: 0 }],
]);
test('the parts of a scheduling message', () => {
  const of = (text: string, reason = 'FailedScheduling') =>
    readScheduling(message(text, reason)).map(({ total, reasons }) => [total, reasons.map(({ cause, nodes }) => `${cause} ${nodes}`)]);
  assert.equal(
    of(
      '0/5 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint {a: b}, 2 were unschedulable. preemption: 0/5 nodes are available: 5 No preemption victims found.',
    ),
    [[5, ['resource 1', 'taint 2', 'cordoned 2']]],
  );
  assert.equal(of('0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 1 x'), [[1, ['resource 1']]]);
  assert.equal(of('0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found'), [[1, ['claim-unbound 0']]]);
  assert.equal(
    [of('persistentvolumeclaim "c" not found', 'Other'), of('the flux'), of('persistentvolumeclaim "c" not found', 'Unschedulable')],
    [[], [], [[0, ['claim-missing 0']]]],
  );
});

causes('a mount', readVolume, 'FailedMount', [
  ['hostPath type check failed: /x is not a directory', 'host-path', { subject: '/x', wanted: 'directory' }],
  ['medium HugePages is off', 'huge-pages'],
  ['hugePages storage requested', 'huge-pages'],
  ['volume v has volumeMode Block, but is specified in volumeMounts', 'volume-mode', { subject: 'Block', wanted: 'volumeMounts' }],
  ['path "/x" does not exist', 'no-path', { subject: '/x' }],
  ['error processing PVC shop/c: PVC is being deleted', 'claim', { subject: 'c' }],
  ['error processing PVC shop/c: PVC is not bound', 'claim'],
  ['driver name d not found in the list of registered CSI drivers', 'csi-driver', { subject: 'd' }],
  ['attachable CSI volume plugin', 'csi-driver'],
  ['no volume plugin matched', 'csi-driver'],
  ['CSINode n does not contain driver d', 'csi-driver', { subject: 'd' }],
  ...[
    'Multi-Attach error',
    'already exclusively attached to one node',
    'already attached to another node',
    'volume is already used by pod',
  ].map((text) => [text, 'multi-attach'] as const),
  ['Mounting arguments: -t nfs -o hard srv:/x /y', 'nfs', { subject: 'srv:/x' }],
  ['Mounting arguments: -t nfs4 srv:/x /y', 'nfs', { subject: 'srv:/x' }],
  ...['mount.nfs: x', 'bad option; for several filesystems'].map((text) => [text, 'nfs'] as const),
  ['access denied by server while mounting srv:/x', 'nfs', { subject: 'srv:/x' }],
  ...['Permission denied', 'operation not permitted'].map((text) => [text, 'permission'] as const),
  ...['wrong fs type', 'unknown filesystem type', 'fsck failed', "can't read superblock", 'mount failed: exit status 32'].map(
    (text) => [text, 'file-system'] as const,
  ),
  ...['timed out waiting for the condition', 'Unable to attach or mount volumes', 'context deadline exceeded'].map(
    (text) => [text, 'timeout'] as const,
  ),
  ['unmounted volumes=[v w], x', 'timeout', { volume: 'v', subject: 'v w' }],
  ['MountVolume.SetUp failed for volume "v" : the flux', 'other', { volume: 'v' }],
]);
causes('a sandbox', readVolume, 'FailedCreatePodSandBox', [
  ...['container init was OOM-killed', 'memory limit 1 too low', 'minimum memory limit', 'cannot set memory limit'].map(
    (text) => [text, 'memory'] as const,
  ),
  ...[
    'no runtime for "r" is configured',
    'RuntimeHandler "r" not supported',
    'failed to find runtime handler r',
    'unknown runtime handler "r"',
    'runtime class x "r" not found',
    'RuntimeClass "r" not found',
    'runtimeclasses.node.k8s.io "r" not found',
  ].map((text) => [text, 'runtime', { subject: 'r' }] as const),
  ['sysctl key net.x', 'sysctl', { subject: 'net.x' }],
  ...['no such file', 'permission denied', 'read-only'].map(
    (text) => [`open /proc/sys/net/x: ${text}`, 'sysctl', { subject: 'net/x' }] as const,
  ),
  ['network-attachment-definitions.k8s.cni.cncf.io "n" not found', 'network-definition', { subject: 'n' }],
  ['network-attachment-definition (n) x', 'network-definition', { subject: 'n' }],
  ['FQDN a.b is too long', 'host-name', { subject: 'a.b' }],
  ['failed to construct FQDN', 'host-name'],
  ['sethostname', 'host-name'],
  ...['user namespaces', 'userns', 'idmapped', 'uid_map', 'RuntimeHandler x does not support'].map(
    (text) => [text, 'user-namespace'] as const,
  ),
  ...[
    'no IP addresses available',
    'failed to allocate for range',
    'no available IP',
    'failed to assign an IP address',
    'out of IPs',
    'IP pool exhausted',
  ].map((text) => [`cni: ${text}`, 'addresses'] as const),
  ...['cni', 'network plugin', 'networkPlugin', 'NetworkNotReady', 'failed to setup network', 'network: x'].map(
    (text) => [text, 'network'] as const,
  ),
  ['is reserved for x', 'name'],
  ...['sandbox image', 'pause'].map((text) => [text, 'image'] as const),
  ...['no space left', 'too many open files', 'resource temporarily unavailable', 'cannot allocate memory', 'cgroup'].map(
    (text) => [text, 'resources'] as const,
  ),
  ['the flux', 'other', { subject: null }],
]);
test('volumes and sandboxes, by the reason', () => {
  const of = (text: string, reason: string) =>
    facts(readVolume, text, reason).map((one) => `${(one as { kind: string }).kind} ${(one as { cause: string }).cause}`);
  for (const reason of ['FailedMount', 'FailedMapVolume']) assert.equal(of('the flux', reason), ['mount other'], reason);
  assert.equal(of('the flux', 'FailedAttachVolume'), ['mount attach']);
  for (const text of ['MountVolume x', 'MountDevice x', 'AttachVolume x', 'mount volumes'])
    assert.equal(of(text, ''), ['mount other'], text);
  for (const reason of ['FailedPodSandBoxStatus', 'NetworkNotReady']) assert.equal(of('the flux', reason), ['sandbox other'], reason);
  assert.equal([of('failed to create pod sandbox: x', ''), of('', 'FailedMount'), of('the flux', '')], [['sandbox other'], [], []]);
});

test('what a node does with a pod', () => {
  const kinds = (text: string, reason = '') => facts(readNode, text, reason).map((one) => (one as { kind: string }).kind);
  for (const reason of ['OOMKilled', 'OOMKilling', 'SystemOOM']) assert.equal(kinds('x', reason), ['oom'], reason);
  for (const text of ['it was OOMKilled', 'Memory cgroup out of memory', 'oom-kill:x']) assert.equal(kinds(text), ['oom'], text);
  for (const reason of ['Preempted', 'Preempting']) assert.equal(kinds('x', reason), ['preempted'], reason);
  for (const text of ['Preempted by pod', 'Preempted in order to', 'preempted to accommodate', 'preempting to accommodate'])
    assert.equal(kinds(text), ['preempted'], text);
  for (const text of ['Pod was active on the node longer than the specified deadline', 'Job was active longer than specified deadline'])
    assert.equal(kinds(text), ['deadline'], text);
  for (const text of ['Node n which was running pod web is unresponsive', 'node is no longer there', 'NodeNotReady'])
    assert.equal(kinds(text), ['node-lost'], text);
  assert.equal([kinds('x', 'NodeLost'), kinds('x')], [['node-lost'], []]);
});
const NOTHING = { name: null, limit: null, usage: null };
test('evictions', () => {
  for (const [text, reason, expected] of [
    [
      'The node was low on resource: memory. Container app was using 2Gi, request is 1Gi.',
      'Evicted',
      { resource: 'memory', scope: 'node', name: 'app', limit: null, usage: '2Gi' },
    ],
    [
      'The node was low on resource: ephemeral-storage. Container app was using 2Gi, which exceeds its request of 0.',
      '',
      { resource: 'ephemeral-storage', scope: 'node', name: 'app', limit: null, usage: '2Gi' },
    ],
    ['The node was low on resource: inodes', '', { ...NOTHING, resource: 'inodes', scope: 'node' }],
    ['The node had condition: [DiskPressure]', '', { ...NOTHING, resource: 'ephemeral-storage', scope: 'node' }],
    ['The node had condition: [PIDPressure]', '', { ...NOTHING, resource: 'pids', scope: 'node' }],
    ['low on resource: nodefs.x', '', { ...NOTHING, resource: 'ephemeral-storage', scope: 'node' }],
    ['low on resource: imagefs', '', { ...NOTHING, resource: 'ephemeral-storage', scope: 'node' }],
    [
      'Usage of EmptyDir volume "v" exceeds the limit "1Mi". ',
      '',
      { resource: 'ephemeral-storage', scope: 'volume', name: 'v', limit: '1Mi', usage: null },
    ],
    [
      'Container app exceeded its local ephemeral storage limit "1Mi". ',
      '',
      { resource: 'ephemeral-storage', scope: 'container', name: 'app', limit: '1Mi', usage: null },
    ],
    [
      'Pod ephemeral local storage usage exceeds the total limit of containers 1Mi. ',
      '',
      { resource: 'ephemeral-storage', scope: 'pod', name: null, limit: '1Mi', usage: null },
    ],
    ['Taint manager: deleting', 'TaintManagerEviction', { ...NOTHING, resource: 'other', scope: 'taint' }],
    ['somebody asked', 'EvictionByEvictionAPI', { ...NOTHING, resource: 'other', scope: 'api' }],
    ['memory', 'Evicted', { ...NOTHING, resource: 'memory', scope: 'api' }],
  ] as const)
    assert.equal(facts(readNode, text, reason), [{ kind: 'evicted', ...expected }], text);
  assert.equal([facts(readNode, '', 'Evicted'), facts(readNode, 'memory', 'Other')], [[], []]);
});
for (const reason of [
  'OutOfcpu',
  'NodeAffinity',
  'NodePorts',
  'NodeName',
  'NodeUnschedulable',
  'TaintToleration',
  'UnexpectedAdmissionError',
  'AdmissionError',
  'UnexpectedPredicateFailureType',
  'TopologyAffinityError',
  'AppArmor',
  'Sysctl',
  'SysctlForbidden',
  'PodOSNotSupported',
  'PodOSSelectorNodeLabelDoesNotMatch',
  'NodeShutdown',
  'Terminated',
  'InvalidNodeInfo',
  'SupplementalGroupsPolicyNotSupported',
  'HostPortConflict',
  'PodLevelResourcesNotX',
])
  test(`kubelet refuses a pod: ${reason}`, () =>
    assert.equal(facts(readNode, 'x', reason), [
      { kind: 'rejected', word: reason, resource: null, requested: null, used: null, capacity: null },
    ]));
test('kubelet refuses a pod, with numbers', () => {
  assert.equal(facts(readNode, "Node didn't have enough resource: cpu, requested: 300, used: 200, capacity: 400", 'x'), [
    { kind: 'rejected', word: 'x', resource: 'cpu', requested: 300, used: 200, capacity: 400 },
  ]);
  assert.is(facts(readNode, 'Pod was rejected: x', '').length, 1);
});

test('what admission says', () => {
  for (const [text, expected] of [
    [
      'pods "x" is forbidden: exceeded quota: team, requested: requests.cpu=1,pods=1, used: requests.cpu=2, limited: requests.cpu=2',
      {
        kind: 'quota',
        quota: 'team',
        requested: { 'requests.cpu': '1', pods: '1' },
        used: { 'requests.cpu': '2' },
        limited: { 'requests.cpu': '2' },
      },
    ],
    [
      'is forbidden: failed quota: team: must specify limits.cpu for: a,b; memory',
      {
        kind: 'quota-needs',
        quota: 'team',
        fields: [
          { resource: 'limits.cpu', containers: ['a', 'b'] },
          { resource: 'memory', containers: [] },
        ],
      },
    ],
    [
      'is forbidden: failed quota: team: must specify limits.cpu,limits.memory',
      {
        kind: 'quota-needs',
        quota: 'team',
        fields: [
          { resource: 'limits.cpu', containers: [] },
          { resource: 'limits.memory', containers: [] },
        ],
      },
    ],
    [
      'is forbidden: violates PodSecurity "restricted:latest": a (container "x" must set y, z), b (w)',
      { kind: 'pod-security', level: 'restricted', violations: ['a (container "x" must set y, z)', 'b (w)'] },
    ],
    ['error looking up service account: serviceaccount "a" not found', { kind: 'service-account', name: 'a' }],
    ['is forbidden: no PriorityClass with name p was found', { kind: 'priority-class', name: 'p' }],
    ['is forbidden: RuntimeClass "r" not found', { kind: 'runtime-class', name: 'r' }],
    ['runtimeclasses.node.k8s.io "r" not found', { kind: 'runtime-class', name: 'r' }],
    [
      'is forbidden: cpu max limit to request ratio per Container is 4, but provided ratio is 8',
      { kind: 'limit-ratio', resource: 'cpu', most: 4 },
    ],
    [
      'is forbidden: spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit',
      { kind: 'above-limit', path: 'containers[0]', request: '2', resource: 'cpu' },
    ],
    ["is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no", { kind: 'policy', name: 'p', reason: 'no' }],
    ['admission webhook "w.io" denied the request: no', { kind: 'webhook', name: 'w.io', denied: true, reason: 'no' }],
    ['failed calling webhook "w.io": timeout', { kind: 'webhook', name: 'w.io', denied: false, reason: 'timeout' }],
    ['(combined from similar events): Error creating: the flux', { kind: 'refused', reason: 'the flux' }],
    ['Job has reached the specified backoff limit', { kind: 'job-failed' }],
  ] as const)
    assert.equal(facts(readAdmission, text), [expected], text);
  const range = (bound: string, resource: string, of: string, allowed: string, given: string) => ({
    kind: 'limit-range',
    bound,
    resource,
    of,
    allowed,
    given,
  });
  assert.equal(
    facts(
      readAdmission,
      'is forbidden: [maximum cpu usage per Container is 1, but limit is 2, minimum memory usage per Pod is 1Gi, but request is 1Mi, maximum memory usage per Container is 2Gi.  No limit is specified]',
    ),
    [
      range('maximum', 'cpu', 'Container', '1', '2'),
      range('minimum', 'memory', 'Pod', '1Gi', '1Mi'),
      range('maximum', 'memory', 'Container', '2Gi', ''),
    ],
  );
  for (const reason of ['BackoffLimitExceeded', 'PodFailurePolicy'])
    assert.equal(facts(readAdmission, 'x', reason), [{ kind: 'job-failed' }]);
  assert.equal(
    [
      facts(readAdmission, 'is forbidden: the flux'),
      facts(readAdmission, 'is forbidden: the flux', 'FailedCreate'),
      facts(readAdmission, 'Error', 'FailedCreate'),
    ],
    [[], [{ kind: 'refused', reason: 'is forbidden: the flux' }], []],
  );
});

const listening = (text: string) =>
  readListening(aCase({ logs: `==> app (current) <==\n${text}\n` })).map(({ port, local }) => (local ? -port : port));
for (const word of [
  'listening on',
  'listen',
  'started',
  'running at',
  'serving',
  'bound to',
  'ready',
  'available at',
  'server',
  'http',
  'port',
])
  test(`a port that is open: ${word}`, () => assert.equal(listening(`${word} 0.0.0.0:8080`), [8080]));
test('the ports that a program opens', () => {
  assert.equal(
    [
      'listening on port 8080',
      'listening on port (8080',
      'listening on port = 8080',
      'listening on [::]:81',
      'listening on *:81',
      'listening on :81',
      'listening on web:81',
    ].map((one) => listening(one)[0]),
    [8080, 8080, 8080, 81, 81, 81, 81],
  );
  assert.equal(
    ['127.0.0.1', 'localhost', '[::1]'].map((one) => listening(`listening on ${one}:81`)[0]),
    [-81, -81, -81],
  );
  assert.equal(
    [
      'connecting to http://db:81',
      'http connected to :81',
      'server refused :81',
      'server error :81',
      'server failed :81',
      'started 10:20:30',
      'server.go:88 started',
      'listening on :70000',
      'the :8080',
    ].map((one) => listening(one).length),
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
  );
  assert.equal(
    listening('listening on :1111\nlistening on :2222\nlistening on :3333\nlistening on :4444\nlistening on :5555'),
    [1111, 2222, 3333, 4444],
    'four at most',
  );
  assert.equal(listening(`${'x\n'.repeat(60)}listening on :81`), [], 'at the beginning of the log');
});
for (const file of [
  'go',
  'js',
  'mjs',
  'cjs',
  'ts',
  'tsx',
  'py',
  'rb',
  'java',
  'kt',
  'scala',
  'rs',
  'cs',
  'c',
  'cc',
  'cpp',
  'hpp',
  'h',
  'php',
  'ex',
  'exs',
  'lua',
])
  test(`a line of a .${file} is no port`, () => assert.equal(listening(`server started at a.${file}:88`), []));

test('what a container’s status says', () => {
  const run = {
    state: 'terminated',
    exit_code: 3,
    reason: 'Error',
    signal: 9,
    started_at: '2026-01-01T00:00:00Z',
    finished_at: '2026-01-01T00:01:00Z',
  };
  const of = (...all: object[]) => readStatuses(aCase({ container: 'app', container_statuses: all as never }));
  const [first, second] = of(
    { name: 'side', kind: 'init', state: 'terminated', exit_code: 0 },
    { name: 'app', state: 'waiting', reason: 'CrashLoopBackOff', message: 'back-off', restart_count: 1, last_state: run },
  );
  assert.equal(first, {
    kind: 'waiting',
    container: 'app',
    reason: 'CrashLoopBackOff',
    evidence: { from: 'status of container app', text: 'waiting: CrashLoopBackOff: back-off' },
  });
  assert.equal(second, {
    kind: 'run',
    container: 'app',
    init: false,
    exitCode: 3,
    signal: 9,
    reason: 'Error',
    restarts: 1,
    seconds: 60,
    evidence: { from: 'status of container app', text: 'terminated: Error, exit code 3, restarted 1 time' },
  });
  const [alone] = of({ name: 'i', kind: 'init', state: 'terminated', exit_code: 0, restart_count: 2 });
  assert.equal(alone, {
    kind: 'run',
    container: 'i',
    init: true,
    exitCode: 0,
    signal: null,
    reason: '',
    restarts: 2,
    seconds: null,
    evidence: { from: 'status of container i', text: 'terminated: Error, exit code 0, restarted 2 times' },
  });
  assert.equal(
    [of({ name: 'a', state: 'waiting' }), of({ name: 'a', state: 'running' }), of({ name: 'a', state: 'terminated' })],
    [[], [], []],
  );
  assert.is((of({ name: 'a', ...run, started_at: '1970-01-01T00:00:00Z' })[0] as { seconds: unknown }).seconds, null);
});

const zod = (...issues: string[]) => refusedByZod(aCase({ logs: `==> app (previous) <==\nZodError: [\n${issues.join(',\n')}\n]\n` }));
test('what zod refuses', () => {
  assert.equal(
    zod(
      '  {\n    "path": [\n      "PORT"\n    ],\n    "message": "Expected number, received nan"\n  }',
      '  {\n    "path": ["A"],\n    "message": "Required"\n  }',
      "  {\n    path: [ 'MODE' ],\n    message: 'Invalid \\'option\\'',\n    options: [ 'dev', 'prod' ]\n  }",
    ),
    [
      { name: 'PORT', line: 'PORT: Expected number, received nan' },
      { name: 'MODE', line: "MODE: Invalid 'option' (expected one of dev, prod)" },
    ],
  );
  assert.equal(zod('  {\n    "path": ["A"],\n    "message": "Invalid input: expected string, received undefined"\n  }'), []);
  assert.equal(zod('  {\n    "path": ["A"],\n    "values": ["x"],\n    "message": "expected x"\n  }')[0]?.line, 'A: expected x');
  assert.equal(zod('  {\n    "message": "no path"\n  }'), []);
});

const map = (name: string, data: unknown) => ({ kind: 'ConfigMap', metadata: { name }, data }) as never;
test('the settings around a pod', () => {
  assert.equal(settingsOf([map('a', { x: '1', y: 7 }), map('b', { z: '2' }), map('c', null), map('d', 'text')]), [
    { object: 'a', key: 'x', value: '1' },
    { object: 'b', key: 'z', value: '2' },
  ]);
  for (const name of ['kube-root-ca.crt', 'openshift-service-ca.crt', 'istio-ca-root-cert'])
    assert.equal(settingsOf([map(name, { x: '1' })]), [], name);
  assert.equal([settingsOf([map('a', { x: 'v'.repeat(8_000) })]).length, settingsOf([map('a', { x: 'v'.repeat(8_001) })]).length], [1, 0]);
  const large = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, 'v'.repeat(8_000)]));
  assert.is(settingsOf([map('a', large)]).length, 25);
});
test('the pods that a Service selects', () =>
  assert.equal(
    [
      selectsPods({ selector: { a: '1' } }, { a: '1', b: '2' }),
      selectsPods({ selector: { a: '1' } }, { a: '2' }),
      selectsPods({ selector: {} }, { a: '1' }),
      selectsPods({}, {}),
      selectsPods({ selector: { a: '1' } }),
    ],
    [true, false, false, false, false],
  ));
const servers = (...env: object[]) =>
  serversOf({ metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'c', env }] } } as never);
const plain = (name: string, value = 'v') => ({ name, value });
const keyed = (name: string) => ({ name, valueFrom: { secretKeyRef: { name: 's', key: 'k' } } });
for (const [names, what] of [
  [
    [
      'POSTGRES_DB',
      'POSTGRESQL_DATABASE',
      'MYSQL_DATABASE',
      'MARIADB_DATABASE',
      'MONGO_INITDB_DATABASE',
      'MONGODB_DATABASE',
      'CLICKHOUSE_DB',
    ],
    'database',
  ],
  [
    [
      'POSTGRESQL_USERNAME',
      'MYSQL_USER',
      'MARIADB_USER',
      'MONGO_INITDB_ROOT_USERNAME',
      'MONGODB_USERNAME',
      'CLICKHOUSE_USER',
      'RABBITMQ_DEFAULT_USER',
      'RABBITMQ_USERNAME',
      'MINIO_ROOT_USER',
    ],
    'user',
  ],
  [['RABBITMQ_DEFAULT_VHOST', 'RABBITMQ_VHOST'], 'vhost'],
] as const)
  for (const name of names)
    test(`${name} makes a ${what}`, () => {
      assert.equal(servers({ name: 'X', value: 'y' }, plain(name)), [{ labels: { app: 'db' }, names: { [what]: 'v' } }]);
      assert.ok(isSetUp(plain(name)));
      assert.equal(servers(plain(name, '')), []);
    });
for (const name of [
  'POSTGRES_PASSWORD',
  'POSTGRESQL_PASSWORD',
  'MYSQL_PASSWORD',
  'MARIADB_PASSWORD',
  'MONGO_INITDB_ROOT_PASSWORD',
  'MONGODB_PASSWORD',
  'CLICKHOUSE_PASSWORD',
  'RABBITMQ_DEFAULT_PASS',
  'RABBITMQ_PASSWORD',
  'REDIS_PASSWORD',
  'MINIO_ROOT_PASSWORD',
])
  test(`${name} is the password of a server`, () => {
    assert.equal(servers(keyed(name)), [{ labels: { app: 'db' }, names: {}, password: { secret: 's', key: 'k' } }]);
    assert.equal([isSetUp(keyed(name)), isSetUp(plain(name)), servers(plain(name))], [true, false, []]);
  });
test('a server in a pod', () => {
  assert.equal(
    servers(plain('POSTGRES_USER', 'u')),
    [{ labels: { app: 'db' }, names: { database: 'u', user: 'u' } }],
    'PostgreSQL calls its database like its user',
  );
  assert.equal(servers(plain('MYSQL_USER', 'u')), [{ labels: { app: 'db' }, names: { user: 'u' } }]);
  assert.equal(servers(keyed('MYSQL_USER'), keyed('MYSQL_PASSWORD')), [
    { labels: { app: 'db' }, names: {}, password: { secret: 's', key: 'k' }, userFrom: { secret: 's', key: 'k' } },
  ]);
  assert.equal([servers(), servers(plain('X')), serversOf({ metadata: {} } as never)], [[], [], []]);
});

test.run();
