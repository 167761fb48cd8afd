import { hash, randomUUID } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from '../../db/folder-lock.ts';

export interface Identity {
  /** `<host>_<16 hex digits>`: the name of the Lease's holder. */
  name: string;
  release(): Promise<void>;
}

/**
 * The name of this process for the Lease. A process that restarts in the same place (same host or pod, same `dataDir`) has the same name,
 * so the successor of a killed operator gets the Lease back at once. A lock in that folder ensures that no two living processes share a
 * name. If nothing can be stored, the name is random.
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

/** Created once. It contains the file's inode number, so a copy of the folder gets another one. */
async function keptId(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (!/^[0-9a-f-]{36}$/.test(kept)) await writeFile(path, randomUUID(), { mode: 0o600 });
  const { dev, ino } = await stat(path);
  return `${await readFile(path, 'utf8')} ${dev} ${ino}`;
}
