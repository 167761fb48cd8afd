import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { keysInFolder } from '../../src/accounts/keys-folder.ts';
import { keysInSecret } from '../../src/accounts/keys-secret.ts';
import { ensureKeys, KEY_NAMES } from '../../src/accounts/keys.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { ClusterUnavailable, KubeError } from '../../src/kube/errors.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { createLog } from '../../src/log.ts';
import { aNamespace, type Cluster, clusters } from '../support/cluster/clusters.ts';

const log = createLog({ level: 'silent' });
const reasonOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it succeeded',
    (error: Error) => error.message,
  );

const configured = suite('keys');
const never = async () => assert.unreachable('nothing is made') as never;

configured('configured keys are used as they are, and no key is created', async () => {
  const keys = { sessionSecret: 'given', encryptionKeys: ['new', 'old'] };
  assert.equal(await ensureKeys(keys, never), keys);
});

configured('a key that is not configured comes from storage', async () => {
  const kept = async () => ({ 'session-secret': 'kept', 'encryption-key': 'kept too' });
  assert.equal(await ensureKeys({ encryptionKeys: ['new'] }, kept), { sessionSecret: 'kept', encryptionKeys: ['new'] });
  assert.equal(await ensureKeys({ sessionSecret: 'given', encryptionKeys: [] }, kept), {
    sessionSecret: 'given',
    encryptionKeys: ['kept too'],
  });
});
configured.run();

const inFolder = suite('keys in a folder');
const folder = mkdtempSync(join(tmpdir(), 'podmend-keys-'));
inFolder.after(() => rmSync(folder, { recursive: true }));

inFolder('keys are created once, only their owner can read them, and no two are equal', async () => {
  const dataDir = join(folder, 'new');
  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => keysInFolder(dataDir)));
  for (const other of others) assert.equal(other, first);
  assert.is.not(first!['session-secret'], first!['encryption-key']);
  assert.ok(first!['session-secret'].length >= 43);
  for (const name of KEY_NAMES) assert.is(statSync(join(dataDir, name)).mode & 0o777, 0o600);
  assert.is(readFileSync(join(dataDir, 'session-secret'), 'utf8').trim(), first!['session-secret']);
});

inFolder('an empty key file is not taken for a key', async () => {
  writeFileSync(join(folder, 'session-secret'), '\n');
  assert.match(await reasonOf(keysInFolder(folder)), /session-secret is empty/);
});
inFolder.run();

const waiting = suite('keys in a Secret when the cluster has problems');

waiting('an API server that is away is waited for, missing rights are reported', async () => {
  const troubles = [new ClusterUnavailable('ECONNREFUSED'), new KubeError(429, 'TooManyRequests', 'later')];
  const data = Object.fromEntries(KEY_NAMES.map((name) => [name, Buffer.from(name).toString('base64')]));
  const read = (async () => {
    const trouble = troubles.shift();
    if (trouble) throw trouble;
    return { metadata: {}, data };
  }) as unknown as KubeClient['read'];
  assert.equal(await keysInSecret({ client: { read, create: never }, namespace: 'podmend', log, retryMs: 1 }), {
    'session-secret': 'session-secret',
    'encryption-key': 'encryption-key',
  });
  troubles.push(new KubeError(403, 'Forbidden', 'may not get secrets'));
  assert.match(await reasonOf(keysInSecret({ client: { read, create: never }, namespace: 'podmend', log })), 'may not get secrets');
});

const away = new ClusterUnavailable('ECONNREFUSED');
const TROUBLES: [what: string, trouble: Error, isAgain: boolean][] = [
  ['no answer', away, true],
  ['a replica that was faster', new KubeError(409, 'AlreadyExists', 'exists'), true],
  ['too many requests', new KubeError(429, 'TooManyRequests', 'later'), true],
  ['a broken server', new KubeError(500, 'InternalError', 'broken'), true],
  ['a bad request', new KubeError(422, 'Invalid', 'bad'), false],
  ['a missing namespace', new KubeError(404, 'NotFound', 'no namespace'), false],
  ['a defect', new TypeError('a defect'), false],
];
for (const [what, trouble, isAgain] of TROUBLES)
  waiting(`after ${what}, it ${isAgain ? 'tries again' : 'gives up'}`, async () => {
    const made: unknown[] = [];
    const troubles = [trouble];
    const create = (async (_kind: unknown, secret: unknown) => {
      const first = troubles.shift();
      if (first) throw first;
      made.push(secret);
    }) as unknown as KubeClient['create'];
    const read = (async () => undefined) as KubeClient['read'];
    const reason = await reasonOf(keysInSecret({ client: { read, create }, namespace: 'podmend', log, retryMs: 1 }));
    assert.is(reason === 'it succeeded', isAgain, reason);
    assert.is(made.length, isAgain ? 1 : 0);
  });

waiting('the Secret says who made it, and holds each key in its own place', async () => {
  const made: { metadata: object; type: string; data: Record<string, string> }[] = [];
  const create = (async (_kind: unknown, secret: (typeof made)[number]) => void made.push(secret)) as unknown as KubeClient['create'];
  const keys = await keysInSecret({ client: { read: (async () => undefined) as KubeClient['read'], create }, namespace: 'tools', log });
  const { metadata, type, data } = made[0]!;
  assert.equal(metadata, { name: 'podmend-keys', namespace: 'tools', labels: { 'app.kubernetes.io/managed-by': 'podmend' } });
  assert.is(type, 'Opaque');
  assert.equal(Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()])), keys);
  assert.is.not(keys['session-secret'], keys['encryption-key']);
});
waiting.run();

for (const { name, start } of clusters('podmend-keys')) {
  const test = suite(`keys in a Secret on ${name}`);
  let cluster: Cluster;
  let client: KubeClient;
  const keysIn = (namespace: string) => keysInSecret({ client, namespace, log });

  test.before(async () => {
    cluster = await start();
    client = connect({ kubeconfigText: cluster.kubeconfigText });
    await Promise.all(['podmend', 'raced', 'partial'].map((namespace) => aNamespace(client, namespace)));
  });
  test.after(async () => {
    client.close();
    await cluster.close();
  });

  test('keys are created once and read from then on', async () => {
    const made = await keysIn('podmend');
    assert.ok(KEY_NAMES.every((key) => made[key].length >= 43));
    assert.equal(await keysIn('podmend'), made);
    assert.is((await client.read(KINDS.secret, 'podmend', 'podmend-keys'))?.type, 'Opaque');
  });

  test('when several replicas start at once, one creates the keys and all use them', async () => {
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => keysIn('raced')));
    for (const other of others) assert.equal(other, first);
    assert.is((await client.list(KINDS.secret, { namespace: 'raced' })).length, 1);
  });

  test('a problem that only people can fix is reported', async () => {
    await client.create(KINDS.secret, { metadata: { name: 'podmend-keys', namespace: 'partial' }, data: { 'encryption-key': 'a2V5' } });
    assert.match(await reasonOf(keysIn('partial')), 'Secret partial/podmend-keys lacks session-secret');
    assert.match(await reasonOf(keysIn('missing')), /Secret missing\/podmend-keys: .*not found/);
  });
  test.run();
}
