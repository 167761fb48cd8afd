import type { FailureDetail, FailureReport, WorkloadRef } from '../contract/failure.ts';
import type { MirrorPreview } from '../contract/mirror.ts';
import { SETTINGS } from '../contract/settings.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import type { PreviewRepository } from '../db/previews.ts';
import type { SettingRepository } from '../db/settings.ts';
import { containerEvidence } from '../failures/evidence.ts';
import type { KubeClient } from '../kube/connect.ts';
import { findSource, readNeighbours } from '../kube/source.ts';
import { buildPreview } from '../mirrors/preview.ts';
import type { Source } from '../mirrors/source.ts';
import { manifestOf } from '../mirrors/template.ts';
import { untriedCause } from '../mirrors/untried.ts';
import { secondsToFail } from '../mirrors/verdict.ts';
import { type Case, caseOfReport, type Surroundings } from '../solutions/case.ts';
import type { Diagnosis } from '../solutions/diagnose.ts';

export interface PreviewDeps {
  client: KubeClient;
  previews: PreviewRepository;
  settings: Pick<SettingRepository, 'get'>;
  surroundings(namespace: string, workload?: WorkloadRef | null): Promise<Surroundings>;
  /** Says why a case fails and what cures it; with the incident, also what a model said about it. */
  diagnose(subject: Case, incidentId: number | undefined): Promise<Diagnosis>;
}

/** What is known of a failure: its stored record, or the same told by the live pod. */
export type Evidence = FailureReport | FailureDetail;

export type Previewer = ReturnType<typeof previewer>;

/** Makes previews: the evidence of a failure, its live source and what is around it, diagnosed, and each correction tried on the manifest. */
export function previewer({ client, previews, settings, surroundings, diagnose }: PreviewDeps) {
  const draft = async (evidence: Evidence, source: Source | undefined): Promise<Omit<MirrorPreview, 'id'>> => {
    const [around, neighbours, ttl] = await Promise.all([
      surroundings(evidence.namespace, evidence.workload),
      source && readNeighbours(client, evidence.namespace),
      defaultTtlSeconds(settings),
    ]);
    const subject = caseOn(caseOfReport(evidence, around), source);
    return buildPreview({
      manifest: subject.manifest(),
      diagnosis: await diagnose(subject, 'incident_id' in evidence ? evidence.incident_id : undefined),
      source,
      neighbours,
      defaultTtlSeconds: ttl,
      failSeconds: failSecondsOf(evidence, source),
      trials: 'trials' in evidence ? evidence.trials : [],
      untried: source && untriedCause(source, evidence),
    });
  };
  return {
    draft,

    /** Makes and stores the preview of a failure record. */
    async make(detail: FailureDetail): Promise<MirrorPreview> {
      const { namespace, pod_name: name, workload } = detail;
      const preview = await draft(detail, await findSource(client, { namespace, name, workload }));
      return { ...preview, id: await previews.insert(detail.id, preview) };
    },
  };
}

/** The case with the live manifest in place of the reported one: corrections are made to what runs now. */
function caseOn(subject: Case, source: Source | undefined): Case {
  if (!source) return subject;
  const manifest: KubeObject = manifestOf(source, subject.resource_kind);
  return { ...subject, manifest: () => manifest };
}

/** How long the source ran before it failed, as the record or the live pod tells; the longer of both. */
export function failSecondsOf(evidence: Evidence | undefined, source: Source | undefined): number {
  const live = source?.pod ? containerEvidence(source.pod) : [];
  return Math.max(secondsToFail(evidence?.container_statuses ?? []), secondsToFail(live));
}

/** The mirror-TTL setting. */
export async function defaultTtlSeconds(settings: Pick<SettingRepository, 'get'>): Promise<number> {
  return Number((await settings.get('mirror-ttl')) ?? SETTINGS['mirror-ttl'].default);
}
