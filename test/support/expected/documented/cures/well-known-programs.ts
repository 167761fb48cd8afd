import type { KubeObject, PodSpec } from '../../../../../src/crd/kubernetes.ts';
import type { Changes, Cure, CureRow } from './cure.ts';
import { loops, one } from '../documented.ts';
import { app, guess, likely, map, secret, service } from './rows.ts';

type Container = Partial<PodSpec['containers'][0]>;
const crash = (
  log: string,
  spec: Container,
  is: Omit<Cure, 'reason'>,
  around: { others?: KubeObject[]; pod?: Partial<PodSpec> } = {},
): CureRow => ({
  object: one('shop', loops(1), spec, around.pod),
  log,
  others: around.others ?? [],
  is: { reason: 'CrashLoopBackOff', ...is },
});
const env = (...pairs: [name: string, value: string][]): Container => ({ env: pairs.map(([name, value]) => ({ name, value })) });
const value = (at: number, to: unknown): Changes => ({ [`${app}.env[${at}].value`]: to });
const renamed = (to: string): Changes => ({ [`${app}.env[0].name`]: to });
const says =
  (...texts: string[]) =>
  (written: unknown): boolean =>
    texts.every((text) => JSON.stringify(written).includes(text));
const claimed = (user: number, mountPath: string): [Container, { pod: Partial<PodSpec> }] => [
  { volumeMounts: [{ name: 'data', mountPath }], securityContext: { runAsUser: user } },
  { pod: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] } },
];
const mapped = (mountPath: string): [Container, Partial<PodSpec>] => [
  { volumeMounts: [{ name: 'c', mountPath }] },
  { volumes: [{ name: 'c', configMap: { name: 'cfg' } }] },
];
const [inPostgres, ofPostgres] = claimed(999, '/var/lib/postgresql/data');
const [inMysql, ofMysql] = claimed(999, '/var/lib/mysql');
const [inRedis, ofRedis] = claimed(999, '/data');
const [inKeys, ofKeys] = claimed(1654, '/keys');
const [inEtc, ofEtc] = mapped('/etc/config');
const [inNginx, ofNginx] = mapped('/etc/nginx');

/** Log lines that name a server but contain no known word for the failure. */
const CONNECTIONS: Record<string, CureRow> = {
  'Prisma, a host that no Service has': crash(
    "Error: P1001: Can't reach database server at `postgress`:`5432`\n\nPlease make sure your database server is running at `postgress`:`5432`.\n",
    env(['DATABASE_URL', 'postgresql://u@postgress:5432/x']),
    { culprit: /postgress:5432/, best: value(0, 'postgresql://u@postgres:5432/x'), ...likely },
    { others: [service('postgres', 5432)] },
  ),
  'Prisma, a port that the Service does not have': crash(
    "PrismaClientInitializationError: Can't reach database server at `db:5433`\n",
    env(['DATABASE_URL', 'postgresql://u@db:5433/x']),
    { culprit: /db:5433/, best: value(0, 'postgresql://u@db:5432/x'), ...likely },
    { others: [service('db', 5432)] },
  ),
  'a Go program that cannot connect': crash(
    'level=fatal msg="failed to connect to nats:4223" error="no servers available"\n',
    env(['NATS_URL', 'nats://nats:4223']),
    { culprit: /nats:4223/, best: value(0, 'nats://nats:4222'), ...likely },
    { others: [service('nats', 4222)] },
  ),
  'a program that cannot connect to a server of the internet': crash(
    'ERROR could not connect to api.example.com:8443\n',
    env(['API', 'https://api.example.com:8443']),
    { culprit: /api\.example\.com:8443/, best: null },
    { others: [service('api', 80)] },
  ),
  'redis-rb, a name that does not resolve': crash(
    'Redis::CannotConnectError: Error connecting to Redis on redis-svc:6379 (SocketError)\n',
    env(['REDIS_URL', 'redis://redis-svc:6379']),
    { culprit: /redis-svc/, best: value(0, 'redis://redis:6379'), ...likely },
    { others: [service('redis', 6379)] },
  ),
  'PDO, the port in a variable of its own': crash(
    'SQLSTATE[HY000] [2002] Connection refused (Connection: mysql, SQL: select * from sessions)\n',
    env(['DB_HOST', 'mysql'], ['DB_PORT', '3307']),
    { culprit: /mysql:3307/, best: value(1, '3306'), ...likely },
    { others: [service('mysql', 3306)] },
  ),
  'HAProxy, a server that does not resolve': crash(
    "[ALERT]    (1) : config : [/usr/local/etc/haproxy/haproxy.cfg:12] : 'server web/s1' : could not resolve address 'api-svc'.\n[ALERT]    (1) : config : Failed to initialize server(s) addr.\n",
    {},
    { culprit: /api-svc/, best: null },
  ),
  'RabbitMQ, a host that epmd does not know': crash(
    'ERROR: epmd error for host rabbit-0.rabbit-headless: nxdomain (non-existing domain)\n',
    {},
    { culprit: /rabbit-0\.rabbit-headless/, best: null },
  ),
  'Keycloak, its database behind two general errors': crash(
    'ERROR: Failed to start server in (production) mode\nERROR: Failed to obtain JDBC connection\nERROR: Connection to postgress:5432 refused. Check that the hostname and port are correct.\nERROR: Connection refused\n',
    env(['KC_DB_URL_HOST', 'postgress']),
    { culprit: /postgress:5432/, best: value(0, 'postgres'), ...likely },
    { others: [service('postgres', 5432)] },
  ),
};

