import type { RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { sourcesOf } from './variable.ts';
import { betterKey, keyReferences } from './better-key.ts';

/** A variable from a key whose name the line contains as words. */
export interface KeyedVariable {
  name: string;
  /** The key and its object: `key api-key of Secret stripe`. */
  source: string;
  /** Another key of the object that has the variable's name. */
  corrections: Correction[];
}

/** Whether the text has the last three words of a name as two words: `keystore password` for `SSL_KEY_STORE_PASSWORD`. */
function isSaidTogether(name: string, said: string): boolean {
  const [a, b, c] = name.toLowerCase().split(/_+/).slice(-3);
  return c !== undefined && said.includes(` ${a}${b} ${c} `);
}

/** The only variable from a Secret or ConfigMap key whose name the text contains in words: `Invalid API key` names `STRIPE_API_KEY`. */
export function keyedVariable(input: RuleInput, text: string): KeyedVariable | undefined {
  const said = ` ${text.toLowerCase().replaceAll(/[^a-z\d]+/g, ' ')} `;
  const isSaid = (name: string): boolean => {
    const words = name.toLowerCase().split(/_+/).slice(-2);
    return words.length === 2 && (said.includes(` ${words.join(' ')} `) || isSaidTogether(name, said));
  };
  const found = keyReferences(input).filter(({ name }) => isSaid(name));
  const [only, ...more] = found;
  if (!only) return ofWholeObject(input, isSaid);
  if (more.length > 0) return undefined;
  const better = betterKey(input, only);
  return { name: only.name, source: `key ${only.key} of ${only.what} ${only.object}`, corrections: better ? [better.correction] : [] };
}

/** The same for keys of an object that the container takes whole (`envFrom`). */
function ofWholeObject(input: RuleInput, isSaid: (name: string) => boolean): KeyedVariable | undefined {
  const place = input.place();
  const sources = place ? sourcesOf({ input, place, env: [], name: '' }) : [];
  const found = sources.flatMap(({ index, prefix, keys }) =>
    keys.filter((key) => isSaid(prefix + key)).map((key) => ({ index, name: prefix + key, key })),
  );
  const [only, ...more] = found;
  if (!place || !only || more.length > 0) return undefined;
  const { secretRef, configMapRef } = place.container?.envFrom?.[only.index] ?? {};
  const what = secretRef ? 'Secret' : 'ConfigMap';
  return { name: only.name, source: `key ${only.key} of ${what} ${(secretRef ?? configMapRef)?.name ?? ''}`, corrections: [] };
}
