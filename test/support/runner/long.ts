/** True in `npm run soak`, the long form of tests that take a minute in CI. */
export const isLong = process.env['SOAK'] === 'true';

/** `long` in the long form, else `short`. */
export function longOr<T>(long: T, short: T): T {
  return isLong ? long : short;
}
