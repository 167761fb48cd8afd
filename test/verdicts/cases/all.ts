import type { VerdictCase } from '../case.ts';
import { CASES as ENDS } from './ends.ts';
import { CASES as SECOND_PHASES } from './second-author-phases.ts';
import { CASES as SECOND_SERVERS } from './second-author-servers.ts';
import { CASES as TROUBLES } from './troubles.ts';

/** Every case of the corpus. */
export const ALL: readonly VerdictCase[] = [...ENDS, ...TROUBLES, ...SECOND_SERVERS, ...SECOND_PHASES];
