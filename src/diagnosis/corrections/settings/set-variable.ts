import { fieldPath } from '../../../crd/field-path.ts';
import type { Change } from '../../../contract/failure.ts';
import type { ContainerPlace } from '../../facts/input.ts';
import { appended, change } from '../change.ts';

/** The change that gives the container's variable this value: of the variable that is there, or as a new one. */
export function withVariable(place: ContainerPlace, name: string, value: string, why: string): Change {
  const env = place.container?.env;
  const index = env?.findIndex((one) => one.name === name) ?? -1;
  const path = fieldPath(place.path, 'env');
  return index < 0 ? appended(place, path, env, { name, value }, why) : change(place, fieldPath(path, index, 'value'), value, why);
}
