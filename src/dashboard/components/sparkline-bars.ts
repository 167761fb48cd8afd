import { countText } from './count-text.ts';

/** The path of bars that stand side by side, in a box of 1 a bar and `height`. Even the smallest count is visible beside a large one. */
export function barsOf(counts: readonly number[], height: number): string {
  const most = Math.max(...counts, 1);
  return counts
    .map((count, index) =>
      count > 0 ? `M${index} ${height}v-${rounded(Math.max((count / most) * height, height / 8))}h.7V${height}z` : '',
    )
    .join('');
}

const rounded = (length: number): number => Math.round(length * 100) / 100;

/** The same in words: all, the most in one hour, and how long ago the last one was. */
export function spokenCounts(counts: readonly number[]): string {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return 'No failed run in the last 24 hours';
  const most = Math.max(...counts);
  const hours = counts.length - 1 - counts.findLastIndex((count) => count > 0);
  const last = hours === 0 ? 'the last one in this hour' : hours === 1 ? 'the last one an hour ago' : `the last one ${hours} hours ago`;
  const busiest = all === most ? '' : `, at most ${countText(most)} in one hour`;
  return `${countText(all)} failed ${all === 1 ? 'run' : 'runs'} in the last 24 hours${busiest}, ${last}`;
}
