import type { RestClient } from '../../support/cluster/rest.ts';
import { until } from '../../support/runner/wait.ts';
import { deployment, type Loose, map, MERGE, pod } from '../step.ts';
import { anonymous, lines, type Witnessed, witness } from '../witness.ts';

/** What a cluster's controllers did: lines about the watch events, in order, and the objects at the end. */
export interface Told {
  seen?: string[];
  final?: Loose;
}

/** A sentence about controllers. `tell` makes them act in a namespace of its own. */
export interface ControllerCase {
  sentence: string;
  tell(client: RestClient, namespace: string): Promise<Told>;
}

const HOLD = 'test.dev/hold';
const mapsOf = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;
const ownedBy = (owner: Loose, own: Loose = {}) => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid,
  ...own,
});

const isGone =
  (name: string) =>
  ({ type, object }: Witnessed): boolean =>
    type === 'DELETED' && object.metadata.name === name;

/** One line about what happens to an object that is deleted or owned. */
function fate({ type, object }: Witnessed): string | undefined {
  const { name, deletionTimestamp, finalizers = [], ownerReferences = [] } = object.metadata;
  if (name === 'kube-root-ca.crt') return undefined;
  if (type === 'DELETED') return `${name} is gone`;
  if (deletionTimestamp) return `${name} is going: ${finalizers.join()}`;
  return `${name} belongs to ${ownerReferences.map((ref: Loose) => ref.name).join() || 'nobody'}`;
}

async function makeMap(client: RestClient, namespace: string, name: string, metadata: Loose = {}): Promise<Loose> {
  return client.create({ ...map(name), metadata: { name, namespace, ...metadata } });
}

/** An owner and three dependents: one has a second owner, one has none, and one blocks the owner's deletion and has a finalizer. */
async function family(client: RestClient, namespace: string) {
  const watched = await witness(client, namespace, [['api/v1', 'configmaps']]);
  const [owner, other] = [await makeMap(client, namespace, 'owner'), await makeMap(client, namespace, 'other')];
  await makeMap(client, namespace, 'shared', { ownerReferences: [ownedBy(owner), ownedBy(other)] });
  await makeMap(client, namespace, 'free', { ownerReferences: [ownedBy(owner)] });
  await makeMap(client, namespace, 'blocking', { ownerReferences: [ownedBy(owner, { blockOwnerDeletion: true })], finalizers: [HOLD] });
  return watched;
}

const removeOwner = (client: RestClient, namespace: string, propagationPolicy: string) =>
  client.request('DELETE', `${mapsOf(namespace)}/owner`, { propagationPolicy });
const letGo = (client: RestClient, path: string) => client.request('PATCH', path, { metadata: { finalizers: null } }, MERGE);
const answered = (namespace: string, { status, body }: { status: number; body: Loose }) => ({
  code: status,
  body: anonymous(body, namespace),
});

/** The lines sorted by object, because independent objects have no fixed order. */
const byObject = (seen: string[]): string[] =>
  [...seen].sort((a, b) => (a.split(' ')[0]! < b.split(' ')[0]! ? -1 : a.split(' ')[0]! > b.split(' ')[0]! ? 1 : 0));

const DEPLOYMENTS = (namespace: string) => `/apis/apps/v1/namespaces/${namespace}/deployments`;
const REVISION = 'deployment.kubernetes.io/revision';
const QUICK = { terminationGracePeriodSeconds: 0 };

function shop(namespace: string): Loose {
  const made = deployment('shop', { ports: [{ containerPort: 80 }] }, { replicas: 2 });
  made.spec.template.spec = { ...made.spec.template.spec, ...QUICK };
  return { ...made, metadata: { name: 'shop', namespace, labels: { team: 'front' }, annotations: { note: 'x' } } };
}

const isRolledOut =
  (revision: string) =>
  ({ object: { kind, metadata, status = {} } }: Witnessed): boolean =>
    kind === 'Deployment' &&
    metadata.annotations?.[REVISION] === revision &&
    status.observedGeneration === metadata.generation &&
    status.updatedReplicas === 2 &&
    status.readyReplicas === 2 &&
    status.replicas === 2 &&
    // The controller counts a pod that ends in a write of its own.
    (status.terminatingReplicas ?? 0) === 0;

