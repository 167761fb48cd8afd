import type { Api } from './api/api.ts';
import { timeText } from './store/object.ts';

const NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
const RESOURCES = { cpu: '4', memory: '8Gi', 'ephemeral-storage': '40Gi', pods: '110', 'hugepages-1Gi': '0', 'hugepages-2Mi': '0' };

/** The address of the node, which is also the host IP of its pods. */
export const NODE_IP = '172.31.255.1';

const HEALTH: [type: string, status: string, reason: string, message: string][] = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
];

function nodeObject(name: string, version: string, now: string) {
  return {
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
      },
    },
    spec: { podCIDR: '10.244.0.0/24', podCIDRs: ['10.244.0.0/24'] },
    status: {
      addresses: [
        { type: 'InternalIP', address: NODE_IP },
        { type: 'Hostname', address: name },
      ],
      allocatable: RESOURCES,
      capacity: RESOURCES,
      conditions: HEALTH.map(([type, status, reason, message]) => ({
        type,
        status,
        reason,
        message,
        lastHeartbeatTime: now,
        lastTransitionTime: now,
      })),
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        architecture: 'amd64',
        operatingSystem: 'linux',
        osImage: 'Podmend sandbox',
        kernelVersion: '6.1.0',
        containerRuntimeVersion: 'containerd://2.4.0',
        kubeletVersion: version,
        kubeProxyVersion: '',
        machineID: 'sandbox',
        systemUUID: 'sandbox',
        bootID: 'sandbox',
      },
    },
  };
}

/** The content of a new cluster: namespaces, a node, the API server's own Service, and the two system priority classes. */
export function bootstrap(api: Api, nodeName: string, version: string): void {
  const { registry } = api;
  const internal = { isInternal: true };
  for (const name of NAMESPACES) api.create(registry.builtin('namespaces'), undefined, { metadata: { name } }, internal);
  api.create(registry.builtin('nodes'), undefined, nodeObject(nodeName, version, timeText(api.clock.now())), internal);
  for (const [name, value, where] of [
    ['system-cluster-critical', 2_000_000_000, 'be in the cluster, but can be moved to another node if necessary'],
    ['system-node-critical', 2_000_001_000, 'not be moved from their current node'],
  ])
    api.create(
      registry.builtin('priorityclasses'),
      undefined,
      { metadata: { name }, value, description: `Used for system critical pods that must ${where}.` },
      internal,
    );
  const ports = [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }];
  const labels = { component: 'apiserver', provider: 'kubernetes' };
  api.create(
    registry.builtin('services'),
    'default',
    { metadata: { name: 'kubernetes', labels }, spec: { clusterIP: '10.96.0.1', ports } },
    internal,
  );
}
