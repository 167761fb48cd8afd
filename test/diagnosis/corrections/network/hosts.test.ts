import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../../src/crd/kubernetes.ts';
import type { ServiceAround } from '../../../../src/diagnosis/case.ts';
import type { Correction } from '../../../../src/diagnosis/corrections/correction.ts';
import { lowPortGiven } from '../../../../src/diagnosis/corrections/network/low-port.ts';
import {
  askedServers,
  clusterDns,
  namedService,
  otherHost,
  otherServicePort,
  serviceOfPort,
  waitedServices,
  withoutAlias,
} from '../../../../src/diagnosis/corrections/network/other-server.ts';
import { ownService, peerAdvice, peerCorrections } from '../../../../src/diagnosis/corrections/network/peer-host.ts';
import { redisUrl } from '../../../../src/diagnosis/corrections/network/redis-url.ts';
import { ownAddressGiven, unknownHost } from '../../../../src/diagnosis/corrections/network/unnamed-host.ts';
import type { RuleInput } from '../../../../src/diagnosis/facts/input.ts';
import { anInput, type CaseParts } from '../../../support/builders/cases.ts';
import { correctionRows, env, guess, likely, NO_MIRROR } from '../../../support/builders/corrections.ts';
import { INTERNET_ENDINGS } from '../../../support/builders/internet-endings.ts';

const test = suite('hosts that a program calls');
const rows = correctionRows(test);

const texts = (all: Correction[] | undefined) => [all?.[0]?.title, all?.[0]?.explanation, all?.[0]?.changes[0]?.why];
const services = (...all: (string | ServiceAround)[]): CaseParts => ({
  surroundings: { services: all.map((one) => (typeof one === 'string' ? { name: one } : one)) },
});
const service = (name: string, ...ports: number[]): ServiceAround => ({ name, ports });

