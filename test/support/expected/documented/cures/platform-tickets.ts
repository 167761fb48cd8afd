import type { KubeObject, Pod } from '../../../../../src/crd/kubernetes.ts';
import { after } from '../../../builders/pod.ts';
import { container, ended, homeless, loops, node, one, other, pod, runs, waits } from '../documented.ts';
import type { CureRow } from './cure.ts';
import { app, crash, env, guess, likely, map, secret, service } from './rows.ts';

const NO_HELP = 'no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.';
const gpu = { resources: { requests: { cpu: '1' }, limits: { 'nvidia.com/gpu': '1' } } };
const GPU_NODES = [
  node('a'),
  node('b', { pool: 'gpu' }, { 'nvidia.com/gpu': '4' }, [{ key: 'nvidia.com/gpu', value: 'true', effect: 'NoSchedule' }]),
  node('c'),
];
const NO_GPU = `0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient nvidia.com/gpu. ${NO_HELP}`;
const wantsGpu = (podSpec: object, nodes = GPU_NODES): Pick<CureRow, 'object' | 'others'> => ({
  object: homeless('train', { containers: [{ name: 'app', image: 'train:1', ...gpu }], ...podSpec }, NO_GPU),
  others: nodes,
});
const tolerating = (value: string) => ({ tolerations: [{ key: 'nvidia.com/gpu', operator: 'Equal', value, effect: 'NoSchedule' }] });

const ZONE = 'topology.kubernetes.io/zone';
const zonal = (name: string, zone: string): KubeObject => node(name, { [ZONE]: zone });
const claim = other('PersistentVolumeClaim', 'data', { spec: { volumeName: 'disk' }, status: { phase: 'Bound' } });
const disk = other('PersistentVolume', 'disk', {
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    claimRef: { namespace: 'default', name: 'data' },
    nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In', values: ['eu-1a'] }] }] } },
  },
});
const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];

/** A pod of a Job whose work is done, beside a container of this name. */
function withHelper(name: string, work: ReturnType<typeof ended>, isOfJob = true): Pod {
  const made = pod(
    'export',
    {
      restartPolicy: 'Never',
      containers: [
        { name: 'export', image: 'export:1' },
        { name, image: 'helper:1' },
      ],
    },
    [container('export', work), container(name, runs({ ready: true }))],
  );
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'export', uid: 'uid-job', controller: true };
  return isOfJob ? { ...made, metadata: { ...made.metadata, ownerReferences: [owner] } } : made;
}
/** Work that ended long before the last event. */
const DONE = { state: { terminated: { ...ended(0).state!.terminated!, finishedAt: after(6) } } };
const LATER: CureRow['events'] = [['Pulled', 'Container image "helper:1" already present on machine', 'Normal']];

const pulling = (pullSecret: string): Pod =>
  one(
    'ocr',
    waits(
      'ImagePullBackOff',
      'Back-off pulling image "registry.example.com/ocr:1": ErrImagePull: failed to authorize: failed to fetch anonymous token: unexpected status: 403 Forbidden',
    ),
    { image: 'registry.example.com/ocr:1' },
    { imagePullSecrets: [{ name: pullSecret }] },
  );
const LACKS_SECRET: CureRow['events'] = [
  [
    'FailedToRetrieveImagePullSecret',
    'Unable to retrieve some image pull secrets (deploy-token); attempting to pull the image may not succeed.',
  ],
];

const lacks = (variable: string, log: string, is: object, keys = ['smtp.host']): CureRow =>
  crash(log, { env: [{ name: variable, valueFrom: { configMapKeyRef: { name: 'mail', key: 'smtp_host', optional: true } } }] }, is, [
    map('mail', ...keys),
  ]);
const OWN_SMTP = 'Error: connect ECONNREFUSED 127.0.0.1:587\n';
const collectors = (variables: Record<string, string>, args: string[], is: object): CureRow =>
  crash(
    'Error occurred during initialization of VM\nMultiple garbage collectors selected\n',
    { ...env(variables), command: ['java'], args },
    is,
  );
