import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Surroundings } from '../../../../src/diagnosis/case.ts';
import { withHost } from '../../../../src/diagnosis/corrections/network/host-text.ts';
import { lackingPort } from '../../../../src/diagnosis/corrections/network/lacking-port.ts';
import {
  clusterDns,
  otherHost,
  otherServicePort,
  serviceOfPort,
  waitedServices,
  withoutAlias,
} from '../../../../src/diagnosis/corrections/network/other-server.ts';
import { anInput } from '../../../support/builders/cases.ts';
import { correctionRows, env, guess, inWords, likely } from '../../../support/builders/corrections.ts';
import { INTERNET_ENDINGS } from '../../../support/builders/internet-endings.ts';

const test = suite('servers under another name');
const rows = correctionRows(test);

type Service = NonNullable<Surroundings['services']>[number];
const service = (name: string, ...ports: number[]): Service => ({ name, ports });
const around = (container: object, services: Service[], more: Surroundings = {}, spec: object = {}) =>
  anInput(container, spec, { surroundings: { services, ...more } });
const host = (name: string, services: Service[], value = name, more: Surroundings = {}) =>
  otherHost(around(env({ A: 'x', HOST: value }), services, more), name);
const told = (found: { title: string; explanation: string; changes: { why: string }[]; confidence: string; mirrorable: boolean }[]) =>
  found.map((one) => [...inWords(one as never), one.confidence, one.mirrorable]);

test('the Service of a server that takes writes, of those with its port', () => {
  const uses = (...names: string[]) =>
    host(
      'old-postgres',
      names.map((name) => service(name, 5432)),
    ).map(({ title }) => title);
  assert.equal(uses('zzz-rw', 'zzz-ro', 'zzz-r'), ['Use Service `zzz-rw`']);
  assert.equal(uses('zzz-replicas', 'zzz-master', 'zzz-headless'), ['Use Service `zzz-master`']);
  assert.equal(uses('zzz', 'zzz-hl'), ['Use Service `zzz`']);
  assert.equal(uses('zzz-ro'), ['Use Service `zzz-ro`'], 'the only one');
  assert.equal(uses('zzz-rw', 'yyy-ro'), [], 'of another server');
  assert.equal(uses('zzz-ro', 'zzz-r'), [], 'none takes writes');
});

test('another host, in words', () => {
  assert.equal(told(host('ordrs', [service('orders')])), [
    [
      'Use Service `orders`',
      '`ordrs` looks like a typo of `orders`.',
      'there is a Service `orders` and none named `ordrs`',
      'likely',
      true,
    ],
  ]);
  assert.equal(told(host('orders.prod', [service('orders')])), [
    ['Use `orders`', 'Service `orders` is in this namespace, and not in `prod`.', 'Service `orders` is in this namespace', 'likely', true],
  ]);
  assert.equal(told(host('orders.shop.svc.local', [service('orders')])), [
    [
      'Use `orders`',
      'Service `orders` is in this namespace; its whole name ends with `.svc.cluster.local`.',
      'Service `orders` is in this namespace',
      'likely',
      true,
    ],
  ]);
  assert.equal(told(host('billing', [], 'billing', { servicesElsewhere: [{ name: 'billing', namespaces: ['pay'] }] })), [
    [
      'Use `billing.pay`',
      'The only Service `billing` is in namespace `pay`, and a short name is looked up in the namespace of the pod.',
      'Service `billing` is in namespace `pay`',
      'likely',
      true,
    ],
  ]);
  assert.equal(told(host('main-postgres', [service('zzz', 5432)])), [
    [
      'Use Service `zzz`',
      'No Service is named `main-postgres`, and `zzz` is the only one of the namespace with port 5432.',
      'Service `zzz` has port 5432',
      'guess',
      true,
    ],
  ]);
  const twice = {
    env: [
      { name: 'DB', value: 'orders:1' },
      { name: 'DB', value: 'nothere' },
    ],
  };
  assert.equal(told(otherHost(around(twice, [{ name: 'orders:1' }]), 'nothere')), [
    [
      'Set `DB` to `orders:1` in both places',
      '`DB` is set twice. The first value is a Service, the second one is none.',
      '`DB` stands twice in the list, and the last one counts',
      'likely',
      true,
    ],
  ]);
  const beside = around(
    env({ HOST: 'http://nothere:80' }),
    [service('web', 80), service('api', 80)],
    {},
    {
      containers: [
        { name: 'app', image: 'a', ...env({ HOST: 'http://nothere:80' }) },
        { name: 'side', image: 'a', args: ['http://web:80'] },
      ],
    },
  );
  assert.equal(told(otherHost(beside, 'nothere')), [
    [
      'Use Service `web`',
      'There is no Service `nothere`, and the other containers of the pod call `web`.',
      'the other containers of the pod call Service `web`',
      'likely',
      true,
    ],
  ]);
});
for (const name of [
  'db',
  'database',
  'postgres',
  'postgresql',
  'mysql',
  'mariadb',
  'mongo',
  'mongodb',
  'redis',
  'valkey',
  'kafka',
  'rabbitmq',
  'nats',
  'elasticsearch',
  'minio',
  'vault',
  'api',
  'web',
  'app',
  'backend',
  'frontend',
  'server',
  'gateway',
  'cache',
  'queue',
  'broker',
  'proxy',
])
  test(`a Service ${name} of another namespace need not be meant`, () =>
    assert.is(host(name, [], name, { servicesElsewhere: [{ name, namespaces: ['pay'] }] })[0]?.confidence, 'guess'));
