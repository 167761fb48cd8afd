import type { Logger } from '../log.ts';

/** Runs `task` every `ms`, never twice at once, until stopped. What it throws is logged, and the next turn comes all the same. */
export function every(ms: number, task: () => Promise<void>, log: Logger): { stop(): void } {
  let running = false;
  const turn = async () => {
    if (running) return;
    running = true;
    await task().catch((error: unknown) => log.warn({ err: error }, 'a periodic task failed'));
    running = false;
  };
  const timer = setInterval(() => void turn(), ms);
  return { stop: () => clearInterval(timer) };
}
