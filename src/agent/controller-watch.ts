import type { DismissDeleted } from '../contract/agent.ts';
import type { FailureReport } from '../contract/failure.ts';
import type { CoreEvent, KubeObject, Pod, Workload } from '../crd/kubernetes.ts';
import type { KubeClient } from '../kube/client.ts';
import { KINDS, type Kind } from '../kube/kinds.ts';
import { watchKind } from '../kube/watch.ts';
import type { Logger } from '../log.ts';
import type { Collector } from './collect-evidence.ts';
import { type Graces, detectControllerFailure, podHealth } from '../failures/detect/detect.ts';
import { hasSucceeded } from '../failures/detect/job.ts';
import { type DeadlineQueue, deadlineQueue } from '../async/deadline-queue.ts';

export interface ControllerWatchDeps {
  client: Pick<KubeClient, 'read' | 'list' | 'page' | 'watch'>;
  collect: Pick<Collector, 'controller' | 'isOvertaken'>;
  namespaces: string[];
  graces: Graces & { recoverySeconds: number };
  now: () => Date;
  log: Logger;
  /** `isEnded`: the Job was deleted since and its record has ended, so nothing was stored. */
  report(report: FailureReport, seenAt: Date): Promise<{ isEnded?: boolean } | undefined>;
  gone(message: DismissDeleted, seenAt: Date): Promise<unknown>;
  /** A suspect is examined again after this many milliseconds, because no event shows that a controller can create pods again. */
  controllersEveryMs?: number | undefined;
}

/** A controller that an open record is about. */
export interface FailedController {
  resource_kind: string;
  namespace: string;
  pod_name: string;
  pod_uid: string | null;
  /** Uids of the failing pods of a Job that still tries. When none of these pods fails any more, the record ends. */
  pods?: readonly string[] | undefined;
}

/** Watches for controllers that cannot create their pods, and for Jobs that have failed. */
export interface ControllerWatch {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Examines a controller that is known to have failed, for example from an open record of an earlier run. */
  suspect(record: FailedController): void;
}

const CREATORS: Record<string, Kind<Workload>> = {
  ReplicaSet: KINDS.replicaSet,
  StatefulSet: KINDS.statefulSet,
  DaemonSet: KINDS.daemonSet,
  Job: KINDS.job,
};
const AGAIN_MS = 30_000;

interface Suspect {
  kind: Kind<Workload>;
  namespace: string;
  name: string;
  /** Uids from open records. An object with another uid is a new one that has not failed. */
  recorded: Set<string>;
  /** See `FailedController`. */
  pods: readonly string[] | undefined;
  reported?: { label: string; uid: string };
}

/**
 * Watches only events with `reason=FailedCreate`, instead of thousands of ReplicaSets. A controller writes such an event at every attempt, so
 * a missed event comes again.
 */
