import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { meaningOf } from '../synonyms.ts';

/** Whether a variable's name ends with the name of the key: `db-password` for `APP_DB_PASSWORD`. */
export function isCalledLike(key: string, variable: string): boolean {
  const [words, all] = [meaningOf(key), meaningOf(variable)];
  return `_${all.join('_')}`.endsWith(`_${words.join('_')}`) || (words.length > 1 && all.join('').endsWith(words.join('')));
}

/** A reference of a variable to a key of a Secret or ConfigMap. */
export interface KeyReference {
  name: string;
  index: number;
  what: 'Secret' | 'ConfigMap';
  object: string;
  key: string;
}

/** The container's variables that take their value from a key, in the order of the manifest. */
export function keyReferences(input: RuleInput): KeyReference[] {
  return (input.place()?.container?.env ?? []).flatMap(({ name, valueFrom }, index) => {
    const what = valueFrom?.secretKeyRef ? 'Secret' : 'ConfigMap';
    const ref = valueFrom?.secretKeyRef ?? valueFrom?.configMapKeyRef;
    return ref?.name && ref.key ? [{ name, index, what, object: ref.name, key: ref.key }] : [];
  });
}

/** Another key of the same object that has the variable's name, if the key in use does not have it. */
export function betterKey(
  input: RuleInput,
  { name, index, what, object, key }: KeyReference,
): { to: string; correction: Correction } | undefined {
  const place = input.place();
  const { secrets, configMaps } = input.subject.surroundings ?? {};
  const keys = (what === 'Secret' ? secrets : configMaps)?.find((one) => one.name === object)?.keys ?? [];
  if (!place || isCalledLike(key, name)) return undefined;
  const named = keys.filter((one) => one !== key && meaningOf(one).length > 1 && isCalledLike(one, name));
  const [to, ...more] = named;
  if (to === undefined || more.length > 0) return undefined;
  const field = what === 'Secret' ? 'secretKeyRef' : 'configMapKeyRef';
  return {
    to,
    correction: {
      title: `Take ${code(name)} from the key ${code(to)}`,
      changes: [
        change(place, fieldPath(place.path, 'env', index, 'valueFrom', field, 'key'), to, `${code(to)} is called like the variable`),
      ],
      confidence: 'likely',
      explanation: `${what} ${code(object)} has the key ${code(to)} too, and the program does not take the value of ${code(key)}.`,
      mirrorable: true,
    },
  };
}

/** The only variable whose key has a different name, while an unused key of the same object has the variable's name. */
export function oddKey(input: RuleInput): { name: string; source: string; correction: Correction } | undefined {
  const all = keyReferences(input);
  const found = all.flatMap((one) => {
    const better = betterKey(input, one);
    const isUsed = all.some(({ object, key }) => object === one.object && key === better?.to);
    return better && !isUsed ? [{ ...one, correction: better.correction }] : [];
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return undefined;
  return { name: only.name, source: `key ${only.key} of ${only.what} ${only.object}`, correction: only.correction };
}
