import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { betterKey, isCalledLike, keyReferences, oddKey } from '../../../../src/diagnosis/corrections/settings/better-key.ts';
import { knownKeyword } from '../../../../src/diagnosis/corrections/settings/connection-keyword.ts';
import { namedConnectionString } from '../../../../src/diagnosis/corrections/settings/connection-string.ts';
import { entryMeant } from '../../../../src/diagnosis/corrections/settings/entry-of-list.ts';
import { exportedVariables } from '../../../../src/diagnosis/corrections/settings/exported-variables.ts';
import { hostOfImage } from '../../../../src/diagnosis/corrections/settings/host-of-image.ts';
import { asJsonList } from '../../../../src/diagnosis/corrections/settings/json-list.ts';
import { isBrokenJson, repaired } from '../../../../src/diagnosis/corrections/settings/json-value.ts';
import { keyedVariable } from '../../../../src/diagnosis/corrections/settings/key-of-variable.ts';
import { lateReference } from '../../../../src/diagnosis/corrections/settings/late-reference.ts';
import { fromAdmin } from '../../../../src/diagnosis/corrections/settings/mongo-auth-source.ts';
import { namedUnset } from '../../../../src/diagnosis/corrections/settings/named-unset.ts';
import { namedValue } from '../../../../src/diagnosis/corrections/settings/named-value.ts';
import { nearVariables } from '../../../../src/diagnosis/corrections/settings/near-variable.ts';
import { oddPrefix, oddSection } from '../../../../src/diagnosis/corrections/settings/odd-prefix.ts';
import { ordinaryKey } from '../../../../src/diagnosis/corrections/settings/ordinary-key.ts';
import { ownMember } from '../../../../src/diagnosis/corrections/settings/own-member.ts';
import { contradictedVariable, exclusiveSettings, pairedVariable } from '../../../../src/diagnosis/corrections/settings/paired-variable.ts';
import { renamedVariable } from '../../../../src/diagnosis/corrections/settings/renamed-variable.ts';
import { secretOfUser } from '../../../../src/diagnosis/corrections/settings/secret-of-user.ts';
import { credentialsOfServer, nameOfServer, type NamedThing } from '../../../../src/diagnosis/corrections/settings/server-name.ts';
import { serverPassword } from '../../../../src/diagnosis/corrections/settings/server-password.ts';
import { missingVariables, missingWith, suppliedVariables } from '../../../../src/diagnosis/corrections/settings/several-variables.ts';
import { equalHeap, heapWithUnit, otherSize, plainSize } from '../../../../src/diagnosis/corrections/settings/size-unit.ts';
import { storedValue } from '../../../../src/diagnosis/corrections/settings/stored-value.ts';
import { swappedKeys } from '../../../../src/diagnosis/corrections/settings/swapped-keys.ts';
import { unusedKey } from '../../../../src/diagnosis/corrections/settings/unused-key.ts';
import { formsOf, isSet, missingVariable, variableName, withPrefix } from '../../../../src/diagnosis/corrections/settings/variable.ts';
import { ofPod } from '../../../../src/diagnosis/corrections/settings/variable-of-pod.ts';
import { wellKnownName } from '../../../../src/diagnosis/corrections/settings/well-known-name.ts';
import { aPlace, anInput, type CaseParts, inShort } from '../../../support/builders/cases.ts';
import { correctionRows, env, guess, likely, NO_MIRROR } from '../../../support/builders/corrections.ts';

const test = suite('variables and their values');
const rows = correctionRows(test);

const log = (text: string): CaseParts => ({ logs: `==> app (previous) <==\n${text}\n` });
const fromSecret = (name: string, secret: string, key: string) => ({ name, valueFrom: { secretKeyRef: { name: secret, key } } });
const fromMap = (name: string, map: string, key: string) => ({ name, valueFrom: { configMapKeyRef: { name: map, key } } });
const around = (secrets: Record<string, string[]>, configMaps: Record<string, string[]> = {}, more: object = {}): CaseParts => {
  const listed = (all: Record<string, string[]>) => Object.entries(all).map(([name, keys]) => ({ name, keys }));
  return { surroundings: { secrets: listed(secrets), configMaps: listed(configMaps), ...more } };
};
const service = (name: string, selector?: Record<string, string>, ...ports: number[]) => ({
  name,
  ...(selector ? { selector } : {}),
  ports,
});
const KEY = (index: number) => `env[${index}].valueFrom.secretKeyRef.key`;

test('a key that is called like a variable', () => {
  for (const [key, variable, isLike] of [
    ['db-password', 'APP_DB_PASSWORD', true],
    ['db_pass', 'DATABASE_PASSWORD', true],
    ['keystore-password', 'KEY_STORE_PASSWORD', true],
    ['word', 'PASSWORD', false],
    ['user', 'DB_PASSWORD', false],
  ] as const)
    assert.is(isCalledLike(key, variable), isLike, `${key} ${variable}`);
});
test('the variables that come from keys', () =>
  assert.equal(
    keyReferences(
      anInput({
        env: [
          { name: 'A', value: 'x' },
          fromSecret('S', 's', 'k'),
          fromMap('M', 'm', 'l'),
          { name: 'E', valueFrom: { secretKeyRef: { name: 's' } } },
        ],
      }),
    ),
    [
      { name: 'S', index: 1, what: 'Secret', object: 's', key: 'k' },
      { name: 'M', index: 2, what: 'ConfigMap', object: 'm', key: 'l' },
    ],
  ));
const better = (variables: object[], of: CaseParts) => oddKey(anInput({ env: variables }, {}, of));
rows('a variable with another key', {
  'than its name says': [
    better(
      [fromSecret('U', 's', 'user'), fromSecret('DB_PASSWORD', 's', 'root')],
      around({ other: ['db-password'], s: ['user', 'root', 'db-password'] }),
    ),
    likely({ [KEY(1)]: 'db-password' }),
  ],
  'of a ConfigMap': [
    better([fromMap('DB_HOST', 's', 'x')], around({}, { s: ['x', 'db-host'] })),
    likely({ 'env[0].valueFrom.configMapKeyRef.key': 'db-host' }),
  ],
  'of two that are called so': [better([fromSecret('DB_PASSWORD', 's', 'root')], around({ s: ['db-password', 'db_password'] })), []],
  'that is called so': [better([fromSecret('DB_PASSWORD', 's', 'password')], around({ s: ['password', 'db-password'] })), []],
  'of one word': [better([fromSecret('DB_PASSWORD', 's', 'x')], around({ s: ['password'] })), []],
  'that another variable uses': [
    better([fromSecret('DB_PASSWORD', 's', 'x'), fromSecret('Z', 's', 'db-password')], around({ s: ['x', 'db-password'] })),
    [],
  ],
  twice: [better([fromSecret('DB_PASSWORD', 's', 'x'), fromSecret('DB_USER', 's', 'y')], around({ s: ['db-password', 'db-user'] })), []],
});
test('a variable with another key says where it has its own from', () => {
  const found = better([fromSecret('DB_PASSWORD', 's', 'x')], around({ s: ['db-password'] }));
  assert.equal([found?.name, found?.source], ['DB_PASSWORD', 'key x of Secret s']);
  assert.is(
    betterKey(anInput({ env: [fromSecret('DB_PASSWORD', 's', 'x')] }, {}, around({ s: ['db-password'] })), {
      name: 'DB_PASSWORD',
      index: 0,
      what: 'Secret',
      object: 's',
      key: 'x',
    })?.to,
    'db-password',
  );
});

const keyword = (value: string, line: string) => knownKeyword(anInput(env({ A: 'x', C: value })), line);
const UNKNOWN = (word: string) => `Keyword not supported: '${word}'.`;
rows('a keyword of a connection string', {
  'of another driver': [keyword('host=db;Database=x', UNKNOWN('host')), likely({ 'env[1].value': 'Server=db;Database=x' })],
  'behind others': [keyword('Database=x; DBName = y', UNKNOWN('dbname')), likely({ 'env[1].value': 'Database=x;Database= y' })],
  'that no driver has': [keyword('foo=db', UNKNOWN('foo')), []],
  'of every object': [keyword('constructor=db', UNKNOWN('constructor')), []],
  'in two settings': [knownKeyword(anInput(env({ A: 'host=a', B: 'host=b' })), UNKNOWN('host')), []],
  'with a slip': [keyword('Prot=1;Host=a', "Couldn't set prot (Parameter 'prot')"), likely({ 'env[1].value': 'Port=1;Host=a' })],
  'with a slip that no word is near': [keyword('zzzz=1', "Couldn't set zzzz (Parameter 'zzzz')"), []],
  'with a slip, in two settings': [knownKeyword(anInput(env({ A: 'prot=1', B: 'prot=1' })), "Couldn't set prot (Parameter 'prot')"), []],
});
for (const [word, to] of Object.entries({
  host: 'Server',
  hostname: 'Server',
  username: 'User ID',
  db: 'Database',
  dbname: 'Database',
  pass: 'Password',
  sslmode: 'Encrypt',
}))
  test(`SQL Server calls ${word} ${to}`, () => assert.equal(keyword(`${word}=x`, UNKNOWN(word))[0]?.changes[0]?.to, `${to}=x`));
for (const word of [
  'Host',
  'Port',
  'Database',
  'Username',
  'Password',
  'Passfile',
  'Timeout',
  'Command Timeout',
  'Pooling',
  'Minimum Pool Size',
  'Maximum Pool Size',
  'Application Name',
  'Search Path',
  'Keepalive',
  'Root Certificate',
  'Trust Server Certificate',
]) {
  const slip = `${word.slice(0, 1)}${word.slice(2)}`.toLowerCase();
  test(`a slip of ${word}`, () =>
    assert.equal(keyword(`${slip}=x`, `Couldn't set ${slip} (Parameter '${slip}')`)[0]?.changes[0]?.to, `${word}=x`));
}

rows('a connection string of .NET', {
  'with one underscore': [
    namedConnectionString(anInput(env({ A: 'x', ConnectionStrings_Default: 'y' }))),
    likely({ 'env[1].name': 'ConnectionStrings__Default' }),
  ],
  'in the singular': [
    namedConnectionString(anInput(env({ ConnectionString__Default: 'y' }))),
    likely({ 'env[0].name': 'ConnectionStrings__Default' }),
  ],
  'with a colon': [
    namedConnectionString(anInput(env({ 'ConnectionStrings:Default': 'y' }))),
    likely({ 'env[0].name': 'ConnectionStrings__Default' }),
  ],
  'with a point': [
    namedConnectionString(anInput(env({ 'connectionstrings.Default': 'y' }))),
    likely({ 'env[0].name': 'ConnectionStrings__Default' }),
  ],
  'that is right': [namedConnectionString(anInput(env({ ConnectionStrings__Default: 'y' }))), []],
  'that is right in small letters': [namedConnectionString(anInput(env({ CONNECTIONSTRINGS__Default: 'y' }))), []],
  'of two': [namedConnectionString(anInput(env({ ConnectionStrings_A: 'y', ConnectionStrings_B: 'y' }))), []],
});

