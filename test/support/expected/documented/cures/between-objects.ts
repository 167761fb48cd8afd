import type { CureRow } from './cure.ts';
import { container, loops, one, other, pod, serves, waits } from '../documented.ts';
import { app, crash, guess, likely, map, secret, service } from './rows.ts';

const env = (name: string, value: string) => ({ env: [{ name, value }] });
const value = (to: string): object => ({ [`${app}.env[0].value`]: to });

/** Two objects, or two parts of a pod, that do not match. */
const CALLERS: Record<string, CureRow> = {
  'a Service that lacks the port, and a log that names only the Service': crash(
    '2026-11-24T15:14:33Z FATAL main.go:52 dependency check failed {"dependency": "inventory", "error": "context deadline exceeded"}\n',
    env('INVENTORY_URL', 'http://inventory:8080'),
    { culprit: /INVENTORY_URL/, best: value('http://inventory:80'), ...likely },
    [service('inventory', 80)],
  ),
  'a Service that lacks the port, and a log about something else': crash(
    'TypeError: Cannot read properties of null\n    at load (/app/main.js:3:1)\n',
    env('INVENTORY_URL', 'http://inventory:8080'),
    { culprit: /TypeError/, best: value('http://inventory:80'), ...guess },
    [service('inventory', 80)],
  ),
  'a Service that has the port': crash(
    '2026-11-24T15:14:33Z FATAL main.go:52 dependency check failed {"dependency": "inventory", "error": "context deadline exceeded"}\n',
    env('INVENTORY_URL', 'http://inventory:8080'),
    { culprit: /dependency check failed/, best: null },
    [service('inventory', 8080)],
  ),
  'an init container that got nothing, because it calls a port that the Service lacks': crash(
    'SyntaxError: Unexpected end of JSON input\n    at JSON.parse (<anonymous>)\n',
    {},
    {
      culprit: /CONFIG_URL/,
      best: { 'spec.initContainers[0].env[0].value': 'http://config-server:80/app.json' },
      ...likely,
    },
    [service('config-server', 80)],
    { initContainers: [{ name: 'fetch', image: 'busybox', ...env('CONFIG_URL', 'http://config-server:8080/app.json') }] },
  ),
};

const certificates = (name: string): Parameters<typeof crash>[4] => ({
  volumes: [{ name: 'tls', projected: { sources: [{ secret: { name, optional: true } }] } }],
});
const NO_CERTIFICATE =
  'Error: provision http: getting tls app: provision tls: loading certificates: open /etc/caddy/tls.crt: no such file or directory\n';

