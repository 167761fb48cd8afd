import type { KubeObject, PodSpec } from '../../../../../src/crd/kubernetes.ts';
import type { Changes, Cure, CureRow } from './cure.ts';
import { controller, homeless, loops, one, other, runs, waits } from '../documented.ts';
import { app, guess, likely, service } from './rows.ts';

type Container = Partial<PodSpec['containers'][0]>;
type Is = Omit<Cure, 'reason'>;
const inTemplate = `spec.template.${app}`;
const runc = (why: string): string =>
  `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ${why}`;
const value = (at: number, to: unknown): Changes => ({ [`${app}.env[${at}].value`]: to });

const started = (why: string, spec: Container, is: Is, pod: Partial<PodSpec> = {}): CureRow => ({
  object: one('shop', loops(128, 'StartError', runc(why)), spec, pod),
  is: { reason: 'StartError', ...is },
});
const told = (event: [reason: string, message: string], pod: Partial<PodSpec>, is: Is): CureRow => ({
  object: one('shop', waits('ContainerCreating'), {}, pod),
  events: [event],
  is: { reason: event[0], ...is },
});
const refused = (message: string, template: Container, is: Is): CureRow => ({
  object: controller('ReplicaSet', 'shop', { containers: [{ name: 'app', image: 'web:1', ...template }] }),
  events: [['FailedCreate', `Error creating: pods "shop-x" is forbidden: ${message}`]],
  is: { reason: 'FailedCreate', ...is },
});
const crash = (log: string, spec: Container, is: Is, others: KubeObject[] = []): CureRow => ({
  object: one('shop', loops(1), spec),
  log,
  others,
  is: { reason: 'CrashLoopBackOff', ...is },
});
const unready = (path: string, spec: Container, log: string, is: Is): CureRow => ({
  object: one('shop', runs(), { readinessProbe: { httpGet: { path, port: 8080 } }, ports: [{ containerPort: 8080 }], ...spec }),
  events: [['Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 404']],
  log,
  is: { reason: 'Unhealthy', ...is },
});
const probed = (path: string): Changes => ({ [`${app}.readinessProbe.httpGet.path`]: path });

const RUNTIME: Record<string, CureRow> = {
  'one file of a volume over a folder of the image': started(
    'error during container init: error mounting "/var/lib/kubelet/pods/1/volume-subpaths/c/app/0" to rootfs at "/etc/nginx": mount src=/var/lib/kubelet/pods/1/volume-subpaths/c/app/0, dst=/etc/nginx, flags=MS_BIND|MS_REC: not a directory: Are you trying to mount a directory onto a file (or vice-versa)? Check if the specified host path exists and is the expected type',
    { volumeMounts: [{ name: 'c', mountPath: '/etc/nginx', subPath: 'nginx.conf' }] },
    { culprit: /\/etc\/nginx/, best: { [`${app}.volumeMounts[0].mountPath`]: '/etc/nginx/nginx.conf' }, ...likely },
    { volumes: [{ name: 'c', configMap: { name: 'web' } }] },
  ),
  'one file of a volume below a folder': started(
    'error during container init: error mounting "/var/lib/kubelet/pods/1/volume-subpaths/c/app/0" to rootfs at "/app/conf": mount src=/x, dst=/app/conf: not a directory: Are you trying to mount a directory onto a file (or vice-versa)?',
    { volumeMounts: [{ name: 'c', mountPath: '/app/conf/', subPath: 'prod/app.ini' }] },
    { culprit: /\/app\/conf/, best: { [`${app}.volumeMounts[0].mountPath`]: '/app/conf/app.ini' }, ...likely },
    { volumes: [{ name: 'c', persistentVolumeClaim: { claimName: 'conf' } }] },
  ),
  'a capability with a slip': started(
    'unknown capability "CAP_NET_ADMINN"',
    { securityContext: { capabilities: { add: ['NET_ADMINN'] } } },
    { culprit: /NET_ADMINN/, best: { [`${app}.securityContext.capabilities.add[0]`]: 'NET_ADMIN' }, ...likely },
  ),
  'a capability that is none': started(
    'unknown capability "CAP_EVERYTHING"',
    { securityContext: { capabilities: { add: ['EVERYTHING'] } } },
    { culprit: /EVERYTHING/, best: null },
  ),
  'a path below the shell': started(
    'error during container init: exec: "/bin/sh/run": stat /bin/sh/run: not a directory',
    { command: ['/bin/sh/run'] },
    { culprit: /\/bin\/sh\/run/, best: { [`${app}.command`]: null }, ...guess },
  ),
  'a kernel parameter that the node does not have': told(
    [
      'FailedCreatePodSandBox',
      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to start sandbox "x": failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: open /proc/sys/net/core/somaxconnn: no such file or directory',
    ],
    { securityContext: { sysctls: [{ name: 'net.core.somaxconnn', value: '1024' }] } },
    { culprit: /net\.core\.somaxconnn/, best: { 'spec.securityContext.sysctls': null }, ...likely },
  ),
  'a further network that nobody defined': told(
    [
      'FailedCreatePodSandBox',
      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "abc": plugin type="multus" name="multus-cni-network" failed (add): Multus: [default/shop]: error loading k8s delegates k8s args: TryLoadPodDelegates: error in getting k8s network for pod: network-attachment-definitions.k8s.cni.cncf.io "macvlan-conf" not found',
    ],
    {},
    { culprit: /macvlan-conf/, best: null },
  ),
  'a claim that is being deleted': told(
    [
      'FailedMount',
      'Unable to attach or mount volumes: unmounted volumes=[d], unattached volumes=[], failed to process volumes=[d]: error processing PVC default/data: PVC is being deleted',
    ],
    { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] },
    { culprit: /data/, best: null, says: /being deleted/ },
  ),
};

