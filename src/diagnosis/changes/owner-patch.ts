import type { Change } from '../../contract/failure.ts';
import type { OwnerPatch } from '../../contract/mirror.ts';
import { applyChanges, changesOfOwner } from '../../crd/field-path.ts';
import { jsonPatch, type PatchOperation } from '../../crd/json-patch.ts';
import type { KubeObject, Pod, PodSpec } from '../../crd/kubernetes.ts';
import { dumpManifest } from '../../crd/manifest.ts';
import { mergeDifference } from '../../crd/merge-difference.ts';
import { withoutServerFields } from '../../crd/server-fields.ts';
import type { LabelSelector } from '../../crd/selector.ts';
import { generatedVolumes, withoutMounts } from '../../crd/strip-template.ts';
import { withoutUndefined } from '../../crd/without-undefined.ts';
import { MASK } from '../../redact/keys.ts';
import type { Surroundings } from '../case.ts';
import { podSpecIn } from '../facts/manifest.ts';
import { isApartLifted, rolloutBlock } from './rollout.ts';
import { heredoc, shellText, shellWord } from '../rendering/quote.ts';

/** What a correction is applied to. */
export interface PatchedOwner {
  /** The live workload at the root of the controller references, or the pod itself when nothing controls it. */
  owner: KubeObject;
  /** The failing pod; undefined when the owner cannot create one. */
  podName?: string | undefined;
  /** The correction's changes, of which those to the owner are included. */
  changes?: readonly Change[];
  /** The known nodes, claims and quotas. If they would block a rolling update, all pods are replaced at once. */
  surroundings?: Surroundings | undefined;
}

/** Kinds whose template can be changed in place. */
const PATCHED = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'CronJob'];
/** The kinds that are made anew, and why. */
const REPLACED: Record<string, string> = {
  Pod: 'Nothing makes this pod again, and most of its fields cannot be changed: it needs a new Pod.',
  Job: 'The template of a Job cannot be changed: the Job is deleted and made again, and starts from the beginning.',
};

/** A manifest before and after a correction. */
interface Corrected {
  before: KubeObject;
  after: KubeObject;
}

/**
 * What `kubectl` needs to correct the owner. The corrected manifest is that of the owner or of one of its pods. Either all inputs are
 * masked or none is; a masked value is left out of a JSON Patch and is `***` in a manifest. Null when the change does not fit the owner, or
 * when it is unknown how to change its kind. Never throws.
 */
export function ownerPatch(corrected: Corrected, { owner, podName, surroundings, changes = [] }: PatchedOwner): OwnerPatch | null {
  const { kind = '', apiVersion = '', metadata } = owner;
  // An unknown kind controls this one and would revert the change.
  if (metadata.ownerReferences?.some(({ controller }) => controller)) return null;
  const merged = fixedOwner(owner, corrected);
  const fixed = merged && applyChanges(merged, changesOfOwner(changes));
  const name = metadata.name ?? '';
  if (!fixed || !name) return null;
  const namespace = metadata.namespace ?? 'default';
  const about = { api_version: apiVersion, kind, name, namespace };
  const reason = Object.hasOwn(REPLACED, kind) ? REPLACED[kind] : undefined;
  if (reason !== undefined) {
    const body = dumpManifest(replacementOf(fixed));
    const note = [reason, maskNote(body)].filter(Boolean).join(' ');
    return { ...about, type: 'replace', body, command: `kubectl replace --force -f - ${heredoc(body)}`, note };
  }
  if (!PATCHED.includes(kind)) return null;
  const block = rolloutBlock({ old: owner, young: fixed, surroundings });
  const operations = jsonPatch(owner, block ? withRecreate(fixed) : fixed, isOpen);
  if (operations.length === 0) return null;
  const body = JSON.stringify(operations);
  const lines = [`kubectl patch ${kind.toLowerCase()} ${shellWord(name)} -n ${shellWord(namespace)} --type=json -p ${shellText(body)}`];
  const after = afterPatch({ owner, fixed }, podName);
  if (after?.command) lines.push(after.command);
  const note = [
    block ? `${block}: the strategy becomes \`Recreate\`. Set it back when they run.` : '',
    after?.note,
    maskNote(changedValues(operations)),
  ]
    .filter(Boolean)
    .join(' ');
  return { ...about, type: 'json', body, command: lines.join('\n'), note };
}

/** The owner with the change to its pod, or to the workload below it. */
function fixedOwner(owner: KubeObject, corrected: Corrected): KubeObject | undefined {
  const [before, after] = [atOwner(owner, corrected.before), atOwner(owner, corrected.after)];
  return mergeDifference(owner, before, after);
}

/** The manifest's content, moved to its place in the owner. */
function atOwner(owner: KubeObject, manifest: KubeObject): object {
  const { kind = 'Pod', metadata, spec } = manifest as KubeObject & { spec?: Record<string, unknown> };
  const isPod = podSpecIn(manifest)?.path === 'spec';
  if (isPod && owner.kind === 'Pod') return { metadata: noted(metadata), spec };
  const template = isPod ? { metadata: noted(metadata), spec } : spec?.['template'];
  if (owner.kind === 'CronJob') return kind === 'CronJob' ? { spec } : { spec: { jobTemplate: { spec: isPod ? { template } : spec } } };
  return isPod || kind !== owner.kind ? { spec: { template } } : { spec };
}

