import type { KubeObject, PodSpec } from '../../../../../src/crd/kubernetes.ts';
import { one, runs } from '../documented.ts';
import type { Changes, Cure, CureRow } from './cure.ts';
import { app, crash, guess, likely, secret, service } from './rows.ts';

type Container = Partial<PodSpec['containers'][0]>;
type Is = Omit<Cure, 'reason'>;

/** A running container whose readiness probe fails with this message. */
const unready = (message: string, spec: Container, log: string, is: Is, others: KubeObject[] = []): CureRow => ({
  object: one('shop', runs(), spec),
  events: [['Unhealthy', `Readiness probe failed: ${message}`]],
  log,
  others,
  is: { reason: 'Unhealthy', ...is },
});
const status = (code: number): string => `HTTP probe failed with statuscode: ${code}`;
const SILENT = 'Get "http://10.1.2.3:8000/healthz": context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
const get = (path: string, port: number | string): Container['readinessProbe'] => ({ httpGet: { path, port } });
const port = (to: number, ...probes: string[]): Changes =>
  Object.fromEntries(probes.map((probe) => [`${app}.${probe}Probe.httpGet.port`, to]));

const SPRING =
  "TomcatWebServer : Tomcat initialized with port 8080 (http)\nTomcatWebServer : Tomcat started on port 8080 (http) with context path '/'\nTomcatWebServer : Tomcat initialized with port 8081 (http)\nEndpointLinksResolver : Exposing 3 endpoints beneath base path '/actuator'\nTomcatWebServer : Tomcat started on port 8081 (http) with context path ''\n";

const MANAGEMENT: Record<string, CureRow> = {
  'Spring, the actuator at a port of its own, in both probes': unready(
    status(404),
    { readinessProbe: get('/actuator/health/readiness', 8080)!, livenessProbe: get('/actuator/health/liveness', 8080)! },
    SPRING,
    { culprit: /\/actuator/, best: port(8081, 'readiness', 'liveness'), ...likely },
  ),
  'Spring, the port of the actuator in a variable, and a startup probe': unready(
    status(404),
    {
      readinessProbe: get('/actuator/health', 'http')!,
      startupProbe: get('/actuator/health', 'http')!,
      ports: [{ name: 'http', containerPort: 8080 }],
      env: [{ name: 'MANAGEMENT_SERVER_PORT', value: '9001' }],
    },
    'started\n',
    { culprit: /\/actuator/, best: port(9001, 'readiness', 'startup'), ...likely },
  ),
  'Spring, whose management is switched off by its port': unready(
    status(404),
    { readinessProbe: get('/actuator/health', 8080)!, env: [{ name: 'MANAGEMENT_SERVER_PORT', value: '-1' }] },
    'started\n',
    { culprit: /\/actuator/, best: { [`${app}.readinessProbe.httpGet.path`]: '/' }, ...guess },
  ),
  'Spring, the port among the options of Java': unready(
    status(404),
    {
      readinessProbe: get('/actuator/health', 8080)!,
      env: [{ name: 'JAVA_TOOL_OPTIONS', value: '-Xmx256m -Dmanagement.server.port=9090' }],
    },
    'started\n',
    { culprit: /\/actuator/, best: port(9090, 'readiness'), ...likely },
  ),
  'Keycloak, whose health has its own port since version 25': unready(
    status(404),
    { readinessProbe: get('/health/ready', 8080)!, livenessProbe: get('/health/live', 8080)! },
    'INFO  [io.quarkus] (main) Keycloak 26.0.5 on JVM started in 9.1s. Listening on: http://0.0.0.0:8080. Management interface listening on http://0.0.0.0:9000.\n',
    { culprit: /\/health\/ready/, best: port(9000, 'readiness', 'liveness'), ...likely },
  ),
  'a path of the program beside one of the management': unready(
    status(404),
    { readinessProbe: get('/actuator/health', 8080)!, livenessProbe: get('/login', 8080)! },
    SPRING,
    { culprit: /\/actuator/, best: port(8081, 'readiness'), ...likely },
  ),
  'Spring, one port for everything': unready(
    status(404),
    { readinessProbe: get('/actuator/ready', 8080)! },
    "Tomcat initialized with port 8080 (http)\nExposing 1 endpoint beneath base path '/actuator'\nTomcat started on port 8080 (http) with context path '/'\n",
    { culprit: /\/actuator/, best: { [`${app}.readinessProbe.httpGet.path`]: '/' }, ...guess },
  ),
  'a path of the program, while the management has a port of its own': unready(
    status(404),
    { readinessProbe: get('/shop', 8080)! },
    SPRING,
    { culprit: /\/shop/, best: { [`${app}.readinessProbe.httpGet.path`]: '/' }, ...guess },
  ),
  'the management of another server': unready(
    status(404),
    { readinessProbe: get('/health', 8080)!, env: [{ name: 'RABBITMQ_MANAGEMENT_PORT', value: '15672' }] },
    'connected to rabbitmq management at rabbitmq:15672\nlistening on :8080\n',
    { culprit: /\/health/, best: { [`${app}.readinessProbe.httpGet.path`]: '/' }, ...guess },
  ),
};

