import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ensureKeys } from '../../src/accounts/keys.ts';

const folders: string[] = [];
const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'podmend-keys-'));
  folders.push(folder);
  return folder;
};
test.after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

test('missing keys are made once, kept for their owner alone, and differ', async () => {
  const dataDir = join(aFolder(), 'new');
  const made = await Promise.all(Array.from({ length: 5 }, () => ensureKeys({ encryptionKeys: [], dataDir })));
  const [first, ...others] = made;
  for (const other of others) assert.equal(other, first);
  assert.is.not(first!.sessionSecret, first!.encryptionKeys[0]);
  assert.ok(first!.sessionSecret.length >= 43);
  for (const name of ['session-secret', 'encryption-key']) assert.is(statSync(join(dataDir, name)).mode & 0o777, 0o600);
  assert.is(readFileSync(join(dataDir, 'session-secret'), 'utf8').trim(), first!.sessionSecret);
});

test('configured keys are used as they are, and nothing is written', async () => {
  const dataDir = aFolder();
  const keys = { sessionSecret: 'given', encryptionKeys: ['new', 'old'] };
  assert.equal(await ensureKeys({ ...keys, dataDir }), keys);
  assert.throws(() => statSync(join(dataDir, 'session-secret')));
});

test('an empty key file is not taken for a key', async () => {
  const dataDir = aFolder();
  writeFileSync(join(dataDir, 'session-secret'), '\n');
  const error = await ensureKeys({ encryptionKeys: ['k'], dataDir }).catch((thrown: Error) => thrown);
  assert.match((error as Error).message, /session-secret is empty/);
});

test.run();
