import { fieldPath } from '../../../crd/field-path.ts';
import { parseImage } from '../../../crd/image.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

/** Images of which another one of the same tags has more components. Source: OpenTelemetry, "Distributions". */
const LARGER: readonly (readonly [repository: RegExp, larger: string])[] = [[/(?<=(?:^|\/)opentelemetry-collector)$/, '-contrib']];

/** For a component that the program does not have: the same tag of the image that has all of them. */
export function largerEdition(input: RuleInput): Correction[] {
  const place = input.place();
  const image = place?.container?.image ?? '';
  const { repository } = parseImage(image);
  const [pattern, larger] = LARGER.find(([known]) => known.test(repository)) ?? [];
  if (!place || !pattern || larger === undefined) return [];
  const name = repository.slice(repository.lastIndexOf('/') + 1);
  const to = image.replace(new RegExp(`${name}(?=[:@]|$)`), `${name}${larger}`).replace(/@.*$/, '');
  return [
    {
      title: `Use the image ${code(to)}`,
      changes: [change(place, fieldPath(place.path, 'image'), to, 'it has all components of the program')],
      confidence: 'likely',
      explanation: 'This image has only the components of the core.',
      mirrorable: true,
    },
  ];
}
