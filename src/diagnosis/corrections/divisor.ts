import { fieldPath } from '../../crd/field-path.ts';
import { code } from '../rendering/quote.ts';
import { change, type RuleInput } from '../rules/rule.ts';
import type { Correction } from './correction.ts';

/** What a unit behind a reference to a variable divides the memory of the container by. */
const DIVISORS: Readonly<Record<string, string>> = { k: '1Ki', m: '1Mi' };
/** Without a divisor the memory is in bytes. */
const IN_BYTES = new Set([undefined, '', '0', '1']);

/** A heap that is set from the memory of the container in bytes, with a larger unit behind it (`-Xmx$(LIMIT)m`): the variable, and its divisor. */
export function heapOfBytes(input: RuleInput): { name: string; option: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const { env = [], command = [], args = [] } = place?.container ?? {};
  const text = [...command, ...args, ...env.map(({ value }) => (typeof value === 'string' ? value : ''))].join(' ').slice(0, 20_000);
  for (const [option, name = '', unit = ''] of text.matchAll(/-X(?:mx|ms|mn)\$\(([\w.-]{1,100})\)([kKmM])\b/g)) {
    const index = env.findIndex((variable) => variable.name === name);
    const reference = env[index]?.valueFrom?.resourceFieldRef;
    const divisor = DIVISORS[unit.toLowerCase()];
    if (!place || !divisor || !reference?.resource.endsWith('.memory') || !IN_BYTES.has(reference.divisor)) continue;
    const path = fieldPath(place.path, 'env', index, 'valueFrom', 'resourceFieldRef', 'divisor');
    const why = `${code(option)} takes it for a number of ${divisor}`;
    return {
      name,
      option,
      corrections: [
        {
          title: `Divide ${code(name)} by \`${divisor}\``,
          changes: [change(place, path, divisor, why)],
          confidence: 'likely',
          explanation: `Without a divisor, ${code(reference.resource)} is a number of bytes.`,
          mirrorable: true,
        },
      ],
    };
  }
  return undefined;
}
