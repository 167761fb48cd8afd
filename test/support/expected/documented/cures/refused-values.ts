import type { CureRow } from './cure.ts';
import { app, crash, env, guess, likely, secret, service } from './rows.ts';

const first = (to: string) => ({ [`${app}.env[0].value`]: to });

/** Values that a program refuses, and what it says of them; then near misses. The texts follow the messages of the libraries. */
export const REFUSED_VALUES: Record<string, CureRow> = {
  'a driver class that was renamed long ago': crash(
    'Caused by: java.lang.IllegalStateException: Cannot load driver class: org.postgres.Driver\n',
    env({ SPRING_DATASOURCE_DRIVER_CLASS_NAME: 'org.postgres.Driver' }),
    { culprit: /DRIVER_CLASS_NAME=org\.postgres\.Driver/, best: first('org.postgresql.Driver'), ...likely },
  ),
  'a level of the log that Spring does not have': crash(
    'java.lang.IllegalArgumentException: No enum constant org.springframework.boot.logging.LogLevel.VERBOSE\n',
    env({ LOGGING_LEVEL_ROOT: 'VERBOSE' }),
    { culprit: /LOGGING_LEVEL_ROOT=VERBOSE/, best: first('DEBUG'), ...likely },
  ),
  'a level of the log as zap writes it': crash('panic: unrecognized level: "warning"\n', env({ LOG_LEVEL: 'warning' }), {
    culprit: /LOG_LEVEL=warning/,
    best: first('warn'),
    ...likely,
  }),
  'a level of the log as winston writes it': crash('Error: [winston] Unknown logger level: verbos\n', env({ LOG_LEVEL: 'verbos' }), {
    culprit: /LOG_LEVEL=verbos/,
    best: first('verbose'),
    ...likely,
  }),
  'a level of the log as Python writes it': crash(
    'Traceback (most recent call last):\n  File "/app/main.py", line 4, in <module>\nValueError: Unknown level: \'info\'\n',
    env({ LOG_LEVEL: 'info' }),
    { culprit: /LOG_LEVEL=info/, best: first('INFO'), ...likely },
  ),
  'an adapter of ActiveRecord': crash(
    "ActiveRecord::AdapterNotFound: Database configuration specifies nonexistent 'postgres' adapter. Please check that the adapter name is spelled correctly.\n",
    env({ DB_ADAPTER: 'postgres' }),
    { culprit: /DB_ADAPTER=postgres/, best: first('postgresql'), ...likely },
  ),
  'an environment of Rails': crash(
    'ActiveRecord::AdapterNotSpecified (The `prod` database is not configured for the `prod` environment.\n\n  Available database configurations are:\n\n  default, development, production, test\n)\n',
    env({ RAILS_ENV: 'prod' }),
    { culprit: /RAILS_ENV=prod/, best: first('production'), ...likely },
  ),
  'a duration with its unit as a word': crash(
    'Error parsing command line arguments: not a valid duration string: "15 days"\n',
    { args: ['--storage.tsdb.retention.time=15 days'] },
    { culprit: /retention\.time=15 days/, best: { [`${app}.args[0]`]: '--storage.tsdb.retention.time=15d' }, ...likely },
  ),
  'a duration in days, which Go does not know': crash(
    '{"level":"fatal","msg":"config: time: unknown unit \\"d\\" in duration \\"7d\\""}\n',
    env({ SESSION_TTL: '7d' }),
    { culprit: /SESSION_TTL=7d/, best: first('168h'), ...likely },
  ),
  'a size in the unit of Kubernetes': crash(
    'Error parsing command line arguments: units: unknown unit Gi in 5Gi\n',
    { args: ['--storage.tsdb.retention.size=5Gi'] },
    { culprit: /retention\.size=5Gi/, best: { [`${app}.args[0]`]: '--storage.tsdb.retention.size=5GB' }, ...likely },
  ),
  'an option with the name of another product': crash(
    "Invalid value for option '--db': postgresql. Expected values are: dev-file, dev-mem, mariadb, mssql, mysql, oracle, postgres\n",
    { args: ['start', '--db=postgresql'] },
    { culprit: /--db=postgresql/, best: { [`${app}.args[1]`]: '--db=postgres' }, ...likely },
  ),
  'the only mechanism that a broker has': crash(
    "org.apache.kafka.common.errors.UnsupportedSaslMechanismException: Client SASL mechanism 'PLAIN' not enabled in the server, enabled mechanisms are [SCRAM-SHA-512]\n",
    env({ KAFKA_SASL_MECHANISM: 'PLAIN' }),
    { culprit: /KAFKA_SASL_MECHANISM=PLAIN/, best: first('SCRAM-SHA-512'), ...likely },
  ),
  'a protocol with two letters swapped': crash(
    'org.apache.kafka.common.config.ConfigException: Invalid value SASL_SLL for configuration security.protocol: String must be one of: PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL\n',
    env({ KAFKA_SECURITY_PROTOCOL: 'SASL_SLL' }),
    { culprit: /KAFKA_SECURITY_PROTOCOL=SASL_SLL/, best: first('SASL_SSL'), ...likely },
  ),
  'an option of the JVM with two letters swapped': crash(
    "Unrecognized VM option 'UseG1CG'\nDid you mean '(+/-)UseG1GC'?\nError: Could not create the Java Virtual Machine.\n",
    env({ JAVA_TOOL_OPTIONS: '-XX:+UseG1CG' }),
    { culprit: /UseG1CG/, best: first('-XX:+UseG1GC'), ...likely },
  ),
  'a variable with the whole name of the product': crash(
    'ERROR: Strict hostname resolution configured but no hostname setting provided\n',
    { args: ['start'], ...env({ KEYCLOAK_HOSTNAME: 'sso.shop.example' }) },
    { culprit: /KC_HOSTNAME/, best: { [`${app}.env[0].name`]: 'KC_HOSTNAME' }, ...likely },
  ),
  'a port where .NET wants a URL': crash(
    "Unhandled exception. System.FormatException: Invalid url: '8080'\n",
    env({ ASPNETCORE_URLS: '8080' }),
    { culprit: /ASPNETCORE_URLS=8080/, best: first('http://+:8080'), ...likely },
  ),
  'a schedule of four fields': crash('ValueError: Wrong number of fields; got 4, expected 5\n', env({ SCHEDULE: '*/5 * * *' }), {
    culprit: /SCHEDULE=\*\/5 \* \* \*/,
    best: first('*/5 * * * *'),
    ...guess,
  }),
  'a pool without connections': crash(
    'java.lang.IllegalArgumentException: maxPoolSize cannot be less than 1\n',
    env({ HIKARI_MAX_POOL_SIZE: '0' }),
    { culprit: /HIKARI_MAX_POOL_SIZE=0/, best: first('1'), ...likely },
  ),
  'a pool without connections, in an address with more behind it': crash(
    'java.lang.IllegalArgumentException: maxPoolSize cannot be less than 1\n',
    env({ DATABASE_URL: 'jdbc:postgresql://db/shop?maxPoolSize=0&ssl=false' }),
    { culprit: /maxPoolSize=0/, best: first('jdbc:postgresql://db/shop?maxPoolSize=1&ssl=false'), ...likely },
  ),
  'a share above its bound': crash(
    'fatal: sample-rate must be between 0 and 100\n',
    { args: ['--sample-rate', '250'] },
    {
      culprit: /--sample-rate=250/,
      best: { [`${app}.args[1]`]: '100' },
      ...likely,
    },
  ),
  'a key in base64 without its padding': crash('binascii.Error: Incorrect padding\n', env({ SIGNING_KEY: 'c2hvcC1zaWduaW5nLWtleQ' }), {
    culprit: /SIGNING_KEY/,
    best: first('c2hvcC1zaWduaW5nLWtleQ=='),
    ...likely,
  }),
  'an address without a scheme for Node': crash(
    "TypeError: Invalid URL\n    at new URL (node:internal/url:816:29) {\n  code: 'ERR_INVALID_URL',\n  input: 'cache:6379'\n}\n",
    env({ REDIS_URL: 'cache:6379', METRICS: 'push:9091' }),
    { culprit: /cache:6379/, best: first('redis://cache:6379') },
    [service('cache', 6379)],
  ),
  'an address with the scheme of another protocol': crash(
    'ValueError: Redis URL must specify one of the following schemes (redis://, rediss://, unix://)\n',
    env({ REDIS_URL: 'http://cache:6379' }),
    { culprit: /REDIS_URL=http:\/\/cache:6379/, best: first('redis://cache:6379'), ...likely },
  ),
  'a scheme in the setting of a host': crash(
    "OSError: [Errno -2] Name or service not known: 'http://db'\n",
    env({ DB_HOST: 'http://db' }),
    { culprit: /DB_HOST=http:\/\/db/, best: first('db'), ...likely },
    [service('db', 5432)],
  ),
  'host and port in each other’s place': crash(
    'dial tcp: lookup 5432 on 10.96.0.10:53: no such host\n',
    env({ DB_HOST: '5432', DB_PORT: 'db' }),
    { culprit: /DB_HOST=5432, DB_PORT=db/, best: { [`${app}.env[0].value`]: 'db', [`${app}.env[1].value`]: '5432' }, ...likely },
    [service('db', 5432)],
  ),
  'a long option behind one dash': crash(
    "Error: unknown shorthand flag: 'c' in -conf=/etc/app/app.yaml\n",
    { args: ['-conf=/etc/app/app.yaml'] },
    { culprit: /-conf/, best: { [`${app}.args[0]`]: '--conf=/etc/app/app.yaml' }, ...likely },
  ),
  'a task of Rake with a slip': crash(
    "rake aborted!\nDon't know how to build task 'db:migrat' (See the list of available tasks with `rake --tasks`)\nDid you mean?  db:migrate\n",
    { command: ['rake', 'db:migrat'] },
    { culprit: /db:migrat/, best: { [`${app}.command[1]`]: 'db:migrate' }, ...likely },
  ),
  'a backend of Django': crash(
    "django.core.exceptions.ImproperlyConfigured: 'django.db.backends.postgres' isn't an available database backend or couldn't be imported. To use one of the built-in backends, use 'django.db.backends.NAME', where NAME is one of:\n    'mysql', 'oracle', 'postgresql', 'sqlite3'\n",
    env({ DB_ENGINE: 'django.db.backends.postgres' }),
    { culprit: /DB_ENGINE=django\.db\.backends\.postgres/, best: first('django.db.backends.postgresql'), ...likely },
  ),
  'a mode of TLS inside of an address': crash(
    'pq: unsupported sslmode "disabled"; only "require" (default), "verify-full", "verify-ca", and "disable" supported\n',
    env({ DATABASE_URL: 'postgres://shop@db/shop?connect_timeout=5&sslmode=disabled&application_name=shop' }),
    {
      culprit: /sslmode=disabled/,
      best: first('postgres://shop@db/shop?connect_timeout=5&sslmode=disable&application_name=shop'),
      ...likely,
    },
  ),
  'a mode of TLS in a list of settings': crash(
    'pq: unsupported sslmode "required"; only "require" (default), "verify-full", "verify-ca", and "disable" supported\n',
    env({ DSN: 'host=db sslmode=required user=shop' }),
    { culprit: /sslmode=required/, best: first('host=db sslmode=require user=shop'), ...likely },
  ),
  'a region without its second hyphen': crash(
    'botocore.exceptions.EndpointConnectionError: Could not connect to the endpoint URL: "https://sqs.eu-west1.amazonaws.com/"\n',
    env({ AWS_REGION: 'eu-west1' }),
    { culprit: /AWS_REGION=eu-west1/, best: first('eu-west-1'), ...likely },
  ),
  'a duration in the form of Go for Java': crash(
    "java.time.format.DateTimeParseException: Text '30s' cannot be parsed to a Duration\n",
    env({ CACHE_TTL: '30s' }),
    { culprit: /CACHE_TTL=30s/, best: first('PT30S'), ...likely },
  ),
  'a duration in the form of Java for Go': crash('panic: time: invalid duration "PT1H30M"\n', env({ CACHE_TTL: 'PT1H30M' }), {
    culprit: /CACHE_TTL=PT1H30M/,
    best: first('1h30m'),
    ...likely,
  }),
  'a number that Rust cannot read': crash(
    "thread 'main' panicked at src/config.rs:22:10:\nPORT must be a number: ParseIntError { kind: InvalidDigit }\n",
    env({ PORT: '80a' }),
    { culprit: /PORT=80a/, best: first('80'), ...guess },
  ),
  'a percentage where a share is wanted': crash('config error: rate must be between 0.0 and 1.0, got 50\n', env({ SAMPLING_RATE: '50' }), {
    culprit: /SAMPLING_RATE=50/,
    best: first('0.5'),
    ...likely,
  }),
  'a namespace of another server': crash(
    '{"level":"error","msg":"Namespace shop-prod is not found."}\npanic: unable to start worker: Namespace shop-prod is not found.\n',
    env({ TEMPORAL_NAMESPACE: 'shop-prod' }),
    { culprit: /TEMPORAL_NAMESPACE=shop-prod/, best: null },
  ),

  // Near misses.
  'a value in a line that refuses nothing': crash('fatal: shutting down eu-west-1\n', env({ REGION: 'eu-west-1' }), {
    culprit: /^(?!REGION=)/,
    best: null,
  }),
  'a plain word in a line about something else': crash('fatal: unknown table orders\n', env({ QUEUE: 'orders' }), {
    culprit: /^(?!QUEUE=)/,
    best: null,
  }),
  'a number within the bounds of another setting': crash(
    'fatal: retention-days must be at least 7\n',
    env({ RETENTION_HOURS: '3', DAYS: '30' }),
    { culprit: /^(?!DAYS=|RETENTION)/, best: null },
  ),
  'a number that is no host, with a port that is one': crash(
    'dial tcp: lookup 5432 on 10.96.0.10:53: no such host\n',
    env({ DB_HOST: '5432', DB_PORT: '5432' }),
    { culprit: /5432/, best: null },
  ),
  'a key that is called otherwise than the variable': crash(
    'fatal: invalid api key\n',
    { env: [{ name: 'SHOP_API_KEY', valueFrom: { secretKeyRef: { name: 'shop', key: 'token' } } }] },
    { culprit: /SHOP_API_KEY \(key token of Secret shop\)/, best: null },
    [secret('shop', 'token', 'password')],
  ),
  'a table that is missing after a migration': crash(
    'ERROR: relation "orders" does not exist\n',
    {},
    { culprit: /orders/, best: null },
    [],
    { initContainers: [{ name: 'migrate', image: 'flyway:10', args: ['flyway', 'migrate'] }] },
  ),
  'a folder that is missing, where another option names the volume': crash(
    'open /data/index: no such file or directory\n',
    { args: ['--path=/data/index', '--backup=/backup/index'], volumeMounts: [{ name: 'v', mountPath: '/backup' }] },
    { culprit: /\/data\/index/, best: null },
    [],
    { volumes: [{ name: 'v', emptyDir: {} }] },
  ),
  'a mechanism that the broker has': crash(
    "Client SASL mechanism 'PLAIN' failed: authentication rejected, enabled mechanisms are [PLAIN]\n",
    env({ KAFKA_SASL_MECHANISM: 'PLAIN' }),
    { culprit: /PLAIN/, best: null },
  ),
};
