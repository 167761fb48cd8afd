import type { Change } from '../../contract/failure.ts';
import type { MirrorPreview, OwnerPatch, PreviewCorrection, WrittenTrial } from '../../contract/mirror.ts';
import { MIRROR_TTL } from '../../contract/mirror-ttl.ts';
import type { KubeObject, PodTemplate } from '../../crd/kubernetes.ts';
import { canonical } from '../../crd/canonical.ts';
import { dumpManifest } from '../../crd/manifest.ts';
import { applyChanges, ChangeError, changesOfOwner } from '../../crd/field-path.ts';
import { ownerPatch } from '../../diagnosis/changes/owner-patch.ts';
import { unifiedDiff } from '../../diagnosis/changes/diff.ts';
import type { Surroundings } from '../../diagnosis/case.ts';
import type { Diagnosis } from '../../diagnosis/diagnosis.ts';
import type { Correction } from '../../diagnosis/corrections/correction.ts';
import { baselineViolations } from '../../checks/baseline.ts';
import { maskManifest } from '../../redact/manifest.ts';
import { risksOf } from './risks.ts';
import type { Neighbours, Source } from './source.ts';
import { suggestedTtlSeconds } from './suggested-ttl.ts';
import type { SourceHistory } from './observation-window.ts';
import { type PastTrial, refutedLast, templateOfManifest } from './correction.ts';
import { readTemplate, templateIn } from './read-template.ts';
import { writtenCorrection } from './written-correction.ts';

export interface PreviewView {
  /** Masked; undefined when neither a live source nor a stored manifest is there. */
  manifest: KubeObject | undefined;
  diagnosis: Diagnosis;
  /** Absent when the source is gone: then nothing can be mirrored. */
  source: Source | undefined;
  /** The CronJob that made the Job that owns the source; secrets as they are. */
  cronJob?: KubeObject | undefined;
  neighbours: Neighbours | undefined;
  /** The known parts of the cluster around the source. */
  surroundings?: Surroundings | undefined;
  /** The mirror-TTL setting. */
  defaultTtlSeconds: number;
  /** The known runs of the source; absent when it is gone. */
  history: SourceHistory | undefined;
  /** What mirrors have shown of this failure, oldest first. */
  trials: readonly PastTrial[];
  /** What people wrote for mirrors that were Fixed, newest first. */
  written: readonly WrittenTrial[];
  /** What the source fails by and a mirror does not have: then none can prove anything. */
  strippedCause: string | undefined;
}

/**
 * What people are shown before they run a mirror: every correction of the diagnosis as a manifest and as a diff, best first, and last
 * those that a mirror has refuted.
 */
export function buildPreview(view: PreviewView): Omit<MirrorPreview, 'id'> {
  const { manifest, diagnosis } = view;
  const known = manifest ? [...proposed(diagnosis, manifest, view), ...written(manifest, view)] : [];
  const corrections = refutedLast(withOwnTitles(known), view.trials);
  const [best] = corrections;
  const template = best && manifest ? templateOfManifest(best.fixed_manifest) : undefined;
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

/** What the diagnosis proposes. */
function proposed({ corrections }: Diagnosis, manifest: KubeObject, view: PreviewView): PreviewCorrection[] {
  return corrections.flatMap((correction) => {
    const fixed = applyOrNothing(manifest, correction);
    return fixed ? [candidateOf(correction, { before: manifest, after: fixed }, view)] : [];
  });
}

/** What people wrote, and mirrors have proven. */
function written(manifest: KubeObject, view: PreviewView): PreviewCorrection[] {
  return view.written.flatMap((one) => {
    const correction = writtenCorrection(one, manifest);
    if (!correction) return [];
    const candidate = candidateOf(correction, { before: manifest, after: correction.fixed }, view);
    const patch = candidate.owner_patch;
    const noted = patch && { ...patch, note: [patch.note, correction.note].filter(Boolean).join(' ') };
    return [{ ...candidate, owner_patch: noted, written_for: one.mirror_id }];
  });
}

function candidateOf(
  correction: Correction,
  { before: manifest, after: fixed }: { before: KubeObject; after: KubeObject },
  view: PreviewView,
): PreviewCorrection {
  const { source, strippedCause } = view;
  const [before, after] = [dumpManifest(manifest), dumpManifest(fixed)];
  const template = templateIn(fixed);
  const runs = source !== undefined && template !== undefined && 'template' in readTemplate(template, source);
  const { title, explanation, changes, confidence } = correction;
  return {
    title,
    fixed_manifest: after,
    owner_patch: patchOf({ before: manifest, after: fixed }, changes, view),
    explanation,
    changes,
    diff: unifiedDiff(before, after) || ownerDiff(changes),
    confidence,
    is_fallback: correction.byModel !== true,
    mirrorable: correction.mirrorable && runs && !strippedCause,
  };
}

/** What corrects the live owner. */
function patchOf(
  corrected: { before: KubeObject; after: KubeObject },
  changes: Change[],
  { source, cronJob, surroundings }: PreviewView,
): OwnerPatch | null {
  const { pod } = source ?? {};
  const owner = cronJob ?? source?.owner ?? (pod && { apiVersion: 'v1', kind: 'Pod', ...pod });
  return owner ? ownerPatch(corrected, { owner: maskManifest(owner), podName: pod?.metadata.name, surroundings, changes }) : null;
}

/** Only the fields of the owner that change. */
function ownerDiff(changes: Change[]): string {
  const [before, after] = (['from', 'to'] as const).map((side) =>
    dumpManifest(
      applyChanges(
        {},
        changesOfOwner(changes).map((change) => ({ path: change.path, to: change[side] })),
      ),
    ),
  );
  return unifiedDiff(before ?? '', after ?? '');
}

/**
 * The corrections, each with a title of its own: where two share one, each names the first change that the other does not make, and a number
 * if that does not tell them apart either. The second of two that change the same is left out.
 */
function withOwnTitles(all: readonly PreviewCorrection[]): PreviewCorrection[] {
  const effects = all.map(({ fixed_manifest, changes }) =>
    canonical([fixed_manifest, changesOfOwner(changes).map(({ path, to }) => [path, to])]),
  );
  const distinct = all.filter((_, index) => effects.indexOf(effects[index] as string) === index);
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
