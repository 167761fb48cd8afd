import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { adviceRepository, type AdviceRepository } from '../../src/db/advice.ts';
import { type ReportRepository, reportRepository } from '../../src/db/failure-reports.ts';
import { failureHistoryRepository } from '../../src/db/failure-history.ts';
import { adviceSuppressionRepository } from '../../src/db/suppressible.ts';
import { eventHub } from '../../src/events.ts';
import { adviser, type AdviceDeps } from '../../src/advice/advise.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { secretSource } from '../../src/advice/observed/config-source.ts';
import { inventories } from '../../src/advice/read-objects.ts';
import { ClusterUnavailable, KindNotServed, KubeError } from '../../src/kube/errors.ts';
import { type Kind, KINDS } from '../../src/kube/kinds.ts';
import { createLog } from '../../src/log.ts';
import { adviceController } from '../../src/advice/loop.ts';
import { aNamespace, type Cluster, clusters } from '../support/cluster/clusters.ts';
import { memoryStore } from '../support/database/store.ts';
import { aReportRow } from '../support/builders/report.ts';
import { until } from '../support/runner/wait.ts';
import { readList } from '../support/database/read-list.ts';

/** CN=webhook-ca-365, valid until 2027-11-23. */
const EXPIRES_IN_2027 =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJoakNDQVMyZ0F3SUJBZ0lVY2VjaXMxUjlzVXhMdTM2SllBUnN1T2M5cTlvd0NnWUlLb1pJemowRUF3SXcKR1RFWE1CVUdBMVVFQXd3T2QyVmlhRzl2YXkxallTMHpOalV3SGhjTk1qWXhNVEl6TURjek16VTVXaGNOTWpjeApNVEl6TURjek16VTVXakFaTVJjd0ZRWURWUVFEREE1M1pXSm9iMjlyTFdOaExUTTJOVEJaTUJNR0J5cUdTTTQ5CkFnRUdDQ3FHU000OUF3RUhBMElBQkJhTURGTkpQTTM5RWM1R2JuSHQ3VkZ5V1phTGxKMC8xSnZsUC9PRUZjY3YKc3ZLT1RpNTVsY0w5SzBjUlV3cW9ZVHlwME5Ra0g5azlNZ1ZjenpvNzV0T2pVekJSTUIwR0ExVWREZ1FXQkJRNAp3K3BWU29rVmJycVczbUNLQjBubHA5eEcxakFmQmdOVkhTTUVHREFXZ0JRNHcrcFZTb2tWYnJxVzNtQ0tCMG5sCnA5eEcxakFQQmdOVkhSTUJBZjhFQlRBREFRSC9NQW9HQ0NxR1NNNDlCQU1DQTBjQU1FUUNJSFJrMDhWbTdCSXIKY3BCSUpaZ25GQkVLTjRZWm1jU3gxWUxyWHFYNXFlQURBaUJNblZRZVJjUlhDME5yc244bldkZEs2T0pZbFdmSwpZV1ZJekwyc0kzVmNsZz09Ci0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K';
/** Shorter intervals than in a cluster. */
const TIMING = { gatherMs: 100, seldomMs: 300, againMs: 1_000, intervalMs: 3600_000 };
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
        resources: {requests: {cpu: 1m, memory: 1Mi}, limits: {memory: 1Gi}}
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
const minute = (minutes: number): Date => new Date(Date.parse('2026-05-01T10:00:00Z') + minutes * 60_000);
const RUNNING_POD = {
  metadata: { name: 'web-0', namespace: 'shop', labels: { app: 'web' }, creationTimestamp: '2026-05-01T00:00:00Z' },
  spec: { containers: [{ name: 'app', image: 'web:1', resources: { limits: { memory: '1Gi' } } }] },
  status: { phase: 'Running', containerStatuses: [{ name: 'app', state: { running: { startedAt: '2026-05-01T00:00:00Z' } } }] },
};
/** An answer of metrics-server. */
const metricsAt = (minutes: number) => ({
  metadata: { name: 'web-0', namespace: 'shop', creationTimestamp: minute(minutes).toISOString() },
  timestamp: minute(minutes).toISOString(),
  window: '15.106s',
  containers: [{ name: 'app', usage: { cpu: '2371241n', memory: '1000Mi' } }],
});
/** The CustomResourceDefinition of Certificate, without its schema. */
const CERTIFICATES = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: certificates.cert-manager.io}
spec:
  group: cert-manager.io
  scope: Namespaced
  names: {kind: Certificate, plural: certificates, singular: certificate, listKind: CertificateList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: web, namespace: shop}
