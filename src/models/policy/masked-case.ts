import { maskManifest } from '../../redact/manifest.ts';
import { maskedEvent, maskedStatus } from '../../redact/report.ts';
import { maskText } from '../../redact/text.ts';
import type { Case } from '../../diagnosis/case.ts';

/**
 * The case with its secrets masked, even if the reporter masked none. Whole texts are masked before lines are taken from them, because the
 * middle of a private key does not look like a key.
 */
export function maskedCase(subject: Case): Case {
  let masked: { manifest: ReturnType<Case['manifest']> } | undefined;
  return {
    ...subject,
    message: maskText(subject.message),
    statuses: subject.statuses.map((status) => maskedStatus(status)),
    events: subject.events.map((event) => maskedEvent(event)),
    logs: maskText(subject.logs),
    manifest: () => (masked ??= { manifest: maskManifest(subject.manifest()) }).manifest,
  };
}
