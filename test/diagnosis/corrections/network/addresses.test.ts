import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { advertisedAddress } from '../../../../src/diagnosis/corrections/network/advertised-address.ts';
import { defaultVhost } from '../../../../src/diagnosis/corrections/network/default-vhost.ts';
import { differentPort } from '../../../../src/diagnosis/corrections/network/different-port.ts';
import { encodedPassword } from '../../../../src/diagnosis/corrections/network/encoded-password.ts';
import { endpointWithScheme, hostInPort, hostWithScheme } from '../../../../src/diagnosis/corrections/network/host-with-scheme.ts';
import { lackingPort } from '../../../../src/diagnosis/corrections/network/lacking-port.ts';
import { addressWithoutHost, addressWithoutPort, portFor } from '../../../../src/diagnosis/corrections/network/listen-port.ts';
import { declaredPort, freePort, secondPort } from '../../../../src/diagnosis/corrections/network/other-port.ts';
import { ownAddress } from '../../../../src/diagnosis/corrections/network/own-address.ts';
import { serviceForOwnHost } from '../../../../src/diagnosis/corrections/network/own-host.ts';
import { passwordInAddress } from '../../../../src/diagnosis/corrections/network/password-in-address.ts';
import { clientPort } from '../../../../src/diagnosis/corrections/network/protocol-port.ts';
import {
  driversScheme,
  madeUpScheme,
  otherScheme,
  schemeOfPort,
  withScheme,
} from '../../../../src/diagnosis/corrections/network/scheme.ts';
import { siblingPort } from '../../../../src/diagnosis/corrections/network/sibling-port.ts';
import { otherTls, withoutPostgresTls, withPostgresTls } from '../../../../src/diagnosis/corrections/network/tls.ts';
import { withoutHttps } from '../../../../src/diagnosis/corrections/network/without-https.ts';
import { aPlace, anInput, type CaseParts, inShort } from '../../../support/builders/cases.ts';
import { correctionRows, env, guess, likely } from '../../../support/builders/corrections.ts';

const test = suite('addresses and ports');

const rows = correctionRows(test);
const ports = (...all: number[]) => ({ ports: all.map((containerPort) => ({ containerPort })) });
const services = (...all: [name: string, ports?: number[], selector?: Record<string, string>][]): CaseParts => ({
  surroundings: {
    services: all.map(([name, of, selector]) => ({ name, ...(of ? { ports: of } : {}), ...(selector ? { selector } : {}) })),
  },
});
const LABELS = { app: 'kafka' };

