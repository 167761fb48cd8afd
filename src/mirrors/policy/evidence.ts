import type { CoreEvent, Pod, PodSpec } from '../../crd/kubernetes.ts';
import type { MirrorEvidence, MirrorPod, MirrorTerms, MirrorTimeline } from '../../crd/mirrorpod.ts';
import { withoutUndefined } from '../../crd/without-undefined.ts';
import { detectFailure, type Graces } from '../../failures/detect/detect.ts';
import { maskText } from '../../redact/text.ts';
import { MIRROR_TTL } from '../../contract/mirror-ttl.ts';
import type { ShownAfter } from '../../contract/failure.ts';
import { notesOf, replacedVolumes } from './mirror-notes.ts';
import { endsOf, foldLook, isUnseen, ownRunSeconds } from './timeline.ts';
import type { JudgeView, Opinion, Standing, Terms } from './verdict.ts';
import { lasting, observationWindow, type ObservationWindow, type SourceHistory, unreadySeconds } from './observation-window.ts';

/** The input of a pass before it decides about a verdict. */
export interface MirrorSight {
  mirror: MirrorPod;
  /** The mirror pod; absent when it is gone. */
  pod?: Pod;
  events: readonly CoreEvent[];
  now: Date;
  expiresAt: Date;
  graces: Graces;
  /** When this process last looked at the mirror. */
  lookedAt?: Date;
  /** The clock has jumped since the last look. */
  hasClockJumped?: boolean;
}

const NOTHING_SEEN: MirrorTimeline = { readinessLost: 0, restarts: 0, pullErrors: 0, containers: [] };
/** The default of Kubernetes for a Job without `backoffLimit`. */
const BACKOFF_LIMIT = 6;
/** The limit for containers without a readiness probe. */
const UNREADY_SECONDS = 30;

/** The basis of a verdict: the stored timeline with this look added, the window, the terms and the present verdict. */
export function judgeViewOf(sight: MirrorSight): JudgeView {
  const { mirror, pod, events, now, expiresAt, graces } = sight;
  const stored = mirror.status?.evidence;
  const timeline = pod ? foldLook(stored, { ...sight, pod }) : (stored ?? NOTHING_SEEN);
  const standing = standingOf(mirror);
  return {
    terms: termsOf(sight),
    window: pod ? windowOf(pod, timeline) : storedWindow(stored),
    timeline,
    ...(standing ? { standing } : {}),
    ...(pod ? { pod } : {}),
    events,
    now,
    expiresAt,
    graces,
    isEndUnseen: isUnseen(sight),
  };
}

function windowOf(pod: Pod, timeline: MirrorTimeline): ObservationWindow {
  return observationWindow({ spec: pod.spec, history: notesOf(pod).history, ownRunSeconds: ownRunSeconds(timeline) });
}

function storedWindow(stored: MirrorEvidence | undefined): ObservationWindow {
  return observationWindowOf(stored?.windowSeconds ?? Infinity, stored?.windowReason ?? '');
}

const observationWindowOf = (seconds: number, reason: string): ObservationWindow => ({
  seconds,
  reason,
  weakBecause: [],
  isTooLong: seconds > MIRROR_TTL.max,
});

function standingOf({ status }: MirrorPod): Standing | undefined {
  if (!status?.verdict) return undefined;
  const { endedAtVerdict, readinessLostAtVerdict, readinessLost = 0, containers = [] } = status.evidence ?? {};
  return {
    verdict: status.verdict,
    reason: status.conditions?.find(({ type }) => type === 'Fixed')?.reason ?? '',
    ended: endedAtVerdict ?? endsOf({ containers }),
    readinessLost: readinessLostAtVerdict ?? readinessLost,
  };
}

function termsOf({ mirror, pod, expiresAt }: MirrorSight): Terms {
  const created = Date.parse(mirror.metadata.creationTimestamp ?? '');
  const terms = pod ? podTerms(pod, expiresAt) : (mirror.status?.evidence?.terms ?? specTerms(mirror.spec.template?.spec));
  return {
    ...terms,
    jobLike: terms.restartPolicy !== 'Always',
    startedAt: new Date(Date.parse(mirror.status?.startTime ?? '') || created),
    ttlSeconds: (expiresAt.getTime() - created) / 1000,
  };
}

/** The evidence of a mirror whose pod nobody ever saw. */
function specTerms(spec: PodSpec = { containers: [] }): MirrorTerms {
  const readiness = lasting(spec).flatMap(({ readinessProbe }) => readinessProbe ?? []);
  return {
    restartPolicy: spec.restartPolicy ?? 'Always',
    backoffLimit: BACKOFF_LIMIT,
    hasProbes: probesOf(spec).length > 0,
    unreadySeconds: Math.min(readiness.length > 0 ? Math.max(...readiness.map(unreadySeconds)) : UNREADY_SECONDS, MAX_SECONDS),
    hasOwnDeadline: false,
    replaced: [],
  };
}

function podTerms(pod: Pod, expiresAt: Date): MirrorTerms {
  const { backoffLimit = BACKOFF_LIMIT, reasonBefore, strippedCause } = notesOf(pod);
  return {
    ...specTerms(pod.spec),
    backoffLimit,
    hasOwnDeadline: hasOwnDeadline(pod, expiresAt),
    ...withoutUndefined({ reasonBefore: reasonBefore?.slice(0, MAX_REASON), strippedCause: strippedCause?.slice(0, MAX_CAUSE) }),
    replaced: replacedVolumes(pod).slice(0, MAX_VOLUMES),
  };
}

