import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusedValue, valueMeaning } from '../../../../src/diagnosis/corrections/settings/values.ts';
import { anInput, type CaseParts, inShort } from '../../../support/builders/cases.ts';
import { correctionRows, env, guess, likely, type Short } from '../../../support/builders/corrections.ts';

const test = suite('values that a program does not take');
const rows = correctionRows(test);

const meaning = (line: string, container: object, parts: CaseParts = {}, isGeneral = true) =>
  valueMeaning(anInput(container, {}, parts), line, isGeneral);

const DOLLARS = 'got $(DB_HOST) instead';
rows('a reference that nothing replaced', {
  'of a slip': [meaning(DOLLARS, { args: ['--to=$(DB_HOST)'], ...env({ DB_HOSTS: 'x' }) }), likely({ 'args[0]': '--to=$(DB_HOSTS)' })],
  'of another variable with the last word': [
    meaning('got $(HTTP_PORT)', { args: ['$(HTTP_PORT)'], ...env({ LISTEN_PORT: '1', A: 'x' }) }),
    likely({ 'args[0]': '$(LISTEN_PORT)' }),
  ],
  'of one of two variables with the last word': [
    meaning('got $(HTTP_PORT)', { args: ['$(HTTP_PORT)'], ...env({ LISTEN_PORT: '1', METRICS_PORT: '2' }) }),
    [],
  ],
  'of a variable that comes later': [meaning(DOLLARS, env({ URL: 'x://$(DB_HOST)', DB_HOST: 'db' })), likely({ 'env[0].value': 'x://db' })],
  'of a variable that comes first': [meaning(DOLLARS, env({ DB_HOST: 'db', URL: 'x://$(DB_HOST)' })), []],
  'with the sign that keeps it': [
    meaning(DOLLARS, { args: ['$$(DB_HOST)'], ...env({ DB_HOST: 'x' }) }),
    likely({ 'args[0]': '$(DB_HOST)' }),
  ],
  'as a shell has it': [meaning('got $DB_HOST', { args: ['$DB_HOST'], ...env({ DB_HOST: 'x' }) }), likely({ 'args[0]': '$(DB_HOST)' })],
  'as a shell has it, in braces': [
    meaning('got ${DB_HOST}', { args: ['x=${DB_HOST}'], ...env({ DB_HOST: 'x' }) }),
    likely({ 'args[0]': 'x=$(DB_HOST)' }),
  ],
  'as a shell has it, with a slip': [
    meaning('got ${DB_HOST}', { args: ['x=${DB_HOST}'], ...env({ DB_HOSTS: 'x' }) }),
    likely({ 'args[0]': 'x=$(DB_HOSTS)' }),
  ],
  'for a shell': [meaning('got $DB_HOST', { command: ['/bin/bash', '-c', 'x $DB_HOST'], ...env({ DB_HOST: 'x' }) }), []],
  'in a variable, for a shell': [
    meaning('got $DB_HOST', { command: ['sh', '-c', 'x'], ...env({ DB_HOST: 'x', URL: 'x://$DB_HOST' }) }),
    likely({ 'env[1].value': 'x://$(DB_HOST)' }),
  ],
  'of nothing': [meaning('got $DB_HOST', { args: ['$DB_HOST'] }), []],
});
for (const shell of ['sh', 'bash', 'dash', 'ash', 'zsh', '/usr/bin/sh'])
  test(`${shell} replaces references itself`, () =>
    assert.equal(meaning('got $A_B', { command: [shell, '-c', '$A_B'], ...env({ A_B: 'x' }) })?.corrections, []));
test('a reference that nothing replaced, in words', () => {
  const of = (...args: Parameters<typeof meaning>) => {
    const { because, culprit, advice, corrections } = meaning(...args) ?? {};
    return [because, culprit, advice?.[0], corrections?.[0]?.explanation, corrections?.[0]?.changes[0]?.why];
  };
  assert.equal(of(DOLLARS, { args: ['$(DB_HOST)'], ...env({ DB_HOSTS: 'x' }) }), [
    'nothing replaced `$(DB_HOST)` by the value of the variable',
    '$(DB_HOST)',
    'Kubernetes replaces `$(NAME)` by a variable of the same container that is defined before it.',
    'Kubernetes replaces a reference only by a variable that the container defines before it.',
    'there is a variable `DB_HOSTS` and none named `DB_HOST`',
  ]);
  assert.equal(of('got $DB_HOST', { args: ['$DB_HOST'], ...env({ DB_HOST: 'x' }) }).slice(2), [
    'Kubernetes replaces `$(NAME)` only. `$NAME` needs a shell, and none starts this program.',
    'Kubernetes does not replace `$DB_HOST`, and no shell does.',
    'Kubernetes puts the value of `DB_HOST` there',
  ]);
  assert.equal(of(DOLLARS, { args: ['$$(DB_HOST)'], ...env({ DB_HOST: 'x' }) }).slice(2), [
    'Two dollar signs make plain text of a reference: `$$(NAME)` is written as `$(NAME)`.',
    'Kubernetes does not replace `$$(DB_HOST)`, and no shell does.',
    'Kubernetes takes `$$(DB_HOST)` for plain text',
  ]);
  assert.is(of(DOLLARS, env({ URL: '$(DB_HOST)', DB_HOST: 'db' }))[4], '`DB_HOST` is defined further down, where it is not known yet');
  assert.is(meaning(DOLLARS, env({ A: 'x' })), undefined, 'that the container does not have');
});

