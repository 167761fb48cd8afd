import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { processIdentity } from '../../../src/modes/operator/identity.ts';

const folder = mkdtempSync(join(tmpdir(), 'podmend-identity-'));
test.after(() => rmSync(folder, { recursive: true }));

test('the same folder gives the same identity after a restart, but two live processes have two', async () => {
  const dataDir = join(folder, 'data');
  const first = await processIdentity(dataDir);
  assert.match(first.name, new RegExp(`^${hostname()}_[0-9a-f]{16}$`));
  const beside = await processIdentity(dataDir);
  assert.is.not(beside.name, first.name);
  await first.release();
  const successor = await processIdentity(dataDir);
  assert.is(successor.name, first.name);
  await successor.release();
});

test('a copy of the folder gives another identity', async () => {
  const [dataDir, copy] = [join(folder, 'original'), join(folder, 'copy')];
  const original = await processIdentity(dataDir);
  await original.release();
  cpSync(dataDir, copy, { recursive: true, preserveTimestamps: true });
  const copied = await processIdentity(copy);
  assert.is.not(copied.name, original.name);
  await copied.release();
});

test('a half-written id is replaced', async () => {
  const dataDir = join(folder, 'torn');
  await (await processIdentity(dataDir)).release();
  writeFileSync(join(dataDir, 'operator', 'id'), 'abc');
  const { name, release } = await processIdentity(dataDir);
  await release();
  const again = await processIdentity(dataDir);
  assert.is(again.name, name);
  await again.release();
});

test('if nothing can be stored, a process is nobody’s successor', async () => {
  const file = join(folder, 'no-folder');
  writeFileSync(file, '');
  const [one, other] = [await processIdentity(file), await processIdentity(file)];
  assert.is.not(one.name, other.name);
});

test.run();