const FILES: Record<string, CureRow> = {
  'an optional Secret of a projected volume, under another name': crash(
    NO_CERTIFICATE,
    { volumeMounts: [{ name: 'tls', mountPath: '/etc/caddy' }] },
    { culprit: /\/etc\/caddy\/tls\.crt/, best: { 'spec.volumes[0].projected.sources[0].secret.name': 'website-tls' }, ...likely },
    [secret('website-tls', 'tls.crt', 'tls.key')],
    certificates('web-tls'),
  ),
  'an optional Secret that nothing resembles': crash(
    NO_CERTIFICATE,
    { volumeMounts: [{ name: 'tls', mountPath: '/etc/caddy' }] },
    { culprit: /\/etc\/caddy\/tls\.crt/, best: null },
    [secret('registry', 'password')],
    certificates('web-tls'),
  ),
  'files of a Secret that only root may read': crash(
    "Error: EACCES: permission denied, open '/etc/shop/tls/tls.key'\n",
    { volumeMounts: [{ name: 'tls', mountPath: '/etc/shop/tls', readOnly: true }], securityContext: { runAsUser: 1000 } },
    { culprit: /\/etc\/shop\/tls\/tls\.key/, best: { 'spec.securityContext.fsGroup': 1000 }, ...likely },
    [secret('tls', 'tls.crt', 'tls.key')],
    { volumes: [{ name: 'tls', secret: { secretName: 'tls', defaultMode: 0o400 } }] },
  ),
  'a file of a ConfigMap that the program wants to write': crash(
    "Error: EACCES: permission denied, open '/etc/shop/app.ini'\n",
    { volumeMounts: [{ name: 'config', mountPath: '/etc/shop' }], securityContext: { runAsUser: 1000 } },
    { culprit: /\/etc\/shop\/app\.ini/, best: null },
    [map('shop', 'app.ini')],
    { volumes: [{ name: 'config', configMap: { name: 'shop' } }] },
  ),
  'a profile whose file is mounted under a shorter name': crash(
    "Description:\n\nFailed to configure a DataSource: 'url' attribute is not specified and no embedded datasource could be configured.\n",
    { ...env('SPRING_PROFILES_ACTIVE', 'production'), volumeMounts: [{ name: 'config', mountPath: '/config' }] },
    { culprit: /^SPRING_PROFILES_ACTIVE=production/, best: value('prod'), ...likely },
    [map('ledger', 'application-prod.yml')],
    { volumes: [{ name: 'config', configMap: { name: 'ledger' } }] },
  ),
  'a profile whose file is mounted': crash(
    "Description:\n\nFailed to configure a DataSource: 'url' attribute is not specified and no embedded datasource could be configured.\n",
    { ...env('SPRING_PROFILES_ACTIVE', 'production'), volumeMounts: [{ name: 'config', mountPath: '/config' }] },
    { culprit: /url/, best: null },
    [map('ledger', 'application-prod.yml', 'application-production.yml')],
    { volumes: [{ name: 'config', configMap: { name: 'ledger' } }] },
  ),
};

