import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten } from '../given-values.ts';

/** An address with a password, which ends at the last `@`. */
const ADDRESS = /^([a-z][a-z\d+.-]{1,30}:\/\/)([^\s:@/]{1,100}):(.{1,200})@([^\s@]{1,400})$/is;
/** Characters that must be percent-encoded in a URL's password (RFC 3986, section 3.2.1). */
const RESERVED = /[\s#?/[\]@:{}^|\\"<>`]|%(?![\da-f]{2})/i;

/** Encodes the only password with such characters in an address of the container. */
export function encodedPassword(input: RuleInput): { name: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const found = (place ? givenIn(place) : []).filter(({ value }) => {
    const password = ADDRESS.exec(value)?.[3] ?? '';
    return !password.includes('$(') && RESERVED.test(password);
  });
  const [only, ...more] = found;
  const [, scheme = '', user = '', password = '', rest = ''] = ADDRESS.exec(only?.value ?? '') ?? [];
  if (!place || !only || more.length > 0) return undefined;
  return {
    name: only.name,
    corrections: [
      {
        title: `Encode the password in ${code(only.name)}`,
        changes: [rewritten(place, only, `${scheme}${user}:${encodeURIComponent(password)}@${rest}`, 'some signs have a meaning in a URL')],
        confidence: 'likely',
        explanation: 'The password has signs that end or break the address. Better take it from a Secret, in a variable of its own.',
        mirrorable: true,
      },
    ],
  };
}
