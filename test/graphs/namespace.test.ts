import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Canvas } from '../../src/graphs/canvas.ts';
import { aroundNode } from '../../src/graphs/workload.ts';
import { drawn, itemsOf, podYaml } from '../support/builders/graph.ts';

// From objects to edges. Each relation has a case in which it exists, and near misses in which it does not.

const graphs = suite('graphs of workloads');

const edgesOf = (graph: Pick<Canvas, 'edges'>): string[] => graph.edges().map(({ source, kind, target }) => `${source} ${kind} ${target}`);
/** All edges except for the service account that every pod has. */
const edges = (yaml: string): string[] => edgesOf(drawn(yaml)).filter((edge) => !edge.endsWith(' runs-as ServiceAccount/shop/default'));

const owner = (kind: string, name: string, uid: string, apiVersion = 'apps/v1') =>
  `ownerReferences: [{apiVersion: ${apiVersion}, kind: ${kind}, name: ${name}, uid: ${uid}, controller: true}]`;
const service = (name: string, selector: string, namespace = 'shop') =>
  `{kind: Service, metadata: {name: ${name}, namespace: ${namespace}}, spec: {selector: ${selector}, ports: [{name: http, port: 80}]}}`;
const ingress = (backend: string) =>
  `{kind: Ingress, metadata: {name: front, namespace: shop}, spec: {rules: [{http: {paths: [{backend: {service: ${backend}}}]}}]}}`;
const documents = (...parts: string[]): string => parts.join('\n---\n');