const ADMISSION: Record<string, CureRow> = {
  'two bounds of a LimitRange at once': refused(
    '[maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per Container is 1Gi, but limit is 2Gi]',
    { resources: { limits: { cpu: '2', memory: '2Gi' } } },
    {
      culprit: /cpu 2.*memory 2Gi/,
      best: { [`${inTemplate}.resources.limits.cpu`]: '1', [`${inTemplate}.resources.limits.memory`]: '1Gi' },
      confidence: ['likely'],
    },
  ),
  'a label that a policy names in braces': {
    object: controller('ReplicaSet', 'shop', { containers: [{ name: 'app', image: 'web:1' }] }),
    events: [
      [
        'FailedCreate',
        'Error creating: admission webhook "validation.gatekeeper.sh" denied the request: [must-have-owner] you must provide labels: {"owner"}',
      ],
    ],
    is: { reason: 'FailedCreate', culprit: /gatekeeper/, best: { 'spec.template.metadata.labels.owner': /./ }, ...guess },
  },
};

const WAITING: Record<string, CureRow> = {
  'wait-for-it, another port': crash(
    'wait-for-it.sh: waiting 15 seconds for mysql:3307\nwait-for-it.sh: timeout occurred after waiting 15 seconds for mysql:3307\n',
    { args: ['wait-for-it.sh', 'mysql:3307'] },
    { culprit: /mysql:3307/, best: { [`${app}.args[1]`]: 'mysql:3306' }, ...likely },
    [service('mysql', 3306)],
  ),
  'dockerize, another port': crash(
    'Timeout after 10s waiting on dependencies to become available: [tcp://rabbit:5673]\n',
    { args: ['-wait', 'tcp://rabbit:5673'] },
    { culprit: /rabbit:5673/, best: { [`${app}.args[1]`]: 'tcp://rabbit:5672' }, ...likely },
    [service('rabbit', 5672)],
  ),
  'Kafka, another port of a Service with two': crash(
    'WARN [Consumer clientId=c-1, groupId=g] Connection to node -1 (kafka/10.96.0.77:9093) could not be established. Broker may not be available.\nException in thread "main" org.apache.kafka.common.errors.TimeoutException: Timeout of 60000ms expired\n',
    { env: [{ name: 'KAFKA_BOOTSTRAP_SERVERS', value: 'kafka:9093' }] },
    { culprit: /kafka:9093/, best: value(0, 'kafka:9092'), ...likely },
    [service('kafka', 9092, 5555)],
  ),
  'a port of a Service with two that says nothing': crash(
    'error: connect ECONNREFUSED orders:7777\n',
    { env: [{ name: 'ORDERS', value: 'orders:7777' }] },
    { culprit: /orders:7777/, best: null },
    [service('orders', 8080, 9090)],
  ),
  'Quarkus, a setting under a slip': crash(
    'java.util.NoSuchElementException: SRCFG00014: The config property payment.url is required but it could not be found in any config source\n',
    { env: [{ name: 'PAYMENT_URI', value: 'http://x' }] },
    { culprit: /payment\.url/, best: { [`${app}.env[0].name`]: 'PAYMENT_URL' }, ...likely },
  ),
};