export function controllerWatch(deps: ControllerWatchDeps): ControllerWatch {
  const { client, namespaces, now, log, graces, controllersEveryMs: againMs = AGAIN_MS } = deps;
  const suspects = new Map<string, Suspect>();
  const looking = new Set<Promise<void>>();
  let isStopped = false;
  const deadlines: DeadlineQueue = deadlineQueue({ now, onDue: (key) => void track(look(key)) });
  const track = async (work: Promise<void>) => {
    looking.add(work);
    await work.finally(() => looking.delete(work));
  };
  const suspect = (kind: string, namespace: string, name: string, afterMs = 0): Suspect | undefined => {
    const known = CREATORS[kind];
    if (!known || isStopped) return undefined;
    const key = `${kind}/${namespace}/${name}`;
    const entry = suspects.get(key) ?? { kind: known, namespace, name, recorded: new Set(), pods: undefined };
    suspects.set(key, entry);
    deadlines.add(key, new Date(now().getTime() + afterMs));
    return entry;
  };
  const look = async (key: string) => {
    const entry = suspects.get(key);
    if (!entry || isStopped) return;
    const isDone = await judge(entry).catch((error: unknown) => {
      log.warn({ err: error, key }, 'controller could not be examined; will look again');
      return false;
    });
    if (isDone) suspects.delete(key);
    // After the stop, a new deadline would keep the process alive.
    else if (!isStopped) deadlines.add(key, new Date(now().getTime() + againMs));
  };
  /** Whether the suspect needs no further examination. */
  const judge = async (entry: Suspect): Promise<boolean> => {
    const { kind, namespace, name } = entry;
    const seenAt = now();
    const object = await client.read(kind, namespace, name);
    if (!object) return await close(entry, { reason: 'deleted', seenAt, uids: [...entry.recorded] });
    const uid = object.metadata.uid ?? '';
    for (const former of entry.recorded)
      if (former !== uid) await deps.gone({ namespace, pod_name: name, pod_uid: former, reason: 'deleted' }, seenAt);
    entry.recorded.clear();
    const whole = { ...object, apiVersion: kind.apiVersion, kind: kind.kind };
    const events = await client.list<CoreEvent>(KINDS.event, { namespace, fieldSelector: `involvedObject.uid=${uid}` });
    const failure = detectControllerFailure({ object: whole, events, now: now(), graces });
    const isOvertaken = failure !== undefined && (await deps.collect.isOvertaken(whole));
    if (failure && !isOvertaken) {
      if (entry.reported?.label === failure.reason && entry.reported.uid === uid) return false;
      log.info({ kind: kind.kind, namespace, name, reason: failure.reason }, 'controller fails');
      const answer = await deps.report(await deps.collect.controller(whole, failure, events), seenAt);
      // It was deleted meanwhile. The next look finds that.
      if (answer?.isEnded) return false;
      entry.reported = { label: failure.reason, uid };
      return false;
    }
    if (entry.reported || isOvertaken || isSettled(whole)) return await close(entry, { reason: 'recovered', seenAt, uids: [uid] });
    if (entry.pods && kind.kind === 'Job') await endOfPods(whole, { pods: entry.pods, seenAt });
    return now().getTime() - Date.parse(object.metadata.creationTimestamp ?? '') > graces.pendingSeconds * 5000;
  };
  const close = async (
    { namespace, name, reported }: Suspect,
    { reason, seenAt, uids }: { reason: 'deleted' | 'recovered'; seenAt: Date; uids: string[] },
  ): Promise<true> => {
    const known = new Set([...uids, ...(reported ? [reported.uid] : [])]);
    const messages = known.size > 0 ? [...known].map((pod_uid) => ({ pod_uid })) : [{}];
    for (const one of messages) await deps.gone({ namespace, pod_name: name, reason, ...one }, seenAt);
    return true;
  };
  /**
   * Ends the record of a Job that still tries, if none of its failing pods is left and another pod is running, or if all pods are well. A
   * Job without pods waits for its next attempt, or is about to give up.
   */
  const endOfPods = async (
    { metadata: { namespace, name = '', uid = '' }, spec }: Workload,
    { pods, seenAt }: { pods: readonly string[]; seenAt: Date },
  ) => {
    const all = (await client.list<Pod>(KINDS.pod, { namespace, ...selectorOf(spec) })).filter(({ metadata: { ownerReferences } }) =>
      ownerReferences?.some((owner) => owner.uid === uid),
    );
    const known = all.filter(({ metadata }) => pods.includes(metadata.uid ?? ''));
    const isWell = (pod: Pod) =>
      podHealth({ pod, events: [], now: seenAt, graces, recoverySeconds: graces.recoverySeconds }) === 'recovered';
    if (!known.every(isWell) || (all.length === 0 && spec['suspend'] !== true)) return;
    await deps.gone(
      { namespace: namespace ?? '', pod_name: name, pod_uid: uid, reason: known.length > 0 ? 'recovered' : 'deleted' },
      seenAt,
    );
  };

  const project = ({ metadata, involvedObject, reason }: CoreEvent): CoreEvent => {
    const { name, namespace, uid, resourceVersion } = metadata;
    return { metadata: lean({ name, namespace, uid, resourceVersion }), ...lean({ involvedObject, reason }) };
  };
  const refusals = watchKind<CoreEvent, CoreEvent>(client, KINDS.event, { namespaces, fieldSelector: 'reason=FailedCreate', project, log });
  const jobs = watchKind<Workload, KubeObject>(client, KINDS.job, { namespaces, project: projectJob, log });
  const endings = [
    refusals.onChange(({ type, object }) => {
      const { kind = '', namespace = '', name = '' } = object.involvedObject ?? {};
      if (type !== 'DELETED') suspect(kind, namespace, name, graces.pendingSeconds * 1000);
    }),
    jobs.onChange(({ object }) => {
      const { namespace = '', name = '', uid = '' } = object.metadata;
      // Until now the record may have been about a pod of the Job. With the uid it is found even if the Job is deleted at once.
      if ((object as Workload).status?.conditions?.length) suspect('Job', namespace, name)?.recorded.add(uid);
    }),
  ];
  return {
    suspect({ resource_kind, namespace, pod_name, pod_uid, pods }) {
      const entry = suspect(resource_kind, namespace, pod_name);
      if (!entry) return;
      if (pod_uid) entry.recorded.add(pod_uid);
      entry.pods = pods;
    },
    async start() {
      await Promise.all([refusals.start(), jobs.start()]);
    },
    async stop() {
      isStopped = true;
      for (const end of endings) end();
      deadlines.stop();
      await Promise.all([refusals.stop(), jobs.stop(), ...looking]);
    },
  };
}

/** Whether a controller works for certain, so that a record from before this process started can be closed. */
function isSettled(object: Workload): boolean {
  const { kind, spec, status } = object;
  return kind === 'Job' ? hasSucceeded(object) : Number(status?.['replicas'] ?? 0) >= (spec.replicas ?? 1);
}

/**
 * The labels of a Job's selector for a list request. With `manualSelector`, the user wrote the selector, and the pods have no other labels.
 */
function selectorOf({ selector }: Workload['spec']): { labelSelector?: string } {
  const labels = Object.entries((selector as { matchLabels?: Record<string, string> } | undefined)?.matchLabels ?? {});
  return labels.length > 0 ? { labelSelector: labels.map(([label, value]) => `${label}=${value}`).join(',') } : {};
}

/** Keeps only the conditions of a failed Job. The first of them is set before the Job's pods may be deleted. */
function projectJob({ metadata, status }: Workload): KubeObject {
  const { name, namespace, uid, resourceVersion } = metadata;
  const failed =
    status?.conditions?.filter(({ type, status: is }) => (type === 'Failed' || type === 'FailureTarget') && is === 'True') ?? [];
  return {
    metadata: lean({ name, namespace, uid, resourceVersion }),
    ...(failed.length > 0 ? { status: { conditions: failed } } : {}),
  } as KubeObject;
}

function lean<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