const RELATIONS: [sentence: string, yaml: string, expected: string[]][] = [
  [
    'a ReplicaSet owns its pod, and its Deployment owns it',
    documents(
      '{kind: Deployment, metadata: {name: web, namespace: shop, uid: d1}, spec: {replicas: 1}}',
      `{kind: ReplicaSet, metadata: {name: web-1, namespace: shop, uid: r1, ${owner('Deployment', 'web', 'd1')}}, spec: {replicas: 1}}`,
      podYaml('web-1-a', { metadata: owner('ReplicaSet', 'web-1', 'r1') }),
    ),
    ['Deployment/shop/web owns ReplicaSet/shop/web-1', 'ReplicaSet/shop/web-1 owns Pod/shop/web-1-a'],
  ],
  [
    'a Deployment of the same name that came later owns nothing',
    documents(
      '{kind: Deployment, metadata: {name: web, namespace: shop, uid: d2}, spec: {replicas: 1}}',
      `{kind: ReplicaSet, metadata: {name: web-1, namespace: shop, uid: r1, ${owner('Deployment', 'web', 'd1')}}, spec: {replicas: 1}}`,
    ),
    [],
  ],
  [
    'an old revision without pods is not drawn',
    `{kind: ReplicaSet, metadata: {name: web-0, namespace: shop, ${owner('Deployment', 'web', 'd1')}}, spec: {replicas: 0}, status: {replicas: 0}}`,
    [],
  ],
  [
    'an owner of a custom kind is drawn',
    podYaml('a', { metadata: owner('Rollout', 'web', 'x1', 'argoproj.io/v1alpha1') }),
    ['Rollout/shop/web owns Pod/shop/a'],
  ],
  [
    'a custom kind with the name of a known one is another kind',
    documents(service('web', '{app: other}'), podYaml('a', { metadata: owner('Service', 'web', 'x1', 'serving.knative.dev/v1') })),
    ['Service.serving.knative.dev/shop/web owns Pod/shop/a'],
  ],
  [
    'a pod of the kubelet is owned by its node',
    podYaml('static', { metadata: owner('Node', 'n1', 'u1', 'v1') }),
    ['Node/cluster-wide/n1 owns Pod/shop/static'],
  ],
  [
    'a Service selects pods by all its labels',
    documents(service('web', '{app: web}'), podYaml('a')),
    ['Service/shop/web selects Pod/shop/a'],
  ],
  ['not those of another namespace', documents(service('web', '{app: web}', 'blog'), podYaml('a')), []],
  ['not those whose label is almost equal', documents(service('web', '{app: web2}'), podYaml('a')), []],
  ['not those that lack one of two labels', documents(service('web', '{app: web, tier: front}'), podYaml('a')), []],
  ['one without a selector selects nothing', documents(service('web', 'null'), podYaml('a')), []],
  [
    'an EndpointSlice belongs to the Service of its label and has its pods',
    documents(
      service('web', 'null'),
      podYaml('a'),
      `{kind: EndpointSlice, metadata: {name: web-x, namespace: shop, labels: {kubernetes.io/service-name: web}}, endpoints: [{targetRef: {kind: Pod, name: a}}, {targetRef: {kind: Pod, name: gone}}]}`,
    ),
    ['Service/shop/web publishes EndpointSlice/shop/web-x', 'EndpointSlice/shop/web-x targets Pod/shop/a'],
  ],
  [
    'not to a Service of that name in another namespace, and its pods neither',
    documents(
      service('web', 'null', 'blog'),
      podYaml('a').replace('namespace: shop', 'namespace: blog'),
      '{kind: EndpointSlice, metadata: {name: web-x, namespace: blog, labels: {kubernetes.io/service-name: web}}, endpoints: [{targetRef: {kind: Pod, name: a}}]}',
    ),
    [],
  ],
  [
    'a slice without the label belongs to none, and has no ends of another kind',
    documents(
      service('web', 'null'),
      podYaml('a'),
      '{kind: EndpointSlice, metadata: {name: web, namespace: shop}, endpoints: [{targetRef: {kind: Node, name: a}}]}',
    ),
    [],
  ],
  [
    'a StatefulSet has its names from a Service',
    documents(service('db', 'null'), '{kind: StatefulSet, metadata: {name: pg, namespace: shop}, spec: {replicas: 0, serviceName: db}}'),
    ['StatefulSet/shop/pg named-by Service/shop/db'],
  ],
  [
    'not from a Service that only has the same name',
    documents(service('pg', 'null'), '{kind: StatefulSet, metadata: {name: pg, namespace: shop}, spec: {replicas: 0}}'),
    [],
  ],
  [
    'an Ingress uses the Secret of its certificate',
    '{kind: Ingress, metadata: {name: front, namespace: shop}, spec: {tls: [{secretName: cert}, {hosts: [a.example]}]}}',
    ['Ingress/shop/front uses Secret/shop/cert'],
  ],
  [
    'an Ingress routes to a port by its name',
    documents(service('web', 'null'), ingress('{name: web, port: {name: http}}')),
    ['Ingress/shop/front routes Service/shop/web'],
  ],
  [
    'and by its number',
    documents(service('web', 'null'), ingress('{name: web, port: {number: 80}}')),
    ['Ingress/shop/front routes Service/shop/web'],
  ],
  [
    'a port that the Service does not have is a missing target',
    documents(service('web', 'null'), ingress('{name: web, port: {name: https}}')),
    ['Ingress/shop/front routes ServicePort/shop/web:https'],
  ],
  [
    'so is a Service of that name in another namespace only',
    documents(service('web', 'null', 'blog'), ingress('{name: web, port: {number: 80}}')),
    ['Ingress/shop/front routes Service/shop/web'],
  ],
  [
    'an autoscaler scales its target',
    documents(
      '{kind: HorizontalPodAutoscaler, metadata: {name: h, namespace: shop}, spec: {scaleTargetRef: {kind: Deployment, name: web}, maxReplicas: 3}}',
      '{kind: StatefulSet, metadata: {name: web, namespace: shop}, spec: {replicas: 0}}',
    ),
    ['HorizontalPodAutoscaler/shop/h scales Deployment/shop/web'],
  ],
  [
    'a budget protects the pods that it selects',
    documents(
      '{kind: PodDisruptionBudget, metadata: {name: b, namespace: shop}, spec: {selector: {matchLabels: {app: web}}}}',
      podYaml('a'),
    ),
    ['PodDisruptionBudget/shop/b protects Pod/shop/a'],
  ],
  [
    'not those with a label that is almost equal, nor those of another namespace',
    documents(
      '{kind: PodDisruptionBudget, metadata: {name: b, namespace: shop}, spec: {selector: {matchLabels: {app: web2}}}}',
      '{kind: PodDisruptionBudget, metadata: {name: b, namespace: blog}, spec: {selector: {matchLabels: {app: web}}}}',
      podYaml('a'),
    ),
    [],
  ],
  [
    'a budget without a selector protects none',
    documents('{kind: PodDisruptionBudget, metadata: {name: b, namespace: shop}}', podYaml('a')),
    [],
  ],
  [
    'a policy with an empty selector applies to all pods of its namespace',
    documents('{kind: NetworkPolicy, metadata: {name: deny, namespace: shop}, spec: {podSelector: {}}}', podYaml('a')),
    ['NetworkPolicy/shop/deny applies-to Pod/shop/a'],
  ],
  [
    'a policy of another namespace does not',
    documents('{kind: NetworkPolicy, metadata: {name: deny, namespace: blog}, spec: {podSelector: {}}}', podYaml('a')),
    [],
  ],
  [
    'a claim leads to its volume and that to its class',
    documents(
      podYaml('a', { spec: 'volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]' }),
      '{kind: PersistentVolumeClaim, metadata: {name: data, namespace: shop}, spec: {volumeName: pv1, storageClassName: fast}, status: {phase: Bound}}',
      '{kind: PersistentVolume, metadata: {name: pv1}, spec: {storageClassName: fast}}',
      '{kind: PersistentVolume, metadata: {name: pv2}, spec: {storageClassName: fast}}',
      '{kind: StorageClass, metadata: {name: fast}}',
    ),
    [
      'Pod/shop/a mounts PersistentVolumeClaim/shop/data',
      'PersistentVolumeClaim/shop/data bound-to PersistentVolume/cluster-wide/pv1',
      'PersistentVolume/cluster-wide/pv1 of-class StorageClass/cluster-wide/fast',
    ],
  ],
  [
    'a claim, a ConfigMap and a volume with these names in another namespace do not count',
    documents(
      podYaml('a', { spec: 'volumes: [{name: d, persistentVolumeClaim: {claimName: data}}, {name: c, configMap: {name: one}}]' }),
      '{kind: PersistentVolumeClaim, metadata: {name: data, namespace: blog}, spec: {volumeName: pv1}, status: {phase: Bound}}',
      '{kind: PersistentVolume, metadata: {name: pv1}}',
      '{kind: ConfigMap, metadata: {name: one, namespace: blog}}',
    ),
    ['Pod/shop/a mounts ConfigMap/shop/one', 'Pod/shop/a mounts PersistentVolumeClaim/shop/data'],
  ],
  [
    'a claim without a class leads to none',
    '{kind: PersistentVolumeClaim, metadata: {name: data, namespace: shop}, spec: {storageClassName: ""}}',
    [],
  ],
  [
    'an unbound claim leads to its class',
    '{kind: PersistentVolumeClaim, metadata: {name: data, namespace: shop}, spec: {storageClassName: fast}}',
    ['PersistentVolumeClaim/shop/data of-class StorageClass/cluster-wide/fast'],
  ],
  [
    'configuration counts in variables, files, projections, init containers and pull secrets, each once',
    podYaml('a', {
      spec: `initContainers: [{name: i, image: x, envFrom: [{configMapRef: {name: one}}, {secretRef: {name: s1}}]}], imagePullSecrets: [{name: pull}],
        volumes: [{name: a, configMap: {name: two}}, {name: b, secret: {secretName: s2}}, {name: c, projected: {sources: [{configMap: {name: three}}, {secret: {name: s3}}]}}, {name: d, configMap: {name: two}}]`,
    }),
    [
      'Pod/shop/a uses ConfigMap/shop/one',
      'Pod/shop/a uses Secret/shop/s1',
      'Pod/shop/a mounts ConfigMap/shop/two',
      'Pod/shop/a mounts Secret/shop/s2',
      'Pod/shop/a mounts ConfigMap/shop/three',
      'Pod/shop/a mounts Secret/shop/s3',
      'Pod/shop/a pulls-with Secret/shop/pull',
    ],
  ],
  [
    'single variables count, and plain ones do not',
    podYaml('a').replace(
      '{name: app, image: web}',
      '{name: app, image: web, env: [{name: A, valueFrom: {configMapKeyRef: {name: one, key: a}}}, {name: B, valueFrom: {secretKeyRef: {name: s1, key: b}}}, {name: C, value: two}]}',
    ),
    ['Pod/shop/a uses ConfigMap/shop/one', 'Pod/shop/a uses Secret/shop/s1'],
  ],
  [
    'a key that the ConfigMap does not have is a missing target of its own',
    documents(
      '{kind: ConfigMap, metadata: {name: c, namespace: shop}, data: {max-items: "1", currency: EUR}}',
      podYaml('a', { spec: 'volumes: [{name: v, configMap: {name: c, items: [{key: max_items, path: x}, {key: currency, path: y}]}}]' }),
    ),
    ['Pod/shop/a mounts ConfigMap/shop/c', 'Pod/shop/a mounts ConfigMapKey/shop/c:max_items'],
  ],
  [
    'an optional object that does not exist is not drawn',
    podYaml('a', { spec: 'volumes: [{name: v, configMap: {name: c, optional: true}}]' }),
    [],
  ],
  ['a pod runs on its node', podYaml('a', { spec: 'nodeName: n1' }), ['Pod/shop/a runs-on Node/cluster-wide/n1']],
  [
    'a mirror stands beside its source and owns its pod',
    documents(
      '{kind: MirrorPod, metadata: {name: m, namespace: shop, uid: m1}, spec: {source: {name: a}}, status: {phase: Running}}',
      podYaml('a'),
      podYaml('a-mirror', { metadata: owner('MirrorPod', 'm', 'm1', 'podmend.dev/v1alpha1') }),
    ),
    ['MirrorPod/shop/m mirrors Pod/shop/a', 'MirrorPod/shop/m owns Pod/shop/a-mirror'],
  ],
  ['a pod without a node is on no node', documents(podYaml('a'), '{kind: Node, metadata: {name: a}}'), []],
  [
    'a mirror in another namespace belongs to another pod',
    documents('{kind: MirrorPod, metadata: {name: m, namespace: blog}, spec: {source: {name: a}}}', podYaml('a')),
    [],
  ],
  [
    'a mirror of a pod that is gone stands alone',
    '{kind: MirrorPod, metadata: {name: m, namespace: shop}, spec: {source: {name: gone}}}',
    [],
  ],
];
for (const [sentence, yaml, expected] of RELATIONS) graphs(sentence, () => assert.equal(edges(yaml).sort(), [...expected].sort()));