const given = (all: Record<string, string>) => Object.entries(all).map(([name, value]) => ({ name, value, prefix: '', path: name }));
const entry = (all: Record<string, string>, line = 'member etcd0 is not in the initial cluster') =>
  entryMeant(given(all), { name: 'ETCD_NAME', value: 'etcd0', line })?.to;
test('the entry of a list that a value means', () => {
  const LIST = 'etcd-0=http://a:1,etcd-1=http://b:1';
  assert.is(entry({ ETCD_INITIAL_CLUSTER: LIST }), 'etcd-0');
  assert.is(entry({ '--initial-cluster': LIST }), 'etcd-0');
  assert.is(entry({ OTHER_LIST: LIST }), undefined, 'of another program');
  assert.is(entry({ ETCD_LIST: LIST }), 'etcd-0', 'of the same program');
  assert.is(entry({ ETCD_NAME: LIST }), undefined, 'itself');
  assert.is(entry({ ETCD_INITIAL_CLUSTER: `${LIST},etcd0=x` }), undefined, 'which has it');
  assert.is(entry({ ETCD_INITIAL_CLUSTER: 'etcd-1=http://b:1' }), undefined, 'with another number');
  assert.is(entry({ ETCD_INITIAL_CLUSTER: 'etcd-0=a,etcd.0=b' }), undefined, 'with two');
  assert.is(entry({ ETCD_INITIAL_CLUSTER: 'etcd-0=a,x=b', ETCD_B: 'etcd.0=a,x=b' }), undefined, 'of two lists');
  assert.is(entry({ ETCD_INITIAL_CLUSTER: 'etcd-0' }), undefined, 'that is no list');
  assert.is(entry({ ETCD_INITIAL_CLUSTER: LIST }, 'the initial cluster is bad'), undefined, 'in another line');
});
for (const words of [
  'could not find',
  'cannot locate',
  "can't find",
  'did not find',
  'failed to find',
  'unable to locate',
  'not found',
  'not listed',
  'not present',
  'not part of',
  'not defined',
  'not configured',
  'not contained',
  'not known',
  'not registered',
  'not among',
  'not one of',
  'not a member',
  'is not in',
  "isn't in",
  'unknown',
  'no such',
  'must be one of',
  'must be in',
  'must be among',
  'must be listed',
  'must be part of',
  'must be a member',
  'does not contain',
  "doesn't include",
  'does not exist',
  'does not belong',
])
  test(`a value that a list lacks: ${words}`, () =>
    assert.is(entry({ ETCD_INITIAL_CLUSTER: 'etcd-0=a,etcd-1=b' }, `etcd0 ${words} x`), 'etcd-0'));

const exported = (container: object, ...lines: string[]) => exportedVariables(anInput(container, {}, log(lines.join('\n'))));
rows('variables that a program wants exported', {
  'are added and set': [
    exported(env({ X: 'y', LC_ALL: 'C' }), '  export LC_ALL=C.UTF-8', '$ export LANG="C.UTF-8"'),
    likely({ 'env[1].value': 'C.UTF-8', 'env[2]': { name: 'LANG', value: 'C.UTF-8' } }),
  ],
  'begin the list': [exported({}, 'export LANG=a'), likely({ env: [{ name: 'LANG', value: 'a' }] })],
  'have the value': [exported(env({ LANG: 'a' }), 'export LANG=a'), []],
  'come from elsewhere': [exported({ env: [{ name: 'LANG', valueFrom: {} }] }, 'export LANG=a'), []],
  'are too many': [exported({}, ...['AA', 'BB', 'CC', 'DD', 'EE'].map((one) => `export ${one}=a`)), []],
  'are in a sentence': [exported({}, 'you should export LANG=a to run'), []],
});

const HOSTS = {
  odoo: 'HOST',
  wordpress: 'WORDPRESS_DB_HOST',
  nextcloud: 'MYSQL_HOST',
  metabase: 'MB_DB_HOST',
  matomo: 'MATOMO_DATABASE_HOST',
  keycloak: 'KC_DB_URL_HOST',
  gitea: 'GITEA__database__HOST',
  ghost: 'database__connection__host',
  kong: 'KONG_PG_HOST',
  n8n: 'DB_POSTGRESDB_HOST',
  phpmyadmin: 'PMA_HOST',
  bookstack: 'DB_HOST',
  'zabbix-server-pgsql': 'DB_SERVER_HOST',
  'zabbix-server-mysql': 'DB_SERVER_HOST',
  'zabbix-web-nginx-pgsql': 'DB_SERVER_HOST',
  mediawiki: 'MEDIAWIKI_DB_HOST',
  drupal: 'DRUPAL_DATABASE_HOST',
  moodle: 'MOODLE_DATABASE_HOST',
  redmine: 'REDMINE_DB_POSTGRES',
};
for (const [image, wanted] of Object.entries(HOSTS))
  test(`the database of ${image}`, () => {
    const of = (all: Record<string, string>) =>
      hostOfImage(anInput({ image: `x/${image}:1`, ...env(all) }, {}, { surroundings: { services: [{ name: 'db' }] } }));
    const found = of({ A: 'db', MY_OWN_SERVER: 'db.shop:1' });
    assert.equal(
      [found?.name, found?.wanted, inShort(found && [found.correction])],
      ['MY_OWN_SERVER', wanted, likely({ 'env[1].name': wanted })],
    );
    assert.equal(
      [of({ MY_OWN_HOST: 'none' }), of({ MY_OWN_HOST: 'db', [wanted]: 'x' }), of({ X_HOST: 'db', Y_ADDR: 'db' }), of({ A: 'db' })],
      [undefined, undefined, undefined, undefined],
    );
  });
test('an unknown image has no known name of a host', () =>
  assert.is(
    hostOfImage(anInput({ image: 'own:1', ...env({ X_HOST: 'db' }) }, {}, { surroundings: { services: [{ name: 'db' }] } })),
    undefined,
  ));

const list = (value: string, name = 'APP_HOSTS') => asJsonList(anInput(env({ X: 'y', [name]: value })), 'hosts');
rows('a list that a program reads as JSON', {
  'between commas': [list('a, b,c'), likely({ 'env[1].value': '["a","b","c"]' })],
  'between semicolons': [list('a;b', 'HOSTS'), likely({ 'env[1].value': '["a","b"]' })],
  'of one': [list('a,'), likely({ 'env[1].value': '["a"]' })],
  'that is one': [list('["a"]'), []],
  'of another setting': [list('a', 'MYHOSTS'), []],
  'in two settings': [asJsonList(anInput(env({ HOSTS: 'a', APP_HOSTS: 'b' })), 'hosts'), []],
});
test('a list that is one is still named', () => assert.equal(list('["a"]'), { name: 'APP_HOSTS', value: '["a"]', corrections: [] }));

for (const [broken, right] of [
  [' {"a":1} x', undefined],
  [`'{"a":1}'`, '{"a":1}'],
  ['"{\\"a\\":1}"', '{"a":1}'],
  ['`[1]`', '[1]'],
  ['{"a":1,}', '{"a":1}'],
  ['["a",\n]', '["a"\n]'],
  ["{'a': 'b'}", '{"a": "b"}'],
  ["{'a': True, 'b': False, 'c': None}", '{"a": true, "b": false, "c": null}'],
  ["['a',]", '["a"]'],
  ['{a: 1, b_2: [2]}', '{"a": 1, "b_2": [2]}'],
  ['{"a": b}', undefined],
  ['7x', undefined],
] as const)
  test(`JSON that is ${broken}`, () => assert.is(repaired(broken), right));
test('what was meant to be JSON', () => {
  assert.equal(['{a}', ' [1', `"{x"`, `'[x'`].map(isBrokenJson), [true, true, true, true]);
  assert.equal(['{}', '[1]', 'a', '7', `[${'x'.repeat(10_001)}`].map(isBrokenJson), [false, false, false, false, false]);
});

const keyed = (
  variables: object[],
  text: string,
  more: object = {},
  of: CaseParts = around({ stripe: ['API_KEY', 'OTHER'] }, { conf: ['API_KEY'] }),
) => keyedVariable(anInput({ env: variables, ...more }, {}, of), text);
test('a variable from a key that a line names in words', () => {
  const found = keyed([fromSecret('A', 's', 'a'), fromSecret('STRIPE_API_KEY', 'stripe', 'k')], 'Invalid API key');
  assert.equal([found?.name, found?.source], ['STRIPE_API_KEY', 'key k of Secret stripe']);
  assert.is(keyed([fromMap('SSL_KEY_STORE_PASSWORD', 'm', 'k')], 'wrong keystore password')?.source, 'key k of ConfigMap m');
  assert.is(keyed([fromSecret('KEY', 's', 'k')], 'wrong key'), undefined, 'of one word');
  assert.is(keyed([fromSecret('A_API_KEY', 's', 'k'), fromSecret('B_API_KEY', 's', 'l')], 'bad API key'), undefined, 'of two');
  const whole = (refs: object[], text = 'bad API key') => keyed([], text, { envFrom: refs });
  assert.equal(whole([{ secretRef: { name: 'stripe' } }]), { name: 'API_KEY', source: 'key API_KEY of Secret stripe', corrections: [] });
  assert.equal(whole([{ configMapRef: { name: 'conf' }, prefix: 'MY_' }])?.name, 'MY_API_KEY');
  assert.equal(whole([{ configMapRef: { name: 'conf' } }])?.source, 'key API_KEY of ConfigMap conf');
  assert.is(whole([{ secretRef: { name: 'stripe' } }, { configMapRef: { name: 'conf' } }]), undefined, 'of two objects');
  assert.is(whole([{ secretRef: { name: 'stripe' } }], 'bad password'), undefined);
  assert.equal(
    inShort(keyed([fromSecret('STRIPE_API_KEY', 'stripe', 'OTHER')], 'bad API key')?.corrections),
    likely({ [KEY(0)]: 'API_KEY' }),
  );
});

