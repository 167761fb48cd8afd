import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change, appended } from '../change.ts';
import { type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';

/** Removes a variable that the program rejects by name. */
export function withoutVariable(input: RuleInput, name: string): Correction[] {
  const place = input.place();
  const env = place?.container?.env ?? [];
  const index = env.findIndex((one) => one.name === name);
  if (!place || index < 0) return [];
  const path = fieldPath(place.path, 'env');
  return [
    {
      title: `Remove the variable ${code(name)}`,
      changes: [change(place, env.length === 1 ? path : fieldPath(path, index), null, 'the program does not take this variable')],
      confidence: 'likely',
      explanation: `The program ends because ${code(name)} is set.`,
      mirrorable: true,
    },
  ];
}

/** Removes one option from a variable with several, such as `JAVA_TOOL_OPTIONS` or `NODE_OPTIONS`. */
export function withoutOption(input: RuleInput, isOption: (word: string) => boolean): Correction[] {
  const place = input.place();
  const env = place?.container?.env ?? [];
  const index = env.findIndex(({ value }) => typeof value === 'string' && value.split(/\s+/).some(isOption));
  const { name = '', value = '' } = env[index] ?? {};
  if (!place || index < 0) return [];
  const words = value.split(/\s+/).filter(Boolean);
  const kept = words.filter((word) => !isOption(word));
  const path = fieldPath(place.path, 'env');
  const why = 'the program of this image has no such option';
  const made =
    kept.length > 0
      ? change(place, fieldPath(path, index, 'value'), kept.join(' '), why)
      : change(place, env.length === 1 ? path : fieldPath(path, index), null, why);
  return [
    {
      title: `Remove ${code(words.find(isOption) ?? '', 80)} from ${code(name)}`,
      changes: [made],
      confidence: 'likely',
      explanation: 'The program ends because it does not take this option.',
      mirrorable: true,
    },
  ];
}

/** OpenSSL 3, which Node has used since version 17, disables old algorithms. */
export function withLegacyOpenSsl(input: RuleInput): Correction[] {
  const place = input.place();
  if (!place?.container) return [];
  const env = place.container.env ?? [];
  const index = env.findIndex(({ name }) => name === 'NODE_OPTIONS');
  const option = '--openssl-legacy-provider';
  const path = fieldPath(place.path, 'env');
  const why = 'OpenSSL 3 then allows the old algorithms';
  const own = env[index]?.value;
  if (own?.includes(option) || (index >= 0 && own === undefined)) return [];
  const entry = { name: 'NODE_OPTIONS', value: option };
  return [
    {
      title: `Start Node with ${code(option)}`,
      changes: [
        index >= 0
          ? change(place, fieldPath(path, index, 'value'), `${own ?? ''} ${option}`.trim(), why)
          : appended(place, path, place.container.env, entry, why),
      ],
      confidence: 'likely',
      explanation: 'Better build the program with newer versions of its tools, which use other algorithms.',
      mirrorable: true,
    },
  ];
}
