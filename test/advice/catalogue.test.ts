import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { about, counted, named } from '../../src/advice/detectors/detector.ts';
import { CLUSTER_DETECTORS, DETECTORS, detectorOf, RETIRED } from '../../src/advice/detectors/list.ts';
import { viewOf } from '../../src/advice/detectors/view.ts';
import { ADVICE_CATEGORIES } from '../../src/contract/advice.ts';
import { SEVERITIES } from '../../src/contract/finding.ts';
import { CHECKS } from '../../src/checks/list.ts';

// What each detector says of itself.

const SERVERS = 'Deployment StatefulSet DaemonSet';
/**
 * High: something does not work, or will not at a known time. Medium: it works until the next drain, peak or mistake. Low: tidiness.
 *
 * `[id, category, severity, title, the kinds without which it cannot decide, days of history that it needs]`
 */
const FACTS: [string, string, string, string, string, number?][] = [
  [
    'budget-blocks-eviction',
    'availability',
    'high',
    'A PodDisruptionBudget allows no eviction at all',
    'PodDisruptionBudget Deployment StatefulSet HorizontalPodAutoscaler',
  ],
  [
    'single-replica',
    'availability',
    'medium',
    'A Service depends on a single pod',
    'Deployment StatefulSet Service HorizontalPodAutoscaler PodDisruptionBudget',
  ],
  [
    'missing-disruption-budget',
    'availability',
    'medium',
    'Several replicas have no PodDisruptionBudget',
    'Deployment StatefulSet Service HorizontalPodAutoscaler PodDisruptionBudget',
  ],
  ['missing-readiness-probe', 'availability', 'medium', 'Pods behind a Service have no readiness probe', `${SERVERS} Service`],
  ['budget-selects-nothing', 'availability', 'low', 'A PodDisruptionBudget protects no pod', `PodDisruptionBudget ${SERVERS} Pod`],
  ['slow-image-pull', 'availability', 'low', 'Pods wait a long time for their image', `${SERVERS} Job CronJob Pod Event`],
  ['overlapping-selectors', 'reliability', 'high', 'Two workloads select each other’s pods', SERVERS],
  ['failing-since-image', 'reliability', 'high', 'Pods have failed since their image changed', `${SERVERS} CronJob`, 1],
  ['frequent-restarts', 'reliability', 'medium', 'Containers keep restarting', `Pod ${SERVERS}`],
  ['restarts-growing', 'reliability', 'medium', 'Containers restart more and more often', `${SERVERS} HorizontalPodAutoscaler`, 4],
  ['failures-at-same-hour', 'reliability', 'medium', 'Pods fail at the same hour of the day', `${SERVERS} CronJob`, 3],
  ['liveness-equals-readiness', 'reliability', 'medium', 'The liveness and readiness probes are the same', SERVERS],
  ['hasty-liveness-probe', 'reliability', 'medium', 'A liveness probe restarts containers too quickly', SERVERS],
  ['cron-job-overlap', 'reliability', 'medium', 'Runs of a CronJob overlap', 'CronJob'],
  ['config-not-taken-up', 'reliability', 'medium', 'A changed configuration is not in use', `${SERVERS} Pod ConfigMap`],
  ['no-probes', 'reliability', 'low', 'No liveness or readiness probe', `${SERVERS} Service`],
  ['bare-pod', 'reliability', 'low', 'A pod has no controller', 'Pod'],
  ['job-without-deadline', 'reliability', 'low', 'A Job has no deadline', 'Job CronJob'],
  ['quota-nearly-full', 'resources', 'medium', 'A ResourceQuota is nearly full', 'ResourceQuota'],
  ['memory-near-limit', 'resources', 'medium', 'Memory is nearly all used', `${SERVERS} Pod PodMetrics`],
  ['limit-far-above-request', 'resources', 'low', 'Memory limits are far above the requests', SERVERS],
  ['requests-far-from-use', 'resources', 'low', 'Requests are far from actual use', `${SERVERS} Pod HorizontalPodAutoscaler PodMetrics`],
  [
    'autoscaler-without-requests',
    'scaling',
    'high',
    'An autoscaler needs resource requests that are missing',
    'HorizontalPodAutoscaler Deployment StatefulSet',
  ],
  [
    'autoscaler-without-target',
    'scaling',
    'high',
    'An autoscaler’s target does not exist',
    'HorizontalPodAutoscaler Deployment StatefulSet',
  ],
  ['autoscaler-at-maximum', 'scaling', 'medium', 'An autoscaler is at its maximum', 'HorizontalPodAutoscaler'],
  [
    'fixed-replicas-with-autoscaler',
    'scaling',
    'medium',
    'A manifest and an autoscaler both set the replicas',
    'Deployment StatefulSet HorizontalPodAutoscaler',
  ],
  ['missing-spread', 'scheduling', 'medium', 'Many replicas share few nodes', 'Deployment StatefulSet HorizontalPodAutoscaler Pod'],
  ['fails-on-one-node', 'scheduling', 'medium', 'Pods fail on one node and run on others', `Pod ${SERVERS}`, 1],
  ['service-selects-nothing', 'networking', 'high', 'A Service selects no pod', `Service Pod ${SERVERS}`],
  ['service-without-ready-pods', 'networking', 'high', 'No pod behind a Service is ready', 'Service Pod'],
  ['service-port-without-name', 'networking', 'high', 'A Service names a port that no container has', `Service ${SERVERS}`],
  ['shared-single-writer-claim', 'storage', 'high', 'Replicas share a disk that only one node may use', 'Deployment PersistentVolumeClaim'],
  ['state-in-empty-dir', 'storage', 'high', 'A StatefulSet keeps its data in an emptyDir', 'StatefulSet'],
  ['certificate-not-renewed', 'lifecycle', 'high', 'cert-manager has not renewed a certificate', 'Certificate'],
  [
    'deprecated-api',
    'lifecycle',
    'medium',
    'A manifest uses something that Kubernetes has removed or renamed',
    `${SERVERS} Job CronJob PodDisruptionBudget HorizontalPodAutoscaler`,
  ],
  ['job-without-ttl', 'lifecycle', 'low', 'A finished Job is never deleted', 'Job'],
  [
    'ca-bundle-expiring',
    'lifecycle',
    'high',
    'A CA bundle that the API server trusts expires',
    'ValidatingWebhookConfiguration MutatingWebhookConfiguration APIService CustomResourceDefinition',
  ],
];