const NO_ZEROS = 'advertised.listeners cannot use the nonroutable meta-address 0.0.0.0. Use a routable IP address.';
const advertised = (
  values: Record<string, string>,
  around: CaseParts = services(['other', [9092]], ['kafka', [9092, 9094], LABELS]),
  line = NO_ZEROS,
  more: CaseParts = {},
) => advertisedAddress(anInput(env(values), {}, { labels: LABELS, ...around, ...more }), line);
rows('an address for all clients', {
  'of no host': [
    advertised({ A: 'x', KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://0.0.0.0:9092,X://0.0.0.0:9094' }),
    likely({ 'env[1].value': 'PLAINTEXT://kafka:9092,X://kafka:9094' }),
  ],
  'from where it listens': [
    advertised({ KAFKA_LISTENERS: 'PLAINTEXT://0.0.0.0:9092,CONTROLLER://0.0.0.0:9093' }),
    likely({ 'env[1]': { name: 'KAFKA_ADVERTISED_LISTENERS', value: 'PLAINTEXT://kafka:9092' } }),
  ],
  'that is one already': [
    advertised({ KAFKA_LISTENERS: 'PLAINTEXT://0.0.0.0:9092', KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://kafka:9092' }),
    [],
  ],
  'in another line': [advertised({ KAFKA_LISTENERS: 'PLAINTEXT://0.0.0.0:9092' }, undefined, 'listening on 0.0.0.0'), []],
  'with a port that the Service lacks': [advertised({ KAFKA_LISTENERS: 'PLAINTEXT://0.0.0.0:9095' }), []],
  'of two Services': [
    advertised({ KAFKA_LISTENERS: 'PLAINTEXT://0.0.0.0:9092' }, services(['a', [9092], LABELS], ['b', [9092], LABELS])),
    [],
  ],
  'of a Service that selects others': [
    advertised({ KAFKA_LISTENERS: 'PLAINTEXT://0.0.0.0:9092' }, services(['a', [9092], { app: 'x' }])),
    [],
  ],
  'without a port': [advertised({ KAFKA_LISTENERS: 'PLAINTEXT://kafka:9092' }), []],
});
test('a set with several brokers needs an address for each', () => {
  const of = (kind: string, replicas?: number) => {
    const input = anInput(
      env({ KAFKA_LISTENERS: 'PLAINTEXT://0.0.0.0:9092' }),
      {},
      { labels: LABELS, ...services(['kafka', [9092], LABELS]) },
    );
    return advertisedAddress(
      { ...input, subject: { ...input.subject, owner: { kind, metadata: { name: 'k' }, spec: { replicas } } as never } },
      NO_ZEROS,
    ).length;
  };
  assert.equal([of('StatefulSet', 2), of('StatefulSet', 1), of('StatefulSet'), of('Deployment', 2)], [0, 1, 1, 1]);
});
for (const line of [
  'the advertised address cannot be 0.0.0.0',
  "advertise addr can't be a meta-address",
  'Advertised host must not be unspecified',
  'advertised.listeners may not be 0.0.0.0',
  'advertising can not use 0.0.0.0',
])
  test(`refused: ${line}`, () => assert.is(advertised({ KAFKA_LISTENERS: 'PLAINTEXT://0.0.0.0:9092' }, undefined, line).length, 1));

rows('a virtual host', {
  'that the server lacks': [
    defaultVhost(anInput(env({ A: 'x', U: 'amqps://u:p@mq:5671/shop?x=1' })), 'shop'),
    guess({ 'env[1].value': 'amqps://u:p@mq:5671/%2F?x=1' }),
  ],
  'of another name': [defaultVhost(anInput(env({ U: 'amqp://mq/shops' })), 'shop'), []],
  'of another server': [defaultVhost(anInput(env({ U: 'redis://mq/shop' })), 'shop'), []],
  'of two addresses': [defaultVhost(anInput(env({ U: 'amqp://mq/shop', V: 'amqp://mq/shop' })), 'shop'), []],
});

const different = (line: string, args: string[], ...declared: number[]) => differentPort(anInput({ args, ...ports(...declared) }), line);
const SAME_ADDRESS = '--console-address cannot be same as --address';
rows('two settings with one port', {
  'the first gets the free one': [
    different(SAME_ADDRESS, ['--address=:9000', '--console-address=:9000'], 9000, 9001),
    likely({ 'args[1]': '--console-address=:9001' }),
  ],
  'with its host': [different('APP_PORT must be different from OPS_PORT', ['--x'], 1), []],
  'of which only the second is known': [
    different(SAME_ADDRESS, ['--address=0.0.0.0:9000'], 9000, 9001),
    likely({ 'args[0]': '--address=0.0.0.0:9001' }),
  ],
  'and two are free': [different(SAME_ADDRESS, ['--address=:9000', '--console-address=:9000'], 9000, 9001, 9002), []],
  'and the other has the free one': [different(SAME_ADDRESS, ['--console-address=:9000', '--x=:9001'], 9000, 9001), []],
  'and none is free': [different(SAME_ADDRESS, ['--address=:9000', '--console-address=:9000'], 9000), []],
  'that are no ports': [different(SAME_ADDRESS, ['--address=x', '--console-address=x'], 9001), []],
});
for (const words of [
  'must be different from',
  'should differ from',
  'has to differ from',
  'cannot be the same as',
  "can't be equal to",
  'should not be identical with',
  'may not be the same as',
  'can not be same',
])
  test(`two settings: ${words}`, () =>
    assert.equal(
      inShort(
        differentPort(anInput({ ...env({ APP_PORT: '80', OPS_PORT: '80' }), ...ports(80, 81) }), `error: APP_PORT ${words} OPS_PORT`),
      ),
      likely({ 'env[0].value': '81' }),
    ));

rows('a password in an address', {
  'with signs': [
    encodedPassword(anInput(env({ A: 'x', U: 'postgres://u:p@ss#1@db:5432/x' }))),
    likely({ 'env[1].value': 'postgres://u:p%40ss%231@db:5432/x' }),
  ],
  'without signs': [encodedPassword(anInput(env({ U: 'postgres://u:pass@db/x' }))), []],
  'that is encoded': [encodedPassword(anInput(env({ U: 'postgres://u:p%40@db/x' }))), []],
  'that is a variable': [encodedPassword(anInput(env({ U: 'postgres://u:$(P[)@db/x' }))), []],
  'of two': [encodedPassword(anInput(env({ U: 'a1://u:#@db/x', V: 'a2://u:#@db/x' }))), []],
});

const NOT_FOUND = 'getaddrinfo ENOTFOUND http://db';
rows('a host with a scheme', {
  'in its setting': [
    hostWithScheme(anInput(env({ A: 'x', DB_HOST: 'http://db/' })), 'ENOTFOUND http://db/'),
    likely({ 'env[1].value': 'db' }),
  ],
  'in a setting for a URL': [hostWithScheme(anInput(env({ DB_URL: 'http://db' })), NOT_FOUND), []],
  'that the line does not name': [hostWithScheme(anInput(env({ DB_HOST: 'http://dbx' })), NOT_FOUND), []],
  'with a port': [hostWithScheme(anInput(env({ DB_HOST: 'http://db:1' })), `${NOT_FOUND}:1`), []],
});
rows('an endpoint with a scheme', {
  'in its setting': [endpointWithScheme(anInput(env({ A: 'x', S3_X: 'https://minio:9000/' }))), likely({ 'env[1].value': 'minio:9000' })],
  'in another setting': [endpointWithScheme(anInput(env({ A: 'https://minio:9000' }))), []],
  'without a port': [endpointWithScheme(anInput(env({ ENDPOINT: 'https://minio' }))), []],
  'of two': [endpointWithScheme(anInput(env({ ENDPOINT: 'https://minio:1000', ADDR: 'https://minio:1000' }))), []],
});
test('host and port in each other’s place', () => {
  const of = (all: Record<string, string>, host = '5432') => hostInPort(anInput(env(all)), host);
  const found = of({ X_HOST: '1', DB_HOST: '5432', CACHE_PORT: 'redis', DB_PORT: 'db' });
  assert.equal(
    [found?.culprit, inShort(found?.corrections)],
    ['DB_HOST=5432, DB_PORT=db', likely({ 'env[1].value': 'db', 'env[3].value': '5432' })],
  );
  assert.match(found?.because ?? '', '`DB_HOST` is `5432`, and `DB_PORT` is `db`');
  assert.ok(of({ DB_HOST: '5432', DB_PORT: 'db' }, 'db'), 'by the name');
  for (const all of [
    { DB_HOST: '5432', DB_PORT: '80' },
    { DB_HOST: '5432', X_PORT: 'db' },
    { A_PORT: '5432', B_PORT: 'db' },
    { DB_HOST: '5432', DB_NAME: 'db' },
  ] as Record<string, string>[])
    assert.is(of(all), undefined, JSON.stringify(all));
  assert.is(of({ DB_HOST: '5432', DB_PORT: 'db' }, 'other'), undefined);
});

const lacking = (line: string, spec: object, of: CaseParts = services(['prices', [80]]), container = 'app') =>
  lackingPort(anInput({ args: ['curl http://prices:8080/v1'] }, spec, { ...of, container }), line);
const fetches = (name: string) => ({ name, args: ['curl http://prices:8080/v1 > /x'] });
rows('a Service without the port that a container calls', {
  'of which the line says nothing': [lacking('it failed', {}), guess({ 'args[0]': 'curl http://prices:80/v1' })],
  'of which the line says that nothing answered': [lacking('deadline exceeded', {}), likely({ 'args[0]': 'curl http://prices:80/v1' })],
  'which the line names': [lacking('prices failed', {}), likely({ 'args[0]': 'curl http://prices:80/v1' })],
  'that has it': [lacking('it failed', {}, services(['prices', [8080]])), []],
  'that nobody knows': [lacking('it failed', {}, services(['other', [80]])), []],
  'without any': [lacking('it failed', {}, services(['prices'])), []],
});
test('containers that ran before may have called it', () => {
  const of = (line: string, container: string, ...names: string[]) =>
    inShort(lackingPort(anInput({}, { initContainers: names.map(fetches) }, { ...services(['prices', [80]]), container }), line)).map(
      ([sure, changes]) => [sure, Object.keys(changes)[0]],
    );
  assert.equal(of('unexpected end of JSON input', 'app', 'get'), [['likely', 'spec.initContainers[0].args[0]']]);
  assert.equal(of('connection refused', 'app', 'get'), [['guess', 'spec.initContainers[0].args[0]']]);
  assert.equal(of('refused', 'get', 'get', 'later'), [['likely', 'spec.initContainers[0].args[0]']]);
  assert.equal(
    inShort(
      lackingPort(
        anInput({}, { initContainers: [{ name: 'first' }, fetches('later')] }, { ...services(['prices', [80]]), container: 'first' }),
        'refused',
      ),
    ),
    [],
  );
});
for (const line of [
  'timed out',
  'time-out',
  'deadline exceeded',
  'refused',
  'unreachable',
  'not reachable',
  'no route',
  'EOF',
  'cannot connect',
  'could not connect',
])
  test(`no answer: ${line}`, () => assert.is(lacking(line, {})[0]?.confidence, 'likely'));
for (const line of [
  'unexpected end',
  'unexpected EOF',
  'unexpected token',
  'empty',
  'no content',
  'JSON',
  'parse',
  'zero-length',
  'truncated',
  'invalid',
])
  test(`no data: ${line}`, () =>
    assert.is(lackingPort(anInput({}, { initContainers: [fetches('get')] }, services(['prices', [80]])), line)[0]?.confidence, 'likely'));

const listens = (all: Record<string, string>, more: object = ports(8080), line = 'Error: missing port in address', logs = '') => {
  const input = anInput({ ...env(all), ...more }, {}, { logs });
  return addressWithoutPort(input, input.place()!, line);
};
rows('an address without its port', {
  'gets the declared one': [listens({ A: 'x', BIND_ADDR: '0.0.0.0' }), likely({ 'env[1].value': '0.0.0.0:8080' })],
  'keeps its colon': [listens({ BIND_ADDR: '0.0.0.0:' }), likely({ 'env[0].value': '0.0.0.0:8080' })],
  'of version 6': [listens({ BIND_ADDR: '::' }), likely({ 'env[0].value': '[::]:8080' })],
  'of version 6 in brackets': [listens({ BIND_ADDR: '[::]' }), likely({ 'env[0].value': '[::]:8080' })],
  'beside the main one': [listens({ METRICS_ADDR: '0.0.0.0' }), guess({ 'env[0].value': '0.0.0.0:8080' })],
  'under another name': [listens({ WHERE: '0.0.0.0' }), guess({ 'env[0].value': '0.0.0.0:8080' })],
  'that the log names': [
    listens({ WHERE: '0.0.0.0', OTHER: '0.0.0.0' }, ports(8080), undefined, '==> app (current) <==\nWHERE is bad\n'),
    likely({ 'env[0].value': '0.0.0.0:8080' }),
  ],
  'of two': [listens({ WHERE: '0.0.0.0', OTHER: '0.0.0.0' }), []],
  'whose port is beside it': [listens({ HOST: '0.0.0.0', PORT: '80' }), []],
  'whose port is beside its IP': [listens({ BIND_IP: '0.0.0.0', BIND_PORT: '80' }), []],
  'without a known port': [listens({ BIND_ADDR: '0.0.0.0' }, {}), []],
  'that is called': [listens({ BIND_ADDR: '0.0.0.0' }, ports(8080), 'dial tcp: missing port in address'), []],
  'in another line': [listens({ BIND_ADDR: '0.0.0.0' }, ports(8080), 'bad address'), []],
});
test('an address without its port is named, with or without a correction', () => {
  assert.is(listens({ BIND_ADDR: '0.0.0.0' }, {})?.culprit, 'BIND_ADDR=0.0.0.0');
  assert.is(listens({ METRIC_ADDR: '0.0.0.0' })?.corrections?.[0]?.confidence, 'guess');
});
for (const line of [
  'AddrParseError(Socket)',
  'AddrParseError(SocketV4)',
  'invalid socket address syntax',
  'missing port in address',
  'must be host:port',
  'expected: in the form ip:port',
  'wants <host>:<port>',
  'format: addr:port',
  'the address x lacks a port',
  'address has no port',
  'Endpoint string must be of the form a',
])
  test(`an address without its port: ${line}`, () => assert.ok(listens({ BIND_ADDR: '0.0.0.0' }, ports(8080), line)));
for (const name of ['METRIC', 'ADMIN', 'HEALTH', 'DEBUG', 'PPROF', 'PROM', 'MANAGEMENT'])
  test(`${name} is beside the main address`, () =>
    assert.is(listens({ [`${name}_ADDR`]: '0.0.0.0' })?.corrections?.[0]?.confidence, 'guess'));
for (const name of ['ADDR', 'LISTEN', 'BIND', 'ENDPOINT'])
  test(`${name} is the main address`, () => assert.is(listens({ [name]: '0.0.0.0' })?.corrections?.[0]?.confidence, 'likely'));

const hostless = (all: Record<string, string>, line = 'missing host', logs = '') => {
  const input = anInput(env(all), {}, { logs });
  return addressWithoutHost(input, input.place()!, line);
};
rows('an address without its host', {
  'gets that of all': [hostless({ A: 'x', BIND: ':8080' }), likely({ 'env[1].value': '0.0.0.0:8080' })],
  'of two': [hostless({ A: ':8081', BIND: ':8080' }), []],
  'of two, one of which the log names': [
    hostless({ A: ':8081', BIND: ':8080' }, undefined, '==> app (current) <==\nBIND\n'),
    likely({ 'env[1].value': '0.0.0.0:8080' }),
  ],
  'that is called': [hostless({ BIND: ':8080' }, 'dial: missing host'), []],
  'in another line': [hostless({ BIND: ':8080' }, 'no way'), []],
  'whose cause is said below': [
    hostless({ BIND: ':8080' }, 'bad BIND', '==> app (current) <==\nError: bad BIND\nCaused by:\n  0: invalid socket address syntax\n'),
    likely({ 'env[0].value': '0.0.0.0:8080' }),
  ],
  'whose cause is not said': [hostless({ BIND: ':8080' }, 'bad BIND', '==> app (current) <==\nError: bad BIND\n'), []],
});
for (const line of [
  'AddrParseError(SocketV6)',
  'invalid socket address',
  'no hostname',
  'without a host',
  'empty host',
  'host is missing',
  'hostname required',
  'invalid bind address',
  'invalid listen address',
  'should be ip:port',
  'expected host:port',
])
  test(`an address without its host: ${line}`, () => assert.ok(hostless({ BIND: ':8080' }, line)));

test('the port on which a container should listen', () => {
  const of = (container: object) => portFor(aPlace(container));
  const probe = (port: number | string) => ({ httpGet: { port } });
  assert.is(of(ports(8080)), 8080);
  assert.is(of({}), undefined);
  assert.is(of(ports(8080, 9090)), undefined);
  assert.is(of({ ...ports(8080, 9090), livenessProbe: probe(9090) }), 9090);
  assert.is(of({ ...ports(8080, 9090), ...env({ A: 'http://x:8080' }) }), 9090);
  assert.is(of({ readinessProbe: { tcpSocket: { port: 7 } } }), 7);
  assert.is(of({ startupProbe: probe(7), readinessProbe: probe(7) }), 7);
  assert.is(
    of({
      ports: [
        { name: 'web', containerPort: 8080 },
        { name: 'x', containerPort: 1 },
      ],
      readinessProbe: probe('web'),
    }),
    8080,
  );
  assert.is(of({ readinessProbe: probe('none') }), undefined);
});

const low = (all: Record<string, string>, more: object = ports(8080)) => declaredPort(anInput({ ...env(all), ...more }));
rows('a low port', {
  'becomes the declared one': [low({ A: 'x', PORT: '80' }), likely({ 'env[1].value': '8080' })],
  'behind a host': [low({ LISTEN: '0.0.0.0:1023' }), likely({ 'env[0].value': '0.0.0.0:8080' })],
  'in a list': [low({ BIND: 'http://+:80;http://x:80/a' }), likely({ 'env[0].value': 'http://+:8080;http://x:8080/a' })],
  'that is high': [low({ PORT: '1024' }), []],
  'of two settings': [low({ PORT: '80', ADDR: ':80' }), []],
  'in no such setting': [low({ COUNT: '80' }), []],
  'where a low one is declared': [low({ PORT: '80' }, ports(443)), []],
  'where 1024 is declared': [low({ PORT: '80' }, ports(1024)), likely({ 'env[0].value': '1024' })],
  'where none is declared': [low({ PORT: '80' }, {}), []],
});
const second = (all: Record<string, string>, line: string, port = '8080', declared = [8080, 9090]) =>
  secondPort(anInput({ ...env(all), ...ports(...declared) }), port, line);
rows('one port for two listeners', {
  'the one that the line names': [
    second({ METRICS_ADDR: ':8080', WEB_ADDR: ':8080' }, 'metrics: address in use'),
    likely({ 'env[0].value': ':9090' }),
  ],
  'else the later one': [second({ METRICS_ADDR: ':8080', ADMIN_ADDR: ':8080' }, 'address in use'), likely({ 'env[1].value': ':9090' })],
  'words of every address name none': [
    second({ HTTP_ADDR: ':8080', SERVER_PORT: '8080' }, 'http server: address in use'),
    likely({ 'env[1].value': '9090' }),
  ],
  'short words name none': [second({ WEB_PORT: '8080', X_PORT: '8080' }, 'web: in use'), likely({ 'env[1].value': '9090' })],
  'of three': [second({ A: '8080', B: '8080', C: '8080' }, 'x'), []],
  'of one': [second({ A: '8080' }, 'x'), []],
  'without a free one': [second({ A: '8080', B: '8080' }, 'x', '8080', [8080]), []],
  'with two free ones': [second({ A: '8080', B: '8080' }, 'x', '8080', [8080, 1, 2]), []],
  'where a setting has the free one': [second({ A: '8080', B: '8080', C: ':9090' }, 'x'), []],
  'without a port': [second({ A: 'x:', B: 'x:' }, 'x', ''), []],
});
const free = (container: object, other: object, port = '8080') =>
  freePort(
    anInput(container, {
      containers: [
        { name: 'app', image: 'a', ...container },
        { name: 'side', ...other },
      ],
    }),
    port,
  );
const HTTP = (port: number) => ({ httpGet: { port } });
rows('a port that another container has', {
  'gives way to the next': [
    free(
      { ...env({ PORT: '8080' }), ...ports(8080), readinessProbe: HTTP(8080), livenessProbe: { tcpSocket: { port: 8080 } } },
      ports(8080),
    ),
    likely({
      'env[0].value': '8081',
      'ports[0].containerPort': 8081,
      'livenessProbe.tcpSocket.port': 8081,
      'readinessProbe.httpGet.port': 8081,
    }),
  ],
  'gives way to the next that is free': [free(env({ PORT: '8080' }), ports(8080, 8081)), likely({ 'env[0].value': '8082' })],
  'gives way to the declared one': [
    free({ ...env({ PORT: '8080' }), ...ports(9000), readinessProbe: HTTP(9000) }, ports(8080, 8081)),
    likely({ 'env[0].value': '9000' }),
  ],
  'by its options': [free(env({ PORT: '8080' }), { args: ['--port=8080'] }), likely({ 'env[0].value': '8081' })],
  'by its variables': [free(env({ PORT: '8080' }), env({ PORT: '8080' })), likely({ 'env[0].value': '8081' })],
  'by its command': [free({ args: ['serve', ':8080'] }, { command: ['x', ':8080'] }), likely({ 'args[1]': ':8081' })],
  'that it has not': [free(env({ PORT: '8080' }), ports(8081)), []],
  'that this one only calls': [free(env({ UPSTREAM: 'http://x:8080' }), ports(8080)), []],
  'that this one calls on the loopback': [free(env({ URL: 'http://127.0.0.1:8080' }), ports(8080)), []],
  'that two settings have': [free(env({ PORT: '8080', P: '8080' }), ports(8080)), []],
  'without a number': [free(env({ PORT: ':' }), ports(8080), ''), []],
});
for (const name of ['UPSTREAM', 'BACKEND', 'TARGET', 'PROXY_PASS', 'proxy-to', 'ORIGIN', 'REMOTE'])
  test(`${name} is called`, () =>
    assert.equal(
      free({ ...env({ [name]: 'x:8080', PORT: '8080' }) }, ports(8080)).map(({ changes }) => changes[0]?.path),
      ['spec.containers[0].env[1].value'],
    ));

const own = (image: string, line: string, more: object = {}) => ownAddress(anInput({ image, ...more }), line);
const NO_IP = 'no private IP address found';
const POD_IP = { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } };
rows('no address of its own', {
  'for Alertmanager': [
    own('prom/alertmanager:1', NO_IP, { args: ['x'] }),
    likely({ env: [POD_IP], 'args[1]': '--cluster.advertise-address=$(POD_IP):9094' }),
  ],
  'for Loki': [own('grafana/loki:1', NO_IP, { args: [] }), likely({ env: [POD_IP], 'args[0]': '-memberlist.advertise-addr=$(POD_IP)' })],
  'for Consul, with a variable': [
    own('hashicorp/consul:1', NO_IP, { args: ['agent'], env: [{ name: 'X' }, { ...POD_IP, name: 'MY_IP' }] }),
    likely({ 'args[1]': '-advertise=$(MY_IP)' }),
  ],
  'for one that has the option': [own('consul:1', NO_IP, { command: ['consul', '-advertise=1.1.1.1'] }), []],
  'for another image': [own('nginx:1', NO_IP), []],
  'in another line': [own('consul:1', 'no IP'), []],
  'where the variable has another value': [own('consul:1', NO_IP, env({ POD_IP: '1.1.1.1' })), []],
});
for (const line of [
  'no private IP',
  'explicit IP not provided',
  'explicit advertise address not provided',
  'cannot deduce an advertise addr',
  'failed to determine a final advertise address',
  'find a private IP addr',
  'find a bind addr',
  'Multiple private IPv4 addresses found',
])
  test(`no address of its own: ${line}`, () => assert.is(own('consul:1', line).length, 1));
for (const image of ['alertmanager', 'grafana/loki', 'grafana/mimir', 'x/grafana/tempo', 'consul'])
  test(`no address of its own: ${image}`, () => assert.is(own(`${image}:1`, NO_IP).length, 1));

const local = (
  address: string,
  of: CaseParts = services(['db', [5432]]),
  spec: object = {},
  container: object = env({ DB: 'localhost', E: 'http://127.0.0.1:5432' }),
) => serviceForOwnHost(anInput(container, spec, { labels: LABELS, ...of }), address);
const beside = (other: object) => ({
  containers: [
    { name: 'app', image: 'a', ...env({ DB: 'localhost' }) },
    { name: 'side', ...other },
  ],
});
rows('the own pod in place of a server', {
  'is the only Service with the port': [local('localhost:5432'), likely({ 'env[0].value': 'db', 'env[1].value': 'http://db:5432' })],
  'by its address': [local('127.0.0.1:5432'), likely({ 'env[0].value': 'db', 'env[1].value': 'http://db:5432' })],
  'by its address of version 6': [local('[::1]:5432'), likely({ 'env[0].value': 'db', 'env[1].value': 'http://db:5432' })],
  'of two Services': [local('localhost:5432', services(['db', [5432]], ['pg', [5432]])), []],
  'of the pod itself': [local('localhost:5432', services(['db', [5432], LABELS])), []],
  'with another port': [local('localhost:80'), []],
  'is no own pod': [local('db:5432'), []],
  'has the port in another container': [local('localhost:5432', undefined, beside(ports(5432))), []],
  'may have the port in another container': [local('localhost:5432', undefined, beside({})), []],
  'has other ports in another container': [local('localhost:5432', undefined, beside(ports(80))), likely({ 'env[0].value': 'db' })],
});

const secret = (...all: string[]) => all.map((name) => ({ name, valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }));
const pass = (all: object[], more: object = {}) => passwordInAddress(anInput({ env: all, ...more }), /redis/i);
const ADDRESS = { name: 'REDIS_URL', value: 'redis://cache:6379/0' };
rows('an address without its password', {
  'gets the variable': [
    pass([...secret('REDIS_PASSWORD', 'DB_PASSWORD'), ADDRESS]),
    likely({ 'env[2].value': 'redis://:$(REDIS_PASSWORD)@cache:6379/0' }),
  ],
  'that comes later': [
    pass([ADDRESS, ...secret('REDIS_PASSWORD')]),
    likely({ 'env[0]': secret('REDIS_PASSWORD')[0], 'env[1]': { name: 'REDIS_URL', value: 'redis://:$(REDIS_PASSWORD)@cache:6379/0' } }),
  ],
  'that comes later, behind a variable with the address': [
    pass([ADDRESS, { name: 'COPY', value: '$(REDIS_URL)' }, ...secret('REDIS_PASSWORD')]),
    [],
  ],
  'in an argument': [
    pass(secret('REDIS_PASS'), { args: ['--redis=redis://cache:6379'] }),
    likely({ 'args[0]': '--redis=redis://:$(REDIS_PASS)@cache:6379' }),
  ],
  'that has one': [pass([...secret('REDIS_PASSWORD'), { name: 'REDIS_URL', value: 'redis://u:p@cache:6379' }]), []],
  'of two': [pass([...secret('REDIS_PASSWORD'), ADDRESS, { name: 'REDIS_2', value: 'redis://b:6379' }]), []],
  'with two passwords': [pass([...secret('REDIS_PASSWORD', 'REDIS_PASSWD'), ADDRESS]), []],
  'without a password': [pass([...secret('REDIS_USER'), ADDRESS]), []],
  'of another kind': [pass([...secret('REDIS_PASSWORD'), { name: 'DB', value: 'pg://b:6379' }]), []],
});

test('ports for administrators', () => {
  for (const [value, line, wanted] of [
    ['http://otel-collector:4318', 'error reading server preface: http2: frame too large', 'http://otel-collector:4317'],
    ['http://tempo:4317', 'malformed HTTP response', 'http://tempo:4318'],
    ['http://jaeger:4317', 'malformed HTTP version', 'http://jaeger:4318'],
    ['http://alloy:4317', 'Received HTTP/0.9 when not allowed', 'http://alloy:4318'],
    ['amqp://mq:15672', 'EOF', 'amqp://mq:5672'],
    ['mongodb://m:28017/x', 'EOF', 'mongodb://m:27017/x'],
    ['nats://n:8222', 'EOF', 'nats://n:4222'],
    ['http://elastic:9300', 'EOF', 'http://elastic:9200'],
    ['http://opensearch:9300', 'EOF', 'http://opensearch:9200'],
    ['https://vault:8201', 'EOF', 'https://vault:8200'],
    ['http://etcd:2380', 'EOF', 'http://etcd:2379'],
    ['pulsar://p:8080', 'EOF', 'pulsar://p:6650'],
    ['redis://r:16379', 'EOF', 'redis://r:6379'],
    ['rediss://r:26379', 'EOF', 'rediss://r:6379'],
    ['http://otel:4318', 'EOF', undefined],
    ['x-amqp://mq:15672', 'EOF', undefined],
    ['amqp://mq:156720', 'EOF', undefined],
    ['x:nats://n:8222', 'EOF', undefined],
  ] as const) {
    const found = clientPort(anInput(env({ A: 'x', U: value })), line);
    assert.equal(found && [found.name, inShort([found.correction])], wanted && ['U', likely({ 'env[1].value': wanted })], value);
    if (found) assert.match(value, `:${found.port}`);
  }
});

const scheme = (values: Record<string, string>, line: string, of: CaseParts = services(['cache', [6379]], ['web', [80]])) =>
  withScheme(anInput(env(values), {}, of), line);
rows('an address without a scheme', {
  'by its port': [scheme({ A: 'x', U: 'cache:6379' }, 'invalid URL'), likely({ 'env[1].value': 'redis://cache:6379' })],
  'by the line': [scheme({ U: 'cache:6379' }, 'want rediss://'), likely({ 'env[0].value': 'rediss://cache:6379' })],
  'of a port that says nothing': [scheme({ U: 'web:80' }, 'invalid URL'), likely({ 'env[0].value': 'http://web:80' })],
  'of a host on the internet': [
    scheme({ API_URL: 'api.example.com/v1' }, 'invalid URL'),
    guess({ 'env[0].value': 'https://api.example.com/v1' }),
  ],
  'with a port that the Service lacks': [scheme({ U: 'web:81' }, 'invalid URL'), guess({ 'env[0].value': 'http://web:81' })],
  everywhere: [
    scheme({ U: 'web:80', V: 'web:80' }, 'invalid URL'),
    likely({ 'env[0].value': 'http://web:80', 'env[1].value': 'http://web:80' }),
  ],
  'of two': [scheme({ U: 'web:80', V: 'cache:6379' }, 'invalid URL'), []],
  'of two, one of which the line names': [
    scheme({ U: 'web:80', V: 'cache:6379' }, 'invalid URL web:80'),
    likely({ 'env[0].value': 'http://web:80' }),
  ],
  'where the line quotes another': [scheme({ U: 'web:80' }, 'invalid URL "other"'), []],
  'on which it listens': [scheme({ U: '0.0.0.0:80' }, 'invalid URL'), []],
  'that is a number': [scheme({ U: '8080' }, 'invalid URL 8080'), []],
  'in the setting that the line names': [
    scheme({ SERVICE: 'api.example.com', OTHER: 'b.example.com' }, 'SERVICE is bad'),
    guess({ 'env[0].value': 'https://api.example.com' }),
  ],
  'in no setting of a URL': [scheme({ SERVICE: 'api.example.com' }, 'invalid URL'), []],
});
for (const [port, name] of Object.entries({
  443: 'https',
  8443: 'https',
  6379: 'redis',
  5672: 'amqp',
  27017: 'mongodb',
  4222: 'nats',
  5432: 'postgresql',
  3306: 'mysql',
}))
  test(`port ${port} is one of ${name}`, () =>
    assert.equal(inShort(scheme({ U: `x:${port}` }, 'invalid')?.corrections), guess({ 'env[0].value': `${name}://x:${port}` })));
test('an option keeps its name before the scheme', () =>
  assert.equal(
    inShort(withScheme(anInput({ args: ['--redis=cache:6379'] }, {}, services(['cache', [6379]])), 'invalid')?.corrections),
    likely({ 'args[0]': '--redis=redis://cache:6379' }),
  ));

const SCHEMES_SAID = 'Redis URL must specify one of redis://, rediss://, unix://';
rows('another scheme', {
  'of the only address': [
    otherScheme(anInput(env({ A: 'x', U: 'tcp://cache:6379' })), SCHEMES_SAID),
    likely({ 'env[1].value': 'redis://cache:6379' }),
  ],
  'of the address whose setting is named so': [
    otherScheme(anInput(env({ U: 'tcp://x:1', REDIS: 'tcp://cache:6379' })), SCHEMES_SAID),
    likely({ 'env[1].value': 'redis://cache:6379' }),
  ],
  'of one of two': [otherScheme(anInput(env({ U: 'tcp://x:1', V: 'tcp://cache:6379' })), SCHEMES_SAID), []],
  'that it takes': [otherScheme(anInput(env({ U: 'rediss://cache:6379' })), SCHEMES_SAID), []],
  'that the line does not say': [otherScheme(anInput(env({ U: 'tcp://cache:6379' })), 'bad scheme'), []],
});
for (const [wrong, right] of Object.entries({
  rabbitmq: 'amqp',
  rabbit: 'amqp',
  mongo: 'mongodb',
  psql: 'postgresql',
  pg: 'postgresql',
  elastic: 'http',
  elasticsearch: 'http',
  memcache: 'memcached',
}))
  test(`the scheme ${wrong}`, () => {
    const found = madeUpScheme(anInput(env({ A: 'x', U: `${wrong}://h:1` })));
    assert.equal([found?.address, inShort(found?.corrections)], [`U: ${wrong}://`, likely({ 'env[1].value': `${right}://h:1` })]);
    assert.is(madeUpScheme(anInput(env({ A: `${wrong}://x`, U: `${wrong}://h:1` }))), undefined);
    assert.is(madeUpScheme(anInput(env({ A: `${right}://x` }))), undefined);
  });
rows('the scheme of the web for another server', {
  'by its port': [schemeOfPort(anInput(env({ A: 'x', U: 'http://mq:5672/v' }))), likely({ 'env[1].value': 'amqp://mq:5672/v' })],
  'over TCP': [schemeOfPort(anInput(env({ U: 'tcp://u:$(P)@n:4222' }))), likely({ 'env[0].value': 'nats://u:$(P)@n:4222' })],
  'over UDP': [schemeOfPort(anInput(env({ U: 'udp://n:4222' }))), likely({ 'env[0].value': 'nats://n:4222' })],
  'of the web': [schemeOfPort(anInput(env({ U: 'http://n:443' }))), []],
  'of any port': [schemeOfPort(anInput(env({ U: 'http://n:80' }))), []],
  'of two': [schemeOfPort(anInput(env({ U: 'http://n:4222', V: 'http://mq:5672' }))), []],
  'that is one': [schemeOfPort(anInput(env({ U: 'amqp://n:4222' }))), []],
});
rows('the scheme of a driver', {
  'of Python': [
    driversScheme(anInput(env({ A: 'x', U: 'postgres://u:p@db/x' })), "Can't load plugin: sqlalchemy.dialects:postgres"),
    likely({ 'env[1].value': 'postgresql://u:p@db/x' }),
  ],
  'of Java with a user': [
    driversScheme(anInput(env({ U: 'postgres://u:p@db/x' })), 'No suitable driver'),
    guess({ 'env[0].value': 'jdbc:postgresql://u:p@db/x' }),
  ],
  'of Java': [driversScheme(anInput(env({ U: 'mysql://db/x' })), 'provided URL is bad'), likely({ 'env[0].value': 'jdbc:mysql://db/x' })],
  'of Java, MariaDB': [driversScheme(anInput(env({ U: 'mariadb://db/x' })), 'jdbc'), likely({ 'env[0].value': 'jdbc:mariadb://db/x' })],
  'of Java, SQL Server': [
    driversScheme(anInput(env({ U: 'sqlserver://db/x' })), 'Cannot find database driver'),
    likely({ 'env[0].value': 'jdbc:sqlserver://db/x' }),
  ],
  'of Java, half of it': [
    driversScheme(anInput(env({ U: 'jdbc:postgres://db/x' })), 'jdbc'),
    likely({ 'env[0].value': 'jdbc:postgresql://db/x' }),
  ],
  'of Python, another server': [driversScheme(anInput(env({ U: 'mysql://db/x' })), 'x'), []],
  'of two': [driversScheme(anInput(env({ U: 'postgres://db/x', V: 'postgres://db/x' })), 'x'), []],
});
test('the address of a driver is shown without its user', () =>
  assert.is(driversScheme(anInput(env({ U: 'postgres://u:p@db/x' })), 'x')?.address, 'postgres://db/x'));

const sibling = (address: string, others: object[], container: object = env({ A: '1', DB: 'http://127.0.0.1:5432/x' }), logs = '') =>
  siblingPort(anInput({}, { containers: [{ name: 'app', image: 'a', ...container }, ...others] }, { logs }), address);
const USED = likely({ 'env[1].value': 'http://127.0.0.1:5433/x' });
rows('the port of a sidecar', {
  'that it declares': [sibling('127.0.0.1:5432', [{ name: 'side', ...ports(5433) }]), USED],
  'that it has as an option': [sibling('localhost:5432', [{ name: 'side', args: ['--port=5433'], ...ports(1, 2) }]), USED],
  'that its log says': [
    sibling(
      '[::1]:5432',
      [
        { name: 'side', ...ports(9) },
        { name: 'more', ...ports(8) },
      ],
      undefined,
      '==> side (current) <==\nListening on 127.0.0.1:5433\n',
    ),
    USED,
  ],
  'that one of two says': [
    sibling('127.0.0.1:5432', [
      { name: 'side', args: ['-p=5433'] },
      { name: 'other', ...ports(7) },
    ]),
    USED,
  ],
  'of an init container': [
    siblingPort(
      anInput(env({ A: '1', DB: 'http://127.0.0.1:5432/x' }), { initContainers: [{ name: 'side', ...ports(5433) }] }),
      '127.0.0.1:5432',
    ),
    USED,
  ],
  'that two declare': [
    sibling('127.0.0.1:5432', [
      { name: 'side', ...ports(5433) },
      { name: 'b', ...ports(7) },
    ]),
    [],
  ],
  'that is one of two it declares': [sibling('127.0.0.1:5432', [{ name: 'side', ...ports(5433, 1) }]), []],
  'that is one of two options': [sibling('127.0.0.1:5432', [{ name: 'side', args: ['--port=5433', '--listen-port=5434'] }]), []],
  'that is the same': [sibling('127.0.0.1:5432', [{ name: 'side', ...ports(5432) }]), []],
  'of another host': [sibling('db:5432', [{ name: 'side', ...ports(5433) }]), []],
  'that two settings have': [sibling('127.0.0.1:5432', [{ name: 'side', ...ports(5433) }], env({ A: '5432', DB: 'x:5432' })), []],
  'that no setting has': [sibling('127.0.0.1:5432', [{ name: 'side', ...ports(5433) }], env({ A: 'x' })), []],
  'that a setting has alone': [
    sibling('127.0.0.1:5432', [{ name: 'side', ...ports(5433) }], env({ DB_PORT: '5432' })),
    likely({ 'env[0].value': '5433' }),
  ],
});

const tls = (value: Record<string, string>, isSpoken: boolean, line = 'x') =>
  otherTls(anInput(env(value), {}, services(['web', [80]], ['cache', [1]])), line, isSpoken);
for (const [secure, open] of [
  ['https', 'http'],
  ['rediss', 'redis'],
  ['amqps', 'amqp'],
  ['mqtts', 'mqtt'],
  ['wss', 'ws'],
] as const)
  test(`${secure} and ${open}`, () => {
    assert.equal(
      inShort(tls({ A: 'x', U: `${secure}://u:p@web:80/a` }, true)?.corrections),
      likely({ 'env[1].value': `${open}://u:p@web:80/a` }),
    );
    assert.equal(inShort(tls({ U: `${open}://web.shop/a` }, false)?.corrections), likely({ 'env[0].value': `${secure}://web.shop/a` }));
    assert.equal(
      [tls({ U: `${open}://web` }, true), tls({ U: `${secure}://web` }, false), tls({ U: `${secure}://example.com` }, true)],
      [undefined, undefined, undefined],
    );
  });
rows('TLS', {
  'of one of two that the line names': [
    tls({ U: 'https://web', V: 'rediss://cache' }, true, 'cache: no TLS'),
    likely({ 'env[1].value': 'redis://cache' }),
  ],
  'of two': [tls({ U: 'https://web', V: 'rediss://cache' }, true), []],
  'of one address in two settings': [
    tls({ U: 'https://web', V: 'https://web/x' }, true),
    likely({ 'env[0].value': 'http://web', 'env[1].value': 'http://web/x' }),
  ],
});
const PG = 'postgres://db/x';
rows('a database without TLS', {
  'by its setting': [
    withoutPostgresTls(anInput(env({ A: 'x', DB_SSLMODE: 'require', DB_SSL_MODE: 'disable' }))),
    likely({ 'env[1].value': 'disable' }),
  ],
  'by its address': [
    withoutPostgresTls(anInput(env({ U: `${PG}?sslmode=verify-full&a=b`, V: `${PG}?sslmode=disable` }))),
    likely({ 'env[0].value': `${PG}?sslmode=disable&a=b` }),
  ],
  'by a new word of its address': [withoutPostgresTls(anInput(env({ U: PG }))), likely({ 'env[0].value': `${PG}?sslmode=disable` })],
  'by one more word of its address': [
    withoutPostgresTls(anInput(env({ U: `${PG}?a=b` }))),
    likely({ 'env[0].value': `${PG}?a=b&sslmode=disable` }),
  ],
  'of two addresses': [withoutPostgresTls(anInput(env({ U: PG, V: PG }))), []],
  'by a new variable': [withoutPostgresTls(anInput(env({ PGHOST: 'db' }))), likely({ 'env[1]': { name: 'PGSSLMODE', value: 'disable' } })],
  'of which nothing is known': [withoutPostgresTls(anInput(env({ A: 'x' }))), []],
});
rows('a database with TLS only', {
  'by its setting': [withPostgresTls(anInput(env({ A: 'x', PGSSLMODE: 'disable ' }))), likely({ 'env[1].value': 'require' })],
  'by its address': [withPostgresTls(anInput(env({ U: `${PG}?sslmode=disable` }))), likely({ 'env[0].value': `${PG}?sslmode=require` })],
  'that has it': [withPostgresTls(anInput(env({ U: `${PG}?sslmode=require`, PGSSLMODE: 'prefer' }))), []],
});
rows('.NET without a certificate', {
  'by its option': [
    withoutHttps(anInput({ args: ['x', '--urls=https://+:443;http://+:80'], ...env({ ASPNETCORE_URLS: 'https://+:1' }) })),
    likely({ 'args[1]': '--urls=http://+:80' }),
  ],
  'by its variable': [
    withoutHttps(anInput(env({ A: 'x', DOTNET_URLS: 'https://+:443; http://+:80;http://+:81', ASPNETCORE_HTTPS_PORTS: '1' }))),
    likely({ 'env[1].value': 'http://+:80;http://+:81' }),
  ],
  'with HTTPS alone': [
    withoutHttps(anInput(env({ ASPNETCORE_URLS: 'https://+:443;https://+:444' }))),
    guess({ 'env[0].value': 'http://+:443;http://+:444' }),
  ],
  'with HTTP alone': [withoutHttps(anInput(env({ ASPNETCORE_URLS: 'http://+:80' }))), []],
  'by its port': [withoutHttps(anInput(env({ A: 'x', DOTNET_HTTPS_PORT: '443' }))), likely({ 'env[1]': null })],
  'by its ports': [withoutHttps(anInput(env({ ASPNETCORE_HTTPS_PORTS: '443' }))), likely({ 'env[0]': null })],
  'of which nothing is known': [withoutHttps(anInput(env({ A: 'x' }))), []],
});

test.run();
