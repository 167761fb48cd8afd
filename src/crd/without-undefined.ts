type Optional<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };
type Required<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };

/** A copy without the fields that are undefined, so that an optional field is left out. */
export function withoutUndefined<T extends object>(fields: T): Required<T> & Optional<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Required<T> & Optional<T>;
}
