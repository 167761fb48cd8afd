import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

/**
 * The one variable that refers to another of the container which is defined further down. Kubernetes then leaves `$(NAME)` as it is (Kubernetes, "Define
 * Dependent Environment Variables"). With `to`, only references to that one count.
 */
export function lateReference(input: RuleInput, to?: string): { name: string; wanted: string; correction: Correction } | undefined {
  const place = input.place();
  const env = place?.container?.env ?? [];
  const found = env.flatMap(({ name, value }, user) => {
    return [...(value ?? '').matchAll(/(?<!\$)\$\((\w{1,80})\)/g)].flatMap(([, wanted = '']) => {
      const later = env.findIndex((one) => one.name === wanted);
      return later > user && (to ?? wanted) === wanted ? [{ name, wanted, user, later }] : [];
    });
  });
  const [only, ...more] = found;
  if (!place || !only || more.length > 0) return undefined;
  const { name, wanted, user, later } = only;
  const why = 'a variable is only known to those after it';
  const path = (index: number): string => fieldPath(place.path, 'env', index);
  return {
    name,
    wanted,
    correction: {
      title: `Define ${code(wanted)} before ${code(name)}`,
      changes: [change(place, path(user), env[later], why), change(place, path(later), env[user], why)],
      confidence: 'likely',
      explanation: `${code(wanted)} is defined further down than where it is used.`,
      mirrorable: true,
    },
  };
}
