import classes from './sparkline.module.css';
import { barsOf, spokenCounts } from './sparkline-bars.ts';

const HEIGHT = 16;

/** Failed runs of the last 24 hours, an hour a bar, the present one at the right. */
export function Sparkline({ counts }: { counts: readonly number[] }) {
  const said = spokenCounts(counts);
  return (
    <svg
      className={classes['spark']}
      viewBox={`0 0 ${counts.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={said}
      width={72}
      height={HEIGHT}
    >
      <title>{said}</title>
      <path d={`M0 ${HEIGHT - 0.5}h${counts.length}v.5h-${counts.length}z`} className={classes['ground']} />
      <path d={barsOf(counts, HEIGHT)} />
    </svg>
  );
}
