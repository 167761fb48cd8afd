import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { appended, change } from '../../../src/diagnosis/corrections/change.ts';
import { bySureness, joined } from '../../../src/diagnosis/corrections/combine.ts';
import { commandWords, placedTexts, textsOf } from '../../../src/diagnosis/corrections/container-texts.ts';
import type { Correction } from '../../../src/diagnosis/corrections/correction.ts';
import { allGivenIn, givenIn, rewritten, wordsIn } from '../../../src/diagnosis/corrections/given-values.ts';
import { replaceText, wordsAt, writtenInstead } from '../../../src/diagnosis/corrections/replace-text.ts';
import { hasKey, keysText, otherReferences } from '../../../src/diagnosis/corrections/references.ts';
import { editDistance, isSubsequence, nearest, nearestName } from '../../../src/diagnosis/corrections/similar-names.ts';
import { meaningOf } from '../../../src/diagnosis/corrections/synonyms.ts';
import type { MissingObject } from '../../../src/diagnosis/facts/references.ts';
import { aPlace, anInput } from '../../support/builders/cases.ts';
import { correctionRows, env, guess, inShortMarked, likely, NO_MIRROR } from '../../support/builders/corrections.ts';

const test = suite('texts of a container, and corrections of them');
const rows = correctionRows(test);

const ALL = {
  ...env({ A: 'a', E: '' }),
  command: ['run', '--x', 'v', '-y=w'],
  args: ['go', '--port', '80', '--long=a=b', '--flag', '--last'],
};
test('the words and values of a container', () => {
  const place = aPlace({ ...ALL, env: [...ALL.env, { name: 'S', valueFrom: {} }] });
  assert.equal(commandWords(place.container), [...ALL.command, ...ALL.args]);
  assert.equal(textsOf(place.container), [...ALL.command, ...ALL.args, 'a', '']);
  assert.equal(textsOf(undefined), []);
  assert.equal(
    placedTexts(place)
      .map(({ path, text }) => [path.replace('spec.containers[0].', ''), text])
      .slice(0, 4),
    [
      ['env[0].value', 'a'],
      ['env[1].value', ''],
      ['command[0]', 'run'],
      ['command[1]', '--x'],
    ],
  );
  assert.is(placedTexts(place).at(-1)?.path, 'spec.containers[0].args[5]');
});
const short = (given: ReturnType<typeof givenIn>) =>
  given.map(({ name, value, prefix, path }) => [name, value, prefix, path.replace('spec.containers[0].', '')]);
const GIVEN = [
  ['A', 'a', '', 'env[0].value'],
  ['--port', '80', '', 'args[2]'],
  ['--long', 'a=b', '--long=', 'args[3]'],
  ['--x', 'v', '', 'command[2]'],
  ['-y', 'w', '-y=', 'command[3]'],
];
test('the values that a container gives its program', () => {
  assert.equal(short(givenIn(aPlace(ALL))), GIVEN);
  assert.equal(short(wordsIn(aPlace(ALL))), [...GIVEN, ['args', 'go', '', 'args[0]'], ['command', 'run', '', 'command[0]']]);
  assert.equal(short(givenIn(aPlace({ args: ['--a', 'x'.repeat(300), '--b', '-c', '--', 'd', '1', 'e'] }))), []);
});
const parts = (value: string) =>
  allGivenIn(aPlace(env({ U: value })))
    .slice(1)
    .map(({ name, value: own, prefix, suffix }) => [name, own, prefix, suffix]);