graphs('a pod runs as the account that it names, else as default', () => {
  const yaml = documents(
    podYaml('a', { spec: 'serviceAccountName: bot' }),
    podYaml('b'),
    '{kind: ServiceAccount, metadata: {name: default, namespace: shop}}',
  );
  const graph = drawn(yaml);
  assert.equal(edgesOf(graph), ['Pod/shop/a runs-as ServiceAccount/shop/bot', 'Pod/shop/b runs-as ServiceAccount/shop/default']);
  assert.is(graph.node('ServiceAccount/shop/bot')?.status, 'missing');
  assert.is(graph.node('ServiceAccount/shop/default')?.status, 'healthy');
});

const STATUSES: [sentence: string, yaml: string, id: string, status: string, reason?: string][] = [
  ['a ready pod', podYaml('a'), 'Pod/shop/a', 'healthy'],
  ['a ConfigMap that is not there', podYaml('a', { spec: 'volumes: [{name: v, configMap: {name: c}}]' }), 'ConfigMap/shop/c', 'missing'],
  ['a node that is not there', podYaml('a', { spec: 'nodeName: n1' }), 'Node/cluster-wide/n1', 'missing'],
  ['a Secret, which nobody may read', podYaml('a', { spec: 'imagePullSecrets: [{name: s}]' }), 'Secret/shop/s', 'unknown'],
  [
    'an owner of a kind that nobody reads',
    podYaml('a', { metadata: owner('Rollout', 'r', 'u', 'argoproj.io/v1') }),
    'Rollout/shop/r',
    'unknown',
  ],
  ['an owner that is gone', podYaml('a', { metadata: owner('Job', 'j', 'u', 'batch/v1') }), 'Job/shop/j', 'missing'],
  ['a Service that selects nothing', service('web', '{app: x}'), 'Service/shop/web', 'failing', 'selects no pod'],
  ['a Service with a ready pod', documents(service('web', '{app: web}'), podYaml('a')), 'Service/shop/web', 'healthy'],
  [
    'a Service whose only pod waits',
    documents(
      service('web', '{app: web}'),
      '{kind: Pod, metadata: {name: a, namespace: shop, labels: {app: web}}, spec: {containers: [{name: a}]}, status: {phase: Pending}}',
    ),
    'Service/shop/web',
    'failing',
    'no ready pod',
  ],
  ['an Ingress to nowhere', ingress('{name: web, port: {number: 80}}'), 'Ingress/shop/front', 'failing', 'Service web is missing'],
  [
    'a Deployment that cannot create pods',
    `{kind: Deployment, metadata: {name: w, namespace: shop}, status: {conditions: [{type: ReplicaFailure, status: 'True', reason: FailedCreate}]}}`,
    'Deployment/shop/w',
    'failing',
    'FailedCreate',
  ],
  [
    'a Deployment whose controller has not seen its newest spec',
    '{kind: Deployment, metadata: {name: w, namespace: shop, generation: 3}, spec: {replicas: 1}, status: {observedGeneration: 2, availableReplicas: 1, updatedReplicas: 1}}',
    'Deployment/shop/w',
    'progressing',
    '1 of 1 available',
  ],
  [
    'a Job that gave up',
    `{kind: Job, metadata: {name: j, namespace: shop}, status: {conditions: [{type: Failed, status: 'True', reason: BackoffLimitExceeded}]}}`,
    'Job/shop/j',
    'failing',
    'BackoffLimitExceeded',
  ],
  [
    'a claim that waits',
    '{kind: PersistentVolumeClaim, metadata: {name: c, namespace: shop}}',
    'PersistentVolumeClaim/shop/c',
    'progressing',
    'Pending',
  ],
];
for (const [sentence, yaml, id, status, reason] of STATUSES)
  graphs(`${sentence} is ${status}`, () => {
    const node = drawn(yaml).node(id);
    assert.equal([node?.status, node?.metadata?.['reason']], [status, reason]);
  });

