import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Surroundings } from '../../../../src/diagnosis/case.ts';
import { otherTls, switchedOn, tlsSwitch, withoutPostgresTls, withPostgresTls } from '../../../../src/diagnosis/corrections/network/tls.ts';
import { anInput, type CaseParts } from '../../../support/builders/cases.ts';
import { correctionRows, env, guess, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('calls with TLS and without it');
const rows = correctionRows(test);

const AGREE = 'Client and server must agree whether they speak TLS.';
const services = (all: Record<string, number[]>): CaseParts => ({
  surroundings: { services: Object.entries(all).map(([name, ports]) => ({ name, ports })) } satisfies Surroundings,
});

const scheme = (all: Record<string, string>, isSpoken: boolean, line = 'x') =>
  otherTls(anInput(env(all), {}, services({ web: [80], cache: [1] })), line, isSpoken);
rows('the scheme of an address', {
  'with an underlined rest': [
    scheme({ U: 'https://u:p@web.shop.svc:8443/a?b=https://x' }, true),
    likely({ 'env[0].value': 'http://u:p@web.shop.svc:8443/a?b=https://x' }),
  ],
  'of the Service that the line names with another port': [
    scheme({ U: 'https://web:80', V: 'https://cache:80' }, true, 'Get web:443: not TLS'),
    likely({ 'env[0].value': 'http://web:80' }),
  ],
  'of two addresses of one Service': [scheme({ U: 'https://web:80', V: 'https://web:81' }, true), []],
  'of two addresses, both in the line': [scheme({ U: 'https://web', V: 'https://cache' }, true, 'web, cache'), []],
  'of no Service': [scheme({ U: 'https://other' }, true), []],
  'of another kind': [scheme({ U: 'ftps://web' }, true), []],
  'without a container': [otherTls(anInput({}, {}, { container: 'gone' }), 'x', true)?.corrections, []],
});
test('the scheme of an address, in words', () => {
  const found = scheme({ U: 'https://web:80/x' }, true);
  assert.is(found?.address, 'web:80');
  assert.equal(inWords(found?.corrections[0]), ['Call it with `http://`', AGREE, 'the server at `web:80` speaks no TLS']);
  assert.equal(inWords(scheme({ U: 'redis://cache' }, false)?.corrections[0]), [
    'Call it with `rediss://`',
    AGREE,
    'the server at `cache` speaks TLS only',
  ]);
});

const off = (all: Record<string, string>, of: CaseParts = {}) => tlsSwitch(anInput(env({ A: 'x', ...all }), {}, of));
for (const [name, value, to] of [
  ['DB_SSL', 'true', 'false'],
  ['TLS', 'True', 'False'],
  ['X_SSL_ENABLED', 'yes', 'no'],
  ['X_TLS_ENABLE', 'on', 'off'],
  ['X_SSLON', 'ON', 'OFF'],
  ['USE_SSL', '1', '0'],
  ['ENABLE_TLS', 'true', 'false'],
  ['DB_USE_TLS', 'true', 'false'],
  ['DB_ENABLE_SSL', 'true', 'false'],
  ['KAFKA_SECURITY_PROTOCOL', 'SSL', 'PLAINTEXT'],
  ['SECURITY_PROTOCOL', 'SASL_SSL', 'SASL_PLAINTEXT'],
  ['spring.kafka.security.protocol', 'SSL', 'PLAINTEXT'],
] as const)
  rows('the switch for TLS is turned off', { [`${name}=${value}`]: [off({ [name]: value }), guess({ 'env[1].value': to })] });
for (const [name, value] of [
  ['DB_SSL', 'false'],
  ['DB_SSL', 'required'],
  ['DB_SSL_CERT', 'true'],
  ['REUSESSL', 'true'],
  ['KAFKA_SECURITY_PROTOCOL', 'PLAINTEXT'],
  ['KAFKA_SECURITY_PROTOCOL', 'true'],
  ['KAFKA_PROTOCOL', 'SSL'],
] as const)
  test(`no switch for TLS: ${name}=${value}`, () => assert.is(off({ [name]: value }), undefined));

const both = (address: string, ports: number[], more: Record<string, string> = {}) =>
  off({ DB_SSL: 'true', DB_ADDR: address, ...more }, services({ db: ports }));
for (const [plain, secure] of [
  [80, 443],
  [8080, 8443],
  [9092, 9093],
  [6379, 6380],
  [5672, 5671],
  [389, 636],
  [1883, 8883],
  [2379, 2380],
] as const) {
  test(`port ${secure} is ${plain} with TLS`, () => {
    assert.equal(both(`db.shop:${plain}`, [plain, secure])?.corrections[0]?.changes[0]?.to, `db.shop:${secure}`);
    assert.ok(switchedOn(anInput(env({ DB_SSL: 'false', DB_ADDR: `db:${secure}` })), 'EOF'));
    assert.is(switchedOn(anInput(env({ DB_SSL: 'false', DB_ADDR: `db:${plain}` })), 'EOF'), undefined);
  });
}
const SWITCHED = guess({ 'env[1].value': 'false' });
rows('the port with TLS of a Service', {
  'is called': [both('db:9092', [9092, 9093]), guess({ 'env[2].value': 'db:9093' })],
  'that has none': [both('db:9092', [9092]), SWITCHED],
  'that is another': [both('cache:9092', [9092, 9093]), SWITCHED],
  'from a port without such': [both('db:7000', [7000, 9093]), SWITCHED],
  'in an address with a scheme': [both('http://db:9092', [9092, 9093]), SWITCHED],
  'of two settings': [both('db:9092', [9092, 9093], { DB_OTHER: 'db:9092' }), SWITCHED],
  'of a setting of another owner': [off({ DB_SSL: 'true', MQ_ADDR: 'db:9092' }, services({ db: [9092, 9093] })), SWITCHED],
  'with two switches': [both('db:9092', [9092, 9093], { MQ_SSL: 'true' }), []],
  'without a manifest': [tlsSwitch(anInput({}, {}, { manifest: 'x' }))?.corrections, []],
});
test('a switch for TLS, in words', () => {
  const called = both('db:9092', [9092, 9093]);
  assert.is(called?.address, 'DB_SSL (DB_ADDR=db:9092)');
  assert.equal(inWords(called?.corrections[0]), [
    'Call port `9093`',
    AGREE,
    'port 9092 of the Service has no TLS, and it has port 9093 too',
  ]);
  const turned = off({ DB_SSL: 'true' });
  assert.is(turned?.address, 'DB_SSL');
  assert.equal(inWords(turned?.corrections[0]), ['Set `DB_SSL` to `false`', AGREE, 'the server speaks no TLS']);
});

const on = (all: Record<string, string>, line = 'unexpected EOF') => switchedOn(anInput(env(all)), line);
const PLAIN = { MQ_X: 'y', DB_SSL: 'false', DB_ADDR: 'db:9093' };
rows('the switch for TLS is turned on', {
  'for a port with TLS': [on(PLAIN), guess({ 'env[1].value': 'true' })],
  'as a number': [on({ DB_SSL: '0', DB_ADDR: 'db:9093' }), guess({ 'env[0].value': '1' })],
  'as a word': [on({ DB_SSL: 'no', DB_ADDR: 'db:9093' }), guess({ 'env[0].value': 'yes' })],
  'for another port': [on({ DB_SSL: 'false', DB_ADDR: 'db:9092' }), []],
  'for a longer port': [on({ DB_SSL: 'false', DB_ADDR: 'db:19093' }), []],
  'for a port of another owner': [on({ DB_SSL: 'false', MQ_ADDR: 'db:9093' }), []],
  'of two': [on({ ...PLAIN, DB_TLS: 'off' }), []],
  'that is on': [on({ DB_SSL: 'true', DB_ADDR: 'db:9093' }), []],
  'of another setting': [on({ DB_SSLMODE: 'false', DB_ADDR: 'db:9093' }), []],
  'where nothing was closed': [on(PLAIN, 'it failed'), []],
  'without a manifest': [switchedOn(anInput({}, {}, { manifest: 'x' }), 'EOF'), []],
});
for (const line of [
  'EOF',
  'read: connection reset by peer',
  'the server closed the connection',
  'closed connection',
  'Connection closed',
  'connection was closed',
  'Disconnected',
  'disconnected',
])
  test(`a closed connection: ${line}`, () => assert.ok(on(PLAIN, line)));
for (const value of ['false', '0', 'no', 'off', 'FALSE'])
  test(`${value} is off`, () => assert.ok(on({ DB_SSL: value, DB_ADDR: 'db:9093' })));
test('a switch for TLS that is turned on, in words', () => {
  assert.is(on(PLAIN)?.name, 'DB_SSL=false (DB_ADDR=db:9093)');
  assert.equal(inWords(on(PLAIN)?.correction), ['Set `DB_SSL` to `true`', AGREE, '`db:9093` is a port with TLS']);
});

const without = (all: Record<string, string>) => withoutPostgresTls(anInput(env(all)));
const wanted = (all: Record<string, string>) => withPostgresTls(anInput(env(all)));
for (const address of ['postgres://db', 'postgresql://db', 'jdbc:postgresql://db', 'postgresql+psycopg2://db'])
  rows('an address of PostgreSQL', { [address]: [without({ U: address }), likely({ 'env[0].value': `${address}?sslmode=disable` })] });
rows('PostgreSQL without TLS', {
  'in a setting before an address': [without({ PGSSLMODE: 'require', U: 'postgres://db' }), likely({ 'env[0].value': 'disable' })],
  'in an address before a variable': [
    without({ PGHOST: 'db', U: 'postgres://db' }),
    likely({ 'env[1].value': 'postgres://db?sslmode=disable' }),
  ],
  'in a list of settings': [
    without({ DSN: 'host=db sslmode=verify-full user=x' }),
    likely({ 'env[0].value': 'host=db sslmode=disable user=x' }),
  ],
  'in an address of another server': [without({ U: 'mysql://db' }), []],
  'without a manifest': [withoutPostgresTls(anInput({}, {}, { manifest: 'x' })), []],
});
rows('PostgreSQL with TLS', {
  'in a list of settings': [
    wanted({ DSN: 'host=db SSLMODE=disable user=x' }),
    likely({ 'env[0].value': 'host=db sslmode=require user=x' }),
  ],
  'in two settings': [
    wanted({ DB_SSL_MODE: 'disable', PGSSLMODE: 'disable' }),
    likely({ 'env[0].value': 'require', 'env[1].value': 'require' }),
  ],
  'in another setting': [wanted({ MODE: 'disable' }), []],
  'where it comes from elsewhere': [withPostgresTls(anInput({ env: [{ name: 'PGSSLMODE', valueFrom: {} }] })), []],
  'without a manifest': [withPostgresTls(anInput({}, {}, { manifest: 'x' })), []],
});
test('PostgreSQL and TLS, in words', () => {
  assert.equal(inWords(without({ U: 'postgres://db' })[0]), [
    'Call the database without TLS',
    'The client wants TLS and the server has none. On a network that others share, give the server a certificate instead.',
    'the server has no TLS',
  ]);
  assert.equal(inWords(wanted({ PGSSLMODE: 'disable' })[0]), [
    'Call the database with TLS',
    '`require` encrypts and does not compare the certificate; `verify-full` does, and needs the CA of the server.',
    'the server refuses calls without TLS',
  ]);
});

test.run();
