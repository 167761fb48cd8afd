import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { hasSucceeded, isOvertaken } from '../../../src/failures/detect/job.ts';
import { after } from '../../support/builders/pod.ts';

interface RunWish {
  made: number;
  /** When it got its condition. */
  ended?: number;
  type?: string;
  cronJob?: string;
}

/** A run of a CronJob. Times are in seconds. */
function aRun({ made, ended = made + 5, type = 'Complete', cronJob = 'cron' }: RunWish): KubeObject {
  return {
    kind: 'Job',
    metadata: {
      name: `nightly-${made}`,
      uid: `job-${made}`,
      creationTimestamp: after(made),
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid: cronJob, controller: true }],
    },
    status: {
      conditions: [{ type, status: 'True', lastTransitionTime: after(ended) }],
      ...(type === 'Complete' ? { completionTime: after(ended) } : {}),
    },
  } as KubeObject;
}
const aCronJob = (succeeded: number | undefined, uid = 'cron'): KubeObject =>
  ({
    kind: 'CronJob',
    metadata: { name: 'nightly', uid },
    status: succeeded === undefined ? {} : { lastSuccessfulTime: after(succeeded) },
  }) as KubeObject;

const failed = aRun({ made: 100, type: 'Failed' });
const CASES: [what: string, expected: boolean, jobs: KubeObject[], cronJob?: KubeObject][] = [
  ['a later run that is complete', true, [aRun({ made: 160 })]],
  ['a later run that has met its success policy', true, [aRun({ made: 160, type: 'SuccessCriteriaMet' })]],
  ['a run that began in the same second', false, [aRun({ made: 100 })]],
  ['a later run that failed as well', false, [aRun({ made: 160, type: 'Failed' })]],
  ['a later run that failed after one that was complete', true, [aRun({ made: 160 }), aRun({ made: 220, type: 'Failed' })]],
  ['a later run that still works', false, [aRun({ made: 160, type: 'Suspended' })]],
  ['an earlier run that was complete', false, [aRun({ made: 40 })], aCronJob(45)],
  ['an earlier run that took longer', false, [aRun({ made: 40, ended: 130 })], aCronJob(130)],
  ['a run of another CronJob', false, [aRun({ made: 160, cronJob: 'other' })]],
  ['a later run that is deleted', true, [], aCronJob(165)],
  ['a later success of another CronJob of the same name', false, [], aCronJob(165, 'former')],
  ['no success so far', false, [], aCronJob(undefined)],
  ['nothing known', false, []],
];
for (const [what, expected, jobs, cronJob] of CASES)
  test(`a failed run: ${what} ${expected ? 'overtakes it' : 'does not overtake it'}`, () => {
    assert.is(isOvertaken(failed, { cronJob, jobs: [failed, ...jobs] }), expected);
  });

test('only a run that has given up can be overtaken', () => {
  const jobs = [aRun({ made: 160 })];
  assert.not(isOvertaken(aRun({ made: 100, type: 'Suspended' }), { cronJob: undefined, jobs }));
  const alone = { ...failed, metadata: { ...failed.metadata, ownerReferences: [] } };
  assert.not(isOvertaken(alone, { cronJob: aCronJob(165), jobs: [alone, ...jobs] }));
});

test('a Job succeeds by its completions or by its success policy', () => {
  for (const [type, expected] of [
    ['Complete', true],
    ['SuccessCriteriaMet', true],
    ['Failed', false],
    ['FailureTarget', false],
  ] as const)
    assert.is(hasSucceeded(aRun({ made: 0, type })), expected);
  assert.not(hasSucceeded({ kind: 'Job', metadata: {} }));
});

test.run();
