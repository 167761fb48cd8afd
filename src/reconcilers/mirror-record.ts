import type { MirrorRecord } from '../contract/mirror.ts';
import type { CoreEvent, Pod, PodTemplate } from '../crd/kubernetes.ts';
import { dumpManifest } from '../crd/manifest.ts';
import { mirrorPodName, type MirrorPod } from '../crd/mirrorpod.ts';
import { eventEvidence } from '../failures/evidence.ts';
import { expiryOf } from '../mirrors/decide.ts';
import { notesOf } from '../mirrors/isolate.ts';
import { maskManifest } from '../redact/manifest.ts';
import { maskText } from '../redact/text.ts';

/** What a record is made of. `pod` and `events` are the mirror pod's, where it is there. */
export interface RecordView {
  mirror: MirrorPod;
  pod?: Pod | undefined;
  events: CoreEvent[];
  /** The mirror-TTL setting; holds where neither the object nor its status says a time. */
  defaultTtlSeconds: number;
}

/** A MirrorPod as every mirror endpoint and `mirror_status` show it, secrets masked. */
export function mirrorRecord({ mirror, pod, events, defaultTtlSeconds }: RecordView): MirrorRecord {
  const { metadata, spec, status } = mirror;
  const created = metadata.creationTimestamp ?? '';
  const expiresAt = expiryOf(mirror, defaultTtlSeconds);
  return {
    mirror_id: metadata.uid ?? '',
    name: metadata.name ?? '',
    mirror_pod_name: mirrorPodName(spec.source.name, metadata.uid ?? ''),
    source_pod_name: spec.source.name,
    pod_id: spec.failureId ?? (pod && notesOf(pod).failureId) ?? null,
    namespace: metadata.namespace ?? '',
    status: status?.phase ?? 'Pending',
    verdict: status?.verdict ?? null,
    ttl_seconds: spec.ttlSeconds ?? Math.round((expiresAt.getTime() - Date.parse(created)) / 1000),
    created_at: created,
    expires_at: expiresAt.toISOString(),
    fixed_manifest: fixedManifest(mirror, spec.template ?? (pod && { spec: pod.spec })),
    explanation: status?.correction?.explanation ?? '',
    conditions: shownConditions(mirror),
    events: shownEvents(events),
  };
}

function shownConditions({ status }: MirrorPod): MirrorRecord['conditions'] {
  return (status?.conditions ?? []).map(({ lastTransitionTime, observedGeneration: _, ...condition }) => ({
    ...condition,
    last_transition_time: lastTransitionTime,
  }));
}

function shownEvents(events: CoreEvent[]): MirrorRecord['events'] {
  return eventEvidence(events).map(({ type, reason, message, timestamp }) => ({
    type: type ?? '',
    reason: reason ?? '',
    message: maskText(message ?? ''),
    timestamp: timestamp ?? '',
  }));
}

/** The template as a Pod of its source's name; of a correction that Podmend made itself, what the mirror pod runs. */
function fixedManifest({ metadata, spec }: MirrorPod, template: PodTemplate | undefined): string {
  if (!template) return '';
  const { labels, annotations } = template.metadata ?? {};
  return dumpManifest(
    maskManifest({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: spec.source.name,
        namespace: metadata.namespace ?? '',
        ...(labels && { labels }),
        ...(annotations && { annotations }),
      },
      spec: template.spec,
    }),
  );
}
