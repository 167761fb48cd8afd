import { fieldPath } from '../../crd/field-path.ts';
import type { ServerState } from '../facts/probe-output.ts';
import type { ProbeCause, ProbeFact, ProbeName } from '../facts/probe-failure.ts';
import { code } from '../rendering/quote.ts';
import { change } from './change.ts';
import { modeOfVolume } from './command/command.ts';
import { factsOf, type RuleInput } from '../facts/input.ts';
import { joined } from './combine.ts';
import type { Correction } from './correction.ts';
import { inAllProbes } from './probe/all-probes.ts';
import { atPodAddress, throughOwnService } from './probe/asked-address.ts';
import type { FailingProbe } from './probe/failing-probe.ts';
import { healthOnAllAddresses, loggedPorts, onAllAddresses, otherPort, plainConnection } from './probe/port.ts';
import { managementPort } from './probe/management-port.ts';
import { beforeOthers } from './probe/before-others.ts';
import { withValues } from './probe/path-variable.ts';
import { byShell, insteadOfClient, insteadOfCommand, otherPath, otherRpc, otherScheme, saysTls, withoutHttp } from './probe/request.ts';
import { moreTimeToAnswer, moreTimeToStart } from './probe/time.ts';

/** Corrections of a failing probe, best first. Empty when the manifest is not known or has no such probe. */
export function probeCorrections(input: RuleInput, name: ProbeName, fact: ProbeFact | undefined): Correction[] {
  const place = input.place();
  const probe = place?.container?.[`${name}Probe`];
  if (!place?.container || !probe) return [];
  const failing: FailingProbe = { input, place, container: place.container, name, probe, path: fieldPath(place.path, `${name}Probe`) };
  const correct = (fact && BY_CAUSE[fact.cause]) ?? forUnknownCause;
  const filled = withValues(failing);
  if (filled.length > 0) return filled.map((correction) => inAllProbes(failing, correction));
  const asked = fact?.state ? forState(failing, fact.state, fact.output) : correct(failing, fact?.status ?? 0, fact?.output ?? '');
  const corrections = [...ownAddress(failing), ...asked];
  const managed = fact?.status === 404 ? managementPort(failing) : [];
  const first = [...beforeOthers(failing), ...byShell(failing), ...onAllAddresses(failing), ...managed];
  return first.length > 0 ? first : corrections.map((correction) => inAllProbes(failing, correction));
}

/** Probe faults that time does not cure, and for which the manifest shows the right value. */
const LASTING: readonly ProbeCause[] = ['status', 'to-https', 'port-name', 'refused'];

/** Combines the first correction with those of the container's other probes that fail for their own reasons. */
export function withOtherProbes(input: RuleInput, name: ProbeName, corrections: Correction[]): Correction[] {
  const [first, ...rest] = corrections;
  if (!first) return corrections;
  const others = factsOf(input, 'probe').filter(
    ({ probe, cause, status }) => probe !== name && LASTING.includes(cause) && (status ?? 0) < 500,
  );
  const also = others.flatMap((fact) => {
    const [best] = probeCorrections(input, fact.probe, fact).filter(({ confidence }) => confidence !== 'guess');
    const isNew = best?.changes.every(
      ({ path }) => path.includes(`.${fact.probe}Probe.`) && first.changes.every((one) => one.path !== path),
    );
    return best && isNew ? [best] : [];
  });
  const [other] = also;
  return other ? [joined(first, other), first, ...rest] : corrections;
}

/** The kubelet probes the pod's own address. A `host` redirects it, and `127.0.0.1` is the node. */
function ownAddress({ place, probe, path, name }: FailingProbe): Correction[] {
  const host = probe.httpGet?.host;
  if (!host) return [];
  return [
    {
      title: 'Ask the pod itself',
      changes: [change(place, fieldPath(path, 'httpGet', 'host'), null, 'without it kubelet asks the address of the pod')],
      confidence: 'likely',
      explanation: `The ${name} probe asks ${code(host)}, which is not the pod${/^127\.|^localhost$/.test(host) ? ': for kubelet it is the node' : ''}.`,
      mirrorable: true,
    },
  ];
}

