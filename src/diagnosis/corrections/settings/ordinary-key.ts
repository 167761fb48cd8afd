import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

/** Keys with the passwords of special users, in the Secrets of common charts. */
const SPECIAL = /(?:^|[-_.])(?:root|admin|replication|replica|repl|postgres)(?=[-_.])/i;
/** Users who have such a password. */
const SPECIAL_USER = /^(?:root|admin|administrator|postgres|sa|replicator|repl_user)$/i;

/** For an ordinary user whose login is refused: uses the Secret's ordinary key (`mysql-password`) instead of a special user's (`mysql-root-password`). */
export function ordinaryKey(input: RuleInput, user: string | undefined): Correction[] {
  const place = input.place();
  if (!place || user === undefined || SPECIAL_USER.test(user)) return [];
  const found = (place.container?.env ?? []).flatMap(({ name, valueFrom }, index) => {
    const { name: secret, key = '' } = valueFrom?.secretKeyRef ?? {};
    const keys = input.subject.surroundings?.secrets?.find((one) => one.name === secret)?.keys ?? [];
    const plain = key.replace(SPECIAL, '');
    const to = keys.find((one) => one === plain || one === plain.replace(/^[-_.]/, ''));
    return SPECIAL.test(key) && to !== undefined && to !== key ? [{ name, index, key, to }] : [];
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return [];
  return [
    {
      title: `Take ${code(only.name)} from the key ${code(only.to)}`,
      changes: [
        change(
          place,
          fieldPath(place.path, 'env', only.index, 'valueFrom', 'secretKeyRef', 'key'),
          only.to,
          `${code(only.key)} is the password of another user than ${code(user)}`,
        ),
      ],
      confidence: 'likely',
      explanation: `The Secret has a key for ordinary users too.`,
      mirrorable: true,
    },
  ];
}
