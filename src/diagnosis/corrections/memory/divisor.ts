import { fieldPath } from '../../../crd/field-path.ts';
import { parseQuantity } from '../../../crd/quantity.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { textsOf } from '../container-texts.ts';

/** What a unit behind a reference to a variable divides the memory of the container by. */
const DIVISORS: Readonly<Record<string, string>> = { k: '1Ki', m: '1Mi', g: '1Gi' };
/** Without a divisor the memory is in bytes. */
const IN_BYTES = new Set([undefined, '', '0', '1']);

/** A heap that a script sets from a variable with the memory of the container in bytes: the JVM's option has these bytes and a larger unit. */
export function heapOfShownBytes(input: RuleInput, option: string): ReturnType<typeof heapOfBytes> {
  const place = input.place();
  const { env = [], resources } = place?.container ?? {};
  const [, digits, unit = ''] = /^-X(?:mx|ms|mn)(\d{4,15})([kKmMgG])$/.exec(option) ?? [];
  const divisor = DIVISORS[unit.toLowerCase()];
  const index = env.findIndex(({ valueFrom }) => {
    const { resource = '', divisor: own } = valueFrom?.resourceFieldRef ?? {};
    const [, kind] = /^(limits|requests)\.memory$/.exec(resource) ?? [];
    return kind !== undefined && IN_BYTES.has(own) && parseQuantity(resources?.[kind as 'limits']?.['memory']) === Number(digits);
  });
  return place && divisor && index >= 0 ? divided(place, { index, divisor, option }) : undefined;
}

/** A heap that is set from the memory of the container in bytes, with a larger unit behind it (`-Xmx$(LIMIT)m`, or `-Xmx${LIMIT}m` in a script): the variable, and its divisor. */
export function heapOfBytes(input: RuleInput): { name: string; option: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const env = place?.container?.env ?? [];
  const text = textsOf(place?.container).join(' ').slice(0, 20_000);
  for (const [option, name = '', unit = ''] of text.matchAll(/-X(?:mx|ms|mn)\$[({]([\w.-]{1,100})[)}]([kKmM])\b/g)) {
    const index = env.findIndex((variable) => variable.name === name);
    const reference = env[index]?.valueFrom?.resourceFieldRef;
    const divisor = DIVISORS[unit.toLowerCase()];
    if (!place || !divisor || !reference?.resource.endsWith('.memory') || !IN_BYTES.has(reference.divisor)) continue;
    return divided(place, { index, divisor, option });
  }
  return undefined;
}

function divided(place: ContainerPlace, { index, divisor, option }: { index: number; divisor: string; option: string }) {
  const { name = '', valueFrom } = place.container?.env?.[index] ?? {};
  const path = fieldPath(place.path, 'env', index, 'valueFrom', 'resourceFieldRef', 'divisor');
  const correction: Correction = {
    title: `Divide ${code(name)} by \`${divisor}\``,
    changes: [change(place, path, divisor, `${code(option)} takes it for a number of ${divisor}`)],
    confidence: 'likely',
    explanation: `Without a divisor, ${code(valueFrom?.resourceFieldRef?.resource ?? '')} is a number of bytes.`,
    mirrorable: true,
  };
  return { name, option, corrections: [correction] };
}
