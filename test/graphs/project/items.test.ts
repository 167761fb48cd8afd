import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadManifest } from '../../../src/crd/manifest.ts';
import { CLUSTER_SCOPED, itemOf } from '../../../src/graphs/item.ts';
import { CLUSTER_PROJECTIONS, PROJECTIONS } from '../../../src/graphs/project/list.ts';
import { itemsOf } from '../../support/builders/graph.ts';

const project = suite('what graphs know of an object');

/** The state of an object, as `status: reason`, and its facts. */
const CASES: [what: string, yaml: string, health: string, metadata: object][] = [
  ['Deployment', '{spec: {replicas: 2}, status: {availableReplicas: 2, updatedReplicas: 2}}', 'healthy', { replicas: 2, available: 2 }],
  [
    'Deployment',
    '{spec: {replicas: 2}, status: {availableReplicas: 1, updatedReplicas: 2}}',
    'progressing: 1 of 2 available',
    { replicas: 2, available: 1 },
  ],
  [
    'Deployment',
    '{spec: {replicas: 2}, status: {availableReplicas: 2, updatedReplicas: 1}}',
    'progressing: 2 of 2 available',
    { replicas: 2, available: 2 },
  ],
  ['Deployment', '{}', 'progressing: 0 of 1 available', { replicas: 1, available: 0 }],
  [
    'Deployment',
    "{status: {availableReplicas: 1, updatedReplicas: 1, conditions: [{type: Progressing, status: 'False', reason: ProgressDeadlineExceeded}]}}",
    'failing: ProgressDeadlineExceeded',
    { replicas: 1, available: 1 },
  ],
  [
    'Deployment',
    "{status: {conditions: [{type: ReplicaFailure, status: 'True'}]}}",
    'failing: ReplicaFailure',
    { replicas: 1, available: 0 },
  ],
  [
    'Deployment',
    "{status: {availableReplicas: 1, updatedReplicas: 1, conditions: [{type: ReplicaFailure, status: 'False'}, {type: Progressing, status: 'True'}]}}",
    'healthy',
    { replicas: 1, available: 1 },
  ],
  ['ReplicaSet', '{spec: {replicas: 3}, status: {replicas: 3, readyReplicas: 3}}', 'healthy', { replicas: 3, available: 3 }],
  [
    'ReplicaSet',
    '{spec: {replicas: 3}, status: {replicas: 3, readyReplicas: 2}}',
    'progressing: 2 of 3 available',
    { replicas: 3, available: 2 },
  ],
  [
    'ReplicaSet',
    "{status: {conditions: [{type: ReplicaFailure, status: 'True', reason: Quota}]}}",
    'failing: Quota',
    { replicas: 1, available: 0 },
  ],
  [
    'ReplicaSet',
    "{status: {conditions: [{type: ReplicaFailure, status: 'True'}]}}",
    'failing: ReplicaFailure',
    { replicas: 1, available: 0 },
  ],
  ['ReplicaSet', '{spec: {replicas: 0}, status: {replicas: 0}}', 'healthy', { replicas: 0, available: 0 }],
  ['StatefulSet', '{status: {readyReplicas: 1}}', 'healthy', { replicas: 1, available: 1 }],
  ['StatefulSet', '{spec: {replicas: 2}}', 'progressing: 0 of 2 available', { replicas: 2, available: 0 }],
  ['DaemonSet', '{status: {desiredNumberScheduled: 3, numberAvailable: 3}}', 'healthy', { replicas: 3, available: 3 }],
  [
    'DaemonSet',
    '{status: {desiredNumberScheduled: 3, numberAvailable: 1}}',
    'progressing: 1 of 3 available',
    { replicas: 3, available: 1 },
  ],
  ['DaemonSet', '{}', 'healthy', { replicas: 0, available: 0 }],
  ['Job', '{status: {succeeded: 1, failed: 2}}', 'progressing: Running', { succeeded: 1, failed: 2 }],
  ['Job', '{spec: {suspend: true}}', 'healthy: Suspended', { succeeded: 0, failed: 0 }],
  [
    'Job',
    "{spec: {suspend: true}, status: {succeeded: 1, conditions: [{type: Complete, status: 'True'}]}}",
    'healthy',
    { succeeded: 1, failed: 0 },
  ],
  ['Job', "{status: {conditions: [{type: Failed, status: 'True'}]}}", 'failing: Failed', { succeeded: 0, failed: 0 }],
  [
    'Job',
    "{status: {conditions: [{type: FailureTarget, status: 'True', reason: PodFailurePolicy}]}}",
    'failing: PodFailurePolicy',
    { succeeded: 0, failed: 0 },
  ],
  ['CronJob', "{spec: {schedule: '@daily'}}", 'healthy', { schedule: '@daily' }],
  ['CronJob', '{spec: {suspend: true}}', 'healthy: Suspended', {}],
  ['HorizontalPodAutoscaler', '{spec: {minReplicas: 2, maxReplicas: 5}}', 'healthy', { min_replicas: 2, max_replicas: 5 }],
  [
    'HorizontalPodAutoscaler',
    "{spec: {maxReplicas: 5}, status: {conditions: [{type: AbleToScale, status: 'False', reason: FailedGetScale}]}}",
    'failing: FailedGetScale',
    { min_replicas: 1, max_replicas: 5 },
  ],
  [
    'HorizontalPodAutoscaler',
    "{spec: {maxReplicas: 5}, status: {conditions: [{type: AbleToScale, status: 'True'}, {type: ScalingActive, status: 'False'}]}}",
    'failing: ScalingActive',
    { min_replicas: 1, max_replicas: 5 },
  ],
  [
    'HorizontalPodAutoscaler',
    "{spec: {maxReplicas: 5}, status: {conditions: [{type: ScalingActive, status: 'False', reason: ScalingDisabled}]}}",
    'healthy',
    { min_replicas: 1, max_replicas: 5 },
  ],
  [
    'PodDisruptionBudget',
    '{status: {currentHealthy: 1, desiredHealthy: 2, expectedPods: 2, disruptionsAllowed: 0}}',
    'failing: 1 of 2 healthy',
    { disruptions_allowed: 0 },
  ],
  [
    'PodDisruptionBudget',
    '{status: {currentHealthy: 2, desiredHealthy: 2, expectedPods: 3, disruptionsAllowed: 1}}',
    'healthy',
    { disruptions_allowed: 1 },
  ],
  ['PodDisruptionBudget', '{status: {currentHealthy: 0, desiredHealthy: 1, expectedPods: 0}}', 'healthy', { disruptions_allowed: 0 }],
  ['ConfigMap', '{data: {a: x, b: y}, binaryData: {c: eA==}}', 'healthy', { keys: 3 }],
  ['ConfigMap', '{data: null}', 'healthy', { keys: 0 }],
  ['MirrorPod', '{spec: {source: {name: a}}}', 'progressing: Pending', { phase: 'Pending' }],
  ['MirrorPod', '{spec: {source: {name: a}}, status: {phase: Running}}', 'progressing: Running', { phase: 'Running' }],
  [
    'MirrorPod',
    '{spec: {source: {name: a}}, status: {phase: Succeeded, verdict: Healthy}}',
    'healthy',
    { phase: 'Succeeded', verdict: 'Healthy' },
  ],
  ['MirrorPod', '{spec: {source: {name: a}}, status: {phase: Failed}}', 'failing: Failed', { phase: 'Failed' }],
  ['MirrorPod', '{spec: {source: {name: a}}, status: {phase: Rejected}}', 'failing: Rejected', { phase: 'Rejected' }],
  ['MirrorPod', '{spec: {source: {name: a}}, status: {phase: Other}}', 'unknown', { phase: 'Other' }],
  ['PersistentVolumeClaim', '{status: {phase: Bound}}', 'healthy', { phase: 'Bound' }],
  ['PersistentVolumeClaim', '{status: {phase: Lost}}', 'failing: Lost', { phase: 'Lost' }],
  ['PersistentVolumeClaim', '{status: {phase: Pending}}', 'progressing: Pending', { phase: 'Pending' }],
  ['PersistentVolume', '{spec: {capacity: {storage: 1Gi}}, status: {phase: Released}}', 'healthy', { phase: 'Released', capacity: '1Gi' }],
  ['PersistentVolume', '{status: {phase: Failed, reason: Recycle}}', 'failing: Recycle', { phase: 'Failed', capacity: undefined }],
  ['PersistentVolume', '{status: {phase: Failed}}', 'failing: Failed', { phase: 'Failed', capacity: undefined }],
  ['PersistentVolume', '{}', 'healthy', { phase: 'Unknown', capacity: undefined }],
  ['Node', "{status: {conditions: [{type: Ready, status: 'True'}]}}", 'healthy', {}],
  ['Node', "{status: {conditions: [{type: Ready, status: 'False'}]}}", 'failing: NotReady', {}],
  ['Node', "{spec: {unschedulable: true}, status: {conditions: [{type: Ready, status: 'True'}]}}", 'healthy', { unschedulable: true }],
  ['Service', '{}', 'healthy', { type: 'ClusterIP', ports: [] }],
  [
    'Service',
    '{spec: {type: NodePort, ports: [{name: http, port: 80}, {port: 81}]}}',
    'healthy',
    { type: 'NodePort', ports: ['http:80', '81'] },
  ],
  ['EndpointSlice', '{endpoints: [{conditions: {ready: false}}, {}, {conditions: {ready: true}}]}', 'healthy', { endpoints: 3, ready: 2 }],
  ['EndpointSlice', '{endpoints: [{conditions: {ready: false}}]}', 'progressing: no ready endpoint', { endpoints: 1, ready: 0 }],
  ['EndpointSlice', '{endpoints: null}', 'progressing: no ready endpoint', { endpoints: 0, ready: 0 }],
  [
    'Ingress',
    '{spec: {rules: [{host: a.example}, {host: b.example}, {host: a.example}, {}]}}',
    'healthy',
    { hosts: ['a.example', 'b.example'] },
  ],
  ['NetworkPolicy', '{}', 'healthy', { policy_types: ['Ingress'] }],
  ['NetworkPolicy', '{spec: {egress: []}}', 'healthy', { policy_types: ['Ingress', 'Egress'] }],
  ['NetworkPolicy', '{spec: {policyTypes: [Egress], egress: []}}', 'healthy', { policy_types: ['Egress'] }],
  ['ServiceAccount', '{}', 'healthy', {}],
  ['StorageClass', '{}', 'healthy', {}],
];
for (const [kind, yaml, health, metadata] of CASES)
  project(`${kind} ${yaml} is ${health}`, () => {
    const object = { ...loadManifest(yaml), kind, metadata: { name: 'x', namespace: 'shop' } };
    const [item] = itemsOf(JSON.stringify(object));
    assert.equal(
      [item?.kind, item?.name, [item?.health.status, ...(item?.health.reason ? [item.health.reason] : [])].join(': ')],
      [kind, 'x', health],
    );
    assert.equal(item?.metadata, metadata);
  });

