import type { Failure } from '../../failures/detect/detect.ts';

/** Messages of runtimes and kubelets about an image that no retry can pull: not found, denied, for another platform. */
const IMAGE_FOR_GOOD =
  /not found|manifest unknown|MANIFEST_UNKNOWN|NAME_UNKNOWN|name unknown|code = NotFound|404 Not Found|repository does not exist|pull access denied|access to the resource is denied|insufficient_scope|no basic auth credentials|401 Unauthorized|403 Forbidden|authentication required|unauthorized: |denied: |invalid reference format|no match(?:ing manifest)? for platform|no matching manifest|not present with pull policy of Never/i;
/** Messages about a busy or absent registry. Such a failure is temporary, even if the message also matches the pattern above. */
const IMAGE_MAY_PASS =
  /too ?many ?requests|rate limit|429|i\/o timeout|connection refused|connection reset|no route to host|network is unreachable|deadline exceeded|context canceled|TLS handshake|\bEOF\b|50[0234] |pull QPS|no such host|server misbehaving|no space left/i;
/** A container that cannot be made until the manifest or an object changes. */
const CREATE_FOR_GOOD =
  /not found|couldn't find key|references? non-existent|runAsNonRoot|non-numeric user|no command specified|is forbidden|invalid user|must be|unable to find user|failed to prepare subPath|not a directory|no such file/i;
const CREATE_MAY_PASS = /timed out|timeout|deadline exceeded|is reserved for|failed to sync|connection refused|unavailable/i;
/** A volume or a pod sandbox that no retry can create. */
const VOLUME_FOR_GOOD =
  /not found|couldn't find key|references? non-existent|hostPath type check failed|is not a (?:directory|file)|no runtime for|RuntimeHandler|not supported|no such file/i;
const VOLUME_MAY_PASS = /timed out|timeout|failed to sync|context deadline|connection refused|not registered|driver name .* not found/i;

const NEVER_PASSES = new Set(['InvalidImageName', 'ErrImageNeverPull']);

/**
 * Whether a failure is a refusal that waiting cannot fix: an image that is not found, denied or malformed, a missing object, an impossible
 * placement, or a refusal of the pod by its node. Crashes, slowness and temporary errors do not count.
 */
export function isRefusedForGood({ reason, family, message }: Failure): boolean {
  if (NEVER_PASSES.has(reason)) return true;
  switch (family) {
    case 'image':
      return IMAGE_FOR_GOOD.test(message) && !IMAGE_MAY_PASS.test(message);
    case 'create':
      return CREATE_FOR_GOOD.test(message) && !CREATE_MAY_PASS.test(message);
    case 'volume':
      return VOLUME_FOR_GOOD.test(message) && !VOLUME_MAY_PASS.test(message);
    case 'waiting':
      // Without a message of a scheduler, we only know that the grace time has passed.
      return reason === 'Unschedulable' && !/^no scheduler named/.test(message);
    case 'node':
      return reason !== 'DeadlineExceeded';
    default:
      return false;
  }
}

/** Failures that only a second copy of a pod has. They say nothing about the correction. */
const OF_THE_COPY: [pattern: RegExp, what: string][] = [
  [/free ports/, 'a port of the node is taken'],
  [/anti-affinity|pod affinity|topology spread/, 'rules about other pods count the source, or the labels that a mirror does not have'],
  [/Multi-Attach|volume is already (?:exclusively attached|used)/, 'a volume is in use by the source'],
];

/**
 * Explains a failure that the correction did not cause: something outside of the mirror did, or the mirror failed because it is a second
 * copy of the pod. Undefined if the correction may be the cause.
 */
export function causeInTheCopy(failure: Failure, before: string | undefined): string | undefined {
  const { reason, family, message } = failure;
  const known = OF_THE_COPY.find(([pattern]) => pattern.test(message));
  if (known) return known[1];
  if (/^(Preempted|Preempting|NodeLost|DeadlineExceeded)$/.test(reason)) return 'that befell the pod from outside';
  if (family === 'node' && reason !== before && !isOwnEviction(failure)) return 'the node, not the pod, is the cause';
  if (reason === 'Unschedulable' && !lackedRoom(before) && /Insufficient/.test(message)) return 'no node has room for a second copy';
  return undefined;
}

/** Whether the source itself failed for lack of room, as the scheduler or a kubelet (`OutOfcpu`, `OutOfmemory`, …) says. */
function lackedRoom(before: string | undefined): boolean {
  return before === 'Unschedulable' || before?.startsWith('OutOf') === true;
}

/** Whether the pod was evicted because it used too much itself, not because the node lacked room. */
export function isOwnEviction({ reason, message }: Failure): boolean {
  return reason === 'Evicted' && /exceed/i.test(message);
}
