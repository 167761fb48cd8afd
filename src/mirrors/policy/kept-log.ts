import type { KeptLog } from '../../contract/log.ts';
import { cutBegin } from '../../failures/policy/cut-text.ts';

/** How many bytes of a mirror's log are kept, over all its runs. */
export const KEPT_LOG_BYTES = 64 * 1024;

/**
 * Masks secrets in a log and cuts it to `KEPT_LOG_BYTES`. It keeps the end of each run, and marks where the beginning was cut off. Short runs
 * leave their room to long ones. Never throws.
 */
export function boundLog({ container, containers }: KeptLog): KeptLog {
  const texts = containers.flatMap(({ current, previous }) => [current, previous]).filter((text) => text !== null);
  const most = shareOf(texts.map((text) => Buffer.byteLength(text)));
  const cut = (text: string | null): string | null => text && cutBegin(text, most);
  return {
    container,
    containers: containers.map(({ name, current, previous }) => ({ name, current: cut(current), previous: cut(previous) })),
  };
}

/** The most bytes that each text may have, so that all texts together stay within the limit. */
function shareOf(sizes: readonly number[]): number {
  let room = KEPT_LOG_BYTES;
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(room / (sizes.length - index));
    if (size > share) return share;
    room -= size;
  }
  return KEPT_LOG_BYTES;
}

/** The last lines of a text. */
export function lastLines(text: string, count: number): string {
  const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n');
  return lines.length <= count
    ? text
    : text
        .split('\n')
        .slice(lines.length - count)
        .join('\n');
}
