import type { Loose, Stored } from '../store/object.ts';
import { ageText, type Column } from './column.ts';

const column = (name: string, cell: Column['cell'], priority = 0): Column => ({ name, cell, ...(priority && { priority }) });
const integer = (name: string, cell: Column['cell']): Column => ({ name, type: 'integer', cell });
const AGE = column('Age', (object, now) => ageText(object.metadata.creationTimestamp, now));
const labelsText = (labels: Record<string, string> | undefined): string =>
  Object.entries(labels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(',') || '<none>';
const images = (object: Stored) => object.spec.template.spec.containers.map((c: Loose) => c.image).join(',');
const names = (object: Stored) => object.spec.template.spec.containers.map((c: Loose) => c.name).join(',');
const WORKLOAD_WIDE = [
  column('Containers', names, 1),
  column('Images', images, 1),
  column('Selector', (object) => labelsText(object.spec.selector?.matchLabels), 1),
];

const isSidecar = (container: Loose): boolean => container.restartPolicy === 'Always';

/** The init part of a pod's STATUS: `Init:Error`, `Init:1/2`; undefined once all are done. */
function initReason(pod: Stored): string | undefined {
  const specs = (pod.spec.initContainers ?? []) as Loose[];
  for (const [i, status] of ((pod.status?.initContainerStatuses ?? []) as Loose[]).entries()) {
    const { terminated, waiting } = status.state ?? {};
    if (terminated?.exitCode === 0 || (isSidecar(specs[i] ?? {}) && status.started)) continue;
    if (terminated)
      return `Init:${terminated.reason || (terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`)}`;
    if (waiting?.reason && waiting.reason !== 'PodInitializing') return `Init:${waiting.reason}`;
    return `Init:${i}/${specs.length}`;
  }
  return undefined;
}

function containerReason(pod: Stored, reason: string): string {
  let shown = reason;
  let hasRunning = false;
  for (const status of [...(pod.status?.containerStatuses ?? [])].reverse() as Loose[]) {
    const { waiting, terminated, running } = status.state ?? {};
    if (waiting?.reason) shown = waiting.reason;
    else if (terminated)
      shown = terminated.reason || (terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`);
    else if (status.ready && running) hasRunning = true;
  }
  if (shown === 'Completed' && hasRunning) return 'Running';
  return shown;
}

/** What the STATUS column says of a pod, by the rules of the real printer. */
export function podStatusText(pod: Stored): string {
  const gated = pod.status?.conditions?.find((c: Loose) => c.type === 'PodScheduled' && c.reason === 'SchedulingGated');
  const base = pod.status?.reason || (gated ? 'SchedulingGated' : (pod.status?.phase ?? 'Pending'));
  const shown = initReason(pod) ?? containerReason(pod, base);
  if (pod.metadata.deletionTimestamp) return ['Succeeded', 'Failed'].includes(pod.status?.phase) ? shown : 'Terminating';
  return shown;
}

function restartsText(pod: Stored, now: Date): string {
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])] as Loose[];
  const count = statuses.reduce((sum, status) => sum + status.restartCount, 0);
  const last = statuses
    .map((status) => status.lastState?.terminated?.finishedAt)
    .filter((instant) => typeof instant === 'string')
    .sort()
    .at(-1);
  return count > 0 && last ? `${count} (${ageText(last, now)} ago)` : String(count);
}

function readyText(pod: Stored): string {
  const sidecars = ((pod.spec.initContainers ?? []) as Loose[]).filter(isSidecar).map((c) => c.name);
  const statuses = [
    ...(pod.status?.containerStatuses ?? []),
    ...(pod.status?.initContainerStatuses ?? []).filter((s: Loose) => sidecars.includes(s.name)),
  ];
  return `${statuses.filter((s: Loose) => s.ready).length}/${pod.spec.containers.length + sidecars.length}`;
}

const gatesText = (pod: Stored): string => {
  const gates = (pod.spec.readinessGates ?? []) as Loose[];
  const met = gates.filter((gate) => pod.status?.conditions?.some((c: Loose) => c.type === gate.conditionType && c.status === 'True'));
  return gates.length ? `${met.length}/${gates.length}` : '<none>';
};

const portsText = (service: Stored): string =>
  ((service.spec.ports ?? []) as Loose[]).map((p) => `${p.port}${p.nodePort ? `:${p.nodePort}` : ''}/${p.protocol}`).join(',') || '<none>';

