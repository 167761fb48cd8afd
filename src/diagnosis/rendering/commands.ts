import type { Case } from '../case.ts';
import { shellWord } from './quote.ts';

/** `kubectl …` in the case's namespace; every word is quoted for the shell. */
export function kubectl(subject: Case, ...words: string[]): string {
  return ['kubectl', ...words, '-n', subject.namespace].map(shellWord).join(' ');
}

/** The command that shows the failing object's status and events. */
export function describe(subject: Case): string {
  return kubectl(subject, 'describe', subject.resource_kind.toLowerCase(), subject.pod_name);
}

/** The command that shows the failing container's logs. If the container was restarted, it shows the logs of the previous run. */
export function logs(subject: Case): string[] {
  if (subject.resource_kind !== 'Pod') return [];
  const status = subject.statuses.find(({ name }) => name === subject.container);
  const previous = (status?.restart_count ?? 0) > 0 && status?.state !== 'terminated' ? ['--previous'] : [];
  return [kubectl(subject, 'logs', subject.pod_name, ...(subject.container ? ['-c', subject.container] : []), ...previous, '--tail=100')];
}
