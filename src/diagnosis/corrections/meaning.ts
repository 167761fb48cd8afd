import type { Correction } from './correction.ts';

/** What to do where the program itself says it. */
export const DO_AS_ASKED = 'Change the settings as the message above asks.';

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