/** After a 503 of a server that did not even listen shortly before, time comes first: it has just begun to start. */
function afterStatus(failing: FailingProbe, status: number): Correction[] {
  const others = otherPath(failing, status);
  if (status < 500) return others;
  const time = moreTimeToStart(failing, 'guess');
  const began = factsOf(failing.input, 'probe').some(({ probe, cause }) => probe === failing.name && cause === 'refused');
  const isPromised = others[0] !== undefined && others[0].confidence !== 'guess';
  return status === 503 && began && !isPromised ? [...time, ...others] : [...others, ...time];
}

type CorrectProbe = (failing: FailingProbe, status: number, output: string) => Correction[];

/** `status` is the status of an HTTP answer, `output` the output of a command. */
const BY_CAUSE: { [C in ProbeCause]?: CorrectProbe } = {
  status: (failing, status) =>
    status === 400 && saysTls(failing) ? otherScheme(failing, 'HTTPS', 'likely') : afterStatus(failing, status),
  grpc: (failing, _status, output) => otherRpc(failing, output),
  refused(failing, _status, output) {
    if (failing.probe.exec) return afterRefusal(failing, output);
    const ports = [...healthOnAllAddresses(failing), ...plainConnection(failing), ...otherPort(failing)];
    // A probe of a port on which the program does not listen always fails, however long it waits.
    // One that has not said yet where it listens may still be starting.
    return ports.some(({ confidence }) => confidence !== 'guess')
      ? ports
      : [...moreTimeToStart(failing, loggedPorts(failing).length > 0 ? 'guess' : 'likely'), ...ports];
  },
  // A command takes as long during startup as later.
  timeout: (failing) => [
    moreTimeToAnswer(failing),
    ...otherPort(failing),
    ...(failing.probe.exec ? [] : moreTimeToStart(failing, 'guess')),
  ],
  'port-name': otherPort,
  closed(failing) {
    const [first, ...rest] = withoutHttp(failing);
    return [...(first ? [first] : []), ...otherPort(failing), ...rest];
  },
  'to-https': (failing) => otherScheme(failing, 'HTTP', 'certain'),
  'to-http': (failing) => otherScheme(failing, 'HTTPS', 'likely'),
  exec: afterCommand,
  'exec-missing': (failing) => [...insteadOfClient(failing), ...insteadOfCommand(failing)],
  'exec-denied': (failing) => [...modeOfVolume(failing.place, failing.probe.exec?.command?.[0] ?? ''), ...insteadOfCommand(failing)],
};

/** A program that has not written a certain file yet is often still starting. */
function afterCommand(failing: FailingProbe, _status: number, output: string): Correction[] {
  if (/connection refused/i.test(output)) return afterRefusal(failing, output);
  const throughService = throughOwnService(failing);
  if (throughService.length > 0) return throughService;
  return /no such file|not ready|starting/i.test(output)
    ? [...moreTimeToStart(failing, 'likely'), ...insteadOfCommand(failing)]
    : [...insteadOfCommand(failing), ...moreTimeToStart(failing, 'guess')];
}

/**
 * The command was refused: it asks at an address where the program does not listen, or the program does not listen yet. A program that has
 * said where it listens has started.
 */
function afterRefusal(failing: FailingProbe, output: string): Correction[] {
  const elsewhere = [...throughOwnService(failing), ...atPodAddress(failing, output)];
  if (elsewhere.some(({ confidence }) => confidence !== 'guess')) return elsewhere;
  const time = moreTimeToStart(failing, loggedPorts(failing).length > 0 ? 'guess' : 'likely');
  return [...time, ...(elsewhere.length > 0 ? elsewhere : insteadOfCommand(failing))];
}

/**
 * The probe's command says in which state the server is. One that starts needs time. One that is not ready for another reason would only
 * look ready to a probe that asks less. A liveness probe that asks for such a state ends a server that works.
 */
function forState(failing: FailingProbe, { kind }: ServerState, output: string): Correction[] {
  if (kind === 'starting') return moreTimeToStart(failing, 'likely');
  return failing.name === 'readiness' ? [] : afterCommand(failing, 0, output);
}

function forUnknownCause(failing: FailingProbe): Correction[] {
  return [...otherPort(failing), ...moreTimeToStart(failing, 'guess')];
}
