import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CanReach, EscalationPaths, Rights, WhoCan } from '../../src/contract/access.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import { ClusterUnavailable } from '../../src/kube/errors.ts';
import { graphReader } from '../../src/kube/graph-reader.ts';
import type { Kind } from '../../src/kube/kinds.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';

const CLUSTER = loadManifests(`
{kind: Namespace, metadata: {name: shop, labels: {kubernetes.io/metadata.name: shop, pod-security.kubernetes.io/enforce: baseline}}}
---
{kind: Namespace, metadata: {name: hidden}}
---
{kind: ClusterRole, metadata: {name: scaler}, rules: [{apiGroups: [apps], resources: [deployments/scale], verbs: [update]}]}
---
{kind: ClusterRole, metadata: {name: probes}, rules: [{nonResourceURLs: ['/metrics*'], verbs: [get]}]}
---
{kind: Role, metadata: {name: reader, namespace: shop}, rules: [{apiGroups: [''], resources: [configmaps], resourceNames: [prices], verbs: [get]}]}
---
{kind: RoleBinding, metadata: {name: readers, namespace: shop}, roleRef: {kind: Role, name: reader}, subjects: [{kind: User, name: ann}, {kind: ServiceAccount, name: bot, namespace: shop}, {kind: ServiceAccount, name: x, namespace: hidden}]}
---
{kind: RoleBinding, metadata: {name: scalers, namespace: shop}, roleRef: {kind: ClusterRole, name: scaler}, subjects: [{kind: Group, name: ops}]}
---
{kind: ClusterRoleBinding, metadata: {name: probes}, roleRef: {kind: ClusterRole, name: probes}, subjects: [{kind: Group, name: 'system:authenticated'}]}
---
{kind: Role, metadata: {name: maker, namespace: shop}, rules: [{apiGroups: [''], resources: [pods], verbs: [create]}]}
---
{kind: RoleBinding, metadata: {name: makers, namespace: shop}, roleRef: {kind: Role, name: maker}, subjects: [{kind: User, name: mia}, {kind: ServiceAccount, name: x, namespace: hidden}]}
---
{kind: MutatingWebhookConfiguration, metadata: {name: gate}, webhooks: []}
---
{kind: ClusterRole, metadata: {name: gatekeeper}, rules: [{apiGroups: [admissionregistration.k8s.io], resources: [mutatingwebhookconfigurations], resourceNames: [gate], verbs: [patch]}]}
---
{kind: ClusterRoleBinding, metadata: {name: gatekeepers}, roleRef: {kind: ClusterRole, name: gatekeeper}, subjects: [{kind: User, name: gus}]}
---
{kind: ClusterRole, metadata: {name: validator}, rules: [{apiGroups: [admissionregistration.k8s.io], resources: [validatingwebhookconfigurations], verbs: [update]}]}
---
{kind: ClusterRoleBinding, metadata: {name: validators}, roleRef: {kind: ClusterRole, name: validator}, subjects: [{kind: User, name: val}]}
---
{kind: Pod, metadata: {name: web, namespace: shop, labels: {app: web}}, spec: {containers: [{name: a}]}, status: {podIP: 10.0.0.1}}
---
{kind: Pod, metadata: {name: db, namespace: shop, labels: {app: db}}, spec: {containers: [{name: a, ports: [{name: sql, containerPort: 5432}]}]}, status: {podIP: 10.0.0.2}}
---
{kind: Pod, metadata: {name: secretive, namespace: hidden}, spec: {containers: [{name: a}]}}
---
kind: NetworkPolicy
metadata: {name: db, namespace: shop}
spec: {podSelector: {matchLabels: {app: db}}, ingress: [{from: [{podSelector: {matchLabels: {app: web}}}], ports: [{port: sql}]}]}
`) as KubeObject[];