/** A program of user 1000, and an init container that fills the program's volume. */
const filled = (script: string, is: object, path = '/certs/server.key'): CureRow =>
  crash(
    `open ${path}: permission denied\n`,
    { volumeMounts: [{ name: 'certs', mountPath: '/certs' }], securityContext: { runAsUser: 1000, runAsGroup: 1000 } },
    { culprit: /\/certs\//, ...is },
    [],
    {
      securityContext: { fsGroup: 1000 },
      volumes: [{ name: 'certs', emptyDir: {} }],
      initContainers: [
        { name: 'make', image: 'busybox', command: ['sh', '-c', script], volumeMounts: [{ name: 'certs', mountPath: '/out' }] },
      ],
    },
  );

const OWNERS: Record<string, CureRow> = {
  'an init container that makes a key as root': filled('umask 077; openssl genrsa > /out/server.key', {
    best: { 'spec.initContainers[0].securityContext.runAsUser': 1000 },
    ...likely,
  }),
  'an init container that gives the folder to another user': filled('mkdir -p /out/a && chown -R 82:82 /out && echo done', {
    best: { 'spec.initContainers[0].command[2]': 'mkdir -p /out/a && chown -R 1000:1000 /out && echo done' },
    ...likely,
  }),
  'an init container that gives the folder to the user of the program': filled('chown -R 1000:1000 /out && chmod 500 /out', { best: null }),
  'an init container that makes another file': filled('openssl genrsa > /out/ca.pem', { best: null }),
};

const SETTINGS: Record<string, CureRow> = {
  'a heap that a script makes of bytes': crash(
    'Invalid maximum heap size: -Xmx134217728m\nThe specified size exceeds the maximum representable size.\nError: Could not create the Java Virtual Machine.\n',
    {
      env: [{ name: 'HEAP_MB', valueFrom: { resourceFieldRef: { resource: 'limits.memory' } } }],
      resources: { limits: { memory: '128Mi' } },
    },
    { culprit: /HEAP_MB/, best: { [`${app}.env[0].valueFrom.resourceFieldRef.divisor`]: '1Mi' }, ...likely },
  ),
  'a heap that no variable holds': crash(
    'Invalid maximum heap size: -Xmx134217728m\nError: Could not create the Java Virtual Machine.\n',
    {
      env: [{ name: 'HEAP_MB', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } }],
      resources: { limits: { memory: '128Mi' } },
    },
    { culprit: /-Xmx134217728m/, best: null },
  ),
  'a command and its option in one word': crash(
    "Usage: mailer [OPTIONS] COMMAND [ARGS]...\n\nError: No such command 'worker --queue=mail'.\n",
    { args: ['worker --queue=mail'] },
    { culprit: /worker --queue=mail/, best: { [`${app}.args`]: ['worker', '--queue=mail'] }, ...likely },
  ),
  'a command that the program does not have': crash(
    "Error: No such command 'workr'.\n",
    { args: ['workr'] },
    { culprit: /workr/, best: null },
  ),
  '.NET: a connection string by its name, with one underscore': crash(
    "Unhandled exception. System.InvalidOperationException: No connection string named 'Default' was found in the application configuration.\n",
    env('ConnectionStrings_Default', 'Host=db'),
    { culprit: /^ConnectionStrings__Default/, best: { [`${app}.env[0].name`]: 'ConnectionStrings__Default' }, ...likely },
  ),
  'Rust: a port alone for an address': crash(
    "thread 'main' panicked at src/main.rs:38:10:\ncalled `Result::unwrap()` on an `Err` value: error parsing BIND_ADDR\n\nCaused by:\n    invalid socket address syntax\n",
    env('BIND_ADDR', ':8080'),
    { culprit: /^BIND_ADDR=:8080$/, best: value('0.0.0.0:8080'), ...likely },
  ),
  'Go: a port alone, and something else that cannot be parsed': crash(
    'panic: error parsing CACHE_TTL: time: invalid duration "soon"\n',
    { env: [...env('BIND_ADDR', ':8080').env, ...env('CACHE_TTL', 'soon').env] },
    { culprit: /CACHE_TTL/, best: null },
  ),
  'an address of Redis without a scheme, and a log that names none': crash(
    "TypeError: Invalid URL\n    at new URL (node:internal/url:816:29) {\n  code: 'ERR_INVALID_URL',\n  input: 'cache:6379'\n}\n",
    env('REDIS_URL', 'cache:6379'),
    { culprit: /REDIS_URL/, best: value('redis://cache:6379'), ...likely },
    [service('cache', 6379)],
  ),
  'a value that the program proposes for a variable': crash(
    'To do this you can use the following docker argument:\n\n        --env=NEO4J_ACCEPT_LICENSE_AGREEMENT=<yes|eval>\n',
    env('NEO4J_ACCEPT_LICENSE_AGREEMENT', 'true'),
    { culprit: /NEO4J_ACCEPT_LICENSE_AGREEMENT=true/, best: value('yes'), ...likely },
  ),
  'a value that the program proposes for a variable that nobody set': crash(
    'To do this you can use the following docker argument:\n\n        --env=NEO4J_ACCEPT_LICENSE_AGREEMENT=<yes|eval>\n',
    {},
    { culprit: /NEO4J_ACCEPT_LICENSE_AGREEMENT/, best: null },
  ),
  'keys of a Secret with shorter words': {
    object: one('shop', waits('CreateContainerConfigError', `couldn't find key username in Secret default/db`), {
      env: ['username', 'password'].map((key) => ({ name: key.toUpperCase(), valueFrom: { secretKeyRef: { name: 'db', key } } })),
    }),
    others: [other('Secret', 'db', { data: { user: 'x', pass: 'x' } })],
    is: {
      reason: 'CreateContainerConfigError',
      culprit: /username/,
      best: {
        [`${app}.env[0].valueFrom.secretKeyRef.key`]: 'user',
        [`${app}.env[1].valueFrom.secretKeyRef.key`]: 'pass',
      },
      ...likely,
    },
  },
};

const token = { env: [{ name: 'API_TOKEN', valueFrom: { secretKeyRef: { name: 'invoicing', key: 'api-token' } } }] };