const catalogue = suite('the catalogue of detectors');
const all = [...DETECTORS, ...CLUSTER_DETECTORS];

catalogue('has these detectors in this order', () =>
  assert.equal(
    all.map(({ id }) => id),
    FACTS.map(([id]) => id),
  ),
);

for (const [id, category, severity, title, requires, historyDays] of FACTS)
  catalogue(`${id}: ${title}`, () => {
    const one = all.find((detector) => detector.id === id)!;
    assert.equal([one.category, one.severity, one.title, one.historyDays], [category, severity, title, historyDays]);
    assert.equal([...one.requires].sort(), requires.split(' ').sort());
    assert.is(detectorOf(id), one);
  });

catalogue('detectors of namespaces are listed by category, the most severe first', () => {
  const rank = ({ category, severity }: (typeof DETECTORS)[number]) =>
    10 * ADVICE_CATEGORIES.indexOf(category) + SEVERITIES.indexOf(severity as (typeof SEVERITIES)[number]);
  const ranks = DETECTORS.map(rank);
  assert.equal(
    ranks,
    ranks.toSorted((one, other) => one - other),
  );
});

catalogue('what became a security check is retired, so that its advice is resolved', () => {
  assert.equal(RETIRED, ['missing-requests', 'missing-memory-limit', 'mutable-image-tag', 'host-path']);
  for (const id of RETIRED) assert.is(detectorOf(id), undefined);
  for (const id of ['resource-requests', 'memory-limit', 'image-tag', 'host-path']) assert.ok(CHECKS.some((check) => check.id === id));
});

catalogue('advice about a workload has what Suppressions match: the labels of its pods, and each image once', () => {
  const spec = {
    initContainers: [{ name: 'wait', image: 'wait:1' }, { name: 'other' }],
    containers: [
      { name: 'app', image: 'web:1' },
      { name: 'again', image: 'web:1' },
    ],
  };
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec };
  const { servers } = viewOf('shop', {
    Deployment: [{ metadata: { name: 'web', labels: { of: 'object' } }, spec: { template } } as never],
  });
  const said = { summary: 's', evidence: { a: 1 }, change: 'c' };
  assert.equal(about(servers[0]!, said), { kind: 'Deployment', name: 'web', labels, images: ['wait:1', 'web:1'], ...said });
});

catalogue('lists of names and numbers are told in words', () => {
  const rows: [string[], string][] = [
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c', 'd'], 'a, b, c and d'],
    [['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more'],
  ];
  for (const [names, told] of rows) assert.is(named(names), told);
  assert.equal(
    [0, 1, 2].map((count) => counted(count, 'replica')),
    ['0 replicas', '1 replica', '2 replicas'],
  );
});

catalogue.run();
