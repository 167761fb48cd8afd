import { controllerOf } from '../crd/owner.ts';
import type { ContainerEvidence, FailureReport, WorkloadRef } from '../contract/failure.ts';
import type { CoreEvent, KubeObject, OwnerReference, Pod } from '../crd/kubernetes.ts';
import { dumpManifest } from '../crd/manifest.ts';
import { KINDS, type LightweightClient } from '../kube/lightweight.ts';
import type { Logger } from '../log.ts';
import { maskImage } from '../redact/image.ts';
import { maskManifest } from '../redact/manifest.ts';
import { maskedEvent, maskedStatus } from '../redact/report.ts';
import { maskText } from '../redact/text.ts';
import type { Failure } from '../failures/detect/detect.ts';
import { containerEvidence, eventEvidence } from '../failures/detect/evidence.ts';
import { cronJobReference, givenUp, hasSucceeded, isOvertaken } from '../failures/detect/job.ts';
import { containersOf } from '../crd/containers.ts';
import { type ContainerLog, type LogAnswer, containerLog, joinLogs, logAnswer, logRefusal, TAIL_LINES } from './container-log.ts';

export interface CollectDeps {
  client: Pick<LightweightClient, 'read' | 'list' | 'logs'>;
  cluster: string;
  log: Logger;
}

/** Collects the evidence of a failure: masked, and of limited size. */
export interface Collector {
  /**
   * `isLogDue`: the failing container's log could not be read, but may be readable later. The report says so. The same report, made again
   * later, adds the log and changes nothing else. With `isLastTry` the report gives the reason why there is no log.
   */
  pod(
    pod: Pod,
    failure: Failure,
    look: { events: CoreEvent[]; isLastTry?: boolean },
  ): Promise<{ report: FailureReport; isLogDue: boolean }>;
  controller(object: KubeObject, failure: Failure, events: CoreEvent[]): Promise<FailureReport>;
  /** Whether the pod failed, but its Job has succeeded or was overtaken. Jobs keep such pods. */
  isMadeGood(pod: Pod): Promise<boolean>;
  /** Whether a later run of the Job's CronJob has completed. False if the agent may not read that. */
  isOvertaken(job: KubeObject): Promise<boolean>;
}

const MAX_EVENTS = 50;
const MAX_MESSAGE = 2_000;
/** A report has the logs of at most this many containers, the failing one first. */
const MAX_LOGGED = 3;
const MAX_MANIFEST = 128_000;
/** This many owners are remembered, so that many failing pods of one workload cost only one request. */
const MAX_OWNERS = 500;

export function collector({ client, cluster, log }: CollectDeps): Collector {
  const owners = new Map<string, WorkloadRef>();

  const rootOwner = async ({ metadata }: KubeObject): Promise<WorkloadRef | undefined> => {
    const owner = controllerOf(metadata);
    if (!owner) return undefined;
    const known = owners.get(owner.uid);
    if (known) return known;
    const root = await ownerOf(owner, metadata.namespace);
    if (owners.size >= MAX_OWNERS) owners.clear();
    owners.set(owner.uid, root);
    return root;
  };
  const ownerOf = async ({ kind, name }: OwnerReference, namespace: string | undefined): Promise<WorkloadRef> => {
    const between = kind === 'ReplicaSet' ? KINDS.replicaSet : kind === 'Job' ? KINDS.job : undefined;
    if (!between) return { kind, name };
    const object = await client.read<KubeObject>(between, namespace, name).catch((error: unknown) => {
      log.debug({ err: error, kind, name, namespace }, 'owner could not be read');
      return undefined;
    });
    const above = object && controllerOf(object.metadata);
    return above ? { kind: above.kind, name: above.name } : { kind, name };
  };
  const logOf = async (pod: Pod, container: string, previous: boolean): Promise<LogAnswer> => {
    const { name = '', namespace = '' } = pod.metadata;
    try {
      const text = await client.logs(namespace, name, { container, tailLines: TAIL_LINES, previous });
      return logAnswer(text);
    } catch (error) {
      log.debug({ err: error, pod: name, namespace, container, previous }, 'log could not be had');
      return logRefusal(error);
    }
  };
  const logsOf = async (pod: Pod, { name, runs }: LoggedContainer): Promise<ContainerLog> => {
    const answers = await Promise.all(runs.map(async (run) => ({ run, answer: await logOf(pod, name, run === 'previous') })));
    return containerLog(name, answers);
  };

  const isOvertakenNow = async (job: KubeObject): Promise<boolean> => {
    const reference = givenUp(job) && cronJobReference(job);
    if (!reference) return false;
    const { namespace } = job.metadata;
    const all = [
      client.list<KubeObject>(KINDS.cronJob, { namespace, fieldSelector: `metadata.name=${reference.name}` }),
      client.list<KubeObject>(KINDS.job, { namespace }),
    ].map((list) =>
      list.catch((error: unknown): KubeObject[] => {
        log.debug({ err: error, job: job.metadata.name, namespace }, 'later runs could not be read');
        return [];
      }),
    );
    const [[cronJob] = [], jobs = []] = await Promise.all(all);
    return isOvertaken(job, { cronJob, jobs });
  };

  return {
    isOvertaken: isOvertakenNow,
    async isMadeGood({ metadata, status }) {
      const owner = controllerOf(metadata);
      if (status?.phase !== 'Failed' || owner?.kind !== 'Job') return false;
      const job = await client.read(KINDS.job, metadata.namespace, owner.name).catch((error: unknown) => {
        log.debug({ err: error, job: owner.name, namespace: metadata.namespace }, 'Job could not be read');
        return undefined;
      });
      return job?.metadata.uid === owner.uid && (hasSucceeded(job) || (await isOvertakenNow(job)));
    },
    async pod(pod, failure, { events, isLastTry = false }) {
      const { name = '', namespace = '', uid } = pod.metadata;
      const [whole, workload, ...logs] = await Promise.all([
        client.read(KINDS.pod, namespace, name).catch(() => undefined),
        rootOwner(pod),
        ...loggedContainers(pod, failure).map((container) => logsOf(pod, container)),
      ]);
      const isSame = whole?.metadata.uid === uid;
      // If another pod has this name now, the log belongs to that pod.
      const { text, isDue } = joinLogs(whole && !isSame ? [] : logs, isLastTry);
      const report = {
        ...common(pod, failure, events),
        cluster,
        resource_kind: 'Pod',
        node_name: pod.spec.nodeName ?? null,
        container: failure.container ?? null,
        container_statuses: containerEvidence(pod).map((status) => shortStatus(maskedStatus(status))),
        images: [...new Set(containersOf(pod).flatMap(({ spec }) => (spec.image ? maskImage(spec.image) : [])))],
        logs: text,
        ...(workload ? { workload } : {}),
        ...jobOf(pod),
        ...(whole && isSame ? manifestOf({ apiVersion: 'v1', kind: 'Pod', ...whole }) : {}),
      };
      return { report, isLogDue: isDue };
    },
    async controller(object, failure, events) {
      const workload = await rootOwner(object);
      const { kind = 'Unknown', metadata } = object;
      return {
        ...common(object, failure, events),
        cluster,
        resource_kind: kind,
        workload: workload ?? { kind, name: metadata.name ?? '' },
        ...manifestOf(object),
      };
    },
  };
}

