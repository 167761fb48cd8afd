import type { CureRow } from './cure.ts';
import { app, crash, env, fromSecret, guess, likely, map, secret, service } from './rows.ts';

const ASCII = "UnicodeDecodeError: 'ascii' codec can't decode byte 0xc3 in position 12: ordinal not in range(128)\n";
const TLS = 'Connection error: 00FB4C9F:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:ssl3_record.c:355:\n';
const PAKETO =
  'unable to calculate memory configuration\nfixed memory regions require 662096K which is greater than 524288K available for allocation: -XX:MaxDirectMemorySize=10M\nERROR: failed to launch: exec.d: exit status 1\n';
const redis = (setting: string, why: string) =>
  `\n*** FATAL CONFIG FILE ERROR (Redis 7.2.5) ***\nReading the configuration file, at line 2\n>>> '${setting}'\n${why}\n`;
const ca = (file: string, ...keys: string[]): CureRow =>
  crash(
    `Warning: Ignoring extra certs from \`${file}\`, load failed: error:80000002:system library::No such file or directory\nFetchError: self-signed certificate in certificate chain\n    at a (/app/b.js:1:1)\n`,
    { ...env({ NODE_EXTRA_CA_CERTS: file }), volumeMounts: [{ name: 'ca', mountPath: '/etc/ca' }] },
    keys.length === 1
      ? { culprit: /root\.pem/, best: { [`${app}.env[0].value`]: `/etc/ca/${keys[0]}` }, ...likely }
      : { culprit: /root\.pem/, best: null },
    [map('ca', ...keys)],
    { volumes: [{ name: 'ca', configMap: { name: 'ca' } }] },
  );

