import type { SocketMessage } from '../../contract/socket.ts';

/** The cache keys (first parts) that a message makes stale and that must be loaded again. */
export function staleAfter(message: SocketMessage): readonly string[] {
  switch (message.type) {
    case 'pod_failure':
    case 'pod_deleted':
    case 'pod_status_change':
      return ['incidents', 'overview', 'history', 'siblings', 'graph'];
    case 'solution_updated':
      return ['incidents', 'overview'];
    case 'mirror_status':
      // Every mirror changes the limits, and an ended one joins the past mirrors.
      return ['incidents', 'overview', 'history', 'mirror-limits', 'graph', ...(message.data.status === 'Expired' ? ['past-mirrors'] : [])];
    case 'suppression_change':
      return ['incidents', 'overview', 'suppressions', 'advice', 'findings'];
    case 'namespace_exclusion':
      return ['incidents', 'overview', 'suppressions', 'findings'];
    case 'trusted_registry_change':
      return ['suppressions'];
    case 'advice_finding':
      return ['advice'];
    case 'agent_status':
      return ['agents', 'about'];
    default:
      return [];
  }
}