const MIGRATIONS: Record<string, CureRow> = {
  'Rails, the cause behind its own headline': crash(
    'rails aborted!\nStandardError: An error has occurred, this and all later migrations canceled:\n\nPG::UndefinedTable: ERROR:  relation "legacy_coupons" does not exist\nLINE 1: INSERT INTO coupons SELECT * FROM legacy_coupons\n',
    {},
    { culprit: /legacy_coupons/, best: null },
  ),
  'Rails, a duplicate behind its own headline': crash(
    'rake aborted!\nStandardError: An error has occurred, this and all later migrations canceled:\n\nPG::DuplicateTable: ERROR:  relation "orders" already exists\n',
    {},
    { culprit: /orders/, best: null },
  ),
  'nginx, a name in a ConfigMap that nearly names a Service': {
    object: one(
      'edge',
      loops(1),
      { volumeMounts: [{ name: 'conf', mountPath: '/etc/nginx/conf.d' }] },
      { volumes: [{ name: 'conf', configMap: { name: 'edge-conf' } }] },
    ),
    log: 'nginx: [emerg] host not found in upstream "catalog:8000" in /etc/nginx/conf.d/default.conf:2\n',
    others: [service('catalog-svc', 8000), other('ConfigMap', 'edge-conf', { data: { 'default.conf': 'x' } })],
    is: { reason: 'CrashLoopBackOff', culprit: /catalog/, best: null, says: /catalog-svc.*default\.conf.*edge-conf/ },
  },
};

/** Lines that are common in logs but are no reason for an exit. */
const NOISE: Record<string, CureRow> = Object.fromEntries(
  [
    'Do not run Composer as root/super user! See https://getcomposer.org/root for details',
    "Don't run Bundler as root. Installing your bundle as root will break this application for all non-root users on this machine.",
    "WARNING: Running pip as the 'root' user can result in broken permissions and conflicting behaviour with the system package manager",
    'Starting supervisord as root, with user app for its programs',
    'DB_POOL is not set, using 10',
  ].map((line) => [
    `a line of many logs: ${line.slice(0, 40)}`,
    crash(`${line}\nerror: open /etc/shop/keys.json: no such file or directory\n`, {}, { culprit: /keys\.json/, best: null }),
  ]),
);

