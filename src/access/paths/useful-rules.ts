import type { PolicyRule } from '../objects.ts';
import { listOf } from '../rules.ts';

/** The API group of roles and bindings. */
export const RBAC = 'rbac.authorization.k8s.io';

/** What changes an object. */
export const CHANGE = ['update', 'patch'];
/**
 * The verbs that show an object. The answer to a patch contains the whole object, as does the answer to `deletecollection`, which a rule
 * with names never allows.
 */
export const READ = ['get', 'list', 'watch', 'patch'];

/** What makes pods. */
export const POD_MAKERS = [
  'pods',
  'replicationcontrollers',
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
  'cronjobs.batch',
];

/** The verbs that the moves ask for. All other rights, which are most, lead nowhere. */
export const ASKED_VERBS = new Set([
  '*',
  ...READ,
  ...CHANGE,
  'create',
  'delete',
  'deletecollection',
  'impersonate',
  'bind',
  'escalate',
  'approve',
]);
const READ_RESOURCES = ['secrets', 'nodes/proxy', 'certificatesigningrequests'];
const ASKED_RESOURCES = [
  ...READ_RESOURCES,
  ...POD_MAKERS.map((resource) => resource.split('.')[0] ?? ''),
  ...['pods/exec', 'pods/ephemeralcontainers', 'serviceaccounts', 'serviceaccounts/token', 'persistentvolumes'],
  ...[
    'namespaces',
    'namespaces/status',
    'namespaces/finalize',
    'resourcequotas',
    'resourcequotas/status',
    'roles',
    'clusterroles',
    'rolebindings',
    'clusterrolebindings',
    'users',
    'groups',
  ],
  ...[
    'certificatesigningrequests/approval',
    'certificatesigningrequests/nodeclient',
    'signers',
    'mutatingwebhookconfigurations',
    'validatingwebhookconfigurations',
  ],
];

function touches(rule: PolicyRule, resources: readonly string[]): boolean {
  return listOf(rule.resources).some((one) => one === '*' || one.startsWith('*/') || resources.includes(one));
}

const judged = new WeakMap<PolicyRule, boolean>();

/** Whether a rule can be part of a move at all. */
export function leadsSomewhere(rule: PolicyRule): boolean {
  const known = judged.get(rule) ?? isAsked(rule);
  judged.set(rule, known);
  return known;
}

function isAsked(rule: PolicyRule): boolean {
  const verbs = listOf(rule.verbs).filter((verb) => ASKED_VERBS.has(verb));
  const onlyReads = verbs.every((verb) => verb !== 'patch' && READ.includes(verb));
  return verbs.length > 0 && touches(rule, onlyReads ? READ_RESOURCES : ASKED_RESOURCES);
}

/** Rights that are useful only together with another right: for binding, rewriting, groups, certificates, token Secrets. */
const HALVES: readonly [verbs: string[], resources: string[]][] = [
  [
    ['bind', 'escalate', 'create', ...CHANGE],
    ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'],
  ],
  [['impersonate'], ['users', 'groups', 'serviceaccounts']],
  [['create', 'deletecollection', ...READ], ['secrets']],
  [
    ['create', 'deletecollection', ...READ, ...CHANGE, 'approve'],
    ['certificatesigningrequests', 'certificatesigningrequests/approval', 'certificatesigningrequests/nodeclient', 'signers'],
  ],
];

/** Whether a rule can be one of several rights that a move needs. */
export function isHalf(rule: PolicyRule): boolean {
  const verbs = listOf(rule.verbs);
  return HALVES.some(([wanted, resources]) => touches(rule, resources) && verbs.some((verb) => verb === '*' || wanted.includes(verb)));
}

const ROLE_RESOURCES = new Set(['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings']);

/** Whether a rule is only about roles and bindings. Only moves about roles and bindings ask for it. */
export function isOnlyOfRoles({ resources }: PolicyRule): boolean {
  return listOf(resources).every((one) => ROLE_RESOURCES.has(one));
}

/** Whether a rule only allows creating bindings, with any name. */
export function makesBindings({ verbs, resources, resourceNames }: PolicyRule): boolean {
  return (
    listOf(resourceNames).length === 0 &&
    listOf(verbs).every((verb) => verb === 'create') &&
    listOf(resources).every((one) => one === 'rolebindings' || one === 'clusterrolebindings')
  );
}
