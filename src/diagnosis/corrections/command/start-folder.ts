import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

/** For a file of the program that is not where it starts: the container without its `workingDir`, so that it starts in the folder of the image. */
export function folderOfImage(input: RuleInput): Correction[] {
  const place = input.place();
  const folder = place?.container?.workingDir;
  if (!place || folder === undefined) return [];
  return [
    {
      title: 'Start in the folder of the image',
      changes: [change(place, fieldPath(place.path, 'workingDir'), null, `the program does not find its files in ${code(folder)}`)],
      confidence: 'guess',
      explanation: `The container has the \`workingDir\` ${code(folder)}, and the program looks there. Most images start their program where its files are.`,
      mirrorable: true,
    },
  ];
}
