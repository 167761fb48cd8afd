import type { Case } from './case.ts';
import type { Diagnosis } from './rules/answer.ts';
import { generic } from './rules/generic.ts';

export type { Diagnosis, RuleCorrection } from './rules/answer.ts';

/** Says why a case fails and what cures it. Pure and total: the same case gives the same answer, and no input makes it throw. */
export function diagnose(subject: Case): Diagnosis {
  return generic(subject);
}
