import type { CureRow } from './cure.ts';
import { container, loops, other, pod } from '../documented.ts';
import { app, crash, env, guess, likely, map, secret, service, settings } from './rows.ts';

const invariant =
  'Unhandled exception. System.Globalization.CultureNotFoundException: Only the invariant culture is supported in globalization-invariant mode.\n';

/** Settings that do not fit each other, the objects they name, or what only one value answers. */
export const RELATED_SETTINGS: Record<string, CureRow> = {
  'a time that must be shorter than another': crash(
    'problem running manager: leaseDuration must be greater than renewDeadline\n',
    { args: ['--leader-elect', '--leader-elect-lease-duration=15s', '--leader-elect-renew-deadline=20s'] },
    { culprit: /renew-deadline/, best: { [`${app}.args[2]`]: '--leader-elect-renew-deadline=10s' }, ...likely },
  ),
  'two times that fit, with a line that says they do not': crash(
    'problem running manager: leaseDuration must be greater than renewDeadline\n',
    { args: ['--leader-elect', '--leader-elect-lease-duration=30s', '--leader-elect-renew-deadline=20s'] },
    { culprit: /renewDeadline/, best: null },
  ),
  'a number of processes above its bound': crash(
    '[14-May-2024 09:12:03] ALERT: [pool www] pm.start_servers(12) must not be less than pm.min_spare_servers(2) and not greater than pm.max_spare_servers(4)\n',
    env({ PHP_FPM_PM_START_SERVERS: '12', PHP_FPM_PM_MIN_SPARE_SERVERS: '2', PHP_FPM_PM_MAX_SPARE_SERVERS: '4' }),
    { culprit: /START_SERVERS/, best: { [`${app}.env[0].value`]: '4' }, ...likely },
  ),
  'a pool that is smaller than the number of threads': crash(
    'Your Redis connection pool is too small for Sidekiq to work. Your pool has 10 connections but must have at least 27 (ArgumentError)\n',
    env({ REDIS_POOL_SIZE: '10', DB_POOL: '30' }),
    { culprit: /REDIS_POOL_SIZE/, best: { [`${app}.env[0].value`]: '27' }, ...likely },
  ),
  'a Service that an option names in part': crash(
    'F0612 07:02:44.531870       7 main.go:82] No service with name ingress-nginx-ctrl found in namespace default: services "ingress-nginx-ctrl" not found\n',
    { args: ['--publish-service=$(POD_NAMESPACE)/ingress-nginx-ctrl'] },
    {
      culprit: /ingress-nginx-ctrl/,
      best: { [`${app}.args[0]`]: '--publish-service=$(POD_NAMESPACE)/ingress-nginx-controller' },
      ...likely,
    },
    [service('ingress-nginx-controller', 80)],
  ),
  'a Service that an option names, and none like it': crash(
    'F0612 07:02:44.531870       7 main.go:82] No service with name ingress-nginx-ctrl found in namespace default: services "ingress-nginx-ctrl" not found\n',
    { args: ['--publish-service=$(POD_NAMESPACE)/ingress-nginx-ctrl'] },
    { culprit: /ingress-nginx-ctrl/, best: null },
    [service('shop', 80)],
  ),
  'a data plane of Kong with a database': crash(
    'Error: only in-memory storage can be used when role = "data_plane"\n',
    env({ KONG_ROLE: 'data_plane', KONG_DATABASE: 'postgres' }),
    { culprit: /KONG_DATABASE/, best: { [`${app}.env[1].value`]: 'off' }, ...likely },
  ),
  'a config server without an import': crash(
    '***************************\nAPPLICATION FAILED TO START\n***************************\n\nDescription:\n\nNo spring.config.import property has been defined\n\nAction:\n\nAdd a spring.config.import=configserver: property to your configuration.\n',
    env({ SPRING_CLOUD_CONFIG_URI: 'http://config-server:8888' }),
    {
      culprit: /SPRING_CONFIG_IMPORT/,
      best: { [`${app}.env[1]`]: { name: 'SPRING_CONFIG_IMPORT', value: 'optional:configserver:http://config-server:8888' } },
      ...likely,
    },
  ),
  'an oplog in the database of the program': crash(
    "Error: $MONGO_OPLOG_URL must be set to the 'local' database of a Mongo replica set\n",
    env({ MONGO_URL: 'mongodb://mongo:27017/chat?replicaSet=rs0', MONGO_OPLOG_URL: 'mongodb://mongo:27017/chat?replicaSet=rs0' }),
    { culprit: /MONGO_OPLOG_URL/, best: { [`${app}.env[1].value`]: 'mongodb://mongo:27017/local?replicaSet=rs0' }, ...likely },
  ),
  'a feature gate that the program does not have': crash(
    '{"level":"error","logger":"setup","msg":"unable to load feature gates","error":"feature-gate \'OOMWatcher\' not supported"}\n',
    { args: ['--log-level=info', '--feature-gates=CacheSecrets=true,OOMWatcher=true'] },
    { culprit: /OOMWatcher/, best: { [`${app}.args[1]`]: '--feature-gates=CacheSecrets=true' }, ...guess },
  ),
  'a secret that is too short, beside one that is long enough': crash(
    'The configuration contains values or keys which are invalid:\nsecrets.system.0: hydra-dev\n                  ^-- length must be >= 16, but got 9\n',
    env({ SECRETS_SYSTEM: 'hydra-dev', SECRETS_COOKIE: 'a-cookie-secret-that-is-long-enough' }),
    {
      culprit: /SECRETS_SYSTEM/,
      best: { [`${app}.env[0].value`]: (to: unknown) => typeof to === 'string' && to.length === 16 && to.startsWith('replace-me') },
      ...guess,
      says: /only you can choose it/,
    },
  ),
  'a secret whose length is told in bits below the trace': crash(
    `@81f3kd0aa: Configuration error\n${'\tat play.api.Configuration.reportError(Configuration.scala:181)\n'.repeat(12)}Caused by: play.api.PlayException: Configuration error[\nThe application secret is too short for algorithm HS256.\nCurrent application secret bits: 128, minimal required bits for algorithm HS256: 256.\n]\n`,
    env({ APPLICATION_SECRET: 'quote-portal-prd' }),
    { culprit: /APPLICATION_SECRET/, best: { [`${app}.env[0].value`]: (to: unknown) => String(to).length === 32 }, ...guess },
  ),
  'a secret that is too short, in a Secret': crash(
    'Error: The master key must be at least 16 bytes in a production environment. The provided key is only 8 bytes.\n',
    { env: [{ name: 'MEILI_MASTER_KEY', valueFrom: { secretKeyRef: { name: 'meili', key: 'key' } } }] },
    { culprit: /master key/, best: null },
    [secret('meili', 'key')],
  ),
  '.NET without languages, switched off in the manifest': crash(invariant, env({ DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' }), {
    culprit: /GLOBALIZATION_INVARIANT/,
    best: { [`${app}.env[0].value`]: 'false' },
    ...likely,
  }),
  '.NET without languages, switched off in the image': crash(
    invariant,
    { image: 'statements' },
    { culprit: /invariant culture/, best: null },
  ),
  'a word where Elixir reads a number': crash(
    '** (ArgumentError) errors were found at the given arguments:\n\n  * 1st argument: not a textual representation of an integer\n\n    :erlang.binary_to_integer("auto")\n',
    env({ PORT: '4000', POOL_SIZE: 'auto' }),
    { culprit: /POOL_SIZE/, best: { [`${app}.env[1]`]: null }, ...guess },
  ),
  'a prefix that is nearly that of the program': crash(
    "pydantic_core._pydantic_core.ValidationError: 2 validation errors for Settings\nredis_url\n  Field required [type=missing, input_value={'workers': '2'}, input_type=dict]\ncatalog_url\n  Field required [type=missing, input_value={'workers': '2'}, input_type=dict]\n",
    { ...env({ PRICING_WORKERS: '2', PRICING_LOG_LEVEL: 'info' }), envFrom: [{ prefix: 'PRICE_', configMapRef: { name: 'price' } }] },
    { culprit: /redis_url/i, best: { [`${app}.envFrom[0].prefix`]: 'PRICING_' }, ...likely },
    [map('price', 'REDIS_URL', 'CATALOG_URL')],
  ),
  'a template whose variable is called like its neighbour': crash(
    'nginx: [emerg] unknown "orders_upstream" variable\n',
    {
      image: 'nginx:1.25',
      ...env({ CATALOG_UPSTREAM: 'catalog:8080', ORDERS_HOST: 'orders:8080' }),
      volumeMounts: [{ name: 'templates', mountPath: '/etc/nginx/templates' }],
    },
    { culprit: /ORDERS_UPSTREAM/, best: { [`${app}.env[1].name`]: 'ORDERS_UPSTREAM' }, ...guess },
    [settings('gateway', { 'default.conf.template': 'server { location / { proxy_pass http://${ORDERS_UPSTREAM}; } }' })],
    { volumes: [{ name: 'templates', configMap: { name: 'gateway' } }] },
  ),
  'a name of its own that a server wants': crash(
    "nats-server: /etc/nats/nats.conf:3:14: variable reference for 'SERVER_NAME' on line 3 can not be found\n",
    { env: [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
    {
      culprit: /SERVER_NAME/,
      best: { [`${app}.env[1]`]: { name: 'SERVER_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } } },
      ...guess,
    },
  ),
  'a folder of a tree whose volume has another name for the same': crash(
    "Description:\n\nConfig data resource 'config tree [/etc/secrets/db]' via location 'configtree:/etc/secrets/db/' does not exist\n",
    { ...env({ SPRING_CONFIG_IMPORT: 'configtree:/etc/secrets/db/' }), volumeMounts: [{ name: 'db', mountPath: '/etc/secrets/database' }] },
    { culprit: /\/etc\/secrets\/db/, best: { [`${app}.env[0].value`]: 'configtree:/etc/secrets/database/' }, ...likely },
    [secret('orders-db', 'username')],
    { volumes: [{ name: 'db', secret: { secretName: 'orders-db' } }] },
  ),
  'a folder on a read-only root beside whose name a volume is mounted': crash(
    'failed to init storage: mkdir /badger: read-only file system\n',
    {
      ...env({ BADGER_DIRECTORY_KEY: '/badger/key' }),
      volumeMounts: [{ name: 'spans', mountPath: '/data/badger' }],
      securityContext: { readOnlyRootFilesystem: true },
    },
    { culprit: /\/badger/, best: { [`${app}.volumeMounts[0].mountPath`]: '/badger' }, ...likely },
    [],
    { volumes: [{ name: 'spans', persistentVolumeClaim: { claimName: 'spans' } }] },
  ),
  'a folder in the numbered causes of a Rust program': crash(
    'Error: failed to initialise tile cache\n\nCaused by:\n    0: failed to create directory `/var/cache/tiles/v2`\n    1: Read-only file system (os error 30)\n',
    { image: 'tiles', securityContext: { readOnlyRootFilesystem: true } },
    {
      culprit: /\/var\/cache\/tiles/,
      best: {
        'spec.volumes': (to: unknown) => JSON.stringify(to).includes('emptyDir'),
        [`${app}.volumeMounts`]: (to: unknown) => JSON.stringify(to).includes('/var/cache/tiles'),
      },
    },
  ),
  'a file of a ConfigMap that the program rewrites': crash(
    '1:X 14 May 2024 09:12:03.114 # Sentinel config file /etc/redis/sentinel.conf is not writable: Read-only file system. Exiting...\n',
    { image: 'redis:7', volumeMounts: [{ name: 'config', mountPath: '/etc/redis' }] },
    {
      culprit: /\/etc\/redis\/sentinel\.conf/,
      best: {
        'spec.volumes[1]': { name: 'config-copy', emptyDir: {} },
        'spec.initContainers': (to: unknown) => JSON.stringify(to).includes('cp -rL /original/. /etc/redis/'),
        [`${app}.volumeMounts[0].name`]: 'config-copy',
      },
      ...guess,
    },
    [map('sentinel', 'sentinel.conf')],
    { volumes: [{ name: 'config', configMap: { name: 'sentinel' } }] },
  ),
  'a token for another server than that of AWS': {
    object: pod(
      'export',
      {
        containers: [{ name: 'app', image: 'export', volumeMounts: [{ name: 'token', mountPath: '/var/run/aws' }] }],
        volumes: [
          { name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token', audience: 'kubernetes.default.svc' } }] } },
        ],
      },
      [container('app', loops(1))],
    ),
    log: 'botocore.errorfactory.InvalidIdentityTokenException: An error occurred (InvalidIdentityToken) when calling the AssumeRoleWithWebIdentity operation: Incorrect token audience\n',
    others: [other('ServiceAccount', 'default')],
    is: {
      reason: 'CrashLoopBackOff',
      culprit: /audience kubernetes\.default\.svc/,
      best: { 'spec.volumes[0].projected.sources[0].serviceAccountToken.audience': 'sts.amazonaws.com' },
      ...likely,
    },
  },
  'a runner of GitLab with an authority beside it': crash(
    'ERROR: Verifying runner... error: x509: certificate signed by unknown authority\nPANIC: Failed to verify the runner: Post "https://gitlab.example/api/v4/runners/verify": tls: failed to verify certificate: x509: certificate signed by unknown authority\n',
    { image: 'gitlab/gitlab-runner:v17', ...env({ RUNNER_EXECUTOR: 'kubernetes' }), volumeMounts: [{ name: 'ca', mountPath: '/certs' }] },
    { culprit: /certificate/i, best: { [`${app}.env[1]`]: { name: 'CI_SERVER_TLS_CA_FILE', value: '/certs/ca.crt' } }, ...likely },
    [secret('gitlab-ca', 'ca.crt')],
    { volumes: [{ name: 'ca', secret: { secretName: 'gitlab-ca' } }] },
  ),
};
