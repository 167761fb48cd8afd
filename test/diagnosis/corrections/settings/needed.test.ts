import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Correction } from '../../../../src/diagnosis/corrections/correction.ts';
import { DURATION, secondsIn, TIME_UNITS } from '../../../../src/diagnosis/corrections/settings/duration.ts';
import { longerSecret } from '../../../../src/diagnosis/corrections/settings/longer-secret.ts';
import { namedObject } from '../../../../src/diagnosis/corrections/settings/named-object.ts';
import { neededOption } from '../../../../src/diagnosis/corrections/settings/needed-option.ts';
import { neededValue } from '../../../../src/diagnosis/corrections/settings/needed-value.ts';
import { relatedBounds } from '../../../../src/diagnosis/corrections/settings/related-bounds.ts';
import { renamed } from '../../../../src/diagnosis/corrections/settings/rename.ts';
import { NO_NUMBER, serviceLink } from '../../../../src/diagnosis/corrections/settings/service-links.ts';
import { withVariable } from '../../../../src/diagnosis/corrections/settings/set-variable.ts';
import { aPlace, anInput, type CaseParts } from '../../../support/builders/cases.ts';
import { correctionRows, env, guess, likely } from '../../../support/builders/corrections.ts';

const test = suite('settings that a program needs');
const rows = correctionRows(test);

const log = (text: string): CaseParts => ({ logs: `==> app (previous) <==\n${text}\n` });
const texts = (one: Correction | undefined) => [one?.title, one?.explanation, ...(one?.changes.map(({ why }) => why) ?? [])];

const OPLOG = "MONGO_OPLOG_URL must be set to the 'local' database";
const KONG = 'only in-memory storage can be used when role = "data_plane"';
const SPRING = 'No spring.config.import property has been defined';
const needs = (line: string, container: object = env({ A: 'x' })) => neededValue(anInput(container), line)?.correction;
rows('the only value that a message asks for', {
  'for a data plane of Kong': [needs(KONG), likely({ 'env[1]': { name: 'KONG_DATABASE', value: 'off' } })],
  'for another value': [needs(KONG, env({ KONG_DATABASE: 'postgres' })), likely({ 'env[0].value': 'off' })],
  'that is set': [needs(KONG, env({ KONG_DATABASE: 'off' })), []],
  'that comes from elsewhere': [needs(KONG, { env: [{ name: 'KONG_DATABASE', valueFrom: {} }] }), []],
  'beside one that comes from elsewhere': [
    needs(KONG, { env: [{ name: 'A', valueFrom: {} }] }),
    likely({ 'env[1]': { name: 'KONG_DATABASE', value: 'off' } }),
  ],
  'for a container without variables': [needs(KONG, {}), likely({ env: [{ name: 'KONG_DATABASE', value: 'off' }] })],
  'for Spring Cloud Config': [
    needs(SPRING, env({ SPRING_CLOUD_CONFIG_URI: 'http://config:8888' })),
    likely({ 'env[1]': { name: 'SPRING_CONFIG_IMPORT', value: 'optional:configserver:http://config:8888' } }),
  ],
  'for Spring Cloud Config at its usual place': [
    needs(SPRING),
    likely({ 'env[1]': { name: 'SPRING_CONFIG_IMPORT', value: 'optional:configserver:' } }),
  ],
  'for the oplog of MongoDB': [
    needs(OPLOG, env({ MONGO_OPLOG_URL: 'mongodb://u:p@db:27017/shop?replicaSet=rs0' })),
    likely({ 'env[0].value': 'mongodb://u:p@db:27017/local?replicaSet=rs0' }),
  ],
  'for the oplog of MongoDB behind a name of the DNS': [
    needs(OPLOG, env({ MONGO_OPLOG_URL: 'mongodb+srv://db/' })),
    likely({ 'env[0].value': 'mongodb+srv://db/local' }),
  ],
  'for an oplog of which nothing is known': [needs(OPLOG), []],
  'of another message': [needs('it failed'), []],
});
test('the only value that a message asks for, in words', () => {
  assert.equal(texts(needs(KONG)), [
    'Set `KONG_DATABASE` to `off`',
    'The message of the program asks for `KONG_DATABASE=off`.',
    'a data plane has no database',
  ]);
  assert.is(neededValue(anInput(env({ A: 'x' })), KONG)?.name, 'KONG_DATABASE');
  assert.is(neededValue(anInput({}, {}, { container: 'gone' }), KONG), undefined);
});

