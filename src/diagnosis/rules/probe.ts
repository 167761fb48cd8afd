import { localOnly, loggedPorts } from '../corrections/probe/port.ts';
import { asGuess } from '../corrections/combine.ts';
import { withSetting } from './setting-behind/setting-behind.ts';
import type { Probe } from '../../crd/kubernetes.ts';
import type { LogFact } from '../facts/log.ts';
import { logSections } from '../facts/log-sections.ts';
import type { Quote } from '../facts/message.ts';
import type { ServerState } from '../facts/probe-output.ts';
import type { ProbeFact, ProbeKillFact, ProbeName } from '../facts/probe-failure.ts';
import { code } from '../rendering/quote.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { probeCorrections, withOtherProbes } from '../corrections/probe.ts';
import { refusedHost } from '../corrections/probe/refused-host.ts';
import { describe, logs } from '../rendering/commands.ts';
import type { Correction } from '../corrections/correction.ts';
import { addressIn, hostIn } from './signatures/address.ts';
import { crashedNeighbour } from './crashed-neighbour.ts';
import { endedByItself, isStillCrashing } from './ended-by-itself.ts';
import type { Meaning } from '../corrections/meaning.ts';
import { factOf, factsOf, type RuleInput, who } from '../facts/input.ts';
import { type DiagnosisRule, type RuleAnswer } from './rule.ts';

/** A probe fails: the kubelet kills the container, or the container is not ready and gets no requests from Services. */
export const probe: DiagnosisRule = {
  id: 'probe',
  reasons: ['Unhealthy'],
  answer(input) {
    const kill = factOf(input, 'probe-kill');
    const fact = factsOf(input, 'probe').toSorted((a, b) => Number(b.probe === kill?.probe) - Number(a.probe === kill?.probe))[0];
    const name = (fact ?? kill)?.probe;
    if (!name || (!kill && input.subject.reason !== 'Unhealthy') || isEffectOfCrash(input, fact)) return undefined;
    const probed = { name, fact, kill };
    return (kill ? undefined : crashedNeighbour(input, fact)) ?? refusedAnswer(input, probed) ?? ownAnswer(input, probed);
  },
};

interface Probed {
  name: ProbeName;
  fact: ProbeFact | undefined;
  kill: ProbeKillFact | undefined;
}

/** The program says that it refuses the host in the probe's request. The probe asks at the right path then. */
function refusedAnswer(input: RuleInput, { name, fact, kill }: Probed): RuleAnswer | undefined {
  const refused = refusedHost(input, name, fact);
  if (!refused) return undefined;
  const meaning = meaningOf(input, plainCause(input));
  return {
    summary: summaryOf(input, { name, fact, kill }, saidInLog(refused.because, [])),
    culprit: refused.culprit,
    evidence: [...proofsOf(input, { name, fact, kill }), refused.evidence],
    advice: [refused.advice, ...(meaning?.advice ?? [])],
    commands: [describe(input.subject), ...logs(input.subject)],
    corrections: [...refused.corrections, ...(meaning?.corrections ?? [])],
    noCorrection: noCorrection(isLocal(input), meaning?.whereToLook),
  };
}

/** What the probe and the log of the failing container say. */
function ownAnswer(input: RuleInput, { name, fact, kill }: Probed): RuleAnswer {
  const asking = probeCorrections(input, name, fact);
  const missed = missedServer(input, fact, asking);
  const cause = missed ?? plainCause(input);
  const meaning = meaningOf(input, cause);
  // A command that cannot run says nothing about the server.
  const protest = meaning || fact?.state || fact?.cause === 'exec-missing' ? [] : protestsIn(input, name);
  const { plain } = askedText(input.place()?.container?.[`${name}Probe`], fact);
  const { corrections: ofLog = [], advice: adviceOfLog = [], because, whereToLook } = meaning ?? {};
  // If the program itself says why it is not ready, the probe asks at the right path.
  const ofProbe = isAsked(protest, fact) ? [] : withOtherProbes(input, name, asking);
  const said = reasonSaid(fact, protest) || causeOfError(fact, meaning, ofProbe.length === 0);
  return {
    summary: summaryOf(input, { name, fact, kill }, saidInLog(because, protest, isSaidBeside(fact, ofProbe))),
    culprit: (missed && meaning?.culprit) ?? culprit(name, plain, fact, listensAt(input, fact)) + said,
    evidence: [...proofsOf(input, { name, fact, kill }, cause), ...protest],
    // What is wrong with a server that the program needs says more than how the program answers.
    advice: [...(missed ? [] : advice(fact, isLocal(input))), ...adviceOfLog],
    commands: [describe(input.subject), ...logs(input.subject)],
    corrections: missed ? [...ofLog, ...asGuesses(asking)] : [...ofProbe, ...ofLog],
    noCorrection: noCorrection(isLocal(input), whereToLook ?? whereState(fact)),
  };
}

