import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { allGivenIn } from '../given-values.ts';
import { replaceText } from '../replace-text.ts';
import { editDistance, nearest } from '../similar-names.ts';

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

/** The first words of dotted names in other settings of the container: `shop` of `shop.settings`. */
function packagesBeside(input: RuleInput, module: string): string[] {
  const place = input.place();
  const words = [
    ...(place?.container?.args ?? []),
    ...(place?.container?.command ?? []),
    ...(place ? allGivenIn(place).map(({ value }) => value) : []),
  ];
  const found = words.flatMap((word) => /^([a-z_]\w{2,60})(?:\.[a-z_]\w{0,60}){1,6}(?::\w{1,60})?$/.exec(word)?.[1] ?? []);
  return [...new Set(found)].filter((one) => one !== module);
}

/** For a package that is missing: the package that another setting of the container names, of which it is a slip. */
function otherPackage(input: RuleInput, module: string): Correction[] {
  const [first = ''] = module.split('.', 1);
  const [to, ...more] = nearest(first, packagesBeside(input, first));
  const changes =
    to === undefined || more.length > 0 ? [] : replaceText(input, first, to, `another setting of the container names ${code(to)}`);
  return changes.length !== 1
    ? []
    : [
        {
          title: `Write ${code(to ?? '')}`,
          changes,
          confidence: 'likely',
          explanation: `${code(first)} looks like a typo of ${code(to ?? '')}.`,
          mirrorable: true,
        },
      ];
}

/** For a module of the program that is missing: the usual word that a part of its name is a slip of, where the container names the module. */
export function misspeltModule(input: RuleInput, module: string): Correction[] {
  const place = input.place();
  const parts = module.split('.');
  const given = place
    ? allGivenIn(place).some(({ value }) => value.includes(module)) || place.container?.args?.some((word) => word.includes(module))
    : false;
  const at = parts.findIndex((part) => part.length > 3 && !USUAL.includes(part) && near(part) !== undefined);
  if (!given || at < 0) return otherPackage(input, module);
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
