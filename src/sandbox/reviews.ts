import type { Kind } from './kinds.ts';
import { apiVersionOf } from './kinds.ts';
import type { Loose } from './object.ts';

const USER = { username: 'sandbox', uid: '', groups: ['system:masters', 'system:authenticated'] };

/** Answers the review kinds: in the sandbox everybody is the administrator, and any token is the administrator's. */
export function review(kind: Kind, namespace: string | undefined, body: Loose): Loose {
  const base = { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata: { ...(namespace && { namespace }) }, spec: body?.spec ?? {} };
  switch (kind.kind) {
    case 'TokenReview':
      return { ...base, status: body?.spec?.token ? { authenticated: true, user: USER } : { authenticated: false } };
    case 'SelfSubjectReview':
      return { ...base, status: { userInfo: USER } };
    case 'SelfSubjectRulesReview':
      return {
        ...base,
        status: {
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
          incomplete: false,
        },
      };
    default:
      return { ...base, status: { allowed: true } };
  }
}
