import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type KeptKeys, newKey } from './keys.ts';

/** Keys made once and kept in `dataDir`, one file each with mode 0600: outside a cluster. */
export async function keysInFolder(dataDir: string): Promise<KeptKeys> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const [session, encryption] = await Promise.all([keptKey(join(dataDir, 'session-secret')), keptKey(join(dataDir, 'encryption-key'))]);
  return { 'session-secret': session, 'encryption-key': encryption };
}

async function keptKey(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (kept.trim()) return kept.trim();
  // Written to another file and linked: of two processes one wins, and nobody reads half a key.
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(aside, `${newKey()}\n`, { mode: 0o600 });
  try {
    await link(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(aside);
  }
  const made = (await readFile(path, 'utf8')).trim();
  if (!made) throw new Error(`${path} is empty: delete it, and a new key is made`);
  return made;
}
