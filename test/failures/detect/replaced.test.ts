import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject, Pod } from '../../../src/crd/kubernetes.ts';
import { isReplaced } from '../../../src/failures/detect/replaced.ts';

const replaced = suite('a failed pod that another pod replaces');
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 24, 9, minute)).toISOString();

interface Told {
  made?: number;
  /** When its Ready condition changed. */
  since?: number;
  ready?: boolean;
  reason?: string;
  leaving?: boolean;
}
/** A pod of the ReplicaSet. With a reason, it has failed. */
const pod = (name: string, { made = 10, since = made, ready = true, reason, leaving = false }: Told = {}): Pod =>
  ({
    kind: 'Pod',
    metadata: {
      name,
      uid: name,
      namespace: 'shop',
      creationTimestamp: at(made),
      ownerReferences: [{ kind: 'ReplicaSet', name: 'web-1', uid: 'web-1', controller: true }],
      ...(leaving ? { deletionTimestamp: at(since) } : {}),
    },
    spec: { containers: [{ name: 'web' }] },
    status: {
      ...(reason ? { phase: 'Failed', reason } : { phase: 'Running' }),
      conditions: [{ type: 'Ready', status: ready && !reason ? 'True' : 'False', lastTransitionTime: at(since) }],
    },
  }) as Pod;
const set = (replicas: number | undefined): KubeObject =>
  ({ kind: 'ReplicaSet', metadata: { name: 'web-1', uid: 'web-1', namespace: 'shop' }, spec: { replicas } }) as KubeObject;
const job = { kind: 'Job', metadata: { name: 'web-1', uid: 'web-1', namespace: 'shop' }, spec: { completions: 1 } } as KubeObject;
const agents = (desiredNumberScheduled: number): KubeObject =>
  ({ kind: 'DaemonSet', metadata: { name: 'web-1', uid: 'web-1', namespace: 'shop' }, status: { desiredNumberScheduled } }) as KubeObject;

/** This pod ran for two minutes, from 10 to 12. */
const EVICTED = pod('a', { made: 10, since: 12, reason: 'Evicted' });
const ROWS: Record<string, [root: KubeObject | undefined, others: Pod[], is: boolean]> = {
  'another pod is Ready for longer than it lived': [set(1), [pod('b', { made: 12, since: 13 })], true],
  'no replicas in the spec, which means one': [set(undefined), [pod('b', { made: 12, since: 13 })], true],
  'all three are Ready': [set(3), [pod('b', { since: 9 }), pod('c', { since: 9 }), pod('d', { since: 13 })], true],
  'a DaemonSet has all its pods': [agents(1), [pod('b', { made: 12, since: 13 })], true],
  'a DaemonSet lacks one of its pods': [agents(2), [pod('b', { made: 12, since: 13 })], false],
  'replicas is 0': [set(0), [], true],
  'another pod is Ready only for a moment': [set(1), [pod('b', { made: 12, since: 14 })], false],
  'another pod is not Ready': [set(1), [pod('b', { since: 12, ready: false })], false],
  'one of three is missing': [set(3), [pod('b', { since: 9 }), pod('c', { since: 9 })], false],
  'the other pod is being deleted': [set(1), [pod('b', { since: 12, leaving: true })], false],
  'an earlier pod was evicted too': [set(1), [pod('z', { made: 5, since: 10, reason: 'Evicted' }), pod('b', { since: 12 })], false],
  'an earlier pod failed for another reason': [
    set(1),
    [pod('z', { made: 5, since: 10, reason: 'Preempting' }), pod('b', { since: 12 })],
    true,
  ],
  'the controller is unknown': [undefined, [pod('b', { since: 12 })], false],
  'a Job needs the work of its failed pod': [job, [pod('b', { since: 12 })], false],
};
for (const [sentence, [root, others, is]] of Object.entries(ROWS))
  replaced(sentence, () => {
    assert.is(isReplaced(EVICTED, { root, pods: [EVICTED, ...others], now: new Date(at(15)) }), is);
  });

replaced('five minutes are enough for a pod that lived for long', () => {
  const old = pod('a', { made: -600, since: 12, reason: 'Evicted' });
  const others = [pod('b', { made: 12, since: 12 })];
  assert.not.ok(isReplaced(old, { root: set(1), pods: [old, ...others], now: new Date(at(16)) }));
  assert.ok(isReplaced(old, { root: set(1), pods: [old, ...others], now: new Date(at(17)) }));
});

replaced('a pod that runs is not replaced', () => {
  const running = pod('a', { ready: false });
  assert.not.ok(isReplaced(running, { root: set(1), pods: [running, pod('b', { since: 5 })], now: new Date(at(15)) }));
});

replaced.run();