graphs('an autoscaler without a minimum has the one that Kubernetes gives it', () => {
  const yaml = '{kind: HorizontalPodAutoscaler, metadata: {name: h, namespace: shop}, spec: {maxReplicas: 3}}';
  const { min_replicas, max_replicas } = drawn(yaml).node('HorizontalPodAutoscaler/shop/h')?.metadata ?? {};
  assert.equal([min_replicas, max_replicas], [1, 3]);
});

const CRASHING = documents(
  '{kind: Deployment, metadata: {name: web, namespace: shop, uid: d1}, spec: {replicas: 1}}',
  `{kind: ReplicaSet, metadata: {name: web-1, namespace: shop, uid: r1, ${owner('Deployment', 'web', 'd1')}}, spec: {replicas: 1}}`,
  `
kind: Pod
metadata: {name: a, namespace: shop, labels: {app: web}, ${owner('ReplicaSet', 'web-1', 'r1')}}
spec: {containers: [{name: app}]}
status:
  phase: Running
  containerStatuses: [{name: app, restartCount: 4, ready: false, image: x, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 1, reason: Error}}}]
`,
);
graphs('owners of a failing pod fail for its reason', () => {
  const graph = drawn(CRASHING);
  for (const id of ['Pod/shop/a', 'ReplicaSet/shop/web-1', 'Deployment/shop/web'])
    assert.equal([graph.node(id)?.status, graph.node(id)?.metadata?.['reason']], ['failing', 'CrashLoopBackOff'], id);
});

