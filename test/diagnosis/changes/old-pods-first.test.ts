import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Change } from '../../../src/contract/failure.ts';
import { applyChanges } from '../../../src/crd/field-path.ts';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { oldPodsFirst } from '../../../src/diagnosis/changes/old-pods-first.ts';
import { ownerPatch } from '../../../src/diagnosis/changes/owner-patch.ts';
import { factsOfCase } from '../../../src/diagnosis/facts/facts.ts';
import { ruleInput } from '../../../src/diagnosis/facts/input.ts';
import { judge, scenario } from '../../support/expected/scenarios.ts';

const NAME = 'rollout-host-port';

/** The corrections for the recorded scenario, with another spec and status of its owner. */
function offered(spec: object, status: object = {}, kind = 'Deployment') {
  const [subject] = judge(scenario(NAME)).cases;
  assert.ok(subject?.owner);
  const owner = subject.owner as KubeObject & { spec: object; status: object };
  const other = { ...owner, kind, spec: { ...owner.spec, ...spec }, status: { ...owner.status, ...status } } as KubeObject;
  const changed = { ...subject, owner: other };
  return oldPodsFirst(ruleInput(changed, factsOfCase(changed)));
}

const ROWS: [what: string, offers: ReturnType<typeof offered>, confidence: string | undefined][] = [
  ['an old pod holds the port', offered({}), 'likely'],
  ['more pods are missing than the surge pod', offered({ replicas: 2 }), 'guess'],
  ['the update ends an old pod first already', offered({ strategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } } }), undefined],
  ['all its pods are of the newest revision', offered({}, { updatedReplicas: 2 }), undefined],
  ['none of the old pods works', offered({}, { readyReplicas: 0 }), undefined],
  // Kubernetes leaves out counts of zero.
  ['none of the old pods works, and the status has no count', offered({}, { readyReplicas: undefined }), undefined],
  ['a StatefulSet replaces its pods one by one', offered({}, {}, 'StatefulSet'), undefined],
];
for (const [what, [first], confidence] of ROWS) test(what, () => assert.is(first?.confidence, confidence));

test('the change is one of the Deployment, and none of the pod', () => {
  const [subject] = judge(scenario(NAME)).cases;
  const pod = subject?.manifest();
  const [first] = offered({});
  assert.ok(subject?.owner && pod && first);
  const after = applyChanges(pod, first.changes);
  assert.equal(after, pod);
  assert.is(first.mirrorable, false);
  const patch = ownerPatch({ before: pod, after }, { owner: subject.owner, changes: first.changes, surroundings: subject.surroundings });
  const at = '/spec/strategy/rollingUpdate';
  assert.equal(JSON.parse(patch?.body ?? ''), [
    { op: 'replace', path: `${at}/maxUnavailable`, value: 1 },
    { op: 'replace', path: `${at}/maxSurge`, value: 0 },
  ]);
  assert.is(patch?.note, '');
});

test('without its changes the owner stays as it is', () => {
  const [subject] = judge(scenario(NAME)).cases;
  const pod = subject?.manifest();
  const none: Change[] = [];
  assert.ok(subject?.owner && pod);
  assert.is(ownerPatch({ before: pod, after: pod }, { owner: subject.owner, changes: none }), null);
});

test.run();
