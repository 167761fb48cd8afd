/** A run that is a minute in CI has a long form, told by hand with `npm run soak`. */
export const isLong = process.env['SOAK'] === 'true';

/** One of two amounts: that of a minute's run, or that of the long form. */
export function longOr<T>(long: T, short: T): T {
  return isLong ? long : short;
}
