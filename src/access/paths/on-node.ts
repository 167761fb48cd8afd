import { allContainers, listOf } from '../../crd/pod-template.ts';
import type { PodSpec } from '../../crd/kubernetes.ts';

/** Files and folders of a node that give root in a container control of the node, or the node's identity. */
const TELLING_PATHS = [
  '/etc/kubernetes/admin.conf',
  '/etc/kubernetes/kubelet.conf',
  '/etc/kubernetes/manifests',
  '/etc/kubernetes/pki',
  '/var/lib/kubelet/pki',
  '/etc/cron.d',
  '/root/.ssh',
  ...['containerd/containerd.sock', 'crio/crio.sock', 'docker.sock'].flatMap((socket) => [`/run/${socket}`, `/var/run/${socket}`]),
];

interface Mount {
  name: string;
  subPath?: string;
}

/**
 * Whether somebody inside the containers is root on the node: a container is privileged, or mounts folders that hold the node's identity.
 */
export function isRootOnNode(spec: PodSpec): boolean {
  const folders = new Map(listOf(spec.volumes).flatMap(({ name, hostPath }) => (hostPath ? [[name, hostPath.path] as const] : [])));
  const pod = (spec as { securityContext?: unknown }).securityContext;
  return allContainers(spec).some(({ securityContext, volumeMounts }) => {
    if (isOther(pod, securityContext)) return false;
    const mounts = listOf(volumeMounts) as Mount[];
    return securityContext?.privileged === true || mounts.some(({ name, subPath = '' }) => isTelling(folders.get(name), subPath));
  });
}

/** Whether the manifest says that a container's user is not root. */
function isOther(...contexts: unknown[]): boolean {
  const settings = contexts.map((context) => (context ?? {}) as { runAsUser?: number; runAsNonRoot?: boolean });
  const [outer = {}, own = {}] = settings;
  const user = own.runAsUser ?? outer.runAsUser;
  return user === undefined ? (own.runAsNonRoot ?? outer.runAsNonRoot) === true : user !== 0;
}

function isTelling(path: unknown, subPath: string): boolean {
  if (typeof path !== 'string') return false;
  const folder = `${path}/${subPath}/`.replace(/\/+/g, '/');
  return TELLING_PATHS.some((one) => `${one}/`.startsWith(folder));
}
