import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import type { Change } from '../../../contract/failure.ts';
import { change } from '../change.ts';
import { factsOf, type RuleInput } from '../../facts/input.ts';
import type { ListeningFact } from '../../facts/listening.ts';
import { selectsPods } from '../../facts/service.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten } from '../given-values.ts';
import { commandWords } from '../container-texts.ts';
import { replaceText } from '../replace-text.ts';
import { withOption } from '../settings/set-option.ts';
import { nearestName } from '../similar-names.ts';
import { type FailingProbe, otherProbes, withConnection } from './failing-probe.ts';

const MAX_PORTS = 3;

interface OtherPort {
  port: number | string;
  why: string;
  confidence: Correction['confidence'];
}

/** Ports on which the program may listen: those in its log, those that the container declares, and those of its other probes. */
export function otherPort(failing: FailingProbe): Correction[] {
  const { place, container, probe, path } = failing;
  const handler = probe.httpGet ? 'httpGet' : probe.tcpSocket ? 'tcpSocket' : probe.grpc ? 'grpc' : undefined;
  const own = handler && probe[handler]?.port;
  if (!handler || own === undefined) return [];
  const number = numberOf(own, container.ports ?? []);
  const logged = loggedPorts(failing);
  // If the log says that the program listens on the port, the port is not the cause.
  if (number !== undefined && logged.includes(number)) return [];
  const served = onServedPort(failing, number, logged);
  if (served) return [served];
  const renumbered = otherNumber(failing, own, logged);
  if (renumbered) return [renumbered];
  const others = [...fromLog(logged), ...declared(failing, own, number), ...fromProbes(failing, own, number)];
  // If several sources name a port, the reason comes from the first one.
  const distinct = others.filter(({ port }, index) => others.findIndex((other) => String(other.port) === String(port)) === index);
  return distinct.slice(0, MAX_PORTS).map(({ port, why, confidence }) => ({
    title: `Probe port ${code(port)}`,
    changes: [change(place, fieldPath(path, handler, 'port'), port, why)],
    confidence,
    explanation: `Nothing listens on ${code(own)}.`,
    mirrorable: true,
  }));
}

/**
 * The probe's port in the one setting that holds another one, where the container declares the probe's port and a Service of the pod has it: then
 * the setting is wrong, and everybody else is right.
 */
function onServedPort({ input, place, container }: FailingProbe, asked: number | undefined, logged: number[]): Correction | undefined {
  const { labels, surroundings } = input.subject;
  const isServed = surroundings?.services?.some((service) => selectsPods(service, labels) && service.ports?.includes(asked ?? 0) === true);
  if (asked === undefined || !isServed || !container.ports?.some(({ containerPort }) => containerPort === asked)) return undefined;
  const [only, ...more] = [...new Set(logged)].flatMap((port) =>
    givenIn(place).filter(({ value }) => value === String(port) || value.endsWith(`:${port}`)),
  );
  if (!only || more.length > 0) return undefined;
  const to = only.value.replace(/\d+$/, String(asked));
  return {
    title: `Listen on port ${code(asked)}`,
    changes: [rewritten(place, only, to, `the container declares port ${asked}, and its Service and its probes use it`)],
    confidence: 'likely',
    explanation: `${code(only.name)} has another port than everybody asks.`,
    mirrorable: true,
  };
}

/**
 * For a port that is asked by its name: the number where the program listens. It is then right for the Services that use the name, too. If the
 * container declares that number under another name, the probe uses the wrong name instead.
 */
function otherNumber({ place, container }: FailingProbe, name: number | string, logged: number[]): Correction | undefined {
  const ports = container.ports ?? [];
  const index = ports.findIndex((one) => one.name === name);
  const [to] = logged;
  // On the network of the node a port keeps the number that it has there.
  if (index < 0 || to === undefined || place.spec.hostNetwork || ports.some(({ containerPort }) => logged.includes(containerPort)))
    return undefined;
  return {
    title: `Give port ${code(name)} the number ${code(to)}`,
    changes: [change(place, fieldPath(place.path, 'ports', index, 'containerPort'), to, 'the log says that the program listens there')],
    confidence: 'likely',
    explanation: `Nothing listens on port ${code(ports[index]?.containerPort ?? name)}. Probes and Services that use the name then find the program.`,
    mirrorable: true,
  };
}

/** A port on loopback: the one that the probe asks, or any if that is not known and the log names no other address. */
export function localOnly(input: RuleInput): ListeningFact | undefined {
  const all = factsOf(input, 'listening');
  const [asked] = factsOf(input, 'probe');
  const local = all.filter((fact) => fact.local);
  return local.find(({ port }) => port === asked?.port) ?? (local.length === all.length && !asked?.port ? local[0] : undefined);
}

/** Programs whose server for probes listens on loopback unless an option says otherwise (Cloud SQL Auth Proxy and AlloyDB Auth Proxy: `--http-address`). */
const ON_LOOPBACK: readonly { program: RegExp; serves: RegExp; option: string }[] = [
  { program: /cloud-?sql-proxy|alloydb-auth-proxy/, serves: /--(?:health-check|prometheus|quitquitquit)/, option: '--http-address' },
];

