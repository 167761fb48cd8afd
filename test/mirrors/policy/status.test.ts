import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { MirrorPodStatus, Verdict } from '../../../src/crd/mirrorpod.ts';
import { type MirrorState, statusOf } from '../../../src/mirrors/policy/status.ts';
import { aMirrorPod, at } from '../../support/builders/mirror.ts';

const judged = (verdict: Verdict, reason: string, failure?: string): MirrorState => ({
  ...{ kind: 'judged', completed: false },
  judgement: { verdict, reason, message: `It is ${reason}.`, ...(failure && { failure }) },
});
const next = (before: MirrorPodStatus, state: MirrorState, seconds = 10) =>
  statusOf(aMirrorPod({}, before), state, { expiresAt: at(120), podName: 'p' }, at(seconds));
const fixed = next({}, judged('Fixed', 'PodReady'));
const conditionsOf = ({ conditions = [] }: MirrorPodStatus) =>
  Object.fromEntries(conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]));

test('a first verdict is no revision, and neither is the same one again', () => {
  assert.is(fixed.revisions, undefined);
  assert.is(next(fixed, judged('Fixed', 'PodReady'), 20).revisions, undefined);
});

test('another verdict, or the same for another reason, is a revision with its failure', () => {
  const failing = next(fixed, judged('StillFailing', 'Regressed', 'OOMKilled'), 20);
  const revision = {
    time: '2026-05-01T10:00:20Z',
    from: 'Fixed',
    verdict: 'StillFailing',
    reason: 'Regressed',
    message: 'It is Regressed.',
  };
  assert.equal(failing.revisions, [{ ...revision, failure: 'OOMKilled' }]);
  const other = next(failing, judged('StillFailing', 'Error'), 30);
  assert.equal(
    other.revisions?.map(({ from, reason, failure }) => [from, reason, failure]),
    [
      ['Fixed', 'Regressed', 'OOMKilled'],
      ['StillFailing', 'Error', undefined],
    ],
  );
});

test('a state without a verdict keeps verdict and revisions; the newest eight revisions stay', () => {
  let status = fixed;
  for (let turn = 0; turn < 10; turn++) status = next(status, judged(turn % 2 ? 'Fixed' : 'StillFailing', `R${turn}`), 20 + turn);
  assert.equal(
    status.revisions?.map(({ reason }) => reason),
    ['R2', 'R3', 'R4', 'R5', 'R6', 'R7', 'R8', 'R9'],
  );
  const standing = next(status, { kind: 'standing' }, 40);
  assert.equal([standing.verdict, standing.revisions], [status.verdict, status.revisions]);
});

test('a mirror is watched while it lives, and final when it has ended', () => {
  assert.is(conditionsOf(fixed)['Final'], 'False Watched');
  const ended = statusOf(aMirrorPod({}, fixed), { kind: 'standing' }, { expiresAt: at(120), isFinal: true }, at(120));
  assert.is(conditionsOf(ended)['Final'], 'True Ended');
  assert.is(conditionsOf(next(ended, { kind: 'standing' }, 130))['Final'], 'True Ended', 'and stays so');
  assert.is(
    conditionsOf(statusOf(aMirrorPod(), { kind: 'pending', reason: 'Creating', message: 'm' }, { expiresAt: at(120) }, at(1)))['Final'],
    undefined,
  );
});

test.run();
