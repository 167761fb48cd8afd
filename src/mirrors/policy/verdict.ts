import { MIRROR_TTL } from '../../contract/mirror-ttl.ts';
import { containersOf } from '../../crd/containers.ts';
import type { CoreEvent, Pod } from '../../crd/kubernetes.ts';
import type { MirrorTerms, MirrorTimeline as Timeline, Verdict } from '../../crd/mirrorpod.ts';
import { examine, type Failure, type Graces } from '../../failures/detect/detect.ts';
import { eventsOf } from '../../failures/detect/events.ts';
import { labelRun } from '../../failures/detect/ended-run.ts';
import { endsOf } from './timeline.ts';
import { causeInTheCopy, isOwnEviction, isRefusedForGood } from './permanent-failures.ts';
import { ttlFor } from './suggested-ttl.ts';
import type { ObservationWindow } from './observation-window.ts';

/** A verdict with its reason. `reason` is a CamelCase constant or the label of the failure, `message` a stable sentence. */
export interface Judgement {
  verdict: Verdict;
  reason: string;
  message: string;
  /** The label of the failure that the mirror shows, when `reason` is a different word. */
  failure?: string;
  /** Why the verdict is `Weak`, besides the reasons of its window. */
  weakBecause?: string;
}

/** The present verdict, and the counts of the timeline when it was given. */
export interface Standing {
  verdict: Verdict;
  reason: string;
  ended: number;
  readinessLost: number;
}

/** The facts that do not change during the life of a mirror. */
export interface Terms extends MirrorTerms {
  jobLike: boolean;
  startedAt: Date;
  ttlSeconds: number;
}

export interface JudgeView {
  terms: Terms;
  window: ObservationWindow;
  timeline: Timeline;
  standing?: Standing;
  /** The mirror pod and the events about it, as they are now; absent when the pod is gone. */
  pod?: Pod;
  events: readonly CoreEvent[];
  now: Date;
  /** The usual grace times. They are cut to at most a quarter of the mirror's time. */
  graces: Graces;
  /** When the mirror's time is over. */
  expiresAt: Date;
  /** Nobody looked shortly before the end, so the last part is known only from the final state of the pod. */
  isEndUnseen?: boolean;
}

export interface Opinion {
  /** The new verdict; absent when nothing changed. */
  judgement?: Judgement;
  /** The mirror has ended, so the verdict does not change again. */
  isFinal: boolean;
  /** When the verdict may change only because time passes. */
  lookAgainAt?: Date;
}

/**
 * Decides the verdict on a mirror (pure). The first verdict comes as soon as the evidence is enough. It is revised until the mirror ends.
 * Every mirror that has ended has a verdict.
 */
export function judge(view: JudgeView): Opinion {
  const isFinal = isOver(view);
  const judgement = decide(view) ?? (isFinal && !view.standing ? atEnd(view) : undefined);
  if (isFinal) return { isFinal, ...(judgement ? { judgement } : {}) };
  const lookAgainAt = nextLook(view);
  return { isFinal, ...(judgement ? { judgement } : {}), ...(lookAgainAt ? { lookAgainAt } : {}) };
}

function isOver({ timeline, now, expiresAt, pod }: JudgeView): boolean {
  return timeline.over !== undefined || now >= expiresAt || pod === undefined;
}

export const REGRESSED = 'Regressed';
export const RECOVERED = 'Recovered';
/** Verdicts with one of these reasons are never revised. */
const SETTLED = new Set([REGRESSED, 'VolumeReplaced', 'PodGone']);

/** A new verdict, or undefined when nothing changes (also when there is none yet). */
function decide(view: JudgeView): Judgement | undefined {
  const { standing } = view;
  if (standing && SETTLED.has(standing.reason)) return undefined;
  if (standing?.verdict === 'Fixed') return regression(view, standing);
  const good = success(view);
  if (good) {
    if (!standing || good.verdict !== 'Fixed') return isSame(good, standing) ? undefined : good;
    return { ...good, reason: RECOVERED, message: `${good.message} Before, the verdict was ${standing.verdict}.` };
  }
  if (standing?.verdict === 'StillFailing') return undefined;
  const bad = failing(view);
  return bad && !isSame(bad, standing) ? bad : undefined;
}

