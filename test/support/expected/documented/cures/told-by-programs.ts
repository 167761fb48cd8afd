import type { CureRow } from './cure.ts';
import { app, crash, env, guess, likely, secret, service } from './rows.ts';

const claim = (claimName: string) => ({ name: 'data', persistentVolumeClaim: { claimName } });

/** What programs of the platform say themselves of the way out; then near misses. The texts follow the messages of the programs. */
export const TOLD_BY_PROGRAMS: Record<string, CureRow> = {
  'a command that was removed, with the one to use': crash(
    'airflow command error: argument GROUP_OR_COMMAND: Command `airflow webserver` has been removed. Please use `airflow api-server`, see help above.\n',
    { args: ['webserver'] },
    { culprit: /airflow webserver/, best: { [`${app}.args[0]`]: 'api-server' }, ...likely },
  ),
  'a variable behind an option that is reserved': crash(
    'FATAL: Runner configuration other than name and executor configuration is reserved (specifically --locked, --run-untagged, --tag-list, and --maintenance-note) and cannot be specified when registering with a runner authentication token.\n',
    env({ RUNNER_EXECUTOR: 'kubernetes', RUNNER_TAG_LIST: 'k8s' }),
    { culprit: /tag-list|reserved/, best: { [`${app}.env[1]`]: null }, ...likely },
  ),
  'a variable with one underscore too few': crash(
    'ERROR connect ECONNREFUSED 127.0.0.1:3306\n',
    env({
      database__client: 'mysql',
      database_connection__host: 'db',
      database__connection__user: 'blog',
      database__connection__database: 'blog',
    }),
    { culprit: /database_connection__host/, best: { [`${app}.env[1].name`]: 'database__connection__host' }, ...likely },
  ),
  'a key that is too open for CockroachDB': crash(
    'ERROR: cannot load certificates.\n\nproblem with node certificate: key file /certs/node.key has permissions -rw-r--r--, exceeds -rwxr-----\n',
    { args: ['start'], volumeMounts: [{ name: 'certs', mountPath: '/certs' }] },
    { culprit: /node\.key/, best: { 'spec.volumes[0].secret.defaultMode': 256 }, ...likely },
    [secret('node', 'node.key', 'node.crt')],
    { volumes: [{ name: 'certs', secret: { secretName: 'node' } }] },
  ),
  'a key that is too open, in a projected volume': crash(
    'ERROR: cannot load certificates.\n\nproblem with node certificate: key file /certs/node.key has permissions -rw-r--r--, exceeds -rwxr-----\n',
    { args: ['start'], volumeMounts: [{ name: 'certs', mountPath: '/certs' }] },
    { culprit: /node\.key/, best: { 'spec.volumes[0].projected.defaultMode': 256 }, ...likely },
    [secret('node', 'node.key', 'node.crt')],
    { volumes: [{ name: 'certs', projected: { sources: [{ secret: { name: 'node' } }] } }] },
  ),
  'a password file whose Secret nobody mounts': crash(
    '1718183521: Error: Unable to open pwfile "/mosquitto/auth/passwd".\n',
    {},
    {
      culprit: /\/mosquitto\/auth\/passwd/,
      best: {
        'spec.volumes': [{ name: 'mosquitto-auth', secret: { secretName: 'mosquitto-auth' } }],
        [`${app}.volumeMounts`]: [{ name: 'mosquitto-auth', mountPath: '/mosquitto/auth' }],
      },
      ...likely,
    },
    [secret('mosquitto-auth', 'passwd'), secret('other', 'passwd')],
  ),
  'memory that threads need': crash(
    'E20240612 10:33:47.088999     1 dfly_main.cc:172] There are 8 threads, so 2.00GiB are required. Exiting...\n',
    { resources: { limits: { memory: '1Gi' } } },
    { culprit: /2\.00GiB/, best: { [`${app}.resources.limits.memory`]: (to: unknown) => typeof to === 'string' } },
  ),
  'a volume that belongs to root, for Grafana': crash(
    "GF_PATHS_DATA='/var/lib/grafana' is not writable.\nmkdir: can't create directory '/var/lib/grafana/plugins': Permission denied\n",
    { image: 'grafana/grafana:10.4.2', volumeMounts: [{ name: 'data', mountPath: '/var/lib/grafana' }] },
    { culprit: /\/var\/lib\/grafana/, best: { 'spec.securityContext.fsGroup': 472 } },
    [],
    { volumes: [claim('grafana')] },
  ),
  'data of an older MongoDB': crash(
    '{"s":"F","c":"CONTROL","id":20573,"msg":"Wrong mongod version","attr":{"error":"UPGRADE PROBLEM: Found an invalid featureCompatibilityVersion document (ERROR: Location4926900: Invalid featureCompatibilityVersion document in admin.system.version: { _id: \\"featureCompatibilityVersion\\", version: \\"5.0\\" }."}}\n',
    { image: 'mongo:7.0' },
    { culprit: /5\.0/, best: { [`${app}.image`]: 'mongo:5.0' }, ...guess },
  ),
  'classes of a newer Java': crash(
    'Exception in thread "main" java.lang.UnsupportedClassVersionError: net/shop/Main has been compiled by a more recent version of the Java Runtime (class file version 65.0), this version of the Java Runtime only recognizes class file versions up to 61.0\n',
    { image: 'eclipse-temurin:17-jre' },
    { culprit: /UnsupportedClassVersionError/, best: { [`${app}.image`]: 'eclipse-temurin:21-jre' }, ...guess },
  ),
  'a folder in a working directory that is read-only': crash(
    'panic: error creating self-signed certificates: mkdir apiserver.local.config: read-only file system\n',
    { securityContext: { readOnlyRootFilesystem: true }, volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }] },
    { culprit: /apiserver\.local\.config/, best: { [`${app}.workingDir`]: '/tmp' }, ...guess },
    [],
    { volumes: [{ name: 'tmp', emptyDir: {} }] },
  ),
  'an option of Celery behind its command': crash(
    'You are using `-A` as an option of the worker sub-command:\n\nThe support for this usage was removed in Celery 5.0. Instead you should use `-A` as a global option:\nError: No such option: -A\n',
    { command: ['celery', 'worker', '-A', 'shop.tasks', '--loglevel=INFO'] },
    { culprit: /-A/, best: { [`${app}.command`]: ['celery', '-A', 'shop.tasks', 'worker', '--loglevel=INFO'] }, ...likely },
  ),
  'a port variable of a Service for the Schema Registry': crash(
    '===> Configuring ...\nPORT is deprecated. Please use SCHEMA_REGISTRY_LISTENERS instead.\n',
    {},
    { culprit: /SCHEMA_REGISTRY_PORT/, best: { 'spec.enableServiceLinks': false }, ...likely },
    [service('schema-registry', 8081)],
  ),

  // Near misses.
  'data of an older version in an image of our own': crash(
    'FATAL:  database files are incompatible with server\nDETAIL:  The data directory was initialized by PostgreSQL version 15, which is not compatible with this version 16.1.\n',
    { image: 'registry.example/team/db-proxy:16.1' },
    { culprit: /15/, best: null },
  ),
  'two numbered groups of variables': crash(
    'ERROR connect ECONNREFUSED 127.0.0.1:3306\n',
    env({ database_1_host: 'a', database_1_user: 'b', database_2_host: 'c' }),
    { culprit: /127\.0\.0\.1:3306/, best: null },
  ),
  'a Secret with the key and no other relation': crash(
    '1718183521: Error: Unable to open pwfile "/mosquitto/auth/passwd".\n',
    {},
    { culprit: /\/mosquitto\/auth\/passwd/, best: null },
    [secret('registry', 'passwd')],
  ),
  'an option that is unknown everywhere': crash(
    'Error: No such option: --vrebose\n',
    { command: ['celery', 'worker', '--vrebose'] },
    { culprit: /--vrebose/, best: { [`${app}.command`]: ['celery', 'worker'] } },
  ),
};