graphs('the failure record of a pod is named, and says why where the pod alone does not', () => {
  const waiting = '{kind: Pod, metadata: {name: a, namespace: shop}, spec: {containers: [{name: a}]}, status: {phase: Pending}}';
  const records = new Map([['a', { id: 7, reason: 'FailedMount' }]]);
  const { status, metadata } = drawn(waiting, { records }).node('Pod/shop/a')!;
  assert.equal([status, metadata?.['reason'], metadata?.['failure_id']], ['failing', 'FailedMount', 7]);
  // A record stays open for some minutes after the pod is ready again.
  assert.is(drawn(podYaml('a'), { records }).node('Pod/shop/a')?.status, 'healthy');
});

const LABELS: [labels: string, application: string | undefined][] = [
  ['{}', undefined],
  ['{k8s-app: dns}', 'dns'],
  ['{k8s-app: dns, app: web}', 'web'],
  ['{k8s-app: dns, app: web, app.kubernetes.io/name: till}', 'till'],
  ["{app: '', k8s-app: dns}", 'dns'],
];
for (const [labels, application] of LABELS)
  graphs(`labels ${labels} name the application ${String(application)}`, () => {
    const node = drawn(`{kind: ServiceAccount, metadata: {name: a, namespace: shop, labels: ${labels}}}`).node('ServiceAccount/shop/a');
    assert.is(node?.metadata?.['application'], application);
  });

graphs('an owner that is not there is named with its version', () => {
  const metadata = drawn(podYaml('a', { metadata: owner('Rollout', 'r', 'u', 'argoproj.io/v1') })).node('Rollout/shop/r')?.metadata;
  assert.equal(metadata, { api_version: 'argoproj.io/v1' });
});

