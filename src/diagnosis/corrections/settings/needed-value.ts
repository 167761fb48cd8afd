import type { Change } from '../../../contract/failure.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { withVariable } from './set-variable.ts';

/** A message of a program that only one value of a variable answers. */
interface Needed {
  line: RegExp;
  name: string;
  /** The value, from the other variables; undefined if they do not show it. */
  value: (env: Readonly<Record<string, string>>) => string | undefined;
  why: string;
}

const NEEDED: readonly Needed[] = [
  {
    // Kong Gateway, "Hybrid mode".
    line: /only in-memory storage can be used when role = "data_plane"/,
    name: 'KONG_DATABASE',
    value: () => 'off',
    why: 'a data plane has no database',
  },
  {
    // Spring Cloud Config, "Client".
    line: /No spring\.config\.import property has been defined/,
    name: 'SPRING_CONFIG_IMPORT',
    value: (env) => `optional:configserver:${env['SPRING_CLOUD_CONFIG_URI'] ?? ''}`,
    why: 'Spring Boot imports the config server only by this setting',
  },
  {
    // MongoDB keeps the oplog of a replica set in the database `local`.
    line: /MONGO_OPLOG_URL must be set to the 'local' database/,
    name: 'MONGO_OPLOG_URL',
    value: (env) => env['MONGO_OPLOG_URL']?.replace(/^(mongodb(?:\+srv)?:\/\/[^/]+\/)[^?]*/, '$1local'),
    why: 'the oplog lies in the database `local`',
  },
  {
    // Elastic, "Configure security in Kibana".
    line: /\[elasticsearch\.?\]?\.?username\]?: value of "elastic" is forbidden/,
    name: 'ELASTICSEARCH_USERNAME',
    value: () => 'kibana_system',
    why: 'Kibana 8 does not log in as the superuser',
  },
];

/** The only value of a variable that answers the message of the program. */
export function neededValue(input: RuleInput, line: string): { name: string; correction: Correction } | undefined {
  const found = NEEDED.find((one) => one.line.test(line));
  const place = input.place();
  if (!found || !place?.container) return undefined;
  const env = Object.fromEntries((place.container.env ?? []).map(({ name, value }) => [name, value ?? '']));
  const to = found.value(env);
  if (!to || env[found.name] === to || place.container.env?.some(({ name, valueFrom }) => name === found.name && valueFrom))
    return undefined;
  const old = env[found.name] ?? '';
  return {
    name: old === '' ? found.name : `${found.name}=${old}`,
    correction: {
      title: `Set ${code(found.name)} to ${code(to)}`,
      changes: [withVariable(place, found.name, to, found.why), ...keysOfUser(input, place, { old, to })],
      confidence: 'likely',
      explanation: `The message of the program asks for it.`,
      mirrorable: true,
    },
  };
}

/** The keys of Secrets that are called after the old user, where the same Secret has one that is called after the new user. */
function keysOfUser({ subject }: RuleInput, place: ContainerPlace, { old, to }: { old: string; to: string }): Change[] {
  return (place.container?.env ?? []).flatMap(({ valueFrom }, index) => {
    const { name, key } = valueFrom?.secretKeyRef ?? {};
    const hasOther = subject.surroundings?.secrets?.some((secret) => secret.name === name && secret.keys.includes(to)) === true;
    const path = fieldPath(place.path, 'env', index, 'valueFrom', 'secretKeyRef', 'key');
    return key !== undefined && key === old && hasOther ? [change(place, path, to, `it is the key of ${code(to)}`)] : [];
  });
}
