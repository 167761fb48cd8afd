import type { CureRow } from './cure.ts';
import { container, homeless, loops, node, one, pod, runs, waits } from '../documented.ts';
import { app, atMost, crash, map, service } from './rows.ts';

/** Several faults at once, probes, and programs that wait. Written when all older cases passed, to test the rules on new ones. */
export const SEVERAL_FAULTS: Record<string, CureRow> = {
  'a init container whose ConfigMap has another name': {
    object: pod(
      'shop',
      {
        initContainers: [{ name: 'render', image: 'busybox', envFrom: [{ configMapRef: { name: 'render_settings' } }] }],
        containers: [{ name: 'app', image: 'shop', envFrom: [{ configMapRef: { name: 'render_settings' } }] }],
      },
      [
        container('render', waits('CreateContainerConfigError', 'configmap "render_settings" not found')),
        container('app', waits('PodInitializing')),
      ],
    ),
    others: [map('render-settings', 'a')],
    is: {
      reason: 'CreateContainerConfigError',
      culprit: /render_settings/,
      best: {
        'spec.initContainers[0].envFrom[0].configMapRef.name': 'render-settings',
        [`${app}.envFrom[0].configMapRef.name`]: 'render-settings',
      },
      confidence: ['certain', 'likely'],
    },
  },
  'two keys that are missing in one ConfigMap': {
    object: one('shop', waits('CreateContainerConfigError', "couldn't find key HOST in ConfigMap default/db"), {
      env: [
        { name: 'HOST', valueFrom: { configMapKeyRef: { name: 'db', key: 'HOST' } } },
        { name: 'PORT', valueFrom: { configMapKeyRef: { name: 'db', key: 'PORT' } } },
      ],
    }),
    others: [map('db', 'host', 'port')],
    is: {
      reason: 'CreateContainerConfigError',
      culprit: /key HOST in ConfigMap db/,
      best: {
        [`${app}.env[0].valueFrom.configMapKeyRef.key`]: 'host',
        [`${app}.env[1].valueFrom.configMapKeyRef.key`]: 'port',
      },
      confidence: ['certain', 'likely'],
    },
  },
  'two selectors of which one is wrong': {
    object: homeless(
      'far',
      { containers: [{ name: 'app', image: 'x' }], nodeSelector: { zone: 'eu-1', tier: 'frontend' } },
      "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.",
    ),
    others: [node('a', { zone: 'eu-1', tier: 'front-end' }), node('b', { zone: 'eu-2' })],
    is: {
      reason: 'Unschedulable',
      culprit: /tier=frontend/,
      best: { 'spec.nodeSelector.tier': 'front-end' },
      confidence: ['certain', 'likely'],
    },
  },
  'two containers that are too large only together': {
    object: homeless(
      'pair',
      {
        containers: [
          { name: 'app', image: 'x', resources: { requests: { memory: '3Gi' } } },
          { name: 'cache', image: 'x', resources: { requests: { memory: '3Gi' } } },
        ],
      },
      '0/1 nodes are available: 1 Insufficient memory. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    ),
    others: [node('a')],
    is: {
      reason: 'Unschedulable',
      culprit: /memory/,
      best: { [`${app}.resources.requests.memory`]: atMost('2Gi'), 'spec.containers[1].resources.requests.memory': atMost('2Gi') },
      confidence: ['likely', 'guess'],
    },
  },
  'TCP probes of a port that nobody opens': {
    object: one('mail', loops(137), {
      ports: [{ containerPort: 2525 }],
      livenessProbe: { tcpSocket: { port: 25 } },
      readinessProbe: { tcpSocket: { port: 25 } },
    }),
    events: [
      ['Unhealthy', 'Liveness probe failed: dial tcp 10.0.0.4:25: connect: connection refused'],
      ['Killing', 'Container app failed liveness probe, will be restarted'],
    ],
    log: 'smtp: listening on port 2525\n',
    is: {
      reason: 'Unhealthy',
      culprit: /liveness probe tcp :25/,
      best: { [`${app}.livenessProbe.tcpSocket.port`]: 2525, [`${app}.readinessProbe.tcpSocket.port`]: 2525 },
      confidence: ['certain', 'likely'],
    },
  },
  'a health path that the log shows': {
    object: one('api', runs(), { ports: [{ containerPort: 8080 }], readinessProbe: { httpGet: { path: '/health', port: 8080 } } }),
    events: [['Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 404']],
    log: '[GIN-debug] GET    /healthz                  --> main.health (3 handlers)\nListening and serving HTTP on :8080\n',
    is: {
      reason: 'Unhealthy',
      culprit: /GET \/health :8080 \(status 404\)/,
      best: { [`${app}.readinessProbe.httpGet.path`]: '/healthz' },
      confidence: ['certain', 'likely'],
    },
  },
  'a URL with a Service and another port': crash(
    'psycopg2.OperationalError: connection to server at "pg" (10.96.3.4), port 6432 failed: Connection refused\n',
    { env: [{ name: 'DATABASE_URL', value: 'postgres://app@pg:6432/shop' }] },
    { culprit: /pg:6432/, best: { [`${app}.env[0].value`]: 'postgres://app@pg:5432/shop' }, confidence: ['likely'] },
    [service('pg', 5432)],
  ),
  'an argument with a Service that has a prefix': crash(
    'panic: dial tcp: lookup kafka on 10.96.0.10:53: no such host\n',
    { args: ['--brokers=kafka:9092'] },
    { culprit: /kafka/, best: { [`${app}.args[0]`]: '--brokers=shop-kafka:9092' }, confidence: ['likely'] },
    [service('shop-kafka', 9092)],
  ),
  'a lookup that never succeeds': {
    object: pod(
      'shop',
      {
        initContainers: [
          { name: 'wait', image: 'busybox', command: ['sh', '-c', 'until nslookup mydb.default.svc.cluster.local; do sleep 2; done'] },
        ],
        containers: [{ name: 'app', image: 'shop' }],
      },
      [container('wait', runs()), container('app', waits('PodInitializing'))],
    ),
    log: "** server can't find mydb.default.svc.cluster.local: NXDOMAIN\n** server can't find mydb.default.svc.cluster.local: NXDOMAIN\n",
    logOf: 'wait',
    others: [service('my-db', 5432)],
    is: {
      reason: 'PodInitializing',
      culprit: /mydb/,
      best: { 'spec.initContainers[0].command[2]': 'until nslookup my-db.default.svc.cluster.local; do sleep 2; done' },
      confidence: ['certain', 'likely'],
    },
  },
  'shared memory that is full': crash(
    'ERROR: could not resize shared memory segment "/PostgreSQL.1" to 8388608 bytes: No space left on device\n',
    { image: 'postgres:16' },
    {
      culprit: /No space left on device|shared memory/i,
      best: {
        'spec.volumes': (to: unknown) => JSON.stringify(to).includes('Memory'),
        [`${app}.volumeMounts`]: (to: unknown) => JSON.stringify(to).includes('/dev/shm'),
      },
      confidence: ['likely', 'guess'],
    },
  ),
  'a log folder on a read-only root': crash(
    'nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed (30: Read-only file system)\n',
    { image: 'nginx', securityContext: { readOnlyRootFilesystem: true } },
    {
      culprit: /\/var\/cache\/nginx/,
      best: {
        'spec.volumes': (to: unknown) => JSON.stringify(to).includes('emptyDir'),
        [`${app}.volumeMounts`]: (to: unknown) => JSON.stringify(to).includes('/var/cache/nginx'),
      },
      confidence: ['likely'],
    },
  ),
  'an end with 0 after a fatal line': {
    object: one('shop', loops(0)),
    log: 'booting\nFATAL: licence expired on 2026-01-01\n',
    is: { reason: 'CrashLoopBackOff', culprit: /licence/, best: null },
  },
  'Ruby without threads': crash(
    "ThreadError: can't create Thread: Resource temporarily unavailable\n",
    {},
    { culprit: /thread/i, best: null, says: /podPidsLimit|processes/ },
  ),
};
