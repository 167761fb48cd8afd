import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { KEY_NAMES } from '../../src/accounts/keys.ts';
import { sealer } from '../../src/accounts/seal.ts';
import { type AccountsWiring, wireAccounts } from '../../src/accounts/wire.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';

const log = createLog({ level: 'silent' });
const IN_POD = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };

/** Wires accounts with these variables; `asked` are the Secrets that were read. */
async function wired(env: Record<string, string>) {
  const asked: string[] = [];
  const data = Object.fromEntries(KEY_NAMES.map((name) => [name, Buffer.from(`${name} of the Secret`).toString('base64')]));
  const read = async (_kind: unknown, namespace: string, name: string) => (asked.push(`${namespace}/${name}`), { metadata: {}, data });
  const cluster = { interactive: { client: { read } } } as unknown as AccountsWiring['cluster'];
  const config = readConfig(env, 'demo');
  return { asked, ...(await wireAccounts({ config, storage: {} as AccountsWiring['storage'], cluster, log })) };
}

const folder = mkdtempSync(join(tmpdir(), 'podmend-wire-'));
test.after(() => rmSync(folder, { recursive: true }));

test('in a cluster the keys come from the Secret in its own namespace', async () => {
  const made = await wired({ ...IN_POD, POD_NAMESPACE: 'tools', DATA_DIR: folder });
  assert.equal(made.asked, ['tools/podmend-keys']);
  assert.is(made.sessionSecret, 'session-secret of the Secret');
  assert.is(sealer(['encryption-key of the Secret']).open('a', made.sealer.seal('a', 'text')), 'text');
});

for (const [what, env] of [
  ['outside of a cluster', {}],
  ['in a pod that acts as another user', { ...IN_POD, KUBECONFIG: '/nowhere' }],
] as const)
  test(`${what} the keys come from the folder`, async () => {
    const made = await wired({ ...env, DATA_DIR: join(folder, what) });
    assert.equal(made.asked, []);
    assert.is(made.sessionSecret, readFileSync(join(folder, what, 'session-secret'), 'utf8').trim());
  });

test('what is configured wins, and older keys still open what they sealed', async () => {
  const [secret, newest, older] = ['s', 'n', 'o'].map((letter) => letter.repeat(16)) as [string, string, string];
  const made = await wired({ ...IN_POD, SESSION_SECRET: secret, ENCRYPTION_KEY: `${newest},${older}` });
  assert.equal([made.asked, made.sessionSecret], [[], secret]);
  assert.is(made.sealer.open('a', sealer([older]).seal('a', 'text')), 'text');
  assert.is(made.sealer.isOld(sealer([newest]).seal('a', 'text')), false);
});

test.run();
