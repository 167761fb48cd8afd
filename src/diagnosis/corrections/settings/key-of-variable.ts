import type { RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { betterKey, keyReferences } from './better-key.ts';

/** A variable that comes from a key, and that a line speaks of in words. */
export interface KeyedVariable {
  name: string;
  /** The key and its object: `key api-key of Secret stripe`. */
  source: string;
  /** Another key of the object, which is called like the variable. */
  corrections: Correction[];
}

/** Whether the last three words of a name stand in the text as two: `keystore password` of `SSL_KEY_STORE_PASSWORD`. */
function isSaidTogether(name: string, said: string): boolean {
  const [a, b, c] = name.toLowerCase().split(/_+/).slice(-3);
  return c !== undefined && said.includes(` ${a}${b} ${c} `);
}

/** The one variable from a key of a Secret or ConfigMap whose name the text says: `Invalid API key` of `STRIPE_API_KEY`. */
export function keyedVariable(input: RuleInput, text: string): KeyedVariable | undefined {
  const said = ` ${text.toLowerCase().replaceAll(/[^a-z\d]+/g, ' ')} `;
  const found = keyReferences(input).filter(({ name }) => {
    const words = name.toLowerCase().split(/_+/).slice(-2);
    return words.length === 2 && (said.includes(` ${words.join(' ')} `) || isSaidTogether(name, said));
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return undefined;
  const better = betterKey(input, only);
  return { name: only.name, source: `key ${only.key} of ${only.what} ${only.object}`, corrections: better ? [better.correction] : [] };
}
