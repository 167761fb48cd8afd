import type { CureRow } from './cure.ts';
import { app, crash, env, fromSecret, guess, likely, secret, server, service } from './rows.ts';

const RUST = 'Error: error communicating with database: failed to lookup address information: Name or service not known\n';
const KAFKA =
  'org.apache.kafka.common.config.ConfigException: No resolvable bootstrap urls given in bootstrap.servers\n\tat a.b.C.d(C.java:8)\n';
const LARAVEL = 'SQLSTATE[HY000] [2002] Connection refused (Connection: mysql, SQL: select * from `migrations`)\n';
const SIDEKIQ = 'Error connecting to Redis on 127.0.0.1:6379 (Errno::ECONNREFUSED) (RedisClient::CannotConnectError)\n';
const laravel = (host: string) => env({ DB_CONNECTION: 'mysql', DB_HOST: host, DB_PORT: '3306', DB_DATABASE: 'shop' });

/** Servers that a log does not name, and settings under names that the program does not read. */
export const UNNAMED_SERVERS: Record<string, CureRow> = {
  'a name that is not known, which the log does not say': crash(
    RUST,
    env({ DATABASE_URL: 'postgres://app:x@postgress:5432/shop', RUST_LOG: 'info' }),
    { culprit: /postgress/, best: { [`${app}.env[0].value`]: 'postgres://app:x@postgres:5432/shop' }, ...likely },
    [service('postgres', 5432)],
  ),
  'two names that are not known, of which the log says none': crash(
    RUST,
    env({ DATABASE_URL: 'postgres://app:x@postgress:5432/shop', CACHE_HOST: 'rediss-1' }),
    { culprit: /^(?!(?:lookup|address)$)/, best: null },
    [service('postgres', 5432)],
  ),
  'names that are all known': crash(
    RUST,
    env({ DATABASE_URL: 'postgres://app:x@postgres:5432/shop' }),
    { culprit: /^(?!(?:lookup|address)$)/, best: null },
    [service('postgres', 5432)],
  ),
  'brokers whose names are not known': crash(
    KAFKA,
    env({ GROUP_ID: 'a', KAFKA_BOOTSTRAP_SERVERS: 'kafka-brokr:9092' }),
    { culprit: /kafka-brokr/, best: { [`${app}.env[1].value`]: 'kafka-broker:9092' }, ...likely },
    [service('kafka-broker', 9092)],
  ),
  'brokers of the internet': crash(
    KAFKA,
    env({ KAFKA_BOOTSTRAP_SERVERS: 'b-1.shop.kafka.example.com:9092' }),
    { culprit: /./, best: null },
    [service('kafka-broker', 9092)],
  ),
  'a database on the own host, which the log does not say': crash(
    LARAVEL,
    laravel('127.0.0.1'),
    { culprit: /127\.0\.0\.1:3306/, best: { [`${app}.env[1].value`]: 'mysql' }, ...likely },
    [service('mysql', 3306)],
  ),
  'Redis under a name that its client does not read': crash(
    SIDEKIQ,
    env({ RAILS_ENV: 'production', REDIS_ADDRESS: 'redis://redis:6379/0' }),
    { culprit: /127\.0\.0\.1:6379/, best: { [`${app}.env[1].name`]: 'REDIS_URL' }, ...guess },
    [service('redis', 6379)],
  ),
  'Redis under the name that its client reads': crash(
    SIDEKIQ,
    env({ RAILS_ENV: 'production', REDIS_URL: 'redis://redis:6379/0' }),
    { culprit: /127\.0\.0\.1:6379/, best: null },
    [service('redis', 6379)],
  ),
  'a URL without a scheme, as Go says it': crash(
    'panic: parse "redis:6379": first path segment in URL cannot contain colon\n\ngoroutine 1 [running]:\n',
    env({ REDIS_URL: 'redis:6379', PORT: '8080' }),
    { culprit: /redis:6379/, best: { [`${app}.env[0].value`]: 'redis://redis:6379' }, ...likely },
    [service('redis', 6379)],
  ),
  'an address of a Java driver in another program': crash(
    'PrismaClientInitializationError: error: Error validating datasource `db`: the URL must start with the protocol `postgresql://` or `postgres://`.\n',
    env({ PORT: '3000', DATABASE_URL: 'jdbc:postgresql://db:5432/shop' }),
    { culprit: /DATABASE_URL/, best: { [`${app}.env[1].value`]: 'postgresql://db:5432/shop' }, ...likely },
    [service('db', 5432)],
  ),
  'a variable that Elixir cannot fetch': crash(
    '** (System.EnvError) could not fetch environment variable "SECRET_KEY_BASE" because it is not set\n    (elixir 1.16.2) lib/system.ex:705: System.fetch_env!/1\n',
    env({ PHX_HOST: 'shop.example.com' }),
    {
      culprit: /SECRET_KEY_BASE/,
      best: {
        [`${app}.env[1]`]: { name: 'SECRET_KEY_BASE', valueFrom: { secretKeyRef: { name: 'phoenix', key: 'secret-key-base' } } },
      },
      ...likely,
    },
    [secret('phoenix', 'secret-key-base', 'cookie')],
  ),
  'a key of a whole Secret that is not called as the variable': crash(
    'Traceback (most recent call last):\n  File "/app/send.py", line 9, in <module>\nKeyError: \'SENDGRID_API_KEY\'\n',
    { envFrom: [{ secretRef: { name: 'mail' } }] },
    {
      culprit: /SENDGRID_API_KEY/,
      best: { [`${app}.env`]: [{ name: 'SENDGRID_API_KEY', valueFrom: { secretKeyRef: { name: 'mail', key: 'SENDGRID_KEY' } } }] },
    },
    [secret('mail', 'SENDGRID_KEY', 'SENDER')],
  ),
  'a key of a whole Secret that is called otherwise': crash(
    'Traceback (most recent call last):\n  File "/app/send.py", line 9, in <module>\nKeyError: \'SENDGRID_API_KEY\'\n',
    { envFrom: [{ secretRef: { name: 'mail' } }] },
    { culprit: /SENDGRID_API_KEY/, best: null },
    [secret('mail', 'SMTP_PASSWORD', 'SENDER')],
  ),
  'a user without a right to the virtual host of an address without one': crash(
    "amqp.exceptions.NotAllowed: Connection.open: (530) NOT_ALLOWED - access to vhost '/' refused for user 'shop'\n",
    env({ CELERY_BROKER_URL: 'amqp://shop:x@rabbitmq:5672/' }),
    { culprit: /vhost \//, best: { [`${app}.env[0].value`]: 'amqp://shop:x@rabbitmq:5672/shop' }, ...likely },
    server('rabbitmq', 5672, [{ name: 'RABBITMQ_DEFAULT_VHOST', value: 'shop' }]),
  ),
  'the port of a Service that Kubernetes sets': crash(
    'RangeError [ERR_SOCKET_BAD_PORT]: Port should be >= 0 and < 65536. Received type number (NaN).\n    at lookupAndConnect (node:net:1321:5)\n',
    env({ NODE_ENV: 'production', REDIS_HOST: 'redis' }),
    { culprit: /REDIS_PORT/, best: { 'spec.enableServiceLinks': false }, ...likely },
    [service('redis', 6379), service('shop', 80)],
  ),
  'a name for mail under its older name': crash(
    'In EnvVarProcessor.php line 171:\n\n  Environment variable not found: "MAILER_DSN".\n',
    env({ APP_ENV: 'prod', MAILER_URL: 'smtp://mail:25' }),
    { culprit: /MAILER_DSN/, best: { [`${app}.env[1].name`]: 'MAILER_DSN' }, ...likely },
  ),
  'an adapter of Rails by the name of its server': crash(
    'LoadError: cannot load such file -- active_record/connection_adapters/mysql_adapter\n',
    env({ RAILS_ENV: 'production', DATABASE_URL: 'mysql://shop:x@mysql:3306/shop' }),
    { culprit: /mysql_adapter/, best: { [`${app}.env[1].value`]: 'mysql2://shop:x@mysql:3306/shop' }, ...likely },
    [service('mysql', 3306)],
  ),
  'tables that a switch keeps from being made': crash(
    '** (Postgrex.Error) ERROR 42P01 (undefined_table) relation "rates" does not exist\n',
    env({ RUN_MIGRATIONS: 'false' }),
    { culprit: /rates/, best: { [`${app}.env[0].value`]: 'true' }, ...guess },
  ),
  'a password that breaks an address, as Rust says it': crash(
    'Error: connecting to Postgres\n\nCaused by:\n    0: error with configuration: invalid port number\n    1: invalid port number\n',
    env({ DATABASE_URL: 'postgres://tracker:m7/Kpq@postgres:5432/tracker' }),
    { culprit: /DATABASE_URL/, best: { [`${app}.env[0].value`]: 'postgres://tracker:m7%2FKpq@postgres:5432/tracker' }, ...likely },
    [service('postgres', 5432)],
  ),
  'a password that stands behind the address': crash(
    'ReplyError: NOAUTH Authentication required.\n    at parseError (/app/node_modules/redis-parser/lib/parser.js:179:12)\n',
    { env: [{ name: 'REDIS_URL', value: 'redis://redis:6379/0' }, fromSecret('REDIS_PASSWORD', 'redis', 'redis-password')] },
    {
      culprit: /Redis/,
      best: {
        [`${app}.env[0]`]: fromSecret('REDIS_PASSWORD', 'redis', 'redis-password'),
        [`${app}.env[1]`]: { name: 'REDIS_URL', value: 'redis://:$(REDIS_PASSWORD)@redis:6379/0' },
      },
      ...likely,
    },
    [service('redis', 6379), secret('redis', 'redis-password')],
  ),
  'a port by its name, for a program': crash(
    "Error: Invalid value for '--port': 'web' is not a valid integer.\n",
    { command: ['uvicorn', 'main:app'], args: ['--port', 'web'], ports: [{ name: 'web', containerPort: 8000 }] },
    { culprit: /--port/, best: { [`${app}.args[1]`]: '8000' }, ...likely },
  ),
  'the address of Flyway under another name': crash(
    'ERROR: Unable to connect to the database. Configure the url, user and password!\n',
    env({ FLYWAY_JDBC_URL: 'jdbc:postgresql://db:5432/shop', FLYWAY_USER: 'app' }),
    { culprit: /FLYWAY_URL/, best: { [`${app}.env[0].name`]: 'FLYWAY_URL' }, ...guess },
  ),
  'the data source of Quarkus under another name': crash(
    'Caused by: io.quarkus.runtime.configuration.ConfigurationException: Model classes are defined for the default persistence unit <default> but configured datasource <default> not found: the default EntityManagerFactory will not be created.\n',
    env({ QUARKUS_DATASOURCE_URL: 'jdbc:postgresql://db:5432/shop', QUARKUS_DATASOURCE_USERNAME: 'a' }),
    { culprit: /QUARKUS_DATASOURCE_JDBC_URL/, best: { [`${app}.env[0].name`]: 'QUARKUS_DATASOURCE_JDBC_URL' }, ...guess },
  ),
  'a port that is too large, as Java says it': crash(
    'Exception in thread "main" java.lang.IllegalArgumentException: port out of range:80800\n\tat java.base/java.net.InetSocketAddress.checkPort(InetSocketAddress.java:152)\n',
    { ...env({ PORT: '80800' }), ports: [{ containerPort: 8080 }] },
    { culprit: /PORT=80800/, best: { [`${app}.env[0].value`]: '8080' }, ...likely },
  ),
  'an algorithm for a key of two halves': crash(
    'Error: secretOrPrivateKey must be an asymmetric key when using RS256\n    at module.exports [as sign] (/app/node_modules/jsonwebtoken/sign.js:130:22)\n',
    env({ JWT_SECRET: '0123456789abcdef', JWT_ALGORITHM: 'RS256' }),
    { culprit: /JWT_ALGORITHM/, best: { [`${app}.env[1].value`]: 'HS256' }, ...guess },
  ),
};
