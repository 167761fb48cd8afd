import type { Change } from '../../contract/failure.ts';
import type { Confidence } from '../../contract/mirror.ts';
import { fieldPath } from '../../crd/field-path.ts';
import { code } from '../rendering/quote.ts';
import type { ContainerPlace } from '../facts/input.ts';
import { change } from './change.ts';
import type { Correction } from './correction.ts';

/** A value that the manifest gives the program. */
export interface Given {
  /** The variable or the option. */
  name: string;
  value: string;
  /** What stands before the value in the same word of the manifest: `--port=`. */
  prefix: string;
  /** What stands behind it there. */
  suffix?: string;
  path: string;
}

/** The change of a given value. What stands around it in its word of the manifest stays. */
export function rewritten(place: ContainerPlace, { path, prefix, suffix = '' }: Given, to: string, why: string): Change {
  return change(place, path, `${prefix}${to}${suffix}`, why);
}

/** The correction that gives a setting another value and nothing else. `why` is the reason of the change. */
export function setTo(
  place: ContainerPlace,
  given: Given,
  to: string,
  { why, explanation, confidence = 'likely' }: Pick<Correction, 'explanation'> & { why: string; confidence?: Confidence },
): Correction {
  return {
    title: `Set ${code(given.name)} to ${code(to)}`,
    changes: [rewritten(place, given, to, why)],
    confidence,
    explanation,
    mirrorable: true,
  };
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

/** The values of the container's variables and options, and its other words. The name of such a word is that of its list. */
export function wordsIn(place: ContainerPlace): Given[] {
  const given = givenIn(place);
  const words = (['args', 'command'] as const).flatMap((list) =>
    (place.container?.[list] ?? []).map((value, index): Given => ({
      name: list,
      value,
      prefix: '',
      path: fieldPath(place.path, list, index),
    })),
  );
  return [
    ...given,
    ...words.filter(({ value, path }) => !value.startsWith('-') && value.length < 300 && !given.some((one) => one.path === path)),
  ];
}

/** The values of the container's variables and options, and the settings inside of them. */
export function allGivenIn(place: ContainerPlace): Given[] {
  const given = givenIn(place);
  return [...given, ...given.flatMap(partsOf)];
}

/** The settings inside of a value: the one behind `-c`, those of a URL's query, and those of a list (`host=db sslmode=disable`, `Server=db;Encrypt=no`). */
function partsOf({ name: option, value, prefix, path }: Given): Given[] {
  const [, setting, only] = /^(?:-[coD]|--(?:set|config|option))$/.test(option)
    ? (/^([A-Za-z][\w.-]{1,60})=(\S{1,300})$/.exec(value) ?? [])
    : [];
  if (setting !== undefined && only !== undefined) return [{ name: setting, value: only, prefix: `${prefix}${setting}=`, path }];
  const at = value.indexOf('?');
  const start = /^[\w+.:-]{2,40}:\/\//.test(value) ? at + 1 : 0;
  if ((start === 0 && !/^[\w .-]{1,60}=[^\s;]{0,200}[\s;]/.test(value)) || (at < 0 && start === 1)) return [];
  return [...value.slice(start, 2000).matchAll(/(?<=^|[&;\s])([A-Za-z][\w .-]{0,60}?)=([^&;\s=]{1,200})/g)].map((found) => {
    const [, name = '', part = ''] = found;
    const begin = start + found.index + found[0].length - part.length;
    return { name, value: part, prefix: prefix + value.slice(0, begin), suffix: value.slice(begin + part.length), path };
  });
}
