import type { Through } from '../../contract/access.ts';

/** Where the screen Access answers a question: the properties of a link. */
export interface AccessAddress {
  to: '/access';
  /** The router knows no search parts of its own. */
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

/** How one subject could come to more power; without a subject, how anybody could. */
export function pathsAddress({ kind, name, namespace }: Partial<Through['subject']> = {}): AccessAddress {
  return address({ kind, name, namespace });
}

function address(search: Record<string, string | undefined>): AccessAddress {
  return { to: '/access', search: search as never };
}
