import type { RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { withoutVariable } from './remove-setting.ts';

/** Two variables of which a program wants both or none. */
const PAIR =
  /\bset or unset ([A-Z][A-Z\d_]{2,60}) and ([A-Z][A-Z\d_]{2,60})\b|\b([A-Z][A-Z\d_]{2,60}) and ([A-Z][A-Z\d_]{2,60}) (?:must|should) (?:both )?be (?:set )?(?:together|both or neither)/;

/** For two variables that go together: the container without the one that it has alone. */
export function pairedVariable(input: RuleInput, line: string): Correction[] {
  const both = (PAIR.exec(line) ?? []).slice(1).flatMap((name) => name ?? []);
  const names = (input.place()?.container?.env ?? []).map(({ name }) => name);
  const [alone, ...more] = both.filter((name) => names.includes(name));
  return alone === undefined || more.length > 0
    ? []
    : withoutVariable(input, alone).map((one) => ({
        ...one,
        confidence: 'guess',
        explanation: `The program wants both or none, and nothing says what the other one should be.`,
      }));
}

/** A value that a program keeps, and that is another one than its variable has. */
const KEPT = /(?:does not|doesn't|did not) match the ([A-Z][A-Z\d]{1,40}_[A-Z\d_]{2,60}) (?:env|environment)\b/;

/** For a variable that contradicts what the program wrote into its volume: the container without it. */
export function contradictedVariable(input: RuleInput, line: string): Correction[] {
  const name = KEPT.exec(line)?.[1];
  return name === undefined
    ? []
    : withoutVariable(input, name).map((one) => ({
        ...one,
        confidence: 'guess',
        explanation: 'The program then goes on with what its volume has. Where the variable is right, the volume is the wrong one.',
      }));
}
