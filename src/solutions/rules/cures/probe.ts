import type { Container, Probe } from '../../../crd/kubernetes.ts';
import type { ProbeFact, ProbeName } from '../../facts/probe.ts';
import { fieldPath } from '../../fix/apply.ts';
import { nearest } from '../../fix/nearest.ts';
import { code } from '../../quote.ts';
import type { RuleCorrection } from '../answer.ts';
import { change, factsOf, type Place, type Scene } from '../rule.ts';

interface Asked {
  scene: Scene;
  place: Place;
  container: Container;
  name: ProbeName;
  probe: Probe;
  /** Path of the probe in the manifest. */
  path: string;
}

/** Corrections of a failing probe, best first. Empty when the manifest is not known or has no such probe. */
export function probeCorrections(scene: Scene, name: ProbeName, fact: ProbeFact | undefined): RuleCorrection[] {
  const place = scene.place();
  const probe = place?.container?.[`${name}Probe`];
  if (!place?.container || !probe) return [];
  const asked: Asked = { scene, place, container: place.container, name, probe, path: fieldPath(place.path, `${name}Probe`) };
  switch (fact?.cause) {
    case 'status':
      return [...otherPath(asked, fact.status ?? 0), ...((fact.status ?? 0) < 500 ? [] : unlessReadiness(asked, 'guess'))];
    case 'refused': {
      const ports = [...plainConnection(asked), ...otherPort(asked)];
      return [...ports, ...unlessReadiness(asked, ports.length > 0 ? 'guess' : 'likely')];
    }
    case 'timeout':
      return [moreTime(asked), ...otherPort(asked), ...unlessReadiness(asked, 'guess')];
    case 'port-name':
      return otherPort(asked);
    case 'to-https':
      return otherScheme(asked, 'HTTP', 'certain');
    case 'to-http':
      return otherScheme(asked, 'HTTPS', 'likely');
    case 'exec':
      // A file that is not there yet is how programs say that they are still starting.
      return /no such file|not ready|starting/i.test(fact.output)
        ? [...unlessReadiness(asked, 'likely'), ...instead(asked)]
        : [...instead(asked), ...unlessReadiness(asked, 'guess')];
    case 'exec-missing':
      return instead(asked);
    default:
      return [...otherPort(asked), ...unlessReadiness(asked, 'guess')];
  }
}

/** A readiness probe kills nothing, so it needs no more time. */
function unlessReadiness(asked: Asked, confidence: RuleCorrection['confidence']): RuleCorrection[] {
  return asked.name === 'readiness' ? [] : later(asked, confidence);
}

function otherPath({ place, container, name, probe, path }: Asked, status: number): RuleCorrection[] {
  const own = probe.httpGet?.path ?? '/';
  if (!probe.httpGet) return [];
  const others = (['liveness', 'readiness', 'startup'] as const)
    .filter((other) => other !== name)
    .flatMap((other) => container[`${other}Probe`]?.httpGet?.path ?? [])
    .filter((other) => other !== own);
  const fix = (to: string, why: string, confidence: RuleCorrection['confidence']): RuleCorrection => ({
    title: `Ask at ${code(to)}`,
    changes: [change(place, fieldPath(path, 'httpGet', 'path'), to, why)],
    confidence,
    explanation: `${code(own)} answers with status ${code(status)}.`,
    mirrorable: true,
  });
  const byOthers = [...new Set(others)].map((other) => fix(other, 'another probe of the container asks there', 'likely'));
  const root =
    own === '/' || others.includes('/')
      ? []
      : [
          fix(
            '/',
            `the path that every server has; right only when ${code(own)} is not its health path`,
            status === 404 ? 'likely' : 'guess',
          ),
        ];
  return [...byOthers, ...root];
}

/** Ports where the program listens: what its log says, what the container declares, what its other probes ask. */
function otherPort({ scene, place, container, name, probe, path }: Asked): RuleCorrection[] {
  const kind = probe.httpGet ? 'httpGet' : probe.tcpSocket ? 'tcpSocket' : probe.grpc ? 'grpc' : undefined;
  const own = kind && probe[kind]?.port;
  if (!kind || own === undefined) return [];
  const declared = container.ports ?? [];
  const number =
    typeof own === 'number'
      ? own
      : (declared.find((port) => port.name === own)?.containerPort ?? (/^\d+$/.test(own) ? Number(own) : undefined));
  const heard = factsOf(scene, 'listening')
    .filter(({ local }) => !local)
    .map(({ port }) => port);
  // When the log says that the port is open, the port is not what is wrong.
  if (number !== undefined && heard.includes(number)) return [];
  const isUnknownName = typeof own === 'string' && number === undefined;
  const candidates: { port: number | string; why: string; confidence: RuleCorrection['confidence'] }[] = [
    ...heard.map((port) => ({ port, why: 'the log says that the program listens there', confidence: 'likely' as const })),
    ...(isUnknownName
      ? nearest(
          own,
          declared.flatMap((port) => port.name ?? []),
        ).map((port) => ({
          port,
          why: `the container declares a port of that name and none named ${code(own)}`,
          confidence: 'certain' as const,
        }))
      : []),
    ...declared
      .filter((port) => port.containerPort !== number)
      .map((port) => ({ port: port.containerPort, why: 'the container declares this port', confidence: 'likely' as const })),
    ...(['liveness', 'readiness', 'startup'] as const)
      .filter((other) => other !== name)
      .flatMap((other) => container[`${other}Probe`]?.httpGet?.port ?? container[`${other}Probe`]?.tcpSocket?.port ?? [])
      .filter((port) => port !== own && port !== number)
      .map((port) => ({ port, why: 'another probe of the container asks there', confidence: 'guess' as const })),
  ];
  const known = new Map(candidates.toReversed().map((candidate) => [String(candidate.port), candidate]));
  return [...known.values()]
    .toReversed()
    .slice(0, 3)
    .map(({ port, why, confidence }) => ({
      title: `Ask at port ${code(port)}`,
      changes: [change(place, fieldPath(path, kind, 'port'), port, why)],
      confidence,
      explanation: `Nothing answers at ${code(own)}.`,
      mirrorable: true,
    }));
}

