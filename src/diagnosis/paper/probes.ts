import { fieldPath } from '../../crd/field-path.ts';
import type { Container } from '../../crd/kubernetes.ts';
import { change } from '../corrections/change.ts';
import type { ContainerPlace, RuleInput } from '../facts/input.ts';
import { code } from '../rendering/quote.ts';
import type { Obstacle } from './on-paper.ts';

const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const;
const HANDLERS = ['httpGet', 'tcpSocket', 'grpc'] as const;

/**
 * Set when a container that has never run has probes at a port of which nothing else in it speaks, while it declares one port only and gives that
 * to its program. Nobody has seen these probes fail yet.
 */
export function strayProbe(after: RuleInput): Obstacle | undefined {
  const place = after.place(null);
  for (const [index, container] of (place?.spec.containers ?? []).entries()) {
    const status = after.subject.statuses.find(({ name }) => name === container.name);
    if (!place || !status || status.state !== 'waiting' || status.last_state || (status.restart_count ?? 0) > 0) continue;
    const path = fieldPath(place.specPath, 'containers', index);
    const obstacle = obstacleOf(place, container, path);
    if (obstacle) return obstacle;
  }
  return undefined;
}

function obstacleOf(place: ContainerPlace, container: Container, path: string): Obstacle | undefined {
  const [only, ...more] = (container.ports ?? []).filter(({ protocol }) => protocol === undefined || protocol === 'TCP');
  const to = only?.containerPort;
  if (to === undefined || more.length > 0 || !isSaid(container, to) || isAside(container, to)) return undefined;
  const changes = PROBES.flatMap((probe) =>
    HANDLERS.flatMap((handler) => {
      const port = container[probe]?.[handler]?.port;
      return typeof port === 'number' && port !== to && !isSaid(container, port)
        ? [change(place, fieldPath(path, probe, handler, 'port'), to, `the container declares port ${to} and gives it to its program`)]
        : [];
    }),
  );
  if (changes.length === 0) return undefined;
  return {
    correction: {
      title: `Probe port ${code(to)}`,
      changes,
      confidence: 'likely',
      explanation: `Nothing else in the container names the port that they ask.`,
      mirrorable: true,
    },
    remains: '',
  };
}

/** Settings for ports beside the one on which a program answers probes: a controller has its health at a port of its own. */
const ASIDE = /webhook|metrics|admin|grpc|peer|gossip|cluster|debug/i;

/** Whether the port is that of another server in the program, by the name of its setting. */
function isAside({ command = [], args = [], env = [] }: Container, port: number): boolean {
  const words = [...command, ...args];
  const named = [...words.map((word, at) => `${words[at - 1] ?? ''} ${word}`), ...env.map(({ name, value }) => `${name}=${value ?? ''}`)];
  return named.some((text) => ASIDE.test(text) && text.endsWith(String(port)));
}

/** Whether a port stands in the container's words or variables. */
function isSaid({ command = [], args = [], env = [] }: Container, port: number): boolean {
  const pattern = new RegExp(`(?<![\\d.])${port}(?![\\d.])`);
  return [...command, ...args, ...env.map(({ value }) => value ?? '')].some((text) => pattern.test(text));
}