const jobStatus = (job: Stored): string => {
  const held = (type: string) => job.status?.conditions?.some((c: Loose) => c.type === type && c.status === 'True');
  if (held('Complete')) return 'Complete';
  if (held('Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp) return 'Terminating';
  return held('Suspended') ? 'Suspended' : held('FailureTarget') ? 'FailureTarget' : 'Running';
};

const jobDuration = (job: Stored, now: Date): string => {
  const { startTime, completionTime } = job.status ?? {};
  return startTime ? ageText(startTime, completionTime ? new Date(completionTime) : now) : '';
};

const eventObject = (event: Stored): string =>
  `${String(event.involvedObject?.kind ?? '').toLowerCase()}/${event.involvedObject?.name ?? ''}`;
const eventTime = (event: Stored): string =>
  event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp;

/** The columns of the builtin kinds after NAME (Event has its own order). A kind that is not here shows NAME and AGE. */
export const COLUMNS: Record<string, Column[]> = {
  Pod: [
    column('Ready', readyText),
    column('Status', podStatusText),
    column('Restarts', restartsText),
    AGE,
    column('IP', (pod) => pod.status?.podIP ?? '<none>', 1),
    column('Node', (pod) => pod.spec.nodeName ?? '<none>', 1),
    column('Nominated Node', (pod) => pod.status?.nominatedNodeName ?? '<none>', 1),
    column('Readiness Gates', gatesText, 1),
  ],
  Event: [
    column('Last Seen', (event, now) => ageText(eventTime(event), now)),
    column('Type', (event) => event.type),
    column('Reason', (event) => event.reason),
    column('Object', eventObject),
    column('Subobject', (event) => event.involvedObject?.fieldPath ?? '', 1),
    column('Source', (event) => [event.source?.component || event.reportingComponent, event.source?.host].filter(Boolean).join(', '), 1),
    column('Message', (event) => String(event.message ?? '').trim()),
    column('First Seen', (event, now) => ageText(event.firstTimestamp ?? event.eventTime, now), 1),
    column('Count', (event) => event.series?.count ?? event.count ?? 1, 1),
    { ...column('Name', (event) => event.metadata.name, 1), format: 'name' },
  ],
  Deployment: [
    column('Ready', (d) => `${d.status?.readyReplicas ?? 0}/${d.spec.replicas}`),
    column('Up-to-date', (d) => d.status?.updatedReplicas ?? 0),
    column('Available', (d) => d.status?.availableReplicas ?? 0),
    AGE,
    ...WORKLOAD_WIDE,
  ],
  ReplicaSet: [
    integer('Desired', (r) => r.spec.replicas),
    integer('Current', (r) => r.status?.replicas ?? 0),
    integer('Ready', (r) => r.status?.readyReplicas ?? 0),
    AGE,
    ...WORKLOAD_WIDE,
  ],
  StatefulSet: [
    column('Ready', (s) => `${s.status?.readyReplicas ?? 0}/${s.spec.replicas}`),
    AGE,
    column('Containers', names, 1),
    column('Images', images, 1),
  ],
  DaemonSet: [
    integer('Desired', (d) => d.status?.desiredNumberScheduled ?? 0),
    integer('Current', (d) => d.status?.currentNumberScheduled ?? 0),
    integer('Ready', (d) => d.status?.numberReady ?? 0),
    integer('Up-to-date', (d) => d.status?.updatedNumberScheduled ?? 0),
    integer('Available', (d) => d.status?.numberAvailable ?? 0),
    column('Node Selector', (d) => labelsText(d.spec.template.spec.nodeSelector)),
    AGE,
    ...WORKLOAD_WIDE,
  ],
  Job: [
    column('Status', jobStatus),
    column('Completions', (j) => `${j.status?.succeeded ?? 0}/${j.spec.completions ?? 1}`),
    column('Duration', jobDuration),
    AGE,
    ...WORKLOAD_WIDE,
  ],
  Service: [
    column('Type', (s) => s.spec.type),
    column('Cluster-IP', (s) => s.spec.clusterIP ?? '<none>'),
    column('External-IP', (s) => s.spec.externalName ?? (s.spec.type === 'LoadBalancer' ? '<pending>' : '<none>')),
    column('Port(s)', portsText),
    AGE,
    column('Selector', (s) => labelsText(s.spec.selector), 1),
  ],
  Endpoints: [
    column(
      'Endpoints',
      (e) =>
        (e.subsets ?? []).flatMap((s: Loose) => (s.addresses ?? []).map((a: Loose) => `${a.ip}:${s.ports?.[0]?.port ?? ''}`)).join(',') ||
        '<none>',
    ),
    AGE,
  ],
  EndpointSlice: [
    column('AddressType', (e) => e.addressType),
    column('Ports', (e) => (e.ports ?? []).map((p: Loose) => p.port).join(',') || '<unset>'),
    column('Endpoints', (e) => (e.endpoints ?? []).flatMap((p: Loose) => p.addresses).join(',') || '<unset>'),
    AGE,
  ],
  ConfigMap: [column('Data', (c) => Object.keys({ ...c.data, ...c.binaryData }).length), AGE],
  Secret: [column('Type', (s) => s.type), column('Data', (s) => Object.keys(s.data ?? {}).length), AGE],
  Namespace: [column('Status', (n) => n.status?.phase), AGE],
  Node: [
    column('Status', (n) => {
      const ready = n.status?.conditions?.find((c: Loose) => c.type === 'Ready')?.status;
      return `${ready === 'True' ? 'Ready' : ready === 'False' ? 'NotReady' : 'Unknown'}${n.spec?.unschedulable ? ',SchedulingDisabled' : ''}`;
    }),
    column(
      'Roles',
      (n) =>
        Object.keys(n.metadata.labels ?? {})
          .filter((l) => l.startsWith('node-role.kubernetes.io/'))
          .map((l) => l.slice(24))
          .join(',') || '<none>',
    ),
    AGE,
    column('Version', (n) => n.status?.nodeInfo?.kubeletVersion ?? ''),
    column('Internal-IP', (n) => n.status?.addresses?.find((a: Loose) => a.type === 'InternalIP')?.address ?? '<none>', 1),
    column('External-IP', () => '<none>', 1),
    column('OS-Image', (n) => n.status?.nodeInfo?.osImage ?? '<unknown>', 1),
    column('Kernel-Version', (n) => n.status?.nodeInfo?.kernelVersion ?? '<unknown>', 1),
    column('Container-Runtime', (n) => n.status?.nodeInfo?.containerRuntimeVersion ?? '<unknown>', 1),
  ],
  PersistentVolumeClaim: [
    column('Status', (c) => c.status?.phase ?? 'Pending'),
    column('Volume', (c) => c.spec?.volumeName ?? ''),
    column('Capacity', (c) => c.status?.capacity?.storage ?? ''),
    column('Access Modes', (c) => (c.status?.accessModes ?? []).join(',')),
    column('StorageClass', (c) => c.spec?.storageClassName ?? ''),
    column('VolumeAttributesClass', () => '<unset>'),
    AGE,
    column('VolumeMode', (c) => c.spec?.volumeMode ?? '<unset>', 1),
  ],
  ResourceQuota: [
    column('Request', (q) =>
      Object.keys(q.spec?.hard ?? {})
        .filter((n) => !n.startsWith('limits.'))
        .map((n) => `${n}: ${q.status?.used?.[n] ?? 0}/${q.spec.hard[n]}`)
        .join(', '),
    ),
    column('Limit', (q) =>
      Object.keys(q.spec?.hard ?? {})
        .filter((n) => n.startsWith('limits.'))
        .map((n) => `${n}: ${q.status?.used?.[n] ?? 0}/${q.spec.hard[n]}`)
        .join(', '),
    ),
    AGE,
  ],
  NetworkPolicy: [column('Pod-Selector', (p) => labelsText(p.spec.podSelector?.matchLabels)), AGE],
  PriorityClass: [
    integer('Value', (p) => p.value),
    { ...column('Global-Default', (p) => p.globalDefault ?? false), type: 'boolean' },
    AGE,
    column('PreemptionPolicy', (p) => p.preemptionPolicy ?? 'PreemptLowerPriority'),
  ],
  Lease: [column('Holder', (l) => l.spec?.holderIdentity ?? ''), AGE],
  CustomResourceDefinition: [{ ...column('Created At', (c) => c.metadata.creationTimestamp), type: 'date' }],
  Role: [column('Created At', (r) => r.metadata.creationTimestamp)],
  ClusterRole: [column('Created At', (r) => r.metadata.creationTimestamp)],
  RoleBinding: [column('Role', (b) => `${b.roleRef?.kind}/${b.roleRef?.name}`), AGE],
  ClusterRoleBinding: [column('Role', (b) => `${b.roleRef?.kind}/${b.roleRef?.name}`), AGE],
  RuntimeClass: [column('Handler', (r) => r.handler), AGE],
};