rows('a reference to a variable further down', {
  'changes places with it': [
    lateReference(anInput(env({ A: 'x', U: 'a$(IP)', IP: '1' }))),
    likely({ 'env[1]': { name: 'IP', value: '1' }, 'env[2]': { name: 'U', value: 'a$(IP)' } }),
  ],
  'to another one than wanted': [lateReference(anInput(env({ U: '$(IP)', IP: '1' })), 'OTHER'), []],
  'that is escaped': [lateReference(anInput(env({ U: '$$(IP)', IP: '1' }))), []],
  'that comes after it': [lateReference(anInput(env({ IP: '1', U: '$(IP)' }))), []],
  'to itself': [lateReference(anInput(env({ U: '$(U)' }))), []],
  twice: [lateReference(anInput(env({ U: '$(IP)', V: '$(IP)', IP: '1' }))), []],
});

const mongo = (value: string) => fromAdmin(anInput(env({ A: 'x', U: value })));
rows('a user of MongoDB', {
  'that the image made': [
    mongo('mongodb://root:p@m:27017/shop'),
    likely({ 'env[1].value': 'mongodb://root:p@m:27017/shop?authSource=admin' }),
  ],
  'with more words': [
    mongo('mongodb+srv://mongoadmin@m/shop?ssl=true'),
    likely({ 'env[1].value': 'mongodb+srv://mongoadmin@m/shop?ssl=true&authSource=admin' }),
  ],
  'of the program': [mongo('mongodb://shop:p@m/shop'), guess({ 'env[1].value': 'mongodb://shop:p@m/shop?authSource=admin' })],
  'with its database': [mongo('mongodb://root@m/shop?authSource=x'), []],
  'in the right database': [mongo('mongodb://root@m/admin'), []],
  'of two addresses': [fromAdmin(anInput(env({ A: 'mongodb://root@m/a', B: 'mongodb://root@m/b' }))), []],
});

rows('a variable that a line names and nobody sets', {
  'with a slip': [namedUnset(anInput(env({ A: 'x', APP_KEYZ: 'y' })), 'please set APP_KEYS'), likely({ 'env[1].name': 'APP_KEYS' })],
  'as a path': [namedUnset(anInput(env({ APP_KEYZ: 'y' })), 'please set app.keys'), likely({ 'env[0].name': 'APP_KEYS' })],
  'that is set': [namedUnset(anInput(env({ APP_KEYS: 'y', APP_KEYZ: 'y' })), 'please set APP_KEYS'), []],
  'of two that are near': [namedUnset(anInput(env({ APP_KEYZ: 'y', APP_KEYX: 'y' })), 'please set APP_KEYS'), []],
  'that is only a guess': [namedUnset(anInput(env({ MY_OWN_API_TOKEN: 'y' })), 'please set OTHER_TOKEN'), []],
  'of one word': [namedUnset(anInput(env({ KEYZ: 'y' })), 'please set KEYS'), []],
  'behind eight others': [
    namedUnset(anInput(env({ APP_KEYZ: 'y' })), `${Array.from('ABCDEFGH', (one) => `XX_${one}${one}`).join(' ')} APP_KEYS`),
    [],
  ],
  'behind seven others': [
    namedUnset(anInput(env({ APP_KEYZ: 'y' })), `${Array.from('ABCDEFG', (one) => `XX_${one}${one}`).join(' ')} APP_KEYS`),
    likely({ 'env[0].name': 'APP_KEYS' }),
  ],
});

const named = (line: string, all: Record<string, string>) => namedValue(given(all), line)?.name;
for (const [sentence, line, all, name] of [
  ['in quotes', "bad value 'abc'", { A: 'x', B: 'abc' }, 'B'],
  ['in double quotes', 'bad value "abc"', { B: 'abc' }, 'B'],
  ['in backticks', 'bad value `abc`', { B: 'abc' }, 'B'],
  ['in escaped quotes', 'bad value \\"abc\\"', { B: 'abc ' }, 'B'],
  ['in brackets', 'bad value (abc)', { B: 'abc' }, 'B'],
  ['in square brackets', 'bad value [abc]', { B: 'abc' }, 'B'],
  ['in brackets, too short', 'a value (ab)', { B: 'ab' }, undefined],
  ['with its name in quotes', 'bad "B=abc"', { B: 'abc' }, 'B'],
  ['of a file whose text is bad', "'/etc/a.yml': line 3 has a tab", { FILE: '/etc/a.yml' }, undefined],
  ['beside its name', 'LEVEL is abc', { LEVEL: 'abc' }, 'LEVEL'],
  ['beside the name of its option', 'flag -level: abc', { '--level': 'abc' }, '--level'],
  ['beside a longer name', 'MY-LEVEL is abc', { LEVEL: 'abc' }, undefined],
  ['of one letter beside its name', 'LEVEL is a', { LEVEL: 'a' }, undefined],
  ['refused as a word', 'unknown unit Gi in 5Gi', { A: '5Gi' }, 'A'],
  ['refused inside of a word', 'unknown unit in x5Gi', { A: '5Gi' }, undefined],
  ['refused as a plain word', 'unknown mode fast', { SPEED: 'fast' }, undefined],
  ['refused as a plain word beside its name', 'unknown speed fast', { SPEED: 'fast' }, 'SPEED'],
  ['refused as a plain word beside its name in capitals', 'Unknown SPEED fast', { MY_SPEED: 'fast' }, 'MY_SPEED'],
  ['refused among two', 'invalid Speed-1 or Speed-2, speed', { A: 'Speed-1', MY_SPEED: 'Speed-2' }, 'MY_SPEED'],
  ['refused among two that nobody names', 'invalid a-1 or a-2', { A: 'a-1', B: 'a-2' }, undefined],
  ['that another system lacks, beside its name', 'realm shop-x does not exist', { REALM: 'shop-x' }, 'REALM'],
  ['that another system lacks', 'it: shop-x does not exist', { REALM: 'shop-x' }, undefined],
  ['that is no number, by its name', 'WORKERS: InvalidDigit', { WORKERS: '4x' }, 'WORKERS'],
  ['that is no number, without a digit', 'WORKERS: InvalidDigit', { WORKERS: 'x' }, 'WORKERS'],
  ['that is a number with a unit', 'ParseIntError { kind: InvalidDigit }', { A: '0.0.0.0:7', BATCH: '2k', TOPIC: 'a.v2' }, 'BATCH'],
  ['that is a number with a unit, of two', 'ParseIntError { kind: InvalidDigit }', { BATCH: '2k', SIZE: '5M' }, undefined],
  ['that is a number with a unit, of another error', 'it is bad', { BATCH: '2k' }, undefined],
  ['of a schedule', 'expected exactly 5 fields', { CRON: '0 3 * *' }, 'CRON'],
  ['of two schedules', 'expected exactly 5 fields', { CRON: '0 3 * *', B: '0 4 * *' }, undefined],
  ['of base64', 'illegal base64 data', { MY_KEY: 'abcdef' }, 'MY_KEY'],
  ['of two of base64', 'illegal base64 data', { MY_KEY: 'abcdef', SECRET: 'abcdefg' }, undefined],
  ['of a time zone', 'unknown time zone Europe/Viena', { TZ: 'Europe/Viena' }, 'TZ'],
] as const)
  test(`the setting of a value ${sentence}`, () => assert.is(named(line, all as Record<string, string>), name));
for (const words of [
  'unknown',
  'invalid',
  'unsupported',
  'unrecognized',
  'unrecognised',
  'illegal',
  'bad',
  'wrong',
  'malformed',
  'nonexistent',
  'no enum constant',
  'no such',
  'no suitable',
  'no valid',
  'not supported',
  'not recognized',
  'not allowed',
  'not valid',
  'not a valid',
  "isn't enabled",
  'not known',
  'cannot load',
  'cannot parse',
  'cannot convert',
  'cannot interpret',
  'could not load',
  'unable to parse',
  'failed to convert',
  'failed to interpret',
  'expected',
  'must be',
])
  test(`a value is refused: ${words}`, () => assert.is(named(`${words} a-1`, { A: 'a-1' }), 'A'));
for (const words of ['not found', 'does not exist', "doesn't exist", 'not registered'])
  test(`a value is not there: ${words}`, () => assert.is(named(`realm a-1 ${words}`, { REALM: 'a-1' }), 'REALM'));
for (const words of [
  'ParseIntError',
  'ParseFloatError',
  'InvalidDigit',
  'must be a number',
  'should be an integer',
  'not a number',
  'not an integer',
])
  test(`a value is no number: ${words}`, () => assert.is(named(`WORKERS ${words}`, { WORKERS: '4x' }), 'WORKERS'));

for (const [sentence, wanted, names, expected] of [
  ['a slip', 'DATABASE_URL', ['X', 'DATABSE_URL'], [['DATABSE_URL', 'likely']]],
  ['other words for the same', 'DB_URI', ['DATABASE_URL'], [['DATABASE_URL', 'likely']]],
  ['no slip in a word of its own', 'DB_PORT', ['DB_HOST'], []],
  ['an abbreviated owner', 'KC_HOSTNAME', ['KEYCLOAK_HOSTNAME'], [['KEYCLOAK_HOSTNAME', 'likely']]],
  ['more before it', 'DATABASE_URL', ['SHOP_DATABASE_URL'], [['SHOP_DATABASE_URL', 'guess']]],
  ['an owner before it', 'DATABASE_URL', ['APP_DATABASE_URL'], [['APP_DATABASE_URL', 'likely']]],
  ['more behind it', 'DATABASE_URL', ['DATABASE_URL_REPLICA'], [['DATABASE_URL_REPLICA', 'guess']]],
  ['more within it', 'NATS_TOKEN', ['NATS_AUTH_TOKEN'], [['NATS_AUTH_TOKEN', 'guess']]],
  ['an owner before one word', 'PORT', ['APP_PORT'], [['APP_PORT', 'guess']]],
  ['another word before one word', 'PORT', ['DB_PORT'], []],
  ['two that are longer', 'DATABASE_URL', ['FIRSTLY_DATABASE_URL', 'SECONDS_DATABASE_URL'], []],
  ['the address of its kind', 'DATABASE_URL', ['POSTGRES_URI'], [['POSTGRES_URI', 'guess']]],
  ['one of two kinds', 'DATABASE_URL', ['POSTGRES_URL', 'MYSQL_URL'], []],
  ['another token', 'SLACK_TOKEN', ['OTHERS_THING_TOKEN'], [['OTHERS_THING_TOKEN', 'guess']]],
  ['one of two tokens', 'SLACK_TOKEN', ['ONE_MORE_THING_TOKEN', 'TWO_MORE_THING_TOKEN'], []],
  ['itself', 'PORT', ['PORT'], []],
] as const)
  test(`near to a variable: ${sentence}`, () =>
    assert.equal(
      nearVariables(wanted, [...names]).map(({ name, confidence }) => [name, confidence]),
      expected,
    ));
