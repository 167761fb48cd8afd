import { suite } from 'uvu';
import { databaseSignatures } from '../../../../src/diagnosis/rules/signatures/databases-and-brokers.ts';
import { env, guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what databases and brokers answer');

const around = (surroundings: object) => ({ surroundings }) as { surroundings: object };
const login = (server: string, log: string, user = '', more: LogRow[3] = {}): LogRow => [
  log,
  user ? `login of ${user}` : `${server} login`,
  `${server} refuses ${user ? `the login of \`${user}\`` : 'its login'}`,
  { advice: 'Compare user and password', where: `the users of ${server}`, corrections: [], ...more },
];
const passwordless = (server: string, log: string, more: LogRow[3] = {}): LogRow => [
  log,
  `${server} login`,
  `${server} wants a password, and the program sends none`,
  { advice: 'from the Secret of the server', where: `the password of ${server}`, corrections: [], ...more },
];
const secretEnv = (name: string, secret: string, key: string) => ({ name, valueFrom: { secretKeyRef: { name: secret, key } } });
/** The server `db`, which has its password from key `password` of Secret `db`. */
const server = (more: object = {}) => ({
  services: [{ name: 'db', selector: { app: 'db' } }],
  servers: [{ labels: { app: 'db' }, names: { user: 'shop', ...more }, password: { secret: 'db', key: 'password' } }],
});
/** A host in a variable, and the Secret of that server. */
const ofSecret = (name: string): LogRow[3] & object => ({
  container: env({ [name]: 'db' }),
  parts: around({ secrets: [{ name: 'db', keys: ['password'] }] }),
  corrections: guess({ 'env[1]': secretEnv(name.replace('HOST', 'PASSWORD'), 'db', 'password') }),
});
const ROOT_KEY = {
  container: { env: [{ name: 'DB_HOST', value: 'db' }, secretEnv('DB_PASSWORD', 'web', 'mysql-root-password')] },
  parts: around({ ...server(), secrets: [{ name: 'web', keys: ['mysql-root-password', 'mysql-password'] }] }),
};
const OTHER_SECRET = {
  container: { env: [{ name: 'DB_HOST', value: 'db' }, secretEnv('DB_PASSWORD', 'web', 'password')] },
  parts: around(server()),
  corrections: likely({ 'env[1].valueFrom.secretKeyRef.name': 'db' }),
};
const lacks = (log: string, kind: string, name: string, more: LogRow[3] = {}): LogRow => [
  log,
  name,
  kind === 'database' ? `there is no database \`${name}\`` : `the database has no ${kind} \`${name}\``,
  {
    advice: kind === 'database' ? 'Correct the name' : 'See first to which database',
    where: 'the migrations',
    corrections: [],
    ...more,
  },
];
const broker = (log: string, address = '', more: LogRow[3] = {}): LogRow => [
  log,
  address || 'Kafka bootstrap servers',
  `the Kafka brokers cannot be reached${address ? ` (\`${address}\`)` : ''}`,
  { advice: '`advertised.listeners`', where: 'the bootstrap setting and the brokers', corrections: [], ...more },
];
const noBroker = (log: string, host: string, more: LogRow[3] = {}): LogRow => [
  log,
  host,
  `the name \`${host}\` of its Kafka broker is not known`,
  { advice: 'Correct the bootstrap address', where: 'the Services of the namespace', corrections: [], ...more },
];
const KAFKA = around({ services: [{ name: 'kafka', ports: [9092] }] });
const data = (log: string, culprit = 'data directory', more: LogRow[3] = {}): LogRow => [
  log,
  log.includes('not empty') ? `${culprit} (not empty)` : culprit,
  `its data folder ${culprit === 'data directory' ? '' : `\`${culprit}\` `}cannot be used: \``,
  { advice: 'to avoid `lost+found`', where: 'the owner of the volume', corrections: [], ...more },
];
const POSTGRES = '/var/lib/postgresql/data';
const mounted = (mountPath: string, volume: object = { persistentVolumeClaim: { claimName: 'data' } }, container: object = {}) => ({
  container: {
    volumeMounts: [
      { name: 'other', mountPath: '/other' },
      { name: 'data', mountPath, ...container },
    ],
  },
  spec: {
    volumes: [
      { name: 'other', emptyDir: {} },
      { name: 'data', ...volume },
    ],
  },
});
const pgdata = (value = `${POSTGRES}/pgdata`) => [{ name: 'PGDATA', value }];
const kind = (log: string, name: string | null, because: string, more: LogRow[3] = {}): LogRow => [
  log,
  name,
  because,
  {
    advice: 'install the CustomResourceDefinition',
    where: 'the installed definitions',
    commands: ['kubectl get customresourcedefinitions'],
    corrections: [],
    ...more,
  },
];
const credentials = (log: string, culprit = log): LogRow => [
  log,
  culprit,
  'a service it calls does not accept its credentials',
  { advice: 'Renew or correct the key', where: 'the identity that the container uses' },
];
const tls = (log: string, user: string, more: LogRow[3] = {}): LogRow => [
  log,
  `no pg_hba.conf entry for user ${user}, no encryption`,
  `PostgreSQL lets \`${user}\` in from this address only with encryption, if at all`,
  { advice: '`sslmode=require`', where: '`pg_hba.conf` of the server', corrections: [], ...more },
];
const HBA = 'no pg_hba.conf entry for host "10.0.0.1", user "app", database "shop"';