const dns = (spec: object, host = 'db.shop') => clusterDns(anInput({}, spec, services('db')), host);
const POLICY = 'spec.dnsPolicy';
rows('the DNS of the cluster', {
  'for a pod that asks the node': [dns({ dnsPolicy: 'Default' }), likely({ [POLICY]: 'ClusterFirst' }, NO_MIRROR)],
  'for a pod with its own servers': [dns({ dnsPolicy: 'None' }), likely({ [POLICY]: 'ClusterFirst' }, NO_MIRROR)],
  'for a pod on the network of the node': [dns({ hostNetwork: true }), likely({ [POLICY]: 'ClusterFirstWithHostNet' }, NO_MIRROR)],
  'for such a pod that asks the node': [
    dns({ hostNetwork: true, dnsPolicy: 'Default' }),
    likely({ [POLICY]: 'ClusterFirstWithHostNet' }, NO_MIRROR),
  ],
  'is asked already': [dns({}), []],
  'is asked already, on the network of the node': [dns({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' }), []],
  'does not know the host': [dns({ dnsPolicy: 'Default' }, 'dbx'), []],
});
test('the DNS of the cluster, in words', () => {
  assert.equal(texts(dns({ dnsPolicy: 'Default' })), [
    "Let the pod ask the cluster's DNS",
    "There is a Service `db`, and only the cluster's DNS knows it.",
    '`Default` asks the DNS of the node',
  ]);
  assert.equal(texts(dns({ dnsPolicy: 'None' }))[2], '`None` asks only the servers of `dnsConfig`');
  assert.equal(texts(dns({ hostNetwork: true }))[2], 'on the network of the node `ClusterFirst` means the DNS of the node');
});

const other = (host: string, container: object, of: CaseParts, line = '') => otherHost(anInput(container, {}, of), host, line);
const url = (host: string) => env({ A: 'x', URL: `http://${host}:80/x` });
rows('another host', {
  'with a near name': [other('ordrs', url('ordrs'), services('orders')), likely({ 'env[1].value': 'http://orders:80/x' })],
  'with a near name behind that of a pod': [
    other('db-0.postgrs', url('db-0.postgrs'), services('postgres')),
    likely({ 'env[1].value': 'http://db-0.postgres:80/x' }),
  ],
  'that is called like a pod, but is a Service': [
    other('web-1.prod', url('web-1.prod'), services('web-1')),
    likely({ 'env[1].value': 'http://web-1:80/x' }),
  ],
  'in this namespace': [other('orders.prod', url('orders.prod'), services('orders')), likely({ 'env[1].value': 'http://orders:80/x' })],
  'in this namespace, for a pod of a set': [
    other('db-0.pg.prod', url('db-0.pg.prod'), services('pg')),
    likely({ 'env[1].value': 'http://db-0.pg:80/x' }),
  ],
  'with a wrong end': [
    other('orders.shop.svc.cluster.loc', url('orders.shop.svc.cluster.loc'), services('orders')),
    likely({ 'env[1].value': 'http://orders:80/x' }),
  ],
  'with its whole name': [other('orders.shop.svc.cluster.local', url('orders.shop.svc.cluster.local'), services('orders')), []],
  'with the dot at its end': [other('orders.shop.svc.cluster.local.', url('orders.shop.svc.cluster.local.'), services('orders')), []],
  'in its namespace already': [other('orders.shop', url('orders.shop'), services('orders')), []],
  'with its short name already': [other('orders', url('orders'), services('orders')), []],
  'for an address': [other('10.0.0.1', url('10.0.0.1'), services('orders')), []],
  'that the container does not name': [other('ordrs', {}, services('orders')), []],
  'with no near name': [other('zzz', url('zzz'), services('orders')), []],
});
for (const end of [...INTERNET_ENDINGS, 'COM'])
  test(`a host of .${end} is none of the cluster`, () => {
    assert.equal(other(`orders.${end}`, url(`orders.${end}`), services('orders')), []);
    assert.equal(otherServicePort(anInput(url(`orders.${end}`), {}, services(service('orders', 8080))), `orders.${end}`, '80'), []);
  });
test('another host of several near names', () =>
  assert.equal(
    other('order', url('order'), services('zzz', 'order-x', 'orders', 'order-y')).map(({ title, confidence }) => [title, confidence]),
    [
      ['Use Service `orders`', 'likely'],
      ['Use Service `order-x`', 'likely'],
    ],
    'two at most, the nearest first',
  ));
test('another host, in words', () => {
  assert.equal(texts(other('ordrs', url('ordrs'), services('orders'))), [
    'Use Service `orders`',
    '`ordrs` looks like a typo of `orders`.',
    'there is a Service `orders` and none named `ordrs`',
  ]);
  assert.equal(texts(other('orders.prod', url('orders.prod'), services('orders'))), [
    'Use `orders`',
    'Service `orders` is in this namespace, and not in `prod`.',
    'Service `orders` is in this namespace',
  ]);
  assert.is(
    texts(other('orders.shop.x', url('orders.shop.x'), services('orders')))[1],
    'Service `orders` is in this namespace; its whole name ends with `.svc.cluster.local`.',
  );
});

const twice = (...values: string[]) => ({ env: values.map((value, index) => ({ name: index < 2 ? 'HOST' : 'X', value })) });
rows('a variable that stands twice', {
  'with a Service first': [other('zzz', twice('orders.shop', 'zzz'), services('orders')), likely({ 'env[1].value': 'orders.shop' })],
  'with no Service first': [other('zzz', twice('yyy', 'zzz'), services('orders')), []],
  'with the same value': [other('zzz', twice('zzz', 'zzz'), services('orders')), []],
  'in the other order': [other('zzz', twice('zzz', 'orders'), services('orders')), []],
});
test('a variable that stands twice, in words', () =>
  assert.equal(texts(other('zzz', twice('orders', 'zzz'), services('orders'))), [
    'Set `HOST` to `orders` in both places',
    '`HOST` is set twice. The first value is a Service, the second one is none.',
    '`HOST` stands twice in the list, and the last one counts',
  ]));

const beside = (args: string, own: string, ...all: ServiceAround[]) =>
  otherHost(
    anInput(
      {},
      {
        containers: [
          { name: 'app', image: 'a', args: [own] },
          { name: 'side', image: 'b', args: [args] },
        ],
      },
      services(...all),
    ),
    'zzz',
  );
const CALLS = { 'args[0]': 'x http://orders:80' };
rows('a Service that the other containers call', {
  'on the same port': [beside('http://orders:80', 'x http://zzz:80', service('orders', 80)), likely(CALLS)],
  'on another port': [beside('http://orders:81', 'x http://zzz:80', service('orders', 81)), []],
  'without a port': [beside('--host orders', 'x --to=zzz', service('orders', 81)), guess({ 'args[0]': 'x --to=orders' })],
  'that is one of two': [beside('http://orders:80 http://pay:80', 'x http://zzz:80', service('orders', 80), service('pay', 80)), []],
  'that they only seem to call': [beside('http://orders-x:80', 'x http://zzz:80', service('orders', 80)), []],
});
test('a Service that the other containers call, in words', () =>
  assert.equal(texts(beside('http://orders:80', 'x http://zzz:80', service('orders', 80))), [
    'Use Service `orders`',
    'There is no Service `zzz`, and the other containers of the pod call `orders`.',
    'the other containers of the pod call Service `orders`',
  ]));
test('an init container calls Services too', () => {
  const input = anInput(
    url('zzz'),
    { initContainers: [{ name: 'i', image: 'a', args: ['wget orders:80'] }] },
    services(service('orders', 80)),
  );
  assert.equal(
    otherHost(input, 'zzz').map(({ title }) => title),
    ['Use Service `orders`'],
  );
});

for (const [word, port] of [
  ...['mysql', 'maria', 'percona'].map((one) => [one, 3306] as const),
  ...['postgres', 'psql', 'my-pg'].map((one) => [one, 5432] as const),
  ...['redis', 'valkey'].map((one) => [one, 6379] as const),
  ['mongo', 27017],
  ...['rabbit', 'amqp'].map((one) => [one, 5672] as const),
  ['kafka', 9092],
  ...['elastic', 'opensearch'].map((one) => [one, 9200] as const),
  ['memcache', 11211],
  ['my-nats', 4222],
  ...['cassandra', 'scylla'].map((one) => [one, 9042] as const),
  ...['mssql', 'sqlserver'].map((one) => [one, 1433] as const),
  ['oracle', 1521],
  ['zookeeper', 2181],
  ['etcd', 2379],
] as const)
  test(`a server that is called ${word} has port ${port}`, () =>
    assert.equal(
      other(word, env({ H: word }), services(service('qqqqqqqqqqqq', port), service('wwwwwwwwwwwww', port + 1))).map(
        ({ changes }) => changes[0]?.to,
      ),
      ['qqqqqqqqqqqq'],
    ));
const FAR = service('qqqqqqqqqqqq', 5432);
rows('a Service with the port that is called', {
  'as the setting says': [other('zzz', env({ H: 'zzz:5432' }), services(FAR)), guess({ 'env[0].value': 'qqqqqqqqqqqq:5432' })],
  'as the setting beside says': [
    other('zzz', env({ DB_HOST: 'zzz', DB_PORT: '5432' }), services(FAR)),
    guess({ 'env[0].value': 'qqqqqqqqqqqq' }),
  ],
  'as the setting beside says, which a number is not': [
    other('zzz', env({ DB_HOST: 'zzz', DB_POOL: '10', DB_PORT: '5432' }), services(FAR)),
    guess({ 'env[0].value': 'qqqqqqqqqqqq' }),
  ],
  'as the client in the line says': [
    other('zzz', env({ H: 'zzz' }), services(FAR), 'psycopg: bad'),
    guess({ 'env[0].value': 'qqqqqqqqqqqq' }),
  ],
  'as PHP says': [
    other('zzz', env({ H: 'zzz' }), services(service('qqqqqqqqqqqq', 3306)), 'PDO failed'),
    guess({ 'env[0].value': 'qqqqqqqqqqqq' }),
  ],
  'as nobody says': [other('zzz', env({ H: 'zzz' }), services(FAR)), []],
  'as two have it': [other('zzz', env({ H: 'zzz:5432' }), services(FAR, service('wwwwwwwwwww', 5432))), []],
  'of the pod itself': [other('zzz', env({ H: 'zzz:5432' }), { labels: { a: 'b' }, ...services({ ...FAR, selector: { a: 'b' } }) }), []],
  'in another namespace': [other('zzz.prod', env({ H: 'zzz.prod:5432' }), services(FAR)), []],
  'in its own namespace': [
    other('zzz.shop', env({ H: 'zzz.shop:5432' }), services(FAR)),
    guess({ 'env[0].value': 'qqqqqqqqqqqq.shop:5432' }),
  ],
});
for (const port of [80, 443, 3000, 5000, 8000, 8080, 8443])
  test(`port ${port} may be anybody's`, () =>
    assert.equal(other('zzz', env({ H: `zzz:${port}` }), services(service('qqqqqqqqqqqq', port))), []));
test('a Service with the port that is called, in words', () =>
  assert.equal(texts(other('zzz', env({ H: 'zzz:5432' }), services(FAR))), [
    'Use Service `qqqqqqqqqqqq`',
    'No Service is named `zzz`, and `qqqqqqqqqqqq` is the only one of the namespace with port 5432.',
    'Service `qqqqqqqqqqqq` has port 5432',
  ]));

const port = (host: string, wrong: string | undefined, container: object, ...all: ServiceAround[]) =>
  otherServicePort(anInput(container, {}, services(...all)), host, wrong);
rows('another port of a Service', {
  'beside the host': [port('db', '80', env({ U: 'x://db:80' }), service('db', 90)), likely({ 'env[0].value': 'x://db:90' })],
  'behind the host': [port('db', '80', { args: ['nc db 80'] }, service('db', 90)), likely({ 'args[0]': 'nc db 90' })],
  'in a variable of its own': [
    port('db', '80', env({ DB_HOST: 'db', DB_PORT: '80' }), service('db', 90)),
    likely({ 'env[1].value': '90' }),
  ],
  'in one of two variables': [
    port('db', '80', env({ WEB_PORT: '80', DB_HOST: 'db', DB_PORT: '80' }), service('db', 90)),
    likely({ 'env[2].value': '90' }),
  ],
  'in two variables': [port('db', '80', env({ A_PORT: '80', B_PORT: '80' }), service('db', 90)), []],
  'beside another port': [port('db', '80', env({ WEB_PORT: '81', DB_PORT: '80' }), service('db', 90)), likely({ 'env[1].value': '90' })],
  'in no variable for ports': [port('db', '80', env({ A: '80' }), service('db', 90)), []],
  'of several, the usual one': [
    port('redis', '80', env({ U: 'redis:80' }), service('redis', 9121, 6379)),
    likely({ 'env[0].value': 'redis:6379' }),
  ],
  'of several, of which none is usual': [port('db', '80', env({ U: 'db:80' }), service('db', 1, 2)), []],
  'that it has': [port('db', '90', env({ U: 'db:90' }), service('db', 90)), []],
  'that nobody calls': [port('db', undefined, env({ U: 'db' }), service('db', 90)), []],
  'of a Service without ports': [port('db', '80', env({ U: 'db:80' }), { name: 'db' }), []],
  'of a Service in its namespace': [
    port('db.shop', '80', env({ U: 'db.shop:80' }), service('db', 90)),
    likely({ 'env[0].value': 'db.shop:90' }),
  ],
  'of no Service, but a near one': [
    port('ordrs', '80', url('ordrs'), service('orders', 80)),
    likely({ 'env[1].value': 'http://orders:80/x' }),
  ],
});
test('another port of a Service, in words', () => {
  const why = (...ports: number[]) => texts(port('redis', '80', env({ U: 'redis:80' }), service('redis', ...ports)));
  assert.equal(why(90), ['Use port `90`', 'Service `redis` has port `90` only.', 'Service `redis` has port `90` only']);
  assert.equal(why(1, 6379, 2, 3, 4)[1], 'Service `redis` has port `6379` and `1`, `2`, `3`.');
});

const around = (all: Record<string, string>, ...known: string[]) => anInput(env(all), {}, services(...known));
test('the Service that a container names', () => {
  assert.equal(namedService(around({ U: 'x://db:5432/a' }, 'db', 'web')), { host: 'db', port: '5432' });
  assert.equal(namedService(around({ U: 'x://u@db.shop:5432' }, 'db')), { host: 'db', port: '5432' });
  assert.equal(namedService(around({ U: 'wait db 5432' }, 'db')), { host: 'db', port: '5432' });
  assert.equal(namedService(around({ DB_HOST: 'db', DB_PORT: '5432' }, 'db')), { host: 'db', port: '5432' });
  assert.equal(namedService(around({ DB_HOST: 'db.shop', DB_PORT: '5432', DB_X_PORT: '1111' }, 'db')), { host: 'db', port: undefined });
  assert.equal(
    [namedService(around({ U: 'db web' }, 'db', 'web')), namedService(around({ U: 'mydb db-1' }, 'db'))],
    [undefined, undefined],
  );
});
test('the Service beside a port', () => {
  const of = (all: Record<string, string>, wrong: string | undefined = '80') => serviceOfPort(around(all, 'db', 'web'), wrong);
  assert.equal(of({ DB_HOST: 'db.shop', DB_PORT: '80' }), { host: 'db.shop', port: '80' });
  for (const all of [
    { DB_HOST: 'db', DB_PORT: '81' },
    { DB_HOST: 'db', DB_PORT: '80', X_PORT: '80' },
    { DB_HOST: 'db', DB_OTHER: 'web', DB_PORT: '80' },
    { DB_HOST: 'zzz', DB_PORT: '80' },
    { X_HOST: 'db', DB_PORT: '80' },
    { DB_HOST: 'db', DBPORT: '80' },
  ] as Record<string, string>[])
    assert.is(of(all), undefined, JSON.stringify(all));
  assert.is(serviceOfPort(around({ DB_HOST: 'db', DB_PORT: '80' }, 'db'), undefined), undefined);
});

const ALIASES = [
  { ip: '10.0.0.1', hostnames: ['x'] },
  { ip: '10.0.0.2', hostnames: ['y', 'db'] },
];
const alias = (asked: string, hostAliases: object[] = ALIASES, of: CaseParts = services('db')) =>
  withoutAlias(anInput({}, { hostAliases }, of), asked);
rows('a host alias that hides a Service', {
  'by its address': [alias('10.0.0.2:80'), likely({ 'spec.hostAliases[1]': null })],
  'by its name': [alias('db'), likely({ 'spec.hostAliases[1]': null })],
  'by another name of its address': [alias('y'), []],
  'that is the only one': [alias('db', [{ ip: '1', hostnames: ['db'] }]), likely({ 'spec.hostAliases': null })],
  'of no Service': [alias('10.0.0.1'), []],
  'that nobody asks': [alias('10.0.0.3'), []],
  'behind that of another Service': [
    alias('db', [{ ip: '1', hostnames: ['web'] }, ...ALIASES], services('web', 'db')),
    likely({ 'spec.hostAliases[2]': null }),
  ],
});
test('a host alias that hides a Service, in words', () => {
  const found = alias('db:80');
  assert.equal([found?.host, found?.ip], ['db', '10.0.0.2']);
  assert.equal(texts(found?.corrections), [
    'Remove the host alias of `db`',
    '`hostAliases` leads `db` to `10.0.0.2`.',
    'there is a Service `db`, which the alias hides',
  ]);
});

const asks = (command: string, ...all: ServiceAround[]): RuleInput => anInput({ args: [command] }, {}, services(...all));
test('the servers that a command asks', () => {
  assert.equal(askedServers(asks('curl http://web.shop:80/x; nc db 5432; nslookup mq')), [
    { host: 'db', port: '5432' },
    { host: 'web.shop', port: '80' },
    { host: 'mq', port: undefined },
  ]);
  for (const command of ['nslookup', 'dig', 'getent hosts', 'host', 'pg_isready -h', 'redis-cli -h', 'ping', 'ping -c 1', 'ping -c1'])
    assert.equal(askedServers(asks(`until ${command} mq.shop; do`)), [{ host: 'mq.shop', port: undefined }], command);
  assert.equal(askedServers(asks('$db 5432 x.db:1 a/db:80')), []);
});
rows('the Services for which a command waits', {
  'with a slip, and with another port': [
    waitedServices(asks('nc -z ordrs 80; nc -z db 1111', service('orders', 80), service('db', 5432))).slice(0, 2),
    [...likely({ 'args[0]': 'nc -z orders 80; nc -z db 1111' }), ...likely({ 'args[0]': 'nc -z ordrs 80; nc -z db 5432' })],
  ],
  'once each': [waitedServices(asks('nc db 1111; nc db 2222', service('db', 5432))), likely({ 'args[0]': 'nc db 5432; nc db 2222' })],
});

test('a command waits for a few Services', () => {
  const names = 'abcdefghijkl'.split('').map((letter) => `svc-${letter}`);
  const found = waitedServices(asks(names.map((name) => `nc ${name} 1111`).join('; '), ...names.map((name) => service(name, 22))));
  assert.is(found.length, 9);
});

const set = (replicas: object = {}, serviceName: string | undefined = 'pg') =>
  ({
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: { ...(serviceName === undefined ? {} : { serviceName }), ...replicas },
  }) as unknown as KubeObject;
const member = (
  host: string,
  container: object = env({ P: `${host}:1` }),
  known: string[] = ['pg', 'web'],
  owner: KubeObject | undefined = set(),
  more: CaseParts = {},
) => {
  const input = anInput(container, {}, { ...services(...known), ...more });
  return { ...input, subject: { ...input.subject, ...(owner ? { owner } : {}) } };
};
const peers = (...args: Parameters<typeof member>) => peerCorrections(member(...args), args[0]);
rows('a member of the set', {
  'below another Service': [peers('db-0.web'), likely({ 'env[0].value': 'db-0.pg:1' }, NO_MIRROR)],
  'below a template of names': [
    peers('db-0.web', { args: ['http://db-{0...3}.web:1', '$(POD).web', 'web:80'] }),
    likely({ 'args[0]': 'http://db-{0...3}.pg:1', 'args[1]': '$(POD).pg' }, NO_MIRROR),
  ],
  'below a Service that stands alone': [peers('db-0.web', { args: ['--service=web'] }), likely({ 'args[0]': '--service=pg' }, NO_MIRROR)],
  'below a Service that nobody names': [peers('db-0.web', {}), []],
  'whose Service is not there': [peers('db-0.web', undefined, ['web']), []],
  'below its Service': [peers('db-0.pg'), []],
  'of another set': [peers('dbx-0.web'), []],
  'of no number': [peers('db-x.web'), []],
  'of no Service': [peers('db-0'), []],
});
test('a member of the set, in words', () => {
  assert.equal(texts(peers('db-0.web')), [
    'Use Service `pg`',
    '`web` is not the `serviceName` of the StatefulSet.',
    'the pods of the StatefulSet have their names in Service `pg`',
  ]);
  assert.is(peers('db-0.pg'), undefined, 'the right Service');
  assert.is(peers('db-12345.web'), undefined);
  assert.equal(peers('db-0.web', undefined, ['web']), [], 'nothing helps without the Service');
  assert.is(peers('db-0.web', undefined, undefined, set({}, '')), undefined);
});
test('why a member has no address', () => {
  const of = (...args: Parameters<typeof member>) => peerAdvice(member(...args), args[0]);
  assert.match(of('db-0.web', undefined, ['web']) ?? '', /^There is no Service `pg`, which the StatefulSet names in `serviceName`/);
  assert.match(of('db-0.pg') ?? '', /known only while they are ready.*`publishNotReadyAddresses: true`/);
  assert.is(of('db-0.web'), 'The pods of the StatefulSet have their names in the Service `pg` (`serviceName`).');
  assert.equal([of('web'), of('db-0.pg', undefined, undefined, { ...set(), kind: 'Deployment' } as KubeObject)], [undefined, undefined]);
  const byName = anInput({}, { subdomain: 'sub' }, { ...services('web', 'sub'), workload: { kind: 'StatefulSet', name: 'db' } });
  assert.is(peerAdvice(byName, 'db-0.web'), 'The pods of the StatefulSet have their names in the Service `sub` (`serviceName`).');
  assert.is(
    peerAdvice(anInput({}, { subdomain: 'sub' }, { workload: { kind: 'StatefulSet', name: 'db' } }), 'db-0.web'),
    undefined,
    'of unknown Services',
  );
});

const OWN = { labels: { app: 'web' }, ...services({ name: 'web', selector: { app: 'web' } }, { name: 'x', selector: { app: 'x' } }) };
const own = (container: object, of: CaseParts = OWN) => ownService(anInput(container, {}, of), 'zzz');
rows('the Service of the pod itself', {
  'for its copies': [own(env({ A: 'x', CLUSTER_SEEDS: 'zzz:1' })), guess({ 'env[1].value': 'web:1' }, NO_MIRROR)],
  'for its copies, in an option': [own({ args: ['x', '--join=zzz'] }), guess({ 'args[1]': '--join=web' }, NO_MIRROR)],
  'for another setting': [own(env({ API_HOST: 'zzz' })), []],
  'for one setting of two': [own(env({ PEERS: 'zzz', API_HOST: 'zzz' })), []],
  'of two': [
    own(env({ PEERS: 'zzz' }), {
      labels: { app: 'x' },
      ...services({ name: 'a', selector: { app: 'x' } }, { name: 'b', selector: { app: 'x' } }),
    }),
    [],
  ],
  'of none': [own(env({ PEERS: 'zzz' }), services('web')), []],
  'that nobody names': [own(env({ PEERS: 'yyy' })), []],
});
for (const name of [
  'PEERS',
  'CLUSTER',
  'DISCOVERY',
  'SEED',
  'JOIN',
  'HEADLESS',
  'JGROUPS',
  'GOSSIP',
  'MEMBERS',
  'HAZELCAST',
  'INFINISPAN',
  'ERLANG',
  'LIBCLUSTER',
])
  test(`${name} leads to the copies`, () => assert.is(own(env({ [name]: 'zzz' })).length, 1));
test('the Service of the pod itself, in words', () =>
  assert.equal(texts(own(env({ PEERS: 'zzz' }))), [
    'Use Service `web`',
    'It is the only Service that selects the pod, and none is named `zzz`.',
    'Service `web` selects the pod',
  ]));

const host = (all: Record<string, string>, of: CaseParts = services('web'), isMeant?: (name: string) => boolean) =>
  unknownHost(anInput(env(all), {}, of), isMeant);
test('the only host of which there is no Service', () => {
  for (const [all, expected] of [
    [{ DB_HOST: 'db' }, 'db'],
    [{ DB_HOST: 'db', API_HOST: 'web' }, 'db'],
    [{ DB_HOST: 'db', Q_HOST: 'mq' }, ''],
    [{ DB_HOST: 'db', DB_URL: 'pg://u@db:1/x' }, 'db'],
    [{ DB_URL: 'clickhouse://db:1/x' }, 'db'],
    [{ DB_URL: 'jdbc:postgresql://db:1/x' }, 'db'],
    [{ DB_NAME: 'db' }, ''],
    [{ BROKERS: 'web:1, mq:2' }, 'mq'],
    [{ DB_HOST: 'db.shop' }, 'db.shop'],
    [{ DB_HOST: 'db.prod' }, ''],
    [{ DB_HOST: 'db.prod.svc' }, 'db.prod.svc'],
    [{ DB_HOST: 'web.shop' }, ''],
    [{ DB_HOST: 'localhost' }, ''],
    [{ DB_URL: 'jdbc:postgresql' }, ''],
    [{ DB_HOST: `${'x'.repeat(600)}` }, ''],
  ] as [Record<string, string>, string][])
    assert.is(host(all), expected, JSON.stringify(all));
  assert.is(
    host({ DB_HOST: 'db', Q_HOST: 'mq' }, undefined, (name) => name.startsWith('Q')),
    'mq',
    'of the settings that are meant',
  );
  assert.is(host({ DB_HOST: 'db' }, {}), '', 'of unknown Services');
  for (const name of [
    'HOST',
    'HOSTS',
    'HOSTNAME',
    'HOSTNAMES',
    'ADDR',
    'ADDRESS',
    'ADDRESSES',
    'SERVER',
    'SERVERS',
    'ENDPOINT',
    'BROKER',
    'BROKERS',
    'URL',
    'URI',
    'DSN',
    'UPSTREAM',
    'TARGET',
    'NODE',
    'NODES',
  ])
    assert.is(host({ [name]: 'db' }), 'db', name);
  for (const scheme of [
    'jdbc',
    'http',
    'https',
    'tcp',
    'amqp',
    'amqps',
    'redis',
    'rediss',
    'postgres',
    'postgresql',
    'mysql',
    'mongodb',
    'nats',
    'kafka',
    'unix',
    'file',
    'localhost',
  ])
    assert.is(host({ HOST: scheme }), '', scheme);
});
test('the address on which the pod calls itself', () => {
  const of = (all: Record<string, string>) => ownAddressGiven(anInput(env(all)));
  assert.equal(
    [
      of({ DB_HOST: 'localhost', DB_PORT: '3306' }),
      of({ DB_HOSTNAME: '127.0.0.1', DB_PORT: '3306' }),
      of({ host: 'localhost', port: '80' }),
    ],
    ['localhost:3306', '127.0.0.1:3306', 'localhost:80'],
  );
  assert.equal(
    [
      of({ DB_HOST: 'db', DB_PORT: '3306' }),
      of({ DB_HOST: 'localhost' }),
      of({ DB_HOST: 'localhost', X_PORT: '3306' }),
      of({ DB_HOST: 'localhost', DB_PORT: 'x' }),
      of({ DB_HOST: 'localhost', DB_PORT: '3306', X_HOST: 'localhost' }),
      of({}),
    ],
    ['', '', '', '', '', ''],
  );
});

const low = (all: Record<string, string>, container: object = { securityContext: { runAsUser: 5 } }, spec: object = {}) =>
  lowPortGiven(anInput({ ...env(all), ...container }, spec));
test('the low port on which a program listens', () => {
  assert.equal(low({ A: '80', PORT: '80' }), { name: 'PORT', port: '80' });
  assert.equal(low({ PORT: '80' }, {}, { securityContext: { runAsUser: 5 } }), { name: 'PORT', port: '80' }, 'of a user of the pod');
  for (const value of ['1', ':80', '0.0.0.0:80', '[::]:80', '*:1023']) assert.ok(low({ PORT: value }), value);
  for (const value of ['0', '1024', '10.0.0.1:80', 'x']) assert.is(low({ PORT: value }), undefined, value);
  for (const name of [
    'LISTEN',
    'APP_LISTEN_ADDR',
    'HTTP_BIND',
    'BIND_ADDRESS',
    'LISTEN_ON',
    'LISTEN_PORT',
    'HTTP_PORT',
    'SERVER_PORT',
    'APP_PORT',
  ])
    assert.ok(low({ [name]: '80' }), name);
  for (const name of ['DB_PORT', 'LISTENERS', 'PORTS']) assert.is(low({ [name]: '80' }), undefined, name);
  assert.equal(
    [low({ PORT: '80' }, {}), low({ PORT: '80' }, { securityContext: { runAsUser: 0 } }), low({ PORT: '80', HTTP_PORT: '81' })],
    [undefined, undefined, undefined],
    'root may, nobody knows, and two of them',
  );
  assert.is(
    low({ PORT: '80' }, { securityContext: { runAsUser: 0 } }, { securityContext: { runAsUser: 5 } }),
    undefined,
    'root of the container',
  );
});

const redis = (address: string, all: Record<string, string>, more: object = {}) => redisUrl(anInput({ ...env(all), ...more }), address);
rows('the address of Redis', {
  'under the name that clients read': [redis('127.0.0.1:6379', { A: 'x', CACHE_URL: 'redis://r' }), guess({ 'env[1].name': 'REDIS_URL' })],
  'for the host by its name': [redis('localhost:6379', { C: 'rediss://r' }), guess({ 'env[0].name': 'REDIS_URL' })],
  'for the host of IPv6': [redis('[::1]:6379', { C: 'rediss://r' }), guess({ 'env[0].name': 'REDIS_URL' })],
  'under this name already': [redis('127.0.0.1:6379', { REDIS_URL: 'redis://r' }), []],
  'of another server': [redis('redis:6379', { C: 'redis://r' }), []],
  'in two variables': [redis('127.0.0.1:6379', { C: 'redis://r', D: 'redis://r' }), []],
  'in an option': [redis('127.0.0.1:6379', {}, { args: ['--url=redis://r'] }), []],
  nowhere: [redis('127.0.0.1:6379', { C: 'http://r' }), []],
});
test('the address of Redis, in words', () =>
  assert.equal(texts(redis('127.0.0.1:6379', { C: 'redis://r' })), [
    'Rename `C` to `REDIS_URL`',
    'The program asks its own host, so `C` does not reach it.',
    'clients of Redis read this name',
  ]));

test.run();
