/** The meaning of an API server's refusal of a mirror pod. */
export type AdmissionAnswer =
  /** A webhook does not support dry run: only the real creation shows whether it accepts the pod. */
  | { kind: 'unknown' }
  /** The template is wrong, and its author must change it. */
  | { kind: 'refused'; reason: string; message: string }
  /** The namespace may have room later. */
  | { kind: 'waiting'; reason: string; message: string }
  /** A policy refuses the mirror. It may accept the source, because the mirror lacks the source's labels. */
  | { kind: 'inconclusive'; reason: string; message: string };

/** Interprets a refusal by its HTTP code and message; undefined if it is not about the pod (a missing right, overload, a conflict). */
export function readAdmission({ code, message }: { code: number; message: string }): AdmissionAnswer | undefined {
  if (/does not support dry[ -]?run/i.test(message)) return { kind: 'unknown' };
  if (/^\S+ is forbidden: User |cannot create resource/.test(message)) return undefined;
  if (/because it is being terminated/.test(message))
    return { kind: 'waiting', reason: 'NamespaceTerminating', message: 'The namespace is being removed.' };
  if (/exceeded quota|failed quota|must specify (limits|requests)/.test(message)) {
    return { kind: 'waiting', reason: 'QuotaExceeded', message: 'The quota of the namespace has no room for the mirror.' };
  }
  if (/violates PodSecurity/.test(message)) return { kind: 'refused', reason: 'PodSecurity', message };
  if (/admission webhook .* denied|ValidatingAdmissionPolicy/.test(message)) {
    return { kind: 'inconclusive', reason: 'AdmissionRefused', message: `A policy refuses the mirror: ${message}` };
  }
  if (code === 403) return { kind: 'refused', reason: 'Forbidden', message };
  if (code === 400 || code === 413 || code === 422) return { kind: 'refused', reason: 'Invalid', message };
  return undefined;
}
