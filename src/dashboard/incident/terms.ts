import type { MIRROR_TTL } from '../../contract/mirror-ttl.ts';

/** The compiler holds these to the contract, of which the dashboard loads only types. */
const TTL: Pick<typeof MIRROR_TTL, 'min' | 'max'> = { min: 30, max: 3600 };
export const MIN_TTL = TTL.min;
export const MAX_TTL = TTL.max;

/** Kinds whose pods do their work once: the server asks for a confirmation before it runs a second time. */
const ONCE = ['Job', 'CronJob'];

/** On which terms a mirror runs. */
export interface Terms {
  /** Whether this person may run one, and whether there are any. */
  mayRun: boolean;
  ttl: number | string;
  setTtl(ttl: number | string): void;
  isTtlRight: boolean;
  mustAcknowledge: boolean;
  isAcknowledged: boolean;
  acknowledge(is: boolean): void;
}

/** Whether the work of such a workload may be done twice by a mirror. */
export function runsOnce(kind: string): boolean {
  return ONCE.includes(kind);
}

/** Whether a mirror may run for so long. */
export function isTtl(ttl: number | string): boolean {
  return Number.isInteger(ttl) && Number(ttl) >= MIN_TTL && Number(ttl) <= MAX_TTL;
}
