import type { Container, ContainerStatus, KubeObject, Pod } from '../../../../../src/crd/kubernetes.ts';
import type { Cure, CureRow } from './cure.ts';
import { after } from '../../../builders/pod.ts';
import { container, ended, loops, one, pod, runs, serves, waits } from '../documented.ts';
import { app, guess, likely, map, secret } from './rows.ts';

/** Restarted once, after a run of `seconds` that ended with this code. The current run began at second 18, two before the event. */
const restarted = (exitCode: number, seconds: number, more: Partial<ContainerStatus> = {}): Partial<ContainerStatus> => ({
  restartCount: 1,
  started: false,
  state: { running: { startedAt: after(18) } },
  lastState: { terminated: { exitCode, reason: 'Error', startedAt: after(17 - seconds), finishedAt: after(17) } },
  ...more,
});
const asked = { tcpSocket: { port: 8080 }, periodSeconds: 2 };
const refused = (probe: string): [string, string] => [
  'Unhealthy',
  `${probe} probe failed: dial tcp 10.1.2.3:8080: connect: connection refused`,
];
const killed: [string, string, 'Normal'] = ['Killing', 'Init container app failed startup probe', 'Normal'];

/** A crash also makes the probes of the container fail. Only a program that is killed during its start needs more time. */
const BEFORE_PROBES: Record<string, CureRow> = {
  'a Ruby program that crashes before its startup probe gives up': {
    object: one('shop', restarted(1, 2), { startupProbe: asked }),
    events: [refused('Startup')],
    log: "/app/config/environment.rb:5:in `<main>': uninitialized constant Acme (NameError)\n",
    is: { reason: 'CrashLoopBackOff', culprit: /Acme/, best: null },
  },
  'a Java program that crashes while it is not ready': {
    object: one('shop', restarted(1, 5, { started: true }), { readinessProbe: asked }),
    events: [refused('Readiness')],
    log: 'Exception in thread "main" java.lang.IllegalStateException: no region is configured\n',
    is: { reason: 'CrashLoopBackOff', culprit: /no region is configured/, best: null },
  },
  'a program that ended once and now answers at another path': {
    object: one('shop', restarted(1, 5, { started: true }), { readinessProbe: { httpGet: { path: '/health', port: 8080 } } }),
    events: [['Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 404']],
    log: 'Error: connect ECONNREFUSED db:5432\n',
    is: { reason: 'Unhealthy', culprit: /GET \/health/, best: { [`${app}.readinessProbe.httpGet.path`]: '/' }, ...guess },
  },
  'a program that ends with 1 when the startup probe stops it': {
    object: one('shop', restarted(1, 9, { restartCount: 2 }), { startupProbe: asked }),
    events: [refused('Startup'), killed],
    log: 'loading 14 models\n',
    is: { reason: 'Unhealthy', culprit: /startup probe/, best: { [`${app}.startupProbe.failureThreshold`]: 30 }, ...likely },
  },
  'a program that runs long after its crash and listens on another port': {
    object: one('shop', restarted(1, 2, { started: true, state: { running: { startedAt: after(10) } } }), { readinessProbe: asked }),
    events: [refused('Readiness')],
    log: 'listening on :9090\n',
    is: { reason: 'Unhealthy', culprit: /tcp :8080/, best: { [`${app}.readinessProbe.tcpSocket.port`]: 9090 }, ...likely },
  },
};

/** A server pod with a second container that ended with 0. Its controller has this kind. */
function twin(kind: string | undefined, second: Partial<Container>, more: { restartPolicy?: string } = {}): Pod {
  const { name = 'worker' } = second;
  const made = pod(
    'shop',
    {
      containers: [
        { name: 'api', image: 'web:1' },
        { image: 'web:1', ...second, name },
      ],
      ...more,
    },
    [container('api', serves()), container(name, ended(0))],
  );
  const owners = kind ? [{ apiVersion: 'apps/v1', kind, name: 'shop-1', uid: 'uid-shop-1', controller: true }] : [];
  return { ...made, metadata: { ...made.metadata, ownerReferences: owners } };
}
const always = (exitCode: number) => [{ action: 'Restart', exitCodes: { operator: 'In', values: [exitCode] } }];
const second = 'spec.containers[1]';

