import { existing } from '../../facts/references.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { writtenInstead } from '../replace-text.ts';
import { nearestName } from '../similar-names.ts';

/** How the API server says that an object is not there. */
const ABSENT = /\b(?<kind>services|configmaps|secrets) \\{0,3}"(?<name>[a-z\d][a-z\d.-]{1,100})\\{0,3}" not found/;

/** For an object that a program looks up by a name in its options: the near name of one that is there. */
export function namedObject(input: RuleInput, line: string): { name: string; correction: Correction } | undefined {
  const { kind = '', name = '' } = ABSENT.exec(line)?.groups ?? {};
  const around = input.subject.surroundings ?? {};
  const known =
    kind === 'services'
      ? (around.services ?? []).map((one) => one.name)
      : (existing(around, kind === 'secrets' ? 'Secret' : 'ConfigMap') ?? []).map((one) => one.name);
  const [near] = kind === '' || known.includes(name) ? [] : nearestName(name, known);
  const what = kind === 'services' ? 'Service' : kind === 'secrets' ? 'Secret' : 'ConfigMap';
  const [correction] =
    near === undefined
      ? []
      : writtenInstead(
          input,
          { from: name, to: near },
          { why: `there is a ${what} ${code(near)}`, explanation: `There is no ${what} ${code(name)}.` },
        );
  return correction && { name, correction };
}