/** The line that explains the failure follows a line that only reports that the program does not start. */
const HEADLINES: Record<string, CureRow> = {
  'Keycloak without a host name': crash(
    '2025-05-01 10:00:00,000 ERROR [org.keycloak.quarkus] (main) ERROR: Failed to start server in (production) mode\n2025-05-01 10:00:00,001 ERROR [org.keycloak.quarkus] (main) ERROR: hostname is not configured; either configure hostname, or set hostname-strict to false\n',
    { args: ['start'] },
    {
      culprit: /hostname is not configured/,
      best: { [`${app}.env`]: [{ name: 'KC_HOSTNAME_STRICT', value: 'false' }] },
      confidence: ['guess'],
    },
  ),
  'a server that says why a line later': crash(
    'ERROR Server failed to start\nERROR unsupported value "tls9" for minimum version\n',
    {},
    { culprit: /tls9/, best: null },
  ),
  'gunicorn, a name that the module lacks': crash(
    "Failed to find attribute 'app' in 'main'.\n[2025-05-01 10:00:00 +0000] [7] [INFO] Worker exiting (pid: 7)\n[2025-05-01 10:00:00 +0000] [1] [ERROR] Worker (pid:7) exited with code 4\n[2025-05-01 10:00:00 +0000] [1] [ERROR] Shutting down: Master\n",
    {},
    { culprit: /attribute 'app' in 'main'/, best: null },
  ),
  'Redis, a dump of a newer version': crash(
    "1:M 01 May 2025 10:00:00.000 # Can't handle RDB format version 12\n1:M 01 May 2025 10:00:00.000 # Fatal error loading the DB, check server logs. Exiting.\n",
    {},
    { culprit: /RDB format version 12/, best: null },
  ),
  'OpenTelemetry, an exporter that is none': crash(
    'Error: failed to get config: cannot unmarshal the configuration: decoding failed due to the following error(s):\n\nerror decoding \'exporters\': unknown type: "jaeger" for id: "jaeger" (valid values: [otlp debug])\n',
    {},
    { culprit: /jaeger/, best: null },
  ),
  'Elasticsearch, a check behind its headline': crash(
    'ERROR: [1] bootstrap checks failed. You must address the points described in the following [1] lines before starting Elasticsearch.\nbootstrap check failure [1] of [1]: the default discovery settings are unsuitable for production use; at least one of [discovery.seed_hosts] must be configured\n',
    {},
    { culprit: /discovery/, best: null },
  ),
};

