import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten } from '../given-values.ts';

/** An address of MongoDB with a user and a database, and what follows. */
const ADDRESS = /^(mongodb(?:\+srv)?:\/\/([^\s:@/]{1,100})(?::[^\s@/]{0,200})?@[^\s/?]{1,300}\/[^\s/?]{1,100})(\?\S{0,400})?$/;
/** The users that the image makes in the database `admin` (Docker, "mongo"). */
const MADE_IN_ADMIN = /^(?:root|admin|mongo(?:admin|root)?)$/i;

/** Lets the client look the user up in `admin`, if the address names another database and no `authSource`. */
export function fromAdmin(input: RuleInput): { name: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const found = place ? givenIn(place).filter(({ value }) => ADDRESS.test(value) && !/authSource=/i.test(value)) : [];
  const [only, ...more] = found;
  const [, address = '', user = '', query] = ADDRESS.exec(only?.value ?? '') ?? [];
  if (!place || !only || more.length > 0 || address.endsWith('/admin')) return undefined;
  const to = `${address}${query === undefined ? '?' : `${query}&`}authSource=admin`;
  return {
    name: only.name,
    corrections: [
      {
        title: `Look the user up in ${code('admin')}`,
        changes: [rewritten(place, only, to, `without ${code('authSource')} MongoDB looks for the user in the database of the address`)],
        confidence: MADE_IN_ADMIN.test(user) ? 'likely' : 'guess',
        explanation: `The image of MongoDB makes its first user in ${code('admin')}.`,
        mirrorable: true,
      },
    ],
  };
}
