import type { KubeObject, Pod } from '../../crd/kubernetes.ts';
import { containersOf } from '../../crd/containers.ts';
import { requestsByNode } from '../../crd/requests.ts';
import { logAnswer, tail, TAIL_LINES } from '../../agent/container-log.ts';
import type { KubeClient } from '../../kube/client.ts';
import { ClusterUnavailable, isKubeError, KubeError } from '../../kube/errors.ts';
import { nearestName } from '../../diagnosis/corrections/similar-names.ts';
import { isFree } from '../../diagnosis/facts/surroundings.ts';
import { type Kind, KINDS } from '../../kube/kinds.ts';
import { MAX_IMAGE_PODS, MAX_SERVICES } from '../../kube/surroundings.ts';
import { ownersOf, WORKLOADS } from '../../kube/workloads.ts';
import { failingCases, type RecordedLog, type Recording } from '../../failures/detect/recording.ts';
import { InputError } from '../mode.ts';
import {
  configMapAround,
  claimAround,
  limitRangeAround,
  namespaceAround,
  networkPolicyAround,
  nodeAround,
  podAround,
  podMetricsAround,
  quotaAround,
  secretAround,
  serviceAccountAround,
  serviceAround,
  storageClassAround,
  volumeAround,
} from './surroundings.ts';

type Client = Pick<KubeClient, 'read' | 'list' | 'page' | 'logs'>;

/** What was read about a pod or a namespace. Nothing is masked; the output masks it. */
export interface Live {
  recording: Recording;
  /** Whether the user asked about this object. All others are surroundings. */
  isAsked(object: KubeObject): boolean;
  /** Resources (plural names) that the user may not read. */
  refused: string[];
}

const MAX_LOG_BYTES = 1024 * 1024;
/** The maximum number of names that a wrong name is compared with. */
const MAX_NAMES = 500;
/** The maximum depth of objects below a workload: ReplicaSets, pods, and levels of custom controllers. */
const MAX_LEVELS = 5;

/** A workload by name; without a kind, of any kind. */
export interface WantedWorkload {
  kind: string | undefined;
  name: string;
}

/** The workload and everything below it. Throws `InputError` with similar names when it does not exist. */
function partsOf(objects: KubeObject[], { kind, name }: WantedWorkload, namespace: string): KubeObject[] {
  const ofKind = objects.filter((object) => object.kind !== 'Pod' && (kind === undefined || object.kind === kind));
  const roots = ofKind.filter(({ metadata }) => metadata.name === name);
  if (roots.length === 0) {
    const names = (kind === undefined ? objects : ofKind).map(({ metadata }) => metadata.name ?? '');
    const missing = `there is no ${kind ?? 'pod'} ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace)}`;
    throw new InputError(`${missing}${kind === undefined ? ', and no workload of this name' : ''}${similar(name, names)}`);
  }
  const parts = new Set(roots);
  const isBelow = ({ metadata }: KubeObject) =>
    metadata.ownerReferences?.some(({ uid }) => [...parts].some((part) => part.metadata.uid === uid)) === true;
  for (let level = 0; level < MAX_LEVELS; level++) for (const object of objects) if (isBelow(object)) parts.add(object);
  return objects.filter((object) => parts.has(object));
}

function similar(name: string, names: string[]): string {
  const near = nearestName(name, names).slice(0, 3);
  return near.length > 0 ? `; similar: ${near.map((other) => JSON.stringify(other)).join(', ')}` : '';
}

/** What the user asks about: one pod, one workload, or a whole namespace. */
interface Question {
  namespace: string;
  name: string | undefined;
  /** Only this workload; `name` is then undefined. */
  of?: WantedWorkload | undefined;
  /** Whether Secrets are read, for their names and key names. */
  secretNames?: boolean;
}

/**
 * Reads with the client's rights: one pod with its owners, or without `name` all pods and workloads of the namespace; also events,
 * surroundings, and the logs of failing pods. Secrets are read only if asked for. Throws `InputError` (no such pod or namespace),
 * `KubeError`, `ClusterUnavailable`.
 */
