import { leftOutOf, referencesIn } from '../../facts/references.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { otherReferences } from '../references.ts';

/** A variable that the container does not have, although the manifest lists it. */
export interface LeftOut {
  name: string;
  /** Completes "the variable is left out: …". */
  because: string;
  culprit: string;
  corrections: Correction[];
}

/** Where programs look for a server of which they know nothing. */
export const OWN_HOST = /\b(?:127\.0\.0\.1|localhost)\b|\[?::1\]?:/;
const OF_SERVER = /(?:HOST(?:NAME)?S?|ADDR(?:ESS)?|SERVERS?|ENDPOINT|BROKERS?|UR[IL]|DSN)$/i;

/**
 * The only variable that Kubernetes leaves out because its source is optional and does not exist (API reference, "ConfigMapKeySelector": optional), if the
 * line names it, or a program without the address of its server looks for it in its own pod.
 */
export function leftOutVariable(input: RuleInput, line: string): LeftOut | undefined {
  const place = input.place();
  const references = place ? referencesIn(place.spec, place.specPath) : [];
  const env = place?.container?.env ?? [];
  const found = env.flatMap(({ name }, index) => {
    const own = references.filter(({ namePath }) => namePath.startsWith(`${place?.path}.env[${index}].`));
    const [missing] = leftOutOf(own, input.subject.surroundings);
    return missing ? [{ name, missing }] : [];
  });
  const [only, ...more] = found.filter(({ name }) => line.includes(name) || (OWN_HOST.test(line) && OF_SERVER.test(name)));
  if (!only || more.length > 0) return undefined;
  const { name, missing } = only;
  const lacks =
    missing.key === null
      ? `there is no ${missing.what} ${code(missing.name)}`
      : `${missing.what} ${code(missing.name)} has no key ${code(missing.key)}`;
  return {
    name,
    because: `${lacks}, and its source is optional`,
    culprit: `${name}: ${missing.key === null ? '' : `key ${missing.key} in `}${missing.what} ${missing.name}`,
    corrections: otherReferences(input, missing),
  };
}