const isSame = (one: Judgement, standing: Standing | undefined): boolean =>
  one.verdict === standing?.verdict && one.reason === standing.reason;

// Success: Ready for the window, or ended with 0.

function success(view: JudgeView): Judgement | undefined {
  const { terms, timeline } = view;
  if (terms.jobLike && timeline.over?.how === 'Succeeded') return counted(terms, completed(terms));
  if (!terms.jobLike) return hasHeld(view) ? counted(terms, heldOut(view)) : undefined;
  const ranAsServer = isOver(view) && terms.hasProbes && !isEndedByOwnDeadline(view) && hasHeld(view);
  return ranAsServer
    ? counted(terms, { ...heldOut(view), weakBecause: 'It is to end, and still ran when its time was over: it was judged as a server.' })
    : undefined;
}

/** Whether the pod has been Ready without a break for the whole window. */
function hasHeld(view: JudgeView): boolean {
  const {
    timeline: { readySince, over },
    window,
    now,
    expiresAt,
  } = view;
  if (readySince === undefined || window.isTooLong || isUnseenAtEnd(view)) return false;
  const until = Math.min(now.getTime(), expiresAt.getTime(), over ? Date.parse(over.at) : Infinity);
  return until - Date.parse(readySince) >= window.seconds * 1000;
}

const isUnseenAtEnd = ({ timeline, isEndUnseen, pod }: JudgeView): boolean =>
  timeline.over?.unseen === true || (isEndUnseen === true && !pod);

/** The beginning of a sentence about the mirror. It names the failure of the source. */
const after = ({ reasonBefore }: Terms): string => (reasonBefore ? `The source showed ${reasonBefore}; the mirror` : 'The mirror');

function heldOut({ terms, window }: JudgeView): Judgement {
  const message = `${after(terms)} was Ready without a break for its observation window of ${window.seconds} s.`;
  return { verdict: 'Fixed', reason: 'PodReady', message };
}

function completed(terms: Terms): Judgement {
  return { verdict: 'Fixed', reason: 'PodCompleted', message: `${after(terms)} ran to its end and exited with 0.` };
}

/** Turns a success into Inconclusive when the mirror could not meet the cause of the failure. */
function counted({ strippedCause, replaced }: Terms, judgement: Judgement): Judgement {
  if (replaced.length > 0) return onEmptyVolume(replaced, judgement);
  if (!strippedCause) return judgement;
  return inconclusive('CauseNotTried', `${judgement.message} But the source fails by ${strippedCause}, which a mirror does not have.`);
}

function onEmptyVolume(replaced: readonly string[], { message }: Judgement): Judgement {
  const volumes = `${replaced.length === 1 ? 'volume' : 'volumes'} ${replaced.join(', ')}`;
  return inconclusive('VolumeReplaced', `${message} But the ${volumes} cannot be shared and had to be replaced by an empty one.`);
}

function inconclusive(reason: string, message: string): Judgement {
  return { verdict: 'Inconclusive', reason, message };
}

// Failure: errors that waiting does not repair.

const TOO_OFTEN = { ends: 2, pullErrors: 3, readinessLost: 3, readinessLostAfterFixed: 2 } as const;

/** A failure of a mirror without a verdict, or with an Inconclusive one. */
function failing(view: JudgeView): Judgement | undefined {
  const { terms, timeline } = view;
  const found = refusal(view) ?? endedTooOften(view);
  if (found) return judgeFailure(found, view);
  if (!terms.jobLike && timeline.readinessLost >= TOO_OFTEN.readinessLost)
    return judgeFailure(lostReadiness('readiness was lost for the third time before the observation window was held'), view);
  return undefined;
}

const lostReadiness = (message: string): Failure => ({ reason: 'Unhealthy', family: 'unready', message });

/**
 * A permanent refusal, or one that came too often: of an image, an object, a place or a volume. Failures that only a timeout shows do not
 * count.
 */
