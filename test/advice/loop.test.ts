import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { adviceRepository, type AdviceRepository } from '../../src/db/advice.ts';
import { adviceSuppressionRepository } from '../../src/db/suppressible.ts';
import { eventHub } from '../../src/events.ts';
import { adviser, type AdviceDeps } from '../../src/advice/advise.ts';
import { connect, type KubeClient } from '../../src/kube/connect.ts';
import { KubeError } from '../../src/kube/errors.ts';
import { type Kind, KINDS } from '../../src/kube/kinds.ts';
import { createLog } from '../../src/log.ts';
import { adviceController } from '../../src/advice/loop.ts';
import { aNamespace, type Cluster, clusters } from '../support/cluster/clusters.ts';
import { memoryStore } from '../support/database/store.ts';
import { until } from '../support/runner/wait.ts';
import { readList } from '../support/database/read-list.ts';

/** As in a cluster, but sooner. */
const TIMING = { gatherMs: 100, seldomMs: 300, againMs: 1_000, intervalMs: 3600_000 };
const SOON = { timeoutMs: 15_000 };
const WEB = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: app
        image: web:latest
        resources: {requests: {cpu: 1m, memory: 1Mi}, limits: {memory: 1Mi}}
        readinessProbe: {httpGet: {path: /, port: 80}}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: wbe}, minReplicas: 2, maxReplicas: 4}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: shop}