/** Locales, memory regions, switches for TLS, certificates and folders. */
export const RUNTIMES_AND_FILES: Record<string, CureRow> = {
  'text with letters, and a locale without them': crash(ASCII, env({ LC_ALL: 'POSIX' }), {
    culprit: /locale/,
    best: { [`${app}.env[0].value`]: 'C.UTF-8' },
    ...likely,
  }),
  'text with letters, and no locale': crash(ASCII, env({ PORT: '80' }), {
    culprit: /locale/,
    best: { [`${app}.env[1]`]: { name: 'LC_ALL', value: 'C.UTF-8' } },
    ...guess,
  }),
  'fixed regions of the JVM beyond the limit': crash(
    PAKETO,
    { resources: { limits: { memory: '512Mi' } } },
    {
      culprit: /memory limit/,
      best: { [`${app}.resources.limits.memory`]: (to: unknown) => /^(?:9\d\d|[1-9]\d{3})Mi$|^[1-4]Gi$/.test(String(to)) },
    },
  ),
  'a client of .NET that wants languages': crash(
    '[06:58:21 INF] Applying pending migrations for ClaimsDbContext\nUnhandled exception. System.NotSupportedException: Globalization Invariant Mode is not supported.\n   at Microsoft.Data.SqlClient.SqlConnection.Open()\n',
    env({ DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' }),
    { culprit: /GLOBALIZATION_INVARIANT/, best: { [`${app}.env[0].value`]: 'false' } },
  ),
  'a locale that the image does not have': crash(
    "terminate called after throwing an instance of 'std::runtime_error'\n  what():  locale::facet::_S_create_c_locale name not valid\n",
    env({ TZ: 'Europe/Berlin', LC_ALL: 'de_DE.UTF-8' }),
    { culprit: /LC_ALL=de_DE/, best: { [`${app}.env[1].value`]: 'C.UTF-8' }, ...likely },
  ),
  'a locale of Python, without a variable': crash(
    'Traceback (most recent call last):\n  File "/app/a.py", line 1, in <module>\nlocale.Error: unsupported locale setting\n',
    env({ TZ: 'Europe/Berlin' }),
    { culprit: /locale/, best: null },
  ),
  'a variable that two later ones are part of': crash(
    'FATAL:  password authentication failed for user "$(DB_USER)"\n',
    {
      env: [
        { name: 'DATABASE_URL', value: 'postgres://$(DB_USER):$(DB_PASSWORD)@db:5432/shop' },
        fromSecret('DB_USER', 'db', 'username'),
        fromSecret('DB_PASSWORD', 'db', 'password'),
      ],
    },
    {
      culprit: /DB_USER/,
      best: {
        [`${app}.env[0]`]: fromSecret('DB_PASSWORD', 'db', 'password'),
        [`${app}.env[2]`]: { name: 'DATABASE_URL', value: 'postgres://$(DB_USER):$(DB_PASSWORD)@db:5432/shop' },
      },
      ...likely,
    },
    [secret('db', 'username', 'password')],
  ),
  'a token that the pod has in another folder': crash(
    'unable to read file at /var/run/secrets/eks.amazonaws.com/serviceaccount/token: open /var/run/secrets/eks.amazonaws.com/serviceaccount/token: no such file or directory\n',
    {
      ...env({ AWS_WEB_IDENTITY_TOKEN_FILE: '/var/run/secrets/eks.amazonaws.com/serviceaccount/token' }),
      volumeMounts: [
        { name: 'aws', mountPath: '/var/run/secrets/sts' },
        { name: 'spool', mountPath: '/spool' },
      ],
    },
    { culprit: /serviceaccount\/token/, best: { [`${app}.env[0].value`]: '/var/run/secrets/sts/token' }, ...likely },
    [],
    {
      volumes: [
        { name: 'aws', projected: { sources: [{ serviceAccountToken: { audience: 'sts.amazonaws.com', path: 'token' } }] } },
        { name: 'spool', emptyDir: {} },
      ],
    },
  ),
  'a profile of Quarkus under its long name': crash(
    'Exception in thread "main" io.smallrye.config.ConfigValidationException: Configuration validation failed:\n\tjava.util.NoSuchElementException: SRCFG00014: The config property settlement.partner.url is required but it could not be found in any config source\n',
    env({ TZ: 'Europe/Warsaw', QUARKUS_PROFILE: 'production' }),
    { culprit: /settlement\.partner\.url|QUARKUS_PROFILE/, best: { [`${app}.env[1].value`]: 'prod' }, ...guess },
  ),
  'the file with the number of a Play server, and no arguments': crash(
    'java.nio.file.FileSystemException: /opt/docker/RUNNING_PID: Read-only file system\n\tat play.core.server.ProdServerStart$.createPidFile(ProdServerStart.scala:162)\n',
    { ...env({ JAVA_OPTS: '-Xmx640m' }), securityContext: { readOnlyRootFilesystem: true } },
    { culprit: /RUNNING_PID/, best: { [`${app}.args`]: ['-Dpidfile.path=/dev/null'] }, ...likely },
  ),
  'TLS to the plain port of a Service with both': crash(
    TLS,
    env({ KAFKA_BROKERS: 'kafka:9092', KAFKA_SSL: 'true' }),
    { culprit: /KAFKA_SSL/, best: { [`${app}.env[0].value`]: 'kafka:9093' }, ...guess },
    [service('kafka', 9092, 9093)],
  ),
  'TLS to a Service with a plain port only': crash(
    TLS,
    env({ KAFKA_BROKERS: 'kafka:9092', KAFKA_SSL: '1' }),
    { culprit: /KAFKA_SSL/, best: { [`${app}.env[1].value`]: '0' }, ...guess },
    [service('kafka', 9092)],
  ),
  'TLS that two settings switch on': crash(TLS, env({ KAFKA_SSL: 'true', REDIS_TLS: 'true' }), { culprit: /wrong version/, best: null }),
  'the only certificate of a volume, under another name': ca('/etc/ca/root.pem', 'ca.crt'),
  'the only key of a Secret, for a file that no setting names': crash(
    'Error: Unable to open pwfile "/mosquitto/auth/passwd".\n',
    { volumeMounts: [{ name: 'auth', mountPath: '/mosquitto/auth' }] },
    { culprit: /passwd/, best: { 'spec.volumes[0].secret.items': [{ key: 'users.txt', path: 'passwd' }] }, ...guess },
    [secret('auth', 'users.txt')],
    { volumes: [{ name: 'auth', secret: { secretName: 'auth' } }] },
  ),
  'one of two certificates of a volume': ca('/etc/ca/root.pem', 'ca-old.crt', 'ca-new.crt'),
  'a folder of Redis in a volume': crash(
    redis('dir "/data/redis"', 'No such file or directory'),
    { args: ['--dir', '/data/redis'], volumeMounts: [{ name: 'd', mountPath: '/data' }] },
    { culprit: /\/data\/redis/, best: { [`${app}.args[1]`]: '/data' }, ...likely },
    [],
    { volumes: [{ name: 'd', emptyDir: {} }] },
  ),
  'the name of a replica for its number': crash(
    'Caused by: java.lang.IllegalArgumentException: serverid zk-2 is not a number\n\tat org.apache.zookeeper.server.quorum.QuorumPeerConfig.setupMyId(QuorumPeerConfig.java:1)\n',
    env({ ZOO_TICK_TIME: '2000', ZOO_MY_ID: 'zk-2', ZOO_SERVERS: 'server.1=zk-1:2888:3888;2181 server.2=zk-2:2888:3888;2181' }),
    { culprit: /ZOO_MY_ID/, best: { [`${app}.env[1].value`]: '2' }, ...guess },
  ),
  'a port of its own below 1024, in a line that names no file': crash(
    'thread \'main\' panicked at src/main.rs:71:10:\ncalled `Result::unwrap()` on an `Err` value: Os { code: 13, kind: PermissionDenied, message: "Permission denied" }\n',
    { ...env({ LISTEN_ADDR: '0.0.0.0:80' }), ports: [{ containerPort: 8080 }], securityContext: { runAsUser: 10001 } },
    { culprit: /port 80 \(LISTEN_ADDR\)/, best: { [`${app}.env[0].value`]: '0.0.0.0:8080' } },
  ),
  'a port of its own below 1024, for root': crash(
    'thread \'main\' panicked at src/main.rs:71:10:\ncalled `Result::unwrap()` on an `Err` value: Os { code: 13, kind: PermissionDenied, message: "Permission denied" }\n',
    { ...env({ LISTEN_ADDR: '0.0.0.0:80' }), ports: [{ containerPort: 8080 }], securityContext: { runAsUser: 0 } },
    { culprit: /PermissionDenied/, best: null },
  ),
  'a key that a mount names in other letters': crash(
    "Unhandled exception. System.IO.FileNotFoundException: The configuration file 'appsettings.Production.json' was not found and is not optional. The expected physical path was '/app/config/appsettings.Production.json'.\n",
    { volumeMounts: [{ name: 'c', mountPath: '/app/config/appsettings.Production.json', subPath: 'appsettings.Production.json' }] },
    { culprit: /appsettings/, best: { [`${app}.volumeMounts[0].subPath`]: 'appsettings.production.json' }, ...likely },
    [map('api', 'appsettings.production.json', 'other.json')],
    { volumes: [{ name: 'c', configMap: { name: 'api' } }] },
  ),
  'a folder of Laravel on a root file system without writing': crash(
    'The /var/www/html/bootstrap/cache directory must be present and writable.\n',
    { securityContext: { readOnlyRootFilesystem: true } },
    {
      culprit: /bootstrap\/cache/,
      best: {
        'spec.volumes': [{ name: 'writable-var-www-html-bootstrap-cache', emptyDir: {} }],
        [`${app}.volumeMounts`]: [{ name: 'writable-var-www-html-bootstrap-cache', mountPath: '/var/www/html/bootstrap/cache' }],
      },
    },
  ),
  'a folder in a volume of root': crash(
    "Caused by: org.apache.kafka.streams.errors.ProcessorStateException: state directory [/var/lib/streams/clicks] doesn't exist and couldn't be created\n",
    { ...env({ STATE_DIR: '/var/lib/streams' }), volumeMounts: [{ name: 'state', mountPath: '/var/lib/streams' }] },
    { culprit: /\/var\/lib\/streams/, best: { 'spec.securityContext.fsGroup': 10001 } },
    [],
    { securityContext: { runAsUser: 10001 }, volumes: [{ name: 'state', persistentVolumeClaim: { claimName: 'state' } }] },
  ),
  'the file with the number of a Play server, in a volume': crash(
    'This application is already running (Or delete /data/RUNNING_PID file).\n',
    { ...env({ JAVA_OPTS: '-Xmx1g -Dpidfile.path=/data/RUNNING_PID' }), volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    { culprit: /RUNNING_PID/, best: { [`${app}.env[0].value`]: '-Xmx1g -Dpidfile.path=/dev/null' }, ...likely },
    [],
    { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
  ),
  'a number with its thousands as a letter': crash(
    'java.lang.IllegalArgumentException: The config property cache.max-entries with the config value "10k" cannot be converted to java.lang.Integer\n',
    env({ CACHE_MAX_ENTRIES: '10k' }),
    { culprit: /CACHE_MAX_ENTRIES/, best: { [`${app}.env[0].value`]: '10000' }, ...guess },
  ),
  'a timeout that was meant in milliseconds': crash(
    'envconfig.Process: assigning POSTING_TIMEOUT to PostingTimeout: converting \'2500\' to type time.Duration. details: time: missing unit in duration "2500"\n',
    env({ POSTING_TIMEOUT: '2500' }),
    { culprit: /POSTING_TIMEOUT/, best: { [`${app}.env[0].value`]: '2500ms' }, ...likely },
  ),
  'a number with a letter that looks like a digit': crash(
    '2024-05-14 09:00:00.000 UTC [1] FATAL:  invalid value for parameter "max_connections": "2OO"\n',
    { args: ['-c', 'max_connections=2OO'] },
    { culprit: /max_connections/, best: { [`${app}.args[1]`]: 'max_connections=200' }, ...likely },
  ),
  'a well-known image without the host of its database': crash(
    'MySQL Connection Error: (2002) php_network_getaddresses: getaddrinfo for mysql failed: Name or service not known\n',
    { image: 'wordpress:6.5', ...env({ WORDPRESS_DB_USER: 'wp' }) },
    { culprit: /mysql|WORDPRESS_DB_HOST/, best: { [`${app}.env[1]`]: { name: 'WORDPRESS_DB_HOST', value: 'wp-db' } }, ...likely },
    [service('wp-db', 3306), service('shop', 80), service('cache', 6379)],
  ),
  'a well-known image without the host of one of two databases': crash(
    'MySQL Connection Error: (2002) php_network_getaddresses: getaddrinfo for mysql failed: Name or service not known\n',
    { image: 'wordpress:6.5', ...env({ WORDPRESS_DB_USER: 'wp' }) },
    { culprit: /mysql/, best: null },
    [service('wp-db', 3306), service('other-db', 3306), secret('wp', 'password')],
  ),
};