/** The Job that controls the pod. */
function jobOf({ metadata }: Pod): Pick<FailureReport, 'job'> {
  const owner = controllerOf(metadata);
  return owner?.kind === 'Job' ? { job: { name: owner.name, uid: owner.uid } } : {};
}

function common({ metadata }: KubeObject, failure: Failure, events: CoreEvent[]) {
  const { name = '', namespace = '', uid, creationTimestamp, labels } = metadata;
  return {
    pod_name: name,
    namespace,
    pod_uid: uid ?? null,
    failure_reason: failure.reason,
    failure_message: maskText(failure.message).slice(0, MAX_MESSAGE),
    creation_timestamp: creationTimestamp ?? null,
    events: eventEvidence(events)
      .slice(-MAX_EVENTS)
      .map((event) => short(maskedEvent(event))),
    labels: maskManifest(labels ?? {}),
  };
}

interface LoggedContainer {
  name: string;
  runs: ('current' | 'previous')[];
}

/** The containers whose logs are collected: first the failing one, then others that restarted or are not ready. */
function loggedContainers(pod: Pod, failure: Failure): LoggedContainer[] {
  const restless = containersOf(pod).filter(({ status }) => status && (!status.ready || status.restartCount > 0) && hasRun(status));
  const names = restless.map(({ spec }) => spec.name).sort((a, b) => Number(b === failure.container) - Number(a === failure.container));
  return names.slice(0, MAX_LOGGED).map((name) => {
    const { restartCount = 0, state } = restless.find(({ spec }) => spec.name === name)?.status ?? {};
    // A run that has just ended may be the previous one when its log is requested.
    return { name, runs: restartCount > 0 || state?.terminated ? ['current', 'previous'] : ['current'] };
  });
}

function hasRun({
  state,
  lastState,
}: NonNullable<Pod['status']>['containerStatuses'] extends (infer S)[] | undefined ? S : never): boolean {
  return Boolean(state?.running ?? state?.terminated ?? lastState?.terminated);
}

/**
 * The manifest without the status, which the report has in other fields. A manifest that is too large is left out, because half of a
 * manifest is useless.
 */
function manifestOf(object: KubeObject): { manifest?: string } {
  const { status: _status, ...desired } = object as KubeObject & { status?: unknown };
  const manifest = dumpManifest(maskManifest(desired));
  return manifest.length <= MAX_MANIFEST ? { manifest } : {};
}

/** Cuts the message of an event or a state. The message must be masked already, because cutting first could leave half of a secret. */
function short<T extends { message?: string | null }>(one: T): T {
  return one.message ? { ...one, message: one.message.slice(0, MAX_MESSAGE) } : one;
}

function shortStatus(status: ContainerEvidence): ContainerEvidence {
  const { last_state: last } = status;
  return short(last ? { ...status, last_state: short(last) } : status);
}