for (const owner of ['APP', 'APPLICATION', 'SERVICE', 'SERVER', 'MY', 'AWS', 'SPRING', 'DJANGO', 'FLASK', 'RAILS', 'NODE', 'VITE'])
  test(`${owner} only says to whom a variable belongs`, () =>
    assert.is(nearVariables('QUEUE_NAME', [`${owner}_QUEUE_NAME`])[0]?.confidence, 'likely'));

const odd = (...names: string[]) => oddPrefix(anInput(env(Object.fromEntries(names.map((name) => [name, 'x'])))))?.wanted;
const section = (...names: string[]) => oddSection(anInput(env(Object.fromEntries(names.map((name) => [name, 'x'])))))?.wanted;
test('a variable whose beginning is none of the others', () => {
  assert.is(odd('database__connection__user', 'database__connection__password', 'database_connection__host'), 'database__connection__host');
  assert.is(odd('MY_SETTINGS_A', 'MY_SETTINGS_B', 'MY_SETINGS_C'), 'MY_SETTINGS_C');
  assert.is(odd('MY_SETTINGS_A', 'MY_SETINGS_C'), undefined, 'one beside it');
  assert.is(odd('SHOP1_DATA_A', 'SHOP1_DATA_B', 'SHOP2_DATA_C'), undefined, 'with another number');
  assert.is(odd('SHORT_A', 'SHORT_B', 'SHRT_C'), undefined, 'too short');
  assert.is(odd('MY_SETTINGS_A', 'MY_SETTINGS_B', 'MY_SETINGS_A'), undefined, 'that is there');
  assert.is(odd('MY_SETTINGS_A', 'MY_SETTINGS_B', 'MY_SETINGS_C', 'MY_SETTNGS_D'), undefined, 'two of them');
});
test('a variable without the double underscores of the others', () => {
  assert.is(section('AIRFLOW__CORE__A', 'AIRFLOW__DATABASE__B', 'AIRFLOW__DATABASE_SQL_CONN'), 'AIRFLOW__DATABASE__SQL_CONN');
  assert.is(section('AIRFLOW__CORE__A', 'AIRFLOW__DATABASE__B', 'AIRFLOW_DATABASE_CONN'), 'AIRFLOW__DATABASE__CONN');
  assert.is(section('AIRFLOW__CORE__A', 'AIRFLOW_DATABASE_CONN'), undefined, 'one beside it');
  assert.is(section('ConnectionStrings_Shop'), 'ConnectionStrings__Shop');
  assert.is(section('Rabbit__A', 'Rabbit__B', 'Rabbit_HostName'), 'Rabbit__HostName');
  assert.is(section('Rabbit__A', 'Rabbit_HostName'), undefined, 'one beside it, of .NET');
  assert.is(section('A__B__C__E', 'A__B__C_D'), 'A__B__C__D');
  assert.is(section('AB__X', 'AB__Y', 'AB_C__D'), 'AB__C__D');
  const referred = (name: string, ...more: string[]) =>
    oddSection(anInput({ ...env(Object.fromEntries([name, ...more].map((one) => [one, 'x']))), args: [`--x=$(${name})`] }))?.wanted;
  assert.is(referred('AIRFLOW_DATABASE_CONN', 'AIRFLOW__CORE__A', 'AIRFLOW__DATABASE__B'), undefined, 'to which another value refers');
  assert.is(referred('Rabbit_HostName', 'Rabbit__A', 'Rabbit__B'), undefined, 'to which another value refers, of .NET');
});

const ordinary = (key: string, user: string | undefined, keys: string[], more: object[] = []) =>
  ordinaryKey(anInput({ env: [{ name: 'A', value: 'x' }, fromSecret('P', 's', key), ...more] }, {}, around({ t: ['x'], s: keys })), user);
rows('the key of a special user', {
  'for an ordinary one': [
    ordinary('mysql-root-password', 'shop', ['mysql-root-password', 'mysql-password']),
    likely({ [KEY(1)]: 'mysql-password' }),
  ],
  'that begins with it': [ordinary('admin-password', 'shop', ['admin-password', 'password']), likely({ [KEY(1)]: 'password' })],
  'for a special one': [ordinary('mysql-root-password', 'root', ['mysql-root-password', 'mysql-password']), []],
  'for nobody': [ordinary('mysql-root-password', undefined, ['mysql-password']), []],
  'without another key': [ordinary('mysql-root-password', 'shop', ['mysql-root-password', 'password']), []],
  'that is none': [ordinary('mysql-password', 'shop', ['mysql-password']), []],
  twice: [ordinary('mysql-root-password', 'shop', ['mysql-password'], [fromSecret('Q', 's', 'mysql-root-password')]), []],
});
for (const word of ['root', 'admin', 'replication', 'replica', 'repl', 'postgres'])
  test(`the password of ${word} is one of a special user`, () =>
    assert.is(ordinary(`x-${word}-password`, 'shop', ['x-password']).length, 1));
for (const user of ['root', 'admin', 'administrator', 'postgres', 'sa', 'replicator', 'repl_user'])
  test(`${user} is a special user`, () => assert.equal(ordinary('x-root-password', user, ['x-password']), []));

const LOCAL = (name: string) => `couldn't find local name "${name}" in the initial cluster configuration`;
rows('the own member of a cluster of one', {
  'is written into the list': [
    ownMember(anInput({ args: ['--initial-cluster=default=http://kv:2380'] }), LOCAL('kv')),
    likely({ 'args[0]': '--initial-cluster=kv=http://kv:2380' }),
  ],
  'and into its address': [
    ownMember(anInput(env({ ETCD_INITIAL_CLUSTER: 'etcd0=http://etcd0.kv:2380' })), LOCAL('kv-0')),
    likely({ 'env[0].value': 'kv-0=http://kv-0.kv:2380' }),
  ],
  'of several': [ownMember(anInput({ args: ['--initial-cluster=a=http://kv:2380,b=http://x:1'] }), LOCAL('kv')), []],
  'in another line': [ownMember(anInput({ args: ['--initial-cluster=a=http://kv:2380'] }), 'x'), []],
});

const AB = { ...env({ A_ONE: '1', C: 'x' }) };
rows('two variables', {
  'of which one is alone': [pairedVariable(anInput(AB), 'you must set or unset A_ONE and A_TWO'), guess({ 'env[0]': null })],
  'of which the second is alone': [pairedVariable(anInput(AB), 'A_TWO and A_ONE must both be set together'), guess({ 'env[0]': null })],
  'that are both set': [pairedVariable(anInput(env({ A_ONE: '1', A_TWO: '2' })), 'set or unset A_ONE and A_TWO'), []],
  'that are both not set': [pairedVariable(anInput(env({ C: '1' })), 'set or unset A_ONE and A_TWO'), []],
  'or what is stored': [
    contradictedVariable(anInput(env({ AB_ONE: '1', C: 'x' })), 'the value does not match the AB_ONE environment variable'),
    guess({ 'env[0]': null }),
  ],
  'that match': [contradictedVariable(anInput(env({ AB_ONE: '1', C: 'x' })), 'it matches the AB_ONE env'), []],
});
const exclusive = (
  line: string,
  container: object = { ...env({ A: 'x', P_WORD: '1', P_WORD_FILE: '/s/p' }), volumeMounts: [{ name: 's', mountPath: '/s' }] },
) => exclusiveSettings(anInput(container), line);
rows('settings that exclude each other', {
  'a value and its file that is there': [exclusive('both P_WORD and P_WORD_FILE are set (but are exclusive)'), likely({ 'env[1]': null })],
  'a value and its file that is not there': [
    exclusive('both P_WORD and P_WORD_FILE are set (but are exclusive)', env({ A: 'x', P_WORD: '1', P_WORD_FILE: '/s/p' })),
    likely({ 'env[2]': null }),
  ],
  'two options': [exclusive('--one and --two are mutually exclusive', { args: ['--one=1', '--two=2'] }), guess({ args: ['--one=1'] })],
  'two options of Python': [
    exclusive('argument -a/--one: not allowed with argument --two', { args: ['--one=1', '--two=2'] }),
    guess({ args: ['--one=1'] }),
  ],
  'of which both cannot be': [
    exclusive('cannot specify both --one and --two', { args: ['--one=1', '--two=2'] }),
    guess({ args: ['--one=1'] }),
  ],
  'that cannot be together': [
    exclusive('--one and --two cannot be used together', { args: ['--one=1', '--two=2'] }),
    guess({ args: ['--one=1'] }),
  ],
  'of which one cannot be with the other': [
    exclusive('--one may not be combined with --two', { args: ['--one=1', '--two=2'] }),
    guess({ args: ['--one=1'] }),
  ],
  'that are the same': [exclusive('--one and --one are exclusive', { args: ['--one=1'] }), []],
  'in another line': [exclusive('--one and --two', { args: ['--one=1', '--two=2'] }), []],
});

for (const [wanted, old, text] of [
  ['AIRFLOW__DATABASE__SQL_ALCHEMY_CONN', 'AIRFLOW__CORE__SQL_ALCHEMY_CONN', 'error: cannot use SQLite with the CeleryExecutor'],
  ['HF_TOKEN', 'HUGGINGFACE_TOKEN', 'You are trying to access a gated repo'],
  ['HF_TOKEN', 'HUGGING_FACE_API_KEY', 'GatedRepoError'],
  ['HF_TOKEN', 'HUGGINGFACE_HUB_TOKEN', '401 Client Error: Unauthorized for url: https://huggingface.co/x'],
  ['HF_TOKEN', 'HF_API_TOKEN', 'gated repo'],
  ['RENOVATE_TOKEN', 'GITLAB_TOKEN', 'You must configure a GitLab personal access token'],
  ['SUPERSET_SECRET_KEY', 'SECRET_KEY', 'Refusing to start due to insecure SECRET_KEY'],
  ['SUPERSET_SECRET_KEY', 'FLASK_SECRET_KEY', 'Refusing to start due to insecure SECRET_KEY'],
  ['CF_API_TOKEN', 'CLOUDFLARE_DNS_API_TOKEN', 'failed to initialize cloudflare provider: invalid credentials'],
  ['SPRING_DATA_REDIS_HOST', 'SPRING_REDIS_HOST', 'Unable to connect to localhost/<unresolved>:6379'],
  ['SPRING_DATA_REDIS_URL', 'SPRING_REDIS_URL', 'Unable to connect to 127.0.0.1:6379'],
] as const)
  test(`${old} is not read in place of ${wanted}`, () => {
    const of = (all: Record<string, string>, said: string = text) => renamedVariable(anInput(env(all), {}, log(said)));
    const found = of({ A: 'x', [old]: 'y' });
    assert.equal([found?.name, found?.wanted, inShort(found && [found.correction])], [old, wanted, likely({ 'env[1].name': wanted })]);
    assert.equal(
      [of({ [old]: 'y', [wanted]: 'z' }), of({ [old]: '' }), of({ [old]: 'y' }, 'something else'), of({ A: 'y' })],
      [undefined, undefined, undefined, undefined],
    );
  });
