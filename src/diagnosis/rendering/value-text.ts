/** Fields of a volume that hold a file mode. */
const MODE = /\.(?:defaultMode|mode)$/;

/** The value of a field as people write it: text as it is, file modes in octal, everything else as JSON. */
export function valueText(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && MODE.test(path)) return octal(value);
  return JSON.stringify(value);
}

/** A file's mode as people write it: `0644`. */
function octal(mode: number): string {
  return `0${mode.toString(8)}`;
}
