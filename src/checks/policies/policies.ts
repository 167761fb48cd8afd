import type { KubeObject } from '../../crd/kubernetes.ts';
import type { LabelSelector } from '../../crd/selector.ts';
import type { CheckTexts } from '../check.ts';
import { type Expression, type PolicyOptions, variablesOf } from './cel.ts';
import { BINDING_EXPRESSIONS, OBJECT_EXPRESSIONS, ROLE_EXPRESSIONS } from './objects.ts';
import { POD_SECURITY_EXPRESSIONS } from './pod-security.ts';
import { WORKLOAD_EXPRESSIONS } from './workloads.ts';

// The checks as ValidatingAdmissionPolicies, which the API server evaluates itself, without a webhook.

/** The first version that serves `admissionregistration.k8s.io/v1` policies. */
export const POLICIES_SINCE = 30;
const API_VERSION = 'admissionregistration.k8s.io/v1';
/** The label with the id of the check. */
export const CHECK_LABEL = 'podmend.dev/check';
/** Namespaces of the cluster's own components. A policy that refuses their pods would break the cluster. */
const SYSTEM_NAMESPACES = ['kube-system', 'kube-public', 'kube-node-lease'];

/** Which objects a policy examines, and when. */
interface Scope {
  resourceRules: { apiGroups: string[]; apiVersions: string[]; operations: string[]; resources: string[] }[];
  matchConditions: { name: string; expression: string }[];
}

const rule = (group: string, ...resources: string[]) => ({
  apiGroups: [group],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE'],
  resources,
});
const RBAC = 'rbac.authorization.k8s.io';

/** Allows changes of existing objects that do not touch the fields of the check, so that they can still be scaled, labelled and deleted. */
const changed = (...fields: string[]): Scope['matchConditions'] => [
  {
    name: 'created-or-changed',
    expression: [
      "request.operation == 'CREATE'",
      ...fields.map((field) => `dyn(object).?${field}.orValue(null) != dyn(oldObject).?${field}.orValue(null)`),
    ].join(' || '),
  },
];

/** Excludes roles that the API server writes when it starts, and aggregated roles, which a controller writes. */
const BY_PEOPLE = {
  name: 'not-by-the-cluster-itself',
  expression:
    "!(request.userInfo.username in ['system:apiserver', 'system:serviceaccount:kube-system:clusterrole-aggregation-controller'])",
};

const WORKLOADS: Scope = {
  resourceRules: [
    rule('', 'pods', 'pods/ephemeralcontainers', 'replicationcontrollers'),
    rule('apps', 'deployments', 'statefulsets', 'daemonsets', 'replicasets'),
    rule('batch', 'jobs', 'cronjobs'),
  ],
  matchConditions: [
    {
      name: 'created-or-changed',
      expression:
        "request.operation == 'CREATE' || (object.kind == 'Pod' ? dyn(object).spec != dyn(oldObject).spec : " +
        "object.kind == 'CronJob' ? dyn(object).spec.jobTemplate != dyn(oldObject).spec.jobTemplate : " +
        'dyn(object).spec.template != dyn(oldObject).spec.template)',
    },
  ],
};
const SERVICES: Scope = { resourceRules: [rule('', 'services')], matchConditions: changed('spec') };
const ROLES: Scope = { resourceRules: [rule(RBAC, 'roles', 'clusterroles')], matchConditions: [...changed('rules'), BY_PEOPLE] };
const BINDINGS: Scope = {
  resourceRules: [rule(RBAC, 'rolebindings', 'clusterrolebindings')],
  matchConditions: [...changed('subjects'), BY_PEOPLE],
};

const SCOPES: [Record<string, Expression>, Scope][] = [
  [POD_SECURITY_EXPRESSIONS, WORKLOADS],
  [WORKLOAD_EXPRESSIONS, WORKLOADS],
  [OBJECT_EXPRESSIONS, SERVICES],
  [ROLE_EXPRESSIONS, ROLES],
  [BINDING_EXPRESSIONS, BINDINGS],
];

/** A policy and its binding. */
export interface Policy {
  policy: KubeObject & { spec: PolicySpec };
  binding: KubeObject & { spec: { policyName: string; validationActions: string[]; matchResources: { namespaceSelector: LabelSelector } } };
}

/** The spec of a policy. */
export interface PolicySpec {
  failurePolicy: string;
  matchConstraints: Pick<Scope, 'resourceRules'>;
  matchConditions: Scope['matchConditions'];
  variables: { name: string; expression: string }[];
  validations: { expression: string; message: string; reason: string }[];
}

/** The check as a policy with its binding; or the reason why there is none. */
export function policyOf(check: CheckTexts, options: PolicyOptions): Policy | { none: string } {
  const why = reasonAgainst(check, options);
  if (why !== undefined) return { none: why };
  const [expressions, scope] = SCOPES.find(([some]) => Object.hasOwn(some, check.id)) as (typeof SCOPES)[number];
  const expression = (expressions[check.id] as Exclude<Expression, { none: string }>)(options);
  const name = `podmend-${check.id}`;
  const metadata = { name, labels: { 'app.kubernetes.io/name': 'podmend', [CHECK_LABEL]: check.id } };
  return {
    policy: {
      apiVersion: API_VERSION,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { resourceRules: scope.resourceRules },
        matchConditions: scope.matchConditions,
        variables: variablesOf(expression),
        validations: [{ expression, message: `${check.title} (check ${check.id}). ${check.remediation}`, reason: 'Forbidden' }],
      },
    },
    binding: {
      apiVersion: API_VERSION,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: {
        policyName: name,
        validationActions: ['Deny'],
        matchResources: {
          namespaceSelector: {
            matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: SYSTEM_NAMESPACES }],
          },
        },
      },
    },
  };
}

function reasonAgainst({ id, ...check }: CheckTexts, { minor, trustedRegistries }: PolicyOptions): string | undefined {
  const since = 'control' in check ? (check.control as { since: number }).since : 0;
  if (since > minor) return `Pod Security has this control from v1.${since} on`;
  if (id === 'untrusted-registry' && trustedRegistries.length === 0) return 'no trusted registry is named (--trusted-registry)';
  const expression = SCOPES.flatMap(([some]) => (Object.hasOwn(some, id) ? [some[id]] : []))[0];
  if (expression === undefined) return 'it depends on other objects, which a policy cannot read';
  return 'none' in expression ? expression.none : undefined;
}

/** The policies of those checks that can have one, and the reason for each of the others. */
export function policiesOf(
  checks: readonly CheckTexts[],
  options: PolicyOptions,
): { policies: Policy[]; without: { id: string; why: string }[] } {
  const made = checks.map((check) => ({ id: check.id, policy: policyOf(check, options) }));
  return {
    policies: made.flatMap(({ policy }) => ('none' in policy ? [] : [policy])),
    without: made.flatMap(({ id, policy }) => ('none' in policy ? [{ id, why: policy.none }] : [])),
  };
}