const questions = suite('questions about rights and reach');
let it: TestApp;
let isAway = false;
questions.before(async () => {
  const page = async (kind: Kind, { namespace, fieldSelector }: { namespace?: string | undefined; fieldSelector?: string | undefined }) => {
    if (isAway) throw new ClusterUnavailable('test');
    const name = fieldSelector?.replace('metadata.name=', '');
    const items = CLUSTER.filter(
      (one) =>
        one.kind === kind.kind &&
        (namespace === undefined || one.metadata.namespace === namespace) &&
        (name === undefined || one.metadata.name === name),
    );
    return { items, resourceVersion: '1' } as never;
  };
  let at = 0;
  it = await testApp(() => ({
    graphs: graphReader({
      client: { page },
      watchNamespaces: [],
      graces: { pendingSeconds: 1, unreadySeconds: 1 },
      now: () => new Date((at += 10_000)),
    }),
  }));
});
questions.after(() => it.close());

const get = (path: string) => it.send('read', { url: `/api/access/${path}` });
const whoCan = async (query: string): Promise<string[]> =>
  (await get(`who-can?${query}`))
    .json<WhoCan>()
    .subjects.map(({ name, through }) => `${name} ${through.map(({ binding }) => binding.name).join()}`.trim());

const WHO: [query: string, expected: string[]][] = [
  ['verb=get&resource=configmaps&name=prices&namespace=shop', ['system:masters', 'ann readers', 'bot readers']],
  ['verb=get&resource=configmaps&name=costs&namespace=shop', ['system:masters']],
  ['verb=get&resource=configmaps&name=prices&namespace=blog', ['system:masters']],
  ['verb=update&resource=deployments.apps/scale&name=web&namespace=shop', ['system:masters', 'ops scalers']],
  ['verb=update&resource=deployments.apps&name=web&namespace=shop', ['system:masters']],
  ['verb=update&resource=deployments/scale&name=web&namespace=shop', ['system:masters']],
  ['verb=get&path=/metrics/x', ['system:masters', 'system:authenticated probes']],
];
for (const [query, expected] of WHO) questions(`who can ${query}`, async () => assert.equal(await whoCan(query), expected));

const RIGHTS: [query: string, expected: string[]][] = [
  ['kind=User&name=ann', ['shop get configmaps RoleBinding readers', '* get /metrics* ClusterRoleBinding probes']],
  ['kind=User&name=anna', ['* get /metrics* ClusterRoleBinding probes']],
  [
    'kind=User&name=anna&groups=ops,dev',
    ['shop update deployments/scale RoleBinding scalers', '* get /metrics* ClusterRoleBinding probes'],
  ],
  ['kind=ServiceAccount&name=bot&namespace=shop', ['shop get configmaps RoleBinding readers', '* get /metrics* ClusterRoleBinding probes']],
  [
    'kind=User&name=system:serviceaccount:shop:bot',
    ['shop get configmaps RoleBinding readers', '* get /metrics* ClusterRoleBinding probes'],
  ],
  ['kind=Group&name=ops', ['shop update deployments/scale RoleBinding scalers', '* get /metrics* ClusterRoleBinding probes']],
];
for (const [query, expected] of RIGHTS)
  questions(`rights of ${query}`, async () => {
    const { rights } = (await get(`rights?${query}`)).json<Rights>();
    const told = rights.map(
      ({ namespace, verbs, resources, non_resource_urls, through: { binding } }) =>
        `${namespace} ${verbs.join()} ${[...resources, ...non_resource_urls].join()} ${binding.kind} ${binding.name}`,
    );
    assert.equal(told, expected);
  });

