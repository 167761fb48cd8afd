import { clockJumps } from '../async/clock-jumps.ts';
import { mirrorPodName, type MirrorPod } from '../crd/mirrorpod.ts';
import type { SettingRepository } from '../db/settings.ts';
import type { Graces } from '../failures/detect/detect.ts';
import { KINDS } from '../kube/kinds.ts';
import { type AnnounceDeps, type SeenMirror, writeStatus } from './status-and-events.ts';
import { eventsAbout } from './evidence.ts';
import { expiryOf, isUnstarted, type MirrorView, ownExpiryOf } from './policy/decide.ts';
import { judgeViewOf } from './policy/evidence.ts';
import type { MirrorState } from './policy/status.ts';
import { suggestedTtlSeconds } from './policy/suggested-ttl.ts';
import { defaultTtlSeconds, historyFor } from './preview.ts';
import { type PrepareDeps, type Prepared, prepareMirror } from './run.ts';

export interface ObserveDeps extends PrepareDeps, Omit<AnnounceDeps, 'client' | 'trials'> {
  settings: Pick<SettingRepository, 'get'>;
  graces: Graces;
  /** Milliseconds of a monotonic clock; `performance.now` by default. */
  steadyMs?(): number;
}

/** The input of `decideMirrorPod`, and the data that its effects need. */
export interface ObservedMirror extends MirrorView, Omit<SeenMirror, 'pod'> {
  mirror: MirrorPod;
  events: MirrorView['events'];
  prepared?: Prepared;
}

export interface MirrorObserver {
  /** Reads a MirrorPod with its pod, or with the parts from which its pod would be made. Undefined when the MirrorPod is gone. */
  observe(namespace: string, name: string): Promise<ObservedMirror | undefined>;
}

/** Reads the input of a pass. */
export function mirrorObserver(deps: ObserveDeps): MirrorObserver {
  const looks = lookMemory(deps);
  return {
    async observe(namespace, name) {
      const key = `${namespace}/${name}`;
      const mirror = await deps.client.read(KINDS.mirrorPod, namespace, name);
      if (!mirror) return looks.forget(key);
      const view = await observe(deps, mirror, looks.since(key));
      if (view.pod) looks.remember(key, view.now);
      return view;
    },
  };
}

type LastLook = Pick<MirrorView, 'lookedAt' | 'hasClockJumped'>;

/**
 * Remembers when this process looked at each mirror, and whether the clock has jumped since. It only makes times more exact, so losing this
 * memory is harmless.
 */
function lookMemory({ now, steadyMs }: ObserveDeps) {
  const jumps = clockJumps(now, steadyMs);
  const looks = new Map<string, { at: Date; jumps: number }>();
  return {
    since(key: string): LastLook {
      const look = looks.get(key);
      return look ? { lookedAt: look.at, hasClockJumped: jumps() !== look.jumps } : {};
    },
    remember: (key: string, at: Date): void => void looks.set(key, { at, jumps: jumps() }),
    forget: (key: string): undefined => void looks.delete(key),
  };
}

async function observe(deps: ObserveDeps, mirror: MirrorPod, last: LastLook): Promise<ObservedMirror> {
  const { client, graces, now } = deps;
  const { namespace = '', uid = '' } = mirror.metadata;
  // If the end of the mirror is already fixed, the setting is not read, so that the mirror ends even if the database does not respond.
  const ttl = mirror.spec.ttlSeconds ?? (ownExpiryOf(mirror) ? 0 : await defaultTtlSeconds(deps.settings));
  const found = await client.read(KINDS.pod, namespace, mirrorPodName(mirror.spec.source.name, uid));
  const pod = found?.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.kind === 'MirrorPod') ? found : undefined;
  const expiresAt = expiryOf(mirror, ttl);
  const view: ObservedMirror = { mirror, now: now(), expiresAt, graces, defaultTtlSeconds: ttl, events: [], ...last, ...(pod && { pod }) };
  const isOver = mirror.metadata.deletionTimestamp !== undefined || view.now >= view.expiresAt;
  if (pod) {
    const events = mirror.metadata.deletionTimestamp ? [] : await eventsAbout(client, namespace, pod.metadata.name ?? '');
    return { ...view, events, judged: judgeViewOf({ ...view, pod, events }) };
  }
  if (isOver || !isUnstarted(mirror)) return view;
  const checked = await prepare(deps, view);
  return checked.kind === 'ready' ? { ...view, checked, prepared: checked, expiresAt: expiryFor(view, checked) } : { ...view, checked };
}

/** The end of a mirror. If the mirror has no TTL, it lives at least as long as its verdict needs. The first status fixes the end. */
function expiryFor({ mirror, expiresAt }: ObservedMirror, { source, record, template }: Prepared): Date {
  if (ownExpiryOf(mirror)) return expiresAt;
  const history = historyFor(record, source);
  const suggested = suggestedTtlSeconds({ spec: template.spec, history, ...(source.pod && { pod: source.pod }) });
  return new Date(Math.max(expiresAt.getTime(), Date.parse(mirror.metadata.creationTimestamp ?? '') + suggested * 1000));
}

/** The state of a mirror whose pass failed because of something outside of it. */
export const RETRYING: MirrorState = {
  kind: 'pending',
  reason: 'Retrying',
  message: 'The cluster or the database did not answer; it is tried again.',
};

/** If the cluster or the database fails, writes a status that announces a retry, and throws the error for the controller. */
async function prepare(deps: ObserveDeps, view: ObservedMirror) {
  try {
    return await prepareMirror(deps, view.mirror);
  } catch (error) {
    await writeStatus(deps, view, { state: RETRYING, facts: {} });
    throw error;
  }
}
