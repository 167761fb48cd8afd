import type { MIRROR_TTL } from '../../contract/mirror-ttl.ts';

/** The compiler checks these against the contract, of which the dashboard loads only types. */
const TTL: Pick<typeof MIRROR_TTL, 'min' | 'max'> = { min: 30, max: 3600 };
export const MIN_TTL = TTL.min;
export const MAX_TTL = TTL.max;

/** Kinds whose pods run their work once. The server asks for confirmation before it runs again. */
const ONCE = ['Job', 'CronJob'];

/** On which terms a mirror runs. */
export interface Terms {
  /** Whether this person may run a mirror, and whether mirrors are on. */
  mayRun: boolean;
  ttl: number | string;
  setTtl(ttl: number | string): void;
  isTtlRight: boolean;
  mustAcknowledge: boolean;
  isAcknowledged: boolean;
  acknowledge(is: boolean): void;
}

/** Whether a mirror would repeat the work of such a workload. */
export function runsOnce(kind: string): boolean {
  return ONCE.includes(kind);
}

/** Whether a mirror may run for so long. */
export function isTtl(ttl: number | string): boolean {
  return Number.isInteger(ttl) && Number(ttl) >= MIN_TTL && Number(ttl) <= MAX_TTL;
}
