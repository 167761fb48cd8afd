import type { Case } from '../../../src/diagnosis/case.ts';
import { aCase, aPodManifest, type CaseParts, crashed } from '../builders/cases.ts';

/** A written case, and what its diagnosis must say. */
export interface Row extends CaseParts {
  /** The report's text: `reason: message`. */
  says: string;
  culprit: RegExp | string;
  /** Path and value of each change of the best correction; null: none. */
  best?: Record<string, unknown> | null;
  mirrorable?: boolean;
}

const container = 'spec.containers[0]';
const image = `${container}.image`;
const node = (labels: Record<string, string>, allocatable: Record<string, string> = { cpu: '4', memory: '8Gi' }) => ({
  name: 'n',
  labels,
  allocatable,
  taints: [],
});
const http = (path: string, port: number | string) => ({ httpGet: { path, port } });

/** Old and new messages of the kubelet, runtimes and scheduler. The pod's surroundings contain the right word for a typo. */
export const WRITTEN: Record<string, Row> = {
  'CRI-O: a tag that is not there; the cluster runs another': {
    says: 'ImagePullBackOff: initializing source docker://quay.io/acme/api:1.2.33: reading manifest 1.2.33 in quay.io/acme/api: manifest unknown',
    status: { image: 'quay.io/acme/api:1.2.33' },
    manifest: aPodManifest({ image: 'quay.io/acme/api:1.2.33' }),
    surroundings: { images: ['quay.io/acme/api:1.2.3', 'quay.io/acme/api:0.9', 'nginx:1'] },
    culprit: 'quay.io/acme/api:1.2.33',
    best: { [image]: 'quay.io/acme/api:1.2.3' },
  },
  'old containerd: a repository with a slip': {
    says: 'ErrImagePull: rpc error: code = Unknown desc = failed to pull and unpack image "docker.io/library/ngnix:1.25": failed to resolve reference "docker.io/library/ngnix:1.25": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
    status: { image: 'ngnix:1.25' },
    manifest: aPodManifest({ image: 'ngnix:1.25' }),
    surroundings: { images: ['nginx:1.25'] },
    culprit: 'ngnix:1.25',
    best: { [image]: 'nginx:1.25' },
  },
  'a slip of latest': {
    says: 'ErrImagePull: Error response from daemon: manifest for redis:lastest not found: manifest unknown: manifest unknown',
    status: { image: 'redis:lastest' },
    manifest: aPodManifest({ image: 'redis:lastest' }),
    culprit: 'redis:lastest',
    best: { [image]: 'redis:latest' },
  },
  'a registry that limits': {
    says: 'ErrImagePull: failed to pull image "redis:7": toomanyrequests: You have reached your pull rate limit',
    status: { image: 'redis:7' },
    manifest: aPodManifest({ image: 'redis:7' }),
    culprit: 'redis:7: the registry limits the number of pulls',
    best: null,
  },
  'a registry that nobody knows': {
    says: 'ErrImagePull: failed to pull and unpack image "registry.example/a:1": failed to resolve image: failed to do request: Head "https://registry.example/v2/a/manifests/1": dial tcp: lookup registry.example: no such host',
    status: { image: 'registry.example/a:1' },
    manifest: aPodManifest({ image: 'registry.example/a:1' }),
    culprit: /registry\.example/,
    best: null,
  },
  'a registry with a certificate of its own': {
    says: 'ErrImagePull: failed to pull image "r.local/a:1": x509: certificate signed by unknown authority',
    status: { image: 'r.local/a:1' },
    culprit: "r.local/a:1: the registry's certificate is not accepted",
    best: null,
  },
  'an image name in capitals': {
    says: 'InvalidImageName: Failed to apply default image tag "MyApp:1": couldn\'t parse image reference "MyApp:1": invalid reference format: repository name must be lowercase',
    manifest: aPodManifest({ image: 'MyApp:1' }),
    culprit: 'MyApp:1 (a repository must be lower-case)',
    best: { [image]: 'myapp:1' },
  },
  'an image name with a protocol': {
    says: 'InvalidImageName: x',
    manifest: aPodManifest({ image: 'https://ghcr.io/acme/web:1' }),
    culprit: 'https://ghcr.io/acme/web:1 (it begins with a protocol)',
    best: { [image]: 'ghcr.io/acme/web:1' },
  },
  'a pull secret with a slip': {
    says: 'ImagePullBackOff: failed to pull image "private/app:1": authorization failed: no basic auth credentials',
    events: [
      {
        reason: 'FailedToRetrieveImagePullSecret',
        message: 'Unable to retrieve some image pull secrets (regcrd); attempting to pull the image may not succeed.',
      },
    ],
    manifest: aPodManifest({ image: 'private/app:1' }, { imagePullSecrets: [{ name: 'regcrd' }] }),
    surroundings: { secrets: [{ name: 'regcred', keys: ['.dockerconfigjson'] }] },
    culprit: 'pull secret regcrd',
    best: { 'spec.imagePullSecrets[0].name': 'regcred' },
    mirrorable: false,
  },
  'a ConfigMap with a slip': {
    says: 'CreateContainerConfigError: configmap "app-confg" not found',
    manifest: aPodManifest({ envFrom: [{ configMapRef: { name: 'app-confg' } }] }),
    surroundings: { configMaps: [{ name: 'app-config', keys: ['A'] }] },
    culprit: 'ConfigMap app-confg',
    best: { [`${container}.envFrom[0].configMapRef.name`]: 'app-config' },
  },
  'a ConfigMap with a slip beside one that exists': {
    says: 'CreateContainerConfigError: configmap "app-confg" not found',
    manifest: aPodManifest({ envFrom: [{ configMapRef: { name: 'colors' } }, { configMapRef: { name: 'app-confg' } }] }),
    surroundings: {
      configMaps: [
        { name: 'app-config', keys: ['A'] },
        { name: 'colors', keys: ['B'] },
      ],
    },
    culprit: 'ConfigMap app-confg',
    best: { [`${container}.envFrom[1].configMapRef.name`]: 'app-config' },
  },
  'a key with a slip': {
    says: "CreateContainerConfigError: couldn't find key databse-url in ConfigMap shop/app-config",
    manifest: aPodManifest({
      env: [
        { name: 'A', value: 'x' },
        { name: 'URL', valueFrom: { configMapKeyRef: { name: 'app-config', key: 'databse-url' } } },
      ],
    }),
    surroundings: { configMaps: [{ name: 'app-config', keys: ['database-url', 'color'] }] },
    culprit: 'key databse-url in ConfigMap app-config',
    best: { [`${container}.env[1].valueFrom.configMapKeyRef.key`]: 'database-url' },
  },
  'a Secret with a slip is shown and not run': {
    says: 'CreateContainerConfigError: secret "db-credentals" not found',
    manifest: aPodManifest({ env: [{ name: 'P', valueFrom: { secretKeyRef: { name: 'db-credentals', key: 'p' } } }] }),
    surroundings: { secrets: [{ name: 'db-credentials', keys: ['p'] }] },
    culprit: 'Secret db-credentals',
    best: { [`${container}.env[0].valueFrom.secretKeyRef.name`]: 'db-credentials' },
    mirrorable: false,
  },
  'a key of a Secret with a slip': {
    says: "CreateContainerConfigError: couldn't find key pasword in Secret shop/db",
    manifest: aPodManifest({ env: [{ name: 'P', valueFrom: { secretKeyRef: { name: 'db', key: 'pasword' } } }] }),
    surroundings: { secrets: [{ name: 'db', keys: ['username', 'password'] }] },
    culprit: 'key pasword in Secret db',
    best: { [`${container}.env[0].valueFrom.secretKeyRef.key`]: 'password' },
  },
  'a key that another Secret has is shown and not run': {
    says: "CreateContainerConfigError: couldn't find key password in Secret shop/db",
    manifest: aPodManifest({ env: [{ name: 'P', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } }] }),
    surroundings: {
      secrets: [
        { name: 'db', keys: ['host'] },
        { name: 'login', keys: ['password'] },
      ],
    },
    culprit: 'key password in Secret db',
    best: { [`${container}.env[0].valueFrom.secretKeyRef.name`]: 'login' },
    mirrorable: false,
  },
  'a volume item with a slip': {
    says: 'FailedMount: MountVolume.SetUp failed for volume "conf" : references non-existent config key: ngnix.conf',
    manifest: aPodManifest(
      {},
      { volumes: [{ name: 'conf', configMap: { name: 'web', items: [{ key: 'ngnix.conf', path: 'nginx.conf' }] } }] },
    ),
    surroundings: { configMaps: [{ name: 'web', keys: ['nginx.conf'] }] },
    culprit: 'key ngnix.conf in ConfigMap web',
    best: { 'spec.volumes[0].configMap.items[0].key': 'nginx.conf' },
  },
  'a user with a name against runAsNonRoot': {
    says: 'CreateContainerConfigError: container has runAsNonRoot and image has non-numeric user (app), cannot verify user is non-root (pod: "x", container: app)',
    manifest: aPodManifest({ securityContext: { runAsNonRoot: true } }),
    culprit: 'runAsNonRoot: user app of the image has no number',
    best: { [`${container}.securityContext.runAsUser`]: 1000 },
  },
  'old runc: a command with a slip': {
    says: 'RunContainerError: failed to create containerd task: OCI runtime create failed: container_linux.go:380: starting container process caused: exec: "pyhton": executable file not found in $PATH: unknown',
    manifest: aPodManifest({ command: ['pyhton', 'main.py'] }),
    culprit: 'pyhton',
    best: { [`${container}.command`]: ['python', 'main.py'] },
  },
  'crun: a command that is one line': {
    says: 'StartError: container create failed: executable file `npm start` not found in $PATH: No such file or directory; OCI runtime',
    manifest: aPodManifest({ command: ['npm start'] }),
    culprit: 'command npm start',
    best: { [`${container}.command`]: ['npm', 'start'] },
  },
  'no bash in a small image': {
    says: 'StartError: OCI runtime create failed: runc create failed: unable to start container process: exec: "/bin/bash": stat /bin/bash: no such file or directory: unknown',
    manifest: aPodManifest({ command: ['/bin/bash', '-c', 'x'] }),
    culprit: '/bin/bash',
    best: { [`${container}.command`]: ['/bin/sh', '-c', 'x'] },
  },
  'a script from a ConfigMap without the right to run': {
    says: 'StartError: OCI runtime create failed: unable to start container process: exec: "/scripts/run.sh": permission denied: unknown',
    manifest: aPodManifest(
      { command: ['/scripts/run.sh'], volumeMounts: [{ name: 's', mountPath: '/scripts' }] },
      { volumes: [{ name: 's', configMap: { name: 'x' } }] },
    ),
    culprit: '/scripts/run.sh',
    best: { 'spec.volumes[0].configMap.defaultMode': 0o755 },
  },
  'a working directory that is not there': {
    says: 'StartError: OCI runtime create failed: runc create failed: unable to start container process: chdir to cwd ("/srv/app") set in config.json failed: no such file or directory: unknown',
    manifest: aPodManifest({ workingDir: '/srv/app' }),
    culprit: '/srv/app (workingDir)',
    best: { [`${container}.workingDir`]: null },
  },
  'a volume on a file': {
    says: 'StartError: OCI runtime create failed: error mounting "/var/lib/kubelet/x" to rootfs at "/etc/nginx/nginx.conf": mount src: not a directory: Are you trying to mount a directory onto a file (or vice-versa)? Check if the specified host path exists',
    manifest: aPodManifest({ volumeMounts: [{ name: 'c', mountPath: '/etc/nginx/nginx.conf' }] }),
    culprit: /.*/,
    best: { [`${container}.volumeMounts[0].subPath`]: 'nginx.conf' },
  },
  'a memory limit with the unit of a thousandth': {
    says: 'StartError: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: container init was OOM-killed (memory limit too low?): unknown',
    manifest: aPodManifest({ resources: { limits: { memory: '128m' } } }),
    culprit: 'memory limit 128m',
    best: { [`${container}.resources.limits.memory`]: '128Mi' },
  },
  'a heap above the limit': {
    says: 'OOMKilled: ',
    manifest: aPodManifest({ env: [{ name: 'JAVA_OPTS', value: '-Xmx512m' }], resources: { limits: { memory: '256Mi' } } }),
    culprit: 'memory limit 256Mi',
    best: { [`${container}.resources.limits.memory`]: '768Mi' },
  },
  'a variable with a slip': {
    says: 'CrashLoopBackOff: ',
    status: crashed(),
    logs: 'Error: DATABASE_URL is not set',
    manifest: aPodManifest({ env: [{ name: 'DATBASE_URL', value: 'x' }] }),
    culprit: 'DATABASE_URL (DATBASE_URL)',
    best: { [`${container}.env[0].name`]: 'DATABASE_URL' },
  },
  'a variable that a ConfigMap has': {
    says: 'CrashLoopBackOff: ',
    status: crashed(),
    logs: 'Error: CACHE_URL is not set',
    manifest: aPodManifest(),
    surroundings: { configMaps: [{ name: 'cfg', keys: ['CACHE_URL'] }] },
    culprit: 'CACHE_URL',
    best: { [`${container}.env`]: [{ name: 'CACHE_URL', valueFrom: { configMapKeyRef: { name: 'cfg', key: 'CACHE_URL' } } }] },
  },
  'a host with a slip': {
    says: 'CrashLoopBackOff: ',
    status: crashed(),
    logs: 'dial tcp: lookup postgress on 10.0.0.10:53: no such host',
    manifest: aPodManifest({ env: [{ name: 'URL', value: 'postgres://u@postgress:5432/db' }] }),
    surroundings: { services: [{ name: 'postgres', ports: [5432] }] },
    culprit: 'postgress (URL)',
    best: { [`${container}.env[0].value`]: 'postgres://u@postgres:5432/db' },
  },
  'a port that the Service does not have': {
    says: 'CrashLoopBackOff: ',
    status: crashed(),
    logs: 'connect ECONNREFUSED redis:6380',
    manifest: aPodManifest({ args: ['--cache=redis:6380'] }),
    surroundings: { services: [{ name: 'redis', ports: [6379] }] },
    culprit: 'redis:6380',
    best: { [`${container}.args[0]`]: '--cache=redis:6379' },
  },
  'an option that is not known': {
    says: 'CrashLoopBackOff: ',
    status: crashed(2),
    logs: 'flag provided but not defined: -verbos',
    manifest: aPodManifest({ args: ['--port=1', '--verbos'] }),
    culprit: '-verbos',
    best: { [`${container}.args`]: ['--port=1'] },
  },
  'a read-only root file system': {
    says: 'CrashLoopBackOff: ',
    status: crashed(),
    logs: "OSError: [Errno 30] Read-only file system: '/tmp/x.pid'",
    manifest: aPodManifest(),
    culprit: '/tmp/x.pid (read-only file system)',
    best: {
      'spec.volumes': [{ name: 'writable-tmp', emptyDir: {} }],
      [`${container}.volumeMounts`]: [{ name: 'writable-tmp', mountPath: '/tmp' }],
    },
  },
  'a claim that belongs to root': {
    says: 'CrashLoopBackOff: ',
    status: crashed(),
    logs: "mkdir: cannot create directory '/data/x': Permission denied",
    manifest: aPodManifest(
      { securityContext: { runAsUser: 1001 }, volumeMounts: [{ name: 'd', mountPath: '/data' }] },
      { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'd' } }] },
    ),
    culprit: '/data/x (permission denied)',
    best: { 'spec.securityContext.fsGroup': 1001 },
  },
  'a process that ends with 0': {
    says: 'CrashLoopBackOff: ',
    status: crashed(0),
    manifest: aPodManifest(),
    culprit: 'exit code 0',
    best: { 'spec.restartPolicy': 'OnFailure' },
  },
  'a shared memory that is full': {
    says: 'CrashLoopBackOff: ',
    status: crashed(135),
    manifest: aPodManifest(),
    culprit: 'exit code 135',
    best: {
      'spec.volumes': [{ name: 'shared-memory', emptyDir: { medium: 'Memory', sizeLimit: '256Mi' } }],
      [`${container}.volumeMounts`]: [{ name: 'shared-memory', mountPath: '/dev/shm' }],
    },
  },
  'old scheduler: memory, beside a control plane': {
    says: "Unschedulable: 0/4 nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate, 3 Insufficient memory.",
    manifest: aPodManifest({ resources: { requests: { memory: '64Gi' } } }),
    surroundings: { nodes: [node({})] },
    culprit: 'memory request 64Gi',
    best: { [`${container}.resources.requests.memory`]: '64Mi' },
  },
  'a node label with a slip': {
    says: "Unschedulable: 0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
    manifest: aPodManifest({}, { nodeSelector: { disktype: 'sdd', 'kubernetes.io/os': 'linux' } }),
    surroundings: { nodes: [node({ disktype: 'ssd', 'kubernetes.io/os': 'linux' })] },
    culprit: 'disktype=sdd',
    best: { 'spec.nodeSelector.disktype': 'ssd' },
  },
  'a taint': {
    says: 'Unschedulable: 0/3 nodes are available: 3 node(s) had untolerated taint {dedicated: gpu}. preemption: 0/3 nodes',
    manifest: aPodManifest(),
    culprit: 'taint dedicated=gpu',
    best: { 'spec.tolerations': [{ key: 'dedicated', operator: 'Equal', value: 'gpu' }] },
    mirrorable: false,
  },
  'a node in trouble': {
    says: 'Unschedulable: 0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }.',
    manifest: aPodManifest(),
    culprit: 'taint node.kubernetes.io/disk-pressure',
    best: null,
  },
  'a claim with a slip': {
    says: 'Unschedulable: 0/1 nodes are available: persistentvolumeclaim "dta" not found.',
    manifest: aPodManifest({}, { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'dta' } }] }),
    surroundings: { claims: [{ name: 'data', phase: 'Bound' }] },
    culprit: 'PersistentVolumeClaim dta',
    best: { 'spec.volumes[0].persistentVolumeClaim.claimName': 'data' },
    mirrorable: false,
  },
  'a host port': {
    says: "Unschedulable: 0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.",
    manifest: aPodManifest({ ports: [{ containerPort: 80, hostPort: 8080 }] }),
    culprit: 'hostPort 8080',
    best: { [`${container}.ports[0].hostPort`]: null },
    mirrorable: false,
  },
  spreading: {
    says: "Unschedulable: 0/2 nodes are available: 2 node(s) didn't match pod topology spread constraints.",
    manifest: aPodManifest({}, { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }] }),
    culprit: 'topology spread constraint zone (whenUnsatisfiable)',
    best: { 'spec.topologySpreadConstraints[0].whenUnsatisfiable': 'ScheduleAnyway' },
    mirrorable: false,
  },
  'too many pods': { says: 'Unschedulable: 0/1 nodes are available: 1 Too many pods.', culprit: 'too many pods', best: null },
  'a probe at a port that the container does not declare': {
    says: 'Unhealthy: Readiness probe failed: dial tcp 10.1.1.1:8081: connect: connection refused',
    status: { state: 'running' },
    manifest: aPodManifest({ ports: [{ containerPort: 8080 }], readinessProbe: http('/healthz', 8081) }),
    culprit: 'readiness probe GET /healthz :8081',
    best: { [`${container}.readinessProbe.httpGet.port`]: 8080 },
  },
  'a probe at a port name with a slip': {
    says: 'Unhealthy: Readiness probe errored: couldn\'t find port "htp"',
    status: { state: 'running' },
    manifest: aPodManifest({ ports: [{ name: 'http', containerPort: 8080 }], readinessProbe: http('/', 'htp') }),
    culprit: 'readiness probe GET / :htp (no port named htp)',
    best: { [`${container}.readinessProbe.httpGet.port`]: 'http' },
  },
  'a path that another probe knows': {
    says: 'Unhealthy: Liveness probe failed: HTTP probe failed with statuscode: 404',
    status: crashed(137),
    manifest: aPodManifest({ livenessProbe: http('/helthz', 80), readinessProbe: http('/ready', 80) }),
    culprit: 'liveness probe GET /helthz :80 (status 404)',
    best: { [`${container}.livenessProbe.httpGet.path`]: '/ready' },
  },
  'a probe that begins too early': {
    says: 'Unhealthy: Liveness probe failed: Get "http://10.1.1.1:8080/": dial tcp 10.1.1.1:8080: connect: connection refused',
    status: crashed(137),
    events: [{ reason: 'Killing', message: 'Container app failed liveness probe, will be restarted' }],
    manifest: aPodManifest({ ports: [{ containerPort: 8080 }], livenessProbe: { ...http('/', 8080), periodSeconds: 1 } }),
    culprit: 'liveness probe GET / :8080',
    best: { [`${container}.startupProbe`]: { httpGet: { path: '/', port: 8080 }, periodSeconds: 10, failureThreshold: 30 } },
  },
  'a file that a slow program has not yet written': {
    says: "Unhealthy: Liveness probe failed: cat: can't open '/tmp/ready': No such file or directory",
    status: crashed(137),
    events: [{ reason: 'Killing', message: 'Container app failed liveness probe, will be restarted' }],
    manifest: aPodManifest({ livenessProbe: { exec: { command: ['cat', '/tmp/ready'] } } }),
    culprit: 'liveness probe exec cat /tmp/ready',
    best: { [`${container}.startupProbe`]: { exec: { command: ['cat', '/tmp/ready'] }, periodSeconds: 10, failureThreshold: 30 } },
  },
  'a slow answer': {
    says: 'Unhealthy: Readiness probe failed: Get "http://10.1.1.1:80/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    status: { state: 'running' },
    manifest: aPodManifest({ readinessProbe: http('/', 80) }),
    culprit: /readiness probe/,
    best: { [`${container}.readinessProbe.timeoutSeconds`]: 5 },
  },
  'HTTPS to a server of HTTP': {
    says: 'Unhealthy: Readiness probe failed: Get "https://10.1.1.1:80/": http: server gave HTTP response to HTTPS client',
    status: { state: 'running' },
    manifest: aPodManifest({ readinessProbe: { httpGet: { path: '/', port: 80, scheme: 'HTTPS' } } }),
    culprit: /readiness probe/,
    best: { [`${container}.readinessProbe.httpGet.scheme`]: 'HTTP' },
  },
  'an emptyDir past its limit': {
    says: 'Evicted: Usage of EmptyDir volume "cache" exceeds the limit "100Mi". ',
    container: null,
    manifest: aPodManifest({}, { volumes: [{ name: 'cache', emptyDir: { sizeLimit: '100Mi' } }] }),
    culprit: 'sizeLimit 100Mi of volume cache',
    best: { 'spec.volumes[0].emptyDir.sizeLimit': '256Mi' },
  },
  'a node low on memory': {
    says: 'Evicted: The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. Container app was using 500Mi, request is 100Mi, has larger consumption of memory. ',
    container: null,
    manifest: aPodManifest({ resources: { requests: { memory: '100Mi' } } }),
    culprit: 'memory of the node: container app used 500Mi',
    best: { [`${container}.resources.requests.memory`]: '600Mi' },
    mirrorable: false,
  },
  'CRI-O: no such runtime handler': {
    says: 'FailedCreatePodSandBox: Failed to create pod sandbox: rpc error: code = Unknown desc = failed to find runtime handler kata from runtime list',
    manifest: aPodManifest({}, { runtimeClassName: 'kata' }),
    culprit: 'runtime kata',
    best: { 'spec.runtimeClassName': null },
    mirrorable: false,
  },
  'a network plugin that is away': {
    says: 'FailedCreatePodSandBox: Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "x": plugin type="calico" failed (add): error getting ClusterInformation',
    culprit: /network/,
    best: null,
  },
  'a disk that is attached elsewhere': {
    says: 'FailedAttachVolume: Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to one node and can\'t be attached to another',
    culprit: 'volume pvc-1',
    best: null,
  },
  'a quota that wants limits': {
    says: 'FailedCreate: Error creating: pods "a-x" is forbidden: failed quota: compute: must specify limits.cpu for: app; limits.memory for: app',
    resource_kind: 'ReplicaSet',
    manifest: { kind: 'ReplicaSet', metadata: {}, spec: { template: aPodManifest() } },
    culprit: 'quota compute: limits.cpu, limits.memory',
    best: {
      'spec.template.spec.containers[0].resources.limits.cpu': '100m',
      'spec.template.spec.containers[0].resources.limits.memory': '128Mi',
    },
    mirrorable: false,
  },
  'a limit range': {
    says: 'FailedCreate: Error creating: pods "a-x" is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi',
    resource_kind: 'ReplicaSet',
    manifest: { kind: 'ReplicaSet', metadata: {}, spec: { template: aPodManifest({ resources: { limits: { memory: '2Gi' } } }) } },
    culprit: 'memory 2Gi (maximum 1Gi) of app',
    best: { 'spec.template.spec.containers[0].resources.limits.memory': '1Gi' },
    mirrorable: false,
  },
  'no such service account': {
    says: 'FailedCreate: Error creating: pods "a-" is forbidden: error looking up service account shop/builder: serviceaccount "builder" not found',
    resource_kind: 'ReplicaSet',
    culprit: 'service account builder',
    best: null,
  },
  'a webhook that refuses': {
    says: 'FailedCreate: Error creating: admission webhook "policy.example" denied the request: label team is missing',
    resource_kind: 'ReplicaSet',
    culprit: 'webhook policy.example: label team is missing',
    best: null,
  },
  'a resource of a container that is not there': {
    says: 'CreateContainerConfigError: container other not found',
    manifest: aPodManifest({ env: [{ name: 'CPU', valueFrom: { resourceFieldRef: { containerName: 'other', resource: 'limits.cpu' } } }] }),
    culprit: 'other',
    best: { [`${container}.env[0].valueFrom.resourceFieldRef.containerName`]: null },
  },
  'a subPathExpr without its variable': {
    says: 'CreateContainerConfigError: missing value for TENANT',
    manifest: aPodManifest(),
    culprit: 'TENANT',
    best: null,
  },
  'CRI-O: a user that the image lacks': {
    says: "CreateContainerError: can't find uid for user ghost: no matching entries in passwd file",
    status: { image: 'web:1' },
    manifest: aPodManifest({ image: 'web:1' }),
    culprit: 'user ghost',
    best: { [`${container}.securityContext.runAsUser`]: 1000 },
  },
  'CRI-O: a memory limit below the least': {
    says: 'CreateContainerError: set memory limit 4194304 too low; should be at least 12582912 bytes',
    manifest: aPodManifest({ resources: { limits: { memory: '4Mi' } } }),
    culprit: 'memory limit 4Mi',
    best: { [`${container}.resources.limits.memory`]: '64Mi' },
  },
  'CRI-O: a seccomp profile that is not on the node, named by the pod': {
    says: 'CreateContainerError: setup seccomp: unable to load local profile "/var/lib/kubelet/seccomp/a.json": open /var/lib/kubelet/seccomp/a.json: no such file or directory',
    manifest: aPodManifest({}, { securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'a.json' } } }),
    culprit: '/var/lib/kubelet/seccomp/a.json',
    best: { 'spec.securityContext.seccompProfile': { type: 'RuntimeDefault' } },
    mirrorable: false,
  },
  'an old runtime: a script without its interpreter': {
    says: 'CrashLoopBackOff: container app ended with exit code 1',
    logs: '==> app (current) <==\nstandard_init_linux.go:228: exec user process caused: no such file or directory',
    manifest: aPodManifest({ command: ['/run'] }),
    culprit: 'interpreter of /run: standard_init_linux.go:228: exec user process caused: no such file or directory',
    best: null,
  },
  'a folder that the image lacks, by the shell of Debian': {
    says: 'CrashLoopBackOff: container app ended with exit code 2',
    logs: '==> app (current) <==\nsh: 1: cannot create /var/cache/app/state: Directory nonexistent',
    manifest: aPodManifest({ image: 'web:1' }),
    culprit: '/var/cache/app/state',
    best: {
      'spec.volumes': [{ name: 'writable-var-cache-app', emptyDir: {} }],
      [`${container}.volumeMounts`]: [{ name: 'writable-var-cache-app', mountPath: '/var/cache/app' }],
    },
  },
  'NFS, mounted through systemd': {
    says: 'FailedMount: MountVolume.SetUp failed for volume "share" : mount failed: exit status 32\nMounting command: systemd-run\nMounting arguments: --description=Kubernetes transient mount for /var/lib/kubelet/pods/1/volumes/kubernetes.io~nfs/share --scope -- mount -t nfs -o vers=4.1 files:/exports /var/lib/kubelet/pods/1/volumes/kubernetes.io~nfs/share\nOutput: mount.nfs: Connection timed out',
    container: null,
    culprit: 'files:/exports',
    best: null,
  },
  'a lost node': { says: 'NodeLost: Node which was running pod web is unresponsive', container: null, culprit: 'node', best: null },
};

/** The case of a row. */
export function caseOfRow({ says, culprit: _culprit, best: _best, mirrorable: _mirrorable, ...parts }: Row): Case {
  const [failure_reason = '', failure_message = ''] = says.split(/: (.*)/s);
  return aCase({ failure_reason, failure_message, ...parts });
}
