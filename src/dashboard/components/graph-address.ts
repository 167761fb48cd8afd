import type { Search } from './address.ts';

/** Kinds for which the API draws a graph. */
const WORKLOADS = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'];

/** The address of the graph around a failing pod. */
export function addressOfPod(pod: { namespace: string; pod_name: string; workload: { kind: string; name: string } | null }): Search {
  const { namespace, pod_name: name, workload } = pod;
  const isDrawn = workload !== null && WORKLOADS.includes(workload.kind);
  return {
    namespace,
    ...(isDrawn ? { workload: `${workload.kind}/${namespace}/${workload.name}` } : { near: '1' }),
    node: `Pod/${namespace}/${name}`,
  };
}

/** Whether a graph can be drawn around an object of this kind. */
export const isWorkload = (kind: string): boolean => WORKLOADS.includes(kind);

/** The address of the graph of a role or a workload; undefined for other kinds. */
export function addressOfObject({
  kind,
  name,
  namespace,
}: {
  kind: string;
  name: string;
  namespace?: string | undefined;
}): Search | undefined {
  if (kind === 'ClusterRole') return { graph: 'roles', role: `${kind}/cluster-wide/${name}` };
  if (namespace === undefined) return undefined;
  const id = `${kind}/${namespace}/${name}`;
  if (kind === 'Role') return { graph: 'roles', namespace, role: id };
  return isWorkload(kind) ? { namespace, workload: id } : undefined;
}
