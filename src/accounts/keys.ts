import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What is configured, and where to keep what is not. */
export interface KeyOptions {
  sessionSecret?: string | undefined;
  /** Newest first. */
  encryptionKeys: string[];
  dataDir: string;
}

export interface Keys {
  sessionSecret: string;
  /** Newest first; never empty. */
  encryptionKeys: string[];
}

/** The configured keys; for what is missing, keys made once and kept in `dataDir` (`session-secret`, `encryption-key`, mode 0600). */
export async function ensureKeys({ sessionSecret, encryptionKeys, dataDir }: KeyOptions): Promise<Keys> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  return {
    sessionSecret: sessionSecret ?? (await keptKey(join(dataDir, 'session-secret'))),
    encryptionKeys: encryptionKeys.length > 0 ? encryptionKeys : [await keptKey(join(dataDir, 'encryption-key'))],
  };
}

async function keptKey(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (kept.trim()) return kept.trim();
  // Written aside and linked, so that of two processes one wins and nobody reads half a key.
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(aside, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
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
