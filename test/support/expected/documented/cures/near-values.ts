import type { CureRow } from './cure.ts';
import { app, crash, guess, likely, map, secret } from './rows.ts';

const mounted = (mountPath: string) => ({ volumeMounts: [{ name: 'v', mountPath }] });
const ofSecret = (secretName: string) => ({ volumes: [{ name: 'v', secret: { secretName } }] });
const ofMap = (name: string) => ({ volumes: [{ name: 'v', configMap: { name } }] });
const variable = (name: string, value: string) => ({ env: [{ name, value }] });

/** Variables with the path of a file. A volume has the file under a similar name. */
const PATHS: Record<string, CureRow> = {
  'a password file whose folder and key are joined by a dash': crash(
    '/usr/local/bin/docker-entrypoint.sh: line 21: /run/secrets/db-password: No such file or directory',
    { ...variable('POSTGRES_PASSWORD_FILE', '/run/secrets/db-password'), ...mounted('/run/secrets/db') },
    { culprit: /db-password/, best: { [`${app}.env[0].value`]: '/run/secrets/db/password' }, ...likely, says: /does not exist/ },
    [secret('login', 'username', 'password')],
    ofSecret('login'),
  ),
  'a password file in the folder above its mount': crash(
    'cat: /run/secrets/password: No such file or directory',
    { ...variable('MARIADB_ROOT_PASSWORD_FILE', '/run/secrets/password'), ...mounted('/run/secrets/db') },
    { culprit: /password/, best: { [`${app}.env[0].value`]: '/run/secrets/db/password' }, ...likely },
    [secret('login', 'username', 'password')],
    ofSecret('login'),
  ),
  'a file for a password under a longer name than its key': crash(
    "FileNotFoundError: [Errno 2] No such file or directory: '/etc/redis/redis-password'",
    { ...variable('REDIS_PASSWORD_FILE', '/etc/redis/redis-password'), ...mounted('/etc/redis') },
    { culprit: /redis-password/, best: { [`${app}.env[0].value`]: '/etc/redis/password' }, ...likely },
    [secret('login', 'password', 'user')],
    ofSecret('login'),
  ),
  'a file that Spring imports under the short name of its stage': crash(
    "Config data resource 'file [/config/application-prod.yml]' via location 'file:/config/application-prod.yml' does not exist",
    { ...variable('SPRING_CONFIG_IMPORT', 'file:/config/application-prod.yml'), ...mounted('/config') },
    {
      culprit: /application-prod\.yml/,
      best: { [`${app}.env[0].value`]: 'file:/config/application-production.yml' },
      ...likely,
    },
    [map('settings', 'application-production.yml')],
    ofMap('settings'),
  ),
  'a file of rules by the end of its name, whose folder is another variable': crash(
    'Error: open /etc/gate/rules.json: no such file or directory',
    {
      env: [
        { name: 'RULES_DIR', value: '/etc/gate' },
        { name: 'RULES_FILE', value: 'rules.json' },
      ],
      ...mounted('/etc/gate'),
    },
    { culprit: /rules\.json/, best: { [`${app}.env[1].value`]: 'gate-rules.json' }, ...likely },
    [map('gate', 'gate-rules.json', 'limits.json')],
    ofMap('gate'),
  ),
  'a file of another stage than that of the mounted one': crash(
    'Error: open /config/app-prod.yml: no such file or directory',
    { ...variable('APP_CONFIG', '/config/app-prod.yml'), ...mounted('/config') },
    { culprit: /app-prod\.yml/, best: null },
    [map('settings', 'app-dev.yml', 'log.yml')],
    ofMap('settings'),
  ),
  'a user name, where the volume has only a password': crash(
    '/docker-entrypoint.sh: line 9: /run/secrets/db-user: No such file or directory',
    { ...variable('POSTGRES_USER_FILE', '/run/secrets/db-user'), ...mounted('/run/secrets') },
    { culprit: /db-user/, best: null, says: /does not exist/ },
    [secret('login', 'db-pass', 'token')],
    ofSecret('login'),
  ),
  'a key, where the volume has only certificates': crash(
    'open /tls/client.key: no such file or directory',
    { ...variable('CLIENT_KEY', '/tls/client.key'), ...mounted('/tls') },
    { culprit: /client\.key/, best: null },
    [secret('tls', 'client.crt', 'ca.crt')],
    ofSecret('tls'),
  ),
  'a second password, where the near one is used already': crash(
    '/entrypoint.sh: line 30: /run/secrets/db/replication-password: No such file or directory',
    {
      env: [
        { name: 'PASSWORD_FILE', value: '/run/secrets/db/password' },
        { name: 'REPLICATION_PASSWORD_FILE', value: '/run/secrets/db/replication-password' },
      ],
      ...mounted('/run/secrets/db'),
    },
    { culprit: /replication-password/, best: { [`${app}.env[1].value`]: '/run/secrets/db/password' }, ...guess },
    [secret('login', 'password', 'username')],
    ofSecret('login'),
  ),
  'a program that a variable names': crash(
    '/entrypoint.sh: line 4: /opt/shop/server: No such file or directory',
    variable('SERVER_BIN', '/opt/shop/server'),
    { culprit: /\/opt\/shop\/server/, best: null, says: /not in the image/ },
  ),
};