const NATS = 'jetstream cluster requires `server_name` to be set';
const wants = (text: string, container: object = { args: ['-c', 'x'] }, parts: CaseParts = {}) =>
  neededOption(anInput(container, {}, { ...log(text), ...parts }));
const POD_NAME = { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } };
rows('an option that a message asks for', {
  'with the name of the pod': [wants(NATS), likely({ env: [POD_NAME], 'args[2]': '--server_name=$(POD_NAME)' })],
  'with a variable that has it': [
    wants(NATS, { args: ['x'], env: [{ name: 'ME', valueFrom: POD_NAME.valueFrom }] }),
    likely({ 'args[1]': '--server_name=$(ME)' }),
  ],
  'with a variable beside others': [
    wants(NATS, { args: ['x'], ...env({ A: 'b' }) }),
    likely({ 'env[1]': POD_NAME, 'args[1]': '--server_name=$(POD_NAME)' }),
  ],
  'in a container without arguments': [wants(NATS, {}), likely({ env: [POD_NAME], args: ['--server_name=$(POD_NAME)'] })],
  'that the container gives': [wants(NATS, { args: ['--server_name=a'] }), []],
  'that the container gives in its command': [wants(NATS, { command: ['nats', '--server_name', 'a'] }), []],
  'beside a longer one': [wants(NATS, { args: ['--server_names=a'] }), likely({ env: [POD_NAME], 'args[1]': '--server_name=$(POD_NAME)' })],
  'of Thanos': [
    wants('no external labels configured for receive'),
    likely({ env: [POD_NAME], 'args[2]': '--label=receive_replica="$(POD_NAME)"' }),
  ],
  'of Envoy, with the name of the workload': [
    wants("node 'id' and 'cluster' are required", { args: ['x'] }, { workload: { kind: 'Deployment', name: 'edge' } }),
    guess({
      env: [POD_NAME],
      'args[1]': '--service-node',
      'args[2]': '$(POD_NAME)',
      'args[3]': '--service-cluster',
      'args[4]': 'edge',
    }),
  ],
  'of Envoy, with the name of the container': [
    wants("node 'id' and 'cluster' are required", {}),
    guess({ env: [POD_NAME], args: ['--service-node', '$(POD_NAME)', '--service-cluster', 'app'] }),
  ],
  'of Loki': [
    wants('cannot read ${HOST} Use `-config.expand-env=true` flag if you want to expand environment variables'),
    likely({ 'args[2]': '-config.expand-env=true' }),
  ],
  'of another message': [wants('it failed'), []],
});
test('an option that a message asks for, in words', () => {
  const envoy = wants("node 'id' and 'cluster' are required");
  assert.is(envoy?.name, '--service-node');
  assert.equal(texts(envoy?.correction).slice(0, 4), [
    'Add `--service-node` and `--service-cluster`',
    'The program ends with the wish for it.',
    'the option takes the name from it',
    'the server of the configuration wants to know who asks',
  ]);
  assert.is(wants(NATS)?.correction.changes[1]?.why, 'each server of a cluster has a name of its own');
  assert.is(
    wants('no external labels configured for receive')?.correction.changes[1]?.why,
    'a label tells the blocks of the replicas apart',
  );
});

const longer = (line: string, container: object = env({ JWT_SECRET: 'short' }), parts: CaseParts = {}) =>
  longerSecret(anInput(container, {}, parts), line);
