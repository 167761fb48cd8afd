import type { Correction } from '../../corrections/correction.ts';
import type { RuleInput } from '../rule.ts';

/** What a matched line means. Texts are Markdown in one line. */
export interface Meaning {
  /** Completes "…, because …". */
  because: string;
  /** Plain text: the variable, host, file… */
  culprit: string | null;
  advice: string[];
  commands?: string[];
  corrections?: Correction[];
  /** It speaks of a fault of the program, which a value of the manifest may have led to. */
  inCode?: boolean;
  /** Where to look when no correction is offered. */
  whereToLook: string;
  /** Why no change of the pod can help, where that is known. */
  elsewhere?: string;
}

/** A log line that programs write when they fail. */
export interface Signature {
  id: string;
  /** Lower-case words; the pattern is only tried on lines with one of them. */
  hints: readonly string[];
  /** Gets one line of at most 1000 characters. It must run in linear time, with bounded repeats. */
  pattern: RegExp;
  /** It only knows that something failed. Every signature that knows more comes before it. */
  general?: boolean;
  /** The lines below it may belong to it. */
  headline?: boolean;
  explain(groups: Record<string, string>, input: RuleInput, line: string): Meaning;
}