const PODS: [what: string, status: string, health: string, over?: string][] = [
  ['is ready', "{phase: Running, conditions: [{type: Ready, status: 'True'}]}", 'healthy'],
  ['has ended', '{phase: Succeeded}', 'healthy'],
  [
    'is not ready yet',
    "{phase: Running, startTime: '2026-01-01T00:09:30Z', conditions: [{type: Ready, status: 'False'}]}",
    'progressing: NotReady',
  ],
  [
    'waits',
    '{phase: Pending, containerStatuses: [{name: a, restartCount: 0, state: {waiting: {reason: ContainerCreating}}}]}',
    'progressing: ContainerCreating',
  ],
  ['waits for a node', '{phase: Pending}', 'progressing: Pending'],
  ['ends', '{phase: Pending}', 'progressing: Terminating', ", deletionTimestamp: '2026-01-01T00:10:00Z'"],
  ['is on a node that is away', '{phase: Unknown}', 'failing: NodeLost'],
  ['has no status', '{}', 'unknown'],
];
for (const [what, status, health, over = ''] of PODS)
  project(`a pod that ${what} is ${health}`, () => {
    const created = "creationTimestamp: '2026-01-01T00:09:30Z'";
    const [item] = itemsOf(
      `{kind: Pod, metadata: {name: x, namespace: shop, ${created}${over}}, spec: {containers: [{name: a}]}, status: ${status}}`,
    );
    assert.is([item?.health.status, ...(item?.health.reason ? [item.health.reason] : [])].join(': '), health);
  });

