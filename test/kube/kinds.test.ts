import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canBeName, KINDS, pathOf } from '../../src/kube/kinds.ts';

const test = suite('kinds of the API');

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
/** Where the API server serves the objects of namespace `shop`, or of the whole cluster if a kind has no namespaces. */
const PLACES: Record<keyof typeof KINDS, [kind: string, path: string]> = {
  pod: ['Pod', '/api/v1/namespaces/shop/pods'],
  event: ['Event', '/api/v1/namespaces/shop/events'],
  ownEvent: ['Event', '/apis/events.k8s.io/v1/namespaces/shop/events'],
  configMap: ['ConfigMap', '/api/v1/namespaces/shop/configmaps'],
  secret: ['Secret', '/api/v1/namespaces/shop/secrets'],
  service: ['Service', '/api/v1/namespaces/shop/services'],
  serviceAccount: ['ServiceAccount', '/api/v1/namespaces/shop/serviceaccounts'],
  persistentVolumeClaim: ['PersistentVolumeClaim', '/api/v1/namespaces/shop/persistentvolumeclaims'],
  persistentVolume: ['PersistentVolume', '/api/v1/persistentvolumes'],
  limitRange: ['LimitRange', '/api/v1/namespaces/shop/limitranges'],
  resourceQuota: ['ResourceQuota', '/api/v1/namespaces/shop/resourcequotas'],
  podMetrics: ['PodMetrics', '/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods'],
  namespace: ['Namespace', '/api/v1/namespaces'],
  node: ['Node', '/api/v1/nodes'],
  replicaSet: ['ReplicaSet', '/apis/apps/v1/namespaces/shop/replicasets'],
  deployment: ['Deployment', '/apis/apps/v1/namespaces/shop/deployments'],
  statefulSet: ['StatefulSet', '/apis/apps/v1/namespaces/shop/statefulsets'],
  daemonSet: ['DaemonSet', '/apis/apps/v1/namespaces/shop/daemonsets'],
  controllerRevision: ['ControllerRevision', '/apis/apps/v1/namespaces/shop/controllerrevisions'],
  job: ['Job', '/apis/batch/v1/namespaces/shop/jobs'],
  cronJob: ['CronJob', '/apis/batch/v1/namespaces/shop/cronjobs'],
  podDisruptionBudget: ['PodDisruptionBudget', '/apis/policy/v1/namespaces/shop/poddisruptionbudgets'],
  horizontalPodAutoscaler: ['HorizontalPodAutoscaler', '/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers'],
  ingress: ['Ingress', '/apis/networking.k8s.io/v1/namespaces/shop/ingresses'],
  networkPolicy: ['NetworkPolicy', '/apis/networking.k8s.io/v1/namespaces/shop/networkpolicies'],
  endpointSlice: ['EndpointSlice', '/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices'],
  priorityClass: ['PriorityClass', '/apis/scheduling.k8s.io/v1/priorityclasses'],
  storageClass: ['StorageClass', '/apis/storage.k8s.io/v1/storageclasses'],
  role: ['Role', `${RBAC}/namespaces/shop/roles`],
  roleBinding: ['RoleBinding', `${RBAC}/namespaces/shop/rolebindings`],
  clusterRole: ['ClusterRole', `${RBAC}/clusterroles`],
  clusterRoleBinding: ['ClusterRoleBinding', `${RBAC}/clusterrolebindings`],
  validatingAdmissionPolicy: ['ValidatingAdmissionPolicy', `${ADMISSION}/validatingadmissionpolicies`],
  validatingAdmissionPolicyBinding: ['ValidatingAdmissionPolicyBinding', `${ADMISSION}/validatingadmissionpolicybindings`],
  validatingWebhookConfiguration: ['ValidatingWebhookConfiguration', `${ADMISSION}/validatingwebhookconfigurations`],
  mutatingWebhookConfiguration: ['MutatingWebhookConfiguration', `${ADMISSION}/mutatingwebhookconfigurations`],
  apiService: ['APIService', '/apis/apiregistration.k8s.io/v1/apiservices'],
  certificate: ['Certificate', '/apis/cert-manager.io/v1/namespaces/shop/certificates'],
  lease: ['Lease', '/apis/coordination.k8s.io/v1/namespaces/shop/leases'],
  customResourceDefinition: ['CustomResourceDefinition', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'],
  mirrorPod: ['MirrorPod', '/apis/podmend.dev/v1alpha1/namespaces/shop/mirrorpods'],
  suppression: ['Suppression', '/apis/podmend.dev/v1alpha1/namespaces/shop/suppressions'],
  notificationProvider: ['NotificationProvider', '/apis/podmend.dev/v1alpha1/namespaces/shop/notificationproviders'],
};

test('each kind has its place', () => {
  assert.equal(Object.fromEntries(Object.entries(KINDS).map(([key, kind]) => [key, [kind.kind, pathOf(kind, 'shop')]])), PLACES);
});

test('names that an object can have', () => {
  for (const name of ['web', 'a.b', '...', 'system:node', 'a b', 'ä']) assert.ok(canBeName(name), name);
  for (const name of ['', '.', '..', 'a/b', '/', 'a%b', 'a\nb', 'a\u200bb', '\ud800']) assert.not(canBeName(name), JSON.stringify(name));
});

test.run();