/** KEP-5307: containers of a server that have their own restart policy. */
const OWN_POLICY: Record<string, CureRow> = {
  'a worker of a Deployment that shuts down and is not started again': {
    object: twin('ReplicaSet', { restartPolicy: 'Never' }),
    log: 'celery@shop ready.\nworker: Warm shutdown (MainProcess)\n',
    logOf: 'worker',
    is: { reason: 'Error', culprit: /restartPolicy Never of container worker/, best: { [`${second}.restartPolicy`]: null }, ...likely },
  },
  'a consumer of a StatefulSet whose rules restart other exit codes only': {
    object: twin('StatefulSet', { restartPolicy: 'OnFailure', restartPolicyRules: always(42) }),
    log: 'Disconnected from the broker\n',
    logOf: 'worker',
    is: { reason: 'Error', culprit: /restartPolicy OnFailure/, best: { [`${second}.restartPolicy`]: 'Always' }, ...likely },
  },
  'a container of a DaemonSet that ended without a word': {
    object: twin('DaemonSet', { restartPolicy: 'OnFailure' }),
    is: { reason: 'Error', culprit: /restartPolicy OnFailure/, best: { [`${second}.restartPolicy`]: null }, ...guess },
  },
  'a migration beside a server that ends as it should': {
    object: twin('ReplicaSet', { name: 'migrate', restartPolicy: 'OnFailure' }),
    is: {
      reason: 'Error',
      culprit: /container migrate/,
      best: { 'spec.containers': (to: unknown[]) => to.length === 1, 'spec.initContainers': (to: unknown[]) => to.length === 1 },
      ...guess,
    },
  },
  'a container that a rule starts again after 0': {
    object: twin('ReplicaSet', { restartPolicy: 'Never', restartPolicyRules: always(0) }),
    is: 'healthy',
  },
  "a container of a Job's pod that ended": {
    object: twin('Job', { restartPolicy: 'Never' }, { restartPolicy: 'Never' }),
    is: 'healthy',
  },
  'a container of a pod without a controller that ended by its own policy': {
    object: twin(undefined, { restartPolicy: 'OnFailure' }),
    is: 'healthy',
  },
  'a container of a pod that may end as a whole': {
    object: twin(undefined, {}, { restartPolicy: 'Never' }),
    is: 'healthy',
  },
  "a container of a Deployment's pod before its first restart": {
    object: twin('ReplicaSet', {}),
    is: 'healthy',
  },
};

/** A proxy must start first, but its startup probe asks the wrong port. The program behind it waits, and has this variable. */
function behindProxy(valueFrom: object): Pod {
  const proxy = { name: 'proxy', image: 'proxy:2', restartPolicy: 'Always', startupProbe: { tcpSocket: { port: 4192 }, periodSeconds: 2 } };
  return pod('shop', { initContainers: [proxy], containers: [{ name: 'app', image: 'web:1', env: [{ name: 'PASSWORD', valueFrom }] }] }, [
    container('proxy', restarted(2, 9, { restartCount: 2 })),
    container('app', waits('PodInitializing')),
  ]);
}
const ofSecret = (name: string, key: string) => ({ secretKeyRef: { name, key } });
const probed = { 'spec.initContainers[0].startupProbe.tcpSocket.port': 4191 };
const asksWrongPort = (valueFrom: object, others: KubeObject[], is: Pick<Cure, 'best' | 'confidence' | 'says'>): CureRow => ({
  object: behindProxy(valueFrom),
  events: [
    ['Unhealthy', 'Startup probe failed: dial tcp 10.1.2.3:4192: connect: connection refused'],
    ['Killing', 'Init container proxy failed startup probe', 'Normal'],
  ],
  log: 'listening on :4191\n',
  logOf: 'proxy',
  others: [map('kube-root-ca.crt', 'ca.crt'), ...others],
  is: { reason: 'Unhealthy', culprit: /startup probe tcp :4192/, ...is },
});

