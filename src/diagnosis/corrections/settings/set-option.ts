import { fieldPath } from '../../../crd/field-path.ts';
import type { Change } from '../../../contract/failure.ts';
import { change } from '../change.ts';
import { type ContainerPlace } from '../../facts/input.ts';

/**
 * The change that gives a long option this value: in place if the container has the option, otherwise appended to its arguments. An option without
 * a value must not be there yet.
 */
export function withOption(place: ContainerPlace, option: string, value: string | undefined, why: string): Change {
  const { args, command } = place.container ?? {};
  const both = [
    ['args', args ?? []],
    ['command', command ?? []],
  ] as const;
  for (const [field, words] of value === undefined ? [] : both) {
    const index = words.findIndex((word) => word === option || word.startsWith(`${option}=`));
    const word = words[index];
    if (word === undefined) continue;
    const isAlone = word === option;
    return change(place, fieldPath(place.path, field, isAlone ? index + 1 : index), isAlone ? value : `${option}=${value}`, why);
  }
  const field = args === undefined && command !== undefined ? 'command' : 'args';
  const words = field === 'command' ? command : args;
  const entry = value === undefined ? option : `${option}=${value}`;
  return words
    ? change(place, fieldPath(place.path, field, words.length), entry, why)
    : change(place, fieldPath(place.path, field), [entry], why);
}
