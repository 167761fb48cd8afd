import { setCondition, instant, type Stated } from '../../crd/condition.ts';
import type { Condition } from '../../crd/kubernetes.ts';
import {
  REQUESTED_AT_ANNOTATION,
  type MirrorCorrection,
  type MirrorEvidence,
  type MirrorPhase,
  type MirrorPod,
  type MirrorPodStatus,
  type MirrorRevision,
} from '../../crd/mirrorpod.ts';
import { withoutUndefined } from '../../crd/without-undefined.ts';
import { hashTemplate } from './mirror-notes.ts';
import type { Judgement } from './verdict.ts';

/** The state of a mirror. `reason` is a CamelCase constant, `message` a stable sentence. */
export type MirrorState =
  /** Waiting, validating, creating. */
  | { kind: 'pending'; reason: string; message: string }
  /** Only the user can help, but the pass looks again until the time is over. */
  | { kind: 'stalled'; reason: string; message: string }
  | { kind: 'refused'; reason: string; message: string }
  | { kind: 'running' }
  | { kind: 'judged'; judgement: Judgement; completed: boolean }
  /** The time is over and the object stays. */
  | { kind: 'expired' }
  /** Nothing is new, so the status stays. */
  | { kind: 'standing' };

/** Facts about a mirror besides its state. */
export interface MirrorFacts {
  expiresAt: Date;
  podName?: string;
  /** RFC 3339. */
  startTime?: string;
  templateHash?: string;
  correction?: MirrorCorrection;
  evidence?: MirrorEvidence;
  /** The mirror has ended, and its verdict is the last one. */
  isFinal?: boolean;
  /** A webhook does not support dry run, so only the creation shows whether the cluster accepts the pod. */
  validationUnknown?: boolean;
}

/** The whole status of a mirror in `state`. Unchanged conditions keep their times, and facts that were known stay. */
export function statusOf(mirror: MirrorPod, state: MirrorState, facts: MirrorFacts, now: Date): MirrorPodStatus {
  const before = mirror.status ?? {};
  const generation = mirror.metadata.generation ?? 0;
  const verdict = state.kind === 'judged' ? state.judgement.verdict : before.verdict;
  const { expiresAt, validationUnknown: _1, isFinal: _2, ...known } = facts;
  const { podName, startTime, templateHash, correction, evidence } = { ...before, ...known };
  const stated = [
    ...conditionsOf(state, facts, before),
    ...aboutTemplate(mirror, withoutUndefined({ templateHash, verdict })),
    ...finality(state, facts, before),
  ];
  let conditions: Condition[] = before.conditions ?? [];
  // The last entry of each type counts.
  for (const one of new Map(stated.map((entry) => [entry.type, entry])).values())
    conditions = setCondition(conditions, one, now, generation);
  return {
    observedGeneration: generation,
    phase: phaseOf(state, before.phase),
    expirationTime: instant(expiresAt),
    ...withoutUndefined({ podName, startTime, templateHash, correction, verdict, evidence, lastHandledReconcileAt: requestedAt(mirror) }),
    ...withoutUndefined({ revisions: revisionsOf(before, state, now) }),
    // Unchanged conditions get the current generation too, because `kubectl wait` expects it.
    conditions: conditions.map((one) => (one.observedGeneration === generation ? one : { ...one, observedGeneration: generation })),
  };
}

/** The most revisions in a status. There are never many: a verdict can only regress, recover and regress again. */
const MAX_REVISIONS = 8;

function revisionsOf(
  { verdict, conditions = [], revisions }: MirrorPodStatus,
  state: MirrorState,
  now: Date,
): MirrorRevision[] | undefined {
  const reason = conditions.find(({ type }) => type === 'Fixed')?.reason;
  if (state.kind !== 'judged' || !verdict) return revisions;
  const { judgement } = state;
  if (judgement.verdict === verdict && conditionReason(judgement.reason) === reason) return revisions;
  const { failure, message } = judgement;
  const revision = { time: instant(now), from: verdict, verdict: judgement.verdict, reason: judgement.reason, message };
  return [...(revisions ?? []), { ...revision, ...(failure ? { failure } : {}) }].slice(-MAX_REVISIONS);
}

/** The condition that tells whether the verdict is final; empty while no pod was created and the time is not over. */
function finality(state: MirrorState, { isFinal, podName }: MirrorFacts, before: MirrorPodStatus): Stated[] {
  if (isFinal || state.kind === 'expired')
    return [{ type: 'Final', status: 'True', reason: 'Ended', message: 'The mirror has ended: its verdict is the last one.' }];
  if (before.conditions?.some(({ type, status }) => type === 'Final' && status === 'True') || !(podName ?? before.podName)) return [];
  return [
    { type: 'Final', status: 'False', reason: 'Watched', message: 'The mirror is watched until it ends, and its verdict may be revised.' },
  ];
}