const NO_REGION =
  'operation error SQS: GetQueueAttributes, failed to resolve service endpoint, endpoint rule error, Invalid Configuration: Missing Region\n';

const stripe = (others: KubeObject[], is: object): CureRow =>
  crash("KeyError: 'STRIPE_API_KEY'\n", { envFrom: [{ secretRef: { name: 'pay-keys', optional: true } }] }, is, others);
const PULL_BITNAMI =
  'Back-off pulling image "docker.io/bitnami/rabbitmq:3.13.7-debian-12-r2": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/bitnami/rabbitmq:3.13.7-debian-12-r2": docker.io/bitnami/rabbitmq:3.13.7-debian-12-r2: not found';
const PGDATA = { name: 'PGDATA', value: '/var/lib/postgresql/data/pgdata' };
const data = (securityContext: object, is: object): CureRow =>
  crash(
    'fixing permissions on existing directory /var/lib/postgresql/data ... initdb: error: could not change permissions of directory "/var/lib/postgresql/data": Operation not permitted\n',
    { volumeMounts: [{ name: 'data', mountPath: '/var/lib/postgresql/data' }] },
    { culprit: /\/var\/lib\/postgresql\/data/, ...is },
    [],
    { securityContext, volumes: [{ name: 'data', emptyDir: {} }] },
  );

