import type { KubeObject, Pod } from '../crd/kubernetes.ts';
import { containersOf } from '../failures/evidence.ts';
import { logAnswer, tail } from '../failures/last-words.ts';
import type { KubeClient } from '../kube/connect.ts';
import { isKubeError, KubeError } from '../kube/errors.ts';
import { type Kind, KINDS } from '../kube/kinds.ts';
import { maskManifest } from '../redact/manifest.ts';
import { maskText } from '../redact/text.ts';
import { failingCases, type RecordedLog, type Recording } from '../solutions/recording.ts';
import { InputError } from './mode.ts';
import {
  configMapAround,
  claimAround,
  nodeAround,
  podAround,
  quotaAround,
  secretAround,
  serviceAround,
  storageClassAround,
} from './why-surroundings.ts';

type Client = Pick<KubeClient, 'read' | 'list' | 'page' | 'logs'>;

/** What the cluster shows of a pod, or of a namespace, at one moment: masked, as a recording would hold it. */
export interface Live {
  recording: Recording;
  /** What the user asked about; the rest are surroundings. */
  isAsked(object: KubeObject): boolean;
  /** What the user may not read: plural names of resources. */
  refused: string[];
}

/** As many lines as a report of the agent holds. */
const TAIL_LINES = 100;
const MAX_LOG_BYTES = 1024 * 1024;
/** Pods read for the images that they run: enough to know a team's tags, never the whole of a large cluster. */
const MAX_IMAGE_PODS = 2_000;
/** Owners above owners. Whoever may write references may close them to a ring. */
const MAX_OWNERS = 5;
const WORKLOADS: Record<string, Kind> = {
  Deployment: KINDS.deployment,
  ReplicaSet: KINDS.replicaSet,
  StatefulSet: KINDS.statefulSet,
  DaemonSet: KINDS.daemonSet,
  Job: KINDS.job,
};

/**
 * Reads with the rights of the client: one pod with its owners, or without `name` all pods and workloads of the namespace; events,
 * surroundings (Secrets by name and key names, and only when they are wished), and the logs of what fails. Throws `InputError` (no such pod, no such namespace), `KubeError`, `ClusterUnavailable`.
 */
export async function readLive(
  client: Client,
  { namespace, name, secretNames = false }: { namespace: string; name: string | undefined; secretNames?: boolean },
): Promise<Live> {
  const refused = new Set<string>();
  const asFarAsAllowed = async <T>(what: string, answer: Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      if (error.code === 403) refused.add(what);
      return otherwise;
    }
  };
  const list = <T extends KubeObject>(kind: Kind<T>, selection: Parameters<Client['list']>[1] = { namespace }) =>
    asFarAsAllowed(kind.plural, client.list(kind, selection), []);

  const pods = await readPods(client, namespace, name);
  const owners = name === undefined ? undefined : asFarAsAllowed('owners', readOwners(client, pods[0]), []);
  const history = async () => {
    const kinds = new Set((await owners)?.map(({ kind }) => kind));
    const isWanted = (kind: string) => name === undefined || kinds.has(kind);
    const kept = [
      // Of a whole namespace they are read as workloads already.
      ...(kinds.has('Deployment') ? [KINDS.replicaSet] : []),
      ...(isWanted('StatefulSet') || isWanted('DaemonSet') ? [KINDS.controllerRevision] : []),
    ];
    return (
      await Promise.all(kept.map(async (kind) => (await list<KubeObject>(kind)).map((object) => ({ ...object, kind: kind.kind }))))
    ).flat();
  };
  const [events, workloads, revisions, configMaps, secrets, quotas, services, claims, storageClasses, nodes, others] = await Promise.all([
    list(KINDS.event, { namespace, ...(name === undefined ? {} : { fieldSelector: `involvedObject.name=${name}` }) }),
    name === undefined ? Promise.all(Object.values(WORKLOADS).map((kind) => list(kind))).then((lists) => lists.flat()) : (owners ?? []),
    history(),
    list(KINDS.configMap),
    secretNames ? list(KINDS.secret).then((all) => all.map(secretAround)) : [],
    list(KINDS.resourceQuota),
    list(KINDS.service),
    list(KINDS.persistentVolumeClaim),
    list(KINDS.storageClass, {}),
    list(KINDS.node, {}),
    asFarAsAllowed('pods of other namespaces', client.page(KINDS.pod, {}, { limit: MAX_IMAGE_PODS }), undefined).then(
      async (page) => page?.items ?? (name === undefined ? pods : await list(KINDS.pod)),
    ),
  ]);
  const uids = new Set(pods.map(({ metadata }) => metadata.uid));
  const asked: KubeObject[] = pods.map((pod) => maskManifest({ ...pod, apiVersion: 'v1', kind: 'Pod' }));
  const above = workloads.map((workload) => maskManifest(workload));
  const known = new Set(above.map(({ metadata }) => metadata.uid));
  const objects = [
    ...asked,
    ...above,
    ...revisions.filter(({ metadata }) => !known.has(metadata.uid)).map((revision) => maskManifest(revision)),
    ...events.map((event) => ({ ...maskManifest(event), kind: 'Event' })),
    ...configMaps.map(configMapAround),
    ...secrets,
    ...quotas.map(quotaAround),
    ...services.map(serviceAround),
    ...claims.map(claimAround),
    ...storageClasses.map(storageClassAround),
    ...nodes.map(nodeAround),
    ...others.filter(({ metadata }) => !uids.has(metadata.uid)).map(podAround),
  ];
  const wanted = new Set(name === undefined ? [...asked, ...above] : asked);
  const isAsked = (object: KubeObject): boolean => wanted.has(object);
  const failing = failingCases({ objects, logs: [] }, isAsked);
  const speaking = pods.filter((pod) => failing.some(({ resource_kind, pod_name }) => isAbout(pod, resource_kind, pod_name)));
  const logs = await Promise.all(runsOf(speaking).map((run) => asFarAsAllowed('logs', readLog(client, namespace, run), undefined)));
  return { recording: { objects, logs: logs.filter((log) => log !== undefined) }, isAsked, refused: [...refused].toSorted() };
}

