import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { factsOf } from '../../facts/input.ts';
import { selectsPods } from '../../facts/service.ts';
import type { Correction } from '../correction.ts';
import type { FailingProbe } from './failing-probe.ts';
import { loggedPorts } from './port.ts';

/** The HTTP request of a probe's command. */
interface CommandRequest {
  scheme: 'HTTP' | 'HTTPS';
  host: string;
  port: number;
  path: string;
}

const REQUEST =
  /\b(?:curl|wget)\b.{0,200}?(?:\b(?<scheme>https?):\/\/(?<host>[\w.-]{1,253}|\[::1\])|\s(?<bare>localhost|127\.0\.0\.1)(?=:\d))(?::(?<port>\d{1,5}))?(?<path>\/[^\s'"|;&?]{0,200})?/;

/** The request of a command that asks with `curl` or `wget`: its host, port and path. Undefined if the command does nothing of the kind. */
export function requestIn({ probe }: FailingProbe): CommandRequest | undefined {
  const command = (probe.exec?.command ?? []).join(' ').slice(0, 2000);
  const asked = REQUEST.exec(command)?.groups;
  if (!asked) return undefined;
  const scheme = asked['scheme'] === 'https' ? 'HTTPS' : 'HTTP';
  const port = Number(asked['port'] ?? (scheme === 'HTTPS' ? 443 : 80));
  const host = asked['host'] ?? asked['bare'] ?? '';
  return port < 1 || port > 65535 ? undefined : { scheme, host, port, path: asked['path'] ?? '/' };
}

/** Whether a host is the container itself. */
export const isOwn = (host: string): boolean => ['localhost', '127.0.0.1', '[::1]', '0.0.0.0'].includes(host);

/** The probe with the same request by kubelet in place of a command. */
export function askedByKubelet({ probe }: FailingProbe, { scheme, port, path }: { scheme: string; port: number; path: string }): object {
  const { exec: _exec, ...rest } = probe;
  return { ...rest, httpGet: { path, port, ...(scheme === 'HTTPS' ? { scheme } : {}) } };
}

/**
 * For a command that asks the program at the loopback address and is refused: the same request by kubelet, at the address of the pod. Without a
 * word of the log about where the program listens it is a guess.
 */
export function atPodAddress(failing: FailingProbe, output: string): Correction[] {
  const { place, path, name, input } = failing;
  const asked = requestIn(failing);
  if (!asked || !isOwn(asked.host) || !/refused|ECONNREFUSED/i.test(output)) return [];
  const logged = loggedPorts(failing);
  const port = logged.includes(asked.port) ? asked.port : (logged[0] ?? asked.port);
  const { pod_name } = input.subject;
  const isAtPod = factsOf(input, 'listening').some(
    ({ local, port: own, evidence }) => !local && own === port && saysPod(evidence.text, pod_name, port),
  );
  return [
    {
      title: `Let kubelet ask ${code(`:${port}${asked.path}`)}`,
      changes: [change(place, path, askedByKubelet(failing, { ...asked, port }), 'kubelet asks at the address of the pod')],
      confidence: isAtPod || port !== asked.port ? 'likely' : 'guess',
      explanation: isAtPod
        ? `The program listens at the address of the pod only, and the ${name} probe asks ${code(asked.host)}.`
        : `Nothing answers at ${code(`${asked.host}:${asked.port}`)}.`,
      mirrorable: true,
    },
  ];
}

/** Whether a line says that the program listens on the name or the address of the pod. */
function saysPod(line: string, pod: string, port: number): boolean {
  const host = new RegExp(String.raw`(?<![\w.-])([\w.-]{1,253}):${port}(?!\d)`).exec(line)?.[1];
  return host === pod || (host !== undefined && host !== '0.0.0.0' && /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host));
}

/**
 * A readiness probe that sends its request through the pod's own Service. The Service sends no traffic to a pod that is not ready, so the
 * probe can never succeed.
 */
export function throughOwnService(failing: FailingProbe): Correction[] {
  const { place, container, path, name, input } = failing;
  const asked = name === 'readiness' ? requestIn(failing) : undefined;
  const [first = '', namespace = input.subject.namespace] = asked?.host.split('.') ?? [];
  const { labels, surroundings } = input.subject;
  const service = surroundings?.services?.find((one) => one.name === first && namespace === input.subject.namespace);
  if (!asked || !service || !selectsPods(service, labels)) return [];
  const declared = container.ports?.map(({ containerPort }) => containerPort) ?? [];
  const ports = loggedPorts(failing).length > 0 ? loggedPorts(failing) : declared;
  const [port, ...more] = ports;
  if (port === undefined) return [];
  return [
    {
      title: `Let kubelet ask ${code(`:${port}${asked.path}`)}`,
      changes: [change(place, path, askedByKubelet(failing, { ...asked, scheme: 'HTTP', port }), 'kubelet asks the pod itself')],
      confidence: more.length === 0 ? 'likely' : 'guess',
      explanation: `The probe asks Service ${code(service.name)}, which selects this pod and sends requests to ready pods only: so the pod never becomes ready.`,
      mirrorable: true,
    },
  ];
}