for (const platform of ['GITHUB', 'GITEA', 'FORGEJO', 'BITBUCKET', 'AZURE'])
  test(`the token of ${platform} for Renovate`, () =>
    assert.is(
      renamedVariable(anInput(env({ [`${platform}_TOKEN`]: 'y' }), {}, log('You must configure a X11 token')))?.wanted,
      'RENOVATE_TOKEN',
    ));
test('what moved with a host is renamed with it, and a name that is read is left alone', () => {
  const text = log('Unable to connect to localhost:6379');
  assert.equal(
    inShort([
      renamedVariable(
        anInput(env({ SPRING_REDIS_PORT: '1', SPRING_REDIS_HOST: 'a', SPRING_DATA_REDIS_PORT: '2', SPRING_REDIS_SSL: 'x' }), {}, text),
      )!.correction,
    ]),
    likely({ 'env[1].name': 'SPRING_DATA_REDIS_HOST', 'env[3].name': 'SPRING_DATA_REDIS_SSL' }),
  );
  assert.is(renamedVariable(anInput(env({ HF_API_TOKEN: 'a', HUGGING_FACE_HUB_TOKEN: 'b' }), {}, log('gated repo'))), undefined);
});

const ofUser = (
  user: string | undefined,
  variables: object[] = [fromSecret('A', 'other', 'password'), fromSecret('PGPASSWORD', 'pg-app', 'password')],
  secrets: Record<string, string[]> = { 'pg-app': ['password'], 'pg-backup': ['password'] },
) => secretOfUser(anInput({ env: variables }, {}, around(secrets)), user);
rows('the Secret of a user', {
  'whose login is refused': [ofUser('Backup'), likely({ 'env[1].valueFrom.secretKeyRef.name': 'pg-backup' }, NO_MIRROR)],
  'that it has': [ofUser('app'), []],
  'of nobody': [ofUser(undefined), []],
  'of a short name': [ofUser('pg', undefined, { 'x-pg': ['password'] }), []],
  'without such a key': [ofUser('backup', undefined, { 'pg-backup': ['pass'] }), []],
  'of two': [ofUser('backup', undefined, { 'pg-backup': ['password'], 'backup-pg': ['password'] }), []],
  'for two variables': [ofUser('backup', [fromSecret('P_PASS', 'pg-app', 'password'), fromSecret('Q_PWD', 'pg-app', 'password')]), []],
  'for no password': [ofUser('backup', [fromSecret('TOKEN', 'pg-app', 'password')]), []],
});

const DB = { app: 'db' };
const serverAround = (names: object, more: object = {}, settings: object[] = []) => ({
  surroundings: {
    services: [service('db', DB, 5432), service('other', { app: 'x' }, 1)],
    servers: [
      { labels: DB, names, ...more },
      { labels: { app: 'x' }, names: { database: 'no', user: 'no', vhost: 'no' } },
    ],
    settings,
  } as object,
});
const nameOf = (
  thing: NamedThing,
  wrong: string | undefined,
  container: object,
  of: CaseParts = serverAround({ database: 'shop', user: 'owner', vhost: 'v1' }),
) => nameOfServer(anInput(container, {}, of), thing, wrong);
for (const [thing, wrong, name, value, to] of [
  ['database', 'shp', 'DB_NAME', 'shp', undefined],
  ['database', 'shp', 'U', 'postgres://u:p@db:5432/shp?x=1', 'postgres://u:p@db:5432/shop?x=1'],
  ['database', 'shp', 'U', 'host=db dbname=shp user=x', 'host=db dbname=shop user=x'],
  ['database', 'shp', 'U', 'Server=db;Database=shp;', 'Server=db;Database=shop;'],
  ['database', 'shp', 'U', 'Server=db;Initial Catalog=shp', 'Server=db;Initial Catalog=shop'],
  ['user', 'me', 'U', 'postgres://me:p@db/x', 'postgres://owner:p@db/x'],
  ['user', 'me', 'U', 'postgres://me@db/x', 'postgres://owner@db/x'],
  ['user', 'me', 'U', 'Server=db;User Id=me', 'Server=db;User Id=owner'],
  ['user', 'me', 'U', 'host=db user=me', 'host=db user=owner'],
  ['user', 'me', 'U', 'host=db;uid=me', 'host=db;uid=owner'],
  ['user', 'me', 'U', 'host=db;Username=me', 'host=db;Username=owner'],
  ['vhost', 'v2', 'U', 'amqp://u@db:5672/v2', 'amqp://u@db:5672/v1'],
] as const)
  test(`the ${thing} of a server in ${value}`, () => {
    const found = nameOf(thing, wrong, env({ HOST: 'db', [name]: value }));
    assert.equal([found?.name, found?.wrong, inShort(found?.corrections)], [name, wrong, likely({ 'env[1].value': to ?? 'shop' })]);
  });
for (const [thing, name] of [
  ...[
    'DB',
    'MY_DATABASE',
    'PGDATABASE',
    'X_SCHEMA',
    'DB_NAME',
    'DATABASE_NAME',
    'PG_NAME',
    'POSTGRES_NAME',
    'MYSQL_NAME',
    'MARIADB_NAME',
    'MONGO_NAME',
    '--dbname',
  ].map((one) => ['database', one] as const),
  ...['USER', 'DB_USERNAME', 'LOGIN'].map((one) => ['user', one] as const),
  ...['VHOST', 'MQ_V_HOST', 'VIRTUAL_HOST'].map((one) => ['vhost', one] as const),
  ...['BUCKET', 'BUCKET_NAME'].map((one) => ['bucket', one] as const),
  ...['REALM', 'KC_REALM_NAME'].map((one) => ['realm', one] as const),
  ...['TOPIC', 'TOPICS', 'TOPIC_NAME'].map((one) => ['topic', one] as const),
] as const)
  test(`${name} holds the name of a ${thing}`, () =>
    assert.is(nameOf(thing, 'abc', name.startsWith('-') ? { args: [`${name}=abc`] } : env({ [name]: 'abc' }), {})?.name, name));
const shownIn = (thing: NamedThing, key: string, value: string, container: object, wrong = 'abc') =>
  nameOf(thing, wrong, container, { surroundings: { settings: [{ object: 'conf', key, value }] } });
for (const [thing, key, value, name] of [
  ['database', 'init.sql', 'CREATE DATABASE abd;', 'DB'],
  ['database', 'init.sql', 'create database if not exists `abd`', 'DB'],
  ['database', 'POSTGRES_DB', 'abd', 'DB'],
  ['user', 'init.sql', 'CREATE USER abd WITH', 'USER'],
  ['user', 'init.sql', "CREATE ROLE IF NOT EXISTS 'abd'", 'USER'],
  ['user', 'MYSQL_USER', 'abd', 'USER'],
  ['vhost', 'definitions.json', '{"vhost": "abd"}', 'VHOST'],
  ['vhost', 'x.sh', 'rabbitmqctl add_vhost abd', 'VHOST'],
  ['bucket', 'x.sh', 'mc mb --ignore-existing local/abd', 'BUCKET'],
  ['bucket', 'x.sh', 'aws s3 mb s3://abd', 'BUCKET'],
  ['bucket', 'BUCKET', 'abd', 'BUCKET'],
  ['realm', 'x.json', '{"realm": "abd"}', 'REALM'],
  ['realm', 'URL', 'http://kc/realms/abd', 'REALM'],
  ['topic', 'x.sh', 'kafka-topics --create --topic abd', 'TOPIC'],
] as const)
  test(`a ${thing} that a ConfigMap shows: ${value}`, () =>
    assert.equal(inShort(shownIn(thing, key, value, env({ [name]: 'abc' }))?.corrections), likely({ 'env[0].value': 'abd' })));
for (const [thing, value, to] of [
  ['bucket', 's3://abc/x', 's3://abd/x'],
  ['bucket', 's3:http://minio/abc', 's3:http://minio/abd'],
  ['realm', 'http://kc/realms/abc/x', 'http://kc/realms/abd/x'],
] as const)
  test(`a ${thing} in ${value}`, () =>
    assert.equal(
      inShort(shownIn(thing, { bucket: 'BUCKET', realm: 'REALM' }[thing], 'abd', env({ U: value }))?.corrections),
      likely({ 'env[0].value': to }),
    ));
test('a name that the server does not have, in doubt', () => {
  assert.is(nameOf('database', 'shp', env({ DB_NAME: 'shp', OTHER_DB: 'shp' })), undefined, 'in two settings');
  assert.is(nameOf('database', 'shp', env({ DB_NAME: 'other' })), undefined, 'in none');
  assert.is(nameOf('database', undefined, env({ A: 'b', DB_NAME: 'shp' }))?.wrong, 'shp', 'that the line does not say');
  assert.equal(nameOf('database', 'shop', env({ HOST: 'db', DB_NAME: 'shop' }))?.corrections, [], 'that it has');
  assert.equal(nameOf('database', 'shp', env({ HOST: 'elsewhere', DB_NAME: 'shp' }))?.corrections, [], 'of a server that is not called');
  const two = { surroundings: { settings: [{ object: 'a', key: 'a', value: 'CREATE DATABASE abd; CREATE DATABASE xyz' }] } };
  assert.equal(
    inShort(nameOf('database', 'abc', env({ DB: 'abc' }), two)?.corrections),
    likely({ 'env[0].value': 'abd' }),
    'the near one of two',
  );
  assert.equal(nameOf('database', 'uvw', env({ DB: 'uvw' }), two)?.corrections, [], 'none of two');
  assert.equal(nameOf('database', 'xyz', env({ DB: 'xyz' }), two)?.corrections, [], 'which a ConfigMap has');
  const beside = (other: object, value = 'abc', name = 'DB') =>
    nameOfServer(
      anInput(
        {},
        {
          containers: [
            { name: 'app', image: 'a', ...env({ [name]: value }) },
            { name: 'side', ...other },
          ],
        },
      ),
      'database',
      'abc',
    );
  assert.equal(inShort(beside(env({ X: 'no', DB: 'shop' }))?.corrections), likely({ 'env[0].value': 'shop' }), 'of another container');
  assert.equal(
    inShort(beside(env({ U: 'pg://me@db/shop' }), 'pg://u@db/abc', 'URL')?.corrections),
    likely({ 'env[0].value': 'pg://u@db/shop' }),
    'of an address of the same server',
  );
  assert.equal(beside(env({ U: 'pg://me@other/shop' }), 'pg://u@db/abc', 'URL')?.corrections, [], 'of an address of another server');
  assert.equal(
    inShort(nameOf('vhost', 'ordrs', env({ U: 'amqp://orders:p@mq/ordrs' }), {})?.corrections),
    likely({ 'env[0].value': 'amqp://orders:p@mq/orders' }),
    'of its user',
  );
});

