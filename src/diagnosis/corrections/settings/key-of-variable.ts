import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { meaningOf } from '../synonyms.ts';

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
  const place = input.place();
  const said = ` ${text.toLowerCase().replaceAll(/[^a-z\d]+/g, ' ')} `;
  const found = (place?.container?.env ?? []).flatMap(({ name, valueFrom }, index) => {
    const [what, field, ref] = valueFrom?.secretKeyRef
      ? (['Secret', 'secretKeyRef', valueFrom.secretKeyRef] as const)
      : (['ConfigMap', 'configMapKeyRef', valueFrom?.configMapKeyRef] as const);
    const words = name.toLowerCase().split(/_+/).slice(-2);
    return ref?.name && ref.key && words.length === 2 && (said.includes(` ${words.join(' ')} `) || isSaidTogether(name, said))
      ? [{ name, index, what, field, ref }]
      : [];
  });
  const [only, ...more] = found;
  if (!place || !only || more.length > 0) return undefined;
  const { name, index, what, field, ref } = only;
  const { secrets, configMaps } = input.subject.surroundings ?? {};
  const keys = (what === 'Secret' ? secrets : configMaps)?.find((one) => one.name === ref.name)?.keys ?? [];
  const isNamed = (key: string): boolean =>
    `_${meaningOf(name).join('_')}`.endsWith(`_${meaningOf(key).join('_')}`) ||
    (meaningOf(key).length > 1 && meaningOf(name).join('').endsWith(meaningOf(key).join('')));
  const [other, ...others] = isNamed(ref.key ?? '')
    ? []
    : keys.filter((key) => key !== ref.key && meaningOf(key).length > 1 && isNamed(key));
  return {
    name,
    source: `key ${ref.key} of ${what} ${ref.name}`,
    corrections:
      other === undefined || others.length > 0
        ? []
        : [
            {
              title: `Take ${code(name)} from the key ${code(other)}`,
              changes: [
                change(
                  place,
                  fieldPath(place.path, 'env', index, 'valueFrom', field, 'key'),
                  other,
                  `${code(other)} is called like the variable`,
                ),
              ],
              confidence: 'likely',
              explanation: `${what} ${code(ref.name ?? '')} has this key too, and the program does not take the value of ${code(ref.key ?? '')}.`,
              mirrorable: true,
            },
          ],
  };
}
