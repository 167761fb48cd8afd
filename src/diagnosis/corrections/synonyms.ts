/** Words that people write in several ways, in the names of variables and keys. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['DATABASE', 'DB'],
  ['PASSWORD', 'PASS', 'PASSWD', 'PWD', 'PW', 'AUTH'],
  ['USERNAME', 'USER'],
  ['URL', 'URI', 'DSN'],
  ['ADDRESS', 'ADDR'],
  ['HOST', 'HOSTNAME'],
  ['ENVIRONMENT', 'ENV'],
  ['CONNECTION', 'CONN'],
  ['CONNECTIONSTRING', 'CONNECTIONSTRINGS', 'CONNSTR'],
  ['CONFIG', 'CFG', 'CONF', 'CONFIGURATION'],
  ['DIRECTORY', 'DIR', 'FOLDER'],
  ['SERVICE', 'SVC'],
  ['NAMESPACE', 'NS'],
  ['MAXIMUM', 'MAX'],
  ['MINIMUM', 'MIN'],
  ['LEVEL', 'LVL'],
  ['IDENTITY', 'IDENTIFIER', 'ID'],
  ['POSTGRES', 'PG', 'POSTGRESQL'],
  ['MONGO', 'MONGODB'],
  ['RABBITMQ', 'RABBIT'],
  ['PRIMARY', 'MASTER'],
  ['REPLICA', 'SLAVE', 'SECONDARY', 'STANDBY'],
  ['ALLOWLIST', 'WHITELIST'],
  ['DENYLIST', 'BLACKLIST', 'BLOCKLIST'],
];
const CANONICAL: ReadonlyMap<string, string> = new Map(SYNONYMS.flatMap((all) => all.map((word) => [word, all[0] ?? word] as const)));

/** Whether two names say the same in other words: `db-pass` and `DATABASE_PASSWORD`. */
export const isSameMeaning = (one: string, other: string): boolean => meaningOf(one).join('_') === meaningOf(other).join('_');

/** The words of a name, each in its usual form: `db-pass` and `DATABASE_PASSWORD` have the same. */
export function meaningOf(name: string): string[] {
  return name
    .toUpperCase()
    .split(/[_.-]+/)
    .map((word) => CANONICAL.get(word) ?? word);
}

/** Names of deployment stages, each with its abbreviations. */
export const STAGES: readonly (readonly string[])[] = [
  ['prod', 'production', 'prd', 'live'],
  ['dev', 'development', 'devel'],
  ['stage', 'staging', 'stg'],
  ['test', 'testing', 'tst'],
  ['qa'],
  ['uat'],
  ['local'],
  ['ci'],
];

/** Whether two words name the same stage: `live` and `production`. */
export const isSameStage = (one: string, other: string): boolean =>
  STAGES.some((names) => names.includes(one.toLowerCase()) && names.includes(other.toLowerCase()));
