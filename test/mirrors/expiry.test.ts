import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod } from '../../src/crd/kubernetes.ts';
import type { MirrorPod } from '../../src/crd/mirrorpod.ts';
import { KubeError } from '../../src/kube/errors.ts';
import { expiryReconciler, podKeyOf, type ExpiryDeps } from '../../src/mirrors/expiry.ts';
import { aMirror } from '../support/worlds/mirrors.ts';

const T0 = Date.parse('2026-05-01T10:00:00Z');
const at = (seconds: number): string => new Date(T0 + seconds * 1000).toISOString();
const MIRROR: MirrorPod = { ...aMirror('shop', { ttlSeconds: 60 }, { uid: 'mirror-uid', creationTimestamp: at(0) }) };
const KEY = podKeyOf(MIRROR);
const [, NAME = ''] = KEY.split('/');
const owner = { apiVersion: 'podmend.dev/v1alpha1', kind: 'MirrorPod', name: 'try', uid: 'mirror-uid', controller: true };
const POD: Pod = { metadata: { name: NAME, namespace: 'shop', uid: 'pod-uid', ownerReferences: [owner] }, spec: { containers: [] } };

interface World {
  mirror?: Partial<MirrorPod>;
  pod?: Pod | undefined;
  seconds: number;
  refusal?: KubeError;
}

async function pass({ mirror = {}, pod = POD, seconds, refusal }: World) {
  const removed: unknown[] = [];
  const kept: unknown[] = [];
  const client: ExpiryDeps['client'] = {
    async remove(_kind, namespace, name, options) {
      removed.push([namespace, name, options]);
      if (refusal) throw refusal;
      return true;
    },
  };
  const mirrors = { byUid: (uid: string) => (uid === 'mirror-uid' ? { ...MIRROR, ...mirror } : undefined) };
  const pods = { get: (namespace: string | undefined, name: string) => (`${namespace}/${name}` === KEY ? pod : undefined) };
  const lastLogs = { keep: async (...asked: unknown[]) => void kept.push(asked) };
  const answer = await expiryReconciler({ client, mirrors, pods, lastLogs, now: () => new Date(T0 + seconds * 1000) })(KEY);
  return { removed, kept, answer };
}

const ended = {
  removed: [['shop', NAME, { uid: 'pod-uid' }]],
  kept: [['mirror-uid', { namespace: 'shop', name: NAME }]],
  answer: undefined,
};
const alone = { removed: [], kept: [], answer: undefined };
const sooner: Partial<MirrorPod> = { status: { phase: 'Running', expirationTime: at(40) } };

const time = suite('the time of mirror pods');
const TABLE: [string, World, { removed: unknown[]; kept: unknown[]; answer: unknown }][] = [
  ['before its end it is checked again, early enough to keep its log', { seconds: 50 }, { ...alone, answer: { requeueAfterMs: 8_000 } }],
  ['just before its end its log is kept', { seconds: 59.5 }, { ...ended, removed: [], answer: { requeueAfterMs: 500 } }],
  ['at its end it is deleted by its uid, after its log is kept', { seconds: 60 }, ended],
  ['an earlier time in the status counts', { seconds: 41, mirror: sooner }, ended],
  ['a shrunken TTL counts', { seconds: 31, mirror: { spec: { ...MIRROR.spec, ttlSeconds: 30 } } }, ended],
  ['a pod whose end is not known yet is left alone', { seconds: 999, mirror: { spec: { source: { name: 'web' } } } }, alone],
  [
    'a pod that is being deleted is not deleted again',
    { seconds: 61, pod: { ...POD, metadata: { ...POD.metadata, deletionTimestamp: at(60) } } },
    alone,
  ],
  [
    'a pod of an unknown MirrorPod is left alone',
    { seconds: 61, pod: { ...POD, metadata: { ...POD.metadata, ownerReferences: [{ ...owner, uid: 'other' }] } } },
    alone,
  ],
  [
    'a pod that names no MirrorPod is left alone',
    { seconds: 61, pod: { ...POD, metadata: { ...POD.metadata, ownerReferences: [] } } },
    alone,
  ],
  ['another pod of the same name is left alone', { seconds: 61, refusal: new KubeError(409, 'Conflict', 'uid') }, ended],
];
for (const [sentence, world, expected] of TABLE) {
  time(sentence, async () => {
    assert.equal(await pass(world), expected);
  });
}

time('a cluster that is away is tried again', async () => {
  try {
    await pass({ seconds: 61, refusal: new KubeError(503, 'ServiceUnavailable', 'away') });
    assert.unreachable();
  } catch (error) {
    assert.is((error as KubeError).code, 503);
  }
});

time.run();
