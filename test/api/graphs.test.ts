import { load } from 'js-yaml';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Graph, GraphNamespaces, RoleListing } from '../../src/contract/graph.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { ClusterUnavailable, KubeError } from '../../src/kube/errors.ts';
import { graphReader } from '../../src/kube/graph-reader.ts';
import { type Kind, KINDS } from '../../src/kube/kinds.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { clusters, type Cluster } from '../support/cluster/clusters.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';

const SHOP = `
{kind: Namespace, metadata: {name: drawn}}
---
{kind: Namespace, metadata: {name: hidden}}
---
{kind: ServiceAccount, metadata: {name: bot, namespace: drawn}}
---
{kind: Deployment, metadata: {name: idle, namespace: drawn}, spec: {replicas: 0, selector: {matchLabels: {app: idle}}, template: {metadata: {labels: {app: idle}}, spec: {containers: [{name: a, image: 'web:1'}]}}}}
---
kind: Pod
metadata: {name: web, namespace: drawn, labels: {app: web}, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"canary":1}'}}
spec:
  serviceAccountName: bot
  # No node has it: the pod stays without a node on every cluster.
  nodeSelector: {nowhere: here}
  automountServiceAccountToken: false
  containers: [{name: app, image: 'web:1', env: [{name: DB_PASSWORD, value: canary-pw-4711}]}]
  volumes: [{name: v, configMap: {name: gone}}]
---
{kind: Service, metadata: {name: web, namespace: drawn}, spec: {selector: {app: web}, ports: [{name: http, port: 80}]}}
---
kind: Ingress
metadata: {name: front, namespace: drawn}
spec: {rules: [{http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {name: https}}}}]}}]}
---
{kind: Secret, metadata: {name: key, namespace: drawn}, stringData: {key: canary-pw-4711}}
---
{kind: Role, metadata: {name: 'ops:reader', namespace: drawn}, rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]}
---
{kind: RoleBinding, metadata: {name: readers, namespace: drawn}, roleRef: {kind: Role, name: 'ops:reader', apiGroup: rbac.authorization.k8s.io}, subjects: [{kind: ServiceAccount, name: bot, namespace: drawn}, {kind: ServiceAccount, name: none, namespace: drawn}]}
---
{kind: Role, metadata: {name: secretive, namespace: hidden}, rules: []}
---
{kind: ClusterRole, metadata: {name: drawn-viewer}, rules: [{apiGroups: [apps], resources: [deployments], verbs: [list]}]}
---
kind: ClusterRoleBinding
metadata: {name: drawn-viewers}
roleRef: {kind: ClusterRole, name: drawn-viewer, apiGroup: rbac.authorization.k8s.io}
subjects: [{kind: User, name: ann, apiGroup: rbac.authorization.k8s.io}, {kind: ServiceAccount, name: default, namespace: hidden}]
---
{kind: ClusterRole, metadata: {name: drawn-all}, aggregationRule: {clusterRoleSelectors: [{matchLabels: {drawn: part}}]}}
---
{kind: ClusterRole, metadata: {name: drawn-part, labels: {drawn: part}}, rules: []}
---
{kind: ClusterRole, metadata: {name: drawn-apart, labels: {drawn: apart}}, rules: []}
`;
/** Every relation that needs no controller. Namespace `near` has all of them again, under the same names. */
const related = (namespace: string): string => `
{kind: Namespace, metadata: {name: ${namespace}}}
---
{kind: ServiceAccount, metadata: {name: bot, namespace: ${namespace}}}
---
{kind: ConfigMap, metadata: {name: settings, namespace: ${namespace}}, data: {mode: fast}}
---
{kind: ConfigMap, metadata: {name: others, namespace: ${namespace}}, data: {mode: slow}}
---
{kind: PersistentVolumeClaim, metadata: {name: data, namespace: ${namespace}}, spec: {accessModes: [ReadWriteOnce], storageClassName: fast, volumeName: pv-${namespace}, resources: {requests: {storage: 1Gi}}}}
---
{kind: Service, metadata: {name: web, namespace: ${namespace}}, spec: {selector: {app: web}, ports: [{name: http, port: 80}]}}
---
{kind: EndpointSlice, metadata: {name: web-own, namespace: ${namespace}, labels: {kubernetes.io/service-name: web}}, addressType: IPv4, endpoints: [{addresses: [10.1.2.3], targetRef: {kind: Pod, name: web, namespace: ${namespace}}}]}
---
kind: Ingress
metadata: {name: front, namespace: ${namespace}}
spec:
  tls: [{secretName: cert}]
  rules: [{http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {name: http}}}}]}}]
---
{kind: HorizontalPodAutoscaler, metadata: {name: more, namespace: ${namespace}}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: idle}, maxReplicas: 3}}
---
{kind: PodDisruptionBudget, metadata: {name: keep, namespace: ${namespace}}, spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}}
---
{kind: NetworkPolicy, metadata: {name: deny, namespace: ${namespace}}, spec: {podSelector: {matchLabels: {app: web}}}}
---
{kind: StatefulSet, metadata: {name: pg, namespace: ${namespace}}, spec: {replicas: 0, serviceName: web, selector: {matchLabels: {app: pg}}, template: {metadata: {labels: {app: pg}}, spec: {containers: [{name: a, image: 'web:1'}]}}}}
---
kind: Pod
metadata: {name: web, namespace: ${namespace}, labels: {app: web}, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: settings, uid: UID}]}
spec:
  serviceAccountName: bot
  nodeSelector: {nowhere: here}
  automountServiceAccountToken: false
  imagePullSecrets: [{name: pull}]
  containers:
    - {name: app, image: 'web:1', env: [{name: MODE, valueFrom: {configMapKeyRef: {name: settings, key: mode}}}]}
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
---
kind: Pod
metadata: {name: almost, namespace: ${namespace}, labels: {app: web2}}
spec: {serviceAccountName: bot, nodeName: node-of-${namespace}, automountServiceAccountToken: false, containers: [{name: app, image: 'web:1'}]}
`;
const STORAGE = `
{kind: StorageClass, metadata: {name: fast}, provisioner: none.example}
---
{kind: PersistentVolume, metadata: {name: pv-related}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], storageClassName: fast, hostPath: {path: /tmp}}}
`;
/** All edges of namespace `related`. The ids omit the namespace. */
const RELATED_EDGES = [
  'ConfigMap/settings|owns|Pod/web',
  'EndpointSlice/web-own|targets|Pod/web',
  'HorizontalPodAutoscaler/more|scales|Deployment/idle',
  'Ingress/front|routes|Service/web',
  'Ingress/front|uses|Secret/cert',
  'NetworkPolicy/deny|applies-to|Pod/web',
  'PersistentVolume/cluster-wide/pv-related|of-class|StorageClass/cluster-wide/fast',
  'PersistentVolumeClaim/data|bound-to|PersistentVolume/cluster-wide/pv-related',
  'Pod/almost|runs-as|ServiceAccount/bot',
  'Pod/almost|runs-on|Node/cluster-wide/node-of-related',
  'Pod/web|mounts|PersistentVolumeClaim/data',
  'Pod/web|pulls-with|Secret/pull',
  'Pod/web|runs-as|ServiceAccount/bot',
  'Pod/web|uses|ConfigMap/settings',
  'PodDisruptionBudget/keep|protects|Pod/web',
  'Service/web|publishes|EndpointSlice/web-own',
  'Service/web|selects|Pod/web',
  'StatefulSet/pg|named-by|Service/web',
];
const KIND_OF = new Map(Object.values(KINDS).map((kind): [string, Kind] => [kind.kind, kind]));
const SECRET_SPELLINGS = [
  'Secret',
  'secret',
  'secrets',
  'SECRETS',
  'Secrets',
  'v1%2FSecret',
  'secrets.v1.',
  '%20Secret',
  'Secret%09',
  '%C5%BFecret',
];

