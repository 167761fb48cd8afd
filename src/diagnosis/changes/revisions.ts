import type { KubeObject, PodSpec, PodTemplate, Workload } from '../../crd/kubernetes.ts';
import { maskManifest } from '../../redact/manifest.ts';
import { shapedManifest } from '../facts/manifest.ts';

/** The pod specs of a workload's newest and previous revision, with secrets masked. */
export interface Revisions {
  kind: string;
  name: string;
  /** The number of the previous revision, for `kubectl rollout undo --to-revision`. */
  before: number;
  /** How many pods of the previous revision are known to work now. If none is, it is only known that the revision existed. */
  serving: number;
  /** Whether the workload shows that pods of the previous revision worked and did not merely run. None of them need exist any more. */
  worked: boolean;
  /** The newest revision's value of the label that marks pods of a revision. */
  hash: string;
  current: PodSpec;
  previous: PodSpec;
}

/** The kinds of objects that hold each kind's history, and the label that marks pods of a revision. */
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

/** Whether workloads of this kind keep a history. */
export function hasHistory(kind: string): kind is keyof typeof HISTORY {
  return Object.hasOwn(HISTORY, kind);
}

/**
 * The newest two revisions of a workload. Objects of other owners and kinds in `history` are ignored. Undefined when there is no previous
 * revision, or when it has pods of which none works. Never throws; malformed objects are ignored.
 */
export function revisionsOf(workload: KubeObject, history: readonly KubeObject[]): Revisions | undefined {
  const { kind = '', metadata } = workload;
  if (!hasHistory(kind)) return undefined;
  const own = history.filter((object) => object.kind === HISTORY[kind].kept && isOwnedBy(object, metadata.uid));
  const revisions = own.flatMap((object) =>
    kind === 'Deployment' ? ofReplicaSet(object as Workload) : ofSet(workload as Workload, object),
  );
  const [current, ...older] = revisions.toSorted((a, b) => b.number - a.number);
  // A revision with working pods is preferred to a later one without any.
  const previous = older.find(({ serving }) => serving > 0) ?? older[0];
  if (!current || !previous || previous.number === current.number || previous.serving < 0) return undefined;
  const serving = isSteady(workload as Workload, { current, previous }) ? previous.serving : 0;
  return {
    kind,
    name: metadata.name ?? '',
    before: previous.number,
    serving,
    worked: serving > 0 || (previous === older[0] && hasWorked(workload as Workload, { current, previous, all: revisions })),
    hash: current.hash,
    current: maskManifest(current.template.spec),
    previous: maskManifest(previous.template.spec),
  };
}

/** A pod that stays ready for this long does not crash at its start. */
const STEADY_SECONDS = 10;

/**
 * Whether the workload shows that its previous revision worked. Readiness must be meaningful: without a probe, pods of a crash loop are
 * ready for a moment between two crashes. A Deployment becomes unavailable only after it was available, so if that condition changed after
 * the newest revision was created, the previous one was available. A StatefulSet marks a revision as current when all its pods were ready,
 * except for its first revision, which is current from the start.
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

/**
 * Whether ready pods of the previous revision work. Without a probe, pods of a crash loop are ready for a moment between two crashes, and their
 * Deployment changes its availability each time. So it must have been available since before the newest revision.
 */
function isSteady({ kind, spec, status = {} }: Workload, { current, previous }: Record<'current' | 'previous', Revision>): boolean {
  const available = kind === 'Deployment' ? status.conditions?.find(({ type }) => type === 'Available') : undefined;
  if (!available || meansReady(previous.template, Number(spec?.['minReadySeconds'] ?? 0))) return true;
  const [changed, made] = [available.lastTransitionTime, current.createdAt].map((at) => Date.parse(at ?? ''));
  return !changed || !made || (available.status === 'True' && changed <= made);
}

/** Whether pods of the template are available only when they work: each container has a probe, or must stay ready for some time. */
function meansReady({ spec: { containers } }: PodTemplate, minReadySeconds: number): boolean {
  return (
    minReadySeconds >= STEADY_SECONDS || containers.every(({ readinessProbe, startupProbe }) => Boolean(readinessProbe ?? startupProbe))
  );
}

function isOwnedBy({ metadata }: KubeObject, uid: string | undefined): boolean {
  const owners: unknown = metadata.ownerReferences;
  return Boolean(uid) && Array.isArray(owners) && owners.some((owner: { uid?: unknown } | null) => owner?.uid === uid);
}

/** The controller gives a ReplicaSet a new number when a rollback uses it again. */
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

/** A ControllerRevision holds a patch of the whole template. The set's status shows, as far as possible, how many pods of it work. */
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
