import type { Container, PodSpec, PodTemplate, Toleration } from './kubernetes.ts';
import { allContainers, listOf } from './pod-template.ts';

const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Annotations that tools act on when they find them on a pod: a mirror must not look like one of their objects. */
const FOREIGN_ANNOTATION =
  /^(kubectl\.kubernetes\.io\/last-applied-configuration|kubernetes\.io\/(config|limit-ranger|psp).*|(kustomize|helm)\.toolkit\.fluxcd\.io\/.*|argocd\.argoproj\.io\/.*|meta\.helm\.sh\/.*|config\.k8s\.io\/owning-inventory|cni\.projectcalico\.org\/.*|k8s\.v1\.cni\.cncf\.io\/network-status|cluster-autoscaler\.kubernetes\.io\/.*|podmend\.dev\/.*)$/;

/**
 * A copy of a template without the fields that servers, schedulers and controllers write into pods, and without those that isolation
 * removes. Labels and annotations stay, except annotations of tools that track objects.
 */
export function stripTemplate(template: PodTemplate): PodTemplate {
  const { labels, annotations } = template.metadata ?? {};
  const { nodeName: _node, readinessGates: _gates, ephemeralContainers: _ephemeral, ...kept } = structuredClone(template.spec);
  const { priority: _priority, priorityClassName: _class, preemptionPolicy: _preemption, overhead: _overhead, ...spec } = kept;
  delete spec.serviceAccount;
  const serviceAccountName = template.spec.serviceAccountName ?? template.spec.serviceAccount;
  const generated = generatedVolumes(spec);
  const containers = (list: Container[]): Container[] => list.map((container) => stripContainer(container, generated));
  const tolerations = listOf(spec.tolerations).filter((toleration) => !isSetByAdmission(toleration));
  return {
    metadata: {
      labels: { ...labels },
      annotations: Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => !FOREIGN_ANNOTATION.test(key))),
    },
    spec: {
      ...spec,
      containers: containers(listOf(spec.containers)),
      ...(spec.initContainers ? { initContainers: containers(listOf(spec.initContainers)) } : {}),
      ...(spec.volumes ? { volumes: listOf(spec.volumes).filter((volume) => !generated.has(volume.name)) } : {}),
      ...(spec.tolerations ? { tolerations } : {}),
      ...(serviceAccountName ? { serviceAccountName } : {}),
    },
  };
}

/** Volumes that the service-account admission adds: `kube-api-access-…`, before Kubernetes 1.21 `<account>-token-…`. */
export function generatedVolumes(spec: PodSpec): Set<string> {
  const names = listOf(spec.volumes).map((volume) => volume.name);
  const mountedAsToken = new Set(
    allContainers(spec).flatMap((container) =>
      listOf(container.volumeMounts)
        .filter((mount) => mount.mountPath === TOKEN_PATH)
        .map((mount) => mount.name),
    ),
  );
  return new Set(
    names.filter((name) => name.startsWith('kube-api-access-') || (mountedAsToken.has(name) && /-token-[a-z0-9]{5}$/.test(name))),
  );
}

/** The container without its mounts of these volumes, and without the field if none is left. */
export function withoutMounts({ volumeMounts, ...container }: Container, volumes: ReadonlySet<string>): Container {
  const mounts = volumeMounts?.filter(({ name }) => !volumes.has(name));
  return mounts?.length ? { ...container, volumeMounts: mounts } : container;
}

function stripContainer(container: Container, generated: Set<string>): Container {
  return {
    ...container,
    ...(container.volumeMounts ? { volumeMounts: listOf(container.volumeMounts).filter((mount) => !generated.has(mount.name)) } : {}),
    ...(container.ports ? { ports: listOf(container.ports).map(({ hostPort: _port, hostIP: _ip, ...port }) => port) } : {}),
  };
}

/** The two tolerations that the admission plugin `DefaultTolerationSeconds` gives every pod. */
function isSetByAdmission(toleration: Toleration): boolean {
  return toleration.operator === 'Exists' && /^node\.kubernetes\.io\/(not-ready|unreachable)$/.test(toleration.key ?? '');
}
