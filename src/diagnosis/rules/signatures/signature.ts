import type { Meaning } from '../../corrections/meaning.ts';
import type { RuleInput } from '../../facts/input.ts';

/** A log line that programs write when they fail. */
export interface Signature {
  id: string;
  /** Words in lower case. The pattern is tried only on lines that contain one of them. */
  hints: readonly string[];
  /** Gets one line of at most 1000 characters. It must run in linear time, with bounded repeats. */
  pattern: RegExp;
  /** The line only reports that something failed. Every more specific signature takes precedence. */
  general?: boolean;
  /** The line names no cause by itself. Any other specific line takes precedence, and it takes precedence over general ones. */
  vague?: boolean;
  /** The lines below this one may belong to it. */
  headline?: boolean;
  explain(groups: Record<string, string>, input: RuleInput, line: string): Meaning;
}