logRows(test, databaseSignatures, {
  'postgres-only-tls': [
    tls(`FATAL: ${HBA}, no encryption`, 'app', {
      container: env({ DB: 'postgres://db/shop?sslmode=disable' }),
      corrections: likely({ 'env[0].value': 'postgres://db/shop?sslmode=require' }),
    }),
    tls(`FATAL: ${HBA}, SSL off`, 'app'),
    tls(String.raw`no pg_hba.conf entry for host \"10.0.0.1\", user \"app\", database \"shop\", no encryption`, 'app'),
    login('PostgreSQL', `FATAL: ${HBA}, no encryption\nFATAL: ${HBA}, SSL encryption`, 'app'),
    login('PostgreSQL', `FATAL: ${HBA}, SSL off\nFATAL: ${HBA}, SSL on`, 'app'),
  ],
  'postgres-login': [
    login('PostgreSQL', 'FATAL: password authentication failed for user "app"', 'app'),
    login('PostgreSQL', "FATAL: password authentication failed for user 'app'", 'app'),
    login('PostgreSQL', 'FATAL: Peer authentication failed for user "app"', 'app'),
    login('PostgreSQL', 'peer authentication failed for user app', 'app'),
    login('PostgreSQL', `FATAL: ${HBA}, SSL encryption`, 'app'),
    login('PostgreSQL', 'FATAL: role "app" does not exist', 'app'),
    passwordless('PostgreSQL', 'fe_sendauth: no password supplied'),
    ...['PG_HOST', 'POSTGRES_HOST', 'DATABASE_HOST', 'DB_HOST', 'SQL_HOST'].map((name) =>
      passwordless('PostgreSQL', 'fe_sendauth: no password supplied', {
        ...ofSecret(name),
      }),
    ),
    login('PostgreSQL', 'password authentication failed for user "shop"', 'shop', OTHER_SECRET),
    [
      'password authentication failed for user "shop"',
      'login of shop with the password of Secret web (DB_PASSWORD)',
      'PostgreSQL refuses the login of `shop`',
      {
        container: { env: [secretEnv('DB_PASSWORD', 'web', 'password')] },
        parts: around({ secrets: [{ name: 'shop-db', keys: ['password'] }] }),
        corrections: likely({ 'env[0].valueFrom.secretKeyRef.name': 'shop-db' }),
      },
    ],
    login('PostgreSQL', 'role "app" does not exist', 'app', {
      container: env({ DB_HOST: 'db', DB_USER: 'app' }),
      parts: around(server()),
      corrections: likely({ 'env[1].value': 'shop' }),
    }),
  ],
  'postgres-relation': [
    lacks('ERROR: relation "orders" does not exist', 'table', 'orders'),
    lacks('ERROR: relation shop.orders does not exist', 'table', 'shop.orders'),
    lacks('table orders does not exist', 'table', 'orders'),
    lacks('sqlite3.OperationalError: no such table: orders', 'table', 'orders'),
    lacks('No such table orders', 'table', 'orders'),
    lacks("ERROR 1146: Table 'shop.orders' doesn't exist", 'table', 'shop.orders'),
    lacks("table 'shop.orders' doesn't exist", 'table', 'shop.orders'),
    lacks('FATAL: database "shop" does not exist', 'database', 'shop'),
    lacks("ERROR 1049: Unknown database 'shop'", 'database', 'shop'),
    lacks("unknown database 'shop'", 'database', 'shop'),
    lacks("Unknown column 'price' in 'field list'", 'table or column', 'price'),
    lacks('column "price" does not exist', 'column', 'price'),
    lacks('column price of relation "orders" does not exist', 'column', 'price'),
    lacks('schema "shop" does not exist', 'schema', 'shop'),
    lacks('Database `shop` does not exist on the server', 'database', 'shop'),
    lacks("Database 'shop' does not exist", 'database', 'shop'),
    lacks('could not find your database: shop.', 'database', 'shop'),
    lacks('Schema-validation: missing table [orders]', 'table', 'orders'),
    lacks('schema validation: missing column [price]', 'table', 'price'),
    lacks('schema validation: missing sequence [ids]', 'table', 'ids'),
    [
      'relation "orders" does not exist',
      'init container migrate: showmigrations',
      'the database has no table `orders`: init container `migrate` runs `showmigrations`, which changes nothing',
      {
        spec: { initContainers: [{ name: 'migrate', command: ['python', 'manage.py', 'showmigrations'] }] },
        corrections: likely({ 'spec.initContainers[0].command[2]': 'migrate' }),
      },
    ],
    lacks('relation "orders" does not exist', 'table', 'orders', {
      container: { command: ['python', 'manage.py', 'runserver'] },
    }),
    lacks('database "shp" does not exist', 'database', 'shp', {
      container: env({ DB_HOST: 'db', DB_NAME: 'shp' }),
      parts: around(server({ database: 'shop' })),
      corrections: likely({ 'env[1].value': 'shop' }),
    }),
  ],
  'mysql-login': [
    login('MySQL', "Access denied for user 'app'@'10.0.0.1' (using password: YES)", 'app'),
    login('MySQL', "access denied for user ''@'10.0.0.1'"),
    login('MySQL', 'code: ER_ACCESS_DENIED'),
    login('MySQL', 'It is not allowed to connect to this MySQL server'),
    login('MySQL', "Access denied for user 'shop'@'10.0.0.1' (using password: YES)", 'shop', OTHER_SECRET),
    login('MySQL', "Access denied for user 'shop'@'10.0.0.1' (using password: YES)", 'shop', {
      ...ROOT_KEY,
      corrections: likely({ 'env[1].valueFrom.secretKeyRef.key': 'mysql-password' }),
    }),
    login('MySQL', "Access denied for user 'app'@'10.0.0.1' (using password: NO)", 'app', {
      ...ofSecret('MYSQL_HOST'),
    }),
    ...['MARIADB_HOST', 'DATABASE_HOST', 'DB_HOST', 'SQL_HOST'].map((name) =>
      login('MySQL', "Access denied for user 'app'@'10.0.0.1' (using password: NO)", 'app', ofSecret(name)),
    ),
    ...['MySQL', 'MariaDB'].map((name): LogRow => [
      `Host '10.0.0.1' is not allowed to connect to this ${name} server`,
      'host 10.0.0.1',
      'the MySQL server lets nobody log in from `10.0.0.1`',
      { advice: "`CREATE USER 'name'@'%'`", where: 'their hosts' },
    ]),
    ...['Database', 'database'].map((word): LogRow => [
      `${word} is uninitialized and password option is not specified`,
      'MYSQL_ROOT_PASSWORD',
      'the new database needs a root password for its first start',
      { advice: 'Set `MYSQL_ROOT_PASSWORD`', where: '`env`', corrections: [] },
    ]),
    [
      'database is uninitialized and password option is not specified',
      'MYSQL_ROOT_PASSWORD',
      'the new database needs a root password',
      {
        container: { image: 'mariadb:11' },
        parts: around({ secrets: [{ name: 'db', keys: ['MARIADB_ROOT_PASSWORD'] }] }),
        corrections: likely({ env: [secretEnv('MARIADB_ROOT_PASSWORD', 'db', 'MARIADB_ROOT_PASSWORD')] }),
      },
    ],
    [
      'database is uninitialized and password option is not specified',
      'MYSQL_ROOT_PASSWORD',
      'the new database needs a root password',
      {
        container: { image: 'mysql:8' },
        parts: around({ secrets: [{ name: 'db', keys: ['MYSQL_ROOT_PASSWORD'] }] }),
        corrections: likely({ env: [secretEnv('MYSQL_ROOT_PASSWORD', 'db', 'MYSQL_ROOT_PASSWORD')] }),
      },
    ],
  ],
  'database-login': [
    [
      'Cannot open database "shop" requested by the login. The login failed.',
      'database shop',
      'the server has no database `shop`, or its user has no right to it',
      { advice: 'Create the database', where: 'the databases of the server' },
    ],
    login('SQL Server', "Login failed for user 'sa'.", 'sa'),
    login('the database server', 'the provided database credentials for `app` are not valid.', 'app'),
  ],
  'redis-login': [
    passwordless('Redis', 'NOAUTH Authentication required.'),
    ...['REDIS_HOST', 'VALKEY_HOST', 'CACHE_HOST'].map((name) => passwordless('Redis', 'NOAUTH Authentication required.', ofSecret(name))),
    passwordless('Redis', 'NOAUTH Authentication required.', {
      container: env({ REDIS_URL: 'redis://db:6379/0', REDIS_PASSWORD: 'a' }),
      corrections: likely({
        'env[0]': { name: 'REDIS_PASSWORD', value: 'a' },
        'env[1]': { name: 'REDIS_URL', value: 'redis://:$(REDIS_PASSWORD)@db:6379/0' },
      }),
    }),
    login('Redis', 'WRONGPASS: no'),
    login('Redis', 'ERR AUTH <password> called without any password configured for the default user.'),
    login('Redis', 'invalid username-password pair or user is disabled.'),
    login('Redis', 'ReplyError: ERR invalid password'),
  ],
  'mongo-login': [
    login('MongoDB', 'MongoServerError: Authentication failed.'),
    login('MongoDB', 'mongo: AuthenticationFailed'),
    login('MongoDB', 'SCRAM: authentication failed'),
    login('MongoDB', 'Command failed with error 18 (AuthenticationFailed)'),
    login('MongoDB', 'code 18, AuthenticationFailed'),
    [
      'MongoServerError: Authentication failed.',
      'MongoDB login (MONGO_URL)',
      'MongoDB refuses its login',
      {
        container: env({ MONGO_URL: 'mongodb://root:pw@db/shop' }),
        corrections: likely({ 'env[0].value': 'mongodb://root:pw@db/shop?authSource=admin' }),
      },
    ],
  ],
  'kafka-broker': [
    login('Kafka', 'org.apache.kafka.common.errors.SaslAuthenticationException: no'),
    login('Kafka', 'SASL authentication failed: no'),
    login('Kafka', 'Kafka: TopicAuthorizationException'),
    broker('Bootstrap broker db:9092 (id: -1) disconnected', 'db:9092'),
    broker('Connection to node -1 (kafka/10.0.0.1:9092) could not be established. Broker may not be available.', 'kafka:9092'),
    broker('the bootstrap broker db could not be established', ''),
    broker('bootstrap servers not available', ''),
    broker('Kafka: UnknownTopicOrPartition', ''),
    broker('Bootstrap broker kafka:9999 disconnected', 'kafka:9999', {
      container: env({ BROKERS: 'kafka:9999' }),
      parts: KAFKA,
      corrections: likely({ 'env[0].value': 'kafka:9092' }),
    }),
    broker('ConfigException: No resolvable bootstrap urls given in bootstrap.servers', ''),
    noBroker(
      "WARN Couldn't resolve server kafak:9092 from bootstrap.servers\nConfigException: No resolvable bootstrap urls given",
      'kafak',
      {
        container: env({ BROKERS: 'kafak:9092' }),
        parts: KAFKA,
        corrections: likely({ 'env[0].value': 'kafka:9092' }),
      },
    ),
    ...['KAFKA_HOST', 'BOOTSTRAP_SERVERS', 'BROKERS'].map((name) =>
      noBroker('ConfigException: No resolvable bootstrap urls given', 'kafak', {
        container: env({ [name]: 'kafak:9092' }),
        parts: KAFKA,
        corrections: likely({ 'env[0].value': 'kafka:9092' }),
      }),
    ),
  ],
  'rabbit-login': [
    login('RabbitMQ', 'ACCESS_REFUSED - Login was refused'),
    login('RabbitMQ', 'aiormq.exceptions.ProbableAuthenticationError: AccessRefused', '', OTHER_SECRET),
  ],
  'postgres-password-missing': [
    [
      'Error: Database is new and superuser password is not specified.',
      'POSTGRES_PASSWORD',
      '`POSTGRES_PASSWORD` is not set',
      {
        advice: 'from a Secret',
        where: '`env`',
        parts: around({ secrets: [{ name: 'db', keys: ['POSTGRES_PASSWORD'] }] }),
        corrections: likely({ env: [secretEnv('POSTGRES_PASSWORD', 'db', 'POSTGRES_PASSWORD')] }),
      },
    ],
  ],
  'data-directory': [
    ...['wrong ownership', 'invalid permissions', 'group or world access'].map((what) =>
      data(`FATAL: data directory "${POSTGRES}" has ${what}`, POSTGRES, { advice: 'with mode 0700 or 0750' }),
    ),
    data('data directory has wrong ownership'),
    data(`initdb: error: directory "${POSTGRES}" exists but is not empty`, POSTGRES),
    data('initdb: directory /data exists but is not empty', '/data'),
    data('version is too recent to start from these data files'),
    data('too old to start on the data files'),
    data('too new to start with data files'),
    data('the data files on disk are incompatible'),
    data('data files of a newer release'),
    data('data files of an older release'),
    data('data files are unsupported'),
    data("the cluster id a doesn't match"),
    data('the clusterID a does not match stored b'),
    data('Downgrade from 8.4 to 8.0 is not supported'),
    data('downgrading is not possible'),
    data('downgrades are not allowed'),
    data('the store was created by a newer version'),
    data('the store was written by a newer version'),
    data('the store was upgraded by a newer version'),
    data('data from an older version is not supported'),
    data('files of an older version are not supported'),
    data('--initialize specified but the data directory has files in it', undefined, {
      ...mounted('/var/lib/mysql'),
      corrections: likely({ 'volumeMounts[1].subPath': 'data' }),
      why: '`lost+found`',
      mirrorable: true,
    }),
    data('--initialize specified but the data directory has files in it', undefined, {
      ...mounted('/var/lib/mysql/', undefined, { subPath: 'db' }),
      corrections: likely({ 'volumeMounts[1].subPath': 'db/data' }),
    }),
    data('directory "/data" exists but is not empty', '/data', mounted('/other-data')),
    data(`directory "${POSTGRES}/" exists but is not empty`, `${POSTGRES}/`, {
      ...mounted(POSTGRES),
      corrections: likely({ env: pgdata() }),
      why: '`lost+found`',
    }),
    data('directory "/data" exists but is not empty', '/data', {
      ...mounted('/data'),
      container: { ...mounted('/data').container, ...env({ A: 'b', PGDATA: '/data' }) },
      corrections: likely({ 'env[1].value': '/data/pgdata' }),
    }),
    data('directory "/data" exists but is not empty', '/data', {
      ...mounted('/data'),
      container: { ...mounted('/data').container, ...env({ POSTGRES_DB: 'b' }) },
      corrections: likely({ 'env[1]': pgdata('/data/pgdata')[0] }),
    }),
    data(`data directory "${POSTGRES}" has wrong ownership`, POSTGRES, {
      ...mounted(POSTGRES),
      advice: '`PGDATA`',
      corrections: guess({ env: pgdata() }),
      why: 'with the mode that it wants',
    }),
    data(`data directory "${POSTGRES}/" has wrong ownership`, `${POSTGRES}/`, {
      ...mounted(POSTGRES, { emptyDir: {} }),
      advice: '`PGDATA`',
      corrections: likely({ env: pgdata() }),
    }),
    data(`data directory "${POSTGRES}" has wrong ownership`, POSTGRES, {
      ...mounted(`${POSTGRES}/`, { emptyDir: {} }),
      advice: '`PGDATA`',
      corrections: likely({ env: pgdata() }),
    }),
  ],
  'postgres-18-folder': [
    [
      'Error: in 18+, these Docker images are configured to store database data in a format',
      'mount /var/lib/postgresql/data',
      'PostgreSQL 18 keeps its data in a folder for each version',
      {
        advice: 'Mount the volume at `/var/lib/postgresql`',
        where: '`PGDATA`',
        ...mounted(`${POSTGRES}/`),
        corrections: likely({ 'volumeMounts[1].mountPath': '/var/lib/postgresql' }),
        why: 'a folder for each version',
      },
    ],
    [
      'Error: in 18+, these Docker images are configured',
      'mount /var/lib/postgresql/data',
      'PostgreSQL 18',
      {
        container: { volumeMounts: [{ name: 'data', mountPath: POSTGRES }] },
        corrections: likely({ 'volumeMounts[0].mountPath': '/var/lib/postgresql' }),
      },
    ],
    [
      'Error: in 18+, these Docker images are configured',
      'mount /var/lib/postgresql/data',
      'PostgreSQL 18',
      { ...mounted('/data'), corrections: [] },
    ],
  ],
  'kind-missing': [
    kind(
      'no matches for kind "Certificate" in version "cert-manager.io/v1"',
      'Certificate',
      'the cluster has no kind `Certificate` (`cert-manager.io/v1`)',
    ),
    kind(
      String.raw`no matches for kind \"Certificate\" in group \"cert-manager.io\"`,
      'Certificate',
      'no kind `Certificate` (`cert-manager.io`)',
    ),
    kind('Gateway is enabled, could not find the requested resource', 'Gateway is enabled, could not find the requested resource', '', {
      container: { args: ['--feature-gates=Gateway=true,Other=true'] },
      corrections: guess({ 'args[0]': '--feature-gates=Other=true' }),
    }),
    kind(
      'the server could not find the requested resource',
      'the server could not find the requested resource',
      'the cluster does not have this kind',
    ),
  ],
  'http-credentials': [
    credentials('got status 401'),
    credentials('Status: 403'),
    credentials('status code: 401'),
    credentials('Status Code 403'),
    credentials('HTTP 403'),
    credentials('an Error: 401'),
    credentials('code=403'),
    credentials('server got 401'),
    credentials('code: 403. Errors: none'),
    credentials('401 Unauthorized'),
    credentials('the answer 403 Forbidden'),
    credentials('Invalid API Key'),
    credentials('invalid api key'),
    credentials('invalid token'),
    credentials('Invalid access token'),
    credentials('oauth2: "invalid_client"'),
    credentials('AccessDenied: no'),
    credentials('ExpiredToken: no'),
    credentials('SignatureDoesNotMatch: no'),
  ],
});
otherLogs(test, {
  'postgres-relation': ['the relation of both does not matter, error', 'file "x" does not exist'],
  'mysql-login': ['Host is not allowed to connect'],
  'mongo-login': ['pg: authentication failed'],
  'data-directory': ['data directory created, then an error', 'downgrade to 1.2 fails'],
  'kind-missing': ['no kind is registered for the type v1.Foo'],
  'http-credentials': [
    'status 4010',
    'took 401 ms, error',
    'error: 403. Errors:',
    'An error occurred (AccessDenied) when calling the ListObjects operation',
  ],
});

test.run();
