import type { FieldError } from './errors.ts';
import { badRequest, invalid, invalidValue } from './errors.ts';
import type { Kind } from '../kinds/kinds.ts';
import { apiVersionOf } from '../kinds/kinds.ts';
import type { Loose } from '../store/object.ts';

const USER = { username: 'sandbox', uid: '', groups: ['system:masters', 'system:authenticated'] };

function accessFault(kind: Kind, { user, groups, resourceAttributes, nonResourceAttributes }: Loose): FieldError | undefined {
  if (Boolean(resourceAttributes) === Boolean(nonResourceAttributes))
    return invalidValue('spec.resourceAttributes', null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified');
  if (kind.kind === 'SelfSubjectAccessReview' || user || groups?.length) return undefined;
  return invalidValue('spec.user', '', 'at least one of user or group must be specified');
}

/** Answers the review kinds. In the sandbox everybody is the administrator, and any token is the administrator's. */
export function review(kind: Kind, namespace: string | undefined, body: Loose): Loose {
  const base = { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata: { ...(namespace && { namespace }) }, spec: body?.spec ?? {} };
  // A protobuf body is not read. The answer is always yes.
  const fault = body && kind.kind.endsWith('AccessReview') ? accessFault(kind, base.spec) : undefined;
  if (fault) throw invalid({ group: kind.group, plural: '', kind: '' }, undefined, [fault]);
  switch (kind.kind) {
    case 'TokenReview':
      if (body && !base.spec.token) throw badRequest('token is required for TokenReview in authentication');
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