/** The last value of the annotation that requests a pass. It is kept after the annotation was removed. */
function requestedAt({ metadata, status }: MirrorPod): string | undefined {
  return metadata.annotations?.[REQUESTED_AT_ANNOTATION]?.slice(0, 256) ?? status?.lastHandledReconcileAt;
}

const TEMPLATE_CHANGED = 'TemplateChanged';

/**
 * The condition for a template that was changed after the mirror ran. The admission policy forbids such changes, but it may be missing.
 * The verdict stays, because it belongs to the template with `templateHash`. Nothing has tried the new template, and only its author can help.
 */
function aboutTemplate(
  { spec, status }: MirrorPod,
  { templateHash, verdict }: Pick<MirrorPodStatus, 'templateHash' | 'verdict'>,
): Stated[] {
  if (templateHash && spec.template && hashTemplate(spec.template) !== templateHash)
    return halted(
      TEMPLATE_CHANGED,
      'spec.template was changed after the mirror was made, and what ran is the earlier one: create another MirrorPod to try another correction.',
    );
  const wasChanged = status?.conditions?.some(({ type, reason }) => type === 'Ready' && reason === TEMPLATE_CHANGED);
  return wasChanged && verdict ? settled() : [];
}

function phaseOf(state: MirrorState, before: MirrorPhase | undefined): MirrorPhase {
  if (state.kind === 'standing') return before ?? 'Pending';
  if (state.kind !== 'judged') return PHASES[state.kind];
  if (state.judgement.verdict !== 'Fixed') return 'Failed';
  return state.completed ? 'Succeeded' : 'Running';
}

const PHASES = { pending: 'Pending', stalled: 'Pending', refused: 'Rejected', running: 'Running', expired: 'Expired' } as const;

const FIXED = { Fixed: 'True', StillFailing: 'False', Inconclusive: 'Unknown' } as const;

function conditionsOf(state: MirrorState, facts: MirrorFacts, before: MirrorPodStatus): Stated[] {
  switch (state.kind) {
    case 'pending':
      return working(state.reason, state.message);
    case 'stalled':
      return halted(state.reason, state.message);
    case 'refused':
      return [{ type: 'Validated', status: 'False', reason: state.reason, message: state.message }, ...halted(state.reason, state.message)];
    case 'running':
      return [...created(facts, before), ...working('NotYetJudged', 'The mirror pod runs and is watched.')];
    case 'judged':
      return [...(facts.podName || before.podName ? created(facts, before) : []), ...judged(state.judgement)];
    case 'expired':
      return hasEnded(before) ? [] : halted('Expired', 'The time was over before the mirror could run.');
    case 'standing':
      return [];
  }
}

const hasEnded = ({ verdict, phase }: MirrorPodStatus): boolean => Boolean(verdict) || phase === 'Rejected' || phase === 'Expired';

function working(reason: string, message: string): Stated[] {
  return [
    { type: 'Ready', status: 'False', reason, message },
    { type: 'Reconciling', status: 'True', reason, message },
    { type: 'Stalled', status: 'False', reason: 'Progressing', message: 'Nothing is needed from the author.' },
  ];
}

function judged({ verdict, reason, message }: Judgement): Stated[] {
  return [{ type: 'Fixed', status: FIXED[verdict], reason: conditionReason(reason), message }, ...settled()];
}

function settled(): Stated[] {
  return [
    { type: 'Ready', status: 'True', reason: 'Judged', message: 'There is a verdict.' },
    { type: 'Reconciling', status: 'False', reason: 'Judged', message: 'There is a verdict.' },
    { type: 'Stalled', status: 'False', reason: 'Judged', message: 'Nothing is needed from the author.' },
  ];
}

function halted(reason: string, message: string): Stated[] {
  return [
    { type: 'Ready', status: 'False', reason, message },
    { type: 'Reconciling', status: 'False', reason, message },
    { type: 'Stalled', status: 'True', reason, message },
  ];
}

function created(facts: MirrorFacts, { conditions = [] }: MirrorPodStatus): Stated[] {
  const isKnown =
    facts.validationUnknown === undefined && conditions.some(({ type, status }) => type === 'Validated' && status !== 'False');
  const validated: Stated = facts.validationUnknown
    ? {
        type: 'Validated',
        status: 'Unknown',
        reason: 'DryRunUnsupported',
        message: 'A webhook does not support dry run; the power check passed.',
      }
    : { type: 'Validated', status: 'True', reason: 'Valid', message: 'The power check and the dry run passed.' };
  return [
    // This fact is kept once it is known, because a later pass no longer sees the result of the dry run.
    ...(isKnown ? [] : [validated]),
    { type: 'PodCreated', status: 'True', reason: 'Created', message: 'The mirror pod was created.' },
  ];
}

/** The label of a failure as the reason of a condition. A label from elsewhere may have characters that a reason cannot have. */
const conditionReason = (reason: string): string => (/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(reason) ? reason : 'StillFailing');