/** Variables that must be set, and variables that must not. */
const VARIABLES: Record<string, CureRow> = {
  'zod, a name in its path': crash(
    'ZodError: [\n  {\n    "code": "invalid_type",\n    "expected": "string",\n    "received": "undefined",\n    "path": [\n      "JWT_SECRET"\n    ],\n    "message": "Required"\n  }\n]\n',
    env(['JWT_SECRT', 'x']),
    { culprit: /JWT_SECRET/, best: renamed('JWT_SECRET'), ...likely },
  ),
  'zod 4, a name in its path': crash(
    "ZodError: [\n  {\n    expected: 'string',\n    code: 'invalid_type',\n    path: [ 'MAIL_FROM' ],\n    message: 'Invalid input: expected string, received undefined'\n  }\n]\n",
    {},
    { culprit: /MAIL_FROM/, best: { [`${app}.env`]: says('"MAIL_FROM"', 'configMapKeyRef') }, ...likely },
    { others: [map('mail', 'MAIL_FROM')] },
  ),
  'a schema with a list for each variable': crash(
    "❌ Invalid environment variables: { DATABASE_URL: [ 'Required' ] }\n",
    env(['DATABASE_URLS', 'x']),
    { culprit: /DATABASE_URL/, best: renamed('DATABASE_URL'), ...likely },
  ),
  'pydantic, a field without a value': crash(
    'pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings\ndatabase_url\n  Field required [type=missing, input_value={}, input_type=dict]\n    For further information visit https://errors.pydantic.dev/2.7/v/missing\n',
    env(['DATABASE_URI', 'x']),
    { culprit: /database_url/i, best: renamed('DATABASE_URL'), ...likely },
  ),
  'pydantic 1, a field without a value': crash(
    'pydantic.error_wrappers.ValidationError: 1 validation error for Settings\nSMTP_HOST\n  field required (type=value_error.missing)\n',
    {},
    { culprit: /SMTP_HOST/, best: { [`${app}.env`]: says('SMTP_HOST', 'configMapKeyRef') }, ...likely },
    { others: [map('mail', 'SMTP_HOST')] },
  ),
  'pydantic, a value that is no number': crash(
    "pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings\nport\n  Input should be a valid integer, unable to parse string as an integer [type=int_parsing, input_value='8080tcp', input_type=str]\n",
    env(['PORT', '8080tcp']),
    { culprit: /PORT=8080tcp/, best: value(0, '8080'), ...guess },
  ),
  'Rails, its master key in a Secret': crash(
    "Missing encryption key to decrypt file with. Ask your team for your master key and write it to /rails/config/master.key or put it in the ENV['RAILS_MASTER_KEY'].\n",
    {},
    { culprit: /RAILS_MASTER_KEY/, best: { [`${app}.env`]: says('RAILS_MASTER_KEY', 'secretKeyRef') }, ...likely },
    { others: [secret('rails', 'RAILS_MASTER_KEY')] },
  ),
  'PostgreSQL, its password under a slip': crash(
    'Error: Database is uninitialized and superuser password is not specified.\n       You must specify POSTGRES_PASSWORD to a non-empty value for the\n       superuser.\n',
    env(['POSTGRES_PASWORD', 'x']),
    { culprit: /POSTGRES_PASSWORD/, best: renamed('POSTGRES_PASSWORD'), ...likely },
  ),
  'MariaDB, its password in a Secret': crash(
    '2025-05-01 10:00:00+00:00 [ERROR] [Entrypoint]: Database is uninitialized and password option is not specified\n',
    { image: 'mariadb:11' },
    { culprit: /ROOT_PASSWORD/, best: { [`${app}.env`]: says('MARIADB_ROOT_PASSWORD', 'secretKeyRef') }, ...likely },
    { others: [secret('db', 'MARIADB_ROOT_PASSWORD')] },
  ),
  'MongoDB, the other of two variables': crash(
    "error: missing 'MONGO_INITDB_ROOT_USERNAME' or 'MONGO_INITDB_ROOT_PASSWORD'\n       both must be specified for a user to be created\n",
    env(['MONGO_INITDB_ROOT_USERNAME', 'root']),
    { culprit: /ROOT_PASSWORD/, best: { [`${app}.env[1]`]: says('MONGO_INITDB_ROOT_PASSWORD', 'secretKeyRef') }, ...likely },
    { others: [secret('mongo', 'MONGO_INITDB_ROOT_PASSWORD')] },
  ),
  'RabbitMQ, a variable that is gone': crash(
    'error: RABBITMQ_VM_MEMORY_HIGH_WATERMARK is set but deprecated\nerror: deprecated environment variables detected\n',
    env(['RABBITMQ_VM_MEMORY_HIGH_WATERMARK', '0.4'], ['A', 'b']),
    { culprit: /RABBITMQ_VM_MEMORY_HIGH_WATERMARK/, best: { [`${app}.env[0]`]: null }, ...likely },
  ),
  'MySQL, a user that is root': crash(
    '2025-05-01 10:00:00+00:00 [ERROR] [Entrypoint]: MYSQL_USER="root", MYSQL_USER and MYSQL_PASSWORD are for configuring a regular user and cannot be used for the root user\n    Remove MYSQL_USER="root" and use one of the following to control the root user password:\n',
    env(['MYSQL_USER', 'root'], ['MYSQL_ROOT_PASSWORD', 'x']),
    { culprit: /MYSQL_USER/, best: { [`${app}.env[0]`]: null }, ...likely },
  ),
  'a variable that must not be set': crash('fatal: LEGACY_MODE must not be set in production\n', env(['LEGACY_MODE', '1']), {
    culprit: /LEGACY_MODE/,
    best: { [`${app}.env`]: null },
    ...likely,
  }),
  'a variable that must not be empty': crash('fatal: API_REGION must not be empty\n', env(['API_REGION', '']), {
    culprit: /API_REGION/,
    best: null,
  }),
  'Elasticsearch, a setting of old': crash(
    'java.lang.IllegalArgumentException: unknown setting [discovery.zen.minimum_master_nodes] please check that any required plugins are installed\n',
    env(['discovery.zen.minimum_master_nodes', '1'], ['ES_JAVA_OPTS', '-Xmx1g']),
    { culprit: /discovery\.zen\.minimum_master_nodes/, best: { [`${app}.env[0]`]: null }, ...likely },
  ),
  'Kafka, the variable of its own Service': crash(
    '===> Configuring ...\nport is deprecated. Please use KAFKA_ADVERTISED_LISTENERS instead.\n',
    { command: ['sh', '-c', 'test -z "$KAFKA_PORT" && exec kafka'] },
    { culprit: /KAFKA_PORT/, best: { 'spec.enableServiceLinks': false }, ...likely },
    { others: [service('kafka', 9092)] },
  ),
};