async function readPods(client: Client, namespace: string, name: string | undefined): Promise<Pod[]> {
  const pods = name === undefined ? await client.list(KINDS.pod, { namespace }) : [await client.read(KINDS.pod, namespace, name)];
  const found = pods.filter((pod) => pod !== undefined);
  if (found.length > 0) return found;
  if (!(await hasNamespace(client, namespace))) throw new InputError(`there is no namespace ${JSON.stringify(namespace)}`);
  if (name === undefined) return [];
  throw new InputError(`there is no pod ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace)}`);
}

/** Who may not read namespaces is not told that there is none. */
async function hasNamespace(client: Client, namespace: string): Promise<boolean> {
  try {
    return (await client.read(KINDS.namespace, undefined, namespace)) !== undefined;
  } catch (error) {
    if (isKubeError(error, 403)) return true;
    throw error;
  }
}

/** The workloads above a pod, the nearest first. */
async function readOwners(client: Client, pod: Pod | undefined): Promise<KubeObject[]> {
  const owners: KubeObject[] = [];
  for (let object: KubeObject | undefined = pod; object && owners.length < MAX_OWNERS;) {
    const { namespace, ownerReferences }: KubeObject['metadata'] = object.metadata;
    const reference = ownerReferences?.find(({ controller }) => controller);
    const kind = reference && Object.hasOwn(WORKLOADS, reference.kind) ? WORKLOADS[reference.kind] : undefined;
    object = kind && reference ? await client.read(kind, namespace, reference.name) : undefined;
    if (object) owners.push(object);
  }
  return owners;
}

/** Whether the log of a pod tells of a failure: its own, or that of the Job whose pod it is. */
function isAbout({ metadata }: Pod, kind: string, name: string): boolean {
  if (kind === 'Pod') return metadata.name === name;
  return kind === 'Job' && metadata.ownerReferences?.some((owner) => owner.kind === 'Job' && owner.name === name) === true;
}

type Run = Pick<RecordedLog, 'pod' | 'container' | 'previous'>;

/** The present and the previous run of every container that has run. */
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
  return { ...run, namespace, text: answer.kind === 'text' ? maskText(tail(answer.text)) : '' };
}
