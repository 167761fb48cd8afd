import { LOG_DUE, NO_LOG } from '../contract/failure.ts';
import { ClusterUnavailable, KubeError } from '../kube/errors.ts';
import { maskText } from '../redact/text.ts';

/** The result of a request for the log of one run. */
export type LogAnswer =
  | { kind: 'text'; text: string }
  /** There is no log, and that is not an error: nothing was written, or there was no such run. */
  | { kind: 'none' }
  /** The runtime does not find the log, because it was removed, or because the search took too long. */
  | { kind: 'lost'; why: string }
  /** The log may be readable later. */
  | { kind: 'due'; why: string }
  /** The log will not be readable later either. */
  | { kind: 'refused'; why: string };

/** The log of a container, ready for a report. */
export interface ContainerLog {
  container: string;
  text: string;
  /** Why a part of the log is missing, if one is. */
  missing: { isDue: boolean; why: string } | undefined;
}

/** This many lines are requested from the end of the log of each run. */
export const TAIL_LINES = 100;
/** A report has at most this many characters of the log of each run. */
const MAX_LOG = 16_000;
/** Kubelets answer 200 with this text when the runtime does not find the log. It is not a log. */
const NOT_FOUND = /^(?:unable to retrieve container logs for |failed to try resolving symlinks)/;

/** Reads the body of an answer. */
export function logAnswer(body: string): LogAnswer {
  if (NOT_FOUND.test(body)) return { kind: 'lost', why: 'the container runtime does not have it' };
  return body.trim() === '' ? { kind: 'none' } : { kind: 'text', text: body };
}

/**
 * Reads an error. The reasons are our own sentences, because `connection refused` or `timeout` would look like output of the program.
 */
export function logRefusal(error: unknown): LogAnswer {
  if (error instanceof ClusterUnavailable) return { kind: 'due', why: 'the API server did not answer' };
  if (!(error instanceof KubeError)) return { kind: 'due', why: 'the answer could not be read' };
  const { code, message } = error;
  if (code === 401 || code === 403) return { kind: 'refused', why: 'Podmend may not read logs in this namespace' };
  if (code === 404) return { kind: 'refused', why: 'the pod or its node is gone' };
  if (code === 429) return { kind: 'due', why: 'the API server was too busy' };
  if (code >= 500) return { kind: 'due', why: 'the node did not answer the API server' };
  // The pod's status is older than this answer: by now the container waits for its next run.
  return code === 400 && /is waiting to start/.test(message) ? { kind: 'due', why: 'its container was being started' } : { kind: 'none' };
}

/**
 * Joins the logs of one container's runs in the given order. A refused or lost log does not matter if another run has a log. A log that may
 * be readable later matters, because it may belong to the run that failed.
 */
export function containerLog(container: string, runs: { run: 'current' | 'previous'; answer: LogAnswer }[]): ContainerLog {
  const text = runs.map(({ run, answer }) => (answer.kind === 'text' ? section(`${container} (${run})`, answer.text) : '')).join('');
  const why = (kind: 'lost' | 'due' | 'refused') => runs.flatMap(({ answer }) => (answer.kind === kind ? answer.why : []))[0];
  const due = why('due') ?? (text ? undefined : why('lost'));
  if (due) return { container, text, missing: { isDue: true, why: due } };
  const refused = text ? undefined : why('refused');
  return { container, text, missing: refused ? { isDue: false, why: refused } : undefined };
}

/**
 * Joins the logs of a report, the failing container's first. Only the failing container's log is requested again later. If another log is
 * missing, the report says why at once.
 */
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

/** Keeps the end of a log, from the beginning of a line on. */
export function tail(text: string): string {
  if (text.length <= MAX_LOG) return text.trimEnd();
  const end = text.slice(-MAX_LOG);
  return end.slice(end.indexOf('\n') + 1).trimEnd();
}