export async function readLive(client: Client, question: Question): Promise<Live> {
  const reader = allowedReader(client);
  const { namespace, name } = question;
  const pods = await readPods(client, namespace, name);
  const owners = name === undefined ? undefined : reader.allowed('owners', ownersOf(client, pods[0]?.metadata ?? {}), []);
  const [events, workloads, cronJobs, revisions, around] = await Promise.all([
    readEvents(reader, question),
    owners ?? Promise.all(Object.values(WORKLOADS).map((kind) => reader.list(kind, { namespace }))).then((lists) => lists.flat()),
    readCronJobs(reader, question, owners),
    readRevisions(reader, question, owners),
    readAround(client, reader, question, pods),
  ]);
  const asked: KubeObject[] = pods.map((pod) => withoutNotes({ ...pod, apiVersion: 'v1', kind: 'Pod' }));
  const above = workloads.map((workload) => withoutNotes(workload));
  const schedules = cronJobs.map((one) => ({ ...withoutNotes(one), apiVersion: KINDS.cronJob.apiVersion, kind: KINDS.cronJob.kind }));
  const known = new Set(above.map(({ metadata }) => metadata.uid));
  const objects = [
    ...asked,
    ...above,
    ...revisions.filter(({ metadata }) => !known.has(metadata.uid)).map((revision) => withoutNotes(revision)),
    ...schedules,
    ...events.map((event) => ({ ...withoutNotes(event), kind: 'Event' })),
    ...around,
  ];
  const all = name === undefined ? [...asked, ...above, ...schedules] : asked;
  const wanted = new Set(question.of ? partsOf(all, question.of, namespace) : all);
  const isAsked = (object: KubeObject): boolean => wanted.has(object);
  const takenAt = new Date().toISOString();
  const failing = failingCases({ objects, logs: [], takenAt }, isAsked);
  const withLogs = pods.filter((pod) => failing.some(({ resource_kind, pod_name }) => isAbout(pod, resource_kind, pod_name)));
  const logs = await Promise.all(runsOf(withLogs).map((run) => reader.allowed('logs', readLog(client, namespace, run), undefined)));
  return { recording: { objects, logs: logs.filter((log) => log !== undefined), takenAt }, isAsked, refused: reader.refused() };
}

/** Reads what the user may read, and remembers what was refused. Throws `ClusterUnavailable`. */
function allowedReader(client: Client) {
  const refused = new Set<string>();
  const allowed = async <T>(what: string, answer: Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      if (error.code === 403) refused.add(what);
      return otherwise;
    }
  };
  return {
    allowed,
    list: <T extends KubeObject>(kind: Kind<T>, selection: Parameters<Client['list']>[1]) =>
      allowed(kind.plural, client.list(kind, selection), []),
    /** Plural names of resources. */
    refused: () => [...refused].toSorted(),
  };
}

type AllowedReader = ReturnType<typeof allowedReader>;

/** The namespace's events. For one pod: its own events, and those of claims that it may wait for. */
async function readEvents(reader: AllowedReader, { namespace, name }: Question) {
  if (name === undefined) return reader.list(KINDS.event, { namespace });
  const selectors = [`involvedObject.name=${name}`, 'involvedObject.kind=PersistentVolumeClaim'];
  return (await Promise.all(selectors.map((fieldSelector) => reader.list(KINDS.event, { namespace, fieldSelector })))).flat();
}

/** The CronJobs of the selected Jobs, because corrections change their template. */
async function readCronJobs(
  reader: AllowedReader,
  { namespace, name }: Question,
  owners: Promise<KubeObject[]> | undefined,
): Promise<KubeObject[]> {
  const hasCronJob = ({ metadata }: KubeObject) => metadata.ownerReferences?.some(({ kind }) => kind === 'CronJob') === true;
  return name === undefined || (await owners)?.some(hasCronJob) ? reader.list(KINDS.cronJob, { namespace }) : [];
}

