import type { FailureDetail } from '../contract/failure.ts';
import type { PodTemplate } from '../crd/kubernetes.ts';
import { MANAGED_BY, MANAGED_BY_LABEL } from '../crd/managed.ts';
import type { MirrorPod } from '../crd/mirrorpod.ts';
import type { FailureRepository } from '../db/failures.ts';
import { isMirrorPod } from '../failures/evidence.ts';
import type { KubeClient } from '../kube/connect.ts';
import { KINDS } from '../kube/kinds.ts';
import { findSource, readNeighbours } from '../kube/source.ts';
import { baselineViolations } from '../mirrors/baseline.ts';
import { aheadOf, reachedLimit, type Counted, type MirrorLimits } from '../mirrors/limits.ts';
import { isJobLike, isStaticPod, type Neighbours, type Source } from '../mirrors/source.ts';
import type { Prospect } from '../mirrors/decide.ts';
import { chooseCorrection, type Chosen, type CorrectionDeps } from './mirror-correction.ts';
import { evidenceOf, recordFor } from './mirror-evidence.ts';

export interface PrepareDeps extends CorrectionDeps {
  client: KubeClient;
  failures: Pick<FailureRepository, 'record' | 'detail' | 'openByPod'>;
  limits: MirrorLimits;
  /** Every MirrorPod, this one and all older ones at least; templates and annotations are not asked for. */
  mirrorPods(): Promise<MirrorPod[]>;
  /** `MIRRORS_ENABLED`. */
  enabled: boolean;
  now(): Date;
}

/** All that making the pod needs. */
export interface Prepared extends Chosen {
  kind: 'ready';
  source: Source;
  neighbours: Neighbours;
  record: FailureDetail | undefined;
}

/** Looks whether a mirror may be made now, and of what. Reads only. */
export async function prepareMirror(deps: PrepareDeps, mirror: MirrorPod): Promise<Prepared | Exclude<Prospect, { kind: 'ready' }>> {
  const { client, failures, now } = deps;
  const namespace = mirror.metadata.namespace ?? '';
  if (!deps.enabled) return refused('MirrorsDisabled', 'This installation runs no mirrors.');
  const isNamed = mirror.spec.failureId !== undefined;
  const pod = isNamed ? undefined : await client.read(KINDS.pod, namespace, mirror.spec.source.name);
  const { record, mismatch } = await recordFor(mirror, failures, pod?.metadata.uid);
  if (mismatch) return refused('FailureMismatch', 'spec.failureId names no failure record of the source.');
  const source = await findSource(client, { namespace, name: mirror.spec.source.name, workload: record?.workload ?? null });
  if (!source) return { kind: 'gone' };
  const unfit = unfitness(source) ?? unlessOfApi(mirror, source);
  if (unfit) return unfit;
  const chosen = await chooseCorrection(deps, {
    mirror,
    source,
    record,
    evidence: async () => record ?? (await evidenceOf(client, source, now())),
  });
  if ('refusal' in chosen) return refused(chosen.refusal.reason, chosen.refusal.message);
  if (needsAcknowledgement(source, chosen.template) && !mirror.spec.acknowledgeSideEffects) return refused('SideEffects', SIDE_EFFECTS);
  const ahead = await countAhead(deps, mirror, await deps.mirrorPods());
  const full = reachedLimit(ahead, { namespace, incident: incidentOf(record, mirror) }, deps.limits);
  if (full) return { kind: 'waiting', reason: 'LimitReached', message: full };
  return { kind: 'ready', ...chosen, source, neighbours: await readNeighbours(client, namespace), record };
}

const SIDE_EFFECTS =
  'The source does its work once, and a mirror would do it again: set spec.acknowledgeSideEffects to true if it may send, migrate or bill a second time.';

function refused(reason: string, message: string): { kind: 'refused'; reason: string; message: string } {
  return { kind: 'refused', reason, message };
}

/** Why this source is never mirrored, whoever asks. */
export function unfitness({ pod }: Pick<Source, 'pod'>): (Prospect & { kind: 'refused' }) | undefined {
  if (pod && isMirrorPod(pod)) return refused('MirrorOfMirror', 'The source is itself a mirror.');
  if (pod && isStaticPod(pod.metadata)) return refused('StaticPod', 'The source is a static pod of its node, which is never mirrored.');
  return undefined;
}

/**
 * The API lends its users no more than Pod Security baseline, and it looked when it made the MirrorPod: a source that has been given
 * more power since is not run for them either.
 */
function unlessOfApi({ metadata }: MirrorPod, source: Source): (Prospect & { kind: 'refused' }) | undefined {
  const unsafe = metadata.labels?.[MANAGED_BY_LABEL] === MANAGED_BY ? baselineViolations(source.template) : [];
  return unsafe.length === 0 ? undefined : refused('PrivilegedSource', `The source fails Pod Security baseline: ${unsafe.join(', ')}.`);
}

/** The source or its correction may act on the world by running once more. */
export function needsAcknowledgement(source: Source, template: PodTemplate): boolean {
  return isJobLike(source) || isJobLike(source, template);
}

/** The live mirrors among `all` before this one, with the incident of each that lives in its namespace. */
export async function countAhead(
  { failures, now }: Pick<PrepareDeps, 'now'> & { failures: Pick<FailureRepository, 'detail' | 'openByPod'> },
  mirror: MirrorPod,
  all: readonly MirrorPod[],
): Promise<Counted[]> {
  const ahead = aheadOf(mirror, all, now());
  // Many mirrors of one source ask the database once.
  const known = new Map<string, ReturnType<typeof recordFor>>();
  const incident = async (other: MirrorPod): Promise<string> => {
    if (other.metadata.namespace !== mirror.metadata.namespace) return '';
    const key = `${other.spec.failureId ?? ''}/${other.spec.source.name}`;
    const found = known.get(key) ?? recordFor(other, failures);
    known.set(key, found);
    return incidentOf((await found).record, other);
  };
  return Promise.all(ahead.map(async (other) => ({ mirror: other, incident: await incident(other) })));
}

/** Mirrors of one incident share this word; without a record, those of one pod do. */
export function incidentOf(record: FailureDetail | undefined, { spec }: MirrorPod): string {
  return record ? `incident ${record.incident_id}` : `pod ${spec.source.name}`;
}
