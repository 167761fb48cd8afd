import type { ContainerEvidence } from '../../contract/failure.ts';
import { maskManifest } from '../../redact/manifest.ts';
import { maskText } from '../../redact/text.ts';
import type { Case } from '../../diagnosis/case.ts';

/**
 * The case without secrets, even when its reporter masked none. Texts are masked as a whole, before lines are taken from them: the middle of a
 * private key does not look like a key.
 */
export function maskedCase(subject: Case): Case {
  let masked: { manifest: ReturnType<Case['manifest']> } | undefined;
  return {
    ...subject,
    message: maskText(subject.message),
    statuses: subject.statuses.map(maskedStatus),
    events: subject.events.map((event) => (event.message ? { ...event, message: maskText(event.message) } : event)),
    logs: maskText(subject.logs),
    manifest: () => (masked ??= { manifest: maskManifest(subject.manifest()) }).manifest,
  };
}

function maskedStatus(status: ContainerEvidence): ContainerEvidence {
  const { message, last_state: last } = status;
  return {
    ...status,
    ...(message ? { message: maskText(message) } : {}),
    ...(last?.message ? { last_state: { ...last, message: maskText(last.message) } } : {}),
  };
}
