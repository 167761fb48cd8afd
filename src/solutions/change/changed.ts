import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../../contract/failure.ts';
import type { KubeObject, PodTemplate } from '../../crd/kubernetes.ts';
import { checkPower } from '../../mirrors/power.ts';
import { MASK } from '../../redact/keys.ts';
import { podSpecPlace } from '../facts/shape.ts';
import { applyChanges, ChangeError, fieldPath, valueAt } from '../fix/apply.ts';
import { code } from '../quote.ts';
import type { Diagnosis, RuleCorrection } from '../rules/answer.ts';
import type { Scene } from '../rules/rule.ts';
import { type Difference, differences, type Step } from './differences.ts';
import { HISTORY, hasHistory, type Revisions } from './revisions.ts';

/** What is said of a change, and how to undo it. */
export interface Changed {
  told: NonNullable<Diagnosis['changed']>;
  corrections: RuleCorrection[];
}

/** More lines than these nobody compares by eye. */
const MAX_LINES = 8;
/** What went wrong narrows what can be to blame; of a reason that is not here, everything. */
const BLAMED: Record<string, string> = {
  ImagePullBackOff: 'image imagePullPolicy',
  ErrImagePull: 'image imagePullPolicy',
  ErrImageNeverPull: 'image imagePullPolicy',
  InvalidImageName: 'image',
  ImageInspectError: 'image',
  CreateContainerConfigError: 'image env envFrom volumes volumeMounts securityContext',
  FailedMount: 'volumes volumeMounts',
  FailedAttachVolume: 'volumes volumeMounts nodeSelector affinity',
  Unschedulable: 'resources ports nodeSelector affinity topologySpreadConstraints volumes',
  OOMKilled: 'image command args env resources',
  Evicted: 'image command args env resources volumes',
};
/** The node's or the cluster's doing: no change of the pod is to blame. */
const NOT_ITS_DOING = new Set(['NodeLost', 'NodeShutdown', 'Terminated', 'Preempted', 'DeadlineExceeded', 'FailedCreatePodSandBox']);

/**
 * What differs from the workload's revision before, where the installation may see it, and going back as a correction: the
 * smallest changes that undo what can be to blame, without any that would bring power. undefined when nothing is known to differ.
 */
export function whatChanged(scene: Scene): Changed | undefined {
  const { subject } = scene;
  const revisions = subject.surroundings?.revisions;
  if (!revisions || NOT_ITS_DOING.has(subject.reason)) return undefined;
  const object = subject.manifest();
  if (!object || isOlder(scene, revisions)) return undefined;
  const found = differences(revisions.previous, revisions.current).filter(
    ({ container }) => container === null || subject.container === null || container === subject.container,
  );
  if (found.length === 0) return undefined;
  const since = `${revisions.kind} ${code(revisions.name)} went on from revision ${revisions.before}${
    revisions.serving > 0 ? `, of which ${revisions.serving === 1 ? 'a pod' : `${revisions.serving} pods`} still works` : ''
  }`.replace('pods still works', 'pods still work');
  return { told: { since, lines: lines(found) }, corrections: goBack(scene, object, { revisions, found }) };
}

/** Pods of the revision before fail too: then what changed since is not why. */
function isOlder({ subject }: Scene, { kind, hash }: Revisions): boolean {
  const labels = subject.labels ?? subject.manifest()?.metadata.labels;
  const own = hasHistory(kind) ? labels?.[HISTORY[kind].label] : undefined;
  // A StatefulSet's pods carry the whole name of their revision, a DaemonSet's only its end.
  return own !== undefined && hash !== '' && own !== hash && !hash.endsWith(`-${own}`) && !own.endsWith(`-${hash}`);
}

function lines(found: Difference[]): string[] {
  const told = found.slice(0, MAX_LINES).map((one) => `${nameOf(one)}: ${shown(one.before)} → ${shown(one.after)}`);
  return found.length > MAX_LINES ? [...told, `and ${found.length - MAX_LINES} more`] : told;
}

function nameOf({ container, steps }: Difference): string {
  const inner = steps.slice(container === null ? 0 : 2);
  const words = inner.map((step) => (typeof step === 'string' ? step : step.is)).join('.');
  const of = container === null ? '' : `container ${code(container)}`;
  return words ? `${code(words)}${of ? ` of ${of}` : ''}` : of;
}

