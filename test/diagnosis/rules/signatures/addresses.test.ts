import { suite } from 'uvu';
import { addressSignatures } from '../../../../src/diagnosis/rules/signatures/addresses.ts';
import { env, guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs say about the form of addresses and TLS');

const around = (...services: object[]) => ({ surroundings: { services } }) as { surroundings: object };
const API = { name: 'api', ports: [80] };

const BARE = 'it wants an address of the form `host:port`, and gets';
const withScheme = (address: string, more: LogRow[3] = {}): LogRow => [
  `dial tcp: address ${address}: too many colons in address`,
  address,
  `${BARE} \`${address}\``,
  { advice: 'without its scheme', where: 'with this address', corrections: [], ...more },
];
const noUrl = (log: string, culprit = log): LogRow => [
  log,
  culprit,
  `it gets an address that is no URL: \`${culprit}\``,
  { advice: 'Encode the signs of a password', where: 'hold addresses', corrections: [] },
];
const endpoint = (log: string): LogRow => [
  log,
  log,
  `it does not take the address of a server: \`${log}\``,
  { advice: 'without a scheme and a path', where: 'with the address', corrections: [] },
];
const schemeless = (log: string, culprit = log, more: LogRow[3] = {}): LogRow => [
  log,
  culprit,
  'it gets an address without a scheme, or with one that it does not know: `',
  { advice: 'Write the address with a scheme', where: 'hold addresses', corrections: [], ...more },
];
const TLS = { advice: 'Let both speak the same', where: 'the scheme and the port' };
const toPlain = (log: string, culprit = log): LogRow => [
  log,
  culprit,
  `it speaks TLS, and the server that it calls does not: \`${culprit}\``,
  { ...TLS, corrections: [] },
];
const toTls = (log: string, culprit = log): LogRow => [
  log,
  culprit,
  `the server that it calls wants TLS, and it speaks none: \`${culprit}\``,
  { ...TLS, corrections: [] },
];
const noTls = (log: string, more: LogRow[3] = {}): LogRow => [
  log,
  log,
  `it wants TLS, and the database has none: \`${log}\``,
  { advice: '`sslmode=disable`', where: '`sslmode`', corrections: [], ...more },
];
const notOwn = (log: string, ip: string, more: LogRow[3] = {}): LogRow => [
  log,
  ip,
  `it wants to listen on \`${ip}\`, which is no address of the pod`,
  { advice: '`0.0.0.0`', where: 'on which it listens', corrections: [], ...more },
];
const noAddress = (log: string): LogRow => [
  log,
  log,
  'it wants to listen on an address that the pod does not have',
  { advice: '`0.0.0.0`', where: 'on which it listens', corrections: [] },
];
const driver = (log: string, culprit = log): LogRow => [
  log,
  culprit,
  `no driver of the program takes the address of its database: \`${culprit}\``,
  { advice: 'JDBC wants', where: "the database's address", corrections: [] },
];

logRows(test, addressSignatures, {
  'address-with-scheme': [
    withScheme('http://db:5432'),
    withScheme('https://db:5432/'),
    withScheme('grpc://db:5432'),
    withScheme('grpcs://db:5432'),
    withScheme('tcp://db.shop.svc:80', {
      container: env({ DB: 'tcp://db.shop.svc:80' }),
      corrections: likely({ 'env[0].value': 'db.shop.svc:80' }),
      why: 'the program wants `host:port` alone',
      mirrorable: true,
    }),
  ],
  'url-characters': [
    noUrl('bad URI(is not URI?): postgres://u:p#w@db/x'),
    noUrl('bad URI (is not URI?): postgres://u:p#w@db/x'),
    noUrl('error with configuration: invalid port number: "p"'),
    noUrl('parse "postgres://u:p^w@db": net/url: invalid userinfo'),
    noUrl('java.net.URISyntaxException: Illegal character in authority', 'URISyntaxException: Illegal character in authority'),
    noUrl('ValueError: Invalid IPv6 URL'),
    noUrl("ValueError: Port could not be cast to integer value as 'p'"),
    [
      'ValueError: Invalid IPv6 URL',
      'DB',
      'the password in `DB` has signs that a URL may not have as they are',
      { container: env({ DB: 'pg://u:p#w@db/x' }), corrections: likely({ 'env[0].value': 'pg://u:p%23w@db/x' }) },
    ],
  ],
  'endpoint-with-scheme': [
    endpoint('Endpoint url cannot have fully qualified paths.'),
    endpoint('endpoint cannot have fully qualified paths.'),
    endpoint('Endpoint: s3:9000/x does not follow ip address or domain name standards.'),
    endpoint('dial tcp: address ftp://s3:9000/x: too many colons in address'),
    [
      'Endpoint url cannot have fully qualified paths.',
      'S3_ENDPOINT=http://s3:9000',
      'it wants a host and a port, and `S3_ENDPOINT` is the URL `http://s3:9000`',
      { container: env({ S3_ENDPOINT: 'http://s3:9000' }), corrections: likely({ 'env[0].value': 's3:9000' }) },
    ],
  ],
  'address-without-scheme': [
    schemeless('No such transport: reddis'),
    schemeless('Get "api/v1": unsupported protocol scheme ""'),
    schemeless('parse ":80": missing protocol scheme'),
    schemeless('parse "10.0.0.1:80": first path segment in URL cannot contain colon'),
    schemeless('curl: (1) Protocol "htpp" not supported'),
    schemeless('curl: (1) Protocol "htpp" is not supported'),
    schemeless("requests.exceptions.InvalidSchema: No connection adapters were found for 'api'"),
    schemeless("Invalid URL 'api': No scheme supplied. Perhaps you meant https://api?"),
    schemeless('java.net.MalformedURLException: unknown protocol: api', 'MalformedURLException: unknown protocol: api'),
    schemeless('java.net.MalformedURLException: Unknown protocol: api', 'MalformedURLException: Unknown protocol: api'),
    schemeless('java.net.MalformedURLException: no protocol: api/v1', 'MalformedURLException: no protocol: api/v1'),
    schemeless('Unsupported protocol api:'),
    schemeless('TypeError: Failed to parse URL from api/v1'),
    schemeless(
      "java.lang.IllegalArgumentException: Expected URL scheme 'http' or 'https' but no scheme was found for api/v",
      "IllegalArgumentException: Expected URL scheme 'http' or 'https' but no scheme was found for api/v",
    ),
    schemeless("httpx.UnsupportedProtocol: Request URL is missing an 'http://' or 'https://' protocol."),
    schemeless('the target must be an absolute URL'),
    schemeless('the issuer must be absolute URI'),
    schemeless('TypeError: Only absolute URLs are supported'),
    schemeless('Only absolute URIs are taken'),
    schemeless('java.lang.IllegalArgumentException: URI is not absolute', 'IllegalArgumentException: URI is not absolute'),
    schemeless('relative URL without a base: "api"'),
    schemeless('Redis URL must start with redis://'),
    schemeless('the address should begin with the protocol "redis://"'),
    schemeless('expected the address to start with the scheme tcp://'),
    schemeless("address 'api' doesn't start with amqp://"),
    schemeless('address does not begin with amqp://'),
    schemeless('Redis URL must specify one of the following schemes (redis://, rediss://, unix://)'),
    schemeless('Invalid URI scheme'),
    schemeless('wrong URL scheme'),
    schemeless('Invalid connection string scheme'),
    schemeless('expected URI with scheme'),
    schemeless('the host must be provided with protocol'),
    schemeless('the host needs to contain the protocol'),
    schemeless('unknown URL scheme'),
    schemeless('aiohttp: Unknown URL scheme'),
    schemeless('axios: Invalid URL'),
    [
      "Error\n  code: 'ERR_INVALID_URL',\n  input: 'api:80'\naxios: Invalid URL",
      'api:80',
      '`api:80` lacks the scheme with which a URL begins',
      { container: env({ A: 'api:80', B: 'other:90' }), parts: around(API), corrections: likely({ 'env[0].value': 'http://api:80' }) },
    ],
    [
      'Redis URL must specify one of the following schemes (redis://, rediss://, unix://)',
      'REDIS_URL=http://cache',
      'it does not take the scheme of `REDIS_URL=http://cache`: `Redis URL',
      { container: env({ REDIS_URL: 'http://cache' }), corrections: likely({ 'env[0].value': 'redis://cache' }) },
    ],
    [
      'jdbc: unsupported URL, unsupported protocol scheme "postgres"',
      'postgres://db/x',
      'it does not take the scheme of `postgres://db/x`',
      { container: env({ DB: 'postgres://db/x' }), corrections: likely({ 'env[0].value': 'jdbc:postgresql://db/x' }) },
    ],
    [
      'unsupported protocol scheme "http"',
      'CACHE=http://cache:6379',
      'it does not take the scheme of `CACHE=http://cache:6379`',
      { container: env({ CACHE: 'http://cache:6379' }), corrections: likely({ 'env[0].value': 'redis://cache:6379' }) },
    ],
    [
      'Unknown URL scheme',
      'CACHE=tcp://cache:6379',
      'it does not take the scheme of',
      { container: env({ CACHE: 'tcp://cache:6379' }), corrections: likely({ 'env[0].value': 'redis://cache:6379' }) },
    ],
    schemeless('unsupported protocol scheme "tcp"', undefined, { container: env({ CACHE: 'tcp://cache:6379' }) }),
    [
      "KeyError: 'No such transport: reddis.  Did you mean redis?'",
      'reddis://',
      'it does not know the scheme `reddis://`',
      {
        container: env({ BROKER: 'reddis://cache' }),
        advice: 'Write the scheme that the program proposes',
        where: 'hold addresses',
        corrections: likely({ 'env[0].value': 'redis://cache' }),
      },
    ],
  ],
  'tls-to-plain': [
    toPlain('OpenSSL::SSL: wrong version number'),
    toPlain('140:error:0A00010B:SSL routines:WRONG_VERSION_NUMBER'),
    toPlain('http: server gave HTTP response to HTTPS client'),
    toPlain('javax.net.ssl.SSLException: Unsupported or unrecognized SSL message', 'SSLException: Unsupported or unrecognized SSL message'),
    toPlain('tls: first record does not look like a TLS handshake'),
    toPlain('SSL: RECORD_TOO_LONG'),
    toPlain('ssl: record too long'),
    toPlain('gnutls: An unexpected TLS packet was received.'),
    toPlain('the corrupted frame was received'),
    toPlain('SSL: packet length too long'),
    [
      'http: server gave HTTP response to HTTPS client',
      'api:80',
      'it speaks TLS, and the server that it calls does not (`api:80`)',
      { ...TLS, container: env({ A: 'https://api:80' }), parts: around(API), corrections: likely({ 'env[0].value': 'http://api:80' }) },
    ],
    [
      'ssl: wrong version number',
      'REDIS_TLS',
      'it speaks TLS, and the server that it calls does not (`REDIS_TLS`)',
      { ...TLS, container: env({ REDIS_TLS: 'true' }), corrections: guess({ 'env[0].value': 'false' }) },
    ],
  ],
  'plain-to-tls': [
    toTls(String.raw`net/http: HTTP/1.x transport connection broken: malformed HTTP response "\x15\x03\x01"`),
    toTls('Client sent an HTTP request to an HTTPS server.'),
    toTls('400 The plain HTTP request was sent to HTTPS port'),
    [
      'Client sent an HTTP request to an HTTPS server.',
      'api:80',
      'the server that it calls wants TLS, and it speaks none (`api:80`)',
      { ...TLS, container: env({ A: 'http://api:80' }), parts: around(API), corrections: likely({ 'env[0].value': 'https://api:80' }) },
    ],
  ],
  'database-without-tls': [
    noTls('pq: SSL is not enabled on the server', {
      container: env({ SSLMODE: 'require' }),
      corrections: likely({ 'env[0].value': 'disable' }),
    }),
    noTls('The server does not support SSL connections'),
  ],
  'address-not-own': [
    notOwn('listen tcp 10.1.2.3:80: bind: cannot assign requested address', '10.1.2.3', {
      container: env({ IP: '10.1.2.3' }),
      corrections: likely({ 'env[0].value': '0.0.0.0' }),
      why: 'a pod gets its address when it starts',
      mirrorable: true,
    }),
    notOwn('bind 10.1.2.3: cannot assign requested address', '10.1.2.3'),
    notOwn('Error: listen EADDRNOTAVAIL: address 10.1.2.3:80', '10.1.2.3'),
    notOwn('bind: the requested address is not valid in its context. 10.1.2.3', '10.1.2.3'),
    notOwn('make_sock: could not: Cannot assign requested address 10.1.2.3', '10.1.2.3'),
    notOwn('Error: EADDRNOTAVAIL, address not available 10.1.2.3:80', '10.1.2.3'),
    noAddress('Cannot assign requested address: could not bind to it'),
    noAddress('bind: Cannot assign requested address'),
    notOwn('expected IP in URL for binding (http://etcd-0.etcd:2380)', 'etcd-0.etcd', {
      container: { args: ['--listen-peer-urls=http://etcd-0.etcd:2380', '--name=etcd-0.etcd'] },
      corrections: likely({ 'args[0]': '--listen-peer-urls=http://0.0.0.0:2380' }),
      why: 'a pod gets its address when it starts',
      mirrorable: true,
    }),
    notOwn('expected IP in URL for binding (http://db:2380)', 'db', {
      container: env({ BIND_URL: 'http://db:2380' }),
      corrections: likely({ 'env[0].value': 'http://0.0.0.0:2380' }),
    }),
    notOwn('expected IP in URL for binding (http://db:2380)', 'db', { container: env({ LISTEN: 'dbs', URL: 'db' }) }),
  ],
  'driver-unknown': [
    driver('java.sql.SQLException: No suitable driver found for postgres://db', 'SQLException: No suitable driver found for postgres://db'),
    driver('Unsupported JDBC driver provided: x, Unsupported JDBC driver provider: x'),
    driver('Cannot find database driver: x'),
    driver('Driver org.postgresql.Driver claims to not accept jdbcUrl, postgres://db'),
    driver('Driver does not support the provided URL: x'),
    driver('No database found to handle postgres://db'),
    driver("URL must start with 'jdbc'"),
    driver(
      "sqlalchemy.exc.NoSuchModuleError: Can't load plugin: sqlalchemy.dialects:postgres",
      "NoSuchModuleError: Can't load plugin: sqlalchemy.dialects:postgres",
    ),
    [
      'No suitable driver found for postgres://u@db/x',
      'postgres://db/x',
      'no driver of the program takes an address that begins as `postgres://db/x` does',
      { container: env({ DB: 'postgres://u@db/x' }), corrections: guess({ 'env[0].value': 'jdbc:postgresql://u@db/x' }) },
    ],
  ],
});
otherLogs(test, {
  'url-characters': ['invalid port number: "p"'],
  'address-without-scheme': ['axios: Invalid URL given', 'protocol error', 'the name must start with a letter', 'must be absolute'],
  'plain-to-tls': [
    'http: TLS handshake error from 10.0.0.1:5: client sent an HTTP request to an HTTPS server',
    'malformed HTTP response "SSH-2.0"',
  ],
  'address-not-own': ['connect EADDRNOTAVAIL db', 'dial tcp: cannot assign requested address'],
  'driver-unknown': ["Can't load plugin: sqlalchemy.dialects:postgresql", 'jdbc driver loaded, then an error'],
});

test.run();
