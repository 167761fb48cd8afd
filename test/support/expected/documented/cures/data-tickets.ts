import { node, one, runs, waits } from '../documented.ts';
import type { CureRow } from './cure.ts';
import { app, crash, env, guess, likely, map, secret, settings } from './rows.ts';

const NOT_FOUND =
  "Error: Cannot find module '/srv/app/dist/main.js'\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)\n";
const START = ['node', '/srv/app/dist/main.js'];
/** A program below a folder at which a ConfigMap is mounted. */
const hidden = (variables: Record<string, string>, keys: string[], is: object): CureRow =>
  crash(
    NOT_FOUND,
    { command: START, ...env(variables), volumeMounts: [{ name: 'settings', mountPath: '/srv/app' }] },
    { culprit: /volume settings at \/srv\/app/, ...is },
    [map('bff-settings', ...keys)],
    { volumes: [{ name: 'settings', configMap: { name: 'bff-settings' } }] },
  );

const ARCH = 'kubernetes.io/arch';
const onNode = (program: string, archs: string[], is: object): CureRow =>
  crash(
    `exec ${program}: exec format error\n`,
    { image: 'ingest:1', command: [program] },
    { culprit: /exec format/, ...is },
    archs.map((arch, index) => node(`node-${index}`, { [ARCH]: arch })),
    { nodeName: 'node-0' },
  );

const probed = (port: number, probe: object, ports: object[], output: string, is: object): CureRow => ({
  object: one('shop', runs({ started: true }), { ports: ports as never, readinessProbe: { httpGet: { path: '/ping', port, ...probe } } }),
  log: 'fpm is running, pid 1\nready to handle connections\n',
  events: Array.from({ length: 4 }, () => [
    'Unhealthy',
    `Readiness probe failed: Get "http://10.244.4.163:${port}/ping": ${output}`,
    'Warning' as const,
  ]),
  is: { reason: 'Unhealthy', culprit: /readiness probe/, ...is } as CureRow['is'],
});
const RESET = (port: number) => `read tcp 10.244.6.1:40992->10.244.4.163:${port}: read: connection reset by peer`;

const ECTO = `10:05:03.642 [error] Postgrex.Protocol (#PID<0.149.0>) failed to connect: ** (Postgrex.Error) ssl not available
10:05:04.190 [error] Could not create schema migrations table. This error usually happens due to the following:

  * The database does not exist
`;
const models = (mountPath: string, is: object): CureRow =>
  crash(
    'error: creating server: Internal - failed to stat file /models\n',
    { args: ['--model-repository=/models'], volumeMounts: [{ name: 'repo', mountPath, readOnly: true }] },
    { culprit: /\/models/, ...is },
    [],
    { volumes: [{ name: 'repo', persistentVolumeClaim: { claimName: 'vision' } }] },
  );
const redis = (size: string, is: object): CureRow =>
  crash(
    `*** FATAL CONFIG FILE ERROR (Redis 7.2.3) ***\nReading the configuration file, at line 2\n>>> 'maxmemory "${size}"'\nargument must be a memory value\n`,
    { args: ['redis-server', '--maxmemory', size] },
    { culprit: new RegExp(size), ...is },
  );

const DAY = "report.py: error: argument --day: invalid fromisoformat value: '$(date +%F)'\n";
const WORDS = ['--day', '$(date +%F)', '--title', "Anna's"];
const dated = (command: string[], is: object): CureRow =>
  crash(DAY, { ...(command.length > 0 ? { command } : {}), args: WORDS }, { culprit: /date \+%F/, ...is });

/** An empty volume at a folder, in a pod without volumes. */
const emptyAt = (mountPath: string, name: string): object => ({
  'spec.volumes': [{ name, emptyDir: {} }],
  [`${app}.volumeMounts`]: [{ name, mountPath }],
});

