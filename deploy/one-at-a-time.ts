import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often a process that waits looks whether the lock is free. */
const LOOK_MS = 200;
/** An older lock is abandoned: its process was killed, and another one has its id now. */
const ABANDONED_MS = 10 * 60_000;

/**
 * Runs `work` while the file `lock` is ours, and waits for it as long as another process holds it. Two processes that find the same lock
 * abandoned may both go on: so this saves work, and what must not happen twice needs more.
 */
export async function oneAtATime<T>(lock: string, work: () => Promise<T>): Promise<T> {
  while (!take(lock)) await sleep(LOOK_MS);
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (!isHeld(lock)) rmSync(lock, { force: true });
  return false;
}

function isHeld(lock: string): boolean {
  try {
    if (Date.now() - statSync(lock).mtimeMs > ABANDONED_MS) return false;
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return true;
  } catch (error) {
    // The process of another user is there too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
