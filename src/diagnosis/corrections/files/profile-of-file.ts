import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { mountedFiles } from './mounted-files.ts';
import { nearestName } from '../similar-names.ts';

/** Variables that choose a profile, and the files from which the program reads the settings of that profile. */
const CHOSEN: readonly [variable: RegExp, file: RegExp][] = [
  [/^SPRING_PROFILES_ACTIVE$|^(?:MICRONAUT_ENVIRONMENTS|QUARKUS_PROFILE)$/, /\/application-([\w.]{1,60})\.(?:ya?ml|properties)$/],
  [/^(?:ASPNETCORE|DOTNET)_ENVIRONMENT$/, /\/appsettings\.([\w-]{1,60})\.json$/],
  [/^(?:NODE_CONFIG_ENV|NODE_ENV|APP_ENV|RAILS_ENV)$/, /\/(?:config[./-])?([\w-]{1,60})\.(?:json5?|ya?ml|toml)$/],
];

/** The profiles that Quarkus has by itself, under the names that people give them (Quarkus, "Configuration Reference Guide": Profiles). */
const OF_QUARKUS: Readonly<Record<string, string>> = { production: 'prod', development: 'dev', testing: 'test' };

/** The usual profile of Quarkus, for a program whose profile has a name that its settings hardly have: `%prod.` stands for `prod` only. */
export function quarkusProfile(input: RuleInput): { name: string; value: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const index = place?.container?.env?.findIndex(({ name }) => name === 'QUARKUS_PROFILE') ?? -1;
  const value = place?.container?.env?.[index]?.value ?? '';
  const to = Object.hasOwn(OF_QUARKUS, value) ? OF_QUARKUS[value] : undefined;
  if (!place || to === undefined) return undefined;
  return {
    name: 'QUARKUS_PROFILE',
    value,
    corrections: [
      {
        title: `Set \`QUARKUS_PROFILE\` to ${code(to)}`,
        changes: [change(place, fieldPath(place.path, 'env', index, 'value'), to, `Quarkus calls this profile ${code(to)}`)],
        confidence: 'guess',
        explanation: `Settings of the profile begin with ${code(`%${to}.`)}. Those that begin so do not count for ${code(value)}.`,
        mirrorable: true,
      },
    ],
  };
}

/** For a program whose chosen profile has no file: the profile with a similar name for which a file is mounted. */
export function profileOfFile(input: RuleInput): { name: string; value: string; corrections: Correction[] } | undefined {
  const place = input.place();
  for (const [index, { name, value }] of (place?.container?.env ?? []).entries()) {
    const file = CHOSEN.find(([variable]) => variable.test(name))?.[1];
    if (!place || file === undefined || typeof value !== 'string' || !/^[\w-]{2,60}$/.test(value)) continue;
    const to = otherProfile(input, place, { file, value });
    if (to === undefined) continue;
    const path = fieldPath(place.path, 'env', index, 'value');
    return {
      name,
      value,
      corrections: [
        {
          title: `Set ${code(name)} to ${code(to)}`,
          changes: [change(place, path, to, `a volume has the file of the profile ${code(to)}, and none of ${code(value)}`)],
          confidence: 'likely',
          explanation: `The program reads the settings of a profile from a file with its name. There is one of ${code(to)}.`,
          mirrorable: true,
        },
      ],
    };
  }
  return undefined;
}

function otherProfile(input: RuleInput, place: ContainerPlace, { file, value }: { file: RegExp; value: string }): string | undefined {
  const profiles = mountedFiles(input, place).flatMap((path) => file.exec(path)?.[1] ?? []);
  if (profiles.includes(value)) return undefined;
  const near = profiles.filter((one) => value.startsWith(one) || one.startsWith(value));
  const [only, ...more] = near.length > 0 ? near : nearestName(value, profiles);
  return more.length === 0 ? only : undefined;
}
