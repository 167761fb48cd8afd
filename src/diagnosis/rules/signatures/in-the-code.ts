import type { Meaning } from './signature.ts';

/** The meaning of a line that shows a bug in the program itself. */
export const inTheCode = (what: string, culprit: string): Meaning => ({
  because: what,
  culprit,
  advice: ['The program itself has a bug. Correct the code, or go back to the last image that worked.'],
  inCode: true,
  whereToLook: 'the trace in the log, and what changed in the image since it last worked',
});
