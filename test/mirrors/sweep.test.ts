import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { MIRROR_LABEL, MIRROR_OF_LABEL, mirrorPodName } from '../../src/crd/mirrorpod.ts';
import { KubeError } from '../../src/kube/errors.ts';
import { mirrorSweep } from '../../src/mirrors/sweep.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const owner = (kind: string, uid: string) => ({ apiVersion: 'podmend.dev/v1alpha1', kind, name: 'try', uid, controller: true });
/** An object that was made for the MirrorPod of that uid. */
const madeFor = (uid: string, ownerReferences: object[] = [owner('MirrorPod', uid)], more = {}): KubeObject =>
  ({
    metadata: {
      name: mirrorPodName('web', uid),
      namespace: 'shop',
      uid: `of-${uid}`,
      ownerReferences,
      labels: { [MIRROR_LABEL]: 'true', [MIRROR_OF_LABEL]: uid },
      ...more,
    },
  }) as KubeObject;

async function swept({
  pods = [],
  policies = [],
  open = [],
  refusal,
}: {
  pods?: KubeObject[];
  policies?: KubeObject[];
  open?: string[];
  refusal?: Error;
}) {
  const [removed, ended, listed]: [string[], unknown[][], string[]] = [[], [], []];
  const client = {
    list: async ({ kind }: { kind: string }) => {
      listed.push(kind);
      return { Pod: pods, NetworkPolicy: policies }[kind] ?? [{ metadata: { uid: 'lives' } }];
    },
    remove: async ({ kind }: { kind: string }, namespace: string, _name: string, { uid }: { uid: string }) => {
      removed.push(`${kind} ${namespace}/${uid}`);
      if (refusal) throw refusal;
    },
  };
  const trials = { unfinished: async () => open, end: async (...given: unknown[]) => void ended.push(given) };
  await mirrorSweep({ client: client as never, trials, now: () => NOW })();
  return { removed, ended, listed };
}

test('what has lost its MirrorPod is removed, and its trial ends', async () => {
  const { removed, ended, listed } = await swept({
    pods: [madeFor('gone'), madeFor('lives')],
    policies: [madeFor('gone'), madeFor('lives')],
    open: ['gone', 'lives'],
  });
  assert.equal(removed, ['Pod shop/of-gone', 'NetworkPolicy shop/of-gone']);
  assert.equal(ended, [['gone', NOW]]);
  assert.is(listed.at(-1), 'MirrorPod', 'listed last, so that objects of new ones stay');
});

test('an object without an owner is removed, one of another owner stays', async () => {
  const { removed } = await swept({ policies: [madeFor('a', []), madeFor('b', [owner('Deployment', 'x')])] });
  assert.equal(removed, ['NetworkPolicy shop/of-a']);
});

test('an object that only has the label was not made for a mirror', async () => {
  const bare = { metadata: { name: 'own', namespace: 'shop', uid: 'o', labels: { [MIRROR_LABEL]: 'true' } } } as KubeObject;
  assert.equal((await swept({ pods: [bare], policies: [bare] })).removed, []);
});

test('a pod that is being deleted is not deleted again', async () => {
  assert.equal((await swept({ pods: [madeFor('gone', undefined, { deletionTimestamp: 'now' })] })).removed, []);
});

test('without anything that may be left, MirrorPods are not listed', async () => {
  assert.equal((await swept({})).listed, ['Pod', 'NetworkPolicy']);
  assert.equal((await swept({ open: ['gone'] })).ended, [['gone', NOW]]);
});

test('another object of the same name stays; another refusal is an error', async () => {
  const two = { pods: [madeFor('gone'), madeFor('other')] };
  assert.is((await swept({ ...two, refusal: new KubeError(409, 'Conflict', 'uid') })).removed.length, 2);
  await swept({ ...two, refusal: new KubeError(500, 'InternalError', 'etcd') }).then(
    () => assert.unreachable(),
    ({ message }: Error) => assert.is(message, 'etcd'),
  );
});

test.run();
