import { createHash } from 'node:crypto';
import type { Confidence } from '../../../contract/mirror.ts';
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
  /** The variable, or how its name follows from the others; empty if none can be set. */
  name: string | ((env: Readonly<Record<string, string>>) => string);
  /** The value, from the other variables and the workload's name; undefined if they do not show it. */
  value: (env: Readonly<Record<string, string>>, workload: string) => string | undefined;
  why: string;
  /** Default: likely. */
  confidence?: Confidence;
}

/** The advertised listener for brokers: the one whose name says so, or else the first one. */
function innerListener(env: Readonly<Record<string, string>>): string | undefined {
  const given = Object.entries(env).find(([name]) => /^KAFKA_(?:CFG_)?ADVERTISED_LISTENERS$/.test(name))?.[1] ?? '';
  const names = given.split(',').flatMap((one) => /^\s*([A-Z][A-Z\d_]{0,40}):\/\//.exec(one)?.[1] ?? []);
  return names.find((name) => /INTERNAL|BROKER|REPLICATION|INTER/.test(name)) ?? names[0];
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
    // Flyway, "Baseline On Migrate".
    line: /non-empty schema\(s\) .{0,200} but no schema history table\. Use baseline\(\) or set baselineOnMigrate to true/,
    name: (env) =>
      Object.keys(env).some((one) => one.startsWith('SPRING_')) ? 'SPRING_FLYWAY_BASELINE_ON_MIGRATE' : 'FLYWAY_BASELINE_ON_MIGRATE',
    value: () => 'true',
    why: 'the tables that are there count as the first version',
  },
  {
    // etcd, "Runtime reconfiguration": a member that lost its data is removed and added again, and then joins.
    line: /member [0-9a-f]{8,20} has already been bootstrapped/,
    name: (env) => (env['ETCD_INITIAL_CLUSTER_STATE'] === 'new' ? 'ETCD_INITIAL_CLUSTER_STATE' : ''),
    value: () => 'existing',
    why: 'the cluster knows the member already',
    confidence: 'guess',
  },
  {
    // Elastic, "Configure security in Kibana".
    line: /\[elasticsearch\.?\]?\.?username\]?: value of "elastic" is forbidden/,
    name: 'ELASTICSEARCH_USERNAME',
    value: () => 'kibana_system',
    why: 'Kibana 8 does not log in as the superuser',
  },
  {
    // Apache Kafka, "Broker Configs": brokers talk to each other by one of the listeners that they advertise.
    line: /inter\.broker\.listener\.name must be a listener name defined in advertised\.listeners/,
    name: (env) => Object.keys(env).find((one) => /^KAFKA_(?:CFG_)?INTER_BROKER_LISTENER_NAME$/.test(one)) ?? '',
    value: innerListener,
    why: 'the broker advertises a listener of this name',
  },
  {
    // Apache Kafka, "KRaft": a cluster has an id, 16 bytes in base64url, which all its members are formatted with.
    line: /^\W*CLUSTER_ID is required/,
    name: 'CLUSTER_ID',
    value: (_, workload) => createHash('sha256').update(workload).digest().subarray(0, 16).toString('base64url'),
    why: 'it is a new id; a cluster that has data keeps its own',
    confidence: 'guess',
  },
];

/** The only value of a variable that answers the message of the program. */
export function neededValue(input: RuleInput, line: string): { name: string; correction: Correction } | undefined {
  const found = NEEDED.find((one) => one.line.test(line));
  const place = input.place();
  if (!found || !place?.container) return undefined;
  const env = Object.fromEntries((place.container.env ?? []).map(({ name, value }) => [name, value ?? '']));
  const { namespace, owner, pod_name: pod } = input.subject;
  const to = found.value(env, `${namespace}/${owner?.metadata.name ?? pod}`);
  const variable = typeof found.name === 'string' ? found.name : found.name(env);
  if (!to || variable === '' || env[variable] === to || place.container.env?.some(({ name, valueFrom }) => name === variable && valueFrom))
    return undefined;
  const old = env[variable] ?? '';
  return {
    name: old === '' ? variable : `${variable}=${old}`,
    correction: {
      title: `Set ${code(variable)} to ${code(to)}`,
      changes: [withVariable(place, variable, to, found.why), ...keysOfUser(input, place, { old, to })],
      confidence: found.confidence ?? 'likely',
      explanation: `The message of the program asks for ${code(`${variable}=${to}`)}.`,
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
