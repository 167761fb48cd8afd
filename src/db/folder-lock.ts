import { hash, randomBytes } from 'node:crypto';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderLocked } from './errors.ts';

/** The number and the interval of retries while another process takes over the lock of a dead owner. */
const TRIES = 20;
const WAIT_MS = 25;

interface Owner {
  pid: number;
  /** The result of `startOf`. A process with the same pid and another start time is another process. */
  start: string;
}

/**
 * Takes `folder/podmend.lock` for this process, and returns a function that releases it. PGlite itself has no lock, and two processes on one
 * folder silently lose rows. Takes over the lock of a dead owner. Throws FolderLocked if the owner is alive.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'podmend.lock');
  const mine = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const text = JSON.stringify({ pid: process.pid, start: await startOf(process.pid) } satisfies Owner);
  await writeFile(mine, text, { mode: 0o600 });
  try {
    // A link is created completely or not at all, so nobody can read half a lock.
    for (let tries = 1; !(await linked(mine, path)); tries++) {
      const found = await readFile(path, 'utf8').catch(() => undefined);
      if (found === undefined) continue;
      const owner = parseOwner(found);
      if (owner && (await isAlive(owner))) throw new FolderLocked(folder, owner.pid);
      if (await takeOver(path, mine, found)) break;
      if (tries === TRIES) throw new FolderLocked(folder, owner?.pid ?? 0);
      await sleep(WAIT_MS);
    }
  } finally {
    await unlink(mine);
  }
  return async () => {
    if ((await readFile(path, 'utf8').catch(() => '')) === text) await unlink(path);
  };
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Replaces the lock of a dead owner with ours; false if another process is about to replace it. Only the process that holds the claim may replace
 * the lock. The claim's name is derived from the content of the stale lock, so the lock cannot change between the check and the replacement.
 */
async function takeOver(path: string, mine: string, stale: string): Promise<boolean> {
  const claim = `${path}.${hash('sha256', stale).slice(0, 16)}`;
  if (!(await linked(mine, claim))) {
    const claimant = parseOwner(await readFile(claim, 'utf8').catch(() => ''));
    if (claimant && !(await isAlive(claimant))) await unlink(claim).catch(() => {});
    return false;
  }
  const isStill = (await readFile(path, 'utf8').catch(() => undefined)) === stale;
  if (isStill) await rename(claim, path);
  else await unlink(claim);
  return isStill;
}

function parseOwner(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text) as Partial<Owner> | null;
    return typeof owner?.pid === 'number' && typeof owner.start === 'string' ? { pid: owner.pid, start: owner.start } : undefined;
  } catch {
    return undefined;
  }
}

async function isAlive(owner: Owner): Promise<boolean> {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return (await startOf(owner.pid)) === owner.start;
}

/** The start time of a process, in clock ticks since boot; empty if the system does not provide it (then only the pid counts). */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is the command in parentheses and may contain anything, so count from its end.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
