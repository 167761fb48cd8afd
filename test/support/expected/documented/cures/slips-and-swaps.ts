import { loops, one, runs } from '../documented.ts';
import type { CureRow } from './cure.ts';
import { app, crash, env, fromSecret, guess, likely, map, plain, secret, service } from './rows.ts';

const noKey =
  'operation error S3: ListObjectsV2, https response error StatusCode: 403, api error InvalidAccessKeyId: The key does not exist\n';
const aws = (id: string, key: string) => ({
  env: [fromSecret('AWS_ACCESS_KEY_ID', 's3', id), fromSecret('AWS_SECRET_ACCESS_KEY', 's3', key)],
});
const key = (index: number) => `${app}.env[${index}].valueFrom.secretKeyRef.key`;
const eula = 'Please accept the EULA\n  by adding the following:\n  -e EULA=TRUE\n';

/** Slips and swaps in settings, which a log shows without naming the setting; then near misses. */
export const SLIPS_AND_SWAPS: Record<string, CureRow> = {
  'a password from the key of something else': crash(
    'amqp.exceptions.AccessRefused: (0, 0): (403) ACCESS_REFUSED - Login was refused\n',
    { env: [plain('RABBITMQ_HOST', 'mq'), fromSecret('RABBITMQ_PASSWORD', 'mq', 'rabbitmq-erlang-cookie')] },
    { culprit: /RABBITMQ_PASSWORD .*rabbitmq-erlang-cookie/, best: { [key(1)]: 'rabbitmq-password' }, ...likely },
    [secret('mq', 'rabbitmq-password', 'rabbitmq-erlang-cookie')],
  ),
  'a key of another length': crash(
    "/gems/active_support/encrypted_file.rb:122:in `check_key_length': Encryption key must be exactly 32 characters. (ActiveSupport::InvalidKeyLengthError)\n\tfrom /rails/config/environment.rb:5:in `<main>'\n",
    { env: [fromSecret('RAILS_MASTER_KEY', 'rails', 'secret_key_base')] },
    { culprit: /RAILS_MASTER_KEY .*secret_key_base/, best: { [key(0)]: 'master_key' }, ...likely },
    [secret('rails', 'master_key', 'secret_key_base')],
  ),
  'a value that is too short, from the key of the user': crash(
    'FATAL Unable to validate credentials inherited from the shell environment: Invalid credentials. MINIO_ROOT_USER length should be at least 3, and MINIO_ROOT_PASSWORD length at least 8 characters\n',
    { env: [fromSecret('MINIO_ROOT_USER', 'minio', 'root-user'), fromSecret('MINIO_ROOT_PASSWORD', 'minio', 'root-user')] },
    { culprit: /MINIO_ROOT_PASSWORD/, best: { [key(1)]: 'root-password' }, ...likely },
    [secret('minio', 'root-user', 'root-password')],
  ),
  'two variables with the key of each other': crash(
    noKey,
    aws('secretKey', 'accessKey'),
    { culprit: /AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/, best: { [key(0)]: 'accessKey', [key(1)]: 'secretKey' }, ...likely },
    [secret('s3', 'accessKey', 'secretKey')],
  ),
  'user and database with the key of each other': crash(
    'FATAL:  password authentication failed for user "ledger_prod"\n',
    { env: [fromSecret('PGUSER', 'ledger', 'db'), fromSecret('PGDATABASE', 'ledger', 'user')] },
    { culprit: /PGUSER and PGDATABASE/, best: { [key(0)]: 'user', [key(1)]: 'db' }, ...likely },
    [secret('ledger', 'user', 'db')],
  ),
  'a reference to a password that comes later, behind one that comes before': crash(
    'ping: failed SASL auth (FATAL: password authentication failed for user "shop" (SQLSTATE 28P01))\n',
    { env: [plain('U', 'shop'), plain('URL', 'postgres://$(U):$(PW)@pg:5432/shop'), fromSecret('PW', 'pg', 'password')] },
    {
      culprit: /URL with \$\(PW\)/,
      best: {
        [`${app}.env[1]`]: fromSecret('PW', 'pg', 'password'),
        [`${app}.env[2]`]: plain('URL', 'postgres://$(U):$(PW)@pg:5432/shop'),
      },
      ...likely,
    },
    [secret('pg', 'password'), service('pg', 5432)],
  ),
  'a variable that the line names, under another name': crash(
    'ERROR   You need to specify ALLOWED_SENDER_DOMAINS otherwise Postfix will not run!\n',
    env({ HOSTNAME: 'mail', ALLOWED_SENDERS_DOMAIN: 'example.org' }),
    { culprit: /ALLOWED_SENDERS_DOMAIN/, best: { [`${app}.env[1].name`]: 'ALLOWED_SENDER_DOMAINS' }, ...likely },
  ),
  'a connection string of .NET that no line names': crash(
    "Unhandled exception. System.ArgumentNullException: Value cannot be null. (Parameter 'connectionString')\n   at Program.<Main>$(String[] args) in /src/Program.cs:line 58\n",
    env({ ConnectionStrings_Claims: 'Server=sql', ConnectionStrings__Cache: 'redis:6379' }),
    { culprit: /ConnectionStrings_Claims/, best: { [`${app}.env[0].name`]: 'ConnectionStrings__Claims' }, ...likely },
  ),
  'a slip in a switch': crash(eula, env({ EULA: 'ture', TYPE: 'PAPER' }), {
    culprit: /EULA=ture/,
    best: { [`${app}.env[0].value`]: 'TRUE' },
    ...likely,
  }),
  'a slip in a switch of which no line speaks': crash('ERROR: the server did not start\n', env({ NAME: 'x', AUTO_MIGRATE: 'flase' }), {
    culprit: /AUTO_MIGRATE=flase/,
    best: { [`${app}.env[1].value`]: 'false' },
    ...likely,
  }),
  'a slip in a word of the arguments': crash(
    'InvalidArgumentException: The [reddis] queue connection has not been configured.\n',
    { command: ['php', 'artisan', 'queue:work'], args: ['reddis', '--tries=3'] },
    { culprit: /reddis/, best: { [`${app}.args[0]`]: 'redis' }, ...likely },
  ),
  'the program twice': crash(
    'aws: error: argument command: Invalid choice, valid choices are:\n\naccessanalyzer | account\n',
    { image: 'amazon/aws-cli:2.15.30', args: ['aws', 's3', 'sync', '/exports', 's3://exports'] },
    { culprit: /Invalid choice/, best: { [`${app}.args`]: ['s3', 'sync', '/exports', 's3://exports'] }, ...likely },
  ),
  'rights of Deno behind the script': crash(
    'error: Uncaught (in promise) PermissionDenied: Requires env access to "PORT", run again with the --allow-env flag\n',
    { command: ['deno'], args: ['run', '/app/main.ts', '--allow-net', '--allow-env', '--port=1'] },
    {
      culprit: /--allow-env|PORT/,
      best: { [`${app}.args`]: ['run', '--allow-net', '--allow-env', '/app/main.ts', '--port=1'] },
      ...likely,
    },
  ),
  'a long option with one dash, where only its letter is said': crash(
    "prometheus: error: unknown short flag '-c'\n",
    { args: ['-config.file=/etc/prometheus/prometheus.yml', '--web.enable-lifecycle'] },
    { culprit: /-config\.file/, best: { [`${app}.args[0]`]: '--config.file=/etc/prometheus/prometheus.yml' }, ...likely },
  ),
  'tools that are older than the server': crash(
    'pg_dump: error: server version: 16.2 (Debian 16.2-1.pgdg120+2); pg_dump version: 14.11 (Debian 14.11-1.pgdg120+2)\n',
    { image: 'postgres:14.11-alpine', args: ['pg_dump'] },
    { culprit: /14\.11.*16\.2/, best: { [`${app}.image`]: 'postgres:16.2-alpine' }, ...guess },
  ),
  'an address for JDBC without its beginning': crash(
    'WARN  [io.agroal.pool] Driver does not support the provided URL: postgresql://pg:5432/keycloak\nERROR: Failed to start server in (production) mode\n',
    env({ KC_DB_URL: 'postgresql://pg:5432/keycloak' }),
    { culprit: /postgresql:\/\/pg:5432\/keycloak/, best: { [`${app}.env[0].value`]: 'jdbc:postgresql://pg:5432/keycloak' }, ...likely },
    [service('pg', 5432)],
  ),
  'a port that the Service does not have, where the line shows only its address': crash(
    'Error: connect ETIMEDOUT 10.100.87.14:5432\n',
    env({ DB_HOST: 'orders-pg', DB_PORT: '5432' }),
    { culprit: /orders-pg:5432/, best: { [`${app}.env[1].value`]: '6432' }, ...likely },
    [service('orders-pg', 6432)],
  ),
  'a low port of gunicorn': crash(
    "[1] [ERROR] connection to ('0.0.0.0', 80) failed: [Errno 13] Permission denied\n[1] [ERROR] Can't connect to ('0.0.0.0', 80)\n",
    {
      args: ['--workers=3', '--bind=0.0.0.0:80'],
      ports: [{ containerPort: 8000 }],
      securityContext: { runAsUser: 1000 },
    },
    { culprit: /port 80/, best: { [`${app}.args[1]`]: '--bind=0.0.0.0:8000' }, ...likely },
  ),
  'a file below the folder of work, with a shorter name': crash(
    "/gems/sidekiq/cli.rb:307:in `parse_config': No such file config/sidekiq_critical.yml (ArgumentError)\n",
    {
      workingDir: '/app',
      args: ['-C', 'config/sidekiq_critical.yml'],
      volumeMounts: [{ name: 'queues', mountPath: '/app/config/queues' }],
    },
    { culprit: /config\/sidekiq_critical\.yml/, best: { [`${app}.args[1]`]: 'config/queues/critical.yml' }, ...likely },
    [map('queues', 'critical.yml', 'default.yml')],
    { volumes: [{ name: 'queues', configMap: { name: 'queues' } }] },
  ),
  'the only file of a ConfigMap, where an option names another one': crash(
    'Error: cannot resolve the configuration: cannot retrieve the configuration: unable to read the file file:/conf/collector.yaml: open /conf/collector.yaml: no such file or directory\n',
    { args: ['--config=/conf/collector.yaml'], volumeMounts: [{ name: 'conf', mountPath: '/conf' }] },
    { culprit: /\/conf\/collector\.yaml/, best: { [`${app}.args[0]`]: '--config=/conf/relay.yaml' }, ...likely },
    [map('otel', 'relay.yaml')],
    { volumes: [{ name: 'conf', configMap: { name: 'otel' } }] },
  ),
  'the variable of a Service, which only a term of Erlang shows': crash(
    '** (ArgumentError) errors were found at the given arguments:\n\n  * 1st argument: not a textual representation of an integer\n\nRuntime terminating during boot ({{badarg,[{erlang,binary_to_integer,[<<"tcp://10.96.201.14:6379">>],[]}]}})\n',
    env({ REDIS_HOST: 'redis' }),
    { culprit: /REDIS_PORT/, best: { 'spec.enableServiceLinks': false }, ...likely },
    [service('redis', 6379)],
  ),
  'a superuser, where the password is that of another user': crash(
    'FATAL  Error: [config validation of [elasticsearch].username]: value of "elastic" is forbidden. This is a superuser account. Use a service account token instead.\n',
    { env: [plain('ELASTICSEARCH_USERNAME', 'elastic'), fromSecret('ELASTICSEARCH_PASSWORD', 'users', 'kibana_system')] },
    { culprit: /ELASTICSEARCH_USERNAME=elastic/, best: { [`${app}.env[0].value`]: 'kibana_system' }, ...likely },
    [secret('users', 'elastic', 'kibana_system')],
  ),
  'a provider of DNS by its other name': crash(
    `level=fatal msg="flag parsing error: enum value must be one of akamai,aws,azure,cloudflare,coredns,google,rfc2136, got 'route53'"\n`,
    { args: ['--source=service', '--provider=route53'] },
    { culprit: /--provider/, best: { [`${app}.args[1]`]: '--provider=aws' }, ...likely },
  ),
  'a module that a volume brings into another folder': crash(
    'Traceback (most recent call last):\n  File "/usr/lib/python3/importlib/__init__.py", line 126, in import_module\nModuleNotFoundError: No module named \'wsgi\'\n',
    { workingDir: '/srv', args: ['gunicorn', 'wsgi:app'], volumeMounts: [{ name: 'code', mountPath: '/srv/shop' }] },
    { culprit: /wsgi/, best: { [`${app}.workingDir`]: '/srv/shop' }, ...likely },
    [map('code', 'wsgi.py', 'settings.py')],
    { volumes: [{ name: 'code', configMap: { name: 'code' } }] },
  ),
  'a heap that begins above its end, from two variables': crash(
    'Error occurred during initialization of VM\nInitial heap size set to a larger value than the maximum heap size\n',
    env({ HEAP_MAX: '256m', HEAP_INIT: '512m', JAVA_TOOL_OPTIONS: '-Xms$(HEAP_INIT) -Xmx$(HEAP_MAX)' }),
    { culprit: /HEAP_INIT/, best: { [`${app}.env[1].value`]: '256m' }, ...likely },
  ),
  'a node of Elasticsearch that waits for itself under another name': {
    object: one('es-0', runs(), {
      env: [plain('cluster.initial_master_nodes', 'elasticsearch-0')],
      readinessProbe: { httpGet: { path: '/_cluster/health', port: 9200 } },
    }),
    events: [['Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503']],
    log: 'WARN master not discovered yet, this node has not previously joined a bootstrapped cluster, and this node must discover master-eligible nodes [elasticsearch-0] to bootstrap a cluster: have discovered [{es-0}{tQ1}{10.244.0.19:9300}]\n',
    is: { reason: 'Unhealthy', culprit: /initial_master_nodes/, best: { [`${app}.env[0].value`]: 'es-0' }, ...likely },
  },
  'a hook that writes beside the volume': {
    object: one(
      'agent',
      { ...loops(137), state: { waiting: { reason: 'PostStartHookError', message: 'Exec lifecycle hook failed' } } },
      {
        lifecycle: { postStart: { exec: { command: ['sh', '-c', 'echo $NAME > /var/lib/agents/registered'] } } },
        volumeMounts: [{ name: 'data', mountPath: '/var/lib/agent' }],
      },
      { volumes: [{ name: 'data', emptyDir: {} }] },
    ),
    events: [['FailedPostStartHook', 'PostStartHook failed']],
    is: {
      reason: 'PostStartHookError',
      culprit: /\/var\/lib\/agents/,
      best: { [`${app}.lifecycle.postStart.exec.command[2]`]: 'echo $NAME > /var/lib/agent/registered' },
      ...likely,
    },
  },
  'the port of a sidecar': {
    object: one('shop', loops(1), env({ DB_HOST: '127.0.0.1', DB_PORT: '5432' }), {
      initContainers: [{ name: 'proxy', image: 'x', args: ['--port=5433', 'acme:eu:orders'], restartPolicy: 'Always' } as never],
    }),
    log: 'dial tcp 127.0.0.1:5432: connect: connection refused\n',
    is: { reason: 'CrashLoopBackOff', culprit: /127\.0\.0\.1:5432/, best: { [`${app}.env[1].value`]: '5433' }, ...likely },
  },
  'a folder of certificates beside the one that a volume brings': crash(
    'ERROR: cannot load certificates.\nCheck your certificate settings, set --certs-dir, or use --insecure for insecure clusters.\n',
    {
      args: ['start', '--certs-dir=/cockroach/certs', '--join=db-0'],
      volumeMounts: [{ name: 'certs', mountPath: '/cockroach/cockroach-certs' }],
    },
    { culprit: /--certs-dir=\/cockroach\/certs/, best: { [`${app}.args[1]`]: '--certs-dir=/cockroach/cockroach-certs' }, ...likely },
    [secret('certs', 'ca.crt', 'node.crt', 'node.key')],
    { volumes: [{ name: 'certs', secret: { secretName: 'certs' } }] },
  ),
  'the old name of PostgreSQL in an address of JDBC': crash(
    'ERROR: No database found to handle jdbc:postgres://ledger-db:5432/ledger\n',
    env({ FLYWAY_URL: 'jdbc:postgres://ledger-db:5432/ledger' }),
    { culprit: /jdbc:postgres:/, best: { [`${app}.env[0].value`]: 'jdbc:postgresql://ledger-db:5432/ledger' }, ...likely },
    [service('ledger-db', 5432)],
  ),
  'a port of the management, of which the program only says that the connection was closed': crash(
    '[ERROR] consumer: Cannot connect to amqp://mailer:**@rabbitmq:15672//: Server unexpectedly closed connection.\n',
    env({ BROKER_URL: 'amqp://mailer:x@rabbitmq:15672//' }),
    { culprit: /rabbitmq.*15672/, best: { [`${app}.env[0].value`]: 'amqp://mailer:x@rabbitmq:5672//' }, ...likely },
    [service('rabbitmq', 5672, 15672)],
  ),
  // Near misses.
  'a sidecar that listens where the program asks': {
    object: one('shop', loops(1), env({ DB_HOST: '127.0.0.1', DB_PORT: '5432' }), {
      initContainers: [{ name: 'proxy', image: 'x', args: ['--port=5432'], restartPolicy: 'Always' } as never],
    }),
    log: 'dial tcp 127.0.0.1:5432: connect: connection refused\n',
    is: { reason: 'CrashLoopBackOff', culprit: /127\.0\.0\.1:5432/, best: null },
  },
  'a folder in no volume, and one that a volume brings and an option names': crash(
    'ERROR: cannot load certificates.\n',
    {
      args: ['start', '--certs-dir=/cockroach/certs', '--ca-dir=/cockroach/ca-certs'],
      volumeMounts: [{ name: 'certs', mountPath: '/cockroach/ca-certs' }],
    },
    { culprit: /cannot load certificates/, best: null },
    [secret('certs', 'ca.crt')],
    { volumes: [{ name: 'certs', secret: { secretName: 'certs' } }] },
  ),
  'two variables with the right keys': crash(noKey, aws('accessKey', 'secretKey'), { culprit: /InvalidAccessKeyId/, best: null }, [
    secret('s3', 'accessKey', 'secretKey'),
  ]),
  'a password from a key with an ordinary name': crash(
    'amqp.exceptions.AccessRefused: (0, 0): (403) ACCESS_REFUSED - Login was refused\n',
    { env: [plain('RABBITMQ_HOST', 'mq'), fromSecret('RABBITMQ_PASSWORD', 'mq', 'password')] },
    { culprit: /RabbitMQ login/, best: null },
    [secret('mq', 'password', 'rabbitmq-erlang-cookie')],
  ),
  'a variable that the line names and the container has': crash(
    'ERROR: the value of UPLOAD_LIMIT is larger than UPLOAD_LIMITS_MAX\n',
    env({ UPLOAD_LIMIT: '5', UPLOAD_LIMITS_MAX: '3' }),
    { culprit: /UPLOAD_LIMIT/, best: null },
  ),
  'a word of its own beside a usual one': crash('ERROR: cannot start\n', env({ MODE: 'text2', STAGE: 'info-desk' }), {
    culprit: /cannot start/,
    best: null,
  }),
  'the program in the command': crash(
    'aws: error: argument command: Invalid choice, valid choices are:\n\naccessanalyzer | account\n',
    { image: 'amazon/aws-cli:2.15.30', command: ['aws'], args: ['s4', 'ls'] },
    { culprit: /Invalid choice/, best: null },
  ),
  'an option for a wish of the reader': crash(
    'failed parsing config: /etc/loki/loki.yaml: yaml: unmarshal errors:\n  line 21: field shared_store not found in type compactor.Config. Use `-config.expand-env=true` flag if you want to expand environment variables in your config file\n',
    { args: ['-config.file=/etc/loki/loki.yaml'], volumeMounts: [{ name: 'conf', mountPath: '/etc/loki' }] },
    { culprit: /shared_store/, best: null },
    [map('loki', 'loki.yaml')],
    { volumes: [{ name: 'conf', configMap: { name: 'loki' } }] },
  ),
};
