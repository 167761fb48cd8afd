import type { Change } from '../../contract/failure.ts';
import type { MirrorPreview, OwnerPatch, PreviewCorrection } from '../../contract/mirror.ts';
import { MIRROR_TTL } from '../../contract/mirror-ttl.ts';
import type { KubeObject, PodTemplate } from '../../crd/kubernetes.ts';
import { canonical } from '../../crd/canonical.ts';
import { dumpManifest } from '../../crd/manifest.ts';
import { applyChanges, ChangeError } from '../../crd/field-path.ts';
import { ownerPatch } from '../../diagnosis/changes/owner-patch.ts';
import { unifiedDiff } from '../../diagnosis/changes/diff.ts';
import type { Surroundings } from '../../diagnosis/case.ts';
import type { Diagnosis } from '../../diagnosis/rules/diagnosis.ts';
import type { Correction } from '../../diagnosis/corrections/correction.ts';
import { baselineViolations } from '../../checks/baseline.ts';
import { maskManifest } from '../../redact/manifest.ts';
import { risksOf } from './risks.ts';
import type { Neighbours, Source } from './source.ts';
import { suggestedTtlSeconds } from './suggested-ttl.ts';
import type { SourceHistory } from './window.ts';
import { type PastTrial, refutedLast } from './correction.ts';
import { readTemplate, templateIn } from './template.ts';

export interface PreviewView {
  /** Masked; undefined when neither a live source nor a stored manifest is there. */
  manifest: KubeObject | undefined;
  diagnosis: Diagnosis;
  /** Absent when the source is gone: then nothing can be mirrored. */
  source: Source | undefined;
  /** The CronJob that made the Job that owns the source; secrets as they are. */
  cronJob?: KubeObject | undefined;
  neighbours: Neighbours | undefined;
  /** What is known of the cluster around the source. */
  surroundings?: Surroundings | undefined;
  /** The mirror-TTL setting. */
  defaultTtlSeconds: number;
  /** What is known of the runs of the source; absent when it is gone. */
  history: SourceHistory | undefined;
  /** What mirrors have shown of this failure, oldest first. */
  trials: readonly PastTrial[];
  /** What the source fails by and a mirror does not have: then none can prove anything. */
  strippedCause: string | undefined;
}

/**
 * What people are shown before they run a mirror: every correction of the diagnosis as a manifest and as a diff, best first, and last
 * those that a mirror has refuted.
 */
export function buildPreview(view: PreviewView): Omit<MirrorPreview, 'id'> {
  const { manifest, diagnosis } = view;
  const known = manifest ? diagnosis.corrections.flatMap((correction) => candidateOf(correction, manifest, view) ?? []) : [];
  const corrections = refutedLast(withOwnTitles(known), view.trials);
  const [best] = corrections;
  const template = best && manifest ? templateIn(applyChanges(manifest, best.changes)) : undefined;
  const shared = { candidates: corrections, risks: risksIn(view, template), suggested_ttl_seconds: suggestTtl(view, template) };
  if (best) {
    const { title: _, ...shown } = best;
    return { ...shown, ...shared };
  }
  const fixed_manifest = manifest ? dumpManifest(manifest) : '';
  return {
    fixed_manifest,
    owner_patch: null,
    explanation: withoutCorrection(diagnosis),
    changes: [],
    diff: '',
    confidence: 'guess',
    is_fallback: true,
    mirrorable: false,
    ...shared,
  };
}

function risksIn({ source, neighbours, strippedCause }: PreviewView, template: PodTemplate | undefined): string[] {
  if (!source) return ['The source is gone: what is shown is what was last reported, and it cannot be tried.'];
  const others = neighbours ? risksOf(source, template ?? source.template, neighbours) : [];
  const hidden = strippedCause
    ? [`The source fails by ${strippedCause}, which a mirror does not have: one that does well proves nothing.`]
    : [];
  return [...baselineRisk(source), ...hidden, ...others];
}

