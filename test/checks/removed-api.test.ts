import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { removedApi } from '../../src/checks/objects/removed-api.ts';

const removed = suite('removed API versions');

/** `[version, kinds, the release that stopped serving it, what to use]`, as in the Deprecated API Migration Guide, and before it in change logs. */
const GUIDE: [string, string, string, string][] = [
  ['extensions/v1beta1', 'Deployment DaemonSet ReplicaSet', '1.16', 'apps/v1'],
  ['extensions/v1beta1', 'NetworkPolicy', '1.16', 'networking.k8s.io/v1'],
  ['extensions/v1beta1', 'PodSecurityPolicy', '1.16', 'Pod Security admission'],
  ['apps/v1beta1', 'Deployment StatefulSet', '1.16', 'apps/v1'],
  ['apps/v1beta2', 'Deployment StatefulSet DaemonSet ReplicaSet', '1.16', 'apps/v1'],
  ['batch/v2alpha1', 'CronJob', '1.21', 'batch/v1'],
  ['admissionregistration.k8s.io/v1beta1', 'MutatingWebhookConfiguration', '1.22', 'admissionregistration.k8s.io/v1'],
  ['admissionregistration.k8s.io/v1beta1', 'ValidatingWebhookConfiguration', '1.22', 'admissionregistration.k8s.io/v1'],
  ['apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', '1.22', 'apiextensions.k8s.io/v1'],
  ['apiregistration.k8s.io/v1beta1', 'APIService', '1.22', 'apiregistration.k8s.io/v1'],
  ['certificates.k8s.io/v1beta1', 'CertificateSigningRequest', '1.22', 'certificates.k8s.io/v1'],
  ['coordination.k8s.io/v1beta1', 'Lease', '1.22', 'coordination.k8s.io/v1'],
  ['extensions/v1beta1', 'Ingress', '1.22', 'networking.k8s.io/v1'],
  ['networking.k8s.io/v1beta1', 'Ingress IngressClass', '1.22', 'networking.k8s.io/v1'],
  ['rbac.authorization.k8s.io/v1alpha1', 'Role RoleBinding', '1.22', 'rbac.authorization.k8s.io/v1'],
  ['rbac.authorization.k8s.io/v1beta1', 'ClusterRole ClusterRoleBinding Role RoleBinding', '1.22', 'rbac.authorization.k8s.io/v1'],
  ['scheduling.k8s.io/v1alpha1', 'PriorityClass', '1.22', 'scheduling.k8s.io/v1'],
  ['scheduling.k8s.io/v1beta1', 'PriorityClass', '1.22', 'scheduling.k8s.io/v1'],
  ['storage.k8s.io/v1beta1', 'CSIDriver CSINode StorageClass VolumeAttachment', '1.22', 'storage.k8s.io/v1'],
  ['batch/v1beta1', 'CronJob', '1.25', 'batch/v1'],
  ['discovery.k8s.io/v1beta1', 'EndpointSlice', '1.25', 'discovery.k8s.io/v1'],
  ['events.k8s.io/v1beta1', 'Event', '1.25', 'events.k8s.io/v1'],
  ['autoscaling/v2beta1', 'HorizontalPodAutoscaler', '1.25', 'autoscaling/v2'],
  ['policy/v1beta1', 'PodDisruptionBudget', '1.25', 'policy/v1'],
  ['policy/v1beta1', 'PodSecurityPolicy', '1.25', 'Pod Security admission'],
  ['node.k8s.io/v1beta1', 'RuntimeClass', '1.25', 'node.k8s.io/v1'],
  ['autoscaling/v2beta2', 'HorizontalPodAutoscaler', '1.26', 'autoscaling/v2'],
  ['flowcontrol.apiserver.k8s.io/v1beta1', 'FlowSchema PriorityLevelConfiguration', '1.26', 'flowcontrol.apiserver.k8s.io/v1'],
  ['storage.k8s.io/v1beta1', 'CSIStorageCapacity', '1.27', 'storage.k8s.io/v1'],
  ['flowcontrol.apiserver.k8s.io/v1beta2', 'FlowSchema PriorityLevelConfiguration', '1.29', 'flowcontrol.apiserver.k8s.io/v1'],
  ['flowcontrol.apiserver.k8s.io/v1beta3', 'FlowSchema PriorityLevelConfiguration', '1.32', 'flowcontrol.apiserver.k8s.io/v1'],
];
/** Kinds of which the guide notes no changed field: the version alone can be corrected. */
const UNCHANGED = new Set(
  'CronJob PodDisruptionBudget Role RoleBinding ClusterRole ClusterRoleBinding PriorityClass APIService Lease RuntimeClass'.split(' '),
);

const look = (apiVersion: string, kind: string, applied?: string) => {
  const text = applied && JSON.stringify({ apiVersion: applied, kind }, undefined, 1);
  const annotations = { ...(text && { 'kubectl.kubernetes.io/last-applied-configuration': text }) };
  return removedApi.look({ apiVersion, kind, metadata: { name: 'x', annotations } }, {});
};

for (const [version, kinds, release, instead] of GUIDE)
  for (const kind of kinds.split(' '))
    removed(`${kind} of ${version}: Kubernetes ${release} removed it`, () =>
      assert.equal(look(version, kind), [
        {
          path: 'apiVersion',
          about: 'The manifest',
          problem: `uses ${version}, which Kubernetes ${release} removed: use ${instead}`,
          cures: UNCHANGED.has(kind) ? [{ path: 'apiVersion', to: instead }] : [],
        },
      ]),
    );

removed('what is served is not reported, nor are other groups with similar names', () => {
  const served: [string, string][] = [
    ['apps/v1', 'Deployment'],
    ['v1', 'Pod'],
    ['batch/v1', 'CronJob'],
    ['autoscaling/v2', 'HorizontalPodAutoscaler'],
    ['admissionregistration.k8s.io/v1beta1', 'ValidatingAdmissionPolicy'],
    ['certificates.k8s.io/v1beta1', 'ClusterTrustBundle'],
    ['coordination.k8s.io/v1beta1', 'LeaseCandidate'],
    ['storage.k8s.io/v1beta1', 'VolumeAttributesClass'],
    ['networking.k8s.io/v1beta1', 'IPAddress'],
    ['extensions/v1beta1', 'Widget'],
    ['myapps/v1beta1', 'Deployment'],
    ['apps/v1beta12', 'Deployment'],
    ['', ''],
  ];
  for (const [version, kind] of served) assert.equal(look(version, kind), [], `${version} ${kind}`);
});

removed('the version that was applied counts, although the server returns another; it cannot be corrected in the cluster', () => {
  const [found] = look('policy/v1', 'PodDisruptionBudget', 'policy/v1beta1');
  assert.is(found?.problem, 'uses policy/v1beta1, which Kubernetes 1.25 removed: use policy/v1');
  assert.equal(found?.cures, []);
  assert.equal(look('policy/v1', 'PodDisruptionBudget', 'policy/v1'), []);
});

removed.run();
