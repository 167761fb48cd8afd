import type { SocketMessage } from '../../contract/socket.ts';

/** The first parts of the keys in the cache of what a message makes out of date, and only the server knows anew. */
export function staleAfter(message: SocketMessage): readonly string[] {
  switch (message.type) {
    case 'pod_failure':
    case 'pod_deleted':
    case 'pod_status_change':
      return ['incidents', 'overview', 'history', 'siblings', 'graph'];
    case 'solution_updated':
      return ['incidents', 'overview'];
    case 'mirror_status':
      // The limits change with every mirror; a mirror that is over is among the past ones.
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
