import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { declaredPort, freePort, secondPort, sharedPort } from '../../../../src/diagnosis/corrections/network/other-port.ts';
import { anInput } from '../../../support/builders/cases.ts';
import { correctionRows, env, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('ports on which a container listens');
const rows = correctionRows(test);

const ports = (...all: number[]) => ({ ports: all.map((containerPort) => ({ containerPort })) });
const declared = (all: Record<string, string>, ...to: number[]) => declaredPort(anInput({ ...env(all), ...ports(...to) }));
for (const [value, to] of [
  ['80', '8080'],
  ['1', '8080'],
  ['999', '8080'],
  ['1019', '8080'],
  ['1020', '8080'],
  ['1023', '8080'],
  ['1024', undefined],
  ['1100', undefined],
  [':80', ':8080'],
  ['[::]:443', '[::]:8080'],
  ['http://+:80/x', 'http://+:8080/x'],
  ['a:80,b:80', 'a:8080,b:8080'],
  ['80 ', undefined],
  ['8x', undefined],
] as const)
  test(`a low port in ${value}`, () => assert.is(declared({ PORT: value }, 8080)[0]?.changes[0]?.to, to));
for (const [name, is] of [
  ['WEB_PORT', true],
  ['LISTEN', true],
  ['BIND', true],
  ['ADDR', true],
  ['ASPNETCORE_URLS', true],
  ['listen-address', true],
  ['COUNT', false],
  ['HOST', false],
] as const)
  test(`${name} may hold a port: ${is}`, () => assert.is(declared({ [name]: '80' }, 8080).length, is ? 1 : 0));
test('a low port, in words', () => {
  assert.equal(inWords(declared({ PORT: '80' }, 8080)[0]), [
    'Listen on port `8080`',
    'Every user may open ports from 1024 on, and the container declares port `8080` or its probes ask it.',
    'the container declares port 8080',
  ]);
  assert.equal(declared({ PORT: '80' }, 1023), []);
  assert.equal(declaredPort(anInput({}, {}, { manifest: 'x' })), []);
});

const pod = (own: object, ...others: object[]) =>
  anInput(own, {
    containers: [{ name: 'app', image: 'a', ...own }, ...others.map((one, at) => ({ name: `side${at}`, image: 'a', ...one }))],
  });
const shared = (own: object, ...others: object[]) => sharedPort(pod(own, ...others));
test('the port that two containers have in common', () => {
  assert.is(shared(env({ PORT: '8080' }), ports(8080)), '8080', 'in a declaration');
  assert.is(shared(env({ ADDR: '0.0.0.0:8080' }), { args: ['--addr=:8080'] }), '8080', 'in an option');
  assert.is(shared({ args: ['serve', ':8080'] }, env({ LISTEN: ':8080' })), '8080', 'in words');
  assert.is(shared(env({ A: '8080', B: ':8080' }), ports(8080)), '8080', 'in two settings');
  assert.is(shared(env({ A: '8080', B: '9090' }), ports(8080, 9090)), undefined, 'of two');
  assert.is(shared(env({ A: '8080', B: '9090' }), ports(1), ports(9090)), '9090', 'of the second container');
  assert.is(shared(env({ A: '8080' }), ports(8081)), undefined, 'of none');
  assert.is(shared(env({ A: '8' }), ports(8)), undefined, 'of one digit');
  assert.is(shared(env({ A: '8080/x' }), ports(8080)), undefined, 'with more behind it');
  assert.is(shared(env({ A: '8080', B: '8080' })), undefined, 'with itself');
  assert.is(sharedPort(anInput({}, {}, { manifest: 'x' })), undefined, 'without a manifest');
});

const second = (all: Record<string, string>, line: string) => secondPort(anInput({ ...env(all), ...ports(8080, 9090) }), '8080', line);
for (const word of ['addr', 'address', 'port', 'listen', 'bind', 'host', 'http', 'https', 'server'])
  test(`${word} does not say which listener is meant`, () =>
    assert.is(
      second({ [`A_${word.toUpperCase()}`]: '8080', OTHER: '8080' }, `the ${word} is in use`)[0]?.changes[0]?.path,
      'spec.containers[0].env[1].value',
    ));
test('which listener is meant', () => {
  assert.is(
    second({ GRPC_PORT: '8080', OTHER: '8080' }, 'GRPC is in use')[0]?.changes[0]?.path,
    'spec.containers[0].env[0].value',
    'by four letters',
  );
  assert.is(
    second({ WEB_PORT: '8080', OTHER: '8080' }, 'web is in use')[0]?.changes[0]?.path,
    'spec.containers[0].env[1].value',
    'by three letters',
  );
  const [one] = second({ ADMIN: 'a:8080,b:8080', OTHER: '8080' }, 'admin is in use');
  assert.is(one?.changes[0]?.to, 'a:9090,b:9090');
  assert.equal(inWords(one), [
    'Listen on port `9090`',
    '`ADMIN, OTHER` have the same port.',
    'two settings have port 8080, and the container declares port 9090 too',
  ]);
  assert.equal(secondPort(anInput({}, {}, { container: 'gone' }), '8080', 'x'), []);
});

const free = (own: object, ...others: object[]) => freePort(pod(own, ...others), '8080');
const TCP = (port: number | string) => ({ tcpSocket: { port } });
rows('a port that another container has', {
  'with all that names it': [
    free(
      {
        args: ['--listen=:8080'],
        ...ports(8080, 7000),
        livenessProbe: { httpGet: { port: 8080 } },
        readinessProbe: TCP(8080),
        startupProbe: TCP(7000),
      },
      ports(8080),
    ),
    likely({
      'args[0]': '--listen=:8081',
      'ports[0].containerPort': 8081,
      'livenessProbe.httpGet.port': 8081,
      'readinessProbe.tcpSocket.port': 8081,
    }),
  ],
  'beside one that this container has': [
    free({ ...env({ PORT: '8080' }), ...ports(8080, 8081) }, ports(8080)),
    likely({ 'env[0].value': '8082', 'ports[0].containerPort': 8082 }),
  ],
  'beside two declared ones': [free({ ...env({ PORT: '8080' }), ...ports(9000, 9001) }, ports(8080)), likely({ 'env[0].value': '8081' })],
  'of the second container': [free(env({ PORT: '8080' }), {}, ports(8080)), likely({ 'env[0].value': '8081' })],
  'in an option with a name before it': [
    free(env({ PORT: '8080' }), { command: ['x', '--port=8080'] }),
    likely({ 'env[0].value': '8081' }),
  ],
  'in part of a number': [free(env({ PORT: '18080' }), ports(8080)), []],
});
test('a port that another container has, in words', () => {
  const last = 'The containers of a pod share its ports. Who calls this container by port `8080` must then call';
  assert.equal(inWords(free(env({ PORT: '8080' }), ports(8080))[0]), [
    'Listen on port `8081`',
    `${last} \`8081\`.`,
    'another container of the pod has port 8080',
  ]);
  assert.equal(inWords(free({ ...env({ PORT: '8080' }), ...ports(9000) }, ports(8080))[0]), [
    'Listen on port `9000`',
    `${last} \`9000\`.`,
    'another container of the pod has port 8080, and this one declares port 9000',
  ]);
  assert.equal(freePort(anInput({}, {}, { container: 'gone' }), '8080'), []);
});

test.run();
