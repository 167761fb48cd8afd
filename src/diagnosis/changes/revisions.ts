import type { KubeObject, PodSpec, PodTemplate, Workload } from '../../crd/kubernetes.ts';
import { maskManifest } from '../../redact/manifest.ts';
import { shapedManifest } from '../facts/manifest.ts';

/** The pod specs of a workload's newest revision and of the one before; secrets masked. */
export interface Revisions {
  kind: string;
  name: string;
  /** Of the revision before, as `kubectl rollout undo --to-revision` takes it. */
  before: number;
  /** How many pods of the revision before are ready now. With some it works; with none it only ran once. */
  serving: number;
  /** Whether the workload shows that pods of the revision before worked, not only that they ran, though none may be there any more. */
  worked: boolean;
  /** The newest revision's value of the label that shows a pod's revision. */
  hash: string;
  current: PodSpec;
  previous: PodSpec;
}

/** In which objects each kind keeps its history, and the label that shows a pod's revision. */
export const HISTORY = {
  Deployment: { kept: 'ReplicaSet', label: 'pod-template-hash' },
  StatefulSet: { kept: 'ControllerRevision', label: 'controller-revision-hash' },
  DaemonSet: { kept: 'ControllerRevision', label: 'controller-revision-hash' },
} as const;

interface Revision {
  number: number;
  name: string;
  createdAt: string;
  hash: string;
  serving: number;
  template: PodTemplate;
}

/** Whether a workload of this kind keeps a history. */
export function hasHistory(kind: string): kind is keyof typeof HISTORY {
  return Object.hasOwn(HISTORY, kind);
}

/**
 * The newest two revisions of a workload. Objects of other owners and kinds in `history` are ignored. undefined when there is no revision before,
 * or when it has pods and none of them works. Total: objects of another shape are ignored.
 */
export function revisionsOf(workload: KubeObject, history: readonly KubeObject[]): Revisions | undefined {
  const { kind = '', metadata } = workload;
  if (!hasHistory(kind)) return undefined;
  const own = history.filter((object) => object.kind === HISTORY[kind].kept && isOwnedBy(object, metadata.uid));
  const revisions = own.flatMap((object) =>
    kind === 'Deployment' ? ofReplicaSet(object as Workload) : ofSet(workload as Workload, object),
  );
  const [current, ...older] = revisions.toSorted((a, b) => b.number - a.number);
  // One whose pods work now is worth more than a later one of which nothing is left.
  const previous = older.find(({ serving }) => serving > 0) ?? older[0];
  if (!current || !previous || previous.number === current.number || previous.serving < 0) return undefined;
  return {
    kind,
    name: metadata.name ?? '',
    before: previous.number,
    serving: previous.serving,
    worked: previous.serving > 0 || (previous === older[0] && hasWorked(workload as Workload, { current, previous, all: revisions })),
    hash: current.hash,
    current: maskManifest(current.template.spec),
    previous: maskManifest(previous.template.spec),
  };
}

/** A pod that stays ready for so long does not crash as soon as it starts. */
const STEADY_SECONDS = 10;

/**
 * Whether the workload shows that the revision before worked. Being ready must have meant something: pods of a crash loop are ready for a
 * moment between two crashes where nothing asks them. A Deployment stops being available only after it was, so a change of that condition
 * after the newest revision was made tells of the one before. A StatefulSet calls a revision current when all its pods were ready, but its
 * first one from the start.
 */
function hasWorked(
  { kind, spec, status = {} }: Workload,
  { current, previous, all }: Record<'current' | 'previous', Revision> & { all: Revision[] },
): boolean {
  if (!meansReady(previous.template, Number(spec?.['minReadySeconds'] ?? 0))) return false;
  if (kind === 'StatefulSet')
    return (
      all.some(({ createdAt }) => createdAt < previous.createdAt) &&
      status['currentRevision'] === previous.name &&
      status['updateRevision'] === current.name
    );
  const available = status.conditions?.find(({ type }) => type === 'Available');
  const [changed, made, before] = [available?.lastTransitionTime, current.createdAt, previous.createdAt].map((at) => Date.parse(at ?? ''));
  if (kind !== 'Deployment' || available?.status !== 'False' || !changed || !made || !before) return false;
  return changed >= made && before < made;
}

/** Whether pods of the template have shown that they work when they are called available: to a probe of each container, or by lasting. */
function meansReady({ spec: { containers } }: PodTemplate, minReadySeconds: number): boolean {
  return (
    minReadySeconds >= STEADY_SECONDS || containers.every(({ readinessProbe, startupProbe }) => Boolean(readinessProbe ?? startupProbe))
  );
}

function isOwnedBy({ metadata }: KubeObject, uid: string | undefined): boolean {
  const owners: unknown = metadata.ownerReferences;
  return Boolean(uid) && Array.isArray(owners) && owners.some((owner: { uid?: unknown } | null) => owner?.uid === uid);
}

/** The controller gives a ReplicaSet a new number when an undo brings it back. */
function ofReplicaSet({ metadata, spec, status }: Workload): Revision[] {
  const number = Number(metadata.annotations?.['deployment.kubernetes.io/revision'] ?? 0);
  const template = templateIn(spec);
  const hash = metadata.labels?.[HISTORY.Deployment.label] ?? '';
  const ready = Number(status?.['readyReplicas'] ?? 0);
  const isBroken = ready === 0 && Number(status?.['replicas'] ?? 0) > 0;
  return number > 0 && template
    ? [{ number, name: metadata.name ?? '', createdAt: metadata.creationTimestamp ?? '', hash, serving: isBroken ? -1 : ready, template }]
    : [];
}

/** A ControllerRevision holds a patch of the whole template. The set's own counts show, as far as possible, how many pods of it work. */
function ofSet({ status = {} }: Workload, object: KubeObject): Revision[] {
  const { revision, data, metadata } = object as KubeObject & { revision?: unknown; data?: { spec?: unknown } };
  const template = templateIn(data?.spec);
  if (typeof revision !== 'number' || !template) return [];
  const count = (field: string): number => Number(status[field] ?? 0);
  const isCurrent = status['currentRevision'] === metadata.name && status['updateRevision'] !== metadata.name;
  const stillReady = isCurrent ? Math.min(count('currentReplicas'), count('readyReplicas')) : 0;
  const surplus = count('numberReady') - count('updatedNumberScheduled');
  const hash = metadata.labels?.['controller.kubernetes.io/hash'] ?? metadata.name ?? '';
  return [
    {
      number: revision,
      name: metadata.name ?? '',
      createdAt: metadata.creationTimestamp ?? '',
      hash,
      serving: Math.max(stillReady, surplus, 0),
      template,
    },
  ];
}

function templateIn(spec: unknown): PodTemplate | undefined {
  const template = (spec as { template?: unknown } | null | undefined)?.template;
  if (typeof template !== 'object' || template === null) return undefined;
  const shaped = shapedManifest({ kind: 'Pod', metadata: {}, spec: (template as { spec?: unknown }).spec });
  return shaped && (template as PodTemplate);
}
