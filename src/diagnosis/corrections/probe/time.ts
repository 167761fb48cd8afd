import { fieldPath } from '../../../crd/field-path.ts';
import { change } from '../../rules/rule.ts';
import type { Correction } from '../correction.ts';
import type { FailingProbe } from './failing-probe.ts';

/** A liveness or startup probe that ends the container while it still starts gets more time. A readiness probe ends nothing. */
export function moreTimeToStart(failing: FailingProbe, confidence: Correction['confidence']): Correction[] {
  if (failing.name === 'readiness') return [];
  const { container, name } = failing;
  return [name === 'startup' || container.startupProbe ? moreFailures(failing, confidence) : startupProbe(failing, confidence)];
}

/** More time for one answer. */
export function moreTimeToAnswer({ place, probe, path }: FailingProbe): Correction {
  const own = probe.timeoutSeconds ?? 1;
  const to = Math.max(5, own * 3);
  return {
    title: `Wait ${to} seconds for the answer`,
    changes: [change(place, fieldPath(path, 'timeoutSeconds'), to, `${own} s is too short for its answer`)],
    confidence: 'likely',
    explanation: 'The probe gives up before the answer comes.',
    mirrorable: true,
  };
}

function moreFailures({ place, container, name, probe, path }: FailingProbe, confidence: Correction['confidence']): Correction {
  const startup = container.startupProbe ?? probe;
  const to = Math.max(30, (startup.failureThreshold ?? 3) * 3);
  const at = name === 'startup' ? path : fieldPath(place.path, 'startupProbe');
  return {
    title: 'Give it longer to start',
    changes: [change(place, fieldPath(at, 'failureThreshold'), to, 'the container is killed before the program is up')],
    confidence,
    explanation: 'The probe fails until the program listens.',
    mirrorable: true,
  };
}

/** A startup probe with the same handler gives the program five minutes. */
function startupProbe({ place, name, probe }: FailingProbe, confidence: Correction['confidence']): Correction {
  const { httpGet, tcpSocket, exec, grpc } = probe;
  const timeoutSeconds = (probe.timeoutSeconds ?? 1) > 1 ? probe.timeoutSeconds : undefined;
  const handler = Object.fromEntries(Object.entries({ httpGet, tcpSocket, exec, grpc, timeoutSeconds }).filter(([, value]) => value));
  const why = `the ${name} probe begins only when this one has succeeded, after at most five minutes`;
  return {
    title: 'Give it time to start with a startup probe',
    changes: [change(place, fieldPath(place.path, 'startupProbe'), { ...handler, periodSeconds: 10, failureThreshold: 30 }, why)],
    confidence,
    explanation: `The ${name} probe kills the container before the program is up.`,
    mirrorable: true,
  };
}