const PATHS: Record<string, CureRow> = {
  'the base path of the actuator in the log': unready(
    '/actuator/health',
    {},
    "o.s.b.a.e.web.EndpointLinksResolver      : Exposing 1 endpoint(s) beneath base path '/manage'\n",
    { culprit: /\/actuator\/health/, best: probed('/manage/health'), ...likely },
  ),
  'the base path of the actuator in a variable': unready(
    '/actuator/health/readiness',
    { env: [{ name: 'MANAGEMENT_ENDPOINTS_WEB_BASE_PATH', value: '/ops' }] },
    'started\n',
    { culprit: /\/actuator/, best: probed('/ops/health/readiness'), ...likely },
  ),
  'a context path in the log': unready('/health', {}, "Tomcat started on port 8080 (http) with context path '/shop'\n", {
    culprit: /\/health/,
    best: probed('/shop/health'),
    ...likely,
  }),
  'an empty context path in the log': unready('/health', {}, "Tomcat started on port 8080 (http) with context path ''\n", {
    culprit: /\/health/,
    best: probed('/'),
    ...guess,
  }),
  'a context path that the probe has': unready('/shop/ready', {}, "Tomcat started on port 8080 (http) with context path '/shop'\n", {
    culprit: /\/shop\/ready/,
    best: probed('/'),
    ...guess,
  }),
  'a context path in the log and the base path of the actuator without quotes, with two paths': unready(
    '/actuator/health/readiness',
    { livenessProbe: { httpGet: { path: '/actuator/health/liveness', port: 8080 } } },
    'o.s.b.a.e.web.EndpointLinksResolver : Exposing 1 endpoint beneath base path /actuator\nTomcat started on port 8080 (http) with context path "/shop"\n',
    {
      culprit: /\/actuator\/health/,
      best: { ...probed('/shop/actuator/health/readiness'), [`${app}.livenessProbe.httpGet.path`]: '/shop/actuator/health/liveness' },
      ...likely,
    },
  ),
  'a root path of Quarkus in a variable': unready(
    '/q/health/ready',
    { env: [{ name: 'QUARKUS_HTTP_ROOT_PATH', value: '/orders/' }] },
    'Listening on: http://0.0.0.0:8080\n',
    { culprit: /\/q\/health\/ready/, best: probed('/orders/q/health/ready'), ...likely },
  ),
  'a base path of a Node program in its log': unready('/healthz', {}, 'HTTP server listening on :8080, base path: /api/v2\n', {
    culprit: /\/healthz/,
    best: probed('/api/v2/healthz'),
    ...likely,
  }),
  'a route prefix of Prometheus': unready('/-/ready', { args: ['--web.external-url=https://mon.example.com/prometheus/'] }, 'started\n', {
    culprit: /\/-\/ready/,
    best: probed('/prometheus/-/ready'),
    ...likely,
  }),
  'a context path among the options of Java': unready(
    '/health',
    { env: [{ name: 'JAVA_TOOL_OPTIONS', value: '-Xmx256m -Dserver.servlet.context-path=/billing' }] },
    'Picked up JAVA_TOOL_OPTIONS\n',
    { culprit: /\/health/, best: probed('/billing/health'), ...likely },
  ),
  'a context path of the other port': unready(
    '/healthz',
    { ports: [{ containerPort: 8080 }, { containerPort: 8081 }], readinessProbe: { httpGet: { path: '/healthz', port: 8081 } } },
    "Tomcat started on port 8080 (http) with context path '/shop'\nTomcat started on port 8081 (http) with context path '/'\n",
    { culprit: /\/healthz/, best: probed('/'), ...guess },
  ),
  'a root path of uvicorn, which moves no path': unready(
    '/health',
    { args: ['uvicorn', 'shop:app', '--root-path', '/api'], env: [{ name: 'ROOT_PATH', value: '/api' }] },
    'INFO:     Uvicorn running on http://0.0.0.0:8080 (Press CTRL+C to quit)\n',
    { culprit: /\/health/, best: probed('/'), ...guess },
  ),
  'a base path that is a folder': unready(
    '/health',
    { env: [{ name: 'BASE_PATH', value: '/data/shop' }] },
    'root path: /usr/share/nginx/html\nserving files, base path: /data/shop\n',
    { culprit: /\/health/, best: probed('/'), ...guess },
  ),
  'a base path of a server that the program calls': unready(
    '/health',
    { env: [{ name: 'PAYMENTS_BASE_PATH', value: '/v1' }] },
    'started\n',
    { culprit: /\/health/, best: probed('/v1/health'), ...guess },
  ),
  'a context path, while the startup probe finds a path outside of it': unready(
    '/ready',
    { startupProbe: { httpGet: { path: '/alive', port: 8080 } }, env: [{ name: 'CONTEXT_PATH', value: '/shop' }] },
    'started\n',
    { culprit: /\/ready/, best: probed('/alive'), ...likely },
  ),
};

/** A server that answers its probe with this status. */
const answered = (status: number, spec: Container, log: string, is: Is): CureRow => ({
  ...unready('/healthz', spec, log, is),
  events: [['Unhealthy', `Readiness probe failed: HTTP probe failed with statuscode: ${status}`]],
});
const host = (to: string): Changes => ({ [`${app}.readinessProbe.httpGet.httpHeaders`]: [{ name: 'Host', value: to }] });
const DJANGO = "Invalid HTTP_HOST header: '10.244.1.7:8080'. You may need to add '10.244.1.7' to ALLOWED_HOSTS.\nBad Request: /healthz\n";

