import { isDeepStrictEqual } from 'node:util';
import type { FailureDetail } from '../contract/failure.ts';
import type { Candidate, MirrorPreview } from '../contract/mirror.ts';
import type { PodTemplate } from '../crd/kubernetes.ts';
import { loadManifest } from '../crd/manifest.ts';
import { PREVIEW_ANNOTATION, type Correction, type MirrorPod } from '../crd/mirrorpod.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { PreviewRepository } from '../db/previews.ts';
import { changesBetween, MAX_CHANGES } from '../mirrors/changes.ts';
import type { Source } from '../mirrors/source.ts';
import { nextCandidate } from '../mirrors/tried.ts';
import { stripTemplate } from '../mirrors/strip.ts';
import { readTemplate, templateIn, type Refusal } from '../mirrors/template.ts';
import { maskManifest } from '../redact/manifest.ts';
import type { Evidence, Previewer } from './preview.ts';

export interface CorrectionDeps {
  failures: Pick<FailureRepository, 'record'>;
  previews: Pick<PreviewRepository, 'byId'>;
  previewer: Pick<Previewer, 'draft'>;
}

/** What a mirror tries. `template` is complete and unmasked, `correction` is for the status. */
export interface Chosen {
  template: PodTemplate;
  correction: Correction;
}

/**
 * The one correction of a mirror: its own template, or of the preview that its annotation names, else of a diagnosis made now, the best
 * mirrorable one that no mirror of this failure has refuted. `evidence` is only asked for when a diagnosis has to be made.
 */
export async function chooseCorrection(
  { failures, previews, previewer }: CorrectionDeps,
  {
    mirror,
    source,
    record,
    evidence,
  }: { mirror: MirrorPod; source: Source; record: Pick<FailureDetail, 'trials'> | undefined; evidence(): Promise<Evidence> },
): Promise<Chosen | { refusal: Refusal }> {
  const named = await namedPreview(mirror, failures, previews);
  const given = mirror.spec.template;
  if (given) {
    const read = readTemplate(given, source);
    if ('refusal' in read) return { refusal: atTemplate(read.refusal) };
    return { template: read.template, correction: correctionOf(given, source, named) };
  }
  const preview = named ?? (await previewer.draft(await evidence(), source));
  const trials = record?.trials ?? [];
  const candidate = nextCandidate(preview.candidates, trials);
  const template = candidate && templateOfManifest(candidate.fixed_manifest);
  const read = template && readTemplate(template, source);
  if (!candidate || !read) return { refusal: { reason: 'NoCorrection', message: NO_CORRECTION, paths: ['spec.template'] } };
  return 'refusal' in read ? read : { template: read.template, correction: shownCorrection(candidate) };
}

const NO_CORRECTION = 'No correction is known that a mirror could try, or each was tried and still fails: give one in spec.template.';

/** Paths of a refusal as they count in the MirrorPod. */
function atTemplate({ reason, message, paths }: Refusal): Refusal {
  const inMirror = (path: string): string => `spec.template.${path}`;
  return { reason, message: paths.reduce((text, path) => text.replace(path, inMirror(path)), message), paths: paths.map(inMirror) };
}

/** The preview that the annotation names. One of another pod is not it: anybody may write an annotation. */
async function namedPreview(
  { metadata, spec }: MirrorPod,
  failures: Pick<FailureRepository, 'record'>,
  previews: Pick<PreviewRepository, 'byId'>,
): Promise<MirrorPreview | undefined> {
  const id = Number(metadata.annotations?.[PREVIEW_ANNOTATION]);
  const stored = Number.isSafeInteger(id) && id > 0 ? await previews.byId(id) : undefined;
  const record = stored && (await failures.record(stored.failureId));
  return record?.namespace === metadata.namespace && record?.pod_name === spec.source.name ? stored?.preview : undefined;
}

function correctionOf(given: PodTemplate, source: Source, preview: MirrorPreview | undefined): Correction {
  const candidate = preview?.candidates.find(({ fixed_manifest }) =>
    isDeepStrictEqual(templateOfManifest(fixed_manifest)?.spec, given.spec),
  );
  if (candidate) return shownCorrection(candidate);
  const [before, after] = [maskManifest(stripTemplate(source.template).spec), maskManifest(stripTemplate(given).spec)];
  const changes = changesBetween(before, after, 'Given by the author of the mirror.', 'spec');
  return { origin: 'Given', changes: changes.map(forStatus) };
}

function shownCorrection({ is_fallback, explanation, changes }: Candidate): Correction {
  return {
    origin: is_fallback === false ? 'Model' : 'Rules',
    explanation: explanation.slice(0, 16_384),
    changes: changes.slice(0, MAX_CHANGES).map(forStatus),
  };
}

type Changes = FailureDetail['trials'][number]['changes'];

/** Within the bounds of the CRD; an absent value is left out, because a structural schema prunes null. */
function forStatus({ path, from, to, why }: Changes[number]): Changes[number] {
  const present = Object.fromEntries(Object.entries({ from, to }).filter(([, value]) => value !== null && value !== undefined));
  return { path: path.slice(0, 512), ...present, why: why.slice(0, 1024) } as Changes[number];
}

/** The template in a preview's YAML; undefined when a stored preview is older than today's form. */
export function templateOfManifest(text: string): PodTemplate | undefined {
  return templateIn(loadManifest(text));
}
