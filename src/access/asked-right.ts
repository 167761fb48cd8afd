import type { AccessRequest } from './rules.ts';

/** A question as people write it: `resource` like kubectl (`pods`, `pods/log`, `deployments.apps/scale`), or a path in its place. */
export interface AskedRight {
  verb: string;
  resource?: string | undefined;
  name?: string | undefined;
  namespace?: string | undefined;
  path?: string | undefined;
}

/** The request that a question is about; undefined when it names neither a resource nor a path, or both. */
export function requestOf({ verb, resource, name, namespace, path }: AskedRight): AccessRequest | undefined {
  if ((resource === undefined) === (path === undefined)) return undefined;
  if (path !== undefined) return { verb, path };
  const [grouped = '', subresource] = (resource ?? '').split('/');
  const [plural = '', ...group] = grouped.split('.');
  return { verb, group: group.join('.'), resource: plural, subresource, name, namespace };
}