/** Each ReplicaSet's `replicas`, every time it changes. */
function rollout(seen: Witnessed[]): string[] {
  const wanted = new Map<string, number>();
  return seen.flatMap(({ object: { kind, metadata, spec } }) => {
    if (kind !== 'ReplicaSet' || wanted.get(metadata.name) === spec.replicas) return [];
    wanted.set(metadata.name, spec.replicas);
    return [`${metadata.name} wants ${spec.replicas}`];
  });
}

async function job(client: RestClient, namespace: string, name: string, command: string, spec: Loose): Promise<Told> {
  const watched = await witness(client, namespace, [['apis/batch/v1', 'jobs']]);
  const template = {
    spec: { ...QUICK, restartPolicy: 'Never', containers: [{ name: 'app', image: 'busybox:1.35', command: ['sh', '-c', command] }] },
  };
  await client.create({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name, namespace }, spec: { ...spec, template } });
  const isOver = ({ object }: Witnessed) =>
    object.status?.conditions?.some((c: Loose) => ['Complete', 'Failed'].includes(c.type)) && Boolean(object.status);
  const { object } = await watched.when(`${name} to end`, isOver);
  const { items } = await client.get(`/api/v1/namespaces/${namespace}/pods?labelSelector=job-name%3D${name}`);
  watched.stop();
  const phases = items.map(({ metadata, status }: Loose) => ({ metadata, phase: status.phase }));
  const say = ({ object: { status = {} } }: Witnessed) =>
    `failed ${status.failed ?? 0}, succeeded ${status.succeeded ?? 0}: ${(status.conditions ?? []).map((c: Loose) => c.type).join()}`;
  // Without the spec: other cases compare what the API server stores of a Job.
  const { metadata, spec: _spec, ...rest } = object;
  return { seen: lines(watched.seen(), say), final: anonymous([{ metadata, ...rest }, phases], namespace) };
}

