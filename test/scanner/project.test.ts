import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { projectAdmission, projectAround, projectJudged } from '../../src/scanner/project.ts';

const test = suite('what the scanner keeps of an object');

const LAST = 'kubectl.kubernetes.io/last-applied-configuration';
const names = { name: 'x', namespace: 'shop', uid: 'u', resourceVersion: '7' };
const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'n', controller: true };
const metadata = {
  ...names,
  labels: { app: 'web' },
  annotations: {
    note: 'x',
    'container.apparmor.security.beta.kubernetes.io/app': 'unconfined',
    'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
    'container.seccomp.security.alpha.kubernetes.io/app': 'unconfined',
    [LAST]: '{"kind":"Pod","apiVersion": "v1","data":{"password":"hunter2"}}',
  },
  ownerReferences: [owner],
  managedFields: [{}],
};
const rbac = 'rbac.authorization.k8s.io/v1';
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
const shipped = { labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' } };
const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
const subjects = [{ kind: 'User', name: 'ann' }];
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };

const CASES: [what: string, project: (object: KubeObject) => KubeObject, object: object, kept: object][] = [
  [
    'a pod: its spec, labels, owners, and the annotations that checks read',
    projectJudged,
    { apiVersion: 'v1', kind: 'Pod', metadata, spec: { hostPID: true }, status: {} },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        ...names,
        labels: { app: 'web' },
        annotations: {
          'container.apparmor.security.beta.kubernetes.io/app': 'unconfined',
          'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
          'container.seccomp.security.alpha.kubernetes.io/app': 'unconfined',
          [LAST]: '{"apiVersion": "v1"}',
        },
        ownerReferences: [owner],
      },
      spec: { hostPID: true },
    },
  ],
  [
    'a pod without labels, annotations and owners',
    projectJudged,
    { apiVersion: 'v1', kind: 'Pod', metadata: names, spec: {} },
    { apiVersion: 'v1', kind: 'Pod', metadata: names, spec: {} },
  ],
  [
    'a pod of a workload: its name',
    projectJudged,
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...names, ownerReferences: [{ ...owner, apiVersion: 'apps/v1', kind: 'StatefulSet' }] },
      spec: {},
    },
    { kind: 'Pod', metadata: names },
  ],
  [
    'a role: its rules and labels',
    projectJudged,
    { apiVersion: rbac, kind: 'Role', metadata, rules },
    { apiVersion: rbac, kind: 'Role', metadata: { ...names, labels: { app: 'web' } }, rules },
  ],
  [
    'a role without rules',
    projectJudged,
    { apiVersion: rbac, kind: 'ClusterRole', metadata: names, rules: null, aggregationRule },
    { apiVersion: rbac, kind: 'ClusterRole', metadata: names, rules: [], aggregationRule },
  ],
  [
    'a binding: its role and subjects',
    projectJudged,
    { apiVersion: rbac, kind: 'RoleBinding', metadata: names, roleRef, subjects },
    { apiVersion: rbac, kind: 'RoleBinding', metadata: names, roleRef, subjects },
  ],
  [
    'a binding without subjects',
    projectJudged,
    { apiVersion: rbac, kind: 'ClusterRoleBinding', metadata: names, roleRef },
    { apiVersion: rbac, kind: 'ClusterRoleBinding', metadata: names, roleRef, subjects: [] },
  ],
  [
    'a role of Kubernetes: its name and what it collects',
    projectJudged,
    { apiVersion: rbac, kind: 'ClusterRole', metadata: { ...names, ...shipped, name: 'system:x' }, rules, aggregationRule },
    { apiVersion: rbac, kind: 'ClusterRole', metadata: { ...names, name: 'system:x' }, aggregationRule },
  ],
  [
    'an admission policy: its spec and labels',
    projectAdmission,
    { apiVersion: 'a/v1', kind: 'ValidatingAdmissionPolicy', metadata, spec: { failurePolicy: 'Fail' }, status: {} },
    {
      apiVersion: 'a/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'x', uid: 'u', resourceVersion: '7', labels: { app: 'web' } },
      spec: { failurePolicy: 'Fail' },
    },
  ],
  [
    'a webhook: what it examines, without certificates',
    projectAdmission,
    {
      apiVersion: 'a/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: names,
      webhooks: [
        { name: 'w', rules: [], namespaceSelector: {}, objectSelector: {}, matchPolicy: 'Exact', clientConfig: { caBundle: 'x' } },
      ],
    },
    {
      apiVersion: 'a/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'x', uid: 'u', resourceVersion: '7', labels: undefined },
      webhooks: [{ name: 'w', rules: [], namespaceSelector: {}, objectSelector: {}, matchPolicy: 'Exact' }],
    },
  ],
  [
    'a NetworkPolicy: the pods that it selects',
    projectAround,
    { apiVersion: 'n/v1', kind: 'NetworkPolicy', metadata, spec: { podSelector: { a: 1 }, ingress: [] } },
    { apiVersion: 'n/v1', kind: 'NetworkPolicy', metadata: names, spec: { podSelector: { a: 1 } } },
  ],
  [
    'a Suppression: its spec',
    projectAround,
    { apiVersion: 'p/v1', kind: 'Suppression', metadata, spec: { match: { checks: ['a'] } }, status: {} },
    { apiVersion: 'p/v1', kind: 'Suppression', metadata: names, spec: { match: { checks: ['a'] } } },
  ],
  [
    'a namespace: its labels',
    projectAround,
    { apiVersion: 'v1', kind: 'Namespace', metadata, spec: { finalizers: [] } },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { ...names, labels: { app: 'web' } } },
  ],
  [
    'a ServiceAccount: whether pods get its token',
    projectAround,
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false, secrets: [{ name: 's' }] },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: names, automountServiceAccountToken: false },
  ],
];
for (const [what, project, object, kept] of CASES) test(what, () => assert.equal(project(object as KubeObject), kept as KubeObject));

test.run();
