import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { withVariable } from '../settings/set-variable.ts';
import { mountedFiles, sameName } from './mounted-files.ts';

/** The variable that a message proposes for the path of a file. */
const PROPOSED =
  /\b(?:with|using|via|by|set|setting|in) (?:the )?(?:environment variable )?([A-Z][A-Z\d]{1,30}(?:_[A-Z\d]{1,30}){1,6})(?: (?:environment )?variable)?\b/;

/** For a missing file: the variable that the line proposes for its path, with the only mounted file of the same name. */
export function variableForFile(input: RuleInput, line: string, file: string): { name: string; correction: Correction } | undefined {
  const place = input.place();
  const name = PROPOSED.exec(line)?.[1];
  const [only, ...more] = place ? sameName(mountedFiles(input, place), file).filter((one) => one !== file) : [];
  if (!place?.container || name === undefined || only === undefined || more.length > 0) return undefined;
  if (place.container.env?.some((variable) => variable.name === name)) return undefined;
  return {
    name,
    correction: {
      title: `Set ${code(name)} to ${code(only)}`,
      changes: [withVariable(place, name, only, `a volume brings ${code(file.slice(file.lastIndexOf('/') + 1))} there`)],
      confidence: 'likely',
      explanation: 'The message says that this variable names the file.',
      mirrorable: true,
    },
  };
}
