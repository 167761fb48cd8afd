import type { FailureDetail } from '../../contract/failure.ts';
import type { EvidenceLine, EvidencePlace } from '../../contract/diagnosis.ts';
import { lineOf } from '../../crd/field-line.ts';
import { fieldPath } from '../../crd/field-path.ts';
import { podSpecIn, readManifest } from '../facts/manifest.ts';
import { oneLine } from './quote.ts';

/** The parts of a record that can contain evidence. */
export type Evidenced = Pick<FailureDetail, 'events' | 'container_statuses' | 'logs' | 'manifest' | 'container'>;

/** The source before a quoted line. */
const SOURCE =
  /^(event .{1,200}?|status of container \S+|last run of container \S+|log of (?:the pod|\S+)(?: \((?:current|previous|termination message)\))?(?:, last line)?|pod status|quota \S+ now|condition \S+|manifest(?:, init container \S+)?): (.*)$/s;
/** Shorter texts stand in too many lines. */
const TELLING = 4;

/**
 * An evidence line of a diagnosis, with its source split off and its place in the record. The place is null when it is not found. Never
 * throws.
 */
export function locateEvidence(line: string, record: Evidenced): EvidenceLine {
  const [, source, quoted] = SOURCE.exec(line) ?? [];
  const text = quoted ?? line;
  return { source: source ?? null, text, place: placeOf(source ?? '', text, record) };
}

function placeOf(source: string, text: string, record: Evidenced): EvidencePlace | null {
  const [word = ''] = source.split(' ');
  switch (word) {
    case 'event':
      return inEvents(record, text, source.slice('event '.length).replace(/ \(\d+ times\)$/, ''));
    case 'status':
    case 'last':
      return inContainers(record, source.split(' ').at(-1) ?? '');
    case 'log':
      return inLog(record, source, text);
    case 'manifest,':
    case 'manifest':
      return inManifest(record, text);
    case '':
      return inEvents(record, text) ?? inLog(record, '', text);
    default:
      return null;
  }
}

const found = (place: EvidencePlace['in'], index: number): EvidencePlace | null => (index < 0 ? null : { in: place, index });

/** The newest event with that text, and with that reason if one is named. */
function inEvents({ events }: Evidenced, text: string, reason?: string): EvidencePlace | null {
  const holds = (message: string): boolean => text.length >= TELLING && (isBeginning(text, message) || message.includes(text));
  const index = events.findLastIndex(
    (event) => (reason === undefined || (event.reason ?? '') === reason) && holds(oneLine(event.message ?? '', Number.MAX_SAFE_INTEGER)),
  );
  return found('events', index);
}

function inContainers({ container_statuses: statuses }: Evidenced, name: string): EvidencePlace | null {
  return found(
    'containers',
    statuses.findIndex((status) => status.name === name),
  );
}

/** The last line with the text in the named container's section. Termination messages are part of the container's status. */
function inLog(record: Evidenced, source: string, text: string): EvidencePlace | null {
  const [, container, run] = /^log of (\S+|the pod)(?: \((current|previous|termination message)\))?/.exec(source) ?? [];
  if (run === 'termination message') return inContainers(record, container ?? '');
  if (!record.logs || text.length < TELLING) return null;
  const heading = container && run ? `==> ${container} (${run}) <==` : undefined;
  const lines = record.logs.split('\n');
  const start = heading === undefined ? -1 : lines.findIndex((line) => line.trimEnd() === heading);
  const next =
    start < 0 ? -1 : lines.findIndex((line, index) => index > start && /^==> \S+ \((?:current|previous)\) <==$/.test(line.trimEnd()));
  const end = next < 0 ? lines.length : next;
  const inSection = lines.slice(0, end).findLastIndex((line, index) => index > start && isQuoted(line, text));
  return found('log', inSection);
}

const isQuoted = (line: string, text: string): boolean => {
  const plain = oneLine(line, Number.MAX_SAFE_INTEGER);
  return plain !== '' && (plain.includes(text) || isBeginning(text, plain));
};

/** Whether `text` is the whole text, or its beginning with an ellipsis. */
function isBeginning(text: string, whole: string): boolean {
  return text.endsWith('…') ? text.length > TELLING && whole.startsWith(text.slice(0, -1).trimEnd()) : whole === text;
}

/** The line of a quoted field, such as `resources.limits.memory: 16Mi`, in the failing container. */
function inManifest({ manifest, container }: Evidenced, text: string): EvidencePlace | null {
  const [, path] = /^([A-Za-z][A-Za-z0-9_.[\]-]*): /.exec(text) ?? [];
  const object = manifest && path ? readManifest(manifest) : undefined;
  const place = object && podSpecIn(object);
  if (!manifest || !path || !place) return null;
  for (const list of ['initContainers', 'containers'] as const) {
    const containers = place.spec[list] ?? [];
    const index = containers.findIndex(({ name }) => name === container || (container === null && containers.length === 1));
    if (index < 0) continue;
    return { in: 'manifest', index: lineOf(manifest.split('\n'), `${fieldPath(place.path, list, index)}.${path}`) };
  }
  return null;
}
