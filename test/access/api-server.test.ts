import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import builtIn from '../../src/access/built-in.json' with { type: 'json' };
import { type PolicyRule, type RbacBinding, type RbacObjects, type RbacRole, type RbacSubject } from '../../src/access/objects.ts';
import { accessIndex } from '../../src/access/rights.ts';
import { type AccessRequest, isPathRequest } from '../../src/access/rules.ts';
import { type Requester, requesterOf } from '../../src/access/subjects.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { type Random, random } from '../support/builders/random.ts';
import { apiServerAssets, startApiServer } from '../support/cluster/api-server.ts';
import { until } from '../support/runner/wait.ts';
import { readShipped } from './shipped.ts';

// Compares our decisions with SubjectAccessReview: for the built-in roles, and for generated roles.

const SEED = 20_261_122;
const COUNTS = { roles: 500, bindings: 120, questions: 1_500 };
const NAMESPACES = ['access-a', 'access-b', 'access-ab'];
const NAMES = ['one', 'two', 'one-two'];
const GROUPS = ['', 'apps', 'batch', 'rbac.authorization.k8s.io'];
const RESOURCES = [
  'pods',
  'pods/log',
  'deployments',
  'deployments/scale',
  '*/scale',
  '*/log',
  'secrets',
  'nodes',
  'clusterroles',
  'jobs',
  '*',
];
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'bind', 'escalate', '*'];
const PATHS = ['/healthz', '/healthz/etcd', '/metrics', '/metrics/x', '/api', '/version', '/readyz/ping'];
const PATTERNS = [...PATHS, '/healthz*', '/metrics/*', '*'];
const PEOPLE = ['ann', 'bob', 'anna', 'system:kube-scheduler', 'system:anonymous', 'system:serviceaccount:access-a:one'];
const TEAMS = ['dev', 'ops', 'system:authenticated', 'system:unauthenticated', 'system:serviceaccounts', 'system:serviceaccounts:access-a'];

const some = <T>(dice: Random, list: readonly T[], most = 3): T[] => [
  ...new Set(Array.from({ length: 1 + dice.integer(most) }, () => dice.pick(list))),
];

function aRule(dice: Random, isCluster: boolean): PolicyRule {
  if (isCluster && dice.chance(0.2)) return { verbs: some(dice, ['get', 'post', '*'], 2), nonResourceURLs: some(dice, PATTERNS) };
  return {
    verbs: some(dice, VERBS),
    apiGroups: some(dice, [...GROUPS, '*'], 2),
    resources: some(dice, RESOURCES),
    ...(dice.chance(0.3) ? { resourceNames: some(dice, NAMES, 2) } : {}),
  };
}

function aSubject(dice: Random): RbacSubject {
  const kind = dice.pick(['User', 'Group', 'ServiceAccount'] as const);
  if (kind === 'ServiceAccount') return { kind, name: dice.pick(NAMES), namespace: dice.pick(NAMESPACES) };
  return { kind, name: dice.pick(kind === 'User' ? PEOPLE : TEAMS), apiGroup: 'rbac.authorization.k8s.io' };
}

function aRequest(dice: Random): AccessRequest {
  if (dice.chance(0.15)) return { verb: dice.pick(['get', 'post', 'put']), path: dice.pick(PATHS) };
  const [resource = '', subresource] = dice.pick(RESOURCES.filter((one) => !one.startsWith('*'))).split('/');
  return {
    verb: dice.pick(VERBS),
    group: dice.pick(GROUPS),
    resource,
    subresource,
    name: dice.chance(0.5) ? dice.pick(NAMES) : undefined,
    namespace: dice.chance(0.8) ? dice.pick(NAMESPACES) : undefined,
  };
}

/** Generates roles and bindings. Some bindings name a role that does not exist, or that exists only in another namespace. */
function generate(dice: Random): RbacObjects {
  const objects: RbacObjects = { clusterRoles: [], roles: [], clusterRoleBindings: [], roleBindings: [] };
  for (let number = 0; number < COUNTS.roles; number++) {
    const isCluster = dice.chance(0.5);
    const rules = Array.from({ length: 1 + dice.integer(3) }, () => aRule(dice, isCluster));
    // Only eight names, so that several namespaces have a role of the same name.
    const metadata = isCluster ? { name: `access-${number}` } : { name: `access-${number % 8}`, namespace: dice.pick(NAMESPACES) };
    const isTaken = objects.roles.some((one) => one.metadata.name === metadata.name && one.metadata.namespace === metadata.namespace);
    if (isCluster) objects.clusterRoles.push({ metadata, rules });
    else if (!isTaken) objects.roles.push({ metadata, rules });
  }
  const builtin = ['view', 'edit', 'cluster-admin', 'system:discovery', 'system:node', 'not-there'];
  const clusterRoles = [...objects.clusterRoles.map(({ metadata }) => metadata.name ?? ''), ...builtin];
  for (let number = 0; number < COUNTS.bindings; number++) {
    const isCluster = dice.chance(0.3);
    const kind = isCluster || dice.chance(0.4) ? 'ClusterRole' : 'Role';
    const roleRef = {
      kind,
      name: kind === 'ClusterRole' ? dice.pick(clusterRoles) : `access-${dice.integer(10)}`,
      apiGroup: 'rbac.authorization.k8s.io',
    };
    const subjects = some(dice, [0, 1, 2]).map(() => aSubject(dice));
    const name = `access-${number}`;
    if (isCluster) objects.clusterRoleBindings.push({ metadata: { name }, roleRef, subjects });
    else objects.roleBindings.push({ metadata: { name, namespace: dice.pick(NAMESPACES) }, roleRef, subjects });
  }
  return objects;
}