/** Whether the log says nothing of the failure: a program that answers 404 is well, whatever its log says of its servers. */
const isSaidBeside = (fact: ProbeFact | undefined, ofProbe: Correction[]): boolean => fact?.status === 404 && ofProbe.length > 0;

/** The port on which the log says that the program listens, where nothing listens on the one that the probe asks. */
function listensAt(input: RuleInput, fact: ProbeFact | undefined): number | undefined {
  const ports = loggedPorts({ input });
  return fact?.cause !== 'refused' || ports.includes(fact.port ?? 0) ? undefined : ports[0];
}

/** What the server says about its state, to the probe's command or in its log. */
function reasonSaid(fact: ProbeFact | undefined, [protest]: Quote[]): string {
  const said = fact?.state?.line ?? protest?.text;
  return said === undefined ? '' : `: ${said}`;
}

/** What the log names, where the server itself answers that something is wrong with it, or where only the log has a correction. */
function causeOfError(fact: ProbeFact | undefined, meaning: Meaning | undefined, isProbeRight: boolean): string {
  const isOfLog = isProbeRight && (meaning?.corrections?.length ?? 0) > 0;
  return ((fact?.status ?? 0) >= 500 || isOfLog) && meaning?.culprit ? `: ${meaning.culprit}` : '';
}

function whereState(fact: ProbeFact | undefined): string | undefined {
  return fact?.state ? "the log of the server, and its state: the probe's command prints it (`kubectl exec`)" : undefined;
}

function summaryOf(input: RuleInput, { name, fact, kill }: Probed, said: string): string {
  const { markdown } = askedText(input.place()?.container?.[`${name}Probe`], fact);
  const state = stateOf(input, kill !== undefined, name);
  return `${who(input)} ${state}, because its ${name} probe (${markdown}) fails: ${outcome(fact, isLocal(input))}${said}.`;
}

function proofsOf(input: RuleInput, { fact, kill }: Probed, cause = plainCause(input)): Quote[] {
  return [fact, kill, cause, factOf(input, 'listening')].flatMap((proof) => proof?.evidence ?? []);
}

/** Whether the program listens on its loopback only. */
function isLocal(input: RuleInput): boolean {
  return localOnly(input) !== undefined;
}

/** Corrections that promise more than a guess, as guesses. */
function asGuesses(corrections: Correction[]): Correction[] {
  return corrections.filter(({ confidence }) => confidence !== 'guess').map(asGuess);
}

/** Whether the container is down, so that no probe can succeed. One that gets an HTTP status proves that the program serves. */
function isEffectOfCrash(input: RuleInput, fact: ProbeFact | undefined): boolean {
  const run = fact?.status ? undefined : endedByItself(input);
  return run !== undefined && isStillCrashing(input, run);
}

function meaningOf(input: RuleInput, cause: LogFact | undefined): Meaning | undefined {
  const meaning = cause?.signature.explain(cause.groups, input, cause.line);
  return cause && meaning && withSetting({ input, log: cause, meaning, inCode: meaning.inCode === true });
}

function saidInLog(because: string | undefined, [protest]: Quote[], isBeside = false): string {
  if (isBeside) return '';
  if (because) return `; the log says that ${because}`;
  return protest ? `; the log says ${code(protest.text)}` : '';
}

/** Whether the probe's path is right: the server answers, and the program itself says why it is not ready. */
function isAsked(protest: Quote[], fact: ProbeFact | undefined): boolean {
  return protest.length > 0 && (fact?.status ?? 0) >= 500;
}

function stateOf(input: RuleInput, isKilled: boolean, name: string): string {
  if (name === 'readiness') return isKilled ? 'is killed and restarted' : 'runs and is not ready';
  const status = input.subject.statuses.find((one) => one.name === input.subject.container);
  if (isKilled || (status?.restart_count ?? 0) > 0) return 'is killed and restarted';
  return name === 'startup' ? 'runs and has not started' : 'runs and will be killed';
}

const PROTEST =
  /\bnot (?:yet )?(?:ready|healthy|serving|synced|in sync|initiali[sz]ed|joined)\b|\bunhealthy\b|\bdegraded\b|\b(?:no|lost|without) (?:quorum|leader)\b|\b\d{1,4} (?:of|out of) \d{1,4} (?:voters|members|replicas|peers|nodes|brokers|shards|followers)\b|\bwaiting (?:for|on|until)\b/i;

