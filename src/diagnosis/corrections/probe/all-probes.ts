import type { Change } from '../../../contract/failure.ts';
import type { Probe } from '../../../crd/kubernetes.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import type { FailingProbe } from './failing-probe.ts';

const HANDLERS = ['httpGet', 'tcpSocket', 'grpc', 'exec'] as const;

/**
 * Applies the correction to the container's other probes that make the same request, because they fail next. A change of another field is
 * not repeated.
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
  const at = field === undefined ? undefined : sameField({ probe, other, field, to: made.to });
  if (at === undefined) return [];
  // Replaces the handler of the other probe but keeps its timings.
  const to = at === '' && made.to !== null ? { ...without(other), ...handlerOf(made.to as Probe) } : made.to;
  return [change(place, `${path}${at}`, to, made.why)];
}

interface Pair {
  probe: Probe;
  other: Probe;
}

/** The field of the other probe that has the same error as this field of the first one. */
function sameField({ field, to, ...pair }: Pair & { field: string; to: unknown }): string | undefined {
  if (/^\.(?:httpGet|tcpSocket|grpc)\.port$/.test(field)) {
    const handler = HANDLERS.find((one) => pair.other[one]);
    return isSamePort(pair) && handler ? `.${handler}.port` : undefined;
  }
  if (field === '.httpGet.path' || field === '.httpGet.scheme') return isSamePort(pair) && isSameHttp(pair, field) ? field : undefined;
  if (!isSameRequest(pair)) return undefined;
  if (field === '.timeoutSeconds') return (pair.other.timeoutSeconds ?? 1) < Number(to) ? field : undefined;
  return field === '' ? field : undefined;
}

function isSamePort({ probe, other }: Pair): boolean {
  return portOf(other) !== undefined && portOf(other) === portOf(probe);
}

function isSameHttp({ probe, other }: Pair, field: string): boolean {
  const name = field === '.httpGet.path' ? 'path' : 'scheme';
  return Boolean(other.httpGet) && other.httpGet?.[name] === probe.httpGet?.[name];
}

function isSameRequest({ probe, other }: Pair): boolean {
  return JSON.stringify(handlerOf(probe)) === JSON.stringify(handlerOf(other));
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
