import type { FailureDetail } from '../contract/failure.ts';
import type { Pod } from '../crd/kubernetes.ts';
import { MANAGED_BY, MANAGED_BY_LABEL } from '../crd/managed.ts';
import type { MirrorPod } from '../crd/mirrorpod.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { NewTrial, TrialRepository } from '../db/trials.ts';
import type { KubeClient } from '../kube/client.ts';
import { isKubeError, KubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import { maskText } from '../redact/text.ts';
import { firstObjection, type MirrorRequest, type Objection, once, REQUEST_CHECKS, ROOM_CHECK } from './approval.ts';
import { evidenceOf, readNeighbours, recordFor } from './evidence.ts';
import { findSource } from './find-source.ts';
import { factsOf, hashTemplate } from './policy/mirror-notes.ts';
import { readAdmission, type AdmissionAnswer } from './policy/admission.ts';
import { isolate } from './policy/isolated-pod.ts';
import { type CountedMirror, type MirrorLimits, mirrorsAhead, reachedLimit } from './policy/limits.ts';
import { mirrorNetworkPolicy } from './policy/network.ts';
import { type Neighbours, type Source, strippedCause } from './policy/source.ts';
import type { MirrorFacts, MirrorState } from './policy/status.ts';
import { writtenManifest } from './policy/written-correction.ts';
import { chooseCorrection, type ChosenCorrection, type CorrectionDeps, historyFor } from './preview.ts';

export interface PrepareDeps extends CorrectionDeps {
  client: KubeClient;
  failures: Pick<FailureRepository, 'record' | 'detail' | 'openByPod' | 'hasPod'>;
  limits: MirrorLimits;
  /** All MirrorPods: at least this one and all older ones. Templates and annotations are not needed. */
  mirrorPods(): Promise<MirrorPod[]>;
  /** `MIRRORS_ENABLED`. */
  enabled: boolean;
  now(): Date;
}

/** Everything that creating the mirror pod needs. */
export interface Prepared extends ChosenCorrection {
  kind: 'ready';
  source: Source;
  neighbours: Neighbours;
  record: FailureDetail | undefined;
}

/** Runs the checks for a MirrorPod and reads the parts of its pod. Changes nothing. */
export async function prepareMirror(deps: PrepareDeps, mirror: MirrorPod): Promise<Prepared | Objection> {
  const request = requestOf(deps, mirror);
  const objection = await firstObjection(request, [...REQUEST_CHECKS, ROOM_CHECK]);
  if (objection) return objection;
  const [source, chosen, { record }] = await Promise.all([request.source(), request.correction(), request.record()]);
  if (!source || 'refusal' in chosen) throw new Error('the checks passed a mirror without a source or a correction');
  return { kind: 'ready', ...chosen, source, neighbours: await readNeighbours(deps.client, source.namespace), record };
}

function requestOf(deps: PrepareDeps, mirror: MirrorPod): MirrorRequest {
  const { client, failures, now } = deps;
  const { namespace = '', labels } = mirror.metadata;
  const { name } = mirror.spec.source;
  const record = once(async () => {
    const pod = mirror.spec.failureId === undefined ? await client.read(KINDS.pod, namespace, name) : undefined;
    return recordFor(mirror, failures, pod?.metadata.uid);
  });
  const source = once(async () => findSource(client, { namespace, name, workload: (await record()).record?.workload ?? null }));
  return {
    enabled: deps.enabled,
    namespace,
    isDenied: false,
    isFromApi: labels?.[MANAGED_BY_LABEL] === MANAGED_BY,
    hasAcknowledged: mirror.spec.acknowledgeSideEffects === true,
    record,
    source,
    correction: once(async () => {
      const [found, known] = [(await source()) as Source, (await record()).record];
      const evidence = async () => known ?? (await evidenceOf(client, found, now()));
      return chooseCorrection(deps, { mirror, source: found, record: known, evidence });
    }),
    limit: async () => limitReachedBy(deps, mirror, { record: (await record()).record, all: await deps.mirrorPods() }),
  };
}

/** A sentence about the limit that the live mirrors among `all` have reached; undefined if there is room for this mirror. */
export async function limitReachedBy(
  { failures, limits, now }: Pick<PrepareDeps, 'limits' | 'now'> & { failures: Pick<FailureRepository, 'detail' | 'openByPod' | 'hasPod'> },
  mirror: MirrorPod,
  { record, all }: { record: FailureDetail | undefined; all: readonly MirrorPod[] },
): Promise<string | undefined> {
  const { namespace = '' } = mirror.metadata;
  // Many mirrors of one source share one query.
  const records = new Map<string, ReturnType<typeof recordFor>>();
  const counted = async (other: MirrorPod): Promise<CountedMirror> => {
    if (other.metadata.namespace !== namespace) return { mirror: other, incident: '' };
    const key = `${other.spec.failureId ?? ''}/${other.spec.source.name}`;
    const match = records.get(key) ?? recordFor(other, failures);
    records.set(key, match);
    return { mirror: other, incident: incidentOf((await match).record, other) };
  };
  const ahead = await Promise.all(mirrorsAhead(mirror, all, now()).map(counted));
  return reachedLimit(ahead, { namespace, incident: incidentOf(record, mirror) }, limits);
}

/** A text that the mirrors of one incident share. Without a record, the mirrors of one pod share it. */
function incidentOf(record: FailureDetail | undefined, { spec }: MirrorPod): string {
  return record ? `incident ${record.incident_id}` : `pod ${spec.source.name}`;
}

/** The result of the creation: the state of the mirror, and the facts about it. */
export interface CreateResult {
  state: MirrorState;
  facts: Partial<MirrorFacts>;
  pod?: Pod;
}

export interface CreateDeps {
  client: KubeClient;
  trials: Pick<TrialRepository, 'insert'>;
  now(): Date;
}

/**
 * Creates the mirror pod: dry run, trial row, NetworkPolicy, pod. When the process ends in between, the next pass can repeat all steps. The
 * row comes first, so that no mirror runs without a record.
 */
export async function createMirror(
  { client, trials, now }: CreateDeps,
  mirror: MirrorPod,
  { prepared, expiresAt }: { prepared: Prepared; expiresAt: Date },
): Promise<CreateResult> {
  // The pod must not live longer, even if the clock was set back.
  const start = Math.max(now().getTime(), Date.parse(mirror.metadata.creationTimestamp ?? '') || 0);
  const secondsLeft = (expiresAt.getTime() - start) / 1000;
  // The checks may have taken a long time.
  if (secondsLeft < 1) return { state: OUT_OF_TIME, facts: {} };
  const pod = podOf(mirror, prepared, secondsLeft);
  const { correction, record, source } = prepared;
  const facts = { correction };
  const submit = async (options: { dryRun?: boolean }) => {
    const answer = await admission(() => client.create(KINDS.pod, pod, options));
    if (answer?.kind === 'refused' && answer.reason === 'NameTaken' && (await isCreated(client, mirror, pod)))
      throw new Error('an earlier try that seemed to fail has created the mirror pod; the next pass finds it');
    return answer;
  };
  const dryRun = await submit({ dryRun: true });
  const isRefused = dryRun?.kind === 'refused' || dryRun?.kind === 'waiting';
  // A refusal by a policy is a verdict, and every verdict has a row.
  if (record && !isRefused) await trials.insert(trialOf(mirror, prepared, now()));
  if (dryRun && dryRun.kind !== 'unknown') return { state: stateOf(dryRun), facts };
  await unlessThere(() => client.create(KINDS.networkPolicy, mirrorNetworkPolicy(mirror, source, prepared.neighbours.policies)));
  const refusal = await submit({});
  if (refusal && refusal.kind !== 'unknown') return { state: stateOf(refusal), facts };
  const created = await client.read(KINDS.pod, pod.metadata.namespace, pod.metadata.name ?? '');
  const known = { ...facts, validationUnknown: dryRun !== undefined };
  return created
    ? { state: { kind: 'running' }, facts: { ...known, ...factsOf(created) }, pod: created }
    : { state: { kind: 'running' }, facts: known };
}

const OUT_OF_TIME: MirrorState = { kind: 'pending', reason: 'TimeOver', message: 'The time is over before the pod could be made.' };

/** Whether the pod exists and belongs to this mirror. */
async function isCreated(client: KubeClient, mirror: MirrorPod, { metadata }: Pod): Promise<boolean> {
  const found = await client.read(KINDS.pod, metadata.namespace, metadata.name ?? '');
  return found?.metadata.ownerReferences?.some(({ uid }) => uid === mirror.metadata.uid) === true;
}

/** A trial keeps this many characters of the source's message. */
const MAX_MESSAGE = 1_000;

function trialOf({ metadata }: MirrorPod, { correction, record, source, template }: Prepared, startedAt: Date): NewTrial {
  return {
    mirror_id: metadata.uid ?? '',
    failure_id: record?.id ?? 0,
    verdict: null,
    reason_before: record?.failure_reason ?? null,
    reason_after: null,
    shown_before: record
      ? {
          message: record.failure_message.slice(0, MAX_MESSAGE),
          restarts: (record.container_statuses ?? []).reduce((sum, { restart_count = 0 }) => sum + (restart_count ?? 0), 0),
          seconds_to_fail: historyFor(record, source).longestRunSeconds,
        }
      : null,
    shown_after: null,
    origin: correction.origin,
    changes: correction.changes ?? [],
    started_at: startedAt,
    ...(correction.origin === 'Given' ? { written: writtenManifest(source, template) } : {}),
  };
}
/** The pod that the mirror would run. */
export function podOf(
  mirror: MirrorPod,
  { source, template, correction, neighbours, record }: Omit<Prepared, 'kind'>,
  secondsLeft: number,
): Pod {
  const cause = strippedCause(source, record ?? {}, template);
  return isolate({
    mirror,
    source,
    template,
    neighbours,
    secondsLeft,
    notes: {
      templateHash: hashTemplate(mirror.spec.template ?? template),
      history: historyFor(record, source),
      ...backoffLimitOf(source),
      correction,
      ...(cause ? { strippedCause: cause } : {}),
      ...(record ? { failureId: record.id, reasonBefore: record.failure_reason } : {}),
    },
  });
}

function backoffLimitOf({ owner }: Source): { backoffLimit?: number } {
  const limit = owner?.kind === 'Job' ? owner.spec['backoffLimit'] : undefined;
  return typeof limit === 'number' ? { backoffLimit: limit } : {};
}

/** Returns the API server's refusal if it concerns the pod, and undefined if the API server accepts the pod. Throws other errors. */
export async function admission(create: () => Promise<unknown>): Promise<AdmissionAnswer | undefined> {
  try {
    await create();
    return undefined;
  } catch (error) {
    if (isKubeError(error, 409) && error.reason === 'AlreadyExists')
      return { kind: 'refused', reason: 'NameTaken', message: 'Another pod has the name of the mirror pod.' };
    const answer = error instanceof KubeError ? readAdmission(error) : undefined;
    if (!answer) throw error;
    // The message may quote values of the manifest, so it is masked.
    return 'message' in answer ? { ...answer, message: maskText(answer.message) } : answer;
  }
}

function stateOf(answer: Exclude<AdmissionAnswer, { kind: 'unknown' }>): MirrorState {
  const { kind, reason, message } = answer;
  if (kind === 'refused') return { kind, reason, message };
  if (kind === 'waiting') return { kind: 'pending', reason, message };
  return { kind: 'judged', judgement: { verdict: 'Inconclusive', reason, message }, completed: false };
}

async function unlessThere(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!isKubeError(error, 409)) throw error;
  }
}
