import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { isShell } from '../container-texts.ts';
import { factsOf } from '../../facts/input.ts';
import { logSections } from '../../facts/log-sections.ts';
import type { Correction } from '../correction.ts';
import { askedByKubelet, isOwn, requestIn } from './asked-address.ts';
import { belowBase } from './base-path.ts';
import { nearestName } from '../similar-names.ts';
import { type FailingProbe, otherProbes, portNumber, withConnection } from './failing-probe.ts';
import { loggedPorts } from './port.ts';

/** Another path on the same server: the path of another probe, or the root. */
export function otherPath(failing: FailingProbe, status: number): Correction[] {
  const { place, probe, path } = failing;
  if (!probe.httpGet) return [];
  const own = probe.httpGet.path ?? '/';
  // A path that the server answers with an error to another probe is no better.
  const failed = factsOf(failing.input, 'probe')
    .filter(({ cause }) => cause === 'status')
    .map((fact) => failing.container[`${fact.probe}Probe`]?.httpGet?.path);
  const earlier = earlierPath(failing, own);
  const others = [...new Set(otherProbes(failing).flatMap(({ httpGet }) => httpGet?.path ?? []))].filter(
    (other) => other !== own && !failed.includes(other) && !earlier.some(({ to }) => to === other),
  );
  const correction = (to: string, why: string, confidence: Correction['confidence']): Correction => ({
    title: `Probe the path ${code(to)}`,
    changes: [change(place, fieldPath(path, 'httpGet', 'path'), to, why)],
    confidence,
    explanation: `${code(own)} answers with status ${code(status)}.`,
    mirrorable: true,
  });
  const answered = answeredPaths(failing, own);
  const below = status === 404 ? belowBase(failing) : [];
  const root = `every server has this path; use it only when ${code(own)} is not the health path`;
  return [
    ...below,
    ...earlier.map(({ to, why }) => correction(to, why, 'likely')),
    ...others.map((other) => correction(other, 'another probe of the container uses this path', 'likely')),
    ...answered
      .filter((other) => !others.includes(other))
      .map((other) => correction(other, 'the log shows that this path is answered', 'likely')),
    ...(own === '/' || others.includes('/') || answered.includes('/') ? [] : [correction('/', root, 'guess')]),
  ];
}

/** The path of this probe in the previous revision, which runs the same program. */
function earlierPath({ input, container, name }: FailingProbe, own: string): { to: string; why: string }[] {
  const { previous, before = 0 } = input.subject.surroundings?.revisions ?? {};
  const old = previous?.containers.find((one) => one.name === container.name);
  const to = old?.[`${name}Probe`]?.httpGet?.path;
  if (!old || to === undefined || to === own || old.image !== container.image) return [];
  return [{ to, why: `the probe of revision ${before} asked there, and the image is the same` }];
}

