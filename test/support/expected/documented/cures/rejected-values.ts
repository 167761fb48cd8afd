import type { PodSpec } from '../../../../../src/crd/kubernetes.ts';
import type { CureRow } from './cure.ts';
import { one, other, runs } from '../documented.ts';
import { app, crash, guess, likely, service } from './rows.ts';

type Container = Partial<PodSpec['containers'][0]>;
const variable = (name: string, value: string): Container => ({ env: [{ name, value }] });
const value = (to: string): object => ({ [`${app}.env[0].value`]: to });
const prices = [service('prices', 8080)];

const TLS: Record<string, CureRow> = Object.fromEntries(
  [
    'Get "https://prices:8080/v1": http: server gave HTTP response to HTTPS client',
    'Error: write EPROTO 139:error:1408F10B:SSL routines:ssl3_get_record:wrong version number',
    "requests.exceptions.SSLError: HTTPSConnectionPool(host='prices', port=8080): Max retries exceeded (Caused by SSLError(1, '[SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:1006)'))",
    'javax.net.ssl.SSLException: Unsupported or unrecognized SSL message',
    'remote error: tls: first record does not look like a TLS handshake',
    'curl: (35) error:0A00010B:SSL routines::wrong version number',
  ].map((line) => [
    `TLS spoken to a server without it: ${line}`,
    crash(
      line,
      variable('PRICES', 'https://prices:8080/v1'),
      { culprit: /prices:8080/, best: value('http://prices:8080/v1'), ...likely },
      prices,
    ),
  ]),
);

