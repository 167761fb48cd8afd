import type { FindingRepository } from '../db/findings.ts';
import type { Hub, InternalBus } from '../events.ts';

/** So many get a message each. A client that shows more reloads at the `suppression_change` that follows, and does not fall behind. */
const MOST_MESSAGES = 500;

export interface SuppressedFindingsDeps {
  findings: Pick<FindingRepository, 'byIds'>;
  hub: Pick<Hub, 'publish'>;
  bus: Pick<InternalBus, 'on'>;
}

/** Sends `finding_deleted` for each finding that a Suppression hides from now on; of very many, for the newest. The answer ends it. */
export function announceSuppressedFindings({ findings, hub, bus }: SuppressedFindingsDeps): () => void {
  return bus.on('findingsSuppressed', async ({ ids }) => {
    for (const finding of await findings.byIds(ids.slice(0, MOST_MESSAGES))) hub.publish({ type: 'finding_deleted', data: finding });
  });
}
