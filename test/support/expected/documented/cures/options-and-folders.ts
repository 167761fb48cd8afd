import { other } from '../documented.ts';
import type { CureRow } from './cure.ts';
import { app, crash, env, fromSecret, guess, likely, map, plain, service } from './rows.ts';

const DATADIR =
  '2026-03-11 06:41:12,861 [myid:] - ERROR [main:o.a.z.s.ZooKeeperServerMain@84] - Unable to access datadir, exiting abnormally\norg.apache.zookeeper.server.persistence.FileTxnSnapLog$DatadirException: Unable to create data directory /data/version-2\n\tat a.b.C.d(C.java:8)\n';
const claim = (uid: number, more: object = {}) => ({
  securityContext: { runAsUser: uid, ...more },
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'zk' } }],
});
const SEASTAR = 'Could not initialize seastar: std::runtime_error (insufficient physical memory: needed 2147483648 available 1073741824)\n';
const ODOO = 'Database connection failure: could not translate host name "db" to address: Name or service not known\n';
const SYMFONY = [
  'In StreamHandler.php line 156:',
  '                                                                               ',
  '  The stream or file "/var/www/html/storage/logs/laravel.log" could not be op  ',
  '  ened in append mode: Failed to open stream: Read-only file system            ',
  '                                                                               ',
  '',
].join('\n');
const SARAMA = 'level=fatal msg="create consumer group" error="kafka: client has run out of available brokers to talk to: EOF"\n';
const SHARD = 'invalid value "" for flag -shard: parse error\n';
const shard = {
  args: ['-shard=$(SHARD)'],
  env: [{ name: 'SHARD', valueFrom: { fieldRef: { fieldPath: "metadata.labels['shard-index']" } } }],
};

