import type { ContainerEvidence } from '../contract/failure.ts';
import { maskManifest } from '../redact/manifest.ts';
import { maskText } from '../redact/text.ts';
import type { Case } from './case.ts';

/**
 * The case without secrets, also when its reporter masked none. Whole texts are masked, before anybody takes lines out of them: the middle
 * of a private key no longer looks like one.
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
