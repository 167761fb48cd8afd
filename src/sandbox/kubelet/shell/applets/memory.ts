import type { Call } from './call.ts';

/** How long a program takes to fill its memory: about a second, as on a real machine. */
const EATING_MS = 700;
/** What ends with SIGKILL answers. */
export const SIGKILL = 137;

/** Allocates memory up to the container's limit, at which the kernel kills it. */
export async function eat(call: Call, bytes: number): Promise<number | undefined> {
  if (bytes <= call.machine.memoryLimit) return undefined;
  await call.machine.sleep(EATING_MS);
  call.machine.onOutOfMemory();
  return SIGKILL;
}

/** `64M`, `512k`: dd's and head's way. */
export const bytesOf = (text: string): number => {
  const match = /^(\d+)([cwbkKMG]?)/.exec(text);
  const size: Record<string, number> = { '': 1, c: 1, w: 2, b: 512, k: 1024, K: 1024, M: 1 << 20, G: 1 << 30 };
  return Number(match?.[1] ?? 0) * (size[match?.[2] ?? ''] ?? 1);
};