/** Options that a runtime rejects, wherever they are set. */
const OPTIONS: Record<string, CureRow> = {
  'JVM, an option of old in a variable': crash(
    "Unrecognized VM option 'UseConcMarkSweepGC'\nError: Could not create the Java Virtual Machine.\n",
    env(['JAVA_TOOL_OPTIONS', '-Xmx256m -XX:+UseConcMarkSweepGC']),
    { culprit: /UseConcMarkSweepGC/, best: value(0, '-Xmx256m'), ...likely },
  ),
  'JVM, an option of old among the arguments': crash(
    "Unrecognized VM option 'PermSize=64m'\nError: Could not create the Java Virtual Machine.\n",
    { args: ['-XX:PermSize=64m', '-jar', '/app.jar'] },
    { culprit: /PermSize/, best: { [`${app}.args`]: ['-jar', '/app.jar'] }, ...likely },
  ),
  'JVM, an option that is no option, alone in its variable': crash(
    'Unrecognized option: --add-moduls=x\nError: Could not create the Java Virtual Machine.\n',
    env(['JAVA_OPTS', '--add-moduls=x']),
    { culprit: /--add-moduls/, best: { [`${app}.env`]: null }, ...likely },
  ),
  'Node, an option that its variable may not have': crash(
    'node: --max-http-header is not allowed in NODE_OPTIONS\n',
    env(['NODE_OPTIONS', '--max-http-header --enable-source-maps']),
    { culprit: /--max-http-header/, best: value(0, '--max-http-header-size --enable-source-maps'), ...likely },
  ),
  'MySQL, a variable that is none': crash(
    "2025-05-01T10:00:00.000000Z 0 [ERROR] [MY-000067] [Server] unknown variable 'innodb_bufer_pool_size=1G'.\n",
    { args: ['--innodb_bufer_pool_size=1G'] },
    { culprit: /innodb_bufer_pool_size/, best: { [`${app}.args`]: null }, ...likely },
  ),
  'Prometheus, a long flag': crash(
    "Error parsing command line arguments: unknown long flag '--storage.tsdb.retention.tim'\n",
    { args: ['--config.file=/etc/prometheus/prometheus.yml', '--storage.tsdb.retention.tim=5d'] },
    { culprit: /--storage\.tsdb\.retention\.tim/, best: { [`${app}.args[1]`]: '--storage.tsdb.retention.time=5d' }, ...likely },
  ),
  'a heap that must begin as large as it may become': crash(
    'bootstrap check failure [1] of [1]: initial heap size [268435456] not equal to maximum heap size [536870912]; this can cause resize pauses\n',
    env(['ES_JAVA_OPTS', '-Xms256m -Xmx512m']),
    { culprit: /heap/i, best: value(0, '-Xms512m -Xmx512m'), ...likely },
  ),
};

