import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ofOtherPort, ofServiceVariable, ofSocket } from '../../../../src/diagnosis/rules/setting-behind/servers.ts';
import { explainedLine } from '../../../support/builders/explained.ts';
import { FAULTS, log } from './faults.ts';

const test = suite('a server behind a line');

const link = (text: string, spec: object = {}, parts: object = {}) =>
  ofServiceVariable(explainedLine({ says: 'it failed', spec, parts: { ...log(text), ...parts } }, 'other'));
for (const [text, said = text] of [
  ['Unrecognized setting. No declared setting with name: PORT.7687.TCP.PROTO'],
  ['unrecognised option PORT_5432_TCP_ADDR'],
  ['unknown option PORT_5432_TCP_PORT'],
  ['unknown option PORT_5432_TCP_PROTO'],
  ['Unknown property SERVICE_HOST'],
  ['unknown key shop.service.port'],
  ['No declared option PORT_53_UDP'],
  ['Invalid name PORT.80.TCP'],
  ['Unsupported value PORT_1_TCP'],
  ['PORT_1_TCP is not a valid name, and PORT_2_TCP', 'not a valid name, and PORT_2_TCP'],
  ['No declared setting with name: PORT'],
  ['first line\nit was an unknown SERVICE_PORT', 'unknown SERVICE_PORT'],
] as const)
  test(`a program takes the variable of a Service for a setting: ${text}`, () => {
    assert.is(link(text)?.culprit, `enableServiceLinks: ${said}`);
    assert.is(link(text)?.because, `Kubernetes sets variables for each Service, and the program takes one for a setting: \`${said}\``);
  });
for (const text of [
  'set PORT_1_TCP',
  'unknown name PORT_1_SCTP',
  'unknown PORT_123456_TCP',
  'unknown AIRPORT_1_TCP',
  'unknown host in SHOP_SERVICE_HOST',
  `unknown ${'x'.repeat(130)} PORT_1_TCP`,
  'unknown\nPORT_1_TCP',
  'an unknowable PORT_1_TCP',
])
  test(`this is no variable of a Service: ${text.slice(0, 60)}`, () => assert.is(link(text), undefined));
test('the variables of Services may be off, and a culprit is short', () => {
  const text = `unknown PORT_1_TCP ${'more '.repeat(80)}`;
  assert.is(link(text, { enableServiceLinks: false }), undefined);
  assert.ok(link(text, { enableServiceLinks: true }));
  assert.is(link(text)?.culprit, `enableServiceLinks: unknown PORT_1_TCP ${'more '.repeat(20).slice(0, -1)}`);
  const long = `unknown ${'z'.repeat(100)} ${'x'.repeat(15)} PORT_12345_TCP ${'more '.repeat(80)}`;
  assert.is(link(long)?.culprit?.length, 200);
  assert.match(link(long)?.because ?? '', /: `unknown z{100} x{15} PORT_12345_TCP [more ]*…`$/);
  assert.ok((link(long)?.because.length ?? 0) < 260);
  assert.is(link(text, {}, { manifest: undefined }), undefined, 'without a manifest');
});

for (const words of [
  'handshake failed',
  'Protocol error',
  'unexpected EOF',
  'unexpected response',
  'unexpected packet',
  'unexpected message',
  'unexpected frame',
  'unexpected character',
  'socket closed',
  'connection was closed',
  'connection reset',
  'server closed the connection',
  'closed connection',
  'reset by peer',
  'invalid response',
  'invalid frame',
  'invalid packet',
  'malformed header',
  'bad request',
  'bad response',
  'got HTTP/1.1 400',
  'got HTTP/1.0 404',
  "unknown command 'HELLO' with args",
  'unknown command `HELLO`, with args',
  'no servers available',
  'server preface',
  'frame too large',
])
  test(`a server speaks another protocol: ${words}`, () =>
    assert.ok(ofOtherPort(explainedLine({ ...FAULTS.ofOtherPort, says: words }, 'other'))));
for (const words of ['refused', 'unexpected end', 'door closed', 'invalid name', 'got HTTP/1.1 500', 'unknown command HELLO', 'bad name'])
  test(`a server may speak the same protocol: ${words}`, () =>
    assert.is(ofOtherPort(explainedLine({ ...FAULTS.ofOtherPort, says: words })), undefined));

for (const words of [
  'cannot connect',
  'Connection refused',
  'deadline exceeded',
  'timed out',
  'timeout',
  'time out',
  'dial unix',
  'transport is closing',
  'Unavailable',
  'no such file or directory',
])
  test(`nothing is at a socket: ${words}`, () => assert.ok(ofSocket(explainedLine({ ...FAULTS.ofSocket, says: words }, 'other'))));
test('another line says nothing of a socket', () =>
  assert.is(ofSocket(explainedLine({ ...FAULTS.ofSocket, says: 'it is denied' })), undefined));

test.run();
