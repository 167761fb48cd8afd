import type { Probe } from '../../crd/kubernetes.ts';
import type { LogFact } from '../facts/log.ts';
import type { ProbeFact } from '../facts/probe.ts';
import { code } from '../quote.ts';
import type { Diagnosis } from './answer.ts';
import { probeCorrections } from './cures/probe.ts';
import { describe, logs } from './commands.ts';
import { factOf, factsOf, type Rule, type Scene, who } from './rule.ts';

/** A probe that fails: what it asked, what came back, and that the container was killed for it or keeps out of Services. */
export const probe: Rule = {
  id: 'probe',
  reasons: ['Unhealthy'],
  answer(scene) {
    const kill = factOf(scene, 'probe-kill');
    const fact = factsOf(scene, 'probe').toSorted((a, b) => Number(b.probe === kill?.probe) - Number(a.probe === kill?.probe))[0];
    const name = fact?.probe ?? kill?.probe;
    if (!name || (!kill && scene.subject.reason !== 'Unhealthy')) return undefined;
    const asked = askedText(scene.place()?.container?.[`${name}Probe`], fact);
    const listening = factOf(scene, 'listening');
    const cause = plainCause(scene);
    const meaning = cause?.signature.explain(cause.groups, scene, cause.line);
    const state = kill || name !== 'readiness' ? 'is killed and restarted' : 'runs and is not ready';
    const said = meaning ? `; its log says that ${meaning.because}` : '';
    return {
      summary: `${who(scene)} ${state}, because its ${name} probe (${asked.markdown}) fails: ${outcome(fact)}${said}.`,
      culprit: culprit(name, asked.plain, fact),
      evidence: [fact, kill, cause, listening].flatMap((proof) => proof?.evidence ?? []),
      advice: [...advice(fact, listening?.local === true), ...(meaning?.advice ?? [])],
      commands: [describe(scene.subject), ...logs(scene.subject)],
      corrections: [...probeCorrections(scene, name, fact), ...(meaning?.corrections ?? [])],
      noCure: noCure(listening?.local === true, meaning?.whereToLook),
    };
  },
};

function culprit(name: string, asked: string, fact: ProbeFact | undefined): string {
  return `${name} probe ${asked}${fact?.status ? ` (status ${fact.status})` : ''}`;
}

function noCure(local: boolean, whereToLook: string | undefined): Diagnosis['noCure'] {
  return {
    why: local
      ? 'The program listens on its own loopback only, where no probe reaches it.'
      : 'The probe asks what it should; the program does not answer as it should.',
    whereToLook:
      whereToLook ??
      'the log of the container while it starts, and what the probe gets when it is asked by hand (`kubectl exec`, `kubectl port-forward`)',
  };
}

/** What the log plainly names; a warning, or a mere word of error, is no cause in a container that runs. */
function plainCause(scene: Scene): LogFact | undefined {
  const cause = factOf(scene, 'log');
  return cause && !cause.signature.general && !cause.mild ? cause : undefined;
}

/** The question of a probe, for people: `GET /healthz :8080`. */
function askedText(handler: Probe | null | undefined, fact: ProbeFact | undefined): { plain: string; markdown: string } {
  let plain = fact?.port ? `port ${fact.port}` : 'of the container';
  if (handler?.httpGet) plain = `GET ${handler.httpGet.path ?? '/'} :${handler.httpGet.port}`;
  else if (handler?.tcpSocket) plain = `tcp :${handler.tcpSocket.port}`;
  else if (handler?.grpc) plain = `grpc :${handler.grpc.port}`;
  else if (handler?.exec) plain = `exec ${(handler.exec.command ?? []).join(' ')}`.slice(0, 160);
  return { plain, markdown: code(plain) };
}

function outcome(fact: ProbeFact | undefined): string {
  if (!fact) return 'it does not succeed';
  switch (fact.cause) {
    case 'status':
      return `the answer has status ${code(fact.status ?? 0)}`;
    case 'refused':
      if (fact.output.includes('connect service')) return 'nothing that speaks gRPC answers there';
      return `nothing listens ${fact.port ? `on port ${code(fact.port)}` : 'there'}`;
    case 'timeout':
      return 'no answer comes in time';
    case 'exec-missing':
      return `its command is not in the image`;
    case 'port-name':
      return 'the container declares no port of that name';
    case 'to-https':
      return 'it asks by HTTPS and the server speaks HTTP';
    case 'to-http':
      return 'it asks by HTTP and the server speaks HTTPS';
    default:
      return fact.output ? code(fact.output, 160) : 'its command ends with an error and says nothing';
  }
}

function advice(fact: ProbeFact | undefined, local: boolean): string[] {
  if (local) return ['Let the program listen on all addresses (`0.0.0.0`), not on its loopback.'];
  switch (fact?.cause) {
    case 'status':
      return [
        (fact.status ?? 0) >= 500
          ? 'The program answers and says that it is not well: its log says why, unless the path is not its health path.'
          : 'Point the probe at the path where the program answers about its health (2xx or 3xx, without a login).',
      ];
    case 'refused':
      return ['Point the probe at the port where the program listens; when it needs longer to start, give it a `startupProbe`.'];
    case 'timeout':
      return ['Give the probe more time (`timeoutSeconds` is 1 unless set), or the container more CPU.'];
    default:
      return ['Ask the same by hand in the container and correct the probe or what it finds.'];
  }
}
