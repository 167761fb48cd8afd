import type { DismissDeleted } from '../../contract/agent.ts';
import type { FailureReport } from '../../contract/failure.ts';
import type { CoreEvent, KubeObject, Workload } from '../../crd/kubernetes.ts';
import type { KubeClient } from '../../kube/connect.ts';
import { KINDS, type Kind } from '../../kube/kinds.ts';
import { watchKind } from '../../kube/watch.ts';
import type { Logger } from '../../log.ts';
import type { Collector } from '../collect.ts';
import { type Graces, detectControllerFailure } from '../detect.ts';
import { type Wakeups, wakeups } from '../wakeups.ts';

export interface ControllerWatchDeps {
  client: Pick<KubeClient, 'read' | 'list' | 'page' | 'watch'>;
  collect: Pick<Collector, 'controller'>;
  namespaces: string[];
  graces: Graces;
  now: () => Date;
  log: Logger;
  report(report: FailureReport, seenAt: Date): Promise<unknown>;
  gone(message: DismissDeleted, seenAt: Date): Promise<unknown>;
  /** How often a suspect is looked at again, in milliseconds: that it can create pods again writes no event of its own. */
  controllersEveryMs?: number | undefined;
}

/** Watches over controllers that cannot create their pods, and Jobs that have given up. */
export interface ControllerWatch {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Looks at a controller that is known to have failed, for instance by an open record of an earlier run. */
  suspect(record: { resource_kind: string; namespace: string; pod_name: string; pod_uid: string | null }): void;
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
  /** Of open records: an object of another uid has only the name in common with what failed. */
  recorded: Set<string>;
  told?: { label: string; uid: string };
}

/**
 * The API server picks the few events that matter (`reason=FailedCreate`), so that thousands of ReplicaSets need no watch; a
 * refused controller says it again at every try, so what was missed comes back.
 */
export function controllerWatch(deps: ControllerWatchDeps): ControllerWatch {
  const { client, namespaces, now, log, graces, controllersEveryMs: againMs = AGAIN_MS } = deps;
  const suspects = new Map<string, Suspect>();
  const looking = new Set<Promise<void>>();
  const alarm: Wakeups = wakeups({ now, wake: (key) => void track(look(key)) });
  const track = async (work: Promise<void>) => {
    looking.add(work);
    await work.finally(() => looking.delete(work));
  };
  const suspect = (kind: string, namespace: string, name: string, afterMs = 0): Suspect | undefined => {
    const known = CREATORS[kind];
    if (!known) return undefined;
    const key = `${kind}/${namespace}/${name}`;
    const entry = suspects.get(key) ?? { kind: known, namespace, name, recorded: new Set() };
    suspects.set(key, entry);
    alarm.at(key, new Date(now().getTime() + afterMs));
    return entry;
  };
  const look = async (key: string) => {
    const entry = suspects.get(key);
    if (!entry) return;
    try {
      if (await judge(entry)) suspects.delete(key);
      else alarm.at(key, new Date(now().getTime() + againMs));
    } catch (error) {
      log.warn({ err: error, key }, 'controller could not be examined; will look again');
      alarm.at(key, new Date(now().getTime() + againMs));
    }
  };
  /** Whether there is nothing more to see. */
  const judge = async (entry: Suspect): Promise<boolean> => {
    const { kind, namespace, name } = entry;
    const seenAt = now();
    const object = await client.read(kind, namespace, name);
    if (!object) return await close(entry, { reason: 'deleted', seenAt });
    const uid = object.metadata.uid ?? '';
    for (const former of entry.recorded)
      if (former !== uid) await deps.gone({ namespace, pod_name: name, pod_uid: former, reason: 'deleted' }, seenAt);
    entry.recorded.clear();
    const whole = { ...object, apiVersion: kind.apiVersion, kind: kind.kind };
    const events = await client.list<CoreEvent>(KINDS.event, { namespace, fieldSelector: `involvedObject.uid=${uid}` });
    const failure = detectControllerFailure({ object: whole, events, now: now(), graces });
    if (failure) {
      if (entry.told?.label === failure.reason && entry.told.uid === uid) return false;
      log.info({ kind: kind.kind, namespace, name, reason: failure.reason }, 'controller fails');
      await deps.report(await deps.collect.controller(whole, failure, events), seenAt);
      entry.told = { label: failure.reason, uid };
      return false;
    }
    if (entry.told || isSettled(whole)) return await close(entry, { reason: 'recovered', seenAt });
    return now().getTime() - Date.parse(object.metadata.creationTimestamp ?? '') > graces.pendingSeconds * 5000;
  };
  const close = async (
    { namespace, name, told }: Suspect,
    { reason, seenAt }: { reason: 'deleted' | 'recovered'; seenAt: Date },
  ): Promise<true> => {
    await deps.gone({ namespace, pod_name: name, reason, ...(told ? { pod_uid: told.uid } : {}) }, seenAt);
    return true;
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
      const { namespace = '', name = '' } = object.metadata;
      if ((object as Workload).status?.conditions?.length) suspect('Job', namespace, name);
    }),
  ];
  return {
    suspect({ resource_kind, namespace, pod_name, pod_uid }) {
      const entry = suspect(resource_kind, namespace, pod_name);
      if (pod_uid) entry?.recorded.add(pod_uid);
    },
    async start() {
      await Promise.all([refusals.start(), jobs.start()]);
    },
    async stop() {
      for (const end of endings) end();
      alarm.stop();
      await Promise.all([refusals.stop(), jobs.stop(), ...looking]);
    },
  };
}

/** Whether a controller works beyond doubt, so that a record of an earlier run may be closed. */
function isSettled({ kind, spec, status }: Workload): boolean {
  if (kind !== 'Job') return Number(status?.['replicas'] ?? 0) >= (spec.replicas ?? 1);
  return status?.conditions?.some(({ type, status: is }) => type === 'Complete' && is === 'True') === true;
}

/** Of a Job only whether it has failed; running ones keep no conditions. */
function projectJob({ metadata, status }: Workload): KubeObject {
  const { name, namespace, uid, resourceVersion } = metadata;
  const failed = status?.conditions?.filter(({ type, status: is }) => type === 'Failed' && is === 'True') ?? [];
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
