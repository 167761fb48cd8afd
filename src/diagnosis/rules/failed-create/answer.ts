import { describe } from '../../rendering/commands.ts';
import { type RuleAnswer } from '../rule.ts';
import { type RuleInput, who } from '../../facts/input.ts';

/** The answer "X cannot create its pods: <because>." with the command that describes the controller. */
export function cannotCreate(input: RuleInput, because: string, rest: Omit<RuleAnswer, 'summary'>): RuleAnswer {
  return {
    summary: `${who(input, null)} cannot create its pods: ${because}.`,
    ...rest,
    commands: [describe(input.subject), ...(rest.commands ?? [])],
  };
}
