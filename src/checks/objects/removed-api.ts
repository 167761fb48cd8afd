import type { ObjectCheck } from '../check.ts';

const APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Versions that are no longer served: their kinds (absent means all), the release that removed them, and the version to use instead. */
const REMOVED: [version: RegExp, kinds: RegExp, release: string, instead: string][] = [
  [/^extensions\/v1beta1$/, /^(?:Deployment|DaemonSet|ReplicaSet)$/, '1.16', 'apps/v1'],
  [/^extensions\/v1beta1$/, /^NetworkPolicy$/, '1.16', 'networking.k8s.io/v1'],
  [/^(?:extensions|networking\.k8s\.io)\/v1beta1$/, /^Ingress(?:Class)?$/, '1.22', 'networking.k8s.io/v1'],
  [/^apps\/v1beta[12]$/, /./, '1.16', 'apps/v1'],
  [/^batch\/v2alpha1$/, /./, '1.21', 'batch/v1'],
  [/^batch\/v1beta1$/, /./, '1.25', 'batch/v1'],
  [/^extensions\/v1beta1$/, /^PodSecurityPolicy$/, '1.16', 'Pod Security admission'],
  [/^policy\/v1beta1$/, /^PodSecurityPolicy$/, '1.25', 'Pod Security admission'],
  [/^policy\/v1beta1$/, /./, '1.25', 'policy/v1'],
  [/^autoscaling\/v2beta1$/, /./, '1.25', 'autoscaling/v2'],
  [/^autoscaling\/v2beta2$/, /./, '1.26', 'autoscaling/v2'],
  [/^rbac\.authorization\.k8s\.io\/v1(?:alpha|beta)1$/, /./, '1.22', 'rbac.authorization.k8s.io/v1'],
  [/^apiextensions\.k8s\.io\/v1beta1$/, /./, '1.22', 'apiextensions.k8s.io/v1'],
  [/^admissionregistration\.k8s\.io\/v1beta1$/, /Webhook/, '1.22', 'admissionregistration.k8s.io/v1'],
  [/^certificates\.k8s\.io\/v1beta1$/, /^CertificateSigningRequest$/, '1.22', 'certificates.k8s.io/v1'],
  [/^scheduling\.k8s\.io\/v1(?:alpha|beta)1$/, /^PriorityClass$/, '1.22', 'scheduling.k8s.io/v1'],
  [/^storage\.k8s\.io\/v1beta1$/, /^(?:StorageClass|VolumeAttachment|CSIDriver|CSINode)$/, '1.22', 'storage.k8s.io/v1'],
  [/^storage\.k8s\.io\/v1beta1$/, /^CSIStorageCapacity$/, '1.27', 'storage.k8s.io/v1'],
  [/^apiregistration\.k8s\.io\/v1beta1$/, /./, '1.22', 'apiregistration.k8s.io/v1'],
  [/^coordination\.k8s\.io\/v1beta1$/, /^Lease$/, '1.22', 'coordination.k8s.io/v1'],
  [/^discovery\.k8s\.io\/v1beta1$/, /./, '1.25', 'discovery.k8s.io/v1'],
  [/^events\.k8s\.io\/v1beta1$/, /./, '1.25', 'events.k8s.io/v1'],
  [/^node\.k8s\.io\/v1beta1$/, /./, '1.25', 'node.k8s.io/v1'],
  [/^flowcontrol\.apiserver\.k8s\.io\/v1beta1$/, /./, '1.26', 'flowcontrol.apiserver.k8s.io/v1'],
  [/^flowcontrol\.apiserver\.k8s\.io\/v1beta2$/, /./, '1.29', 'flowcontrol.apiserver.k8s.io/v1'],
  [/^flowcontrol\.apiserver\.k8s\.io\/v1beta3$/, /./, '1.32', 'flowcontrol.apiserver.k8s.io/v1'],
];

/** Kinds whose fields are the same in the version that is still served. */
const SAME_FIELDS = new Set([
  'CronJob',
  'PodDisruptionBudget',
  'Role',
  'RoleBinding',
  'ClusterRole',
  'ClusterRoleBinding',
  'PriorityClass',
  'APIService',
  'Lease',
  'RuntimeClass',
]);

export const removedApi: ObjectCheck = {
  id: 'removed-api',
  title: 'API version that Kubernetes has removed',
  severity: 'medium',
  rationale: 'What runs goes on, because the API server translated it; the next apply of this manifest fails.',
  remediation: 'Change the `apiVersion`, and the fields that its newer version names otherwise.',
  references: ['https://kubernetes.io/docs/reference/using-api/deprecation-guide/'],
  frameworks: { nsa: ['Upgrading and application security practices'] },
  look: ({ apiVersion = '', kind = '', metadata }) => {
    // A server returns each object in the requested version. The applied version is in the annotation.
    const applied = /"apiVersion":\s*"([^"]{1,200})"/.exec(String(metadata?.annotations?.[APPLIED] ?? ''))?.[1];
    const used = [apiVersion, applied].find((version) => version !== undefined && removalOf(version, kind));
    const removal = used === undefined ? undefined : removalOf(used, kind);
    if (!used || !removal) return [];
    const [, , release, instead] = removal;
    const cures = used === apiVersion && SAME_FIELDS.has(kind) ? [{ path: 'apiVersion', to: instead }] : [];
    const problem = `uses ${used}, which Kubernetes ${release} removed: use ${instead}`;
    return [{ path: 'apiVersion', about: 'The manifest', problem, cures }];
  },
};

const removalOf = (used: string, kind: string) => REMOVED.find(([version, kinds]) => version.test(used) && kinds.test(kind));