for (const [line, wanted] of [
  ['secret must be 32 bytes', 32],
  ['key must be 16, 24 or 32 characters', 32],
  ['password: at least 8 characters', 8],
  ['key minimum length of 20 chars', 20],
  ['token minimum is 12 letters', 12],
  ['secret >= 9 bytes', 9],
  ['key length must be at least 24', 24],
  ['key length should be >= 24', 24],
  ['key length is greater than or equal to 24', 24],
  ['key of 40 bits is weak, required bits: 256', 32],
  ['the key needs at least 256 bits', 32],
  ['the key needs a minimum of 100 bits', 13],
  ['salt: at least 6 characters', 6],
  ['secret must be 128 bytes', 128],
  ['secret must be 129 bytes', undefined],
  ['at least 1 characters in a key', undefined],
  ['it: at least 8 characters', undefined],
  ['secret must be longer', undefined],
] as const)
  test(`how long a secret must be: ${line}`, () => {
    const found = longer(line, env({ JWT_SECRET: 'x' }));
    assert.is(found?.wanted, wanted);
    const value = (found?.correction.changes[0]?.to ?? '') as string;
    assert.is(value.length, wanted ?? 0);
    assert.ok('replace-me-with-a-value-of-your-own-'.repeat(4).startsWith(value));
  });
const MUST = 'secret must be 10 bytes';
const PLACEHOLDER = 'replace-me';
rows('a secret that is too short', {
  'in its option': [longer(MUST, { args: ['--session-key=abc'] }), guess({ 'args[0]': `--session-key=${PLACEHOLDER}` })],
  'beside a long one': [longer(MUST, env({ A_KEY: 'x'.repeat(10), B_KEY: 'x'.repeat(9) })), guess({ 'env[1].value': PLACEHOLDER })],
  'of as many bytes': [longer(MUST, env({ A_KEY: 'ééééé' })), []],
  'of two': [longer(MUST, env({ A_KEY: 'qqq', B_KEY: 'zzz' })), []],
  'of two, one by its name': [longer(`B_KEY: ${MUST}`, env({ A_KEY: 'qqq', B_KEY: 'zzz' })), guess({ 'env[1].value': PLACEHOLDER })],
  'of two, one by its value': [longer(`${MUST}, not qqq`, env({ A_KEY: 'qqq', B_KEY: 'zzz' })), guess({ 'env[0].value': PLACEHOLDER })],
  'that is a path': [longer(MUST, env({ A_KEY: '/a' })), []],
  'that is an address': [longer(MUST, env({ A_KEY: 'a://b' })), []],
  'that is a variable': [longer(MUST, env({ A_KEY: '$(B)' })), []],
  'that is no secret': [longer(MUST, env({ A_NAME: 'x' })), []],
  'behind the line': [longer('it is bad', undefined, log(`it is bad\n${MUST}`)), guess({ 'env[0].value': PLACEHOLDER })],
  'far behind the line': [longer('it is bad', undefined, log(`it is bad${' '.repeat(400)}${MUST}`)), []],
  'elsewhere in the log': [
    longer('it is bad', undefined, log('the secret key is too short\nat least 10 characters\nit is bad')),
    guess({ 'env[0].value': PLACEHOLDER }),
  ],
});
for (const name of ['A_SECRET', 'PASS', 'DB_PASSWORD', 'DB_PASSWD', 'KEY', 'API-KEY', 'X_KEYS', 'TOKEN', 'SALT', 'PEPPER'])
  test(`${name} holds a secret`, () => assert.ok(longer(MUST, { env: [{ name, value: 'x' }] })));
test('a key within a word holds none', () => assert.is(longer(MUST, env({ MONKEY: 'x' })), undefined));
test('a longer secret, in words', () => {
  const found = longer(MUST);
  assert.is(found?.name, 'JWT_SECRET');
  assert.equal(
    [texts(found?.correction)[0], texts(found?.correction)[2]],
    ['Give `JWT_SECRET` a value of 10 characters', 'the program wants at least 10 characters'],
  );
});

const AROUND = {
  surroundings: {
    services: [{ name: 'shop-api' }],
    configMaps: [{ name: 'shop-conf', keys: [] }],
    secrets: [{ name: 'shop-tls', keys: [] }],
  },
};
const named = (line: string, word: string, around: CaseParts = AROUND) =>
  namedObject(anInput({ args: ['x', `--of=${word}`] }, {}, around), line);
