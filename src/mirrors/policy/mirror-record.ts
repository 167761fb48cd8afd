import type { Evidence } from '../../contract/failure.ts';
import type { MirrorRecord } from '../../contract/mirror.ts';
import type { CoreEvent, Pod, PodTemplate } from '../../crd/kubernetes.ts';
import { dumpManifest } from '../../crd/manifest.ts';
import { type MirrorEvidence, mirrorPodName, type MirrorPod, type MirrorPodStatus } from '../../crd/mirrorpod.ts';
import { eventEvidence } from '../../failures/detect/evidence.ts';
import { expiryOf } from './decide.ts';
import { notesOf } from './mirror-notes.ts';
import { maskManifest } from '../../redact/manifest.ts';
import { maskText } from '../../redact/text.ts';

/** The input of a record. `pod` and `events` are those of the mirror pod, if it exists. */
export interface RecordView {
  mirror: MirrorPod;
  pod?: Pod | undefined;
  events: CoreEvent[];
  /** The mirror-TTL setting, for a mirror without an end in its spec and status. */
  defaultTtlSeconds: number;
}

/** A MirrorPod as every mirror endpoint and the message `mirror_status` show it, with secrets masked. */
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
    ...shownJudging(status),
    conditions: shownConditions(mirror),
    events: shownEvents(events),
  };
}

function shownJudging({ evidence, revisions = [], conditions = [] }: MirrorPodStatus = {}): Pick<
  MirrorRecord,
  'evidence' | 'revisions' | 'final'
> {
  return {
    evidence: evidence ? shownEvidence(evidence) : null,
    revisions: revisions.map(({ failure: _, ...revision }) => revision),
    final: conditions.some(({ type, status }) => type === 'Final' && status === 'True'),
  };
}

/** The evidence with the field names of the API. */
export function shownEvidence(evidence: MirrorEvidence): Evidence {
  return {
    window_seconds: evidence.windowSeconds,
    window_reason: evidence.windowReason,
    ready_since: evidence.readySince ?? null,
    restarts: evidence.restarts,
    readiness_lost: evidence.readinessLost,
    source_runs: evidence.sourceRuns,
    longest_source_run_seconds: evidence.longestSourceRunSeconds,
    probes_asked: evidence.probesAsked,
    weaknesses: evidence.weaknesses,
    strength: evidence.strength,
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

/** The template as a Pod with the name of its source. If Podmend chose the correction, it is the template that the mirror pod runs. */
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