const KILLED = (pid: number): string =>
  `[2026-11-24 03:12:02 +0000] [${pid}] [INFO] Booting worker with pid: ${pid}\n[2026-11-24 03:12:33 +0000] [1] [CRITICAL] WORKER TIMEOUT (pid:${pid})\n[2026-11-24 03:12:34 +0000] [1] [ERROR] Worker (pid:${pid}) was sent SIGKILL! Perhaps out of memory?\n`;
const GUNICORN = { readinessProbe: get('/healthz', 8000)!, resources: { limits: { memory: '256Mi' } } };

const WORKERS: Record<string, CureRow> = {
  'Gunicorn, which kills its own worker': unready(
    SILENT,
    { ...GUNICORN, args: ['gunicorn', '--bind=0.0.0.0:8000', 'ranker.wsgi'] },
    KILLED(7) + KILLED(8),
    { culprit: /WORKER TIMEOUT/, best: { [`${app}.args[3]`]: '--timeout=120' }, ...guess },
  ),
  'Gunicorn, with a time that is written': unready(
    SILENT,
    { ...GUNICORN, args: ['gunicorn', '--timeout', '20', 'ranker.wsgi'] },
    KILLED(7),
    { culprit: /WORKER TIMEOUT/, best: { [`${app}.args[2]`]: '80' }, ...guess },
  ),
  'Gunicorn in a shell': unready(
    SILENT,
    { ...GUNICORN, command: ['sh', '-c', 'python manage.py migrate && gunicorn shop.wsgi'], env: [{ name: 'A', value: 'b' }] },
    KILLED(7),
    { culprit: /WORKER TIMEOUT/, best: { [`${app}.env[1]`]: { name: 'GUNICORN_CMD_ARGS', value: '--timeout=120' } }, ...guess },
  ),
  'Gunicorn, whose options stand in its variable': unready(
    SILENT,
    { ...GUNICORN, env: [{ name: 'GUNICORN_CMD_ARGS', value: '--workers 2 --timeout 45' }] },
    KILLED(7),
    { culprit: /WORKER TIMEOUT/, best: { [`${app}.env[0].value`]: '--workers 2 --timeout=180' }, ...guess },
  ),
  'Gunicorn, a worker that was killed without a timeout': crash(
    '[2026-11-24 03:12:34 +0000] [1] [ERROR] Worker (pid:9) was sent SIGKILL! Perhaps out of memory?\n',
    { resources: { limits: { memory: '256Mi' } } },
    { culprit: /memory/i, best: { [`${app}.resources.limits.memory`]: /./ } },
  ),
  'Unicorn, which kills its own worker': unready(
    SILENT,
    GUNICORN,
    'E, [2026-11-24T03:12:33.118 #1] ERROR -- : worker=0 PID:17 timeout (61s > 60s), killing\n',
    {
      culprit: /worker=0 PID:17 timeout/,
      best: { [`${app}.readinessProbe.timeoutSeconds`]: 5 },
      ...guess,
      says: /killed by its own master|kills/,
    },
  ),
};

const SCRAPE =
  'I1124 03:12:02.611204       1 secure_serving.go:213] Serving securely on [::]:10250\nE1124 03:12:17.118203       1 scraper.go:149] "Failed to scrape node" err="Get \\"https://10.20.0.11:10250/metrics/resource\\": tls: failed to verify certificate: x509: cannot validate certificate for 10.20.0.11 because it doesn\'t contain any IP SANs" node="worker-1"\n';

const CERTIFICATES: Record<string, CureRow> = {
  'the metrics server, which trusts no kubelet': unready(
    status(500),
    { name: 'metrics-server', args: ['--cert-dir=/tmp', '--secure-port=10250'], readinessProbe: get('/readyz', 10250)! },
    SCRAPE,
    { culprit: /10\.20\.0\.11|x509/, best: { 'spec.containers[0].args[2]': '--kubelet-insecure-tls' }, ...guess, says: /10\.20\.0\.11/ },
  ),
  'a program that trusts no server and is not ready': unready(
    status(503),
    { readinessProbe: get('/ready', 8080)! },
    'listening on :8080\nerror: Post "https://billing.internal:8443/v1/token": x509: certificate signed by unknown authority\n',
    { culprit: /billing\.internal|x509|certificate/, best: null, says: /certificate/ },
  ),
  'a program that is asked at a path that is not there, and logs a certificate': unready(
    status(404),
    { readinessProbe: get('/ready', 8080)! },
    'listening on :8080\nerror: Post "https://billing.internal:8443/v1/token": x509: certificate signed by unknown authority\n',
    { culprit: /GET \/ready :8080 \(status 404\)/, best: { [`${app}.readinessProbe.httpGet.path`]: '/' }, ...guess },
  ),
};

