import { parseQuantity } from '../../../../../src/crd/quantity.ts';
import type { CureRow } from './cure.ts';
import { container, ended, loops, one, pod, runs, waits } from '../documented.ts';
import { app, crash, map, secret, service } from './rows.ts';

const http = (path: string, port: number | string, more: object = {}) => ({ httpGet: { path, port }, periodSeconds: 5, ...more });
const moreThan = (least: string) => (to: unknown) => (parseQuantity(to as string) ?? 0) > (parseQuantity(least) ?? 0);
const killed = (probe: string, message: string): [string, string][] => [
  ['Unhealthy', message],
  ['Killing', `Container app failed ${probe} probe, will be restarted`],
];

/** What the program, its probes and its files say. */
export const PROGRAM: Record<string, CureRow> = {
  'both probes ask a port on which nobody listens': {
    object: one('api', loops(137), {
      ports: [{ containerPort: 8080 }],
      livenessProbe: http('/health', 8080),
      readinessProbe: http('/ready', 8080),
    }),
    events: killed(
      'liveness',
      'Liveness probe failed: Get "http://10.0.0.7:8080/health": dial tcp 10.0.0.7:8080: connect: connection refused',
    ),
    log: 'Server listening on 0.0.0.0:3000\n',
    is: {
      reason: 'Unhealthy',
      culprit: /liveness probe GET \/health :8080/,
      best: { [`${app}.livenessProbe.httpGet.port`]: 3000, [`${app}.readinessProbe.httpGet.port`]: 3000 },
      confidence: ['certain', 'likely'],
    },
  },
  'three probes with one path that is not there': {
    object: one('api', loops(137), {
      ports: [{ containerPort: 8080 }],
      livenessProbe: http('/helthz', 8080),
      readinessProbe: http('/helthz', 8080),
    }),
    events: killed('liveness', 'Liveness probe failed: HTTP probe failed with statuscode: 404'),
    log: 'listening on :8080\n"GET /helthz HTTP/1.1" 404 9\n',
    is: {
      reason: 'Unhealthy',
      culprit: /liveness probe GET \/helthz :8080 \(status 404\)/,
      best: { [`${app}.livenessProbe.httpGet.path`]: '/', [`${app}.readinessProbe.httpGet.path`]: '/' },
      confidence: ['likely', 'guess'],
    },
  },
  'probes that name a port which has another name': {
    object: one('api', runs(), {
      ports: [{ name: 'http-web', containerPort: 8080 }],
      livenessProbe: http('/', 'http'),
      readinessProbe: http('/', 'http'),
    }),
    events: [['Unhealthy', 'Readiness probe errored and resulted in unknown state: couldn\'t find port: port "http" not found']],
    is: {
      reason: 'Unhealthy',
      culprit: /readiness probe GET \/ :http/,
      best: { [`${app}.readinessProbe.httpGet.port`]: 'http-web', [`${app}.livenessProbe.httpGet.port`]: 'http-web' },
      confidence: ['certain', 'likely'],
    },
  },
  'two probes that wait too short for the same answer': {
    object: one('api', loops(137), {
      ports: [{ containerPort: 8080 }],
      livenessProbe: http('/health', 8080, { timeoutSeconds: 1 }),
      readinessProbe: http('/health', 8080, { timeoutSeconds: 1 }),
    }),
    events: killed(
      'liveness',
      'Liveness probe failed: Get "http://10.0.0.7:8080/health": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    ),
    log: 'listening on :8080\nhealth check took 2.4 s\n',
    is: {
      reason: 'Unhealthy',
      culprit: /liveness probe GET \/health :8080/,
      best: {
        [`${app}.livenessProbe.timeoutSeconds`]: (to: unknown) => Number(to) >= 3,
        [`${app}.readinessProbe.timeoutSeconds`]: (to: unknown) => Number(to) >= 3,
      },
      confidence: ['likely'],
    },
  },
  'a liveness probe that comes before a slow program is up': {
    object: one('search', loops(143), {
      ports: [{ containerPort: 9200 }],
      livenessProbe: http('/', 9200, { failureThreshold: 3 }),
      readinessProbe: http('/', 9200),
    }),
    events: killed('liveness', 'Liveness probe failed: Get "http://10.0.0.7:9200/": dial tcp 10.0.0.7:9200: connect: connection refused'),
    log: 'loading index 1 of 24\nloading index 2 of 24\n',
    is: {
      reason: 'Unhealthy',
      culprit: /liveness probe GET \/ :9200/,
      best: { [`${app}.startupProbe`]: (to: unknown) => Number((to as { failureThreshold?: number }).failureThreshold) >= 30 },
      confidence: ['likely'],
    },
  },
  'a probe that calls curl, which the image does not have': {
    object: one('api', runs(), {
      ports: [{ containerPort: 8080 }],
      readinessProbe: { exec: { command: ['curl', '-fsS', 'http://localhost:8080/ready'] } },
    }),
    events: [
      [
        'Unhealthy',
        'Readiness probe errored and resulted in unknown state: rpc error: code = Unknown desc = failed to exec in container: OCI runtime exec failed: exec failed: unable to start container process: exec: "curl": executable file not found in $PATH: unknown',
      ],
    ],
    log: 'listening on :8080\n',
    is: {
      reason: 'Unhealthy',
      culprit: /readiness probe exec curl/,
      best: {
        [`${app}.readinessProbe`]: (to: unknown) =>
          JSON.stringify((to as { httpGet?: object }).httpGet) === JSON.stringify({ path: '/ready', port: 8080 }),
      },
      confidence: ['certain', 'likely'],
    },
  },
  'a Service that has another port': crash(
    'dial tcp: postgres:5433: connect: connection refused\n',
    {
      env: [
        { name: 'DB_HOST', value: 'postgres' },
        { name: 'DB_PORT', value: '5433' },
      ],
    },
    { culprit: /postgres:5433/, best: { [`${app}.env[1].value`]: '5432' }, confidence: ['likely'] },
    [service('postgres', 5432)],
  ),
  'a Service name with a suffix too many': crash(
    'Error: getaddrinfo ENOTFOUND redis-master\n    at GetAddrInfoReqWrap.onlookup\n',
    { env: [{ name: 'REDIS_URL', value: 'redis://redis-master:6379/0' }] },
    { culprit: /redis-master/, best: { [`${app}.env[0].value`]: 'redis://redis:6379/0' }, confidence: ['likely'] },
    [service('redis', 6379), service('kubernetes', 443)],
  ),
  'an init container that waits for a name with a slip': {
    object: pod(
      'shop',
      {
        initContainers: [{ name: 'wait', image: 'busybox', command: ['sh', '-c', 'until nc -z postgress 5432; do sleep 1; done'] }],
        containers: [{ name: 'app', image: 'shop' }],
      },
      [container('wait', runs()), container('app', waits('PodInitializing'))],
    ),
    log: "nc: bad address 'postgress'\nnc: bad address 'postgress'\n",
    logOf: 'wait',
    others: [service('postgres', 5432)],
    is: {
      reason: 'PodInitializing',
      culprit: /postgress/,
      best: { 'spec.initContainers[0].command[2]': 'until nc -z postgres 5432; do sleep 1; done' },
      confidence: ['certain', 'likely'],
    },
  },
  'an init container that waits for a port that no Service has': {
    object: pod(
      'shop',
      {
        initContainers: [
          { name: 'wait', image: 'busybox', command: ['sh', '-c', 'until nc -z mysql 3307; do echo waiting for mysql; sleep 2; done'] },
        ],
        containers: [{ name: 'app', image: 'shop' }],
      },
      [container('wait', runs()), container('app', waits('PodInitializing'))],
    ),
    log: 'waiting for mysql\nwaiting for mysql\n',
    logOf: 'wait',
    others: [service('mysql', 3306)],
    is: {
      reason: 'PodInitializing',
      culprit: /mysql/,
      best: { 'spec.initContainers[0].command[2]': 'until nc -z mysql 3306; do echo waiting for mysql; sleep 2; done' },
      confidence: ['certain', 'likely'],
    },
  },
  'an error, and then an end with 0': {
    object: one('shop', loops(0)),
    log: 'starting\nERROR: open /etc/app/config.yaml: no such file or directory\nbye\n',
    is: { reason: 'CrashLoopBackOff', culprit: /\/etc\/app\/config\.yaml/, best: null },
  },
  'a full volume in memory': crash(
    "OSError: [Errno 28] No space left on device: '/cache/index.bin'\n",
    { volumeMounts: [{ name: 'cache', mountPath: '/cache' }], resources: { limits: { memory: '1Gi' } } },
    { culprit: /\/cache/, best: { 'spec.volumes[0].emptyDir.sizeLimit': moreThan('64Mi') }, confidence: ['likely'] },
    [],
    { volumes: [{ name: 'cache', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } }] },
  ),
  'an errno without its words': crash(
    'worker: cannot write /var/spool/out.dat: errno=28\n',
    {},
    { culprit: /\/var\/spool\/out\.dat|no space/i, best: null, says: /space|full/ },
  ),
  'no file handles left': crash('accept tcp [::]:8080: accept4: too many open files\n', {}, { culprit: /too many open files/, best: null }),
  'no threads left': crash(
    '[warning] [os,thread] Failed to start thread "Unknown thread" - pthread_create failed (EAGAIN) for attributes: stacksize: 1024k\njava.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached\n',
    { resources: { limits: { memory: '512Mi' } } },
    { culprit: /thread|process/, best: null, says: /thread|process/ },
  ),
  'a fork that the node refuses': crash(
    'sh: fork: retry: Resource temporarily unavailable\nsh: fork: Resource temporarily unavailable\n',
    {},
    {
      culprit: /process|fork/,
      best: null,
      says: /process/,
    },
  ),
  'a root file system that is read-only': crash(
    'open /tmp/app.pid: read-only file system\n',
    { securityContext: { readOnlyRootFilesystem: true } },
    {
      culprit: /\/tmp\/app\.pid/,
      best: {
        'spec.volumes': (to: unknown) => JSON.stringify(to).includes('"emptyDir":{}'),
        [`${app}.volumeMounts`]: (to: unknown) => JSON.stringify(to).includes('"mountPath":"/tmp"'),
      },
      confidence: ['likely'],
    },
  ),
  'a ConfigMap over the folder of the program': {
    object: one(
      'api',
      {
        restartCount: 2,
        state: {
          waiting: {
            reason: 'CrashLoopBackOff',
            message: 'back-off 20s restarting failed container',
          },
        },
        lastState: ended(
          128,
          'StartError',
          'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "/app/server": stat /app/server: no such file or directory: unknown',
        ).state!,
      },
      { image: 'api:1', command: ['/app/server'], volumeMounts: [{ name: 'conf', mountPath: '/app' }] },
      { volumes: [{ name: 'conf', configMap: { name: 'api-conf' } }] },
    ),
    others: [map('api-conf', 'config.yaml')],
    is: {
      reason: 'StartError',
      culprit: /\/app/,
      best: { [`${app}.volumeMounts[0].mountPath`]: '/app/config.yaml', [`${app}.volumeMounts[0].subPath`]: 'config.yaml' },
      confidence: ['likely'],
      says: /hides/,
    },
  },
  'a ConfigMap at the path of a file': crash(
    'nginx: [crit] pread() "/etc/nginx/nginx.conf" failed (21: Is a directory)\n',
    { volumeMounts: [{ name: 'conf', mountPath: '/etc/nginx/nginx.conf' }] },
    { culprit: /\/etc\/nginx\/nginx\.conf/, best: { [`${app}.volumeMounts[0].subPath`]: 'nginx.conf' }, confidence: ['certain', 'likely'] },
    [map('proxy', 'nginx.conf')],
    { volumes: [{ name: 'conf', configMap: { name: 'proxy' } }] },
  ),
  'one of two files that are folders, which the program does not name': crash(
    'error: cannot load the key: Is a directory (os error 21)\n',
    {
      volumeMounts: [
        { name: 'conf', mountPath: '/etc/app/a.key', subPath: 'a.key' },
        { name: 'conf', mountPath: '/etc/app/b.key', subPath: 'b.key' },
      ],
    },
    { culprit: /^(?!.*a\.key)/, best: null },
    [secret('app-keys', 'other.key')],
    { volumes: [{ name: 'conf', secret: { secretName: 'app-keys' } }] },
  ),
  'a Secret at the path of a file that the program does not name': crash(
    'error: cannot load the key: Is a directory (os error 21)\n',
    { volumeMounts: [{ name: 'conf', mountPath: '/etc/app/server.key' }] },
    { culprit: /\/etc\/app\/server\.key/, best: { [`${app}.volumeMounts[0].subPath`]: 'server.key' } },
    [secret('app-keys', 'server.key')],
    { volumes: [{ name: 'conf', secret: { secretName: 'app-keys' } }] },
  ),
  'a name outside the cluster that nobody knows': crash(
    'Post "https://api.paymnts.example.com/v1": dial tcp: lookup api.paymnts.example.com on 10.96.0.10:53: no such host\n',
    {},
    { culprit: /api\.paymnts\.example\.com/, best: null },
    [service('kubernetes', 443)],
  ),
  'a member that says which others are missing': {
    object: one('quorum-0', runs(), { ports: [{ containerPort: 2379 }], readinessProbe: http('/health', 2379) }),
    events: [['Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503']],
    log: 'serving on :2379\nnot ready: 1 of 3 voters reachable, waiting for quorum\n',
    is: { reason: 'Unhealthy', culprit: /readiness probe GET \/health :2379/, best: null, says: /1 of 3 voters/ },
  },
  'a general error, and below it the cause': crash(
    'ERROR: startup failed, see below\ninitialising\nFATAL: password authentication failed for user "app"\n',
    {},
    { culprit: /password|app/, best: null, says: /password|login/i },
  ),
  'a folder of a claim that belongs to root': crash(
    "mkdir: cannot create directory '/data/db': Permission denied\n",
    { volumeMounts: [{ name: 'data', mountPath: '/data' }], securityContext: { runAsUser: 1000 } },
    { culprit: /\/data\/db/, best: { 'spec.securityContext.fsGroup': 1000 }, confidence: ['likely'] },
    [],
    { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
  ),
  'a folder of the node that belongs to root': crash(
    "mkdir: cannot create directory '/data/db': Permission denied\n",
    { volumeMounts: [{ name: 'data', mountPath: '/data' }], securityContext: { runAsUser: 1000 } },
    {
      culprit: /\/data\/db/,
      best: { 'spec.initContainers': (made: unknown) => JSON.stringify(made).includes('chown') },
      confidence: ['guess'],
    },
    [],
    { volumes: [{ name: 'data', hostPath: { path: '/srv/data' } }] },
  ),
};
