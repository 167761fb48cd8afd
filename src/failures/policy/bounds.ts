import type { ContainerEvidence, EventEvidence, FailureReport } from '../../contract/failure.ts';
import { REPORT_BOUNDS } from '../../contract/report-bounds.ts';
import { cutEnd, cutMiddle } from './cut-text.ts';

/** The limit for labels, timestamps, sources and similar texts. */
const WORD_BYTES = 253;
/** Longer than any registry takes. */
const IMAGE_BYTES = 1024;
/** The longest key of a label: prefix, slash and name. */
const LABEL_KEY_LENGTH = 317;

/**
 * Cuts a report to `REPORT_BOUNDS`, and drops unknown fields inside its events and statuses. A report within bounds is returned unchanged.
 * Never changes its argument.
 */
export function boundReport<R extends FailureReport>(report: R): R {
  let fields: Record<string, unknown> | undefined;
  // This runs for every report and nearly always changes nothing, so it creates no lists.
  for (const field in BOUNDS) {
    const value = report[field as keyof FailureReport];
    if (value === undefined || value === null) continue;
    const kept = (BOUNDS[field as keyof FailureReport] as (value: unknown, report: FailureReport) => unknown)(value, report);
    if (kept !== value) (fields ??= {})[field] = kept;
  }
  return fields ? { ...report, ...(fields as Partial<FailureReport>), ...statusesMark(report) } : report;
}

/** Cuts each field to its bounds. Returns the same value when nothing had to be cut. */
const BOUNDS: {
  [Field in keyof FailureReport]?: (value: NonNullable<FailureReport[Field]>, report: FailureReport) => FailureReport[Field];
} = {
  failure_message: (text) => cutMiddle(text, REPORT_BOUNDS.failureMessageBytes),
  events: boundEvents,
  container_statuses: boundStatuses,
  manifest: (text) => cutEnd(text, REPORT_BOUNDS.manifestBytes, manifestMark),
  logs: (text) => cutMiddle(text, REPORT_BOUNDS.logsBytes),
  labels: boundLabels,
  images: boundImages,
};

/** A mark among the statuses would look like a container, so the message says how many are missing. */
function statusesMark({ failure_message, container_statuses }: FailureReport): Pick<FailureReport, 'failure_message'> {
  const cut = (container_statuses?.length ?? 0) - REPORT_BOUNDS.statuses;
  if (cut <= 0) return {};
  const mark = `[${cut} more container statuses were cut]`;
  const said = cutMiddle(failure_message ?? '', REPORT_BOUNDS.failureMessageBytes - mark.length - 1);
  return { failure_message: said ? `${said} ${mark}` : mark };
}

/** A comment in YAML. */
function manifestMark(bytes: number): string {
  return `\n# [${bytes} more bytes were cut]\n`;
}

function boundEvents(events: EventEvidence[]): EventEvidence[] {
  const { events: most } = REPORT_BOUNDS;
  if (events.length <= most) return events.every(isPlainEvent) ? events : events.map(boundEvent);
  // The mark is an event too, the oldest.
  const kept = events.slice(1 - most).map(boundEvent);
  return [
    { type: 'Normal', reason: 'EventsCut', message: `${events.length - kept.length} older events were cut`, source: 'podmend' },
    ...kept,
  ];
}

const EVENT_FIELDS = new Set(['type', 'reason', 'message', 'count', 'first_timestamp', 'timestamp', 'source']);
const STATE_FIELDS = ['state', 'reason', 'message', 'exit_code', 'signal', 'started_at', 'finished_at'];
const LAST_STATE_FIELDS = new Set(STATE_FIELDS);
const STATUS_FIELDS = new Set(['name', 'kind', 'image', 'ready', 'restart_count', ...STATE_FIELDS, 'last_state']);

/** Whether an event is so small that no limit matters. Most are, and cost nothing. */
function isPlainEvent(event: EventEvidence): boolean {
  return isPlain(event, EVENT_FIELDS, REPORT_BOUNDS.eventBytes / 4);
}

