import type { Container, KubeObject } from '../../../../../src/crd/kubernetes.ts';
import { after } from '../../../builders/pod.ts';
import { one, other, runs } from '../documented.ts';
import type { Cure, CureRow } from './cure.ts';
import { app, guess, likely } from './rows.ts';

const exec = (...command: string[]) => ({ exec: { command }, periodSeconds: 5 });
const wget = (url: string) => exec('wget', '-q', '-O', '/dev/null', url);
const REFUSED = "wget: can't connect to remote host (127.0.0.1): Connection refused";
const asks = (path: string, port: number) => (to: { exec?: object; httpGet?: { path?: string; port?: number } }) =>
  to.exec === undefined && to.httpGet?.path === path && to.httpGet.port === port;
const readiness = `${app}.readinessProbe`;

/** A server that is not ready. The command of its probe asks this address. */
const unready = (
  spec: Partial<Container>,
  output: string,
  log: string,
  is: Omit<Cure, 'reason' | 'culprit'>,
  others: KubeObject[] = [],
): CureRow => {
  const made = one('shop', runs(), spec);
  return {
    object: { ...made, metadata: { ...made.metadata, labels: { app: 'shop' } } },
    events: [['Unhealthy', `Readiness probe failed: ${output}`]],
    log,
    others,
    is: { reason: 'Unhealthy', culprit: /readiness probe exec/, ...is },
  };
};
const own = (name: string): KubeObject => other('Service', name, { spec: { selector: { app: 'shop' }, ports: [{ port: 80 }] } });

/** Probe commands that ask an address where the program does not listen, or an address that works only when the pod is ready. */
export const PROBE_ADDRESSES: Record<string, CureRow> = {
  'a server that listens on the name of the pod': unready(
    { ports: [{ containerPort: 3000 }], readinessProbe: wget('http://localhost:3000/api/health') },
    REFUSED,
    '   - Local:        http://shop:3000\n   - Network:      http://shop:3000\n ✓ Ready in 61ms\n',
    { best: { [readiness]: asks('/api/health', 3000) }, ...likely },
  ),
  'a server that listens on the address of the pod': unready(
    { readinessProbe: exec('curl', '-fsS', 'http://127.0.0.1:8000/health') },
    'curl: (7) Failed to connect to 127.0.0.1 port 8000 after 0 ms: Connection refused',
    'INFO:     Uvicorn running on http://10.1.2.3:8000 (Press CTRL+C to quit)\n',
    { best: { [readiness]: asks('/health', 8000) }, ...likely },
  ),
  'the same command in two probes': unready(
    { readinessProbe: wget('http://localhost:3000/'), livenessProbe: wget('http://localhost:3000/') },
    REFUSED,
    'Server listening at http://shop:3000\n',
    { best: { [readiness]: asks('/', 3000), [`${app}.livenessProbe`]: asks('/', 3000) }, ...likely },
  ),
  'a command that asks another port than the log names': unready(
    { readinessProbe: wget('http://localhost:3000/health') },
    REFUSED,
    'listening on 0.0.0.0:8080\n',
    { best: { [readiness]: asks('/health', 8080) }, ...likely },
  ),
  'a probe through the Service of the pod itself': unready(
    { ports: [{ containerPort: 8080 }], readinessProbe: wget('http://reviews/health') },
    "wget: can't connect to remote host (10.96.3.118): Connection refused",
    'listening on :8080\n',
    { best: { [readiness]: asks('/health', 8080) }, ...likely, says: /Service `reviews`[^]*ready pods/ },
    [own('reviews')],
  ),
  'the same by its whole name, without a log': unready(
    {
      ports: [{ containerPort: 8080 }],
      readinessProbe: exec('sh', '-c', 'curl -sf http://reviews.default.svc.cluster.local:80/ready || exit 1'),
    },
    '',
    '',
    { best: { [readiness]: asks('/ready', 8080) }, ...likely, says: /ready pods/ },
    [own('reviews')],
  ),
  // Nobody knows where the program listens, or the probe asks another server.
  'a server that has not said where it listens': unready({ readinessProbe: wget('http://localhost:3000/health') }, REFUSED, 'loading\n', {
    best: { [readiness]: asks('/health', 3000) },
    ...guess,
  }),
  'a probe through the Service of another workload': unready(
    { ports: [{ containerPort: 8080 }], readinessProbe: wget('http://payments/health') },
    "wget: can't connect to remote host (10.96.3.118): Connection refused",
    'listening on :8080\n',
    { best: { [readiness]: (to: { tcpSocket?: object }) => to.tcpSocket !== undefined }, ...guess },
    [other('Service', 'payments', { spec: { selector: { app: 'payments' }, ports: [{ port: 80 }] } })],
  ),
  'an answer of the right server': unready(
    { ports: [{ containerPort: 3000 }], readinessProbe: wget('http://localhost:3000/health') },
    'wget: server returned error: HTTP/1.1 404 Not Found',
    'Server listening at http://shop:3000\n',
    { best: { [readiness]: (to: { tcpSocket?: object }) => to.tcpSocket !== undefined }, ...guess },
  ),
  'a Service of the pod with two ports to choose from': unready(
    { ports: [{ containerPort: 8080 }, { containerPort: 9090 }], readinessProbe: wget('http://reviews/health') },
    "wget: can't connect to remote host (10.96.3.118): Connection refused",
    '',
    { best: { [readiness]: asks('/health', 8080) }, ...guess },
    [own('reviews')],
  ),
  'a program that is killed before it listens': {
    object: one(
      'shop',
      {
        restartCount: 3,
        started: true,
        state: { running: { startedAt: after(18) } },
        lastState: { terminated: { exitCode: 137, reason: 'Error', startedAt: after(2), finishedAt: after(17) } },
      },
      { livenessProbe: wget('http://localhost:3000/health') },
    ),
    events: [
      ['Unhealthy', `Liveness probe failed: ${REFUSED}`],
      ['Killing', 'Container app failed liveness probe, will be restarted', 'Normal'],
    ],
    log: 'migrating the database\n',
    is: { reason: 'Unhealthy', culprit: /liveness probe exec/, best: { [`${app}.startupProbe`]: (to: object) => 'exec' in to }, ...likely },
  },
};
