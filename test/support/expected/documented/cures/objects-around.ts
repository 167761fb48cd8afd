import { container, homeless, loops, one, other, pod, runs, serves, waits } from '../documented.ts';
import type { CureRow } from './cure.ts';
import { app, crash, likely, service } from './rows.ts';

const selecting = (name: string, selector: Record<string, string>) =>
  other('Service', name, { spec: { selector, ports: [{ port: 6379 }] } });
const nearRedis = (value: string) => ({
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: { app: value } }, topologyKey: 'kubernetes.io/hostname' },
      ],
    },
  },
});
const redis = pod('cache-0', { containers: [{ name: 'redis', image: 'redis:7' }] }, [container('redis', serves())], {
  metadata: { name: 'cache-0', namespace: 'default', labels: { app: 'session-redis' } },
});
const NO_AFFINITY =
  "0/1 nodes are available: 1 node(s) didn't match pod affinity rules. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";
const term = 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchLabels.app';
const asRoot = waits('CreateContainerConfigError', 'container has runAsNonRoot and image will run as root (pod: "shop", container: app)');
const probing = (port: number) => ({ readinessProbe: { tcpSocket: { port } } });
const shipper = (line: string): Pick<CureRow, 'object' | 'log' | 'logOf'> => ({
  object: pod('shop', { initContainers: [{ name: 'log-shipper', image: 'shipper:1' }], containers: [{ name: 'app', image: 'shop:1' }] }, [
    container('log-shipper', runs()),
    container('app', waits('PodInitializing')),
  ]),
  log: line,
  logOf: 'log-shipper',
});

/** Corrections that follow from other objects of the namespace, or from other parts of the pod; then near misses. */
export const OBJECTS_AROUND: Record<string, CureRow> = {
  'root and a probe at a port of which nothing else speaks': {
    object: one(
      'shop',
      asRoot,
      { args: [':8080'], ports: [{ containerPort: 8080 }], ...probing(8088) },
      { securityContext: { runAsNonRoot: true } },
    ),
    is: {
      reason: 'CreateContainerConfigError',
      culprit: /root/,
      best: { 'spec.securityContext.runAsUser': 1000, [`${app}.readinessProbe.tcpSocket.port`]: 8080 },
    },
  },
  'root and a probe at a port that a variable has': {
    object: one(
      'shop',
      asRoot,
      { args: [':8080'], env: [{ name: 'ADMIN_PORT', value: '8088' }], ports: [{ containerPort: 8080 }], ...probing(8088) },
      { securityContext: { runAsNonRoot: true } },
    ),
    is: { reason: 'CreateContainerConfigError', culprit: /root/, best: { 'spec.securityContext.runAsUser': 1000 } },
  },
  'an affinity to pods that are called the other way round': {
    object: homeless('shop', nearRedis('redis-session'), NO_AFFINITY),
    others: [selecting('cache', { app: 'session-redis' }), redis],
    is: { reason: 'Unschedulable', culprit: /affinity/, best: { [term]: 'session-redis' }, ...likely },
  },
  'an affinity to pods that are not there yet': {
    object: homeless('shop', nearRedis('session-redis'), NO_AFFINITY),
    others: [selecting('cache', { app: 'session-redis' })],
    is: {
      reason: 'Unschedulable',
      culprit: /affinity/,
      best: {
        'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution': null,
        'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution': () => true,
      },
    },
  },
  'a helper among the init containers': {
    ...shipper('[info] [input:tail:tail.0] inotify_fs_add(): watching /var/log/app/app.log\n'),
    is: {
      reason: 'PodInitializing',
      culprit: /log-shipper/,
      best: { 'spec.initContainers[0].restartPolicy': 'Always' },
      ...likely,
    },
  },
  "the node's resolver for a Service": crash(
    'psql: error: connection to server at "ledger-db", port 5432 failed: Connection refused\n',
    {},
    { culprit: /ledger-db/, best: { 'spec.dnsPolicy': 'ClusterFirstWithHostNet' }, ...likely },
    [service('ledger-db', 5432)],
    { hostNetwork: true },
  ),
  'a Service that refuses on the network of the pod': crash(
    'psql: error: connection to server at "ledger-db", port 5432 failed: Connection refused\n',
    {},
    { culprit: /ledger-db/, best: null },
    [service('ledger-db', 5432)],
  ),
  'one of the temporary folders of a server': crash(
    '2024/05/01 10:00:00 [emerg] 1#1: mkdir() "/tmp/proxy_temp" failed (30: Read-only file system)\n',
    { securityContext: { readOnlyRootFilesystem: true } },
    {
      culprit: /\/tmp\/proxy_temp/,
      best: {
        'spec.volumes': [{ name: 'writable-tmp', emptyDir: {} }],
        [`${app}.volumeMounts`]: [{ name: 'writable-tmp', mountPath: '/tmp' }],
      },
      ...likely,
    },
  ),
  'a crash loop says nothing about its probes': {
    object: one('shop', loops(1), { args: [':8080'], ports: [{ containerPort: 8080 }], ...probing(8088) }),
    log: "Error: Cannot find module '/app/server.js'\n",
    is: { reason: 'CrashLoopBackOff', culprit: /server\.js/, best: null },
  },
};
