import type { KubeObject } from '../../../../../src/crd/kubernetes.ts';
import { homeless, loops, one, other, waits } from '../documented.ts';
import type { CureRow } from './cure.ts';
import { app, crash, env, fromSecret, guess, likely, map, plain, secret, server } from './rows.ts';

const DIGIT = 'Error: failed to parse environment variable: invalid digit found in string\n';
const NAMED = (name: string) => `Error: failed to parse environment variable ${name}: invalid digit found in string\n`;

const REDIS = `1:C 02 Jan 2026 10:05:00.003 # Configuration loaded

*** FATAL CONFIG FILE ERROR (Redis 7.2.4) ***
Reading the configuration file, at line 3
>>> 'maxmemmory "512mb"'
Bad directive or wrong number of arguments
`;

const MYSQL = `   Illuminate\\Database\\QueryException

  SQLSTATE[HY000] [1044] Access denied for user 'shop'@'%' to database 'shop_prod' (Connection: mysql, SQL: select 1)
`;

const WAITING = '0/1 nodes are available: waiting for ephemeral volume controller to create the persistentvolumeclaim "shop-scratch".';

const pulled = (image: string, is: CureRow['is']): CureRow => ({
  object: one('shop', waits('ImagePullBackOff', `Back-off pulling image "${image}"`), { image }),
  events: [
    ['Failed', `Failed to pull image "${image}": pull access denied, repository does not exist or may require authorization`, 'Warning'],
    ['Failed', 'Error: ErrImagePull', 'Warning'],
  ],
  is,
});

const unknownTag = (image: string, to: string, confidence: typeof guess): CureRow => ({
  object: one('shop', waits('ImagePullBackOff', `Back-off pulling image "${image}"`), { image }),
  events: [['Failed', `Failed to pull image "${image}": failed to resolve reference "${image}": ${image}: not found`, 'Warning']],
  is: { reason: 'ImagePullBackOff', culprit: new RegExp(image), best: { [`${app}.image`]: to }, ...confidence },
});

/** A Deployment with two ReplicaSets. The pod of the newer one does not take the value of its variable; those of the older one are ready. */
function updated(before: string, now: string): CureRow {
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'gate', uid: 'uid-gate', controller: true };
  const template = (value: string) => ({
    metadata: { labels: { app: 'gate' } },
    spec: { containers: [{ name: 'app', image: 'gate:1', ...env({ SESSION_TTL: value }) }] },
  });
  const set = (number: number, value: string, ready: number): KubeObject =>
    other('ReplicaSet', `gate-${number}`, {
      apiVersion: 'apps/v1',
      metadata: {
        name: `gate-${number}`,
        namespace: 'default',
        uid: `uid-${number}`,
        annotations: { 'deployment.kubernetes.io/revision': String(number) },
        ownerReferences: [deployment],
      },
      spec: { replicas: 1, template: template(value) },
      status: { replicas: 1, readyReplicas: ready },
    });
  const object = one('gate-2-x', loops(1), { image: 'gate:1', ...env({ SESSION_TTL: now }) });
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'gate-2', uid: 'uid-2', controller: true };
  object.metadata = { ...object.metadata, labels: { app: 'gate' }, ownerReferences: [owner] };
  return {
    object,
    log: `panic: envconfig.Process: assigning SESSION_TTL to SessionTTL: converting '${now}' to type time.Duration. details: time: missing unit in duration "${now}"\n`,
    others: [
      other('Deployment', 'gate', {
        apiVersion: 'apps/v1',
        metadata: { name: 'gate', namespace: 'default', uid: 'uid-gate', annotations: { 'deployment.kubernetes.io/revision': '2' } },
        spec: { replicas: 1, selector: { matchLabels: { app: 'gate' } }, template: template(now) },
      }),
      set(2, now, 0),
      set(1, before, 1),
    ],
    is: { reason: 'CrashLoopBackOff', culprit: /SESSION_TTL/, best: { [`${app}.env[0].value`]: before }, ...likely },
  };
}

