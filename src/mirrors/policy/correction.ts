import { isDeepStrictEqual } from 'node:util';
import type { Change, Trial } from '../../contract/failure.ts';
import type { PreviewCorrection } from '../../contract/mirror.ts';
import type { PodTemplate } from '../../crd/kubernetes.ts';
import { changesOfOwner } from '../../crd/field-path.ts';
import { loadManifest } from '../../crd/manifest.ts';
import type { MirrorCorrection } from '../../crd/mirrorpod.ts';
import { stripTemplate } from '../../crd/strip-template.ts';
import { maskManifest } from '../../redact/manifest.ts';
import { changesBetween, MAX_CHANGES } from './changes.ts';
import type { Source } from './source.ts';
import { templateIn } from './read-template.ts';

/** The relevant parts of an earlier trial of the same failure. */
export type PastTrial = Pick<Trial, 'verdict' | 'changes' | 'reason_after'>;

/** The trial that has refuted this correction. Inconclusive and running trials refute nothing. */
function refutation({ changes }: Pick<PreviewCorrection, 'changes'>, trials: readonly PastTrial[]): PastTrial | undefined {
  const effect = effectOf(changes);
  return trials.findLast(({ verdict, changes: tried }) => verdict === 'StillFailing' && isDeepStrictEqual(effectOf(tried), effect));
}

/** The newest trial of exactly this correction, whatever its verdict. */
export function newestTrial<T extends Pick<Trial, 'changes'>>(
  { changes }: Pick<PreviewCorrection, 'changes'>,
  trials: readonly T[],
): T | undefined {
  const effect = effectOf(changes);
  return trials.findLast((trial) => isDeepStrictEqual(effectOf(trial.changes), effect));
}

/** The changes in a form that can be compared with a trial's. Order counts, reasons do not. Trials keep only as many changes as a status. */
function effectOf(changes: readonly Change[]): unknown[] {
  return changes.slice(0, MAX_CHANGES).map(({ path, from, to }) => [inPod(path), from ?? null, to ?? null]);
}

/** The path in the pod. Corrections of a workload have paths in the workload; templates given to a mirror have paths in the pod. */
function inPod(path: string): string {
  return path.replace(/^spec\.template\.spec\b/, 'spec');
}

/** Moves refuted corrections to the end and marks them. The order of the others, best first, stays. */
export function refutedLast(corrections: readonly PreviewCorrection[], trials: readonly PastTrial[]): PreviewCorrection[] {
  const withTrial = corrections.map((correction) => ({ correction, trial: refutation(correction, trials) }));
  const refuted = withTrial.flatMap(({ correction, trial }) => {
    if (!trial) return [];
    const still = trial.reason_after ? ` (${trial.reason_after})` : '';
    return [{ ...correction, explanation: `A mirror has tried this and was still failing${still}. ${correction.explanation}` }];
  });
  return [...withTrial.flatMap(({ correction, trial }) => (trial ? [] : [correction])), ...refuted];
}

/** The best correction that a mirror may run and that no mirror has refuted. */
export function nextCorrection(corrections: readonly PreviewCorrection[], trials: readonly PastTrial[]): PreviewCorrection | undefined {
  return corrections.find((correction) => correction.mirrorable && !refutation(correction, trials));
}

/** The template in a preview's YAML; undefined for a stored preview in an older format. */
export function templateOfManifest(text: string): PodTemplate | undefined {
  return templateIn(loadManifest(text));
}

/** A given template, as the status shows it: the correction of the preview that it came from, or else its differences from the source. */
export function givenCorrection(given: PodTemplate, source: Source, corrections: readonly PreviewCorrection[]): MirrorCorrection {
  // A correction that also changes fields of the owner is not the same as its template.
  const correction = corrections.find(
    ({ fixed_manifest, changes }) =>
      changesOfOwner(changes).length === 0 && isDeepStrictEqual(templateOfManifest(fixed_manifest)?.spec, given.spec),
  );
  if (correction) return correctionOf(correction);
  const [before, after] = [maskManifest(stripTemplate(source.template).spec), maskManifest(stripTemplate(given).spec)];
  const changes = changesBetween(before, after, 'Given by the author of the mirror.', 'spec');
  return { origin: 'Given', changes: changes.map(forStatus) };
}

/** A correction of a preview, as the status shows it. */
export function correctionOf({ is_fallback, explanation, changes }: PreviewCorrection): MirrorCorrection {
  return {
    origin: is_fallback === false ? 'Model' : 'Rules',
    explanation: explanation.slice(0, 16_384),
    changes: changes.slice(0, MAX_CHANGES).map(forStatus),
  };
}

/** Cuts a change to the bounds of the CRD. An absent value is left out, because a structural schema prunes null. */
function forStatus({ path, from, to, why }: Change): Change {
  const values = Object.fromEntries(Object.entries({ from, to }).filter(([, value]) => value !== null && value !== undefined));
  return { path: path.slice(0, 512), ...values, why: why.slice(0, 1024) } as Change;
}
