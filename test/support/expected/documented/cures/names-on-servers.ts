import type { CureRow } from './cure.ts';
import { app, crash, env, fromSecret, likely, plain, secret, server, service, settings } from './rows.ts';

const noDatabase = (name: string) => `org.postgresql.util.PSQLException: FATAL: database "${name}" does not exist\n`;
const refusedLogin = (user: string) => `FATAL:  password authentication failed for user "${user}"\n`;

/** Databases, users, virtual hosts, buckets and realms that a server does not have, where the namespace shows what it has; then near misses. */
export const NAMES_ON_SERVERS: Record<string, CureRow> = {
  'a database, as the pod of the server was set up': crash(
    noDatabase('orders_prod'),
    env({ DATABASE_URL: 'postgres://orders@pg:5432/orders_prod?sslmode=disable' }),
    { culprit: /orders_prod/, best: { [`${app}.env[0].value`]: 'postgres://orders@pg:5432/orders?sslmode=disable' }, ...likely },
    server('pg', 5432, [plain('POSTGRES_DB', 'orders')]),
  ),
  'a database that PostgreSQL calls like its user': crash(
    noDatabase('main'),
    env({ PGHOST: 'pg', PGDATABASE: 'main' }),
    { culprit: /main/, best: { [`${app}.env[1].value`]: 'ledger' }, ...likely },
    server('pg', 5432, [plain('POSTGRES_USER', 'ledger')]),
  ),
  'a database, as a ConfigMap of the server says': crash(
    "ERROR 1049 (42000): Unknown database 'shop_prod'\n",
    env({ DB_HOST: 'mysql', DB_DATABASE: 'shop_prod' }),
    { culprit: /shop_prod/, best: { [`${app}.env[1].value`]: 'webshop' }, ...likely },
    [service('mysql', 3306), settings('mysql', { MYSQL_DATABASE: 'webshop' })],
  ),
  'a database, as another container of the pod has it': crash(
    noDatabase('crm_prod'),
    env({ DATABASE_URL: 'postgresql://crm:x@pg:5432/crm_prod' }),
    { culprit: /crm_prod/, best: { [`${app}.env[0].value`]: 'postgresql://crm:x@pg:5432/crm_production' }, ...likely },
    [service('pg', 5432)],
    { initContainers: [{ name: 'migrate', image: 'x', env: [plain('DATABASE_URL', 'postgresql://crm:x@pg:5432/crm_production')] }] },
  ),
  'a user, where the password is that of the server': crash(
    "SQLSTATE[HY000] [1045] Access denied for user 'laravel'@'10.244.2.37' (using password: YES)\n",
    { env: [plain('DB_HOST', 'shop-mysql'), plain('DB_USERNAME', 'laravel'), fromSecret('DB_PASSWORD', 'shop-mysql', 'mysql-password')] },
    { culprit: /laravel/, best: { [`${app}.env[1].value`]: 'shop' }, ...likely },
    [
      ...server('shop-mysql', 3306, [plain('MYSQL_USER', 'shop'), fromSecret('MYSQL_PASSWORD', 'shop-mysql', 'mysql-password')]),
      secret('shop-mysql', 'mysql-password'),
    ],
  ),
  'a user, as the server was set up': crash(
    'FATAL:  role "app" does not exist\n',
    env({ PGHOST: 'pg', PGUSER: 'app', PGDATABASE: 'ledger' }),
    { culprit: /app/, best: { [`${app}.env[1].value`]: 'ledger_app' }, ...likely },
    server('pg', 5432, [plain('POSTGRES_USER', 'ledger_app'), plain('POSTGRES_DB', 'ledger')]),
  ),
  'a password from another Secret than the one of the server': crash(
    refusedLogin('shop'),
    { env: [plain('PGHOST', 'pg'), plain('PGUSER', 'shop'), fromSecret('PGPASSWORD', 'old-pg', 'password')] },
    {
      culprit: /login of shop/,
      best: { [`${app}.env[2].valueFrom.secretKeyRef.name`]: 'pg', [`${app}.env[2].valueFrom.secretKeyRef.key`]: 'pg-password' },
      ...likely,
    },
    [
      ...server('pg', 5432, [plain('POSTGRES_USER', 'shop'), fromSecret('POSTGRES_PASSWORD', 'pg', 'pg-password')]),
      secret('pg', 'pg-password'),
      secret('old-pg', 'password'),
    ],
  ),
  'a user, where the server has its own from a Secret': crash(
    'amqp.exceptions.AccessRefused: (0, 0): (403) ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN\n',
    { env: [plain('MQ_HOST', 'broker'), plain('MQ_USER', 'dispatch'), fromSecret('MQ_PASSWORD', 'broker', 'password')] },
    {
      culprit: /RabbitMQ login/,
      best: { [`${app}.env[1]`]: { name: 'MQ_USER', valueFrom: { secretKeyRef: { name: 'broker', key: 'username' } } } },
      ...likely,
    },
    server('broker', 5672, [
      fromSecret('RABBITMQ_DEFAULT_USER', 'broker', 'username'),
      fromSecret('RABBITMQ_DEFAULT_PASS', 'broker', 'password'),
    ]),
  ),
  'a virtual host, as the definitions of the broker have it': crash(
    'Error: Expected ConnectionOpenOk; got <ConnectionClose channel:0>\n    at Connection.recv (/app/node_modules/amqplib/lib/connection.js:159:14)\n',
    env({ AMQP_URL: 'amqp://parcels:x@rabbitmq:5672/tracking' }),
    { culprit: /AMQP_URL .*tracking/, best: { [`${app}.env[0].value`]: 'amqp://parcels:x@rabbitmq:5672/track-and-trace' }, ...likely },
    [
      service('rabbitmq', 5672),
      settings('definitions', { 'definitions.json': '{"permissions":[{"user":"parcels","vhost":"track-and-trace"}]}' }),
    ],
  ),
  'a virtual host, of which the user of the address is a slip': crash(
    'NOT_ALLOWED - vhost order not found\n',
    env({ AMQP_URL: 'amqp://orders:x@rabbitmq:5672/order' }),
    { culprit: /vhost order/, best: { [`${app}.env[0].value`]: 'amqp://orders:x@rabbitmq:5672/orders' }, ...likely },
    [service('rabbitmq', 5672)],
  ),
  'a bucket, as a script of the store makes it': crash(
    'Fatal: unable to open config file: Stat: The specified bucket does not exist\n',
    env({ RESTIC_REPOSITORY: 's3:http://minio:9000/backup/files' }),
    { culprit: /bucket backup/, best: { [`${app}.env[0].value`]: 's3:http://minio:9000/backups/files' }, ...likely },
    [
      service('minio', 9000),
      settings('buckets', { 'create.sh': 'mc mb --ignore-existing m/backups\nmc mb --ignore-existing m/radiology\n' }),
    ],
  ),
  'a realm, as another object has it': crash(
    'ERROR: could not get verifier: unexpected status "404": {"error":"Realm does not exist"}\n',
    { args: ['--oidc-issuer-url=https://sso.example.org/realms/employees', '--upstream=http://web:8080'] },
    { culprit: /employees/, best: { [`${app}.args[0]`]: '--oidc-issuer-url=https://sso.example.org/realms/staff' }, ...likely },
    [settings('web', { OIDC_AUTHORITY: 'https://sso.example.org/realms/staff' })],
  ),
  // Near misses.
  'two servers with different databases': crash(
    noDatabase('orders_prod'),
    env({ DATABASE_URL: 'postgres://orders@pg:5432/orders_prod', LEDGER_URL: 'postgres://ledger@ledger-pg:5432/ledger' }),
    { culprit: /orders_prod/, best: null },
    [...server('pg', 5432, [plain('POSTGRES_DB', 'a')]), ...server('ledger-pg', 5432, [plain('POSTGRES_DB', 'ledger')])],
  ),
  'a database that the server should have': crash(
    noDatabase('orders'),
    env({ DATABASE_URL: 'postgres://orders@pg:5432/orders' }),
    { culprit: /orders/, best: null },
    server('pg', 5432, [plain('POSTGRES_DB', 'orders')]),
  ),
  'a database, and a ConfigMap of something else': crash(
    noDatabase('orders'),
    env({ DATABASE_URL: 'postgres://shop@pg:5432/orders' }),
    { culprit: /orders/, best: null },
    [service('pg', 5432), settings('web', { SITE_NAME: 'webshop', POSTGRES_HOST: 'pg' })],
  ),
  'the password of the server, and its plain user': crash(
    refusedLogin('shop'),
    { env: [plain('PGHOST', 'pg'), plain('PGUSER', 'shop'), fromSecret('PGPASSWORD', 'pg', 'password')] },
    { culprit: /login of shop/, best: null },
    [...server('pg', 5432, [plain('POSTGRES_USER', 'shop'), fromSecret('POSTGRES_PASSWORD', 'pg', 'password')]), secret('pg', 'password')],
  ),
  'several buckets, none of them similar': crash(
    'Fatal: unable to open config file: Stat: The specified bucket does not exist\n',
    env({ RESTIC_REPOSITORY: 's3:http://minio:9000/files' }),
    { culprit: /bucket files/, best: null },
    [service('minio', 9000), settings('buckets', { 'create.sh': 'mc mb m/backups\nmc mb m/radiology\n' })],
  ),
};
