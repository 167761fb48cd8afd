import type { Container } from '../../../../../src/crd/kubernetes.ts';
import { after } from '../../../builders/pod.ts';
import { one, runs } from '../documented.ts';
import type { Cure, CureRow } from './cure.ts';
import { app, guess, likely } from './rows.ts';

const run = (...command: string[]) => ({ exec: { command }, periodSeconds: 5 });
const ports = (containerPort: number) => [{ containerPort }];

/** A server that is not ready. The command of its probe printed this. */
const unready = (spec: Partial<Container>, output: string, is: Omit<Cure, 'reason'>): CureRow => ({
  object: one('shop', runs(), spec),
  events: [['Unhealthy', `Readiness probe failed: ${output}`]],
  is: { reason: 'Unhealthy', ...is },
});

/** A server that this probe has killed three times, after runs of this length. */
const killed = (
  probe: 'Liveness' | 'Startup',
  spec: Partial<Container>,
  output: string,
  is: Omit<Cure, 'reason'>,
  seconds = 16,
): CureRow => ({
  object: one(
    'shop',
    {
      restartCount: 3,
      started: probe === 'Liveness',
      state: { running: { startedAt: after(18) } },
      lastState: { terminated: { exitCode: 137, reason: 'Error', startedAt: after(17 - seconds), finishedAt: after(17) } },
    },
    spec,
  ),
  events: [
    ['Unhealthy', `${probe} probe failed: ${output}`],
    ['Killing', `Container app failed ${probe.toLowerCase()} probe, will be restarted`, 'Normal'],
  ],
  is: { reason: 'Unhealthy', ...is },
});
const startup = { [`${app}.startupProbe`]: (to: { failureThreshold?: number }) => to.failureThreshold === 30 };
const tcp = (port: number) => (to: { tcpSocket?: { port: number } }) => to.tcpSocket?.port === port;

/** Probe commands that print what the server itself says. That says more than the port. */
export const PROBE_OUTPUT: Record<string, CureRow> = {
  'a Vault that is sealed, in a table': unready(
    { ports: ports(8200), readinessProbe: run('vault', 'status') },
    'Key                Value\n---                -----\nSeal Type          shamir\nInitialized        true\nSealed             true\nTotal Shares       5\nThreshold          3\nUnseal Progress    0/3\n',
    { culprit: /Sealed true/, best: null, says: /`Sealed true`/ },
  ),
  'an OpenBao that is sealed, in JSON': unready(
    { ports: ports(8200), readinessProbe: run('bao', 'status', '-format=json') },
    '{\n  "type": "shamir",\n  "initialized": true,\n  "sealed": true,\n  "t": 3\n}\n',
    { culprit: /"sealed": true/, best: null },
  ),
  'a Redis Cluster without all of its slots': unready(
    { ports: ports(6379), readinessProbe: run('sh', '-c', '/scripts/ready.sh') },
    'CLUSTERDOWN Hash slot not served\n',
    { culprit: /CLUSTERDOWN/, best: null },
  ),
  'a Consul server without a leader': unready(
    { ports: ports(8500), readinessProbe: run('consul', 'operator', 'raft', 'list-peers') },
    'Error getting peers: Failed to retrieve raft configuration: Unexpected response code: 500 (No cluster leader)\n',
    { culprit: /No cluster leader/, best: null },
  ),
  'an Elasticsearch whose check prints its own timeout': unready(
    { ports: ports(9200), readinessProbe: run('sh', '-c', '/check.sh') },
    'Waiting for elasticsearch cluster to become ready (request params: "wait_for_status=green&timeout=1s" )\nCluster is not yet ready (request params: "wait_for_status=green&timeout=1s" )\n',
    { culprit: /Cluster is not yet ready|Waiting for elasticsearch/, best: null },
  ),
  'a Cassandra that still joins the ring': unready(
    { ports: ports(9042), readinessProbe: run('sh', '-c', 'nodetool info') },
    'Mode: JOINING\nBootstrap in progress: 41%\n',
    { culprit: /JOINING/, best: null },
  ),
  'a Valkey that is killed while it loads': killed(
    'Liveness',
    { ports: ports(6379), livenessProbe: run('valkey-cli', 'ping') },
    'LOADING Valkey is loading the dataset in memory\n',
    { culprit: /LOADING/, best: startup, ...likely },
  ),
  'a PostgreSQL that is killed while it replays its log': killed(
    'Liveness',
    { ports: ports(5432), livenessProbe: run('pg_isready', '-U', 'postgres') },
    '/var/run/postgresql:5432 - rejecting connections\n',
    { culprit: /rejecting connections/, best: startup, ...likely },
  ),
  'a model server whose script counts what is loaded': killed(
    'Startup',
    { ports: ports(8000), startupProbe: run('python3', '/check.py') },
    'still loading: 3 of 8 shards\n',
    { culprit: /3 of 8 shards/, best: { [`${app}.startupProbe.failureThreshold`]: 30 }, ...likely },
  ),
  'a broker whose application is starting': killed(
    'Liveness',
    { ports: ports(5672), livenessProbe: run('rabbitmq-diagnostics', '-q', 'status') },
    "Error: this command requires the 'rabbit' app to be running on the target node. The node is starting\n",
    { culprit: /node is starting/, best: startup, ...likely },
  ),
  // Output that only looks like that of a starting server.
  'a check that lacks a library': killed(
    'Liveness',
    { ports: ports(5432), livenessProbe: run('/usr/bin/check') },
    '/usr/bin/check: error while loading shared libraries: libpq.so.5: cannot open shared object file: Permission denied\n',
    { culprit: /liveness probe exec/, best: { [`${app}.livenessProbe`]: tcp(5432) }, ...guess },
  ),
  'a check that cannot load its settings': killed(
    'Liveness',
    { ports: ports(8080), livenessProbe: run('/check', '--config=/etc/check.toml') },
    'error loading config: invalid value for "url"\n',
    { culprit: /liveness probe exec/, best: { [`${app}.livenessProbe`]: tcp(8080) }, ...guess },
  ),
  'a check that wants a password': unready(
    { ports: ports(6379), readinessProbe: run('redis-cli', 'ping') },
    'NOAUTH Authentication required.\n',
    { culprit: /readiness probe exec redis-cli/, best: { [`${app}.readinessProbe`]: tcp(6379) }, ...guess },
  ),
  'a check with an option that it does not know': unready(
    { ports: ports(9000), readinessProbe: run('status', '--wait') },
    "status: unrecognized option '--wait'\n",
    { culprit: /readiness probe exec status/, best: { [`${app}.readinessProbe`]: tcp(9000) }, ...guess },
  ),
  'a server that loads again after it has served for an hour': killed(
    'Liveness',
    { ports: ports(6379), livenessProbe: run('redis-cli', 'ping') },
    'LOADING Redis is loading the dataset in memory\n',
    { culprit: /LOADING/, best: null },
    3600,
  ),
  'a worker whose check says what is stuck': killed(
    'Liveness',
    { ports: ports(8080), livenessProbe: run('/check') },
    'unhealthy: no job taken for 600 s\n',
    { culprit: /no job taken/, best: { [`${app}.livenessProbe`]: tcp(8080) }, ...guess },
    3600,
  ),
};
