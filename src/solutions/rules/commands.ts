import type { Case } from '../case.ts';
import { shellWord } from '../quote.ts';

/** `kubectl …` in the case's namespace; every word is quoted as the shell needs it. */
export function kubectl(subject: Case, ...words: string[]): string {
  return ['kubectl', ...words, '-n', subject.namespace].map(shellWord).join(' ');
}

/** Status and events of the failing object. */
export function describe(subject: Case): string {
  return kubectl(subject, 'describe', subject.resource_kind.toLowerCase(), subject.pod_name);
}

/** The logs of the failing container; `previous` when it was restarted since. */
export function logs(subject: Case): string[] {
  if (subject.resource_kind !== 'Pod') return [];
  const status = subject.statuses.find(({ name }) => name === subject.container);
  const previous = (status?.restart_count ?? 0) > 0 && status?.state !== 'terminated' ? ['--previous'] : [];
  return [kubectl(subject, 'logs', subject.pod_name, ...(subject.container ? ['-c', subject.container] : []), ...previous, '--tail=100')];
}