function refusal(view: JudgeView): Failure | undefined {
  const { pod, timeline } = view;
  if (!pod || timeline.over?.how === 'Deleted' || timeline.over?.how === 'DeadlineExceeded') return undefined;
  const { failure } = examined(view);
  if (!failure) return undefined;
  if (failure.family === 'image' && timeline.pullErrors >= TOO_OFTEN.pullErrors) return failure;
  if (failure.family === 'create' && attempts(view, failure) >= TOO_OFTEN.pullErrors) return failure;
  return isRefusedForGood(failure) ? failure : undefined;
}

/** How often the kubelet reported that it could not create the container. */
function attempts({ pod, events }: JudgeView, { container = '' }: Failure): number {
  const about = pod ? eventsOf({ ...pod, kind: 'Pod' }, [...events]) : [];
  return about
    .filter(
      ({ reason, message, involvedObject }) =>
        reason === 'Failed' && message?.startsWith('Error:') && involvedObject?.fieldPath?.endsWith(`{${container}}`),
    )
    .reduce((sum, event) => sum + (event.series?.count ?? event.count ?? 1), 0);
}

/** Examines the pod with shorter grace times, so that a refusal shows before the mirror's time is over. */
function examined({ pod, events, now, graces, terms }: JudgeView): ReturnType<typeof examine> {
  if (!pod) return { failure: undefined, lookAgainAt: undefined };
  const most = terms.ttlSeconds / 4;
  const cut = { pendingSeconds: Math.min(graces.pendingSeconds, most), unreadySeconds: Math.min(graces.unreadySeconds, most) };
  return examine({ pod, events: [...events], now, graces: cut });
}

/** The first container that ended more often than is allowed. */
function endedTooOften(view: JudgeView): Failure | undefined {
  const { timeline } = view;
  const ended = timeline.containers.find(({ name, ended: times }) => times > allowedEnds(view, name));
  return ended && endedRun(view, ended.name);
}

function allowedEnds({ terms, pod, timeline }: JudgeView, name: string): number {
  const kind = pod && containersOf(pod).find(({ spec }) => spec.name === name)?.kind;
  if (!terms.jobLike || kind === 'sidecar') return TOO_OFTEN.ends - 1;
  // When a pod's containers are never started again, each end is final.
  return terms.restartPolicy === 'Never' || timeline.over?.how === 'Failed' ? 0 : terms.backoffLimit;
}

/** Why a container ended: from its status and its events, or from the last look when the pod is gone. */
function endedRun({ pod, events, timeline }: JudgeView, name: string): Failure {
  const shown = timeline.failure?.container === name ? timeline.failure.reason : 'CrashLoopBackOff';
  const unknown: Failure = { reason: shown, family: 'crash', message: `container ${name} ended`, container: name };
  const found = pod && containersOf(pod).find(({ spec }) => spec.name === name);
  const ended = found?.status?.state?.terminated ?? found?.status?.lastState?.terminated;
  if (!pod || !found || !ended) return unknown;
  const isOnly = containersOf(pod).length === 1;
  const about = eventsOf({ ...pod, kind: 'Pod' }, [...events]).filter(({ involvedObject, message }) => {
    const path = involvedObject?.fieldPath;
    return path ? path.endsWith(`{${name}}`) : isOnly || message?.includes(name) === true;
  });
  const policy = found.spec.restartPolicy ?? pod.spec.restartPolicy ?? 'Always';
  return labelRun({ container: name, ended, events: about, restarts: policy !== 'Never' && pod.status?.phase !== 'Failed' });
}

function judgeFailure(failure: Failure, view: JudgeView): Judgement {
  const { reasonBefore: before, replaced } = view.terms;
  const what = causeInTheCopy(failure, before);
  if (what) return inconclusive('NotComparable', `The mirror shows ${failure.reason}, but ${what}.`);
  const compared = !before ? 'fails' : before === failure.reason ? 'fails as before' : `no longer shows ${before}, but fails`;
  const judgement: Judgement = { verdict: 'StillFailing', reason: failure.reason, message: `The mirror ${compared}: ${shortly(failure)}.` };
  return replaced.length > 0 ? onEmptyVolume(replaced, judgement) : judgement;
}

