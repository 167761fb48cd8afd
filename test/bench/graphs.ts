import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { RbacBinding, RbacRole } from '../../src/access/objects.ts';
import { CLUSTER_PROJECTIONS, PROJECTIONS, type Projection } from '../../src/graphs/project/list.ts';
import { drawRole } from '../../src/graphs/access.ts';
import { fold } from '../../src/graphs/fold.ts';
import { grouped } from '../../src/graphs/groups.ts';
import type { Item } from '../../src/graphs/item.ts';
import { drawNamespace } from '../../src/graphs/namespace.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { graphReader } from '../../src/kube/graph-reader.ts';
import { type Random, random } from '../support/builders/random.ts';
import { MOMENT } from '../support/builders/graph.ts';
import { type Bench, spread, table } from './bench.ts';

export const name = 'graphs';

const SEED = 20_261_123;
const TIMES = 9;
/** Runs before the measurement, so that V8 has compiled the code. */
const WARM = 3;
const PODS_OF_A_WORKLOAD = 25;
const NODES = 50;
const RESOURCES = ['pods', 'pods/exec', 'secrets', 'configmaps', 'deployments', 'services', 'nodes'];
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

/** CPU time for building graphs, size of the answers, and memory that the reader keeps for a large namespace. */
export async function run(out: Parameters<Bench['run']>[0]): Promise<void> {
  out(`Milliseconds of processor, median (lowest..highest) of ${TIMES}, seed ${SEED}. Read means from objects to what is kept of them.\n`);
  const sizes = [1_000, 4_000, 5_000].map((pods) => {
    const objects = aNamespace(pods, random(SEED));
    const items = projected(objects);
    const read = measured(() => projected(objects));
    const whole = measured(() => grouped(drawn(items)));
    const folded = measured(() => JSON.stringify(fold(grouped(drawn(items)))));
    const text = JSON.stringify(fold(grouped(drawn(items))));
    return [pods, objects.length, read, whole, folded, fold(grouped(drawn(items))).nodes.length, mebibytes(text.length)];
  });
  out(table(['pods', 'objects', 'read', 'drawn', 'drawn, folded, as text', 'nodes shown', 'MiB'], sizes));
  const access = rights(1_000, 2_000, random(SEED));
  const role = measured(() => JSON.stringify(drawRole({ name: 'role-0' }, access)));
  out(`\nA role among 1,000 with 2,000 bindings: ${role} ms.`);
  const kept = await keptOf(aNamespace(16_600, random(SEED)));
  out(`\nKept of ${kept.objects} objects of one namespace: ${mebibytes(kept.bytes)} MiB.`);
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(2);

function measured(work: () => unknown): string {
  const spent = Array.from({ length: WARM + TIMES }, () => {
    const begun = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  });
  return spread(spent.slice(WARM));
}

const ALL: Record<string, Projection> = { ...PROJECTIONS, ...CLUSTER_PROJECTIONS };

function projected(objects: readonly KubeObject[]): Item[] {
  return objects.flatMap((object) => ALL[object.kind ?? '']?.(object, MOMENT) ?? []);
}

function drawn(items: readonly Item[]): ReturnType<ReturnType<typeof drawNamespace>['graph']> {
  return drawNamespace({ namespace: 'large', items, known: new Set(Object.keys(ALL)) }).graph();
}

/** Deployments, each with a Service, a ConfigMap and pods on several nodes. One pod in a hundred fails. */
function aNamespace(pods: number, dice: Random): KubeObject[] {
  const workloads = Array.from({ length: Math.ceil(pods / PODS_OF_A_WORKLOAD) }, (_, index) => aWorkload(index, dice)).flat();
  const nodes = Array.from({ length: NODES }, (_, index) => ({
    kind: 'Node',
    metadata: { name: `node-${index}`, uid: `node-${index}` },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  }));
  return [...nodes, ...workloads] as unknown as KubeObject[];
}

function aWorkload(index: number, dice: Random): object[] {
  const app = `app-${index}`;
  const labels = { app, 'app.kubernetes.io/name': app, 'pod-template-hash': '6d4b75cb6d', team: `team-${index % 7}` };
  const of = (kind: string, called: string, more: object, owner?: string) => ({
    kind,
    metadata: {
      name: called,
      namespace: 'large',
      uid: `${kind}-${called}`,
      labels,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(owner
        ? {
            ownerReferences: [
              { apiVersion: 'apps/v1', kind: owner.split('-')[0], name: owner.slice(owner.indexOf('-') + 1), uid: owner, controller: true },
            ],
          }
        : {}),
    },
    ...more,
  });
  const isFailing = dice.chance(0.01);
  const replicas = { replicas: PODS_OF_A_WORKLOAD };
  const status = { ...replicas, readyReplicas: isFailing ? 0 : PODS_OF_A_WORKLOAD };
  const container = {
    name: 'app',
    image: 'registry.example/shop/app:1.4.2',
    envFrom: [{ configMapRef: { name: app } }],
    env: [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'database', key: 'password' } } }],
    resources: { requests: { cpu: '100m', memory: '128Mi' } },
  };
  const names = Array.from({ length: PODS_OF_A_WORKLOAD }, (_, pod) => `${app}-6d4b75cb6d-${pod}`);
  const waiting = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container=app' } };
  const pod = (called: string): object =>
    of(
      'Pod',
      called,
      {
        spec: {
          nodeName: `node-${dice.integer(NODES)}`,
          serviceAccountName: `account-${index % 20}`,
          containers: [container],
          volumes: [{ name: 'settings', configMap: { name: app } }],
        },
        status: {
          phase: 'Running',
          conditions: [{ type: 'Ready', status: isFailing ? 'False' : 'True' }],
          containerStatuses: [
            { name: 'app', ready: !isFailing, restartCount: isFailing ? 12 : 0, state: isFailing ? waiting : { running: {} } },
          ],
        },
      },
      `ReplicaSet-${app}-6d4b75cb6d`,
    );
  return [
    of('Deployment', app, { spec: { ...replicas, selector: { matchLabels: { app } } }, status }),
    of('ReplicaSet', `${app}-6d4b75cb6d`, { spec: replicas, status }, `Deployment-${app}`),
    of('Service', app, { spec: { selector: { app }, ports: [{ name: 'http', port: 80 }] } }),
    of('EndpointSlice', `${app}-x`, {
      metadata: { name: `${app}-x`, namespace: 'large', uid: `slice-${app}`, labels: { 'kubernetes.io/service-name': app } },
      endpoints: names.map((called) => ({
        targetRef: { kind: 'Pod', name: called, namespace: 'large' },
        conditions: { ready: !isFailing },
      })),
    }),
    of('ConfigMap', app, { data: { mode: 'fast' } }),
    ...names.map(pod),
  ];
}