/** What teams with data and models ask; then near misses. */
export const DATA_TICKETS: Record<string, CureRow> = {
  'a program that a ConfigMap hides, and a variable that names a folder for it': hidden(
    { CONFIG_DIR: '/srv/app/config' },
    ['a.json', 'b.json'],
    {
      best: { [`${app}.volumeMounts[0].mountPath`]: '/srv/app/config' },
      ...likely,
    },
  ),
  'a program that a ConfigMap with one key hides': hidden({}, ['default.json'], {
    culprit: /main\.js/,
    best: { [`${app}.volumeMounts[0].mountPath`]: '/srv/app/default.json', [`${app}.volumeMounts[0].subPath`]: 'default.json' },
    ...guess,
  }),
  'a program that a ConfigMap hides, with two folders for it': hidden({ A: '/srv/app/a', B: '/srv/app/b' }, ['a.json', 'b.json'], {
    best: null,
  }),
  'a program for the processor of other nodes': onNode('/usr/local/bin/ingestd', ['arm64', 'amd64', 'amd64'], {
    best: { 'spec.nodeSelector': { [ARCH]: 'amd64' } },
    ...likely,
  }),
  'a script without its first line, on nodes with two processors': onNode('/run.sh', ['arm64', 'amd64'], {
    best: { [`${app}.command`]: ['sh', '/run.sh'] },
    ...likely,
  }),
  'a program for a processor that no node has': onNode('/usr/local/bin/ingestd', ['arm64', 'arm64'], { best: null }),
  'an image without a variant for the processor of its node': {
    object: one(
      'shop',
      waits('ErrImagePull', 'failed to pull and unpack image "docker.io/acme/web:1": no match for platform in manifest: not found'),
      { image: 'acme/web:1' },
      { nodeName: 'node-0', nodeSelector: { pool: 'a' } },
    ),
    others: ['arm64', 'amd64'].map((arch, index) => node(`node-${index}`, { [ARCH]: arch, pool: 'a' })),
    is: { reason: 'ImagePullBackOff', culprit: /processor/, best: { [`spec.nodeSelector["${ARCH}"]`]: 'amd64' }, ...likely },
  },
  'a probe with HTTP for a server that speaks something else': probed(9000, {}, [{ containerPort: 9000 }], RESET(9000), {
    best: {
      [`${app}.readinessProbe`]: { tcpSocket: { port: 9000 } },
    },
    ...likely,
  }),
  'a probe with HTTP for a port with HTTPS in its name': probed(9443, {}, [{ containerPort: 9443, name: 'https' }], 'EOF', {
    best: { [`${app}.readinessProbe.httpGet.scheme`]: 'HTTPS' },
    ...likely,
  }),
  'a probe with HTTP for a port that nobody declares': probed(9000, {}, [], RESET(9000), {
    best: { [`${app}.readinessProbe`]: { tcpSocket: { port: 9000 } } },
    ...guess,
  }),
  'TLS for a PostgreSQL that has none, in Elixir': crash(ECTO, env({ ECTO_SSL: 'true' }), {
    culprit: /ssl not available/,
    best: { [`${app}.env[0].value`]: 'false' },
    ...guess,
  }),
  'a folder of models beside the volume with them': models('/data/models', {
    best: { [`${app}.args[0]`]: '--model-repository=/data/models' },
    ...likely,
  }),
  'a command in an argument, and no shell': dated(['python3', 'report.py'], {
    best: {
      [`${app}.command`]: ['sh', '-c', `exec python3 report.py --day "$(date +%F)" --title 'Anna'\\''s'`],
      [`${app}.args`]: null,
    },
    ...likely,
  }),
  'a command in an argument of a program whose image may have no shell': dated(['/report'], {
    best: { [`${app}.command`]: ['sh', '-c', `exec /report --day "$(date +%F)" --title 'Anna'\\''s'`], [`${app}.args`]: null },
    ...guess,
  }),
  'a command in an argument of the program that the image starts': dated([], { best: null }),
  'an interpreter that env does not find': crash("/usr/bin/env: 'bash': No such file or directory\n", {}, { culprit: /^bash/, best: null }),
  'a variable in an error of the program itself': crash(
    'thread \'main\' panicked at src/config.rs:22:34:\ncalled `Result::unwrap()` on an `Err` value: MissingVar("KAFKA_TOPIC")\n',
    env({ KAFKA_TOPICS: 'orders' }),
    { culprit: /^KAFKA_TOPIC/, best: { [`${app}.env[0].name`]: 'KAFKA_TOPIC' }, ...likely },
  ),
  'a configuration that the user may not read': crash(
    'Failed to parse "/etc/grafana/grafana.ini": open /etc/grafana/grafana.ini: permission denied\n',
    {},
    {
      culprit: /grafana\.ini/,
      best: emptyAt('/etc/grafana', 'writable-etc-grafana'),
      ...guess,
    },
  ),
  'a folder that is not writable': crash(
    "GF_PATHS_DATA='/var/lib/grafana' is not writable.\n",
    {},
    {
      culprit: /\/var\/lib\/grafana/,
      best: emptyAt('/var/lib/grafana', 'writable-var-lib-grafana'),
      ...likely,
    },
  ),
  'a Redis that cannot save': crash(
    "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.\n",
    {},
    { culprit: /MISCONF/, best: null, says: /takes no writes/ },
  ),
  'an etcd whose quota is used up': crash('etcdserver: mvcc: database space exceeded\n', {}, { culprit: /space exceeded/, best: null }),
  'a Hibernate without a connection': crash(
    "org.hibernate.HibernateException: Access to DialectResolutionInfo cannot be null when 'hibernate.dialect' not set\n",
    {},
    { culprit: /database/, best: null },
  ),
  'a master key that opens nothing': crash(
    'ActiveSupport::MessageEncryptor::InvalidMessage: ActiveSupport::MessageEncryptor::InvalidMessage\n',
    env({ RAILS_MASTER_KEY: 'x' }),
    { culprit: /RAILS_MASTER_KEY/, best: null },
  ),
  'a Redis that wants a password, in Python': crash(
    'redis.exceptions.AuthenticationError: Authentication required.\n',
    {},
    {
      culprit: /Redis login/,
      best: null,
    },
  ),
  'a database whose folder is in no volume': crash(
    'sqlite3.OperationalError: unable to open database file\n',
    env({ DB_PATH: '/data/app.db' }),
    {
      culprit: /DB_PATH=\/data\/app\.db/,
      best: emptyAt('/data', 'writable-data'),
      ...likely,
    },
  ),
  'two databases, of which one cannot be opened': crash(
    'sqlite3.OperationalError: unable to open database file\n',
    env({ DB_PATH: '/data/app.db', CACHE_DB: '/data/cache.db' }),
    { culprit: /database file/, best: null },
  ),
  'a program that BusyBox does not find': crash(
    '/docker-entrypoint.sh: exec: line 47: ngnix: not found\n',
    { args: ['ngnix', '-g', 'daemon off;'] },
    {
      culprit: /^ngnix/,
      best: { [`${app}.args`]: ['nginx', '-g', 'daemon off;'] },
      ...likely,
    },
  ),
  'a variable that Ruby does not find': crash('KeyError: key not found: "REDIS_URL"\n', env({ REDIS_ULR: 'redis://r' }), {
    culprit: /^REDIS_URL/,
    best: { [`${app}.env[0].name`]: 'REDIS_URL' },
    ...likely,
  }),
  'a library that Bundler does not find': crash(
    'Bundler::GemNotFound: Could not find rake-13.0.6 in any of the sources\n',
    {},
    {
      culprit: /^rake-13\.0\.6/,
      best: null,
    },
  ),
  'a server of which libpq asks in the next line': crash(
    'SQLSTATE[08006] [7] could not connect to server: Connection refused\n\tIs the server running on host "10.1.2.3" and accepting\n\tTCP/IP connections on port 5432?\n',
    {},
    { culprit: /10\.1\.2\.3:5432/, best: null },
  ),
  'a configuration of Logstash with a slip': crash(
    '[FATAL][logstash.runner] An unexpected error occurred! {:error=>#<LogStash::ConfigurationError: Expected one of [ \\t\\r\\n], "#" at line 3\n',
    {},
    { culprit: /ConfigurationError/, best: null },
  ),
  'a word that Caddy does not know': crash(
    'Caddyfile:5: unrecognized directive: reverseproxy\n',
    {},
    { culprit: /reverseproxy/, best: null },
  ),
  'a topic that Kafka does not have': crash(
    'org.apache.kafka.common.errors.TimeoutException: Topic orders not present in metadata after 60000 ms.\n',
    {},
    { culprit: /topic orders/, best: null },
  ),
  'TLS at the address of the pod itself': crash(
    'Get "https://127.0.0.1:8200/v1/sys/seal-status": http: server gave HTTP response to HTTPS client\n',
    env({ VAULT_ADDR: 'https://127.0.0.1:8200' }),
    { culprit: /127\.0\.0\.1:8200/, best: { [`${app}.env[0].value`]: 'http://127.0.0.1:8200' }, ...likely },
  ),
  'no card for the program': crash(
    'RuntimeError: No CUDA GPUs are available\n',
    {},
    { culprit: /CUDA GPUs/, best: null, says: /graphics card/ },
  ),
  'a table that Prisma does not find': crash(
    'Error: Invalid `prisma.user.findMany()` invocation: The table `public.User` does not exist in the current database.\n',
    {},
    { culprit: /public\.User/, best: null },
  ),
  'a reference in the variable that it would need itself': crash(
    'Driver org.postgresql.Driver claims to not accept jdbcUrl, ${DB_URL}\n',
    env({ SPRING_DATASOURCE_URL: '${DB_URL}' }),
    { culprit: /DB_URL/, best: null },
  ),
  'a file that PHP requires': crash(
    "PHP Warning:  Unknown: Failed opening required '/srv/vendor/autoload.php'\n",
    {},
    {
      culprit: /autoload\.php/,
      best: null,
    },
  ),
  'a program that tini does not find': crash(
    '[FATAL tini (7)] exec start.sh failed: No such file or directory\n',
    { args: ['start.sh'] },
    {
      culprit: /^start\.sh/,
      best: { [`${app}.args`]: null },
      ...guess,
    },
  ),
  'a file to be edited in a read-only file system': crash(
    "sed: can't create temp file '/etc/nginx/conf.d/default.confXXXX': Read-only file system\n",
    {},
    {
      culprit: /conf\.d/,
      best: emptyAt('/etc/nginx/conf.d', 'writable-etc-nginx-conf-d'),
      ...guess,
    },
  ),
  'a Redis that .NET does not reach': crash(
    'StackExchange.Redis.RedisConnectionException: It was not possible to connect to the redis server(s). UnableToConnect on cache:6379/Interactive\n',
    env({ Redis__Host: 'cache:6379' }),
    { culprit: /^cache:6379/, best: null },
  ),
  'a launcher of Spring Boot before 3.2': crash(
    'Error: Could not find or load main class org.springframework.boot.loader.JarLauncher\n',
    { args: ['java', 'org.springframework.boot.loader.JarLauncher'] },
    {
      culprit: /JarLauncher/,
      best: { [`${app}.args[1]`]: 'org.springframework.boot.loader.launch.JarLauncher' },
      ...likely,
    },
  ),
  'a launcher of a later Spring Boot': crash(
    'Caused by: java.lang.ClassNotFoundException: org.springframework.boot.loader.launch.WarLauncher\n',
    { args: ['java', 'org.springframework.boot.loader.launch.WarLauncher'] },
    { culprit: /WarLauncher/, best: { [`${app}.args[1]`]: 'org.springframework.boot.loader.WarLauncher' }, ...likely },
  ),
  'a version that a variable chooses, and older data': crash(
    'FATAL:  database files are incompatible with server\nDETAIL:  The data directory was initialized by PostgreSQL version 15, which is not compatible with this version 16.1.\n',
    { image: 'spilo:3', ...env({ PGVERSION: '16' }) },
    { culprit: /version 15/, best: { [`${app}.env[0].value`]: '15' }, ...likely },
  ),
  'a version that a variable chooses, in words': crash(
    'FATAL:  database files are incompatible with server\nDETAIL:  The data directory was initialized by PostgreSQL version 15, which is not compatible with this version 16.1.\n',
    { image: 'spilo:3', ...env({ PGVERSION: 'latest' }) },
    { culprit: /version 15/, best: null },
  ),
  'a kind of discovery with another sign': crash(
    'java.lang.IllegalArgumentException: Unknown discovery type [single_node]\n',
    env({ 'discovery.type': 'single_node' }),
    { culprit: /single_node/, best: { [`${app}.env[0].value`]: 'single-node' }, ...likely },
  ),
  'a folder that the line above the error names': crash(
    `INFO gw::spool: opening spool dir="/var/spool/gw" max_bytes=268\nthread 'main' panicked at src/spool.rs:48:42:\ncalled \`Result::unwrap()\` on an \`Err\` value: Os { code: 30, kind: ReadOnlyFilesystem, message: "Read-only file system" }\n`,
    { securityContext: { readOnlyRootFilesystem: true } },
    {
      culprit: /\/var\/spool\/gw/,
      best: emptyAt('/var/spool/gw', 'writable-var-spool-gw'),
      ...likely,
    },
  ),
  'a chown that fails, and an error after it': crash(
    'chown: /mosquitto/config/mosquitto.conf: Read-only file system\n1767348511: Error: Unable to open pwfile "/mosquitto/auth/passwd".\n',
    {
      volumeMounts: [
        { name: 'config', mountPath: '/mosquitto/config' },
        { name: 'users', mountPath: '/mosquitto/credentials', readOnly: true },
      ],
    },
    { culprit: /\/mosquitto\/auth\/passwd/, best: { [`${app}.volumeMounts[1].mountPath`]: '/mosquitto/auth' }, ...likely },
    [secret('users', 'passwd'), map('mosquitto', 'mosquitto.conf')],
    {
      volumes: [
        { name: 'config', configMap: { name: 'mosquitto' } },
        { name: 'users', secret: { secretName: 'users' } },
      ],
    },
  ),
  'a chown that fails, and nothing else': crash(
    'chown: /data: Read-only file system\n',
    { securityContext: { readOnlyRootFilesystem: true } },
    {
      culprit: /\/data/,
      best: emptyAt('/data', 'writable-data'),
      ...likely,
    },
  ),
  'a unit with a letter too many': redis('64mbs', { best: { [`${app}.args[2]`]: '64mb' }, ...likely }),
  'a unit that nobody knows': redis('64mx', { best: null }),
  'a setting of a ConfigMap below the folder of the program': crash(
    "Error: Cannot find module '/srv/app/settings.js'\n",
    { command: ['node', '/srv/app/settings.js'], volumeMounts: [{ name: 'settings', mountPath: '/srv/app' }] },
    { culprit: /settings\.js/, best: { [`${app}.command[1]`]: '/srv/app/setting.js' }, ...likely },
    [settings('bff-settings', { 'setting.js': 'x' })],
    { volumes: [{ name: 'settings', configMap: { name: 'bff-settings' } }] },
  ),
};
