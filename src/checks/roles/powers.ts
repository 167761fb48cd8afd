import type { PolicyRule, RbacRole } from '../../access/objects.ts';
import { listOf, type ResourceRequest, ruleAllows } from '../../access/rules.ts';
import type { Severity } from '../../contract/finding.ts';
import type { KubeObject } from '../../crd/kubernetes.ts';
import type { Cure, ObjectCheck, Violation } from '../check.ts';
import { indexed } from '../containers.ts';
import { isShipped } from './shipped.ts';

// Rights that lead to more rights (Kubernetes, "Role Based Access Control Good Practices"). Some rights only have an effect together, as in
// the API server: `bind` needs the right to write a binding, and `escalate` the right to write a role.

const GOOD_PRACTICES = 'https://kubernetes.io/docs/concepts/security/rbac-good-practices/';
const RBAC = 'rbac.authorization.k8s.io';
const CERTIFICATES = 'certificates.k8s.io';
const WEBHOOKS = 'admissionregistration.k8s.io';
const READ = ['get', 'list', 'watch'];
const CHANGE = ['update', 'patch'];
const WRITE = ['create', ...CHANGE];

/** One of the verbs on one of the resources (`<resource>/<subresource>`). */
export interface Right {
  group?: string;
  resources: string[];
  verbs: string[];
  /** Whether a rule with resource names counts too. */
  named?: boolean;
}

export interface Power {
  id: string;
  title: string;
  severity: Severity;
  rationale: string;
  remediation: string;
  /** The control that names this right, or the section about RBAC. */
  cis: string;
  mitre: string[];
  /** A role needs all of these rights. The message names the first. */
  rights: [Right, ...Right[]];
  /** The rest of the sentence about the rule. */
  problem: string;
}

