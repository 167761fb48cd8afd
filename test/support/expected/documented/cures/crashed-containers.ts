import type { ContainerStatus } from '../../../../../src/crd/kubernetes.ts';
import type { CureRow } from './cure.ts';
import { after } from '../../../builders/pod.ts';
import { one } from '../documented.ts';
import { app, likely } from './rows.ts';

/** Restarted once after a run of some seconds that ended with this code. The present run began at second 18, two before the event. */
const restarted = (exitCode: number, seconds: number, more: Partial<ContainerStatus> = {}): Partial<ContainerStatus> => ({
  restartCount: 1,
  started: false,
  state: { running: { startedAt: after(18) } },
  lastState: { terminated: { exitCode, reason: 'Error', startedAt: after(17 - seconds), finishedAt: after(17) } },
  ...more,
});
const asked = { tcpSocket: { port: 8080 }, periodSeconds: 2 };
const refused = (probe: string): [string, string] => [
  'Unhealthy',
  `${probe} probe failed: dial tcp 10.1.2.3:8080: connect: connection refused`,
];
const killed: [string, string, 'Normal'] = ['Killing', 'Init container app failed startup probe', 'Normal'];

/** A crash makes the probes of its container fail. Only a program that is killed while it starts needs more time. */
const BEFORE_PROBES: Record<string, CureRow> = {
  'a Ruby program that crashes before its startup probe gives up': {
    object: one('shop', restarted(1, 2), { startupProbe: asked }),
    events: [refused('Startup')],
    log: "/app/config/environment.rb:5:in `<main>': uninitialized constant Acme (NameError)\n",
    is: { reason: 'CrashLoopBackOff', culprit: /Acme/, best: null },
  },
  'a Java program that crashes while it is not ready': {
    object: one('shop', restarted(1, 5, { started: true }), { readinessProbe: asked }),
    events: [refused('Readiness')],
    log: 'Exception in thread "main" java.lang.IllegalStateException: no region is configured\n',
    is: { reason: 'CrashLoopBackOff', culprit: /no region is configured/, best: null },
  },
  'a program that ended once and now answers at another path': {
    object: one('shop', restarted(1, 5, { started: true }), { readinessProbe: { httpGet: { path: '/health', port: 8080 } } }),
    events: [['Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 404']],
    log: 'Error: connect ECONNREFUSED db:5432\n',
    is: { reason: 'Unhealthy', culprit: /GET \/health/, best: { [`${app}.readinessProbe.httpGet.path`]: '/' }, ...likely },
  },
  'a program that ends with 1 when the startup probe stops it': {
    object: one('shop', restarted(1, 9, { restartCount: 2 }), { startupProbe: asked }),
    events: [refused('Startup'), killed],
    log: 'loading 14 models\n',
    is: { reason: 'Unhealthy', culprit: /startup probe/, best: { [`${app}.startupProbe.failureThreshold`]: 30 }, ...likely },
  },
  'a program that runs long after its crash and listens on another port': {
    object: one('shop', restarted(1, 2, { started: true, state: { running: { startedAt: after(10) } } }), { readinessProbe: asked }),
    events: [refused('Readiness')],
    log: 'listening on :9090\n',
    is: { reason: 'Unhealthy', culprit: /tcp :8080/, best: { [`${app}.readinessProbe.tcpSocket.port`]: 9090 }, ...likely },
  },
};

/** Containers that end, and what their end does to the probes and the other containers of the pod. */
export const CRASHED_CONTAINERS: Record<string, CureRow> = { ...BEFORE_PROBES };
