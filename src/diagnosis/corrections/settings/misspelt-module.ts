import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { allGivenIn } from '../given-values.ts';
import { replaceText } from '../replace-text.ts';
import { editDistance } from '../similar-names.ts';

/** How Python programs call their modules. */
const USUAL = [
  'settings',
  'config',
  'application',
  'server',
  'worker',
  'celery',
  'manage',
  'production',
  'development',
  'staging',
  'wsgi',
  'asgi',
  'main',
  'tasks',
];

/** For a module of the program that is missing: the usual word that a part of its name is a slip of, where the container names the module. */
export function misspeltModule(input: RuleInput, module: string): Correction[] {
  const place = input.place();
  const parts = module.split('.');
  const given = place
    ? allGivenIn(place).some(({ value }) => value.includes(module)) || place.container?.args?.some((word) => word.includes(module))
    : false;
  const at = parts.findIndex((part) => part.length > 3 && !USUAL.includes(part) && near(part) !== undefined);
  if (!given || at < 0) return [];
  const part = parts[at] ?? '';
  const to = near(part) ?? '';
  const changes = replaceText(
    input,
    module,
    parts.map((one, index) => (index === at ? to : one)).join('.'),
    `${code(part)} looks like a typo of ${code(to)}`,
  );
  return changes.length === 0
    ? []
    : [
        {
          title: `Write ${code(to)}`,
          changes,
          confidence: 'likely',
          explanation: 'Modules of Python are usually called so.',
          mirrorable: true,
        },
      ];
}

const near = (part: string): string | undefined => {
  const found = USUAL.filter((word) => editDistance(part, word) <= (word.length > 5 ? 2 : 1) && Math.abs(part.length - word.length) < 2);
  return found.length === 1 ? found[0] : undefined;
};
