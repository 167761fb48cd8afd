import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Correction } from '../../../../src/diagnosis/corrections/correction.ts';
import {
  ofEmptyVariable,
  ofOddName,
  ofOddSection,
  ofProfile,
  ofUsualName,
} from '../../../../src/diagnosis/rules/setting-behind/names-of-variables.ts';
import { inShort } from '../../../support/builders/cases.ts';
import { env, likely } from '../../../support/builders/corrections.ts';
import { changesOf, explainedLine } from '../../../support/builders/explained.ts';
import { configMap, mount, mounts, volumes } from '../../../support/builders/volumes.ts';
import { FAULTS } from './faults.ts';

const test = suite('the name of a variable behind a line');

for (const [says, isOwn] of [
  ['refused by 127.0.0.1:5432', true],
  ['refused by localhost', true],
  ['refused by [::1]:6379', true],
  ['refused by ::1:6379', true],
  ['refused by 127.0.0.10:5432', false],
  ['refused by db:5432', false],
  ['refused by mylocalhosts', false],
] as const)
  test(`a name without the usual beginning may lead to the own host: ${says}`, () =>
    assert.is(ofOddName(explainedLine({ ...FAULTS.ofOddName, says }, 'other')) !== undefined, isOwn));

test('a name without its section stays if another correction renames it', () => {
  const section = (...paths: string[]) => {
    const [one] = ofOddSection(explainedLine(FAULTS.ofOddSection))?.corrections ?? [];
    const corrections = paths.map((path) => ({ ...one, changes: [{ ...one?.changes[0], path }] }) as Correction);
    return ofOddSection(explainedLine(FAULTS.ofOddSection, 'general', { corrections }));
  };
  const NAME = 'spec.containers[0].env[2].name';
  assert.equal([section(NAME), section('spec.replicas', NAME)], [undefined, undefined]);
  const [one] = ofOddSection(explainedLine(FAULTS.ofOddSection))?.corrections ?? [];
  const two = { ...one, changes: ['spec.replicas', NAME].map((path) => ({ ...one?.changes[0], path })) } as Correction;
  assert.is(ofOddSection(explainedLine(FAULTS.ofOddSection, 'general', { corrections: [two] })), undefined, 'in its second change');
  assert.ok(section());
  assert.ok(section('spec.containers[0].env[2].value', 'spec.containers[0].env[2].names'));
});

for (const says of ['it is ""', "it is ''", 'it is empty', 'it is blank', 'it is missing', 'it is not set'])
  test(`a variable is empty: ${says}`, () => assert.ok(ofEmptyVariable(explainedLine({ ...FAULTS.ofEmptyVariable, says }, 'other'))));
for (const says of ['it failed', 'it is emptyish', 'it is set', `it is "a"`])
  test(`this does not say that a variable is empty: ${says}`, () =>
    assert.is(ofEmptyVariable(explainedLine({ ...FAULTS.ofEmptyVariable, says }, 'general')), undefined));

test('a profile of which a file is mounted is surer than a usual one', () => {
  const found = ofProfile(
    explainedLine({
      says: 'it failed',
      container: { ...env({ QUARKUS_PROFILE: 'production' }), ...mounts(mount('p', '/p')) },
      spec: volumes(configMap('p')),
      parts: { surroundings: { configMaps: [{ name: 'p', keys: ['application-prod.yml'] }] } },
    }),
  );
  assert.equal(inShort(found?.corrections), likely({ 'env[0].value': 'prod' }));
});

test('a usual name that is right, and none', () => {
  const log = { logs: '==> app (previous) <==\nNODE_ENV is undefined\n' };
  const of = (container: object) => changesOf(ofUsualName(explainedLine({ says: 'it failed', container, parts: log })));
  assert.is(of(env({ NODE_ENV: 'test' })), undefined);
  assert.is(of({}), undefined);
});

test.run();