const etcd = (name: string, cluster: string) => ({
  env: [
    { name: 'ETCD_NAME', value: name },
    { name: 'ETCD_INITIAL_CLUSTER', value: cluster },
  ],
});
const NOT_IN_CLUSTER = (name: string) =>
  `{"level":"fatal","ts":"2026-11-20T09:14:02.120Z","msg":"discovery failed","error":"couldn't find local name \\"${name}\\" in the initial cluster configuration"}`;

/** Values that must also be in another variable or option. */
const ENTRIES: Record<string, CureRow> = {
  'a member that its cluster spells with a dash': crash(
    NOT_IN_CLUSTER('etcd1'),
    etcd('etcd1', 'etcd-0=http://etcd-0.etcd:2380,etcd-1=http://etcd-1.etcd:2380,etcd-2=http://etcd-2.etcd:2380'),
    { culprit: /etcd1/, best: { [`${app}.env[0].value`]: 'etcd-1' }, ...likely },
  ),
  'a member in an option': crash(
    NOT_IN_CLUSTER('infra_0'),
    { args: ['etcd', '--name=infra_0', '--initial-cluster=infra0=http://infra0:2380,infra1=http://infra1:2380'] },
    { culprit: /infra_0/, best: { [`${app}.args[1]`]: '--name=infra0' }, ...likely },
  ),
  'a region that a list of regions spells otherwise': crash(
    "ValueError: default region 'eu_central' is not in the configured regions",
    {
      env: [
        { name: 'SHOP_REGION', value: 'eu_central' },
        { name: 'SHOP_REGIONS', value: 'eu-central, us-east' },
      ],
    },
    { culprit: /eu_central/, best: { [`${app}.env[0].value`]: 'eu-central' }, ...likely },
  ),
  'a listener with a letter too few': crash(
    'Error: unknown listener "INTERNL"',
    {
      env: [
        { name: 'BROKER_MAIN_LISTENER', value: 'INTERNL' },
        { name: 'BROKER_LISTENERS', value: 'INTERNAL://:9092,EXTERNAL://:9094' },
      ],
    },
    { culprit: /INTERNL/, best: { [`${app}.env[0].value`]: 'INTERNAL' }, ...likely },
  ),
  'a member that is none of its cluster': crash(
    NOT_IN_CLUSTER('etcd-3'),
    etcd('etcd-3', 'etcd-0=http://etcd-0.etcd:2380,etcd-1=http://etcd-1.etcd:2380,etcd-2=http://etcd-2.etcd:2380'),
    { culprit: /etcd-3/, best: null },
  ),
  'a tenant that resembles two of a list': crash(
    'Error: unknown tenant "acme-x"',
    {
      env: [
        { name: 'TENANT', value: 'acme-x' },
        { name: 'TENANTS', value: 'acme-a,acme-b' },
      ],
    },
    { culprit: /acme-x/, best: null },
  ),
  'a queue that another program has in a list': crash(
    'Error: queue "orders-v" does not exist',
    {
      env: [
        { name: 'QUEUE', value: 'orders-v' },
        { name: 'METRIC_LABELS', value: 'orders,payments' },
      ],
    },
    { culprit: /orders-v/, best: null },
  ),
  'a member of the list that is refused for something else': crash(
    'Error: shard "eu-1" not found in the directory',
    {
      env: [
        { name: 'SHARD_NAME', value: 'eu-1' },
        { name: 'SHARD_ALL', value: 'eu-1=a:1,eu1=b:1' },
      ],
    },
    { culprit: /eu-1/, best: null },
  ),
};

const PANIC =
  "thread 'main' panicked at src/main.rs:41:62:\ncalled `Result::unwrap()` on an `Err` value: AddrParseError(Socket)\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n";
const port = (containerPort: number, name?: string) => ({ containerPort, ...(name ? { name } : {}) });

