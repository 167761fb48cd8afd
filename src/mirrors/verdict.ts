import type { ContainerEvidence, ShownAfter } from '../contract/failure.ts';
import type { ContainerStatus, CoreEvent, Pod } from '../crd/kubernetes.ts';
import type { Verdict } from '../crd/mirrorpod.ts';
import { examine, type Failure, type Graces } from '../failures/detect.ts';
import { maskText } from '../redact/text.ts';
import { present } from './fields.ts';
import { replacedVolumes } from './isolate.ts';

/** However fast the source fails, a mirror must hold out this long. */
const MIN_READY_SECONDS = 10;
/** A kubelet weighs what a pod has written every 10 s, by figures that may be as old again. */
const MIN_READY_SECONDS_OF_EVICTED = 25;

/** All that a verdict depends on. */
export interface VerdictView {
  /** The mirror pod and the events about it. */
  pod: Pod;
  events: CoreEvent[];
  now: Date;
  /** The usual grace times, cut to a share of the mirror's time: see `examineMirror`. */
  graces: Graces;
  ttlSeconds: number;
  jobLike: boolean;
  /** The label of the failure that the mirror is to cure, where one is known. */
  reasonBefore?: string;
  /** How long the source ran before it failed. */
  failSeconds: number;
  /** What the source fails by and a mirror does not have. */
  untried?: string;
}

/** `reason` is a CamelCase constant or the failure's own label, `message` a stable sentence. */
export interface Judgement {
  verdict: Verdict;
  reason: string;
  message: string;
}

/** What can be said of a mirror pod now; undefined is not yet, and `lookAgainAt` when time alone may change that. */
export function judge(view: VerdictView): { judgement?: Judgement; lookAgainAt?: Date } {
  const { pod } = view;
  if (pod.status?.reason === 'DeadlineExceeded')
    return { judgement: inconclusive('TimeOver', 'The pod was ended before it could be judged.') };
  const { failure, lookAgainAt } = examineMirror(view);
  if (failure) return { judgement: unlessReplaced(pod, judgeFailure(failure, view)) };
  if (pod.status?.phase === 'Succeeded') return { judgement: unlessReplaced(pod, unlessUntried(view, completed(view))) };
  return judgeHealthy(view, lookAgainAt);
}

/** A pod that shows no failure and has not ended: good when it has held out, else not yet. */
function judgeHealthy(view: VerdictView, lookAgainAt: Date | undefined): { judgement?: Judgement; lookAgainAt?: Date } {
  const goodAt = view.jobLike ? undefined : heldOutAt(view);
  if (goodAt && goodAt <= view.now) return { judgement: unlessReplaced(view.pod, unlessUntried(view, heldOut(view))) };
  return present({ lookAgainAt: goodAt ?? lookAgainAt });
}

/** What the source showed, as the beginning of a sentence about the mirror. */
const after = (reasonBefore: string | undefined): string => (reasonBefore ? `The source showed ${reasonBefore}; the mirror` : 'The mirror');

function heldOut({ reasonBefore }: VerdictView): Judgement {
  const message = `${after(reasonBefore)} is Ready for longer than the source needed to fail.`;
  return { verdict: 'Fixed', reason: 'PodReady', message };
}

function completed({ jobLike, reasonBefore }: VerdictView): Judgement {
  if (jobLike) return { verdict: 'Fixed', reason: 'PodCompleted', message: `${after(reasonBefore)} ran to its end and exited with 0.` };
  return inconclusive('PodCompleted', 'The mirror ended with 0, although it should keep running.');
}

function inconclusive(reason: string, message: string): Judgement {
  return { verdict: 'Inconclusive', reason, message };
}

/** The one label that only the clock gives: nothing failed, an init container has merely not finished. */
const ONLY_SLOW = 'PodInitializing';
/** A busy kubelet tells this late that a container has ended, whatever grace time is usual. */
const KUBELET_SECONDS = 30;

/** A source that failed otherwise says nothing about how long an init container may take; then it has most of the mirror's time. */
function examineMirror(view: VerdictView): ReturnType<typeof examine> {
  const first = examine({ ...view, graces: shortened(view, 1 / 4) });
  if (first.failure?.reason !== ONLY_SLOW || view.reasonBefore === ONLY_SLOW) return first;
  const pendingSeconds = Math.max(view.graces.pendingSeconds, KUBELET_SECONDS);
  return examine({ ...view, graces: shortened({ ...view, graces: { ...view.graces, pendingSeconds } }, 3 / 4) });
}

function shortened({ graces, ttlSeconds }: Pick<VerdictView, 'graces' | 'ttlSeconds'>, share: number): Graces {
  const most = ttlSeconds * share;
  return { pendingSeconds: Math.min(graces.pendingSeconds, most), unreadySeconds: Math.min(graces.unreadySeconds, most) };
}

