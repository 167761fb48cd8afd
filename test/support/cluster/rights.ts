import type { KubeObject } from '../../../src/crd/kubernetes.ts';

/** The smallest right that a role can grant: one verb on one resource, in all namespaces or one, on any object or one. */
export interface Right {
  account: string;
  verb: string;
  /** The resource as kubectl writes it: `deployments.apps`, `pods/log`. */
  resource: string;
  /** Absent: all namespaces, and objects without a namespace. */
  namespace?: string;
  /** Absent: any object. */
  name?: string;
}

/** The fields of a line in the API server's audit log that matter here. */
export interface AuditEvent {
  auditID?: string;
  verb?: string;
  user?: { username?: string };
  objectRef?: { apiGroup?: string; resource?: string; subresource?: string; namespace?: string; name?: string };
  responseStatus?: { code?: number; message?: string };
  annotations?: Record<string, string>;
}

/** What a run has shown about the rights. */
export interface Comparison {
  /** Each right with the number of requests that needed it. Only the narrowest right that covers a request counts. */
  used: { right: Right; requests: number }[];
  /**
   * Requests that were refused for lack of a right, as sentences with their counts. Requests that the rights allow are left out. They came
   * while the roles did not exist, for example during an uninstall.
   */
  refused: Map<string, number>;
}

interface Role extends KubeObject {
  rules: { apiGroups: string[]; resources: string[]; verbs: string[]; resourceNames?: string[] }[];
}

interface Binding extends KubeObject {
  roleRef: { kind: string; name: string };
  subjects: { kind: string; name: string; namespace?: string }[];
}

/** Every right that these roles and bindings grant to ServiceAccounts. Throws for a binding to a missing role. */
export function grantedRights(objects: KubeObject[]): Right[] {
  const bindings = objects.filter((object): object is Binding => /^(Cluster)?RoleBinding$/.test(object.kind ?? ''));
  return bindings.flatMap((binding) => {
    const { namespace } = binding.metadata;
    const role = objects.find((object): object is Role => isRoleOf(binding, object));
    if (!role) throw new Error(`${binding.kind} ${binding.metadata.name}: there is no ${binding.roleRef.kind} ${binding.roleRef.name}`);
    const accounts = binding.subjects.filter(({ kind }) => kind === 'ServiceAccount');
    return accounts.flatMap(({ name }) =>
      rightsOf(role).map((right) => ({ account: name, ...right, ...(namespace ? { namespace } : {}) })),
    );
  });
}

function isRoleOf({ roleRef, metadata }: Binding, object: KubeObject): object is Role {
  const { name, namespace } = object.metadata;
  return object.kind === roleRef.kind && name === roleRef.name && (roleRef.kind === 'ClusterRole' || namespace === metadata.namespace);
}

function rightsOf({ rules }: Role): Pick<Right, 'verb' | 'resource' | 'name'>[] {
  return rules.flatMap(({ apiGroups, resources, verbs, resourceNames }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.flatMap((verb) =>
          (resourceNames ?? [undefined]).map((name) => ({ verb, resource: inGroup(resource, group), ...(name ? { name } : {}) })),
        ),
      ),
    ),
  );
}

/** `replicasets`, `apps` → `replicasets.apps`; `mirrorpods/status`, `podmend.dev` → `mirrorpods.podmend.dev/status`. */
function inGroup(resource: string, group = ''): string {
  const [name = '', subresource] = resource.split('/');
  return name + (group ? `.${group}` : '') + (subresource ? `/${subresource}` : '');
}

/** The rights that the events needed, and the requests that were refused. Events of other accounts do not count. */
export function compareRights(rights: Right[], events: AuditEvent[]): Comparison {
  const requests = new Map(rights.map((right) => [right, 0]));
  const refused = new Map<string, number>();
  for (const asked of events.flatMap(rightsAsked)) {
    const { right } = asked;
    const [narrowest] = rights.filter((granted) => covers(granted, right)).sort((a, b) => width(a) - width(b));
    const sentence = tellRight(right);
    if (asked.isRefused && !narrowest) refused.set(sentence, (refused.get(sentence) ?? 0) + 1);
    if (!asked.isRefused && narrowest) requests.set(narrowest, (requests.get(narrowest) ?? 0) + 1);
  }
  return { used: [...requests].map(([right, count]) => ({ right, requests: count })), refused };
}

/** The rights that a request needed. A patch that created an object (server-side apply) also needed `create`. */
function rightsAsked({ verb = '', user, objectRef, responseStatus, annotations }: AuditEvent): { right: Right; isRefused: boolean }[] {
  const account = /^system:serviceaccount:podmend:(.+)$/.exec(user?.username ?? '')?.[1];
  if (!account || !objectRef?.resource) return [];
  const { apiGroup, resource, subresource, namespace, name } = objectRef;
  const { code, message = '' } = responseStatus ?? {};
  // The annotation covers only the request's own verb. If another right was missing, only the message says so.
  const missing = / cannot (\w+) resource /.exec(code === 403 ? message : '')?.[1];
  const isRefused = annotations?.['authorization.k8s.io/decision'] === 'forbid' || missing !== undefined;
  const verbs = isRefused ? [missing ?? verb] : verb === 'patch' && code === 201 ? ['patch', 'create'] : [verb];
  const asked = { account, resource: inGroup(subresource ? `${resource}/${subresource}` : resource, apiGroup) };
  return verbs.map((one) => ({
    right: { ...asked, verb: one, ...(namespace ? { namespace } : {}), ...(name ? { name } : {}) },
    isRefused,
  }));
}

/**
 * Decides like RBAC. A rule without names covers every object, and a role without a namespace covers every namespace. RBAC does not know
 * the name of a new object (the log adds it later). So a rule with names never allows create.
 */
function covers(granted: Right, asked: Right): boolean {
  return (
    granted.account === asked.account &&
    granted.verb === asked.verb &&
    granted.resource === asked.resource &&
    (granted.namespace === undefined || granted.namespace === asked.namespace) &&
    (granted.name === undefined || (granted.name === asked.name && asked.verb !== 'create'))
  );
}

function width({ namespace, name }: Right): number {
  return (namespace === undefined ? 2 : 0) + (name === undefined ? 1 : 0);
}

/** `podmend-agent: get pods/log` and, where the right is narrower, `"name"` and `in namespace`. */
export function tellRight({ account, verb, resource, namespace, name }: Right): string {
  return `${account}: ${verb} ${resource}${name ? ` "${name}"` : ''}${namespace ? ` in ${namespace}` : ''}`;
}
