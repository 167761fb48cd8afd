import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

/** For a user whose login is refused: uses the only Secret that is named after the user and has the same key. */
export function secretOfUser(
  input: RuleInput,
  user: string | undefined,
): { name: string; secret: string; correction: Correction } | undefined {
  const place = input.place();
  const isOf = (name: string): boolean => user !== undefined && user.length > 2 && name.split(/[-_.]/).includes(user.toLowerCase());
  const found = (place?.container?.env ?? []).flatMap(({ name, valueFrom }, index) => {
    const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {};
    const others = (input.subject.surroundings?.secrets ?? []).filter(
      (one) => one.name !== secret && isOf(one.name) && one.keys.includes(key),
    );
    const [other, ...more] = others;
    return /PASS|PWD/i.test(name) && secret !== '' && !isOf(secret) && other && more.length === 0
      ? [{ name, index, secret, to: other.name }]
      : [];
  });
  const [only, ...more] = found;
  if (!place || !only || more.length > 0) return undefined;
  return {
    name: only.name,
    secret: only.secret,
    correction: {
      title: `Take ${code(only.name)} from Secret ${code(only.to)}`,
      changes: [
        change(
          place,
          fieldPath(place.path, 'env', only.index, 'valueFrom', 'secretKeyRef', 'name'),
          only.to,
          `it is called after the user ${code(user ?? '')}`,
        ),
      ],
      confidence: 'likely',
      explanation: `Secret ${code(only.secret)} has the password of somebody else.`,
      mirrorable: false,
    },
  };
}