graphs('a pod that has ended does not answer for its Service', () => {
  const ended = podYaml('a').replace('phase: Running', 'phase: Succeeded');
  assert.is(drawn(documents(service('web', '{app: web}'), ended)).node('Service/shop/web')?.metadata?.['reason'], 'no ready pod');
});

graphs('an autoscaler whose target is missing fails; a pod whose ConfigMap is missing does not fail for that', () => {
  const scaler =
    '{kind: HorizontalPodAutoscaler, metadata: {name: h, namespace: shop}, spec: {scaleTargetRef: {kind: Deployment, name: gone}, maxReplicas: 3}}';
  const { status, metadata } = drawn(scaler).node('HorizontalPodAutoscaler/shop/h')!;
  assert.equal([status, metadata?.['reason']], ['failing', 'Deployment gone is missing']);
  assert.is(drawn(podYaml('a', { spec: 'volumes: [{name: v, configMap: {name: gone}}]' })).node('Pod/shop/a')?.status, 'healthy');
});

graphs('the first reason of an owner stays', () => {
  const refused = CRASHING.replace(
    'spec: {replicas: 1}}',
    "spec: {replicas: 1}, status: {conditions: [{type: ReplicaFailure, status: 'True', reason: Quota}]}}",
  );
  const graph = drawn(refused);
  assert.equal(
    ['Deployment/shop/web', 'ReplicaSet/shop/web-1'].map((id) => graph.node(id)?.metadata?.['reason']),
    ['Quota', 'CrashLoopBackOff'],
  );
});

graphs('names of Secrets say which of them are missing, where they may be read', () => {
  const yaml = podYaml('a', { spec: 'imagePullSecrets: [{name: there}, {name: gone}]' });
  const graph = drawn(yaml, { secrets: [{ name: 'there', keys: [] }] });
  assert.equal(
    ['there', 'gone'].map((name) => graph.node(`Secret/shop/${name}`)?.status),
    ['healthy', 'missing'],
  );
});

graphs('targets of kinds that may not be read are unknown, not missing', () => {
  const graph = drawn(podYaml('a', { spec: 'nodeName: n1' }), { known: new Set(['Pod']) });
  assert.is(graph.node('Node/cluster-wide/n1')?.status, 'unknown');
  assert.is(graph.node('ServiceAccount/shop/default')?.status, 'unknown');
});

graphs('no value of a ConfigMap and of an environment is kept', () => {
  const yaml = documents(
    '{kind: ConfigMap, metadata: {name: c, namespace: shop, annotations: {note: canary-1}}, data: {a: canary-2}}',
    '{kind: Pod, metadata: {name: a, namespace: shop}, spec: {containers: [{name: a, env: [{name: X, value: canary-3}], args: [canary-4]}]}}',
  );
  assert.not.match(JSON.stringify(itemsOf(yaml)), 'canary');
});

const TEAM = documents(
  CRASHING,
  service('web', '{app: web}'),
  ingress('{name: web, port: {number: 80}}'),
  podYaml('other', { spec: 'nodeName: n1, volumes: [{name: v, configMap: {name: shared}}]', metadata: 'annotations: {}' }).replace(
    'app: web',
    'app: other',
  ),
  service('other', '{app: other}'),
  '{kind: ConfigMap, metadata: {name: unused, namespace: shop}}',
  '{kind: PodDisruptionBudget, metadata: {name: b, namespace: shop}, spec: {selector: {matchLabels: {app: web}}}}',
);
graphs('the graph of a workload has what belongs to it and nothing of its neighbours', () => {
  const around = aroundNode(drawn(TEAM).graph(), 'Deployment/shop/web')!;
  assert.equal(around.nodes.map(({ id }) => id).sort(), [
    'Deployment/shop/web',
    'Ingress/shop/front',
    'Pod/shop/a',
    'PodDisruptionBudget/shop/b',
    'ReplicaSet/shop/web-1',
    'Service/shop/web',
    'ServiceAccount/shop/default',
  ]);
  const ids = new Set(around.nodes.map(({ id }) => id));
  assert.ok(around.edges.every(({ source, target }) => ids.has(source) && ids.has(target)));
  assert.is(aroundNode(drawn(TEAM).graph(), 'Deployment/shop/web2'), undefined);
});

graphs.run();