test('the settings inside of a value', () => {
  assert.equal(parts('pg://db/x?a=1&b=2'), [
    ['a', '1', 'pg://db/x?a=', '&b=2'],
    ['b', '2', 'pg://db/x?a=1&b=', ''],
  ]);
  assert.equal(parts('host=db port=1'), [
    ['host', 'db', 'host=', ' port=1'],
    ['port', '1', 'host=db port=', ''],
  ]);
  assert.equal(parts('Server=db;Max Pool=5;'), [
    ['Server', 'db', 'Server=', ';Max Pool=5;'],
    ['Max Pool', '5', 'Server=db;Max Pool=', ';'],
  ]);
  assert.equal([parts('pg://db/x'), parts('a=b'), parts('plain text')], [[], [], []]);
});
test('a value that is written anew keeps what stands around it', () => {
  const place = aPlace(env({ U: 'pg://db/x?a=1&b=2' }));
  const [, a] = allGivenIn(place);
  assert.equal(rewritten(place, a!, '9', 'w'), {
    path: 'spec.containers[0].env[0].value',
    from: 'pg://db/x?a=1&b=2',
    to: 'pg://db/x?a=9&b=2',
    why: 'w',
  });
});
test('a change knows what was there', () => {
  const place = aPlace({ args: ['a'] });
  assert.equal(change(place, 'spec.containers[0].args[0]', 'b', 'w'), { path: 'spec.containers[0].args[0]', from: 'a', to: 'b', why: 'w' });
  assert.is(change(place, 'spec.x', 1, 'w').from, null);
  assert.equal(
    [
      appended(place, 'l', ['x'], 'y', 'w'),
      appended(place, 'l', [], 'y', 'w'),
      appended(place, 'l', undefined, 'y', 'w'),
      appended(place, 'l', null, 'y', 'w'),
    ].map(({ path, to }) => [path, to]),
    [
      ['l[1]', 'y'],
      ['l[0]', 'y'],
      ['l', ['y']],
      ['l', ['y']],
    ],
  );
});
test('where a word stands as a whole', () => {
  const of = (text: string) => wordsAt(text, 'web');
  assert.equal([of('web'), of('a web, web:1 web.'), of('http://web/web')], [[0], [2, 7, 13], [7, 11]]);
  assert.equal(
    ['awebs', 'web1', 'web-1', 'my-web', 'my.web', '_web', 'web_'].map(of),
    Array.from({ length: 7 }, () => []),
  );
  assert.equal(of('web.shop'), [0]);
});
rows('a word that is written instead', {
  everywhere: [
    writtenInstead(
      anInput({ ...env({ A: 'web x web', B: 'webs' }), args: ['web'] }),
      { from: 'web', to: 'api' },
      { why: 'w', explanation: 'E.' },
    ),
    likely({ 'env[0].value': 'api x api', 'args[0]': 'api' }),
  ],
  nowhere: [writtenInstead(anInput(env({ A: 'webs' })), { from: 'web', to: 'api' }, { why: 'w', explanation: 'E.' }), []],
});
test('a word that is written instead may be shown in part', () => {
  const of = (more: object = {}) =>
    writtenInstead(anInput(env({ A: 'web' })), { from: 'web', to: 'api', ...more }, { why: 'w', explanation: 'E.' })[0];
  assert.equal(
    [of()?.title, of({ shown: 'pi' })?.title, of()?.explanation, of()?.changes[0]?.why],
    ['Write `api`', 'Write `pi`', 'E.', 'w'],
  );
  assert.equal(replaceText(anInput(env({ A: 'x' })), 'web', 'api', 'w'), []);
});

const made = (title: string, more: Partial<Correction> = {}): Correction => ({
  title,
  changes: [],
  confidence: 'likely',
  explanation: 'E.',
  mirrorable: true,
  ...more,
});
const at = (path: string, from: unknown, to: unknown) => ({ path, from, to, why: 'w' });
test('several corrections as one', () => {
  const [a, b] = [made('Use a'), made('Take b', { confidence: 'guess', explanation: 'F.', mirrorable: false, byModel: true })];
  assert.equal(joined(a), a);
  assert.equal(joined(a, b), made('Use a and take b', { confidence: 'guess', explanation: 'E. F.', mirrorable: false, byModel: true }));
  assert.equal(joined(b, a).confidence, 'guess');
  assert.equal(
    [joined(a, b, made('Set c')).title, joined(a, made('Use a')).title, joined(a, made('Use a')).explanation],
    ['Use a, take b and set c', 'Use a', 'E.'],
  );
  assert.not.ok('byModel' in joined(a, made('Set c')));
  assert.is(joined(made('a', { confidence: 'certain' }), made('b')).confidence, 'likely');
  assert.equal(joined(made('a', { changes: [at('p', 1, 2), at('q', 1, 2)] }), made('b', { changes: [at('p', 2, 3)] })).changes, [
    at('p', 1, 3),
    at('q', 1, 2),
  ]);
});
test('the more certain one first', () =>
  assert.equal(
    [made('g', { confidence: 'guess' }), made('l'), made('c', { confidence: 'certain' }), made('m')]
      .toSorted(bySureness)
      .map(({ title }) => title),
    ['c', 'l', 'm', 'g'],
  ));

test('how far two words are from each other', () =>
  assert.equal(
    [
      ['a', 'a'],
      ['ab', 'ba'],
      ['abc', 'acb'],
      ['abc', 'ab'],
      ['', 'abc'],
      ['kitten', 'sitting'],
      ['abcd', 'badc'],
      ['ca', 'abc'],
    ].map(([a, b]) => editDistance(a!, b!)),
    [0, 1, 1, 1, 3, 3, 2, 3],
  ));
test('letters in their order', () =>
  assert.equal(
    [
      isSubsequence('kc', 'keycloak'),
      isSubsequence('a', 'a'),
      isSubsequence('k', 'keycloak'),
      isSubsequence('ck', 'keycloak'),
      isSubsequence('kx', 'keycloak'),
    ],
    [true, true, false, false, false],
  ));