async function inTurn<T, R>(list: readonly T[], work: (one: T) => Promise<R>, atOnce = 8): Promise<R[]> {
  const answers: R[] = [];
  for (let start = 0; start < list.length; start += atOnce)
    answers.push(...(await Promise.all(list.slice(start, start + atOnce).map(work))));
  return answers;
}

async function review(client: KubeClient, { user, groups }: Requester, request: AccessRequest): Promise<boolean> {
  const asked = isPathRequest(request)
    ? { nonResourceAttributes: { verb: request.verb, path: request.path } }
    : { resourceAttributes: { ...request, version: 'v1' } };
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec: { user, groups, ...asked } };
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  return (await client.post<{ status: { allowed: boolean } }>(path, body)).status.allowed;
}

const LISTS = {
  clusterRoles: KINDS.clusterRole,
  roles: KINDS.role,
  clusterRoleBindings: KINDS.clusterRoleBinding,
  roleBindings: KINDS.roleBinding,
};

async function readAll(client: KubeClient): Promise<RbacObjects> {
  const [clusterRoles, roles, clusterRoleBindings, roleBindings] = await Promise.all([
    client.list<RbacRole>(LISTS.clusterRoles),
    client.list<RbacRole>(LISTS.roles),
    client.list<RbacBinding>(LISTS.clusterRoleBindings),
    client.list<RbacBinding>(LISTS.roleBindings),
  ]);
  return { clusterRoles, roles, clusterRoleBindings, roleBindings };
}

if (!apiServerAssets()) {
  console.log('SKIP access rights against SubjectAccessReview: KUBEBUILDER_ASSETS is not set');
} else {
  const test = suite('our decisions compared with SubjectAccessReview');
  let server: Awaited<ReturnType<typeof startApiServer>>;
  let client: KubeClient;
  test.before(async () => {
    server = await startApiServer();
    client = connect({ kubeconfigText: server.kubeconfigText, silenceMs: 30_000 });
  });
  test.after(async () => {
    client?.close();
    await server?.close();
  });

  test('the roles and bindings that complete files are those of a new API server', async () => {
    const shipped = await readShipped(client);
    // Aggregated roles stay empty here, because no controller runs.
    const built = shipped.map((object) => ('aggregationRule' in object ? { ...object, rules: [] } : object));
    assert.equal(builtIn, built);
  });

  test(`agree in ${COUNTS.questions} questions about built-in and generated roles (seed ${SEED})`, async () => {
    const dice = random(SEED);
    const made = generate(dice);
    await inTurn(NAMESPACES, (name) => client.create(KINDS.namespace, { metadata: { name } }));
    for (const list of ['clusterRoles', 'roles', 'clusterRoleBindings', 'roleBindings'] as const)
      await inTurn<KubeObject, KubeObject>(made[list], (object) => client.create(LISTS[list], object));
    // The authorizer learns of changes through watches, one for each of the four kinds.
    // So the test creates a marker of each kind last, and asks nothing until the authorizer has seen all of them.
    const marker: RbacSubject = { kind: 'User', name: 'marker' };
    const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['markers'] }];
    const [namespace = ''] = NAMESPACES;
    for (const kind of ['ClusterRole', 'Role'] as const) {
      const where = kind === 'Role' ? { namespace } : {};
      const [role, binding] = kind === 'Role' ? [KINDS.role, KINDS.roleBinding] : [KINDS.clusterRole, KINDS.clusterRoleBinding];
      await client.create<RbacRole>(role, { metadata: { name: 'marker', ...where }, rules });
      const roleRef = { kind, name: 'marker', apiGroup: 'rbac.authorization.k8s.io' };
      await client.create<RbacBinding>(binding, {
        metadata: { name: 'marker', ...where },
        roleRef,
        subjects: [{ ...marker, name: `marker-${kind}` }],
      });
    }
    const isSeen = async () => {
      const asked = { verb: 'get', group: '', resource: 'markers', namespace };
      const seen = await Promise.all(
        ['Role', 'ClusterRole'].map((kind) => review(client, requesterOf({ kind: 'User', name: `marker-${kind}` }), asked)),
      );
      return seen.every(Boolean);
    };
    await until(isSeen, { timeoutMs: 60_000, everyMs: 50, what: 'the authorizer to know the last bindings' });

    const index = accessIndex(await readAll(client));
    const questions = Array.from({ length: COUNTS.questions }, () => {
      const groups = dice.chance(0.3) ? [dice.pick([...TEAMS, 'system:masters', 'system:nodes'])] : [];
      return { requester: requesterOf(aSubject(dice), groups), request: aRequest(dice) };
    });
    const answers = await inTurn(questions, ({ requester, request }) => review(client, requester, request));
    const differing = questions.flatMap(({ requester, request }, number) => {
      const { allowed } = index.decide(requester, request);
      return allowed === answers[number] ? [] : [{ requester, request, ours: allowed }];
    });
    assert.equal(differing, []);
    const allowed = answers.filter(Boolean).length;
    assert.ok(
      allowed > 100 && allowed < COUNTS.questions - 100,
      `${allowed} of ${COUNTS.questions} were allowed: the questions tell too little`,
    );
  });

  test.run();
}
