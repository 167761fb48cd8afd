import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Surroundings } from '../../../../src/diagnosis/case.ts';
import {
  credentialsOfServer,
  nameOfServer,
  type NamedThing,
  otherNameOf,
  ownVhost,
} from '../../../../src/diagnosis/corrections/settings/server-name.ts';
import { anInput } from '../../../support/builders/cases.ts';
import { correctionRows, env, inWords, likely, NO_MIRROR } from '../../../support/builders/corrections.ts';

const test = suite('names that a server has');
const rows = correctionRows(test);

type Server = Partial<NonNullable<Surroundings['servers']>[number]>;
/** A server behind each Service of the same name. */
const servers = (all: Record<string, Server>): Surroundings => ({
  services: Object.keys(all).map((name) => ({ name, selector: { app: name } })),
  servers: Object.entries(all).map(([name, one]) => ({ labels: { app: name }, names: {}, ...one })),
});
const settings = (...all: [object: string, key: string, value: string][]): Surroundings => ({
  settings: all.map(([object, key, value]) => ({ object, key, value })),
});

const name = (
  thing: NamedThing,
  wrong: string | undefined,
  all: Record<string, string>,
  surroundings: Surroundings = {},
  spec: object = {},
) => nameOfServer(anInput(env(all), spec, { surroundings }), thing, wrong);
const DB = servers({ db: { names: { database: 'shop', user: 'owner', vhost: 'v1' } } });
rows('the name that the server was set up with', {
  'in a setting': [name('database', 'shp', { HOST: 'db', DB_NAME: 'shp' }, DB), likely({ 'env[1].value': 'shop' })],
  'that the line does not say': [name('database', undefined, { HOST: 'db', DB_NAME: 'shp' }, DB), likely({ 'env[1].value': 'shop' })],
  'in an address, which stays': [
    name('database', 'shp', { U: 'pg://u:p@db:1/shp?a=b' }, DB),
    likely({ 'env[0].value': 'pg://u:p@db:1/shop?a=b' }),
  ],
  'that the line does not say, in an address': [
    name('database', undefined, { U: 'pg://u:p@db:1/shp?a=b' }, DB),
    likely({ 'env[0].value': 'pg://u:p@db:1/shop?a=b' }),
  ],
  'in an address where it is only part of the name': [name('database', 'shp', { U: 'pg://db/shp-1' }, DB), []],
  'with a point in the wrong one': [name('database', 's.p', { HOST: 'db', U: 'pg://db/sxp' }, DB), []],
  'of a Service called with its namespace': [
    name('database', 'shp', { HOST: 'db.shop.svc:5432', DB: 'shp' }, DB),
    likely({ 'env[1].value': 'shop' }),
  ],
  'of a Service whose name is part of another': [name('database', 'shp', { HOST: 'my-db', B: 'db-1', DB: 'shp' }, DB), []],
  'of one of two servers that differ': [
    name(
      'database',
      'shp',
      { A: 'db', B: 'pg', DB: 'shp' },
      servers({ db: { names: { database: 'a' } }, pg: { names: { database: 'b' } } }),
    ),
    [],
  ],
  'of two servers that agree': [
    name(
      'database',
      'shp',
      { A: 'db', B: 'pg', DB: 'shp' },
      servers({ db: { names: { database: 'a' } }, pg: { names: { database: 'a' } } }),
    ),
    likely({ 'env[2].value': 'a' }),
  ],
  'before what a ConfigMap shows': [
    name('database', 'shp', { HOST: 'db', DB: 'shp' }, { ...DB, ...settings(['c', 'POSTGRES_DB', 'other']) }),
    likely({ 'env[1].value': 'shop' }),
  ],
});
test('a name that the server has', () => {
  const found = name('user', 'me', { HOST: 'db', DB_USER: 'me' }, DB);
  assert.equal([found?.name, found?.wrong], ['DB_USER', 'me']);
  assert.equal(otherNameOf(anInput(env({ DB_USER: 'me' })), 'user', 'you'), []);
  assert.is(nameOfServer(anInput({}, {}, { manifest: 'x' }), 'user', 'me'), undefined);
  for (const [thing, variable, word, to] of [
    ['database', 'DB', 'database', 'shop'],
    ['user', 'DB_USER', 'user', 'owner'],
    ['vhost', 'VHOST', 'virtual host', 'v1'],
  ] as const)
    assert.equal(
      inWords(name(thing, 'abc', { HOST: 'db', [variable]: 'abc' }, DB)?.corrections[0]),
      [`Use the ${word} \`${to}\``, `The server has no ${word} \`abc\`.`, `the server was set up with \`${to}\``],
      thing,
    );
  for (const thing of ['bucket', 'realm', 'topic'] as const)
    assert.is(
      name(thing, 'abc', { [thing.toUpperCase()]: 'abc' }, settings(['c', thing.toUpperCase(), 'abd']))?.corrections[0]?.title,
      `Use the ${thing} \`abd\``,
    );
});

