import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten } from '../given-values.ts';

/** For a server that wants a password: adds the container's only password variable to the only such address without one. */
export function passwordInAddress(input: RuleInput, kind: RegExp): Correction[] {
  const place = input.place();
  const env = place?.container?.env ?? [];
  const addresses = place
    ? givenIn(place).filter(
        ({ name, value }) => kind.test(`${name} ${value}`) && /^[a-z][a-z\d+]{2,15}:\/\/[^@/\s]{1,260}(?:\/|$)/.test(value),
      )
    : [];
  const secrets = env.filter(({ name }) => kind.test(name) && /PASS(?:WORD|WD)?$/i.test(name));
  const [[address, ...more], [password, ...others]] = [addresses, secrets];
  if (!place || !address || !password || more.length > 0 || others.length > 0) return [];
  // `$(NAME)` is only known to variables that come after it.
  const at = Number(/\.env\[(\d+)\]/.exec(address.path)?.[1] ?? env.length);
  const later = env.findIndex(({ name }) => name === password.name);
  const to = address.value.replace('://', `://:$(${password.name})@`);
  const isUsed = env.slice(at + 1, later + 1).some(({ value }) => value?.includes(`$(${address.name})`));
  if (later > at && (isUsed || password.value?.includes('$('))) return [];
  const path = (index: number): string => fieldPath(place.path, 'env', index);
  const why = 'a reference sees only the variables above it';
  if (later > at)
    return [
      {
        title: `Put ${code(password.name)} into ${code(address.name)}, and before it`,
        changes: [change(place, path(at), password, why), change(place, path(later), { name: address.name, value: to }, why)],
        confidence: 'likely',
        explanation: 'The container has the password, and the address does not.',
        mirrorable: true,
      },
    ];
  return [
    {
      title: `Put ${code(password.name)} into ${code(address.name)}`,
      changes: [rewritten(place, address, to, 'Kubernetes puts the value of the variable there')],
      confidence: 'likely',
      explanation: 'The container has the password, and the address does not.',
      mirrorable: true,
    },
  ];
}