/** What reviewers and teams asked that no row had: slips in names of options, images, keys and databases, and numbers with a unit. */
export const EXAM_TICKETS: Record<string, CureRow> = {
  'a number with a unit, of a setting that says its unit': crash(
    NAMED('PAYOUT_TIMEOUT_SECS'),
    env({ PORT: '8080', PAYOUT_TIMEOUT_SECS: '30s' }),
    { culprit: /PAYOUT_TIMEOUT_SECS/, best: { [`${app}.env[1].value`]: '30' }, ...likely },
  ),
  'a number with another unit than its setting says': crash(DIGIT, env({ POLL_MS: '5s', PORT: '8080' }), {
    culprit: /POLL_MS/,
    best: { [`${app}.env[0].value`]: '5000' },
    ...likely,
  }),
  'a number with a unit, of a setting that says none': crash(DIGIT, env({ POLL: '5s', PORT: '8080' }), {
    culprit: /POLL/,
    best: { [`${app}.env[0].value`]: '5' },
    ...guess,
  }),
  'a misspelt option of Redis, with its value behind it': crash(
    REDIS,
    { image: 'redis:7.2.4', args: ['redis-server', '--appendonly', 'no', '--maxmemmory', '512mb'] },
    { culprit: /maxmemmory/, best: { [`${app}.args[3]`]: '--maxmemory' }, ...likely },
  ),
  'a database that MySQL does not let the user use': crash(
    MYSQL,
    env({ DB_HOST: 'shop-mysql', DB_DATABASE: 'shop_prod', DB_USERNAME: 'shop' }),
    { culprit: /database shop_prod \(user shop\)/, best: { [`${app}.env[1].value`]: 'shop' }, ...likely },
    server('shop-mysql', 3306, [plain('MYSQL_DATABASE', 'shop'), plain('MYSQL_USER', 'shop')]),
  ),
  'a slip of an official image': pulled('ngnix:1.27-alpine', {
    reason: 'ImagePullBackOff',
    culprit: /ngnix/,
    best: { [`${app}.image`]: 'nginx:1.27-alpine' },
    ...guess,
  }),
  'a slip of an official image, with its registry': pulled('docker.io/library/postgress:16', {
    reason: 'ImagePullBackOff',
    culprit: /postgress/,
    best: { [`${app}.image`]: 'docker.io/library/postgres:16' },
    ...guess,
  }),
  'a name like that of an official image, in a folder of its own': pulled('acme/ngnix:3', {
    reason: 'ImagePullBackOff',
    culprit: /acme\/ngnix/,
    best: null,
  }),
  'a password under the name of its server, beside that of root': {
    object: one('shop', waits('CreateContainerConfigError', `couldn't find key db-password in Secret default/shop-mysql`), {
      env: [fromSecret('DB_USER', 'shop-mysql', 'mysql-user'), fromSecret('DB_PASSWORD', 'shop-mysql', 'db-password')],
    }),
    others: [secret('shop-mysql', 'mysql-user', 'mysql-password', 'mysql-root-password')],
    is: {
      reason: 'CreateContainerConfigError',
      culprit: /db-password/,
      best: { [`${app}.env[1].valueFrom.secretKeyRef.key`]: 'mysql-password' },
      ...guess,
    },
  },
  'a server that begins to start when its liveness probe ends it': {
    object: one('shop', loops(143), {
      ports: [{ containerPort: 8080 }],
      livenessProbe: { httpGet: { path: '/login', port: 8080 }, periodSeconds: 10 },
    }),
    log: 'INFO Started initialization\nINFO Listed all plugins\n',
    events: [
      [
        'Unhealthy',
        'Liveness probe failed: Get "http://10.42.1.93:8080/login": dial tcp 10.42.1.93:8080: connect: connection refused',
        'Warning',
      ],
      ['Unhealthy', 'Liveness probe failed: HTTP probe failed with statuscode: 503', 'Warning'],
      ['Killing', 'Container app failed liveness probe, will be restarted', 'Normal'],
    ],
    is: { reason: 'Unhealthy', culprit: /liveness probe/, best: { [`${app}.startupProbe`]: () => true }, ...guess },
  },
  'an ephemeral volume that a quota does not let be made': {
    object: homeless(
      'shop',
      {
        volumes: [
          { name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: '50Gi' } } } } } },
        ] as never,
      },
      WAITING,
    ),
    events: [
      ['FailedScheduling', WAITING, 'Warning'],
      [
        'FailedBinding',
        'ephemeral volume scratch: create PVC shop-scratch: persistentvolumeclaims "shop-scratch" is forbidden: exceeded quota: storage, requested: requests.storage=50Gi, used: requests.storage=80Gi, limited: requests.storage=100Gi',
        'Warning',
      ],
    ],
    is: {
      reason: 'Unschedulable',
      culprit: /quota storage: requests.storage/,
      best: { 'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests.storage': '20Gi' },
      ...guess,
    },
  },
  'a link that an earlier start of an init container made': crash(
    "/bin/ln: failed to create symbolic link '/var/run/argocd/cmp': File exists\n",
    { command: ['sh', '-c'], args: ['/bin/ln -s /var/run/argocd/argocd /var/run/argocd/cmp'] },
    { culprit: /cmp: File exists/, best: { [`${app}.args[0]`]: '/bin/ln -sfn /var/run/argocd/argocd /var/run/argocd/cmp' }, ...likely },
  ),
  'an option of external-dns without its end': crash(
    'time="2026-01-02T10:05:00Z" level=fatal msg="flag parsing error: unknown long flag \'--txt-owner\'"\n',
    { image: 'registry.k8s.io/external-dns/external-dns:v0.15.0', args: ['--registry=txt', '--txt-owner=prod'] },
    { culprit: /--txt-owner/, best: { [`${app}.args[1]`]: '--txt-owner-id=prod' }, ...likely },
  ),
  'an address of Redis without its scheme, in Rust': crash(
    "thread 'main' panicked at src/store.rs:21:57:\ncalled `Result::unwrap()` on an `Err` value: Redis URL did not parse- InvalidClientConfig\n",
    env({ BIND: '0.0.0.0:7070', REDIS_URL: 'sessions-redis:6379' }),
    { culprit: /REDIS_URL|Redis URL|sessions-redis/, best: { [`${app}.env[1].value`]: 'redis://sessions-redis:6379' } },
  ),
  'a program behind a launcher with a slip': crash(
    'bundler: command not found: pumma\nInstall missing gem executables with `bundle install`\n',
    { command: ['bundle', 'exec', 'pumma', '-C', 'config/puma.rb'] },
    { culprit: /pumma/, best: { [`${app}.command[2]`]: 'puma' }, ...likely },
  ),
  'a shell that gets only the first word of its script': crash(
    'BusyBox v1.35.0 multi-call binary.\n\nUsage: sleep [N]...\n\nPause for a time equal to the total of the args given\n',
    { command: ['/bin/sh', '-c'], args: ['sleep', 'infinity'] },
    { culprit: /sleep infinity/, best: { [`${app}.args`]: ['sleep infinity'] }, ...likely },
  ),
  'the only file of its sort in the folder, under another name': crash(
    'Caused by: java.io.FileNotFoundException: /opt/matcher/conf/quotes.conf (No such file or directory)\n',
    {
      ...env({ JAVA_OPTS: '-Dconfig.file=/opt/matcher/conf/quotes.conf' }),
      volumeMounts: [{ name: 'conf', mountPath: '/opt/matcher/conf' }],
    },
    { culprit: /quotes\.conf/, best: { [`${app}.env[0].value`]: '-Dconfig.file=/opt/matcher/conf/application.conf' }, ...likely },
    [map('matcher-conf', 'application.conf')],
    { volumes: [{ name: 'conf', configMap: { name: 'matcher-conf' } }] },
  ),
  'a slip of a public registry': {
    ...pulled('doker.io/library/nginx:1.27', {
      reason: 'ImagePullBackOff',
      culprit: /doker\.io/,
      best: { [`${app}.image`]: 'docker.io/library/nginx:1.27' },
      ...guess,
    }),
    events: [
      [
        'Failed',
        'Failed to pull image "doker.io/library/nginx:1.27": failed to do request: Head "https://doker.io/v2/library/nginx/manifests/1.27": dial tcp: lookup doker.io on 10.0.0.2:53: no such host',
        'Warning',
      ],
    ],
  },
  'a slip of the maker of an often used image': pulled('grafna/grafana:11.0.0', {
    reason: 'ImagePullBackOff',
    culprit: /grafna/,
    best: { [`${app}.image`]: 'grafana/grafana:11.0.0' },
    ...guess,
  }),
  'a slip in the edition of an image': unknownTag('python:3.11-slm', 'python:3.11-slim', guess),
  'an image of the old registry of Kubernetes': unknownTag('k8s.gcr.io/pause:3.10', 'registry.k8s.io/pause:3.10', likely),
  'an image of a system without a command': {
    object: one('shop', loops(0), { image: 'ubuntu:24.04' }),
    is: { reason: 'CrashLoopBackOff', culprit: /ubuntu:24\.04/, best: { [`${app}.command`]: ['sleep', 'infinity'] }, ...guess },
  },
  'an option of a server of the platform with a slip': crash(
    'Error: unknown flag: --kubelet-insecure-tsl\n',
    { image: 'registry.k8s.io/metrics-server/metrics-server:v0.7.1', args: ['--cert-dir=/tmp', '--kubelet-insecure-tsl'] },
    { culprit: /kubelet-insecure-tsl/, best: { [`${app}.args[1]`]: '--kubelet-insecure-tls' }, ...likely },
  ),
  'an option with an abbreviated word': crash(
    'Error: unknown flag: --leader-election-ns\n',
    { image: 'quay.io/jetstack/cert-manager-controller:v1.15.0', args: ['--leader-election-ns=kube-system'] },
    { culprit: /leader-election-ns/, best: { [`${app}.args[0]`]: '--leader-election-namespace=kube-system' }, ...likely },
  ),
  'an option that curl does not know': crash(
    "curl: option --retry-delays: is unknown\ncurl: try 'curl --help' for more information\n",
    { image: 'curlimages/curl:8.9.0', args: ['--retry-delays', '5', 'http://warm'] },
    { culprit: /retry-delays/, best: { [`${app}.args[0]`]: '--retry-delay' }, ...likely },
  ),
  'a misspelt option of Node in its variable': crash(
    'node: --max-old-space-sise= is not allowed in NODE_OPTIONS\n',
    env({ NODE_OPTIONS: '--enable-source-maps --max-old-space-sise=512' }),
    { culprit: /max-old-space-sise/, best: { [`${app}.env[0].value`]: '--enable-source-maps --max-old-space-size=512' }, ...likely },
  ),
  'a misspelt option of the virtual machine of Java': crash(
    "Unrecognized VM option 'MaxRamPercentage=75.0'\nError: Could not create the Java Virtual Machine.\n",
    env({ JAVA_TOOL_OPTIONS: '-XX:MaxRamPercentage=75.0' }),
    { culprit: /MaxRamPercentage/, best: { [`${app}.env[0].value`]: '-XX:MaxRAMPercentage=75.0' }, ...likely },
  ),
  'a file with which a program begins, with a slip': crash(
    "Error: Cannot find module '/app/dist/sever.js'\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)\n",
    { command: ['node', 'dist/sever.js'] },
    { culprit: /sever\.js/, best: { [`${app}.command[1]`]: 'dist/server.js' }, ...guess },
  ),
  'a class with which a program of Java begins, with a slip': crash(
    'Error: Could not find or load main class com.acme.Mian\nCaused by: java.lang.ClassNotFoundException: com.acme.Mian\n',
    { command: ['java', '-cp', '/app.jar', 'com.acme.Mian'] },
    { culprit: /Mian/, best: { [`${app}.command[3]`]: 'com.acme.Main' }, ...guess },
  ),
  'a folder of Redis with a slip, beside the volume': crash(
    '*** FATAL CONFIG FILE ERROR (Redis 7.2.4) ***\nReading the configuration file, at line 2\n>>> \'dir "/dta"\'\nNo such file or directory\n',
    { image: 'redis:7', args: ['redis-server', '--dir', '/dta'], volumeMounts: [{ name: 'd', mountPath: '/data' }] },
    { culprit: /\/dta/, best: { [`${app}.args[2]`]: '/data' }, ...likely },
    [],
    { volumes: [{ name: 'd', emptyDir: {} }] },
  ),
  'data that are mounted read-only, where the line names no path': crash(
    "1:M 02 Jan 2026 10:05:00.003 # Can't open or create append-only dir appendonlydir: Read-only file system\n",
    { image: 'redis:7', volumeMounts: [{ name: 'd', mountPath: '/data', readOnly: true }] },
    { culprit: /\/data/, best: { [`${app}.volumeMounts[0].readOnly`]: null }, ...likely },
    [],
    { volumes: [{ name: 'd', emptyDir: {} }] },
  ),
  'a root address of Grafana without its scheme': crash(
    'Error: ✗ Root url is not valid: parse "grafana.acme.io/": invalid URI for request\n',
    env({ GF_SERVER_ROOT_URL: 'grafana.acme.io' }),
    { culprit: /grafana\.acme\.io/, best: { [`${app}.env[0].value`]: 'https://grafana.acme.io' }, ...guess },
  ),
  'a listener of Kafka with a slip': crash(
    "java.lang.IllegalArgumentException: requirement failed: controller.listener.names must contain at least one value appearing in the 'listeners' configuration when running the KRaft controller role\n",
    env({ KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093', KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLER' }),
    { culprit: /controller\.listener\.names: CONTROLER/, best: { [`${app}.env[1].value`]: 'CONTROLLER' }, ...likely },
  ),
  'a listener of Kafka that the map of protocols spells in another way': crash(
    'java.lang.IllegalArgumentException: No security protocol defined for listener EXTERNAL\n',
    env({ KAFKA_LISTENERS: 'EXTERNAL://:9094', KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,EXTERNL:PLAINTEXT' }),
    { culprit: /EXTERNAL/, best: { [`${app}.env[1].value`]: 'CONTROLLER:PLAINTEXT,EXTERNAL:PLAINTEXT' }, ...likely },
  ),
  'a listener of Kafka of which nothing is a slip': crash(
    'java.lang.IllegalArgumentException: No security protocol defined for listener EXTERNAL\n',
    env({ KAFKA_LISTENERS: 'EXTERNAL://:9094', KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT' }),
    { culprit: /EXTERNAL/, best: null },
  ),
  'an edition behind a point in place of a dash': unknownTag('memcached:1.6.alpine', 'memcached:1.6-alpine', guess),
  'a time without a unit, which an earlier revision that still runs has': updated('30m', '30'),
};
