import type { Candidate, MirrorPreview } from '../contract/mirror.ts';
import type { KubeObject, PodTemplate } from '../crd/kubernetes.ts';
import { dumpManifest } from '../crd/manifest.ts';
import { applyChanges, ChangeError } from '../solutions/fix/apply.ts';
import { unifiedDiff } from '../solutions/fix/diff.ts';
import type { Diagnosis, RuleCorrection } from '../solutions/rules/answer.ts';
import { baselineViolations } from './baseline.ts';
import { risksOf } from './risks.ts';
import type { Neighbours, Source } from './source.ts';
import { type Tried, untriedFirst } from './tried.ts';
import { readTemplate, templateIn } from './template.ts';

export interface PreviewView {
  /** Masked; undefined when neither a live source nor a stored manifest is there. */
  manifest: KubeObject | undefined;
  diagnosis: Diagnosis;
  /** Absent when the source is gone: then nothing can be mirrored. */
  source: Source | undefined;
  neighbours: Neighbours | undefined;
  /** The mirror-TTL setting. */
  defaultTtlSeconds: number;
  /** How long the source ran before it failed. */
  failSeconds: number;
  /** What mirrors have shown of this failure, oldest first. */
  trials: readonly Tried[];
  /** What the source fails by and a mirror does not have: then none can prove anything. */
  untried: string | undefined;
}

/**
 * What people are shown before they run a mirror: every correction of the diagnosis as a manifest and as a diff, best first, and last
 * those that a mirror has refuted.
 */
export function buildPreview(view: PreviewView): Omit<MirrorPreview, 'id'> {
  const { manifest, diagnosis } = view;
  const known = manifest ? diagnosis.corrections.flatMap((correction) => candidateOf(correction, manifest, view) ?? []) : [];
  const candidates = untriedFirst(known, view.trials);
  const [best] = candidates;
  const template = best && manifest ? templateIn(applyChanges(manifest, best.changes)) : undefined;
  const shared = { candidates, risks: risksIn(view, template), suggested_ttl_seconds: suggestTtl(view) };
  if (best) {
    const { title: _, ...shown } = best;
    return { ...shown, ...shared };
  }
  const fixed_manifest = manifest ? dumpManifest(manifest) : '';
  return {
    fixed_manifest,
    explanation: withoutCure(diagnosis),
    changes: [],
    diff: '',
    confidence: 'guess',
    is_fallback: true,
    mirrorable: false,
    ...shared,
  };
}

function risksIn({ source, neighbours, untried }: PreviewView, template: PodTemplate | undefined): string[] {
  if (!source) return ['The source is gone: what is shown is what was last reported, and it cannot be tried.'];
  const others = neighbours ? risksOf(source, template ?? source.template, neighbours) : [];
  const hidden = untried ? [`The source fails by ${untried}, which a mirror does not have: one that does well proves nothing.`] : [];
  return [...baselineRisk(source), ...hidden, ...others];
}

function candidateOf(correction: RuleCorrection, manifest: KubeObject, { source, untried }: PreviewView): Candidate | undefined {
  const fixed = applyOrNothing(manifest, correction);
  if (!fixed) return undefined;
  const [before, after] = [dumpManifest(manifest), dumpManifest(fixed)];
  const template = templateIn(fixed);
  const runs = source !== undefined && template !== undefined && 'template' in readTemplate(template, source);
  const { title, explanation, changes, confidence } = correction;
  return {
    title,
    fixed_manifest: after,
    explanation,
    changes,
    diff: unifiedDiff(before, after),
    confidence,
    is_fallback: correction.byModel !== true,
    mirrorable: correction.mirrorable && runs && !untried,
  };
}

/** A correction whose paths do not fit this manifest is left out: the live source may have changed since the evidence was taken. */
function applyOrNothing(manifest: KubeObject, correction: RuleCorrection): KubeObject | undefined {
  try {
    return applyChanges(manifest, correction.changes);
  } catch (error) {
    if (error instanceof ChangeError) return undefined;
    throw error;
  }
}

function withoutCure({ summary, noCure }: Diagnosis): string {
  const why = noCure ? `No change to the manifest cures this: ${noCure.why}` : 'No change to the manifest is known that cures this.';
  return [summary, why, ...(noCure ? [`Where to look: ${noCure.whereToLook}`] : [])].join('\n\n');
}

function baselineRisk(source: Source): string[] {
  const paths = baselineViolations(source.template);
  return paths.length === 0 ? [] : [`The source fails Pod Security baseline, so the API does not mirror it: ${paths.join(', ')}.`];
}

/** Long enough to outlive the time in which the source fails, with a minute for the start. */
function suggestTtl({ defaultTtlSeconds, failSeconds }: PreviewView): number {
  return Math.min(3600, Math.max(defaultTtlSeconds, Math.ceil((failSeconds * 1.2 + 60) / 30) * 30));
}