project('the facts of a pod: phase, restarts of all its containers, and its node', () => {
  const statuses = '[{name: a, restartCount: 2, state: {}}, {name: b, restartCount: 3, state: {}}]';
  const facts = (spec: string, status: string) =>
    itemsOf(`{kind: Pod, metadata: {name: x, namespace: shop}, spec: {containers: [{name: a}, {name: b}]${spec}}, status: ${status}}`)[0]
      ?.metadata;
  assert.equal(facts(', nodeName: n1', `{phase: Running, containerStatuses: ${statuses}}`), { phase: 'Running', restarts: 5, node: 'n1' });
  assert.equal(facts('', '{}'), { phase: 'Unknown', restarts: 0 });
});

project('references of a pod are one each: optional only if all are, with the keys that must be there', () => {
  const from = (name: string, key: string, optional = '') =>
    `{name: V, valueFrom: {configMapKeyRef: {name: ${name}, key: ${key}${optional}}}}`;
  const references = (env: string[], spec = '') =>
    itemsOf(
      `{kind: Pod, metadata: {name: x, namespace: shop}, spec: {containers: [{name: a, env: [${env.join()}]}]${spec}}}`,
    )[0]?.references.filter(({ relation }) => relation !== 'runs-as');
  const uses = { relation: 'uses', kind: 'ConfigMap', name: 'c' };
  assert.equal(references([from('c', 'a'), from('c', 'b'), from('c', 'a')]), [{ ...uses, keys: ['a', 'b'] }]);
  assert.equal(references([from('c', 'a', ', optional: true'), from('c', 'b', ', optional: true')]), [{ ...uses, optional: true }]);
  assert.equal(references([from('c', 'a', ', optional: true'), from('c', 'b')]), [{ ...uses, keys: ['b'] }]);
  assert.equal(references([from('c', 'a'), from('c', 'b', ', optional: true')]), [{ ...uses, keys: ['a'] }]);
  const volumes =
    ', volumes: [{name: v, csi: {driver: x, nodePublishSecretRef: {name: s}}}, {name: w, persistentVolumeClaim: {claimName: d}}]';
  assert.equal(references([], volumes), [
    { relation: 'mounts', kind: 'Secret', name: 's' },
    { relation: 'mounts', kind: 'PersistentVolumeClaim', name: 'd' },
  ]);
  assert.equal(
    references([], ', serviceAccount: old, ephemeralContainers: [{name: e, envFrom: [{configMapRef: {name: c, optional: true}}]}]'),
    [{ ...uses, optional: true }],
  );
});

