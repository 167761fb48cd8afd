import type { Change } from '../../contract/failure.ts';
import { fieldPath, valueAt } from '../../crd/field-path.ts';
import type { ContainerPlace } from '../facts/input.ts';

/** A change of the field at `path`; `from` is read from the manifest. `to` null removes the field. */
export function change(place: ContainerPlace, path: string, to: unknown, why: string): Change {
  return { path, from: valueAt(place.object, path), to, why };
}

/** The change that appends an entry to a list, or creates the list. */
export function appended(
  place: ContainerPlace,
  path: string,
  list: readonly unknown[] | null | undefined,
  entry: unknown,
  why: string,
): Change {
  return list ? change(place, fieldPath(path, list.length), entry, why) : change(place, path, [entry], why);
}
