import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect, type KubeClient } from '../../src/kube/connect.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { type LeaseLock, leaseLock } from '../../src/kube/lease.ts';
import { aNamespace, type Cluster, clusters } from '../support/cluster/clusters.ts';

for (const { name, start } of clusters('the Lease')) {
  const test = suite(`the Lease on ${name}`);
  let cluster: Cluster;
  let client: KubeClient;
  let namespace: string;
  let ms = 0;
  let namespaces = 0;
  /** Instants are for people: here they run backwards and jump by years. */
  const now = () => new Date(Date.UTC(2026, 4, 1) + Math.sin(ms) * 1e12);
  const of = (identity: string): LeaseLock => leaseLock({ client, namespace, identity, clock: () => ms, now });
  const read = async () => (await client.read(KINDS.lease, namespace, 'podmend'))?.spec;
  const epochOf = (taken: object) => ('epoch' in taken ? taken.epoch : taken);

  test.before(async () => {
    cluster = await start();
    client = connect({ kubeconfigText: cluster.kubeconfigText });
  });
  test.before.each(async () => void (namespace = await aNamespace(client, `lease-${++namespaces}`)));
  test.after(async () => {
    client.close();
    await cluster.close();
  });

  test('the first one makes it; another one gets it when 20 s went by without a renewal, whatever the instants in it say', async () => {
    const [ada, bob] = [of('ada'), of('bob')];
    assert.equal(await ada.take(0), { epoch: 1 });
    assert.equal(await bob.take(0), { heldBy: 'ada' });
    ms += 19_000;
    assert.equal(await bob.take(0), { heldBy: 'ada' });
    assert.ok(await ada.renew());
    ms += 19_000;
    assert.equal(await bob.take(0), { heldBy: 'ada', isRenewed: true }, 'it was renewed: the 20 s begin when that was seen');
    ms += 20_000;
    assert.equal(await bob.take(0), { epoch: 2 });
    assert.not(await ada.renew());
    assert.is((await read())?.holderIdentity, 'bob');
  });

  test('of five who take it at once one has it', async () => {
    const taken = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((one) => of(one).take(0)));
    assert.equal(
      taken.filter((one) => 'epoch' in one),
      [{ epoch: 1 }],
    );
  });

  test('set free, it is the next one’s at once; each time has a higher epoch, above what the database knows', async () => {
    const [ada, bob] = [of('ada'), of('bob')];
    await ada.take(0);
    await ada.release();
    assert.is((await read())?.holderIdentity, undefined);
    assert.is(epochOf(await bob.take(0)), 2);
    await bob.release();
    assert.is(epochOf(await ada.take(41)), 42);
    await ada.release();
    await client.remove(KINDS.lease, namespace, 'podmend');
    assert.is(epochOf(await ada.take(42)), 43);
  });

  test('who starts again as who it was has it back at once', async () => {
    await of('ada').take(0);
    assert.is(epochOf(await of('ada').take(0)), 2);
  });

  test('a lost answer, or somebody’s note on it, does not lose it; another holder or epoch does', async () => {
    const ada = of('ada');
    await ada.take(0);
    const note = { metadata: { annotations: { note: 'seen' } } };
    await client.patch(KINDS.lease, namespace, 'podmend', note, { type: 'merge' });
    assert.ok(await ada.renew());
    assert.is((await client.read(KINDS.lease, namespace, 'podmend'))?.metadata.annotations?.['note'], 'seen');
    await of('ada').take(0);
    assert.not(await ada.renew(), 'a successor of the same name');
  });

  test('deleted, it is nobody’s until it would have run out, but for who had it', async () => {
    const [ada, bob] = [of('ada'), of('bob')];
    await ada.take(0);
    await bob.take(0);
    await client.remove(KINDS.lease, namespace, 'podmend');
    assert.equal(await bob.take(0), { heldBy: 'ada' });
    await ada.renew().catch(() => false);
    assert.is(epochOf(await ada.take(1)), 2);
    await client.remove(KINDS.lease, namespace, 'podmend');
    ms += 20_000;
    assert.is(epochOf(await bob.take(2)), 3);
  });
  test.run();
}
