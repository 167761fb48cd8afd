import type { RuleInput } from '../facts/input.ts';
import type { Quote } from '../facts/message.ts';
import type { Correction } from '../corrections/correction.ts';
import type { Diagnosis } from '../diagnosis.ts';

/** What a rule answers. `diagnose` adds the usual commands and, without a correction, the usual reason why there is none. */
export interface RuleAnswer {
  summary: string;
  culprit: string | null;
  evidence: Quote[];
  advice: string[];
  commands?: string[];
  corrections?: Correction[];
  noCorrection?: Diagnosis['noCorrection'];
}

/** One kind of failure. A case with one of these `reasons` asks this rule first. The rule answers undefined if the facts do not fit. */
export interface DiagnosisRule {
  id: string;
  reasons: readonly string[];
  answer(input: RuleInput): RuleAnswer | undefined;
}
