/**
 * What each file of this folder exports. `npm run bench -- <name>` runs it. It prints Markdown with `out` and cleans up after itself.
 * A bench with `compares` measures all trees in turn.
 */
export interface Bench {
  name: string;
  compares?: true;
  run(out: (line?: string) => void, trees: Tree[]): Promise<void>;
}

/** A checkout whose operator is measured. */
export interface Tree {
  name: string;
  /** Path of its `podmend.js`. */
  launcher: string;
}

/** A Markdown table: one line per row, without padding. */
export function table(head: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The median with the lowest and highest value: `12.3 (11.9..13.0)`. Needs at least one value. */
export function spread(values: number[], digits = 1): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.round(part * (sorted.length - 1))] ?? Number.NaN;
  return `${at(0.5).toFixed(digits)} (${at(0).toFixed(digits)}..${at(1).toFixed(digits)})`;
}

/** The value below which `part` (0..1) of the measurements lie. */
export function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}
