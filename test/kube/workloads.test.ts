import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { KubeError } from '../../src/kube/errors.ts';
import type { Kind } from '../../src/kube/kinds.ts';
import { cronJobOf, ownersOf, readResource, readWorkload } from '../../src/kube/workloads.ts';

const test = suite('workloads and their owners');

const owner = (kind: string, name: string, over: object = {}) => ({
  ...{ apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1', kind, name, uid: `uid-${name}`, controller: true },
  ...over,
});
const object = (kind: string, name: string, ownerReferences: object[] = []): KubeObject =>
  ({ kind, metadata: { name, namespace: 'shop', uid: `uid-${name}`, ownerReferences } }) as KubeObject;

/** A client that has these objects, and what was read from it. */
function client(...objects: KubeObject[]) {
  const read: string[] = [];
  return {
    seen: read,
    read: (async (kind: Kind, _namespace: string, name: string) => {
      read.push(`${kind.kind}/${name}`);
      return objects.find((one) => one.kind === kind.kind && one.metadata.name === name);
    }) as never,
    list: (async () => objects.filter(({ kind }) => kind === 'CronJob')) as never,
  };
}
const nameOf = (one: KubeObject | undefined | null) => one?.metadata.name;

test('a pod and the kinds with a template are read, other kinds are not asked for', async () => {
  const cluster = client(object('Pod', 'web'), object('Deployment', 'web'));
  assert.is(nameOf(await readResource(cluster, 'Pod', 'shop', 'web')), 'web');
  assert.is(nameOf(await readResource(cluster, 'Deployment', 'shop', 'web')), 'web');
  assert.is(await readResource(cluster, 'Deployment', 'shop', 'api'), undefined);
  for (const kind of ['Secret', 'constructor']) assert.is(await readResource(cluster, kind, 'shop', 'web'), null);
  assert.equal(cluster.seen, ['Pod/web', 'Deployment/web', 'Deployment/api']);
});

test('a workload is the one of the reference: its group, its kind and its uid', async () => {
  const cluster = client(object('Deployment', 'web'));
  const found = async (over: object) => nameOf(await readWorkload(cluster, 'shop', { ...owner('Deployment', 'web'), ...over } as never));
  assert.is(await found({}), 'web');
  assert.is(await found({ uid: undefined, apiVersion: undefined }), 'web');
  assert.is(await found({ uid: 'another' }), undefined);
  assert.is(await found({ apiVersion: 'example.org/v1' }), undefined);
  assert.is(await found({ kind: 'Rollout' }), undefined);
  assert.is(await found({ name: 'api' }), undefined);
});

test('owners are followed to the top, controllers only', async () => {
  const set = object('ReplicaSet', 'web-1', [owner('Job', 'other', { controller: false }), owner('Deployment', 'web')]);
  const cluster = client(set, object('Deployment', 'web'), object('Job', 'other'));
  const pod = object('Pod', 'web-1-a', [owner('ReplicaSet', 'web-1')]).metadata;
  assert.equal((await ownersOf(cluster, pod)).map(nameOf), ['web-1', 'web']);
  assert.equal(await ownersOf(cluster, object('Pod', 'alone').metadata), []);
  assert.equal(await ownersOf(cluster, object('Pod', 'lost', [owner('ReplicaSet', 'gone')]).metadata), []);
});

test('a circle of owners ends', async () => {
  const cluster = client(object('Deployment', 'a', [owner('Deployment', 'b')]), object('Deployment', 'b', [owner('Deployment', 'a')]));
  assert.is((await ownersOf(cluster, object('Pod', 'x', [owner('Deployment', 'a')]).metadata)).length, 5);
});

test('the CronJob of a Job is that of its uid, and none when it may not be read', async () => {
  const job = object('Job', 'nightly-1', [owner('CronJob', 'nightly')]).metadata;
  const cluster = client(object('CronJob', 'other'), object('CronJob', 'nightly'));
  assert.equal([nameOf(await cronJobOf(cluster, job)), (await cronJobOf(cluster, job))?.kind], ['nightly', 'CronJob']);
  assert.is(await cronJobOf(cluster, object('Job', 'x', [owner('CronJob', 'gone')]).metadata), undefined);
  assert.is(await cronJobOf(cluster, object('Job', 'x', [owner('CronJob', 'nightly', { controller: false })]).metadata), undefined);
  const refusing = (error: Error) => ({ list: () => Promise.reject(error) });
  assert.is(await cronJobOf(refusing(new KubeError(403, 'Forbidden', 'no')), job), undefined);
  await cronJobOf(refusing(new Error('a bug')), job).then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'a bug'),
  );
});

test.run();
