import { LOG_DUE, NO_LOG } from '../contract/failure.ts';
import { ClusterUnavailable, KubeError } from '../kube/errors.ts';
import { maskText } from '../redact/text.ts';

/** What became of the question for the log of one run. */
export type LogAnswer =
  | { kind: 'text'; text: string }
  /** There is none, and nothing is amiss: nothing was written, there was no such run, the pod is gone. */
  | { kind: 'none' }
  /** The runtime does not find it: it has thrown it away, or had no time to look. */
  | { kind: 'lost'; why: string }
  /** It may be had later. */
  | { kind: 'due'; why: string }
  | { kind: 'refused'; why: string };

/** The log of a container, ready for a report. */
export interface ContainerLog {
  container: string;
  text: string;
  /** Why something is missing of it, where it is. */
  missing: { isDue: boolean; why: string } | undefined;
}

const MAX_LOG = 16_000;
/** kubelets answer 200 with this when the runtime does not find the log. It is not a log. */
const NOT_FOUND = /^(?:unable to retrieve container logs for |failed to try resolving symlinks)/;

/** Judges the body of an answer. */
export function logAnswer(body: string): LogAnswer {
  if (NOT_FOUND.test(body)) return { kind: 'lost', why: 'the container runtime does not have it' };
  return body.trim() === '' ? { kind: 'none' } : { kind: 'text', text: body };
}

/**
 * Judges an error. The words are ours: those of the network (`connection refused`, `timeout`) would read as if the program had said them.
 */
export function logRefusal(error: unknown): LogAnswer {
  if (error instanceof ClusterUnavailable) return { kind: 'due', why: 'the API server did not answer' };
  if (!(error instanceof KubeError)) return { kind: 'due', why: 'the answer could not be read' };
  const { code, message } = error;
  if (code === 401 || code === 403) return { kind: 'refused', why: 'Podmend may not read logs in this namespace' };
  if (code === 429) return { kind: 'due', why: 'the API server was too busy' };
  if (code >= 500) return { kind: 'due', why: 'the node did not answer the API server' };
  // The kubelet's status and its answer are not of one moment: a container that has run waits for its next run.
  return code === 400 && /is waiting to start/.test(message) ? { kind: 'due', why: 'its container was being started' } : { kind: 'none' };
}

/**
 * Puts the runs of one container together, in the order given. A run that is refused or thrown away is not missed where another one brought
 * a text; one that may be had later is, because it may be the one that failed.
 */
export function containerLog(container: string, runs: { run: 'current' | 'previous'; answer: LogAnswer }[]): ContainerLog {
  const text = runs.map(({ run, answer }) => (answer.kind === 'text' ? section(`${container} (${run})`, answer.text) : '')).join('');
  const why = (kind: 'lost' | 'due' | 'refused') => runs.flatMap(({ answer }) => (answer.kind === kind ? answer.why : []))[0];
  const due = why('due') ?? (text ? undefined : why('lost'));
  if (due) return { container, text, missing: { isDue: true, why: due } };
  const refused = text ? undefined : why('refused');
  return { container, text, missing: refused ? { isDue: false, why: refused } : undefined };
}

/** The logs of a report, the failing container's first. It alone is worth another try; of the others it is said at once. */
export function joinLogs(logs: ContainerLog[], isLastTry: boolean): { text: string; isDue: boolean } {
  const missing = logs[0]?.missing;
  const isDue = missing?.isDue === true && !isLastTry;
  const parts = logs.map((log, index) => (index === 0 && isDue ? log.text : log.text || absence(log)));
  return { text: (isDue ? `${LOG_DUE}: ${missing.why}\n` : '') + parts.join(''), isDue };
}

function absence({ container, missing }: ContainerLog): string {
  return missing ? section(`${container} (current)`, `${NO_LOG}: ${missing.why}`) : '';
}

function section(head: string, text: string): string {
  return `==> ${head} <==\n${maskText(tail(text))}\n`;
}

/** Of a log its end stays, from the beginning of a line on. */
export function tail(text: string): string {
  if (text.length <= MAX_LOG) return text.trimEnd();
  const end = text.slice(-MAX_LOG);
  return end.slice(end.indexOf('\n') + 1).trimEnd();
}