/** What teams ask those who run their platform; then near misses. */
export const PLATFORM_TICKETS: Record<string, CureRow> = {
  'a device on nodes whose taint is tolerated with another value': {
    ...wantsGpu(tolerating('present')),
    is: {
      reason: 'Unschedulable',
      culprit: /taint nvidia\.com\/gpu=true/,
      best: { 'spec.tolerations[0].value': 'true' },
      ...likely,
      says: /only node `b` has `nvidia\.com\/gpu`/,
    },
  },
  'a device on nodes that the selector leaves out': {
    ...wantsGpu({ ...tolerating('true'), nodeSelector: { pool: 'general' } }),
    is: { reason: 'Unschedulable', culprit: /pool=general/, best: { 'spec.nodeSelector.pool': 'gpu' }, ...likely },
  },
  'a device on nodes whose taint nobody thought of': {
    ...wantsGpu({}),
    is: {
      reason: 'Unschedulable',
      culprit: /taint nvidia\.com\/gpu=true/,
      best: { 'spec.tolerations': [{ key: 'nvidia.com/gpu', operator: 'Equal', value: 'true', effect: 'NoSchedule' }] },
      ...guess,
    },
  },
  'a device that all nodes lack': {
    ...wantsGpu({}, [node('a'), node('b'), node('c')]),
    is: {
      reason: 'Unschedulable',
      culprit: /nvidia\.com\/gpu request 1/,
      best: { [`${app}.resources.limits["nvidia.com/gpu"]`]: null },
      ...guess,
    },
  },
  'a volume in another zone than the one that the pod asks for': {
    object: homeless(
      'db-0',
      { volumes, nodeSelector: { [ZONE]: 'eu-1b' } },
      `0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 2 node(s) didn't match PersistentVolume's node affinity. ${NO_HELP}`,
    ),
    others: [zonal('a', 'eu-1a'), zonal('b', 'eu-1b'), zonal('c', 'eu-1b'), claim, disk],
    is: { reason: 'Unschedulable', culprit: /zone=eu-1b/, best: { [`spec.nodeSelector["${ZONE}"]`]: 'eu-1a' }, ...likely },
  },
  'a template of a device claim that is not there, before any scheduler looks': {
    object: (() => {
      const made = homeless('vision', { resourceClaims: [{ name: 'accel', resourceClaimTemplateName: 'mig' }] } as object, '');
      return { ...made, status: { phase: 'Pending', conditions: [] } } as Pod;
    })(),
    events: [
      [
        'FailedResourceClaimCreation',
        'PodResourceClaim accel: resource claim template "mig": resourceclaimtemplate.resource.k8s.io "mig" not found',
      ],
    ],
    is: { reason: 'Unschedulable', culprit: /ResourceClaimTemplate mig/, best: null },
  },
  'a proxy that outlives the work of a Job': {
    object: withHelper('cloud-sql-proxy', DONE),
    events: LATER,
    is: {
      reason: 'NotReady',
      culprit: /cloud-sql-proxy/,
      best: {
        'spec.containers': [{ name: 'export', image: 'export:1' }],
        'spec.initContainers': [{ name: 'cloud-sql-proxy', image: 'helper:1', restartPolicy: 'Always' }],
      },
      ...likely,
      says: /the Job never completes/,
    },
  },
  'a second piece of work of a Job': { object: withHelper('upload', DONE), events: LATER, is: 'healthy' },
  'a proxy beside work that is done, of no Job': { object: withHelper('cloud-sql-proxy', DONE, false), events: LATER, is: 'healthy' },
  'the only pull secret of the namespace, under another name': {
    object: pulling('deploy-token'),
    events: LACKS_SECRET,
    others: [secret('registry-ro', '.dockerconfigjson'), secret('db', 'password')],
    is: { reason: 'ImagePullBackOff', culprit: /deploy-token/, best: { 'spec.imagePullSecrets[0].name': 'registry-ro' }, ...likely },
  },
  'one of two pull secrets of the namespace': {
    object: pulling('deploy-token'),
    events: LACKS_SECRET,
    others: [secret('registry-ro', '.dockerconfigjson'), secret('other-ro', '.dockerconfigjson')],
    is: { reason: 'ImagePullBackOff', culprit: /deploy-token/, best: null },
  },
  'a volume that a pod of another node uses': {
    object: pod('wiki', { nodeName: 'b', volumes, containers: [{ name: 'app', image: 'wiki:2' }] }, [
      container('app', waits('ContainerCreating')),
    ]),
    events: [['FailedAttachVolume', 'Multi-Attach error for volume "disk" Volume is already used by pod(s) wiki-old']],
    is: { reason: 'FailedAttachVolume', culprit: /claim data, used by wiki-old/, best: null },
  },
  'a certificate under its other usual ending': {
    object: pod(
      'shop',
      {
        nodeName: 'a',
        volumes: [{ name: 'tls', projected: { sources: [{ secret: { name: 'ca', items: [{ key: 'ca.pem', path: 'ca.pem' }] } }] } }],
        containers: [{ name: 'app', image: 'shop:1', volumeMounts: [{ name: 'tls', mountPath: '/tls' }] }],
      },
      [container('app', waits('ContainerCreating'))],
    ),
    events: [['FailedMount', 'MountVolume.SetUp failed for volume "tls" : references non-existent secret key: ca.pem']],
    others: [secret('ca', 'ca.crt', 'ca.password')],
    is: {
      reason: 'FailedMount',
      culprit: /ca\.pem/,
      best: { 'spec.volumes[0].projected.sources[0].secret.items[0].key': 'ca.crt' },
      ...likely,
    },
  },
  'a variable with more words before its name': crash(
    'error: node "$(NODE_NAME)" not found\n',
    {
      args: ['--node-name=$(NODE_NAME)'],
      env: [
        { name: 'K8S_NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
        { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
    },
    { culprit: /NODE_NAME/, best: { [`${app}.args[0]`]: '--node-name=$(K8S_NODE_NAME)' }, ...likely },
  ),
  'a host from an optional key that is not there': lacks('SMTP_HOST', OWN_SMTP, {
    culprit: /SMTP_HOST: key smtp_host in ConfigMap mail/,
    best: { [`${app}.env[0].valueFrom.configMapKeyRef.key`]: 'smtp.host' },
    ...likely,
  }),
  'a host from an optional key that is there': lacks('SMTP_HOST', OWN_SMTP, { culprit: /127\.0\.0\.1/, best: null }, ['smtp_host']),
  'an optional variable that is no address': lacks('SMTP_FROM', OWN_SMTP, { culprit: /127\.0\.0\.1/, best: null }),
  'two garbage collectors, one in a variable': collectors(
    { JAVA_TOOL_OPTIONS: '-XX:+UseParallelGC -XX:MaxRAMPercentage=75' },
    ['-XX:+UseG1GC', '-jar', 'app.jar'],
    { culprit: /UseParallelGC/, best: { [`${app}.env[0].value`]: '-XX:MaxRAMPercentage=75' }, ...likely },
  ),
  'two garbage collectors, and nothing else in the variable': collectors(
    { MODE: 'x', JAVA_TOOL_OPTIONS: '-XX:+UseZGC' },
    ['-XX:+UseG1GC', '-jar', 'app.jar'],
    { culprit: /UseZGC/, best: { [`${app}.env[1]`]: null }, ...likely },
  ),
  'two garbage collectors on one command line': collectors({}, ['-XX:+UseG1GC', '-XX:+UseZGC', '-jar', 'app.jar'], {
    culprit: /garbage collectors/,
    best: null,
  }),
  'the region of a queue whose address has it': crash(
    NO_REGION,
    env({ QUEUE_URL: 'https://sqs.eu-central-1.amazonaws.com/402118837265/render' }),
    { culprit: /REGION/, best: { [`${app}.env[1]`]: { name: 'AWS_REGION', value: 'eu-central-1' } }, ...likely },
  ),
  'the regions of two queues': crash(
    NO_REGION,
    env({ A: 'https://sqs.eu-central-1.amazonaws.com/4/a', B: 'https://sqs.eu-west-1.amazonaws.com/4/b' }),
    { culprit: /REGION/, best: null },
  ),
  'a server that hangs because it may not write': {
    object: pod(
      'console',
      {
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
        containers: [
          {
            name: 'app',
            image: 'dpage/pgadmin4:9.9',
            volumeMounts: [{ name: 'data', mountPath: '/var/lib/pgadmin' }],
            readinessProbe: { httpGet: { path: '/misc/ping', port: 80 }, periodSeconds: 2 },
          },
        ],
      },
      [container('app', runs())],
    ),
    events: [
      [
        'Unhealthy',
        'Readiness probe failed: Get "http://10.1.2.3:80/misc/ping": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
      ],
    ],
    log: "ERROR  : Failed to create the directory /var/lib/pgadmin/sessions:\n           [Errno 13] Permission denied: '/var/lib/pgadmin/sessions'\n",
    others: [claim],
    is: { reason: 'Unhealthy', culprit: /\/var\/lib\/pgadmin/, best: { 'spec.securityContext.fsGroup': 5050 }, ...likely },
  },
  'a server at a place behind the name of its program': crash(
    'Could not connect to Redis at cache-headless:6379: Name or service not known\n',
    env({ CACHE: 'cache-headless' }),
    { culprit: /cache-headless/, best: { [`${app}.env[0].value`]: 'cache-nodes' }, ...guess },
    [service('cache-nodes', 6379)],
  ),
  'a data folder of which the volume is beside it': crash(
    '{"s":"E","c":"CONTROL","ctx":"initandlisten","msg":"DBException in initAndListen, terminating","attr":{"error":"NonExistentPath: Data directory /data/mongo not found. Create the missing directory or specify another path"}}\n',
    { args: ['--dbpath=/data/mongo'], volumeMounts: [{ name: 'data', mountPath: '/data/db' }] },
    { culprit: /\/data\/mongo/, best: { [`${app}.volumeMounts[0].mountPath`]: '/data/mongo' }, ...likely },
    [claim],
    { volumes },
  ),
  'a host that only the settings name': crash(
    'ERROR: Failed to obtain JDBC connection\nERROR: The connection attempt failed.\nERROR: sso-postgres\n',
    env({ KC_DB_URL: 'jdbc:postgresql://sso-postgres:5432/sso' }),
    { culprit: /sso-postgres/, best: { [`${app}.env[0].value`]: 'jdbc:postgresql://sso-postgresql:5432/sso' }, ...likely },
    [service('sso-postgresql', 5432)],
  ),
  'a host in the settings that is there': crash(
    'ERROR: The connection attempt failed.\n',
    env({ KC_DB_URL: 'jdbc:postgresql://sso-postgres:5432/sso' }),
    { culprit: /connection attempt failed/, best: null },
    [service('sso-postgres', 5432)],
  ),
  'a data folder that belongs to root, with a group': data(
    { runAsUser: 999, fsGroup: 999 },
    { best: { [`${app}.env`]: [PGDATA] }, ...likely },
  ),
  'a data folder that belongs to root, without a group': data(
    { runAsUser: 999 },
    { best: { [`${app}.env`]: [PGDATA], 'spec.securityContext.fsGroup': 999 }, ...likely },
  ),
  'a data folder that belongs to nobody knows whom': data({}, { best: { [`${app}.env`]: [PGDATA] }, ...guess }),
  'a file of an init container that runs as root, by its name alone': crash(
    "Can't open the append-only file appendonly.aof.1.incr.aof: Permission denied\n",
    { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    { culprit: /appendonly\.aof/, best: { 'spec.initContainers[0].securityContext.runAsUser': 999 }, ...likely },
    [],
    {
      securityContext: { runAsUser: 999 },
      volumes: [{ name: 'data', emptyDir: {} }],
      initContainers: [
        {
          ...{ name: 'restore', image: 'restore:1', command: ['sh', '-c', 'cp /backup/appendonly.aof.1.incr.aof /data/'] },
          ...{ securityContext: { runAsUser: 0 }, volumeMounts: [{ name: 'data', mountPath: '/data' }] },
        },
      ],
    },
  ),
  'Vault, which may neither mark its program nor lock its memory': crash(
    'unable to set CAP_SETFCAP effective capability: Operation not permitted\nError initializing core: Failed to lock memory: cannot allocate memory\n',
    { securityContext: { capabilities: { drop: ['ALL'] } } },
    { culprit: /IPC_LOCK/, best: { [`${app}.securityContext.capabilities.add`]: ['IPC_LOCK'] } },
  ),
  'a program that is ended while it still loads, and declares two ports': {
    object: one('shop', loops(143), {
      ports: [{ containerPort: 8080 }, { containerPort: 8081 }],
      livenessProbe: { httpGet: { path: '/live', port: 8080 }, initialDelaySeconds: 20 },
    }),
    log: 'Loading price points into memory\nLoaded 182000 of 1310544 price points\nLoaded 367000 of 1310544 price points\n',
    events: [
      ['Unhealthy', 'Liveness probe failed: Get "http://10.1.2.3:8080/live": dial tcp 10.1.2.3:8080: connect: connection refused'],
      ['Killing', 'Container app failed liveness probe, will be restarted', 'Normal'],
    ],
    is: { reason: 'Unhealthy', culprit: /liveness probe GET \/live/, best: { [`${app}.startupProbe`]: () => true }, ...likely },
  },
  'a client of Kafka without TLS at the port with TLS': crash(
    '%3|1767348003.413|FAIL|rdkafka#consumer-1| [thrd:kafka:9093/bootstrap]: kafka:9093/bootstrap: Disconnected while requesting ApiVersion: might be caused by incorrect security.protocol configuration (connecting to a SSL listener?) or broker version is < 0.10\n',
    env({ Kafka__BootstrapServers: 'kafka:9093', Kafka__SecurityProtocol: 'Plaintext' }),
    { culprit: /9093/, best: { [`${app}.env[0].value`]: 'kafka:9092' } },
    [service('kafka', 9092, 9093)],
  ),
  'an old tag of Bitnami': {
    object: one('mq', waits('ImagePullBackOff', PULL_BITNAMI), { image: 'docker.io/bitnami/rabbitmq:3.13.7-debian-12-r2' }),
    is: {
      reason: 'ImagePullBackOff',
      culprit: /bitnami\/rabbitmq/,
      best: { [`${app}.image`]: 'docker.io/bitnamilegacy/rabbitmq:3.13.7-debian-12-r2' },
      ...likely,
    },
  },
  'nodes with the labels of the selector, and another value of the taint': {
    object: homeless(
      'rollup',
      { nodeSelector: { pool: 'batch' }, tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'analytics', effect: 'NoSchedule' }] },
      `0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 node(s) didn't match Pod's node affinity/selector. ${NO_HELP}`,
    ),
    others: [node('a'), node('b', { pool: 'batch' }, {}, [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' }]), node('c')],
    is: { reason: 'Unschedulable', culprit: /taint dedicated=batch/, best: { 'spec.tolerations[0].value': 'batch' }, ...likely },
  },
  'a folder that an init container fills in another volume': crash(
    "Error: Cannot find module '/srv/app/server.js'\n",
    { volumeMounts: [{ name: 'app', mountPath: '/srv/app' }] },
    { culprit: /\/srv\/app/, best: { [`${app}.volumeMounts[0].name`]: 'bundle' }, ...likely },
    [],
    {
      volumes: ['app', 'bundle'].map((name) => ({ name, emptyDir: {} })),
      initContainers: [
        {
          ...{ name: 'fetch', image: 'fetch:1', command: ['sh', '-c', 'tar -xf app.tgz /srv/app/server.js'] },
          volumeMounts: [{ name: 'bundle', mountPath: '/srv/app' }],
        },
      ],
    },
  ),
  'all variables of an optional Secret that has another name now': stripe(
    [secret('pay-db', 'URL'), secret('pay-gateway-keys', 'STRIPE_API_KEY')],
    {
      culprit: /STRIPE_API_KEY \(pay-keys\)/,
      best: { [`${app}.envFrom[0].secretRef.name`]: 'pay-gateway-keys' },
      ...likely,
    },
  ),
  'all variables of an optional Secret, and none has the one that is missing': stripe([secret('pay-keys-old', 'URL')], {
    culprit: /STRIPE_API_KEY/,
    best: null,
  }),
  'a heap of bytes in megabytes, by a script': crash(
    'Error occurred during initialization of VM\nCould not reserve enough space for 274877906944KB object heap\n',
    {
      command: ['sh', '-c', 'exec java -Xmx${HEAP}m -jar app.jar'],
      env: [{ name: 'HEAP', valueFrom: { resourceFieldRef: { resource: 'limits.memory' } } }],
      resources: { limits: { memory: '256Mi' } },
    },
    { culprit: /HEAP/, best: { [`${app}.env[0].valueFrom.resourceFieldRef.divisor`]: '1Mi' }, ...likely },
  ),
  'gunicorn, which listens at the variable of a Service': crash(
    "Error: 'tcp' is not a valid port number.\n",
    { command: ['sh', '-c', 'gunicorn -b 0.0.0.0:${SUPERSET_PORT:-8088} app'] },
    { culprit: /SUPERSET_PORT/, best: { 'spec.enableServiceLinks': false }, ...likely },
    [service('superset', 8088), service('redis', 6379)],
  ),
  'MongoDB on a processor without AVX': crash(
    'WARNING: MongoDB 5.0+ requires a CPU with AVX support, and your current system does not appear to have that!\n  see https://jira.mongodb.org/browse/SERVER-54407\n',
    { image: 'mongo:5.0.31' },
    { culprit: /AVX/, best: { [`${app}.image`]: 'mongo:4.4' }, ...guess },
  ),
};
