import type { FindingRepository } from '../db/findings.ts';
import type { Hub } from '../events.ts';

/** So many are told one by one; who shows more reloads on the `suppression_change` that follows, and is not dropped for falling behind. */
const TOLD = 500;

/** Tells the sockets that findings are not shown any more because a Suppression hides them; of very many, the first. */
export function hiddenFindings({ findings, hub }: { findings: Pick<FindingRepository, 'byIds'>; hub: Pick<Hub, 'publish'> }) {
  return async (ids: number[]): Promise<void> => {
    for (const finding of await findings.byIds(ids.slice(0, TOLD))) hub.publish({ type: 'finding_deleted', data: finding });
  };
}
