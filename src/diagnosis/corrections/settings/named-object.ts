import { existing } from '../../facts/references.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { writtenInstead } from '../replace-text.ts';
import { nearestName } from '../similar-names.ts';

/** How the API server says that an object is not there. */
const ABSENT = /\b(?<kind>services|configmaps|secrets) \\{0,3}"(?<name>[a-z\d][a-z\d.-]{1,100})\\{0,3}" not found/;

const KINDS = { services: 'Service', configmaps: 'ConfigMap', secrets: 'Secret' } as const;

/** For an object that a program looks up by a name in its options: the near name of one that is there. */
export function namedObject(input: RuleInput, line: string): { name: string; correction: Correction } | undefined {
  const { kind, name = '' } = ABSENT.exec(line)?.groups ?? {};
  if (kind === undefined) return undefined;
  const what = KINDS[kind as keyof typeof KINDS];
  const around = input.subject.surroundings ?? {};
  const known = ((what === 'Service' ? around.services : existing(around, what)) ?? []).map((one) => one.name);
  const [near] = known.includes(name) ? [] : nearestName(name, known);
  if (near === undefined) return undefined;
  const reason = { why: `there is a ${what} ${code(near)}`, explanation: `There is no ${what} ${code(name)}.` };
  const [correction] = writtenInstead(input, { from: name, to: near }, reason);
  return correction && { name, correction };
}