/** Podmend sets a deadline at the end of the mirror's time. A deadline that is earlier by more than this is the pod's own. */
const OWN_DEADLINE_MS = 5_000;

function hasOwnDeadline({ spec, status, metadata }: Pod, expiresAt: Date): boolean {
  const from = Date.parse(status?.startTime ?? metadata.creationTimestamp ?? '');
  return spec.activeDeadlineSeconds !== undefined && from + spec.activeDeadlineSeconds * 1000 < expiresAt.getTime() - OWN_DEADLINE_MS;
}

/** The probes of a mirror's containers, as `liveness of app`. */
function probesOf(spec: PodSpec): string[] {
  return lasting(spec).flatMap(({ name, startupProbe, livenessProbe, readinessProbe }) => [
    ...(startupProbe ? [`startup of ${name}`] : []),
    ...(livenessProbe ? [`liveness of ${name}`] : []),
    ...(readinessProbe ? [`readiness of ${name}`] : []),
  ]);
}

const MAX_CONTAINERS = 64;
const MAX_VOLUMES = 64;
const MAX_REASON = 256;
const MAX_CAUSE = 1024;
const MAX_WEAKNESSES = 16;

/** The evidence to store with `opinion`: the observations, their duration, and what they cannot prove. */
export function evidenceFor(
  view: JudgeView,
  { judgement }: Opinion,
  { mirror, pod }: Pick<MirrorSight, 'mirror' | 'pod'>,
): MirrorEvidence | undefined {
  const before = mirror.status?.evidence;
  if (!pod) return before;
  const { timeline, window } = view;
  const { jobLike: _derived, startedAt: _start, ttlSeconds: _ttl, ...terms } = view.terms;
  const { history } = notesOf(pod);
  const weak = [...window.weakBecause, ...(judgement?.weakBecause ? [judgement.weakBecause] : [])];
  const isWeak =
    weak.length > 0 || (before?.strength === 'Weak' && !judgement && window.weakBecause.length === 0 && view.standing !== undefined);
  return {
    windowSeconds: Math.min(window.seconds, MAX_SECONDS),
    windowReason: window.reason,
    strength: isWeak ? 'Weak' : 'Strong',
    weaknesses: [...weak, ...weaknessesOf(pod, history, view)].slice(0, MAX_WEAKNESSES),
    sourceRuns: history.knownRuns,
    longestSourceRunSeconds: Math.round(history.longestRunSeconds),
    probesAsked: probesOf(pod.spec).slice(0, MAX_CONTAINERS),
    ...storable(timeline),
    ...atVerdict(view, judgement !== undefined, before),
    terms,
  };
}

const MAX_SECONDS = 2 ** 31 - 1;

/** The timeline, cut to the number of containers that a status may hold. */
function storable(timeline: MirrorTimeline): MirrorTimeline {
  return { ...timeline, containers: timeline.containers.slice(0, MAX_CONTAINERS) };
}

function atVerdict({ timeline, standing }: JudgeView, isNew: boolean, before: MirrorEvidence | undefined) {
  if (isNew) return { endedAtVerdict: endsOf(timeline), readinessLostAtVerdict: timeline.readinessLost };
  return standing
    ? {
        endedAtVerdict: before?.endedAtVerdict ?? standing.ended,
        readinessLostAtVerdict: before?.readinessLostAtVerdict ?? standing.readinessLost,
      }
    : {};
}

/** The facts that no verdict about this pod can prove. */
function weaknessesOf({ spec }: Pod, history: SourceHistory, { terms, timeline }: JudgeView): string[] {
  const probes = probesOf(spec);
  const sentences: [holds: boolean, text: string][] = [
    [!terms.jobLike, 'No traffic reached the mirror: what only requests bring about was not seen.'],
    [!terms.jobLike && probes.length === 0, 'No probe asks whether the containers work: Ready says only that they run.'],
    [
      history.longestRunSeconds === 0 && !history.containers.some(({ hasRun }) => hasRun),
      'No container of the source ever ran, so nobody knows how long it would run before it fails.',
    ],
    [
      history.endedRuns > history.knownRuns,
      `Only ${history.knownRuns} of ${history.endedRuns} runs of the source are known: an earlier one may have been longer.`,
    ],
    [terms.replaced.length > 0, `An empty volume replaced ${terms.replaced.join(', ')}.`],
    [timeline.over?.unseen === true, 'Nobody looked at the mirror shortly before its end.'],
  ];
  return sentences.flatMap(([holds, text]) => (holds ? [text] : []));
}

const MAX_MESSAGE = 1_000;

/** The state of the mirror at its verdict, for the trial row. `message` is empty if there is no failure. */
export function shownBy({ pod, events, now, graces, timeline }: JudgeView): ShownAfter {
  const failure = pod && detectFailure({ pod, events: [...events], now, graces });
  return {
    message: maskText(failure?.message ?? '').slice(0, MAX_MESSAGE),
    restarts: timeline.restarts,
    ready_seconds: timeline.readySince ? Math.max(0, Math.floor((now.getTime() - Date.parse(timeline.readySince)) / 1000)) : 0,
  };
}