/** Users, rights and folders. */
const RIGHTS: Record<string, CureRow> = {
  'PostgreSQL as root': crash(
    '"root" execution of the PostgreSQL server is not permitted.\nThe server must be started under an unprivileged user ID to prevent\npossible system security compromise.\n',
    { command: ['postgres'] },
    { culprit: /root/, best: { [`${app}.securityContext.runAsUser`]: 1000 }, ...likely },
  ),
  'Elasticsearch as root': crash(
    'java.lang.RuntimeException: can not run elasticsearch as root\n',
    { securityContext: { runAsUser: 0 } },
    { culprit: /root/, best: { [`${app}.securityContext.runAsUser`]: 1000 }, ...likely },
  ),
  'a program that refuses to run as root, in a pod that says root': crash(
    'fatal: refusing to run as root\n',
    {},
    { culprit: /root/, best: { 'spec.securityContext.runAsUser': 1000 }, ...likely },
    { pod: { securityContext: { runAsUser: 0 } } },
  ),
  'a program that only runs as root': crash(
    'error: you must be root to run this program\n',
    { securityContext: { runAsUser: 1000, runAsNonRoot: true } },
    {
      culprit: /root/,
      best: { [`${app}.securityContext.runAsUser`]: null, [`${app}.securityContext.runAsNonRoot`]: null },
      ...guess,
    },
  ),
  'Vault, memory that it cannot lock': crash(
    'Error initializing core: Failed to lock memory: cannot allocate memory\n\nThis usually means that the mlock syscall is not available.\n',
    { resources: { limits: { memory: '256Mi' } } },
    { culprit: /lock memory/, best: { [`${app}.securityContext.capabilities.add`]: ['IPC_LOCK'] }, ...guess },
  ),
  '.NET, a path that is not its own': crash(
    "Unhandled exception. System.UnauthorizedAccessException: Access to the path '/keys/key-1.xml' is denied.\n",
    inKeys,
    { culprit: /\/keys/, best: { 'spec.securityContext.fsGroup': 1654 }, ...likely },
    ofKeys,
  ),
  'MongoDB, a folder that it cannot write': crash(
    '{"t":{"$date":"2025-05-01T10:00:00.000+00:00"},"s":"E",  "c":"CONTROL",  "id":20557,   "ctx":"initandlisten","msg":"DBException in initAndListen, terminating","attr":{"error":"IllegalOperation: Attempted to create a lock file on a read-only directory: /data"}}\n',
    inRedis,
    { culprit: /\/data/, best: { 'spec.securityContext.fsGroup': 999 }, ...likely },
    ofRedis,
  ),
  'Redis, a folder without its path': crash(
    "1:M 01 May 2025 10:00:00.000 # Can't open or create append-only dir appendonlydir: Permission denied\n",
    inRedis,
    { culprit: /appendonlydir/, best: { 'spec.securityContext.fsGroup': 999 }, ...guess },
    ofRedis,
  ),
  'PostgreSQL 18, the mount of older versions': crash(
    'Error: in 18+, these Docker images are configured to store database data in a\n       format which is compatible with "pg_ctlcluster"\n\n       Counter to that, there appears to be PostgreSQL data in:\n         /var/lib/postgresql/data (unused mount/volume)\n',
    inPostgres,
    { culprit: /\/var\/lib\/postgresql\/data/, best: { [`${app}.volumeMounts[0].mountPath`]: '/var/lib/postgresql' }, ...likely },
    ofPostgres,
  ),
  'MySQL, a disk with lost+found': crash(
    '[ERROR] [MY-010457] [Server] --initialize specified but the data directory has files in it. Aborting.\n',
    inMysql,
    { culprit: /data directory/, best: { [`${app}.volumeMounts[0].subPath`]: 'data' }, ...likely },
    ofMysql,
  ),
  'HAProxy, a low port beside the place in its file': crash(
    '[ALERT]    (1) : Binding [/usr/local/etc/haproxy/haproxy.cfg:5] for frontend http: cannot bind socket (Permission denied) [0.0.0.0:80]\n',
    {},
    { culprit: /^port 80$/, best: { 'spec.securityContext.sysctls': says('unprivileged_port_start') } },
  ),
  'Envoy, a low port beside the time': crash(
    "[2025-05-01 10:00:00.000][1][critical][main] error initializing configuration '/etc/envoy/envoy.yaml': cannot bind '0.0.0.0:443': Permission denied\n",
    {},
    { culprit: /^port 443$/, best: { 'spec.securityContext.sysctls': says('unprivileged_port_start') } },
  ),
};

