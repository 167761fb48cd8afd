import { one, waits } from '../documented.ts';
import type { CureRow } from './cure.ts';
import { app, crash, env, fromSecret, guess, likely, map, plain, secret, service } from './rows.ts';

/** Options of well-known servers, and settings that belong together; then near misses. */
export const OPTIONS_AND_PAIRS: Record<string, CureRow> = {
  'an option of MySQL with a slip': crash(
    "[ERROR] [MY-000067] [Server] unknown variable 'max-conections=500'.\n[ERROR] [MY-010119] [Server] Aborting\n",
    { image: 'mysql:8.0.37', args: ['--character-set-server=utf8mb4', '--max-conections=500'] },
    { culprit: /max-conections/, best: { [`${app}.args[1]`]: '--max-connections=500' }, ...likely },
  ),
  'an option of MongoDB in lower case': crash(
    "Error parsing command line: unrecognised option '--replset'\ntry 'mongod --help' for more information\n",
    { image: 'mongo:6.0.15', command: ['mongod'], args: ['--bind_ip_all', '--replset', 'rs0'] },
    { culprit: /--replset/, best: { [`${app}.args[1]`]: '--replSet' }, ...likely },
  ),
  'a certificate and a key in the place of each other': crash(
    'E0611 main.go:84] "cannot load serving certificate" err="tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched"\n',
    { args: ['--listen=:8443', '--tls-cert-file=/tls/tls.key', '--tls-key-file=/tls/tls.crt'] },
    {
      culprit: /--tls-cert-file and --tls-key-file/,
      best: { [`${app}.args[1]`]: '--tls-cert-file=/tls/tls.crt', [`${app}.args[2]`]: '--tls-key-file=/tls/tls.key' },
      ...likely,
    },
    [secret('tls', 'tls.crt', 'tls.key')],
  ),
  'a port of one of several Services, where the line shows only its address': crash(
    'Error: connect ECONNREFUSED 10.244.3.18:6380\n',
    env({ REDIS_HOST: 'cache', REDIS_PORT: '6380', SMTP_HOST: 'relay', SMTP_PORT: '587' }),
    { culprit: /cache:6380/, best: { [`${app}.env[1].value`]: '6379' }, ...likely },
    [service('cache', 6379), service('relay', 587)],
  ),
  'the scheme of a transport for that of Redis': crash(
    '/gems/redis_client/config.rb:184:in `initialize\': Unknown URL scheme: "tcp://redis:6379/0" (ArgumentError)\n\tfrom /gems/sidekiq/cli.rb:76:in `run\'\n',
    env({ REDIS_URL: 'tcp://redis:6379/0' }),
    { culprit: /REDIS_URL|tcp:\/\/redis/, best: { [`${app}.env[0].value`]: 'redis://redis:6379/0' }, ...likely },
    [service('redis', 6379)],
  ),
  'a transport of which the program says what is meant': crash(
    "KeyError: 'No such transport: ampq.  Did you mean amqp?'\n",
    env({ CELERY_BROKER_URL: 'ampq://thumbs:x@rabbit:5672/media' }),
    { culprit: /ampq/, best: { [`${app}.env[0].value`]: 'amqp://thumbs:x@rabbit:5672/media' }, ...likely },
    [service('rabbit', 5672)],
  ),
  'a connection of Laravel by the name of the server': crash(
    '   InvalidArgumentException \n\n  Database connection [postgres] not configured.\n\n  at vendor/laravel/framework/src/Illuminate/Database/DatabaseManager.php:222\n',
    env({ APP_ENV: 'production', DB_CONNECTION: 'postgres' }),
    { culprit: /DB_CONNECTION=postgres/, best: { [`${app}.env[1].value`]: 'pgsql' }, ...likely },
  ),
  'a keyword of Npgsql with a slip': crash(
    "Unhandled exception. System.ArgumentException: Couldn't set prot (Parameter 'prot')\n   at Npgsql.NpgsqlConnectionStringBuilder.set_Item(String keyword, Object value)\n",
    env({ ConnectionStrings__Main: 'Host=pg;Prot=5432;Database=shop' }),
    { culprit: /prot/i, best: { [`${app}.env[0].value`]: 'Host=pg;Port=5432;Database=shop' }, ...likely },
    [service('pg', 5432)],
  ),
  'a port with a colon, for a program that wants a number': crash(
    'Unhandled exception:\nFormatException: Invalid radix-10 number (at character 1)\n:8080\n^\n',
    env({ TZ: 'UTC', PORT: ':8080' }),
    { culprit: /PORT=:8080/, best: { [`${app}.env[1].value`]: '8080' }, ...likely },
  ),
  'a broker without its port': crash(
    'Caused by: org.apache.kafka.common.config.ConfigException: Invalid url in bootstrap.servers: fraud-kafka\n',
    env({ KAFKA_GROUP_ID: 'fraud', KAFKA_BROKERS: 'fraud-kafka' }),
    { culprit: /KAFKA_BROKERS=fraud-kafka/, best: { [`${app}.env[1].value`]: 'fraud-kafka:9092' }, ...likely },
    [service('fraud-kafka', 9092)],
  ),
  'a right that Deno asks for': crash(
    'error: Uncaught (in promise) NotCapable: Requires env access to "TOKEN", run again with the --allow-env flag\n',
    { command: ['deno'], args: ['run', '--allow-net=api.example.org', 'main.ts'], env: [fromSecret('TOKEN', 'hook', 'token')] },
    { culprit: /--allow-env/, best: { [`${app}.args`]: ['run', '--allow-net=api.example.org', '--allow-env', 'main.ts'] }, ...guess },
    [secret('hook', 'token')],
  ),
  'a name where etcd wants an address to listen on': crash(
    '{"level":"warn","msg":"failed to verify flags","error":"expected IP in URL for binding (http://cfg:2379)"}\n',
    { args: ['--name=cfg', '--listen-client-urls=http://cfg:2379', '--advertise-client-urls=http://cfg:2379'] },
    { culprit: /cfg/, best: { [`${app}.args[1]`]: '--listen-client-urls=http://0.0.0.0:2379' }, ...likely },
    [service('cfg', 2379)],
  ),
  'a number as Helm writes it': crash(
    'envconfig.Process: assigning MAX_BYTES to MaxBytes: converting \'1.048576e+07\' to type int64. details: strconv.ParseInt: parsing "1.048576e+07": invalid syntax\n',
    env({ MAX_BYTES: '1.048576e+07' }),
    { culprit: /MAX_BYTES/, best: { [`${app}.env[0].value`]: '10485760' }, ...likely },
  ),
  'a heap of MiB without its unit, from a field': crash(
    'Error occurred during initialization of VM\nToo small maximum heap\n',
    {
      env: [
        { name: 'HEAP', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } },
        plain('JAVA_TOOL_OPTIONS', '-Xmx$(HEAP) -XX:+ExitOnOutOfMemoryError'),
      ],
    },
    { culprit: /-Xmx\$\(HEAP\)/, best: { [`${app}.env[1].value`]: '-Xmx$(HEAP)m -XX:+ExitOnOutOfMemoryError' }, ...likely },
  ),
  'the proxy of Keycloak, under the name that it has now': crash(
    "Unknown option: '--proxy'\n",
    { image: 'quay.io/keycloak/keycloak:26.0', args: ['start', '--proxy=edge'] },
    { culprit: /--proxy/, best: { [`${app}.args[1]`]: '--proxy-headers=xforwarded' }, ...likely },
  ),
  'a share where a percentage is wanted': crash(
    'FATAL: -memory.allowedPercent must be in the range [1...200]; got 0.6\n',
    { args: ['-retentionPeriod=30d', '-memory.allowedPercent=0.6'] },
    { culprit: /-memory\.allowedPercent/, best: { [`${app}.args[1]`]: '-memory.allowedPercent=60' }, ...likely },
  ),
  'a token that the pod does not mount': crash(
    '    raise ConfigException("Service token file does not exist.")\nkubernetes.config.config_exception.ConfigException: Service token file does not exist.\n',
    {},
    { culprit: /automountServiceAccountToken/, best: { 'spec.automountServiceAccountToken': true }, ...likely },
    [],
    { automountServiceAccountToken: false },
  ),
  'the host name in a path below a mount': {
    object: one(
      'shop',
      waits('CreateContainerConfigError', 'failed to expand subPathExpr: missing value for "HOSTNAME"'),
      {
        env: [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
        volumeMounts: [{ name: 'logs', mountPath: '/logs', subPathExpr: '$(HOSTNAME)' }],
      },
      { volumes: [{ name: 'logs', emptyDir: {} }] },
    ),
    is: {
      reason: 'CreateContainerConfigError',
      culprit: /subPathExpr|HOSTNAME/,
      best: { [`${app}.volumeMounts[0].subPathExpr`]: '$(POD_NAME)' },
      ...likely,
    },
  },
  'a value and its file, which a volume brings': crash(
    'ERROR: Both GF_SECURITY_ADMIN_PASSWORD and GF_SECURITY_ADMIN_PASSWORD__FILE are set (but are exclusive)\n',
    {
      env: [fromSecret('GF_SECURITY_ADMIN_PASSWORD', 'grafana', 'admin'), plain('GF_SECURITY_ADMIN_PASSWORD__FILE', '/etc/secrets/admin')],
      volumeMounts: [{ name: 'secrets', mountPath: '/etc/secrets' }],
    },
    { culprit: /GF_SECURITY_ADMIN_PASSWORD/, best: { [`${app}.env[0]`]: null }, ...likely },
    [secret('grafana', 'admin')],
    { volumes: [{ name: 'secrets', secret: { secretName: 'grafana' } }] },
  ),
  'a value and its file, which nothing brings': crash(
    'error: both POSTGRES_PASSWORD and POSTGRES_PASSWORD_FILE are set (but are exclusive)\n',
    { env: [fromSecret('POSTGRES_PASSWORD', 'pg', 'password'), plain('POSTGRES_PASSWORD_FILE', '/run/secrets/pg')] },
    { culprit: /POSTGRES_PASSWORD/, best: { [`${app}.env[1]`]: null }, ...likely },
    [secret('pg', 'password')],
  ),
  'two options that exclude each other': crash(
    'usage: export [-h]\nexport: error: argument --all: not allowed with argument --only\n',
    { args: ['--only=orders', '--all', '--out=/data'] },
    { culprit: /--all/, best: { [`${app}.args`]: ['--all', '--out=/data'] }, ...guess },
  ),
  "Celery's schedule below a root that is read-only": crash(
    "_gdbm.error: [Errno 30] Read-only file system: 'celerybeat-schedule'\n",
    {
      command: ['celery'],
      args: ['-A', 'billing', 'beat', '-l', 'info'],
      volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
      securityContext: { readOnlyRootFilesystem: true },
    },
    { culprit: /read-only|celerybeat-schedule/i, best: { [`${app}.args[5]`]: '--schedule=/tmp/celerybeat-schedule' }, ...likely },
    [],
    { volumes: [{ name: 'tmp', emptyDir: {} }] },
  ),
  'a certificate whose setting is called a path': crash(
    'Unhandled exception. Interop+Crypto+OpenSslCryptographicException: error:10000080:BIO routines::no such file\n',
    {
      env: [plain('Kestrel__Certificates__Default__Path', '/https/tls.pfx')],
      volumeMounts: [{ name: 'https', mountPath: '/https' }],
    },
    { culprit: /Kestrel__Certificates__Default__Path/, best: { [`${app}.env[0].value`]: '/https/site.pfx' } },
    [secret('cert', 'site.pfx')],
    { volumes: [{ name: 'https', secret: { secretName: 'cert' } }] },
  ),
  'a variable of oauth2-proxy for a list, without its last sign': crash(
    '[2026/11/27 18:40:20] [main.go:54] invalid configuration:\n  missing setting for email validation: email-domain or authenticated-emails-file required.\n      use email-domain=* to authorize all email addresses\n',
    {
      image: 'quay.io/oauth2-proxy/oauth2-proxy:v7.6.0',
      env: [plain('OAUTH2_PROXY_PROVIDER', 'google'), plain('OAUTH2_PROXY_EMAIL_DOMAIN', 'example.org')],
    },
    { culprit: /email-domain/, best: { [`${app}.env[1].name`]: 'OAUTH2_PROXY_EMAIL_DOMAINS' }, ...likely },
  ),
  'a word of a list that the line ends with, and a line that repeats the command': crash(
    'CRITICAL  [console] Error thrown while running command "messenger:consume async_mail --time-limit=3600". Message: "The receiver "async_mail" does not exist. Valid receivers are: async_mails, failed."\n',
    { args: ['messenger:consume', 'async_mail', '--time-limit=3600'] },
    { culprit: /async_mail/, best: { [`${app}.args[1]`]: 'async_mails' } },
  ),
  'a value that is not in the list in brackets behind it': crash(
    "Error: /usr/local/share/lua/5.1/kong/cmd/prepare.lua:36: database has an invalid value: 'postgresql' (postgres, cassandra, off)\n",
    { env: [plain('KONG_DATABASE', 'postgresql')] },
    { culprit: /KONG_DATABASE/, best: { [`${app}.env[0].value`]: 'postgres' }, ...likely },
  ),
  'a section of .NET with a single underscore, beside two with two': crash(
    "Unhandled exception. Microsoft.Extensions.Options.OptionsValidationException: DataAnnotation validation failed for 'RabbitOptions' members: 'HostName' with the error: 'The HostName field is required.'.\n",
    { env: [plain('Rabbit_HostName', 'rabbitmq'), plain('Rabbit__Port', '5672'), plain('Rabbit__UserName', 'mailer')] },
    { culprit: /Rabbit_HostName|HostName/, best: { [`${app}.env[0].name`]: 'Rabbit__HostName' }, ...likely },
  ),
  'a setting that the line names as a path': crash(
    `[2026-11-27 10:02:14.870] error: Middleware "strapi::session": App keys are required. Please set app.keys in config/server.js (ex: keys: ['myKeyA', 'myKeyB'])\n`,
    { env: [plain('HOST', '0.0.0.0'), fromSecret('APP_KEY', 'cms', 'app-keys')] },
    { culprit: /APP_KEYS?/, best: { [`${app}.env[1].name`]: 'APP_KEYS' }, ...likely },
    [secret('cms', 'app-keys')],
  ),
  'a folder below a read-only root, while nothing names the claim': crash(
    "[1] [FTL] Can't start JetStream: could not create storage directory - mkdir /data: read-only file system\n",
    {
      args: ['-js', '-sd', '/data'],
      volumeMounts: [{ name: 'js', mountPath: '/var/lib/nats' }],
      securityContext: { readOnlyRootFilesystem: true },
    },
    { culprit: /\/data/, best: { [`${app}.args[2]`]: '/var/lib/nats' }, ...likely },
    [],
    { volumes: [{ name: 'js', persistentVolumeClaim: { claimName: 'js' } }] },
  ),
  'authorities that a volume brings and nothing names': crash(
    "ERROR: couldn't execute POST against https://git.example.org/api: tls: failed to verify certificate: x509: certificate signed by unknown authority\n",
    { env: [plain('URL', 'https://git.example.org')], volumeMounts: [{ name: 'tls', mountPath: '/etc/tls-of-git' }] },
    {
      culprit: /SSL_CERT_FILE/,
      best: { [`${app}.env[1]`]: (to: unknown) => JSON.stringify(to) === '{"name":"SSL_CERT_FILE","value":"/etc/tls-of-git/ca.crt"}' },
      ...likely,
    },
    [secret('git-ca', 'ca.crt')],
    { volumes: [{ name: 'tls', secret: { secretName: 'git-ca' } }] },
  ),
  "Play's file of its process in a volume": crash(
    'This application is already running (or delete /var/run/portal/play.pid file).\n',
    {
      args: ['-Dhttp.port=9000', '-Dpidfile.path=/var/run/portal/play.pid'],
      volumeMounts: [{ name: 'run', mountPath: '/var/run/portal' }],
    },
    { culprit: /already running/, best: { [`${app}.args[1]`]: '-Dpidfile.path=/dev/null' }, ...guess },
    [],
    { volumes: [{ name: 'run', emptyDir: {} }] },
  ),
  'an address whose scheme the tool lists otherwise': crash(
    "ERROR mlflow.cli: Model registry functionality is unavailable; got unsupported URI 'postgres://mlflow@pg:5432/mlflow' for model registry data storage. Supported URI schemes are: ['', 'file', 'postgresql', 'mysql'].\n",
    { args: ['--backend-store-uri', 'postgres://mlflow@pg:5432/mlflow'] },
    { culprit: /postgres:\/\//, best: { [`${app}.args[1]`]: 'postgresql://mlflow@pg:5432/mlflow' }, ...likely },
  ),
  'a component with a slip': crash(
    'level=error msg="error running application" err="unrecognised module name: ingestor"\n',
    { args: ['-target=ingestor', '-config.file=/etc/mimir.yaml'] },
    { culprit: /ingestor/, best: { [`${app}.args[0]`]: '-target=ingester' } },
  ),
  'the token of Renovate under the name of the platform': crash(
    'FATAL: Initialization error\n       "errorMessage": "Init: You must configure a GitLab personal access token"\n',
    { env: [plain('RENOVATE_PLATFORM', 'gitlab'), fromSecret('GITLAB_TOKEN', 'renovate', 'token')] },
    { culprit: /GITLAB_TOKEN/, best: { [`${app}.env[1].name`]: 'RENOVATE_TOKEN' }, ...likely },
    [secret('renovate', 'token')],
  ),
  'two durations without a unit, of which the program reports the first': crash(
    'envconfig.Process: assigning GATEWAY_IDLE_TIMEOUT to IdleTimeout: converting \'120\' to type time.Duration. details: time: missing unit in duration "120"\n',
    env({ GATEWAY_IDLE_TIMEOUT: '120', GATEWAY_SHUTDOWN_TIMEOUT: '30', GATEWAY_PORT: '8080', DB_POOL_TIMEOUT: '5' }),
    { culprit: /GATEWAY_IDLE_TIMEOUT/, best: { [`${app}.env[0].value`]: '120s', [`${app}.env[1].value`]: '30s' }, ...likely },
  ),
  // Near misses.
  'authorities beside a variable that names others': crash(
    'x509: certificate signed by unknown authority\n',
    { env: [plain('SSL_CERT_FILE', '/etc/ssl/certs/all.pem')], volumeMounts: [{ name: 'tls', mountPath: '/etc/tls-of-git' }] },
    { culprit: /unknown authority/, best: null },
    [secret('git-ca', 'ca.crt')],
    { volumes: [{ name: 'tls', secret: { secretName: 'git-ca' } }] },
  ),
  'a name in capitals with one underscore beside sections of .NET': crash(
    "DataAnnotation validation failed for 'RabbitOptions' members: 'HostName' with the error: 'The HostName field is required.'.\n",
    { env: [plain('RABBIT_HOST', 'rabbitmq'), plain('Rabbit__Port', '5672'), plain('Rabbit__UserName', 'mailer')] },
    { culprit: /HostName/, best: null },
  ),
  'two variables that are both there and do not exclude each other': crash(
    'Error: both DB_HOST and DB_PORT are set, but nothing answers there\n',
    { env: [plain('DB_HOST', 'db'), plain('DB_PORT', '5432')] },
    { culprit: /DB_HOST/, best: null },
  ),
  'an option that is like none': crash(
    "[ERROR] [MY-000067] [Server] unknown variable 'query-cache-size=1M'.\n",
    { image: 'mysql:8.0.37', args: ['--query-cache-size=1M', '--port=3306'] },
    { culprit: /query-cache-size/, best: { [`${app}.args`]: ['--port=3306'] } },
  ),
  'a certificate and a key in their places': crash(
    'err="tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched"\n',
    { args: ['--tls-cert-file=/tls/tls.crt', '--tls-key-file=/tls/tls.key'] },
    { culprit: /certificate/, best: null },
    [map('x', 'y')],
  ),
  'a broker whose Service has two ports': crash(
    'Caused by: org.apache.kafka.common.config.ConfigException: Invalid url in bootstrap.servers: fraud-kafka\n',
    { env: [plain('KAFKA_BROKERS', 'fraud-kafka')] },
    { culprit: /KAFKA_BROKERS/, best: null },
    [service('fraud-kafka', 9092, 9093)],
  ),
};