const shortly = ({ reason, container, family, message }: Failure): string =>
  container ? `${reason} in container ${container}` : family === 'unready' ? `${reason}, ${message}` : reason;

// Revision of Fixed.

function regression(view: JudgeView, standing: Standing): Judgement | undefined {
  const { terms, timeline } = view;
  if (terms.jobLike && timeline.over?.how === 'Succeeded') return undefined;
  return (
    byNode(view) ?? laterEnd(view, standing) ?? laterLoss(view, standing) ?? (isOver(view) ? notHeldToTheEnd(view, standing) : undefined)
  );
}

/** The node ended the pod, either because of what the pod did or for a reason of the node. */
function byNode(view: JudgeView): Judgement | undefined {
  const failure = view.timeline.over?.how === 'Failed' ? examined(view).failure : undefined;
  if (failure?.family !== 'node') return undefined;
  const what = isOwnEviction(failure) ? undefined : causeInTheCopy(failure, view.terms.reasonBefore);
  return what ? inconclusive('NotComparable', `The mirror held its observation window and was ended then: ${what}.`) : regressed(failure);
}

function laterEnd(view: JudgeView, standing: Standing): Judgement | undefined {
  const { timeline } = view;
  if (endsOf(timeline) <= standing.ended) return undefined;
  const mostEnded = [...timeline.containers].sort((one, other) => other.ended - one.ended)[0];
  return regressed(endedRun(view, mostEnded?.name ?? ''));
}

/** A judgement if readiness was lost twice since the verdict, or for longer than the probe takes to notice. */
function laterLoss({ timeline, terms, now, expiresAt }: JudgeView, standing: Standing): Judgement | undefined {
  if (timeline.readinessLost - standing.readinessLost >= TOO_OFTEN.readinessLostAfterFixed)
    return regressed(lostReadiness('readiness was lost twice'));
  if (timeline.unreadySince === undefined) return undefined;
  const until = Math.min(now.getTime(), expiresAt.getTime(), timeline.over ? Date.parse(timeline.over.at) : Infinity);
  const isLong = until - Date.parse(timeline.unreadySince) > terms.unreadySeconds * 1000;
  return isLong ? regressed(lostReadiness('readiness was lost')) : undefined;
}

function notHeldToTheEnd(view: JudgeView, standing: Standing): Judgement | undefined {
  const { timeline, terms } = view;
  if (timeline.unreadySince !== undefined) return regressed(lostReadiness('readiness was lost and not regained'));
  if (isUnseenAtEnd(view) && terms.hasProbes) return inconclusive('EndNotSeen', END_NOT_SEEN);
  // Readiness was lost once and came back. The mirror is Fixed only if it held its window again before the end.
  if (timeline.readinessLost === standing.readinessLost || hasHeld(view)) return undefined;
  return tooShort(view, 'Readiness was lost shortly before the end, and the observation window was not held again');
}

const END_NOT_SEEN =
  'The mirror held its observation window, but nobody looked at it before its end, so that a later loss of readiness would not be known.';

function regressed(failure: Failure): Judgement {
  const message = `The mirror held its observation window, and failed then: ${shortly(failure)}.`;
  return { verdict: 'StillFailing', reason: REGRESSED, message, failure: failure.reason };
}

// The end of a mirror that has no verdict.

function atEnd(view: JudgeView): Judgement {
  const { terms, timeline, window, pod } = view;
  const ended = timeline.containers.find((container) => container.ended > 0);
  if (ended) return judgeFailure(endedRun(view, ended.name), view);
  if (isEndedByOwnDeadline(view)) return ownDeadline(view);
  const isServer = !terms.jobLike || terms.hasProbes;
  if (isServer && timeline.unreadySince !== undefined) return judgeFailure(lostReadiness('readiness was lost and not regained'), view);
  if (timeline.over?.how === 'Failed') return endedByNode(view);
  if ((timeline.over?.how === 'Deleted' || !pod) && view.now < view.expiresAt) return inconclusive('PodGone', POD_GONE);
  if (timeline.readySince === undefined && timeline.unreadySince === undefined) return neverReady(view);
  if (window.isTooLong)
    return inconclusive(
      'WindowTooLong',
      `The observation window would be ${window.seconds} s, longer than a mirror may live. ${window.reason}`,
    );
  return tooShort(view, terms.jobLike ? 'It still ran when its time was over' : 'Its time was over before its observation window was held');
}