/** The objects that hold the history of workloads: those of the pod's owners, or of the whole namespace. */
async function readRevisions(
  reader: AllowedReader,
  { namespace, name }: Question,
  owners: Promise<KubeObject[]> | undefined,
): Promise<KubeObject[]> {
  const kinds = new Set((await owners)?.map(({ kind }) => kind));
  const isWanted = (kind: string) => name === undefined || kinds.has(kind);
  const kept = [
    // For a whole namespace, ReplicaSets were already read as workloads.
    ...(kinds.has('Deployment') ? [KINDS.replicaSet] : []),
    ...(isWanted('StatefulSet') || isWanted('DaemonSet') ? [KINDS.controllerRevision] : []),
  ];
  const lists = kept.map(async (kind) => (await reader.list<KubeObject>(kind, { namespace })).map((one) => ({ ...one, kind: kind.kind })));
  return (await Promise.all(lists)).flat();
}

/** Other objects of the namespace and the cluster, without anything that could be secret. */
async function readAround(client: Client, reader: AllowedReader, question: Question, pods: Pod[]): Promise<KubeObject[]> {
  const { namespace, name, secretNames = false } = question;
  const inNamespace = async <T extends KubeObject>(kind: Kind<T>, shorten: (object: T) => KubeObject) =>
    (await reader.list(kind, { namespace })).map(shorten);
  const uids = new Set(pods.map(({ metadata }) => metadata.uid));
  const everywhere = reader.allowed('pods of other namespaces', client.page(KINDS.pod, {}, { limit: MAX_IMAGE_PODS }), undefined);
  const otherPods = async () => {
    const page = await everywhere;
    const isWhole = page !== undefined && !page.continueToken;
    const near = isWhole || name === undefined ? [] : await reader.list(KINDS.pod, { namespace });
    const others = new Map([...(page?.items ?? []), ...near].map((pod) => [pod.metadata.uid, pod]));
    return [...others.values()].filter(({ metadata }) => !uids.has(metadata.uid)).map(podAround);
  };
  const nodes = async () => {
    const [all, page] = await Promise.all([reader.list(KINDS.node, {}), everywhere]);
    const requested = page && !page.continueToken ? requestsByNode(page.items) : undefined;
    return all.map((node) => nodeAround(node, requested && (requested.get(node.metadata.name ?? '') ?? {})));
  };
  const otherServices = async () => {
    const page = await reader.allowed('services of other namespaces', client.page(KINDS.service, {}, { limit: MAX_SERVICES }), undefined);
    return (page?.items ?? [])
      .filter(({ metadata }) => metadata.namespace !== namespace)
      .map(({ metadata }) => serviceAround({ metadata }));
  };
  const ownNamespace = reader.allowed('namespaces', client.read(KINDS.namespace, undefined, namespace), undefined);
  const lists = await Promise.all([
    inNamespace(KINDS.configMap, configMapAround),
    secretNames ? inNamespace(KINDS.secret, secretAround) : [],
    inNamespace(KINDS.resourceQuota, quotaAround),
    inNamespace(KINDS.limitRange, limitRangeAround),
    ownNamespace.then((own) => (own ? [namespaceAround(own)] : [])),
    inNamespace(KINDS.service, serviceAround),
    otherServices(),
    inNamespace(KINDS.networkPolicy, networkPolicyAround),
    inNamespace(KINDS.persistentVolumeClaim, claimAround),
    inNamespace(KINDS.serviceAccount, serviceAccountAround),
    readMetrics(client, namespace),
    reader.list(KINDS.storageClass, {}).then((all) => all.map(storageClassAround)),
    reader
      .list(KINDS.persistentVolume, {})
      .then((all) => all.filter((one) => isFree(one) || isClaimedIn(one, namespace)).map(volumeAround)),
    nodes(),
    otherPods(),
  ]);
  return lists.flat();
}