/** `length` is in UTF-16 units, of which each is at most three bytes. */
function isPlain(value: object, fields: ReadonlySet<string>, length: number): boolean {
  let sum = 0;
  for (const name in value) {
    const field = (value as Record<string, unknown>)[name];
    if (!fields.has(name)) return false;
    if (typeof field !== 'string') continue;
    if (name !== 'message' && field.length > WORD_BYTES / 3) return false;
    sum += field.length;
  }
  return sum <= length;
}

function boundEvent(event: EventEvidence): EventEvidence {
  if (isPlainEvent(event)) return event;
  const words = boundWords(event, EVENT_FIELDS);
  const { message: _, ...rest } = words;
  const { message } = event;
  if (!message) return words;
  // The other fields and JSON's punctuation reduce the room for the message.
  const room = REPORT_BOUNDS.eventBytes - Buffer.byteLength(JSON.stringify({ ...rest, message: '' }));
  return { ...words, message: cutMiddle(message, Math.max(0, room)) };
}

/** The known fields, all texts but `message` cut to a word. */
function boundWords<T extends object>(value: T, fields: ReadonlySet<string>): T {
  const known = Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
    if (!fields.has(name)) return [];
    const most = name === 'image' ? IMAGE_BYTES : WORD_BYTES;
    return [[name, typeof field === 'string' && name !== 'message' ? cutEnd(field, most) : field]];
  });
  return Object.fromEntries(known) as T;
}

function boundStatuses(all: ContainerEvidence[], { container }: FailureReport): ContainerEvidence[] {
  const kept = all.length > REPORT_BOUNDS.statuses ? firstStatuses(all, container) : all;
  const share = REPORT_BOUNDS.statusMessagesBytes / 2 / Math.max(1, kept.length);
  const bytes = Math.min(REPORT_BOUNDS.statusMessageBytes, share);
  const isWithin = (status: ContainerEvidence): boolean =>
    isPlain(status, STATUS_FIELDS, bytes / 3) && (!status.last_state || isPlain(status.last_state, LAST_STATE_FIELDS, bytes / 3));
  return kept.every(isWithin) && kept === all ? all : kept.map((status) => (isWithin(status) ? status : boundStatus(status, bytes)));
}

function boundStatus(status: ContainerEvidence, bytes: number): ContainerEvidence {
  const words = boundWords(status, STATUS_FIELDS);
  const { message, last_state: last } = status;
  return {
    ...words,
    ...(message ? { message: cutMiddle(message, bytes) } : {}),
    ...(last ? { last_state: boundState(last, bytes) } : {}),
  };
}

function boundState(state: NonNullable<ContainerEvidence['last_state']>, bytes: number): NonNullable<ContainerEvidence['last_state']> {
  const { message } = state;
  return { ...boundWords(state, LAST_STATE_FIELDS), ...(message ? { message: cutMiddle(message, bytes) } : {}) };
}

/** The first statuses, with the failing container's among them. */
function firstStatuses(all: ContainerEvidence[], container: string | null | undefined): ContainerEvidence[] {
  const kept = all.slice(0, REPORT_BOUNDS.statuses);
  const failing = all.find(({ name }) => name === container);
  return !failing || kept.includes(failing) ? kept : [...kept.slice(0, -1), failing];
}

/** A label that is too long cannot come from Kubernetes, and half of it would be another label. */
function boundLabels(labels: Record<string, string>): Record<string, string> {
  const all = Object.entries(labels);
  const isWithin = ([key, value]: [string, string]): boolean => key.length <= LABEL_KEY_LENGTH && value.length <= WORD_BYTES;
  if (all.length <= REPORT_BOUNDS.labels && all.every(isWithin)) return labels;
  return Object.fromEntries(all.filter(isWithin).slice(0, REPORT_BOUNDS.labels));
}

function boundImages(images: string[]): string[] {
  const isWithin = (image: string): boolean => image.length <= IMAGE_BYTES / 3;
  if (images.length <= REPORT_BOUNDS.images && images.every(isWithin)) return images;
  return images.slice(0, REPORT_BOUNDS.images).map((image) => cutEnd(image, IMAGE_BYTES));
}
