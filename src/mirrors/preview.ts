import type { FailureDetail, FailureReport, WorkloadRef } from '../contract/failure.ts';
import type { FailureDiagnosis } from '../contract/diagnosis.ts';
import type { MirrorPreview } from '../contract/mirror.ts';
import type { KubeObject, PodTemplate } from '../crd/kubernetes.ts';
import { dumpManifest } from '../crd/manifest.ts';
import { type MirrorCorrection, type MirrorPod, PREVIEW_ANNOTATION } from '../crd/mirrorpod.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { PreviewRepository } from '../db/previews.ts';
import type { TrialRepository } from '../db/trials.ts';
import { type SettingRepository, settingValue } from '../db/settings.ts';
import { type Case, caseOfReport, type Surroundings } from '../diagnosis/case.ts';
import type { Diagnosis } from '../diagnosis/diagnose.ts';
import { locateEvidence } from '../diagnosis/rendering/locate.ts';
import { containerEvidence } from '../failures/detect/evidence.ts';
import type { KubeClient } from '../kube/client.ts';
import { ClusterUnavailable, KubeError } from '../kube/errors.ts';
import { cronJobOf } from '../kube/workloads.ts';
import { readNeighbours } from './evidence.ts';
import { findSource } from './find-source.ts';
import { correctionOf, givenCorrection, newestTrial, nextCorrection, templateOfManifest } from './policy/correction.ts';
import { patchFormats } from './policy/patch-formats.ts';
import { buildPreview } from './policy/preview.ts';
import { type Source, strippedCause } from './policy/source.ts';
import { manifestOf, readTemplate, type TemplateRefusal } from './policy/read-template.ts';
import { sourceHistory } from './policy/source-history.ts';
import type { SourceHistory } from './policy/observation-window.ts';

export interface PreviewDeps {
  client: Pick<KubeClient, 'read' | 'list'>;
  previews: PreviewRepository;
  settings: Pick<SettingRepository, 'get'>;
  trials: Pick<TrialRepository, 'written'>;
  surroundings(namespace: string, workload?: WorkloadRef | null): Promise<Surroundings>;
  /** Explains a case and proposes corrections. With an `incidentId`, the answer includes a language model's solution for that incident. */
  diagnose(subject: Case, incidentId: number | undefined): Promise<Diagnosis>;
}

/** The evidence of a failure: its stored record, or a report made from the live pod. */
export type FailureEvidence = FailureReport | FailureDetail;

/** The results about a failure: the manifest that corrections change, the cause, and the corrections. */
interface Study {
  manifest: string;
  diagnosis: Diagnosis;
  preview: Omit<MirrorPreview, 'id'>;
}

export type Previewer = ReturnType<typeof previewer>;

/** Makes previews: diagnoses the evidence of a failure with its live source and surroundings, and applies each correction to the manifest. */
export function previewer({ client, previews, settings, trials, surroundings, diagnose }: PreviewDeps) {
  const study = async (evidence: FailureEvidence, source: Source | undefined, around: Surroundings | undefined): Promise<Study> => {
    const [neighbours, cronJob, ttl, written] = await Promise.all([
      source && readNeighbours(client, evidence.namespace),
      source?.owner && cronJobOf(client, source.owner.metadata),
      defaultTtlSeconds(settings),
      'id' in evidence ? trials.written(evidence.id) : [],
    ]);
    const subject = withLiveManifest(caseOfReport(evidence, around), source);
    const diagnosis = await diagnose(subject, 'incident_id' in evidence ? evidence.incident_id : undefined);
    const manifest = subject.manifest();
    const preview = buildPreview({
      manifest,
      diagnosis,
      source,
      cronJob,
      neighbours,
      surroundings: around,
      defaultTtlSeconds: ttl,
      history: source && historyFor(evidence, source),
      trials: 'trials' in evidence ? evidence.trials : [],
      written: written.filter((one) => !isUnproven(one.mirror_id, evidence)),
      strippedCause: source && strippedCause(source, evidence),
    });
    return { manifest: manifest ? dumpManifest(manifest) : '', diagnosis, preview };
  };
  const draft = async (evidence: FailureEvidence, source: Source | undefined): Promise<Omit<MirrorPreview, 'id'>> =>
    (await study(evidence, source, await surroundings(evidence.namespace, evidence.workload))).preview;
  return {
    draft,

    /** The cause of a failure and its corrections, based on the cluster now, or else on the time of the report. Stores nothing. */
    async explain(detail: FailureDetail): Promise<FailureDiagnosis> {
      const { namespace, pod_name: name, workload } = detail;
      const live = async (): Promise<FailureDiagnosis> => {
        const [source, around] = await Promise.all([findSource(client, { namespace, name, workload }), surroundings(namespace, workload)]);
        return explanationOf(detail, source ? 'live' : 'gone', await study(detail, source, around));
      };
      return live().catch(async (error: unknown) => {
        if (!(error instanceof ClusterUnavailable || error instanceof KubeError)) throw error;
        return explanationOf(detail, 'unknown', await study(detail, undefined, undefined));
      });
    },

    /** Makes and stores the preview of a failure record. */
    async make(detail: FailureDetail): Promise<MirrorPreview> {
      const { namespace, pod_name: name, workload } = detail;
      const preview = await draft(detail, await findSource(client, { namespace, name, workload }));
      return { ...preview, id: await previews.insert(detail.id, preview) };
    },
  };
}

