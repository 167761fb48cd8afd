import { fieldPath } from '../../../crd/field-path.ts';
import { fullRepository } from '../../../crd/image.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';

/** A registry that follows words of demand. After a "not", it is a forbidden one. */
const ASKED =
  /\b(?:must|only|should|shall|have to|has to|needs? to|allowed|approved|permitted|trusted|accepted|expected|use|outside(?: of)?|other than|except)\b(?!\s+(?:not|never|be used)\b)([^.]{0,80}?[\s"'`[(<])((?:(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,6}[a-z]{2,24}(?::\d{2,5})?|localhost:\d{2,5}|[a-z0-9-]{2,60}:\d{4,5})(?:\/[a-z0-9._-]{1,100}){0,4})(?![\w:])/;
/** Field names and label keys that look like hosts. */
const NO_REGISTRY =
  /^(?:spec|metadata|object|containers?|pods?|request|status|image|c)\.|kubernetes\.io\/(?!pause)|^(?:app|topology)\.kubernetes\.io/;

/** For a policy that allows images from one registry only: the same images from that registry. */
export function fromRegistry(place: ContainerPlace, message: string): Correction | undefined {
  const text = message.slice(0, 1000);
  const [, between = '', registry] = /\b(?:images?|registr|repos?\b|repositor)/i.test(text) ? (ASKED.exec(text) ?? []) : [];
  if (registry === undefined || NO_REGISTRY.test(registry) || /\b(?:not|never|see|read|visit|docs|signed)\b/.test(between))
    return undefined;
  const why = 'the message of the policy names where images must come from';
  const changes = (['initContainers', 'containers'] as const).flatMap((list) =>
    (place.spec[list] ?? []).flatMap(({ image = '' }, index) =>
      image === '' || image.startsWith(`${registry}/`)
        ? []
        : [change(place, fieldPath(place.specPath, list, index, 'image'), `${registry}/${withoutRegistry(image)}`, why)],
    ),
  );
  if (changes.length === 0) return undefined;
  return {
    title: `Take the images from ${code(registry)}`,
    changes,
    confidence: 'guess',
    explanation: 'The API server then accepts the pods. Whether that registry has these images, only the registry knows.',
    mirrorable: false,
  };
}

/** An image reference without the host of its registry, and without Docker Hub's `library/`. */
function withoutRegistry(image: string): string {
  const [first = '', ...rest] = image.split('/');
  const hasHost = rest.length > 0 && fullRepository(image).startsWith(`${first}/`) && /[.:]|^localhost$/.test(first);
  return (hasHost ? rest.join('/') : image).replace(/^library\//, '');
}