for (const { name, start } of clusters('graphs')) {
  const test = suite(`the seven endpoints of graphs, on the ${name}`);
  let cluster: Cluster;
  let client: KubeClient;
  let it: TestApp;
  /** Kinds for which listing is refused now. */
  const refused = new Set<string>();
  let isAway = false;

  test.before(async () => {
    cluster = await start();
    client = connect({ kubeconfigText: cluster.kubeconfigText, silenceMs: 30_000 });
    const page: KubeClient['page'] = async (kind, ...rest) => {
      if (isAway) throw new ClusterUnavailable('test');
      if (refused.has(kind.plural)) throw new KubeError(403, 'Forbidden', 'no');
      return client.page(kind, ...rest);
    };
    // This clock jumps, so that no test gets a cached answer of an earlier one.
    let at = Date.now();
    it = await testApp(() => ({
      graphs: graphReader({
        client: { page },
        watchNamespaces: [],
        graces: { pendingSeconds: 120, unreadySeconds: 60 },
        now: () => new Date((at += 10_000)),
      }),
    }));
    for (const object of loadManifests(SHOP) as KubeObject[]) await client.create(KIND_OF.get(object.kind ?? '')!, object);
  });
  test.after(async () => {
    await it?.close();
    client?.close();
    await cluster?.close();
  });
  test.before.each(() => {
    refused.clear();
    isAway = false;
  });

  const get = (path: string) => it.send('read', { url: `/api/diagram/${path}` });
  const graph = async (path: string): Promise<Graph> => {
    const answer = await get(path);
    assert.is(answer.statusCode, 200, answer.body);
    return answer.json<Graph>();
  };
  const edgesOf = ({ edges }: Graph): string[] => edges.map(({ id }) => id).sort();

  test('namespaces are listed without hidden ones', async () => {
    const { namespaces } = (await get('namespaces')).json<{ namespaces: string[] }>();
    assert.ok(namespaces.includes('drawn') && namespaces.includes('default'));
    assert.not(namespaces.includes('hidden'));
  });

  test('the list of namespaces has the number of open incidents of each', async () => {
    for (const [pod, workload] of [
      ['api-1', 'api'],
      ['api-2', 'api'],
      ['job-1', 'job'],
    ] as const)
      await it.send('service', {
        method: 'POST',
        url: '/api/pods/failed',
        payload: aFailureReport({ pod_name: pod, pod_uid: pod, namespace: 'default', workload: { kind: 'Deployment', name: workload } }),
      });
    const { failing } = (await get('namespaces')).json<GraphNamespaces>();
    assert.equal(failing, { default: 2 }, 'two pods of one workload are one incident');
    await it.store.db.deleteFrom('failures').where('namespace', '=', 'default').execute();
    assert.equal((await get('namespaces')).json<GraphNamespaces>().failing, {});
  });

  test('the graph of a namespace includes missing objects', async () => {
    const drawn = await graph('namespace/drawn');
    const edges = edgesOf(drawn);
    for (const edge of [
      'Pod/drawn/web|mounts|ConfigMap/drawn/gone',
      'Pod/drawn/web|runs-as|ServiceAccount/drawn/bot',
      'Service/drawn/web|selects|Pod/drawn/web',
      'Ingress/drawn/front|routes|ServicePort/drawn/web:https',
    ])
      assert.ok(edges.includes(edge), `${edge} is not among ${edges.join(', ')}`);
    const statusOf = (id: string) => drawn.nodes.find((node) => node.id === id)?.status;
    assert.equal(['ConfigMap/drawn/gone', 'ServicePort/drawn/web:https', 'Ingress/drawn/front', 'ServiceAccount/drawn/bot'].map(statusOf), [
      'missing',
      'missing',
      'failing',
      'healthy',
    ]);
    assert.is(drawn.missing_rights, undefined);
    assert.not.match(JSON.stringify(drawn), 'canary');
  });

  test('every relation is read from the cluster, and objects of the same name elsewhere are left out', async () => {
    const make = async (yaml: string): Promise<void> => {
      let uid = '';
      for (const object of loadManifests(yaml) as KubeObject[]) {
        for (const owner of object.metadata.ownerReferences ?? []) owner.uid = uid;
        const made = await client.create(KIND_OF.get(object.kind ?? '')!, object);
        if (object.metadata.name === 'settings') uid = made.metadata.uid ?? '';
      }
    };
    await make(STORAGE);
    for (const namespace of ['near', 'related']) await make(related(namespace));
    // The controllers of a real cluster add their own EndpointSlices.
    const isOurs = (id: string): boolean => !/EndpointSlice\/related\/(?!web-own)/.test(id);
    const edges = edgesOf(await graph('namespace/related')).filter(isOurs);
    assert.equal(
      edges.map((id) => id.replaceAll('/related/', '/')),
      RELATED_EDGES,
    );
  });

  test('the node of a pod names its failure record', async () => {
    const report = aFailureReport({ pod_name: 'web', namespace: 'drawn', failure_reason: 'FailedMount' });
    const { id } = (await it.send('service', { method: 'POST', url: '/api/pods/failed', payload: report })).json<{ id: number }>();
    const pod = (await graph('namespace/drawn')).nodes.find((node) => node.id === 'Pod/drawn/web');
    assert.equal([pod?.status, pod?.metadata?.['failure_id'], pod?.metadata?.['reason']], ['failing', id, 'FailedMount']);
  });

  test('a workload is drawn alone', async () => {
    const { nodes } = await graph('workload/drawn/Deployment/idle');
    assert.ok(nodes.some(({ id }) => id === 'Deployment/drawn/idle'));
    assert.not(nodes.some(({ name: one }) => one === 'web'));
  });

  test('a role has its bindings, subjects and pods', async () => {
    const drawn = await graph('role/drawn/ops:reader');
    assert.equal(edgesOf(drawn), [
      'Pod/drawn/web|runs-as|Subject:ServiceAccount/drawn/bot',
      'Role/drawn/ops:reader|grants|Permission/drawn/pods',
      'RoleBinding/drawn/readers|refers-to|Role/drawn/ops:reader',
      'Subject:ServiceAccount/drawn/bot|bound-by|RoleBinding/drawn/readers',
      'Subject:ServiceAccount/drawn/none|bound-by|RoleBinding/drawn/readers',
    ]);
    assert.is(drawn.nodes.find(({ id }) => id.endsWith('/none'))?.status, 'missing');
  });

  test('a ClusterRole is drawn without subjects of hidden namespaces', async () => {
    assert.equal(edgesOf(await graph('clusterrole/drawn-viewer')), [
      'ClusterRole/cluster-wide/drawn-viewer|grants|Permission/cluster-wide/deployments.apps',
      'ClusterRoleBinding/cluster-wide/drawn-viewers|refers-to|ClusterRole/cluster-wide/drawn-viewer',
      'Subject:User/cluster-wide/ann|bound-by|ClusterRoleBinding/cluster-wide/drawn-viewers',
    ]);
  });

  test('a ClusterRole aggregates those with its label', async () => {
    const expected = ['ClusterRole/cluster-wide/drawn-all|aggregates|ClusterRole/cluster-wide/drawn-part'];
    assert.equal(edgesOf(await graph('clusterrole/drawn-all')), expected);
    assert.equal(edgesOf(await graph('clusterrole/drawn-part')), expected);
    assert.equal(edgesOf(await graph('clusterrole/drawn-apart')), []);
  });

  test('roles are listed without those of hidden namespaces', async () => {
    const { roles, cluster_roles } = (await get('roles')).json<RoleListing>();
    assert.ok(roles.some((one) => one.namespace === 'drawn' && one.name === 'ops:reader'));
    assert.ok(cluster_roles.some((one) => one.name === 'drawn-viewer'));
    assert.not(roles.some(({ namespace }) => namespace === 'hidden'));
  });

  test('a manifest is live YAML in the order of kubectl, with secrets masked', async () => {
    const answer = await get('manifest/drawn/Pod/web');
    assert.is(answer.statusCode, 200, answer.body);
    assert.match(String(answer.headers['content-type']), /^application\/yaml/);
    const pod = load(answer.body) as KubeObject & { spec: object };
    assert.equal(Object.keys(pod).slice(0, 4), ['apiVersion', 'kind', 'metadata', 'spec']);
    assert.equal(Object.keys(pod.spec), Object.keys(pod.spec).sort());
    assert.equal([pod.apiVersion, pod.kind, pod.metadata.name, pod.metadata.managedFields], ['v1', 'Pod', 'web', undefined]);
    assert.not.match(answer.body, 'canary');
    assert.match(answer.body, "value: '***'");
  });

  test('kinds of manifests are found in any case and as plurals', async () => {
    for (const path of [
      'drawn/pods/web',
      'drawn/pod/web',
      'drawn/DEPLOYMENTS/idle',
      'cluster-wide/ClusterRole/drawn-viewer',
      'drawn/Subject:ServiceAccount/bot',
    ])
      assert.is((await get(`manifest/${path}`)).statusCode, 200, path);
    assert.match((await get('manifest/drawn/Subject:ServiceAccount/bot')).body, 'kind: ServiceAccount');
  });

  test('a manifest names no subject of a hidden namespace', async () => {
    const { body } = await get('manifest/cluster-wide/ClusterRoleBinding/drawn-viewers');
    assert.match(body, 'ann');
    assert.not.match(body, 'hidden');
  });

  for (const kind of SECRET_SPELLINGS)
    test(`the manifest of a Secret is refused as ${decodeURIComponent(kind)}`, async () => {
      const answer = await get(`manifest/drawn/${kind}/key`);
      assert.equal([answer.statusCode, answer.json()], [403, { detail: 'Secret manifests are not readable by design.' }]);
    });

  const REFUSALS: [path: string, status: number, detail: string][] = [
    ['namespace/none', 404, 'Namespace not found'],
    ['namespace/hidden', 404, 'Namespace not found'],
    ['namespace/..%2Fpods', 404, 'Namespace not found'],
    ['namespace/%25', 404, 'Namespace not found'],
    ['namespace/a%0Ab', 404, 'Namespace not found'],
    ['manifest/drawn/Pod/we%0Ab', 404, 'Object not found'],
    ['workload/drawn/Deployment/none', 404, 'Deployment not found'],
    ['workload/drawn/StatefulSet/idle', 404, 'StatefulSet not found'],
    ['workload/hidden/Deployment/idle', 404, 'Namespace not found'],
    ['workload/drawn/Pod/web', 400, 'kind must be one of Deployment, StatefulSet, DaemonSet, Job, CronJob'],
    ['role/drawn/none', 404, 'Role not found'],
    ['role/hidden/secretive', 404, 'Role not found'],
    ['role/drawn/drawn-viewer', 404, 'Role not found'],
    ['clusterrole/ops:reader', 404, 'ClusterRole not found'],
    ['manifest/drawn/Pod/none', 404, 'Object not found'],
    ['manifest/none/Pod/web', 404, 'Object not found'],
    ['manifest/hidden/Role/secretive', 404, 'Object not found'],
    ['manifest/cluster-wide/Pod/web', 404, 'Object not found'],
    ['manifest/drawn/ClusterRole/drawn-viewer', 404, 'Object not found'],
    ['manifest/drawn/Pod/web,metadata.name=web', 404, 'Object not found'],
    ['manifest/drawn/Pod/..', 404, 'Not found'],
    ['manifest/drawn/Rollout/web', 404, 'Manifests of kind Rollout are not shown'],
    ['manifest/drawn/__proto__/web', 404, 'Manifests of kind __proto__ are not shown'],
    ['manifest/drawn/Permission/pods', 400, 'Permission exists only in graphs: it has no manifest'],
    ['manifest/drawn/permission/pods', 400, 'permission exists only in graphs: it has no manifest'],
    ['manifest/drawn/Subject:User/eve', 400, 'Subject:User exists only in graphs: it has no manifest'],
    ['manifest/drawn/Subject:Group/dev', 400, 'Subject:Group exists only in graphs: it has no manifest'],
    ['manifest/drawn/ServicePort/web:https', 400, 'ServicePort exists only in graphs: it has no manifest'],
  ];
  for (const [path, status, detail] of REFUSALS)
    test(`${path} answers ${status}: ${detail}`, async () => {
      const answer = await get(path);
      assert.equal([answer.statusCode, answer.json()], [status, { detail }]);
    });

  test('a right that is missing is named, and the rest is drawn', async () => {
    for (const plural of ['ingresses', 'nodes', 'serviceaccounts', 'clusterroles']) refused.add(plural);
    const drawn = await graph('namespace/drawn');
    assert.equal(drawn.missing_rights, ['list ingresses.networking.k8s.io', 'list serviceaccounts', 'list nodes']);
    assert.is(drawn.nodes.find(({ id }) => id === 'ServiceAccount/drawn/bot')?.status, 'unknown');
    const listing = (await get('roles')).json<RoleListing>();
    assert.equal([listing.cluster_roles, listing.missing_rights?.[0]], [[], 'list clusterroles.rbac.authorization.k8s.io']);
    const answer = await get('manifest/cluster-wide/ClusterRole/drawn-viewer');
    assert.equal(
      [answer.statusCode, answer.json()],
      [403, { detail: 'Podmend lacks the right to list clusterroles.rbac.authorization.k8s.io' }],
    );
  });

  test('without the right to list namespaces, the answer says so', async () => {
    refused.add('namespaces');
    for (const path of ['namespaces', 'namespace/drawn']) {
      const answer = await get(path);
      assert.equal([answer.statusCode, answer.json()], [403, { detail: 'Podmend lacks the right to list namespaces' }]);
    }
  });

  test('while the cluster is away, every endpoint says so, and Secrets stay refused', async () => {
    isAway = true;
    const paths = [
      'namespaces',
      'namespace/drawn',
      'workload/drawn/Deployment/idle',
      'manifest/drawn/Pod/web',
      'roles',
      'role/drawn/ops:reader',
      'clusterrole/drawn-viewer',
    ];
    for (const path of paths) {
      const answer = await get(path);
      assert.equal([answer.statusCode, answer.json()], [503, { detail: 'Kubernetes client not available' }], path);
    }
    assert.is((await get('manifest/drawn/Secret/key')).statusCode, 403);
    assert.is((await get('manifest/drawn/Permission/key')).statusCode, 400);
  });

  test.run();
}