project('a pod runs as the account of either field', () => {
  const account = (spec: string) =>
    itemsOf(`{kind: Pod, metadata: {name: x, namespace: shop}, spec: {containers: []${spec}}}`)[0]?.references.map(({ name }) => name);
  assert.equal(
    [account(''), account(', serviceAccount: old'), account(', serviceAccountName: new, serviceAccount: old')],
    [['default'], ['old'], ['new']],
  );
});

project('an Ingress sends to its default backend too; what names no Service is no reference', () => {
  const yaml =
    '{kind: Ingress, metadata: {name: x, namespace: shop}, spec: {defaultBackend: {service: {name: w, port: {number: 80}}}, rules: [{http: {paths: [{backend: {resource: {}}}, {backend: {service: {name: v}}}]}}]}}';
  assert.equal(itemsOf(yaml)[0]?.references, [
    { relation: 'routes', kind: 'Service', name: 'v' },
    { relation: 'routes', kind: 'Service', name: 'w', port: 80 },
  ]);
});

project('an item has the fields that all kinds have', () => {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u', controller: true };
  assert.equal(itemOf('Pod', { metadata: { name: 'x', namespace: 'shop', uid: 'i', labels: { a: 'b' }, ownerReferences: [owner] } }), {
    kind: 'Pod',
    namespace: 'shop',
    name: 'x',
    uid: 'i',
    labels: { a: 'b' },
    owners: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }],
    references: [],
    health: { status: 'healthy' },
    metadata: {},
  });
  const { namespace, name, uid, labels, owners } = itemOf('Pod', { metadata: {} });
  assert.equal([namespace, name, uid, labels, owners], ['default', '', '', {}, []]);
  for (const kind of [...CLUSTER_SCOPED]) assert.is(itemOf(kind, { metadata: { name: 'x' } }).namespace, 'cluster-wide', kind);
});

project('kinds without a namespace are cluster-wide, all others are not', () => {
  for (const kind of Object.keys(CLUSTER_PROJECTIONS)) assert.ok(CLUSTER_SCOPED.has(kind), kind);
  for (const kind of Object.keys(PROJECTIONS)) assert.not(CLUSTER_SCOPED.has(kind), kind);
  assert.ok(CLUSTER_SCOPED.has('ClusterRole') && CLUSTER_SCOPED.has('ClusterRoleBinding'));
});

project('the labels of a Node are not kept', () => {
  assert.equal(itemsOf('{kind: Node, metadata: {name: n, labels: {zone: a}}}')[0]?.labels, {});
});

project.run();