/** Values that a program rejects, in the words of many programs. Each family has near misses. */
export const REJECTED_VALUES: Record<string, CureRow> = {
  ...TLS,
  'TLS to a server of the internet': crash(
    'curl: (35) error:0A00010B:SSL routines::wrong version number',
    variable('API', 'https://api.example.com/v1'),
    { culprit: /wrong version/, best: null },
    prices,
  ),
  'TLS to two servers': crash(
    'curl: (35) error:0A00010B:SSL routines::wrong version number',
    {
      env: [
        { name: 'A', value: 'https://prices:8080' },
        { name: 'B', value: 'https://rates:8080' },
      ],
    },
    { culprit: /wrong version/, best: null },
    [service('prices', 8080), service('rates', 8080)],
  ),
  'no TLS to a server that has it': crash(
    'Get "http://prices:8443/v1": net/http: HTTP/1.x transport connection broken: malformed HTTP response "\\x15\\x03\\x01\\x00\\x02\\x02"',
    variable('PRICES', 'http://prices:8443'),
    { culprit: /prices:8443/, best: value('https://prices:8443'), ...likely },
    [service('prices', 8443)],
  ),
  'no TLS, in the words of the server': crash(
    'unexpected status 400: Client sent an HTTP request to an HTTPS server.',
    variable('PRICES', 'http://prices:8443'),
    { culprit: /prices:8443/, best: value('https://prices:8443'), ...likely },
    [service('prices', 8443)],
  ),
  'a database without TLS': crash(
    'pq: SSL is not enabled on the server',
    variable('DATABASE_URL', 'postgres://u@pg:5432/shop'),
    { culprit: /SSL/, best: value('postgres://u@pg:5432/shop?sslmode=disable'), ...likely },
    [service('pg', 5432)],
  ),
  'a database without TLS, which the address demands': crash(
    'psycopg2.OperationalError: connection to server at "pg" (10.1.2.3), port 5432 failed: server does not support SSL, but SSL was required',
    variable('DATABASE_URL', 'postgresql://pg/shop?sslmode=require&x=1'),
    { culprit: /SSL/, best: value('postgresql://pg/shop?sslmode=disable&x=1'), ...likely },
    [service('pg', 5432)],
  ),
  'a database without TLS, by a variable': crash(
    'FATAL: the server does not support SSL connections',
    {
      env: [
        { name: 'PGHOST', value: 'pg' },
        { name: 'PGSSLMODE', value: 'require' },
      ],
    },
    { culprit: /SSL/, best: { [`${app}.env[1].value`]: 'disable' }, ...likely },
    [service('pg', 5432)],
  ),
  'a broker without TLS': crash(
    'redis.exceptions.ConnectionError: Error 1 connecting to cache:6379. [SSL: WRONG_VERSION_NUMBER] wrong version number.',
    variable('REDIS_URL', 'rediss://cache:6379/0'),
    { culprit: /cache:6379/, best: value('redis://cache:6379/0'), ...likely },
    [service('cache', 6379)],
  ),

  'a value that is the beginning of one that is allowed': crash(
    'Error: NODE_ENV must be one of development, production, test but was "prod"',
    variable('NODE_ENV', 'prod'),
    { culprit: /NODE_ENV=prod/, best: value('production'), ...likely },
  ),
  'a value whose letters are those of one that is allowed': crash(
    "error: argument --level: invalid choice: 'dbg' (choose from 'debug', 'info', 'warning')",
    { args: ['--level', 'dbg'] },
    { culprit: /dbg/, best: { [`${app}.args[1]`]: 'debug' }, ...likely },
  ),
  'a value that two of the allowed begin with': crash(
    'Error: MODE must be one of read, read-write, write but was "re"',
    variable('MODE', 're'),
    { culprit: /MODE=re/, best: null },
  ),
  'a level of the log with a slip, of a library that lists none': crash(
    'panic: not a valid logrus Level: "inof"',
    variable('LOG_LEVEL', 'inof'),
    { culprit: /LOG_LEVEL=inof/, best: value('info'), ...likely },
  ),
  'a level of the log that no library has': crash('panic: not a valid logrus Level: "chatty"', variable('LOG_LEVEL', 'chatty'), {
    culprit: /LOG_LEVEL=chatty/,
    best: value('info'),
    ...guess,
  }),
  'a level as Python wants it': crash("ValueError: Unknown level: 'debg'", variable('LOGLEVEL', 'debg'), {
    culprit: /LOGLEVEL=debg/,
    best: value('DEBUG'),
    ...likely,
  }),
  'a time zone with a slip': crash(
    "zoneinfo._common.ZoneInfoNotFoundError: 'No time zone found with key Europe/Berlni'",
    variable('TZ', 'Europe/Berlni'),
    { culprit: /Europe\/Berlni/, best: value('Europe/Berlin'), ...likely },
  ),
  'a time zone that nothing resembles': crash('panic: unknown time zone Mars/Phobos', variable('TZ', 'Mars/Phobos'), {
    culprit: /Mars\/Phobos/,
    best: null,
  }),
  'a time without its unit, of an option that says so by its name': crash(
    'invalid value "5" for flag -timeout: parse error',
    { args: ['-timeout=5'] },
    { culprit: /timeout/, best: { [`${app}.args[0]`]: '-timeout=5s' }, ...guess },
  ),
  'an option that takes no value': crash(
    "error: unexpected value 'true' for '--verbose' found; no more were expected",
    { args: ['--verbose=true', '--port=80'] },
    { culprit: /--verbose/, best: { [`${app}.args[0]`]: '--verbose' }, ...likely },
  ),
  'an option that takes no value, in the words of Python': crash(
    "app.py: error: argument --verbose: ignored explicit argument 'true'",
    { command: ['python', 'app.py', '--verbose=true'] },
    { culprit: /--verbose/, best: { [`${app}.command[2]`]: '--verbose' }, ...likely },
  ),
  'a subcommand with a slip': crash(
    'Error: unknown command "sever" for "shop"\n\nDid you mean this?\n\tserver\n',
    { args: ['sever', '--port=80'] },
    { culprit: /sever/, best: { [`${app}.args[0]`]: 'server' }, ...likely },
  ),
  'a subcommand with a slip, in the words of Rust': crash(
    "error: unrecognized subcommand 'strat'\n\n  tip: a similar subcommand exists: 'start'\n\nUsage: shop <COMMAND>",
    { command: ['shop', 'strat'] },
    { culprit: /strat/, best: { [`${app}.command[1]`]: 'start' }, ...likely },
  ),
  'a subcommand with a slip, and the list of them': crash(
    "Error: No such command 'migrat'.\nCommands:\n  migrate  Run migrations\n  serve    Serve",
    { args: ['migrat'] },
    { culprit: /migrat/, best: { [`${app}.args[0]`]: 'migrate' }, ...likely },
  ),
  'a subcommand that nothing resembles': crash(
    'Error: unknown command "frobnicate" for "shop"\nRun \'shop --help\' for usage.',
    { args: ['frobnicate'] },
    { culprit: /frobnicate/, best: null },
  ),
  'JSON in quotes': crash("SyntaxError: Unexpected token ' in JSON at position 0", variable('FLAGS', '\'{"a":1}\''), {
    culprit: /FLAGS/,
    best: value('{"a":1}'),
    ...likely,
  }),
  'JSON as Python prints it': crash(
    'json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
    variable('FLAGS', "{'a': True, 'b': None}"),
    { culprit: /FLAGS/, best: value('{"a": true, "b": null}'), ...likely },
  ),
  'JSON with a comma too many': crash("invalid character '}' looking for beginning of object key string", variable('FLAGS', '{"a":1,}'), {
    culprit: /FLAGS/,
    best: value('{"a":1}'),
    ...likely,
  }),
  'JSON that is right, and a line about other JSON': crash(
    'SyntaxError: Unexpected token < in JSON at position 0',
    variable('FLAGS', '{"a":1}'),
    { culprit: /JSON/, best: null },
  ),
  'an address that the pod does not have': crash(
    'listen tcp 10.0.0.99:8080: bind: cannot assign requested address',
    variable('LISTEN', '10.0.0.99:8080'),
    { culprit: /10\.0\.0\.99/, best: value('0.0.0.0:8080'), ...likely },
  ),
  'an address that the pod does not have, in the words of Node': crash(
    'Error: listen EADDRNOTAVAIL: address not available 192.168.1.10:3000',
    { args: ['--host=192.168.1.10'] },
    { culprit: /192\.168\.1\.10/, best: { [`${app}.args[0]`]: '--host=0.0.0.0' }, ...likely },
  ),
  'no address left to call from': crash(
    'dial tcp 10.0.0.99:8080: connect: cannot assign requested address',
    variable('PEER', '10.0.0.99:8080'),
    { culprit: /10\.0\.0\.99/, best: null },
  ),
  'a low port, in the words of Apache': crash(
    '(13)Permission denied: AH00072: make_sock: could not bind to address [::]:80',
    { securityContext: { runAsUser: 1000 } },
    { culprit: /port 80/, best: { 'spec.securityContext.sysctls': [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }] } },
  ),
  'a refusal by its number': crash(
    "ERROR 2003 (HY000): Can't connect to MySQL server on 'mysql:3307' (111)",
    {
      env: [
        { name: 'DB_HOST', value: 'mysql' },
        { name: 'DB_PORT', value: '3307' },
      ],
    },
    { culprit: /mysql:3307/, best: { [`${app}.env[1].value`]: '3306' }, ...likely },
    [service('mysql', 3306)],
  ),
  'a proxy that nobody knows': crash('curl: (5) Could not resolve proxy: proxy.corp', variable('HTTPS_PROXY', 'http://proxy.corp:3128'), {
    culprit: /^proxy\.corp$/,
    best: null,
  }),
  'a file of Google that is in another folder': crash(
    'google.auth.exceptions.DefaultCredentialsError: File /var/secrets/google/key.json was not found.',
    {
      volumeMounts: [{ name: 'g', mountPath: '/var/secrets/gcp' }],
      env: [{ name: 'GOOGLE_APPLICATION_CREDENTIALS', value: '/var/secrets/google/key.json' }],
    },
    { culprit: /key\.json/, best: { [`${app}.volumeMounts[0].mountPath`]: '/var/secrets/google' }, ...likely },
    [other('Secret', 'gcp', { data: { 'key.json': '' } })],
    { volumes: [{ name: 'g', secret: { secretName: 'gcp' } }] },
  ),
  'a host that is also the scheme and the user': crash(
    'django.db.utils.OperationalError: could not translate host name "postgres" to address: Name or service not known',
    variable('DATABASE_URL', 'postgres://postgres:x@postgres:5432/postgres'),
    { culprit: /postgres/, best: value('postgres://postgres:x@postgres-main:5432/postgres'), ...likely },
    [service('postgres-main', 5432)],
  ),

  'a size as Go does not write it': crash(
    'fatal error: malformed GOMEMLIMIT; see `go doc runtime/debug.SetMemoryLimit`',
    variable('GOMEMLIMIT', '512M'),
    { culprit: /GOMEMLIMIT=512M/, best: value('512MiB'), ...likely },
  ),
  'a size that Node wants in MiB': crash(
    'Error: illegal value for flag --max-old-space-size=1g of type size_t',
    variable('NODE_OPTIONS', '--max-old-space-size=1g'),
    { culprit: /--max-old-space-size=1g/, best: value('--max-old-space-size=1024'), ...likely },
  ),
  'a share with its sign': crash(
    "Improperly specified VM option 'MaxRAMPercentage=75%'\nError: Could not create the Java Virtual Machine.",
    variable('JAVA_TOOL_OPTIONS', '-XX:MaxRAMPercentage=75%'),
    { culprit: /MaxRAMPercentage=75%/, best: value('-XX:MaxRAMPercentage=75'), ...likely },
  ),
  'a heap that begins larger than it may be': crash(
    'Error occurred during initialization of VM\nInitial heap size set to a larger value than the maximum heap size',
    variable('JAVA_TOOL_OPTIONS', '-Xms1g -Xmx512m'),
    { culprit: /-Xms1g/, best: value('-Xms512m -Xmx512m'), ...likely },
  ),
  'a size as PostgreSQL does not write it': crash(
    'FATAL:  invalid value for parameter "shared_buffers": "128mb"\nHINT:  Valid units for this parameter are "B", "kB", "MB", "GB", and "TB".',
    { args: ['-c', 'shared_buffers=128mb'] },
    { culprit: /shared_buffers/, best: { [`${app}.args[1]`]: 'shared_buffers=128MB' }, ...likely },
  ),
  'a size as Redis does not write it': crash(
    "*** FATAL CONFIG FILE ERROR (Redis 7.2.4) ***\nReading the configuration file, at line 2\n>>> 'maxmemory 256Mi'\nargument must be a memory value",
    { args: ['--maxmemory', '256Mi'] },
    { culprit: /256Mi/, best: { [`${app}.args[1]`]: '256mb' }, ...likely },
  ),
  'a size that no variable gives': crash(
    'fatal error: malformed GOMEMLIMIT; see `go doc runtime/debug.SetMemoryLimit`',
    {},
    {
      culprit: /GOMEMLIMIT/,
      best: null,
    },
  ),
  'a raw socket of ping': crash(
    'ping: permission denied (are you root?)',
    { securityContext: { capabilities: { drop: ['ALL'] } } },
    { culprit: /ping/, best: { [`${app}.securityContext.capabilities.add`]: ['NET_RAW'] } },
  ),
  'a probe without TLS of a server that has it': {
    object: one('shop', runs(), { readinessProbe: { httpGet: { path: '/', port: 8443 } } }),
    events: [['Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 400']],
    log: 'http: TLS handshake error from 10.1.2.1:40112: client sent an HTTP request to an HTTPS server',
    is: {
      reason: 'Unhealthy',
      culprit: /GET \/ :8443/,
      best: { [`${app}.readinessProbe.httpGet.scheme`]: 'HTTPS' },
      confidence: ['likely'],
    },
  },
  'a probe that asks for a service of gRPC that is not there': {
    object: one('shop', runs(), { readinessProbe: { grpc: { port: 50051, service: 'shopp' } } }),
    events: [['Unhealthy', 'Readiness probe failed: error: health rpc probe failed: rpc error: code = NotFound desc = unknown service']],
    is: { reason: 'Unhealthy', culprit: /grpc :50051/, best: { [`${app}.readinessProbe.grpc.service`]: null }, confidence: ['guess'] },
  },
  'a probe of a server that has no service of health': {
    object: one('shop', runs(), { readinessProbe: { grpc: { port: 50051 }, periodSeconds: 5 } }),
    events: [
      [
        'Unhealthy',
        'Readiness probe failed: error: this server does not implement the grpc health protocol (grpc.health.v1.Health): rpc error: code = Unimplemented',
      ],
    ],
    is: {
      reason: 'Unhealthy',
      culprit: /grpc :50051/,
      best: { [`${app}.readinessProbe`]: { periodSeconds: 5, tcpSocket: { port: 50051 } } },
      confidence: ['guess'],
    },
  },

  'a level of the log that is only told': crash('panic: connection failed at log level "info"', variable('LOG_LEVEL', 'info'), {
    culprit: /info/,
    best: null,
  }),
  'a time zone that exists, and whose file does not': crash(
    'Error: time zone file /usr/share/zoneinfo/Europe/Berlin not found',
    variable('TZ', 'Europe/Berlin'),
    { culprit: /Europe\/Berlin/, best: null },
  ),
  'the same address twice, without its scheme': crash(
    'Get "prices:8080/v1": unsupported protocol scheme "prices"',
    {
      env: [
        { name: 'A', value: 'prices:8080' },
        { name: 'B', value: 'prices:8080' },
      ],
    },
    {
      culprit: /prices:8080/,
      best: { [`${app}.env[0].value`]: 'http://prices:8080', [`${app}.env[1].value`]: 'http://prices:8080' },
      ...likely,
    },
    prices,
  ),
  'a refusal on the loopback, and a Service that has nothing to do with it': crash(
    'Error: connect ECONNREFUSED 127.0.0.1:8125',
    variable('PRICES', 'http://prices:8080'),
    { culprit: /^127\.0\.0\.1:8125$/, best: null },
    prices,
  ),
  'a process that does not run yet, and what is wrong': crash(
    'worker: process web not running yet\nError: missing environment variable API_TOKEN',
    {},
    { culprit: /^API_TOKEN$/, best: null },
  ),
  'zod: a value that is none of the list': crash(
    'ZodError: [\n  {\n    "received": "prod",\n    "code": "invalid_enum_value",\n    "options": [\n      "development",\n      "production"\n    ],\n    "path": [\n      "NODE_ENV"\n    ],\n    "message": "Invalid enum value. Expected \'development\' | \'production\', received \'prod\'"\n  }\n]\n',
    variable('NODE_ENV', 'prod'),
    { culprit: /^NODE_ENV=prod$/, best: value('production'), ...likely },
  ),
  'zod 4, as Node prints its objects': crash(
    "ZodError: [\n  {\n    code: 'invalid_value',\n    values: [ 'debug', 'info', 'warn' ],\n    path: [ 'LOG_LEVEL' ],\n    message: 'Invalid option: expected one of \"debug\"|\"info\"|\"warn\"'\n  }\n]\n",
    variable('LOG_LEVEL', 'warning'),
    { culprit: /^LOG_LEVEL=warning$/, best: value('warn'), ...likely },
  ),
  'zod: a value that is no number, without a better one': crash(
    'ZodError: [\n  {\n    "code": "invalid_type",\n    "expected": "number",\n    "received": "nan",\n    "path": [\n      "PORT"\n    ],\n    "message": "Expected number, received nan"\n  }\n]\n',
    variable('PORT', 'http'),
    { culprit: /^PORT=http$/, best: { [`${app}.env`]: null } },
  ),
  'pydantic: a value that is none of the list': crash(
    "pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings\nenvironment\n  Input should be 'development', 'staging' or 'production' [type=literal_error, input_value='prod', input_type=str]\n",
    variable('ENVIRONMENT', 'prod'),
    { culprit: /ENVIRONMENT=prod/, best: value('production'), ...likely },
  ),
};