function candidateOf(correction: Correction, manifest: KubeObject, view: PreviewView): PreviewCorrection | undefined {
  const { source, strippedCause } = view;
  const fixed = applyOrNothing(manifest, correction);
  if (!fixed) return undefined;
  const [before, after] = [dumpManifest(manifest), dumpManifest(fixed)];
  const template = templateIn(fixed);
  const runs = source !== undefined && template !== undefined && 'template' in readTemplate(template, source);
  const { title, explanation, changes, confidence } = correction;
  return {
    title,
    fixed_manifest: after,
    owner_patch: patchOf({ before: manifest, after: fixed }, view),
    explanation,
    changes,
    diff: unifiedDiff(before, after),
    confidence,
    is_fallback: correction.byModel !== true,
    mirrorable: correction.mirrorable && runs && !strippedCause,
  };
}

/** What corrects the live owner. */
function patchOf(corrected: { before: KubeObject; after: KubeObject }, { source, cronJob, surroundings }: PreviewView): OwnerPatch | null {
  const { pod } = source ?? {};
  const owner = cronJob ?? source?.owner ?? (pod && { apiVersion: 'v1', kind: 'Pod', ...pod });
  return owner ? ownerPatch(corrected, { owner: maskManifest(owner), podName: pod?.metadata.name, surroundings }) : null;
}

/**
 * The corrections, each with a title of its own: where two share one, each names the first change that the other does not make, and a number
 * if that does not tell them apart either. The second of two that change the same is left out.
 */
function withOwnTitles(all: readonly PreviewCorrection[]): PreviewCorrection[] {
  const distinct = all.filter(({ fixed_manifest }, index) => all.findIndex((other) => other.fixed_manifest === fixed_manifest) === index);
  const titles = new Set<string>();
  return distinct.map((one) => {
    const others = distinct.filter((other) => other !== one && other.title === one.title);
    const full = others.length === 0 ? one.title : `${one.title} (${differenceFrom(others, one)})`;
    let title = full;
    for (let number = 2; titles.has(title); number += 1) title = `${full} (${number})`;
    titles.add(title);
    return { ...one, title };
  });
}

const MAX_VALUE = 60;

/** `image: web:2`, `memory: 64Mi`: the first change that some of the others does not make. */
function differenceFrom(others: readonly PreviewCorrection[], { changes }: PreviewCorrection): string {
  const isMadeBy = (change: Change) => (other: PreviewCorrection) =>
    other.changes.some(({ path, to }) => path === change.path && canonical(to ?? null) === canonical(change.to ?? null));
  const change = changes.find((one) => !others.every(isMadeBy(one))) ?? changes[0];
  if (!change) return 'no change';
  const { path, to = null } = change;
  const value = typeof to === 'string' ? to : JSON.stringify(to);
  return `${path}: ${value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE - 1)}…` : value}`;
}

/** A correction whose paths do not fit this manifest is left out: the live source may have changed since the evidence was taken. */
function applyOrNothing(manifest: KubeObject, correction: Correction): KubeObject | undefined {
  try {
    return applyChanges(manifest, correction.changes);
  } catch (error) {
    if (error instanceof ChangeError) return undefined;
    throw error;
  }
}

function withoutCorrection({ summary, noCorrection }: Diagnosis): string {
  const why = noCorrection
    ? `No change to the manifest cures this: ${noCorrection.why}`
    : 'No change to the manifest is known that cures this.';
  return [summary, why, ...(noCorrection ? [`Where to look: ${noCorrection.whereToLook}`] : [])].join('\n\n');
}

function baselineRisk(source: Source): string[] {
  const paths = baselineViolations(source.template);
  return paths.length === 0 ? [] : [`The source fails Pod Security baseline, so the API does not mirror it: ${paths.join(', ')}.`];
}

/** At least the setting: a shorter one may end before the verdict. */
function suggestTtl({ defaultTtlSeconds, history, source }: PreviewView, template: PodTemplate | undefined): number {
  const spec = template?.spec ?? source?.template.spec;
  if (!spec || !history) return Math.min(MIRROR_TTL.max, defaultTtlSeconds);
  return Math.max(defaultTtlSeconds, suggestedTtlSeconds({ spec, history, ...(source?.pod ? { pod: source.pod } : {}) }));
}