const isClaimedIn = (volume: KubeObject, namespace: string): boolean =>
  (volume as { spec?: { claimRef?: { namespace?: string } } }).spec?.claimRef?.namespace === namespace;

/** Without the metrics API or the right to read it, the diagnosis has no usage figures. */
async function readMetrics(client: Client, namespace: string): Promise<KubeObject[]> {
  try {
    return (await client.list(KINDS.podMetrics, { namespace })).map(podMetricsAround);
  } catch (error) {
    if (error instanceof KubeError || error instanceof ClusterUnavailable) return [];
    throw error;
  }
}

/** Removes managed fields and large annotations, which do not help the diagnosis. */
function withoutNotes<T extends KubeObject>(object: T): T {
  const { managedFields: _fields, annotations, ...metadata } = object.metadata;
  if (!annotations) return { ...object, metadata };
  const { 'kubectl.kubernetes.io/last-applied-configuration': _applied, ...kept } = annotations;
  return { ...object, metadata: { ...metadata, annotations: kept } };
}

/** There is no pod of this name; there may be a workload. */
export class NoSuchPod extends InputError {}

async function readPods(client: Client, namespace: string, name: string | undefined): Promise<Pod[]> {
  const pods = name === undefined ? await client.list(KINDS.pod, { namespace }) : [await client.read(KINDS.pod, namespace, name)];
  const found = pods.filter((pod) => pod !== undefined);
  if (found.length > 0) return found;
  if (!(await hasNamespace(client, namespace)))
    throw new InputError(`there is no namespace ${JSON.stringify(namespace)}${similar(namespace, await namesOf(client, KINDS.namespace))}`);
  if (name === undefined) return [];
  const near = similar(name, await namesOf(client, KINDS.pod, namespace));
  throw new NoSuchPod(`there is no pod ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace)}${near}`);
}

/** Names to compare a wrong name with; empty if the user may not list them. */
async function namesOf(client: Client, kind: Kind, namespace?: string): Promise<string[]> {
  try {
    const { items } = await client.page<KubeObject>(kind, { namespace }, { limit: MAX_NAMES });
    return items.flatMap(({ metadata }) => metadata.name ?? []);
  } catch (error) {
    if (error instanceof KubeError) return [];
    throw error;
  }
}

/** Assumes that the namespace exists if the user may not read namespaces. */
async function hasNamespace(client: Client, namespace: string): Promise<boolean> {
  try {
    return (await client.read(KINDS.namespace, undefined, namespace)) !== undefined;
  } catch (error) {
    if (isKubeError(error, 403)) return true;
    throw error;
  }
}

/** Whether the log of a pod belongs to a failing object: the pod itself, or the Job that owns it. */
function isAbout({ metadata }: Pod, kind: string, name: string): boolean {
  if (kind === 'Pod') return metadata.name === name;
  return kind === 'Job' && metadata.ownerReferences?.some((owner) => owner.kind === 'Job' && owner.name === name) === true;
}

type Run = Pick<RecordedLog, 'pod' | 'container' | 'previous'>;

/** The current and the previous run of every container that has run. */
function runsOf(pods: Pod[]): Run[] {
  return pods.flatMap((pod) =>
    containersOf(pod).flatMap(({ spec, status }): Run[] => {
      if (!status?.state?.running && !status?.state?.terminated && !status?.lastState?.terminated) return [];
      const run = { pod: pod.metadata.name ?? '', container: spec.name };
      return [...(status.restartCount > 0 ? [{ ...run, previous: true }] : []), { ...run, previous: false }];
    }),
  );
}

async function readLog(client: Client, namespace: string, run: Run): Promise<RecordedLog | undefined> {
  const { container, previous } = run;
  const body = await client.logs(namespace, run.pod, { container, previous, tailLines: TAIL_LINES, limitBytes: MAX_LOG_BYTES });
  const answer = logAnswer(body);
  if (answer.kind === 'lost') return undefined;
  return { ...run, namespace, text: answer.kind === 'text' ? tail(answer.text) : '' };
}