const env = (pairs: Record<string, string>) => Object.entries(pairs).map(([name, value]) => ({ name, value }));
const from = (at: number, name: string, of: string, key: string): Changes => ({
  [`${app}.env[${at}]`]: { name, valueFrom: { secretKeyRef: { name: of, key } } },
});
const NOAUTH = 'ReplyError: NOAUTH Authentication required.\n';

const PASSWORDS: Record<string, CureRow> = {
  'Redis, which wants the password of its Secret': crash(
    NOAUTH,
    { env: env({ REDIS_HOST: 'redis-master', REDIS_PORT: '6379' }) },
    { culprit: /NOAUTH/, best: from(2, 'REDIS_PASSWORD', 'redis', 'redis-password'), ...likely, says: /no password/ },
    [secret('redis', 'redis-password'), service('redis-master', 6379)],
  ),
  'Redis, variables with two parts': crash(
    'redis.exceptions.AuthenticationError: NOAUTH Authentication required.\n',
    { env: env({ AUTHENTIK_REDIS__HOST: 'cache', LOG: 'info' }) },
    { culprit: /NOAUTH/, best: from(2, 'AUTHENTIK_REDIS__PASSWORD', 'cache-auth', 'password'), ...guess },
    [secret('cache-auth', 'password'), service('cache', 6379)],
  ),
  'PostgreSQL, a client without a password': crash(
    'psycopg2.OperationalError: connection to server at "pg" (10.96.1.2), port 5432 failed: fe_sendauth: no password supplied\n',
    { env: env({ DB_HOST: 'pg', DB_PORT: '5432', DB_USER: 'shop' }) },
    { culprit: /PostgreSQL|password/, best: from(3, 'DB_PASSWORD', 'pg', 'password'), ...likely },
    [secret('pg', 'password', 'username'), service('pg', 5432)],
  ),
  'MySQL, a login without a password': crash(
    "Error: Access denied for user 'shop'@'10.244.0.7' (using password: NO)\n",
    { env: env({ MYSQL_HOST: 'mysql', MYSQL_PORT: '3306' }) },
    { culprit: /shop/, best: from(2, 'MYSQL_PASSWORD', 'mysql', 'mysql-password'), ...likely },
    [secret('mysql', 'mysql-password', 'mysql-root-password')],
  ),
  'MySQL, a login with a wrong password': crash(
    "Error: Access denied for user 'shop'@'10.244.0.7' (using password: YES)\n",
    { env: env({ MYSQL_HOST: 'mysql', MYSQL_PORT: '3306' }) },
    { culprit: /shop/, best: null },
    [secret('mysql', 'mysql-password')],
  ),
  'Redis, a wrong password': crash(
    'WRONGPASS invalid username-password pair or user is disabled.\n',
    { env: env({ REDIS_HOST: 'redis', REDIS_PORT: '6379' }) },
    { culprit: /WRONGPASS|Redis/, best: null },
    [secret('redis', 'redis-password')],
  ),
  'Redis, with a password under a name that the program does not read': crash(
    NOAUTH,
    { env: env({ REDIS_HOST: 'redis', REDIS_PORT: '6379', REDIS_PASS: 'x' }) },
    { culprit: /NOAUTH/, best: null },
    [secret('redis', 'redis-password')],
  ),
  'Redis, two Secrets that may be meant': crash(
    NOAUTH,
    { env: env({ REDIS_HOST: 'redis', REDIS_PORT: '6379' }) },
    { culprit: /NOAUTH/, best: null },
    [secret('redis', 'redis-password'), secret('redis-users', 'password')],
  ),
  'Redis, the Secret of another server': crash(
    NOAUTH,
    { env: env({ REDIS_HOST: 'redis', REDIS_PORT: '6379' }) },
    { culprit: /NOAUTH/, best: null },
    [secret('postgres', 'password')],
  ),
};

/** Programs that are not ready, or that end, because of what a server demands: a port, a time, a certificate, a password. */
export const WAITING_SERVERS: Record<string, CureRow> = { ...MANAGEMENT, ...WORKERS, ...CERTIFICATES, ...PASSWORDS };
