import type { Container, Probe } from '../../../crd/kubernetes.ts';
import type { ProbeName } from '../../facts/probe-failure.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';

/** The probe to correct, and the container that it belongs to. */
export interface FailingProbe {
  input: RuleInput;
  place: ContainerPlace;
  container: Container;
  name: ProbeName;
  probe: Probe;
  /** Path of the probe in the manifest. */
  path: string;
}

/** The container's other probes. */
export function otherProbes({ container, name }: FailingProbe): Probe[] {
  return (['liveness', 'readiness', 'startup'] as const)
    .filter((other) => other !== name)
    .flatMap((other) => container[`${other}Probe`] ?? []);
}

/** The number of a port that a probe names; undefined for a name that the container does not declare. */
export function portNumber({ ports }: Container, port: number | string | undefined): number | undefined {
  const number = Number(port);
  return Number.isInteger(number) ? number : ports?.find(({ name }) => name === port)?.containerPort;
}

/** The probe with a TCP connection to `port` in place of its handler. */
export function withConnection(probe: Probe, port: number): Record<string, unknown> {
  const { exec: _exec, grpc: _grpc, httpGet: _get, ...rest } = probe;
  return Object.fromEntries(Object.entries({ ...rest, tcpSocket: { port } }).filter(([, value]) => value !== undefined));
}