/** The instant until which a Ready pod must hold out, counted from its newest start; undefined while it is not Ready. */
function heldOutAt({ pod, failSeconds, reasonBefore }: VerdictView): Date | undefined {
  const since = readySince(pod);
  const least = reasonBefore === 'Evicted' ? MIN_READY_SECONDS_OF_EVICTED : MIN_READY_SECONDS;
  return since === undefined ? undefined : new Date(since + Math.max(least, failSeconds * 1.2) * 1000);
}

/** Since when the pod is Ready without a restart, in milliseconds. */
function readySince(pod: Pod): number | undefined {
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True') return undefined;
  const starts = [ready.lastTransitionTime, ...statusesOf(pod).map(({ state }) => state?.running?.startedAt)];
  return Math.max(...starts.map((instant) => (instant ? Date.parse(instant) : 0)));
}

const statusesOf = ({ status }: Pod): ContainerStatus[] => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];

const MAX_MESSAGE = 1_000;

/** What the mirror shows now: the evidence of a verdict, for the trial. */
export function shownBy(view: VerdictView): ShownAfter {
  const { pod, now } = view;
  const { failure } = examineMirror(view);
  const since = readySince(pod);
  return {
    message: maskText(failure?.message ?? '').slice(0, MAX_MESSAGE),
    restarts: statusesOf(pod).reduce((sum, { restartCount }) => sum + restartCount, 0),
    ready_seconds: since === undefined ? 0 : Math.max(0, Math.floor((now.getTime() - since) / 1000)),
  };
}

function unlessUntried({ untried }: VerdictView, judgement: Judgement): Judgement {
  if (!untried || judgement.verdict !== 'Fixed') return judgement;
  return inconclusive('CauseNotTried', `${judgement.message} But the source fails by ${untried}, which a mirror does not have.`);
}

function unlessReplaced(pod: Pod, judgement: Judgement): Judgement {
  const replaced = replacedVolumes(pod);
  if (replaced.length === 0) return judgement;
  const volumes = `${replaced.length === 1 ? 'volume' : 'volumes'} ${replaced.join(', ')}`;
  return inconclusive('VolumeReplaced', `${judgement.message} But the ${volumes} cannot be shared and had to be replaced by an empty one.`);
}

/** What a second copy may meet and the source would not: it tells nothing about the correction. */
const OF_THE_COPY: [pattern: RegExp, what: string][] = [
  [/free ports/, 'a port of the node is taken'],
  [/anti-affinity|pod affinity|topology spread/, 'rules about other pods count the source, or the labels that a mirror does not have'],
  [/Multi-Attach|volume is already (?:exclusively attached|used)/, 'a volume is in use by the source'],
];

function judgeFailure(failure: Failure, view: VerdictView): Judgement {
  const what = causeInTheCopy(failure, view.reasonBefore);
  if (what) return inconclusive('NotComparable', `The mirror shows ${failure.reason}, but ${what}.`);
  const before = view.reasonBefore;
  const compared = !before ? 'fails' : before === failure.reason ? 'fails as before' : `no longer shows ${before}, but fails`;
  const where = failure.container ? ` in container ${failure.container}` : '';
  return { verdict: 'StillFailing', reason: failure.reason, message: `The mirror ${compared}: ${failure.reason}${where}.` };
}

function causeInTheCopy({ reason, family, message }: Failure, before: string | undefined): string | undefined {
  const known = OF_THE_COPY.find(([pattern]) => pattern.test(message));
  if (known) return known[1];
  if (/^(Preempted|Preempting|NodeLost|DeadlineExceeded)$/.test(reason)) return 'that befell the pod from outside';
  if (family === 'node' && reason !== before) return 'the node, not the pod, is the cause';
  if (reason === 'Unschedulable' && !lackedRoom(before) && /Insufficient/.test(message)) return 'no node has room for a second copy';
  return undefined;
}

/** The scheduler's word, or a kubelet's (`OutOfcpu`, `OutOfmemory`, …): then the want of room is the failure itself. */
function lackedRoom(before: string | undefined): boolean {
  return before === 'Unschedulable' || before?.startsWith('OutOf') === true;
}

/** How long the failing containers ran before they last failed, in seconds; 0 when nothing ran or nothing is known. */
export function secondsToFail(statuses: readonly ContainerEvidence[]): number {
  const runs = statuses
    .flatMap((status) => [status, status.last_state ?? {}])
    .map((run) => {
      const [from, to] = [Date.parse(run.started_at ?? ''), Date.parse(run.finished_at ?? '')];
      // A container that never started is said to have begun in 1970.
      return run.exit_code === 0 || !(from > 0) || !(to > from) ? 0 : (to - from) / 1000;
    });
  return Math.max(0, ...runs);
}