spec:
  schedule: '0 3 * * *'
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: 'web:1', resources: {requests: {cpu: 1m}, limits: {memory: 1Mi}}}]}}}}
`;
const EXPECTED = [
  'autoscaler-without-target HorizontalPodAutoscaler/web',
  'budget-blocks-eviction PodDisruptionBudget/web',
  'job-without-deadline CronJob/nightly',
  'mutable-image-tag Deployment/web',
];

for (const { name, start } of clusters('advice')) {
  const test = suite(`advice on ${name}`);
  let cluster: Cluster;
  let client: KubeClient;
  let advice: AdviceRepository;
  let deps: AdviceDeps;
  let running: ReturnType<typeof adviceController>;
  let closeStore: () => Promise<void>;
  let quiet: string | undefined;
  const messages: SocketMessage[] = [];

  const begin = (over: Partial<Parameters<typeof adviceController>[0]> = {}) => {
    const { now, log } = deps;
    const kept = () => advice.namespaces('test');
    running = adviceController({ client, advise: adviser(deps), kept, watchNamespaces: [], timing: TIMING, now, log, ...over });
    running.start();
  };
  const list = async (namespace = 'shop') =>
    (await readList(advice.list, { namespace })).map((one) => `${one.detector_id} ${one.resource_kind}/${one.resource_name}`).toSorted();
  const lists = (expected: string[], namespace?: string) =>
    until(async () => (await list(namespace)).join() === expected.join(), { ...SOON, what: `the list to be ${expected.join()}` });
  const apply = async (manifests: string) => {
    for (const object of loadManifests(manifests) as KubeObject[]) await client.create(kindOf(object), object);
  };

  test.before(async () => {
    const [started, store] = await Promise.all([start(), memoryStore()]);
    cluster = started;
    closeStore = () => store.close();
    client = connect({ kubeconfigText: cluster.kubeconfigText });
    for (const namespace of ['shop', 'bank']) await aNamespace(client, namespace);
    advice = adviceRepository(store.db);
    const hub = eventHub();
    hub.subscribe((message) => void messages.push(message));
    const suppressionOf: AdviceDeps['suppressionOf'] = ({ check }) => (check === quiet ? 'keep-quiet' : undefined);
    const rows = { advice, adviceSuppressions: adviceSuppressionRepository(store.db) };
    deps = { client, ...rows, cluster: 'test', suppressionOf, hub, now: () => new Date(), log: createLog({ level: 'silent' }) };
  });
  test.after.each(async () => {
    await running?.stop();
    quiet = undefined;
    messages.length = 0;
  });
  test.after(async () => {
    client?.close();
    await cluster?.close();
    await closeStore?.();
  });

  test('advice on an applied object comes soon, is sent once, and is resolved when the object is corrected', async () => {
    begin();
    await apply(WEB);
    await lists(EXPECTED);
    const told = () =>
      messages.flatMap((one) => (one.type === 'advice_finding' ? [`${one.data.detector_id} ${one.data.status}`] : [])).toSorted();
    await until(() => told().length >= EXPECTED.length, { ...SOON, what: 'the messages' });
    const before = messages.length;
    await client.patch(KINDS.podDisruptionBudget, 'shop', 'web', { spec: { minAvailable: 1 } }, { type: 'merge' });
    await lists(EXPECTED.filter((one) => !one.startsWith('budget')));
    await until(() => messages.length > before, { ...SOON, what: 'the end to be told' });
    assert.equal(told().slice(0, 2), ['autoscaler-without-target open', 'budget-blocks-eviction open']);
    assert.equal(messages.at(-1)?.type, 'advice_finding');
    assert.ok(told().includes('budget-blocks-eviction resolved'));
    const target = { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } } };
    await client.patch(KINDS.horizontalPodAutoscaler, 'shop', 'web', target, { type: 'merge' });
    await lists(EXPECTED.slice(2));
  });

  test('a change during a stop is seen at the start; a deleted namespace leaves no advice', async () => {
    await advice.store({ cluster: 'test', namespace: 'gone', detectors: ['bare-pod'], rows: [], unreadable: [] }, new Date());
    await client.remove(KINDS.cronJob, 'shop', 'nightly');
    begin();
    await lists(['mutable-image-tag Deployment/web']);
  });

  test('suppressed advice is stored and not sent', async () => {
    quiet = 'mutable-image-tag';
    begin();
    await lists([]);
    const [hidden] = await readList(advice.list, { status: 'suppressed' });
    assert.equal([hidden?.suppressed_by, messages.length], ['keep-quiet', 0]);
  });

  test('a Suppression that comes while the namespace is looked at holds all the same', async () => {
    const store: AdviceDeps['advice']['store'] = async (pass, now) => {
      const changed = await advice.store(pass, now);
      quiet = 'mutable-image-tag';
      return changed;
    };
    await adviser({ ...deps, advice: { store } })('shop');
    assert.equal([await list(), messages], [[], []]);
    quiet = undefined;
    await adviser(deps)('shop');
    assert.equal([await list(), messages.length], [['mutable-image-tag Deployment/web'], 1]);
  });

  test('of given namespaces alone nothing outside of them is asked for', async () => {
    const asked = new Set<string>();
    const watching: Pick<KubeClient, 'page' | 'watch'> = {
      page: (kind, selection, query, signal) => {
        asked.add(`${selection.namespace ?? 'everywhere'}`);
        return client.page(kind, selection, query, signal);
      },
      watch: (kind, selection, query, signal) => client.watch(kind, selection, query, signal),
    };
    const looked: string[] = [];
    begin({ client: watching, watchNamespaces: ['bank'], kept: async () => [], advise: async (namespace) => void looked.push(namespace) });
    await until(() => looked.length > 0, { ...SOON, what: 'a look' });
    assert.equal([[...asked], looked], [['bank'], ['bank']]);
  });

  test('a kind that may not be read turns its detectors off, and what they said stays', async () => {
    const before = await list();
    const refusing: AdviceDeps['client'] = {
      page: async (kind, ...rest) => {
        if (kind.kind === 'Deployment') throw new KubeError(403, 'Forbidden', 'may not');
        return client.page(kind, ...rest);
      },
    };
    await adviser({ ...deps, client: refusing })('shop');
    assert.equal([await list(), await advice.unreadable('test')], [before, ['Deployment']]);
    await adviser(deps)('shop');
    assert.equal(await advice.unreadable('test'), []);
  });

  test('nothing is said of the cluster’s own namespaces', async () => {
    let asked = 0;
    const counting: AdviceDeps['client'] = { page: (...args) => (asked++, client.page(...args)) };
    await adviser({ ...deps, client: counting })('kube-system');
    assert.equal([asked, await list('kube-system')], [0, []]);
  });

  test.run();
}

function kindOf({ kind }: KubeObject): Kind {
  const found = Object.values(KINDS as Record<string, Kind>).find((one) => one.kind === kind);
  if (!found) throw new Error(`no kind ${kind}`);
  return found;
}
