import { hash, randomUUID } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from '../db/lock.ts';

export interface Identity {
  /** `<host>_<16 hex digits>`: the holder of the Lease. */
  name: string;
  release(): Promise<void>;
}

/**
 * Who this process is to the others that want to lead. Who starts again in the same place (the same host or pod, the same `dataDir`) is the
 * same, so that a killed operator's successor has its Lease back at once instead of waiting until it runs out. A lock in that folder sees to
 * it that no two living processes are; a copy of the folder is another one. Where nothing can be kept, a process is nobody's successor.
 */
export async function processIdentity(dataDir: string): Promise<Identity> {
  const folder = join(dataDir, 'operator');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const release = await lockFolder(folder);
    try {
      return { name: nameFrom(await keptId(join(folder, 'id'))), release };
    } catch (error) {
      await release();
      throw error;
    }
  } catch {
    return { name: nameFrom(randomUUID()), release: async () => undefined };
  }
}

const nameFrom = (id: string): string => `${hostname()}_${hash('sha256', id).slice(0, 16)}`;

/** Made once; with the file's own number, which a copy does not have. */
async function keptId(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (!/^[0-9a-f-]{36}$/.test(kept)) await writeFile(path, randomUUID(), { mode: 0o600 });
  const { dev, ino } = await stat(path);
  return `${await readFile(path, 'utf8')} ${dev} ${ino}`;
}
