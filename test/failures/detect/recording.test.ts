import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { failingCases } from '../../../src/failures/detect/recording.ts';
import { recorded } from '../../support/expected/scenarios.ts';

const isFailed = (object: KubeObject): boolean => object.kind === 'Pod' && JSON.stringify(object).includes('"phase":"Failed"');
const names = (name: string, isAsked?: (object: KubeObject) => boolean) =>
  failingCases(recorded(name), isAsked).map(({ resource_kind }) => resource_kind);

for (const [name, what] of [
  ['well-job-second-pod', 'of a Job that is complete'],
  ['well-cron-later-run', 'of a run that a later one overtook'],
] as const)
  test(`a failed pod ${what} is told to who asks for it by its name only`, () => {
    assert.equal(names(name), []);
    assert.equal(names(name, isFailed), ['Pod']);
  });

test('a failed run that is overtaken is told to who asks for it by its name only', () => {
  const isFirst = (object: KubeObject) => object.kind === 'Job' && JSON.stringify(object).includes('BackoffLimitExceeded');
  assert.equal(names('well-cron-later-run', isFirst), ['Job']);
});

test('a recording without the CronJob shows by its Jobs which run is overtaken', () => {
  const { objects, ...rest } = recorded('well-cron-later-run');
  assert.equal(failingCases({ ...rest, objects: objects.filter(({ kind }) => kind !== 'CronJob') }), []);
});

test.run();
