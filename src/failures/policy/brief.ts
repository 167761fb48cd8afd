import type { BriefEvidence, ContainerEvidence, EventEvidence } from '../../contract/failure.ts';
import { SHOWN_BOUNDS } from '../../contract/report-bounds.ts';

/** The limits of texts and of the number of statuses, for each attempt. */
const TRIES: readonly [length: number, statuses: number][] = [
  [Infinity, Infinity],
  [1024, Infinity],
  [256, Infinity],
  [80, Infinity],
  ...[20, 8, 3, 1, 0].map((statuses): [number, number] => [80, statuses]),
];

/**
 * What lists show of a record's evidence: the newest events, and as much of texts and statuses as `SHOWN_BOUNDS` allow. Null where that is
 * all of it. `events` are the oldest first.
 */
export function briefEvidence(events: EventEvidence[], container_statuses: ContainerEvidence[]): BriefEvidence | null {
  if (events.length <= SHOWN_BOUNDS.events && mostBytes(events) + mostBytes(container_statuses) <= SHOWN_BOUNDS.evidenceBytes - 64)
    return null;
  const newest = events.slice(-SHOWN_BOUNDS.events);
  for (const [length, count] of TRIES) {
    const brief =
      length === Infinity
        ? { events: newest, container_statuses }
        : {
            events: newest.map((one) => shortened(one, length)),
            container_statuses: container_statuses.slice(0, count).map((one) => shortened(one, length)),
          };
    if (Buffer.byteLength(JSON.stringify(brief)) > SHOWN_BOUNDS.evidenceBytes) continue;
    return length === Infinity && newest.length === events.length ? null : brief;
  }
  return { events: [], container_statuses: [] };
}

/** At least as many bytes as the JSON of this value has, in a fraction of the time that writing it takes. */
function mostBytes(value: unknown): number {
  if (typeof value === 'string') return value.length * (PRINTABLE.test(value) ? 2 : 6) + 2;
  if (typeof value !== 'object' || value === null) return LONGEST_NUMBER;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value as unknown[]) bytes += mostBytes(item) + 1;
  else for (const name in value) bytes += 6 * name.length + 4 + mostBytes((value as Record<string, unknown>)[name]);
  return bytes;
}

/** Of these characters JSON doubles quotes and backslashes. Any other takes six bytes at most. */
const PRINTABLE = /^[\x20-\x7e]*$/;
/** The longest number that JSON writes has fewer characters. */
const LONGEST_NUMBER = 32;

/** The same, with texts of at most this length. A container's name is not cut, because half of it would be another name. */
function shortened<T extends object>(value: T, length: number): T {
  const fields = Object.entries(value).map(([name, field]: [string, unknown]): [string, unknown] => {
    if (typeof field === 'object' && field !== null) return [name, shortened(field, length)];
    return [
      name,
      typeof field === 'string' && name !== 'name' && field.length > length ? `${field.slice(0, length - 1).toWellFormed()}…` : field,
    ];
  });
  return Object.fromEntries(fields) as T;
}
