import type { CureRow } from './cure.ts';
import { app, crash, env, guess, likely, map, plain, secret, service } from './rows.ts';

const NO_DATA_SOURCE =
  "***************************\nAPPLICATION FAILED TO START\n***************************\n\nDescription:\n\nFailed to configure a DataSource: 'url' attribute is not specified and no embedded datasource could be configured.\n\nReason: Failed to determine a suitable driver class\n";
const HANDSHAKE =
  'Error: Socket closed abruptly during opening handshake\n    at Socket.endWhileOpening (/app/node_modules/amqplib/lib/connection.js:260:17)\n';
const NO_CURL = 'sh: curl: not found\n';
const busybox = (script: string, image = 'busybox:1.36') => ({ image, command: ['sh', '-c'], args: [script] });
const MISMATCH =
  'nginx: [emerg] SSL_CTX_use_PrivateKey("/etc/nginx/tls/tls.key") failed (SSL: error:05800074:x509 certificate routines::key values mismatch)\n';
const tls = { volumeMounts: [{ name: 'tls', mountPath: '/etc/nginx/tls' }] };
const pairFrom = (certificate: string, key: string) => ({
  volumes: [
    {
      name: 'tls',
      projected: {
        sources: [
          { secret: { name: certificate, items: [{ key: 'tls.crt', path: 'tls.crt' }] } },
          { secret: { name: key, items: [{ key: 'tls.key', path: 'tls.key' }] } },
        ],
      },
    },
  ],
});
const BUFFERS =
  'Exception in thread "main" java.lang.OutOfMemoryError: Cannot reserve 33554432 bytes of direct buffer memory (allocated: 33562624, limit: 67108864)\n\tat java.base/java.nio.Bits.reserveMemory(Bits.java:178)\n';
const SEEDS =
  "WARN  [main] 2026-01-22 10:41:09,931 SimpleSeedProvider.java:62 - Seed provider couldn't lookup host ring-seed.default.svc.cluster.local\nException (org.apache.cassandra.exceptions.ConfigurationException) encountered during startup: The seed provider lists no seeds.\n";
const PILOT =
  '2026-09-02T06:40:11Z ERR Pilot configuration has been removed in v3, please remove all Pilot-related static configuration for Traefik to start.\n{"level":"error","error":"command traefik error: incompatible deprecated static option found"}\n';
const OPTIMIZED =
  "The '--optimized' flag was used for first ever server start. Please don't use this flag for the first startup or use 'kc.sh build' to build the server first.\nTry 'kc.sh start --help' for more information on the available options.\n";
const POSITIONS =
  '[2026/02/26 09:12:50] [error] [sqldb] cannot open database /var/log/positions.db\n[2026/02/26 09:12:50] [error] [input:tail:tail.0] could not open/create database\n[2026/02/26 09:12:50] [error] [lib] backend failed\n';
const hostLogs = { volumes: [{ name: 'logs', hostPath: { path: '/var/log' } }] };

const NO_MODULE =
  "Usage: celery [OPTIONS] COMMAND [ARGS]...\nTry 'celery --help' for help.\n\nError: Invalid value for '-A' / '--app': \nUnable to load celery application.\nThe module worker was not found.\n";
const worker = (settings: string) => ({
  ...env({ DJANGO_SETTINGS_MODULE: settings, CELERY_BROKER_URL: 'redis://redis:6379/0' }),
  command: ['celery'],
  args: ['-A', 'worker', 'worker', '-Q', 'invoices'],
});
const NOT_BOUND = [
  'APPLICATION FAILED TO START',
  '',
  'Description:',
  '',
  "Failed to bind properties under 'spring.data.redis.port' to int:",
  '',
  '    Property: spring.data.redis.port',
  '    Value: "${REDIS_PORT:6379}"',
  '    Reason: failed to convert java.lang.String to int (caused by java.lang.NumberFormatException: For input string: "tcp://10.96.140.22:6379")',
  '',
].join('\n');
const SIZE =
  'Caused by: java.lang.IllegalArgumentException: value 20Mi not in correct format (regular expression): [0-9]+[BbKkMmGgTtPpEeZzYy]?\n\tat a.b.C.d(C.java:8)\n';

const NO_POOL =
  '[14-May-2026 09:12:31] ERROR: No pool defined. at least one pool section must be specified in config file\n[14-May-2026 09:12:31] ERROR: failed to post process the configuration\n';

