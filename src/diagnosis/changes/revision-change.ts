import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../../contract/failure.ts';
import type { KubeObject, PodTemplate } from '../../crd/kubernetes.ts';
import { checkPower } from '../../checks/power/power.ts';
import { parseImage } from '../../crd/image.ts';
import { isMapping } from '../../crd/mapping.ts';
import { MASK } from '../../redact/keys.ts';
import { podSpecIn } from '../facts/manifest.ts';
import { applyChanges, ChangeError, fieldPath, valueAt } from '../../crd/field-path.ts';
import { code } from '../rendering/quote.ts';
import { valueText } from '../rendering/value-text.ts';
import { kubectl } from '../rendering/commands.ts';
import type { Diagnosis } from '../diagnosis.ts';
import type { Correction } from '../corrections/correction.ts';
import type { RuleInput } from '../facts/input.ts';
import { versionIn } from '../rules/signatures/server-state.ts';
import { askedOf } from '../../crd/quota.ts';
import { referencesIn } from '../facts/references.ts';
import { type Difference, differences, type PathStep } from './differences.ts';
import { HISTORY, hasHistory, type Revisions } from './revisions.ts';

/** The difference between the newest revision and the previous one, and the correction that undoes it. */
export interface RevisionChange {
  description: NonNullable<Diagnosis['changed']>;
  corrections: Correction[];
}