/** The option with which such a program listens on all addresses. */
export function healthOnAllAddresses({ place, container }: Pick<FailingProbe, 'place' | 'container'>): Correction[] {
  const words = commandWords(container);
  const found = ON_LOOPBACK.find(
    ({ program, serves }) =>
      [container.name, container.image ?? '', ...words].some((word) => program.test(word)) && words.some((word) => serves.test(word)),
  );
  if (!found || words.some((word) => word.startsWith(found.option))) return [];
  return [
    {
      title: `Add ${code(`${found.option}=0.0.0.0`)}`,
      changes: [withOption(place, found.option, '0.0.0.0', 'without it its server for probes listens on the loopback address only')],
      confidence: 'likely',
      explanation: 'No probe reaches the loopback address.',
      mirrorable: true,
    },
  ];
}

/** A value in the manifest makes the program listen on loopback only. No probe and no Service reaches it there. */
export function onAllAddresses({ input }: Pick<FailingProbe, 'input'>): Correction[] {
  const local = localOnly(input);
  if (!local) return [];
  const why = 'kubelet and Services reach the program only at the address of the pod';
  const changes = ['127.0.0.1', 'localhost'].flatMap((host) => {
    const together = replaceText(input, `${host}:${local.port}`, `0.0.0.0:${local.port}`, why);
    return together.length > 0 ? together : wholeValue(input, host, why);
  });
  return changes.length === 0
    ? []
    : [
        {
          title: 'Listen on all addresses',
          changes,
          confidence: 'likely',
          explanation: 'The log says that the program listens on its loopback only.',
          mirrorable: true,
        },
      ];
}

/** A variable or an option that holds only the host, and whose name says that it is the program's own. */
function wholeValue(input: RuleInput, host: string, why: string): Change[] {
  const place = input.place();
  const { env = [], args = [] } = place?.container ?? {};
  const isOwn = (name: string) =>
    /(?:^|[_-])(?:bind|listen|host|address|addr)(?:[_-]|$)/i.test(name) && !/db|redis|cache|queue|smtp|api/i.test(name);
  if (!place) return [];
  return [
    ...env.flatMap(({ name, value }, index) =>
      value === host && isOwn(name) ? [change(place, fieldPath(place.path, 'env', index, 'value'), '0.0.0.0', why)] : [],
    ),
    ...args.flatMap((word, index) => {
      const isAlone = word === host && isOwn((args[index - 1] ?? '').replace(/^-+/, ''));
      const [, option] = /^--?([\w-]{1,40})=/.exec(word) ?? [];
      const isValue = option !== undefined && isOwn(option) && word.endsWith(`=${host}`);
      return isAlone || isValue ? [change(place, fieldPath(place.path, 'args', index), word.replace(host, '0.0.0.0'), why)] : [];
    }),
  ];
}

/** A gRPC probe fails to connect although the program listens on the port: the program speaks another protocol. */
export function plainConnection(failing: FailingProbe): Correction[] {
  const { place, name, probe, path } = failing;
  const port = probe.grpc?.port;
  if (port === undefined || !loggedPorts(failing).includes(port)) return [];
  return [
    {
      title: `Connect to port ${code(port)} without gRPC`,
      changes: [change(place, path, withConnection(probe, port), 'the log says that the program listens there; it does not speak gRPC')],
      confidence: 'likely',
      explanation: `The ${name} probe gets no gRPC connection.`,
      mirrorable: true,
    },
  ];
}

/** Ports on which the program listens according to its log, except on loopback. */
export function loggedPorts({ input }: Pick<FailingProbe, 'input'>): number[] {
  return factsOf(input, 'listening').flatMap(({ local, port }) => (local ? [] : [port]));
}

type DeclaredPorts = NonNullable<FailingProbe['container']['ports']>;

/** The number of a port that a probe names; undefined for a name that the container does not declare. */
function numberOf(port: number | string, declaredPorts: DeclaredPorts): number | undefined {
  if (typeof port === 'number') return port;
  const named = declaredPorts.find(({ name }) => name === port);
  return named?.containerPort ?? (/^\d+$/.test(port) ? Number(port) : undefined);
}

function fromLog(ports: number[]): OtherPort[] {
  return ports.map((port) => ({ port, why: 'the log says that the program listens there', confidence: 'likely' }));
}

function declared({ container }: FailingProbe, own: number | string, number: number | undefined): OtherPort[] {
  const ports = container.ports ?? [];
  const names =
    typeof own === 'string' && number === undefined
      ? nearestName(
          own,
          ports.flatMap(({ name }) => name ?? []),
        )
      : [];
  return [
    ...names.map((port) => ({
      port,
      why: `the container declares this port and none named ${code(own)}`,
      confidence: 'certain' as const,
    })),
    ...ports
      .filter(({ containerPort }) => containerPort !== number)
      .map(({ containerPort }) => ({
        port: containerPort,
        why: 'the container declares this port',
        // It declares the port that is asked, too.
        confidence: ports.some((one) => one.containerPort === number && one.protocol !== 'UDP') ? ('guess' as const) : ('likely' as const),
      })),
  ];
}

function fromProbes(failing: FailingProbe, own: number | string, number: number | undefined): OtherPort[] {
  return otherProbes(failing)
    .flatMap(({ httpGet, tcpSocket }) => httpGet?.port ?? tcpSocket?.port ?? [])
    .filter((port) => port !== own && port !== number)
    .map((port) => ({ port, why: 'another probe of the container uses it', confidence: 'guess' }));
}