const CREDENTIALS = { password: { secret: 'pg', key: 'pw' } };
const login = (variables: object[], user: string | undefined, names: object = { user: 'owner' }, more: object = CREDENTIALS) =>
  credentialsOfServer(anInput({ env: [{ name: 'HOST', value: 'db' }, ...variables] }, {}, serverAround(names, more)), user);
rows('a login with the password of a server', {
  'from another Secret': [
    login([fromSecret('PGPASSWORD', 'other', 'k')], 'owner'),
    likely({ 'env[1].valueFrom.secretKeyRef.name': 'pg', 'env[1].valueFrom.secretKeyRef.key': 'pw' }, NO_MIRROR),
  ],
  'from another key': [login([fromSecret('PGPASSWORD', 'pg', 'k')], undefined), likely({ [KEY(1)]: 'pw' })],
  'from another Secret with the key': [
    login([fromSecret('PGPASSWORD', 'x', 'pw')], 'owner'),
    likely({ 'env[1].valueFrom.secretKeyRef.name': 'pg' }, NO_MIRROR),
  ],
  'of another user': [login([fromSecret('PGPASSWORD', 'other', 'k')], 'somebody'), []],
  'that it has, with another user': [
    login([{ name: 'PGUSER', value: 'somebody' }, fromSecret('PGPASSWORD', 'pg', 'pw')], 'somebody'),
    likely({ 'env[1].value': 'owner' }),
  ],
  'that it has, whose user is in a Secret': [
    login(
      [{ name: 'PGUSER', value: 'me' }, fromSecret('PGPASSWORD', 'pg', 'pw')],
      'me',
      {},
      { ...CREDENTIALS, userFrom: { secret: 'pg', key: 'user' } },
    ),
    likely({ 'env[1]': fromSecret('PGUSER', 'pg', 'user') }, NO_MIRROR),
  ],
  'in two variables': [login([fromSecret('PGPASSWORD', 'other', 'k'), fromSecret('DB_PASS', 'other', 'k')], 'owner'), []],
  'that nobody knows': [login([fromSecret('PGPASSWORD', 'other', 'k')], 'owner', { user: 'owner' }, {}), []],
});
test('a password of the Secret that the container has can be tried', () => {
  assert.is(login([fromSecret('PGPASSWORD', 'pg', 'k')], undefined)[0]?.mirrorable, true);
  assert.is(login([fromSecret('PGPASSWORD', 'x', 'pw')], undefined)[0]?.mirrorable, false);
});

const send = (all: Record<string, string>, secrets: Record<string, string[]>, more: object = {}) =>
  serverPassword(anInput({ ...env(all), ...more }, {}, around(secrets)), /redis/i);
const TAKEN = (secret: string, key: string) => fromSecret('REDIS_PASSWORD', secret, key);
rows('a password that a program does not send', {
  'of the Secret of the server': [
    send({ A: 'x', REDIS_HOST: 'redis.shop:6379', REDIS_PORT: '6379' }, { redis: ['redis-password'] }),
    likely({ 'env[3]': TAKEN('redis', 'redis-password') }, NO_MIRROR),
  ],
  'of a Secret that begins with it': [
    send({ REDIS_HOST: 'redis' }, { 'redis-auth': ['pass', 'admin-pass'] }),
    guess({ 'env[1]': TAKEN('redis-auth', 'pass') }, NO_MIRROR),
  ],
  'of a Secret with which it begins': [
    send({ REDIS_HOST: 'redis-master' }, { redis: ['passwd'] }),
    guess({ 'env[1]': TAKEN('redis', 'passwd') }, NO_MIRROR),
  ],
  'of two Secrets': [send({ REDIS_HOST: 'redis' }, { redis: ['password'], 'redis-x': ['password'] }), []],
  'of two keys': [send({ REDIS_HOST: 'redis' }, { redis: ['password', 'pass'] }), []],
  'of another server': [send({ REDIS_HOST: 'redis' }, { redisearch: ['password'] }), []],
  'that it sends': [send({ REDIS_HOST: 'redis', REDIS_PASS: 'x' }, { redis: ['password'] }), []],
  'that it has from everywhere': [
    send({ REDIS_HOST: 'redis' }, { redis: ['password'], all: ['REDIS_PASSWORD'] }, { envFrom: [{ secretRef: { name: 'all' } }] }),
    [],
  ],
  'of another kind': [send({ DB_HOST: 'pg' }, { pg: ['password'] }), []],
  'by the name of the server': [
    send({ CACHE_ADDR: 'redis' }, { redis: ['password'] }),
    guess({ 'env[1]': fromSecret('CACHE_PASSWORD', 'redis', 'password') }, NO_MIRROR),
  ],
  'of root': [send({ REDIS_HOST: 'redis' }, { redis: ['root-password'] }), []],
});

const ENV1 = (name: string, field: string, source: string, key: string) => ({ name, valueFrom: { [field]: { name: source, key } } });
const several = (names: string[], of: CaseParts, container: object = env({ X: 'y' })) =>
  missingVariables(anInput(container, {}, of), names[0]!, names);
rows('several variables that a program misses', {
  'from one object': [
    several(['A_ONE', 'A_TWO'], around({}, { one: ['A_ONE'], both: ['A_ONE', 'a-two'] })),
    likely({ 'env[1]': ENV1('A_ONE', 'configMapKeyRef', 'both', 'A_ONE'), 'env[2]': ENV1('A_TWO', 'configMapKeyRef', 'both', 'a-two') }),
  ],
  'for a container without variables': [
    several(['A_ONE', 'A_TWO'], around({ both: ['A_ONE', 'A_TWO'] }), {}),
    likely({ env: [ENV1('A_ONE', 'secretKeyRef', 'both', 'A_ONE'), ENV1('A_TWO', 'secretKeyRef', 'both', 'A_TWO')] }, NO_MIRROR),
  ],
  'from an object each': [
    several(['A_ONE', 'A_TWO'], around({ s: ['A_TWO'] }, { m: ['A_ONE'] })),
    likely({ 'env[1]': ENV1('A_ONE', 'configMapKeyRef', 'm', 'A_ONE'), 'env[2]': ENV1('A_TWO', 'secretKeyRef', 's', 'A_TWO') }, NO_MIRROR),
  ],
  'of which one is nowhere': [
    several(['A_ONE', 'A_TWO'], around({ s: ['A_ONE'] })),
    guess({ 'env[1]': ENV1('A_ONE', 'secretKeyRef', 's', 'A_ONE') }, NO_MIRROR),
  ],
  'of which there is one': [
    several(['A_ONE', 'A_ONE'], around({ s: ['A_ONE'] })),
    likely({ 'env[1]': ENV1('A_ONE', 'secretKeyRef', 's', 'A_ONE') }, NO_MIRROR),
  ],
});
test('several variables from where they come', () => {
  const both = (of: CaseParts) => suppliedVariables(anInput(env({ X: 'y' }), {}, of), ['A_ONE', 'A_TWO'])[0];
  assert.equal(
    [both(around({}, { m: ['A_ONE', 'A_TWO'] }))?.title, both(around({}, { m: ['A_ONE', 'A_TWO'] }))?.mirrorable],
    ['Take `A_ONE`, `A_TWO` from ConfigMap `m`', true],
  );
  assert.equal(
    [both(around({ s: ['A_ONE'] }, { m: ['A_TWO'] }))?.title, both(around({ s: ['A_ONE'] }, { m: ['A_TWO'] }))?.mirrorable],
    ['Take `A_ONE` from Secret `s`, `A_TWO` from ConfigMap `m`', false],
  );
  assert.equal(
    suppliedVariables(anInput(env({ A_ONE: 'y' }), {}, around({}, { m: ['A_ONE', 'A_TWO'] })), ['A_ONE', 'A_TWO']),
    [],
    'one is set',
  );
  assert.equal(suppliedVariables(anInput({}, {}, around({}, { m: ['A_ONE'] })), []), []);
});
rows('a variable and its companions', {
  'that the namespace has': [
    missingWith(anInput(env({ X: 'y' }), {}, around({ s: ['DB_URL', 'DB_USER'] })), 'db.url', ['db.user', 'db.pass']),
    likely(
      { 'env[1]': ENV1('DB_URL', 'secretKeyRef', 's', 'DB_URL'), 'env[2]': ENV1('DB_USER', 'secretKeyRef', 's', 'DB_USER') },
      NO_MIRROR,
    ),
  ],
  'that are set': [
    missingWith(anInput(env({ DB_USER: 'y' }), {}, around({ s: ['DB_URL', 'DB_USER'] })), 'db.url', ['db.user']),
    likely({ 'env[1]': ENV1('DB_URL', 'secretKeyRef', 's', 'DB_URL') }, NO_MIRROR),
  ],
  'that come from everywhere': [
    missingWith(
      anInput({ ...env({ X: 'y' }), envFrom: [{ secretRef: { name: 't' } }] }, {}, around({ s: ['DB_URL', 'DB_USER'], t: ['DB_USER'] })),
      'db.url',
      ['db.user'],
    ),
    likely({ 'env[1]': ENV1('DB_URL', 'secretKeyRef', 's', 'DB_URL') }, NO_MIRROR),
  ],
});