/** Options at the wrong place or of other versions, ports and keys of the same server that are not meant, and programs that the image lacks. */
export const LATE_OPTIONS: Record<string, CureRow> = {
  'a profile that stands behind the jar': crash(
    NO_DATA_SOURCE,
    { command: ['java'], args: ['-XX:MaxRAMPercentage=70', '-jar', '/app/a.jar', '-Dspring.profiles.active=k8s', '--server.port=80'] },
    {
      culprit: /spring\.profiles\.active/,
      best: {
        [`${app}.args`]: ['-XX:MaxRAMPercentage=70', '-Dspring.profiles.active=k8s', '-jar', '/app/a.jar', '--server.port=80'],
      },
      ...likely,
    },
  ),
  'options of Java in front of the jar': crash(
    NO_DATA_SOURCE,
    { command: ['java', '-Dspring.profiles.active=k8s', '-jar', '/app/a.jar', '-v'] },
    { culprit: /datasource/, best: null },
  ),
  'the management port of RabbitMQ in a variable of its own': crash(
    HANDSHAKE,
    env({ RABBITMQ_HOST: 'rabbitmq', RABBITMQ_PORT: '15672' }),
    { culprit: /RABBITMQ_PORT/, best: { [`${app}.env[1].value`]: '5672' }, ...likely },
    [service('rabbitmq', 5672, 15672)],
  ),
  'the port of Sentinel, which its clients ask': crash(
    'ReplyError: ERR unknown command\nError: Socket closed unexpectedly during handshake\n',
    env({ REDIS_SENTINEL_HOST: 'sentinel', REDIS_SENTINEL_PORT: '26379' }),
    { culprit: /./, best: null },
    [service('sentinel', 26379, 6379)],
  ),
  'such a number that is no port': crash(HANDSHAKE, env({ RABBITMQ_HOST: 'rabbitmq', RABBITMQ_BATCH: '15672' }), {
    culprit: /handshake/,
    best: null,
  }),
  'a script with curl in BusyBox': crash(
    NO_CURL,
    busybox('set -e\ncurl -fsS --max-time 5 "$URL" -o /data/a.new\nmv /data/a.new /data/a\n'),
    {
      culprit: /curl/,
      best: { [`${app}.args[0]`]: 'set -e\nwget -q -T 5 -O /data/a.new "$URL"\nmv /data/a.new /data/a\n' },
      ...likely,
    },
  ),
  'a condition with curl in BusyBox': crash(
    NO_CURL,
    busybox("until curl -sfL -H 'Accept: text/plain' http://api:8080/ready > /dev/null; do sleep 2; done", 'alpine:3.20'),
    {
      culprit: /curl/,
      best: {
        [`${app}.args[0]`]: "until wget -q --header 'Accept: text/plain' -O - http://api:8080/ready > /dev/null; do sleep 2; done",
      },
      ...likely,
    },
  ),
  'an option of curl that wget lacks': crash(NO_CURL, busybox('curl -X DELETE http://api/x'), {
    culprit: /curl/,
    best: { [`${app}.command`]: null, [`${app}.args`]: null },
    ...guess,
  }),
  'a certificate and the key of another year': crash(
    MISMATCH,
    tls,
    { culprit: /tls\.key/, best: { 'spec.volumes[0].projected.sources[1].secret.name': 'shop-2026' }, ...likely },
    [secret('shop-2025', 'tls.crt', 'tls.key'), secret('shop-2026', 'tls.crt', 'tls.key')],
    pairFrom('shop-2026', 'shop-2025'),
  ),
  'a certificate whose Secret has no key': crash(
    MISMATCH,
    tls,
    { culprit: /tls\.key/, best: null },
    [secret('shop-2025', 'tls.crt', 'tls.key'), secret('shop-2026', 'tls.crt')],
    pairFrom('shop-2026', 'shop-2025'),
  ),
  'a pair from one Secret': crash(
    MISMATCH,
    tls,
    { culprit: /tls\.key/, best: null },
    [secret('shop-2026', 'tls.crt', 'tls.key')],
    pairFrom('shop-2026', 'shop-2026'),
  ),
  'buffers of Java that do not fit into what they may have': crash(
    BUFFERS,
    { ...env({ JAVA_TOOL_OPTIONS: '-Xmx1g -XX:MaxDirectMemorySize=64m' }), resources: { limits: { memory: '3Gi' } } },
    {
      culprit: /MaxDirectMemorySize/,
      says: /outside of its heap/,
      best: { [`${app}.env[0].value`]: '-Xmx1g -XX:MaxDirectMemorySize=256m' },
      ...guess,
    },
  ),
  'a seed that only resembles a Service': crash(
    SEEDS,
    env({ CASSANDRA_SEEDS: 'ring-seed.default.svc.cluster.local' }),
    { culprit: /ring-seed/, best: { [`${app}.env[0].value`]: 'ring-seeds.default.svc.cluster.local' }, ...likely },
    [service('ring-seeds', 7000)],
  ),
  'a section of options that is gone': crash(
    PILOT,
    { args: ['--api.dashboard=true', '--pilot.dashboard=false', '--ping=true'] },
    { culprit: /pilot/, best: { [`${app}.args`]: ['--api.dashboard=true', '--ping=true'] }, ...likely },
  ),
  'an option that must not be used yet': crash(
    OPTIMIZED,
    { args: ['start', '--optimized'] },
    { culprit: /--optimized/, best: { [`${app}.args`]: ['start'] }, ...likely },
  ),
  'a database in a folder that is mounted read-only': crash(
    POSITIONS,
    { volumeMounts: [{ name: 'logs', mountPath: '/var/log', readOnly: true }] },
    { culprit: /\/var\/log/, best: { [`${app}.volumeMounts[0].readOnly`]: null } },
    [map('x')],
    hostLogs,
  ),
  'a database in a folder that can be written': crash(
    POSITIONS,
    { volumeMounts: [{ name: 'logs', mountPath: '/var/log' }] },
    { culprit: /positions\.db/, best: null },
    [],
    hostLogs,
  ),
  'a new cluster of Kafka without its id': crash(
    'Running in KRaft mode...\nCLUSTER_ID is required.\nCommand [/usr/local/bin/dub ensure CLUSTER_ID] FAILED !\n',
    { env: [plain('KAFKA_NODE_ID', '1')] },
    {
      culprit: /CLUSTER_ID/,
      best: { [`${app}.env[1]`]: ({ name, value }: { name: string; value: string }) => name === 'CLUSTER_ID' && /^[\w-]{22}$/.test(value) },
      ...guess,
    },
  ),
  'an application of Celery beside the settings of Django': crash(NO_MODULE, worker('billing.settings.production'), {
    culprit: /worker/,
    best: { [`${app}.args[1]`]: 'billing' },
    ...likely,
  }),
  'an application of Celery and settings without a package': crash(NO_MODULE, worker('settings'), { culprit: /worker/, best: null }),
  'a port that Spring takes from the variable of a Service': crash(
    NOT_BOUND,
    env({ REDIS_HOST: 'redis' }),
    { culprit: /REDIS_PORT/, best: { 'spec.enableServiceLinks': false }, ...likely },
    [service('redis', 6379), service('web', 80)],
  ),
  'a size in the unit of Kubernetes, where the program names its pattern': crash(SIZE, env({ LOG: 'INFO', BODY_SIZE: '20Mi' }), {
    culprit: /BODY_SIZE/,
    best: { [`${app}.env[1].value`]: '20M' },
    ...likely,
  }),
  'a folder of pools that a volume hides': crash(
    NO_POOL,
    { image: 'php:8.3-fpm', volumeMounts: [{ name: 'log', mountPath: '/usr/local/etc/php-fpm.d' }] },
    {
      culprit: /php-fpm\.d/,
      best: {
        [`${app}.volumeMounts[0].mountPath`]: '/usr/local/etc/php-fpm.d/zz-log.conf',
        [`${app}.volumeMounts[0].subPath`]: 'zz-log.conf',
      },
      ...likely,
    },
    [map('fpm-log', 'zz-log.conf')],
    { volumes: [{ name: 'log', configMap: { name: 'fpm-log' } }] },
  ),
  'no pool, and nothing is hidden': crash(NO_POOL, { image: 'php:8.3-fpm' }, { culprit: /No pool defined/, best: null }),
  'a tool that starts in another folder than its file': crash(
    "FAILED: No 'script_location' key found in configuration.\n",
    {
      command: ['alembic', 'upgrade', 'head'],
      volumeMounts: [{ name: 'ini', mountPath: '/srv/orders/alembic.ini', subPath: 'alembic.ini' }],
    },
    { culprit: /alembic\.ini/, best: { [`${app}.workingDir`]: '/srv/orders' }, ...likely },
    [map('orders-alembic', 'alembic.ini')],
    { volumes: [{ name: 'ini', configMap: { name: 'orders-alembic' } }] },
  ),
  'a tool that starts where its file is': crash(
    "FAILED: No 'script_location' key found in configuration.\n",
    {
      command: ['alembic', 'upgrade', 'head'],
      workingDir: '/srv/orders',
      volumeMounts: [{ name: 'ini', mountPath: '/srv/orders/alembic.ini', subPath: 'alembic.ini' }],
    },
    { culprit: /script_location/, best: null },
    [map('orders-alembic', 'alembic.ini')],
    { volumes: [{ name: 'ini', configMap: { name: 'orders-alembic' } }] },
  ),
};
