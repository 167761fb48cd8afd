import { fieldPath } from '../../crd/field-path.ts';
import { fullRepository, parseImage } from '../../crd/image.ts';
import { knownTags } from '../corrections/images/image.ts';
import { code } from '../rendering/quote.ts';
import type { Correction } from '../corrections/correction.ts';
import { describe } from '../rendering/commands.ts';
import { change } from '../corrections/change.ts';
import { factOf, type RuleInput, who } from '../facts/input.ts';
import { type DiagnosisRule } from './rule.ts';

/** The image name is not a valid image reference. */
export const imageName: DiagnosisRule = {
  id: 'image-name',
  reasons: ['InvalidImageName', 'InspectFailed'],
  answer(input) {
    const fact = factOf(input, 'image-name');
    if (!fact && input.subject.reason !== 'InvalidImageName') return undefined;
    const place = input.place();
    const status = input.subject.statuses.find(({ name }) => name === input.subject.container);
    const image = place?.container?.image ?? status?.image ?? fact?.image;
    if (image === undefined) return undefined;
    return {
      summary: `${who(input)} cannot start: ${code(image)} is not an image reference (${fault(image)}).`,
      culprit: `${image} (${fault(image)})`,
      evidence: fact ? [fact.evidence] : [],
      advice: ['A reference is `registry/folder/name:tag`: lower-case names, one colon before the tag, no spaces and no `https://`.'],
      commands: [describe(input.subject)],
      corrections: place?.container
        ? known(input, image).map((repaired, index): Correction => ({
            title: `Use the image ${code(repaired)}`,
            changes: [
              change(
                place,
                fieldPath(place.path, 'image'),
                repaired,
                isKnown(input, repaired) ? 'containers of the cluster have run it' : `without this fault it is ${code(repaired)}`,
              ),
            ],
            confidence: index === 0 && (!hasTwoTags(image) || isKnown(input, repaired)) ? 'likely' : 'guess',
            explanation: 'A mirror shows whether the registry has it.',
            mirrorable: true,
          }))
        : [],
      noCorrection: {
        why: 'Nothing shows which image was meant.',
        whereToLook: "the template or pipeline that wrote the container's `image`",
      },
    };
  },
};

/** The references that the text was probably meant to be. If the cluster runs images of the repository, those come first. */
function known(input: RuleInput, image: string): string[] {
  const repaired = repairs(image);
  const [name = ''] = repairs(image.replace(/[:@][^/]*$/, ''));
  const bases = [...repaired, name || image.replace(/[:@][^/]*$/, '')];
  const there = bases.flatMap((base) => (isKnown(input, base) ? [base] : knownTags(input, base)));
  return [...new Set([...there, ...repaired])].slice(0, 3);
}

function isKnown(input: RuleInput, image: string): boolean {
  const [wanted, ...others] = [image, ...(input.subject.surroundings?.images ?? [])].map(parseImage);
  return others.some(
    (other) => fullRepository(other.repository) === fullRepository(wanted?.repository ?? '') && other.tag === (wanted?.tag ?? 'latest'),
  );
}

function fault(image: string): string {
  if (image.trim() === '') return 'it is empty';
  if (/\$|\{\{|<|>/.test(image)) return 'a placeholder was not filled in';
  if (/\s/.test(image)) return 'it has white space';
  if (/^\w+:\/\//.test(image)) return 'it begins with a protocol';
  if (hasTwoTags(image)) return 'it has two tags';
  if (/[A-Z]/.test(image.split(/[:@]/, 1)[0] ?? '')) return 'a repository must be lower-case';
  return /[:@]$/.test(image) ? 'the tag is empty' : 'it has characters that a reference may not have';
}

function hasTwoTags(image: string): boolean {
  return !image.includes('@') && (image.slice(image.lastIndexOf('/') + 1).match(/:/g)?.length ?? 0) > 1;
}

const REFERENCE = /^[a-z0-9.-]+(?::\d{1,5}(?=\/))?(?:\/[a-z0-9._-]+){0,8}(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/;

/** The references that the text was probably meant to be, most likely first. */
function repairs(image: string): string[] {
  const clean = image
    .replaceAll(/\s+/g, '')
    .replace(/^\w+:\/\//, '')
    .replaceAll(/(?<!:)\/{2,}/g, '/')
    .replace(/[:@/]+$/, '')
    .replace(/^\/+/, '');
  const slash = clean.lastIndexOf('/');
  const [name = '', ...tags] = clean.slice(slash + 1).split(/[:@](?!sha256)/);
  const folder = clean.slice(0, slash + 1);
  const safeTag = (tag: string) => tag.replaceAll(/[^\w.-]/g, '-');
  const references =
    tags.length > 1
      ? tags.map((tag) => `${folder}${name}:${safeTag(tag)}`)
      : [`${folder}${name}${tags[0] ? `:${tags[0].startsWith('sha256') ? tags[0] : safeTag(tags[0])}` : ''}`];
  const lower = references.map((reference) => {
    const colon = reference.indexOf(':', reference.lastIndexOf('/'));
    return colon < 0 ? reference.toLowerCase() : reference.slice(0, colon).toLowerCase() + reference.slice(colon);
  });
  return [...new Set(lower)].filter((reference) => reference !== image && REFERENCE.test(reference)).slice(0, 3);
}