const size = (option: string, value = option) => plainSize(anInput(env({ A: 'x', OPTS: `-server ${value}` })), option);
rows('a size of Java', {
  'in MB': [size('-Xmx256mb'), likely({ 'env[1].value': '-server -Xmx256m' })],
  'in Mi': [size('-Xmx256Mi'), likely({ 'env[1].value': '-server -Xmx256m' })],
  'in capitals': [size('-Xmx2G'), likely({ 'env[1].value': '-server -Xmx2g' })],
  'that is right': [size('-Xmx2g'), []],
  'as a share': [size('-XX:MaxRAMPercentage=75%'), likely({ 'env[1].value': '-server -XX:MaxRAMPercentage=75' })],
  'that is none': [size('-Xmx'), []],
});
rows('a heap without a unit', {
  'is one of MiB': [heapWithUnit(anInput({ args: ['-Xmx512'] })), likely({ 'args[0]': '-Xmx512m' })],
  'has one': [heapWithUnit(anInput({ args: ['-Xmx512m'] })), []],
  'from a field in Gi': [
    heapWithUnit(anInput({ args: ['-Xmx$(H)'], env: [{ name: 'H', valueFrom: { resourceFieldRef: { divisor: '1Gi' } } }] })),
    likely({ 'args[0]': '-Xmx$(H)g' }),
  ],
  'from a field in Ki': [
    heapWithUnit(anInput({ args: ['-Xmx$(H)'], env: [{ name: 'H', valueFrom: { resourceFieldRef: { divisor: '1Ki' } } }] })),
    likely({ 'args[0]': '-Xmx$(H)k' }),
  ],
  'from a field in M': [
    heapWithUnit(anInput({ args: ['-Xms$(H)'], env: [{ name: 'H', valueFrom: { resourceFieldRef: { divisor: '1M' } } }] })),
    likely({ 'args[0]': '-Xms$(H)m' }),
  ],
  'from a variable': [heapWithUnit(anInput({ args: ['-Xmx$(H)'], ...env({ H: '512' }) })), likely({ 'args[0]': '-Xmx$(H)m' })],
  'from a variable with a unit': [heapWithUnit(anInput({ args: ['-Xmx$(H)'], ...env({ H: '512m' }) })), []],
});
rows('a heap that begins above its end', {
  'begins with it': [equalHeap(anInput({ args: ['-Xms2g', '-Xmx1g'] })), likely({ 'args[0]': '-Xms1g' })],
  'in one text of several': [
    equalHeap(anInput(env({ A: '-Xms1g -Xmx1g', B: '-Xms2g -Xmx1g' }))),
    likely({ 'env[1].value': '-Xms1g -Xmx1g' }),
  ],
  'from variables': [equalHeap(anInput({ args: ['-Xms$(I) -Xmx${M}'], ...env({ I: '2g', M: '1g' }) })), likely({ 'env[0].value': '1g' })],
  'from one variable': [equalHeap(anInput({ args: ['-Xms$(M) -Xmx$(M)'], ...env({ M: '1g' }) })), []],
  'that nobody sets': [equalHeap(anInput({ args: ['-Xmx1g'] })), []],
});
const other = (which: object, container: object) => otherSize(anInput(container), which);
rows('a size of another program', {
  Node: [
    other({ node: '--max-old-space-size=1G' }, env({ O: '--max-old-space-size=1G' })),
    likely({ 'env[0].value': '--max-old-space-size=1024' }),
  ],
  'Node, in KiB': [other({ node: '--x=2048k' }, env({ O: '--x=2048k' })), likely({ 'env[0].value': '--x=2' })],
  'Node, less than one': [other({ node: '--x=2k' }, env({ O: '--x=2k' })), likely({ 'env[0].value': '--x=1' })],
  'Node, in TiB': [other({ node: '--x=1t' }, env({ O: '--x=1t' })), likely({ 'env[0].value': '--x=1048576' })],
  'Node, in MiB': [other({ node: '--x=7Mib' }, env({ O: '--x=7Mib' })), likely({ 'env[0].value': '--x=7' })],
  PostgreSQL: [other({ pg: '2Gi' }, env({ O: 'shared_buffers=2Gi' })), likely({ 'env[0].value': 'shared_buffers=2GB' })],
  'PostgreSQL, in KiB': [other({ pg: '2k' }, env({ O: '2k' })), likely({ 'env[0].value': '2kB' })],
  'PostgreSQL, in MiB': [other({ pg: '2m' }, env({ O: '2m' })), likely({ 'env[0].value': '2MB' })],
  'PostgreSQL, in TiB': [other({ pg: '2t' }, env({ O: '2t' })), likely({ 'env[0].value': '2TB' })],
  Go: [other({}, env({ A: 'x', GOMEMLIMIT: '512M' })), likely({ 'env[1].value': '512MiB' })],
  'Go, in GiB': [other({}, env({ GOMEMLIMIT: '1G' })), likely({ 'env[0].value': '1GiB' })],
  'Go, in KiB': [other({}, env({ GOMEMLIMIT: '1K' })), likely({ 'env[0].value': '1KiB' })],
  'Go, in TiB': [other({}, env({ GOMEMLIMIT: '1T' })), likely({ 'env[0].value': '1TiB' })],
  'Go without a size': [other({}, env({ A: 'x' })), []],
});

const stored = (line: string, all: Record<string, string> = { A: 'x', CLUSTER_ID: 'abc-123' }) => storedValue(aPlace(env(all)), line);
rows('a value that the data have otherwise', {
  'behind what is expected': [stored('Expected abc-123, but read def-456 in /data/meta.properties'), guess({ 'env[1].value': 'def-456' })],
  'before what is expected': [stored('Found def-456, expected abc-123.'), guess({ 'env[1].value': 'def-456' })],
  'in two settings': [stored('Expected abc-123, but read def-456', { A: 'abc-123', B: 'abc-123' }), []],
  'that is a word': [stored('Expected abc-123, but read something'), []],
  'that is short': [stored('Expected ab-12, but read ab-13', { A: 'ab-12' }), []],
  'that is the same': [stored('Expected abc-123, but read abc-123'), []],
});
for (const name of [
  'SHA1',
  'CHECKSUM',
  'DIGEST',
  'HASH',
  'SIGNATURE',
  'PASSWORD',
  'TOKEN',
  'SECRET',
  'API_KEY',
  'NONCE',
  'CERT',
  'FINGERPRINT',
])
  test(`${name} protects the data`, () => assert.is(stored('Expected abc-123, but read def-456', { [name]: 'abc-123' }), undefined));
test('a value that the data have otherwise, and the file with it', () =>
  assert.equal(
    [stored('Expected abc-123, but read def-456 in /data/meta.properties')?.because, stored('Expected abc-123, but read def-456')?.because],
    [
      '`CLUSTER_ID` is `abc-123`, and the program finds `def-456` in `/data/meta.properties`',
      '`CLUSTER_ID` is `abc-123`, and the program finds `def-456`',
    ],
  ));

const swapped = (...variables: object[]) => swappedKeys(anInput({ env: variables }));
rows('keys in each other’s place', {
  'of a Secret': [
    swapped(fromSecret('X', 's', 'x'), fromSecret('DB_USER', 's', 'password'), fromSecret('DB_PASS', 's', 'username')),
    likely({ [KEY(1)]: 'username', [KEY(2)]: 'password' }),
  ],
  'of a ConfigMap': [
    swapped(fromMap('DB_HOST', 'm', 'port'), fromMap('DB_PORT', 'm', 'host')),
    likely({ 'env[0].valueFrom.configMapKeyRef.key': 'host', 'env[1].valueFrom.configMapKeyRef.key': 'port' }),
  ],
  'of two objects': [swapped(fromSecret('DB_USER', 's', 'password'), fromSecret('DB_PASS', 't', 'username')), []],
  'of two kinds': [swapped(fromSecret('DB_USER', 's', 'password'), fromMap('DB_PASS', 's', 'username')), []],
  'that are right': [swapped(fromSecret('DB_USER', 's', 'username'), fromSecret('DB_PASS', 's', 'password')), []],
  'of which only one is odd': [swapped(fromSecret('DB_USER', 's', 'password'), fromSecret('DB_PASS', 's', 'key')), []],
  twice: [swapped(fromSecret('A_USER', 's', 'password'), fromSecret('A_PASS', 's', 'username'), fromSecret('B_PASS', 's', 'username')), []],
});
test('keys in each other’s place have the names of both', () =>
  assert.equal(swapped(fromSecret('DB_USER', 's', 'password'), fromSecret('DB_PASS', 's', 'username'))?.names, ['DB_USER', 'DB_PASS']));

const unused = (line: string, keys: string[], all: Record<string, string> = {}) =>
  unusedKey(anInput(env(all), {}, around({ s: keys })), line);
rows('a key that nothing uses', {
  'with the name in the line': [
    unused('SHOP_KEY is not set', ['X', 'SHOP_KEY']),
    likely({ 'env[0]': fromSecret('SHOP_KEY', 's', 'SHOP_KEY') }, NO_MIRROR),
  ],
  'with a longer name': [
    unused('SECRET_KEY is not set', ['SUPERSET_SECRET_KEY']),
    guess({ 'env[0]': fromSecret('SUPERSET_SECRET_KEY', 's', 'SUPERSET_SECRET_KEY') }, NO_MIRROR),
  ],
  'with two longer names': [unused('SECRET_KEY is not set', ['A_SECRET_KEY', 'B_SECRET_KEY']), []],
  'that is set': [unused('SHOP_KEY is not set', ['SHOP_KEY'], { SHOP_KEY: 'x' }), []],
  'that is set under a longer name': [unused('SHOP_KEY is not set', ['SHOP_KEY'], { MY_SHOP_KEY: 'x' }), []],
  'behind one that is there': [
    unused('A_KEY or SHOP_KEY', ['SHOP_KEY']),
    likely({ 'env[0]': fromSecret('SHOP_KEY', 's', 'SHOP_KEY') }, NO_MIRROR),
  ],
});

const wellKnown = (name: string, text: string, value = 'x') => wellKnownName(anInput(env({ A: 'b', [name]: value }), {}, log(text)));
for (const [right, slip, text] of [
  ['SPRING_PROFILES_ACTIVE', 'SPRING_PROFILE_ACTIVE', 'No active profile set, falling back'],
  ['ASPNETCORE_ENVIRONMENT', 'ASPNETCORE_ENVIROMENT', 'Hosting environment: Production'],
  ['DOTNET_ENVIRONMENT', 'DOTNET_ENVIROMENT', 'Hosting environment: Production'],
  ['QUARKUS_PROFILE', 'QUARKUS_PROFIL', 'Profile prod activated.'],
  ['MICRONAUT_ENVIRONMENTS', 'MICRONAUT_ENVIROMENTS', 'No active environments'],
  ['RAILS_ENV', 'RAIL_ENV', 'Rails 7 application starting in development'],
  ['NODE_ENV', 'NODE_EVN', 'NODE_ENV is undefined'],
  ['DJANGO_SETTINGS_MODULE', 'DJANGO_SETTING_MODULE', 'but settings are not configured'],
  ['APP_ENV', 'APP_EN', 'APP_ENV is not set'],
] as const)
  test(`a slip of ${right}`, () => {
    assert.equal(inShort(wellKnown(slip, text)), likely({ 'env[1].name': right }));
    assert.equal(
      [
        wellKnown(slip, 'x'),
        wellKnown(right, text),
        wellKnown(slip, text, ''),
        wellKnown(`X${slip.slice(1)}`, text),
        wellKnown(slip.slice(0, -3), text),
      ],
      [[], [], [], [], []],
    );
  });

