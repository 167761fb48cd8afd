import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { meaningOf } from '../synonyms.ts';
import { type KeyReference, keyReferences } from './better-key.ts';

const wordsOf = (name: string): Set<string> => new Set(meaningOf(name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=^PG)(?=[A-Z])/g, '_')));

/** How many words two names share. */
function shared(a: string, b: string): number {
  const [words, others] = [wordsOf(a), wordsOf(b)];
  return [...words].filter((word) => others.has(word)).length;
}

/** Whether the name of each variable resembles the other's key more than its own. */
function isSwapped(a: KeyReference, b: KeyReference): boolean {
  if (a.what !== b.what || a.object !== b.object || a.key === b.key) return false;
  const straight = shared(a.name, a.key) + shared(b.name, b.key);
  const crossed = [shared(a.name, b.key), shared(b.name, a.key)] as const;
  return crossed[0] > 0 && crossed[1] > 0 && crossed[0] + crossed[1] > straight;
}

/** Every pair is compared, so the time grows with the square of the number. */
const MOST_REFERENCES = 60;

/** The only two variables of the container whose Secret or ConfigMap keys are swapped. */
export function swappedKeys(input: RuleInput): { names: [string, string]; correction: Correction } | undefined {
  const place = input.place();
  const all = keyReferences(input).slice(0, MOST_REFERENCES);
  const pairs = all.flatMap((a, index) => all.slice(index + 1).flatMap((b) => (isSwapped(a, b) ? [[a, b] as const] : [])));
  const [only, ...more] = pairs;
  if (!place || !only || more.length > 0) return undefined;
  const [a, b] = only;
  const field = a.what === 'Secret' ? 'secretKeyRef' : 'configMapKeyRef';
  const pathOf = ({ index }: KeyReference): string => fieldPath(place.path, 'env', index, 'valueFrom', field, 'key');
  return {
    names: [a.name, b.name],
    correction: {
      title: `Swap the keys of ${code(a.name)} and ${code(b.name)}`,
      changes: [
        change(place, pathOf(a), b.key, `the key ${code(b.key)} has the name of ${code(a.name)}`),
        change(place, pathOf(b), a.key, `the key ${code(a.key)} has the name of ${code(b.name)}`),
      ],
      confidence: 'likely',
      explanation: `Each of the two has the key of ${a.what} ${code(a.object)} that is called like the other one.`,
      mirrorable: true,
    },
  };
}