const HEADERS: Record<string, CureRow> = Object.fromEntries(
  [
    'TypeError [ERR_INVALID_CHAR]: Invalid character in header content ["Authorization"]',
    'panic: Get "https://api.example.com/v1": net/http: invalid header field value for "Authorization"',
    "requests.exceptions.InvalidHeader: Invalid return character or leading space in header: Authorization\nInvalid header value b'Bearer abc\\n'",
    'Exception in thread "main" java.lang.IllegalArgumentException: Unexpected char 0x0a at 27 in Authorization value: Bearer abc',
  ].map((line) => [
    `a token with a line break: ${line}`,
    crash(`${line}\n`, token, { culprit: /API_TOKEN from key api-token of Secret invoicing/, best: null, says: /line break/ }, [
      secret('invoicing', 'api-token'),
    ]),
  ]),
);

/** A second container that uses port 8080. */
const web = { name: 'web', image: 'web', ports: [{ containerPort: 8080 }] };
const exporter = (spec: object, is: object): CureRow => ({
  object: pod('shop', { containers: [{ name: 'app', image: 'exporter', ...spec }, web] }, [
    container('app', loops(1)),
    container('web', serves()),
  ]),
  log: 'Error: listen EADDRINUSE: address already in use :::8080\n',
  is: { reason: 'CrashLoopBackOff', culprit: /port 8080/, ...is } as CureRow['is'],
});

const PORTS: Record<string, CureRow> = {
  'a port that another container of the pod has': exporter(
    { ...env('METRICS_PORT', '8080'), ports: [{ containerPort: 8080 }] },
    { best: { [`${app}.env[0].value`]: '8081', [`${app}.ports[0].containerPort`]: 8081 }, ...likely },
  ),
  'a port that another container has, in one word with its option': exporter(
    { args: ['--port=8080'] },
    { best: { [`${app}.args[0]`]: '--port=8081' }, ...likely },
  ),
  'a port that another container has and no value of this one': exporter({}, { best: null }),
  'a low port, where the container declares a high one': crash(
    'System.Net.Sockets.SocketException (13): Permission denied\n   at Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets.SocketTransportOptions.CreateDefaultBoundListenSocket(EndPoint endpoint)\n',
    { ...env('ASPNETCORE_URLS', 'http://+:80'), ports: [{ containerPort: 8080 }], securityContext: { runAsUser: 1654 } },
    { culprit: /port/, best: value('http://+:8080'), ...likely },
  ),
  'a number that is no port, where the container declares one': crash(
    'RangeError [ERR_SOCKET_BAD_PORT]: options.port should be >= 0 and < 65536. Received type number (80800).\n',
    { ...env('PORT', '80800'), ports: [{ containerPort: 8080 }] },
    { culprit: /^PORT=80800/, best: value('8080'), ...likely },
  ),
  'a number that is no port, and nothing that declares one': crash(
    'RangeError [ERR_SOCKET_BAD_PORT]: options.port should be >= 0 and < 65536. Received type number (80800).\n',
    env('PORT', '80800'),
    { culprit: /^PORT=80800/, best: null },
  ),
  'an address with a scheme, where the program wants none': crash(
    'Error: cannot start pipelines: failed to start "otlp" exporter: failed to build gRPC client: dial tcp: address http://tempo:4317: too many colons in address\n',
    env('OTEL_ENDPOINT', 'http://tempo:4317'),
    { culprit: /http:\/\/tempo:4317/, best: value('tempo:4317'), ...likely },
    [service('tempo', 4317)],
  ),
  'gRPC for Go: a name that the cluster does not know': crash(
    'rpc error: code = Unavailable desc = dns: A record lookup error: lookup orders-grpc on 10.96.0.10:53: no such host\npanic: cannot reach orders\n',
    env('ORDERS_ADDR', 'orders-grpc:50051'),
    { culprit: /orders-grpc/, best: value('orders:50051'), ...likely },
    [service('orders', 50051)],
  ),
  'a low port that the container declares': crash(
    'nginx: [emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)\n',
    { ...env('NGINX_PORT', '80'), ports: [{ containerPort: 80 }], securityContext: { runAsUser: 101 } },
    {
      culprit: /port 80/,
      best: { 'spec.securityContext.sysctls': [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }] },
    },
  ),
};

export const BETWEEN_OBJECTS: Record<string, CureRow> = { ...CALLERS, ...FILES, ...OWNERS, ...SETTINGS, ...HEADERS, ...PORTS };