spec: {secretName: web-tls, issuerRef: {name: letsencrypt}}
status: {notBefore: '2025-01-01T00:00:00Z', notAfter: '2025-04-01T00:00:00Z', renewalTime: '2025-03-01T00:00:00Z'}
`;
const EXPECTED = [
  'autoscaler-without-target HorizontalPodAutoscaler/web',
  'budget-blocks-eviction PodDisruptionBudget/web',
  'job-without-deadline CronJob/nightly',
  'limit-far-above-request Deployment/web',
];

for (const { name, start } of clusters('advice')) {
  const test = suite(`advice on ${name}`);
  let cluster: Cluster;
  let client: KubeClient;
  let advice: AdviceRepository;
  let reports: ReportRepository;
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
    until(async () => (await list(namespace)).join() === expected.join(), { what: `the list to be ${expected.join()}` });
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
    reports = reportRepository(store.db);
    const hub = eventHub();
    hub.subscribe((message) => void messages.push(message));
    const suppressionOf: AdviceDeps['suppressionOf'] = ({ check }) => (check === quiet ? 'keep-quiet' : undefined);
    const rows = {
      advice,
      adviceSuppressions: adviceSuppressionRepository(store.db),
      failureHistory: failureHistoryRepository(store.db),
    };
    deps = {
      client,
      ...rows,
      cluster: 'test',
      readSecretNames: false,
      suppressionOf,
      hub,
      now: () => new Date(),
      log: createLog({ level: 'silent' }),
    };
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
    await until(() => told().length >= EXPECTED.length, { what: 'the messages' });
    const before = messages.length;
    await client.patch(KINDS.podDisruptionBudget, 'shop', 'web', { spec: { minAvailable: 1 } }, { type: 'merge' });
    await lists(EXPECTED.filter((one) => !one.startsWith('budget')));
    await until(() => messages.length > before, { what: 'the end to be told' });
    assert.equal(told().slice(0, 2), ['autoscaler-without-target open', 'budget-blocks-eviction open']);
    assert.equal(messages.at(-1)?.type, 'advice_finding');
    assert.ok(told().includes('budget-blocks-eviction resolved'));
    const target = { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } } };
    await client.patch(KINDS.horizontalPodAutoscaler, 'shop', 'web', target, { type: 'merge' });
    await lists(EXPECTED.slice(2));
  });

  test('a change while the loop was stopped is seen at the start; a deleted namespace leaves no advice', async () => {
    await advice.store({ cluster: 'test', namespace: 'gone', detectors: ['bare-pod'], rows: [], unreadable: [] }, new Date());
    await client.remove(KINDS.cronJob, 'shop', 'nightly');
    begin();
    await lists(['limit-far-above-request Deployment/web']);
  });

  test('suppressed advice is stored and not sent', async () => {
    quiet = 'limit-far-above-request';
    begin();
    await lists([]);
    const [hidden] = await readList(advice.list, { status: 'suppressed' });
    assert.equal([hidden?.suppressed_by, messages.length], ['keep-quiet', 0]);
  });

  test('a Suppression that is created during a pass counts in that pass', async () => {
    const store: AdviceDeps['advice']['store'] = async (pass, now) => {
      const changed = await advice.store(pass, now);
      quiet = 'limit-far-above-request';
      return changed;
    };
    await adviser({ ...deps, advice: { store } }).namespace('shop');
    assert.equal([await list(), messages], [[], []]);
    quiet = undefined;
    await adviser(deps).namespace('shop');
    assert.equal([await list(), messages.length], [['limit-far-above-request Deployment/web'], 1]);
  });

  test('with a list of namespaces, nothing outside of them is requested', async () => {
    const asked = new Set<string>();
    const watching: Pick<KubeClient, 'page' | 'watch'> = {
      page: (kind, selection, query, signal) => {
        asked.add(`${selection.namespace ?? 'everywhere'}`);
        return client.page(kind, selection, query, signal);
      },
      watch: (kind, selection, query, signal) => client.watch(kind, selection, query, signal),
    };
    const looked: string[] = [];
    const advise = { namespace: async (name: string) => void looked.push(name), cluster: async () => void looked.push('outside') };
    begin({ client: watching, watchNamespaces: ['bank'], kept: async () => ['cluster-wide'], advise });
    await until(() => looked.length > 0, { what: 'a look' });
    assert.equal([[...asked], looked], [['bank'], ['bank']]);
  });

  test('what fails since its image changed is told from the reports, with when and where', async () => {
    const from = Date.parse('2026-05-01T10:00:00Z');
    let minutes = 0;
    const day = 24 * 60;
    const at = (later: number) => new Date(from + later * 60_000);
    const look = adviser({ ...deps, now: () => at(minutes) });
    const told = async () => (await readList(advice.list, { namespace: 'bank', detector: 'failing-since-image' }))[0];
    await client.create(KINDS.deployment, teller('bank:1'));
    await look.namespace('bank');
    minutes = 5 * day;
    await client.patch(KINDS.deployment, 'bank', 'teller', teller('bank:2'), { type: 'merge' });
    await look.namespace('bank');
    const owner = { namespace: 'bank', owner: 'Deployment/teller', workload: { kind: 'Deployment', name: 'teller' }, images: ['bank:2'] };
    for (let run = 0; run < 4; run++) {
      minutes += 2;
      assert.is(await told(), undefined);
      await reports.store([
        aReportRow({ ...owner, occurrence_key: `app|${run}|${at(minutes).toISOString()}`, now: at(minutes).toISOString() }),
      ]);
    }
    await look.namespace('bank');
    const { summary, evidence } = (await told())!;
    assert.is(summary, 'Deployment teller fails since its image became bank:2.');
    const { image_before, changed_at, first_failure, quiet_before, nodes } = evidence;
    assert.equal(
      [image_before, changed_at, first_failure, quiet_before, nodes],
      ['bank:1', '2026-05-06T10:00:00Z', '2026-05-06T10:02:00Z', '5 days', ['node-1']],
    );
    await client.patch(KINDS.deployment, 'bank', 'teller', teller('bank:1'), { type: 'merge' });
    await look.namespace('bank');
    assert.is(await told(), undefined);
  });

  test('without the right to read a kind, its detectors are off, and their earlier advice stays', async () => {
    const before = await list();
    const refusing: AdviceDeps['client'] = {
      page: async (kind, ...rest) => {
        if (kind.kind === 'Deployment') throw new KubeError(403, 'Forbidden', 'may not');
        return client.page(kind, ...rest);
      },
    };
    await adviser({ ...deps, client: refusing }).namespace('shop');
    assert.equal([await list(), (await advice.unreadable('test')).includes('Deployment')], [before, true]);
    await adviser(deps).namespace('shop');
    assert.not.ok((await advice.unreadable('test')).includes('Deployment'));
  });

  test('what containers use is remembered from pass to pass, and the metrics API may be away in between', async () => {
    let minutes = 0;
    let isAway = false;
    const measuring: AdviceDeps['client'] = {
      page: async (kind, ...rest) => {
        if (kind.kind === 'Pod') return { items: [RUNNING_POD], resourceVersion: '1' } as never;
        if (kind.kind !== 'PodMetrics') return client.page(kind, ...rest);
        if (isAway) throw new KubeError(503, 'ServiceUnavailable', 'the server is currently unable to handle the request');
        return { items: [metricsAt(minutes)], resourceVersion: '' } as never;
      },
    };
    const { namespace } = adviser({ ...deps, client: measuring, now: () => minute(minutes) });
    const isSaid = async () => (await list()).includes('memory-near-limit Deployment/web');
    await namespace('shop');
    assert.not.ok(await isSaid());
    minutes = 60;
    await namespace('shop');
    assert.ok(await isSaid());
    [isAway, minutes] = [true, 120];
    await namespace('shop');
    assert.ok(await isSaid(), 'nobody knows better');
    assert.ok((await advice.unreadable('test')).includes('PodMetrics'));
  });

  if (name === 'API server') {
    test('the API server sends only the metadata of Secrets', async () => {
      await client.create(KINDS.secret, {
        metadata: { name: 'keys', namespace: 'shop' },
        stringData: { password: 'hunter2-hunter2' },
      } as KubeObject);
      const { items } = await client.page(KINDS.secret, { namespace: 'shop', metadataOnly: true }, { limit: 10 });
      assert.not.match(JSON.stringify(items), 'data":{"password":"');
      const source = secretSource(items.find(({ metadata }) => metadata.name === 'keys')!);
      assert.equal([source.keys, source.isDataAlone, typeof source.dataAt], [['password'], true, 'number']);
    });

    test('a Certificate of cert-manager that was not renewed is found as soon as the kind exists', async () => {
      let ahead = 0;
      const { namespace } = adviser({ ...deps, now: () => new Date(Date.now() + ahead) });
      await namespace('shop');
      assert.not.ok((await advice.unreadable('test')).includes('Certificate'), 'what a cluster does not have is no fault of the rights');
      for (const object of loadManifests(CERTIFICATES) as KubeObject[])
        await until(() => client.create(kindOf(object), object).catch(() => undefined), { what: `${object.kind} to be taken` });
      ahead = 15 * 60_000;
      await until(
        async () => (await namespace('shop'), (ahead += 15 * 60_000), (await list()).includes('certificate-not-renewed Certificate/web')),
        { what: 'the advice' },
      );
    });
  }

  test('nothing is said of the cluster’s own namespaces', async () => {
    let asked = 0;
    const counting: AdviceDeps['client'] = { page: (...args) => (asked++, client.page(...args)) };
    await adviser({ ...deps, client: counting }).namespace('kube-system');
    assert.equal([asked, await list('kube-system')], [0, []]);
  });

  test('expiring CA bundles of cluster-scoped objects are found, and resolved when renewed', async () => {
    const far = () => new Date('2027-11-16T00:00:00Z');
    const trusting = (caBundle: string): AdviceDeps['client'] => ({
      page: async (kind, ...rest) => {
        if (kind.kind !== 'APIService') return client.page(kind, ...rest);
        const spec = { caBundle, service: { namespace: 'shop', name: 'api' } };
        return { items: [{ metadata: { name: 'v1.shop.example.com' }, spec }], resourceVersion: '1' } as never;
      },
    });
    await adviser({ ...deps, client: trusting(EXPIRES_IN_2027), hiddenNamespaces: ['shop'], now: far }).cluster();
    assert.equal(await list('cluster-wide'), [], 'the certificate would name a server in a hidden namespace');
    await adviser({ ...deps, client: trusting(EXPIRES_IN_2027), now: far }).cluster();
    assert.equal(await list('cluster-wide'), ['ca-bundle-expiring APIService/v1.shop.example.com']);
    await adviser({ ...deps, client: trusting(''), now: far }).cluster();
    assert.equal(await list('cluster-wide'), []);
  });

  test.run();
}

const absent = suite('kinds that a cluster may lack');

/** The API server's answer for certificates, what Podmend concludes, and its requests after two passes in a minute and one much later. */
const ANSWERS: [string, () => unknown, 'unreadable' | 'absent' | undefined, number, number][] = [
  ['404: nobody has defined the kind', () => new KindNotServed('certificates'), 'absent', 1, 2],
  ['503: an aggregated API without a server', () => new KubeError(503, 'ServiceUnavailable', 'the server is unable'), 'unreadable', 1, 2],
  ['no answer in time', () => new ClusterUnavailable('no answer in time'), 'unreadable', 1, 2],
  ['403', () => new KubeError(403, 'Forbidden', 'may not'), 'unreadable', 2, 3],
  ['none of them', () => undefined, undefined, 2, 3],
];
for (const [what, answer, how, inAMinute, inTen] of ANSWERS)
  absent(`certificates answer ${what}`, async () => {
    let [asked, minute] = [0, 0];
    const page: AdviceDeps['client']['page'] = async ({ kind }) => {
      const error = kind === 'Certificate' ? (asked++, answer()) : undefined;
      if (error) throw error;
      return { items: [], resourceVersion: '1' };
    };
    const { ofNamespace } = inventories({ client: { page }, now: () => new Date(minute * 60_000), readSecretNames: false });
    const first = await ofNamespace('shop');
    assert.equal([first.unreadable, first.absent], [how === 'unreadable' ? ['Certificate'] : [], how === 'absent' ? ['Certificate'] : []]);
    minute = 1;
    assert.equal(await ofNamespace('bank'), first);
    assert.is(asked, inAMinute);
    minute = 12;
    await ofNamespace('shop');
    assert.is(asked, inTen);
  });

absent('a cluster that is away does not count as one without the kind', async () => {
  const page = async () => {
    throw new ClusterUnavailable('ECONNREFUSED');
  };
  const error = await inventories({ client: { page }, now: () => new Date(), readSecretNames: false })
    .ofNamespace('shop')
    .catch((thrown: unknown) => thrown);
  assert.instance(error, ClusterUnavailable);
});

absent.run();

/** A Deployment of namespace `bank`. */
function teller(image: string): KubeObject {
  const labels = { app: 'teller' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image }] } };
  const metadata = { name: 'teller', namespace: 'bank' };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { selector: { matchLabels: labels }, template } } as KubeObject;
}

function kindOf({ kind }: KubeObject): Kind {
  const found = Object.values(KINDS as Record<string, Kind>).find((one) => one.kind === kind);
  if (!found) throw new Error(`no kind ${kind}`);
  return found;
}