/** Addresses to listen on without a port. */
const LISTENS: Record<string, CureRow> = {
  'an address to listen on without its port, which the log names': crash(
    `INFO edge: starting BIND_ADDR=0.0.0.0\n${PANIC}`,
    {
      env: [
        { name: 'RUST_LOG', value: 'info' },
        { name: 'BIND_ADDR', value: '0.0.0.0' },
        { name: 'METRICS_BIND', value: '0.0.0.0' },
      ],
      ports: [port(7878)],
    },
    { culprit: /^BIND_ADDR=0\.0\.0\.0/, best: { [`${app}.env[1].value`]: '0.0.0.0:7878' }, ...likely },
  ),
  'an address without a port beside that of the metrics': crash(
    '2026/11/20 09:14:02 listen tcp: address 0.0.0.0: missing port in address',
    {
      env: [
        { name: 'LISTEN', value: '0.0.0.0' },
        { name: 'METRICS_LISTEN', value: '0.0.0.0:9090' },
      ],
      ports: [port(8080, 'http'), port(9090, 'metrics')],
    },
    { culprit: /LISTEN/, best: { [`${app}.env[0].value`]: '0.0.0.0:8080' }, ...likely },
  ),
  'an address of IPv6 without a port, which the probe names': crash(
    'Error: invalid socket address syntax',
    { env: [{ name: 'HTTP_LISTEN', value: '::' }], readinessProbe: { tcpSocket: { port: 3000 } } },
    { culprit: /HTTP_LISTEN/, best: { [`${app}.env[0].value`]: '[::]:3000' }, ...likely },
  ),
  'an option with an address that must have a port': crash(
    'Error: --bind must be host:port',
    { args: ['serve', '--bind=0.0.0.0'], ports: [port(5000)] },
    { culprit: /--bind/, best: { [`${app}.args[1]`]: '--bind=0.0.0.0:5000' }, ...likely },
  ),
  'an address without a port, where the manifest has none': crash(
    PANIC,
    { env: [{ name: 'BIND_ADDR', value: '0.0.0.0' }] },
    { culprit: /^BIND_ADDR/, best: null },
  ),
  'a port that is missing as a variable, beside an address': crash(
    'Error: PORT is missing',
    { env: [{ name: 'BIND_ADDRESS', value: '0.0.0.0' }], ports: [port(8080)] },
    { culprit: /^PORT/, best: null },
  ),
  'two addresses without a port, and no word of which': crash(
    PANIC,
    {
      env: [
        { name: 'API_ADDR', value: '0.0.0.0' },
        { name: 'ADMIN_ADDR', value: '0.0.0.0' },
      ],
      ports: [port(8080)],
    },
    { culprit: /^AddrParseError/, best: null },
  ),
  'a host whose port is a variable of its own': crash(
    PANIC,
    {
      env: [
        { name: 'HOST', value: '0.0.0.0' },
        { name: 'PORT', value: '80800' },
      ],
      ports: [port(8080)],
    },
    { culprit: /AddrParseError/, best: null },
  ),
  'a server without a port that is called, not listened on': crash(
    'panic: dial tcp: address cache: missing port in address',
    {
      env: [
        { name: 'CACHE', value: 'cache' },
        { name: 'LISTEN', value: '0.0.0.0' },
      ],
      ports: [port(8080)],
    },
    { culprit: /cache/, best: null },
  ),
};

const OLD = { best: null, says: /already stands in the way/ };

/** Rows that a constraint does not allow. No change of the pod cures them. */
const ROWS: Record<string, CureRow> = {
  'rows without a value that a migration requires': crash(
    'Traceback (most recent call last):\n  File "/usr/local/lib/python3.12/site-packages/sqlalchemy/engine/base.py", line 1967, in _exec\nsqlalchemy.exc.IntegrityError: (psycopg2.errors.NotNullViolation) column "email" of relation "profile" contains null values\n[SQL: ALTER TABLE profile ALTER COLUMN email SET NOT NULL]',
    {},
    { culprit: /column "email"/, ...OLD },
  ),
  'rows that are there twice, where a migration wants one': crash(
    'goose run: ERROR 00012_unique_email.sql: failed to run SQL migration: ERROR: could not create unique index "users_email_key" (SQLSTATE 23505)',
    {},
    { culprit: /users_email_key/, ...OLD },
  ),
  'a foreign key that rows of MySQL do not meet': crash(
    'Migration failed for changeset db/changelog.xml::7::shop: Cannot add or update a child row: a foreign key constraint fails (`shop`.`#sql-1_2`, CONSTRAINT `fk_owner` FOREIGN KEY (`owner`) REFERENCES `users` (`id`))',
    {},
    { culprit: /./, ...OLD },
  ),
  'a check that rows of SQL Server do not meet': crash(
    'Unhandled exception. Microsoft.Data.SqlClient.SqlException (0x80131904): The ALTER TABLE statement conflicted with the CHECK constraint "CK_price".',
    {},
    { culprit: /CK_price/, ...OLD },
  ),
  'a row that a job writes again': crash(
    'sqlite3.IntegrityError: UNIQUE constraint failed: users.name',
    {},
    { culprit: /users\.name/, best: null, says: /refuses a row/ },
  ),
  'a refused row of a request, before the program ends for another reason': crash(
    'ERROR duplicate key value violates unique constraint "orders_pkey"\nlistening on :8080\nFATAL: the variable LICENSE_KEY is not set',
    {},
    { culprit: /LICENSE_KEY/, best: null },
  ),
  'a migration that fails for its own words': crash(
    'error: migration failed: syntax error at or near "ALTR" in line 0: ALTR TABLE users',
    {},
    { culprit: /ALTR|migration/, best: null, says: /^(?!.*stands in the way)/s },
  ),
};

/** Values that are almost equal to something else in the pod. Each family has near misses. */
export const NEAR_VALUES: Record<string, CureRow> = { ...PATHS, ...ENTRIES, ...LISTENS, ...ROWS };
