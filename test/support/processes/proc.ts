import { readFileSync, readdirSync } from 'node:fs';

// What Linux knows about processes. On other systems, everything is 0.

/** Milliseconds of one tick of `/proc/<pid>/stat`, which is 1/100 s wherever Node runs. */
const TICK_MS = 10;

/** CPU milliseconds of a process and of its descendants, including those that have ended. */
export function cpuMs(root: number): number {
  return tree(root).reduce((sum, pid) => {
    const fields = stat(pid);
    if (!fields) return sum;
    const own = Number(fields[11]) + Number(fields[12]);
    const ended = pid === root ? Number(fields[13]) + Number(fields[14]) : 0;
    return sum + (own + ended) * TICK_MS;
  }, 0);
}

/** Resident memory of a process in MiB. */
export function rssMiB(pid: number): number {
  const status = read(`/proc/${pid}/status`);
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

export function parentOf(pid: number): number {
  return Number(stat(pid)?.[1] ?? 0);
}

function tree(root: number): number[] {
  const all = [root];
  const pids = names('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
  const parents = new Map(pids.map((pid) => [pid, parentOf(pid)]));
  for (const pid of all) for (const [child, parent] of parents) if (parent === pid) all.push(child);
  return all;
}

/** The fields after the command's name. The first one is the state. */
function stat(pid: number): string[] | undefined {
  const text = read(`/proc/${pid}/stat`);
  return text ? text.slice(text.lastIndexOf(')') + 2).split(' ') : undefined;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function names(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
