import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

/**
 * The one variable that refers to others of the container which are defined further down. Kubernetes then leaves `$(NAME)` as it is (Kubernetes, "Define
 * Dependent Environment Variables"). With `to`, only a variable that refers to that one counts.
 */
export function lateReference(input: RuleInput, to?: string): { name: string; wanted: string; correction: Correction } | undefined {
  const place = input.place();
  const env = place?.container?.env ?? [];
  const found = env.flatMap(({ name, value }, user) => {
    const later = referencesOf(value).filter((wanted) => env.findIndex((one) => one.name === wanted) > user);
    return later.length > 0 && (to === undefined || later.includes(to)) ? [{ name, user, later }] : [];
  });
  const [only, ...more] = found;
  if (!place || !only || more.length > 0) return undefined;
  const { name, user, later } = only;
  const last = Math.max(...later.map((wanted) => env.findIndex((one) => one.name === wanted)));
  // The two change places, so what comes first may not need what stands between them.
  if (referencesOf(env[last]?.value).some((wanted) => env.findIndex((one) => one.name === wanted) >= user)) return undefined;
  const why = 'a reference sees only the variables above it';
  const path = (index: number): string => fieldPath(place.path, 'env', index);
  const names = later.map((wanted) => code(wanted)).join(' and ');
  return {
    name,
    wanted: to ?? later[0] ?? '',
    correction: {
      title: `Define ${names} before ${code(name)}`,
      changes: [change(place, path(user), env[last], why), change(place, path(last), env[user], why)],
      confidence: 'likely',
      explanation: `${names} ${later.length > 1 ? 'are' : 'is'} defined further down than where ${code(name)} uses ${later.length > 1 ? 'them' : 'it'}, so ${code(`$(${later[0]})`)} reaches the program as it is.`,
      mirrorable: true,
    },
  };
}

/** The names of the variables in a value, each once. `$$(NAME)` is plain text. */
function referencesOf(value: string | undefined): string[] {
  return [...new Set([...(value ?? '').matchAll(/(?<!\$)\$\((\w{1,80})\)/g)].map(([, wanted = '']) => wanted))];
}
