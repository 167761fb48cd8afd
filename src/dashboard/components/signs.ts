/** Characters that are not seen, and change in which order those around them are shown. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A line of a log or a manifest in the order in which it is written: what would turn it is shown by its number, `‹U+202E›`. */
export function withSigns(line: string): string {
  return line.replace(TURNING, (sign) => `‹U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`);
}
