import type { Pod } from '../crd/kubernetes.ts';
import type { MirrorPod } from '../crd/mirrorpod.ts';
import type { NewTrial, TrialRepository } from '../db/trials.ts';
import type { KubeClient } from '../kube/connect.ts';
import { isKubeError, KubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import { readAdmission, type AdmissionAnswer } from '../mirrors/admission.ts';
import { hashTemplate, isolate, notesOf } from '../mirrors/isolate.ts';
import { mirrorNetworkPolicy } from '../mirrors/network.ts';
import type { MirrorFacts, State } from '../mirrors/status.ts';
import { untriedCause } from '../mirrors/untried.ts';
import { maskText } from '../redact/text.ts';
import type { Prepared } from './mirror-prepare.ts';
import { failSecondsOf } from './preview.ts';

export interface CreateDeps {
  client: KubeClient;
  trials: Pick<TrialRepository, 'insert'>;
  now(): Date;
}

/** Of what the source said, a trial keeps no more. */
const MAX_MESSAGE = 1_000;

/** What became of it: where the mirror stands, and what is now known. */
export interface Made {
  state: State;
  facts: Partial<MirrorFacts>;
  pod?: Pod;
}

/**
 * Makes the mirror pod: dry run, trial row, NetworkPolicy, pod, in this order, so that whatever ends the process in between, the
 * next pass finds nothing that it may not do again. The row comes before the pod: nothing ever runs of which no trace is left.
 */
export async function createMirror(
  { client, trials, now }: CreateDeps,
  mirror: MirrorPod,
  { prepared, expiresAt }: { prepared: Prepared; expiresAt: Date },
): Promise<Made> {
  // Never longer than its whole time, wherever the clock was set: the kubelet ends it by this.
  const begin = Math.max(now().getTime(), Date.parse(mirror.metadata.creationTimestamp ?? '') || 0);
  const secondsLeft = (expiresAt.getTime() - begin) / 1000;
  // What came before may have taken long.
  if (secondsLeft < 1) return { state: OUT_OF_TIME, facts: {} };
  const pod = podOf(mirror, prepared, secondsLeft);
  const { correction, record, source } = prepared;
  const facts = { correction };
  const submit = async (options: { dryRun?: boolean }) => {
    const answer = await admission(() => client.create(KINDS.pod, pod, options));
    if (answer?.kind === 'refused' && answer.reason === 'NameTaken' && (await isMade(client, mirror, pod)))
      throw new Error('a try that was given up has made the mirror pod after all; the next pass finds it');
    return answer;
  };
  const dryRun = await submit({ dryRun: true });
  const isRefused = dryRun?.kind === 'refused' || dryRun?.kind === 'waiting';
  // What a policy refuses has its verdict, and so its row.
  if (record && !isRefused) await trials.insert(trialOf(mirror, prepared, now()));
  if (dryRun && dryRun.kind !== 'unknown') return { state: stateOf(dryRun), facts };
  const { policies } = prepared.neighbours;
  await unlessThere(() => client.create(KINDS.networkPolicy, mirrorNetworkPolicy(mirror, source, policies)));
  const refusal = await submit({});
  if (refusal && refusal.kind !== 'unknown') return { state: stateOf(refusal), facts };
  const created = await client.read(KINDS.pod, pod.metadata.namespace, pod.metadata.name ?? '');
  const known = { ...facts, validationUnknown: dryRun !== undefined };
  return created
    ? { state: { kind: 'running' }, facts: { ...known, ...factsOf(created) }, pod: created }
    : { state: { kind: 'running' }, facts: known };
}

const OUT_OF_TIME: State = { kind: 'pending', reason: 'TimeOver', message: 'The time is over before the pod could be made.' };

/** Whether the mirror's own pod is there. */
async function isMade(client: KubeClient, mirror: MirrorPod, { metadata }: Pod): Promise<boolean> {
  const found = await client.read(KINDS.pod, metadata.namespace, metadata.name ?? '');
  return found?.metadata.ownerReferences?.some(({ uid }) => uid === mirror.metadata.uid) === true;
}

function trialOf({ metadata }: MirrorPod, { correction, record, source }: Prepared, startedAt: Date): NewTrial {
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
          seconds_to_fail: failSecondsOf(record, source),
        }
      : null,
    shown_after: null,
    origin: correction.origin,
    changes: correction.changes ?? [],
    started_at: startedAt,
  };
}

/** The pod that a mirror would run now. */
export function podOf(
  mirror: MirrorPod,
  { source, template, correction, neighbours, record }: Omit<Prepared, 'kind'>,
  secondsLeft: number,
): Pod {
  const untried = untriedCause(source, record ?? {}, template);
  return isolate({
    mirror,
    source,
    template,
    neighbours,
    secondsLeft,
    notes: {
      templateHash: hashTemplate(mirror.spec.template ?? template),
      failSeconds: failSecondsOf(record, source),
      correction,
      ...(untried ? { untried } : {}),
      ...(record ? { failureId: record.id, reasonBefore: record.failure_reason } : {}),
    },
  });
}

/** What the pod itself tells for the status. */
export function factsOf(pod: Pod): Partial<MirrorFacts> {
  const { name = '', creationTimestamp } = pod.metadata;
  const { templateHash, correction } = notesOf(pod);
  return {
    podName: name,
    ...(correction ? { correction } : {}),
    ...(creationTimestamp ? { startTime: creationTimestamp } : {}),
    ...(templateHash ? { templateHash } : {}),
  };
}

/** The API server's answer where it says something about the pod; undefined when it took it. Other errors are thrown. */
export async function admission(create: () => Promise<unknown>): Promise<AdmissionAnswer | undefined> {
  try {
    await create();
    return undefined;
  } catch (error) {
    if (isKubeError(error, 409) && error.reason === 'AlreadyExists')
      return { kind: 'refused', reason: 'NameTaken', message: 'Another pod has the name of the mirror pod.' };
    const answer = error instanceof KubeError ? readAdmission(error) : undefined;
    if (!answer) throw error;
    // The message quotes the manifest, in which the source's own values stand.
    return 'message' in answer ? { ...answer, message: maskText(answer.message) } : answer;
  }
}

function stateOf(answer: Exclude<AdmissionAnswer, { kind: 'unknown' }>): State {
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
