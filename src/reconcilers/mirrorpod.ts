import type { CoreEvent, Pod } from '../crd/kubernetes.ts';
import { mirrorPodName, type MirrorPod } from '../crd/mirrorpod.ts';
import type { SettingRepository } from '../db/settings.ts';
import type { TrialRepository } from '../db/trials.ts';
import type { Graces } from '../failures/detect.ts';
import type { Pass } from '../kube/controller.ts';
import { isKubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import { partsOf } from '../kube/store.ts';
import { decideMirrorPod, expiryOf, isUnstarted, ownExpiryOf, type Decision, type MirrorView } from '../mirrors/decide.ts';
import { notesOf } from '../mirrors/isolate.ts';
import { statusOf, type State } from '../mirrors/status.ts';
import type { VerdictView } from '../mirrors/verdict.ts';
import { createMirror, factsOf, type Made } from './mirror-create.ts';
import { eventsAbout } from './mirror-evidence.ts';
import { prepareMirror, type PrepareDeps, type Prepared } from './mirror-prepare.ts';
import { mirrorRecord } from './mirror-record.ts';
import { announce, tell, tellTrial, withStatus, type TellDeps } from './mirror-tell.ts';
import { defaultTtlSeconds } from './preview.ts';

export interface MirrorPodDeps extends PrepareDeps, Omit<TellDeps, 'client'> {
  trials: Pick<TrialRepository, 'insert' | 'update' | 'end'>;
  settings: Pick<SettingRepository, 'get'>;
  graces: Graces;
  /** Called with the key of a MirrorPod that is gone: what it left is cleared away. */
  sweep(): Promise<void>;
}

/** Events of a running mirror come without a change of its pod: it is looked at this often until it is judged. */
const WATCH_MS = 5_000;

/** A view with what the effects need besides. */
interface Observed extends MirrorView {
  ttl: number;
  events: CoreEvent[];
  prepared: Prepared | undefined;
}

/**
 * One pass over a MirrorPod: looks at it, its pod or its source, decides, does one thing, and writes the status last. Running it
 * twice changes nothing, and whatever ended an earlier pass, this one goes on from there.
 */
export function mirrorPodReconciler(deps: MirrorPodDeps): (key: string) => Promise<Pass> {
  const { client, now } = deps;
  return async (key) => {
    const { namespace, name } = partsOf(key);
    const mirror = await client.read(KINDS.mirrorPod, namespace, name);
    if (!mirror) return deps.sweep();
    const view = await observe(deps, mirror);
    const decision = decideMirrorPod(view);
    switch (decision.do) {
      case 'leave':
        return undefined;
      case 'end':
        return end(deps, view, decision);
      case 'create':
        return create(deps, view);
      case 'tell': {
        const told = await tell(deps, view, { state: decision.state, facts: view.pod ? factsOf(view.pod) : {} });
        await tellTrial(deps, told, view.verdict);
        const due = Math.max(0, decision.lookAgainAt.getTime() - now().getTime());
        return { requeueAfterMs: told.status?.verdict || !view.pod ? due : Math.min(due, WATCH_MS) };
      }
    }
  };
}

async function observe(deps: MirrorPodDeps, mirror: MirrorPod): Promise<Observed> {
  const { client, graces, now } = deps;
  const { namespace = '', uid = '' } = mirror.metadata;
  // A mirror that knows its time ends on it, database or not.
  const ttl = mirror.spec.ttlSeconds ?? (ownExpiryOf(mirror) ? 0 : await defaultTtlSeconds(deps.settings));
  const expiresAt = expiryOf(mirror, ttl);
  const found = await client.read(KINDS.pod, namespace, mirrorPodName(mirror.spec.source.name, uid));
  const pod = found?.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.kind === 'MirrorPod') ? found : undefined;
  const base = { mirror, now: now(), expiresAt, ttl, events: [], prepared: undefined };
  const isOver = mirror.metadata.deletionTimestamp !== undefined || base.now >= expiresAt;
  if (pod) {
    const events = isOver ? [] : await eventsAbout(client, namespace, pod.metadata.name ?? '');
    return { ...base, pod, events, verdict: verdictView(pod, { events, graces, expiresAt, mirror, now: base.now }) };
  }
  if (isOver || !isUnstarted(mirror)) return base;
  const prospect = await attempt(deps, mirror, { expiresAt, ttl });
  return { ...base, prospect, prepared: prospect.kind === 'ready' ? prospect : undefined };
}

