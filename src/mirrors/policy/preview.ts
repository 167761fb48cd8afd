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
  /** The masked manifest; undefined if there is neither a live source nor a stored manifest. */
  manifest: KubeObject | undefined;
  diagnosis: Diagnosis;
  /** Undefined if the source is gone. There is nothing to mirror then. */
  source: Source | undefined;
  /** The CronJob whose Job owns the source. Its secrets are not masked. */
  cronJob?: KubeObject | undefined;
  neighbours: Neighbours | undefined;
  /** The known parts of the cluster around the source. */
  surroundings?: Surroundings | undefined;
  /** The mirror-TTL setting. */
  defaultTtlSeconds: number;
  /** The known runs of the source; undefined if it is gone. */
  history: SourceHistory | undefined;
  /** Earlier trials of this failure, oldest first. */
  trials: readonly PastTrial[];
  /** Corrections that people wrote and whose mirrors were Fixed, newest first. */
  written: readonly WrittenTrial[];
  /** The cause of the failure, if mirrors do not have it. No mirror can prove anything then. */
  strippedCause: string | undefined;
}

/**
 * Builds the preview for people who want to run a mirror: every correction of the diagnosis as a manifest and as a diff. The best come first,
 * and those that a mirror has refuted come last.
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

/** The corrections that the diagnosis proposes. */
function proposed({ corrections }: Diagnosis, manifest: KubeObject, view: PreviewView): PreviewCorrection[] {
  return corrections.flatMap((correction) => {
    const fixed = applyOrNothing(manifest, correction);
    return fixed ? [candidateOf(correction, { before: manifest, after: fixed }, view)] : [];
  });
}

/** The corrections that people wrote and mirrors have proven. */
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

/** The patch that applies a correction to the live owner. */
function patchOf(
  corrected: { before: KubeObject; after: KubeObject },
  changes: Change[],
  { source, cronJob, surroundings }: PreviewView,
): OwnerPatch | null {
  const { pod } = source ?? {};
  const owner = cronJob ?? source?.owner ?? (pod && { apiVersion: 'v1', kind: 'Pod', ...pod });
  return owner ? ownerPatch(corrected, { owner: maskManifest(owner), podName: pod?.metadata.name, surroundings, changes }) : null;
}

/** A diff of only those fields of the owner that change. */
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
 * Gives each correction a unique title. If two have the same title, each adds the first change that the other does not make, or a number
 * if that does not distinguish them. Of two corrections with the same changes, the second is left out.
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

/** The first change that at least one of the others does not make, such as `image: web:2` or `memory: 64Mi`. */
function differenceFrom(others: readonly PreviewCorrection[], { changes }: PreviewCorrection): string {
  const isMadeBy = (change: Change) => (other: PreviewCorrection) =>
    other.changes.some(({ path, to }) => path === change.path && canonical(to ?? null) === canonical(change.to ?? null));
  const change = changes.find((one) => !others.every(isMadeBy(one))) ?? changes[0];
  if (!change) return 'no change';
  const { path, to = null } = change;
  const value = typeof to === 'string' ? to : JSON.stringify(to);
  return `${path}: ${value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE - 1)}…` : value}`;
}

/** Applies a correction; undefined if its paths do not fit, because the live source may have changed since the evidence was taken. */
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

/** The suggested TTL in seconds: long enough for the verdict, and at least the mirror-TTL setting. */
function suggestTtl({ defaultTtlSeconds, history, source }: PreviewView, template: PodTemplate | undefined): number {
  const spec = template?.spec ?? source?.template.spec;
  if (!spec || !history) return Math.min(MIRROR_TTL.max, defaultTtlSeconds);
  return Math.max(defaultTtlSeconds, suggestedTtlSeconds({ spec, history, ...(source?.pod ? { pod: source.pod } : {}) }));
}
