import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject, Workload } from '../../src/crd/kubernetes.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { findSource } from '../../src/mirrors/find-source.ts';
import { aTemplate } from '../support/builders/mirror.ts';

const controlledBy = (kind: string, name: string) => [{ apiVersion: 'apps/v1', kind, name, uid: `uid-${name}`, controller: true }];
const workload = (kind: string, name: string, owner?: string): Workload => ({
  kind,
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, ownerReferences: owner ? controlledBy('ReplicaSet', owner) : [] },
  spec: { template: aTemplate() },
});

/** A cluster with these objects. `asked` counts the reads. */
function holding(objects: KubeObject[]) {
  const cluster = {
    asked: 0,
    read: (async (kind, _namespace, name) => {
      cluster.asked += 1;
      return objects.find((object) => object.kind === kind.kind && object.metadata.name === name);
    }) as KubeClient['read'],
  };
  return cluster;
}

test('owners that own each other in a ring end the search', async () => {
  const pod = { ...workload('Pod', 'web', 'a'), spec: aTemplate().spec } as unknown as KubeObject;
  for (const objects of [
    [pod, workload('ReplicaSet', 'a', 'a')],
    [pod, workload('ReplicaSet', 'a', 'b'), workload('ReplicaSet', 'b', 'a')],
  ]) {
    const cluster = holding(objects);
    const source = await findSource(cluster, { namespace: 'shop', name: 'web' });
    assert.is(source?.owner?.kind, 'ReplicaSet');
    assert.ok(cluster.asked < 10, `${cluster.asked} objects were read`);
  }
});

test('an unknown kind of workload in a report counts as none', async () => {
  for (const kind of ['constructor', '__proto__', 'toString', 'Secret']) {
    const cluster = holding([workload(KINDS.secret.kind, 'x')]);
    assert.is(await findSource(cluster, { namespace: 'shop', name: 'gone', workload: { kind, name: 'x' } }), undefined, kind);
  }
});

test('the source is the workload at the top, or the pod that nothing owns', async () => {
  const set = {
    ...workload('ReplicaSet', 'web-1'),
    metadata: { ...workload('ReplicaSet', 'web-1').metadata, ownerReferences: controlledBy('Deployment', 'web') },
  };
  const owned = {
    ...workload('Pod', 'web-1-x', 'web-1'),
    metadata: { ...workload('Pod', 'web-1-x', 'web-1').metadata, labels: { own: 'label' } },
    spec: { nodeName: 'n', ...aTemplate().spec },
  } as unknown as KubeObject;
  const found = await findSource(holding([owned, set, workload('Deployment', 'web')]), { namespace: 'shop', name: 'web-1-x' });
  assert.equal(
    [found?.owner?.kind, found?.pod?.metadata.name, found?.labels, found?.template.spec],
    ['Deployment', 'web-1-x', { own: 'label' }, aTemplate().spec],
  );
  const alone = await findSource(holding([{ ...owned, metadata: { name: 'web-1-x' } }]), { namespace: 'shop', name: 'web-1-x' });
  assert.equal([alone?.owner, alone?.labels, alone?.template.spec], [undefined, {}, { nodeName: 'n', ...aTemplate().spec }]);
});

test('a pod that is gone is found by its workload, or not at all', async () => {
  const gone = await findSource(holding([workload('Deployment', 'web')]), {
    namespace: 'shop',
    name: 'gone',
    workload: { kind: 'Deployment', name: 'web' },
  });
  assert.equal(
    [gone?.pod, gone?.owner?.kind, gone?.labels, gone?.name, gone?.namespace],
    [undefined, 'Deployment', { app: 'web' }, 'gone', 'shop'],
  );
  assert.is(await findSource(holding([]), { namespace: 'shop', name: 'gone', workload: null }), undefined);
});

test.run();
