import type { ScanRepository } from '../db/scans.ts';
import type { Hub } from '../events.ts';

/** A scanner sends something at least every minute. After this time of silence it counts as absent. */
const HEARD_WITHIN_MS = 90_000;
/** How often its sign of life is stored. */
const NOTE_MS = 20_000;

export type Scans = ReturnType<typeof scans>;

/** Requests for a scan, and the scanner that carries them out. */
export function scans({ rows, hub }: { rows: Pick<ScanRepository, 'heard' | 'lastHeard' | 'request'>; hub: Pick<Hub, 'publish'> }) {
  let notedAt = 0;
  const isConnected = async (now: Date): Promise<boolean> => {
    const last = await rows.lastHeard();
    return last !== undefined && now.getTime() - last.getTime() <= HEARD_WITHIN_MS;
  };
  return {
    isConnected,

    /** Notes a sign of life of the scanner. */
    async heard(now: Date): Promise<void> {
      if (Math.abs(now.getTime() - notedAt) < NOTE_MS) return;
      notedAt = now.getTime();
      await rows.heard(now);
    },

    /** Asks the scanner for a full pass; false when no scanner is connected. */
    async request(wish: { reason: string; requestedBy: string }, now: Date): Promise<boolean> {
      if (!(await isConnected(now))) return false;
      await rows.request({ reason: wish.reason, requested_by: wish.requestedBy }, now);
      hub.publish({ type: 'security_rescan_status', data: { status: 'requested', reason: wish.reason } });
      return true;
    },
  };
}