/** The newest line in which the program itself says why it is not ready. */
function protestsIn(input: RuleInput, name: ProbeName): Quote[] {
  if (name !== 'readiness') return [];
  const { container } = input.subject;
  const section = logSections(input.subject).find((one) => one.container === null || container === null || one.container === container);
  const line = section?.text
    .slice(-8000)
    .split('\n')
    .findLast((one) => PROTEST.test(one.slice(0, 300)));
  return line ? [{ from: `log of ${section?.container ?? 'the pod'}${section?.run ?? ''}`, text: line.slice(0, 300).trim() }] : [];
}

function culprit(name: string, asked: string, fact: ProbeFact | undefined, listens?: number): string {
  const outcomes: Partial<Record<ProbeFact['cause'], string>> = { timeout: 'timeout', 'to-https': 'HTTPS', 'to-http': 'HTTP' };
  const how = fact?.status ? `status ${fact.status}` : fact && outcomes[fact.cause];
  const unnamed = fact?.cause === 'port-name' ? /:([a-z][a-z\d-]{0,14})$/.exec(asked)?.[1] : undefined;
  // The name of a port says nothing about its number.
  const port = fact?.port && fact.cause === 'refused' && /:[a-z][a-z\d-]{0,14}$/.test(asked) ? `port ${fact.port}` : undefined;
  const more = [how, port, unnamed && `no port named ${unnamed}`, listens && `the program listens on ${listens}`]
    .filter(Boolean)
    .join(', ');
  return `${name} probe ${asked}${more ? ` (${more})` : ''}`;
}

function noCorrection(local: boolean, whereToLook: string | undefined): Diagnosis['noCorrection'] {
  return {
    why: local
      ? 'The program listens only on the loopback address, where no probe reaches it.'
      : 'The probe is correct. The program does not answer as it should.',
    whereToLook:
      whereToLook ??
      'the log of the container while it starts, and what the probe gets when you try it by hand (`kubectl exec`, `kubectl port-forward`)',
  };
}

/** The cause that the log names. In a running container, a warning or a line that only reports a failure is not a cause. */
function plainCause(input: RuleInput): LogFact | undefined {
  const cause = factOf(input, 'log');
  return cause && !cause.signature.general && !cause.mild ? cause : undefined;
}

/** The line in which the program says why it is not ready yet, though it only warns. */
function ownState(input: RuleInput): LogFact | undefined {
  const cause = factOf(input, 'log');
  return cause?.signature.id === 'cluster-bootstrap' ? cause : undefined;
}

/** Signatures of lines about a server that the program calls. */
const OF_SERVER = new Set(['name-unknown', 'connection-refused', 'no-connection', 'certificate']);
/** Servers that a program does without. */
const ASIDE = /\b(?:otel|otlp|opentelemetry|telemetry|jaeger|zipkin|statsd|sentry|datadog|newrelic|apm|analytics|pyroscope|exporter)\b/i;
const CONNECTED =
  /(?<!not )(?:\bconnected to\b|\bconnection (?:established|restored|succeeded)\b|\breconnected\b|\bsuccessfully connected\b|\bis (?:now )?connected\b)/i;

/**
 * The line about a server without which the program does not become ready: the probe is asked rightly, and the log does not speak of a
 * connection later. A program that only warns must still do so at the end of its log.
 */
function missedServer(input: RuleInput, fact: ProbeFact | undefined, asking: Correction[]): LogFact | undefined {
  const own = ownState(input);
  if (own) return own;
  const cause = factOf(input, 'log');
  if (cause && (silences(cause, fact, asking) || isKnownHang(input, fact))) return cause;
  if (!cause || !OF_SERVER.has(cause.signature.id) || ASIDE.test(cause.line) || !isOfProgram(fact, asking)) return undefined;
  const host = (hostIn(cause.line) || addressIn(cause.line)).split(':', 1)[0] ?? '';
  const { text } =
    logSections(input.subject).find((one) => one.container === cause.container && one.text.includes(cause.evidence.text)) ?? {};
  const culprit = meaningOf(input, cause)?.culprit;
  // A server of its own pod is another container: the log alone does not say which of them waits for the other.
  if (text === undefined || host === '' || !culprit || /\b(?:localhost|127\.\d)/.test(culprit)) return undefined;
  const said = text.slice(text.lastIndexOf(cause.evidence.text));
  return CONNECTED.test(said.slice(0, 20_000)) || (cause.mild && !text.slice(-2000).includes(host)) ? undefined : cause;
}

/**
 * Whether the cause explains the silence, whatever the probe asks: a worker that is killed before it answers, and a controller that may not read
 * or lock what it needs and never listens.
 */
function silences({ signature }: LogFact, fact: ProbeFact | undefined, asking: Correction[]): boolean {
  if (signature.id === 'kubernetes-right') return fact?.cause !== 'status' && fact?.cause !== 'exec';
  return signature.id === 'worker-timeout' && isOfProgram(fact, asking);
}

