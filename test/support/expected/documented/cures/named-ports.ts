import type { Container, PodSpec } from '../../../../../src/crd/kubernetes.ts';
import { one, runs } from '../documented.ts';
import type { Changes, CureRow } from './cure.ts';
import { app, likely } from './rows.ts';

const http = (port: string | number) => ({ httpGet: { path: '/healthz', port } });
const tcp = (port: string | number) => ({ tcpSocket: { port } });
const ports = (...all: [name: string, containerPort: number][]) => all.map(([name, containerPort]) => ({ name, containerPort }));

/** A server that listens where its log says, and a probe that gets no answer. */
const asked = (
  log: string,
  spec: Partial<Container>,
  best: Changes,
  podSpec: Partial<PodSpec> = {},
  refused = 'dial tcp 10.1.2.3:80: connect: connection refused',
): CureRow => ({
  object: one('shop', runs(), spec, podSpec),
  events: [['Unhealthy', `Readiness probe failed: ${refused}`]],
  log,
  is: { reason: 'Unhealthy', culprit: /readiness probe/, best, ...likely },
});
const number = (index: number, to: number): Changes => ({ [`${app}.ports[${index}].containerPort`]: to });

/** Ports that are used by name. If the number behind the name is wrong, it is wrong for the Services too. */
export const NAMED_PORTS: Record<string, CureRow> = {
  'a .NET program on its new default port': asked(
    'info: Microsoft.Hosting.Lifetime[14]\n      Now listening on: http://[::]:8080\n',
    { ports: ports(['http', 80]), readinessProbe: http('http') },
    number(0, 8080),
  ),
  'a Redis with a wrong number behind its name': asked(
    '1:M 02 Jan 2026 10:00:00.000 * Running mode=standalone, port=6379.\n',
    { ports: ports(['redis', 6380]), readinessProbe: tcp('redis') },
    number(0, 6379),
    {},
    'dial tcp 10.1.2.3:6380: connect: connection refused',
  ),
  'a program of Node that two probes ask by one name': asked(
    'Server listening on port 3000\n',
    { ports: ports(['web', 8080]), readinessProbe: http('web'), livenessProbe: http('web') },
    number(0, 3000),
  ),
  'a Spring program with a second port': asked(
    "Tomcat started on port 8081 (http) with context path '/'\n",
    { ports: ports(['http', 8080], ['management', 9000]), readinessProbe: http('http') },
    number(0, 8081),
  ),
  'the second of two named ports': asked(
    'INFO:     Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)\n',
    { ports: ports(['metrics', 9100], ['http', 5000]), readinessProbe: http('http') },
    number(1, 8000),
  ),
  // The number behind the name is right, or the name is not the fault.
  'a probe that asks at the name of another port': asked(
    'Listening on 0.0.0.0:8080\n',
    { ports: ports(['http', 8080], ['metrics', 9090]), readinessProbe: http('metrics') },
    { [`${app}.readinessProbe.httpGet.port`]: 8080 },
  ),
  'a probe with a number': asked(
    'Listening on 0.0.0.0:8080\n',
    { ports: ports(['http', 80]), readinessProbe: http(80) },
    { [`${app}.readinessProbe.httpGet.port`]: 8080 },
  ),
  'a name that the container does not declare': asked(
    'Listening on 0.0.0.0:8080\n',
    { ports: ports(['web', 8080]), readinessProbe: http('http') },
    { [`${app}.readinessProbe.httpGet.port`]: 8080 },
    {},
    'port http not found',
  ),
  'a port of the node': asked(
    'Listening on 0.0.0.0:8080\n',
    { ports: [{ name: 'http', containerPort: 80, hostPort: 80 }], readinessProbe: http('http') },
    { [`${app}.readinessProbe.httpGet.port`]: 8080 },
    { hostNetwork: true },
  ),
};
