import type { Container, KubeObject, Pod } from '../../../../../src/crd/kubernetes.ts';
import { other } from '../documented.ts';
import type { Cure, CureRow } from './cure.ts';
import { app, crash, guess, likely, service } from './rows.ts';

const env = (...all: [name: string, value: string][]): Pick<Container, 'env'> => ({ env: all.map(([name, value]) => ({ name, value })) });
const value = (index: number, to: string) => ({ [`${app}.env[${index}].value`]: to });
const arg = (index: number, to: string) => ({ [`${app}.args[${index}]`]: to });
const nobody = (host: string) => `dial tcp: lookup ${host} on 10.96.0.10:53: no such host\n`;

/** Pod 0 of StatefulSet `NAME` with this `serviceName`, beside these Services. */
function member(
  [name, serviceName, services]: [name: string, serviceName: string, services: string[]],
  log: string,
  spec: Partial<Container>,
  is: Omit<Cure, 'reason'>,
): CureRow {
  const row = crash(log, spec, is, [...services.map((one) => ({ ...service(one, 7000) }))]);
  const uid = `uid-${name}`;
  const pod = row.object as Pod;
  const set = other('StatefulSet', name, {
    apiVersion: 'apps/v1',
    metadata: { name, namespace: 'default', uid },
    spec: {
      replicas: 1,
      serviceName,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: pod.spec },
    },
    status: { replicas: 1 },
  });
  const metadata = {
    ...pod.metadata,
    name: `${name}-0`,
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name, uid, controller: true }],
  };
  return {
    ...row,
    object: { ...pod, metadata, spec: { ...pod.spec, hostname: `${name}-0`, subdomain: serviceName } } as KubeObject,
    others: [...(row.others ?? []), set],
  };
}

/** The Service that selects the pod `shop`. */
const own = (name: string): KubeObject => other('Service', name, { spec: { selector: { app: 'shop' }, ports: [{ port: 7800 }] } });
const labelled = (row: CureRow): CureRow => ({
  ...row,
  object: { ...row.object, metadata: { ...row.object.metadata, labels: { app: 'shop' } } },
});

/** Members of one StatefulSet that look for each other. Their names are in the Service of `serviceName`. */
export const PEERS: Record<string, CureRow> = {
  'servers in a range of names, below a Service that is called differently': member(
    ['minio', 'minio-headless', ['minio-headless', 'console']],
    `Error: lookup minio-0.minio-svc.default.svc.cluster.local on 10.96.0.10:53: no such host (*net.DNSError)\n`,
    { args: ['server', 'http://minio-{0...0}.minio-svc.default.svc.cluster.local:9000/data'] },
    {
      culprit: /^minio-0\.minio-svc/,
      best: arg(1, 'http://minio-{0...0}.minio-headless.default.svc.cluster.local:9000/data'),
      ...likely,
    },
  ),
  'members of etcd, below the Service for clients': member(
    ['etcd', 'etcd-headless', ['etcd', 'etcd-client', 'etcd-headless']],
    nobody('etcd-0.etcd'),
    { args: ['--name=etcd-0', '--initial-cluster=etcd-0=http://etcd-0.etcd:2380'] },
    { culprit: /^etcd-0\.etcd$/, best: arg(1, '--initial-cluster=etcd-0=http://etcd-0.etcd-headless:2380'), ...likely },
  ),
  'a seed of Cassandra in a variable': member(
    ['cassandra', 'ring', ['ring', 'cassandra-cql']],
    'Exception in thread "main" java.net.UnknownHostException: cassandra-0.cassandra.default.svc.cluster.local\n',
    env(['CASSANDRA_SEEDS', 'cassandra-0.cassandra.default.svc.cluster.local']),
    { culprit: /^cassandra-0\.cassandra/, best: value(0, 'cassandra-0.ring.default.svc.cluster.local'), ...likely },
  ),
  'a name that is made of the name of the pod': member(
    ['zk', 'zookeeper-headless', ['zookeeper-headless']],
    'ERROR Unexpected exception java.net.UnknownHostException: zk-0.zk-hs.default.svc.cluster.local\n',
    env(['POD_NAME', 'zk-0'], ['ADVERTISED', '$(POD_NAME).zk-hs.default.svc.cluster.local']),
    { culprit: /^zk-0\.zk-hs/, best: value(1, '$(POD_NAME).zookeeper-headless.default.svc.cluster.local'), ...likely },
  ),
  'a variable that holds only the Service': member(
    ['rabbit', 'rabbit-headless', ['rabbit', 'rabbit-headless']],
    'epmd error: could not resolve host rabbit-0.rabbit-nodes.default: nxdomain\n',
    env(['K8S_SERVICE_NAME', 'rabbit-nodes']),
    { culprit: /^rabbit-0\.rabbit-nodes/, best: value(0, 'rabbit-headless'), ...likely },
  ),
  'a script that joins a neighbour': member(
    ['pxc', 'pxc-nodes', ['pxc-nodes', 'pxc-proxy']],
    "getaddrinfo: Name or service not known: failed to resolve host 'pxc-0.pxc-peers'\n",
    { command: ['sh', '-c', 'exec mysqld --wsrep-cluster-address=gcomm://$(hostname).pxc-peers'] },
    {
      culprit: /^pxc-0\.pxc-peers/,
      best: { [`${app}.command[2]`]: 'exec mysqld --wsrep-cluster-address=gcomm://$(hostname).pxc-nodes' },
      ...likely,
    },
  ),
  'peers below another Service of Kubernetes that selects nothing, in a Deployment': labelled(
    crash(
      nobody('kc-discovery.default.svc.cluster.local'),
      env(['JGROUPS_DNS_QUERY', 'kc-discovery.default.svc.cluster.local']),
      { culprit: /^kc-discovery/, best: value(0, 'keycloak.default.svc.cluster.local'), ...guess },
      [own('keycloak'), service('postgres', 5432)],
    ),
  ),
  // No other name in the pod helps.
  'a StatefulSet whose Service nobody made': member(
    ['minio', 'minio', ['minio-console', 'minio-api']],
    nobody('minio-0.minio.default.svc.cluster.local'),
    { args: ['server', 'http://minio-{0...0}.minio.default.svc.cluster.local:9000/data'] },
    { culprit: /^minio-0\.minio/, best: null, says: /no Service `minio`[^]*`serviceName`|`serviceName`[^]*no Service `minio`/ },
  ),
  'a StatefulSet whose Service nobody made, and another one asked for': member(
    ['redis', 'redis-headless', ['redis']],
    nobody('redis-0.redis'),
    { args: ['--replicaof', 'redis-0.redis', '6379'] },
    { culprit: /^redis-0\.redis/, best: null, says: /no Service `redis-headless`/ },
  ),
  'a right name of a pod that is not ready': member(
    ['nats', 'nats', ['nats']],
    nobody('nats-0.nats.default.svc.cluster.local'),
    env(['ROUTES', 'nats://nats-0.nats.default.svc.cluster.local:6222']),
    { culprit: /^nats-0\.nats/, best: null, says: /publishNotReadyAddresses/ },
  ),
  'a database that is no peer, in a Deployment': labelled(
    crash(nobody('ledger-pg'), env(['DB_HOST', 'ledger-pg']), { culprit: /^ledger-pg$/, best: null }, [own('shop')]),
  ),
  'a control plane in another namespace': labelled(
    crash(
      nobody('istiod.istio-system.svc'),
      env(['CA_ADDR', 'istiod.istio-system.svc:15012']),
      { culprit: /^istiod\.istio-system\.svc/, best: null, says: /namespace `istio-system`/ },
      [own('shop')],
    ),
  ),
};
