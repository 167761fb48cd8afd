import { createHash } from 'node:crypto';
import { MIRROR_LABEL, MIRROR_OF_LABEL, mirrorPodName, ownerReferenceTo, type Correction, type MirrorPod } from '../crd/mirrorpod.ts';
import type { Pod, PodSpec, PodTemplate } from '../crd/kubernetes.ts';
import type { Neighbours, Source } from './source.ts';
import { present } from './fields.ts';
import { allContainers, listOf, stripTemplate } from './strip.ts';
import { replaceUnshared } from './volumes.ts';

export const PRIORITY_CLASS = 'podmend-mirror';
const TEMPLATE_HASH_ANNOTATION = 'podmend.dev/template-hash';
const REPLACED_VOLUMES_ANNOTATION = 'podmend.dev/replaced-volumes';
const SOURCE_ANNOTATION = 'podmend.dev/source-pod';
const FAILURE_ANNOTATION = 'podmend.dev/failure';
const REASON_ANNOTATION = 'podmend.dev/reason-before';
const SECONDS_ANNOTATION = 'podmend.dev/seconds-to-fail';
const LABELS_ANNOTATION = 'podmend.dev/source-labels';
const UNTRIED_ANNOTATION = 'podmend.dev/untried-cause';
const CORRECTION_ANNOTATION = 'podmend.dev/correction';

const MAX_GRACE_SECONDS = 10;

/** What `isolate` reads. `template` is complete: `completeTemplate` has been at it, masked values are filled in. */
export interface Isolation {
  mirror: MirrorPod;
  source: Source;
  template: PodTemplate;
  neighbours: Pick<Neighbours, 'unsharedClaims' | 'hasPriorityClass'>;
  /** Until the mirror's time is over; above 0. */
  secondsLeft: number;
  notes: Notes;
}

/** What a mirror pod carries about its making, so that a verdict needs neither its source nor the database. */
export interface Notes {
  templateHash: string;
  /** Id of the failure record that it tests. */
  failureId?: number;
  /** The label of that failure. */
  reasonBefore?: string;
  /** How long the source ran before it failed. */
  failSeconds: number;
  /** What the source fails by and a mirror does not have (`untriedCause`). */
  untried?: string;
  /** As the status shows it. */
  correction?: Correction;
}

/** The pod that a mirror runs: the corrected template, cut off from everything that acts on the source (DESIGN section 3). */
export function isolate({ mirror, source, template, neighbours, secondsLeft, notes }: Isolation): Pod {
  const uid = mirror.metadata.uid ?? '';
  const { metadata, spec: stripped } = stripTemplate(template);
  const { spec, replaced } = replaceUnshared(stripped, neighbours.unsharedClaims);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: mirrorPodName(source.name, uid),
      namespace: source.namespace,
      labels: { [MIRROR_LABEL]: 'true', [MIRROR_OF_LABEL]: uid },
      annotations: {
        ...labelNotes(metadata?.labels),
        ...metadata?.annotations,
        [SOURCE_ANNOTATION]: source.name,
        [TEMPLATE_HASH_ANNOTATION]: notes.templateHash,
        [SECONDS_ANNOTATION]: String(notes.failSeconds),
        ...present({
          [FAILURE_ANNOTATION]: notes.failureId?.toString(),
          [REASON_ANNOTATION]: notes.reasonBefore,
          [UNTRIED_ANNOTATION]: notes.untried,
          [CORRECTION_ANNOTATION]: notes.correction && JSON.stringify(notes.correction),
          [REPLACED_VOLUMES_ANNOTATION]: replaced.join(',') || undefined,
        }),
      },
      ownerReferences: [ownerReferenceTo(mirror)],
    },
    spec: {
      ...spec,
      ...present({ priorityClassName: neighbours.hasPriorityClass ? PRIORITY_CLASS : undefined }),
      terminationGracePeriodSeconds: Math.min(spec.terminationGracePeriodSeconds ?? 30, MAX_GRACE_SECONDS),
      activeDeadlineSeconds: Math.max(1, Math.floor(Math.min(spec.activeDeadlineSeconds ?? Infinity, secondsLeft))),
    },
  };
}

/** The labels as annotations. One with a domain may be an order to some tool when it is an annotation: those are only told. */
function labelNotes(labels: Record<string, string> = {}): Record<string, string> {
  const [plain, qualified] = [true, false].map((isPlain) =>
    Object.fromEntries(Object.entries(labels).filter(([key]) => !/[./]/.test(key) === isPlain)),
  );
  return { ...plain, ...(Object.keys(qualified ?? {}).length > 0 ? { [LABELS_ANNOTATION]: JSON.stringify(qualified) } : {}) };
}

/** A template as its writer meant it: what every pod needs and it leaves out (service account, a container's image) is the source's. */
export function completeTemplate(template: PodTemplate, source: PodTemplate): PodTemplate {
  const images = new Map(allContainers(source.spec).map((container) => [container.name, container.image]));
  const account = source.spec.serviceAccountName ?? source.spec.serviceAccount;
  const withImages = (spec: PodSpec, list: 'containers' | 'initContainers'): Partial<PodSpec> =>
    spec[list] ? { [list]: listOf(spec[list]).map((container) => withImage(container, images.get(container.name))) } : {};
  const { spec } = template;
  const metadata = template.metadata ?? {};
  return {
    metadata: { ...metadata, labels: metadata.labels ?? source.metadata?.labels ?? {}, annotations: metadata.annotations ?? {} },
    spec: {
      ...spec,
      ...withImages(spec, 'containers'),
      ...withImages(spec, 'initContainers'),
      ...(spec.serviceAccountName || spec.serviceAccount || !account ? {} : { serviceAccountName: account }),
    },
  };
}

const withImage = <T extends { image?: string }>(container: T, image: string | undefined): T =>
  container.image || !image ? container : { ...container, image };

/** The notes of a mirror pod; people may have tampered with them, so they are read with care. */
export function notesOf({ metadata }: Pod): Notes {
  const all = metadata.annotations ?? {};
  const [failure, reason, untried] = [all[FAILURE_ANNOTATION], all[REASON_ANNOTATION], all[UNTRIED_ANNOTATION]];
  const correction = correctionIn(all[CORRECTION_ANNOTATION]);
  return {
    templateHash: all[TEMPLATE_HASH_ANNOTATION] ?? '',
    failSeconds: Math.max(0, Number(all[SECONDS_ANNOTATION]) || 0),
    ...(Number.isSafeInteger(Number(failure)) && failure ? { failureId: Number(failure) } : {}),
    ...(reason ? { reasonBefore: reason } : {}),
    ...(untried ? { untried } : {}),
    ...(correction ? { correction } : {}),
  };
}

function correctionIn(text: string | undefined): Correction | undefined {
  try {
    return text ? (JSON.parse(text) as Correction) : undefined;
  } catch {
    return undefined;
  }
}

/** Names of the volumes that `isolate` replaced by empty ones. */
export function replacedVolumes(pod: Pod): string[] {
  return pod.metadata.annotations?.[REPLACED_VOLUMES_ANNOTATION]?.split(',').filter(Boolean) ?? [];
}

/** Says what a template holds, the order of keys aside: first 16 hex digits of the SHA-256 of its canonical JSON. */
export function hashTemplate(template: PodTemplate): string {
  return createHash('sha256').update(canonical(template)).digest('hex').slice(0, 16);
}

/** JSON with sorted keys, and without null and undefined: equal texts mean equal things. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  return `{${fields
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`)
    .join(',')}}`;
}