const HOSTS: Record<string, CureRow> = {
  'Django, an address that is none of its hosts': answered(
    400,
    {
      env: [{ name: 'DJANGO_ALLOWED_HOSTS', value: '.example.com, localhost' }],
      livenessProbe: { httpGet: { path: '/live', port: 8080 } },
    },
    DJANGO,
    {
      culprit: /DJANGO_ALLOWED_HOSTS.*10\.244\.1\.7/,
      best: { ...host('example.com'), [`${app}.livenessProbe.httpGet.httpHeaders`]: [{ name: 'Host', value: 'example.com' }] },
      ...likely,
    },
  ),
  'Rails, with a header that the probe has': answered(
    403,
    {
      env: [{ name: 'RAILS_ALLOWED_HOSTS', value: 'shop.test' }],
      readinessProbe: { httpGet: { path: '/up', port: 8080, httpHeaders: [{ name: 'X-Probe', value: '1' }] } },
    },
    '[ActionDispatch::HostAuthorization::DefaultResponseApp] Blocked hosts: 10.244.1.7:8080\n',
    {
      culprit: /RAILS_ALLOWED_HOSTS/,
      best: { [`${app}.readinessProbe.httpGet.httpHeaders[1]`]: { name: 'Host', value: 'shop.test' } },
      ...likely,
    },
  ),
  'a server of Python that answers 421, with a list in JSON': answered(
    421,
    { env: [{ name: 'MCP_ALLOWED_HOSTS', value: '["tools.example.com:443"]' }] },
    'WARNING Invalid Host header: 10.244.1.7:8080\n',
    { culprit: /MCP_ALLOWED_HOSTS/, best: host('tools.example.com:443'), ...likely },
  ),
  'Nextcloud, with the wrong name in the header of the probe': answered(
    400,
    {
      env: [{ name: 'NEXTCLOUD_TRUSTED_DOMAINS', value: 'cloud.example.com files.example.com' }],
      readinessProbe: { httpGet: { path: '/status.php', port: 8080, httpHeaders: [{ name: 'Host', value: 'cloud.local' }] } },
    },
    'Trusted domain error. "cloud.local" tried to access.\n',
    {
      culprit: /NEXTCLOUD_TRUSTED_DOMAINS/,
      best: { [`${app}.readinessProbe.httpGet.httpHeaders[0].value`]: 'cloud.example.com' },
      ...likely,
    },
  ),
  'Django, whose hosts nobody sees': answered(400, {}, DJANGO, { culprit: /ALLOWED_HOSTS/, best: host('localhost'), ...guess }),
  'Django, which allows all hosts by a variable that it does not read': answered(
    400,
    { env: [{ name: 'ALLOWED_HOSTS', value: '*' }] },
    DJANGO,
    { culprit: /ALLOWED_HOSTS/, best: null },
  ),
  'Django, a host of somebody else': answered(
    400,
    { env: [{ name: 'ALLOWED_HOSTS', value: 'shop.example.com' }] },
    "Invalid HTTP_HOST header: 'evil.example.net'. You may need to add 'evil.example.net' to ALLOWED_HOSTS.\n",
    { culprit: /GET \/healthz :8080 \(status 400\)/, best: probed('/'), ...guess },
  ),
  'Django, a path that is not there': answered(404, { env: [{ name: 'ALLOWED_HOSTS', value: 'shop.example.com' }] }, DJANGO, {
    culprit: /GET \/healthz :8080 \(status 404\)/,
    best: probed('/'),
    ...guess,
  }),
  'a database that refuses a client': answered(
    403,
    { env: [{ name: 'ALLOWED_HOSTS', value: 'shop.example.com' }] },
    'INFO (1130, "Host \'10.244.1.7\' is not allowed to connect to this MySQL server")\n',
    { culprit: /GET \/healthz :8080 \(status 403\)/, best: probed('/'), ...guess },
  ),
  'nginx, a request without a valid host': answered(
    400,
    {},
    '10.244.0.1 - - [20/Nov/2026:09:14:02 +0000] client sent invalid host header while reading client request headers\n',
    { culprit: /status 400/, best: probed('/'), ...guess },
  ),
};

/** A container that is not ready because of a command without output. */
const waiting = (spec: Container, log: string, is: Is, message = '', others: KubeObject[] = []): CureRow => ({
  object: one('shop', runs(), { readinessProbe: { exec: { command: ['test', '-f', '/tmp/ready'] } }, ...spec }),
  events: [['Unhealthy', `Readiness probe failed: ${message}`]],
  log,
  others,
  is: { reason: 'Unhealthy', ...is },
});
const NOT_SERVING = 'HTTP probe failed with statuscode: 503';
const READY = { readinessProbe: { httpGet: { path: '/ready', port: 8080 } }, ports: [{ containerPort: 8080 }] };