/** Options, variables and folders under other names than the program has them, and values in other units. */
export const OPTIONS_AND_FOLDERS: Record<string, CureRow> = {
  'a folder that an ordinary user cannot make in a new volume': crash(
    DATADIR,
    { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    { culprit: /\/data/, best: { 'spec.securityContext.fsGroup': 1000 }, ...likely },
    [],
    claim(1000),
  ),
  'a folder of the node behind a claim, which no group gets': crash(
    DATADIR,
    { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    { culprit: /\/data/, best: { 'spec.initContainers': (list: unknown) => JSON.stringify(list).includes('chown') }, ...guess },
    [
      other('PersistentVolumeClaim', 'zk', { spec: { storageClassName: 'local', volumeName: 'v' }, status: { phase: 'Bound' } }),
      other('PersistentVolume', 'v', {
        spec: { storageClassName: 'local', hostPath: { path: '/x' }, claimRef: { namespace: 'default', name: 'zk' } },
        status: { phase: 'Bound' },
      }),
    ],
    claim(1000),
  ),
  "the two volumes of a program and of its cache in each other's place": crash(
    "Error: Cannot find module '/app/server.js'\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1144:15)\n",
    {
      command: ['node', '/app/server.js'],
      volumeMounts: [
        { name: 'cache', mountPath: '/app' },
        { name: 'release', mountPath: '/var/cache/api' },
      ],
    },
    {
      culprit: /\/app/,
      best: { [`${app}.volumeMounts[0].name`]: 'release', [`${app}.volumeMounts[1].name`]: 'cache' },
      ...likely,
    },
    [],
    {
      initContainers: [
        {
          name: 'unpack',
          image: 'x',
          command: ['sh', '-c', 'cp /src/server.js /out/server.js'],
          volumeMounts: [{ name: 'release', mountPath: '/out' }],
        },
      ],
      volumes: [
        { name: 'cache', emptyDir: {} },
        { name: 'release', emptyDir: {} },
      ],
    },
  ),
  'a folder that nobody can make, where the pod has its group': crash(
    DATADIR,
    { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    { culprit: /\/data/, best: null },
    [],
    claim(1000, { fsGroup: 1000 }),
  ),
  'a folder that root cannot make': crash(
    DATADIR,
    { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    { culprit: /\/data/, best: null },
    [],
    claim(0),
  ),
  'a folder of the data that lies in no volume, where the line names no folder': crash(
    "1:M # Can't open or create append-only dir appendonlydir: Read-only file system\n",
    {
      args: ['--dir', '/data', '--appendonly', 'yes'],
      volumeMounts: [{ name: 'store', mountPath: '/var/lib/redis' }],
      securityContext: { readOnlyRootFilesystem: true },
    },
    { culprit: /\/data/, best: { [`${app}.args[1]`]: '/var/lib/redis' }, ...likely },
    [],
    { volumes: [{ name: 'store', emptyDir: {} }] },
  ),
  'a folder of the configuration, where the line names no folder': crash(
    'cannot save the cache: Read-only file system\n',
    {
      ...env({ APP_CONFIG_DIR: '/settings' }),
      volumeMounts: [{ name: 'store', mountPath: '/var/lib/shop' }],
      securityContext: { readOnlyRootFilesystem: true },
    },
    { culprit: /^(?!\/settings)/, best: null },
    [],
    { volumes: [{ name: 'store', emptyDir: {} }] },
  ),
  'a port that the Service of the database does not have, which Laravel does not say': crash(
    'SQLSTATE[HY000] [2002] Connection timed out (Connection: mysql, SQL: select * from migrations)\n',
    env({ DB_CONNECTION: 'mysql', DB_HOST: 'mysql', DB_PORT: '3307', REDIS_HOST: 'redis' }),
    { culprit: /mysql:3307/, best: { [`${app}.env[2].value`]: '3306' }, ...likely },
    [service('mysql', 3306), service('redis', 6379)],
  ),
  'a port that the Service of the database has, which Laravel does not say': crash(
    'SQLSTATE[HY000] [2002] Connection timed out (Connection: mysql, SQL: select * from migrations)\n',
    env({ DB_CONNECTION: 'mysql', DB_HOST: 'mysql', DB_PORT: '3306', REDIS_HOST: 'redis' }),
    { culprit: /timed out/, best: null },
    [service('mysql', 3306), service('redis', 6379)],
  ),
  'a file that an option seeks in a folder of the program, where a mount would hide the others': crash(
    'No such file or directory @ rb_sysopen - /app/config/sidekiq.yml (Errno::ENOENT)\n',
    { args: ['-C', '/app/config/sidekiq.yml'], volumeMounts: [{ name: 'config', mountPath: '/etc/sidekiq' }] },
    { culprit: /sidekiq\.yml/, best: { [`${app}.args[1]`]: '/etc/sidekiq/sidekiq.yml' }, ...likely },
    [map('sidekiq', 'sidekiq.yml')],
    { volumes: [{ name: 'config', configMap: { name: 'sidekiq' } }] },
  ),
  'a line of information that has the word error in it': crash(
    'INFO: Both error and output logs will be printed to /var/agent/remoting\nSEVERE: the agent ends: no secret was given\n',
    {},
    { culprit: /no secret was given/, best: null },
  ),
  'a panic about a file of a ConfigMap': crash(
    'thread \'main\' panicked at src/main.rs:12:10:\ncalled `Result::unwrap()` on an `Err` value: Error { inner: "/etc/queue/app.toml: unknown field `max_conn`" }\n',
    { volumeMounts: [{ name: 'config', mountPath: '/etc/queue' }] },
    { culprit: /max_conn/, best: null, says: /key `app\.toml` of ConfigMap `queue`/ },
    [map('queue', 'app.toml')],
    { volumes: [{ name: 'config', configMap: { name: 'queue' } }] },
  ),
  'a device that the user may not open': crash(
    "OSError: [Errno 13] Permission denied: '/dev/dri/card0'\n",
    { securityContext: { runAsUser: 1000 } },
    { culprit: /\/dev\/dri\/card0/, best: null },
  ),
  'a size of the heap in the units of Kubernetes, of which a script makes an option': crash(
    'Starting Solr on port 8983\n\nInvalid initial heap size: -Xms1536Mi\nError: Could not create the Java Virtual Machine.\n',
    env({ SOLR_HEAP: '1536Mi', SOLR_PORT: '8983' }),
    { culprit: /SOLR_HEAP|-Xms1536Mi/, best: { [`${app}.env[0].value`]: '1536m' }, ...likely },
  ),
  'data of another version of a search server': crash(
    'Error: Your database version (1.6.2) is incompatible with your current engine version (1.8.3).\n',
    { image: 'getmeili/meilisearch:v1.8.3' },
    { culprit: /1\.6\.2/, best: { [`${app}.image`]: 'getmeili/meilisearch:v1.6.2' }, confidence: ['likely', 'guess'] },
  ),
  'a file that no line names, and a key with another name': crash(
    'panic: configuration file not found\n\ngoroutine 1 [running]:\nmain.main()\n',
    { ...env({ GATUS_CONFIG_PATH: '/config/config.yaml' }), volumeMounts: [{ name: 'config', mountPath: '/config' }] },
    { culprit: /GATUS_CONFIG_PATH/, best: { [`${app}.env[0].value`]: '/config/gatus.yaml' }, ...likely },
    [map('gatus', 'gatus.yaml')],
    { volumes: [{ name: 'config', configMap: { name: 'gatus' } }] },
  ),
  'an option that is missing because its variable lacks a separator': crash(
    'time="2026-06-19T18:45:09Z" level=warning msg="Configuration: configuration environment variable not expected: AUTH_STORAGE_ENCRYPTIONKEY_FILE"\ntime="2026-06-19T18:45:09Z" level=error msg="Configuration: storage: option \'encryption_key\' is required"\n',
    env({ AUTH_SESSION_SECRET_FILE: '/s/a', AUTH_STORAGE_ENCRYPTIONKEY_FILE: '/s/b' }),
    { culprit: /AUTH_STORAGE_ENCRYPTIONKEY_FILE/, best: { [`${app}.env[1].name`]: 'AUTH_STORAGE_ENCRYPTION_KEY_FILE' }, ...likely },
  ),
  'an option that is missing because its variable has an older word': crash(
    'Error: --repo-allowlist must be set for security purposes\n',
    env({ ATLANTIS_DATA_DIR: '/data', ATLANTIS_REPO_WHITELIST: 'github.com/shop/*' }),
    { culprit: /ATLANTIS_REPO_WHITELIST/, best: { [`${app}.env[1].name`]: 'ATLANTIS_REPO_ALLOWLIST' }, ...likely },
  ),
  'an option that is missing and that no variable has': crash(
    'Error: --repo-allowlist must be set for security purposes\n',
    env({ ATLANTIS_DATA_DIR: '/data', ATLANTIS_REPO_CONFIG: 'x' }),
    { culprit: /repo-allowlist/, best: null },
  ),
  'a file for which the message names a variable': crash(
    "Config file '/data/homeserver.yaml' does not exist. You should either create a new config file or specify the path to an existing config file with the SYNAPSE_CONFIG_PATH variable.\n",
    {
      ...env({ TZ: 'UTC' }),
      volumeMounts: [
        { name: 'config', mountPath: '/config' },
        { name: 'data', mountPath: '/data' },
      ],
    },
    { culprit: /homeserver\.yaml/, best: { [`${app}.env[1]`]: plain('SYNAPSE_CONFIG_PATH', '/config/homeserver.yaml') }, ...likely },
    [map('synapse', 'homeserver.yaml')],
    {
      volumes: [
        { name: 'config', configMap: { name: 'synapse' } },
        { name: 'data', persistentVolumeClaim: { claimName: 'x' } },
      ],
    },
  ),
  'a host whose port is in the variable PORT': crash(
    ODOO,
    env({ HOST: 'db', PORT: '5432', USER: 'odoo' }),
    { culprit: /^db/, best: { [`${app}.env[0].value`]: 'odoo-postgresql' }, ...guess },
    [service('odoo-postgresql', 5432), service('mail', 25)],
  ),
  'the namespace of the pod, under the name that Knative reads': crash(
    'panic: The environment variable "SYSTEM_NAMESPACE" is not set\n\ngoroutine 1 [running]:\n',
    env({ METRICS_DOMAIN: 'tekton.dev' }),
    {
      culprit: /SYSTEM_NAMESPACE/,
      best: { [`${app}.env[1]`]: { name: 'SYSTEM_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } } },
      ...likely,
    },
  ),
  'a home beside the folder in which a file is mounted': crash(
    'dagster._core.errors.DagsterInvariantViolationError: $DAGSTER_HOME "/opt/dagster/home" is not a directory or does not exist. Dagster requires this environment variable to be set\n',
    {
      ...env({ DAGSTER_HOME: '/opt/dagster/home' }),
      volumeMounts: [{ name: 'config', mountPath: '/opt/dagster/dagster_home/dagster.yaml', subPath: 'dagster.yaml' }],
    },
    { culprit: /DAGSTER_HOME/, best: { [`${app}.env[0].value`]: '/opt/dagster/dagster_home' }, ...likely },
    [map('dagster', 'dagster.yaml')],
    { volumes: [{ name: 'config', configMap: { name: 'dagster' } }] },
  ),
  'a fault below a headline and a ruler': crash(
    "2026-05-27T13:10:46.358Z\tERROR\tmain\tio.trino.server.Server\tConfiguration is invalid\n==========\n\nErrors:\n\n1) Error: Defunct property 'query.max-total-memory-per-node' (class [class io.trino.memory.NodeMemoryConfig]) cannot be configured.\n",
    {},
    { culprit: /query\.max-total-memory-per-node/, best: null },
  ),
  'less memory than the program is told to take': crash(
    SEASTAR,
    { args: ['--memory=2G'], resources: { limits: { memory: '1Gi' } } },
    { culprit: /memory/, best: { [`${app}.resources.limits.memory`]: '2560Mi' }, ...likely },
  ),
  'a slip in a word that stands elsewhere in the log': crash(
    'ERROR - KubernetesExecuter doesn\'t look like a module path\nTraceback (most recent call last):\n  File "a.py", line 34, in import_string\n    module_path, class_name = dotted_path.rsplit(".", 1)\nValueError: not enough values to unpack (expected 2, got 1)\n',
    env({ AIRFLOW__CORE__EXECUTOR: 'KubernetesExecuter' }),
    { culprit: /AIRFLOW__CORE__EXECUTOR=KubernetesExecuter/, best: { [`${app}.env[0].value`]: 'KubernetesExecutor' }, ...likely },
  ),
  'a unit that the program does not know, inside of a longer value': crash(
    "Exception in thread \"main\" com.typesafe.config.ConfigException$BadValue: system properties: Invalid value at 'request-timeout': Could not parse time unit 'sec' (try ns, us, ms, s, m, h, d)\n",
    env({ JAVA_OPTS: '-Xmx512m -Dakka.http.server.request-timeout=30sec -Dakka.loglevel=INFO' }),
    {
      culprit: /30sec/,
      best: { [`${app}.env[0].value`]: '-Xmx512m -Dakka.http.server.request-timeout=30s -Dakka.loglevel=INFO' },
      ...likely,
    },
  ),
  'a port with TLS, and a client whose switch for it is off': crash(
    SARAMA,
    env({ KAFKA_BROKERS: 'kafka:9093', KAFKA_TLS_ENABLED: 'false' }),
    { culprit: /KAFKA_TLS_ENABLED=false/, best: { [`${app}.env[1].value`]: 'true' }, ...guess },
    [service('kafka', 9092, 9093)],
  ),
  'a port without TLS, and a client whose switch for it is off': crash(
    SARAMA,
    env({ KAFKA_BROKERS: 'kafka:9092', KAFKA_TLS_ENABLED: 'false' }),
    { culprit: /EOF|kafka/, best: null },
    [service('kafka', 9092, 9093)],
  ),
  'a word of which the program has only longer ones': crash(
    'The receiver "async" does not exist. Valid receivers are: async_high, async_low, failed.\n',
    { args: ['messenger:consume', 'async'] },
    { culprit: /async/, best: { [`${app}.args[1]`]: 'async_high' }, ...guess },
  ),
  'a folder whose option is called after the mounted one': crash(
    "Error: Invalid value for '--profiles-dir': Path '/root/.dbt' does not exist.\n",
    { args: ['run', '--profiles-dir', '/root/.dbt'], volumeMounts: [{ name: 'config', mountPath: '/dbt/profiles' }] },
    { culprit: /\.dbt/, best: { [`${app}.args[2]`]: '/dbt/profiles' }, ...likely },
    [map('dbt', 'profiles.yml')],
    { volumes: [{ name: 'config', configMap: { name: 'dbt' } }] },
  ),
  'a driver of Spark with less memory than it starts with': crash(
    'ERROR SparkContext: Error initializing SparkContext.\njava.lang.IllegalArgumentException: System memory 259522560 must be at least 471859200. Please increase heap size using the --driver-memory option or spark.driver.memory in Spark configuration.\n',
    { args: ['driver', '--conf', 'spark.driver.memory=256m'] },
    { culprit: /spark\.driver\.memory=256m/, best: { [`${app}.args[2]`]: 'spark.driver.memory=1g' }, ...likely },
  ),
  'a driver of Spark whose memory an option of its own gives': crash(
    'System memory 259522560 must be at least 471859200. Please increase heap size using the --driver-memory option or spark.driver.memory in Spark configuration.\n',
    { args: ['driver', '--driver-memory', '256m'] },
    { culprit: /--driver-memory=256m/, best: { [`${app}.args[2]`]: '1g' }, ...likely },
  ),
  'the address of a Service where a program of Clojure wants a number': crash(
    'Exception in thread "main" Syntax error compiling at (shop/core.clj:19:1).\n\tat clojure.lang.Compiler.load(Compiler.java:7665)\nCaused by: java.lang.NumberFormatException: For input string: "tcp://10.96.187.20:9102"\n\tat a.b.C.d(C.java:8)\n',
    env({ HTTP_PORT: '8080' }),
    { culprit: /METRICS_PORT/, best: { 'spec.enableServiceLinks': false }, ...likely },
    [service('metrics', 9102)],
  ),
  'a host with white space at its end': crash(
    'psycopg2.OperationalError: could not translate host name "catalog-pg " to address: Name or service not known\n',
    { env: [plain('POSTGRES_HOST', 'catalog-pg '), plain('POSTGRES_DB', 'catalog'), fromSecret('POSTGRES_PASSWORD', 'pg', 'password')] },
    { culprit: /POSTGRES_HOST="catalog-pg "/, best: { [`${app}.env[0].value`]: 'catalog-pg' }, ...likely },
    [service('catalog-pg', 5432)],
  ),
  'a file in an error that a console breaks into lines': crash(
    SYMFONY,
    { securityContext: { readOnlyRootFilesystem: true } },
    {
      culprit: /storage\/logs\/laravel\.log/,
      best: {
        'spec.volumes': [{ name: 'writable-var-www-html-storage-logs', emptyDir: {} }],
        [`${app}.volumeMounts`]: [{ name: 'writable-var-www-html-storage-logs', mountPath: '/var/www/html/storage/logs' }],
      },
      ...likely,
    },
  ),
  'a variable from a label that the pod does not have': crash(
    SHARD,
    shard,
    { culprit: /SHARD from shard-index/, best: { 'metadata.labels.shard-index': /./ }, ...guess },
    [other('Service', 'x')],
  ),
};