/** A request that the server answered successfully according to its log, or a route that the log lists. */
const ANSWERED = /\bGET["' ]{1,8}(\/[\w./-]{0,80})[^\n]{0,60}?(?:\b20[04]\b|-->|=>)/g;
const MAX_LOG = 32 * 1024;

/** Paths that the container's log shows as answered and that look like the health path: like the failing one, or by their words. */
function answeredPaths({ input, place }: FailingProbe, own: string): string[] {
  const log = logSections(input.subject).find(({ container }) => container === null || container === place.container?.name);
  const paths = new Set([...(log?.text.slice(0, MAX_LOG) ?? '').matchAll(ANSWERED)].flatMap(([, path]) => path ?? []));
  paths.delete(own);
  const near = nearestName(own, paths);
  const isHealth = (path: string) => /health|ready|live|ping|status|alive/i.test(path);
  return [...near, ...[...paths].filter((path) => isHealth(path) && !near.includes(path))].slice(0, 2);
}

/** Whether the server's log says that a client spoke HTTP where it expects TLS. */
export function saysTls({ input, place }: FailingProbe): boolean {
  const log = logSections(input.subject).find(({ container }) => container === null || container === place.container?.name);
  return /sent an HTTP request to an HTTPS server|plain HTTP request (?:was )?sent to HTTPS port|HTTP request (?:on|to) (?:an? )?(?:TLS|HTTPS|SSL)/i.test(
    log?.text.slice(0, MAX_LOG) ?? '',
  );
}

/** Asks for the server as a whole if it does not know the service. If it has no health service, connects to its port. */
export function otherRpc({ place, probe, path }: FailingProbe, output: string): Correction[] {
  const { grpc, ...rest } = probe as typeof probe & { grpc?: { port: number; service?: string } };
  if (grpc?.service && /unknown service|SERVICE_UNKNOWN|NotFound/i.test(output))
    return [
      {
        title: 'Ask for the whole server',
        changes: [change(place, fieldPath(path, 'grpc', 'service'), null, `the server knows no service ${code(grpc.service)}`)],
        confidence: 'guess',
        explanation: 'Without a name the server answers for all of its services.',
        mirrorable: true,
      },
    ];
  if (!grpc || !/does not implement|Unimplemented/i.test(output)) return [];
  return [
    {
      title: 'Probe only the port',
      changes: [change(place, path, { ...rest, tcpSocket: { port: grpc.port } }, 'the server has no service of health')],
      confidence: 'guess',
      explanation: 'It then only says that the server listens. A service of health (`grpc.health.v1.Health`) in the program says more.',
      mirrorable: true,
    },
  ];
}

/** HTTP in place of HTTPS, or the other way round. */
export function otherScheme(
  { place, probe, path }: FailingProbe,
  scheme: 'HTTP' | 'HTTPS',
  confidence: Correction['confidence'],
): Correction[] {
  if (!probe.httpGet) return [];
  return [
    {
      title: `Probe over ${scheme}`,
      changes: [change(place, fieldPath(path, 'httpGet', 'scheme'), scheme, `the server speaks ${scheme}`)],
      confidence,
      explanation: 'Probe and server do not speak the same protocol.',
      mirrorable: true,
    },
  ];
}

/** For a server that closes the connection of an HTTP probe without an answer: HTTPS where the port is called so, or else a connection alone. */
export function withoutHttp(failing: FailingProbe): Correction[] {
  const { place, name, probe, path, container } = failing;
  const own = probe.httpGet?.port;
  const port = portNumber(container, own);
  if (own === undefined || port === undefined) return [];
  const isTls =
    port % 1000 === 443 || container.ports?.some((one) => one.containerPort === port && /https|tls/.test(one.name ?? '')) === true;
  const alone: Correction = {
    title: `Connect to port ${code(port)} without HTTP`,
    changes: [change(place, path, withConnection(probe, port), 'the program takes the connection and gives no HTTP answer')],
    confidence: isHeard(failing, port) && !isTls ? 'likely' : 'guess',
    explanation: `The ${name} probe then only says that the program listens.`,
    mirrorable: true,
  };
  return isTls && probe.httpGet?.scheme !== 'HTTPS' ? [...otherScheme(failing, 'HTTPS', 'likely'), alone] : [alone];
}

const declaredPorts = ({ container }: FailingProbe): number[] => (container.ports ?? []).map(({ containerPort }) => containerPort);

/** Whether the program listens on the port by its log, or the container declares it. */
const isHeard = (failing: FailingProbe, port: number): boolean => [...loggedPorts(failing), ...declaredPorts(failing)].includes(port);

/** The port to ask: the one on which the program listens by its log, or else the only one that it declares, where the asked one is neither. */
function heardPort(failing: FailingProbe, asked: number): number {
  if (isHeard(failing, asked)) return asked;
  const logged = loggedPorts(failing);
  const [only, ...more] = logged.length > 0 ? logged : declaredPorts(failing);
  return only === undefined || more.length > 0 ? asked : only;
}

/** Replaces a command that needs an HTTP client that the image lacks with the same request by the kubelet. */
export function insteadOfClient(failing: FailingProbe): Correction[] {
  const { place, probe, path, name } = failing;
  const asked = requestIn(failing);
  if (!asked || !isOwn(asked.host)) return insteadOfDatabaseClient(failing, (probe.exec?.command ?? []).join(' ').slice(0, 2000));
  const port = heardPort(failing, asked.port);
  return [
    {
      title: `Let kubelet ask ${code(`:${port}${asked.path}`)}`,
      changes: [
        change(
          place,
          path,
          askedByKubelet(failing, { ...asked, port }),
          `kubelet asks without a program of the image${port === asked.port ? '' : `, and the program is on port ${port}`}`,
        ),
      ],
      confidence: 'likely',
      explanation: `The ${name} probe calls a program that the image does not have.`,
      mirrorable: true,
    },
  ];
}

/** Clients that a probe asks with, and the port that each asks when its command names none. */
const CLIENTS: Record<string, number> = {
  pg_isready: 5432,
  psql: 5432,
  'redis-cli': 6379,
  'valkey-cli': 6379,
  mysqladmin: 3306,
  'mariadb-admin': 3306,
  mysql: 3306,
  mongosh: 27017,
  mongo: 27017,
  nc: 0,
  grpc_health_probe: 0,
};

/**
 * Replaces a database client that the image lacks with a TCP connection by the kubelet to the same port, if the program is known to listen
 * there.
 */
function insteadOfDatabaseClient(failing: FailingProbe, command: string): Correction[] {
  const { place, container, probe, path, name } = failing;
  const [, client = ''] =
    [...command.matchAll(/(?:^|[\s/;&|])([a-z][\w-]{1,40})(?=\s|$)/g)].find(([, word = '']) => Object.hasOwn(CLIENTS, word)) ?? [];
  if (client === '' || /\s(?:-h|--host)[ =](?!127\.|localhost\b|0\.0\.0\.0|\$)/.test(command)) return [];
  const named = /\s(?:-p|-P|--port)[ =]?(\d{1,5})\b|:(\d{1,5})\b|(?:127\.0\.0\.1|localhost) (\d{1,5})\b/
    .exec(command)
    ?.slice(1)
    .find(Boolean);
  const port = Number(named ?? CLIENTS[client]);
  const isOpen = loggedPorts(failing).includes(port) || container.ports?.some(({ containerPort }) => containerPort === port) === true;
  if (port < 1 || port > 65535 || !isOpen) return [];
  return [
    {
      title: `Probe port ${code(port)} instead`,
      changes: [change(place, path, withConnection(probe, port), `${code(client)} would ask this port, on which the program listens`)],
      confidence: 'likely',
      explanation: `The ${name} probe calls ${code(client)}, which the image does not have.`,
      mirrorable: true,
    },
  ];
}

/** A command that is a single word with spaces, or that uses shell syntax. */
export function byShell({ place, probe, path }: FailingProbe): Correction[] {
  const command = probe.exec?.command ?? [];
  const [first = ''] = command;
  const isOneWord = command.length === 1 && /\s/.test(first.trim());
  const needsShell = command.some((word) => /^(?:\||\|\||&&|;|>|>>|<|2>&1)$/.test(word)) || (isOneWord && /[|&;<>$`]/.test(first));
  if (isShell(first) || (!isOneWord && !needsShell)) return [];
  const to = needsShell ? ['sh', '-c', command.join(' ')] : first.trim().split(/\s+/);
  return [
    {
      title: needsShell ? 'Let a shell run the command' : 'Split the command into its words',
      changes: [
        change(
          place,
          fieldPath(path, 'exec', 'command'),
          to,
          needsShell ? 'without a shell `|`, `&&` and `>` are words like others' : 'every word of a command is an entry of the list',
        ),
      ],
      confidence: 'likely',
      explanation: 'kubelet starts one program with these words, and no shell.',
      mirrorable: true,
    },
  ];
}

/** The other server that a command asks: `nc db 5432`, `curl http://api/health`. */
function otherServerIn(command: readonly string[]): string | undefined {
  const words = command.join(' ').slice(0, 2000);
  const host =
    /\bnc(?: -\S{1,10}(?: \d{1,4})?){0,4} ([A-Za-z][\w.-]{1,200}) \d{2,5}\b/.exec(words)?.[1] ??
    /\b(?:curl|wget)\b.{0,200}?\bhttps?:\/\/([A-Za-z][\w.-]{1,200})/.exec(words)?.[1] ??
    /\b(?:pg_isready|mysqladmin|redis-cli)\b.{0,100}? (?:-h|--host)[ =]([A-Za-z][\w.-]{1,200})/.exec(words)?.[1];
  return host === undefined || /^localhost$/i.test(host) ? undefined : host;
}

/** Replaces a failing command with a connection to the program's port. Without a known port, removes the probe. */
export function insteadOfCommand(failing: FailingProbe): Correction[] {
  const { place, container, name, probe, path } = failing;
  if (!probe.exec) return [];
  const command = code((probe.exec.command ?? []).join(' '), 100);
  const port = loggedPorts(failing)[0] ?? container.ports?.[0]?.containerPort;
  const correction = { confidence: 'guess', mirrorable: true } as const;
  const other = name === 'liveness' ? otherServerIn(probe.exec.command ?? []) : undefined;
  const ofOther = other && `The command asks ${code(other)}, which is another server, and says nothing about the program itself.`;
  if (port === undefined)
    return [
      {
        ...correction,
        title: `Remove the ${name} probe`,
        changes: [
          change(
            place,
            path,
            null,
            other === undefined
              ? `its command ${command} fails; if it checks something that matters, correct the command`
              : `it restarts the program whenever ${code(other)} does not answer, which no restart mends`,
          ),
        ],
        explanation: ofOther ?? 'Podmend cannot propose another probe: the container declares no port.',
      },
    ];
  const why = `the command ${command} fails; a connection to the port shows that the program listens`;
  return [
    {
      ...correction,
      title: `Probe port ${code(port)} instead`,
      changes: [change(place, path, withConnection(probe, port), why)],
      explanation: ofOther ?? "The probe's command fails.",
    },
  ];
}
