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

/** A name with two separators of two underscores, as programs with sections have it: `AIRFLOW__DATABASE__SQL_ALCHEMY_CONN`. */
const SECTIONED = /^([A-Za-z][A-Za-z\d]{1,40})__([A-Za-z][A-Za-z\d]{0,40}(?:_[A-Za-z\d]{1,40}){0,4})__([A-Za-z]\w{0,80})$/;
/** A name that has only the first one. */
const HALF = /^([A-Za-z][A-Za-z\d]{1,40})__([A-Za-z][A-Za-z\d]{0,40})_([A-Za-z][A-Za-z\d]{0,40}(?:_[A-Za-z\d]{1,40}){0,8})$/;

/** The name with both separators, where at least two variables beside it have them and the same first word. */
function inSections(name: string, names: readonly string[]): string | undefined {
  const [, program, section, key] = HALF.exec(name) ?? [];
  const beside = names.filter((one) => one !== name && SECTIONED.exec(one)?.[1] === program);
  return program !== undefined && beside.length > 1 ? `${program}__${section}__${key}` : undefined;
}

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
    const sectioned = inSections(name, names);
    if (sectioned !== undefined && !names.includes(sectioned)) return [{ name, wanted: sectioned, index }];
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