test('words that may be meant', () => {
  assert.equal(
    [nearest('ab', ['ax', 'xy']), nearest('abcdef', ['abcdxy', 'abcxyz']), nearest('abcdefghijkl', ['abcdefghwxyz', 'abcdefgvwxyz'])],
    [['ax'], ['abcdxy'], ['abcdefghwxyz']],
    'a third of the letters, four at most',
  );
  assert.equal(nearest('abcdefghijklmno', ['abcdefghijvwxyz']), [], 'no fifth letter');
  assert.equal([nearest('Web-App', ['web_app', 'WEB.APP']), nearest('web', ['web'])], [['WEB.APP', 'web_app'], []]);
  assert.equal(nearest('abcd', ['abxd', 'axcd', 'abcx']), ['abcx', 'abxd', 'axcd'], 'the ones that begin alike first');
  assert.equal(
    [nearestName('pg-main', ['pg', 'x']), nearestName('pg-main', ['pg', 'p']), nearestName('p-main', ['p'])],
    [['pg'], ['pg'], []],
  );
  assert.equal(
    [nearestName('app-cfg', ['app-config']), nearestName('ap-cfg', ['app-config']), nearestName('db-pass', ['database-password'])],
    [['app-config'], [], ['database-password']],
  );
  assert.equal(nearestName('config', ['shop-config', 'my-long-shop-config']), ['shop-config', 'my-long-shop-config'], 'the shortest first');
  assert.equal(
    [nearestName('redis', ['redis-main']), nearestName('redis', ['redismain']), nearestName('my-redis', ['my-redismain'])],
    [['redis-main'], [], ['my-redismain']],
  );
});
for (const words of [
  ['DATABASE', 'DB'],
  ['PASSWORD', 'PASS', 'PASSWD', 'PWD', 'PW'],
  ['USERNAME', 'USER'],
  ['URL', 'URI'],
  ['ADDRESS', 'ADDR'],
  ['HOST', 'HOSTNAME'],
  ['ENVIRONMENT', 'ENV'],
  ['CONNECTION', 'CONN'],
  ['CONNECTIONSTRING', 'CONNECTIONSTRINGS', 'CONNSTR'],
  ['CONFIG', 'CFG', 'CONF', 'CONFIGURATION'],
  ['DIRECTORY', 'DIR', 'FOLDER'],
  ['SERVICE', 'SVC'],
  ['LEVEL', 'LVL'],
  ['POSTGRES', 'PG', 'POSTGRESQL'],
  ['MONGO', 'MONGODB'],
  ['RABBITMQ', 'RABBIT'],
])
  test(`${words.join(', ')} mean the same`, () => {
    for (const word of words) assert.equal(meaningOf(`my_${word.toLowerCase()}-x.y`), ['MY', words[0], 'X', 'Y']);
  });

const AROUND = {
  surroundings: {
    configMaps: [
      { name: 'conf', keys: ['app.yml', 'tls.crt', 'server.key'] },
      { name: 'shop-conf', keys: ['port'] },
      { name: 'kube-root', keys: ['only'] },
      { name: 'other', keys: ['only'] },
      { name: 'both', keys: ['k'] },
    ],
    secrets: [
      { name: 'pair', keys: ['cert.pem', 'key.pem', 'ca.crt'] },
      { name: 'login', keys: ['user'] },
      { name: 'one', keys: ['x.json'] },
    ],
  },
};
const of = (missing: MissingObject, variables: object[], spec: object = {}, more: object = {}) =>
  inShortMarked(otherReferences(anInput({ env: variables, ...more }, spec, AROUND), missing));