const misses = (setting: string, container: object, of: CaseParts = {}, spec: object = {}) =>
  missingVariable(anInput(container, spec, of), setting);
const PREFIXED = { envFrom: [{ configMapRef: { name: 'none' } }, { prefix: 'X_', configMapRef: { name: 'conf' } }] };
rows('a variable that a program misses', {
  'is in a ConfigMap': [
    misses('orders.queue', env({ A: 'x' }), around({}, { conf: ['ORDERS_QUEUE'] })),
    likely({ 'env[1]': ENV1('ORDERS_QUEUE', 'configMapKeyRef', 'conf', 'ORDERS_QUEUE') }),
  ],
  'is in two': [
    misses('KEY_A', {}, around({ s: ['key-a'] }, { conf: ['key.a'] })),
    [
      ...likely({ env: [ENV1('KEY_A', 'configMapKeyRef', 'conf', 'key.a')] }),
      ...likely({ env: [ENV1('KEY_A', 'secretKeyRef', 's', 'key-a')] }, NO_MIRROR),
    ],
  ],
  'is in a Secret under another word': [
    misses('REDIS_URL', {}, around({ s: ['REDIS_URI'] })),
    likely({ env: [ENV1('REDIS_URL', 'secretKeyRef', 's', 'REDIS_URI')] }, NO_MIRROR),
  ],
  'has a slip': [misses('DATABASE_URL', env({ DATABSE_URL: 'x' })), likely({ 'env[0].name': 'DATABASE_URL' })],
  'is there': [misses('KEY_A', env({ KEY_A: 'x' }), around({}, { conf: ['KEY_A'] })), []],
  'is empty over a good one': [
    misses('KEY_A', { ...env({ B: 'x', KEY_A: ' ' }), envFrom: [{ configMapRef: { name: 'conf' } }] }, around({}, { conf: ['KEY_A'] })),
    likely({ 'env[1]': null }),
  ],
  'is empty and alone over a good one': [
    misses('KEY_A', { ...env({ KEY_A: '' }), envFrom: [{ configMapRef: { name: 'conf' } }] }, around({}, { conf: ['KEY_A'] })),
    likely({ env: null }),
  ],
  'has a prefix': [misses('KEY_A', PREFIXED, around({}, { conf: ['KEY_A', 'A'] })).slice(0, 1), likely({ 'envFrom[1].prefix': null })],
  'has another prefix': [
    misses('APP_KEY_A', PREFIXED, around({}, { conf: ['KEY_A', 'A'] })).slice(0, 1),
    likely({ 'envFrom[1].prefix': 'APP_' }),
  ],
  'is part of a word': [misses('MYKEY', PREFIXED, around({}, { conf: ['KEY'] })), []],
  'is in another container': [
    misses('KEY_A', {}, {}, { initContainers: [{ name: 'i', ...env({ KEY_A: 'v' }) }] }),
    likely({ env: [{ name: 'KEY_A', value: 'v' }] }),
  ],
  'is a field of the pod': [
    misses('POD_NAME', {}),
    likely({ env: [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
  ],
  'is the port of a Service': [
    misses('API_PORT', env({ API_HOST: 'api.shop' }), { surroundings: { services: [service('api', undefined, 8000)] } }),
    guess({ 'env[1]': { name: 'API_PORT', value: '8000' } }),
  ],
  'is one of two ports of a Service': [
    misses('API_PORT', env({ API_HOST: 'api' }), { surroundings: { services: [service('api', undefined, 1, 2)] } }),
    [],
  ],
  'has its key under another name': [
    misses('SECRET_KEY', { env: [fromSecret('DJANGO_HUSH', 's', 'django-secret-key')] }),
    likely({ 'env[0].name': 'SECRET_KEY' }),
  ],
  'has its key under two other names': [
    misses('SECRET_KEY', { env: [fromSecret('DJANGO_HUSH', 's', 'django-secret-key'), fromSecret('OTHER_HUSH', 's', 'secret-key')] }),
    [],
  ],
  'comes with Services that are switched off': [
    misses('API_SERVICE_HOST', {}, { surroundings: { services: [service('api')] } }, { enableServiceLinks: false }),
    likely({ 'spec.enableServiceLinks': true }),
  ],
  'comes with Services that are switched on': [misses('API_SERVICE_HOST', {}, { surroundings: { services: [service('api')] } }), []],
  'is an optional key that is not there': [
    misses(
      'KEY_A',
      { env: [{ name: 'KEY_A', valueFrom: { configMapKeyRef: { name: 'conf', key: 'kay-a', optional: true } } }] },
      around({}, { conf: ['key-a'] }),
    )
      .slice(0, 1)
      .map((one) => one),
    likely({ 'env[0].valueFrom.configMapKeyRef.key': 'key-a' }),
  ],
});
for (const end of ['HOST', 'HOSTNAME', 'SERVER', 'ADDR', 'ADDRESS', 'SERVICE'])
  test(`the port beside API_${end}`, () =>
    assert.equal(
      inShort(misses('API_PORT', env({ [`API_${end}`]: 'api' }), { surroundings: { services: [service('api', undefined, 8000)] } })),
      guess({ 'env[1]': { name: 'API_PORT', value: '8000' } }),
    ));
for (const [names, field] of [
  [['POD_NAME', 'MY_POD_NAME', 'K8S_POD_NAME', 'KUBERNETES_POD_NAME'], 'metadata.name'],
  [
    ['POD_NAMESPACE', 'MY_POD_NAMESPACE', 'K8S_POD_NAMESPACE', 'MY_NAMESPACE', 'K8S_NAMESPACE', 'KUBERNETES_NAMESPACE'],
    'metadata.namespace',
  ],
  [['POD_UID', 'MY_POD_UID'], 'metadata.uid'],
  [['POD_IP', 'K8S_POD_IP'], 'status.podIP'],
  [['NODE_NAME', 'MY_NODE_NAME', 'K8S_NODE_NAME', 'KUBE_NODE_NAME', 'KUBERNETES_NODE_NAME'], 'spec.nodeName'],
  [['NODE_IP', 'HOST_IP', 'MY_HOST_IP'], 'status.hostIP'],
  [['POD_SERVICE_ACCOUNT', 'MY_POD_SERVICE_ACCOUNT'], 'spec.serviceAccountName'],
] as const)
  test(`${names.join(', ')} come from the pod`, () => {
    for (const name of names)
      assert.equal(inShort(ofPod(aPlace({}), name)), likely({ env: [{ name, valueFrom: { fieldRef: { fieldPath: field } } }] }), name);
    assert.equal(ofPod(aPlace(env({ [names[0]]: 'x' })), names[0]), []);
    assert.equal(ofPod(aPlace({}), `X${names[0]}`), []);
  });
const labelled = (metadata: object, key: string, more: object = {}, field = 'labels') =>
  misses(
    'VERSION',
    {},
    {
      manifest: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web', namespace: 'shop', ...metadata },
        spec: {
          containers: [
            {
              name: 'app',
              image: 'web:7',
              env: [{ name: 'VERSION', valueFrom: { fieldRef: { fieldPath: `metadata.${field}['${key}']` } } }],
            },
          ],
        },
      },
      ...more,
    },
  );
rows('a variable from a label', {
  'that the pod has under a prefix': [
    labelled({ labels: { 'app.kubernetes.io/version': '1' } }, 'version'),
    likely({ 'env[0].valueFrom.fieldRef.fieldPath': "metadata.labels['app.kubernetes.io/version']" }),
  ],
  'that the pod has with a slip': [
    labelled({ annotations: { versoin: '1' } }, 'version', {}, 'annotations'),
    likely({ 'env[0].valueFrom.fieldRef.fieldPath': "metadata.annotations['versoin']" }),
  ],
  'that the pod lacks': [labelled({}, 'version'), guess({ 'metadata.labels.version': '7' })],
  'that the pod lacks, of the workload': [
    labelled({ annotations: { a: 'b' } }, 'team', { workload: { kind: 'Deployment', name: 'shop' } }, 'annotations'),
    guess({ 'metadata.annotations.team': 'shop' }),
  ],
  'that the pod lacks, of the container': [labelled({}, 'team'), guess({ 'metadata.labels.team': 'app' })],
  'that the pod has': [labelled({ labels: { version: '' } }, 'version'), []],
});
const job = (spec: object, name = 'JOB_COMPLETION_INDEX') =>
  misses(
    name,
    {},
    {
      manifest: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'j' },
        spec: { ...spec, template: { spec: { containers: [{ name: 'app', image: 'a' }] } } },
      },
    },
  );
rows('the index of a Job', {
  'that is none': [job({}), likely({ 'spec.completionMode': 'Indexed', 'spec.completions': 1 }, NO_MIRROR)],
  'with a number of pods': [job({ completions: 3 }), likely({ 'spec.completionMode': 'Indexed' }, NO_MIRROR)],
  'that is one': [job({ completionMode: 'Indexed' }), []],
  'of another variable': [job({}, 'JOB_INDEX_X'), []],
});
test('how a setting is written', () => {
  assert.equal(
    [variableName('orders.queue'), variableName('Orders:Queue'), variableName('a-b'), variableName('aB_c')],
    ['ORDERS_QUEUE', 'Orders__Queue', 'A_B', 'aB_c'],
  );
  assert.equal(formsOf('Db_Url'), ['Db_Url', 'db_url', 'DB_URL', 'db-url', 'DB-URL', 'db.url', 'DB.URL']);
});
test('whether a variable is set', () => {
  const of = (container: object) => isSet(anInput(container, {}, around({}, { conf: ['KEY'] })), 'KEY');
  assert.equal(
    [
      of(env({ KEY: 'x' })),
      of(env({ KEY: '' })),
      of({ env: [{ name: 'KEY', valueFrom: {} }] }),
      of({}),
      of({ envFrom: [{ configMapRef: { name: 'conf' } }] }),
      of({ envFrom: [{ prefix: 'A_', configMapRef: { name: 'conf' } }] }),
    ],
    [true, false, true, false, true, false],
  );
});
test('a setting whose prefix hides it', () => {
  const of = (prefix: string) =>
    withPrefix(anInput({ envFrom: [{ prefix, configMapRef: { name: 'conf' } }] }, {}, around({}, { conf: ['KEY'] })), 'KEY');
  assert.equal([of('A_'), of('')], ['KEY: the prefix A_ of envFrom', 'KEY']);
});

test.run();
