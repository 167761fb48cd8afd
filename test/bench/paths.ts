import type { PolicyRule, RbacSubject } from '../../src/access/objects.ts';
import { escalations } from '../../src/access/paths/paths.ts';
import { worldOf } from '../../src/access/paths/world.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { type Random, random } from '../support/builders/random.ts';
import { equalRoles, leadingRoles } from '../support/builders/leading-roles.ts';
import { type Bench, spread, table } from './bench.ts';

export const name = 'paths';

const SEED = 20_261_123;
const TIMES = 5;
const NAMESPACES = Array.from({ length: 100 }, (_, index) => `ns-${index}`);
const RESOURCES = [
  'pods',
  'pods/exec',
  'secrets',
  'configmaps',
  'deployments',
  'services',
  'serviceaccounts/token',
  'roles',
  'rolebindings',
  'nodes',
];
const GROUPS = ['', 'apps', 'rbac.authorization.k8s.io'];
/** One rule in ten allows writes. One in a hundred allows bind, escalate or impersonate. */
const READS = ['get', 'list', 'watch'];
const WRITES = ['create', 'update', 'patch', 'delete'];
const POWERS = ['bind', 'escalate', 'impersonate'];
const SIZES: [roles: number, bindings: number, subjects: number][] = [
  [100, 200, 1_000],
  [1_000, 2_000, 1_000],
  [1_000, 2_000, 10_000],
];
const LEADING = [40, 80, 160];
const EQUAL = [200, 1_000];

/** CPU time for all escalation paths of generated clusters, with the cut. Other work on the machine has little effect on CPU time. */
export async function run(out: Parameters<Bench['run']>[0]): Promise<void> {
  out(`Milliseconds of processor for all paths and the cut, median (lowest..highest) of ${TIMES}, seed ${SEED}.\n`);
  const rows = SIZES.map(([roles, bindings, subjects]) => {
    const { found, spent } = measure(cluster({ roles, bindings, subjects }, random(SEED)));
    return [roles, bindings, subjects, found, spread(spent)].map(String);
  });
  const leading = LEADING.map((count) => {
    const { found, spent } = measure(leadingRoles(count));
    return [`${count}, each leads to the next`, count, count, found, spread(spent)].map(String);
  });
  const equal = EQUAL.map((count) => {
    const { found, spent } = measure(equalRoles(count));
    return [`${count}, each binds and rewrites all`, count, count, found, spread(spent)].map(String);
  });
  out(table(['roles', 'bindings', 'subjects', 'paths', 'ms'], [...rows, ...leading, ...equal]));
}

function measure(objects: KubeObject[]): { found: number; spent: number[] } {
  const world = worldOf(objects, true);
  let found = 0;
  const spent = Array.from({ length: TIMES }, () => {
    const begun = process.cpuUsage();
    found = escalations(world).paths.length;
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  });
  return { found, spent };
}

function aRule(dice: Random): PolicyRule {
  const verb = dice.pick(dice.chance(0.01) ? POWERS : dice.chance(0.1) ? WRITES : READS);
  return { verbs: [verb, 'get'], apiGroups: [dice.pick(GROUPS)], resources: [dice.pick(RESOURCES), dice.pick(RESOURCES)] };
}

function cluster(count: { roles: number; bindings: number; subjects: number }, dice: Random): KubeObject[] {
  const of = (kind: string, name: string, namespace: string | undefined, more: object): KubeObject =>
    ({ kind, metadata: { name, ...(namespace ? { namespace } : {}) }, ...more }) as KubeObject;
  const rules = (): PolicyRule[] => Array.from({ length: 1 + dice.integer(4) }, () => aRule(dice));
  const half = Math.ceil(count.roles / 2);
  const clusterRoles = Array.from({ length: half }, (_, index) => of('ClusterRole', `cluster-${index}`, undefined, { rules: rules() }));
  const roles = Array.from({ length: half }, (_, index) => of('Role', `role-${index}`, dice.pick(NAMESPACES), { rules: rules() }));
  const account = (): RbacSubject => ({
    kind: 'ServiceAccount',
    namespace: dice.pick(NAMESPACES),
    name: `account-${dice.integer(count.subjects / 200)}`,
  });
  const person = (): RbacSubject => ({ kind: 'User', name: `user-${dice.integer(count.subjects / 2)}` });
  const subjects = (): RbacSubject[] => Array.from({ length: 1 + dice.integer(9) }, () => (dice.chance(0.5) ? account() : person()));
  const bindings = Array.from({ length: count.bindings }, (_, index) => {
    const isCluster = dice.chance(0.1);
    const role = isCluster || dice.chance(0.5) ? dice.pick(clusterRoles) : dice.pick(roles);
    const place = isCluster ? undefined : (role.metadata.namespace ?? dice.pick(NAMESPACES));
    const roleRef = { kind: role.kind, name: role.metadata.name };
    return of(isCluster ? 'ClusterRoleBinding' : 'RoleBinding', `binding-${index}`, place, { roleRef, subjects: subjects() });
  });
  const everything = { rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] };
  return [
    of('Node', 'node-1', undefined, {}),
    of('ClusterRole', 'cluster-admin', undefined, everything),
    of('ClusterRoleBinding', 'admins', undefined, {
      roleRef: { kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'ns-0', name: 'account-0' }],
    }),
    ...NAMESPACES.flatMap((namespace) => [
      of('Namespace', namespace, undefined, {}),
      ...Array.from({ length: count.subjects / 200 }, (_, index) => of('ServiceAccount', `account-${index}`, namespace, {})),
    ]),
    ...clusterRoles,
    ...roles,
    ...bindings,
  ];
}
