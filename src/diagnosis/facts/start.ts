import type { Message, Quote } from './message.ts';

export type StartCause =
  | 'not-found'
  | 'not-executable'
  | 'exec-format'
  | 'working-dir'
  | 'mount-type'
  | 'memory'
  | 'user'
  | 'capability'
  | 'other';

/** A created container whose process could not be started. `subject` is the program, folder, mount or user. */
export interface StartFact {
  kind: 'start';
  cause: StartCause;
  subject: string | null;
  container: string | null;
  evidence: Quote;
}

/** The first match wins, and its first non-empty group is the subject. Covers messages of runc and crun, old and new. */
const CAUSES: readonly [StartCause, RegExp][] = [
  [
    'memory',
    /container init was OOM-killed|memory limit (?:\d{1,18} )?too low|cannot set memory limit|limit should be above|memory\.max: .{0,40}busy|minimum memory limit/i,
  ],
  [
    'working-dir',
    /chdir to cwd \("([^"]{1,300})"\)|(?:chdir|cwd|working directory)(?: to)?:? [`'"]([^`'"]{1,300})[`'"]|chdir:? (\/[^\s:]{1,300})/,
  ],
  ['capability', /unknown capability:? "?(?:CAP_)?(\w{1,60})/],
  // runc creates a missing working directory.
  ['working-dir', /container init: mkdir (\/[^\s:]{0,300}): (?:not a directory|file exists|permission denied|read-only file system)/],
  [
    'mount-type',
    /Are you trying to mount a directory onto a file \(or vice-versa\)|error mounting "[^"]{1,500}" to rootfs at "([^"]{1,500})".{0,300}not a directory|not a directory: unknown.{0,80}mount/i,
  ],
  [
    'user',
    /(?:unable to find (?:user|group)|find [ug]id for (?:user|group)) ([^\s:]{1,100})|no users? found\b|no matching entries in passwd file/,
  ],
  ['exec-format', /exec(?: user process caused)?:? "?([^\s":]{1,500})?"?:? ?.{0,20}exec format error|exec format error/],
  [
    'not-executable',
    /exec:? "([^"]{1,500})"(?:: stat [^:]{1,500})?: permission denied|exec(?: container process)? `([^`]{1,500})`: Permission denied|open executable: Permission denied/,
  ],
  [
    'not-found',
    /exec:? "([^"]{0,500})"(?:: stat [^:]{1,500})?: (?:executable file not found|no such file or directory|not a directory)|exec(?: container process)? `([^`]{1,500})`: No such file|executable file `([^`]{1,500})` not found|exec ([^\s:]{1,500}): no such file or directory|executable file not found in \$PATH/,
  ],
];

const START_REASONS = new Set(['RunContainerError', 'StartError', 'ContainerCannotRun', 'PostStartHookError', 'CreateContainerError']);

/** Facts in a message about the start of a container's process. */
export function readStart(message: Message): StartFact[] {
  const { text, reason } = message;
  const isRuntime = /OCI runtime|runc create|crun:|containerd task|unable to start container process|starting container process/.test(text);
  if (!isRuntime && !(START_REASONS.has(reason) && text)) return [];
  if (reason === 'Unhealthy' || reason.includes('Hook') || reason === 'FailedCreatePodSandBox') return [];
  for (const [cause, words] of CAUSES) {
    const found = words.exec(text);
    if (found) return [fact(message, cause, found.slice(1).find((group) => group !== undefined) ?? null)];
  }
  return START_REASONS.has(reason) && reason !== 'CreateContainerError' ? [fact(message, 'other', null)] : [];
}

function fact({ from, text, container }: Message, cause: StartCause, subject: string | null): StartFact {
  return { kind: 'start', cause, subject, container, evidence: { from, text } };
}
