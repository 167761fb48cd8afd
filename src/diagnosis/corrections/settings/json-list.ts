import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten } from '../given-values.ts';

/** Rewrites a comma-separated variable as a JSON list, for a field that the program reads as JSON. Source: pydantic, "Settings Management". */
export function asJsonList(input: RuleInput, field: string): { name: string; value: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const upper = field.toUpperCase();
  const found = place ? givenIn(place).filter(({ name }) => name.toUpperCase() === upper || name.toUpperCase().endsWith(`_${upper}`)) : [];
  const [only, ...more] = found;
  if (!place || !only || more.length > 0) return undefined;
  const { name, value } = only;
  const to = JSON.stringify(value.split(/\s*[,;]\s*/).filter((entry) => entry !== ''));
  const isPlain = /^[^[\]{}"'=]{1,1000}$/.test(value.replaceAll(/=(?=[^,]*$)/g, ''));
  return {
    name,
    value,
    corrections: isPlain
      ? [
          {
            title: `Write ${code(name)} as a list of JSON`,
            changes: [rewritten(place, only, to, 'the program reads lists as JSON')],
            confidence: 'likely',
            explanation: `The program reads ${code(name)} as JSON, and it is plain text.`,
            mirrorable: true,
          },
        ]
      : [],
  };
}
