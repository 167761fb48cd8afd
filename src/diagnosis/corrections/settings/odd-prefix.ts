import { code } from '../../rendering/quote.ts';
import type { RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { editDistance } from '../similar-names.ts';
import { textsOf } from '../container-texts.ts';
import { renamed } from './rename.ts';

/** A variable with a name that the program does not read, and the correct name. */
export interface OddName {
  name: string;
  wanted: string;
  correction: Correction;
}

/** The part of the name up to its last separator. */
const prefixOf = (name: string): string => name.slice(0, Math.max(name.lastIndexOf('_'), name.lastIndexOf('.')) + 1);

/** The minimum length of a prefix. Too many names share shorter ones. */
const SHORTEST = 8;

/** A name with program, section and key, separated by double underscores: `AIRFLOW__DATABASE__SQL_ALCHEMY_CONN`. */
const SECTIONED = /^([A-Za-z][A-Za-z\d]{1,40})__([A-Za-z][A-Za-z\d]{0,40}(?:_[A-Za-z\d]{1,40}){0,4})__([A-Za-z]\w{0,80})$/;
/** A name in which only the first separator is a double underscore. */
const HALF = /^([A-Za-z][A-Za-z\d]{1,40})__([A-Za-z][A-Za-z\d]{0,40})_([A-Za-z][A-Za-z\d]{0,40}(?:_[A-Za-z\d]{1,40}){0,8})$/;

/** A name in which both separators are single underscores. */
const FLAT = /^([A-Za-z][A-Za-z\d]{1,40})_([A-Za-z][A-Za-z\d]{0,40})_([A-Za-z][A-Za-z\d]{0,40}(?:_[A-Za-z\d]{1,40}){0,8})$/;

/** A section and a setting of .NET with a single underscore between them. */
const PASCAL = /^([A-Z][a-z][A-Za-z\d]{0,40})_([A-Z][a-z][A-Za-z\d]{0,60})$/;

/**
 * The name with a double underscore behind its section, as .NET wants it (Microsoft, "Configuration in ASP.NET Core"): all programs read
 * `ConnectionStrings`, and `Rabbit_HostName` stands beside two of `Rabbit__…`.
 */
function inNetSection(name: string, names: readonly string[], isReferred: boolean): string | undefined {
  if (/^ConnectionStrings_(?!_)./.test(name)) return name.replace('_', '__');
  const [, section, setting] = isReferred ? [] : (PASCAL.exec(name) ?? []);
  return section !== undefined && names.filter((one) => one.startsWith(`${section}__`)).length > 1 ? `${section}__${setting}` : undefined;
}

/** The name with both double underscores, if other variables have them: two with the same first word, or one with the same section. */
function inSections(name: string, names: readonly string[], isReferred = false): string | undefined {
  const ofNet = inNetSection(name, names, isReferred);
  if (ofNet !== undefined) return ofNet;
  const [, own, first, rest] = name.includes('__') || isReferred ? [] : (FLAT.exec(name) ?? []);
  if (own !== undefined && names.filter((one) => SECTIONED.exec(one)?.[1] === own).length > 1) return `${own}__${first}__${rest}`;
  const [, program, section, key] = HALF.exec(name) ?? [];
  const beside = names.filter((one) => one !== name && SECTIONED.exec(one)?.[1] === program);
  if (program !== undefined && beside.length > 1) return `${program}__${section}__${key}`;
  // `A__B__C_D` beside `A__B__C__E`, and `A_B__C` beside two of `A__…`.
  for (let at = name.indexOf('_'); at > 0; at = name.indexOf('_', at + 1)) {
    if (name[at + 1] === '_' || name[at - 1] === '_') continue;
    const doubled = `${name.slice(0, at)}__`;
    const like = names.filter((one) => one !== name && one.startsWith(doubled));
    if (like.length > (doubled.indexOf('__') === at ? 1 : 0) && name.includes('__')) return `${doubled}${name.slice(at + 1)}`;
  }
  return undefined;
}

/**
 * The only variable whose prefix is a typo of the prefix that other variables share, so that the program does not read it:
 * `database_connection__host` beside `database__connection__user` and `database__connection__password`. Prefixes with different numbers belong to
 * different settings.
 */
export function oddPrefix(input: RuleInput): OddName | undefined {
  return oddNames(input, (name, names, isReferred) => inSections(name, names, isReferred) ?? withUsualPrefix(name, names));
}

/** Like `oddPrefix`, but only for names with sections. They are such strong evidence that the line need not mention settings. */
export const oddSection = (input: RuleInput): OddName | undefined => oddNames(input, inSections);

function withUsualPrefix(name: string, names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const one of names) counts.set(prefixOf(one), (counts.get(prefixOf(one)) ?? 0) + 1);
  const usual = [...counts].filter(([prefix, count]) => count > 1 && prefix.length >= SHORTEST).map(([prefix]) => prefix);
  const prefix = prefixOf(name);
  if (counts.get(prefix) !== 1 || prefix.length < SHORTEST) return undefined;
  const near = usual.filter((one) => one.replaceAll(/\D/g, '') === prefix.replaceAll(/\D/g, '') && editDistance(prefix, one) < 3);
  return near.length === 1 ? `${near[0]}${name.slice(prefix.length)}` : undefined;
}

function oddNames(
  input: RuleInput,
  wantedOf: (name: string, names: readonly string[], isReferred: boolean) => string | undefined,
): OddName | undefined {
  const place = input.place();
  const names = (place?.container?.env ?? []).map(({ name }) => name);
  const values = textsOf(place?.container);
  const found = names.flatMap((name) => {
    const wanted = wantedOf(
      name,
      names,
      values.some((value) => value.includes(`$(${name})`)),
    );
    return wanted === undefined || names.includes(wanted) ? [] : [{ name, wanted }];
  });
  const [only, ...more] = found;
  if (!place || !only || more.length > 0) return undefined;
  return {
    name: only.name,
    wanted: only.wanted,
    correction: renamed(
      place,
      { from: only.name, to: only.wanted },
      { why: 'the variables beside it begin so', explanation: `The program does not read ${code(only.name)}.` },
    ),
  };
}