function shown(value: unknown): string {
  if (value === null) return 'not set';
  const only = typeof value === 'object' && !Array.isArray(value) ? (value as { name?: unknown; value?: unknown }) : undefined;
  const plain = only && typeof only.name === 'string' && only.value !== undefined && Object.keys(only).length === 2 ? only.value : value;
  return code(typeof plain === 'string' ? plain : JSON.stringify(plain), 120);
}

function goBack(scene: Scene, object: KubeObject, { revisions, found }: { revisions: Revisions; found: Difference[] }): RuleCorrection[] {
  const { reason } = scene.subject;
  const blamed = Object.hasOwn(BLAMED, reason) ? BLAMED[reason]?.split(' ') : undefined;
  const wanted = found.filter(({ field }) => field !== '' && (!blamed || blamed.includes(field)));
  const why = `revision ${revisions.before} had it so${revisions.serving > 0 ? ' and works' : ''}`;
  const changes = inOrder(wanted.flatMap((one) => undo(object, one, why) ?? [])).filter((change) => isHarmless(object, change));
  if (changes.length === 0) return [];
  const isAll = changes.length === found.length;
  return [
    {
      title: `Go back to revision ${revisions.before}`,
      changes,
      confidence: revisions.serving > 0 ? 'likely' : 'guess',
      explanation:
        (revisions.serving > 0
          ? 'Its pods of that revision work at this moment.'
          : 'That revision ran before; whether it works now, a mirror shows.') +
        (isAll ? ` For the whole workload: \`kubectl rollout undo\`.` : ' Only what can be to blame goes back.'),
      mirrorable: scene.subject.resource_kind === 'Pod',
    },
  ];
}

type Undo = Change & { at: 'field' | 'entry' };

/** The change that undoes a difference; undefined where the manifest has it otherwise than the newest revision, or it is masked. */
function undo(object: KubeObject, { steps, before, after }: Difference, why: string): Undo | undefined {
  const place = podSpecPlace(object);
  if (!place || JSON.stringify(before)?.includes(MASK)) return undefined;
  const path = pathIn(place.path, place.spec, steps);
  if (path === undefined) return undefined;
  const from = valueAt(object, path);
  if (!isDeepStrictEqual(from, after)) return undefined;
  return { path, from, to: before, why, at: typeof steps.at(-1) === 'string' ? 'field' : 'entry' };
}

/** The path of a field in this very manifest; an entry that is not there stands behind its list's last. */
function pathIn(base: string, spec: object, steps: Step[]): string | undefined {
  let here: unknown = spec;
  let path = base;
  for (const [index, step] of steps.entries()) {
    if (typeof step === 'string') {
      path = fieldPath(path, step);
      here = typeof here === 'object' && here !== null && Object.hasOwn(here, step) ? (here as Record<string, unknown>)[step] : undefined;
      continue;
    }
    const list = Array.isArray(here) ? (here as Record<string, unknown>[]) : [];
    const at = list.findIndex((entry) => entry?.[step.by] === step.is);
    if (at < 0 && index < steps.length - 1) return undefined;
    path = fieldPath(path, at < 0 ? list.length : at);
    here = list[at];
  }
  return path;
}

/** Fields first, then new entries, then those that go, the last one first: so no index moves before it is used. */
function inOrder(changes: Undo[]): Change[] {
  const rank = ({ at, to, from }: Undo): number => (at === 'field' || (to !== null && from !== null) ? 0 : to === null ? 2 : 1);
  const gone = changes.filter((change) => rank(change) === 2).toReversed();
  return [...changes.filter((change) => rank(change) === 0), ...changes.filter((change) => rank(change) === 1), ...gone].map(
    ({ at: _, ...change }) => change,
  );
}

/** Going back may not bring power that the failing pod does not have. */
function isHarmless(object: KubeObject, change: Change): boolean {
  try {
    const [had, wants] = [object, applyChanges(object, [change])].map((manifest): PodTemplate => {
      const spec = podSpecPlace(manifest)?.spec ?? { containers: [] };
      return { metadata: {}, spec };
    });
    return had !== undefined && wants !== undefined && checkPower(had, wants).length === 0;
  } catch (error) {
    if (error instanceof ChangeError) return false;
    throw error;
  }
}
