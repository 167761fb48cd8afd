import type { Change } from '../../contract/failure.ts';
import type { Confidence } from '../../contract/mirror.ts';

/** One way to cure a failure by changing the manifest: only the fields that must change, never with more power than before. */
export interface RuleCorrection {
  title: string;
  /** Paths of a Pod (`spec.…`), of a workload's template (`spec.template.spec.…`) when the case's manifest is a workload. */
  changes: Change[];
  confidence: Confidence;
  /** Why this should cure it; Markdown within a line. */
  explanation: string;
  /** False: a mirror cannot prove it, or may not run it. */
  mirrorable: boolean;
  /** Proposed by a model, and held to what a model may change. */
  byModel?: true;
}

/** The answer to a failure. Texts are Markdown within a line; whatever came from outside stands in code spans. */
export interface Diagnosis {
  /** How the failing pod's revision differs from the one before, where both are known; the answer begins with it. */
  changed?: { since: string; lines: string[] };
  /** What happened, in one sentence. */
  summary: string;
  /** Quoted lines, each with where it came from, most telling first. */
  evidence: string[];
  /** The key, image, limit, probe, log line… that is to blame: plain text of one line. */
  culprit: string | null;
  advice: string[];
  /** Shell-safe. */
  commands: string[];
  /** Best first; may be empty. */
  corrections: RuleCorrection[];
  /** Set when no change to the manifest cures the failure. */
  noCure: { why: string; whereToLook: string } | null;
}
