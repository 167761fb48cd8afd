import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose } from '../../../../src/diagnosis/diagnose.ts';
import { aCase, aPodManifest, crashed } from '../../../support/builders/cases.ts';

const test = suite('paths behind a line');

const told = (line: string, container: object, spec: object = {}) =>
  diagnose(aCase({ status: crashed(), logs: `==> app (previous) <==\n${line}\n`, manifest: aPodManifest(container, spec) }));

const CERTS = {
  args: ['--certs-dir=/cockroach/certs'],
  volumeMounts: [{ name: 'c', mountPath: '/cockroach/cockroach-certs' }],
};
const CERTS_SPEC = { volumes: [{ name: 'c', secret: { secretName: 'certs' } }] };

for (const [line, culprit] of [
  ['ERROR: the flux is not aligned', '--certs-dir=/cockroach/certs: the flux is not aligned'],
  ["Error: ENOENT: no such file or directory, open '/cockroach/certs/ca.crt'", '--certs-dir=/cockroach/certs: /cockroach/certs/ca.crt'],
] as const)
  test(`a folder that no volume brings, and the cause that the line names: ${line}`, () => {
    const { culprit: said, advice, corrections } = told(line, CERTS, CERTS_SPEC);
    assert.is(said, culprit);
    assert.is(advice[0], '`--certs-dir` names a folder in which no volume is mounted.');
    const [first] = corrections;
    assert.equal(first && [first.title, first.confidence, first.mirrorable], [
      'Set `--certs-dir` to `/cockroach/cockroach-certs`',
      'likely',
      true,
    ]);
    assert.equal(
      first?.changes.map(({ path, to }) => [path, to]),
      [['spec.containers[0].args[0]', '--certs-dir=/cockroach/cockroach-certs']],
    );
  });

const KEYS = ['SHOP_ID', 'SHOP_TOKEN', 'OTHER_KEY'];
const lists = (names: string[], env: object[] = [], configMaps = [{ name: 'shop', keys: KEYS }]) =>
  diagnose(
    aCase({
      status: crashed(),
      logs: `==> app (previous) <==\nError: the shop cannot open\n${names.map((name) => `  - ${name}`).join('\n')}\n`,
      manifest: aPodManifest({ env }),
      surroundings: { configMaps },
    }),
  );

test('all names of a list that the namespace has keys for', () => {
  const { culprit, corrections, advice } = lists(['SHOP_ID', 'SHOP_TOKEN', 'SHOP_ID', 'NO_KEY']);
  assert.match(culprit ?? '', /^SHOP_ID: /);
  assert.is(advice[0], 'Nothing gives the container `SHOP_ID`, and the namespace has a key of that name.');
  assert.equal(
    corrections[0]?.changes.map(({ path, to }) => [path, (to as { name: string }).name]),
    [
      ['spec.containers[0].env[0]', 'SHOP_ID'],
      ['spec.containers[0].env[1]', 'SHOP_TOKEN'],
    ],
  );
});

for (const [sentence, names, env] of [
  ['only one has a key', ['SHOP_ID', 'NO_KEY'], []],
  ['the container has one of them', ['SHOP_ID', 'SHOP_TOKEN'], [{ name: 'SHOP_ID', value: 'x' }]],
  ['they are no names', ['SHOP_ID is wrong', 'SHOP_TOKEN is wrong'], []],
] as const)
  test(`a list of names says nothing when ${sentence}`, () => {
    const { culprit, corrections } = lists([...names], [...env]);
    assert.not.match(culprit ?? '', 'SHOP_ID');
    assert.equal(corrections, []);
  });

test.run();
