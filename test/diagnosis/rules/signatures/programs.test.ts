import { suite } from 'uvu';
import { programSignatures } from '../../../../src/diagnosis/rules/signatures/programs.ts';
import { env, guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs of particular programs say');

const BASE64 = `${'A'.repeat(43)}=`;
const unfit = (log: string, name: string, wants: string, more: LogRow[3] = {}): LogRow => [
  log,
  name,
  `the program does not take the value of \`${name}\`: it wants ${wants}`,
  { advice: `Give \`${name}\` a value that the program takes: ${wants}`, where: `where \`${name}\` is set`, corrections: [], ...more },
];
const KEY = '`base64:` and 32 random bytes';
const user = (log: string, name: string): LogRow => [
  log,
  `user ${name}`,
  `the image has no user or group \`${name}\``,
  { advice: 'Name a user that the image has', where: '`/etc/passwd`' },
];
const ofPair = (log: string, culprit: string, because: string, advice = 'Put a certificate and its own key'): LogRow => [
  log,
  culprit,
  because,
  { advice, where: 'the Secret with the certificate' },
];
const PAIR = ['private key of the certificate', 'the private key does not belong to the certificate'] as const;
const NO_PEM = ['certificate that is no PEM', 'a certificate or key is not in the form that it wants (PEM)'] as const;
const STORE = ['keystore password', 'the password of its keystore is wrong', 'Give the program the password'] as const;
const part = (log: string, name: string): LogRow => [
  log,
  name,
  `nothing in the program provides \`${name}\``,
  { advice: 'The program itself has a bug', inCode: true },
];
const version = (log: string, name: string, because: string): LogRow => [
  log,
  name,
  because,
  { advice: 'Use an image with the version', where: "the image's base" },
];
const vault = (log: string): LogRow => [
  log,
  'role shop',
  'Vault has no role `shop`',
  { advice: 'Correct the role', where: 'the auth method in Vault' },
];
const database = (log: string, command: string): LogRow => [
  log,
  command,
  `its database has no tables yet: \`${command}\` creates them`,
  { advice: `Run \`${command}\` once`, where: 'the Job that should prepare' },
];
const url = (log: string, culprit: string, because: string, more: LogRow[3] = {}): LogRow => [
  log,
  culprit,
  because,
  { advice: 'Write the whole URL', where: 'hold addresses', corrections: [], ...more },
];
const https = (log: string, culprit: string, more: LogRow[3] = {}): LogRow => [
  log,
  culprit,
  'it should speak HTTPS and has no certificate',
  { advice: 'Give it a certificate', where: 'addresses it listens on', corrections: [], ...more },
];
const folder = (log: string): LogRow => [
  log,
  'data directory (permissions)',
  'is not allowed to access its data directory',
  { advice: '`fsGroup`', where: 'the owner of the volume' },
];

logRows(test, programSignatures, {
  'pool-too-small': [
    [
      'Your Redis connection pool is too small for Sidekiq. Your pool has 3 connections but must have at least 7.',
      'Your Redis connection pool is too small for Sidekiq. Your pool has 3 connections but must have at least 7.',
      'a pool is too small',
      { advice: 'Make the pool as large', where: 'the size of the pool' },
    ],
  ],
  'locale-missing': [
    [
      'initdb: error: invalid locale name "de_DE.UTF-8"',
      'locale de_DE.UTF-8',
      'the image does not have the locale `de_DE.UTF-8`',
      {
        container: env({ POSTGRES_INITDB_ARGS: '--locale=de_DE.UTF-8' }),
        advice: '`C.UTF-8` is in all',
        where: '`locale -a`',
        corrections: guess({ 'env[0].value': '--locale=C.UTF-8' }),
        why: 'every image has it',
      },
    ],
    ['FATAL:  invalid locale name: "de_DE@euro"', 'locale de_DE@euro', '`de_DE@euro`', { corrections: [] }],
  ],
  'locale-of-variables': [
    [
      'locale::facet::_S_create_c_locale name not valid',
      'LC_ALL=de_DE.UTF-8',
      'the image does not have the locale `de_DE.UTF-8`',
      {
        container: env({ LC_ALL: 'de_DE.UTF-8', LANG: 'C', LC_TIME: 'fr_FR' }),
        advice: 'Use a locale that the image has',
        where: '`locale -a`',
        corrections: likely({ 'env[0].value': 'C.UTF-8', 'env[2].value': 'C.UTF-8' }),
        mirrorable: true,
      },
    ],
    [
      'locale.Error: unsupported locale setting',
      'locale.Error: unsupported locale setting',
      'the locale that its variables name',
      { container: env({ LANG: 'POSIX', LC_ALL: 'C.UTF-8' }), corrections: [] },
    ],
  ],
  'setting-unfit': [
    unfit('Unsupported cipher or incorrect key length. Supported ciphers are: aes-128-cbc', 'APP_KEY', KEY, {
      container: env({ OTHER: 'x', APP_KEY: BASE64 }),
      corrections: likely({ 'env[1].value': `base64:${BASE64}` }),
      mirrorable: true,
    }),
    unfit('RuntimeException: incorrect key length', 'APP_KEY', KEY, {
      container: env({ APP_KEY: `${'b'.repeat(22)}==` }),
      corrections: likely({ 'env[0].value': `base64:${'b'.repeat(22)}==` }),
    }),
    unfit('Unsupported cipher or key length', 'APP_KEY', KEY, { container: env({ APP_KEY: 'secret' }) }),
    unfit('Unsupported cipher or key length', 'APP_KEY', KEY),
    unfit('ERROR Invalid credentials: MINIO_ROOT_PASSWORD length at least 8 characters', 'MINIO_ROOT_PASSWORD', 'at least 8 characters'),
    unfit('Access key length should be at least 3, and secret key length at least 8 characters', 'MINIO_ROOT_PASSWORD', 'at least 8'),
    unfit('Access key length should be at least 3', 'MINIO_ROOT_PASSWORD', 'at least 8 characters'),
    unfit('secret key length at least 8', 'MINIO_ROOT_PASSWORD', 'at least 8 characters', {
      container: env({ MINIO_ROOT_PASSWORD: BASE64 }),
    }),
    unfit('cookie_secret must be 16, 24, or 32 bytes to create an AES cipher', 'OAUTH2_PROXY_COOKIE_SECRET', '16, 24 or 32 bytes'),
    unfit('ValueError: Fernet key must be 32 url-safe base64-encoded bytes.', 'FERNET_KEY', '32 bytes in URL-safe base64'),
  ],
  'user-not-in-image': [
    user('nginx: [emerg] getpwnam("www-data") failed in /etc/nginx/nginx.conf:2', 'www-data'),
    user('nginx: [emerg] getgrnam("web") failed', 'web'),
    user('AH00543: httpd: bad user name apache', 'apache'),
    user('AH00544: httpd: bad group name apache', 'apache'),
    user("[pool www] cannot get uid for user 'www'", 'www'),
    user("[pool www] cannot get gid for group 'www'", 'www'),
    user('Error: Invalid user name app in configuration', 'app'),
    user('unable to find user app: no matching entries in passwd file', 'app'),
    user('unable to find group staff: no matching entries in group file', 'staff'),
    user('unable to find user app: no matching entries in passwd', 'app'),
    user("chown: invalid user: 'app:app'", 'app'),
    user('chown: unknown user app', 'app'),
    user("chown: invalid group: 'app'", 'app'),
    user('install: invalid user: ‘app’', 'app'),
    user('sudo: unknown user: app', 'app'),
    user('sudo: unknown group app', 'app'),
    user('runuser: no such user app; user app does not exist', 'app'),
    user('adduser: unknown group www', 'www'),
    user("setpriv: no such user 'app'", 'app'),
    user('chpst: unknown user app', 'app'),
    user('su-exec: invalid user name: app', 'app'),
    user('gosu: no such user "app"', 'app'),
    user('start-stop-daemon: no such user app', 'app'),
    user('s6-setuidgid: fatal: unknown user: app', 'app'),
    user('s6-applyuidgid: fatal: invalid user: app', 'app'),
    user('su: user app does not exist', 'app'),
    user("su: user 'app' does not exist or the user entry does not contain all the required fields", 'app'),
    user('su: unknown user app', 'app'),
    user("Can't find user 'redis'", 'redis'),
  ],
  'key-pair': [
    ofPair(
      'SSL_CTX_use_PrivateKey("/tls/tls.key") failed (SSL: error:0B080074:x509 certificate routines:key values mismatch)',
      '/tls/tls.key',
      'the private key `/tls/tls.key` does not belong to the certificate',
    ),
    ofPair('[SSL: KEY_VALUES_MISMATCH] bad pair', ...PAIR),
    ofPair('tls: private key does not match public key', ...PAIR),
    ofPair('tls: failed to find any PEM data in certificate input', ...NO_PEM),
    ofPair('cannot load certificate: PEM_read_bio_X509_AUX() failed (SSL: no start line)', ...NO_PEM),
    ofPair('error:0909006C:PEM routines:get_name:no start line', ...NO_PEM),
    ofPair('failed to find any PEM data in /tls/tls.crt', '/tls/tls.crt', 'a certificate or key `/tls/tls.crt` is not in the form'),
    ofPair('java.io.IOException: keystore password was incorrect', ...STORE),
    ofPair('keystore was tampered with, or password was incorrect', ...STORE),
    ofPair('the keystore password is incorrect: password incorrect', ...STORE),
    ofPair('java.security.UnrecoverableKeyException: Password verification failed', ...STORE),
    ofPair('mac verify failure: password incorrect', ...STORE),
    ofPair(
      'error:06065064:digital envelope routines:EVP_DecryptFinal_ex:bad decrypt',
      'private key of the certificate',
      'the password of its private key is wrong',
      'Give the program the password',
    ),
  ],
  'host-key-of-part': [
    part(
      "Nest can't resolve dependencies of the UsersService (?). Please make sure that the argument UserRepository at index [0] is available",
      'UserRepository',
    ),
    part(
      'Nest can\'t resolve dependencies of the UsersService (?). Please make sure that the argument "UserModel" at index [0]',
      'UserModel',
    ),
    part("Unable to resolve service for type 'Shop.IMail' while attempting to activate 'Shop.Orders'.", 'Shop.IMail'),
    part("Parameter 0 of constructor in x required a bean of type 'shop.Repo' that could not be found.", 'shop.Repo'),
    part("Unsatisfied dependency: required a bean named 'repo' that could not be found", 'repo'),
    part("required a single bean of type 'shop.Repo', but 2 were found; required a bean of type 'x'", 'shop.Repo'),
    part("NoSuchBeanDefinitionException: No qualifying bean of type 'shop.Repo' available", 'shop.Repo'),
  ],
  'java-agent': [
    [
      'Error opening zip file or JAR manifest missing : /agents/otel.jar',
      '/agents/otel.jar',
      'the agent `/agents/otel.jar` does not exist',
      {
        container: env({ JAVA_TOOL_OPTIONS: '-Xmx1g -javaagent:/agents/otel.jar' }),
        advice: 'Bring the agent',
        where: '`JAVA_TOOL_OPTIONS`',
        corrections: likely({ 'env[0].value': '-Xmx1g' }),
      },
    ],
    [
      'Error opening zip file or JAR manifest missing: /agents/otl.jar',
      '/agents/otl.jar',
      'does not exist',
      {
        container: {
          ...env({ JAVA_TOOL_OPTIONS: '-javaagent:/agents/otl.jar' }),
          volumeMounts: [{ name: 'agents', mountPath: '/agents' }],
        },
        spec: { volumes: [{ name: 'agents', configMap: { name: 'agents', items: [{ key: 'otel.jar', path: 'otel.jar' }] } }] },
        corrections: [...likely({ 'env[0].value': '-javaagent:/agents/otel.jar' }), ...likely({ env: null })],
      },
    ],
    ...['agentpath', 'agentlib'].map((option): LogRow => [
      'Error occurred during initialization of VM: Could not find agent library /agents/a.so in absolute path',
      '/agents/a.so',
      'the agent `/agents/a.so` does not exist',
      { container: env({ JAVA_OPTS: `-${option}:/agents/a.so -Xmx1g` }), corrections: likely({ 'env[0].value': '-Xmx1g' }) },
    ]),
    ['agent library failed to init: Could not find agent library a.so', 'a.so', '`a.so`', { corrections: [] }],
  ],
  'runtime-version': [
    version('Your Ruby version is 3.1.2, but your Gemfile specified 3.2.1', 'Ruby 3.2.1', 'than the image has (`3.1.2`): `Ruby 3.2.1`'),
    version('Your Ruby version is 3.1.2, but your Gemfile specified ~> 3.2', 'Ruby 3.2', '`Ruby 3.2`'),
    version('Your Ruby version is 3.1.2, but your Gemfile specified >= 3.3', 'Ruby 3.3', '`Ruby 3.3`'),
    version(
      "ERROR: Package 'shop' requires a different Python: 3.9.2 not in '>=3.10'",
      'Python 3.9.2',
      'another version than the image has: `Python',
    ),
    version(
      'error shop@1: The engine "node" is incompatible with this module. Expected version ">=20". Got "18.1.0"',
      'Node >=20',
      '`Node >=20`',
    ),
    [
      'Prisma Client could not locate the Query Engine for runtime "debian-openssl-3.0.x".',
      'Prisma engine debian-openssl-3.0.x',
      "the image lacks Prisma's engine for its platform `debian-openssl-3.0.x`",
      { advice: '`binaryTargets`' },
    ],
    [
      'Query engine library for current platform "linux-musl" could not be found.',
      'Prisma engine linux-musl',
      '`linux-musl`',
      { advice: '`binaryTargets`' },
    ],
    ['Query engine for current platform "linux-musl"', 'Prisma engine linux-musl', '`linux-musl`'],
  ],
  'role-of-vault': [
    vault('* invalid role name "shop"'),
    vault('{"errors":["invalid role name \\"shop\\""]}'),
    vault('role "shop" could not be found'),
  ],
  'not-initialized': [
    database('ERROR: You need to initialize the database. Please run `airflow db init`.', 'airflow db init'),
    database('You need to initialize the database. Please run `airflow db migrate`', 'airflow db migrate'),
    [
      'java.lang.IllegalArgumentException: /data/myid file is missing',
      'myid',
      'needs a file `myid` with its number',
      { advice: '`ZOO_MY_ID`', where: 'the volume with its data' },
    ],
  ],
  'url-invalid': [
    url('TypeError: Invalid URL', 'TypeError: Invalid URL', 'it gets an address that is no URL'),
    url('TypeError [ERR_INVALID_URL]: Invalid URL: api:80/x', 'api:80/x', '`api:80/x` is no URL: it has no scheme'),
    url("TypeError: Invalid URL\n  code: 'ERR_INVALID_URL',\n  input: 'api'", 'api', '`api` is no URL'),
    url("TypeError: Invalid URL\n  code: 'ERR_INVALID_URL',\n  input: 'api:8080'", 'API_URL=api:8080', '`api:8080` is no URL (`API_URL`)', {
      container: env({ OTHER: 'x', API_URL: 'api:8080' }),
      corrections: guess({ 'env[1].value': 'http://api:8080' }),
    }),
  ],
  'certificate-unset': [
    https(
      'Unable to configure HTTPS endpoint. No server certificate was specified, and the default developer certificate could not be found',
      'server certificate',
      {
        container: env({ ASPNETCORE_URLS: 'http://+:80;https://+:443' }),
        corrections: likely({ 'env[0].value': 'http://+:80' }),
      },
    ),
    https(
      'nginx: [emerg] no "ssl_certificate" is defined for the "listen ... ssl" directive in /etc/nginx/nginx.conf:3',
      'ssl_certificate',
      {
        container: env({ ASPNETCORE_URLS: 'http://+:80;https://+:443' }),
      },
    ),
  ],
  'connection-string-missing': [
    [
      "InvalidOperationException: No connection string named 'Shop' could be found in the application config file.",
      'ConnectionStrings__Shop',
      'it has no connection string `Shop`',
      { container: env({ ConnectionStrings__Shp: 'x' }), advice: 'Set `ConnectionStrings__Shop`' },
    ],
    ['No connection string named "Shop"', 'ConnectionStrings__Shop', '`Shop`'],
  ],
  'connection-string': [
    [
      'System.InvalidOperationException: The ConnectionString property has not been initialized.',
      'ConnectionString',
      'it has no connection string for its database',
      {
        container: env({ ConnectionStrings_Default: 'Host=db' }),
        advice: 'Set `ConnectionStrings__NAME`',
        where: '`appsettings.json`',
        corrections: likely({ 'env[0].name': 'ConnectionStrings__Default' }),
      },
    ],
    [
      'System.ArgumentException: Format of the initialization string does not conform to specification starting at index 0.',
      'connection string of the database',
      'is not written as the driver wants it',
      { container: env({ ConnectionStrings_Default: 'Host=db' }), corrections: [] },
    ],
  ],
  'interface-unclear': [
    [
      "==> Multiple private IPv4 addresses found. Please configure one with 'bind' and/or 'advertise'.",
      'bind address',
      'which one is its own',
      { advice: 'Set `bind`', where: 'mounted configuration' },
    ],
  ],
  'data-folder-denied': [
    folder('InnoDB: Operating system error number 13 in a file operation.'),
    folder('mysqld does not have the access rights to the directory.'),
  ],
});
otherLogs(test, {
  'pool-too-small': ['pool of 3, but must have at least 7\nFATAL: JWT_SECRET is not set'],
  'user-not-in-image': ['ERROR:  role "app" does not exist', 'unknown user app', 'curl: unknown user app'],
  'data-folder-denied': ['Operating system error number 130'],
  'url-invalid': ['Invalid URL'],
});

test.run();
