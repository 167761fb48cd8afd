import type { Correction } from './corrections/correction.ts';

/** What a failure is, why it happens, and how to correct it. Texts are Markdown in one line; text from outside stands in code spans. */
export interface Diagnosis {
  /** How the failing pod's revision differs from the previous one, if both are known. The rendered text starts with it. */
  changed?: { since: string; lines: string[] };
  /** What happened, in one sentence. */
  summary: string;
  /** Quoted lines, each with its source, the most telling first. */
  evidence: string[];
  /** What causes the failure: the key, image, limit, probe or log line. Plain text in one line. */
  culprit: string | null;
  advice: string[];
  /** Safe to paste into a shell. */
  commands: string[];
  /** Best first; may be empty. */
  corrections: Correction[];
  /** Set when no change to the manifest is offered. `isOpen`: a change could still help, but only the program's author knows which one. */
  noCorrection: { why: string; whereToLook: string; isOpen?: boolean } | null;
}
