import { asGuess } from '../combine.ts';
import type { RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { logSections } from '../../facts/log-sections.ts';
import { missingVariables } from './several-variables.ts';
import { missingVariable } from './variable.ts';

/** A setting's name in the forms of programs and keys. */
const NAME = /(?<![\w.$-])[A-Z][A-Z\d]{1,40}(?:_[A-Z\d]{1,40}){1,6}(?![\w-])/g;

/**
 * Supplies a setting that the line names and the container lacks from an unused ConfigMap or Secret key with that name, or with a name that ends
 * with it (`SUPERSET_SECRET_KEY` for `SECRET_KEY`).
 */
export function unusedKey(input: RuleInput, line: string): { name: string; corrections: Correction[] } | undefined {
  const { secrets = [], configMaps = [] } = input.subject.surroundings ?? {};
  const env = input.place()?.container?.env ?? [];
  const keys = [...new Set([...secrets, ...configMaps].flatMap((one) => one.keys))];
  for (const [name] of line.slice(0, 600).matchAll(NAME)) {
    if (env.some((one) => one.name === name || one.name.endsWith(`_${name}`))) continue;
    const [key, ...more] = keys.includes(name) ? [name] : keys.filter((one) => one.endsWith(`_${name}`));
    if (key === undefined || more.length > 0) continue;
    const corrections = missingVariable(input, key).map((one) => (key === name ? one : asGuess(one)));
    if (corrections.length > 0) return { name: key, corrections };
  }
  return listedKeys(input, keys);
}

/** The same for names alone on their lines: the program lists what it misses. */
function listedKeys(input: RuleInput, keys: readonly string[]): { name: string; corrections: Correction[] } | undefined {
  const env = input.place()?.container?.env ?? [];
  const text = logSections(input.subject)[0]?.text ?? '';
  const listed = [
    ...text.slice(-20_000).matchAll(/^[ \t]{0,8}[-*•]?[ \t]{0,4}([A-Z][A-Z\d]{1,40}(?:_[A-Z\d]{1,40}){1,8})[ \t]{0,4}$/gm),
  ].map(([, name = '']) => name);
  const names = [...new Set(listed)].filter((name) => keys.includes(name) && !env.some((one) => one.name === name));
  const [first, ...more] = names;
  const corrections = first === undefined || more.length === 0 ? [] : missingVariables(input, first, names);
  return first === undefined || corrections.length === 0 ? undefined : { name: first, corrections };
}