for (const [word, port] of [
  ['percona', 3306],
  ['maria-main', 3306],
  ['psql', 5432],
  ['pg', 5432],
  ['valkey-1a', 6379],
  ['mongo-a', 27017],
  ['amqp-a', 5672],
  ['kafka-a', 9092],
  ['opensearch', 9200],
  ['memcache-a', 11211],
  ['nats-a', 4222],
  ['scylla', 9042],
  ['mssql', 1433],
  ['oracle', 1521],
  ['zookeeper', 2181],
  ['etcd-a', 2379],
] as const)
  test(`${word} has port ${port}`, () => {
    assert.equal(host(word, [service('zzzzz', port), service('yyyyy', port + 1)])[0]?.title, 'Use Service `zzzzz`');
    assert.equal(host(word, [service('zzzzz', port), service('yyyyy', port)]), []);
  });
for (const end of INTERNET_ENDINGS)
  test(`a name with .${end} is of the internet`, () => assert.equal(host(`ordrs.${end}`, [service('orders')]), []));
rows('another host', {
  'of at most two near ones': [
    host('orders-ap', [service('orders-a'), service('orders-p'), service('orders-app')]),
    [...likely({ 'env[1].value': 'orders-app' }), ...likely({ 'env[1].value': 'orders-a' })],
  ],
  'that is an address': [host('10.0.0.1', [service('10')]), []],
  'of a pod of a StatefulSet': [host('dbb-0.dbb', [service('dba')]), likely({ 'env[1].value': 'dbb-0.dba' })],
  'with a port of anybody': [host('nothere', [service('zzz', 8080)], 'http://nothere:8080'), []],
  'with a port of its own': [host('nothere', [service('zzz', 8081)], 'http://nothere:8081'), guess({ 'env[1].value': 'http://zzz:8081' })],
  'of another namespace with such a port': [host('nothere.prod', [service('zzz', 8081)], 'http://nothere.prod:8081'), []],
  'in two other namespaces': [host('billing', [], 'billing', { servicesElsewhere: [{ name: 'billing', namespaces: ['a', 'b'] }] }), []],
});

const port = (wrong: string, all: Record<string, string>, ...services: Service[]) =>
  otherServicePort(around(env(all), services), 'db', wrong);
test('another port, in words', () => {
  assert.equal(told(port('1', { HOST: 'db:1' }, service('db', 2))), [
    ['Use port `2`', 'Service `db` has port `2` only.', 'Service `db` has port `2` only', 'likely', true],
  ]);
  assert.equal(told(otherServicePort(around(env({ HOST: 'redis:1' }), [service('redis', 9, 6379, 8, 7, 6)]), 'redis', '1')), [
    [
      'Use port `6379`',
      'Service `redis` has port `6379` and `9`, `8`, `7`.',
      'Service `redis` has port `6379` and `9`, `8`, `7`',
      'likely',
      true,
    ],
  ]);
});
rows('another port', {
  'behind a space': [port('1', { HOST: 'wait db 1' }, service('db', 2)), likely({ 'env[0].value': 'wait db 2' })],
  'in the variable of the host': [
    port('11', { DB_HOST: 'db', DB_PORT: '11', MQ_PORT: '11' }, service('db', 22)),
    likely({ 'env[1].value': '22' }),
  ],
  'in two variables of the host': [port('11', { DB_HOST: 'db', DB_PORT: '11', DB_X_PORT: '11' }, service('db', 22)), []],
  'in a variable that is no port': [port('11', { DB_HOST: 'db', DB_COUNT: '11' }, service('db', 22)), []],
  'of two': [port('1', { HOST: 'db:1' }, service('db', 2, 3)), []],
});