/** Whether the program does not answer in time, and its log names an obstacle that a change surely removes. More time then does not help. */
function isKnownHang(input: RuleInput, fact: ProbeFact | undefined): boolean {
  const [first] = fact?.cause === 'timeout' ? (meaningOf(input, plainCause(input))?.corrections ?? []) : [];
  return first !== undefined && first.confidence !== 'guess';
}

/** Whether the program answers the probe as it does because of itself: no port or path of the probe is known to be wrong. */
function isOfProgram(fact: ProbeFact | undefined, asking: Correction[]): boolean {
  if (!fact || fact.cause === 'timeout' || fact.cause === 'exec' || fact.cause === 'grpc') return true;
  if (fact.cause === 'status') return (fact.status ?? 0) >= 500;
  const isElsewhere = asking.some(
    ({ confidence, changes }) => confidence !== 'guess' && changes.some(({ path }) => path.endsWith('.port')),
  );
  return fact.cause === 'refused' && !isElsewhere;
}

/** What a probe does, in one line: `GET /healthz :8080`. */
function askedText(handler: Probe | null | undefined, fact: ProbeFact | undefined): { plain: string; markdown: string } {
  let plain = fact?.port ? `port ${fact.port}` : 'of the container';
  if (handler?.httpGet) plain = `GET ${handler.httpGet.path ?? '/'} ${handler.httpGet.host ?? ''}:${handler.httpGet.port}`;
  else if (handler?.tcpSocket) plain = `tcp :${handler.tcpSocket.port}`;
  else if (handler?.grpc) plain = `grpc :${handler.grpc.port}`;
  else if (handler?.exec) plain = `exec ${(handler.exec.command ?? []).join(' ')}`.slice(0, 160);
  return { plain, markdown: code(plain) };
}

function outcome(fact: ProbeFact | undefined, isLocal: boolean): string {
  if (!fact) return 'it does not succeed';
  switch (fact.cause) {
    case 'status':
      return `the answer has status ${code(fact.status ?? 0)}`;
    case 'refused':
      if (fact.output.includes('connect service')) return 'no gRPC server answers there';
      if (isLocal) return 'the program listens only on the loopback address, where no probe reaches it';
      return `nothing listens ${fact.port ? `on port ${code(fact.port)}` : 'there'}`;
    case 'timeout':
      return 'no answer comes in time';
    case 'closed':
      return `the server${fact.port ? ` on port ${code(fact.port)}` : ''} closes the connection without an HTTP answer`;
    case 'exec-missing':
      return 'its command is not in the image';
    case 'exec-denied':
      return 'its file may not be executed';
    case 'port-name':
      return 'the container declares no port with this name';
    case 'to-https':
      return 'it uses HTTPS and the server speaks HTTP';
    case 'to-http':
      return 'it uses HTTP and the server speaks HTTPS';
    default:
      if (fact.state) return `it answers ${code(fact.state.line, 160)}`;
      return fact.output ? code(fact.output, 160) : 'its command ends with an error and prints nothing';
  }
}

function advice(fact: ProbeFact | undefined, local: boolean): string[] {
  if (local) return ['Let the program listen on all addresses (`0.0.0.0`), not only on the loopback address.'];
  if (fact?.state) return [adviceFor(fact.state, fact.probe)];
  switch (fact?.cause) {
    case 'status':
      return [
        (fact.status ?? 0) >= 500
          ? 'The program answers that it is not healthy. Its log says why, or the path is not its health path.'
          : 'Point the probe at the health path of the program (status 2xx or 3xx, without a login).',
      ];
    case 'refused':
      return ['Point the probe at the port where the program listens. If it needs longer to start, give it a `startupProbe`.'];
    case 'closed':
      return ['Ask a port on which the program speaks HTTP. For any other protocol use `tcpSocket`, or a command of the program.'];
    case 'timeout':
      return ['Give the probe more time (the default of `timeoutSeconds` is 1), or give the container more CPU.'];
    default:
      return ['Run the probe by hand in the container. Then correct the probe, or what it checks.'];
  }
}

function adviceFor({ kind, line }: ServerState, name: ProbeName): string {
  if (/sealed/i.test(line))
    return 'Unseal the server (Vault: `vault operator unseal` with enough keys). Where it should do so by itself, its log says why it did not.';
  if (line.includes('CLUSTERDOWN'))
    return 'No member of the Redis Cluster serves some of its hash slots. See `redis-cli cluster nodes`: bring the missing members back, or join them (`redis-cli --cluster create`, `fix`).';
  if (kind === 'unready') return 'The server itself says why it is not ready. Its log says more, and so do the servers that it needs.';
  return name === 'readiness'
    ? 'The server is still starting. Its log shows how far it is. If it does not get on, something keeps it from starting.'
    : `The server is still starting when the ${name} probe ends it. Let the probe wait until it has started.`;
}