type Sight = { events: CoreEvent[]; graces: Graces; expiresAt: Date; mirror: MirrorPod; now: Date };

function verdictView(pod: Pod, { events, graces, expiresAt, mirror, now }: Sight): VerdictView {
  const { reasonBefore, failSeconds, untried } = notesOf(pod);
  return {
    pod,
    events,
    now,
    graces,
    ttlSeconds: (expiresAt.getTime() - Date.parse(mirror.metadata.creationTimestamp ?? '')) / 1000,
    jobLike: (pod.spec.restartPolicy ?? 'Always') !== 'Always',
    failSeconds,
    ...(reasonBefore ? { reasonBefore } : {}),
    ...(untried ? { untried } : {}),
  };
}

/** Prepares; when that fails for reasons outside (cluster, database), the status says that it is tried again, and the error goes on. */
async function attempt(deps: MirrorPodDeps, mirror: MirrorPod, { expiresAt, ttl }: { expiresAt: Date; ttl: number }) {
  try {
    return await prepareMirror(deps, mirror);
  } catch (error) {
    await tell(deps, { mirror, expiresAt, ttl, events: [] }, { state: RETRYING, facts: {} });
    throw error;
  }
}

const RETRYING: State = { kind: 'pending', reason: 'Retrying', message: 'The cluster or the database did not answer; it is tried again.' };

async function create(deps: MirrorPodDeps, view: Observed): Promise<Pass> {
  const { mirror, expiresAt, prepared } = view;
  if (!prepared) throw new Error('a mirror is made only of what was prepared');
  let made: Made = { state: RETRYING, facts: {} };
  try {
    made = await createMirror(deps, mirror, { prepared, expiresAt });
  } finally {
    const told = await tell(deps, made.pod ? { ...view, pod: made.pod } : view, made);
    if (made.state.kind === 'judged' || made.state.kind === 'refused') await deps.trials.end(mirror.metadata.uid ?? '', deps.now());
    await tellTrial(deps, told, undefined);
  }
  const due = Math.max(0, expiresAt.getTime() - deps.now().getTime());
  const isSettled = made.state.kind === 'judged' || made.state.kind === 'refused';
  return { requeueAfterMs: isSettled ? due : Math.min(WATCH_MS, due) };
}

/** The pod first, whatever the database says: a mirror never outlives its time. */
async function end(deps: MirrorPodDeps, view: Observed, { keep, state }: Decision & { do: 'end' }): Promise<Pass> {
  const { client, trials, hub, now } = deps;
  const { mirror, pod } = view;
  const { namespace = '', name = '', uid = '' } = mirror.metadata;
  if (keep && mirror.status?.phase === 'Expired' && !pod) {
    await tell(deps, view, { state: { kind: 'standing' }, facts: {} });
    return undefined;
  }
  const podName = mirrorPodName(mirror.spec.source.name, uid);
  if (pod) await removeThat(() => client.remove(KINDS.pod, namespace, podName, { uid: pod.metadata.uid ?? '' }));
  await client.remove(KINDS.networkPolicy, namespace, podName);
  const judged = withStatus(mirror, statusOf(mirror, state, { expiresAt: view.expiresAt, ...(pod ? factsOf(pod) : {}) }, now()));
  await tellTrial(deps, judged, view.verdict);
  await trials.end(uid, now());
  const expired = { ...view, mirror: judged };
  if (keep) {
    await tell(deps, { ...expired, written: mirror }, { state: { kind: 'expired' }, facts: {} });
    return undefined;
  }
  const last = withStatus(judged, { ...judged.status, phase: 'Expired' });
  const isGone = await removeThat(() => client.remove(KINDS.mirrorPod, namespace, name, { uid }));
  if (!isGone) return undefined;
  announce(deps, last, { before: mirror.status, shown: undefined });
  hub.publish({ type: 'mirror_status', data: mirrorRecord({ mirror: last, pod, events: view.events, defaultTtlSeconds: view.ttl }) });
  return undefined;
}

/** Whether it was removed now. Another object of that name is not ours to remove. */
async function removeThat(remove: () => Promise<boolean>): Promise<boolean> {
  try {
    return await remove();
  } catch (error) {
    if (isKubeError(error, 409)) return false;
    throw error;
  }
}
