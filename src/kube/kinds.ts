import type { RbacBinding, RbacRole } from '../access/objects.ts';
import type { CoreEvent, KubeObject, OwnEvent, Pod, Workload } from '../crd/kubernetes.ts';
import { API_VERSION, type MirrorPod } from '../crd/mirrorpod.ts';
import type { NotificationProvider } from '../crd/notificationprovider.ts';
import type { Suppression } from '../crd/suppression.ts';
import { KubeError } from './errors.ts';

/** The place of a kind in the API. The type parameter is the type of its objects; it does not exist at run time. */
export interface Kind<T extends KubeObject = KubeObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly sample?: T;
}

/** v1 ConfigMap and Secret. Podmend uses keys, and values of ConfigMaps. It never uses values of Secrets, except those of `podmend-keys`. */
export interface DataObject extends KubeObject {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
  type?: string;
}

/** v1 Node. */
export interface Node extends KubeObject {
  spec?: { taints?: { key: string; value?: string; effect: string }[]; unschedulable?: boolean };
  status?: { allocatable?: Record<string, string>; conditions?: { type: string; status: string; reason?: string }[] };
}

/** coordination.k8s.io/v1 Lease. Times are MicroTime: RFC 3339 with exactly six digits after the point. */
export interface Lease extends KubeObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

function kind<T extends KubeObject = KubeObject>(apiVersion: string, name: string, plural: string, namespaced = true): Kind<T> {
  return Object.freeze({ apiVersion, kind: name, plural, namespaced });
}

const RBAC = 'rbac.authorization.k8s.io/v1';
const ADMISSION = 'admissionregistration.k8s.io/v1';

/** Every kind that Podmend reads or writes. */
export const KINDS = Object.freeze({
  pod: kind<Pod>('v1', 'Pod', 'pods'),
  event: kind<CoreEvent>('v1', 'Event', 'events'),
  ownEvent: kind<OwnEvent>('events.k8s.io/v1', 'Event', 'events'),
  configMap: kind<DataObject>('v1', 'ConfigMap', 'configmaps'),
  secret: kind<DataObject>('v1', 'Secret', 'secrets'),
  service: kind('v1', 'Service', 'services'),
  serviceAccount: kind('v1', 'ServiceAccount', 'serviceaccounts'),
  persistentVolumeClaim: kind('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims'),
  persistentVolume: kind('v1', 'PersistentVolume', 'persistentvolumes', false),
  limitRange: kind('v1', 'LimitRange', 'limitranges'),
  resourceQuota: kind('v1', 'ResourceQuota', 'resourcequotas'),
  /** A kind of the metrics API, which a cluster may lack. */
  podMetrics: kind('metrics.k8s.io/v1beta1', 'PodMetrics', 'pods'),
  namespace: kind('v1', 'Namespace', 'namespaces', false),
  node: kind<Node>('v1', 'Node', 'nodes', false),
  replicaSet: kind<Workload>('apps/v1', 'ReplicaSet', 'replicasets'),
  deployment: kind<Workload>('apps/v1', 'Deployment', 'deployments'),
  statefulSet: kind<Workload>('apps/v1', 'StatefulSet', 'statefulsets'),
  daemonSet: kind<Workload>('apps/v1', 'DaemonSet', 'daemonsets'),
  controllerRevision: kind('apps/v1', 'ControllerRevision', 'controllerrevisions'),
  job: kind<Workload>('batch/v1', 'Job', 'jobs'),
  cronJob: kind('batch/v1', 'CronJob', 'cronjobs'),
  podDisruptionBudget: kind('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets'),
  horizontalPodAutoscaler: kind('autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers'),
  ingress: kind('networking.k8s.io/v1', 'Ingress', 'ingresses'),
  networkPolicy: kind('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies'),
  endpointSlice: kind('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices'),
  priorityClass: kind('scheduling.k8s.io/v1', 'PriorityClass', 'priorityclasses', false),
  storageClass: kind('storage.k8s.io/v1', 'StorageClass', 'storageclasses', false),
  role: kind<RbacRole>(RBAC, 'Role', 'roles'),
  roleBinding: kind<RbacBinding>(RBAC, 'RoleBinding', 'rolebindings'),
  clusterRole: kind<RbacRole>(RBAC, 'ClusterRole', 'clusterroles', false),
  clusterRoleBinding: kind<RbacBinding>(RBAC, 'ClusterRoleBinding', 'clusterrolebindings', false),
  validatingAdmissionPolicy: kind(ADMISSION, 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies', false),
  validatingAdmissionPolicyBinding: kind(ADMISSION, 'ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings', false),
  validatingWebhookConfiguration: kind(ADMISSION, 'ValidatingWebhookConfiguration', 'validatingwebhookconfigurations', false),
  mutatingWebhookConfiguration: kind(ADMISSION, 'MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', false),
  /** Tells which server serves an API group. */
  apiService: kind('apiregistration.k8s.io/v1', 'APIService', 'apiservices', false),
  /** A kind of cert-manager, which a cluster may lack. */
  certificate: kind('cert-manager.io/v1', 'Certificate', 'certificates'),
  lease: kind<Lease>('coordination.k8s.io/v1', 'Lease', 'leases'),
  customResourceDefinition: kind('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'customresourcedefinitions', false),
  mirrorPod: kind<MirrorPod>(API_VERSION, 'MirrorPod', 'mirrorpods'),
  suppression: kind<Suppression>(API_VERSION, 'Suppression', 'suppressions'),
  notificationProvider: kind<NotificationProvider>(API_VERSION, 'NotificationProvider', 'notificationproviders'),
});

/**
 * The API path of a kind's collection, or of one object in it. Cluster-scoped kinds ignore the namespace. For other kinds, a path without a
 * namespace covers all namespaces. Throws `KubeError` 404 for names that no object can have.
 */
export function pathOf({ apiVersion, plural, namespaced }: Kind, namespace?: string, name?: string): string {
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = namespaced && namespace ? `/namespaces/${segmentOf(namespace)}` : '';
  return `${group}${scope}/${plural}${name === undefined ? '' : `/${segmentOf(name)}`}`;
}

/** Names may come from reports, so they are checked: `..` would lead to another path, and an empty name to the whole collection. */
function segmentOf(name: string): string {
  if (!canBeName(name)) throw new KubeError(404, 'NotFound', 'no object can have that name');
  return encodeURIComponent(name);
}

/** Whether an object can have this name. Kubernetes refuses names that cannot be part of a path, or have control or format characters. */
export function canBeName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/%\p{C}]/u.test(name) && name.isWellFormed();
}