/** The powers that one role gives. */
export const POWERS: readonly Power[] = [
  {
    id: 'role-secrets',
    title: 'Role reads all Secrets',
    severity: 'high',
    rationale: 'Among Secrets are tokens of accounts and passwords of everything that runs there; list and watch show their contents too.',
    remediation: 'Name the Secrets that are needed in `resourceNames` with the verb get alone, or mount them.',
    cis: '5.1.2',
    mitre: ['T1552.007'],
    rights: [{ resources: ['secrets'], verbs: READ }],
    problem: 'reads all Secrets',
  },
  {
    id: 'role-exec',
    title: 'Role runs commands in pods',
    severity: 'high',
    rationale: 'Who runs a command in a pod has its files, its network and the token of its account.',
    remediation: 'Remove `pods/exec` and `pods/attach`, or grant them for the time of a repair alone.',
    cis: '5.1',
    mitre: ['T1609'],
    rights: [{ resources: ['pods/exec', 'pods/attach'], verbs: ['create'], named: true }],
    problem: 'runs commands in pods',
  },
  {
    id: 'role-ephemeral-containers',
    title: 'Role adds containers to running pods',
    severity: 'high',
    rationale: 'An added container shares the network of the pod, and can mount its volumes with the token of its account.',
    remediation: 'Remove `pods/ephemeralcontainers`, or grant it for the time of a repair alone.',
    cis: '5.1',
    mitre: ['T1609'],
    rights: [{ resources: ['pods/ephemeralcontainers'], verbs: CHANGE, named: true }],
    problem: 'adds containers to running pods',
  },
  {
    id: 'role-port-forward',
    title: 'Role forwards ports of pods',
    severity: 'medium',
    rationale: 'It reaches what listens inside pods, past NetworkPolicies and past what guards the Service.',
    remediation: 'Remove `pods/portforward`, or grant it for the time of a repair alone.',
    cis: '5.1',
    mitre: ['T1210'],
    rights: [{ resources: ['pods/portforward'], verbs: ['create', 'get'], named: true }],
    problem: 'forwards ports of pods',
  },
  {
    id: 'role-node-proxy',
    title: 'Role speaks to kubelets',
    severity: 'high',
    rationale: 'The interface of the kubelet runs commands in every pod of the node; the API server checks and records none of it.',
    remediation: 'Remove `nodes/proxy`; for metrics grant `nodes/metrics`.',
    cis: '5.1.10',
    mitre: ['T1609'],
    rights: [{ resources: ['nodes/proxy'], verbs: ['get', 'create'], named: true }],
    problem: 'speaks to kubelets',
  },
  {
    id: 'role-tokens',
    title: 'Role makes tokens of accounts',
    severity: 'high',
    rationale: 'A token of an account is the account: whoever makes one may do whatever the account may.',
    remediation: 'Remove `serviceaccounts/token`, or name the account in `resourceNames`.',
    cis: '5.1.13',
    mitre: ['T1528'],
    rights: [{ resources: ['serviceaccounts/token'], verbs: ['create'] }],
    problem: 'makes tokens of all accounts',
  },
  {
    id: 'role-escalate',
    title: 'Role writes rules that nobody checks',
    severity: 'critical',
    rationale: 'The verb escalate takes away the check that nobody grants more than they have: the role can be made everything.',
    remediation: 'Remove the verb escalate.',
    cis: '5.1.8',
    mitre: ['T1098.006'],
    rights: [
      { group: RBAC, resources: ['clusterroles', 'roles'], verbs: ['escalate'], named: true },
      { group: RBAC, resources: ['clusterroles', 'roles'], verbs: WRITE, named: true },
    ],
    problem: 'writes any rule into roles',
  },
  {
    id: 'role-bind',
    title: 'Role binds roles that it does not hold',
    severity: 'critical',
    rationale: 'The verb bind takes away the check that nobody grants more than they have: any role can be bound to anybody.',
    remediation: 'Name the roles that may be bound in `resourceNames`.',
    cis: '5.1.8',
    mitre: ['T1098.006'],
    rights: [
      { group: RBAC, resources: ['clusterroles', 'roles'], verbs: ['bind'] },
      { group: RBAC, resources: ['clusterrolebindings', 'rolebindings'], verbs: WRITE, named: true },
    ],
    problem: 'binds any role',
  },
  {
    id: 'role-impersonate',
    title: 'Role takes other identities',
    severity: 'critical',
    rationale: 'Who impersonates any user or account may do whatever any of them may.',
    remediation: 'Name the users or accounts in `resourceNames`.',
    cis: '5.1.8',
    mitre: ['T1078'],
    rights: [{ resources: ['users', 'serviceaccounts'], verbs: ['impersonate'] }],
    problem: 'takes any identity',
  },
  {
    id: 'role-certificates',
    title: 'Role approves certificates',
    severity: 'high',
    rationale: 'Who approves its own request is signed a certificate of any user, except of the group system:masters.',
    remediation: 'Remove the approval, or the verb approve on the signer of clients.',
    cis: '5.1.11',
    mitre: ['T1098'],
    rights: [
      { group: CERTIFICATES, resources: ['certificatesigningrequests/approval'], verbs: CHANGE, named: true },
      { group: CERTIFICATES, resources: ['signers'], verbs: ['approve'], named: true },
    ],
    problem: 'approves certificates',
  },
  {
    id: 'role-webhooks',
    title: 'Role registers admission webhooks',
    severity: 'high',
    rationale: 'A webhook is sent every object that is written, Secrets too; a mutating one changes them.',
    remediation: 'Remove the verbs create, update and patch.',
    cis: '5.1.12',
    mitre: ['T1557'],
    rights: [{ group: WEBHOOKS, resources: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'], verbs: WRITE }],
    problem: 'registers admission webhooks',
  },
  {
    id: 'role-volumes',
    title: 'Role makes volumes of node folders',
    severity: 'medium',
    rationale: 'A PersistentVolume can be any folder of a node, and Pod Security does not look at it.',
    remediation: 'Remove the verb create, and let a StorageClass make volumes.',
    cis: '5.1.9',
    mitre: ['T1611'],
    rights: [{ resources: ['persistentvolumes'], verbs: ['create'] }],
    problem: 'makes volumes of node folders',
  },
];

/** One check for each power, for Roles and ClusterRoles. The API server's own roles are skipped, because nobody chose them. */
export const ROLE_POWERS: readonly ObjectCheck[] = POWERS.map(({ rights, problem, cis, mitre, ...texts }) => ({
  ...texts,
  references: [GOOD_PRACTICES],
  frameworks: { nsa: ['Authentication and authorization'], cis: [cis], mitre },
  kinds: ['Role', 'ClusterRole'],
  look: (role) => powerIn(role, rights, problem),
}));

/** A rule that allows everything. The other checks of roles do not repeat this. */
export const roleEverything: ObjectCheck = {
  id: 'role-everything',
  title: 'Role allows everything',
  severity: 'critical',
  rationale: 'It allows what nobody thought of too, and what later versions and custom resources bring.',
  remediation: 'Name the API groups, resources and verbs that are needed; the audit log says which were used.',
  references: [GOOD_PRACTICES],
  frameworks: { nsa: ['Authentication and authorization'], cis: ['5.1.3'], mitre: ['T1098.006'] },
  kinds: ['Role', 'ClusterRole'],
  look: (role) =>
    rulesOf(role).flatMap(([rule, index]) =>
      isEverything(rule) ? [{ path: `rules[${index}]`, about: `Rule ${index + 1}`, problem: 'allows everything', cures: [] }] : [],
    ),
};

export const roleWildcard: ObjectCheck = {
  id: 'role-wildcard',
  title: 'Role with a wildcard',
  severity: 'medium',
  rationale: 'A star allows subresources and verbs that nobody thought of, such as exec, escalate and impersonate.',
  remediation: 'Name the resources and verbs that are needed.',
  references: [GOOD_PRACTICES],
  frameworks: { nsa: ['Authentication and authorization'], cis: ['5.1.3'] },
  kinds: ['Role', 'ClusterRole'],
  look: (role) =>
    rulesOf(role).flatMap(([rule, index]) => {
      if (isEverything(rule)) return [];
      return (['resources', 'verbs'] as const).flatMap((field) =>
        listOf(rule[field]).includes('*')
          ? [{ path: `rules[${index}].${field}`, about: `Rule ${index + 1}`, problem: `allows all ${field}`, cures: [] }]
          : [],
      );
    }),
};

/** The rules of a role with their index; none for the roles that Kubernetes ships. */
function rulesOf(object: KubeObject): [rule: PolicyRule, index: number][] {
  if (isShipped(object)) return [];
  return indexed((object as RbacRole).rules ?? undefined);
}

function isEverything(rule: PolicyRule): boolean {
  return (
    [rule.verbs, rule.apiGroups, rule.resources].every((list) => listOf(list).includes('*')) && listOf(rule.resourceNames).length === 0
  );
}

function powerIn(role: KubeObject, [first, ...others]: [Right, ...Right[]], problem: string): Violation[] {
  const rules = rulesOf(role).filter(([rule]) => !isEverything(rule));
  if (!others.every((right) => rules.some(([rule]) => grants(rule, right)))) return [];
  return rules.flatMap(([rule, index]) =>
    grants(rule, first)
      ? [{ path: `rules[${index}]`, about: `Rule ${index + 1}`, problem, cures: curesOf(rule, first, `rules[${index}]`) }]
      : [],
  );
}

function grants(rule: PolicyRule, right: Right): boolean {
  return right.resources.some((resource) => right.verbs.some((verb) => allows(rule, right, resource, verb)));
}

function allows(rule: PolicyRule, { group = '', named }: Right, text: string, verb: string): boolean {
  const [resource = '', subresource] = text.split('/');
  const names = listOf(rule.resourceNames);
  const request: ResourceRequest = { verb, group, resource, subresource, name: named ? names[0] : undefined };
  return ruleAllows(rule, request);
}

/** Removes the resource from a rule that has other resources, otherwise the verbs; nothing if a star stands for them. */
function curesOf(rule: PolicyRule, right: Right, path: string): Cure[] {
  const [resources, verbs] = [listOf(rule.resources), listOf(rule.verbs)];
  const otherResources = resources.filter((one) => !right.resources.includes(one));
  const otherVerbs = verbs.filter((one) => !right.verbs.includes(one));
  const without = (field: 'resources' | 'verbs', to: string[]): Cure[] | undefined =>
    to.length > 0 && !grants({ ...rule, [field]: to }, right) ? [{ path: `${path}.${field}`, to }] : undefined;
  return without('resources', otherResources) ?? without('verbs', otherVerbs) ?? [];
}
