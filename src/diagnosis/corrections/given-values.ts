import { fieldPath } from '../../crd/field-path.ts';
import type { ContainerPlace } from '../facts/input.ts';

/** A value that the manifest gives the program. */
export interface Given {
  /** The variable or the option. */
  name: string;
  value: string;
  /** What stands before the value in the same word of the manifest: `--port=`. */
  prefix: string;
  path: string | undefined;
}

/** The values of the container's variables and options. */
export function givenIn(place: ContainerPlace): Given[] {
  const { container } = place;
  const [env, args, command] = [container?.env ?? [], container?.args ?? [], container?.command ?? []];
  const variables = env.flatMap(({ name, value }, index): Given[] =>
    typeof value === 'string' && value !== '' ? [{ name, value, prefix: '', path: fieldPath(place.path, 'env', index, 'value') }] : [],
  );
  const options = [
    ...args.map((word, index) => ({ word, path: fieldPath(place.path, 'args', index), before: args[index - 1] })),
    ...command.map((word, index) => ({ word, path: fieldPath(place.path, 'command', index), before: command[index - 1] })),
  ].flatMap(({ word, path, before }): Given[] => {
    const [, option, value] = /^(-{1,2}[\w.-]{1,60})=(.{1,300})$/s.exec(word) ?? [];
    if (option !== undefined && value !== undefined) return [{ name: option, value, prefix: `${option}=`, path }];
    return before !== undefined && /^-{1,2}[A-Za-z][\w.-]*$/.test(before) && !word.startsWith('-') && word.length < 300
      ? [{ name: before, value: word, prefix: '', path }]
      : [];
  });
  return [...variables, ...options];
}
