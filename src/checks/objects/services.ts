import type { KubeObject } from '../../crd/kubernetes.ts';
import type { ObjectCheck } from '../check.ts';
import { indexed, mapping, texts } from '../containers.ts';

interface ServiceSpec {
  type: string;
  externalIPs: string[];
  loadBalancerSourceRanges: string[];
  ports: { nodePort?: number }[];
  externalTrafficPolicy: string;
  healthCheckNodePort: number;
}

const specOf = (object: KubeObject): Partial<ServiceSpec> => mapping<ServiceSpec>((object as { spec?: unknown }).spec);

export const nodePort: ObjectCheck = {
  id: 'node-port',
  title: 'Service of type NodePort',
  severity: 'low',
  rationale: 'The port is open on every node, for everybody who reaches one.',
  remediation: 'Use type ClusterIP, behind an Ingress or a Gateway.',
  references: ['https://kubernetes.io/docs/concepts/services-networking/service/#type-nodeport'],
  frameworks: { nsa: ['Network separation and hardening'], mitre: ['T1190'] },
  kinds: ['Service'],
  look: (object) => {
    const spec = specOf(object);
    if (spec.type !== 'NodePort') return [];
    // The API server refuses node ports for the type ClusterIP.
    const ports = indexed(spec.ports).filter(([{ nodePort: port }]) => port !== undefined);
    const cures = [
      { path: 'spec.type', to: 'ClusterIP' },
      ...ports.map(([, index]) => ({ path: `spec.ports[${index}].nodePort`, to: null })),
      ...(['externalTrafficPolicy', 'healthCheckNodePort'] as const)
        .filter((field) => field in spec)
        .map((field) => ({ path: `spec.${field}`, to: null })),
    ];
    return [{ path: 'spec.type', about: 'The Service', problem: 'opens a port on every node', cures }];
  },
};

export const externalAddresses: ObjectCheck = {
  id: 'external-ips',
  title: 'Service with external IPs',
  severity: 'high',
  rationale:
    'Nobody checks whose addresses they are: traffic from the cluster to any address, also to a service elsewhere, can be taken (CVE-2020-8554).',
  remediation: 'Remove `externalIPs`, and use a load balancer or a Gateway.',
  references: [
    'https://kubernetes.io/docs/concepts/services-networking/service/#external-ips',
    'https://github.com/kubernetes/kubernetes/issues/97076',
  ],
  frameworks: { nsa: ['Network separation and hardening'], mitre: ['T1557'] },
  kinds: ['Service'],
  look: (object) =>
    texts(specOf(object).externalIPs).length > 0
      ? [
          {
            path: 'spec.externalIPs',
            about: 'The Service',
            problem: 'takes addresses of its own choice',
            cures: [{ path: 'spec.externalIPs', to: null }],
          },
        ]
      : [],
};

export const openLoadBalancer: ObjectCheck = {
  id: 'load-balancer-sources',
  title: 'Load balancer for all addresses',
  severity: 'info',
  rationale: 'Without source ranges, most clouds give the load balancer a public address that the whole internet reaches.',
  remediation: 'Set `spec.loadBalancerSourceRanges` to who may connect, if that is not everybody.',
  references: ['https://kubernetes.io/docs/tasks/access-application-cluster/configure-cloud-provider-firewall/'],
  frameworks: { nsa: ['Network separation and hardening'], mitre: ['T1190'] },
  kinds: ['Service'],
  look: (object) => {
    const { type, loadBalancerSourceRanges } = specOf(object);
    if (type !== 'LoadBalancer' || texts(loadBalancerSourceRanges).length > 0) return [];
    return [
      { path: 'spec.loadBalancerSourceRanges', about: 'The load balancer', problem: 'takes connections from all addresses', cures: [] },
    ];
  },
};