const UNKNOWN = 'The cluster does not answer: what is shown is what was last reported, and it cannot be tried now.';

function explanationOf(
  detail: FailureDetail,
  source: FailureDiagnosis['source'],
  { manifest, diagnosis, preview }: Study,
): FailureDiagnosis {
  const { summary, culprit, evidence, changed, advice, commands, noCorrection } = diagnosis;
  return {
    summary,
    culprit,
    evidence: evidence.map((line) => locateEvidence(line, detail)),
    changed: changed ?? null,
    advice,
    commands,
    no_correction: noCorrection && { why: noCorrection.why, where_to_look: noCorrection.whereToLook },
    source,
    manifest,
    preview: {
      ...preview,
      risks: source === 'unknown' ? [UNKNOWN] : preview.risks,
      candidates: preview.candidates.map((correction) => {
        const trial = newestTrial(correction, detail.trials) ?? detail.trials.find(({ mirror_id }) => mirror_id === correction.written_for);
        const formats = patchFormats({ correction, manifest, failure: detail, summary, trial });
        return { ...correction, tried: trial?.mirror_id ?? null, formats };
      }),
    },
  };
}

/** Whether the evidence does not contain the success of this mirror, because the verdict came after the evidence was read. */
function isUnproven(mirrorId: string, evidence: FailureEvidence): boolean {
  const trials = 'trials' in evidence ? evidence.trials : [];
  return trials.some(({ mirror_id, verdict }) => mirror_id === mirrorId && verdict !== 'Fixed');
}

/** The case with the live manifest instead of the reported one, because corrections apply to the live objects. */
function withLiveManifest(subject: Case, source: Source | undefined): Case {
  if (!source) return subject;
  const manifest: KubeObject = manifestOf(source, subject.resource_kind);
  return { ...subject, manifest: () => manifest, ...(source.owner ? { owner: source.owner } : {}) };
}

/** The runs of a source, from its record and its live pod. */
export function historyFor(evidence: FailureEvidence | undefined, source: Source): SourceHistory {
  const live = source.pod ? containerEvidence(source.pod) : [];
  return sourceHistory({ spec: source.pod?.spec ?? source.template.spec, live, record: evidence });
}

/** The mirror-TTL setting. */
export async function defaultTtlSeconds(settings: Pick<SettingRepository, 'get'>): Promise<number> {
  return settingValue(settings, 'mirror-ttl');
}

export interface CorrectionDeps {
  failures: Pick<FailureRepository, 'record'>;
  previews: Pick<PreviewRepository, 'byId'>;
  previewer: Pick<Previewer, 'draft'>;
}

/** The correction that a mirror tries. `template` is complete and unmasked; `correction` is for the status. */
export interface ChosenCorrection {
  template: PodTemplate;
  correction: MirrorCorrection;
}

/**
 * Chooses the correction of a mirror: the template in its spec, or else the best correction that a mirror can run and that no mirror of this
 * failure has refuted. Corrections come from the preview in the mirror's annotation, or from a new diagnosis. `evidence` is only called
 * for a new diagnosis.
 */
export async function chooseCorrection(
  deps: CorrectionDeps,
  subject: {
    mirror: MirrorPod;
    source: Source;
    record: Pick<FailureDetail, 'trials'> | undefined;
    evidence(): Promise<FailureEvidence>;
  },
): Promise<ChosenCorrection | { refusal: TemplateRefusal }> {
  const { mirror, source, record } = subject;
  const named = await namedPreview(mirror, deps);
  const given = mirror.spec.template;
  if (given) {
    const read = readTemplate(given, source);
    if ('refusal' in read) return { refusal: atTemplate(read.refusal) };
    return { template: read.template, correction: givenCorrection(given, source, named?.candidates ?? []) };
  }
  const { candidates } = named ?? (await deps.previewer.draft(await subject.evidence(), source));
  const correction = nextCorrection(candidates, record?.trials ?? []);
  const template = correction && templateOfManifest(correction.fixed_manifest);
  const read = template && readTemplate(template, source);
  if (!correction || !read) return { refusal: { reason: 'NoCorrection', message: NO_CORRECTION, paths: ['spec.template'] } };
  return 'refusal' in read ? read : { template: read.template, correction: correctionOf(correction) };
}

const NO_CORRECTION = 'No correction is known that a mirror could try, or each was tried and still fails: give one in spec.template.';

/** The refusal with paths in the MirrorPod instead of paths in the template. */
function atTemplate({ reason, message, paths }: TemplateRefusal): TemplateRefusal {
  const inMirror = (path: string): string => `spec.template.${path}`;
  return { reason, message: paths.reduce((text, path) => text.replace(path, inMirror(path)), message), paths: paths.map(inMirror) };
}

/** The preview that the annotation names. A preview of another pod is ignored, because anybody may write an annotation. */
async function namedPreview(
  { metadata, spec }: MirrorPod,
  { failures, previews }: Pick<CorrectionDeps, 'failures' | 'previews'>,
): Promise<MirrorPreview | undefined> {
  const id = Number(metadata.annotations?.[PREVIEW_ANNOTATION]);
  const stored = Number.isSafeInteger(id) && id > 0 ? await previews.byId(id) : undefined;
  const record = stored && (await failures.record(stored.failureId));
  return record?.namespace === metadata.namespace && record?.pod_name === spec.source.name ? stored?.preview : undefined;
}
