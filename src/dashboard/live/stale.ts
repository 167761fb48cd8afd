import type { SocketMessage } from '../../contract/socket.ts';

/** The first parts of the keys in the cache of what a message makes out of date, and only the server knows anew. */
export function staleAfter(message: SocketMessage): readonly string[] {
  switch (message.type) {
    case 'mirror_status':
      // The limits change with every mirror; a mirror that is over is among the past ones.
      return message.data.status === 'Expired' ? ['mirror-limits', 'past-mirrors'] : ['mirror-limits'];
    case 'suppression_change':
      return ['suppressions', 'advice'];
    case 'namespace_exclusion':
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
