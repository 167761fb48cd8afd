import type { Change } from '../../contract/failure.ts';
import type { Confidence } from '../../contract/mirror.ts';

/**
 * A change to the manifest that should end the failure. It changes only the fields that must change, and grants no more rights than before.
 */
export interface Correction {
  title: string;
  /** Paths of a Pod (`spec.…`), of a workload's template (`spec.template.spec.…`) when the case's manifest is a workload. */
  changes: Change[];
  confidence: Confidence;
  /** Why it should help; Markdown within a line. The first sentence says how things are, if anything is to say: reports give it as the reason. */
  explanation: string;
  /** False: a mirror cannot prove it, or may not run it. */
  mirrorable: boolean;
  /** Made by a model, and checked against what a model may change. */
  byModel?: true;
}
