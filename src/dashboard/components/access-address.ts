import type { Through } from '../../contract/access.ts';

/** The properties of a link to an answer on the Access screen. */
export interface AccessAddress {
  to: '/access';
  /** The router has no types for search parameters. */
  search: never;
}

/** "Who can get secrets in shop?" Without a namespace: in the whole cluster. */
export function whoCanAddress(asked: { verb: string; resource: string; object?: string; namespace?: string | undefined }): AccessAddress {
  return address({ ask: 'who-can', ...asked });
}

/** "What can ServiceAccount shop/web do?" */
export function rightsAddress({ kind, name, namespace }: Through['subject']): AccessAddress {
  return address({ ask: 'rights', kind, name, namespace });
}

/** The escalation paths of one subject; without a subject, of all. */
export function pathsAddress({ kind, name, namespace }: Partial<Through['subject']> = {}): AccessAddress {
  return address({ kind, name, namespace });
}

function address(search: Record<string, string | undefined>): AccessAddress {
  return { to: '/access', search: search as never };
}
