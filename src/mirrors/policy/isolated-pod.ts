import { MIRROR_LABEL, MIRROR_OF_LABEL, mirrorPodName, ownerReferenceTo, type MirrorPod } from '../../crd/mirrorpod.ts';
import type { Pod, PodTemplate } from '../../crd/kubernetes.ts';
import type { Neighbours, Source } from './source.ts';
import { withoutUndefined } from '../../crd/without-undefined.ts';
import { stripTemplate } from '../../crd/strip-template.ts';
import { annotationsOf, labelAnnotations, type MirrorNotes } from './mirror-notes.ts';
import { replaceUnshared } from './volumes.ts';

export const PRIORITY_CLASS = 'podmend-mirror';
const MAX_GRACE_SECONDS = 10;

/** The input of `isolate`. `template` is complete: `readTemplate` has filled in missing and masked values. */
export interface Isolation {
  mirror: MirrorPod;
  source: Source;
  template: PodTemplate;
  neighbours: Pick<Neighbours, 'unsharedClaims' | 'hasPriorityClass'>;
  /** The seconds until the mirror's time is over. Always above 0. */
  secondsLeft: number;
  notes: MirrorNotes;
}

/** The pod that a mirror runs: the corrected template without anything that could affect the source. */
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
      annotations: { ...labelAnnotations(metadata?.labels), ...metadata?.annotations, ...annotationsOf(notes, source.name, replaced) },
      ownerReferences: [ownerReferenceTo(mirror)],
    },
    spec: {
      ...spec,
      ...withoutUndefined({ priorityClassName: neighbours.hasPriorityClass ? PRIORITY_CLASS : undefined }),
      terminationGracePeriodSeconds: Math.min(spec.terminationGracePeriodSeconds ?? 30, MAX_GRACE_SECONDS),
      activeDeadlineSeconds: Math.max(1, Math.floor(Math.min(spec.activeDeadlineSeconds ?? Infinity, secondsLeft))),
    },
  };
}
