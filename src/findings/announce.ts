import type { FindingRepository } from '../db/findings.ts';
import type { Hub, InternalBus } from '../events.ts';

/** The maximum number of single messages. A client that shows more findings reloads at the following `suppression_change`. */
const MOST_MESSAGES = 500;

export interface SuppressedFindingsDeps {
  findings: Pick<FindingRepository, 'byIds'>;
  hub: Pick<Hub, 'publish'>;
  bus: Pick<InternalBus, 'on'>;
}

/**
 * Sends `finding_deleted` for each finding that a Suppression now hides; if there are very many, for the newest ones. Returns a function
 * that stops it.
 */
export function announceSuppressedFindings({ findings, hub, bus }: SuppressedFindingsDeps): () => void {
  return bus.on('findingsSuppressed', async ({ ids }) => {
    for (const finding of await findings.byIds(ids.slice(0, MOST_MESSAGES))) hub.publish({ type: 'finding_deleted', data: finding });
  });
}
