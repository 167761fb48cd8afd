import { suite } from 'uvu';
import { serverStateSignatures } from '../../../../src/diagnosis/rules/signatures/server-state.ts';
import { env, guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs say about the state of a server');

const full = (log: string, server: string): LogRow => [
  log,
  `connections of the ${server} server`,
  `the ${server} server has no connection left for it`,
  { advice: 'fewer connections', where: '`max_connections`' },
];
const starting = (how: string, short = how): LogRow => [
  `FATAL:  the database system is ${how}`,
  `the PostgreSQL server is ${short}`,
  `the PostgreSQL server is not ready: it is ${how}`,
  { advice: 'Wait for the server', where: 'readiness of the server' },
];
const rights = (log: string, what: string): LogRow => [
  log,
  what,
  `its database user has no rights on the \`${what}\``,
  { advice: 'Grant the rights', where: 'its rights in the database' },
];
const there = (log: string, what: string): LogRow => [
  log,
  what,
  `it creates the \`${what}\`, which the database already has`,
  { advice: 'The table of applied migrations does not fit', where: 'who created this before' },
];
const extension = (log: string): LogRow => [
  log,
  'extension postgis',
  'the PostgreSQL server does not have the extension `postgis`',
  { advice: 'an image of the server that has it', where: '`shared_preload_libraries`' },
];
const older = (log: string, version: string, image = 'web:1', more: LogRow[3] = {}): LogRow => [
  log,
  `data of version ${version} (image ${image})`,
  `its data was written by another version (\`${version}\`)`,
  { advice: 'Use the version that wrote the data', where: "the image's tag of before", ...more },
];
const newer = (log: string): LogRow => [
  log,
  'data of version  (image web:1)',
  'its data was written by a newer version, from which',
  { advice: 'Use the version that wrote the data', corrections: [] },
];
const image = (name: string, to: string) => ({ container: { image: name }, corrections: guess({ image: to }) });
const needs = (log: string, name: string, version: string): LogRow => [
  log,
  `${name} older than ${version}`,
  `it needs \`${name} ${version}\` or newer: \``,
  { advice: `Use ${name} ${version} or newer`, where: `the version of ${name}` },
];
const broken = (log: string, culprit: string): LogRow => [
  log,
  culprit,
  'its data is damaged',
  { advice: 'Restore the data from a backup', where: 'the volume with the data' },
];

logRows(test, serverStateSignatures, {
  'server-full': [
    full('FATAL:  sorry, too many clients already', 'PostgreSQL'),
    full('FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute', 'PostgreSQL'),
    full('pq: too many connections for role "app"', 'PostgreSQL'),
    full('FATAL: Too many connections', 'PostgreSQL'),
    full('ERROR 1040 (HY000): Too many connections', 'MySQL'),
    full('mariadb: Too many connections', 'MySQL'),
    full('mysql: too many connections', 'MySQL'),
    full('Error: ER_CON_COUNT_ERROR', 'MySQL'),
    full('ERR max number of clients reached', 'Redis'),
    full('redis.exceptions: Too many connections', 'Redis'),
  ],
  'server-starting': [
    starting('starting up', 'starting'),
    starting('shutting down', 'shutting'),
    starting('in recovery mode'),
    starting('not yet accepting connections'),
    [
      'LOADING Redis is loading the dataset in memory',
      'the Redis server is loading',
      'the Redis server is not ready: it loads its data',
      { advice: 'Wait for the server' },
    ],
  ],
  'database-rights': [
    ...[
      'table',
      'relation',
      'schema',
      'database',
      'sequence',
      'function',
      'view',
      'column',
      'language',
      'tablespace',
      'foreign server',
    ].map((kind) => rights(`ERROR:  permission denied for ${kind} orders`, `${kind} orders`)),
    ...['materialized view', 'type', 'procedure'].map((kind) => rights(`permission denied for ${kind} "orders"`, `${kind} orders`)),
    ...['extension', 'role', 'database', 'schema', 'parameter', 'tablespace', 'publication'].map((kind) =>
      rights(`permission denied to create ${kind} "x"`, `${kind} x`),
    ),
    ...['alter', 'drop', 'set', 'use'].map((verb) => rights(`permission denied to ${verb} role "x"`, 'role x')),
    rights('ERROR:  permission denied to create database', 'database'),
    rights('ERROR:  must be owner of table orders', 'table orders'),
    rights('must be owner of large object 16404', 'large object 16404'),
    rights('must be owner of materialized view "orders"', 'materialized view orders'),
    rights("ERROR 1142 (42000): CREATE command denied to user 'app'@'10.0.0.1' for table 'orders'", 'table orders'),
    rights("SELECT command denied to user 'app' for table `orders`", 'table orders'),
    rights('MongoServerError: not authorized on shop to execute command { find: "x" }', 'database shop'),
  ],
  'database-has-already': [
    ...[
      'relation',
      'table',
      'type',
      'index',
      'schema',
      'constraint',
      'role',
      'database',
      'extension',
      'sequence',
      'function',
      'collection',
    ].map((kind) => there(`ERROR:  ${kind} "users" already exists`, `${kind} users`)),
    there('column "email" of relation "users" already exists', 'column email'),
    there("ERROR 1050 (42S01): Table 'users' already exists", 'table users'),
    there("Can't create database; Database `shop` already exists", 'database shop'),
    there('Collection users already exists', 'collection users'),
    there("ER_TABLE_EXISTS_ERROR: Table 'users' already exists", 'table users'),
    there("ERROR 1060 (42S21): Duplicate column name 'email'", 'column email'),
    there("ER_DUP_FIELDNAME: Duplicate column name 'email'", 'column email'),
    there('duplicate column name "email"', 'column email'),
  ],
  'extension-missing': [
    extension('ERROR:  extension "postgis" is not available'),
    extension('could not open extension control file "/usr/share/postgresql/16/extension/postgis.control": No such file or directory'),
    [
      'FATAL:  could not access file "pg_cron": No such file or directory',
      'library pg_cron',
      'the PostgreSQL server has no library `pg_cron`',
      { advice: 'Correct the name' },
    ],
    ['could not access file "$libdir/timescaledb": No such file or directory', 'library timescaledb', 'has no library `timescaledb`'],
  ],
  'data-of-another-version': [
    [
      "Can't handle RDB format version 12",
      'RDB format version 12',
      'its data was written by a newer version (`RDB format version 12`)',
      { container: { image: 'redis:7.0' }, corrections: [], advice: 'Use the version that wrote the data' },
    ],
    [
      'member 8e9e05c52164694d has already been bootstrapped',
      'member 8e9e05c52164694d',
      'its data folder is empty, and the cluster already knows it as the member `8e9e05c52164694d`',
      { advice: 'Mount its old data', corrections: [] },
    ],
    [
      'UPGRADE PROBLEM: Found an invalid featureCompatibilityVersion document (ERROR: BadValue: Invalid value for version: "4.4"',
      'featureCompatibilityVersion 4.4 of the data',
      'written by another version (`4.4`)',
      image('mongo:7.0', 'mongo:4.4'),
    ],
    [
      'Invalid featureCompatibilityVersion document, version: "6.0"',
      'featureCompatibilityVersion 6.0 of the data',
      'written by another version (`6.0`)',
    ],
    older('cannot upgrade a node from version [6.8.0] directly to version [8.0.0]', '6.8.0'),
    older(
      'cannot downgrade a node from version [8.1.0] to version [8.0.0]',
      '8.1.0',
      'elasticsearch:8.0.0',
      image('elasticsearch:8.0.0', 'elasticsearch:8.1.0'),
    ),
    older('Cannot downgrade from 80403 to 80036.', '8.4.3', 'mysql:8.0.36', image('mysql:8.0.36', 'mysql:8.4.3')),
    older(
      'The data directory was initialized by PostgreSQL version 15, which is not compatible',
      '15',
      'postgres:16',
      image('postgres:16', 'postgres:15'),
    ),
    older(
      'FATAL:  database files are incompatible with server\nDETAIL:  The data directory was initialized by PostgreSQL version 14, which is not compatible with this version 16.1.',
      '14',
      'postgres:16',
      image('postgres:16', 'postgres:14'),
    ),
    older('Cannot downgrade from 50744 to 50600', '5.7.44'),
    older('the program is too old for data store with version v3.2', '3.2'),
    older('cockroach server version is too old for data store with version 23.1', '23.1'),
    older('version of the data (1.2.3) is higher than mine', '1.2.3'),
    older('version of the data (1.2.3) is lower than mine', '1.2.3'),
    older('cluster cannot be downgraded (current version: 3.4.0, determined cluster version: 3.5.', '3.5'),
    older('Unsupported redo log format. The redo log was created with MariaDB 10.6.4.', '10.6.4'),
    older('The redo log was created with MySQL 8.0.30', '8.0.30'),
    older('redo log was created with Percona 8.0', '8.0'),
    older('upgrading from 2.1 to 4.0 is not supported', '2.1', 'nextcloud:4.0', image('nextcloud:4.0', 'nextcloud:3')),
    newer('Your database (migration version: 280) is for a newer Gitea, you can not use the newer database'),
    newer('the database was upgraded to a more recent version of it'),
    newer('This database has been migrated to a more recent version of SonarQube'),
  ],
  'version-too-old': [
    needs('You are connecting to Redis 5.0.7, Sidekiq requires Redis 6.2.0 or greater', 'Redis', '6.2.0'),
    needs('this requires Node v18 or newer', 'Node', '18'),
    needs('it requires a Python 3.10 or later', 'Python', '3.10'),
    needs('plugins require an OpenSSL 3 or higher', 'OpenSSL', '3'),
    needs('This package requires at least Java 17 or above', 'Java', '17'),
    needs('requires Elasticsearch server 8.1 or newer', 'Elasticsearch server', '8.1'),
  ],
  'data-broken': [
    broken('Bad file format reading the append only file appendonly.aof.1.incr.aof: make a backup', 'appendonly.aof.1.incr.aof'),
    broken('Wrong signature trying to load DB from file', 'the file with its data (RDB)'),
    broken('Short read or OOM loading DB. Unrecoverable error, aborting now.', 'the file with its data (RDB)'),
    broken('invalid magic', 'invalid magic'),
    ...['checkpoint', 'page', 'segment', 'WAL', 'wal', 'block', 'index', 'database'].map((what) =>
      broken(`corrupted ${what} in /data/000001`, '/data/000001'),
    ),
    broken('corrupt segment', 'corrupt segment'),
    broken('corrupt index of a/b', 'corrupt index of a/b'),
  ],
  'cluster-bootstrap': [
    [
      'master not discovered yet, this node has not previously joined a bootstrapped cluster, and this node must discover master-eligible nodes [es-0, es-1] to bootstrap a cluster: have discovered [{es-x}{a}]',
      'initial_master_nodes: es-0, es-1',
      'it waits for the nodes `es-0, es-1` to form its cluster, and its own name is `es-x`',
      { container: env({ NODES: 'es-0, es-1' }), corrections: [], advice: 'Name the nodes', where: '`cluster.initial_master_nodes`' },
    ],
    [
      'must discover cluster-manager-eligible nodes [node-1] to bootstrap a cluster: have discovered [{es-0}{a}]',
      'initial_master_nodes: node-1',
      'its own name is `es-0`',
      { container: env({ NODES: 'node-1' }), corrections: likely({ 'env[0].value': 'es-0' }) },
    ],
    [
      'must discover master-eligible nodes [es-0] to bootstrap a cluster: have discovered [{es-0}{a}]',
      'initial_master_nodes: es-0',
      'its own name is `es-0`',
      { container: env({ NODES: 'es-0' }), corrections: [] },
    ],
  ],
  'name-unknown-to-server': [
    [
      'amqp.exceptions.ConnectionError: Expected ConnectionOpenOk; got <ConnectionClose>',
      'virtual host',
      'RabbitMQ does not open `virtual host`',
      { advice: 'Create it on the server', where: 'what the server has', corrections: [] },
    ],
    [
      'Expected ConnectionOpenOk; got <ConnectionClose>',
      'RABBITMQ_VHOST (virtual host shp)',
      'RabbitMQ does not open `virtual host shp`',
      {
        container: env({ RABBITMQ_VHOST: 'shp' }),
        parts: {
          surroundings: {
            settings: [{ name: 'rabbit', key: 'definitions.json', value: '{"vhosts":[{"name":"shop"}],"x":{"vhost": "shop"}}' }],
          } as object,
        },
        corrections: likely({ 'env[0].value': 'shop' }),
      },
    ],
    ['error: Realm does not exist', 'realm', 'the identity server has no `realm`', { corrections: [] }],
    [
      'Realm not found',
      'KEYCLOAK_REALM (realm shp)',
      'the identity server has no `realm shp`',
      { container: env({ KEYCLOAK_REALM: 'shp' }) },
    ],
    ['realm not enabled', 'realm', 'the identity server has no `realm`'],
  ],
  'cockroach-alone': [
    [
      "ERROR: no --join flags provided to 'cockroach start'",
      'cockroach start without --join',
      'wants the other nodes of its cluster',
      {
        container: { args: ['start', '--insecure'] },
        advice: 'start-single-node',
        where: 'how many replicas',
        corrections: likely({ 'args[0]': 'start-single-node' }),
      },
    ],
    [
      "no --join flags provided to '/cockroach/cockroach start'",
      'cockroach start without --join',
      '`--join`',
      { container: { args: ['start'] }, owner: { kind: 'StatefulSet', spec: { replicas: 3 } }, corrections: [] },
    ],
    [
      "no --join flags provided to 'cockroach start'",
      'cockroach start without --join',
      '`--join`',
      { container: { args: ['start', 'start'] }, corrections: [] },
    ],
  ],
  'coredns-loop': [
    [
      'plugin/loop: Loop (127.0.0.1:5 -> :53) detected for zone ".", see https://coredns.io/plugins/loop',
      'dnsPolicy: ClusterFirst',
      'it forwards what it does not know to itself',
      { advice: '`dnsPolicy: Default`', where: 'the Corefile', mirrorable: false, corrections: likely({ 'spec.dnsPolicy': 'Default' }) },
    ],
    ['plugin/loop: Loop (x) detected for zone "."', 'dnsPolicy: Default', 'to itself', { spec: { dnsPolicy: 'Default' }, corrections: [] }],
  ],
  'broker-object': [
    [
      "connection error: vhost 'shp' not found",
      'vhost shp',
      'RabbitMQ has no `vhost shp`',
      {
        container: env({ URL: 'amqp://a:b@mq:5672/shp' }),
        advice: 'Create it on the server',
        where: 'what the server has',
        corrections: guess({ 'env[0].value': 'amqp://a:b@mq:5672/%2F' }),
      },
    ],
    [
      "NOT_ALLOWED - access to vhost 'shop' refused for user 'app'",
      'vhost shop',
      'its RabbitMQ user has no right to use the `vhost shop`',
      { advice: 'Create it', corrections: [] },
    ],
    [
      "PRECONDITION_FAILED - inequivalent arg 'durable' for queue 'jobs' in vhost '/'",
      'queue jobs',
      'RabbitMQ has the `queue jobs` with another `durable` than the program wants',
      { advice: 'Delete the queue', corrections: [] },
    ],
    ["inequivalent arg 'type' for exchange 'x'", 'exchange x', 'the `exchange x` with another `type`'],
    ["NOT_FOUND - no queue 'jobs' in vhost '/'", 'queue jobs', 'RabbitMQ has no `queue jobs`', { corrections: [] }],
    ["NOT_FOUND - no exchange 'x' in vhost '/'", 'exchange x', 'RabbitMQ has no `exchange x`'],
    [
      'Error while fetching metadata: {shp.orders=UNKNOWN_TOPIC_OR_PARTITION}',
      'topic shp.orders',
      'Kafka has no `topic shp.orders`',
      {
        container: env({ ORDERS_TOPIC: 'shp.orders' }),
        parts: {
          surroundings: { settings: [{ name: 'k', key: 'create.sh', value: 'kafka-topics --create --topic shop.orders' }] } as object,
        },
        corrections: likely({ 'env[0].value': 'shop.orders' }),
      },
    ],
  ],
  'client-too-old': [
    [
      'ER_NOT_SUPPORTED_AUTH_MODE: Client does not support authentication protocol requested by server',
      'authentication protocol',
      'its client cannot log in as the server wants (`authentication protocol`)',
      { advice: 'Use a newer client library', where: 'of the server', corrections: [] },
    ],
    ['The server requested authentication method unknown to the client [caching_sha2_password]', 'caching_sha2_password', 'cannot log in'],
    ["Authentication plugin 'auth_gssapi_client' is not supported", 'auth_gssapi_client', '(`auth_gssapi_client`)'],
    ["authentication plugin 'mysql_clear' cannot be loaded", 'mysql_clear', '(`mysql_clear`)'],
    [
      'FlywayException: Unsupported Database: PostgreSQL 16.1',
      'PostgreSQL 16.1',
      'does not know the server `PostgreSQL 16.1`',
      { advice: 'Use a newer version of the program' },
    ],
    [
      'pg_dump: error: server version: 16.1; pg_dump version: 15.4',
      'version 15.4 of the tools, 16.1 of the server',
      'its tools are of version 15.4, and the server of 16.1',
      { advice: 'Use a newer version of the program', ...image('postgres:15', 'postgres:16') },
    ],
  ],
  'changelog-lock': [
    [
      'liquibase.exception.LockException: Could not acquire change log lock.  Currently locked by web-0 (10.0.0.1) since 1/1/26',
      'change log lock',
      '`web-0` holds the change log lock',
      { advice: 'release the lock', where: '`web-0` still runs' },
    ],
    [
      'Waiting for changelog lock to be free; waiting for changelog lock....',
      'change log lock',
      'another pod holds',
      { where: 'its holder still runs' },
    ],
    ['databasechangeloglock: could not acquire changelog lock', 'change log lock', 'another pod holds'],
  ],
});
otherLogs(test, {
  'server-full': ['too many requests'],
  'version-too-old': ['requires 3 or later', 'Redis 6 or newer'],
  'data-broken': ['unexpected EOF'],
});

test.run();