/** The maximum number of lines, so that people can compare them by eye. */
const MAX_LINES = 8;
/** Fields that can cause a failure with this reason. A reason that is not listed can come from any field. */
const CAUSING_FIELDS: Record<string, string> = {
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
/** Failures that the node or the cluster causes; a change of the pod cannot. */
const CAUSED_ELSEWHERE = new Set(['NodeLost', 'NodeShutdown', 'Terminated', 'Preempted', 'DeadlineExceeded', 'FailedCreatePodSandBox']);

/**
 * Compares the workload's newest revision with the previous one, if both can be read. The correction goes back by the smallest changes that
 * undo what can be the cause; it adds no rights. Undefined when no difference is known.
 */
export function whatChanged(input: RuleInput): RevisionChange | undefined {
  const { subject } = input;
  const revisions = subject.surroundings?.revisions;
  if (!revisions || CAUSED_ELSEWHERE.has(subject.reason)) return undefined;
  const object = subject.manifest();
  if (!object || isOlder(input, revisions)) return undefined;
  const found = differences(revisions.previous, revisions.current).filter(
    ({ container }) => container === null || subject.container === null || container === subject.container,
  );
  if (found.length === 0) return undefined;
  const since = `${revisions.kind} ${code(revisions.name)} changed since revision ${revisions.before}${
    revisions.serving > 0 ? `, of which ${revisions.serving === 1 ? 'a pod still works' : `${revisions.serving} pods still work`}` : ''
  }`;
  return { description: { since, lines: lines(found) }, corrections: goBack(input, object, { revisions, found }) };
}

/** Whether the failing pod belongs to an older revision. Later changes are then not the cause. */
function isOlder({ subject }: RuleInput, { kind, hash }: Revisions): boolean {
  const labels = subject.labels ?? subject.manifest()?.metadata.labels;
  const own = hasHistory(kind) ? labels?.[HISTORY[kind].label] : undefined;
  // Pods of a StatefulSet carry their revision's whole name, pods of a DaemonSet only its suffix.
  return own !== undefined && hash !== '' && own !== hash && !hash.endsWith(`-${own}`) && !own.endsWith(`-${hash}`);
}

function lines(found: Difference[]): string[] {
  const shortest = found
    .slice(0, MAX_LINES)
    .map((one) => `${nameOf(one)}: ${shown(one.before, one.steps)} → ${shown(one.after, one.steps)}`);
  return found.length > MAX_LINES ? [...shortest, `and ${found.length - MAX_LINES} more`] : shortest;
}

function nameOf({ container, steps }: Difference): string {
  const inner = steps.slice(container === null ? 0 : 2);
  const words = inner.map((step) => (typeof step === 'string' ? step : step.is)).join('.');
  const of = container === null ? '' : `container ${code(container)}`;
  return words ? `${code(words)}${of ? ` of ${of}` : ''}` : of;
}

function shown(value: unknown, steps: PathStep[]): string {
  const last = steps.at(-1);
  if (value === null) return 'not set';
  const only = typeof value === 'object' && !Array.isArray(value) ? (value as { name?: unknown; value?: unknown }) : undefined;
  const plain = only && typeof only.name === 'string' && only.value !== undefined && Object.keys(only).length === 2 ? only.value : value;
  return code(valueText(plain, typeof last === 'string' ? `.${last}` : ''), 120);
}

/** Whether the previous revision also names what is missing. Going back then does not help. */
function isMissedBefore({ facts }: RuleInput, { previous }: Revisions): boolean {
  const missing = facts('missing').filter(({ name }) => name !== '');
  const before = referencesIn(previous, 'spec');
  return missing.some(({ what, name, key }) =>
    before.some((one) => one.what === what && one.name === name && (key === null || one.key === key)),
  );
}

/** Whether a quota also refuses pods of the previous revision. */
function isRefusedBefore({ facts }: RuleInput, { previous, current }: Revisions): boolean {
  const [quota] = facts('quota');
  return quota !== undefined && Object.keys(quota.requested).every((resource) => askedOf(previous, resource) >= askedOf(current, resource));
}

function goBack(input: RuleInput, object: KubeObject, { revisions, found }: { revisions: Revisions; found: Difference[] }): Correction[] {
  const { reason } = input.subject;
  const causing = Object.hasOwn(CAUSING_FIELDS, reason) ? CAUSING_FIELDS[reason]?.split(' ') : undefined;
  const wanted = found.filter(({ field }) => field !== '' && (!causing || causing.includes(field)));
  const why = `revision ${revisions.before} ${revisions.serving > 0 ? 'works with this value' : 'had this value'}`;
  const undone = inOrder(wanted.flatMap((one) => undo(object, one, why) ?? []));
  const changes = undone.filter((change) => isHarmless(object, change)).map(narrowed);
  if (changes.length === 0 || isMissedBefore(input, revisions) || isRefusedBefore(input, revisions)) return [];
  if (isOtherVersion(input, wanted)) return [];
  const isAll = changes.length === found.length;
  const onlyDifference = `revision ${revisions.before} differs only in this${revisions.serving > 0 ? ' and works' : ''}`;
  const wroteData = hasVersionOfData(input, wanted);
  return [
    {
      title: isAll ? `Go back to revision ${revisions.before}` : `Set it as in revision ${revisions.before}`,
      changes: isAll ? changes.map((one) => ({ ...one, why: onlyDifference })) : changes,
      // What is not undone may be the cause.
      confidence: (revisions.worked || wroteData) && changes.length === undone.length ? 'likely' : 'guess',
      explanation:
        (revisions.serving > 0
          ? `Pods of revision ${revisions.before} work now.`
          : revisions.worked
            ? `Pods of revision ${revisions.before} were ready before the change.`
            : wroteData
              ? `Revision ${revisions.before} has the version that wrote the data${writtenAs(input, changes)}.`
              : `It is not known whether pods of revision ${revisions.before} ever worked. A mirror shows it.`) +
        (isAll ? ` The same as ${code(undoCommand(input, revisions))}.` : ' Only the fields that can be the cause go back.'),
      mirrorable: input.subject.resource_kind === 'Pod',
    },
  ];
}

/** The version as the revision has it, if that is not the text in the log: `8.4.03` for `80403`. */
function writtenAs(input: RuleInput, [only, ...more]: Change[]): string {
  const written = typeof only?.to === 'string' && more.length === 0 && /^[\w.-]{1,40}$/.test(only.to) ? only.to : undefined;
  return written === undefined || written === versionOfData(input) ? '' : ` (there ${code(written)})`;
}

/** The version that wrote the data, where the log says that another one cannot read them. */
function versionOfData(input: RuleInput): string | undefined {
  const [log] = input.facts('log');
  return log?.signature.id === 'data-of-another-version' ? versionIn(input, log.groups) : undefined;
}

/** Whether the image of the previous revision did not write the data either. */
function isOtherVersion(input: RuleInput, found: Difference[]): boolean {
  const wrote = versionOfData(input);
  const images = found.filter(({ field }) => field === 'image').map((one) => versionsOf(one, one.before));
  return wrote !== undefined && images.some((versions) => versions.length > 0 && !isVersion(versions, wrote));
}

/** Whether going back brings the version that wrote the data, which the log names and the newest revision does not have. */
function hasVersionOfData(input: RuleInput, found: Difference[]): boolean {
  const wrote = versionOfData(input);
  if (wrote === undefined) return false;
  return found.some((one) => isVersion(versionsOf(one, one.before), wrote) && !isVersion(versionsOf(one, one.after), wrote));
}

/** The versions in an image's tag, or in a variable that is a version. */
function versionsOf({ field }: Difference, value: unknown): string[] {
  const inner = typeof value === 'object' && value !== null ? (value as { value?: unknown }).value : value;
  const text = typeof inner === 'string' ? inner : '';
  const version =
    field === 'image' ? /^v?(\d{1,5}(?:\.\d{1,5}){0,3})/.exec(parseImage(text).tag ?? '') : /^v?(\d{1,5}(?:\.\d{1,5}){1,3})$/.exec(text);
  return field === 'image' || field === 'env' ? ((version?.slice(1) as string[] | undefined) ?? []) : [];
}

/** Whether one of the versions is the wanted one, as far as both say: 15 and 15.4, 8.4.3 and 8.4.03. */
function isVersion(versions: string[], wanted: string): boolean {
  const parts = wanted.split('.').map(Number);
  return versions.some((one) => one.split('.').every((part, index) => parts[index] === undefined || parts[index] === Number(part)));
}

/** What takes the whole workload back. */
export function undoCommand({ subject }: RuleInput, { kind, name, before }: Revisions): string {
  return kubectl(subject, 'rollout', 'undo', `${kind.toLowerCase()}/${name}`, `--to-revision=${before}`);
}

/** The same change at the one field or entry that differs: of a list of words only the word, of a volume only the name of its ConfigMap. */
function narrowed(change: Change): Change {
  const { path, from, to } = change;
  const isList = Array.isArray(from) && Array.isArray(to) && from.length === to.length;
  const isObject = isMapping(from) && isMapping(to) && isDeepStrictEqual(Object.keys(from).toSorted(), Object.keys(to).toSorted());
  if (!isList && !isObject) return change;
  const [olds, youngs] = [from, to] as [Record<string, unknown>, Record<string, unknown>];
  const [only, ...more] = Object.keys(olds).filter((key) => !isDeepStrictEqual(olds[key], youngs[key]));
  if (only === undefined || more.length > 0) return change;
  return narrowed({ ...change, path: fieldPath(path, isList ? Number(only) : only), from: olds[only], to: youngs[only] });
}

type Undo = Change & { at: 'field' | 'entry' };

/** The change that undoes a difference. Undefined if the manifest differs from the newest revision, or if the value is masked. */
function undo(object: KubeObject, { steps, before, after }: Difference, why: string): Undo | undefined {
  const place = podSpecIn(object);
  if (!place || JSON.stringify(before)?.includes(MASK)) return undefined;
  const path = pathIn(place.path, place.spec, steps);
  if (path === undefined) return undefined;
  const from = valueAt(object, path);
  if (!isDeepStrictEqual(from, after)) return undefined;
  return { path, from, to: before, why, at: typeof steps.at(-1) === 'string' ? 'field' : 'entry' };
}

/** The path of a field in this manifest. A missing list entry gets the index after the last one. */
function pathIn(base: string, spec: object, steps: PathStep[]): string | undefined {
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

/** Fields first, then new entries, then removed entries from last to first, so that indexes stay valid. */
function inOrder(changes: Undo[]): Change[] {
  const rank = ({ at, to, from }: Undo): number => (at === 'field' || (to !== null && from !== null) ? 0 : to === null ? 2 : 1);
  const gone = changes.filter((change) => rank(change) === 2).toReversed();
  return [...changes.filter((change) => rank(change) === 0), ...changes.filter((change) => rank(change) === 1), ...gone].map(
    ({ at: _, ...change }) => change,
  );
}

/** Whether going back adds no rights that the failing pod lacks. */
function isHarmless(object: KubeObject, change: Change): boolean {
  try {
    const [had, wants] = [object, applyChanges(object, [change])].map((manifest): PodTemplate => {
      const spec = podSpecIn(manifest)?.spec ?? { containers: [] };
      return { metadata: {}, spec };
    });
    return had !== undefined && wants !== undefined && checkPower(had, wants).length === 0;
  } catch (error) {
    if (error instanceof ChangeError) return false;
    throw error;
  }
}
