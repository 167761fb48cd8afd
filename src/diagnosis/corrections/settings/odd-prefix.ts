import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { editDistance } from '../similar-names.ts';

/** Up to the last separator of the name. */
const prefixOf = (name: string): string => name.slice(0, Math.max(name.lastIndexOf('_'), name.lastIndexOf('.')) + 1);

/** Shorter prefixes are part of too many other names. */
const SHORTEST = 8;

/**
 * The one variable whose name begins nearly as those beside it do, which the program therefore does not read: `database_connection__host` beside
 * `database__connection__user` and `database__connection__password`. Another number is another setting.
 */
export function oddPrefix(input: RuleInput): { name: string; wanted: string; correction: Correction } | undefined {
  const place = input.place();
  const names = (place?.container?.env ?? []).map(({ name }) => name);
  const counts = new Map<string, number>();
  for (const name of names) counts.set(prefixOf(name), (counts.get(prefixOf(name)) ?? 0) + 1);
  const usual = [...counts].filter(([prefix, count]) => count > 1 && prefix.length >= SHORTEST).map(([prefix]) => prefix);
  const found = names.flatMap((name, index) => {
    const prefix = prefixOf(name);
    if (counts.get(prefix) !== 1 || prefix.length < SHORTEST) return [];
    const near = usual.filter((one) => one.replaceAll(/\D/g, '') === prefix.replaceAll(/\D/g, '') && editDistance(prefix, one) < 3);
    const wanted = near.length === 1 ? `${near[0]}${name.slice(prefix.length)}` : undefined;
    return wanted === undefined || names.includes(wanted) ? [] : [{ name, wanted, index }];
  });
  const [only, ...more] = found;
  if (!place || !only || more.length > 0) return undefined;
  return {
    name: only.name,
    wanted: only.wanted,
    correction: {
      title: `Rename ${code(only.name)} to ${code(only.wanted)}`,
      changes: [change(place, fieldPath(place.path, 'env', only.index, 'name'), only.wanted, 'the variables beside it begin so')],
      confidence: 'likely',
      explanation: 'The program reads its settings by their whole names.',
      mirrorable: true,
    },
  };
}
