import type { CureRow } from './cure.ts';
import { app, crash, env, guess, likely, service } from './rows.ts';

const closed =
  'Unable to make field private final byte[] java.lang.String.value accessible: module java.base does not "opens java.lang" to unnamed module @1b2c6ec2\n';
const opens = '--add-opens=java.base/java.lang=ALL-UNNAMED';

/** Words that programs know under other names than people write; then near misses. */
export const PLATFORM_WORDS: Record<string, CureRow> = {
  'a password that is too short for MinIO': crash(
    'FATAL Unable to validate credentials inherited from the shell environment: Invalid credentials\n      HINT:\n        MINIO_ROOT_USER length should be at least 3, and MINIO_ROOT_PASSWORD length at least 8 characters\n',
    env({ MINIO_ROOT_PASSWORD: 'minio' }),
    { culprit: /MINIO_ROOT_PASSWORD/, best: { [`${app}.env[0].value`]: 'replace-' }, ...guess },
  ),
  'a reason that stands below a command that failed': crash(
    "ERROR: Failed to run 'build' command.\nERROR: Invalid value for option 'KC_DB': postgresql. Expected values are: dev-file, mariadb, mssql, mysql, oracle, postgres\n",
    env({ KC_DB: 'postgresql' }),
    { culprit: /KC_DB/, best: { [`${app}.env[0].value`]: 'postgres' }, ...likely },
  ),
  'an address of JDBC with the short name of its database': crash(
    'ERROR: Unsupported JDBC driver provider: postgres\n',
    env({ SONAR_JDBC_URL: 'jdbc:postgres://db:5432/sonar' }),
    { culprit: /jdbc:postgres/, best: { [`${app}.env[0].value`]: 'jdbc:postgresql://db:5432/sonar' }, ...likely },
    [service('db', 5432)],
  ),
  'a host in place of a URL': crash(
    "[ERROR] The Ghost 'url' config must be a valid URL: 'blog.example.com'. Invalid URL\n",
    env({ url: 'blog.example.com' }),
    { culprit: /blog\.example\.com/, best: { [`${app}.env[0].value`]: 'https://blog.example.com' }, ...guess },
  ),
  'a token of a tunnel with a word before its name': crash(
    '"cloudflared tunnel run" requires the ID or name of the tunnel to run as the last command line argument\n',
    { args: ['tunnel', 'run'], ...env({ CF_TUNNEL_TOKEN: 'x' }) },
    { culprit: /TUNNEL_TOKEN/, best: { [`${app}.env[0].name`]: 'TUNNEL_TOKEN' }, ...likely },
  ),
  'a service of a cloud in place of its provider': crash(
    'level=fatal msg="unknown dns provider: route53"\n',
    { args: ['--source=ingress', '--provider=route53'] },
    { culprit: /route53/, best: { [`${app}.args[1]`]: '--provider=aws' }, ...likely },
  ),
  'a module of Java that is closed': crash(closed, env({ JAVA_OPTS: '-Xmx512m' }), {
    culprit: /java\.lang/,
    best: { [`${app}.env[0].value`]: `-Xmx512m ${opens}` },
    ...likely,
  }),
  'a module of Java that is closed, without options': crash(
    closed,
    {},
    {
      culprit: /java\.lang/,
      best: { [`${app}.env`]: [{ name: 'JDK_JAVA_OPTIONS', value: opens }] },
      ...likely,
    },
  ),
  'the name of a port in place of its number': crash(
    'RangeError [ERR_SOCKET_BAD_PORT]: options.port should be >= 0 and < 65536. Received type number (NaN).\n',
    { ...env({ PORT: 'http' }), ports: [{ name: 'http', containerPort: 3000 }] },
    { culprit: /PORT/, best: { [`${app}.env[0].value`]: '3000' }, ...likely },
  ),
  'the address of a database under the name of its maker': crash(
    'Error: Environment variable not found: DATABASE_URL.\n',
    env({ POSTGRES_URL: 'postgresql://db/x' }),
    { culprit: /DATABASE_URL/, best: { [`${app}.env[0].name`]: 'DATABASE_URL' }, ...guess },
  ),
  'a word of another driver in a connection string': crash(
    "Unhandled exception. System.ArgumentException: Keyword not supported: 'host'.\n",
    env({ ConnectionStrings__Default: 'host=sql;database=x' }),
    { culprit: /host/, best: { [`${app}.env[0].value`]: 'Server=sql;database=x' }, ...likely },
  ),

  // Near misses.
  'two databases, of which neither is called DATABASE_URL': crash(
    'Error: Environment variable not found: DATABASE_URL.\n',
    env({ POSTGRES_URL: 'postgresql://db/x', MONGO_URL: 'mongodb://m/x' }),
    { culprit: /DATABASE_URL/, best: null },
  ),
  'a word of a connection string that no driver calls otherwise': crash(
    "Unhandled exception. System.ArgumentException: Keyword not supported: 'colour'.\n",
    env({ ConnectionStrings__Default: 'colour=red;database=x' }),
    { culprit: /colour/, best: null },
  ),
  'a provider that nobody calls so': crash(
    'level=fatal msg="unknown dns provider: acme"\n',
    { args: ['--provider=acme'] },
    { culprit: /acme/, best: null },
  ),
};
