import type { PodSpec } from '../../../../../src/crd/kubernetes.ts';
import type { CureRow } from './cure.ts';
import { container, controller, loops, pod, runs, serves, waits } from '../documented.ts';
import { app, crash, guess, likely, service } from './rows.ts';

const refused = (message: string, spec: PodSpec, is: object, name = 'shop', kind = 'ReplicaSet'): CureRow => ({
  object: controller(kind, name, spec),
  events: [['FailedCreate', message]],
  is: { reason: 'FailedCreate', ...is } as CureRow['is'],
});
const policy = (said: string): string =>
  `Error creating: pods "shop-x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${said}`;
const template = 'spec.template.spec';

const PRICES = { env: [{ name: 'PRICES', value: 'prices:8080' }] };
const PRICES_URL = { [`${app}.env[0].value`]: 'http://prices:8080' };
const prices = [service('prices', 8080)];

/** Errors about an address without a scheme, from the libraries of several languages. */
const SCHEMES: Record<string, CureRow> = Object.fromEntries(
  [
    'Get "prices:8080/v1": unsupported protocol scheme "prices"',
    'Error: Protocol "prices:" not supported. Expected "http:"',
    'curl: (1) Protocol "prices" not supported',
    "requests.exceptions.InvalidSchema: No connection adapters were found for 'prices:8080/v1'",
    "requests.exceptions.MissingSchema: Invalid URL 'prices:8080/v1': No scheme supplied. Perhaps you meant https://prices:8080/v1?",
    'java.net.MalformedURLException: unknown protocol: prices',
    'AxiosError: Unsupported protocol prices:',
    'TypeError: Failed to parse URL from prices:8080/v1',
    "java.lang.IllegalArgumentException: Expected URL scheme 'http' or 'https' but was 'prices'",
    "httpx.UnsupportedProtocol: Request URL is missing an 'http://' or 'https://' protocol.",
    'System.InvalidOperationException: An invalid request URI was provided. Either the request URI must be an absolute URI or BaseAddress must be set.',
    'Error: builder error: relative URL without a base',
  ].map((line) => [
    `an address without a scheme: ${line}`,
    crash(line, PRICES, { culprit: /prices/, best: PRICES_URL, ...likely }, prices),
  ]),
);

