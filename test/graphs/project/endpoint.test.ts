import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod } from '../../../src/crd/kubernetes.ts';
import { endpointOf } from '../../../src/graphs/project/endpoint.ts';

const project = suite('a pod as NetworkPolicies see it');

const pod = (more: { spec?: object; status?: object } = {}): Pod =>
  ({
    metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
    spec: { containers: [{ name: 'app', image: 'web:1' }], ...more.spec },
    ...(more.status ? { status: more.status } : {}),
  }) as Pod;
const WEB = { name: 'web', namespace: 'shop', labels: { app: 'web' }, ip: undefined, isHostNetwork: false, ports: [] };

project('it has its address when Kubernetes gave it one', () => {
  assert.equal(endpointOf(pod({ status: { podIP: '10.0.0.7' } })), { ...WEB, ip: '10.0.0.7' });
  assert.equal(endpointOf(pod({ status: { podIP: '' } })), WEB);
  assert.equal(endpointOf(pod()), WEB);
});

project('ports with a name count, with TCP where no protocol is named; other protocols do not', () => {
  const ports = [{ name: 'http', containerPort: 80 }, { containerPort: 81 }, { name: 'dns', containerPort: 53, protocol: 'UDP' }];
  const strange = [{ name: 'odd', containerPort: 1, protocol: 'ICMP' }];
  const { ports: seen } = endpointOf(pod({ spec: { containers: [{ name: 'app', image: 'web:1', ports: [...ports, ...strange] }] } }));
  assert.equal(seen, [
    { name: 'http', port: 80, protocol: 'TCP' },
    { name: 'dns', port: 53, protocol: 'UDP' },
  ]);
});

project('a pod on the network of its node says so; one without labels has none', () => {
  assert.is(endpointOf(pod({ spec: { hostNetwork: true } })).isHostNetwork, true);
  const bare = { metadata: {}, spec: { containers: [] } } as unknown as Pod;
  assert.equal(endpointOf(bare), { ...WEB, name: '', namespace: 'default', labels: {} });
});

project.run();