/** What a client sees of a cluster's controllers: garbage collection, workloads, Jobs. */
export const CONTROLLERS: ControllerCase[] = [
  {
    sentence: 'what is owned goes after an owner deleted in the background, and what has another owner stays',
    async tell(client, namespace) {
      const watched = await family(client, namespace);
      const answer = await removeOwner(client, namespace, 'Background');
      await watched.when('blocking to go', ({ object }) => object.metadata.name === 'blocking' && object.metadata.deletionTimestamp);
      await letGo(client, `${mapsOf(namespace)}/blocking`);
      await watched.when('free to be gone', isGone('free'));
      await watched.when('blocking to be gone', isGone('blocking'));
      await watched.when(
        'shared to have one owner',
        ({ object: { metadata } }) => metadata.name === 'shared' && metadata.ownerReferences.length === 1,
      );
      watched.stop();
      return { seen: byObject(lines(watched.seen(), fate)), final: answered(namespace, answer) };
    },
  },
  {
    sentence: 'an owner deleted in the foreground waits for what blocks it, and for nothing else',
    async tell(client, namespace) {
      const watched = await family(client, namespace);
      const answer = await removeOwner(client, namespace, 'Foreground');
      await watched.when('blocking to go', ({ object }) => object.metadata.name === 'blocking' && object.metadata.deletionTimestamp);
      await letGo(client, `${mapsOf(namespace)}/blocking`);
      for (const name of ['blocking', 'owner', 'free']) await watched.when(`${name} to be gone`, isGone(name));
      watched.stop();
      const order = watched.seen().filter(({ type }) => type === 'DELETED');
      return {
        seen: [...byObject(lines(watched.seen(), fate)), order.map(({ object }) => object.metadata.name).join(', then ')],
        final: answered(namespace, answer),
      };
    },
  },
  {
    sentence: 'an orphaning deletion first frees what is owned',
    async tell(client, namespace) {
      const watched = await family(client, namespace);
      const answer = await removeOwner(client, namespace, 'Orphan');
      await watched.when('owner to be gone', isGone('owner'));
      watched.stop();
      const seen = lines(watched.seen(), fate);
      return { seen: [...byObject(seen), `last: ${seen.at(-1)}`], final: answered(namespace, answer) };
    },
  },
  {
    sentence: 'an owner that never was takes what it owns with it',
    async tell(client, namespace) {
      const watched = await witness(client, namespace, [['api/v1', 'configmaps']]);
      const nobody = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'nobody', uid: '00000000-0000-0000-0000-000000000000' } };
      await makeMap(client, namespace, 'lost', { ownerReferences: [ownedBy(nobody)] });
      await watched.when('lost to be gone', isGone('lost'));
      watched.stop();
      return { seen: lines(watched.seen(), fate) };
    },
  },
  {
    sentence: 'a namespace has its account and its authority, and gets them back',
    async tell(client, namespace) {
      const watched = await witness(client, namespace, [
        ['api/v1', 'serviceaccounts'],
        ['api/v1', 'configmaps'],
      ]);
      for (const [plural, name] of [
        ['serviceaccounts', 'default'],
        ['configmaps', 'kube-root-ca.crt'],
      ] as const) {
        await watched.when(name, ({ object }) => object.metadata.name === name);
        await client.request('DELETE', `/api/v1/namespaces/${namespace}/${plural}/${name}`);
        await until(() => watched.seen().filter(({ type, object }) => type === 'ADDED' && object.metadata.name === name).length === 2, {
          what: `${name} to come back`,
        });
      }
      watched.stop();
      const say = ({ type, object }: Witnessed) => `${object.metadata.name} ${type}`;
      const [account] = (await client.get(`/api/v1/namespaces/${namespace}/serviceaccounts`)).items;
      const [authority] = (await client.get(mapsOf(namespace))).items;
      return {
        seen: byObject(lines(watched.seen(), say)),
        final: anonymous([account, authority.metadata, Object.keys(authority.data)], namespace),
      };
    },
  },
  {
    sentence: 'a namespace that is deleted takes everything with it, but waits for finalizers',
    async tell(client, namespace) {
      const path = `/api/v1/namespaces/${namespace}`;
      await makeMap(client, namespace, 'held', { finalizers: [HOLD] });
      await makeMap(client, namespace, 'free');
      await client.create({ ...pod('app', QUICK), metadata: { name: 'app', namespace } });
      const watched = await witness(client, namespace, [
        ['api/v1', 'configmaps'],
        ['api/v1', 'pods'],
      ]);
      const first = await client.request('DELETE', path);
      const remaining = (body: Loose) =>
        body.status?.conditions?.some((c: Loose) => c.type === 'NamespaceFinalizersRemaining' && c.status === 'True') &&
        !JSON.stringify(body.status.conditions).includes('pods');
      const waiting = await until(
        async () => {
          const body = await client.get(path);
          return remaining(body) && body;
        },
        { what: 'the namespace to wait', everyMs: 100 },
      );
      const refused = await client.request('POST', mapsOf(namespace), map('late'));
      const again = await client.request('DELETE', path);
      await letGo(client, `${mapsOf(namespace)}/held`);
      await until(async () => (await client.request('GET', path)).status === 404, {
        what: 'the namespace to be gone',
        everyMs: 100,
      });
      watched.stop();
      const conditions = [...waiting.status.conditions].sort((a: Loose, b: Loose) => (a.type < b.type ? -1 : 1));
      return {
        seen: byObject(
          lines(watched.seen(), ({ type, object }) =>
            object.kind === 'Pod' ? (type === 'DELETED' ? 'app is gone' : undefined) : fate({ type, object }),
          ),
        ),
        final: [
          answered(namespace, first),
          anonymous({ ...waiting, status: { ...waiting.status, conditions } }, namespace),
          answered(namespace, refused),
          answered(namespace, again),
        ],
      };
    },
  },
  {
    sentence: 'a Deployment makes its ReplicaSet and that its pods; another image rolls, the former one rolls back',
    async tell(client, namespace) {
      const watched = await witness(client, namespace, [
        ['apis/apps/v1', 'deployments'],
        ['apis/apps/v1', 'replicasets'],
        ['api/v1', 'pods'],
      ]);
      await client.create(shop(namespace));
      const [{ object: first }] = [await watched.when('the first rollout', isRolledOut('1'))];
      const { items: pods } = await client.get(`/api/v1/namespaces/${namespace}/pods`);
      const image = (name: string) => [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: name }];
      const path = `${DEPLOYMENTS(namespace)}/shop`;
      await client.request(
        'PATCH',
        path,
        [...image('busybox:1.35'), { op: 'add', path: '/spec/template/spec/containers/0/command', value: ['sleep', '600'] }],
        'application/json-patch+json',
      );
      const { object: second } = await watched.when('the second rollout', isRolledOut('2'));
      await client.request(
        'PATCH',
        path,
        [...image('web:1'), { op: 'remove', path: '/spec/template/spec/containers/0/command' }],
        'application/json-patch+json',
      );
      const { object: third } = await watched.when('the way back', isRolledOut('3'));
      const { items: sets } = await client.get(`/apis/apps/v1/namespaces/${namespace}/replicasets`);
      watched.stop();
      const hashes: string[] = [];
      for (const { object } of watched.seen()) {
        const hash = object.kind === 'ReplicaSet' && object.metadata.labels['pod-template-hash'];
        if (hash && !hashes.includes(hash)) hashes.push(hash);
      }
      const oldestFirst = sets.toSorted(
        (a: Loose, b: Loose) =>
          hashes.indexOf(a.metadata.labels['pod-template-hash']) - hashes.indexOf(b.metadata.labels['pod-template-hash']),
      );
      const created = pods.map(({ metadata, spec }: Loose) => ({ metadata, spec }));
      return anonymous({ seen: rollout(watched.seen()), final: { first, created, second, third, sets: oldestFirst } }, namespace, hashes);
    },
  },
  {
    sentence: 'a ReplicaSet replaces a pod that is going before it is gone',
    async tell(client, namespace) {
      const watched = await witness(client, namespace, [
        ['apis/apps/v1', 'replicasets'],
        ['api/v1', 'pods'],
      ]);
      const { spec } = deployment('set', { image: 'busybox:1.35', command: ['sleep', '600'] });
      spec.template.spec.terminationGracePeriodSeconds = 1;
      await client.create({
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: { name: 'set', namespace },
        spec: { ...spec, replicas: 1 },
      });
      const isReady = ({ object: { kind, status } }: Witnessed) => kind === 'ReplicaSet' && status.readyReplicas === 1;
      await watched.when('the set to be ready', isReady);
      const [victim] = (await client.get(`/api/v1/namespaces/${namespace}/pods`)).items;
      await client.request('DELETE', `/api/v1/namespaces/${namespace}/pods/${victim.metadata.name}`);
      await watched.when('the pod to be gone', isGone(victim.metadata.name));
      await until(async () => (await client.get(`/apis/apps/v1/namespaces/${namespace}/replicasets/set`)).status.readyReplicas === 1, {
        what: 'the set to be ready again',
      });
      watched.stop();
      const say = ({ type, object }: Witnessed) => {
        if (object.kind !== 'Pod') return undefined;
        const which = object.metadata.name === victim.metadata.name ? 'the first' : 'the second';
        if (type === 'DELETED') return `${which} is gone`;
        return object.metadata.deletionTimestamp ? undefined : type === 'ADDED' ? `${which} is made` : undefined;
      };
      const [set] = (await client.get(`/apis/apps/v1/namespaces/${namespace}/replicasets`)).items;
      const [next] = (await client.get(`/api/v1/namespaces/${namespace}/pods`)).items;
      return { seen: lines(watched.seen(), say), final: anonymous([set, next.metadata], namespace) };
    },
  },
  {
    sentence: 'a Job that does its work is complete',
    tell: (client, namespace) => job(client, namespace, 'well', 'true', { completions: 2, parallelism: 1 }),
  },
  {
    sentence: 'a Job whose pods fail tries again until its limit',
    tell: (client, namespace) => job(client, namespace, 'ill', 'exit 3', { backoffLimit: 1 }),
  },
];

/** Runs all cases at once, each in its own namespace, and deletes it at the end. The result of a failed case is its error. */
export async function tellAll(client: RestClient): Promise<Map<string, Told | Error>> {
  const stem = `conform-${Date.now().toString(36)}`;
  const told = await Promise.all(
    CONTROLLERS.map(async ({ sentence, tell }, i) => {
      const namespace = `${stem}-${i}`;
      await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      await until(() => client.get(`/api/v1/namespaces/${namespace}/serviceaccounts/default`), { what: 'an account' });
      const answer = await tell(client, namespace).catch((error: unknown) => error as Error);
      for (const held of ['blocking', 'held']) await letGo(client, `${mapsOf(namespace)}/${held}`);
      await client.request('DELETE', `/api/v1/namespaces/${namespace}`);
      return [sentence, answer] as const;
    }),
  );
  return new Map(told);
}
