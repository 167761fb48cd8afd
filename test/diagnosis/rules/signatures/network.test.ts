import { suite } from 'uvu';
import { networkSignatures } from '../../../../src/diagnosis/rules/signatures/network.ts';
import { env, guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs say about the network');

const gets = (what: string, namespace = 'shop') => `kubectl get ${what} -n ${namespace}`;
const OF_HOST = [gets('services,endpoints'), gets('pods -o wide')];
const around = (...services: object[]) => ({ surroundings: { services } }) as { surroundings: object };
const DB = { name: 'db', ports: [5432] };
const silent = (log: string, culprit: string, because: string): LogRow => [
  log,
  culprit,
  because,
  {
    advice: 'reach port 53',
    where: 'NetworkPolicies',
    elsewhere: 'The name server does not answer',
    commands: [gets('networkpolicies'), gets('pods -l k8s-app=kube-dns', 'kube-system')],
  },
];
const lookedUp = (how: string): LogRow =>
  silent(
    `dial tcp: lookup db on 10.96.0.10:53: read udp 10.1.2.3:4->10.96.0.10:53: ${how}`,
    `name server 10.96.0.10:53: ${how} (lookup db)`,
    `the name server \`10.96.0.10:53\` does not answer when the program looks up \`db\`: \`${how}\``,
  );
const unknown = (log: string, host: string | null = 'db-main', more: LogRow[3] = {}): LogRow => [
  log,
  host,
  host === null ? 'a host name is not known to the DNS' : `the name \`${host}\` is not known to the cluster's DNS`,
  {
    advice: 'Check the spelling',
    where: host === null ? 'the address that the program uses' : `names \`${host}\``,
    commands: host === null ? [OF_HOST[0]!] : OF_HOST,
    corrections: [],
    ...more,
  },
];
const refused = (log: string, address: string | null = 'db:5432', more: LogRow[3] = {}): LogRow => [
  log,
  address,
  address === null ? 'a server it needs refuses the connection' : `nothing answers at \`${address}\``,
  {
    advice: address === null ? 'the server runs and is ready' : `the server at \`${address}\` runs`,
    where: address === null ? 'the server: its pods' : `\`${address}\`: its pods`,
    commands: address === null ? [OF_HOST[0]!] : OF_HOST,
    corrections: [],
    ...more,
  },
];
const late = (log: string, address = 'db:5432', more: LogRow[3] = {}): LogRow => [
  log,
  address,
  `\`${address}\` does not answer in time`,
  { advice: 'A timeout', where: 'firewalls', commands: [gets('networkpolicies'), ...OF_HOST], corrections: [], ...more },
];
const unreached = (log: string, address = 'db:5432', more: LogRow[3] = {}): LogRow => [
  log,
  address,
  `it cannot connect to \`${address}\``,
  { advice: 'Compare the address', where: `\`${address}\`: its pods`, commands: OF_HOST, corrections: [], ...more },
];
const ALIAS = {
  spec: { hostAliases: [{ ip: '10.9.9.9', hostnames: ['db'] }] },
  parts: around(DB),
  advice: 'Remove `db` from `hostAliases`',
  where: "the pod's `hostAliases`",
  commands: OF_HOST,
  corrections: likely({ 'spec.hostAliases': null }),
};
const ALIASED = ['hostAliases: db at 10.9.9.9', 'a host alias of the pod leads `db` to `10.9.9.9`'] as const;

/** A policy that lets the pods of the namespace out to nothing. */
const QUIET = {
  surroundings: {
    services: [{ ...DB, selector: { app: 'db' } }],
    networkPolicies: [{ name: 'quiet', spec: { podSelector: {}, policyTypes: ['Egress'] } }],
  },
} as { surroundings: object };
const NO_DNS = [
  'NetworkPolicy quiet: port 53 of the name server',
  "the NetworkPolicy `quiet` does not let the pod ask the cluster's DNS (port 53)",
] as const;

const ofServers = networkSignatures.filter(({ id }) => !id.includes('port'));
logRows(test, ofServers, {
  'name-server-silent': [
    ['dial tcp: lookup db on 10.96.0.10:53: i/o timeout', ...NO_DNS, { parts: QUIET }],
    [...lookedUp('connection refused').slice(0, 3), { parts: QUIET }] as unknown as LogRow,
    ...['i/o timeout', 'timed out', 'connection refused', 'network is unreachable', 'no route to host', 'operation not permitted'].map(
      lookedUp,
    ),
    silent(
      ';; connection timed out; no servers could be reached',
      'name server: no servers could be reached',
      'the name server does not answer: `no servers could be reached`',
    ),
  ],
  'name-unknown': [
    unknown('dial tcp: lookup db-main on 10.96.0.10:53: no such host'),
    unknown('Error: getaddrinfo ENOTFOUND db-main'),
    unknown('Error: getaddrinfo EAI_AGAIN db-main'),
    ['Error: getaddrinfo EAI_AGAIN db-main', `${NO_DNS[0]} (lookup db-main)`, NO_DNS[1], { parts: QUIET }],
    ['Temporary failure in name resolution', ...NO_DNS, { parts: QUIET }],
    ['Error: getaddrinfo ENOTFOUND db', `${NO_DNS[0]} (lookup db)`, NO_DNS[1], { parts: QUIET }],
    unknown('Error: getaddrinfo ENOTFOUND db-main', 'db-main', { parts: QUIET }),
    unknown('could not translate host name "db-main" to address: Name or service not known'),
    unknown('psql: could not translate host name "db-main" to address'),
    unknown('Temporary failure in name resolution', null),
    unknown('java.net.UnknownHostException: db-main'),
    unknown('curl: (6) Could not resolve host: db-main'),
    unknown('curl: (5) Could not resolve proxy: db-main'),
    unknown('nodename nor servname provided', null),
    unknown('nginx: [emerg] host not found in upstream "db-main"'),
    unknown('bad: Name does not resolve', null),
    unknown("wget: bad address 'db-main:80'"),
    unknown('ping: unknown host db-main'),
    unknown('gaierror: getaddrinfo failed', null),
    unknown("ssh: can't resolve host db-main"),
    unknown("** server can't find db-main: NXDOMAIN"),
    unknown("ERROR 2005 (HY000): Unknown MySQL server host 'db-main' (-2)"),
    unknown('No address associated with hostname', null),
    unknown('cannot resolve db-main'),
    unknown('could not resolve address of db-main'),
    unknown("Couldn't resolve host name db-main"),
    unknown('Error connecting to Redis on db-main:6379 (SocketError)'),
    unknown('dial tcp: lookup db-main: no such host', 'db-main', {
      container: env({ DB_HOST: 'db-main' }),
      parts: around({ name: 'db-mian', ports: [5432] }),
      corrections: likely({ 'env[0].value': 'db-mian' }),
    }),
    [
      'getaddrinfo ENOTFOUND http://db',
      'DB_HOST=http://db',
      'it looks up `http://db` as the name of a host',
      {
        container: env({ DB_HOST: 'http://db' }),
        advice: 'Write the name of the server into the setting of its host',
        where: 'with the address',
        corrections: likely({ 'env[0].value': 'db' }),
      },
    ],
    [
      'getaddrinfo ENOTFOUND 5432',
      'DB_HOST=5432, DB_PORT=db',
      'host and port are swapped',
      {
        container: env({ DB_HOST: '5432', DB_PORT: 'db' }),
        advice: 'and nothing else',
        corrections: likely({ 'env[0].value': 'db', 'env[1].value': '5432' }),
      },
    ],
    [
      'getaddrinfo ENOTFOUND db',
      'db: dnsPolicy ClusterFirst',
      "is not known to the DNS that this pod asks, which is not the cluster's",
      {
        spec: { hostNetwork: true },
        parts: around(DB),
        advice: 'The Service `db` exists. If it is of type `ExternalName`',
        corrections: likely({ 'spec.dnsPolicy': 'ClusterFirstWithHostNet' }),
      },
    ],
    [
      'getaddrinfo ENOTFOUND db',
      'Service db: no pods have app=db',
      'the Service `db` selects no pods',
      { parts: around({ ...DB, selector: { app: 'db' }, selected: { pods: 0, ready: 0 } }), advice: 'Correct the selector' },
    ],
    unknown('lookup istiod.mesh.svc: no such host', 'istiod.mesh.svc', {
      advice: 'There is no Service `istiod` in the namespace `mesh`',
      commands: [gets('services,endpoints,pods', 'mesh')],
    }),
    unknown('lookup istiod.mesh.svc.cluster.local.: no such host', 'istiod.mesh.svc.cluster.local', {
      advice: 'in the namespace `mesh`',
      commands: [gets('services,endpoints,pods', 'mesh')],
    }),
    unknown('lookup db.shop.svc: no such host', 'db.shop.svc'),
    unknown('[emerg] host not found in upstream "apii" in /etc/nginx/conf.d/default.conf:3', 'apii', {
      container: { volumeMounts: [{ name: 'conf', mountPath: '/etc/nginx/conf.d/' }] },
      spec: { volumes: [{ name: 'conf', configMap: { name: 'web-conf' } }] },
      parts: around({ name: 'api', ports: [80] }),
      advice:
        'Write `api`, which is a Service, in place of `apii` in the key `default.conf` of ConfigMap `web-conf` (`/etc/nginx/conf.d/default.conf`).',
    }),
    unknown('[emerg] host not found in upstream "other" in /etc/app.conf:3', 'other', {
      container: { volumeMounts: [{ name: 'conf', mountPath: '/etc/app.conf', subPath: 'nginx.conf' }] },
      spec: { volumes: [{ name: 'conf', configMap: { name: 'web-conf' } }] },
      parts: around({ name: 'api', ports: [80] }),
      advice: 'Correct the name in the key `nginx.conf` of ConfigMap `web-conf` (`/etc/app.conf`), or create a Service of this name.',
    }),
    unknown('[emerg] host not found in upstream "other" in /etc/app/nginx.conf:3', 'other', {
      container: { volumeMounts: [{ name: 'conf', mountPath: '/etc/app' }] },
      spec: { volumes: [{ name: 'conf', secret: { secretName: 'web-conf' } }] },
    }),
    unknown('lookup web-0.peers: no such host', 'web-0.peers', {
      owner: { kind: 'StatefulSet', metadata: { name: 'web' }, spec: { serviceName: 'web' } },
      parts: around(DB),
      advice: 'There is no Service `web`, which the StatefulSet names in `serviceName`',
    }),
  ],
  'connection-refused': [
    refused('dial tcp db:5432: connect: connection refused'),
    refused('Connection was refused by db:5432'),
    refused('db:5432: Connection attempt refused'),
    refused('Error: connect ECONNREFUSED db:5432'),
    refused('ConnectionRefusedError: db:5432'),
    refused('java.net.ConnectException: db:5432'),
    refused('No connection could be made because the target machine actively refused it. (db:5432)'),
    refused('connection to db:5432 was refused'),
    refused('db:5432 refused the connection'),
    refused('could not connect to server: is db:5432 up?'),
    refused("ERROR 2003 (HY000): Can't connect to MySQL server on 'db:5432' (111)"),
    refused("2002: Can't connect to MySQL server on 'db:5432' (61)"),
    refused('Connect Exception: connection refused', null),
    refused('could not connect to host (10.0.0.5): Connection refused', '10.0.0.5'),
    refused('connect: connection refused (10.0.0.5)', 'db:5432', {
      container: env({ DB_HOST: 'db', DB_PORT: '5432' }),
      parts: around(DB),
    }),
    refused('connect ECONNREFUSED cache:6379', 'cache:6379', { container: env({ DB_HOST: 'db' }), parts: around(DB) }),
    refused('Connection refused', 'db:5432', { container: env({ DB: 'pg://db:5432/x' }), parts: around(DB) }),
    refused('dial tcp 10.0.0.5:5433: connect: connection refused', 'db:5433', {
      container: env({ DB: 'pg://db:5433/x' }),
      parts: around(DB),
      corrections: likely({ 'env[0].value': 'pg://db:5432/x' }),
    }),
    refused('dial tcp 10.0.0.5:9999: connect: connection refused', '10.0.0.5:9999', {
      container: env({ DB: 'pg://db:5432/x' }),
      parts: around(DB),
    }),
    refused('dial tcp 127.0.0.1:5432: connect: connection refused', '127.0.0.1:5432', {
      advice: 'is the pod itself, and nothing in it listens there. Name the Service of the server instead.',
      container: env({ DB: 'pg://127.0.0.1:5432/x', OTHER: 'db' }),
      parts: around(DB),
      corrections: likely({ 'env[0].value': 'pg://db:5432/x' }),
    }),
    refused('dial tcp 127.0.0.1:9000: connect: connection refused', '127.0.0.1:9000', {
      advice: 'is the pod itself, and nothing in it listens there. Name the Service of the server instead.',
      container: env({ UPSTREAM: '127.0.0.1:9000' }),
      spec: {
        containers: [
          { name: 'app', ...env({ UPSTREAM: '127.0.0.1:9000' }) },
          { name: 'php', args: ['--port=9001'] },
        ],
      },
      corrections: likely({ 'env[0].value': '127.0.0.1:9001' }),
    }),
    refused('connect ECONNREFUSED db:5432', 'db:5432', {
      spec: { dnsPolicy: 'Default' },
      parts: around(DB),
      corrections: likely({ 'spec.dnsPolicy': 'ClusterFirst' }),
    }),
    ['dial tcp 10.9.9.9:5432: connect: connection refused', ...ALIASED, ALIAS],
    [
      'connect ECONNREFUSED db:5432',
      'db:5432',
      'nothing answers at `db:5432`: no pod of the Service `db` is ready',
      { parts: around({ ...DB, selector: { app: 'db' }, selected: { pods: 1, ready: 0 } }), advice: 'Find out why' },
    ],
  ],
  'connection-timeout': [
    late('dial tcp db:5432: i/o timeout'),
    late('Error: connect ETIMEDOUT db:5432'),
    late('connect to db:5432: Connection timed out'),
    late('dial tcp db:5432: connect: no route to host'),
    late('Error: connect EHOSTUNREACH db:5432'),
    late('dial tcp db:5432: network is unreachable'),
    late('ConnectTimeoutError: db:5432'),
    late('connection to server at "db", port 5432 failed: timeout expired'),
    late('connecting to db:5432 timed out'),
    late('failed to connect to db:5432: context deadline exceeded'),
    late('connect db:5432: timeout of 3 s, timed out'),
    late('i/o timeout of host db', 'db'),
    [
      'Connection timed out',
      'Connection timed out',
      'a server it needs does not answer in time',
      { commands: [gets('networkpolicies'), OF_HOST[0]!] },
    ],
    late('dial tcp 10.0.0.5:5433: i/o timeout', 'db:5433', {
      container: env({ DB: 'pg://db:5433/x' }),
      parts: around(DB),
      corrections: likely({ 'env[0].value': 'pg://db:5432/x' }),
    }),
    late('dial tcp db:5432: i/o timeout', 'db:5432', {
      spec: { dnsPolicy: 'None' },
      parts: around(DB),
      corrections: likely({ 'spec.dnsPolicy': 'ClusterFirst' }),
    }),
    ['dial tcp 10.9.9.9:5432: i/o timeout', ...ALIASED, ALIAS],
    [
      'dial tcp db:5432: i/o timeout',
      'Service db: no pods have app=db',
      '`db:5432` does not answer in time: the Service `db` selects no pods',
      { parts: around({ ...DB, selector: { app: 'db' }, selected: { pods: 0, ready: 0 } }) },
    ],
    [
      'dial tcp db:5432: i/o timeout',
      'NetworkPolicy quiet: db:5432',
      '`db:5432` does not answer in time: the NetworkPolicy `quiet` does not let this pod out to it',
      { parts: QUIET },
    ],
  ],
  'no-connection': [
    unreached('could not connect to db:5432'),
    unreached("couldn't reach db:5432"),
    unreached('cannot establish a connection to db:5432'),
    unreached('cannot open connection with db:5432'),
    unreached("can't connect to db:5432"),
    unreached('can not connect to db:5432'),
    unreached('unable to reach "db":"5432"'),
    unreached('failed to connect to db:5432'),
    unreached('Error connecting to db:5432'),
    unreached('Timed out waiting for db:5432'),
    unreached('timeout waiting for db:5432'),
    unreached('Time-out after 30 s waiting for db:5432'),
    unreached('gave up waiting for db:5432'),
    unreached('Giving up after 3 tries waiting for db:5432'),
    [
      'ActiveRecord: no servers available for connection',
      'ActiveRecord: no servers available for connection',
      'it cannot connect to a server: `ActiveRecord',
      { where: 'the server: its pods', commands: [OF_HOST[0]!] },
    ],
    [
      'no servers available for connection',
      'no servers available for connection',
      'it cannot connect to a server',
      { spec: { initContainers: [{ name: 'app' }], containers: [{ name: 'proxy' }, { name: 'web' }] }, corrections: [] },
    ],
    unreached('could not connect to db:5433', 'db:5433', {
      container: env({ DB: 'pg://db:5433/x' }),
      parts: around(DB),
      corrections: likely({ 'env[0].value': 'pg://db:5432/x' }),
    }),
    unreached('could not connect to localhost:6379', 'localhost:6379', {
      spec: {
        initContainers: [{ name: 'app', image: 'i' }],
        containers: [
          { name: 'redis', ports: [{ containerPort: 6379 }] },
          { name: 'web', image: 'w' },
        ],
      },
      corrections: guess({
        'spec.containers': [{ name: 'web', image: 'w' }],
        'spec.initContainers': [
          { name: 'redis', ports: [{ containerPort: 6379 }], restartPolicy: 'Always' },
          { name: 'app', image: 'i' },
        ],
      }),
    }),
    unreached('could not connect to localhost:6379', 'localhost:6379', {
      spec: {
        initContainers: [{ name: 'app' }],
        containers: [{ name: 'redis', args: ['--port', '6379'] }, { name: 'web' }],
      },
      corrections: guess({
        'spec.containers': [{ name: 'web' }],
        'spec.initContainers': [{ name: 'redis', args: ['--port', '6379'], restartPolicy: 'Always' }, { name: 'app' }],
      }),
    }),
    unreached('could not connect to localhost:6379', 'localhost:6379', {
      spec: {
        initContainers: [{ name: 'app' }],
        containers: [{ name: 'a', args: ['16379', '63790'] }, { name: 'web' }],
      },
    }),
  ],
});
otherLogs(test, {
  'name-unknown': [
    'could not resolve placeholder in x',
    'cannot resolve symbol Foo',
    'cannot resolve module x',
    'could not resolve dependencies of it',
    'cannot resolve all dependencies',
    'could not resolve the config',
    'cannot resolve reference to bean',
  ],
  'connection-refused': ["can't connect to db:5432 (2)"],
  'no-connection': ['could not connect to db:5432:x of the code', 'failed to connect to main.ts'],
});

test.run();