/** RBAC objects. Every twentieth binding is of the role whose graph is built; the others are of any role. */
function rights(roles: number, bindings: number, dice: Random): Parameters<typeof drawRole>[1] {
  const clusterRoles = Array.from({ length: roles }, (_, index): RbacRole => {
    const rules = Array.from({ length: 1 + dice.integer(6) }, () => ({
      apiGroups: [dice.pick(['', 'apps'])],
      resources: [dice.pick(RESOURCES), dice.pick(RESOURCES)],
      verbs: [dice.pick(VERBS), dice.pick(VERBS)],
    }));
    return { kind: 'ClusterRole', metadata: { name: `role-${index}` }, rules };
  });
  const roleBindings = Array.from({ length: bindings }, (_, index): RbacBinding => ({
    kind: 'RoleBinding',
    metadata: { name: `binding-${index}`, namespace: `ns-${index % 100}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `role-${index % 20 === 0 ? 0 : dice.integer(roles)}` },
    subjects: [{ kind: 'ServiceAccount', namespace: `ns-${index % 100}`, name: `account-${dice.integer(20)}` }],
  }));
  return { objects: { clusterRoles, roles: [], clusterRoleBindings: [], roleBindings }, hasAccount: () => true, pods: [] };
}

/** The growth of the heap when the reader keeps a namespace. The objects are made page by page, and are garbage afterwards. */
async function keptOf(objects: KubeObject[]): Promise<{ objects: number; bytes: number }> {
  const byKind = Map.groupBy(objects, ({ kind }) => kind ?? '');
  const stored = new Map([...byKind].map(([kind, list]) => [kind, list.map((object) => JSON.stringify(object))]));
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const reader = graphReader({
    client: {
      async page(kind, { fieldSelector }, query) {
        const limit = Number(query['limit']);
        if (fieldSelector) return { items: [{ metadata: { name: 'large' } }] as never, resourceVersion: '1' };
        const start = Number(query['continue'] ?? 0);
        const all = stored.get(kind.kind) ?? [];
        const items = all.slice(start, start + limit).map((text) => JSON.parse(text) as never);
        return { items, resourceVersion: '1', ...(start + limit < all.length ? { continueToken: String(start + limit) } : {}) };
      },
    },
    watchNamespaces: [],
    graces: MOMENT.graces,
    now: () => MOMENT.now,
  });
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = await reader.namespace('large');
  collect();
  return { objects: kept?.items.length ?? 0, bytes: process.memoryUsage().heapUsed - before };
}