const KEYED = (key: string) => ({ valueFrom: { secretKeyRef: { name: 's', key } } });
rows('a value that is refused', {
  'with quotes': [meaning(`bad value '"8080"' for PORT`, env({ PORT: '"8080"' })), likely({ 'env[0].value': '8080' })],
  'with quotes that the line does not show, of a number': [
    meaning('is NaN', env({ PORT: '"8080"', B: '"x"' })),
    likely({ 'env[0].value': '8080' }),
  ],
  'with quotes that the line does not show, of two numbers': [meaning('is NaN', env({ PORT: '"8080"', B: '"1"' })), []],
  'with quotes that the line does not show, of an address': [
    meaning('Invalid URL', env({ U: '"http://x"', B: '"x"' })),
    likely({ 'env[0].value': 'http://x' }),
  ],
  'with quotes that the line does not show, of two addresses': [meaning('Invalid URL', env({ U: '"http://x"', B: '"ws://y"' })), []],
  'in another form': [meaning('SSL: not a bool: yes', env({ SSL: 'yes' })), likely({ 'env[0].value': 'true' })],
  'in another form, with the same unit for others': [
    meaning(
      'A_B_TIMEOUT: time: missing unit in duration "30"',
      env({ A_B_TIMEOUT: '30', A_C_TIMEOUT: '5', A_TIMEOUT: '5', B_C_TIMEOUT: '5', A_C_DELAY: '5', A_D_TIMEOUT: '5s' }),
    ),
    likely({ 'env[0].value': '30s', 'env[1].value': '5s' }),
  ],
  'that is the name of a port': [
    meaning("invalid number 'web' for PORT", {
      ...env({ PORT: 'web' }),
      ports: [
        { name: 'x', containerPort: 1 },
        { name: 'web', containerPort: 80 },
      ],
    }),
    likely({ 'env[0].value': '80' }),
  ],
  'that is no port': [
    meaning('ERR_SOCKET_BAD_PORT PORT=99999', { ...env({ PORT: '99999' }), ports: [{ containerPort: 80 }] }),
    likely({ 'env[0].value': '80' }),
  ],
  'that is the port that the container declares': [
    meaning('ERR_SOCKET_BAD_PORT PORT=8080', { ...env({ PORT: '8080' }), ports: [{ containerPort: 8080 }] }),
    [],
  ],
  'that is a word in place of the only port': [
    meaning('RangeError [ERR_SOCKET_BAD_PORT]: port is NaN', { ...env({ PORT: 'auto', A: 'x' }), ports: [{ containerPort: 80 }] }),
    likely({ 'env[0].value': '80' }),
  ],
  'that is a word in place of one of two ports': [
    meaning('ERR_SOCKET_BAD_PORT: port is NaN', { ...env({ PORT: 'auto', B_PORT: 'auto' }), ports: [{ containerPort: 80 }] }),
    [],
  ],
  'that is a word where the program has its own number': [
    meaning('Invalid option: POOL=auto is not a number', env({ A: 'x', POOL: 'auto' })),
    guess({ 'env[1]': null }),
  ],
  'that is a host without the port of its Service': [
    meaning('invalid address "db.shop" in PEER_ADDRESS', env({ PEER_ADDRESS: 'db.shop' }), {
      surroundings: { services: [{ name: 'db', ports: [5432] }] },
    }),
    likely({ 'env[0].value': 'db.shop:5432' }),
  ],
  'that is a host without the ports of its Service': [
    meaning('invalid address "db" in PEER_ADDRESS', env({ PEER_ADDRESS: 'db' }), {
      surroundings: { services: [{ name: 'db', ports: [1, 2] }] },
    }),
    [],
  ],
  'that is another user than that of the password': [
    meaning('invalid user "elastic" in ES_USERNAME', {
      env: [
        { name: 'ES_USERNAME', value: 'elastic' },
        { name: 'ES_PASSWORD', ...KEYED('kibana_system') },
      ],
    }),
    likely({ 'env[0].value': 'kibana_system' }),
  ],
  'that is a user whose password has a plain key': [
    meaning('invalid user "elastic" in ES_USERNAME', {
      env: [
        { name: 'ES_USERNAME', value: 'elastic' },
        { name: 'ES_PASSWORD', ...KEYED('password') },
      ],
    }),
    [],
  ],
  'with a second option in its word': [
    meaning("invalid value '80 --host=x' for --port", { args: ['--port=80 --host=x', 'a'] }),
    likely({ args: ['--port=80', '--host=x', 'a'] }),
  ],
  'out of the bounds': [meaning('POOL must be at most 10', env({ POOL: '50' })), likely({ 'env[0].value': '10' })],
  'that is no region': [
    meaning('lookup s3.eu-centrl-1.amazonaws.com: no such host', env({ A: 'eu-centrl-1', AWS_REGION: 'eu-centrl-1' })),
    likely({ 'env[1].value': 'eu-central-1' }),
  ],
  'that is a region': [meaning('lookup s3.eu-central-1.amazonaws.com: no such host', env({ AWS_REGION: 'eu-central-1' })), []],
  'that is nearly JSON': [meaning("invalid JSON: unexpected token '}'", env({ CFG: "{'a': 1}" })), likely({ 'env[0].value': '{"a": 1}' })],
  'that is nearly JSON, one of two': [meaning('invalid JSON', env({ CFG: "{'a': 1}", B: "{'b': 1}" })), []],
  'that is nearly JSON, in another line': [meaning('it is bad', env({ CFG: "{'a': 1}" })), []],
  'as Erlang shows it below': [
    meaning('badarg: not a textual representation of an integer', env({ A: 'x', POOL: 'auto' }), { logs: 'binary_to_integer("auto")' }),
    guess({ 'env[1]': null }),
  ],
  'as Erlang shows it below, of two': [
    meaning('not a textual representation of an integer', env({ A: 'auto', POOL: 'auto' }), { logs: 'binary_to_integer("auto")' }),
    [],
  ],
});
/** What a person reads of a meaning and its first correction. */
const words = (...args: Parameters<typeof meaning>) => {
  const { because, culprit, advice, whereToLook, corrections: [first] = [] } = meaning(...args)!;
  return {
    because,
    culprit,
    advice: advice[0],
    whereToLook,
    title: first?.title,
    explanation: first?.explanation,
    why: first?.changes[0]?.why,
  };
};
test('a value that is refused, in words', () => {
  assert.equal(words('SSL: not a bool: yes', env({ SSL: 'yes' })), {
    because: 'the program does not take `yes` as `SSL`: `SSL: not a bool: yes`',
    culprit: 'SSL=yes',
    advice: 'Give `SSL` a value that the program takes.',
    whereToLook: 'where `SSL` is set, and what the program expects of it',
    title: 'Set `SSL` to `true`',
    explanation: 'The program does not take `yes`.',
    why: 'the program wants `true` or `false`',
  });
  assert.is(words('bad " x" for A', env({ A: ' x' })).culprit, 'A=" x"');
});
test('a value out of its bounds, in words', () =>
  assert.equal(words('POOL must be at most 10', env({ POOL: '50' })), {
    because: 'the program does not take `50` as `POOL`: `POOL must be at most 10`',
    culprit: 'POOL=50',
    advice: 'Give `POOL` a value within the bounds that the program names.',
    whereToLook: 'where `POOL` is set',
    title: 'Set `POOL` to `10`',
    explanation: 'The program names the bound itself.',
    why: 'it is the nearest value that the program takes',
  }));