const POD_GONE = 'The mirror pod was removed before it could be judged.';
function endedByNode(view: JudgeView): Judgement {
  const { failure } = examined(view);
  return failure ? judgeFailure(failure, view) : inconclusive('PodGone', 'The mirror pod was ended before it could be judged.');
}

/** The pod's own deadline ended it. That is the same failure only if the source failed by its deadline too. */
function isEndedByOwnDeadline({ terms, timeline }: JudgeView): boolean {
  return terms.hasOwnDeadline && timeline.over?.how === 'DeadlineExceeded';
}

function ownDeadline(view: JudgeView): Judgement {
  const failure: Failure = { reason: 'DeadlineExceeded', family: 'node', message: 'the pod ran past its deadline' };
  if (view.terms.reasonBefore === failure.reason)
    return { verdict: 'StillFailing', reason: failure.reason, message: 'The mirror fails as before: it ran past its own deadline.' };
  return inconclusive('TimeTooShort', 'The deadline of the pod itself ended it before it could be judged.');
}

function neverReady(view: JudgeView): Judgement {
  const { terms, timeline } = view;
  const { failure } = timeline;
  if (failure && failure.reason === terms.reasonBefore)
    return judgeFailure(
      { reason: failure.reason, family: 'other', message: '', ...(failure.container ? { container: failure.container } : {}) },
      view,
    );
  const shows = failure
    ? ` It showed ${failure.reason}${failure.container ? ` in container ${failure.container}` : ''}, which time may mend.`
    : '';
  return inconclusive('NeverReady', `The mirror was never Ready in its time.${shows} ${longerTtl(view)}`);
}

function tooShort(view: JudgeView, what: string): Judgement {
  return inconclusive('TimeTooShort', `${what}. ${longerTtl(view)}`);
}

/** Names a TTL that is long enough: start, window and a fifth. If the mirror was never Ready, it names at least twice the present TTL. */
function longerTtl({ terms, timeline, window }: JudgeView): string {
  const { readySince } = timeline;
  const isKnown = readySince !== undefined && !terms.jobLike;
  const start = isKnown ? (Date.parse(readySince) - terms.startedAt.getTime()) / 1000 : terms.ttlSeconds;
  const needed = isKnown
    ? ttlFor({ startSeconds: start, windowSeconds: window.seconds })
    : Math.max(2 * terms.ttlSeconds, ttlFor({ startSeconds: 0, windowSeconds: window.seconds }));
  return needed > MIRROR_TTL.max
    ? `No mirror may live long enough: it would need ${needed} s.`
    : `A mirror with a TTL of ${needed} s ${isKnown ? 'would do' : 'may do'}.`;
}

// Time.

function nextLook(view: JudgeView): Date | undefined {
  const { timeline, window, terms, standing } = view;
  const deadlines = [
    timeline.readySince && standing?.verdict !== 'Fixed' && !terms.jobLike
      ? Date.parse(timeline.readySince) + window.seconds * 1000
      : undefined,
    // The limit must be exceeded, so look one millisecond after it.
    timeline.unreadySince && standing?.verdict === 'Fixed'
      ? Date.parse(timeline.unreadySince) + terms.unreadySeconds * 1000 + 1
      : undefined,
    standing ? undefined : examined(view).lookAgainAt?.getTime(),
  ].flatMap((deadline) => (deadline !== undefined && deadline > view.now.getTime() ? deadline : []));
  return deadlines.length > 0 ? new Date(Math.min(...deadlines)) : undefined;
}
