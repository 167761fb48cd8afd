import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { mountedFiles } from '../files/mounted-files.ts';

/** Adds the only mounted file as the value of a file option that stands last and has none. */
export function fileForOption(input: RuleInput, option: string): Correction[] {
  const place = input.place();
  const field = (['args', 'command'] as const).find((list) => place?.container?.[list]?.includes(option));
  const words = field === undefined ? [] : (place?.container?.[field] ?? []);
  const [file, ...more] = place ? mountedFiles(input, place) : [];
  const at = words.indexOf(option);
  if (!place || field === undefined || file === undefined || more.length > 0 || !/conf|file|path/i.test(option)) return [];
  return [
    {
      title: `Write ${code(`${option}=${file}`)}`,
      changes: [change(place, fieldPath(place.path, field, at), `${option}=${file}`, 'it is the only file that a volume brings')],
      confidence: 'guess',
      explanation: `${code(option)} stands without a value.`,
      mirrorable: true,
    },
  ];
}
