import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withoutQuotes } from '../../../../src/diagnosis/corrections/settings/quoted-value.ts';
import { diagnose } from '../../../../src/diagnosis/diagnose.ts';
import { aCase, aPodManifest, crashed } from '../../../support/builders/cases.ts';

const test = suite('values in quotes');

for (const [text, bare] of [
  ['"8080"', '8080'],
  ["'on' ", 'on'],
  [' 20\n', '20'],
  ['"', '"'],
  ['"a', '"a'],
  ['"a" "b"', '"a" "b"'],
  ['{"a": 1}', '{"a": 1}'],
] as const)
  test(`${JSON.stringify(text)} is ${bare}`, () => assert.is(withoutQuotes(text), bare));

const surroundings = { configMaps: [{ name: 'cfg', keys: ['PORT', 'GREETING', 'HOST'] }], secrets: [{ name: 'top', keys: ['PORT'] }] };
const OWN = (value: string) => ({ env: [{ name: 'PORT', value }] });
const REF = { env: [{ name: 'PORT', valueFrom: { configMapKeyRef: { name: 'cfg', key: 'port' } } }] };
const FROM = { envFrom: [{ configMapRef: { name: 'cfg' } }] };
const SECRET = { envFrom: [{ secretRef: { name: 'top' } }] };
const told = (logs: string, container: object) =>
  diagnose(aCase({ status: crashed(), logs: `${logs}\n`, manifest: aPodManifest(container), surroundings }));
const changesOf = (logs: string, container: object) =>
  told(logs, container).corrections.map(({ changes }) => changes.map(({ path, to }) => [path.replace('spec.containers[0].', ''), to]));

const GO = 'panic: strconv.Atoi: parsing "\\"8080\\"": invalid syntax';
const PYTHON = `ValueError: invalid literal for int() with base 10: '"8080"'`;
const SAID: [line: string][] = [
  [GO],
  [PYTHON],
  ['Exception in thread "main" java.lang.NumberFormatException: For input string: ""8080""'],
  [`RangeError [ERR_SOCKET_BAD_PORT]: options.port should be >= 0 and < 65536. Received type string ('"8080"').`],
  [`bad.rb:3:in 'Integer': invalid value for Integer(): "\\"8080\\"" (ArgumentError)`],
  [`Unhandled exception. System.FormatException: The input string '"8080"' was not in a correct format.`],
  [`ValueError: invalid port "'8080'"`],
];
for (const [line] of SAID) {
  test(`a number in quotes, of the pod: ${line.slice(0, 60)}`, () =>
    assert.equal(changesOf(line, OWN(line.includes("'8080'") ? "'8080'" : '"8080"')), [[['env[0].value', '8080']]]));
  test(`of a ConfigMap's key: ${line.slice(0, 60)}`, () => {
    assert.equal(changesOf(line, REF), [
      [
        ['env[0].value', '8080'],
        ['env[0].valueFrom', null],
      ],
    ]);
    assert.ok(told(line, REF).commands.includes(`kubectl patch configmap cfg --type=merge -p '{"data":{"port":"8080"}}' -n shop`));
  });
  test(`of a whole ConfigMap: ${line.slice(0, 60)}`, () =>
    assert.equal(changesOf(line, FROM), [[['env', [{ name: 'PORT', value: '8080' }]]]]));
  test(`of a Secret, which is not written into the pod: ${line.slice(0, 60)}`, () => {
    assert.equal(changesOf(line, SECRET), []);
    assert.match(told(line, SECRET).advice[0] ?? '', /Secret `top` without quotes/);
  });
}

test('a number that the program does not show', () => {
  const nan = 'RangeError: port should be >= 0 and < 65536. Received type number (NaN).';
  assert.equal(changesOf(nan, OWN('"8080"')), [[['env[0].value', '8080']]]);
  assert.equal(changesOf(nan, OWN('8080')), []);
});

for (const [value, bare, line] of [
  ['"redis"', 'redis', 'Error: getaddrinfo ENOTFOUND "redis"'],
  ['"/etc/app.yaml"', '/etc/app.yaml', `Error: ENOENT: no such file or directory, open '"/etc/app.yaml"'`],
  ['"true"', 'true', 'strconv.ParseBool: parsing "\\"true\\"": invalid syntax'],
  [
    '"postgres://db:5432/x"',
    'postgres://db:5432/x',
    'panic: parse "\\"postgres://db:5432/x\\"": first path segment in URL cannot contain colon',
  ],
] as const)
  test(`${value}, whatever else the line means`, () => assert.equal(changesOf(line, OWN(value)), [[['env[0].value', bare]]]));

test('a line break at the end of a value', () =>
  assert.equal(changesOf(`ValueError: invalid port: '8080\\n'`, FROM), [[['env', [{ name: 'PORT', value: '8080' }]]]]));

test('when several variables may have the value, none is chosen', () => {
  const { culprit, corrections, advice } = told(`Error: cannot parse '"http://shop"'`, FROM);
  assert.equal(corrections, []);
  assert.match(culprit ?? '', 'cannot parse');
  assert.match(advice[0] ?? '', /ConfigMap `cfg`/);
});

for (const [sentence, line, container] of [
  ['quotes that the program writes around a value', `ValueError: invalid literal for int() with base 10: '8080'`, FROM],
  ['a word of a text that is parsed', `Error: unexpected token '"name"' at line 3`, FROM],
  ['without a ConfigMap', PYTHON, {}],
] as const)
  test(`nothing is made of ${sentence}`, () => {
    assert.equal(changesOf(line, container), []);
    assert.not.match(told(line, container).summary, /of its own/);
  });

test.run();