const ref = (kind: 'configMapKeyRef' | 'secretKeyRef', name: string, key: string, more: object = {}) => ({
  name: 'V',
  valueFrom: { [kind]: { name, key, ...more } },
});
const FIELD = (kind: string, field: string, index = 0) => `env[${index}].valueFrom.${kind}.${field}`;
const lacks = (what: 'ConfigMap' | 'Secret', name: string, key: string | null = null): MissingObject => ({ what, name, key });
const optional = (path: string) => guess({ [path]: true });
rows('an object that is not there', {
  'with a slip in its name': [
    of(lacks('ConfigMap', 'shop-cnf'), [{ name: 'A' }, ref('configMapKeyRef', 'shop-cnf', 'port')]),
    [...likely({ [FIELD('configMapKeyRef', 'name', 1)]: 'shop-conf' }), ...optional(FIELD('configMapKeyRef', 'optional', 1))],
  ],
  'of which one reference cannot be optional': [
    of(
      lacks('ConfigMap', 'zzzzzz', 'no'),
      [ref('configMapKeyRef', 'zzzzzz', 'no')],
      { volumes: [{ name: 'files', configMap: { name: 'zzzzzz' } }] },
      { volumeMounts: [{ name: 'files', mountPath: '/etc/no', subPath: 'no' }] },
    ),
    [],
  ],
  'with a slip in its name, without the key': [
    of(lacks('ConfigMap', 'shop-cnf'), [ref('configMapKeyRef', 'shop-cnf', 'else')]),
    optional(FIELD('configMapKeyRef', 'optional')),
  ],
  'whose keys only one has': [
    of(lacks('ConfigMap', 'zzzzzz'), [ref('configMapKeyRef', 'zzzzzz', 'only')]),
    [...likely({ [FIELD('configMapKeyRef', 'name')]: 'other' }), ...optional(FIELD('configMapKeyRef', 'optional'))],
  ],
  'which is of the other kind': [
    of(lacks('Secret', 'both'), [ref('secretKeyRef', 'both', 'k')]).slice(0, 1),
    likely({ 'env[0].valueFrom.secretKeyRef': null, 'env[0].valueFrom.configMapKeyRef': { key: 'k', name: 'both' } }),
  ],
  'which is of the other kind, without the key': [
    of(lacks('Secret', 'both'), [ref('secretKeyRef', 'both', 'l')]),
    optional(FIELD('secretKeyRef', 'optional')),
  ],
  'which is of the other kind, as a volume': [
    of(lacks('Secret', 'both'), [], {
      volumes: [
        { name: 'v', secret: { secretName: 'both', defaultMode: 256 } },
        { name: 'w', secret: { secretName: 'both', defaultMode: 420 } },
      ],
    }).slice(0, 1),
    likely({
      'spec.volumes[0].secret': null,
      'spec.volumes[0].configMap': { defaultMode: 256, name: 'both' },
      'spec.volumes[1].secret': null,
      'spec.volumes[1].configMap': { name: 'both' },
    }),
  ],
  'which is of the other kind, as a whole': [
    of(lacks('ConfigMap', 'login'), [], {}, { envFrom: [{ configMapRef: { name: 'login' } }] }).slice(0, 1),
    likely({ 'envFrom[0].configMapRef': null, 'envFrom[0].secretRef': { name: 'login' } }, NO_MIRROR),
  ],
  'that nobody names': [of(lacks('ConfigMap', 'none'), []), []],
});
rows('a key that is not there', {
  'with a slip': [
    of(lacks('ConfigMap', 'conf', 'ap.yml'), [ref('configMapKeyRef', 'conf', 'ap.yml')]).slice(0, 1),
    likely({ [FIELD('configMapKeyRef', 'key')]: 'app.yml' }),
  ],
  'with the same contents': [
    of(lacks('Secret', 'pair', 'tls.crt'), [ref('secretKeyRef', 'pair', 'tls.crt')]).slice(0, 1),
    guess({ [FIELD('secretKeyRef', 'key')]: 'cert.pem' }),
  ],
  'with the same contents, the last one that is left': [
    of(lacks('Secret', 'pair', 'tls.crt'), [
      ref('secretKeyRef', 'pair', 'tls.crt'),
      ref('secretKeyRef', 'pair', 'key.pem'),
      ref('secretKeyRef', 'pair', 'ca.crt'),
    ]).slice(0, 1),
    likely({ [FIELD('secretKeyRef', 'key')]: 'cert.pem' }),
  ],
  'with the only ending': [
    of(lacks('Secret', 'one', 'gcp.json'), [ref('secretKeyRef', 'one', 'gcp.json')]).slice(0, 1),
    likely({ [FIELD('secretKeyRef', 'key')]: 'x.json' }),
  ],
  'that another object has': [
    of(lacks('ConfigMap', 'conf', 'port'), [ref('configMapKeyRef', 'conf', 'port')]),
    [...guess({ [FIELD('configMapKeyRef', 'name')]: 'shop-conf' }), ...optional(FIELD('configMapKeyRef', 'optional'))],
  ],
  'of another reference': [of(lacks('ConfigMap', 'conf', 'port'), [ref('configMapKeyRef', 'conf', 'app.yml')]), []],
});
test('the keys of an object, in a sentence', () => {
  const text = (name: string, keys: string[]) =>
    keysText(anInput({}, {}, { surroundings: { configMaps: [{ name, keys }] } }), lacks('ConfigMap', 'c'));
  assert.equal(
    [text('c', ['a']), text('c', ['a', 'b']), text('c', []), text('d', ['a'])],
    ['ConfigMap `c` has the key `a`.', 'ConfigMap `c` has the keys `a`, `b`.', undefined, undefined],
  );
  const many = Array.from({ length: 21 }, (_, index) => `k${index}`);
  assert.match(text('c', many) ?? '', /`k19`, …\.$/);
  assert.match(text('c', many.slice(1)) ?? '', /`k20`\.$/);
  const has = (key: string | null) => hasKey(anInput({}, {}, AROUND), lacks('Secret', 'login', key));
  assert.equal([has('user'), has('x'), has(null)], [true, false, false]);
});

test.run();
