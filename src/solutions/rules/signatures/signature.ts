import type { RuleCorrection } from '../answer.ts';
import type { Scene } from '../rule.ts';

/** What a matched line means. Texts are Markdown within a line. */
export interface Meaning {
  /** Completes "…, because". */
  because: string;
  /** Plain text: the variable, host, file… */
  culprit: string | null;
  advice: string[];
  commands?: string[];
  corrections?: RuleCorrection[];
  /** Where to look when no correction is offered. */
  whereToLook: string;
}

/** One thing that programs say when they fail. */
export interface Signature {
  id: string;
  /** Lower-case words; a line without one of them is not tried. */
  hints: readonly string[];
  /** Sees one line of at most 1000 letters; linear, its repeats are bounded. */
  pattern: RegExp;
  /** Knows only that something failed: gives way to every signature that knows what. */
  general?: boolean;
  /** Its line may announce what the lines below it say. */
  headline?: boolean;
  explain(groups: Record<string, string>, scene: Scene, line: string): Meaning;
}
