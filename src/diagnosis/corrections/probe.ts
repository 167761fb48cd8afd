import { fieldPath } from '../../crd/field-path.ts';
import type { ProbeCause, ProbeFact, ProbeName } from '../facts/probe.ts';
import type { RuleInput } from '../rules/rule.ts';
import type { Correction } from './correction.ts';
import { inAllProbes } from './probe/all-probes.ts';
import type { FailingProbe } from './probe/failing-probe.ts';
import { otherPort, plainConnection } from './probe/port.ts';
import { insteadOfClient, insteadOfCommand, otherPath, otherScheme } from './probe/request.ts';
import { moreTimeToAnswer, moreTimeToStart } from './probe/time.ts';

/** Corrections of a failing probe, best first. Empty when the manifest is not known or has no such probe. */
export function probeCorrections(input: RuleInput, name: ProbeName, fact: ProbeFact | undefined): Correction[] {
  const place = input.place();
  const probe = place?.container?.[`${name}Probe`];
  if (!place?.container || !probe) return [];
  const failing: FailingProbe = { input, place, container: place.container, name, probe, path: fieldPath(place.path, `${name}Probe`) };
  const correct = (fact && BY_CAUSE[fact.cause]) ?? forUnknownCause;
  return correct(failing, fact?.status ?? 0, fact?.output ?? '').map((correction) => inAllProbes(failing, correction));
}

type CorrectProbe = (failing: FailingProbe, status: number, output: string) => Correction[];

/** `status` is that of an HTTP answer, `output` that of a command. */
const BY_CAUSE: { [C in ProbeCause]?: CorrectProbe } = {
  status: (failing, status) => [...otherPath(failing, status), ...(status < 500 ? [] : moreTimeToStart(failing, 'guess'))],
  refused(failing) {
    const ports = [...plainConnection(failing), ...otherPort(failing)];
    return [...ports, ...moreTimeToStart(failing, ports.length > 0 ? 'guess' : 'likely')];
  },
  timeout: (failing) => [moreTimeToAnswer(failing), ...otherPort(failing), ...moreTimeToStart(failing, 'guess')],
  'port-name': otherPort,
  'to-https': (failing) => otherScheme(failing, 'HTTP', 'certain'),
  'to-http': (failing) => otherScheme(failing, 'HTTPS', 'likely'),
  // Programs often say that they are still starting by not having written a file yet.
  exec: (failing, _status, output) =>
    /no such file|not ready|starting/i.test(output)
      ? [...moreTimeToStart(failing, 'likely'), ...insteadOfCommand(failing)]
      : [...insteadOfCommand(failing), ...moreTimeToStart(failing, 'guess')],
  'exec-missing': (failing) => [...insteadOfClient(failing), ...insteadOfCommand(failing)],
};

function forUnknownCause(failing: FailingProbe): Correction[] {
  return [...otherPort(failing), ...moreTimeToStart(failing, 'guess')];
}