const SQL = (...names: string[]) => names.map((one) => `CREATE DATABASE ${one};`).join('\n');
rows('the name that a ConfigMap shows', {
  alone: [
    name('database', 'abc', { DB: 'abc' }, settings(['c', 'x', 'y'], ['c', 'init.sql', SQL('zzz')])),
    likely({ 'env[0].value': 'zzz' }),
  ],
  'beside a near one': [
    name('database', 'shp', { DB: 'shp' }, settings(['c', 'x', SQL('zzz', 'shop')])),
    likely({ 'env[0].value': 'shop' }),
  ],
  'beside two near ones': [name('database', 'abc', { DB: 'abc' }, settings(['c', 'x', SQL('abd', 'abe')])), []],
  'which is the wrong one': [name('database', 'abc', { DB: 'abc' }, settings(['c', 'x', SQL('abc', 'abd')])), []],
  'as a value that is no name': [name('bucket', 'abc', { BUCKET: 'abc' }, settings(['c', 'BUCKET', 'a b'])), []],
  'under the name of a client’s setting': [name('database', 'abc', { DB: 'abc' }, settings(['c', 'DB_NAME', 'abd'])), []],
});
test('the name that a ConfigMap shows, in words', () =>
  assert.is(
    name('database', 'abc', { DB: 'abc' }, settings(['first', 'x', SQL('abd')], ['second', 'x', SQL('abd')]))?.corrections[0]?.changes[0]
      ?.why,
    'ConfigMap `first` has `abd`',
  ));

const others = (thing: NamedThing, wrong: string, all: Record<string, string>, ...more: Record<string, string>[]) =>
  name(
    thing,
    wrong,
    {},
    {},
    {
      initContainers: more.slice(1).map((one, at) => ({ name: `i${at}`, ...env(one) })),
      containers: [{ name: 'app', image: 'a', ...env(all) }, ...more.slice(0, 1).map((one) => ({ name: 'side', image: 'a', ...env(one) }))],
    },
  );
rows('the name that another container has', {
  'in the same setting': [others('topic', 'abc', { TOPIC: 'abc' }, { X: 'no', TOPIC: 'orders' }), likely({ 'env[0].value': 'orders' })],
  'in the same setting of two': [
    others('topic', 'abc', { TOPIC: 'abc' }, { TOPIC: 'abc' }, { TOPIC: 'orders' }),
    likely({ 'env[0].value': 'orders' }),
  ],
  'in the same setting of two, otherwise': [others('topic', 'abc', { TOPIC: 'abc' }, { TOPIC: 'bills' }, { TOPIC: 'orders' }), []],
  'in another setting': [others('topic', 'abc', { TOPIC: 'abc' }, { TOPICS: 'orders' }), []],
  'in an address of the same server': [
    others('database', 'abc', { U: 'pg://db:1/abc' }, { V: 'pg://u:p@db:1/shop?x=y' }),
    likely({ 'env[0].value': 'pg://db:1/shop' }),
  ],
  'in an address of another port': [others('database', 'abc', { U: 'pg://db:1/abc' }, { V: 'pg://db:2/shop' }), []],
  'in an address without a name': [others('database', 'abc', { U: 'pg://db:1/abc' }, { V: 'pg://db:1/' }), []],
  'in an address, of a user': [others('user', 'abc', { U: 'pg://abc@db:1/x' }, { V: 'pg://abd@db:1/x' }), []],
});
test('the name that another container has, in words', () =>
  assert.is(
    others('topic', 'abc', { TOPIC: 'abc' }, { TOPIC: 'orders' })?.corrections[0]?.changes[0]?.why,
    'another container of the pod has `orders` there',
  ));

const own = (value: string, more: Record<string, string> = {}) => name('vhost', 'ordrs', { U: value, ...more });
rows('the name of the user', {
  'in the same address': [own('amqp://orders:p@mq/ordrs'), likely({ 'env[0].value': 'amqp://orders:p@mq/orders' })],
  'without a password': [own('amqp://orders@mq/ordrs'), likely({ 'env[0].value': 'amqp://orders@mq/orders' })],
  'that is another word': [own('amqp://guest:p@mq/ordrs'), []],
  'in another address': [own('amqp://mq/ordrs', { V: 'amqp://orders@mq' }), []],
});
test('the name of the user, in words', () =>
  assert.is(own('amqp://orders@mq/ordrs')?.corrections[0]?.changes[0]?.why, 'its user is called so'));

