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
