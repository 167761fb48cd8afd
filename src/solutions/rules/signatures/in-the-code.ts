import type { Meaning } from './signature.ts';

/** What there is to say when the program itself is wrong. */
export const inTheCode = (what: string, culprit: string): Meaning => ({
  because: what,
  culprit,
  advice: ['The program itself fails: correct the code, or go back to the last image that worked.'],
  whereToLook: 'the trace in the log, and what changed in the image since it last worked',
});