const MQ = servers({ mq: { names: { vhost: 'v1' } } });
const vhost = (all: Record<string, string>, surroundings: Surroundings = MQ) => ownVhost(anInput(env(all), {}, { surroundings }));
rows('an address without a virtual host', {
  'gets that of the server': [vhost({ X: 'y', U: 'amqp://u:p@mq:5672' }), likely({ 'env[1].value': 'amqp://u:p@mq:5672/v1' })],
  'with a slash': [vhost({ U: 'amqp://u:p@mq:5672/' }), likely({ 'env[0].value': 'amqp://u:p@mq:5672/v1' })],
  'with two slashes': [vhost({ U: 'amqps://mq//' }), likely({ 'env[0].value': 'amqps://mq/v1' })],
  'with an encoded slash': [vhost({ U: 'amqp://mq/%2F' }), likely({ 'env[0].value': 'amqp://mq/v1' })],
  'that has one': [vhost({ U: 'amqp://mq/v2' }), []],
  'of another protocol': [vhost({ U: 'http://mq/' }), []],
  twice: [vhost({ U: 'amqp://mq', V: 'amqp://mq' }), []],
  'of a server with the usual one': [vhost({ U: 'amqp://mq' }, servers({ mq: { names: { vhost: '/' } } })), []],
  'of an unknown server': [vhost({ U: 'amqp://mq' }, {}), []],
  'without a manifest': [ownVhost(anInput({}, {}, { manifest: 'x' })), []],
});
test('an address without a virtual host, in words', () =>
  assert.equal(inWords(vhost({ U: 'amqp://mq' })[0]), [
    'Use the virtual host `v1`',
    'An address without a virtual host means `/`, which this user has no right to use.',
    'the server was set up with `v1`',
  ]));

const secret = (variable: string, from: string, key: string) => ({ name: variable, valueFrom: { secretKeyRef: { name: from, key } } });
const PG: Server = { names: { user: 'owner' }, password: { secret: 'pg', key: 'pw' } };
const login = (variables: object[], user: string | undefined, all: Record<string, Server> = { db: PG }) =>
  credentialsOfServer(anInput({ env: [{ name: 'HOST', value: 'db two' }, ...variables] }, {}, { surroundings: servers(all) }), user);
const OTHER = secret('DB_PASS', 'other', 'k');
const SAME = secret('DB_PWD', 'pg', 'pw');
const TAKEN = likely({ 'env[1].valueFrom.secretKeyRef.name': 'pg', 'env[1].valueFrom.secretKeyRef.key': 'pw' }, NO_MIRROR);
const FROM: Server = { ...PG, names: {}, userFrom: { secret: 'pg', key: 'user' } };
rows('a refused login', {
  'with another password': [login([OTHER], 'owner'), TAKEN],
  'of an unknown user': [login([OTHER], undefined), TAKEN],
  'at a server with an unknown user': [login([OTHER], 'anyone', { db: { ...PG, names: {} } }), TAKEN],
  'beside a server without a password': [login([OTHER], 'owner', { two: { names: { user: 'owner' } }, db: PG }), TAKEN],
  'at one of two servers': [login([OTHER], 'owner', { db: PG, two: PG }), []],
  'at the one of two servers with its user': [login([OTHER], 'owner', { db: PG, two: { ...PG, names: { user: 'x' } } }), TAKEN],
  'of another user': [login([OTHER], 'someone'), []],
  'without a password from a Secret': [login([{ name: 'DB_PASS', value: 'x' }], 'owner'), []],
  'with two passwords': [login([OTHER, SAME], 'owner'), []],
  'beside another Secret': [login([OTHER, secret('TOKEN', 'x', 'y')], 'owner'), TAKEN],
  'with the password of the server and another user': [
    login([SAME, { name: 'DB_USER', value: 'me' }], 'me'),
    likely({ 'env[2].value': 'owner' }),
  ],
  'with the password of the server and its user': [login([SAME, { name: 'DB_USER', value: 'owner' }], 'owner'), []],
  'with the password of the server, whose user is in a Secret': [
    login([SAME, { name: 'DB_USERNAME', value: 'me' }], 'me', { db: FROM }),
    likely({ 'env[2]': secret('DB_USERNAME', 'pg', 'user') }, NO_MIRROR),
  ],
  'with two users, where that of the server is in a Secret': [
    login([SAME, { name: 'A_USER', value: 'me' }, { name: 'B_USER', value: 'me' }], 'me', { db: FROM }),
    [],
  ],
  'with a user from elsewhere, where that of the server is in a Secret': [
    login([SAME, { name: 'A_USER', valueFrom: {} }], 'me', { db: FROM }),
    [],
  ],
  'without a manifest': [credentialsOfServer(anInput({}, {}, { manifest: 'x' }), 'owner'), []],
});
test('a refused login, in words', () => {
  assert.equal(inWords(login([OTHER], 'owner')[0]), [
    'Take `DB_PASS` from key `pw` of Secret `pg`',
    'The server takes the password in Secret `pg`, and the container sends another one.',
    'the server itself has its password from there',
    'the server itself has its password from there',
  ]);
  assert.equal(inWords(login([SAME, { name: 'DB_USER', value: 'me' }], 'me', { db: FROM })[0]), [
    'Take `DB_USER` from key `user` of Secret `pg`',
    'The password is that of the server, so the user is another one.',
    'the server itself has its user from there',
  ]);
});

test.run();
