import { baselineViolations } from '../checks/baseline.ts';
import type { Refusal } from '../contract/refusal.ts';
import { isMirrorPod } from '../crd/mirrorpod.ts';
import type { RecordMatch } from './evidence.ts';
import { isJobLike, isStaticPod, type Source } from './policy/source.ts';
import type { TemplateRefusal } from './policy/read-template.ts';
import type { ChosenCorrection } from './preview.ts';

/** The reason why a mirror is not started now. */
export interface Objection {
  /** `refused`: only the author can help. `waiting`: there may be room later. `stalled`: nobody can help, but it may pass. */
  kind: 'refused' | 'waiting' | 'stalled';
  /** For conditions: a CamelCase constant and a stable sentence. */
  reason: string;
  message: string;
  /** The refusal in the API's answer. */
  answer: { kind: Refusal['kind']; message: string };
}

/** A request for a mirror, through the API or as a MirrorPod. Each function reads at most once, and only when a check calls it. */
export interface MirrorRequest {
  /** `MIRRORS_ENABLED`. */
  enabled: boolean;
  namespace: string;
  /** Whether the API denies this namespace to its users. A user who may create MirrorPods there does not need the API's permission. */
  isDenied: boolean;
  /** Whether the API starts the mirror for one of its users. */
  isFromApi: boolean;
  hasAcknowledged: boolean;
  record(): Promise<RecordMatch>;
  source(): Promise<Source | undefined>;
  /** Only called when there is a source. */
  correction(): Promise<ChosenCorrection | { refusal: TemplateRefusal }>;
  /** A sentence about the limit that has been reached; undefined if there is room for one more mirror. */
  limit(): Promise<string | undefined>;
}

export interface ApprovalCheck {
  name: string;
  run(request: MirrorRequest): Promise<Objection | undefined> | Objection | undefined;
}

const mirrorsAreEnabled: ApprovalCheck = {
  name: 'mirrors are enabled',
  run: ({ enabled }) =>
    enabled
      ? undefined
      : refused('MirrorsDisabled', 'This installation runs no mirrors.', {
          kind: 'denied',
          message: 'Mirrors are switched off in this installation',
        }),
};

const namespaceIsAllowed: ApprovalCheck = {
  name: 'the namespace is allowed',
  run: ({ isDenied, namespace }) =>
    isDenied
      ? refused('NamespaceDenied', `Mirrors are not allowed in namespace ${namespace}`, {
          kind: 'denied',
          message: `Mirrors are not allowed in namespace ${namespace}`,
        })
      : undefined,
};

const recordIsOfSource: ApprovalCheck = {
  name: 'the failure record is of the source',
  async run(request) {
    const { mismatch } = await request.record();
    return mismatch && refused('FailureMismatch', 'spec.failureId names no failure record of the source.');
  },
};

const sourceExists: ApprovalCheck = {
  name: 'the source exists',
  async run(request) {
    if (await request.source()) return undefined;
    return {
      kind: 'stalled',
      reason: 'SourceGone',
      message: 'Neither the source pod nor a workload that owned it exists in this namespace.',
      answer: { kind: 'conflict', message: 'The pod and its workload are gone, so there is nothing to mirror' },
    };
  },
};

const sourceIsNoMirror: ApprovalCheck = {
  name: 'the source is no mirror',
  async run(request) {
    const pod = (await request.source())?.pod;
    const message = 'The source is itself a mirror.';
    return pod && isMirrorPod(pod) ? refused('MirrorOfMirror', message, { kind: 'denied', message }) : undefined;
  },
};

const sourceIsNotStatic: ApprovalCheck = {
  name: 'the source is not a static pod',
  async run(request) {
    const pod = (await request.source())?.pod;
    const message = 'The source is a static pod of its node, which is never mirrored.';
    return pod && isStaticPod(pod.metadata) ? refused('StaticPod', message, { kind: 'denied', message }) : undefined;
  },
};

/**
 * Users of the API may only start mirrors within Pod Security baseline. The reconciler checks this again, because the source may have gained
 * more rights since then.
 */
const sourceIsBaseline: ApprovalCheck = {
  name: 'the source of a user of the API passes Pod Security baseline',
  async run(request) {
    const source = request.isFromApi ? await request.source() : undefined;
    const unsafe = source ? baselineViolations(source.template) : [];
    if (unsafe.length === 0) return undefined;
    const message = `The source fails Pod Security baseline: ${unsafe.join(', ')}`;
    return refused('PrivilegedSource', `${message}.`, { kind: 'denied', message });
  },
};

const correctionIsAllowed: ApprovalCheck = {
  name: 'the correction is a pod template with no more power than its source',
  async run(request) {
    const chosen = await request.correction();
    return 'refusal' in chosen ? refused(chosen.refusal.reason, chosen.refusal.message) : undefined;
  },
};

const sideEffectsAreAcknowledged: ApprovalCheck = {
  name: 'the author accepts that a job runs once more',
  async run(request) {
    const [source, chosen] = await Promise.all([request.source(), request.correction()]);
    if (!source || 'refusal' in chosen || request.hasAcknowledged) return undefined;
    if (!isJobLike(source) && !isJobLike(source, chosen.template)) return undefined;
    return refused(
      'SideEffects',
      'The source does its work once, and a mirror would do it again: set spec.acknowledgeSideEffects to true if it may send, migrate or bill a second time.',
      {
        kind: 'invalid',
        message: 'The source does its work once, and a mirror would do it again: send acknowledge_side_effects true',
      },
    );
  },
};

/** Mistakes in the request itself. The order matters: each check relies on the ones before it. */
export const REQUEST_CHECKS: readonly ApprovalCheck[] = [
  mirrorsAreEnabled,
  namespaceIsAllowed,
  recordIsOfSource,
  sourceExists,
  sourceIsNoMirror,
  sourceIsNotStatic,
  sourceIsBaseline,
  correctionIsAllowed,
  sideEffectsAreAcknowledged,
];

/** This check comes last, because other mirrors change its result. */
export const ROOM_CHECK: ApprovalCheck = {
  name: 'there is room for one more mirror',
  async run(request) {
    const message = await request.limit();
    return message === undefined ? undefined : { kind: 'waiting', reason: 'LimitReached', message, answer: { kind: 'conflict', message } };
  },
};

/** Runs the checks in order and returns the first objection; undefined when all pass. */
export async function firstObjection(request: MirrorRequest, checks: readonly ApprovalCheck[]): Promise<Objection | undefined> {
  for (const check of checks) {
    const objection = await check.run(request);
    if (objection) return objection;
  }
  return undefined;
}

/** Returns a function that calls `read` at most once. All callers share its promise. */
export function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= read());
}

function refused(reason: string, message: string, answer: Objection['answer'] = { kind: 'invalid', message }): Objection {
  return { kind: 'refused', reason, message, answer };
}
