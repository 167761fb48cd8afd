import { controllerOf } from '../../crd/owner.ts';
import type { FailureReport } from '../../contract/failure.ts';
import type { ContainerStatus, CoreEvent, KubeObject, OwnerReference, Pod, Workload } from '../../crd/kubernetes.ts';
import { awaitsStarting, isReady } from './awaited-service.ts';
import { detectControllerFailure, detectCrashLoop, detectFailure, type Failure } from './detect.ts';
import { containerEvidence, eventEvidence } from './evidence.ts';
import { type Case, caseOfReport, type Surroundings } from '../../diagnosis/case.ts';
import { cronJobReference, givenUp, hasSucceeded, isOvertaken } from './job.ts';
import { isProgress, saysWarmingUp } from './progress.ts';
import { isReplaced } from './replaced.ts';
import { recordedSurroundings } from '../../diagnosis/facts/surroundings.ts';

/** A container's log as a recording holds it. */
export interface RecordedLog {
  namespace?: string;
  pod: string;
  container: string;
  previous: boolean;
  text: string;
}

/** Objects and logs of one moment, in whatever form they were recorded. Each object has a kind and the shape that its kind requires. */
export interface Recording {
  objects: KubeObject[];
  logs: RecordedLog[];
  /** When it was taken, RFC 3339. The default is the newest time in the recording. */
  takenAt?: string;
}

