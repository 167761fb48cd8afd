import type { FailureReport } from '../../contract/failure.ts';
import type { CoreEvent, KubeObject, OwnerReference, Pod, Workload } from '../../crd/kubernetes.ts';
import { hasGivenUp } from './controller.ts';
import { detectControllerFailure, detectCrashLoop, detectFailure, type Failure } from './detect.ts';
import { containerEvidence, eventEvidence } from './evidence.ts';
import { type Case, caseOfReport, type Surroundings } from '../../diagnosis/case.ts';
import { isProgress } from './progress.ts';
import { recordedSurroundings } from '../../diagnosis/facts/surroundings.ts';

/** A container's log as a recording holds it. */
export interface RecordedLog {
  namespace?: string;
  pod: string;
  container: string;
  previous: boolean;
  text: string;
}

/** Objects and logs of one moment, however they were written down. Objects have a kind and the shape that it demands. */
export interface Recording {
  objects: KubeObject[];
  logs: RecordedLog[];
  /** When it was taken, RFC 3339; without it the newest instant in it counts. */
  takenAt?: string;
}

const WORKLOADS = new Set(['ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'Deployment']);
/** A crash loop that has run for so long without a crash is over. */
const RECOVERY_SECONDS = 300;
/** A recording shows one moment, so no grace time can be waited for. The grace time of what was never healthy counts as over. */
const NO_GRACES = { pendingSeconds: 0, unreadySeconds: 0 };

/**
 * The failing pods of a recording, and the controllers that cannot create theirs, in its order. *Now* is its newest instant. Objects that
 * are not asked for are only surroundings.
 */
export function failingCases({ objects, logs, takenAt }: Recording, isAsked: (object: KubeObject) => boolean = () => true): Case[] {
  const events = ofKind<CoreEvent>(objects, 'Event');
  const newest = newestInstant(objects);
  // A clock that is behind the cluster's does not count.
  const now = new Date(Math.max(newest.getTime(), Date.parse(takenAt ?? '') || 0));
  const graces = NO_GRACES;
  return objects.filter(isAsked).flatMap((object) => {
    if (object.kind === 'Pod') {
      const pod = object as Pod;
      const view = { pod, events, now, graces };
      const isOver = pod.metadata.deletionTimestamp !== undefined || pod.status?.phase === 'Succeeded';
      const failure = detectFailure(view) ?? (isOver ? undefined : detectCrashLoop({ ...view, recoverySeconds: RECOVERY_SECONDS }));
      const isTold = hasFailedJob(objects, object, isAsked) || (failure !== undefined && isAtWork(pod, failure, logs));
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
    if (!WORKLOADS.has(object.kind ?? '')) return [];
    const failure = detectControllerFailure({ object: object as Workload, events, now, graces });
    return failure
      ? [
          caseOf(
            object,
            {
              ...reportOf(lastPod(objects, object) ?? object, events, logs),
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

/** Whether the pod belongs to a Job that has given up and that is told already: its record has the pod's evidence. */
function hasFailedJob(objects: KubeObject[], { metadata }: KubeObject, isAsked: (object: KubeObject) => boolean): boolean {
  const reference = metadata.ownerReferences?.find(({ controller }) => controller);
  const job = objects.find((object) => object.kind === 'Job' && object.metadata.uid === reference?.uid);
  return job !== undefined && isAsked(job) && hasGivenUp(job as Workload) && lastPod(objects, job)?.metadata.uid === metadata.uid;
}

/** An init container that has not ended, and whose log shows that it works. */
function isAtWork({ metadata }: Pod, { reason, container }: Failure, logs: RecordedLog[]): boolean {
  const { name, namespace = 'default' } = metadata;
  const isOwn = (log: RecordedLog) => log.pod === name && (log.namespace ?? namespace) === namespace && log.container === container;
  return reason === 'PodInitializing' && logs.some((log) => isOwn(log) && !log.previous && isProgress(log.text));
}

/** A Job's newest pod. It failed for the same reason as the Job. */
function lastPod(objects: KubeObject[], { kind, metadata }: KubeObject): Pod | undefined {
  if (kind !== 'Job') return undefined;
  const own = ofKind<Pod>(objects, 'Pod').filter((pod) => pod.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid));
  return own.toSorted((a, b) => (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? '')).at(-1);
}

/** The reference to the root of an object's controllers, and the root itself when the recording holds it. */
function rootOf(objects: KubeObject[], object: KubeObject): { reference?: OwnerReference; object: KubeObject | undefined } {
  let root: ReturnType<typeof rootOf> = { object };
  for (let steps = 0; root.object && steps < 5; steps++) {
    const reference = root.object.metadata.ownerReferences?.find(({ controller }) => controller);
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

function newestInstant(objects: KubeObject[]): Date {
  let newest = 0;
  const open: unknown[] = [...objects];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(value))
      newest = Math.max(newest, Date.parse(value));
    else if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) open.push(child);
  }
  return new Date(newest);
}
