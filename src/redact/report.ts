import { hash } from 'node:crypto';
import type { ContainerEvidence, EventEvidence, FailureReport } from '../contract/failure.ts';
import { maskImage } from './image.ts';
import { maskManifest, maskManifestText } from './manifest.ts';
import { type RecentKeys, recentKeys } from './recent-keys.ts';
import type { NameMemory } from './scan-state.ts';
import { maskText, maskTextWith } from './text.ts';

type Mask = (text: string) => string;

/** The event with its texts masked. */
export function maskedEvent(event: EventEvidence, mask: Mask = maskText): EventEvidence {
  return withTexts(event, mask);
}

/** The state of a container with its texts and its image masked. */
export function maskedStatus(status: ContainerEvidence, mask: Mask = maskText): ContainerEvidence {
  const { image, last_state: last } = status;
  const shown = { ...(image ? { image: maskImage(image) } : {}), ...(last ? { last_state: withTexts(last, mask) } : {}) };
  const isSame = (shown.image ?? image) === image && (shown.last_state ?? last) === last;
  return withTexts(isSame ? status : { ...status, ...shown }, mask);
}

/** Shorter texts are masked faster than they are remembered. */
const SHORTEST = 512;
/** How many digests of texts and of manifests are remembered. */
const MOST = 8_192;

/**
 * Makes the mask for reports of any sender. A masked report may be stored and shown. Names of objects, times and numbers stay. A report
 * without secrets is returned itself. Masking twice changes nothing. The mask remembers names, and the newest long texts in which it found no
 * secret, because pods of one workload have the same logs, and the next failure of a pod has the same manifest.
 */
export function reportMask(): ReportMask {
  const [texts, manifests] = [recentKeys(MOST), recentKeys(MOST)];
  const names: NameMemory = new Map();
  const short: Mask = (given) => maskTextWith(given, names);
  const text: Mask = (given) => (given.length < SHORTEST ? short(given) : unlessClean(texts, given, short));
  return (report, parsed) => {
    const yaml: Mask = (given) => unlessClean(manifests, given, () => maskManifestText(given, names, parsed?.()));
    return maskedReport(report, { text, names, yaml });
  };
}

function unlessClean(clean: RecentKeys, given: string, mask: Mask): string {
  const known = hash('sha256', given, 'base64');
  if (clean.has(known)) return given;
  const masked = mask(given);
  if (masked === given) clean.add(known);
  return masked;
}

/** `parsed` returns the parsed manifest of the report if the caller has it, so that the manifest is not parsed twice. */
export type ReportMask = (report: FailureReport, parsed?: () => object | undefined) => FailureReport;

function maskedReport(report: FailureReport, { text, names, yaml }: { text: Mask; names: NameMemory; yaml: Mask }): FailureReport {
  const { failure_reason, failure_message, logs, manifest, labels, images, events, container_statuses } = report;
  const masked = {
    ...(failure_reason ? { failure_reason: text(failure_reason) } : {}),
    ...(failure_message ? { failure_message: text(failure_message) } : {}),
    ...(logs ? { logs: text(logs) } : {}),
    ...(manifest ? { manifest: yaml(manifest) } : {}),
    ...(labels ? { labels: maskManifest(labels, names) } : {}),
    ...(images ? { images: maskedList(images, maskImage) } : {}),
    ...(events ? { events: maskedList(events, (event) => maskedEvent(event, text)) } : {}),
    ...(container_statuses ? { container_statuses: maskedList(container_statuses, (status) => maskedStatus(status, text)) } : {}),
  };
  const isSame = Object.entries(masked).every(([field, value]) => value === report[field as keyof FailureReport]);
  return isSame ? report : { ...report, ...masked };
}

function maskedList<T>(list: T[], mask: (one: T) => T): T[] {
  const masked = list.map((one) => mask(one));
  return masked.every((one, index) => one === list[index]) ? list : masked;
}

/** Masks the fields that hold texts of people or programs. */
function withTexts<T extends Partial<Record<'message' | 'reason' | 'source', string | null>>>(one: T, mask: Mask): T {
  const message = one.message && mask(one.message);
  const reason = one.reason && mask(one.reason);
  const source = one.source && mask(one.source);
  if (message === one.message && reason === one.reason && source === one.source) return one;
  return { ...one, ...(message && { message }), ...(reason && { reason }), ...(source && { source }) };
}
