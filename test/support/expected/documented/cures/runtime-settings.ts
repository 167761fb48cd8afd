import type { CureRow } from './cure.ts';
import { app, crash, env, guess, likely, map, secret, service } from './rows.ts';

const claim = (name: string) => ({ volumes: [{ name, persistentVolumeClaim: { claimName: name } }] });
const readOnly = { securityContext: { readOnlyRootFilesystem: true } };

/** What runtimes and frameworks want of a pod; then near misses. */
export const RUNTIME_SETTINGS: Record<string, CureRow> = {
  'a property that expands a variable under another name': crash(
    'Caused by: java.util.NoSuchElementException: SRCFG00011: Could not expand value DB_PASSWORD in property quarkus.datasource.password\n',
    env({ DB_PASS: 'x' }),
    { culprit: /DB_PASSWORD/, best: { [`${app}.env[0].name`]: 'DB_PASSWORD' }, ...likely },
  ),
  'a section with one underscore at its second place': crash(
    'Unhandled exception. System.InvalidOperationException: Unable to configure HTTPS endpoint. No server certificate was specified.\n',
    env({ Kestrel__Certificates__Default_Path: '/tls/tls.crt', Kestrel__Certificates__Default__KeyPath: '/tls/tls.key' }),
    {
      culprit: /Kestrel__Certificates__Default_Path/,
      best: { [`${app}.env[0].name`]: 'Kestrel__Certificates__Default__Path' },
      ...likely,
    },
  ),
  'no temporary files for the runtime of .NET': crash('Failed to create CoreCLR, HRESULT: 0x80004005\n', readOnly, {
    culprit: /\/tmp/,
    best: {
      'spec.volumes': [{ name: 'writable-tmp', emptyDir: {} }],
      [`${app}.volumeMounts`]: [{ name: 'writable-tmp', mountPath: '/tmp' }],
    },
    ...likely,
  }),
  'authorities in a file that no volume brings': crash(
    'Get "https://models:8443/": tls: failed to verify certificate: x509: certificate signed by unknown authority\n',
    { ...env({ SSL_CERT_FILE: '/etc/ca/ca.pem' }), volumeMounts: [{ name: 'ca', mountPath: '/etc/ca' }] },
    { culprit: /SSL_CERT_FILE/, best: { [`${app}.env[0].value`]: '/etc/ca/ca.crt' }, ...likely },
    [map('ca', 'ca.crt')],
    { volumes: [{ name: 'ca', configMap: { name: 'ca' } }] },
  ),
  'a number of threads with a point': crash(
    '"TOKIO_WORKER_THREADS" must be usize, error: invalid digit found in string, value: 1.5\n',
    env({ TOKIO_WORKER_THREADS: '1.5' }),
    { culprit: /TOKIO_WORKER_THREADS/, best: { [`${app}.env[0].value`]: '2' }, ...guess },
  ),
  'signs in a password that break its address': crash(
    'URI::InvalidURIError: bad URI (is not URI?): "postgresql://desk:Vx{9}#Rt@postgres:5432/desk"\n',
    env({ DATABASE_URL: 'postgresql://desk:Vx{9}#Rt@postgres:5432/desk' }),
    { culprit: /DATABASE_URL/, best: { [`${app}.env[0].value`]: 'postgresql://desk:Vx%7B9%7D%23Rt@postgres:5432/desk' }, ...likely },
    [service('postgres', 5432)],
  ),
  'a key of Laravel without its prefix': crash(
    'Unsupported cipher or incorrect key length. Supported ciphers are: aes-128-cbc, aes-256-cbc.\n',
    env({ APP_KEY: 'kX0m7dVtq1nTzJfA2sYw9cRbUeHgLpO4iQ8vN5xKZ3E=' }),
    { culprit: /APP_KEY/, best: { [`${app}.env[0].value`]: 'base64:kX0m7dVtq1nTzJfA2sYw9cRbUeHgLpO4iQ8vN5xKZ3E=' }, ...likely },
  ),
  'a receiver of messages with two letters swapped': crash(
    'RuntimeException: The receiver "asnyc" does not exist. Valid receivers are: async, failed.\n',
    { args: ['messenger:consume', 'asnyc'] },
    { culprit: /asnyc/, best: { [`${app}.args[1]`]: 'async' }, ...likely },
  ),
  'a volume over the build': crash(
    "Error: Could not find a production build in the '.next' directory.\n",
    { workingDir: '/app', volumeMounts: [{ name: 'next-cache', mountPath: '/app/.next' }] },
    { culprit: /volume next-cache at \/app\/\.next/, best: { [`${app}.volumeMounts[0].mountPath`]: '/app/.next/cache' }, ...guess },
    [],
    { volumes: [{ name: 'next-cache', emptyDir: {} }] },
  ),
  'a folder in place of the only file': crash(
    'Error: EISDIR: illegal operation on a directory, read\n',
    { volumeMounts: [{ name: 'config', mountPath: '/app/config/production.json' }] },
    { culprit: /production\.json/, best: { [`${app}.volumeMounts[0].subPath`]: 'production.json' }, ...likely },
    [map('hub', 'production.json')],
    { volumes: [{ name: 'config', configMap: { name: 'hub' } }] },
  ),
  'a module that another container calls by its whole name': crash(
    "ModuleNotFoundError: No module named 'courses.settings.prod'\n",
    { args: ['courses.wsgi', '--env', 'DJANGO_SETTINGS_MODULE=courses.settings.prod'] },
    { culprit: /courses\.settings\.prod/, best: { [`${app}.args[2]`]: 'DJANGO_SETTINGS_MODULE=courses.settings.production' }, ...likely },
    [],
    { initContainers: [{ name: 'migrate', image: 'shop:1', command: ['manage.py', '--settings=courses.settings.production'] }] },
  ),
  'a reference to a variable further down': crash(
    "Can't set long node name!\n",
    env({ RELEASE_NODE: 'rooms@$(POD_IP)', POD_IP: '10.0.0.1' }),
    {
      culprit: /RELEASE_NODE/,
      best: {
        [`${app}.env[0]`]: { name: 'POD_IP', value: '10.0.0.1' },
        [`${app}.env[1]`]: { name: 'RELEASE_NODE', value: 'rooms@$(POD_IP)' },
      },
      ...likely,
    },
  ),
  'a file with the number of the process, beside the program': crash(
    'java.io.FileNotFoundException: /opt/docker/RUNNING_PID (Read-only file system)\n',
    { ...readOnly, args: ['-Dconfig.resource=production.conf'] },
    { culprit: /RUNNING_PID/, best: { [`${app}.args[1]`]: '-Dpidfile.path=/dev/null' }, ...likely },
  ),
  'a database beside the claim that is made for it': crash(
    'SQLiteError: unable to open database file\n',
    { ...env({ DB_PATH: '/data/flags.sqlite' }), volumeMounts: [{ name: 'data', mountPath: '/var/lib/flags' }] },
    { culprit: /DB_PATH/, best: { [`${app}.env[0].value`]: '/var/lib/flags/flags.sqlite' }, ...likely },
    [],
    claim('data'),
  ),
  'the password of the other store': crash(
    'java.io.IOException: keystore password was incorrect\n',
    { env: [{ name: 'SERVER_SSL_KEY_STORE_PASSWORD', valueFrom: { secretKeyRef: { name: 'certs', key: 'truststore-password' } } }] },
    {
      culprit: /SERVER_SSL_KEY_STORE_PASSWORD/,
      best: { [`${app}.env[0].valueFrom.secretKeyRef.key`]: 'keystore-password' },
      ...likely,
    },
    [secret('certs', 'keystore-password', 'truststore-password')],
  ),

  'two references to variables further down, of which the log shows one': crash(
    'could not parse "postgres://app:$(DB_PASSWORD)@db/app"\n',
    env({ DATABASE_URL: 'postgres://app:$(DB_PASSWORD)@db/app', CACHE: 'redis://$(CACHE_HOST)/0', DB_PASSWORD: '$(X)', CACHE_HOST: 'c' }),
    {
      culprit: /DB_PASSWORD/,
      best: {
        [`${app}.env[0]`]: { name: 'DB_PASSWORD', value: '$(X)' },
        [`${app}.env[2]`]: { name: 'DATABASE_URL', value: 'postgres://app:$(DB_PASSWORD)@db/app' },
      },
      ...likely,
    },
  ),

  // Near misses.
  'a claim that a setting names already': crash(
    'SQLiteError: unable to open database file\n',
    {
      ...env({ DB_PATH: '/data/flags.sqlite', UPLOADS: '/var/lib/flags/up' }),
      volumeMounts: [{ name: 'data', mountPath: '/var/lib/flags' }],
    },
    { culprit: /database file/, best: null },
    [],
    claim('data'),
  ),
  'a password whose signs are encoded': crash(
    'URI::InvalidURIError: bad URI (is not URI?): "postgresql://desk:Vx%7B9@postgres:5432/my desk"\n',
    env({ DATABASE_URL: 'postgresql://desk:Vx%7B9@postgres:5432/my desk' }),
    { culprit: /bad URI/, best: null },
    [service('postgres', 5432)],
  ),
  'a key of Laravel that is no base64': crash(
    'Unsupported cipher or incorrect key length. Supported ciphers are: aes-128-cbc, aes-256-cbc.\n',
    env({ APP_KEY: 'changeme' }),
    { culprit: /APP_KEY/, best: null },
  ),
  'a certificate that is not trusted, with authorities that are mounted': crash(
    'Get "https://models:8443/": tls: failed to verify certificate: x509: certificate signed by unknown authority\n',
    { ...env({ SSL_CERT_FILE: '/etc/ca/ca.crt' }), volumeMounts: [{ name: 'ca', mountPath: '/etc/ca' }] },
    { culprit: /unknown authority/, best: null },
    [map('ca', 'ca.crt')],
    { volumes: [{ name: 'ca', configMap: { name: 'ca' } }] },
  ),
  'the runtime of .NET where it may write': crash(
    'Failed to create CoreCLR, HRESULT: 0x80004005\n',
    {},
    { culprit: /CoreCLR/, best: null },
  ),
};
