import type { Use } from './usage.ts';

/** The part of an audit event that is used: the requests that were allowed, and when. */
export interface AuditUse {
  uses: Use[];
  at: Date | undefined;
}

interface Identity {
  username?: unknown;
  groups?: unknown;
}

interface Event {
  kind?: unknown;
  verb?: unknown;
  requestURI?: unknown;
  user?: Identity;
  impersonatedUser?: Identity;
  objectRef?: Partial<Record<'apiGroup' | 'resource' | 'subresource' | 'namespace' | 'name', unknown>>;
  annotations?: Record<string, unknown>;
  requestReceivedTimestamp?: unknown;
}

/**
 * Reads an event of `audit.k8s.io`; undefined for anything else. Impersonation uses two rights: the real user's right to impersonate, and
 * the impersonated user's right to the request. Forbidden requests use nothing.
 */
export function auditUse(value: unknown): AuditUse | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const event = value as Event;
  if (event.kind !== 'Event' || typeof event.verb !== 'string' || typeof event.user?.username !== 'string') return undefined;
  const at = new Date(String(event.requestReceivedTimestamp));
  const when = Number.isNaN(at.getTime()) ? undefined : at;
  if (event.annotations?.['authorization.k8s.io/decision'] === 'forbid') return { uses: [], at: when };
  const actor = event.impersonatedUser ?? event.user;
  const request: Use = { who: requester(actor), request: requestOf(event, event.verb) };
  const impersonation: Use[] = event.impersonatedUser
    ? [{ who: requester(event.user), request: impersonationOf(text(event.impersonatedUser.username)) }]
    : [];
  return { uses: [...impersonation, request], at: when };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function requester({ username, groups }: Identity): Use['who'] {
  return { user: text(username), groups: Array.isArray(groups) ? groups.filter((one) => typeof one === 'string') : [] };
}

function requestOf({ objectRef, requestURI }: Event, verb: string): Use['request'] {
  if (!objectRef || text(objectRef.resource) === '') return { verb, path: text(requestURI).split('?', 1)[0] as string };
  const { apiGroup, resource, subresource, namespace, name } = objectRef;
  return {
    verb,
    group: text(apiGroup),
    resource: text(resource),
    subresource: text(subresource) || undefined,
    namespace: text(namespace) || undefined,
    name: text(name) || undefined,
  };
}

function impersonationOf(user: string): Use['request'] {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  if (namespace && name) return { verb: 'impersonate', group: '', resource: 'serviceaccounts', namespace, name };
  return { verb: 'impersonate', group: '', resource: 'users', name: user };
}
