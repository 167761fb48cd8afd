import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { mountedFiles } from '../files/mounted-files.ts';

/** For an option that lacks its value, at the end of the arguments: the one mounted file, where the option is that of a file. */
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