questions('escalation paths, step by step, without hidden namespaces', async () => {
  const { paths, total, cut } = (await get('paths?name=mia')).json<EscalationPaths>();
  assert.is(total, 1);
  const [path] = paths;
  assert.equal([path?.subject, path?.target, path?.namespace], [{ kind: 'User', name: 'mia' }, 'secrets', 'shop']);
  assert.equal(
    path?.steps.map(({ as, does, through }) => [as, does, through.map(({ binding }) => binding.name)]),
    [['User mia', 'runs a pod that mounts the Secrets of namespace shop', ['makers']]],
  );
  assert.equal(cut, { binding: { kind: 'ClusterRoleBinding', name: 'gatekeepers' }, breaks: 1 });
  assert.equal((await get('paths?kind=User&name=ann')).json<EscalationPaths>().paths, []);
  assert.equal((await get('paths?to=node')).json<EscalationPaths>().paths, []);
  assert.is((await get('paths?namespace=hidden')).statusCode, 404);
});

questions('who may change an existing webhook configuration has a path; who may change one that does not exist has none', async () => {
  const { paths } = (await get('paths?kind=User')).json<EscalationPaths>();
  assert.equal(
    paths.map(({ subject, target, namespace }) => `${subject.name} ${target} ${namespace}`),
    ['gus secrets *', 'mia secrets shop'],
  );
});

questions('whether a pod can reach another, with the policies that decide', async () => {
  const ask = async (query: string) => (await get(`can-reach?${query}`)).json<CanReach>();
  const yes = await ask('from=shop/web&to=shop/db&port=5432');
  assert.equal([yes.reach, yes.ingress], ['allowed', { reach: 'allowed', restricted_by: ['shop/db'], allowed_by: ['shop/db'] }]);
  assert.is(yes.why, 'shop/web can reach shop/db on TCP 5432: allowed by NetworkPolicy shop/db');
  assert.is((await ask('from=shop/web&to=shop/db&port=5433')).reach, 'refused');
  assert.is((await ask('from=shop/web&to=shop/db&port=5432&protocol=UDP')).reach, 'refused');
  assert.is((await ask('from=shop/db&to=shop/web')).reach, 'allowed');
});

const REFUSALS: [path: string, status: number, detail: RegExp][] = [
  ['who-can?resource=pods', 400, /verb/],
  ['who-can?verb=get', 400, /^either resource or path is required$/],
  ['who-can?verb=get&resource=pods&path=/x', 400, /^either resource or path is required$/],
  ['who-can?verb=get&resource=pods&namespace=hidden', 404, /^Namespace not found$/],
  ['rights?kind=Robot&name=x', 400, /^kind must be one of User, Group, ServiceAccount$/],
  ['rights?kind=User', 400, /name/],
  ['rights?kind=ServiceAccount&name=bot', 400, /^namespace is required for a ServiceAccount$/],
  ['rights?kind=ServiceAccount&name=x&namespace=hidden', 404, /^Namespace not found$/],
  ['rights?kind=User&name=system:serviceaccount:hidden:x', 404, /^Namespace not found$/],
  ['can-reach?from=shop/web', 400, /to/],
  ['can-reach?from=web&to=shop/db', 400, /from/],
  ['can-reach?from=shop/web&to=shop/none', 404, /^Pod not found$/],
  ['can-reach?from=shop/web&to=hidden/secretive', 404, /^Pod not found$/],
  ['can-reach?from=shop/web&to=shop/db&port=0', 400, /port/],
  ['can-reach?from=shop/web&to=shop/db&port=http', 400, /port/],
];
for (const [path, status, detail] of REFUSALS)
  questions(`${path} answers ${status}`, async () => {
    const answer = await get(path);
    assert.is(answer.statusCode, status, answer.body);
    assert.match(answer.json<{ detail: string }>().detail, detail);
  });

questions('while the cluster is away, each endpoint says so', async () => {
  isAway = true;
  for (const path of ['who-can?verb=get&resource=pods', 'rights?kind=User&name=ann', 'can-reach?from=shop/web&to=shop/db']) {
    const answer = await get(path);
    assert.equal([answer.statusCode, answer.json()], [503, { detail: 'Kubernetes client not available' }]);
  }
  isAway = false;
});

questions.run();