test('a value that is nearly JSON, in words', () => {
  const { because, culprit, whereToLook, why } = words('invalid JSON', env({ CFG: `{'a': '${'x'.repeat(300)}'}` }));
  assert.equal(
    [because, culprit?.length, whereToLook, why],
    ['`CFG` is not JSON: `invalid JSON`', 200, 'where `CFG` is set', 'only this is JSON'],
  );
  assert.equal(meaning('invalid JSON', { args: ["--cfg={'a': 1}"] })?.corrections, [], 'which is not written into an option');
});
test('a value that only a line about it names', () => {
  assert.is(meaning('SSL: not a bool: yes', env({ SSL: 'yes' }), {}, false), undefined, 'of a line with a meaning of its own');
  assert.is(meaning(`${' '.repeat(1000)}SSL: not a bool: yes`, env({ SSL: 'yes' })), undefined, 'far behind');
  assert.is(meaning('invalid arguments: --a=1 --b=2', { args: ['--a=1', '--b=2'] }), undefined, 'all of the arguments');
  assert.is(meaning('it failed', {}), undefined);
  assert.is(valueMeaning(anInput({}, {}, { container: 'gone' }), 'SSL: not a bool: yes', true), undefined);
});
test('the value of a variable that the program names', () => {
  const of = (name: string) => refusedValue(anInput(env({ A: 'x', LOG_FORMAT: 'jsn' })), { name, line: 'must be one of json, text' });
  const short: Short = likely({ 'env[1].value': 'json' });
  assert.equal(
    [of('LOG_FORMAT'), of('log_format')].map((one) => inShort(one?.corrections)),
    [short, short],
  );
  assert.is(of('FORMAT'), undefined);
});

test.run();
