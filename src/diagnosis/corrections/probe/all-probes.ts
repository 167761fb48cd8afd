import type { Change } from '../../../contract/failure.ts';
import type { Probe } from '../../../crd/kubernetes.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { change } from '../../rules/rule.ts';
import type { Correction } from '../correction.ts';
import type { FailingProbe } from './failing-probe.ts';

const HANDLERS = ['httpGet', 'tcpSocket', 'grpc', 'exec'] as const;

/**
 * The correction, also for the container's other probes that ask the same: one that is wrong in the same way fails next. A change of
 * another field stays alone.
 */
export function inAllProbes(failing: FailingProbe, correction: Correction): Correction {
  const more = (['livenessProbe', 'readinessProbe', 'startupProbe'] as const).flatMap((field) => {
    const other = failing.container[field];
    if (!other || field === `${failing.name}Probe`) return [];
    const path = fieldPath(failing.place.path, field);
    return correction.changes.flatMap((made) =>
      correction.changes.some((own) => own.path.startsWith(path)) ? [] : repeated(failing, made, other, path),
    );
  });
  return more.length === 0 ? correction : { ...correction, changes: [...correction.changes, ...more] };
}

function repeated({ place, probe, path: own }: FailingProbe, made: Change, other: Probe, path: string): Change[] {
  const field = made.path.startsWith(own) ? made.path.slice(own.length) : undefined;
  if (field === undefined) return [];
  const again = (at: string, to: unknown = made.to) => [change(place, at, to, made.why)];
  const [port, otherPort] = [portOf(probe), portOf(other)];
  const isSameRequest = JSON.stringify(handlerOf(probe)) === JSON.stringify(handlerOf(other));
  if (/^\.(?:httpGet|tcpSocket|grpc)\.port$/.test(field)) {
    const handler = HANDLERS.find((one) => other[one]);
    return handler && otherPort !== undefined && otherPort === port ? again(fieldPath(path, handler, 'port')) : [];
  }
  if (field === '.httpGet.path')
    return other.httpGet && port === otherPort && other.httpGet.path === probe.httpGet?.path ? again(`${path}${field}`) : [];
  if (field === '.httpGet.scheme')
    return other.httpGet && port === otherPort && other.httpGet.scheme === probe.httpGet?.scheme ? again(`${path}${field}`) : [];
  if (field === '.timeoutSeconds') return isSameRequest && (other.timeoutSeconds ?? 1) < Number(made.to) ? again(`${path}${field}`) : [];
  // The probe as a whole: what else it says of times stays its own.
  if (field !== '' || !isSameRequest) return [];
  return again(path, made.to === null ? null : { ...without(other), ...handlerOf(made.to as Probe) });
}

function portOf({ httpGet, tcpSocket, grpc }: Probe): number | string | undefined {
  return httpGet?.port ?? tcpSocket?.port ?? grpc?.port;
}

function handlerOf(probe: Probe): Partial<Probe> {
  return Object.fromEntries(HANDLERS.flatMap((handler) => (probe[handler] ? [[handler, probe[handler]]] : [])));
}

function without(probe: Probe): Partial<Probe> {
  return Object.fromEntries(Object.entries(probe).filter(([field]) => !HANDLERS.some((handler) => handler === field)));
}
