import type { CureRow } from './cure.ts';
import { app, crash, env, guess, likely, map, plain, service } from './rows.ts';

const NO_MODULE =
  'Traceback (most recent call last):\n  File "/usr/lib/python3.12/importlib/__init__.py", line 90, in import_module\nModuleNotFoundError: No module named \'store\'\n[2026-05-16 07:30:11 +0000] [1] [ERROR] Reason: Worker failed to boot.\n';
const gunicorn = (settings: string) => ({
  ...env({ DJANGO_SETTINGS_MODULE: settings }),
  command: ['gunicorn'],
  args: ['store.wsgi:application', '--bind=0.0.0.0:8000'],
});
const SPARE =
  '[22-May-2026 12:01:44] ALERT: [pool www] pm.min_spare_servers(2) and pm.max_spare_servers(8) cannot be greater than pm.max_children(4)\n[22-May-2026 12:01:44] ERROR: FPM initialization failed\n';
const TUN =
  '2026-05-22 15:10:07 TLS: Initial packet from [AF_INET]203.0.113.24:1194, sid=5d0b93c1 0a2f77e4\n2026-05-22 15:10:09 ERROR: Cannot open TUN/TAP dev /dev/net/tun: No such file or directory (errno=2)\n2026-05-22 15:10:09 Exiting due to fatal error\n';
const FRACTION =
  'Invalid maximum heap size: -Xmx1.5g\nError: Could not create the Java Virtual Machine.\nError: A fatal exception has occurred. Program will exit.\n';
const SHORT = "Can't set long node name!\nPlease check your configuration\n";
const TINI = '[FATAL tini (7)] exec /scripts/backup.sh failed: Permission denied\n';
const AUTHORITY =
  'ERROR: Verifying runner... failed                   status=couldn\'t execute POST against https://git.corp.example/api/v4/runners/verify: Post "https://git.corp.example/api/v4/runners/verify": tls: failed to verify certificate: x509: certificate signed by unknown authority\nPANIC: Failed to verify the runner.\n';
const runner = (file: string) =>
  [
    { image: 'gitlab/gitlab-runner:v16.11.0', volumeMounts: [{ name: 'ca', mountPath: '/etc/tls' }] },
    [map('corp-ca', file)],
    { volumes: [{ name: 'ca', configMap: { name: 'corp-ca' } }] },
  ] as const;
const NO_NAME =
  'Exception in thread "main" org.apache.hadoop.security.KerberosAuthException: failure to login: javax.security.auth.login.LoginException: java.lang.NullPointerException: invalid null input: name\n\tat com.sun.security.auth.UnixPrincipal.<init>(UnixPrincipal.java:71)\n';
const RESTIC = 'Fatal: Please specify repository location (-r or --repository-file)\n';

const [certificate, maps, volumes] = runner('git.corp.example.crt');
const [other, otherMaps, otherVolumes] = runner('mirror.corp.example.crt');

