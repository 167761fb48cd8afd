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

test.run();