/** Files, sizes and libraries. */
const FILES: Record<string, CureRow> = {
  'HAProxy, the file behind the place that names it': crash(
    "[ALERT]    (1) : config : parsing [/usr/local/etc/haproxy/haproxy.cfg:10] : 'bind *:443' : unable to stat SSL certificate from file '/etc/ssl/site.pem' : No such file or directory.\n",
    {},
    { culprit: /\/etc\/ssl\/site\.pem/, best: null },
  ),
  'Envoy, its file under another ending': crash(
    "[critical][main] error initializing configuration '/etc/config/envoy.yaml': Invalid path: /etc/config/envoy.yaml\n",
    inEtc,
    { culprit: /envoy\.yaml/, best: { 'spec.volumes[0].configMap.items': [{ key: 'envoy.yml', path: 'envoy.yaml' }] }, ...likely },
    { others: [map('cfg', 'envoy.yml')], pod: ofEtc },
  ),
  'viper, its folder': crash(
    'panic: fatal error config file: Config File "config" Not Found in "[/etc/app]" \n\ngoroutine 1 [running]:\n',
    inEtc,
    { culprit: /\/etc\/app/, best: { [`${app}.volumeMounts[0].mountPath`]: '/etc/app' }, ...likely },
    { others: [map('cfg', 'config.toml')], pod: ofEtc },
  ),
  'nginx, a ConfigMap over its whole folder': crash(
    'nginx: [emerg] open() "/etc/nginx/mime.types" failed (2: No such file or directory) in /etc/nginx/nginx.conf:10\n',
    inNginx,
    {
      culprit: /mime\.types/,
      best: { [`${app}.volumeMounts[0].mountPath`]: '/etc/nginx/nginx.conf', [`${app}.volumeMounts[0].subPath`]: 'nginx.conf' },
      ...guess,
    },
    { others: [map('cfg', 'nginx.conf')], pod: ofNginx },
  ),
  'a folder for logs that the image lacks': crash(
    "FileNotFoundError: [Errno 2] No such file or directory: '/var/log/shop/app.log'\n",
    {},
    {
      culprit: /\/var\/log\/shop/,
      best: { 'spec.volumes': says('emptyDir'), [`${app}.volumeMounts`]: says('/var/log/shop') },
      ...guess,
    },
  ),
  'a socket that nobody made': crash(
    'dial unix /var/run/docker/docker.sock: connect: no such file or directory\n',
    {},
    { culprit: /docker\.sock/, best: null },
  ),
  'SQL Server, less memory than it wants': crash(
    'sqlservr: This program requires a machine with at least 2000 megabytes of memory.\n',
    { resources: { limits: { memory: '1Gi' } } },
    { culprit: /2000 megabytes/, best: { [`${app}.resources.limits.memory`]: '2560Mi' }, ...likely },
  ),
  'a program that wants a gigabyte': crash(
    'FATAL: requires 1 GB of RAM, found 512 MB\n',
    { resources: { limits: { memory: '512Mi' } } },
    { culprit: /1 GB of RAM/, best: { [`${app}.resources.limits.memory`]: '1280Mi' }, ...likely },
  ),
  '.NET without a library for languages': crash(
    "Process terminated. Couldn't find a valid ICU package installed on the system. Please install libicu (or icu-libs) using your package manager and try again.\n",
    {},
    { culprit: /ICU/, best: { [`${app}.env`]: says('DOTNET_SYSTEM_GLOBALIZATION_INVARIANT', '1') }, ...likely },
  ),
  'etcd, a name where an address must be': crash(
    '{"level":"warn","msg":"failed to verify flags","error":"expected IP in URL for binding (http://etcd:2380)"}\n',
    { args: ['--listen-peer-urls=http://etcd:2380'] },
    { culprit: /etcd/, best: { [`${app}.args[0]`]: '--listen-peer-urls=http://0.0.0.0:2380' }, ...likely },
  ),
};

/**
 * Messages of well-known servers and frameworks about ports, hosts, files, variables, options and rights, from their documentation. Half of
 * each family was written after the rules were fixed.
 */
export const WELL_KNOWN_PROGRAMS: Record<string, CureRow> = { ...CONNECTIONS, ...HEADLINES, ...VARIABLES, ...OPTIONS, ...RIGHTS, ...FILES };
