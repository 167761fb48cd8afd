/** One formatter for all numbers: `toLocaleString` makes a new one for each, which is too slow for rows that are scrolled. */
const COUNTS = new Intl.NumberFormat('en');

/** A count with separators: `12,345`. */
export const countText = (count: number): string => COUNTS.format(count);