rows('an object that a program looks up', {
  'a Service': [named('services "shop-ap" not found', 'shop-ap')?.correction, likely({ 'args[1]': '--of=shop-api' })],
  'a ConfigMap': [named('configmaps "shop-cnf" not found', 'shop-cnf')?.correction, likely({ 'args[1]': '--of=shop-conf' })],
  'a Secret, with quotes of JSON': [
    named('secrets \\"shop-tsl\\" not found', 'shop-tsl')?.correction,
    likely({ 'args[1]': '--of=shop-tls' }),
  ],
  'of another kind': [named('secrets "shop-ap" not found', 'shop-ap'), []],
  'that is there': [named('services "shop-api" not found', 'shop-api'), []],
  'of which nothing is known': [named('services "shop-ap" not found', 'shop-ap', {}), []],
  'that the container does not name': [named('services "shop-ap" not found', 'else'), []],
  'of no kind': [named('pods "shop-ap" not found', 'shop-ap'), []],
});
test('an object that a program looks up, in words', () => {
  const found = named('services "shop-ap" not found', 'shop-ap');
  assert.equal(
    [found?.name, ...texts(found?.correction)],
    ['shop-ap', 'Write `shop-api`', 'There is no Service `shop-ap`.', 'there is a Service `shop-api`'],
  );
});

const related = (line: string, all: Record<string, string>) => relatedBounds(anInput(env(all)), line);
const ELECTION = 'leaseDuration must be greater than renewDeadline';
rows('two settings of which one must be larger', {
  'the smaller one is made smaller': [
    related(ELECTION, { LEASE_DURATION: '15s', RENEW_DEADLINE: '20s' })?.correction,
    likely({ 'env[1].value': '10s' }),
  ],
  'they are equal': [related(ELECTION, { LEASE_DURATION: '15', RENEW_DEADLINE: '15' })?.correction, likely({ 'env[1].value': '10' })],
  'they are right': [related(ELECTION, { LEASE_DURATION: '15s', RENEW_DEADLINE: '10s' }), []],
  'in other units': [related(ELECTION, { LEASE_DURATION: '1m', RENEW_DEADLINE: '90s' })?.correction, likely({ 'env[1].value': '40s' })],
  'with hardly any room': [related(ELECTION, { LEASE_DURATION: '1s', RENEW_DEADLINE: '5s' })?.correction, likely({ 'env[1].value': '1s' })],
  'with no room': [related(ELECTION, { LEASE_DURATION: '1s', RENEW_DEADLINE: '1s' }), []],
  'the first is the smaller one': [
    related('renewDeadline must be less than leaseDuration', { LEASE_DURATION: '30s', RENEW_DEADLINE: '40s' })?.correction,
    likely({ 'env[1].value': '20s' }),
  ],
  'one is not there': [related(ELECTION, { RENEW_DEADLINE: '20s' }), []],
  'one is there twice': [related(ELECTION, { LEASE_DURATION: '15s', RENEW_DEADLINE: '20s', A_RENEW_DEADLINE: '20s' }), []],
  'one is no duration': [related(ELECTION, { LEASE_DURATION: 'long', RENEW_DEADLINE: '20s' }), []],
  'the other is no duration': [related(ELECTION, { LEASE_DURATION: '15s', RENEW_DEADLINE: 'long' }), []],
});
for (const [words, index] of [
  ...['greater', 'larger', 'longer', 'more', 'higher'].map((word) => [`must be ${word} than`, 1] as const),
  ...['less', 'smaller', 'shorter', 'lower', 'fewer'].map((word) => [`must be ${word} than`, 0] as const),
  ...['should', 'has to', 'needs to'].map((verb) => [`${verb} be less than or equal to the`, 0] as const),
] as const)
  test(`two settings, of which one ${words} the other`, () =>
    assert.is(
      related(`leaseTime ${words} renewTime`, { LEASE_TIME: '9s', RENEW_TIME: '9s' })?.correction.changes[0]?.path,
      `spec.containers[0].env[${index}].value`,
    ));
test('two settings of which one must be larger, in words', () => {
  const found = related(ELECTION, { LEASE_DURATION: '15s', RENEW_DEADLINE: '20s' });
  assert.equal(
    [found?.name, ...texts(found?.correction)],
    [
      'RENEW_DEADLINE',
      'Set `RENEW_DEADLINE` to `10s`',
      'The program names the relation itself.',
      'it must be less than `LEASE_DURATION=15s`',
    ],
  );
});

