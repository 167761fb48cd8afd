import type { Correction } from '../../corrections/correction.ts';
import type { RuleInput } from '../../facts/input.ts';

/** What a matched line means. Texts are Markdown in one line. */
export interface Meaning {
  /** Completes "…, because …". */
  because: string;
  /** Plain text: the variable, host, file… */
  culprit: string | null;
  advice: string[];
  commands?: string[];
  corrections?: Correction[];
  /** The line reports a bug in the program, which a value in the manifest may have triggered. */
  inCode?: boolean;
  /** Where to look when no correction is offered. */
  whereToLook: string;
  /** Why no change to the pod can help, if that is known. */
  elsewhere?: string;
}

/** A log line that programs write when they fail. */
export interface Signature {
  id: string;
  /** Words in lower case. The pattern is tried only on lines that contain one of them. */
  hints: readonly string[];
  /** Gets one line of at most 1000 characters. It must run in linear time, with bounded repeats. */
  pattern: RegExp;
  /** It only reports that something failed. Every more specific signature comes before it. */
  general?: boolean;
  /** The lines below it may belong to it. */
  headline?: boolean;
  explain(groups: Record<string, string>, input: RuleInput, line: string): Meaning;
}
