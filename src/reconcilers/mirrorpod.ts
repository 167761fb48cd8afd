import type { MirrorEvidence } from '../crd/mirrorpod.ts';
import type { TrialRepository } from '../db/trials.ts';
import type { Pass } from '../kube/controller.ts';
import { partsOf } from '../kube/store.ts';
import { updateTrial, writeStatus } from '../mirrors/status-and-events.ts';
import { endMirror } from '../mirrors/expiry.ts';
import type { LastLogs } from '../mirrors/last-log.ts';
import { mirrorObserver, type ObservedMirror, type ObserveDeps, RETRYING } from '../mirrors/observe.ts';
import { decideMirrorPod } from '../mirrors/policy/decide.ts';
import { evidenceFor, judgeViewOf } from '../mirrors/policy/evidence.ts';
import type { MirrorState } from '../mirrors/policy/status.ts';
import { createMirror, type CreateResult } from '../mirrors/run.ts';
import { factsOf } from '../mirrors/policy/mirror-notes.ts';

export interface MirrorPodDeps extends ObserveDeps {
  trials: Pick<TrialRepository, 'insert' | 'update' | 'end'>;
  lastLogs: LastLogs;
}

/** Until the verdict, passes run at this interval, because events about a mirror may arrive without a change of its pod. */
const WATCH_MS = 5_000;
/** After the verdict, every change of the pod triggers a pass. A pass at this interval finds what a watch may have missed. */
const WATCH_ON_MS = 60_000;

/**
 * One pass over a MirrorPod: observe it and its pod or source, decide, act, and write the status last. Running it twice changes nothing,
 * and it continues from wherever an earlier pass ended.
 */
export function mirrorPodReconciler(deps: MirrorPodDeps): (key: string) => Promise<Pass> {
  const { observe } = mirrorObserver(deps);
  return async (key) => {
    const { namespace, name } = partsOf(key);
    const view = await observe(namespace, name);
    if (!view) return undefined;
    const decision = decideMirrorPod(view);
    switch (decision.do) {
      case 'wait':
        return { requeueAfterMs: decision.lookAgainAt.getTime() - view.now.getTime() };
      case 'end':
        return endMirror(deps, view, decision);
      case 'create':
        return create(deps, view);
      case 'report':
        return report(deps, view, decision);
    }
  };
}

async function create(deps: MirrorPodDeps, view: ObservedMirror): Promise<Pass> {
  const { mirror, expiresAt, prepared } = view;
  if (!prepared) throw new Error('no mirror is created before the checks have passed');
  let result: CreateResult = { state: RETRYING, facts: {} };
  const isSettled = () => result.state.kind === 'judged' || result.state.kind === 'refused';
  try {
    result = await createMirror(deps, mirror, { prepared, expiresAt });
  } finally {
    const written = await writeStatus(deps, result.pod ? { ...view, pod: result.pod } : view, withEvidence(view, result));
    if (isSettled()) await deps.trials.end(mirror.metadata.uid ?? '', deps.now());
    await updateTrial(deps, written, undefined);
  }
  const leftMs = Math.max(0, expiresAt.getTime() - deps.now().getTime());
  return { requeueAfterMs: isSettled() ? leftMs : Math.min(WATCH_MS, leftMs) };
}

/** Adds the evidence of a pod that was just created: its observation window, and the facts about its source. */
function withEvidence(view: ObservedMirror, { pod, state, facts }: CreateResult): Pick<CreateResult, 'state' | 'facts'> {
  if (!pod) return { state, facts };
  const sight = { ...view, pod, events: [] };
  const evidence = evidenceFor(judgeViewOf(sight), { isFinal: false }, sight);
  return { state, facts: { ...facts, ...(evidence && { evidence }) } };
}

async function report(
  deps: MirrorPodDeps,
  view: ObservedMirror,
  { state, lookAgainAt, evidence, isFinal }: { state: MirrorState; lookAgainAt: Date; evidence?: MirrorEvidence; isFinal?: boolean },
): Promise<Pass> {
  const facts = { ...(view.pod ? factsOf(view.pod) : {}), ...(evidence && { evidence }), ...(isFinal && { isFinal }) };
  const written = await writeStatus(deps, view, { state, facts });
  await updateTrial(deps, written, view.judged);
  const leftMs = Math.max(0, lookAgainAt.getTime() - deps.now().getTime());
  if (!view.pod || isFinal) return { requeueAfterMs: leftMs };
  return { requeueAfterMs: Math.min(leftMs, written.status?.verdict ? WATCH_ON_MS : WATCH_MS) };
}
