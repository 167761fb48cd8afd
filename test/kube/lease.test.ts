import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KubeError } from '../../src/kube/errors.ts';
import { KINDS, type Lease } from '../../src/kube/kinds.ts';
import { LEASE_SECONDS, type LeaseLock, leaseLock } from '../../src/kube/lease.ts';
import { aNamespace, type Cluster, clusters } from '../support/cluster/clusters.ts';

for (const { name, start } of clusters('the Lease')) {
  const test = suite(`the Lease on ${name}`);
  let cluster: Cluster;
  let client: KubeClient;
  let namespace: string;
  let ms = 0;
  let namespaces = 0;
  /** The times in a Lease are only for people. Here they run backwards and jump by years. */
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

  test('the first replica creates it; another one gets it after 20 s without a renewal, whatever its times say', async () => {
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

  test('of five replicas that take it at once, one gets it', async () => {
    const taken = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((one) => of(one).take(0)));
    assert.equal(
      taken.filter((one) => 'epoch' in one),
      [{ epoch: 1 }],
    );
  });

  test('once released, the next replica gets it at once; each term has a higher epoch, above that of the database', async () => {
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

  test('a holder that restarts with its old identity gets it back at once', async () => {
    await of('ada').take(0);
    assert.is(epochOf(await of('ada').take(0)), 2);
  });

  test('a lost answer or an annotation does not lose it; another holder or epoch does', async () => {
    const ada = of('ada');
    await ada.take(0);
    const note = { metadata: { annotations: { note: 'seen' } } };
    await client.patch(KINDS.lease, namespace, 'podmend', note, { type: 'merge' });
    assert.ok(await ada.renew());
    assert.is((await client.read(KINDS.lease, namespace, 'podmend'))?.metadata.annotations?.['note'], 'seen');
    await of('ada').take(0);
    assert.not(await ada.renew(), 'a successor of the same name');
  });

  test('after a deletion, only the last holder gets it before it would have expired', async () => {
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

const alone = suite('the Lease while the API server fails');

alone('a renewal whose answer was lost is tried with what is stored; one without a Lease is none', async () => {
  let stored: Lease | undefined;
  let version = 0;
  const fails: Error[] = [];
  const write = async (_kind: unknown, lease: Lease) => {
    if (lease.metadata.resourceVersion !== stored?.metadata.resourceVersion) throw new KubeError(409, 'Conflict', 'no');
    stored = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(++version) } };
    const error = fails.shift();
    if (error) throw error;
    return stored;
  };
  const api = { read: async () => stored as never, create: write, replace: write } as never;
  const lock = leaseLock({
    client: api,
    namespace: 'podmend',
    identity: 'ada',
    clock: () => 0,
    now: () => new Date('2026-05-01T10:00:00Z'),
  });
  assert.not(await lock.renew(), 'before there is one');
  assert.equal(await lock.take(0), { epoch: 1 });
  assert.equal(stored?.spec, {
    holderIdentity: 'ada',
    acquireTime: '2026-05-01T10:00:00.000000Z',
    renewTime: '2026-05-01T10:00:00.000000Z',
    leaseTransitions: 1,
    leaseDurationSeconds: LEASE_SECONDS,
  });
  fails.push(new KubeError(500, 'x', 'the answer was lost'));
  assert.is(await lock.renew().catch((error: KubeError) => error.code), 500);
  assert.ok(await lock.renew(), 'the Lease is still ours');
  await lock.release();
  assert.equal(stored?.spec, { leaseTransitions: 1, leaseDurationSeconds: LEASE_SECONDS, renewTime: '2026-05-01T10:00:00.000000Z' });
  const before = version;
  fails.push(new KubeError(500, 'x', 'no'));
  await leaseLock({ client: api, namespace: 'podmend', identity: 'bob', clock: () => 0, now: () => new Date(0) }).release();
  assert.is(version, before, 'who holds nothing releases nothing');
});
alone.run();
