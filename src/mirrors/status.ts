import { setCondition, instant, type Stated } from '../crd/condition.ts';
import type { Condition } from '../crd/kubernetes.ts';
import type { Correction, MirrorPhase, MirrorPod, MirrorPodStatus } from '../crd/mirrorpod.ts';
import type { Judgement } from './verdict.ts';

/** Where a mirror stands, as the table of DESIGN section 3 has it. `reason` is a CamelCase constant, `message` a stable sentence. */
export type State =
  /** Waiting, validating, creating. */
  | { kind: 'pending'; reason: string; message: string }
  /** Only the user can help, but the pass looks again until the time is over. */
  | { kind: 'stalled'; reason: string; message: string }
  | { kind: 'refused'; reason: string; message: string }
  | { kind: 'running' }
  | { kind: 'judged'; judgement: Judgement; completed: boolean }
  /** The time is over and the object stays. */
  | { kind: 'expired' }
  /** Nothing new: the status stands. */
  | { kind: 'standing' };

/** What is known of the mirror besides its state. */
export interface MirrorFacts {
  expiresAt: Date;
  podName?: string;
  /** RFC 3339. */
  startTime?: string;
  templateHash?: string;
  correction?: Correction;
  /** A webhook refused the dry run, so that nothing vouches for the pod but its creation. */
  validationUnknown?: boolean;
}

/** The whole status of a mirror in `state`. Conditions keep their instants where nothing changed, facts once known stay known. */
export function statusOf(mirror: MirrorPod, state: State, facts: MirrorFacts, now: Date): MirrorPodStatus {
  const before = mirror.status ?? {};
  const generation = mirror.metadata.generation ?? 0;
  const verdict = before.verdict ?? (state.kind === 'judged' ? state.judgement.verdict : undefined);
  const known = {
    podName: facts.podName ?? before.podName,
    startTime: facts.startTime ?? before.startTime,
    templateHash: facts.templateHash ?? before.templateHash,
    correction: facts.correction ?? before.correction,
    verdict,
  };
  let conditions: Condition[] = before.conditions ?? [];
  for (const stated of conditionsOf(state, facts, before)) conditions = setCondition(conditions, stated, now, generation);
  return {
    observedGeneration: generation,
    phase: phaseOf(state, before.phase),
    expirationTime: instant(facts.expiresAt),
    ...(Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) as Partial<MirrorPodStatus>),
    conditions,
  };
}

function phaseOf(state: State, before: MirrorPhase | undefined): MirrorPhase {
  switch (state.kind) {
    case 'pending':
    case 'stalled':
      return 'Pending';
    case 'refused':
      return 'Rejected';
    case 'running':
      return 'Running';
    case 'judged':
      if (state.judgement.verdict !== 'Fixed') return 'Failed';
      return state.completed ? 'Succeeded' : 'Running';
    case 'expired':
      return 'Expired';
    case 'standing':
      return before ?? 'Pending';
  }
}

const FIXED = { Fixed: 'True', StillFailing: 'False', Inconclusive: 'Unknown' } as const;

function conditionsOf(state: State, facts: MirrorFacts, before: MirrorPodStatus): Stated[] {
  const said = (type: string, status: Stated['status'], reason: string, message: string): Stated => ({ type, status, reason, message });
  switch (state.kind) {
    case 'pending':
      return [
        said('Ready', 'False', state.reason, state.message),
        said('Reconciling', 'True', state.reason, state.message),
        said('Stalled', 'False', 'Progressing', 'Nothing is needed from the author.'),
      ];
    case 'stalled':
      return halted(state.reason, state.message);
    case 'refused':
      return [said('Validated', 'False', state.reason, state.message), ...halted(state.reason, state.message)];
    case 'running':
      return [
        ...created(facts, before),
        said('Ready', 'False', 'NotYetJudged', 'The mirror pod runs and is watched.'),
        said('Reconciling', 'True', 'NotYetJudged', 'The mirror pod runs and is watched.'),
        said('Stalled', 'False', 'Progressing', 'Nothing is needed from the author.'),
      ];
    case 'judged': {
      const { verdict, reason, message } = state.judgement;
      return [
        ...((facts.podName ?? before.podName) ? created(facts, before) : []),
        said('Fixed', FIXED[verdict], conditionReason(reason), message),
        said('Ready', 'True', 'Judged', 'The verdict is told.'),
        said('Reconciling', 'False', 'Judged', 'The verdict is told.'),
        said('Stalled', 'False', 'Judged', 'Nothing is needed from the author.'),
      ];
    }
    case 'expired':
      return before.verdict || before.phase === 'Rejected' || before.phase === 'Expired'
        ? []
        : halted('Expired', 'The time was over before the mirror could run.');
    case 'standing':
      return [];
  }
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
    // Once known, it stays: a later pass no longer sees how the dry run went.
    ...(isKnown ? [] : [validated]),
    { type: 'PodCreated', status: 'True', reason: 'Created', message: 'The mirror pod was created.' },
  ];
}

/** A failure's label as a condition's reason; labels that others wrote may be anything. */
const conditionReason = (reason: string): string => (/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(reason) ? reason : 'StillFailing');