test('the cluster’s DNS, in words', () => {
  const dns = (spec: object) => clusterDns(around({}, [service('db')], {}, spec), 'db.shop');
  const own = "There is a Service `db`, and only the cluster's DNS knows it.";
  for (const [spec, why] of [
    [{ hostNetwork: true }, 'on the network of the node `ClusterFirst` means the DNS of the node'],
    [{ dnsPolicy: 'Default' }, '`Default` asks the DNS of the node'],
    [{ dnsPolicy: 'None' }, '`None` asks only the servers of `dnsConfig`'],
  ] as const)
    assert.equal(told(dns(spec)), [["Let the pod ask the cluster's DNS", own, why, 'likely', false]]);
});
test('a host alias, in words', () => {
  const alias = (address: string, ...aliases: object[]) => withoutAlias(around({}, [service('db')], {}, { hostAliases: aliases }), address);
  const DB = { ip: '10.0.0.9', hostnames: ['x', 'db'] };
  const found = alias('10.0.0.9:5432', { ip: '10.0.0.9', hostnames: ['y'] }, DB);
  assert.equal([found?.host, found?.ip, found?.corrections[0]?.changes[0]?.path], ['db', '10.0.0.9', 'spec.hostAliases[1]']);
  assert.equal(told(found?.corrections ?? []), [
    [
      'Remove the host alias of `db`',
      '`hostAliases` leads `db` to `10.0.0.9`.',
      'there is a Service `db`, which the alias hides',
      'likely',
      true,
    ],
  ]);
  assert.is(alias('db', DB)?.corrections[0]?.changes[0]?.path, 'spec.hostAliases');
  assert.equal(
    [alias('x', DB), alias('10.0.0.8', DB), alias('db', { ip: '1.1.1.1', hostnames: ['y'] })],
    [undefined, undefined, undefined],
  );
});
test('the Service beside a port', () => {
  const of = (all: Record<string, string>, wrong: string | undefined = '11') => serviceOfPort(around(env(all), [service('db')]), wrong);
  assert.equal(of({ X_HOST: 'db.shop', X_PORT: '11' }), { host: 'db.shop', port: '11' });
  assert.equal(
    [
      of({ X_HOST: 'db', X_PORT: '11', Y_PORT: '11' }),
      of({ X_HOST: 'db', X_B: 'db', X_PORT: '11' }),
      of({ X_HOST: 'db', X_PORT: '11' }, '12'),
    ],
    [undefined, undefined, undefined],
  );
});
test('at most nine Services that a command waits for are looked at', () => {
  const names = Array.from({ length: 12 }, (_, at) => `server-${at}`);
  const text = names.map((name) => `nc ${name} 11`).join('; ');
  const found = waitedServices(
    around(
      { args: [text] },
      names.map((name) => service(name, 22)),
    ),
  );
  assert.is(found.length, 9);
  assert.is(waitedServices(around({ args: ['nc db 11; nc db 11'] }, [service('db', 22)])).length, 1);
});

rows('a port that the Service of an address lacks', {
  'of a Service called with its namespace': [
    lackingPort(around({ args: ['curl http://db.shop:11/x'] }, [service('db', 22)]), 'it failed'),
    guess({ 'args[0]': 'curl http://db.shop:22/x' }),
  ],
  'of the second server': [
    lackingPort(around({ args: ['curl http://web:1111/; curl http://db:11/'] }, [service('web', 1111), service('db', 22)]), 'no'),
    guess({ 'args[0]': 'curl http://web:1111/; curl http://db:22/' }),
  ],
  'without a container': [lackingPort(anInput({}, {}, { container: 'gone' }), 'refused'), []],
});

const holds = (name: string): boolean => withHost({ env: [{ name, value: 'pg' }] }, 'pg', 'db').length === 1;
for (const name of [
  'USER',
  'A_USERNAME',
  'USR',
  'A_UID',
  'ID',
  'PASS',
  'DB_PASSWORD',
  'PASSWD',
  'PWD',
  'DRIVER',
  'DIALECT',
  'ENGINE',
  'CONNECTION',
  'CLIENT',
  'TYPE',
  'KIND',
  'SCHEMA',
  'ROLE',
  'ADAPTER',
  'TOPIC',
  'QUEUE',
  'BUCKET',
  'PROFILE',
  'MODE',
  'SCHEME',
  'PROTOCOL',
  'CATALOG',
  'APP',
  'COMPONENT',
])
  test(`${name} holds no host`, () => assert.equal([holds(name), holds(`${name}_HOST`)], [false, true]));
for (const name of ['HOST', 'ADDR', 'SERVER', 'URL', 'URI', 'DSN', 'ENDPOINT', 'BROKER', 'SERVICE', 'TARGET', 'UPSTREAM', 'NODE'])
  test(`${name} holds a host, whatever stands behind it`, () => assert.ok(holds(`${name}_NAME`) && holds(`${name}_ID`)));
for (const option of ['-u', '-U', '-p', '-n', '-d', '-D', '--user', '--dbname', '--name'])
  test(`the word behind ${option} is no host`, () =>
    assert.equal(
      withHost({ args: [option, 'pg', '-h', 'pg'] }, 'pg', 'db').map(({ path }) => path),
      ['args[3]'],
    ));
for (const name of ['DB', 'DBNAME', 'DATABASE', 'A_NAME', 'dbname', 'databasename'])
  test(`${name} holds a host only if nothing else does`, () => {
    assert.is(holds(name), true);
    assert.equal(
      withHost(
        {
          env: [
            { name, value: 'pg' },
            { name: 'HOST', value: 'pg' },
          ],
        },
        'pg',
        'db',
      ).map(({ path }) => path),
      ['env[1].value'],
    );
  });

test.run();