/** Users without a name, settings in a relation, abbreviated names, and what a program that another one starts says. */
export const USERS_AND_RELATIONS: Record<string, CureRow> = {
  'a server of Django with the package under its earlier name': crash(NO_MODULE, gunicorn('storefront.settings.production'), {
    culprit: /store/,
    best: { [`${app}.args[0]`]: 'storefront.wsgi:application' },
    ...likely,
  }),
  'a server of Django whose settings are in the same package': crash(NO_MODULE, gunicorn('store.settings'), {
    culprit: /store/,
    best: null,
  }),
  'a module whose name is no pattern': crash(
    "ModuleNotFoundError: No module named '((store'\n",
    { ...gunicorn('storefront.settings'), args: ['((store.wsgi:application'] },
    { culprit: /store/, best: null },
  ),
  'a number above another setting': crash(
    SPARE,
    env({ PHP_FPM_MAX_CHILDREN: '4', PHP_FPM_START: '3', PHP_FPM_MIN_SPARE: '2', PHP_FPM_MAX_SPARE: '8', RETRIES: '8' }),
    { culprit: /PHP_FPM_MAX_SPARE/, best: { [`${app}.env[3].value`]: '4' }, ...likely },
  ),
  'a number above another setting, which the image has': crash(SPARE, env({ RETRIES: '8' }), { culprit: /max_children/, best: null }),
  'a tunnel without its device': crash(
    TUN,
    { securityContext: { capabilities: { add: ['NET_ADMIN'] } } },
    {
      culprit: /\/dev\/net\/tun/,
      best: {
        'spec.volumes': [{ name: 'tun', hostPath: { path: '/dev/net/tun', type: 'CharDevice' } }],
        [`${app}.volumeMounts`]: [{ name: 'tun', mountPath: '/dev/net/tun' }],
      },
      ...guess,
    },
  ),
  'a heap with a fraction': crash(FRACTION, env({ JAVA_OPTS_APPEND: '-Xmx1.5g -XX:+ExitOnOutOfMemoryError' }), {
    culprit: /-Xmx1\.5g/,
    best: { [`${app}.env[0].value`]: '-Xmx1536m -XX:+ExitOnOutOfMemoryError' },
    ...likely,
  }),
  'a node of Erlang with a long name and no host': crash(
    SHORT,
    {
      env: [
        { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
        plain('RELEASE_DISTRIBUTION', 'name'),
        plain('RELEASE_NODE', 'chat'),
      ],
    },
    { culprit: /name/, best: { [`${app}.env[2].value`]: 'chat@$(POD_IP)' }, ...likely },
  ),
  'a script that a wrapper may not start': crash(
    TINI,
    { command: ['/sbin/tini', '--', '/scripts/backup.sh'], volumeMounts: [{ name: 'scripts', mountPath: '/scripts' }] },
    { culprit: /\/scripts\/backup\.sh/, best: { 'spec.volumes[0].configMap.defaultMode': 0o755 }, ...likely },
    [map('backup-scripts', 'backup.sh')],
    { volumes: [{ name: 'scripts', configMap: { name: 'backup-scripts', defaultMode: 0o644 } }] },
  ),
  'an authority that has the name of the server': crash(
    AUTHORITY,
    { ...certificate, volumeMounts: [...certificate.volumeMounts] },
    {
      culprit: /git\.corp\.example\.crt/,
      best: { [`${app}.env`]: [{ name: 'CI_SERVER_TLS_CA_FILE', value: '/etc/tls/git.corp.example.crt' }] },
      ...likely,
    },
    [...maps],
    { volumes: [...volumes.volumes] },
  ),
  'an authority that has the name of another server': crash(
    AUTHORITY,
    { ...other, volumeMounts: [...other.volumeMounts] },
    { culprit: /unknown authority/, best: null },
    [...otherMaps],
    { volumes: [...otherVolumes.volumes] },
  ),
  'a user that the image has no name for': crash(
    NO_NAME,
    { image: 'apache/spark:3.5.1' },
    { culprit: /runAsUser/, best: { 'spec.securityContext.runAsUser': 185 }, ...likely },
    [],
    { securityContext: { runAsUser: 1001, fsGroup: 1001 } },
  ),
  'such a user of an unknown image': crash(
    NO_NAME,
    { image: 'corp/etl:1', securityContext: { runAsUser: 1001 } },
    {
      culprit: /runAsUser/,
      best: { [`${app}.securityContext.runAsUser`]: null },
      ...guess,
    },
  ),
  'a variable with an abbreviated name': crash(RESTIC, env({ RESTIC_REPO: 's3:http://minio:9000/b', RESTIC_PASSWORD: 'x' }), {
    culprit: /RESTIC_REPO/,
    best: { [`${app}.env[0].name`]: 'RESTIC_REPOSITORY' },
    ...likely,
  }),
  'such a variable of another program': crash(RESTIC, env({ BACKUP: 's3:http://minio:9000/b' }), { culprit: /repository/, best: null }),
  'a name that is not known while migrations run': crash(
    '{"level":30,"msg":"running pending migrations"}\nError: getaddrinfo ENOTFOUND orders-postgresql\n    at /app/node_modules/pg-pool/index.js:45:11\n',
    env({ PGHOST: 'orders-postgresql', PGPORT: '5432' }),
    { culprit: /orders-postgresql/, best: { [`${app}.env[0].value`]: 'orders-postgres' }, ...likely },
    [service('orders-postgres', 5432)],
  ),
  'a scheme for which a library proposes a look-alike': crash(
    "KeyError: 'No such transport: rabbitmq.  Did you mean librabbitmq?'\n",
    env({ CELERY_BROKER_URL: 'rabbitmq://notify:x@rabbitmq-notify:5672/notify' }),
    { culprit: /rabbitmq/, best: { [`${app}.env[0].value`]: /^amqp:\/\/notify:\S+@rabbitmq-notify:5672\/notify$/ }, ...likely },
  ),
  'a proposed word that begins longer ones': crash(
    'error: No such transport: redi.  Did you mean redis?\n',
    env({ BROKER_URL: 'redi://redi-main:6379/0', CACHE: 'redis://redis-main:6379/1' }),
    { culprit: /redi/, best: { [`${app}.env[0].value`]: 'redis://redi-main:6379/0' } },
  ),
  'an option for an address in place of one for a port': crash(
    "error: unexpected argument '--metrics-port' found\n\n  tip: a similar argument exists: '--metrics-addr'\n",
    { command: ['/app/gateway'], args: ['--listen=0.0.0.0:7000', '--metrics-port=9100'] },
    { culprit: /--metrics-port/, best: { [`${app}.args[1]`]: '--metrics-addr=0.0.0.0:9100' }, ...likely },
  ),
};
