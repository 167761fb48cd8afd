import { fieldPath } from '../../crd/field-path.ts';
import { code } from '../rendering/quote.ts';
import type { Correction } from './correction.ts';
import { change, type ContainerPlace, type RuleInput } from '../rules/rule.ts';

/** Writes a port as an address of the container, in the one word of `args` or `command`, or the one variable, that is the port. */
export function withColon(input: RuleInput, port: string): Correction[] {
  const place = input.place();
  if (!place?.container) return [];
  const { args, command, env } = place.container;
  const words = [
    ...(args ?? []).map((word, at) => ({ word, path: ['args', at] })),
    ...(command ?? []).map((word, at) => ({ word, path: ['command', at] })),
  ];
  const values = (env ?? []).map(({ value }, at) => ({ word: value ?? '', path: ['env', at, 'value'] }));
  const found = [...words, ...values].filter(({ word }) => word === port || word.endsWith(`=${port}`));
  if (found.length !== 1) return [];
  return found.map(({ word, path }) => ({
    title: `Write the port as ${code(`:${port}`)}`,
    changes: [
      change(
        place,
        fieldPath(place.path, ...path),
        `${word.slice(0, -port.length)}:${port}`,
        'an address is a host, which may be empty, a colon and a port',
      ),
    ],
    confidence: 'likely',
    explanation: 'The program then listens on this port of all addresses.',
    mirrorable: true,
  }));
}

const UNKNOWN = {
  why: 'the program of this image has no such option',
  explanation: 'The program ends because it does not know this option.',
};

/** Removes an option from `args` or `command`, with its value if that is a separate word. By default because the program does not know it. */
export function dropOption(
  place: ContainerPlace | undefined,
  option: string,
  { why, explanation }: { why: string; explanation: string } = UNKNOWN,
): Correction[] {
  const name = option.replace(/^-+/, '').split('=', 1)[0] ?? '';
  if (!place?.container || name === '') return [];
  for (const field of ['args', 'command'] as const) {
    const words = place.container[field] ?? [];
    const index = words.findIndex((word) => word.startsWith('-') && word.replace(/^-+/, '').split('=', 1)[0] === name);
    if (index < 0) continue;
    const word = words[index] as string;
    const next = words[index + 1];
    const takesValue = !word.includes('=') && next !== undefined && !next.startsWith('-') && field === 'args';
    const kept = words.filter((_, at) => at !== index && !(takesValue && at === index + 1));
    return [
      {
        title: `Remove the option ${code(word, 80)}`,
        changes: [change(place, fieldPath(place.path, field), kept.length > 0 ? kept : null, why)],
        confidence: 'likely',
        explanation,
        mirrorable: true,
      },
    ];
  }
  return [];
}