/** A probe that begins too early: a startup probe of the same question gives the program five minutes. */
function later({ place, container, name, probe, path }: Asked, confidence: RuleCorrection['confidence']): RuleCorrection[] {
  const { httpGet, tcpSocket, exec, grpc } = probe;
  if (name === 'startup' || container.startupProbe) {
    const startup = container.startupProbe ?? probe;
    const to = Math.max(30, (startup.failureThreshold ?? 3) * 3);
    const at = name === 'startup' ? path : fieldPath(place.path, 'startupProbe');
    return [
      {
        title: 'Give it longer to start',
        changes: [change(place, fieldPath(at, 'failureThreshold'), to, 'the program is killed before it is up')],
        confidence,
        explanation: 'The probe fails until the program listens.',
        mirrorable: true,
      },
    ];
  }
  const handler = Object.fromEntries(Object.entries({ httpGet, tcpSocket, exec, grpc }).filter(([, value]) => value));
  return [
    {
      title: 'Give it time to start with a startup probe',
      changes: [
        change(
          place,
          fieldPath(place.path, 'startupProbe'),
          { ...handler, periodSeconds: 10, failureThreshold: 30 },
          `the ${name} probe begins only when this one has succeeded, after at most five minutes`,
        ),
      ],
      confidence,
      explanation: `The ${name} probe kills the container before it is up.`,
      mirrorable: true,
    },
  ];
}

/** A server that listens where a gRPC probe gets no connection speaks another protocol. */
function plainConnection({ scene, place, name, probe, path }: Asked): RuleCorrection[] {
  const port = probe.grpc?.port;
  const isHeard = factsOf(scene, 'listening').some((heard) => heard.port === port && !heard.local);
  if (port === undefined || !isHeard) return [];
  const to = Object.fromEntries(
    Object.entries({ ...probe, grpc: undefined, tcpSocket: { port } }).filter(([, value]) => value !== undefined),
  );
  return [
    {
      title: `Connect to port ${code(port)} without gRPC`,
      changes: [change(place, path, to, 'the log says that the program listens there; it does not speak gRPC')],
      confidence: 'likely',
      explanation: `The ${name} probe gets no gRPC connection.`,
      mirrorable: true,
    },
  ];
}

function moreTime({ place, probe, path }: Asked): RuleCorrection {
  const to = Math.max(5, (probe.timeoutSeconds ?? 1) * 3);
  return {
    title: `Wait ${to} seconds for the answer`,
    changes: [change(place, fieldPath(path, 'timeoutSeconds'), to, `${probe.timeoutSeconds ?? 1} s is too short for its answer`)],
    confidence: 'likely',
    explanation: 'The probe gives up before the answer comes.',
    mirrorable: true,
  };
}

function otherScheme({ place, probe, path }: Asked, scheme: 'HTTP' | 'HTTPS', confidence: RuleCorrection['confidence']): RuleCorrection[] {
  if (!probe.httpGet) return [];
  return [
    {
      title: `Ask by ${scheme}`,
      changes: [change(place, fieldPath(path, 'httpGet', 'scheme'), scheme, `the server speaks ${scheme}`)],
      confidence,
      explanation: 'Probe and server do not speak the same protocol.',
      mirrorable: true,
    },
  ];
}

/** In the place of a command that fails: a connection to the declared port, or else no such probe. */
function instead({ scene, place, container, name, probe, path }: Asked): RuleCorrection[] {
  const port = factsOf(scene, 'listening').find(({ local }) => !local)?.port ?? container.ports?.[0]?.containerPort;
  const command = code((probe.exec?.command ?? []).join(' '), 100);
  if (!probe.exec) return [];
  if (port === undefined)
    return [
      {
        title: `Remove the ${name} probe`,
        changes: [change(place, path, null, `its command ${command} fails; correct it when it asks something that matters`)],
        confidence: 'guess',
        explanation: 'Nothing else about the container is known to be asked.',
        mirrorable: true,
      },
    ];
  const to = Object.fromEntries(
    Object.entries({ ...probe, exec: undefined, tcpSocket: { port } }).filter(([, value]) => value !== undefined),
  );
  return [
    {
      title: `Ask port ${code(port)} instead`,
      changes: [change(place, path, to, `the command ${command} fails; a connection to the port shows that the program listens`)],
      confidence: 'guess',
      explanation: "The probe's command fails.",
      mirrorable: true,
    },
  ];
}
