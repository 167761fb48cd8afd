import { code } from '../../rendering/quote.ts';
import { type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { renamed } from './rename.ts';

/** .NET reads `ConnectionStrings:Default` from `ConnectionStrings__Default` (Microsoft, "Configuration in ASP.NET Core"). */
const ALMOST = /^ConnectionStrings?(?:_(?!_)|[.:-]|__)(?=\w)/i;

/** For a .NET program without a connection string: renames the variable that was meant to hold it. */
export function namedConnectionString(input: RuleInput): Correction[] {
  const place = input.place();
  const names = (place?.container?.env ?? []).map(({ name }) => name);
  const [only, ...more] = names.filter((name) => ALMOST.test(name));
  const to = only?.replace(ALMOST, 'ConnectionStrings__');
  if (!place || only === undefined || to === undefined || more.length > 0 || to.toLowerCase() === only.toLowerCase()) return [];
  return [
    renamed(
      place,
      { from: only, to },
      {
        why: 'two underscores stand for the colon of a section',
        explanation: `The program reads its section \`ConnectionStrings\`, and ${code(only)} is none of it.`,
      },
    ),
  ];
}