function withRecreate(object: KubeObject): KubeObject {
  const { spec } = object as KubeObject & { spec?: object };
  return { ...object, spec: { ...spec, strategy: { type: 'Recreate' } } } as KubeObject;
}

/** The metadata that a correction may change. */
function noted({ labels, annotations }: KubeObject['metadata']): object {
  return withoutUndefined({ labels, annotations });
}

/** What remains to do after the patch, because not every controller replaces its existing pods. */
function afterPatch(
  { owner, fixed }: { owner: KubeObject; fixed: KubeObject },
  podName: string | undefined,
): { note: string; command?: string } | undefined {
  const { kind, metadata } = fixed;
  const namespace = metadata.namespace ?? 'default';
  const remove = podName === undefined ? {} : { command: `kubectl delete pod ${shellWord(podName)} -n ${shellWord(namespace)}` };
  if (kind === 'CronJob') {
    return {
      note: 'The next run has it. A Job that runs already is not changed.',
      command: `kubectl create job -n ${shellWord(namespace)} ${shellWord(`${metadata.name?.slice(0, 45)}-corrected`)} --from=cronjob/${shellWord(metadata.name ?? '')}`,
    };
  }
  const all = kind !== 'DaemonSet' && kind !== 'Deployment' && isApartLifted(owner, fixed) ? selectorOf(owner) : '';
  if (all)
    return {
      note: 'Pods that run with the required anti-affinity still keep the others away: all of them are deleted, and made again without it.',
      command: `kubectl delete pods -l ${shellWord(all)} -n ${shellWord(namespace)}`,
    };
  if (kind === 'ReplicaSet') return { note: 'A ReplicaSet does not change the pods that it has: those that fail are deleted.', ...remove };
  if (kind === 'StatefulSet') return { note: 'A StatefulSet does not replace a pod that never was ready: it is deleted.', ...remove };
  const strategy = (fixed as KubeObject & { spec?: { updateStrategy?: { type?: string } } }).spec?.updateStrategy?.type;
  return kind === 'DaemonSet' && strategy === 'OnDelete'
    ? { note: 'Its update strategy is OnDelete: a pod gets the change when it is deleted.', ...remove }
    : undefined;
}

/** The workload's selector for `kubectl`; empty if it contains more than labels. */
function selectorOf(owner: KubeObject): string {
  const { matchLabels = {}, matchExpressions = [] } = (owner as KubeObject & { spec?: { selector?: LabelSelector } }).spec?.selector ?? {};
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  return matchExpressions.length === 0 ? labels.join(',') : '';
}

/** Labels that the Job controller sets, and sets again for a new Job. */
const JOB_LABELS = ['controller-uid', 'batch.kubernetes.io/controller-uid', 'job-name', 'batch.kubernetes.io/job-name'];

/** The manifest for creating a pod or Job anew, without what the cluster added to it. */
function replacementOf(object: KubeObject): KubeObject {
  const copy = withoutServerFields(object) as KubeObject & { spec: Record<string, unknown> };
  const { annotations } = copy.metadata;
  if (annotations) {
    delete annotations['kubectl.kubernetes.io/last-applied-configuration'];
    delete annotations['batch.kubernetes.io/job-tracking'];
    if (Object.keys(annotations).length === 0) delete copy.metadata.annotations;
  }
  delete copy.metadata.generateName;
  if (copy.kind === 'Pod') return withoutPlacement(copy as unknown as Pod);
  if (copy.spec['manualSelector'] === true) return copy;
  delete copy.spec['selector'];
  const { template } = copy.spec as { template?: { metadata?: KubeObject['metadata'] } };
  for (const labels of [copy.metadata.labels, template?.metadata?.labels]) for (const label of JOB_LABELS) if (labels) delete labels[label];
  return copy;
}

/** The scheduler chooses the node again and admission adds the token again. */
function withoutPlacement(pod: Pod): Pod {
  const { nodeName: _node, priority: _priority, preemptionPolicy: _preemption, ephemeralContainers: _ephemeral, ...kept } = pod.spec;
  const generated = generatedVolumes(kept);
  const trimmed = (containers: PodSpec['containers']) => containers.map((container) => withoutMounts(container, generated));
  const volumes = kept.volumes?.filter(({ name }) => !generated.has(name));
  const { volumes: _volumes, initContainers, ...spec } = kept;
  return {
    ...pod,
    spec: {
      ...spec,
      containers: trimmed(spec.containers),
      ...(initContainers?.length ? { initContainers: trimmed(initContainers) } : {}),
      ...(volumes?.length ? { volumes } : {}),
    },
  };
}

/** Whether a value contains nothing masked. */
const isOpen = (value: unknown): boolean => !JSON.stringify(value ?? null).includes(MASK);

const changedValues = (operations: PatchOperation[]): string =>
  JSON.stringify(operations.map((operation) => ('value' in operation ? operation.value : null)));

function maskNote(text: string): string {
  return text.includes(MASK) ? `\`${MASK}\` stands for a secret: write the value itself before you apply it.` : '';
}
