import { fieldPath } from '../../crd/field-path.ts';
import { code } from '../rendering/quote.ts';
import type { Correction } from './correction.ts';
import { change, type ContainerPlace } from '../rules/rule.ts';

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