const SERVERS: Record<string, CureRow> = {
  'a worker that waits for a broker of another name': waiting(
    { env: [{ name: 'CELERY_BROKER_URL', value: 'amqp://guest:guest@rabbit:5672//' }] },
    '[2026-11-20 09:14:01,882: ERROR/MainProcess] consumer: Cannot connect to amqp://guest:**@rabbit:5672//: [Errno -2] Name or service not known.\nTrying again in 2.00 seconds... (1/100)\n',
    { culprit: /^rabbit \(CELERY_BROKER_URL\)$/, best: value(0, 'amqp://guest:guest@rabbitmq:5672//'), ...likely },
    '',
    [service('rabbitmq', 5672)],
  ),
  'a server of Go that retries, with a warning': waiting(
    { ...READY, env: [{ name: 'PG_HOST', value: 'postgre' }] },
    'level=warn msg="retrying in 5s" err="dial tcp: lookup postgre on 10.96.0.10:53: no such host"\n'.repeat(3),
    { culprit: /^postgre \(PG_HOST\)$/, best: value(0, 'postgres'), ...likely },
    NOT_SERVING,
    [service('postgres', 5432)],
  ),
  'a server of Node whose cache nobody serves': waiting(
    READY,
    'Server listening on port 8080\nError: connect ECONNREFUSED 10.96.7.7:6379\n',
    { culprit: /10\.96\.7\.7:6379/, best: null },
    NOT_SERVING,
  ),
  'a server of Java that has connected since': waiting(
    READY,
    'ERROR java.net.UnknownHostException: orders-db\nINFO Reconnected: connected to orders-db:5432\n',
    { culprit: /GET \/ready :8080 \(status 503\)/, best: probed('/'), ...guess },
    NOT_SERVING,
  ),
  'a server whose traces nobody takes': waiting(
    READY,
    'WARN otel exporter: retrying, dial tcp: lookup otel-collector on 10.96.0.10:53: no such host\n',
    { culprit: /GET \/ready :8080 \(status 503\)/, best: probed('/'), ...guess },
    NOT_SERVING,
  ),
  'a path that is not there, while a server is not found': waiting(
    READY,
    'Error: getaddrinfo ENOTFOUND cache\n',
    { culprit: /GET \/ready :8080 \(status 404\)/, best: probed('/'), ...guess },
    'HTTP probe failed with statuscode: 404',
  ),
  'a port on which the program does not listen, while a server is refused': waiting(
    READY,
    'listening on :9090\nwarn: connect ECONNREFUSED 10.96.7.7:6379, retrying\n',
    { culprit: /GET \/ready :8080/, best: { [`${app}.readinessProbe.httpGet.port`]: 9090 }, ...likely },
    'Get "http://10.1.2.3:8080/ready": dial tcp 10.1.2.3:8080: connect: connection refused',
  ),
};

const FOLDERS: Record<string, CureRow> = {
  'nginx, nothing that it may write': crash(
    '[emerg] 1#1: mkdir() "/var/cache/nginx/client_temp" failed (30: Read-only file system)\n',
    { securityContext: { readOnlyRootFilesystem: true } },
    {
      culprit: /\/var\/cache\/nginx/,
      best: {
        'spec.volumes': (made: unknown) => Array.isArray(made) && made.length === 2,
        [`${app}.volumeMounts`]: (made: { mountPath: string }[]) =>
          made.map(({ mountPath }) => mountPath).join() === '/var/cache/nginx,/var/run',
      },
      ...likely,
    },
  ),
  'a program that makes one of its folders': crash(
    "mkdir: cannot create directory '/var/log/shop/audit': Permission denied\n",
    { securityContext: { runAsUser: 1000 } },
    {
      culprit: /\/var\/log\/shop\/audit/,
      best: {
        'spec.volumes': () => true,
        [`${app}.volumeMounts`]: (made: { mountPath: string }[]) => made[0]?.mountPath === '/var/log/shop',
      },
      ...likely,
    },
  ),
};

const PLACES: Record<string, CureRow> = {
  'a claim that goes while a pod waits for it': {
    object: homeless(
      'shop',
      { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] },
      '0/1 nodes are available: persistentvolumeclaim "data" is being deleted. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    ),
    is: { reason: 'Unschedulable', culprit: /data/, best: null, says: /being deleted/ },
  },
};

/** Messages of runtimes, the kubelet, the API server and waiting programs with Kubernetes 1.36, taken from their sources. */
export const KUBERNETES_1_36: Record<string, CureRow> = {
  ...RUNTIME,
  ...ADMISSION,
  ...WAITING,
  ...MIGRATIONS,
  ...NOISE,
  ...PATHS,
  ...HOSTS,
  ...SERVERS,
  ...FOLDERS,
  ...PLACES,
};