/** Other containers of the pod, names of servers, and policies. The messages come from many languages. Each family has near misses. */
export const NEIGHBOURS: Record<string, CureRow> = {
  ...SCHEMES,
  'a scheme that the line names': crash(
    'ValueError: Redis URL must specify one of the following schemes (redis://, rediss://, unix://)',
    { env: [{ name: 'CACHE_URL', value: 'cache:6379/0' }] },
    { culprit: /cache:6379/, best: { [`${app}.env[0].value`]: 'redis://cache:6379/0' }, ...likely },
    [service('cache', 6379)],
  ),
  'a scheme that begins a connection string': crash(
    'MongoParseError: Invalid scheme, expected connection string to start with "mongodb://" or "mongodb+srv://"',
    {
      env: [
        { name: 'LISTEN', value: '0.0.0.0:3000' },
        { name: 'MONGO', value: 'mongo:27017' },
      ],
    },
    { culprit: /mongo:27017/, best: { [`${app}.env[1].value`]: 'mongodb://mongo:27017' }, ...likely },
    [service('mongo', 27017)],
  ),
  'an address without a scheme in an argument': crash(
    'Get "prices:8080/v1": unsupported protocol scheme "prices"',
    { args: ['--prices=prices:8080', '--verbose'] },
    { culprit: /prices/, best: { [`${app}.args[0]`]: '--prices=http://prices:8080' }, ...likely },
    prices,
  ),
  'an address without a scheme of a Service that nobody knows': crash(
    'Get "rates:8080/v1": unsupported protocol scheme "rates"',
    { env: [{ name: 'RATES', value: 'rates:8080' }] },
    { culprit: /rates/, best: { [`${app}.env[0].value`]: 'http://rates:8080' }, ...guess },
  ),
  'two addresses that the line does not tell apart': crash(
    "httpx.UnsupportedProtocol: Request URL is missing an 'http://' or 'https://' protocol.",
    {
      env: [
        { name: 'PRICES', value: 'prices:8080' },
        { name: 'RATES', value: 'rates:8080' },
      ],
    },
    { culprit: /protocol/i, best: null },
  ),
  'a scheme is there, and not one that the program knows': crash(
    'Get "grpc://prices:8080/v1": unsupported protocol scheme "grpc"',
    { env: [{ name: 'PRICES', value: 'grpc://prices:8080' }] },
    { culprit: /grpc/, best: null },
    prices,
  ),

  'a process of another container': {
    object: pod(
      'shop',
      {
        containers: [
          { name: 'web', image: 'nginx:1.27' },
          { name: 'reloader', image: 'busybox', command: ['sh', '-c', 'while true; do pkill -HUP nginx || exit 1; sleep 5; done'] },
        ],
      },
      [container('web', serves()), container('reloader', loops(1))],
    ),
    log: 'pkill: no process found: nginx\n',
    is: { reason: 'CrashLoopBackOff', culprit: /nginx/, best: { 'spec.shareProcessNamespace': true }, confidence: ['guess'] },
  },
  'a process of another container, by its command': {
    object: pod(
      'shop',
      {
        containers: [
          { name: 'main', image: 'app:3', command: ['/usr/sbin/haproxy', '-f', '/etc/haproxy.cfg'] },
          { name: 'watcher', image: 'app:3' },
        ],
      },
      [container('main', serves()), container('watcher', loops(1))],
    ),
    log: 'FATAL: could not find process haproxy\n',
    is: { reason: 'CrashLoopBackOff', culprit: /haproxy/, best: { 'spec.shareProcessNamespace': true }, confidence: ['guess'] },
  },
  'a process that no container runs': {
    object: pod(
      'shop',
      {
        containers: [
          { name: 'web', image: 'nginx:1.27' },
          { name: 'reloader', image: 'busybox' },
        ],
      },
      [container('web', serves()), container('reloader', loops(1))],
    ),
    log: 'pkill: no process found: varnishd\n',
    is: { reason: 'CrashLoopBackOff', culprit: /varnishd/, best: null },
  },
  'processes are shared already': {
    object: pod(
      'shop',
      {
        shareProcessNamespace: true,
        containers: [
          { name: 'web', image: 'nginx:1.27' },
          { name: 'reloader', image: 'busybox' },
        ],
      },
      [container('web', serves()), container('reloader', loops(1))],
    ),
    log: 'no process named nginx found\n',
    is: { reason: 'CrashLoopBackOff', culprit: /nginx/, best: null },
  },
  'the only container does not find its own process': crash(
    'no process named nginx found',
    { image: 'nginx:1.27' },
    { culprit: /nginx/, best: null },
  ),

  'a port of the node that is taken': crash(
    'Error: listen EADDRINUSE: address already in use :::9100',
    { ports: [{ containerPort: 9100, hostPort: 9100 }] },
    {
      culprit: /9100/,
      best: { 'spec.hostNetwork': null, 'spec.dnsPolicy': null, [`${app}.ports[0].hostPort`]: null },
      ...guess,
      says: /of the node/,
    },
    [],
    { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' },
  ),
  'a port of the pod that is taken': crash(
    'panic: listen tcp :8080: bind: address already in use',
    { args: [':8080'] },
    { culprit: /8080/, best: null },
  ),

  'the server whose address the log does not give': crash(
    'ConnectionRefusedError: [Errno 111] Connection refused',
    { env: [{ name: 'AMQP_URL', value: 'amqp://guest@broker:5672' }] },
    { culprit: /broker:5672/, best: null },
    [service('broker', 5672)],
  ),
  'two servers, and the log gives no address': crash(
    'ConnectionRefusedError: [Errno 111] Connection refused',
    {
      env: [
        { name: 'AMQP_URL', value: 'amqp://guest@broker:5672' },
        { name: 'CACHE', value: 'cache:6379' },
      ],
    },
    { culprit: /Connection refused/, best: null },
    [service('broker', 5672), service('cache', 6379)],
  ),

  'a database under its usual name, and a Service with its port': crash(
    'Error: getaddrinfo ENOTFOUND postgres',
    { env: [{ name: 'PGHOST', value: 'postgres' }] },
    { culprit: /postgres/, best: { [`${app}.env[0].value`]: 'ledger' }, ...guess },
    [service('ledger', 5432), service('web', 80)],
  ),
  'a database under a general name, in the words of its client': crash(
    "pymysql.err.OperationalError: (2003, \"Can't connect to MySQL server on 'db' ([Errno -2] Name or service not known)\")",
    { env: [{ name: 'DB', value: 'db' }] },
    { culprit: /\bdb\b/, best: { [`${app}.env[0].value`]: 'orders-maria' }, ...guess },
    [service('orders-maria', 3306)],
  ),
  'a host with a port that only one Service has': crash(
    'dial tcp: lookup billing on 10.96.0.10:53: no such host',
    { env: [{ name: 'BILLING', value: 'http://billing:7070' }] },
    { culprit: /billing/, best: { [`${app}.env[0].value`]: 'http://invoices:7070' }, ...guess },
    [service('invoices', 7070), service('web', 80)],
  ),
  'two Services have the port of the database': crash(
    'Error: getaddrinfo ENOTFOUND mysql',
    { env: [{ name: 'DB', value: 'mysql' }] },
    { culprit: /mysql/, best: null },
    [service('shop-maria', 3306), service('blog-maria', 3306)],
  ),
  'a host of the internet': crash(
    'Error: getaddrinfo ENOTFOUND api.example.com',
    { env: [{ name: 'API', value: 'http://api.example.com:8080' }] },
    { culprit: /api\.example\.com/, best: null },
    [service('prices', 8080)],
  ),
  'a warning and an error that say the same': crash(
    'PHP Warning:  getaddrinfo for mysql failed: Name or service not known in /var/www/db.php on line 9\n' +
      'PHP Fatal error:  Uncaught PDOException: SQLSTATE[HY000] [2002] getaddrinfo for mysql failed: Name or service not known in /var/www/db.php:9',
    { env: [{ name: 'DB_HOST', value: 'mysql' }] },
    { culprit: /^mysql/, best: { [`${app}.env[0].value`]: 'mariadb' }, ...guess },
    [service('mariadb', 3306)],
  ),

  'a setting of .NET whose variable has one low line': crash(
    "Unhandled exception. System.InvalidOperationException: Missing configuration value 'ConnectionStrings:Default'.",
    { env: [{ name: 'ConnectionStrings_Default', value: 'x' }] },
    { culprit: /ConnectionStrings/, best: { [`${app}.env[0].name`]: 'ConnectionStrings__Default' }, ...likely },
  ),
  'a setting of .NET whose variable has a colon': crash(
    "System.InvalidOperationException: Section 'Auth:Authority' not found in configuration.",
    { env: [{ name: 'AUTH_AUTHORITY', value: 'x' }] },
    { culprit: /Auth/, best: { [`${app}.env[0].name`]: 'Auth__Authority' }, ...likely },
  ),
  'a connection string by its name alone': crash(
    "System.InvalidOperationException: A named connection string was used, but the name 'Orders' was not found in the application's configuration.",
    { env: [{ name: 'ConnectionString__Orders', value: 'x' }] },
    { culprit: /Orders/, best: { [`${app}.env[0].name`]: 'ConnectionStrings__Orders' }, ...likely },
  ),
  'a setting of .NET that nothing resembles': crash(
    "System.InvalidOperationException: Missing configuration value 'Smtp:Host'.",
    { env: [{ name: 'LOG_LEVEL', value: 'x' }] },
    { culprit: /Smtp/, best: null },
  ),

  'images of one registry only': refused(
    policy('images must come from registry.internal/'),
    { containers: [{ name: 'a', image: 'web:1' }] },
    {
      culprit: /registry\.internal/,
      best: { [`${template}.containers[0].image`]: 'registry.internal/web:1' },
      ...guess,
    },
  ),
  'images of one registry with a folder, in several containers': refused(
    policy("Images must be pulled from 'harbor.corp.example:5000/prod'."),
    {
      initContainers: [{ name: 'i', image: 'docker.io/library/busybox:1.36' }],
      containers: [
        { name: 'a', image: 'ghcr.io/shop/web:1' },
        { name: 'b', image: 'harbor.corp.example:5000/prod/ok:2' },
      ],
    },
    {
      culprit: /harbor/,
      best: {
        [`${template}.containers[0].image`]: 'harbor.corp.example:5000/prod/shop/web:1',
        [`${template}.initContainers[0].image`]: 'harbor.corp.example:5000/prod/busybox:1.36',
      },
      ...guess,
    },
  ),
  'the list of repositories that a webhook gives': refused(
    'Error creating: admission webhook "validation.gatekeeper.sh" denied the request: [repos] container <a> has an invalid image repo <web:1>, allowed repos are ["registry.internal/"]',
    { containers: [{ name: 'a', image: 'web:1' }] },
    { culprit: /gatekeeper/, best: { [`${template}.containers[0].image`]: 'registry.internal/web:1' }, ...guess },
  ),
  'a registry that is forbidden': refused(
    policy('images from docker.io are not allowed'),
    { containers: [{ name: 'a', image: 'web:1' }] },
    {
      culprit: /docker\.io/,
      best: null,
    },
  ),
  'a policy that wants signatures, with the address of a page': refused(
    policy('images should be signed, see sigstore.dev/docs'),
    { containers: [{ name: 'a', image: 'web:1' }] },
    { culprit: /signed/, best: null },
  ),
  'a policy that only links to its page about images': refused(
    policy('unsigned image; see https://wiki.corp.example/images'),
    { containers: [{ name: 'a', image: 'web:1' }] },
    { culprit: /unsigned/, best: null },
  ),

  'a name from which a label becomes too long': refused(
    'Create Pod shop-with-a-very-long-name-0 in StatefulSet shop-with-a-very-long-name failed error: Pod "shop-with-a-very-long-name-0" is invalid: metadata.labels: Invalid value: "shop-with-a-very-long-name-6dc8ddff45": must be no more than 63 bytes',
    { containers: [{ name: 'a', image: 'web:1' }] },
    { culprit: /name .*63/, best: null, says: /shorter name/ },
    'shop-with-a-very-long-name',
    'StatefulSet',
  ),
  'a label of the template that is too long': refused(
    `Error creating: Pod "shop-x" is invalid: metadata.labels: Invalid value: "${'a'.repeat(64)}": must be no more than 63 characters`,
    { containers: [{ name: 'a', image: 'web:1' }] },
    { culprit: /label .*63/, best: null, says: /63/ },
  ),

  'what an init container waits for': {
    object: pod(
      'shop',
      {
        initContainers: [{ name: 'wait', image: 'busybox', command: ['sh', '-c', 'until nc -z search-index 9200; do sleep 2; done'] }],
        containers: [{ name: 'app', image: 'web:1' }],
      },
      [container('wait', runs()), container('app', waits('PodInitializing'))],
    ),
    log: 'search-index:9200 is not up yet\nsearch-index:9200 is not up yet\n',
    logOf: 'wait',
    others: [service('search', 9200)],
    is: {
      reason: 'PodInitializing',
      culprit: /search-index/,
      best: { 'spec.initContainers[0].command[2]': 'until nc -z search 9200; do sleep 2; done' },
    },
  },
  'what an init container waits for, by its command alone': {
    object: pod(
      'shop',
      {
        initContainers: [{ name: 'wait', image: 'busybox', command: ['sh', '-c', 'until nc -z ledger 5432; do echo .; sleep 2; done'] }],
        containers: [{ name: 'app', image: 'web:1' }],
      },
      [container('wait', runs()), container('app', waits('PodInitializing'))],
    ),
    log: '.\n.\n.\n',
    logOf: 'wait',
    is: { reason: 'PodInitializing', culprit: /ledger:5432/, best: null },
  },

  'a kernel setting in a record': crash(
    '{"@timestamp":"2026-11-23T07:00:01.000Z", "log.level":"ERROR", "message":"bootstrap checks failed.\\nmax virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]"}',
    {},
    { culprit: /^vm\.max_map_count/, best: null },
  ),

  'a volume of another container, one folder up': {
    object: pod(
      'shop',
      {
        volumes: [{ name: 'work', emptyDir: {} }],
        initContainers: [
          {
            name: 'render',
            image: 'busybox',
            command: ['sh', '-c', 'mkdir -p /shared/conf; echo x >/shared/conf/app.yaml'],
            volumeMounts: [{ name: 'work', mountPath: '/shared' }],
          },
        ],
        containers: [{ name: 'app', image: 'web:1' }],
      },
      [container('render', { state: { terminated: { exitCode: 0, reason: 'Completed' } } }), container('app', loops(1))],
    ),
    log: 'Error: open /shared/conf/app.yaml: no such file or directory\n',
    is: {
      reason: 'CrashLoopBackOff',
      culprit: /app\.yaml/,
      best: { [`${app}.volumeMounts`]: [{ name: 'work', mountPath: '/shared' }] },
      confidence: ['likely'],
    },
  },
  'a volume of another container, which calls it otherwise': {
    object: pod(
      'shop',
      {
        volumes: [{ name: 'site', emptyDir: {} }],
        initContainers: [
          {
            name: 'fetch',
            image: 'busybox',
            command: ['sh', '-c', 'wget -O /out/index.html http://cms/'],
            volumeMounts: [{ name: 'site', mountPath: '/out' }],
          },
        ],
        containers: [{ name: 'app', image: 'web:1' }],
      },
      [container('fetch', { state: { terminated: { exitCode: 0, reason: 'Completed' } } }), container('app', loops(1))],
    ),
    log: 'stat /srv/site/index.html: no such file or directory\n',
    is: {
      reason: 'CrashLoopBackOff',
      culprit: /index\.html/,
      best: { [`${app}.volumeMounts`]: [{ name: 'site', mountPath: '/srv/site' }] },
      confidence: ['likely'],
    },
  },
  'a volume of another container at a folder of the system': {
    object: pod(
      'shop',
      {
        volumes: [{ name: 'conf', emptyDir: {} }],
        initContainers: [
          {
            name: 'render',
            image: 'busybox',
            command: ['sh', '-c', 'echo x >/etc/app.yaml'],
            volumeMounts: [{ name: 'conf', mountPath: '/etc' }],
          },
        ],
        containers: [{ name: 'app', image: 'web:1' }],
      },
      [container('render', { state: { terminated: { exitCode: 0, reason: 'Completed' } } }), container('app', loops(1))],
    ),
    log: 'Error: open /etc/app.yaml: no such file or directory\n',
    is: {
      reason: 'CrashLoopBackOff',
      culprit: /app\.yaml/,
      best: { [`${app}.volumeMounts`]: [{ name: 'conf', mountPath: '/etc' }] },
      confidence: ['likely'],
    },
  },
  'a volume of another container that says nothing of the file': {
    object: pod(
      'shop',
      {
        volumes: [{ name: 'tmp', emptyDir: {} }],
        containers: [
          { name: 'app', image: 'web:1' },
          { name: 'beside', image: 'fluent-bit:3', volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }] },
        ],
      },
      [container('app', loops(1)), container('beside', serves())],
    ),
    log: 'Error: open /opt/conf/app.yaml: no such file or directory\n',
    is: { reason: 'CrashLoopBackOff', culprit: /app\.yaml/, best: null },
  },
};