/** A container that has not started has a fault too. It is corrected together with the fault of the container before it. */
const BEHIND_THE_FIRST: Record<string, CureRow> = {
  'a key with a slip in a container that waits for a sidecar': asksWrongPort(
    ofSecret('shop', 'db_password'),
    [secret('shop', 'db-password')],
    {
      best: { ...probed, 'spec.containers[0].env[0].valueFrom.secretKeyRef.key': 'db-password' },
      ...likely,
    },
  ),
  'a Secret that is nowhere, in a container that waits for a sidecar': asksWrongPort(
    ofSecret('nowhere', 'token'),
    [secret('shop', 'db-password')],
    { best: probed, ...guess, says: /There is no Secret `nowhere` either/ },
  ),
  'a container that waits for a sidecar and lacks nothing': asksWrongPort(
    ofSecret('shop', 'db-password'),
    [secret('shop', 'db-password')],
    {
      best: probed,
      ...likely,
    },
  ),
  'an optional key in a container that waits for a sidecar': asksWrongPort(
    { secretKeyRef: { name: 'shop', key: 'token', optional: true } },
    [secret('shop', 'db-password')],
    { best: probed, ...likely },
  ),
};

/** A server that is not ready for this reason. The container beside it has this status and wrote the log. */
const beside = (event: string, status: Partial<ContainerStatus>, log: string, is: Cure | 'healthy'): CureRow => ({
  object: pod(
    'shop',
    {
      containers: [
        { name: 'web', image: 'nginx:1', readinessProbe: { httpGet: { path: '/ping', port: 8080 } } },
        { name: 'back', image: 'back:1' },
      ],
    },
    [container('web', runs()), container('back', status)],
  ),
  events: [['Unhealthy', `Readiness probe failed: ${event} in container web`]],
  log,
  logOf: 'back',
  is,
});
const status = (code: number) => `HTTP probe failed with statuscode: ${code}`;

/** A server that is not ready because the container behind it crashes. */
const CRASHED_NEIGHBOUR: Record<string, CureRow> = {
  'a gateway before a PHP-FPM that refuses its settings': beside(
    status(502),
    loops(78),
    'ALERT: [pool www] pm.start_servers(15) must not be less than pm.min_spare_servers(2)\n',
    { reason: 'Unhealthy', culprit: /pm\.start_servers/, best: null, says: /`back` keeps ending[^]*`web` is not ready/ },
  ),
  'a proxy that answers 503 before a Node program that crashes': beside(
    status(503),
    loops(1),
    "Error: Cannot find module '/app/dist/main.js'\n",
    { reason: 'Unhealthy', culprit: /main\.js/, best: null },
  ),
  'a server with a wrong path beside a container that crashes': beside(status(404), loops(1), 'panic: no licence\n', {
    reason: 'Unhealthy',
    culprit: /GET \/ping/,
    best: { [`${app}.readinessProbe.httpGet.path`]: '/' },
  }),
  'a gateway beside a container that works': beside(status(502), serves(), 'ready\n', {
    reason: 'Unhealthy',
    culprit: /GET \/ping/,
    best: { [`${app}.readinessProbe.httpGet.path`]: '/' },
    ...guess,
  }),
};

/** Containers that end, and what that does to the probes and the other containers of the pod. */
export const CRASHED_CONTAINERS: Record<string, CureRow> = { ...BEFORE_PROBES, ...OWN_POLICY, ...BEHIND_THE_FIRST, ...CRASHED_NEIGHBOUR };