const WORKLOADS = new Set(['ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'Deployment']);
/** A crash loop is over after this time without a crash. */
const RECOVERY_SECONDS = 300;
/** A recording shows one moment, so no grace time can be waited for. The grace time of what was never healthy counts as over. */
const NO_GRACES = { pendingSeconds: 0, unreadySeconds: 0 };

/** Whether an object has what its kind cannot be without. People also paste parts of objects. */
function isWhole(object: KubeObject): boolean {
  return object.kind !== 'Pod' || Array.isArray((object as { spec?: { containers?: unknown } | null }).spec?.containers);
}

/**
 * The failing pods of a recording, and the controllers that cannot create theirs, in its order. *Now* is its newest time. Objects that
 * are not asked for are only surroundings.
 */
export function failingCases(recording: Recording, isAsked: (object: KubeObject) => boolean = () => true): Case[] {
  const { logs, takenAt } = recording;
  const objects = recording.objects.filter(isWhole);
  const events = ofKind<CoreEvent>(objects, 'Event');
  const newest = newestInstant(objects);
  // A recorded time before the cluster's newest time comes from a slow clock and does not count.
  const now = new Date(Math.max(newest.getTime(), Date.parse(takenAt ?? '') || 0));
  const graces = NO_GRACES;
  return objects.filter(isAsked).flatMap((object) => {
    if (object.kind === 'Pod') {
      const pod = object as Pod;
      const view = { pod, events, now, graces };
      const isOver = pod.metadata.deletionTimestamp !== undefined || pod.status?.phase === 'Succeeded';
      const failure = detectFailure(view) ?? (isOver ? undefined : detectCrashLoop({ ...view, recoverySeconds: RECOVERY_SECONDS }));
      const isFailing = (other: Pod) => detectFailure({ ...view, pod: other }) !== undefined;
      const isTold =
        isToldByJob(objects, object, isAsked) ||
        hasNewerTwin(objects, pod) ||
        isLeftover(objects, { pod, now, isAsked }) ||
        (failure !== undefined && isAtWork(pod, failure, { logs, objects, now, isFailing }));
      return failure && !isTold
        ? [
            caseOf(
              object,
              { ...reportOf(pod, events, logs), ...said(failure), ...workloadOf(objects, pod) },
              { surroundings: recordedSurroundings(objects, object), owner: rootOf(objects, pod).object },
            ),
          ]
        : [];
    }
    if (!WORKLOADS.has(object.kind ?? '') || (object.kind === 'Job' && isMadeGood(object, objects.filter(isAsked)))) return [];
    const failure = detectControllerFailure({ object: object as Workload, events, now, graces });
    return failure
      ? [
          caseOf(
            object,
            {
              ...reportOf(lastPod(objects, object) ?? object, lastPod(objects, object) ? events : withLostPods(object, events), logs),
              ...said(failure),
              ...ownNames(object),
              resource_kind: object.kind ?? '',
            },
            { surroundings: recordedSurroundings(objects, object), owner: rootOf(objects, object).object },
          ),
        ]
      : [];
  });
}

interface Around {
  surroundings: Surroundings;
  owner: KubeObject | undefined;
}

function caseOf(object: KubeObject, report: FailureReport, { surroundings, owner }: Around): Case {
  const { labels } = object.metadata;
  return {
    ...caseOfReport(report, surroundings),
    ...(labels ? { labels } : {}),
    ...(owner ? { owner } : {}),
    manifest: () => object,
  };
}

function said({ reason, message, container }: { reason: string; message: string; container?: string }): Partial<FailureReport> {
  return { failure_reason: reason, failure_message: message, container: container ?? null };
}

function ownNames({ metadata }: KubeObject): { pod_name: string; namespace: string } {
  return { pod_name: metadata.name ?? '', namespace: metadata.namespace ?? 'default' };
}

function reportOf(object: KubeObject, events: CoreEvent[], logs: RecordedLog[]): FailureReport {
  const { pod_name, namespace } = ownNames(object);
  const isAbout = ({ involvedObject: about }: CoreEvent) =>
    about?.uid && object.metadata.uid
      ? about.uid === object.metadata.uid
      : about?.name === pod_name && (about.namespace ?? 'default') === namespace;
  const own = logs.filter((log) => log.pod === pod_name && (log.namespace ?? namespace) === namespace);
  return {
    pod_name,
    namespace,
    container_statuses: object.kind === 'Pod' ? containerEvidence(object as Pod) : [],
    events: eventEvidence(events.filter(isAbout)),
    logs: own.map(({ container, previous, text }) => `==> ${container} (${previous ? 'previous' : 'current'}) <==\n${text}`).join('\n'),
  };
}

/**
 * Whether the pod's Job is asked for too and says enough: it has succeeded or is overtaken, or it has given up and its record has the pod's
 * evidence. Who asks for a failed pod by its name hears of it in any case.
 */
function isToldByJob(objects: KubeObject[], { metadata }: KubeObject, isAsked: (object: KubeObject) => boolean): boolean {
  const reference = controllerOf(metadata);
  const job = objects.find((object) => object.kind === 'Job' && object.metadata.uid === reference?.uid);
  if (job === undefined || !isAsked(job)) return false;
  return isMadeGood(job, objects.filter(isAsked)) || (givenUp(job) !== undefined && lastPod(objects, job) !== undefined);
}

/** Whether a Job has succeeded, or a later run of its CronJob has. */
function isMadeGood(job: KubeObject, objects: KubeObject[]): boolean {
  const uid = cronJobReference(job)?.uid;
  const cronJob = objects.find(({ kind, metadata }) => kind === 'CronJob' && metadata.uid === uid);
  return hasSucceeded(job) || isOvertaken(job, { cronJob, jobs: ofKind(objects, 'Job') });
}

const INDEX = 'batch.kubernetes.io/job-completion-index';

/** A failed pod whose controller replaced it with one that failed in the same way. Only the newest one is reported. */
function hasNewerTwin(objects: KubeObject[], { metadata, status }: Pod): boolean {
  const owner = controllerOf(metadata)?.uid;
  if (!owner || status?.phase !== 'Failed') return false;
  const made = metadata.creationTimestamp ?? '';
  return ofKind<Pod>(objects, 'Pod').some(({ metadata: other, status: its }) => {
    const isTwin = its?.phase === 'Failed' && its.reason === status.reason && other.labels?.[INDEX] === metadata.labels?.[INDEX];
    const later = other.creationTimestamp ?? '';
    const isLater = later > made || (later === made && (other.uid ?? '') > (metadata.uid ?? ''));
    return isTwin && isLater && other.ownerReferences?.some(({ uid }) => uid === owner) === true;
  });
}

/** A failed pod in whose place others work. Who asks for it by its name hears of it in any case. */
function isLeftover(objects: KubeObject[], { pod, now, isAsked }: { pod: Pod; now: Date; isAsked(object: KubeObject): boolean }): boolean {
  if (pod.status?.phase !== 'Failed') return false;
  const root = rootOf(objects, pod).object;
  if (root === undefined || root === pod || !isAsked(root)) return false;
  return isReplaced(pod, { root, pods: ofKind<Pod>(objects, 'Pod').filter((other) => rootOf(objects, other).object === root), now });
}

/** How long a new pod may warm up while others of its workload serve. */
const WARM_UP_SECONDS = 60;

/** Whether a pod without restarts has just started, and others of its workload are ready: a rollout goes on. */
function isNewAmongOthers(pod: Pod, objects: KubeObject[], now: Date): boolean {
  const isYoung = ({ restartCount, state }: ContainerStatus): boolean =>
    restartCount === 0 && now.getTime() - Date.parse(state?.running?.startedAt ?? '') < WARM_UP_SECONDS * 1000;
  const { object: root } = rootOf(objects, pod);
  return (
    (pod.status?.containerStatuses ?? []).every(isYoung) &&
    ofKind<Pod>(objects, 'Pod').some((other) => other !== pod && isReady(other) && rootOf(objects, other).object === root)
  );
}

/**
 * An init container that has not ended, and whose log shows that it works, or that waits for a Service whose pods are starting; or a container that
 * has just started and says that it still prepares itself.
 */
function isAtWork(
  pod: Pod,
  { reason, container }: Failure,
  { logs, objects, now, isFailing }: { logs: RecordedLog[]; objects: KubeObject[]; now: Date; isFailing(other: Pod): boolean },
): boolean {
  if (reason !== 'PodInitializing' && reason !== 'Unhealthy') return false;
  const { name, namespace = 'default' } = pod.metadata;
  const isOwn = (log: RecordedLog) => log.pod === name && (log.namespace ?? namespace) === namespace && log.container === container;
  const log = logs.find((one) => isOwn(one) && !one.previous)?.text ?? '';
  if (reason === 'Unhealthy') return saysWarmingUp(log) && isNewAmongOthers(pod, objects, now);
  return isProgress(log) || awaitsStarting({ pod, container, log }, objects, isFailing);
}

/** A Job's newest failed pod, otherwise its newest pod. It failed for the same reason as the Job. */
function lastPod(objects: KubeObject[], { kind, metadata }: KubeObject): Pod | undefined {
  if (kind !== 'Job') return undefined;
  const own = ofKind<Pod>(objects, 'Pod').filter((pod) => pod.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid));
  const byAge = own.toSorted((a, b) => (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? ''));
  return byAge.findLast(({ status }) => status?.phase === 'Failed') ?? byAge.at(-1);
}

/**
 * The events, with those about deleted pods of a Job turned into events about the Job. A Job that exceeds its deadline deletes its pods.
 */
function withLostPods({ kind, metadata }: KubeObject, events: CoreEvent[]): CoreEvent[] {
  if (kind !== 'Job') return events;
  const isLost = ({ involvedObject: about }: CoreEvent): boolean =>
    about?.kind === 'Pod' && about.namespace === metadata.namespace && isPodOf(metadata.name ?? '', about.name ?? '');
  const asJob = {
    kind,
    name: metadata.name ?? '',
    namespace: metadata.namespace ?? 'default',
    ...(metadata.uid ? { uid: metadata.uid } : {}),
  };
  return events.map((event) => (isLost(event) ? { ...event, involvedObject: { ...event.involvedObject, ...asJob } } : event));
}

/** Whether a pod name is one that this Job creates. In an indexed Job, the index precedes the random suffix. */
function isPodOf(job: string, pod: string): boolean {
  return pod.startsWith(`${job}-`) && /^(?:\d+-)?[a-z0-9]{5}$/.test(pod.slice(job.length + 1));
}

/** The reference to the root of an object's controllers, and the root itself when the recording holds it. */
function rootOf(objects: KubeObject[], object: KubeObject): { reference?: OwnerReference; object: KubeObject | undefined } {
  let root: ReturnType<typeof rootOf> = { object };
  for (let steps = 0; root.object && steps < 5; steps++) {
    const reference = controllerOf(root.object.metadata);
    if (!reference) break;
    root = { reference, object: objects.find(({ metadata }) => metadata.uid === reference.uid) };
  }
  return root;
}

/** The workload that finally owns a pod. */
function workloadOf(objects: KubeObject[], pod: Pod): Partial<FailureReport> {
  const { reference } = rootOf(objects, pod);
  return reference ? { workload: { kind: reference.kind, name: reference.name } } : {};
}

/** Objects of a kind. */
export function ofKind<T extends KubeObject>(objects: KubeObject[], kind: string): T[] {
  return objects.filter((object): object is T => object.kind === kind);
}

/** Where times stand that people or programs chose, and that may be in the future; a deletion's is the end of its grace period. */
const CHOSEN = new Set(['deletionTimestamp', 'annotations', 'spec', 'data', 'stringData']);

function newestInstant(objects: KubeObject[]): Date {
  let newest = 0;
  const open: unknown[] = [...objects];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(value))
      newest = Math.max(newest, Date.parse(value));
    else if (typeof value === 'object' && value !== null)
      for (const [key, child] of Object.entries(value)) if (!CHOSEN.has(key)) open.push(child);
  }
  return new Date(newest);
}
