import type { WrittenManifest, WrittenTrial } from '../../contract/mirror.ts';
import { canonical } from '../../crd/canonical.ts';
import type { KubeObject, PodTemplate } from '../../crd/kubernetes.ts';
import { mergeDifference } from '../../crd/merge-difference.ts';
import { stripTemplate } from '../../crd/strip-template.ts';
import type { Correction } from '../../diagnosis/corrections/correction.ts';
import { code } from '../../diagnosis/rendering/quote.ts';
import { allChanges, changesBetween, keepDefaults } from './changes.ts';
import { manifestOf } from './read-template.ts';
import type { Source } from './source.ts';

/** A template that somebody wrote for a mirror, together with the source. Secrets are masked, and parts that mirrors lack are removed. */
export function writtenManifest(source: Source, template: PodTemplate): WrittenManifest {
  const shown = (one: PodTemplate): object => manifestOf({ ...source, template: one }, 'Pod').spec;
  const before = shown(source.template);
  const after = keepDefaults(before, shown(template));
  const open = new Set(allChanges(before, after, '', 'spec').map(({ path }) => path));
  const real = allChanges(stripTemplate(source.template).spec, stripTemplate(template).spec, '', 'spec');
  return { before, after, hidden: real.map(({ path }) => path).filter((path) => !open.has(path)) };
}

/** A correction that somebody wrote, applied to the current manifest. */
export interface WrittenCorrection extends Correction {
  fixed: KubeObject;
  /** A sentence about values that people must add; empty if there are none. */
  note: string;
}

const WHY = 'Written by hand.';
const EXPLANATION =
  'Somebody wrote this change, and a mirror that ran with it was Fixed. No rule knows why it helps: read it before you take it.';

/**
 * Applies the change that somebody wrote for a mirror to the current manifest. Undefined if the manifest has the change already, or if the
 * change does not fit any more. Never throws.
 */
export function writtenCorrection({ before, after, hidden }: WrittenTrial, manifest: KubeObject): WrittenCorrection | undefined {
  const isTemplate = templateSpecOf(manifest) !== undefined;
  const at = (spec: object): object => (isTemplate ? { spec: { template: { spec } } } : { spec });
  const fixed = mergeDifference(manifest, at(before), at(after));
  if (!fixed || (canonical(fixed) === canonical(manifest) && hidden.length === 0)) return undefined;
  const changes = changesBetween(podSpecOf(manifest), podSpecOf(fixed), WHY, isTemplate ? 'spec.template.spec' : 'spec');
  const [first] = changes;
  const more = changes.length > 1 ? ` and ${changes.length - 1} more` : '';
  return {
    title: first ? `Written by hand: ${first.path}${more}` : 'Written by hand',
    changes,
    confidence: 'likely',
    explanation: [EXPLANATION, hiddenNote(hidden)].filter(Boolean).join(' '),
    note: hiddenNote(hidden),
    mirrorable: hidden.length === 0,
    fixed,
  };
}

/** A sentence about changed values that are masked. */
function hiddenNote(hidden: readonly string[]): string {
  if (hidden.length === 0) return '';
  const which = hidden.map((path) => code(path)).join(', ');
  return `It also changed ${which}, which may be secret and is not stored: write the value itself before you apply it.`;
}

const templateSpecOf = (manifest: object): object | undefined =>
  (manifest as { spec?: { template?: { spec?: object } } }).spec?.template?.spec;
const podSpecOf = (manifest: object): object => templateSpecOf(manifest) ?? (manifest as { spec?: object }).spec ?? {};
