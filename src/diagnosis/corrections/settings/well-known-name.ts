import { logSections } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import { type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { editDistance } from '../similar-names.ts';
import { renamed } from './rename.ts';

/** Variables that select a program's settings, and what the program logs when they are missing. */
const CHOOSERS: readonly [variable: string, without: RegExp][] = [
  ['SPRING_PROFILES_ACTIVE', /No active profile set|no profiles are currently active/],
  ['ASPNETCORE_ENVIRONMENT', /Hosting environment: Production\b/],
  ['DOTNET_ENVIRONMENT', /Hosting environment: Production\b/],
  ['QUARKUS_PROFILE', /Profile prod activated/],
  ['MICRONAUT_ENVIRONMENTS', /No active environments|Established active environments: \[k8s, cloud\]/],
  ['RAILS_ENV', /\bstarting in development\b|['`"]development['"] database is not configured|Environment: development\b/],
  ['NODE_ENV', /NODE_ENV (?:value of |is |was |= ?)?['"`]?(?:undefined|not set|unset|not defined|missing)/],
  ['DJANGO_SETTINGS_MODULE', /settings are not configured/],
  ['APP_ENV', /APP_ENV (?:is |was |environment variable is )?(?:not set|not defined|undefined|missing)/],
];
/** How many edits a typo in a long name may have. */
const MAX_SLIP = 2;

/** Renames a container's variable whose name is a typo of a settings variable that the log reports as missing. */
export function wellKnownName(input: RuleInput): Correction[] {
  const place = input.place();
  const env = place?.container?.env ?? [];
  if (!place || env.length === 0) return [];
  const texts = logSections(input.subject).map(({ text }) => text.slice(0, 40_000));
  const known = new Set(CHOOSERS.map(([name]) => name));
  const found = CHOOSERS.filter(([, without]) => texts.some((text) => without.test(text))).flatMap(([wanted]) => {
    if (env.some(({ name }) => name === wanted)) return [];
    return env.flatMap(({ name, value }) => (!known.has(name) && value !== '' && isSlip(name, wanted) ? [{ name, wanted }] : []));
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return [];
  const { name, wanted } = only;
  return [
    renamed(
      place,
      { from: name, to: wanted },
      {
        why: `the program reads ${code(wanted)}`,
        explanation: `${code(name)} looks like a typo of ${code(wanted)}, which the program reads.`,
      },
    ),
  ];
}

/** Allows one typo in a name of fewer than 8 characters and two in a longer one, because short names are easily confused. */
function isSlip(name: string, wanted: string): boolean {
  const distance = editDistance(name.toUpperCase(), wanted);
  return distance > 0 && distance <= (wanted.length < 8 ? 1 : MAX_SLIP) && name.slice(0, 2).toUpperCase() === wanted.slice(0, 2);
}