test('how long a duration is', () => {
  assert.equal(['20s', '1m', '2h', '1500ms', '1.5h', '90', '1d', 's', '-1s', '1.s', '1234567890s', '1234567890123'].map(secondsIn), [
    20,
    60,
    7200,
    1.5,
    5400,
    90,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  assert.equal(
    ['20s', '20', '1d'].map((text) => DURATION.test(text)),
    [true, false, false],
  );
});
for (const [words, short, seconds] of [
  [['ms', 'milli', 'millis', 'millisecond', 'milliseconds', 'MS'], 'ms', 0.001],
  [['s', 'sec', 'secs', 'second', 'seconds'], 's', 1],
  [['m', 'min', 'mins', 'minute', 'minutes'], 'm', 60],
  [['h', 'hr', 'hrs', 'hour', 'hours'], 'h', 3600],
  [['d', 'day', 'days'], 'd', 86_400],
  [['w', 'week', 'weeks'], 'w', 604_800],
] as const)
  test(`${words.join(', ')} are written ${short}`, () => {
    for (const word of words)
      assert.equal(
        TIME_UNITS.filter(([unit]) => unit.test(word)).map(([, ...more]) => more),
        word === 'milli' ? [] : [[short, seconds]],
        word,
      );
  });

test('a variable is set where it is, or as a new one', () => {
  const of = (container: object) => {
    const { path, to, why } = withVariable(aPlace(container), 'B', '2', 'w');
    return [path.replace('spec.containers[0].', ''), to, why];
  };
  assert.equal(of(env({ A: '1', B: '1' })), ['env[1].value', '2', 'w']);
  assert.equal(of(env({ A: '1' })), ['env[1]', { name: 'B', value: '2' }, 'w']);
  assert.equal(of({}), ['env', [{ name: 'B', value: '2' }], 'w']);
});
rows('a variable with another name', {
  'is the first one with the name': [
    renamed(aPlace(env({ A: '1', B: '1' })), { from: 'B', to: 'C' }, { why: 'w', explanation: 'E.' }),
    likely({ 'env[1].name': 'C' }),
  ],
  'may be a guess': [
    renamed(aPlace(env({ B: '1' })), { from: 'B', to: 'C' }, { why: 'w', explanation: 'E.', confidence: 'guess' }),
    guess({ 'env[0].name': 'C' }),
  ],
});
test('a variable with another name, in words', () =>
  assert.equal(texts(renamed(aPlace(env({ B: '1' })), { from: 'B', to: 'C' }, { why: 'w', explanation: 'E.' })), [
    'Rename `B` to `C`',
    'E.',
    'w',
  ]));

const ADDRESS = 'tcp://10.96.0.7:6379';
const REDIS = {
  surroundings: {
    services: [
      { name: 'web', ports: [80] },
      { name: 'my-redis', ports: [6379] },
    ],
  },
};
const link = (
  line: string,
  {
    container = {},
    spec = {},
    parts = REDIS,
    isGeneral = true,
  }: { container?: object; spec?: object; parts?: CaseParts; isGeneral?: boolean } = {},
) => {
  const input = anInput(container, spec, parts);
  const found = serviceLink(input, input.place()!, line, isGeneral);
  return found && [found.culprit, found.because, found.corrections?.map(({ changes }) => changes.map(({ path, to }) => [path, to]))];
};
const OFF = [[['spec.enableServiceLinks', false]]];
const because = (name: string, address = '') =>
  `Kubernetes sets ${name} to the address of a Service${address}, and the program takes it for its own setting`;
test('a variable of a Service that a program takes for its own', () => {
  assert.equal(link(`cannot parse ${ADDRESS}`), [`MY_REDIS_PORT=${ADDRESS}`, because('`MY_REDIS_PORT`', ` (\`${ADDRESS}\`)`), OFF]);
  assert.equal(link(`APP_PORT: cannot parse ${ADDRESS}`)?.[0], `APP_PORT=${ADDRESS}`, 'that the line names');
  assert.equal(link(`ERR_SOCKET_BAD_PORT: ${ADDRESS}`)?.[0], `MY_REDIS_PORT=${ADDRESS}`, 'the name of an error is none');
  const two = {
    surroundings: {
      services: [
        { name: 'a', ports: [6379] },
        { name: 'b', ports: [6379] },
      ],
    },
  };
  assert.equal(
    link(`cannot parse ${ADDRESS}`, { parts: two }),
    [ADDRESS, because('a variable', ` (\`${ADDRESS}\`)`), OFF],
    'of one of two',
  );
  assert.is(link(`cannot parse ${ADDRESS}`, { spec: { enableServiceLinks: false } }), undefined, 'that is switched off');
  assert.is(link(`cannot parse ${ADDRESS}`, { container: env({ A: `x${ADDRESS}` }) }), undefined, 'that the container gives itself');
  assert.is(link('cannot parse tcp://redis:6379'), undefined, 'with a name');
});
test('a variable of a Service that another line of the log shows', () => {
  const parts = { ...REDIS, ...log(`int() got ${ADDRESS}`) };
  assert.equal(link('not a number', { parts })?.[0], `MY_REDIS_PORT=${ADDRESS}`);
  assert.is(link('not a number', { parts, isGeneral: false }), undefined);
  assert.is(link('it failed', { parts }), undefined);
  assert.is(link('not a number', { parts: { ...REDIS, ...log(`connects to ${ADDRESS}`) } }), undefined);
});
for (const line of [
  'is NaN',
  'InvalidDigit',
  'invalid digit found',
  'not a number',
  'not a textual representation of an integer',
  'is not numeric',
  'must be a number',
  'must be an integer',
])
  test(`no number: ${line}`, () => assert.ok(NO_NUMBER.test(line)));
test('a variable of a Service that a program reports by its name', () => {
  const line = 'MY_REDIS_PORT must be a number';
  assert.equal(link(line), [`MY_REDIS_PORT: ${line}`, because('`MY_REDIS_PORT`'), OFF]);
  assert.is(link(line, { container: { env: [{ name: 'MY_REDIS_PORT', valueFrom: {} }] } }), undefined, 'that the container has');
  assert.is(link('MY_REDIS_PORT is missing'), undefined);
  assert.is(link('OTHER_PORT must be a number'), undefined);
  assert.is(link(line, { parts: { surroundings: { services: [{ name: 'my-redis' }] } } }), undefined, 'of a Service without ports');
  assert.equal(link('port is deprecated. Please use MY_REDIS_CFG')?.[0], 'MY_REDIS_PORT: port is deprecated. Please use MY_REDIS_CFG');
  assert.equal(link('HOST is deprecated. Please use MY_REDIS_CFG')?.[1], because('`MY_REDIS_PORT`'));
  assert.is(link('port is deprecated. Please use MY_REDISX'), undefined);
  assert.is(link(`${'x'.repeat(300)} MY_REDIS_PORT is invalid`)?.[0]?.length, 200);
});
for (const words of [
  'invalid',
  'not a number',
  'not an integer',
  'not a valid port',
  'must be a number',
  'must be a valid port',
  'should be an integer',
  'could not parse',
  'cannot convert',
  'unable to parse',
  'failed to parse',
  'NaN',
  'numeric',
  'out of range',
])
  test(`a variable that is refused: ${words}`, () =>
    assert.is(link(`MY_REDIS_PORT ${words}`)?.[0], `MY_REDIS_PORT: MY_REDIS_PORT ${words}`));
test('a port that is no number belongs to the Service that the container names', () => {
  const of = (all: Record<string, string>) => link('port NaN is bad', { container: env(all) })?.[0];
  assert.is(of({ MY_REDIS_HOST: 'x' }), 'MY_REDIS_PORT: port NaN is bad');
  assert.equal(
    [of({ OTHER_HOST: 'x' }), of({ MY_REDIS_HOST: 'x', MY_REDIS_PORT: '1' }), of({ MY_REDIS_HOST: 'x', WEB_HOST: 'y' })],
    [undefined, undefined, undefined],
  );
});

test.run();
