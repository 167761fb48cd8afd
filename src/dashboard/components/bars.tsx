import classes from './bars.module.css';

/** The bars of one point in time, one for each kind. `title` describes them in words. */
export interface Bar {
  key: string;
  title: string;
  /** Grows upward. */
  up: number;
  /** Grows downward. */
  down?: number;
}

const [WIDTH, GAP, HALF] = [10, 2, 30];

/** A strip of bars over time, oldest first. `says` is the text alternative. */
export function Bars({ bars, says, isSmall = false }: { bars: Bar[]; says: string; isSmall?: boolean }) {
  const most = Math.max(1, ...bars.map(({ up, down = 0 }) => Math.max(up, down)));
  const hasDown = bars.some(({ down }) => down !== undefined);
  const height = (value: number): number => (value === 0 ? 0 : Math.max(2, (value / most) * (HALF - 2)));
  return (
    <svg
      className={classes['bars']}
      data-small={isSmall || undefined}
      viewBox={`0 0 ${bars.length * WIDTH} ${hasDown ? HALF * 2 : HALF}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={says}
    >
      {bars.map(({ key, title, up, down = 0 }, index) => (
        <g key={key}>
          <title>{title}</title>
          <rect className={classes['room']} x={index * WIDTH} y={0} width={WIDTH} height={hasDown ? HALF * 2 : HALF} />
          <rect className={classes['up']} x={index * WIDTH + GAP / 2} y={HALF - height(up)} width={WIDTH - GAP} height={height(up)} />
          {hasDown && <rect className={classes['down']} x={index * WIDTH + GAP / 2} y={HALF} width={WIDTH - GAP} height={height(down)} />}
        </g>
      ))}
      <line className={classes['base']} x1={0} x2={bars.length * WIDTH} y1={HALF} y2={HALF} />
    </svg>
  );
}
